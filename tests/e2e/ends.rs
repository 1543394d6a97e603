//! Sessions that do not end well: killed, interrupted, refused, left while something ran.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use reveille_tests::model_server::{Step, Track, text_of};
use reveille_tests::received::wakes;
use reveille_tests::slow_check::{COMMAND, SlowCheck};
use reveille_tests::terminal::{Terminal, until};
use reveille_tests::workshop::{Running, Workshop};

const ID: &str = "7d6f0f5e-2f2f-4f5c-9f0b-1d8a3c5e7b90";

fn woken(workshop: &Workshop, checkout: &Path, more: &[&str]) -> String {
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![Step::text("I know.")])]);
    workshop.session(checkout, "What were you doing?", more).unwrap();
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_eq!(found.len(), 1, "one wake: {found:?}");
    found[0].clone()
}

fn assert_lines(wake: &str, wanted: &[&str]) {
    for line in wanted {
        assert!(wake.contains(line), "no `{line}` in:\n{wake}");
    }
}

/// Starts a session that runs into the slow check, and waits until the client has written so: it writes a moment after it acts.
fn running_into(workshop: &Workshop, checkout: &Path, slow: &SlowCheck) -> Running {
    let running = workshop.running(checkout, ID, "Run every check.").unwrap();
    slow.wait_until_it_runs().unwrap();
    let called = format!("\"command\":\"{COMMAND}\"");
    until("the call in the transcript", || workshop.transcript(ID).ok().filter(|transcript| transcript.contains(&called))).unwrap();
    running
}

#[test]
fn a_session_killed_in_a_check_leaves_it_unknown_and_the_failure_before_it_stands() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let slow = SlowCheck::in_checkout(&checkout).unwrap();
    workshop.model.play(vec![Track::main(vec![Step::shell("sh tests/run.sh"), Step::shell(COMMAND), Step::text("Both ran.")])]);
    let running = running_into(&workshop, &checkout, &slow);
    running.kill().unwrap();
    let unknown = format!("then `{COMMAND}`");
    let stands = "Blocker `sh tests/run.sh` failed";
    let wake = woken(&workshop, &checkout, &[]);
    assert_lines(&wake, &[&format!("## Last session {}", &ID[..8]), "**Task** Run every check.", &unknown, "unknown", stands]);
    assert!(!wake.contains("running in another process"), "{wake}");
    let wake = woken(&workshop, &checkout, &["--resume", ID]);
    assert_lines(&wake, &[&format!("## This session {}", &ID[..8]), &unknown, stands]);
}

#[test]
fn a_session_that_still_runs_elsewhere_is_said_to_run() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let slow = SlowCheck::in_checkout(&checkout).unwrap();
    workshop
        .model
        .play(vec![Track::of("Run every check.", vec![Step::shell("sh tests/run.sh"), Step::shell(COMMAND), Step::text("Both ran.")])]);
    let running = running_into(&workshop, &checkout, &slow);
    workshop.model.take_requests();
    workshop.session(&checkout, "What were you doing?", &[]).unwrap();
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_lines(&found[0], &[&format!("## Last session {}", &ID[..8]), "running in another process", "Blocker `sh tests/run.sh` failed"]);
    slow.release().unwrap();
    running.wait().unwrap();
    let wake = woken(&workshop, &checkout, &["--resume", ID]);
    assert_lines(&wake, &[&format!("last passed `{COMMAND}`")]);
    assert!(!wake.contains("running in another process"), "{wake}");
}

#[test]
fn a_check_that_the_person_stops_is_unknown() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let slow = SlowCheck::in_checkout(&checkout).unwrap();
    workshop.model.play(vec![Track::main(vec![Step::shell("sh tests/lint.sh"), Step::shell(COMMAND), Step::text("never said")])]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    terminal.enter("Run every check.").unwrap();
    slow.wait_until_it_runs().unwrap();
    terminal.press("Escape").unwrap();
    terminal.wait_for("the interruption", |screen| screen.contains("Interrupted")).unwrap();
    terminal.leave().unwrap();
    let wake = woken(&workshop, &checkout, &[]);
    let unknown = format!("then `{COMMAND}`");
    assert_lines(&wake, &["**Last asked** the task", "last passed `sh tests/lint.sh`", &unknown, "interrupted"]);
    assert!(!wake.contains("Blocker"), "{wake}");
}

#[test]
fn a_prompt_typed_while_a_turn_runs_is_the_last_asked() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let slow = SlowCheck::in_checkout(&checkout).unwrap();
    workshop.model.play(vec![Track::main(vec![Step::shell(COMMAND), Step::text("SEEN-BOTH.")])]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    terminal.enter("Run every check.").unwrap();
    slow.wait_until_it_runs().unwrap();
    terminal.enter("Mind the header row too.").unwrap();
    slow.release().unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("SEEN-BOTH")).unwrap();
    terminal.leave().unwrap();
    let wake = woken(&workshop, &checkout, &[]);
    assert_lines(&wake, &["**Task** Run every check.", "**Last asked** Mind the header row too. [seq "]);
}

#[test]
fn a_call_that_the_person_refuses_is_no_failure() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(vec![Step::shell("sh tests/lint.sh"), Step::shell("sh tests/run.sh"), Step::text("never said")])]);
    let asks = r#"{"permissions":{"ask":["Bash(sh tests/run.sh)"]}}"#;
    let terminal = Terminal::start(&workshop, &checkout, &["--settings", asks]).unwrap();
    terminal.enter("Run every check.").unwrap();
    terminal.wait_for("the question", |screen| screen.contains("Do you want to proceed?")).unwrap();
    terminal.press("Escape").unwrap();
    terminal.wait_for("the prompt", |screen| !screen.contains("Do you want to proceed?")).unwrap();
    terminal.leave().unwrap();
    let wake = woken(&workshop, &checkout, &[]);
    assert_lines(&wake, &["last passed `sh tests/lint.sh`"]);
    assert!(!wake.contains("Blocker") && !wake.contains("last failed"), "{wake}");
}

#[test]
fn a_check_in_the_background_has_the_result_that_its_notification_brings() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let failing = SlowCheck::that_fails(&checkout).unwrap();
    workshop.model.play(vec![Track::main(vec![in_the_background(), Step::text("STARTED."), Step::text("HEARD.")])]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    terminal.enter("Run the tests beside.").unwrap();
    terminal.wait_for("the end of the turn that started it", |screen| screen.contains("STARTED")).unwrap();
    failing.release().unwrap();
    until("the notification", || workshop.model.requests().iter().any(|request| text_of(request).contains("exit code 1")).then_some(()))
        .unwrap();
    terminal.wait_for("the answer to it", |screen| screen.contains("HEARD")).unwrap();
    terminal.leave().unwrap();
    let wake = woken(&workshop, &checkout, &[]);
    assert_lines(&wake, &["**Last asked** the task", "last failed `sh tests/run.sh`", "Blocker `sh tests/run.sh`"]);
}

#[test]
fn a_check_in_the_background_that_ends_within_the_turn_has_its_result_too() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let failing = SlowCheck::that_fails(&checkout).unwrap();
    let slow = SlowCheck::in_checkout(&checkout).unwrap();
    workshop.model.play(vec![Track::main(vec![in_the_background(), Step::shell(COMMAND), Step::text("HEARD.")])]);
    let running = workshop.running(&checkout, ID, "Run every check.").unwrap();
    slow.wait_until_it_runs().unwrap();
    failing.release().unwrap();
    let queued = "\"operation\":\"enqueue\"";
    until("the queued notification", || workshop.transcript(ID).ok().filter(|transcript| transcript.contains(queued))).unwrap();
    slow.release().unwrap();
    running.wait().unwrap();
    assert!(text_of(&workshop.model.requests()[2]).contains("exit code 1"), "the notification came within the turn");
    let wake = woken(&workshop, &checkout, &[]);
    assert_lines(&wake, &["last failed `sh tests/run.sh`", "Blocker `sh tests/run.sh`", "last passed `sh tests/test.sh`"]);
}

fn in_the_background() -> Step {
    Step::call("Bash", serde_json::json!({"command": "sh tests/run.sh", "description": "Run it", "run_in_background": true}))
}
