//! Where the sessions of a request may be found.

use super::options;
use crate::checkout::{identify, normalise_remote};
use crate::contract::checkout::{Identity, Place};
use crate::contract::wake::{Occasion, Request, Search, WakeError};

/// Fewer characters of a session id say too little.
const PREFIX: usize = 4;

/// Claude Code cuts a project folder's name here and appends a hash.
const SLUG: usize = 200;

/// Where sessions of this request may be found.
pub fn search_for(request: &Request, here: &Place) -> Result<Search, WakeError> {
    if let Some(session) = &request.session {
        let session = session.trim();
        if session.len() < PREFIX || !session.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_') {
            return Err(WakeError::BadInput(format!(
                "a session is given by its id or at least {PREFIX} characters of its beginning, letters, digits and dashes; {session:?} is neither"
            )));
        }
    }
    let mut search = match &request.repository {
        Some(name) => other_repository(request, name)?,
        None => this_checkout(here),
    };
    search.session = match request.occasion {
        Occasion::Resume | Occasion::Compact if request.session.is_none() => request.callers.first().cloned(),
        _ => request.session.as_deref().map(|session| session.trim().to_owned()),
    };
    Ok(search)
}

fn this_checkout(here: &Place) -> Search {
    let identity = identify(here);
    let main = here
        .common_directory
        .as_deref()
        .and_then(|common| common.strip_suffix("/.git"))
        .or(here.root.as_deref())
        .unwrap_or(&here.directory);
    let mut names: Vec<String> = Vec::new();
    let roots = here.root.iter().chain(&here.worktrees).map(String::as_str).chain([main]);
    for directory in std::iter::once(here.directory.as_str()).chain(roots) {
        let slug = slug(directory);
        if !names.contains(&slug) {
            names.push(slug);
        }
    }
    let (long, folders): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| name.len() > SLUG);
    let mut prefixes: Vec<String> = long
        .into_iter()
        .map(|mut name| {
            name.truncate(SLUG);
            name
        })
        .collect();
    // Sessions that ran in a directory below, and in worktrees that the client made and that are gone.
    prefixes.extend(folders.iter().map(|folder| format!("{folder}-")));
    let keys = identity.keys.clone();
    Search { identity, folders, folder_prefixes: prefixes, keys, display: None, session: None }
}

fn other_repository(request: &Request, name: &str) -> Result<Search, WakeError> {
    let name = name.trim();
    let options = options::read(&request.options);
    let target = options.aliases.get(&name.to_lowercase()).map_or(name, String::as_str);
    if target.is_empty() {
        return Err(WakeError::BadInput("a repository is given as owner/name, an alias or a remote URL; it was empty".to_owned()));
    }
    let url = (target.contains("://") || target.contains('@') || target.starts_with('/')).then(|| normalise_remote(target)).flatten();
    let keys: Vec<String> = url.iter().map(|remote| format!("remote:{remote}")).collect();
    let display = if keys.is_empty() { Some(target.to_owned()) } else { None };
    let shown = url.as_deref().and_then(|remote| remote.split_once('/')).map_or(target, |(_, path)| path);
    Ok(Search {
        identity: Identity { display: shown.to_owned(), keys: keys.clone() },
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
    #![allow(clippy::unwrap_used)]
    use super::super::fixture::{place, request};
    use super::*;

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
    fn a_session_that_says_too_little_or_is_no_id_is_refused() {
        let here = place("/home/dev/web", Some("/home/dev/web"));
        for given in ["", "abc", "../../etc", "a b c d"] {
            let mut request = request();
            request.session = Some(given.to_owned());
            assert!(matches!(search_for(&request, &here), Err(WakeError::BadInput(_))), "{given:?}");
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
