//! What fails while a session runs: the session goes on, nothing that was told is lost, and the person hears of it once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::{Path, PathBuf};

use reveille_tests::artefacts;
use reveille_tests::model_server::{Step, Track, text_of};
use reveille_tests::workshop::{Session, Workshop};
use serde_json::{Value, json};

const SMALL: [&str; 2] = ["--autocompact", "100k"];

fn steps() -> Vec<Step> {
    let hand_off = json!({"objective": "Print a header.", "done": "d", "remaining": "r", "next": "Edit it."});
    vec![
        Step::call("mcp__reveille__forward_compaction", hand_off).with_input_tokens(45_000),
        Step::shell("echo after").with_input_tokens(70_000),
        Step::text("Done.").with_input_tokens(9_000),
    ]
}

/// A program in place of `reveille` that does `instead` at its `at`th event, and is `reveille` otherwise.
fn stand_in(workshop: &Workshop, at: usize, instead: &str) -> PathBuf {
    let folder = workshop.home().join("stand-in");
    std::fs::create_dir_all(&folder).unwrap();
    let script = folder.join("reveille");
    let real = artefacts::binary(&artefacts::root());
    let text = format!(
        "#!/bin/sh\nreal='{}'\n[ \"$1\" = event ] || exec \"$real\" \"$@\"\nwhile ! mkdir '{lock}' 2>/dev/null; do :; done\nread -r count <'{count}' 2>/dev/null || count=0\ncount=$((count + 1))\necho $count >'{count}'\nrmdir '{lock}'\n\
         if [ $count = {at} ]; then {instead}; fi\nexec \"$real\" \"$@\"\n",
        real.display(),
        lock = folder.join("lock").display(),
        count = folder.join("count").display(),
    );
    std::fs::write(&script, text).unwrap();
    std::process::Command::new("chmod").arg("755").arg(&script).status().unwrap();
    script
}

fn run(workshop: &Workshop, checkout: &Path) -> (Session, Vec<Value>) {
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(steps())]);
    let session = workshop.session(checkout, "Make the importer print a header row.", &SMALL).unwrap();
    (session, workshop.model.take_requests())
}

fn told(session: &Session) -> Vec<String> {
    session
        .events
        .iter()
        .filter(|event| event["subtype"] == "ui_log")
        .filter_map(|event| event["text"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn an_event_killed_at_any_point_leaves_the_session_going_and_is_told_once() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    // Killed before it did anything, and after it wrote the ledger but before it answered.
    for instead in ["kill -9 $$", "\"$real\" \"$@\" >/dev/null; kill -9 $$"] {
        let mut survived = 0;
        for at in 1..=16 {
            let _ = std::fs::remove_dir_all(workshop.home().join("stand-in"));
            let program = stand_in(&workshop, at, instead);
            workshop.environment_adds("REVEILLE_BIN", &program.to_string_lossy());
            let (session, requests) = run(&workshop, &checkout);
            let ended = session.events.iter().rev().find(|event| event["type"] == "result").unwrap();
            assert_eq!((&ended["subtype"], &ended["is_error"]), (&json!("success"), &json!(false)), "event {at}: {instead}");
            let failures: Vec<String> = told(&session).into_iter().filter(|line| line.contains("failed and passed through")).collect();
            assert!(failures.len() <= 1, "event {at} is told once: {failures:?}");
            survived += usize::from(requests.iter().any(|request| text_of(request).contains("<reveille handoff>")));
        }
        assert!(survived >= 13, "a handoff is installed whatever other event is killed: {survived} of 16");
    }
}

#[test]
fn a_program_that_goes_away_in_the_middle_leaves_the_session_going_and_is_told_once() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let program = stand_in(&workshop, 7, "rm -f \"$0\"; exit 1");
    workshop.environment_adds("REVEILLE_BIN", &program.to_string_lossy());
    let (session, _) = run(&workshop, &checkout);
    assert!(session.events.iter().any(|event| event["type"] == "result" && event["subtype"] == "success"));
    let lines = told(&session);
    assert!(lines.iter().any(|line| line.contains("Reveille")), "{lines:?}");
    let mut once = lines.clone();
    once.dedup();
    assert_eq!(once, lines, "nothing is told twice");
}

#[test]
fn a_data_directory_that_cannot_be_written_refuses_the_handoff_and_the_compaction_is_not_lost() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    // A file where the folder would be: nobody can write into it, whoever runs the tests.
    let blocked = workshop.home().join("blocked");
    std::fs::write(&blocked, "").unwrap();
    workshop.environment_adds("REVEILLE_DATA_DIR", &blocked.to_string_lossy());
    let (session, requests) = run(&workshop, &checkout);
    assert!(session.events.iter().any(|event| event["result"] == "Done."));
    assert!(requests[1].to_string().contains("Refused, and nothing was stored"), "{}", requests[1]["messages"]);
    let lines = told(&session);
    assert_eq!(lines.iter().filter(|line| line.contains("handoffs cannot be stored")).count(), 1, "{lines:?}");
}
