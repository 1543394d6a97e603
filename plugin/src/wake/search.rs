//! Where the sessions of a request may be found.

use super::budget::cut;
use super::choose::is_own_start;
use crate::checkout::{below, identify, normalise_remote, owner_and_name};
use crate::contract::checkout::{Identity, Place};
use crate::contract::wake::{Request, Search, WakeError};
use crate::options::Options;

/// Fewer characters of a session id say too little.
const PREFIX: usize = 4;

/// Bytes of what was given that an error repeats.
const SHOWN: usize = 80;

/// Claude Code cuts a project folder's name here and appends a hash.
const SLUG: usize = 200;

/// Where sessions of this request may be found.
pub fn search_for(request: &Request, here: &Place) -> Result<Search, WakeError> {
    let wanted = request.session.as_deref().map(wanted).transpose()?;
    let mut search = match &request.repository {
        Some(name) if !names(request, here, name) => other_repository(request, name)?,
        _ => this_checkout(request, here),
    };
    search.session = if is_own_start(request) { request.callers.first().filter(|id| !id.is_empty()).cloned() } else { wanted };
    Ok(search)
}

/// A session's id or its beginning as it was given. Hexadecimal ids are written in lower case.
fn wanted(session: &str) -> Result<String, WakeError> {
    let session = session.trim();
    if session.len() < PREFIX || !session.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_') {
        let shown = cut(session, SHOWN);
        return Err(WakeError::BadInput(format!(
            "a session is given by its id or at least {PREFIX} characters of its beginning, letters, digits and dashes; {shown:?} is neither"
        )));
    }
    let is_hex = session.bytes().all(|letter| letter.is_ascii_hexdigit() || letter == b'-');
    Ok(if is_hex { session.to_ascii_lowercase() } else { session.to_owned() })
}

fn this_checkout(request: &Request, here: &Place) -> Search {
    let identity = identify(here);
    let main = here
        .common_directory
        .as_deref()
        .and_then(|common| common.strip_suffix("/.git"))
        .or(here.root.as_deref())
        .unwrap_or(&here.directory);
    let roots = here.root.iter().chain(&here.worktrees).map(String::as_str).chain([main]);
    let mut folders: Vec<String> = Vec::new();
    let mut prefixes: Vec<String> = Vec::new();
    for directory in std::iter::once(here.directory.as_str()).chain(roots) {
        let mut name = slug(directory);
        if name.len() > SLUG {
            name.truncate(SLUG);
            add(&mut prefixes, name);
            continue;
        }
        // Sessions that ran in a directory below, and in worktrees that the client made and that are gone. Below home is everything that a person has: that is
        // looked up, not listed.
        if !request.home.as_deref().is_some_and(|home| below(home, directory)) {
            add(&mut prefixes, format!("{name}-"));
        }
        add(&mut folders, name);
    }
    let keys = identity.keys.clone();
    Search { identity, folders, folder_prefixes: prefixes, keys, display: None, session: None }
}

fn add(names: &mut Vec<String>, name: String) {
    if !names.contains(&name) {
        names.push(name);
    }
}

/// What a repository's name stands for: an alias is what it is set to.
fn target(request: &Request, name: &str) -> String {
    let name = name.trim();
    Options::read(&request.options).aliases.remove(&name.to_lowercase()).unwrap_or_else(|| name.to_owned())
}

/// A remote URL, or a remote without its scheme, as it is written in keys.
fn remote(target: &str) -> Option<String> {
    if target.contains([':', '@']) || target.starts_with('/') {
        return normalise_remote(target);
    }
    // `github.com/acme/web`
    let (host, path) = target.split_once('/')?;
    (host.contains('.') && path.contains('/')).then(|| normalise_remote(&format!("https://{target}"))).flatten()
}

/// Whether a name is that of the repository here: then it is as if none was given.
pub fn names(request: &Request, here: &Place, name: &str) -> bool {
    let target = target(request, name);
    let identity = identify(here);
    identity.display.eq_ignore_ascii_case(&target)
        || remote(&target).is_some_and(|remote| identity.keys.contains(&format!("remote:{remote}")))
}

fn other_repository(request: &Request, name: &str) -> Result<Search, WakeError> {
    let target = target(request, name);
    if target.is_empty() {
        return Err(WakeError::BadInput("a repository is given as owner/name, an alias or a remote URL; it was empty".to_owned()));
    }
    let remote = remote(&target);
    let mut keys: Vec<String> = remote.iter().map(|remote| format!("remote:{remote}")).collect();
    if target.starts_with('/') {
        // A checkout on this machine, given by its root.
        let root = target.trim_end_matches('/');
        keys.extend([format!("git:{root}/.git"), format!("path:{root}")]);
    }
    // Looked up by its last two components; what was given decides among those that are found.
    let given = target.trim_matches('/').to_owned();
    let display = keys.is_empty().then(|| owner_and_name(&format!("/{given}")).unwrap_or_else(|| given.clone()));
    let shown = remote.as_deref().and_then(owner_and_name).unwrap_or(given);
    Ok(Search {
        identity: Identity { display: shown, keys: keys.clone() },
        folders: Vec::new(),
        folder_prefixes: Vec::new(),
        keys,
        display,
        session: None,
    })
}

/// The name of Claude Code's project folder: every character that is no ASCII letter or digit is a dash. Many directories share one: it is a place to look,
/// never an identity.
fn slug(directory: &str) -> String {
    // The client counts UTF-16 units.
    directory.encode_utf16().map(|unit| char::from_u32(u32::from(unit)).filter(char::is_ascii_alphanumeric).unwrap_or('-')).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::super::fixture::{place, request};
    use super::*;
    use crate::contract::wake::Occasion;

    #[test]
    fn the_likely_folders_are_those_of_the_directory_its_root_and_every_worktree() {
        let mut here = place("/home/dev/my_app/src", Some("/home/dev/my_app"));
        here.worktrees = vec!["/home/dev/my_app".to_owned(), "/home/dev/trees/x".to_owned()];
        let search = search_for(&request(), &here).unwrap();
        assert_eq!(search.folders, ["-home-dev-my-app-src", "-home-dev-my-app", "-home-dev-trees-x"]);
        assert!(search.folder_prefixes.contains(&"-home-dev-my-app-".to_owned()), "{:?}", search.folder_prefixes);
        assert_eq!(search.keys, ["git:/home/dev/my_app/.git"]);
    }

    #[test]
    fn letters_of_other_scripts_are_dashes_and_a_long_path_is_a_prefix() {
        assert_eq!(slug("/home/dév/😀.app"), "-home-d-v----app");
        let long = format!("/home/{}", "x".repeat(300));
        let search = search_for(&request(), &place(&long, None)).unwrap();
        assert!(search.folders.is_empty() && search.folder_prefixes.iter().all(|prefix| prefix.len() <= SLUG));
    }

    #[test]
    fn a_repository_is_a_display_key_an_alias_or_a_remote() {
        let here = place("/home/dev/web", Some("/home/dev/web"));
        let mut request = request();
        request.options = vec![("REVEILLE_ALIASES".to_owned(), "site=git@example.com:acme/site.git".to_owned())];
        for (given, keys, display) in [
            ("acme/web", Vec::new(), Some("acme/web")),
            ("group/sub/web", Vec::new(), Some("sub/web")),
            ("example.com/Group/Sub/web", vec!["remote:example.com/group/sub/web"], None),
            ("/srv/web/", vec!["remote:file/srv/web", "git:/srv/web/.git", "path:/srv/web"], None),
            ("https://example.com/acme/web.git", vec!["remote:example.com/acme/web"], None),
            ("SITE", vec!["remote:example.com/acme/site"], None),
        ] {
            request.repository = Some(given.to_owned());
            let search = search_for(&request, &here).unwrap();
            assert_eq!((search.keys, search.display.as_deref()), (keys.into_iter().map(str::to_owned).collect(), display), "{given}");
            assert!(search.folders.is_empty());
        }
    }

    #[test]
    fn below_home_is_not_listed_and_below_a_directory_in_it_is() {
        for (directory, listed) in [("/home/dev", false), ("/home", false), ("/", false), ("/home/dev/code", true), ("/srv", true)] {
            let search = search_for(&request(), &place(directory, None)).unwrap();
            assert_eq!((search.folders.len(), search.folder_prefixes.len()), (1, usize::from(listed)), "{directory}");
        }
    }

    #[test]
    fn a_session_that_says_too_little_or_is_no_id_is_refused() {
        let here = place("/home/dev/web", Some("/home/dev/web"));
        for given in ["", "abc", "../../etc", "a b c d", "söss", "%", &"/".repeat(1 << 20)] {
            let mut request = request();
            request.session = Some(given.to_owned());
            let Err(WakeError::BadInput(why)) = search_for(&request, &here) else { panic!("{given:?} was taken") };
            assert!(why.len() < 300, "{why}");
        }
    }

    #[test]
    fn a_resumed_session_is_looked_for_by_its_own_id() {
        let here = place("/home/dev/web", Some("/home/dev/web"));
        let mut request = request();
        request.occasion = Occasion::Resume;
        request.callers = vec!["5d1f0a52".to_owned()];
        assert_eq!(search_for(&request, &here).unwrap().session.as_deref(), Some("5d1f0a52"));
    }
}
