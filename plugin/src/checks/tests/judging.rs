use crate::checks::{Ending, judge, read};
use crate::contract::types::{UnknownCause, Verdict};

/// What each invocation of a line is, as `passed`, `failed`, or the cause why it is unknown.
fn judged(command: &str, ending: Ending, output: &str) -> Vec<&'static str> {
    let reading = read(command, Some("/r"), &[]);
    (0..reading.invocations.len())
        .map(|index| {
            let judgement = judge(&reading, index, ending, output);
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
