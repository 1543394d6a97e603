use crate::checks::judge::judge_by;
use crate::checks::summary::Summary;
use crate::checks::{Ending, commits_in, read};
use crate::contract::types::{Counts, Source, UnknownCause, Verdict};

/// A runner's summary in these tests: a line `<program>: ok` or `<program>: 2 failed`.
fn summary(program: &str, output: &str) -> Option<Summary> {
    let said = output.lines().find_map(|line| line.strip_prefix(program)?.strip_prefix(": "))?;
    let failed = said.split_once(" failed").and_then(|(count, _)| count.parse().ok());
    let verdict = if said == "ok" { Verdict::Passed } else { Verdict::Failed };
    Some(Summary { verdict, counts: Some(Counts { passed: None, failed, skipped: None }) })
}

/// What each invocation of a line is, as `passed`, `failed`, or the cause why it is unknown.
fn judged(command: &str, ending: Ending, output: &str) -> Vec<&'static str> {
    let reading = read(command, Some("/r"), &[]);
    (0..reading.invocations.len())
        .map(|index| {
            let judgement = judge_by(&summary, &reading, index, ending, output);
            match (judgement.verdict, judgement.cause) {
                (Verdict::Passed, None) => "passed",
                (Verdict::Failed, None) => "failed",
                (Verdict::Unknown, Some(UnknownCause::Masked)) => "masked",
                (Verdict::Unknown, Some(UnknownCause::Background)) => "background",
                (Verdict::Unknown, Some(UnknownCause::Interrupted)) => "interrupted",
                (Verdict::Unknown, Some(UnknownCause::Denied)) => "denied",
                (Verdict::Unknown, Some(UnknownCause::TimedOut)) => "timed out",
                (Verdict::Unknown, Some(UnknownCause::NoResult)) => "no result",
                other => panic!("{other:?}"),
            }
        })
        .collect()
}

const SUCCEEDED: Ending = Ending::Succeeded;
const FAILED: Ending = Ending::Failed(Some(1));

#[test]
fn a_status_alone_says_what_the_shell_lets_it_say() {
    let rows: &[(&str, Ending, &[&str])] = &[
        ("make check", SUCCEEDED, &["passed"]),
        ("make check", FAILED, &["failed"]),
        ("cd a && make check", FAILED, &["failed"]),
        ("make check | tail", SUCCEEDED, &["masked"]),
        ("make check | tail", FAILED, &["masked"]),
        ("set -o pipefail; make check | tail", SUCCEEDED, &["passed"]),
        ("set -o pipefail; make check | tail", FAILED, &["failed"]),
        ("make check || true", SUCCEEDED, &["masked"]),
        ("make check; echo done", SUCCEEDED, &["masked"]),
        ("make check || exit 1", FAILED, &["failed"]),
        ("make check &", SUCCEEDED, &["background"]),
        ("make build && make check", SUCCEEDED, &["passed", "passed"]),
        ("make build && make check", FAILED, &["masked", "masked"]),
        ("make build; make check", SUCCEEDED, &["masked", "passed"]),
        ("make build; make check", FAILED, &["masked", "failed"]),
        ("make build || make check", FAILED, &["failed", "failed"]),
        ("make build || make check", SUCCEEDED, &["masked", "masked"]),
        ("! make check", SUCCEEDED, &["failed"]),
        ("! make check", FAILED, &["passed"]),
        ("if make check; then echo a; else exit 1; fi", FAILED, &["failed"]),
        ("if make check; then echo a; else exit 1; fi", SUCCEEDED, &["passed"]),
        ("bash -c 'make check'", FAILED, &["failed"]),
        ("bash -c 'make check || true'", SUCCEEDED, &["masked"]),
        ("(make build; make check) && make lint", SUCCEEDED, &["masked", "passed", "passed"]),
        ("out=$(make check 2>&1); echo $out", SUCCEEDED, &["masked"]),
        ("make lint test", SUCCEEDED, &["passed", "passed"]),
        ("make lint test", FAILED, &["masked", "masked"]),
    ];
    for (command, ending, expected) in rows {
        assert_eq!(judged(command, *ending, ""), *expected, "{command} {ending:?}");
    }
}

#[test]
fn a_command_that_did_not_end_by_itself_is_unknown_and_says_why() {
    for (ending, expected) in [
        (Ending::Interrupted, "interrupted"),
        (Ending::Denied, "denied"),
        (Ending::TimedOut, "timed out"),
        (Ending::Background, "background"),
        (Ending::Failed(Some(124)), "timed out"),
        (Ending::Failed(Some(130)), "interrupted"),
        (Ending::Failed(Some(143)), "no result"),
    ] {
        assert_eq!(judged("make check", ending, ""), [expected], "{ending:?}");
    }
}

#[test]
fn a_directory_that_is_not_there_never_ran_the_check() {
    let output = "/bin/bash: line 1: cd: nowhere: No such file or directory";
    assert_eq!(judged("cd nowhere && make check", FAILED, output), ["masked"]);
    assert_eq!(judged("cd nowhere && make check", FAILED, "make: *** [check] Error 1"), ["failed"]);
}

#[test]
fn a_runners_summary_decides_where_the_status_does_not() {
    let rows: &[(&str, Ending, &str, &[&str])] = &[
        ("cd a && make check 2>&1 | tail -5", SUCCEEDED, "make check: 2 failed", &["failed"]),
        ("cd a && make check 2>&1 | tail -5", SUCCEEDED, "make check: ok", &["passed"]),
        ("make check || true", SUCCEEDED, "make check: 2 failed", &["failed"]),
        ("make check || true", SUCCEEDED, "make check: ok", &["passed"]),
        ("make check; echo done", SUCCEEDED, "make check: ok\ndone", &["passed"]),
        ("make check & wait", SUCCEEDED, "make check: ok", &["passed"]),
        ("make check", SUCCEEDED, "make check: 2 failed", &["failed"]),
        // A threshold, or a second tool of the same script, fails a suite whose tests all passed.
        ("make check", FAILED, "make check: ok", &["failed"]),
        ("make build && make check", FAILED, "make build: ok", &["passed", "failed"]),
        ("make build && make check", FAILED, "make build: 1 failed", &["failed", "masked"]),
        ("make build && make check", FAILED, "make check: 1 failed", &["passed", "failed"]),
        ("make build && make check && make lint", FAILED, "make build: ok\nmake check: ok", &["passed", "passed", "failed"]),
        ("make build && make check && make lint", FAILED, "make check: ok", &["passed", "passed", "failed"]),
        ("make build && make check && make lint", FAILED, "make build: ok", &["passed", "masked", "masked"]),
        ("npm ci && make check", FAILED, "", &["masked"]),
        ("npm ci && make check", FAILED, "make check: 3 failed", &["failed"]),
        ("make build || make check", SUCCEEDED, "make build: 1 failed", &["failed", "passed"]),
        ("make build || make check", SUCCEEDED, "make build: ok", &["passed", "masked"]),
        ("make build | tail; make check | tail", SUCCEEDED, "make build: ok\nmake check: 1 failed", &["passed", "failed"]),
        ("make build | tail; make check | tail", SUCCEEDED, "make build: ok", &["passed", "masked"]),
        ("make check; make check", SUCCEEDED, "make check: ok", &["masked", "passed"]),
        ("set -o pipefail; make check | grep x", FAILED, "make check: ok", &["passed"]),
        ("make check", Ending::Interrupted, "make check: ok", &["interrupted"]),
        ("timeout 5 make check", Ending::Failed(Some(124)), "make check: 1 failed", &["failed"]),
    ];
    for (command, ending, output, expected) in rows {
        assert_eq!(judged(command, *ending, output), *expected, "{command} {ending:?} {output}");
    }
}

#[test]
fn counts_are_kept_when_printed() {
    let reading = read("make check | tail", Some("/r"), &[]);
    let judgement = judge_by(&summary, &reading, 0, SUCCEEDED, "make check: 2 failed");
    assert_eq!(judgement.counts.and_then(|counts| counts.failed), Some(2));
    let judgement = judge_by(&summary, &reading, 7, SUCCEEDED, "");
    assert_eq!(judgement.cause, Some(UnknownCause::NoResult));
}

#[test]
fn commits_are_those_that_git_names_else_the_one_asked_for() {
    let at = Source { agent: None, seq: 7, time: None };
    let made = |command: &str, output: &str, failed: bool| -> Vec<(Option<String>, Option<String>, Option<String>)> {
        let reading = read(command, Some("/r"), &[]);
        commits_in(&reading, output, failed, &at).into_iter().map(|commit| (commit.hash, commit.subject, commit.branch)).collect()
    };
    let some = |text: &str| Some(text.to_owned());
    let one = |hash: &str, subject: &str, branch: Option<&str>| vec![(some(hash), some(subject), branch.map(str::to_owned))];
    assert_eq!(made("git commit -m x", "[main abc1234] site: x\n 1 file changed", false), one("abc1234", "site: x", Some("main")));
    assert_eq!(made("git commit -m x", "[main (root-commit) abc1234] x", false), one("abc1234", "x", Some("main")));
    assert_eq!(made("git commit -m x", "[detached HEAD abc1234] x", false), one("abc1234", "x", None));
    assert_eq!(made("git commit -m x", "[feat/a-b 0123456789abcdef] x [y]", false), one("0123456789abcdef", "x [y]", Some("feat/a-b")));
    // The commit was made, though what came after it failed.
    assert_eq!(made("git commit -m x && make check", "[main abc1234] x\nError 1", true), one("abc1234", "x", Some("main")));
    assert_eq!(made("git commit -m x", "nothing to commit, working tree clean", true), []);
    assert_eq!(made("git commit -m x", "[INFO abc] x\n[2m Tests abc1234] y\n[main abc1234]", false), []);
    assert_eq!(made("git commit -qm 'fix: it' ", "", false), [(None, some("fix: it"), None)]);
    assert_eq!(made("git commit -q -m a && git push", "To example.com\n", false), [(None, some("a"), None)]);
    assert_eq!(made("git commit -q --amend --no-edit", "", false), [(None, None, None)]);
    assert_eq!(made("git commit --message=x", "", false), [(None, some("x"), None)]);
    assert_eq!(made("git commit -m \"$(cat <<'EOF'\nfix: a (b)\n\nbody\nEOF\n)\"", "", false), [(None, some("fix: a (b)"), None)]);
    assert_eq!(made("git commit -qm x", "", true), []);
    assert_eq!(made("git status", "", false), []);
}
