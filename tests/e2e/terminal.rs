//! The wake in the real client, in a terminal: `/compact` and `/clear`.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use reveille_tests::model_server::{Step, Track};
use reveille_tests::received::{last_words, wakes};
use reveille_tests::terminal::{Terminal, until};
use reveille_tests::workshop::Workshop;
use serde_json::Value;

/// The newest request whose last words are the prompt.
fn request_for(workshop: &Workshop, prompt: &str) -> Value {
    until("the model's request", || workshop.model.requests().into_iter().rev().find(|request| last_words(request).contains(prompt)))
        .unwrap()
}

// hook: SessionStart:compact
// hook: SessionStart:clear
#[test]
fn after_compact_the_session_wakes_with_itself_and_after_clear_with_the_one_before() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(vec![
        Step::shell("sh tests/lint.sh"),
        Step::shell("sh tests/run.sh"),
        Step::text("The header test FAILS-HERE. I'll re-run the export once the schema lands."),
    ])]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    terminal.enter("Make the importer print a header row.").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("FAILS-HERE")).unwrap();

    workshop.model.play(vec![Track::main(vec![])]);
    terminal.enter("/compact").unwrap();
    terminal.wait_for("the compaction", |screen| screen.contains("Compacted")).unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![Step::text("AFTER-COMPACT.")])]);
    terminal.enter("And now?").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("AFTER-COMPACT")).unwrap();
    let found = wakes(&request_for(&workshop, "And now?"));
    let wake = found.last().expect("a wake after the compaction");
    for line in [
        "## This session ",
        "last passed `sh tests/lint.sh`",
        "Blocker `sh tests/run.sh` failed",
        "**Task** Make the importer print a header row.",
    ] {
        assert!(wake.contains(line), "no `{line}` in:\n{wake}");
    }

    terminal.enter("/clear").unwrap();
    terminal.wait_for("an empty conversation", |screen| !screen.contains("AFTER-COMPACT")).unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![Step::text("AFTER-CLEAR.")])]);
    terminal.enter("Where were we?").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("AFTER-CLEAR")).unwrap();
    let found = wakes(&request_for(&workshop, "Where were we?"));
    let wake = found.last().expect("a wake after the clear");
    // The client writes the boundary after the hooks of a compaction: only the next wake can count it.
    for line in ["## Last session ", "1 compaction", "**Last asked** And now?", "Blocker `sh tests/run.sh` failed"] {
        assert!(wake.contains(line), "no `{line}` in:\n{wake}");
    }
}
