//! Forward compaction in a terminal: the turn's end, the person's own compactions, and what the screen shows.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use reveille_tests::handing_off::{SMALL, echo, hand_off, installs};
use reveille_tests::model_server::{Gate, Step, Track, text_of};
use reveille_tests::received::{blocks, position};
use reveille_tests::terminal::{Terminal, until};
use reveille_tests::workshop::Workshop;
use serde_json::{Value, json};

/// Waits for a request that holds a text, and gives the newest.
fn request_with(workshop: &Workshop, text: &str) -> Value {
    until(text, || workshop.model.requests().into_iter().rev().find(|request| text_of(request).contains(text))).unwrap()
}

#[test]
fn the_turns_end_installs_the_handoff_and_the_next_prompt_goes_to_the_wake() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(vec![
        echo("before").with_input_tokens(30_000),
        hand_off().with_input_tokens(45_000),
        echo("after").with_input_tokens(46_000),
        Step::text("Going on from there.").with_input_tokens(47_000),
        Step::text("The second answer.").with_input_tokens(9_000),
    ])]);
    let terminal = Terminal::start(&workshop, &checkout, &SMALL).unwrap();
    terminal.enter("Make it print a header").unwrap();
    terminal.wait_for("the end of the turn", |screen| screen.contains("Going on from there.")).unwrap();
    terminal.wait_for("the wake as one dim line", |screen| screen.contains("Reveille's wake,")).unwrap();
    terminal.enter("And now").unwrap();
    terminal.wait_for("the second answer", |screen| screen.contains("The second answer.")).unwrap();
    let blocks = blocks(&request_with(&workshop, "And now"));
    assert!(position(&blocks, "<reveille wake>").is_some() && position(&blocks, "echo before").is_none(), "{blocks:#?}");
    assert!(position(&blocks, "echo after").unwrap() < position(&blocks, "Going on from there.").unwrap());
    terminal.enter("/handoff").unwrap();
    terminal
        .wait_for("the status page", |screen| {
            screen.contains("last wake   handoff, 47k → 9k tokens") && screen.contains("stored      no handoff")
        })
        .unwrap();
    terminal.leave().unwrap();
}

#[test]
fn a_prompt_queued_at_the_turns_end_is_answered_and_the_handoff_still_installs() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let gate = Gate::default();
    workshop.model.play(vec![Track::main(vec![
        hand_off().with_input_tokens(45_000),
        Step::text("The first answer.").held_by(&gate).with_input_tokens(46_000),
        Step::text("The second answer.").with_input_tokens(47_000),
        Step::text("The third answer.").with_input_tokens(9_000),
    ])]);
    let terminal = Terminal::start(&workshop, &checkout, &SMALL).unwrap();
    terminal.enter("Make it print a header").unwrap();
    request_with(&workshop, "Stored: a handoff");
    terminal.enter("Queued meanwhile").unwrap();
    gate.open();
    terminal.wait_for("the queued prompt's answer", |screen| screen.contains("The second answer.")).unwrap();
    terminal.wait_for("the install", |screen| screen.contains("Reveille's wake,")).unwrap();
    terminal.enter("And now").unwrap();
    terminal.wait_for("the third answer", |screen| screen.contains("The third answer.")).unwrap();
    let text = text_of(&request_with(&workshop, "And now"));
    assert!(text.contains("<reveille handoff>") && text.contains("Queued meanwhile") && text.contains("The second answer."), "{text}");
    terminal.leave().unwrap();
}

#[test]
fn a_manual_compaction_is_the_clients_own_and_says_that_the_handoff_is_dropped() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let gate = Gate::default();
    workshop.model.play(vec![Track::main(vec![
        hand_off().with_input_tokens(45_000),
        // Interrupted, so that the turn's end does not install it.
        Step::text("Never read.").held_by(&gate),
        Step::text("<summary>The client's summary.</summary>").with_input_tokens(20_000),
        Step::text("The last answer.").with_input_tokens(9_000),
    ])]);
    let terminal = Terminal::start(&workshop, &checkout, &SMALL).unwrap();
    terminal.enter("Make it print a header").unwrap();
    request_with(&workshop, "Stored: a handoff");
    terminal.press("Escape").unwrap();
    terminal.wait_for("the interruption", |screen| screen.contains("Interrupted")).unwrap();
    gate.open();
    terminal.enter("/compact").unwrap();
    terminal.wait_for("what became of the handoff", |screen| screen.contains("was dropped, because /compact")).unwrap();
    terminal.enter("And now").unwrap();
    terminal.wait_for("the last answer", |screen| screen.contains("The last answer.")).unwrap();
    let text = text_of(&request_with(&workshop, "And now"));
    assert!(!text.contains("<reveille handoff>"), "{text}");
    terminal.leave().unwrap();
}

#[test]
fn after_clear_the_session_goes_on_under_another_id_without_the_old_handoff() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(vec![
        echo("before").with_input_tokens(41_000),
        Step::text("The first answer.").with_input_tokens(42_000),
        hand_off().with_input_tokens(45_000),
        echo("after").with_input_tokens(70_000),
        Step::text("The second answer.").with_input_tokens(9_000),
    ])]);
    let terminal = Terminal::start(&workshop, &checkout, &SMALL).unwrap();
    terminal.enter("The first task").unwrap();
    terminal.wait_for("the first answer", |screen| screen.contains("The first answer.")).unwrap();
    terminal.enter("/clear").unwrap();
    terminal.wait_for("an empty screen", |screen| !screen.contains("The first answer.")).unwrap();
    terminal.enter("The second task").unwrap();
    terminal.wait_for("the second answer", |screen| screen.contains("The second answer.")).unwrap();
    let text = text_of(&request_with(&workshop, "<reveille handoff>"));
    assert!(text.contains("The second task"), "{text}");
    let facts = text.split("<reveille wake>").nth(1).unwrap().split("<reveille handoff>").next().unwrap();
    assert!(!facts.contains("The first task"), "the old session's prompts are not this one's: {facts}");
    let sessions = std::fs::read_dir(workshop.plugin_data().unwrap().join("sessions")).unwrap().count();
    assert_eq!(sessions, 2);
    terminal.leave().unwrap();
}

#[test]
fn resumed_in_a_terminal_the_first_request_begins_with_the_wake() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(installs())]);
    let first = workshop.session(&checkout, "Count everything.", &SMALL).unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![Step::text("The resumed answer.").with_input_tokens(10_000)])]);
    let terminal = Terminal::start(&workshop, &checkout, &[&SMALL[..], &["--resume", &first.id]].concat()).unwrap();
    terminal.enter("Go on then").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("The resumed answer.")).unwrap();
    let request = request_with(&workshop, "Go on then");
    let blocks = blocks(&request);
    assert!(position(&blocks, "<reveille wake>").is_some() && position(&blocks, "echo before").is_none(), "{blocks:#?}");
    assert!(position(&blocks, "echo after").is_some(), "{blocks:#?}");
    terminal.leave().unwrap();
}

#[test]
fn a_session_resumed_from_within_another_begins_with_its_wake() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(installs())]);
    let first = workshop.session(&checkout, "Count everything.", &SMALL).unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![
        Step::text("Hello.").with_input_tokens(8_000),
        Step::text("The resumed answer.").with_input_tokens(10_000),
    ])]);
    let terminal = Terminal::start(&workshop, &checkout, &SMALL).unwrap();
    terminal.enter("Say hello").unwrap();
    terminal.wait_for("hello", |screen| screen.contains("Hello.")).unwrap();
    terminal.enter(&format!("/resume {}", first.id)).unwrap();
    terminal.wait_for("the resumed conversation", |screen| screen.contains("So far.")).unwrap();
    terminal.enter("Go on then").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("The resumed answer.")).unwrap();
    let blocks = blocks(&request_with(&workshop, "Go on then"));
    assert!(position(&blocks, "<reveille wake>").is_some() && position(&blocks, "echo before").is_none(), "{blocks:#?}");
    terminal.leave().unwrap();
}

#[test]
fn with_auto_compaction_off_a_request_that_was_too_long_is_followed_by_a_wake() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.setting("autoCompactEnabled", json!(false)).unwrap();
    workshop.model.play(vec![Track::main(vec![
        echo("before").with_input_tokens(30_000),
        Step::too_long(),
        Step::text("The next answer.").with_input_tokens(9_000),
    ])]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    terminal.enter("Make it print a header").unwrap();
    terminal.wait_for("the wake", |screen| screen.contains("Reveille's wake,")).unwrap();
    terminal.enter("And now").unwrap();
    terminal.wait_for("the next answer", |screen| screen.contains("The next answer.")).unwrap();
    let text = text_of(&request_with(&workshop, "And now"));
    assert!(text.contains("because a request was too long"), "{text}");
    terminal.leave().unwrap();
}

#[test]
fn a_module_that_is_reloaded_goes_on_with_what_the_ledger_holds() {
    let workshop = Workshop::bare().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let plugin = workshop.package_copy().unwrap().join("reveille");
    workshop.model.play(vec![Track::main(vec![
        Step::text("The first answer.").with_input_tokens(20_000),
        hand_off().with_input_tokens(45_000),
        echo("after").with_input_tokens(70_000),
        Step::text("The second answer.").with_input_tokens(9_000),
    ])]);
    let folder = plugin.to_string_lossy().into_owned();
    let terminal = Terminal::start(&workshop, &checkout, &[&SMALL[..], &["--plugin-dir", &folder]].concat()).unwrap();
    terminal.enter("Said before the reload").unwrap();
    terminal.wait_for("the first answer", |screen| screen.contains("The first answer.")).unwrap();
    let module = plugin.join("hooks").join("register.tsx");
    let text = std::fs::read_to_string(&module).unwrap();
    std::fs::write(&module, format!("{text}\n// Saved again.\n")).unwrap();
    terminal.wait_for("the reload", |screen| screen.contains("reveille: reloaded (")).unwrap();
    terminal.enter("Said after it").unwrap();
    terminal.wait_for("the second answer", |screen| screen.contains("The second answer.")).unwrap();
    let text = text_of(&request_with(&workshop, "<reveille handoff>"));
    for words in ["Edit src/importer.sh.", "Said before the reload", "Said after it"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    terminal.leave().unwrap();
}
