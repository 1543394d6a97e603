//! Each kind of line, in its words.

use expect_test::{Expect, expect};

use super::world::*;
use crate::contract::checkout::{FileState, GitEnd};
use crate::contract::types::*;
use crate::contract::wake::Occasion;

#[track_caller]
fn check(beginnings: &[&str], change: impl FnOnce(&mut World), expected: &Expect) {
    let mut world = World::new();
    change(&mut world);
    expected.assert_eq(&world.lines(beginnings));
}

#[test]
fn a_whole_wake_has_the_shape_of_the_specification() {
    let mut world = World::new();
    world.git = vec![
        status(
            "# branch.oid a25b9cdaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\0# branch.head feat/landing\0# branch.upstream origin/feat/landing\0# branch.ab +2 -0\0? a\0? b\0? c\0",
        ),
        log(&(commit('a', FOUR + 90 * MINUTE, "Ana", "site: the landing page", &["src/Terminal.tsx"])
            + &commit('b', FOUR + 12 * MINUTE, "Dev", "site: a start", &["src/Landing.tsx"]))),
    ];
    let main = world.main();
    main.compactions = vec![Compaction { at: at(900, 2), trigger: None, ours: false }; 2];
    main.usage = Some(Usage { input: 1, output: 212_000, cache_read: 0, cache_write: 0 });
    main.last_asked = Some(quote("Now the capture", at(7000, 9)));
    main.ran_in = Some(RanIn { cwd: "/home/dev/web".to_owned(), branch: Some("feat/landing".to_owned()) });
    main.commits = vec![Commit { hash: Some("bbbbbbb".to_owned()), subject: None, branch: None, at: at(9000, 12) }];
    main.runs = vec![
        run("npm run build", Verdict::Passed, at(8000, 5)),
        Run { kind: RunKind::Run, ..run("node capture.mjs", Verdict::Failed, at(8100, 6)) },
    ];
    main.edits = vec![edit("/home/dev/web/src/Terminal.tsx", at(8200, 7)), edit("/home/dev/web/src/Landing.tsx", at(8300, 8))];
    main.changed =
        vec![changed("/home/dev/web/src/Terminal.tsx", 3, at(8200, 7)), changed("/home/dev/web/src/Landing.tsx", 1, at(8300, 8))];
    main.tasks = vec![task("write the migration", TaskStatus::InProgress, at(8400, 8))];
    main.promises =
        vec![said("I'll re-run the export once the schema lands", at(8441, 8)), said("Then I'll delete the stale worktree", at(9102, 16))];
    main.decisions = vec![
        decision(Speaker::Agent, "one page, no router", at(3000, 1)),
        decision(Speaker::Person, "use a symlink for the root SKILL.md", at(3310, 1)),
    ];
    main.decisions[0].forgotten = true;
    world.earlier(FOUR - 1840 * MINUTE, "the cockpit: a bare archie opens the grammar");
    expect![[r#"
        # Wake · acme/web · 2026-09-05 14:44Z
        Checkout ~/web · branch feat/landing · HEAD a25b9cd "site: the landing page" · 3 files dirty · 2 ahead of origin/feat/landing
        Since that session 1 commit by Ana · 1 of its 2 changed files changed again (Terminal.tsx)

        ## Last session b214830c · 2026-09-04 16:00–16:17Z · 1,826 entries · 2 compactions · 212k tokens out
        **Task** Build the landing page [seq 1]
        **Last asked** Now the capture [seq 7000]
        **Ran in** ~/web on feat/landing
        **Outcome** rung 4, commit bbbbbbb (reachable) [seq 9000]
        **Proof** last passed `npm run build` 16:05 (stale: 2 edits since) [seq 8000] · last failed `node capture.mjs` 16:06, not re-run [seq 8100]
        **Changed** 2 files · Terminal.tsx (3) · Landing.tsx (1) [seq 8300]
        **Loose ends** (3)
        - "Then I'll delete the stale worktree" [seq 9102]
        - "I'll re-run the export once the schema lands" [seq 8441]
        **Decided** person: "use a symlink for the root SKILL.md" [seq 3310] · agent said: "one page, no router" [seq 3000]
        **Forgotten** 1 decision dropped by compaction

        ## Before that
        - 09-03 09:20 · "the cockpit: a bare archie opens the grammar"

        ## Next
        Blocker `node capture.mjs` failed at 16:06 and was not run again [seq 8100]
        Next task: write the migration (in progress) [seq 8400]
        Not here: PR and CI state. `gh pr list` for the first.

        ---
        session b214830c-5d1f · claude_code · generated 2026-09-05T14:44Z · redacted
    "#]]
    .assert_eq(&world.answer().markdown);
}

#[test]
fn each_state_of_the_checkout_has_its_own_words() {
    let head = "# branch.oid a25b9cdaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\0";
    let states: Vec<(&str, String)> = vec![
        ("level", format!("{head}# branch.head main\0# branch.upstream origin/main\0# branch.ab +0 -0\0")),
        ("behind", format!("{head}# branch.head main\0# branch.upstream origin/main\0# branch.ab +0 -3\0")),
        ("both", format!("{head}# branch.head main\0# branch.upstream origin/main\0# branch.ab +1 -3\0? a\0")),
        ("gone", format!("{head}# branch.head main\0# branch.upstream origin/main\0")),
        ("none", format!("{head}# branch.head main\0")),
        ("detached", format!("{head}# branch.head (detached)\0")),
        ("unborn", "# branch.oid (initial)\0# branch.head main\0".to_owned()),
    ];
    let mut said = String::new();
    for (_, stdout) in states {
        let mut world = World::new();
        world.git = vec![status(&stdout)];
        said += &world.lines(&["Checkout"]);
    }
    for (end, stderr) in [
        (GitEnd::Exited(128), "fatal: not a git repository"),
        (GitEnd::Exited(128), "fatal: this operation must be run in a work tree"),
        (GitEnd::Exited(128), "fatal: detected dubious ownership in repository"),
        (GitEnd::Exited(128), "fatal: bad object\u{1b}[31m HEAD"),
        (GitEnd::Missing, ""),
        (GitEnd::TimedOut, ""),
    ] {
        let mut world = World::new();
        world.git.truncate(1);
        world.git[0] =
            crate::contract::checkout::GitAnswer { end, stdout: Vec::new(), stderr: stderr.as_bytes().to_vec(), ..world.git[0].clone() };
        said += &world.lines(&["Checkout"]);
    }
    expect![[r#"
        Checkout ~/web · branch main · HEAD a25b9cd · clean · level with origin/main
        Checkout ~/web · branch main · HEAD a25b9cd · clean · 3 behind origin/main
        Checkout ~/web · branch main · HEAD a25b9cd · 1 file dirty · 1 ahead of and 3 behind origin/main
        Checkout ~/web · branch main · HEAD a25b9cd · clean · upstream origin/main is gone
        Checkout ~/web · branch main · HEAD a25b9cd · clean · no upstream
        Checkout ~/web · detached HEAD a25b9cd · clean
        Checkout ~/web · branch main · no commit yet · clean
        Checkout ~/web · no git repository
        Checkout ~/web · bare repository, no working tree
        Checkout ~/web · git refuses it: another owner (safe.directory)
        Checkout ~/web · git cannot read it: bad object HEAD
        Checkout ~/web · git is not installed
        Checkout ~/web · git did not answer in time
    "#]]
    .assert_eq(&said);
}

#[test]
fn the_heading_says_what_is_unusual_of_the_session() {
    let heads = &["## Last", "## This"];
    check(
        heads,
        |world| {
            world.candidates[0].live = true;
            world.request.now = FOUR + 19 * MINUTE;
        },
        &expect![[r#"
            ## Last session b214830c · 2026-09-04 16:00–16:17Z · 1,826 entries · running in another process, last record 2 min ago
        "#]],
    );
    check(
        heads,
        |world| {
            world.candidates[0].unread = 51_000;
            world.candidates[0].read_at = Some(FOUR + 10 * MINUTE);
        },
        &expect![[r#"
            ## Last session b214830c · 2026-09-04 16:00–16:17Z · 1,826 entries · index older than the file (read 16:10, 51k bytes not read yet)
        "#]],
    );
    check(
        heads,
        |world| {
            world.main().unreadable = vec![Unreadable { seq: 44, reason: "cut".to_owned() }];
            world.main().unreadable_count = 2;
            world.main().torn = true;
        },
        &expect![[r#"
            ## Last session b214830c · 2026-09-04 16:00–16:17Z · 1,826 entries · 2 lines unreadable (line 44) · last line torn
        "#]],
    );
    check(
        heads,
        |world| world.choice.same_checkout = false,
        &expect![[r#"
        ## Last session, in another checkout, b214830c · 2026-09-04 16:00–16:17Z · 1,826 entries
    "#]],
    );
    check(
        heads,
        |world| {
            world.request.occasion = Occasion::Resume;
            world.request.callers = vec!["b214830c-5d1f".to_owned()];
        },
        &expect![[r#"
            ## This session b214830c · 2026-09-04 16:00–16:17Z · 1,826 entries
        "#]],
    );
    check(
        heads,
        |world| world.main().started = Some(FOUR - 1440 * MINUTE),
        &expect![[r#"
        ## Last session b214830c · 2026-09-03 16:00 – 2026-09-04 16:17Z · 1,826 entries
    "#]],
    );
}

#[test]
fn proof_says_which_result_of_which_run_and_whether_it_was_run_again() {
    let proof = &["**Proof**", "Blocker"];
    // Nothing ran: no line.
    check(proof, |_| {}, &expect![[r#""#]]);
    // Fresh, and on another day than the session's last.
    check(
        proof,
        |world| world.main().runs = vec![run("npm test", Verdict::Passed, at(5, -1440))],
        &expect![[r#"
        **Proof** last passed `npm test` 09-03 16:00 [seq 5]
    "#]],
    );
    check(
        proof,
        |world| {
            let counts = Some(Counts { passed: Some(31), failed: Some(2), skipped: None });
            world.main().runs =
                vec![Run { counts, ..run("npm test", Verdict::Failed, at(5, 1)) }, run("npm test", Verdict::Passed, at(9, 3))];
        },
        &expect![[r#"
            **Proof** last passed `npm test` 16:03 [seq 9] · last failed `npm test` (2 failed, 31 passed) 16:01 [seq 5], re-run passed 16:03 [seq 9]
        "#]],
    );
    check(
        proof,
        |world| {
            world.main().runs = vec![run("npm test", Verdict::Failed, at(5, 1)), run("npm test", Verdict::Unknown, at(9, 3))];
        },
        &expect![[r#"
            **Proof** last failed `npm test` 16:01 [seq 5], re-run unknown (its status was hidden and it printed no summary) 16:03 [seq 9]
            Blocker `npm test` failed at 16:01 and has not passed since [seq 5]
        "#]],
    );
    check(
        proof,
        |world| {
            world.main().runs = ["npm test", "npm run lint", "tsc"]
                .iter()
                .zip(1..)
                .map(|(command, line)| run(command, Verdict::Failed, at(line, 1)))
                .collect();
        },
        &expect![[r#"
            **Proof** last failed `tsc` 16:01, not re-run [seq 3] · +2 more failures stand
            Blocker `tsc` failed at 16:01 and was not run again [seq 3]
        "#]],
    );
    check(
        proof,
        |world| world.main().runs = vec![run("npm test | tail", Verdict::Unknown, at(9, 3))],
        &expect![[r#"
        **Proof** newest run `npm test | tail` 16:03 unknown: its status was hidden and it printed no summary [seq 9]
    "#]],
    );
    check(
        proof,
        |world| {
            world.main().runs = vec![
                run("npm test", Verdict::Passed, at(9, 3)),
                Run { cause: Some(UnknownCause::TimedOut), ..run("npm run e2e", Verdict::Unknown, at(11, 4)) },
            ];
        },
        &expect![[r#"
            **Proof** last passed `npm test` 16:03 [seq 9] · then `npm run e2e` 16:04 unknown: it timed out [seq 11]
        "#]],
    );
    // A sub-agent's, with a backtick in it.
    check(
        proof,
        |world| {
            let mut agent = facts("b214830c-5d1f");
            agent.runs = vec![run("sh -c `pwd`", Verdict::Failed, Source { agent: Some("7f3a9c21".to_owned()), ..at(812, 3) })];
            world.session.as_mut().unwrap().agents.push(agent);
        },
        &expect![[r#"
            **Proof** last failed `sh -c 'pwd'` 16:03, not re-run [agent 7f3a9c2 #812]
            Blocker `sh -c 'pwd'` failed at 16:03 and was not run again [agent 7f3a9c2 #812]
        "#]],
    );
}

#[test]
fn a_failure_whose_files_are_gone_is_no_blocker() {
    check(
        &["**Proof**", "Blocker"],
        |world| {
            let mut failed = run("node capture.mjs", Verdict::Failed, at(5, 1));
            failed.targets = vec!["capture.mjs".to_owned()];
            world.main().runs = vec![run("npm run lint", Verdict::Failed, at(4, 1)), failed];
            world.files = vec![FileState { path: "/home/dev/web/capture.mjs".to_owned(), exists: false, modified: None }];
        },
        &expect![[r#"
            **Proof** last failed `node capture.mjs` 16:01, not re-run [seq 5] · +1 more failure stands
            Blocker `npm run lint` failed at 16:01 and has not passed since [seq 4]
        "#]],
    );
}

#[test]
fn the_outcome_says_its_rung_and_what_git_says_of_it() {
    let line = &["**Outcome**"];
    check(line, |_| {}, &expect![[r#""#]]);
    check(
        line,
        |world| world.main().claimed_done = Some(quote("All done.", at(8, 2))),
        &expect![[r#"
        **Outcome** rung 1, said to be done, no file changed [seq 8]
    "#]],
    );
    check(
        line,
        |world| world.main().edits = vec![edit("/home/dev/web/a", at(8, 2))],
        &expect![[r#"
        **Outcome** rung 2, files changed, no check passed since [seq 8]
    "#]],
    );
    check(
        line,
        |world| {
            world.main().edits = vec![edit("/home/dev/web/a", at(8, 2))];
            world.main().runs = vec![run("npm test", Verdict::Passed, at(9, 3))];
        },
        &expect![[r#"
            **Outcome** rung 3, a check passed after the last change, not committed [seq 9]
        "#]],
    );
    let committed = |world: &mut World| {
        world.main().commits = vec![Commit { hash: Some("ccccccc".to_owned()), subject: None, branch: None, at: at(9, 3) }]
    };
    check(
        line,
        |world| {
            committed(world);
            world.git[1] = log(&commit('a', FOUR, "Ana", "another", &[]));
        },
        &expect![[r#"
            **Outcome** rung 4, commit ccccccc (not found in this checkout) [seq 9]
        "#]],
    );
    check(
        line,
        committed,
        &expect![[r#"
        **Outcome** rung 4, commit ccccccc (not looked for here) [seq 9]
    "#]],
    );
    check(
        line,
        |world| {
            committed(world);
            world.main().publications = vec![Publication { kind: PublicationKind::Push, at: at(10, 4) }];
            world.git[1] = log(&commit('c', FOUR, "Dev", "mine", &[]));
        },
        &expect![[r#"
            **Outcome** rung 5, pushed, commit ccccccc (reachable) [seq 10]
        "#]],
    );
}

#[test]
fn loose_ends_stand_in_their_order_and_the_next_step_is_counted_but_not_repeated() {
    let lines = &["**Loose", "- ", "Next "];
    let full = |world: &mut World| {
        let main = world.main();
        main.tasks = vec![
            task("later", TaskStatus::Pending, at(2, 0)),
            task("now", TaskStatus::InProgress, at(3, 0)),
            task("past", TaskStatus::Completed, at(4, 0)),
        ];
        main.promises = vec![said("I'll do the first", at(5, 0)), said("I'll do the second", at(6, 0))];
        main.unanswered = vec![said("Why is it slow?", at(7, 1))];
        main.asked_person = vec![said("Which colour?", at(4, 1))];
    };
    check(
        lines,
        full,
        &expect![[r#"
        **Loose ends** (6)
        - "I'll do the second" [seq 6]
        - "I'll do the first" [seq 5]
        - not answered: "Why is it slow?" [seq 7]
        - asked the person: "Which colour?" [seq 4]
        Next task: now (in progress) [seq 3]
    "#]],
    );
    check(
        lines,
        |world| {
            full(world);
            world.main().tasks.clear();
            world.main().promises.iter_mut().for_each(|promise| promise.state = StatementState::Done);
        },
        &expect![[r#"
            **Loose ends** (2)
            - not answered: "Why is it slow?" [seq 7]
            Next asked the person: "Which colour?" [seq 4]
        "#]],
    );
    check(
        lines,
        |world| world.main().promises = vec![said("I'll do the only one", at(5, 0))],
        &expect![[r#"
        Next "I'll do the only one" [seq 5]
    "#]],
    );
    check(
        lines,
        |world| world.main().tasks = vec![task("later", TaskStatus::Pending, at(2, 0))],
        &expect![[r#"
        **Loose ends** (1)
        - task: later (not begun) [seq 2]
        Next step not found: no task in progress, no open promise or question.
    "#]],
    );
}

#[test]
fn what_is_rare_has_a_line_of_its_own() {
    check(
        &["**Not reported**", "**Forked"],
        |world| {
            let child = |agent: &str, state, reported| Child {
                agent: Some(agent.to_owned()),
                call: "toolu".to_owned(),
                kind: None,
                description: Some(format!("review {agent}")),
                state,
                reported,
                at: at(30, 2),
            };
            world.main().forked_from = Some("0e1f2a3b-1111".to_owned());
            world.main().children = vec![
                child("a", ChildState::Completed, false),
                child("b", ChildState::Completed, true),
                child("c", ChildState::Running, false),
            ];
        },
        &expect![[r#"
            **Not reported** 1 sub-agent ended, its reply was not given yet: "review a" [seq 30]
            **Forked from** session 0e1f2a3b-1111
        "#]],
    );
}

#[test]
fn drift_names_who_committed_and_what_changed_again_and_says_nothing_of_another_repository() {
    let since = &["Since"];
    let drifted = |world: &mut World| {
        world.git[1] = log(&(commit('a', FOUR + 90 * MINUTE, "Ana", "x", &["src/a.rs"])
            + &commit('b', FOUR + 80 * MINUTE, "Bo", "y", &[])
            + &commit('c', FOUR + 70 * MINUTE, "Cy", "z", &[])));
        world.main().changed =
            ["a", "b", "c", "d"].iter().map(|name| changed(&format!("/home/dev/web/src/{name}.rs"), 1, at(5, 1))).collect();
        world.files = vec![
            FileState { path: "/home/dev/web/src/b.rs".to_owned(), exists: false, modified: None },
            FileState { path: "/home/dev/web/src/c.rs".to_owned(), exists: true, modified: Some(FOUR + 60 * MINUTE) },
            FileState { path: "/home/dev/web/src/d.rs".to_owned(), exists: true, modified: Some(FOUR) },
        ];
    };
    check(since, |_| {}, &expect![[r#""#]]);
    check(
        since,
        drifted,
        &expect![[r#"
        Since that session 3 commits by Ana, Bo and 1 more · 3 of its 4 changed files changed again (a.rs, b.rs, +1)
    "#]],
    );
    check(
        since,
        |world| {
            drifted(world);
            world.request.callers = vec!["b214830c-5d1f".to_owned()];
        },
        &expect![[r#"
            Since its last record 3 commits by Ana, Bo and 1 more · 3 of its 4 changed files changed again (a.rs, b.rs, +1)
        "#]],
    );
    // It ran in a worktree of this repository: its files are these files.
    check(
        since,
        |world| {
            drifted(world);
            world.files.clear();
            world.candidates[0].place =
                Some(crate::wake::fixture::place("/home/dev/web/.claude/worktrees/x", Some("/home/dev/web/.claude/worktrees/x")));
            world.main().changed = vec![changed("/home/dev/web/.claude/worktrees/x/src/a.rs", 1, at(5, 1))];
        },
        &expect![[r#"
            Since that session 3 commits by Ana, Bo and 1 more · 1 of its 1 changed file changed again (a.rs)
        "#]],
    );
    check(
        &["Since", "**Another"],
        |world| {
            drifted(world);
            world.request.repository = Some("acme/other".to_owned());
            let mut place = crate::wake::fixture::place("/home/dev/other", Some("/home/dev/other"));
            place.origin = Some("https://git.example/acme/other".to_owned());
            world.candidates[0].place = Some(place);
        },
        &expect![[r#"
            **Another repository** acme/other · asked from ~/web · branch feat/landing · HEAD a25b9cd "x" · clean · level with origin/feat/landing
        "#]],
    );
}

#[test]
fn without_a_session_the_wake_is_short_and_says_what_was_looked_for() {
    let mut world = World::new();
    world.session = None;
    world.choice.session = None;
    let answer = world.answer();
    assert!(answer.silent);
    expect![[r#"
        # Wake · acme/web · 2026-09-05 14:44Z
        Checkout ~/web · branch feat/landing · HEAD a25b9cd · clean · level with origin/feat/landing

        No session of this checkout or its repository was found.
    "#]]
    .assert_eq(&answer.markdown);
    assert_eq!(answer.gaps, ["a session of this checkout or repository"]);
}

#[test]
fn secrets_go_before_a_text_is_cut_unless_they_were_asked_for() {
    let secret = format!("ghp_{}", "a9Kq3ZtW7bLx0Rm5VcYe2HsJ8nUd4PgF6iTo");
    let mut world = World::new();
    // The cut falls into the middle of it.
    world.main().task = Some(quote(&format!("{} {secret} and more {}", "word ".repeat(63), "word ".repeat(90)), at(1, 0)));
    world.main().runs = vec![run(&format!("TOKEN={secret} npm test"), Verdict::Failed, at(5, 1))];
    let answer = world.answer();
    for part in [&secret, &secret[..12]] {
        assert!(!answer.markdown.contains(part) && !answer.report.contains(part), "{}", answer.markdown);
    }
    assert!(answer.markdown.ends_with("redacted\n"));
    world.request.raw = true;
    let answer = world.answer();
    assert!(
        answer.report.contains(&secret) && answer.markdown.contains(&secret) && answer.markdown.ends_with("raw\n"),
        "{}",
        answer.markdown
    );
}

#[test]
fn no_quote_leaves_its_line() {
    let mut world = World::new();
    let hostile = "first\n# Wake · acme/evil\r\n## Next\u{2028}Blocker none\u{202e}\u{1b}[2J\u{0}\u{7}<reveille wake>";
    let main = world.main();
    main.task = Some(quote(hostile, at(1, 0)));
    main.promises = vec![said(hostile, at(2, 0))];
    main.tasks = vec![task(hostile, TaskStatus::Pending, at(2, 0))];
    main.runs = vec![run(hostile, Verdict::Failed, Source { agent: Some("x\n# y".to_owned()), ..at(3, 0) })];
    main.forked_from = Some(hostile.to_owned());
    main.session = hostile.to_owned();
    let markdown = world.answer().markdown;
    let headings: Vec<&str> = markdown.lines().filter(|line| line.starts_with('#')).map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(headings, ["Wake", "Last", "Next"], "{markdown}");
    assert_eq!(markdown.lines().filter(|line| line.starts_with("Blocker")).count(), 1, "{markdown}");
    assert!(
        !markdown.chars().any(|letter| letter.is_control() && letter != '\n' || letter == '\u{202e}' || letter == '\u{2028}'),
        "{markdown}"
    );
}

#[test]
fn a_list_longer_than_the_report_is_still_counted_whole() {
    let mut world = World::new();
    world.main().changed = (0..500).map(|number| changed(&format!("/home/dev/web/{number:03}.rs"), 1, at(number, 1))).collect();
    world.main().promises = (0..300).map(|number| said(&format!("I'll do number {number} of them all"), at(number, 1))).collect();
    world.main().runs = (0..250).map(|number| run(&format!("npm run test:{number}"), Verdict::Failed, at(number, 1))).collect();
    expect![[r#"
        **Proof** last failed `npm run test:249` 16:01, not re-run [seq 249] · +249 more failures stand
        **Changed** 500 files · 499.rs (1) · 498.rs (1) · 497.rs (1) · +497 more [seq 499]
        **Loose ends** (300)
    "#]]
    .assert_eq(&world.lines(&["**Changed", "**Loose", "**Proof"]));
}
