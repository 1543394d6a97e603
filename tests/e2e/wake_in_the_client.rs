//! The wake in the real client, headless: what the model receives when a session starts.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use reveille_tests::model_server::{Step, Track, text_of};
use reveille_tests::received::{last_results, tool_names, wakes};
use reveille_tests::workshop::{Workshop, git};
use serde_json::{Value, json};

const PROMISE: &str = "I'll re-run the export once the schema lands.";

/// Edits a file, runs a passing and a failing check, and promises something.
fn work(checkout: &Path) -> Vec<Step> {
    let file = checkout.join("src").join("importer.sh");
    vec![
        Step::call("Write", json!({"file_path": checkout.join("src").join("header.sh"), "content": "echo id,total\n"})),
        Step::shell("sh tests/lint.sh"),
        Step::call("Read", json!({"file_path": file})),
        Step::call("Edit", json!({"file_path": file, "old_string": "echo 1,2", "new_string": "echo 3,4"})),
        Step::shell("sh tests/run.sh"),
        Step::text(&format!("The header still fails. {PROMISE}")),
    ]
}

/// The wake in what the model received, and only one.
fn wake_of(request: &Value) -> String {
    let found = wakes(request);
    assert_eq!(found.len(), 1, "one wake is in the request: {found:?}");
    found[0].clone()
}

fn first_request(workshop: &Workshop) -> Value {
    workshop.model.take_requests().into_iter().next().expect("the model was asked")
}

fn assert_lines(wake: &str, wanted: &[&str]) {
    for line in wanted {
        assert!(wake.contains(line), "no `{line}` in:\n{wake}");
    }
}

// hook: SessionStart:startup
#[test]
fn a_second_session_in_the_same_checkout_knows_what_the_first_was_doing() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(work(&checkout))]);
    let first = workshop.session(&checkout, "Make the importer print a header row.", &[]).unwrap();
    assert!(!text_of(&first_request(&workshop)).contains("# Wake"), "the first session has nothing to wake with");
    workshop.model.play(vec![Track::main(vec![Step::text("I know.")])]);
    workshop.session(&checkout, "What were you doing?", &[]).unwrap();
    let wake = wake_of(&first_request(&workshop));
    assert_lines(
        &wake,
        &[
            &format!("## Last session {}", &first.id[..8]),
            "**Task** Make the importer print a header row. [seq ",
            "**Last asked** the task [seq ",
            "**Outcome** rung 2",
            "last passed `sh tests/lint.sh`",
            "(stale: 1 edit since)",
            "last failed `sh tests/run.sh` (1 failed, 0 passed)",
            "not re-run [seq ",
            "**Changed** 2 files",
            "importer.sh (1)",
            "Blocker `sh tests/run.sh` failed",
            &format!("Next \"{PROMISE}\" [seq "),
            "2 files dirty",
        ],
    );
}

// hook: SessionStart:resume
#[test]
fn a_resumed_session_wakes_with_itself() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(work(&checkout))]);
    let first = workshop.session(&checkout, "Make the importer print a header row.", &[]).unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![Step::text("Going on.")])]);
    workshop.session(&checkout, "Go on.", &["--resume", &first.id]).unwrap();
    let wake = wake_of(&first_request(&workshop));
    assert_lines(
        &wake,
        &[&format!("## This session {}", &first.id[..8]), "Blocker `sh tests/run.sh`", "**Task** Make the importer print a header row."],
    );
}

#[test]
fn a_linked_worktree_wakes_with_its_own_session_beside_a_newer_one() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let tree = checkout.parent().unwrap().join("importer-side");
    git(&checkout, &["worktree", "add", "-q", "-b", "side", &tree.to_string_lossy()]).unwrap();
    workshop.trust(&[&tree]).unwrap();
    for (folder, prompt) in [(&checkout, "Work on the main checkout."), (&tree, "Work on the side.")] {
        workshop.model.play(vec![Track::main(vec![Step::shell("sh tests/lint.sh"), Step::text("Done for now.")])]);
        workshop.session(folder, prompt, &[]).unwrap();
    }
    workshop.model.take_requests();
    for (folder, task) in [(&checkout, "**Task** Work on the main checkout."), (&tree, "**Task** Work on the side.")] {
        workshop.model.play(vec![Track::main(vec![Step::text("I know.")])]);
        let asked = workshop.session(folder, "What now?", &[]).unwrap();
        let wake = wake_of(&first_request(&workshop));
        assert_lines(&wake, &[task, "last passed `sh tests/lint.sh`"]);
        assert!(!wake.contains(&asked.id[..8]), "never its own session");
    }
}

#[test]
fn a_failure_of_a_sub_agent_is_its_parents() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![
        Track::of("SUB-AGENT: run the tests", vec![Step::shell("sh tests/run.sh"), Step::text("The header test fails.")]),
        Track::main(vec![
            Step::call("Agent", json!({"description": "Run the tests", "prompt": "SUB-AGENT: run the tests", "subagent_type": "general-purpose", "run_in_background": false})),
            Step::text("The agent is at it."),
            Step::text("Noted."),
        ]),
    ]);
    workshop.session(&checkout, "Have an agent run the tests.", &[]).unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![Step::text("I know.")])]);
    workshop.session(&checkout, "What were you doing?", &[]).unwrap();
    let wake = wake_of(&first_request(&workshop));
    assert_lines(&wake, &["last failed `sh tests/run.sh` (1 failed, 0 passed)", "[agent a", "Blocker `sh tests/run.sh`"]);
}

#[test]
fn the_tool_wakes_on_request_and_never_with_its_own_session() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(work(&checkout))]);
    let first = workshop.session(&checkout, "Make the importer print a header row.", &[]).unwrap();
    workshop.model.take_requests();
    let tool = "mcp__reveille__session_wake";
    workshop.model.play(vec![Track::main(vec![
        Step::call(tool, json!({})),
        Step::call(tool, json!({"sesion": "x"})),
        Step::call(tool, json!({"session": &first.id[..6]})),
        Step::text("I know."),
    ])]);
    let second = workshop.session(&checkout, "Wake up.", &[]).unwrap();
    let requests = workshop.model.take_requests();
    let names = tool_names(&requests[0]);
    assert!(names.iter().any(|name| name == tool), "the tool is in the model's list from the first turn: {names:?}");
    let results: Vec<String> = requests.iter().skip(1).map(last_results).collect();
    assert!(results[0].contains(&format!("## Last session {}", &first.id[..8])), "{}", results[0]);
    assert!(!results[0].contains(&second.id[..8]), "{}", results[0]);
    assert!(results[1].contains("is no argument of session_wake"), "{}", results[1]);
    assert!(results[2].contains(&first.id[..8]), "{}", results[2]);
}

#[test]
fn without_a_program_the_session_goes_on() {
    let workshop = Workshop::installed_without_program().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(vec![Step::text("Hello.")])]);
    let session = workshop.session(&checkout, "Hello?", &[]).unwrap();
    let hook = session.events.iter().find(|event| event["subtype"] == "hook_response").expect("the hook was answered");
    let answer: Value = serde_json::from_str(hook["stdout"].as_str().unwrap()).unwrap();
    assert!(answer["systemMessage"].as_str().unwrap().contains("Reveille has no program for"), "{answer}");
    let result = session.events.iter().find(|event| event["type"] == "result").unwrap();
    assert_eq!(result["result"], "Hello.");
}
