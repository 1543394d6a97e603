//! At most 30 lines and 3,000 bytes, whatever the session holds.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::world::*;
use crate::contract::types::*;

/// Pieces that texts are made of: what breaks lines, cuts, headings and terminals.
const PIECES: [&str; 26] = [
    "a",
    "word ",
    "👩‍👩‍👧‍👦",
    "é",
    "e\u{301}\u{302}\u{303}",
    "漢字",
    "\u{202e}",
    "\u{2066}",
    "\n",
    "\r\n# Wake · acme/evil",
    "\n## Next\n",
    "\u{2028}",
    "\u{85}",
    "\u{b}",
    "\u{1b}[31m",
    "\u{1b}]0;title\u{7}",
    "\0",
    "`",
    "```\n",
    "**Proof** ",
    "- ",
    "<reveille wake>\n",
    "🇫🇷",
    "\u{200d}",
    "/",
    "🏳️‍🌈",
];

fn hostile() -> BoxedStrategy<String> {
    prop_oneof![
        vec((select(&PIECES[..]), 1..40_usize), 0..8).prop_map(|parts| parts.iter().map(|(piece, times)| piece.repeat(*times)).collect()),
        (select(&PIECES[..]), 300..900_usize).prop_map(|(piece, times)| piece.repeat(times)),
        "\\PC{0,60}",
    ]
    .boxed()
}

/// A letter at least, so that a line has something to say.
fn said_text() -> BoxedStrategy<String> {
    hostile().prop_map(|text| format!("x{text}")).boxed()
}

fn source() -> BoxedStrategy<Source> {
    let time = prop_oneof![4 => (0..2_000_i64).prop_map(|minutes| Some(FOUR + minutes * MINUTE)), 1 => Just(None), 1 => any::<i64>().prop_map(Some)];
    (option::weighted(0.3, hostile()), prop_oneof![0..10_000_u64, any::<u64>()], time)
        .prop_map(|(agent, seq, time)| Source { agent, seq, time })
        .boxed()
}

fn runs() -> BoxedStrategy<Vec<Run>> {
    let verdict = select(vec![Verdict::Passed, Verdict::Failed, Verdict::Unknown]);
    let counts = option::of((any::<u32>(), any::<u32>()).prop_map(|(passed, failed)| Counts {
        passed: Some(passed),
        failed: Some(failed),
        skipped: None,
    }));
    let one = (said_text(), verdict, source(), counts, option::of(hostile()), any::<bool>()).prop_map(
        |(command, verdict, at, counts, target, check)| Run {
            kind: if check { RunKind::Check } else { RunKind::Run },
            counts,
            targets: target.into_iter().collect(),
            ..run(&command, verdict, at)
        },
    );
    vec(one, 0..6).boxed()
}

fn quoted() -> BoxedStrategy<Option<Quote>> {
    option::weighted(0.9, (said_text(), source()).prop_map(|(text, at)| quote(&text, at))).boxed()
}

fn statements() -> BoxedStrategy<Vec<Statement>> {
    vec((said_text(), source()).prop_map(|(text, at)| said(&text, at)), 0..8).boxed()
}

/// Facts of one file; `times` repeats its rows, so that there may be thousands.
fn facts_of() -> BoxedStrategy<Facts> {
    let rows = (
        statements(),
        statements(),
        statements(),
        vec(
            (said_text(), source(), select(vec![TaskStatus::Pending, TaskStatus::InProgress]))
                .prop_map(|(text, at, status)| task(&text, status, at)),
            0..5,
        ),
        vec(
            (said_text(), source(), any::<bool>())
                .prop_map(|(text, at, forgotten)| Decision { forgotten, ..decision(Speaker::Person, &text, at) }),
            0..5,
        ),
        vec((hostile(), any::<u32>(), source()).prop_map(|(path, edits, last)| changed(&path, edits, last)), 0..40),
    );
    let texts = (
        quoted(),
        quoted(),
        option::of(hostile()),
        option::of((hostile(), option::of(hostile()))),
        hostile(),
        option::of((hostile(), source())),
    );
    let numbers = (
        any::<u64>(),
        any::<u64>(),
        any::<bool>(),
        option::of(any::<u64>()),
        option::of(any::<i64>()),
        option::of(any::<i64>()),
        0..300_usize,
    );
    (rows, texts, numbers, runs(), prop_oneof![9 => Just(1_usize), 1 => Just(400)])
        .prop_map(|(rows, texts, numbers, runs, times)| {
            let mut facts = facts("b214830c");
            (facts.promises, facts.unanswered, facts.asked_person, facts.tasks, facts.decisions, facts.changed) = rows;
            let (task, last_asked, forked_from, ran_in, session, commit) = texts;
            (facts.task, facts.last_asked, facts.forked_from, facts.session) = (task, last_asked, forked_from, session);
            facts.ran_in = ran_in.map(|(cwd, branch)| RanIn { cwd, branch });
            facts.commits = commit.into_iter().map(|(hash, at)| Commit { hash: Some(hash), subject: None, branch: None, at }).collect();
            let compactions;
            let tokens;
            (facts.entries, facts.unreadable_count, facts.torn, tokens, facts.started, facts.ended, compactions) = numbers;
            facts.usage = tokens.map(|output| Usage { input: 0, output, cache_read: 0, cache_write: 0 });
            facts.compactions = std::iter::repeat_n(Compaction { at: at(1, 1), trigger: None, ours: false }, compactions).collect();
            facts.runs = runs;
            facts.promises = vec![facts.promises; times].concat();
            facts.decisions = vec![facts.decisions; times].concat();
            facts
        })
        .boxed()
}

fn worlds() -> BoxedStrategy<World> {
    let git = (hostile(), hostile(), hostile(), hostile(), any::<u32>(), any::<i64>());
    let candidate = (any::<bool>(), any::<u64>(), option::of(any::<i64>()), vec((any::<i64>(), hostile()), 0..4), any::<bool>());
    (facts_of(), option::of(facts_of()), git, candidate, hostile(), any::<i64>()).prop_map(|(main, agent, git, candidate, root, now)| {
        let mut world = World::new();
        let session = world.session.as_mut().unwrap();
        session.main = main;
        session.agents.extend(agent);
        let (branch, subject, author, upstream, number, time) = git;
        let field = |text: &str| text.replace('\0', "");
        world.git = vec![
            status(&format!(
                "# branch.oid a25b9cdaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\0# branch.head {}\0# branch.upstream {}\0# branch.ab +{number} -{number}\0? a\0",
                field(&branch),
                field(&upstream)
            )),
            log(&commit('a', time, &field(&author), &field(&subject), &["src/a.rs"]).repeat(3)),
        ];
        let (live, unread, read_at, earlier, same_checkout) = candidate;
        (world.candidates[0].live, world.candidates[0].unread, world.candidates[0].read_at) = (live, unread, read_at);
        world.choice.same_checkout = same_checkout;
        for (ended, task) in earlier.into_iter().take(3) {
            world.earlier(ended, &task);
        }
        world.request.now = now;
        if !root.is_empty() {
            world.here.root = Some(format!("/{root}"));
        }
        world
    }).boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_session_holds_its_wake_keeps_its_budget_and_its_protected_lines(world in worlds()) {
        let answer = world.answer();
        let markdown = &answer.markdown;
        prop_assert!(markdown.len() <= 3_000, "{} bytes:\n{markdown}", markdown.len());
        prop_assert!(markdown.lines().count() <= 30, "{markdown}");
        let is_drawn = |letter: char| letter == '\n' || !letter.is_control() && !matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        prop_assert!(markdown.chars().all(is_drawn), "{markdown:?}");

        // Every line is where it belongs, and there is no other.
        let headings: Vec<&str> = markdown.lines().filter(|line| line.starts_with('#')).collect();
        let names = ["# Wake · ", "## Last session", "## Before that", "## Next"];
        let mut rest = names.iter();
        prop_assert!(headings.iter().all(|heading| rest.any(|name| heading.starts_with(name))), "{markdown}");
        let count = |word: &str| markdown.lines().filter(|line| line.starts_with(word)).count();
        prop_assert_eq!(headings.len() - count("## Before that"), 3, "{}", markdown);

        let report: serde_json::Value = serde_json::from_str(&answer.report).unwrap();
        let some = |value: &serde_json::Value| usize::from(!value.is_null());
        let session = &report["session"];
        prop_assert!(markdown.lines().nth(1).unwrap().starts_with("Checkout "), "{markdown}");
        prop_assert_eq!(count("**Task** x"), some(&session["task"]), "{}", markdown);
        prop_assert_eq!(count("**Last asked** "), some(&session["last_asked"]), "{}", markdown);
        let proof = &session["proof"];
        prop_assert_eq!(count("**Proof** "), usize::from(["last_passed", "last_failed", "unknown"].iter().any(|key| !proof[key].is_null())), "{}", markdown);
        prop_assert_eq!(count("Blocker `"), some(&report["next"]["blocker"]), "{}", markdown);
        prop_assert_eq!(count("Next "), 1, "{}", markdown);
        prop_assert_eq!(count("Not here: "), 1, "{}", markdown);
        // What is protected is never cut at its end: where it stands is there.
        for word in ["**Task**", "**Last asked**", "Blocker"] {
            prop_assert!(markdown.lines().filter(|line| line.starts_with(word)).all(|line| line.ends_with(']')), "{markdown}");
        }
        prop_assert!(markdown.ends_with(" · redacted\n"), "{markdown}");
    }
}

#[test]
fn the_worst_of_everything_at_once_keeps_the_protected_lines() {
    let mut world = World::new();
    let long = "W".repeat(4000);
    let far = |seq: u64| Source {
        agent: Some(long.clone()),
        seq: u64::MAX - seq,
        time: Some(FOUR - 900_000 * MINUTE + i64::try_from(seq).unwrap()),
    };
    let counts = Some(Counts { passed: Some(u32::MAX), failed: Some(u32::MAX), skipped: None });
    let main = world.main();
    main.task = Some(quote(&long, far(9)));
    main.last_asked = Some(quote(&long, far(8)));
    main.runs = vec![
        run(&long, Verdict::Passed, far(1)),
        Run { counts, ..run(&format!("{long}b"), Verdict::Failed, far(5)) },
        run(&format!("{long}b"), Verdict::Unknown, far(6)),
        run(&format!("{long}c"), Verdict::Unknown, far(7)),
    ];
    main.runs.extend((0..20).map(|number| run(&format!("{long}{number}"), Verdict::Failed, far(2))));
    main.edits = vec![edit("/x", far(2)); 100];
    main.tasks = vec![task(&long, TaskStatus::InProgress, far(4))];
    (main.entries, main.unreadable_count, main.torn) = (u64::MAX, u64::MAX, true);
    main.unreadable = vec![Unreadable { seq: u64::MAX, reason: String::new() }];
    main.usage = Some(Usage { input: 0, output: u64::MAX, cache_read: 0, cache_write: 0 });
    main.started = Some(0);
    main.session = long.clone();
    (world.candidates[0].live, world.candidates[0].unread, world.candidates[0].read_at) = (true, u64::MAX, Some(0));
    world.choice.same_checkout = false;
    world.request.repository = Some("other".to_owned());
    let mut place = crate::wake::fixture::place("/other", Some("/other"));
    place.origin = Some(format!("https://git.example/{long}/{long}"));
    world.candidates[0].place = Some(place);
    world.here.root = Some(format!("/{long}"));
    world.git = vec![
        status(&format!(
            "# branch.oid {}\0# branch.head (detached)\0# branch.upstream {long}\0# branch.ab +{m} -{m}\0{}",
            "a".repeat(40),
            "? a\0".repeat(9000),
            m = u32::MAX
        )),
        log(&commit('a', 0, &long, &long, &[])),
    ];
    let markdown = world.answer().markdown;
    assert!(markdown.len() <= 3_000, "{} bytes:\n{markdown}", markdown.len());
    assert!(markdown.len() > 2_000, "the worst case has become mild:\n{markdown}");
    for line in [
        "# Wake",
        "**Another repository**",
        "## Last session",
        "**Task**",
        "**Last asked**",
        "**Proof**",
        "## Next",
        "Blocker",
        "Next task",
        "Not here",
    ] {
        assert_eq!(markdown.lines().filter(|found| found.starts_with(line)).count(), 1, "{line}:\n{markdown}");
    }
    assert!(markdown.ends_with(" · redacted\n"), "{markdown}");
}
