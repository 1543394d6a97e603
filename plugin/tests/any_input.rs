//! Properties of the choice, of git's answers and of the doors, over whatever may come in.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;

use proptest::prelude::*;
use reveille_plugin::checkout::{first_look, identify, normalise_remote, read_look};
use reveille_plugin::contract::checkout::{GitAnswer, GitEnd, Place};
use reveille_plugin::contract::doors::HookEvent;
use reveille_plugin::contract::transcript::Card;
use reveille_plugin::contract::types::Harness;
use reveille_plugin::contract::wake::{Candidate, Choice, Occasion, Request, WakeError};
use reveille_plugin::doors::{read_hook, read_wake_call};
use reveille_plugin::wake::{choose, explain, search_for};

fn end() -> impl Strategy<Value = GitEnd> {
    prop_oneof![
        4 => Just(GitEnd::Exited(0)),
        1 => any::<i32>().prop_map(GitEnd::Exited),
        1 => Just(GitEnd::TimedOut),
        1 => Just(GitEnd::Missing),
        1 => ".*".prop_map(GitEnd::Failed),
    ]
}

/// Bytes made of what git's answers are made of.
fn answer() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        Just(b"\0".to_vec()),
        Just(b"\x01".to_vec()),
        Just(b"\x02".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"# branch.oid ".to_vec()),
        Just(b"# branch.head ".to_vec()),
        Just(b"# branch.ab +1 -99999999999".to_vec()),
        Just(b"1 .M N... 100644 100644 100644 a b path".to_vec()),
        Just(b"2 R. N... 1 1 1 a b R100 path".to_vec()),
        Just(b"u UU".to_vec()),
        Just(b"? ".to_vec()),
        Just([b'a'; 40].to_vec()),
        Just(b"fatal: not a git repository\n".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..12),
    ];
    proptest::collection::vec(word, 0..60).prop_map(|words| words.concat())
}

fn place() -> impl Strategy<Value = Place> {
    let root = prop_oneof![
        Just("/home/dev"),
        Just("/home/dev/web"),
        Just("/home/dev/web/.claude/worktrees/x"),
        Just("/home/dev/web/.claude/worktrees/x/.claude/worktrees/y"),
        Just("/home/dev/web/vendor/lib"),
        Just("/srv/other"),
    ];
    let common = prop_oneof![Just("/home/dev/web/.git"), Just("/srv/other/.git"), Just("/home/dev/.git")];
    let origin = prop_oneof![Just("git@example.com:acme/web.git"), Just("../web"), Just("https://u:p@example.com/Acme/Web")];
    (root, proptest::option::of(common), proptest::option::of(origin), any::<bool>(), any::<bool>()).prop_map(
        |(root, common, origin, exists, below)| Place {
            directory: if below { format!("{root}/src") } else { root.to_owned() },
            exists,
            root: common.map(|_| root.to_owned()),
            common_directory: common.map(str::to_owned),
            origin: origin.filter(|_| common.is_some()).map(str::to_owned),
            worktrees: Vec::new(),
        },
    )
}

prop_compose! {
    fn candidate()(
        session in prop_oneof![Just("aaaa1111"), Just("aaaa2222"), Just("bbbb3333"), Just("cccc4444"), Just("dddd5555")],
        folder in 0..3,
        agent in proptest::option::weighted(0.2, Just("a1".to_owned())),
        ended in proptest::option::of(0..5i64),
        has_prompt in any::<bool>(),
        has_tool_call in any::<bool>(),
        place in proptest::option::of(place()),
        known in proptest::option::of(Just("git:/home/dev/web/.git".to_owned())),
        unread in prop_oneof![Just(0), any::<u64>()],
    ) -> Candidate {
        let suffix = agent.as_deref().unwrap_or_default();
        Candidate {
            path: format!("/c/{folder}/{session}{suffix}.jsonl"),
            card: Card {
                harness: Harness::ClaudeCode, session: session.to_owned(), agent, forked_from: None, title: None, ran_in: None,
                started: None, ended, has_prompt, has_tool_call, task: None,
            },
            place,
            known_keys: known.into_iter().collect(),
            live: false,
            size: unread,
            unread,
            read_at: None,
        }
    }
}

prop_compose! {
    fn request()(
        occasion in prop_oneof![Just(Occasion::Asked), Just(Occasion::Startup), Just(Occasion::Clear), Just(Occasion::Resume), Just(Occasion::Compact)],
        callers in proptest::collection::vec(prop_oneof![Just("aaaa1111".to_owned()), Just(String::new()), Just("gone".to_owned())], 0..3),
        session in proptest::option::weighted(0.3, prop_oneof![Just("aaaa".to_owned()), Just("AAAA1".to_owned()), Just("dddd5555".to_owned()), ".*"]),
        repository in proptest::option::weighted(0.3, prop_oneof![Just("acme/web".to_owned()), Just("/home/dev/web".to_owned()), ".*"]),
        aliases in ".*",
    ) -> Request {
        Request {
            occasion, callers, session, repository, raw: false, now: 0, home: Some("/home/dev".to_owned()),
            options: vec![("REVEILLE_ALIASES".to_owned(), aliases)],
        }
    }
}

/// The chosen session's path, and those before it.
fn paths(choice: &Choice, candidates: &[Candidate]) -> (Option<String>, Vec<String>) {
    let path = |index: u32| candidates[index as usize].path.clone();
    (choice.session.map(path), choice.before.iter().map(|earlier| path(earlier.candidate)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_choice_is_a_session_in_which_something_happened_and_never_the_callers_own(
        request in request(),
        here in place(),
        mut candidates in proptest::collection::vec(candidate(), 0..12),
    ) {
        // A path is one file.
        let mut seen = BTreeSet::new();
        candidates.retain(|candidate| seen.insert(candidate.path.clone()));
        let chosen = choose(&request, &here, &candidates);
        let own_start = matches!(request.occasion, Occasion::Resume | Occasion::Compact) && request.session.is_none();
        if let Ok(choice) = &chosen {
            if let Some(index) = choice.session {
                let card = &candidates[index as usize].card;
                prop_assert!(card.agent.is_none());
                if own_start {
                    prop_assert_eq!(Some(&card.session), request.callers.first());
                } else if request.session.is_none() {
                    prop_assert!(!request.callers.contains(&card.session) && (card.has_prompt || card.has_tool_call));
                }
            } else {
                prop_assert!(choice.before.is_empty());
            }
            let told: Vec<&str> = choice.session.into_iter().chain(choice.before.iter().map(|earlier| earlier.candidate)).map(|index| candidates[index as usize].card.session.as_str()).collect();
            prop_assert_eq!(told.iter().collect::<BTreeSet<_>>().len(), told.len(), "each session once");
            prop_assert!(choice.before.len() <= 3);
            let folded: u128 = choice.before.iter().filter(|earlier| earlier.fold).map(|earlier| u128::from(candidates[earlier.candidate as usize].unread)).sum();
            prop_assert!(folded <= 64 << 20);
        }
        // In whatever order a folder is listed.
        let mut reversed = candidates.clone();
        reversed.reverse();
        let again = choose(&request, &here, &reversed);
        prop_assert_eq!(chosen.as_ref().map(|choice| paths(choice, &candidates)), again.as_ref().map(|choice| paths(choice, &reversed)));
        if let Err(error) = chosen {
            let line = explain(&error);
            prop_assert!(!line.is_empty() && line.lines().count() == 1);
        }
    }

    #[test]
    fn a_search_names_folders_and_never_paths(request in request(), here in place(), odd in "\\PC*") {
        let odd = Place { directory: format!("/{odd}"), root: None, common_directory: None, ..here.clone() };
        for here in [here, odd] {
            if let Ok(search) = search_for(&request, &here) {
                for name in search.folders.iter().chain(&search.folder_prefixes) {
                    prop_assert!(!name.is_empty() && name.len() <= 201);
                    prop_assert!(name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-'), "{}", name);
                }
            }
        }
    }

    #[test]
    fn gits_answers_are_read_whatever_they_hold(status in answer(), log in answer(), stderr in answer(), ends in (end(), end())) {
        let answers: Vec<GitAnswer> = first_look().into_iter().zip([(status, ends.0), (log, ends.1)])
            .map(|(command, (stdout, end))| GitAnswer { command, end, stdout, stderr: stderr.clone() })
            .collect();
        let look = read_look(&answers);
        prop_assert!(look.log.len() <= 100 && look.dirty_files.len() <= 2000);
        prop_assert!(look.log.iter().all(|entry| entry.hash.bytes().all(|digit| digit.is_ascii_hexdigit())));
    }

    #[test]
    fn an_identity_is_one_line_with_a_key_and_without_the_password(origin in ".*", directory in ".*", user in "[a-z]{1,8}", password in "[a-zA-Z0-9!$%.:_-]{12,20}") {
        let mut place = Place { directory, exists: true, root: None, common_directory: None, origin: Some(origin.clone()), worktrees: Vec::new() };
        let identity = identify(&place);
        prop_assert!(!identity.keys.is_empty() && !identity.display.chars().any(char::is_control));
        if let Some(remote) = normalise_remote(&origin) {
            let written = remote.strip_prefix("file/").map_or_else(|| format!("https://{remote}"), |path| format!("/{path}"));
            if !remote.contains([':', '?', '#', '@', '[', '~', '\\']) && !remote.ends_with(".git") {
                prop_assert_eq!(normalise_remote(&written), Some(remote), "what is normal stays so");
            }
        }
        place.origin = Some(format!("https://{user}:{password}@example.com/acme/web.git"));
        prop_assert_eq!(identify(&place).keys, vec!["remote:example.com/acme/web".to_owned()]);
    }

    #[test]
    fn a_hooks_input_and_a_tools_arguments_are_read_or_refused_in_one_line(input in proptest::collection::vec(any::<u8>(), 0..200), text in ".*", fields in "[{}\\[\\]:,\"a-z0-9\\\\]{0,80}") {
        for bytes in [input.as_slice(), text.as_bytes(), fields.as_bytes()] {
            if let HookEvent::Nothing(Some(said)) = read_hook(bytes) {
                prop_assert_eq!(said.lines().count(), 1);
            }
        }
        for arguments in [&text, &fields] {
            if let Err(error) = read_wake_call(arguments) {
                prop_assert!(matches!(&error, WakeError::BadInput(_)) && explain(&error).lines().count() == 1);
            }
        }
    }
}
