//! Which session to wake with.
//!
//! | given | chosen |
//! |---|---|
//! | a session id or unique prefix | that session, wherever it ran |
//! | a start that resumes or compacts | the caller's own session |
//! | another repository | its newest session |
//! | else | the newest session of this very checkout; only when there is none, the newest of the same repository |
//!
//! Never the caller's own session unless asked for by id, never a sub-agent's transcript, never one in which nothing was asked and nothing done.

use std::collections::BTreeSet;

use super::search::{names, search_for};
use crate::checkout::{WORKTREES, below, identify, owner_and_name};
use crate::contract::checkout::{Identity, Place};
use crate::contract::wake::{Candidate, Choice, Earlier, Occasion, Request, WakeError};

/// Sessions before the chosen one that are told of.
const BEFORE: usize = 3;

/// Bytes that the sessions before the chosen one may cost to fold, all together; beyond, they are told from their cards.
const BEFORE_BYTES: u64 = 64 << 20;

/// Which of the candidates to wake with.
pub fn choose(request: &Request, here: &Place, candidates: &[Candidate]) -> Result<Choice, WakeError> {
    let search = search_for(request, here)?;
    let own_start = is_own_start(request);
    if own_start && search.session.is_none() {
        // Which session goes on is not known: nothing, rather than another.
        return Ok(Choice { session: None, before: Vec::new(), same_checkout: false });
    }
    if let Some(wanted) = &search.session {
        let found = by_id(candidates, wanted, own_start)?;
        let group = found.map(|found| group_of(found, candidates)).unwrap_or_default();
        return Ok(choice(found.map(|found| found.0), &group, candidates, here));
    }
    let primary: Vec<(usize, &Candidate)> = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| is_session(candidate) && !request.callers.contains(&candidate.card.session))
        .collect();
    if let Some(name) = request.repository.as_deref().filter(|name| !names(request, here, name)) {
        let mut group: Vec<_> = primary
            .into_iter()
            .filter(|(_, candidate)| {
                same_repository(candidate, &search.identity) || search.display.is_some() && is_shown_as(candidate, &search.identity.display)
            })
            .collect();
        newest_first(&mut group);
        let Some((_, newest)) = group.first() else { return Err(WakeError::NoSuchRepository(name.to_owned())) };
        // One display key can be that of two repositories, on two hosts: never mixed.
        let keys = keys_of(newest);
        group.retain(|(_, candidate)| candidate.path == newest.path || keys_of(candidate).iter().any(|key| keys.contains(key)));
        return Ok(choice(None, &group, candidates, here));
    }
    let mut group: Vec<_> = primary.iter().copied().filter(|(_, candidate)| in_checkout(candidate, here)).collect();
    if here.root.is_none() && group.iter().any(|(_, candidate)| is_at(candidate, here)) {
        // Without git every directory that sessions stand in is a workspace of its own.
        group.retain(|(_, candidate)| is_at(candidate, here));
    }
    if group.is_empty() {
        group = primary.into_iter().filter(|(_, candidate)| same_repository(candidate, &search.identity)).collect();
    }
    Ok(choice(None, &group, candidates, here))
}

/// The session of a start that goes on is the caller's own.
pub fn is_own_start(request: &Request) -> bool {
    matches!(request.occasion, Occasion::Resume | Occasion::Compact) && request.session.is_none()
}

fn is_at(candidate: &Candidate, here: &Place) -> bool {
    candidate.place.as_ref().is_some_and(|place| place.directory == here.directory)
}

/// How many sessions of a place there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sessions {
    /// Those that ran in this very checkout.
    pub checkout: usize,
    /// Those of the same repository, this checkout's among them.
    pub repository: usize,
}

/// How many of the candidates a wake in this place could go back to.
pub fn sessions_of(here: &Place, candidates: &[Candidate]) -> Sessions {
    let identity = identify(here);
    let mut sessions = Sessions { checkout: 0, repository: 0 };
    let mut seen = BTreeSet::new();
    for candidate in candidates.iter().filter(|candidate| is_session(candidate) && seen.insert(&candidate.card.session)) {
        let own = in_checkout(candidate, here);
        sessions.checkout += usize::from(own);
        sessions.repository += usize::from(own || same_repository(candidate, &identity));
    }
    sessions
}

/// A session that could be gone back to: something was asked or done, in a file of its own.
fn is_session(candidate: &Candidate) -> bool {
    candidate.card.agent.is_none() && (candidate.card.has_prompt || candidate.card.has_tool_call)
}

fn by_id<'a>(candidates: &'a [Candidate], wanted: &str, own_start: bool) -> Result<Option<(usize, &'a Candidate)>, WakeError> {
    let mut found: Vec<(usize, &Candidate)> = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| candidate.card.agent.is_none() && candidate.card.session.starts_with(wanted))
        .collect();
    newest_first(&mut found);
    // Two files of one session are one session: the newest.
    let mut seen = BTreeSet::new();
    found.retain(|(_, candidate)| seen.insert(&candidate.card.session));
    if let Some(exact) = found.iter().find(|(_, candidate)| candidate.card.session == wanted) {
        return Ok(Some(*exact));
    }
    match found.as_slice() {
        _ if own_start => Ok(None),
        [] => Err(WakeError::NoSuchSession(wanted.to_owned())),
        [one] => Ok(Some(*one)),
        several => Err(WakeError::AmbiguousSession(several.iter().map(|(_, candidate)| candidate.card.session.clone()).collect())),
    }
}

/// The sessions of the checkout that a session ran in, up to that session.
fn group_of<'a>(found: (usize, &'a Candidate), candidates: &'a [Candidate]) -> Vec<(usize, &'a Candidate)> {
    let mut group = vec![found];
    if let Some(place) = &found.1.place {
        group.extend(candidates.iter().enumerate().filter(|(index, candidate)| {
            *index != found.0
                && is_session(candidate)
                && candidate.card.session != found.1.card.session
                && candidate.card.ended <= found.1.card.ended
                && in_checkout(candidate, place)
        }));
    }
    group
}

fn choice(chosen: Option<usize>, group: &[(usize, &Candidate)], candidates: &[Candidate], here: &Place) -> Choice {
    let mut group = group.to_vec();
    newest_first(&mut group);
    let chosen = chosen.or_else(|| group.first().map(|(index, _)| *index));
    let mut seen: BTreeSet<&str> =
        chosen.and_then(|index| candidates.get(index)).map(|chosen| chosen.card.session.as_str()).into_iter().collect();
    let mut left = BEFORE_BYTES;
    let before = group
        .iter()
        .filter(|(_, candidate)| seen.insert(&candidate.card.session))
        .take(BEFORE)
        .map(|(index, candidate)| {
            let fold = candidate.unread <= left;
            left -= if fold { candidate.unread } else { 0 };
            Earlier { candidate: number(*index), fold }
        })
        .collect();
    let same_checkout = chosen.and_then(|index| candidates.get(index)).is_some_and(|candidate| in_checkout(candidate, here));
    Choice { session: chosen.map(number), before, same_checkout }
}

/// Candidates come from folders on a disk: there are never four thousand million.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// By the last conversation record; a file that says no time is the oldest. The path decides between equals, so that the choice is always the same.
fn newest_first(group: &mut [(usize, &Candidate)]) {
    group.sort_by(|(_, a), (_, b)| b.card.ended.cmp(&a.card.ended).then_with(|| b.path.cmp(&a.path)));
}

/// The checkout that a place belongs to: the deepest root known. A worktree of the client's own counts as a root after it is gone.
fn owner(place: &Place) -> &str {
    let directory = place.directory.as_str();
    if let Some((main, rest)) = directory.rsplit_once(WORKTREES) {
        let name = rest.split('/').next().unwrap_or_default();
        let end = main.len() + WORKTREES.len() + name.len();
        let worktree = directory.get(..end).unwrap_or(directory);
        if !name.is_empty() && place.root.as_deref().is_none_or(|root| !below(root, worktree)) {
            return worktree;
        }
    }
    place.root.as_deref().unwrap_or(directory)
}

fn in_checkout(candidate: &Candidate, here: &Place) -> bool {
    let Some(place) = &candidate.place else { return false };
    // A directory that is gone stands below whatever is there now: the repository last seen says whether that was its own.
    if !place.exists && !candidate.known_keys.is_empty() && !identify(here).keys.iter().any(|key| candidate.known_keys.contains(key)) {
        return place.directory == here.directory;
    }
    if here.root.is_none() && place.root.is_none() {
        return below(&place.directory, &here.directory);
    }
    owner(place) == owner(here)
}

/// Whether a session ran in this checkout or in another one of its repository: what a wake here may be about.
pub fn is_of_repository(candidate: &Candidate, here: &Place) -> bool {
    in_checkout(candidate, here) || same_repository(candidate, &identify(here))
}

/// Keys of the repository that a session ran in: as the disk has it, and for a directory that is gone as it was last seen.
fn keys_of(candidate: &Candidate) -> Vec<String> {
    let mut keys = candidate.known_keys.clone();
    if let Some(place) = &candidate.place
        && (place.exists || keys.is_empty())
    {
        keys.extend(identify(place).keys);
    }
    keys
}

fn same_repository(candidate: &Candidate, identity: &Identity) -> bool {
    keys_of(candidate).iter().any(|key| identity.keys.contains(key))
}

/// Whether a session's repository has this display key, case aside; a longer key is compared with the whole path of its remote.
fn is_shown_as(candidate: &Candidate, display: &str) -> bool {
    let remotes = keys_of(candidate);
    let mut paths = remotes.iter().filter_map(|key| key.strip_prefix("remote:"));
    if display.split('/').count() > 2 {
        return paths.any(|remote| remote.split_once('/').is_some_and(|(_, path)| path.eq_ignore_ascii_case(display)));
    }
    paths.filter_map(owner_and_name).any(|shown| shown.eq_ignore_ascii_case(display))
        || candidate.place.as_ref().is_some_and(|place| identify(place).display.eq_ignore_ascii_case(display))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::fixture::{candidate, place, request};
    use super::*;

    fn chosen(request: &Request, here: &Place, candidates: &[Candidate]) -> Option<String> {
        let choice = choose(request, here, candidates).unwrap();
        choice.session.and_then(|index| candidates.get(index as usize)).map(|candidate| candidate.card.session.clone())
    }

    fn web() -> Place {
        place("/home/dev/web", Some("/home/dev/web"))
    }

    fn tree(name: &str) -> Place {
        let root = format!("/home/dev/web/.claude/worktrees/{name}");
        Place { common_directory: Some("/home/dev/web/.git".to_owned()), ..place(&root, Some(&root)) }
    }

    #[test]
    fn the_newest_session_of_this_checkout_beats_a_newer_one_of_another_worktree() {
        let candidates = [candidate("old", 1, web()), candidate("here", 5, web()), candidate("elsewhere", 9, tree("x"))];
        assert_eq!(chosen(&request(), &web(), &candidates).as_deref(), Some("here"));
        assert_eq!(chosen(&request(), &tree("x"), &candidates).as_deref(), Some("elsewhere"));
    }

    #[test]
    fn a_checkout_without_sessions_takes_the_newest_of_the_repository() {
        let candidates = [
            candidate("old", 1, web()),
            candidate("newest", 9, tree("x")),
            candidate("foreign", 10, place("/srv/other", Some("/srv/other"))),
        ];
        let choice = choose(&request(), &tree("fresh"), &candidates).unwrap();
        assert_eq!((choice.session, choice.same_checkout), (Some(1), false));
    }

    #[test]
    fn a_gone_worktree_owns_its_sessions_and_its_repository_finds_them_last() {
        let gone = Place { exists: false, ..place("/home/dev/web/.claude/worktrees/gone/src", Some("/home/dev/web")) };
        let candidates = [candidate("gone", 9, gone.clone()), candidate("here", 1, web())];
        assert_eq!(chosen(&request(), &web(), &candidates).as_deref(), Some("here"));
        assert_eq!(chosen(&request(), &web(), &candidates[..1]).as_deref(), Some("gone"));
    }

    #[test]
    fn a_nested_repository_is_a_checkout_of_its_own() {
        let nested = place("/home/dev/web/vendor/lib", Some("/home/dev/web/vendor/lib"));
        let candidates = [candidate("nested", 9, nested.clone()), candidate("here", 1, web())];
        assert_eq!(chosen(&request(), &web(), &candidates).as_deref(), Some("here"));
        assert_eq!(chosen(&request(), &nested, &candidates).as_deref(), Some("nested"));
        assert_eq!(chosen(&request(), &web(), &candidates[..1]), None);
    }

    #[test]
    fn directories_that_share_a_slug_are_never_mixed() {
        let candidates = [candidate("other", 9, place("/home/dev/my-app", Some("/home/dev/my-app")))];
        assert_eq!(chosen(&request(), &place("/home/dev/my_app", Some("/home/dev/my_app")), &candidates), None);
    }

    #[test]
    fn without_git_sessions_at_and_below_the_workspace_are_its_own() {
        let candidates =
            [candidate("below", 9, place("/home/dev/notes/2026", None)), candidate("beside", 10, place("/home/dev/notes2", None))];
        assert_eq!(chosen(&request(), &place("/home/dev/notes", None), &candidates).as_deref(), Some("below"));
    }

    #[test]
    fn the_callers_own_session_is_never_the_answer_but_by_id_or_when_it_goes_on() {
        let candidates = [candidate("5d1f0a52-own", 9, web()), candidate("b214830c-before", 1, web())];
        let mut request = request();
        request.callers = vec!["5d1f0a52-own".to_owned()];
        assert_eq!(chosen(&request, &web(), &candidates).as_deref(), Some("b214830c-before"));
        assert_eq!(chosen(&request, &web(), &candidates[..1]), None);
        request.session = Some("5d1f".to_owned());
        assert_eq!(chosen(&request, &web(), &candidates).as_deref(), Some("5d1f0a52-own"));
        request.session = None;
        for occasion in [Occasion::Resume, Occasion::Compact] {
            request.occasion = occasion;
            assert_eq!(chosen(&request, &web(), &candidates).as_deref(), Some("5d1f0a52-own"));
            assert_eq!(chosen(&request, &web(), &candidates[1..]), None, "its own session is not known: nothing, rather than another");
        }
    }

    #[test]
    fn a_prefix_must_be_unique_and_the_matches_are_named_newest_first() {
        let candidates = [candidate("abcd1111", 1, web()), candidate("abcd2222", 5, tree("x"))];
        let mut request = request();
        request.session = Some("abcd".to_owned());
        assert_eq!(
            choose(&request, &web(), &candidates),
            Err(WakeError::AmbiguousSession(vec!["abcd2222".to_owned(), "abcd1111".to_owned()]))
        );
        request.session = Some("ffff".to_owned());
        assert_eq!(choose(&request, &web(), &candidates), Err(WakeError::NoSuchSession("ffff".to_owned())));
    }

    #[test]
    fn sub_agents_and_sessions_without_a_prompt_and_a_call_are_no_candidates() {
        let mut agent = candidate("agent", 9, web());
        agent.card.agent = Some("a1".to_owned());
        let mut empty = candidate("empty", 8, web());
        empty.card.has_prompt = false;
        let mut called = candidate("called", 1, web());
        called.card.has_prompt = false;
        called.card.has_tool_call = true;
        assert_eq!(chosen(&request(), &web(), &[agent, empty, called]).as_deref(), Some("called"));
    }

    #[test]
    fn a_session_that_says_no_place_belongs_to_no_checkout() {
        let mut nowhere = candidate("nowhere", 9, web());
        nowhere.place = None;
        assert_eq!(chosen(&request(), &web(), &[nowhere.clone()]), None);
        nowhere.known_keys = vec!["git:/home/dev/web/.git".to_owned()];
        assert_eq!(chosen(&request(), &web(), &[nowhere]).as_deref(), Some("nowhere"));
    }

    #[test]
    fn another_repository_is_found_by_display_key_alias_or_remote_case_aside() {
        let mut site = place("/srv/site", Some("/srv/site"));
        site.origin = Some("git@example.com:Acme/Site.git".to_owned());
        let candidates = [candidate("site", 1, site), candidate("here", 9, web())];
        let mut request = request();
        for name in [
            "acme/site",
            "Acme/Site/",
            "https://example.com/acme/SITE.git",
            "git@example.com:acme/site",
            "example.com/acme/site",
            "/srv/site",
        ] {
            request.repository = Some(name.to_owned());
            assert_eq!(chosen(&request, &web(), &candidates).as_deref(), Some("site"), "{name}");
        }
        for name in ["acme/nothing", "site", "other/acme/site", "https://example.org/acme/site"] {
            request.repository = Some(name.to_owned());
            assert_eq!(choose(&request, &web(), &candidates), Err(WakeError::NoSuchRepository(name.to_owned())));
        }
    }

    #[test]
    fn the_repository_here_by_its_own_name_is_as_if_none_was_given() {
        let candidates = [candidate("here", 1, web()), candidate("elsewhere", 9, tree("x"))];
        let mut request = request();
        for name in ["dev/web", "DEV/Web"] {
            request.repository = Some(name.to_owned());
            assert_eq!(chosen(&request, &web(), &candidates).as_deref(), Some("here"), "{name}");
        }
        assert_eq!(chosen(&request, &web(), &[]), None, "nothing known of it is no error");
    }

    #[test]
    fn two_repositories_of_one_display_key_are_never_mixed() {
        let on = |host: &str, root: &str| Place { origin: Some(format!("https://{host}/acme/site")), ..place(root, Some(root)) };
        let candidates = [
            candidate("a1", 1, on("a.example", "/srv/a")),
            candidate("b2", 2, on("b.example", "/srv/b")),
            candidate("a3", 3, on("a.example", "/srv/clone")),
        ];
        let mut request = request();
        request.repository = Some("acme/site".to_owned());
        let choice = choose(&request, &web(), &candidates).unwrap();
        assert_eq!((choice.session, choice.before.iter().map(|earlier| earlier.candidate).collect::<Vec<_>>()), (Some(2), vec![0]));
    }

    #[test]
    fn a_worktree_inside_a_worktree_is_a_checkout_of_its_own_also_when_it_is_gone() {
        let root = "/home/dev/web/.claude/worktrees/x";
        let inner = format!("{root}/.claude/worktrees/y");
        let gone = Place { exists: false, ..place(&inner, Some(root)) };
        assert_eq!(owner(&gone), inner);
        let nested = format!("{inner}/vendor/lib");
        assert_eq!(owner(&place(&nested, Some(&nested))), nested);
        assert_eq!(owner(&place(&format!("{root}/.claude/worktrees"), Some(root))), root);
    }

    #[test]
    fn a_deleted_checkout_below_another_repository_is_not_that_ones() {
        let home = place("/home/dev", Some("/home/dev"));
        let mut deleted = candidate("deleted", 9, Place { exists: false, ..place("/home/dev/old", Some("/home/dev")) });
        deleted.known_keys = vec!["git:/home/dev/old/.git".to_owned()];
        assert_eq!(chosen(&request(), &home, &[deleted.clone()]), None);
        let again = place("/home/dev/old", Some("/home/dev/old"));
        assert_eq!(chosen(&request(), &again, &[deleted.clone()]).as_deref(), Some("deleted"), "cloned again, it has its sessions");
        deleted.known_keys = vec!["git:/home/dev/.git".to_owned()];
        assert_eq!(chosen(&request(), &home, &[deleted]).as_deref(), Some("deleted"), "a deleted folder of the repository itself");
    }

    #[test]
    fn without_git_a_session_in_the_workspace_itself_beats_one_in_a_workspace_below() {
        let home = place("/home/dev", None);
        let candidates = [candidate("here", 1, home.clone()), candidate("below", 9, place("/home/dev/notes", None))];
        assert_eq!(chosen(&request(), &home, &candidates).as_deref(), Some("here"));
    }

    #[test]
    fn two_files_of_one_session_are_one_session() {
        let file = |session: &str, ended, folder: &str| Candidate {
            path: format!("/c/{folder}/{session}.jsonl"),
            ..candidate(session, ended, web())
        };
        let candidates = [file("abcd1111", 1, "a"), file("abcd2222", 2, "a"), file("abcd1111", 3, "b")];
        let choice = choose(&request(), &web(), &candidates).unwrap();
        assert_eq!((choice.session, choice.before.iter().map(|earlier| earlier.candidate).collect::<Vec<_>>()), (Some(2), vec![1]));
        let mut request = request();
        request.session = Some("ABCD1".to_owned());
        assert_eq!(choose(&request, &web(), &candidates).unwrap().session, Some(2), "the newest file, case aside");
        request.session = Some("abcd1111".to_owned());
        assert_eq!(choose(&request, &web(), &candidates).unwrap().session, Some(2));
        request.session = Some("abcd".to_owned());
        let named = ["abcd1111".to_owned(), "abcd2222".to_owned()];
        assert_eq!(choose(&request, &web(), &candidates), Err(WakeError::AmbiguousSession(named.to_vec())));
    }

    #[test]
    fn a_start_that_goes_on_without_saying_which_session_wakes_with_none() {
        let mut request = request();
        for occasion in [Occasion::Resume, Occasion::Compact] {
            request.occasion = occasion;
            assert_eq!(chosen(&request, &web(), &[candidate("other", 9, web())]), None);
            request.callers = vec![String::new()];
            assert_eq!(chosen(&request, &web(), &[candidate("other", 9, web())]), None);
        }
    }

    #[test]
    fn a_session_that_would_cost_too_much_does_not_keep_a_small_one_from_being_folded() {
        let mut candidates: Vec<Candidate> = (1..=4).map(|time| candidate(&format!("session{time}"), time, web())).collect();
        for (candidate, unread) in candidates.iter_mut().zip([u64::MAX, 1 << 20, 100 << 20, 0]) {
            candidate.unread = unread;
        }
        let choice = choose(&request(), &web(), &candidates).unwrap();
        assert_eq!(choice.before.iter().map(|earlier| earlier.fold).collect::<Vec<_>>(), [false, true, false]);
    }

    #[test]
    fn the_three_before_it_are_told_of_and_large_ones_only_from_their_cards() {
        let mut candidates: Vec<Candidate> = (1..=6).map(|time| candidate(&format!("session{time}"), time, web())).collect();
        for candidate in &mut candidates {
            candidate.unread = 40 << 20;
        }
        let choice = choose(&request(), &web(), &candidates).unwrap();
        assert_eq!(choice.session, Some(5));
        assert_eq!(
            choice.before.iter().map(|earlier| (earlier.candidate, earlier.fold)).collect::<Vec<_>>(),
            [(4, true), (3, false), (2, false)]
        );
    }
}
