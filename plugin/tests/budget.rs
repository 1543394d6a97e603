//! The budget of a wake, over random sessions: at most 30 lines and 3,000 bytes, the protected lines always there, nothing cut inside a character.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use proptest::collection::vec;
use proptest::prelude::*;
use reveille_plugin::checkout::first_look;
use reveille_plugin::contract::checkout::{GitAnswer, GitEnd, Place};
use reveille_plugin::contract::transcript::FileName;
use reveille_plugin::contract::types::*;
use reveille_plugin::contract::wake::{Candidate, Choice, Earlier, Occasion, Request};
use reveille_plugin::transcript::Fold;
use reveille_plugin::wake::{Evidence, Folded, report};

const ROOT: &str = "/home/dev/code/acme/web";
const NOW: i64 = 1_788_598_800_000;

/// Text that a transcript may hold: any length, any script, joined characters, control characters, our own markers, Markdown.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{1,40}",
        Just("👩‍👩‍👧‍👦".to_owned()),
        Just("e\u{301}\u{301}\u{301}".to_owned()),
        Just("\u{202e}\u{1b}[31m\u{0}\r\n# Wake · x\n## Next\n".to_owned()),
        Just("```".to_owned()),
        Just("[seq 1]".to_owned()),
        Just("漢字".repeat(30)),
        Just("x".repeat(500)),
    ];
    vec(piece, 1..40).prop_map(|pieces| pieces.concat())
}

fn at() -> impl Strategy<Value = Source> {
    (proptest::option::of("a[0-9a-f]{16}"), 1u64..5_000_000, proptest::option::of(NOW - 90_000_000..NOW))
        .prop_map(|(agent, seq, time)| Source { agent, seq, time })
}

fn quote() -> impl Strategy<Value = Quote> {
    (text(), at()).prop_map(|(text, at)| Quote { text, at })
}

fn run() -> impl Strategy<Value = Run> {
    (any::<bool>(), text(), at(), 0usize..3, proptest::option::of((0u32..9, 0u32..9))).prop_map(|(check, command, at, verdict, counts)| {
        Run {
            kind: if check { RunKind::Check } else { RunKind::Run },
            program: command.chars().take(12).collect(),
            command,
            directory: Some(ROOT.to_owned()),
            packages: Vec::new(),
            targets: Vec::new(),
            result_at: Some(at.clone()),
            at,
            verdict: [Verdict::Passed, Verdict::Failed, Verdict::Unknown][verdict],
            cause: (verdict == 2).then_some(UnknownCause::Masked),
            counts: counts.map(|(passed, failed)| Counts { passed: Some(passed), failed: Some(failed), skipped: None }),
        }
    })
}

fn statement() -> impl Strategy<Value = Statement> {
    (text(), at()).prop_map(|(text, at)| Statement { text, at, state: StatementState::Open, settled_by: None })
}

prop_compose! {
    fn facts()(
        task in proptest::option::of(quote()), last_asked in proptest::option::of(quote()), runs in vec(run(), 0..12), paths in vec((text(), at(), 1u32..99), 0..20),
        promises in vec(statement(), 0..12), questions in vec(statement(), 0..5), tasks in vec((text(), at(), 0usize..3), 0..8), decided in vec((text(), at(), any::<bool>()), 0..6),
        cwd in proptest::option::of(text()), title in proptest::option::of(text()), hash in proptest::option::of("[0-9a-f]{40}"), children in vec((text(), at()), 0..4),
        entries in 0u64..9_000_000, unreadable in 0u64..99, torn in any::<bool>(), span in (NOW - 90_000_000..NOW, NOW - 90_000_000..NOW),
    ) -> Facts {
        let mut facts = Fold::new(FileName { harness: Harness::ClaudeCode, session: "5d1f0a52-7c0e-4b7e-9f5a-0c2b8f6a1e01".to_owned(), agent: None }).facts();
        facts.edits = paths.iter().map(|(path, at, _)| Edit { path: Some(path.clone()), means: EditMeans::Tool, at: at.clone() }).collect();
        facts.changed = paths.into_iter().map(|(path, last, edits)| ChangedFile { path, edits, last }).collect();
        facts.commits = hash.into_iter().map(|hash| Commit { hash: Some(hash), subject: None, branch: None, at: Source { agent: None, seq: 7, time: Some(NOW) } }).collect();
        facts.tasks = tasks.into_iter().enumerate().map(|(id, (text, at, status))| Task {
            id: id.to_string(), text, at, status: [TaskStatus::Pending, TaskStatus::InProgress, TaskStatus::Completed][status],
        }).collect();
        facts.decisions = decided.into_iter().map(|(text, at, person)| Decision {
            speaker: if person { Speaker::Person } else { Speaker::Agent }, text, at, superseded_by: None, forgotten: person,
        }).collect();
        facts.children = children.into_iter().map(|(description, at)| Child {
            agent: None, call: "c".to_owned(), kind: None, description: Some(description), state: ChildState::Completed, reported: false, at,
        }).collect();
        facts.ran_in = cwd.map(|cwd| RanIn { branch: Some(cwd.clone()), cwd });
        facts.started = Some(span.0.min(span.1));
        facts.ended = Some(span.0.max(span.1));
        Facts { task, last_asked, runs, promises, asked_person: questions, title, entries, unreadable_count: unreadable, torn, forked_from: Some("f".repeat(36)), ..facts }
    }
}

fn git(branch: &str, files: usize) -> Vec<GitAnswer> {
    let hash = "1".repeat(40);
    let clean = |text: &str| text.replace('\0', "");
    first_look()
        .into_iter()
        .map(|command| {
            let status = command.arguments.first().is_some_and(|argument| argument == "status");
            let stdout = if status {
                let head = format!(
                    "# branch.oid {hash}\0# branch.head {}\0# branch.upstream origin/{}\0# branch.ab +12 -345\0",
                    clean(branch),
                    clean(branch)
                );
                format!("{head}{}", "? untracked\0".repeat(files))
            } else {
                String::new()
            };
            GitAnswer { command, end: GitEnd::Exited(0), stdout: stdout.into_bytes(), stderr: Vec::new() }
        })
        .collect()
}

fn wake(main: &Facts, agents: &[Facts], before: &[Facts], git: &[GitAnswer]) -> (String, String) {
    let here = Place {
        directory: ROOT.to_owned(),
        exists: true,
        root: Some(ROOT.to_owned()),
        common_directory: Some(format!("{ROOT}/.git")),
        origin: Some(format!("https://example.com/{}/{}.git", "o".repeat(120), "n".repeat(120))),
        worktrees: Vec::new(),
    };
    let request = Request {
        occasion: Occasion::Asked,
        callers: Vec::new(),
        session: None,
        repository: None,
        raw: false,
        now: NOW,
        home: None,
        options: Vec::new(),
    };
    let candidate = Candidate {
        path: "/x.jsonl".to_owned(),
        card: Fold::new(FileName { harness: Harness::ClaudeCode, session: main.session.clone(), agent: None }).card(),
        place: Some(here.clone()),
        known_keys: Vec::new(),
        live: true,
        size: u64::MAX,
        unread: u64::MAX,
        read_at: Some(NOW),
    };
    let candidates = vec![candidate; before.len() + 1];
    let before_rows = (1..=before.len()).map(|candidate| Earlier { candidate: u32::try_from(candidate).unwrap(), fold: true }).collect();
    let choice = Choice { session: Some(0), before: before_rows, same_checkout: false };
    let session = Folded { main: main.clone(), agents: agents.to_vec() };
    let evidence = Evidence {
        request: &request,
        here: &here,
        choice: &choice,
        candidates: &candidates,
        session: Some(&session),
        before,
        git,
        files: &[],
    };
    let answer = report(&evidence);
    (answer.markdown, answer.report)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_wake_is_within_its_budget_and_its_protected_lines_are_there(
        main in facts(), agents in vec(facts(), 0..3), before in vec(facts(), 0..4), branch in text(), files in 0usize..5000,
    ) {
        let (markdown, report) = wake(&main, &agents, &before, &git(&branch, files));
        prop_assert!(markdown.lines().count() <= 30, "{} lines:\n{markdown}", markdown.lines().count());
        prop_assert!(markdown.len() <= 3_000, "{} bytes:\n{markdown}", markdown.len());
        prop_assert!(markdown.chars().all(|letter| letter == '\n' || !letter.is_control()), "a control character:\n{markdown}");
        prop_assert!(!markdown.contains('\u{202e}'), "an override of the reading direction:\n{markdown}");
        let begins = |start: &str| markdown.lines().filter(|line| line.starts_with(start)).count();
        prop_assert_eq!(begins("# Wake · "), 1, "{}", &markdown);
        prop_assert_eq!(begins("Checkout "), 1, "{}", &markdown);
        prop_assert_eq!(begins("**Task** "), usize::from(main.task.is_some()), "{}", &markdown);
        prop_assert_eq!(begins("**Last asked** "), usize::from(main.last_asked.is_some()), "{}", &markdown);
        let runs = main.runs.len() + agents.iter().map(|agent| agent.runs.len()).sum::<usize>();
        prop_assert!(runs == 0 || begins("**Proof** ") <= 1);
        prop_assert_eq!(begins("## Next"), 1, "{}", &markdown);
        prop_assert!(begins("Next ") >= 1, "{}", &markdown);
        prop_assert!(markdown.trim_end().ends_with("redacted"), "the last line is whole:\n{markdown}");
        prop_assert!(serde_json::from_str::<serde_json::Value>(&report).is_ok());
    }
}

#[test]
fn a_failure_is_never_pushed_out_by_what_is_less_important() {
    let long = "a long sentence about nothing in particular ".repeat(100);
    let at = |seq| Source { agent: None, seq, time: Some(NOW - 1000) };
    let mut main = Fold::new(FileName { harness: Harness::ClaudeCode, session: "5d1f0a52".to_owned(), agent: None }).facts();
    main.task = Some(Quote { text: long.clone(), at: at(1) });
    main.last_asked = Some(Quote { text: long.clone(), at: at(2) });
    main.promises =
        (0..50).map(|seq| Statement { text: long.clone(), at: at(10 + seq), state: StatementState::Open, settled_by: None }).collect();
    main.ended = Some(NOW);
    main.runs = vec![Run {
        kind: RunKind::Check,
        command: long.clone(),
        program: "cargo test".to_owned(),
        directory: None,
        packages: Vec::new(),
        targets: Vec::new(),
        at: at(99),
        result_at: None,
        verdict: Verdict::Failed,
        cause: None,
        counts: None,
    }];
    let (markdown, _) = wake(&main, &[], &[main.clone(), main.clone(), main.clone()], &git(&long, 3));
    assert!(markdown.contains("not re-run [seq 99]") && markdown.contains("Blocker `a long"), "{markdown}");
    assert!(markdown.len() <= 3_000 && markdown.lines().count() <= 30);
}
