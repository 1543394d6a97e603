//! Repository identity: two directories are the same repository when they share the common directory, or the normalised remote of `origin`.

use crate::contract::checkout::{Identity, Place};
use crate::transcript::text::fold_line;

/// Where Claude Code puts the worktrees it makes, below the main checkout.
pub const WORKTREES: &str = "/.claude/worktrees/";

/// What the normalised form of a remote on this machine begins with.
const LOCAL: &str = "file/";

/// Hosts that answer for another one where its own ssh port is closed.
const OTHER_NAMES: &[(&str, &str)] =
    &[("ssh.github.com", "github.com"), ("altssh.gitlab.com", "gitlab.com"), ("altssh.bitbucket.org", "bitbucket.org")];

/// The identity of a directory, gone or not. Keys, most certain first: `git:<common directory>`, `remote:<host/owner/name>`, and without git
/// `path:<directory>`.
pub fn identify(place: &Place) -> Identity {
    let main = main_root(place);
    let remote = place.origin.as_deref().and_then(|origin| match origin.trim() {
        // Git takes a relative path from the main checkout.
        relative if relative.starts_with('.') => local(&resolved(&main, relative)),
        url => remote_of(url),
    });
    let mut keys = Vec::new();
    if let Some(common) = &place.common_directory {
        keys.push(format!("git:{common}"));
    }
    if let Some(remote) = &remote {
        keys.push(format!("remote:{}", case_aside(remote)));
    }
    if keys.is_empty() {
        keys.push(format!("path:{main}"));
    }
    let display = remote.as_deref().and_then(owner_and_name).unwrap_or_else(|| last_two(&main));
    Identity { display: fold_line(&display), keys }
}

/// The main checkout's root: of a gone worktree the path before the worktrees' folder, of a bare repository the repository itself.
fn main_root(place: &Place) -> String {
    let own = place.root.as_deref().unwrap_or(&place.directory);
    if let Some(common) = place.common_directory.as_deref() {
        if let Some(main) = common.strip_suffix("/.git").or_else(|| common.strip_suffix("/.bare")) {
            return main.to_owned();
        }
        // What is left is a submodule's, inside another repository, or bare.
        if !common.contains("/.git/") {
            return common.strip_suffix(".git").unwrap_or(common).to_owned();
        }
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
pub fn owner_and_name(remote: &str) -> Option<String> {
    let (_, path) = remote.split_once('/')?;
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [.., owner, name] => Some(format!("{owner}/{name}")),
        [name] => Some((*name).to_owned()),
        [] => None,
    }
}

/// A remote URL as `host/owner/name`: without scheme, credentials, port and `.git`, case aside, for the hosts that people use take any. A remote that is a path
/// is `file/<path>` as it stands. None for what names no repository, a relative path among it.
pub fn normalise_remote(url: &str) -> Option<String> {
    remote_of(url).map(|remote| case_aside(&remote))
}

fn case_aside(remote: &str) -> String {
    if remote.starts_with(LOCAL) { remote.to_owned() } else { remote.to_lowercase() }
}

fn remote_of(url: &str) -> Option<String> {
    let url = url.trim();
    let (host, path) = if let Some((scheme, rest)) = url.split_once("://") {
        if scheme.eq_ignore_ascii_case("file") {
            return local(rest.strip_prefix("localhost").unwrap_or(rest));
        }
        let (authority, path) = rest.split_once('/')?;
        (host_of(authority), path)
    } else if url.starts_with(['/', '~', '\\']) || is_drive(url) {
        return local(url);
    } else if url.starts_with('.') {
        return None;
    } else {
        // `user@host:path`, as ssh writes it; the host in brackets when it holds colons.
        let (authority, path) = url.split_once("]:").or_else(|| url.split_once(':'))?;
        if authority.contains('/') {
            return None;
        }
        (host_of(authority), path)
    };
    let path = without_git(path);
    (!host.is_empty() && !path.is_empty()).then(|| format!("{host}/{path}"))
}

fn host_of(authority: &str) -> String {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        // An address in brackets, or ssh's own `[host:port]`.
        Some(inner) => {
            let inner = inner.split(']').next().unwrap_or_default();
            if inner.matches(':').count() == 1 { inner.split(':').next().unwrap_or_default() } else { inner }
        }
        None => host.split(':').next().unwrap_or_default(),
    };
    let host = host.trim_start_matches('[').to_lowercase();
    OTHER_NAMES.iter().find(|(other, _)| *other == host).map_or(host, |(_, name)| (*name).to_owned())
}

fn without_git(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    let end = path.len().saturating_sub(4);
    let path = if path.get(end..).is_some_and(|end| end.eq_ignore_ascii_case(".git")) { path.get(..end).unwrap_or(path) } else { path };
    let parts: Vec<&str> = path.split('/').map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join("/")
}

fn local(path: &str) -> Option<String> {
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/.git").or_else(|| path.strip_suffix(".git")).unwrap_or(path).trim_matches('/');
    (!path.is_empty()).then(|| format!("{LOCAL}{path}"))
}

/// A relative path from a directory, by its words alone.
fn resolved(directory: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in directory.split('/').chain(relative.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
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
            "https://github.com/Acme/Web.GIT",
            "https://github.com//acme//web/",
            " https://github.com/acme/web \n",
            "ssh://git@ssh.github.com:443/acme/web.git",
            "[git@github.com:22]:acme/web.git",
            "git@github.com:/acme/web.git",
        ] {
            assert_eq!(normalise_remote(url).as_deref(), Some("github.com/acme/web"), "{url}");
        }
        for (url, key) in [
            ("/srv/git/web.git", "file/srv/git/web"),
            ("file:///srv/git/web.git", "file/srv/git/web"),
            ("file://localhost/srv/git/web.git", "file/srv/git/web"),
            ("/srv/git/Web/.git/", "file/srv/git/Web"),
            ("C:/git/web.git", "file/C:/git/web"),
            ("https://gitlab.com/group/sub/web.git", "gitlab.com/group/sub/web"),
            ("ssh://git@[::1]:2222/acme/web.git", "::1/acme/web"),
            ("git@[::1]:acme/web.git", "::1/acme/web"),
            ("host:acme/web@2", "host/acme/web@2"),
        ] {
            assert_eq!(normalise_remote(url).as_deref(), Some(key), "{url}");
        }
        for url in [
            "",
            "web",
            "acme/web",
            "../web",
            "./x",
            "https://github.com",
            "https://github.com/",
            "https:///x",
            "a/b:c",
            ":",
            "@:",
            "file://",
            "/",
            "://",
            ".git",
        ] {
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
    fn a_relative_origin_is_taken_from_the_main_checkout_so_that_two_repositories_are_never_one() {
        let remote = |root: &str| {
            let here = Place {
                root: Some("/elsewhere/tree".to_owned()),
                common_directory: Some(format!("{root}/.git")),
                origin: Some("../git/web.git".to_owned()),
                ..place(root)
            };
            identify(&here).keys.pop()
        };
        assert_eq!(remote("/home/dev/a").as_deref(), Some("remote:file/home/dev/git/web"));
        assert_eq!(remote("/srv/a").as_deref(), Some("remote:file/srv/git/web"));
    }

    #[test]
    fn without_a_remote_a_repository_is_named_after_its_main_checkout_or_its_bare_folder() {
        for (root, common, display) in [
            ("/w/tree", "/home/dev/acme/web/.git", "acme/web"),
            ("/home/dev/web/main", "/home/dev/web/.bare", "dev/web"),
            ("/w/tree", "/srv/git/web.git", "git/web"),
            ("/home/dev/web/vendor/lib", "/home/dev/web/.git/modules/lib", "vendor/lib"),
            ("/home/dev/a\u{1b}[31m\nb", "/home/dev/a\u{1b}[31m\nb/.git", "dev/a b"),
        ] {
            let here = Place { root: Some(root.to_owned()), common_directory: Some(common.to_owned()), ..place(root) };
            assert_eq!(identify(&here).display, display, "{common}");
        }
    }

    #[test]
    fn the_display_key_keeps_the_case_that_the_remote_is_written_in() {
        let here = Place { origin: Some("git@GitHub.com:Acme/Web.git".to_owned()), ..place("/p") };
        let identity = identify(&here);
        assert_eq!((identity.display.as_str(), identity.keys), ("Acme/Web", vec!["remote:github.com/acme/web".to_owned()]));
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
