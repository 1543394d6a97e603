//! Repository identity: two directories are the same repository when they share the common directory, or the normalised remote of `origin`.

use crate::contract::checkout::{Identity, Place};

/// Where Claude Code puts the worktrees it makes, below the main checkout.
pub const WORKTREES: &str = "/.claude/worktrees/";

/// The identity of a directory, gone or not. Keys, most certain first: `git:<common directory>`, `remote:<host/owner/name>`, and without git
/// `path:<directory>`.
pub fn identify(place: &Place) -> Identity {
    let remote = place.origin.as_deref().and_then(normalise_remote);
    let mut keys = Vec::new();
    if let Some(common) = &place.common_directory {
        keys.push(format!("git:{common}"));
    }
    if let Some(remote) = &remote {
        keys.push(format!("remote:{remote}"));
    }
    let main = main_root(place);
    if keys.is_empty() {
        keys.push(format!("path:{main}"));
    }
    let display = remote.as_deref().and_then(owner_and_name).unwrap_or_else(|| last_two(&main));
    Identity { display, keys }
}

/// The main checkout's root: of a gone worktree the path before the worktrees' folder.
fn main_root(place: &Place) -> String {
    let own = place.root.as_deref().unwrap_or(&place.directory);
    if let Some(common) = place.common_directory.as_deref().and_then(|common| common.strip_suffix("/.git")) {
        return common.to_owned();
    }
    own.split_once(WORKTREES).map_or(own, |(main, _)| main).to_owned()
}

fn last_two(path: &str) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [.., parent, name] => format!("{parent}/{name}"),
        [name] => (*name).to_owned(),
        [] => "/".to_owned(),
    }
}

/// `owner/name` of a normalised remote; a path's last two components.
fn owner_and_name(remote: &str) -> Option<String> {
    let (_, path) = remote.split_once('/')?;
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [.., owner, name] => Some(format!("{owner}/{name}")),
        [name] => Some((*name).to_owned()),
        [] => None,
    }
}

/// A remote URL as `host/owner/name`: without scheme, credentials, port and `.git`, the host in lower case. A remote that is a path is `file/<path>`. None
/// for what names no repository.
pub fn normalise_remote(url: &str) -> Option<String> {
    let url = url.trim();
    let (host, path) = if let Some((scheme, rest)) = url.split_once("://") {
        if scheme.eq_ignore_ascii_case("file") {
            return local(rest);
        }
        let (authority, path) = rest.split_once('/')?;
        (host_of(authority), path)
    } else if url.starts_with('/') || url.starts_with('.') || url.starts_with('~') || is_drive(url) {
        return local(url);
    } else {
        // `user@host:path`, as ssh writes it.
        let (authority, path) = url.split_once(':')?;
        if authority.contains('/') {
            return local(url);
        }
        (host_of(authority), path)
    };
    let path = without_git(path);
    (!host.is_empty() && !path.is_empty()).then(|| format!("{host}/{path}"))
}

fn host_of(authority: &str) -> String {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(ipv6) => ipv6.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    host.to_lowercase()
}

fn without_git(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/').to_owned()
}

fn local(path: &str) -> Option<String> {
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/.git").or_else(|| path.strip_suffix(".git")).unwrap_or(path);
    (!path.is_empty()).then(|| format!("file/{}", path.trim_start_matches('/')))
}

fn is_drive(url: &str) -> bool {
    let mut letters = url.chars();
    letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && matches!(letters.next(), Some('\\' | '/'))
}

/// Whether a path is a directory or lies below it.
pub fn below(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    path == directory || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_of_one_repository_are_one_key_however_they_are_written() {
        for url in [
            "https://github.com/acme/web.git",
            "https://github.com/acme/web",
            "https://GitHub.com/acme/web/",
            "https://token:x-oauth@github.com/acme/web.git",
            "http://github.com:8080/acme/web.git/",
            "ssh://git@github.com:22/acme/web.git",
            "git@github.com:acme/web.git",
            "github.com:acme/web",
            "git://github.com/acme/web.git",
        ] {
            assert_eq!(normalise_remote(url).as_deref(), Some("github.com/acme/web"), "{url}");
        }
        for (url, key) in [
            ("/srv/git/web.git", "file/srv/git/web"),
            ("file:///srv/git/web.git", "file/srv/git/web"),
            ("../web", "file/../web"),
            ("C:/git/web.git", "file/C:/git/web"),
            ("https://gitlab.com/group/sub/web.git", "gitlab.com/group/sub/web"),
            ("ssh://git@[::1]:2222/acme/web.git", "::1/acme/web"),
        ] {
            assert_eq!(normalise_remote(url).as_deref(), Some(key), "{url}");
        }
        for url in ["", "web", "https://github.com", "https:///x"] {
            assert_eq!(normalise_remote(url), None, "{url}");
        }
    }

    fn place(directory: &str) -> Place {
        Place { directory: directory.to_owned(), exists: true, root: None, common_directory: None, origin: None, worktrees: Vec::new() }
    }

    #[test]
    fn a_repository_is_known_by_its_common_directory_and_its_remote() {
        let mut here = place("/home/dev/code/acme/web/src");
        here.root = Some("/home/dev/code/acme/web".to_owned());
        here.common_directory = Some("/home/dev/code/acme/web/.git".to_owned());
        here.origin = Some("git@example.com:acme/site.git".to_owned());
        let identity = identify(&here);
        assert_eq!(identity.display, "acme/site");
        assert_eq!(identity.keys, ["git:/home/dev/code/acme/web/.git", "remote:example.com/acme/site"]);
        here.origin = None;
        assert_eq!(identify(&here).display, "acme/web");
    }

    #[test]
    fn a_linked_worktree_is_named_after_its_main_checkout() {
        let mut here = place("/tmp/elsewhere");
        here.root = Some("/tmp/elsewhere".to_owned());
        here.common_directory = Some("/home/dev/code/acme/web/.git".to_owned());
        assert_eq!(identify(&here).display, "acme/web");
    }

    #[test]
    fn without_git_the_path_is_the_identity_and_a_gone_worktree_is_its_repositorys() {
        assert_eq!(identify(&place("/home/dev/notes")).keys, ["path:/home/dev/notes"]);
        let gone = identify(&place("/home/dev/web/.claude/worktrees/x/src"));
        assert_eq!((gone.display.as_str(), gone.keys.as_slice()), ("dev/web", ["path:/home/dev/web".to_owned()].as_slice()));
        assert_eq!(identify(&place("/")).display, "/");
    }

    #[test]
    fn below_goes_by_whole_components() {
        for (path, directory, expected) in
            [("/a/b", "/a/b", true), ("/a/b/c", "/a/b", true), ("/a/bc", "/a/b", false), ("/a", "/a/b", false), ("/a", "/", true)]
        {
            assert_eq!(below(path, directory), expected, "{path} {directory}");
        }
    }
}
