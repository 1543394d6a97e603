//! Forward compaction in the real client, headless: what the model receives when its context is handed over.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use reveille_tests::handing_off::{SMALL, TOOL, echo, hand_off};
use reveille_tests::model_server::{Step, Track, text_of};
use reveille_tests::received::{blocks, last_results, position, tool_names};
use reveille_tests::workshop::{Session, Workshop};
use serde_json::{Value, json};

fn run(workshop: &Workshop, checkout: &Path, steps: Vec<Step>, more: &[&str]) -> (Session, Vec<Value>) {
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(steps)]);
    let session = workshop.session(checkout, "Make the importer print a header row.", &[&SMALL, more].concat()).unwrap();
    (session, workshop.model.take_requests())
}

/// What the person was shown.
fn shown(session: &Session) -> Vec<String> {
    let text = |event: &Value| {
        ["ui_log", "ui_toast", "notification"].contains(&event["subtype"].as_str()?).then(|| event["text"].as_str().map(str::to_owned))?
    };
    session.events.iter().filter_map(text).collect()
}

/// The request begins with a wake, and holds nothing of the old conversation.
#[track_caller]
fn assert_woken(request: &Value, gone: &str) {
    let blocks = blocks(request);
    let wake = position(&blocks, "<reveille wake>").unwrap_or_else(|| panic!("no wake in {blocks:#?}"));
    assert!(blocks[..wake].iter().all(|(role, block)| role == "user" && block["type"] == "text"), "the wake comes first: {blocks:#?}");
    assert!(position(&blocks, gone).is_none(), "{gone} is still there: {blocks:#?}");
}

// hook: mcp.connect
// hook: prompt.submit
// hook: session.start
// hook: tool.call
// hook: turn.step
#[test]
fn the_tool_is_listed_and_a_nudge_rides_on_a_result_once_a_level() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let sizes = [20_000, 41_000, 45_000, 52_000, 53_000];
    let mut steps: Vec<Step> = sizes.iter().map(|size| echo("x").with_input_tokens(*size)).collect();
    steps.push(Step::text("Done.").with_input_tokens(54_000));
    let (_, requests) = run(&workshop, &checkout, steps, &[]);
    let names = tool_names(&requests[0]);
    for tool in ["forward_compaction", "session_wake"] {
        assert_eq!(names.iter().filter(|name| name.ends_with(tool)).count(), 1, "{tool} once in {names:?}");
    }
    assert!(names.contains(&TOOL.to_owned()));
    let nudged: Vec<bool> = requests
        .iter()
        .skip(1)
        .map(|request| {
            let last = request["messages"].as_array().unwrap().last().unwrap().to_string();
            last.contains("hand off with `mcp__reveille__forward_compaction`")
        })
        .collect();
    // A call runs while its response streams: a nudge rides on the first result after the reading that calls for it is known.
    let at: Vec<usize> = nudged.iter().enumerate().filter(|(_, nudged)| **nudged).map(|(at, _)| at).collect();
    assert!(at.len() == 2 && (1..=2).contains(&at[0]) && (3..=4).contains(&at[1]), "{nudged:?}");
}

// hook: session.compact
#[test]
fn an_automatic_ask_installs_the_handoff_and_every_later_message_stays_block_for_block() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let (session, requests) = run(
        &workshop,
        &checkout,
        vec![
            echo("before").with_input_tokens(30_000),
            hand_off().with_input_tokens(45_000),
            echo("after").with_thinking("I think.").with_input_tokens(60_000),
            echo("later").with_input_tokens(70_000),
            Step::text("Done.").with_input_tokens(9_000),
        ],
        &[],
    );
    assert!(last_results(&requests[2]).contains("Stored: a handoff of"), "{}", last_results(&requests[2]));
    let woken = &requests[4];
    assert_woken(woken, "echo before");
    let text = text_of(woken);
    for words in ["## Objective\nPrint a header.", "## Next\nEdit src/importer.sh.", "Make the importer print a header row.", "branch main"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
    // What followed the handoff's call, as the model had it in the request before.
    let (before, after) = (blocks(&requests[3]), blocks(woken));
    let thought = position(&before, "I think.").unwrap();
    let handoff = position(&after, "<reveille handoff>").unwrap();
    assert_eq!(after[handoff + 1..handoff + 3], before[thought..thought + 2], "thinking and call, byte for byte");
    let result =
        |blocks: &[(String, Value)], at: usize| (blocks[at].1["tool_use_id"].clone(), blocks[at].1["content"].to_string()[..6].to_owned());
    assert_eq!(result(&after, handoff + 3), result(&before, thought + 2));
    assert_eq!(after[handoff + 4].1["input"]["command"], "echo later");
    assert!(after[handoff + 5].1.to_string().contains("later"));
    assert!(workshop.transcript(&session.id).unwrap().contains("compact_boundary"));
    assert!(!shown(&session).iter().any(|line| line.contains("woke")), "a handoff's landing goes to the log: {:?}", shown(&session));
    let log = decisions(&workshop, &session);
    assert!(log.contains("install: handoff") && log.contains("70k → 9k tokens"), "{log}");
}

fn decisions(workshop: &Workshop, session: &Session) -> String {
    std::fs::read_to_string(workshop.plugin_data().unwrap().join("logs").join(format!("reveille-{}.jsonl", session.id))).unwrap()
}

// hook: turn.complete
#[test]
fn at_the_turns_end_the_handoff_is_installed_and_the_next_request_begins_with_the_wake() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let (session, _) = run(
        &workshop,
        &checkout,
        vec![
            echo("before").with_input_tokens(30_000),
            hand_off().with_input_tokens(45_000),
            Step::text("Handed off, going on.").with_input_tokens(46_000),
        ],
        &[],
    );
    let (_, requests) = run(&workshop, &checkout, vec![Step::text("Done.").with_input_tokens(9_000)], &["--resume", &session.id]);
    assert_woken(&requests[0], "echo before");
    assert!(text_of(&requests[0]).contains("Handed off, going on."), "{}", text_of(&requests[0]));
}

#[test]
fn asks_are_held_until_the_ceiling_and_then_the_facts_alone_are_installed() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let (session, requests) = run(
        &workshop,
        &checkout,
        vec![
            echo("one").with_input_tokens(70_000),
            echo("two").with_input_tokens(80_000),
            echo("three").with_input_tokens(86_000),
            Step::text("Done.").with_input_tokens(9_000),
        ],
        &[],
    );
    assert!(text_of(&requests[1]).contains("Make the importer") && position(&blocks(&requests[2]), "<reveille wake>").is_none());
    assert_woken(&requests[3], "echo one");
    let text = text_of(&requests[3]);
    for words in ["at 86k tokens, past the ceiling of 85k", "No objective was written", "Make the importer print a header row."] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let lines = shown(&session);
    let held = lines.iter().filter(|line| line.contains("main waits for its handoff")).count();
    assert_eq!(held, 2, "each held ask is shown: {lines:?}");
    assert!(lines.iter().any(|line| line.contains("the facts alone") && line.contains("86k → 9k tokens")), "{lines:?}");
}

#[test]
fn a_request_that_is_too_long_is_answered_with_a_wake_and_the_turn_goes_on() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let steps = vec![echo("one").with_input_tokens(30_000), Step::too_long(), Step::text("Recovered.").with_input_tokens(9_000)];
    let (session, requests) = run(&workshop, &checkout, steps, &[]);
    assert_woken(&requests[2], "a word that was never there");
    assert!(text_of(&requests[2]).contains("because a request was too long"));
    assert_eq!(session.events.last().unwrap()["result"], "Recovered.");
}

#[test]
fn a_resumed_sessions_first_request_that_is_too_long_is_answered_with_a_wake() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let (first, _) =
        run(&workshop, &checkout, vec![echo("one").with_input_tokens(30_000), Step::text("So far.").with_input_tokens(31_000)], &[]);
    let (_, requests) =
        run(&workshop, &checkout, vec![Step::too_long(), Step::text("Recovered.").with_input_tokens(9_000)], &["--resume", &first.id]);
    assert_woken(&requests[1], "a word that was never there");
}

#[test]
fn requests_that_stay_too_long_end_and_never_loop() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![
        echo("one").with_input_tokens(30_000),
        Step::too_long(),
        Step::too_long(),
        Step::too_long(),
        Step::too_long(),
    ])]);
    // The client ends such a turn with an error.
    let ended = workshop.session_that_fails(&checkout, "Make the importer print a header row.", &SMALL).unwrap();
    let requests = workshop.model.take_requests();
    assert!((3..=6).contains(&requests.len()), "{} requests: {ended:?}", requests.len());
}

#[test]
fn a_carried_file_that_changed_on_disk_is_carried_as_it_is_now_with_the_difference() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let file = checkout.join("src").join("importer.sh");
    let mut input = json!({"objective": "o", "done": "d", "remaining": "r", "next": "n"});
    input["load_files"] = json!([{"path": file, "why": "the loop is in it"}]);
    let (_, requests) = run(
        &workshop,
        &checkout,
        vec![
            Step::call(TOOL, input).with_input_tokens(45_000),
            Step::shell("echo 'echo 3,4' > src/importer.sh").with_input_tokens(70_000),
            Step::text("Done.").with_input_tokens(9_000),
        ],
        &[],
    );
    let text = text_of(&requests[2]);
    for words in ["Why: the loop is in it", "Changed on disk since the handoff", "-echo 1,2\n+echo 3,4", "1 file dirty"] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[test]
fn a_refused_handoff_stores_nothing_and_says_all_that_is_wrong() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let (_, requests) = run(
        &workshop,
        &checkout,
        vec![
            Step::call(TOOL, json!({"objective": " ", "next": "n"})).with_input_tokens(45_000),
            Step::text("Done.").with_input_tokens(70_000),
        ],
        &[],
    );
    let result = last_results(&requests[1]);
    for words in ["Refused, and nothing was stored", "`objective` is blank", "`done` is missing", "`remaining` is missing"] {
        assert!(result.contains(words), "{words} in {result}");
    }
}

// hook: skill.prompt
// hook: session.append
#[test]
fn skills_in_force_are_carried_with_their_text() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let folder = checkout.join(".claude").join("skills").join("tidy");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("SKILL.md"), "---\nname: tidy\ndescription: Tidies up.\n---\nSweep the floor after every change.\n")
        .unwrap();
    let (_, requests) = run(
        &workshop,
        &checkout,
        vec![
            Step::call("Skill", json!({"skill": "tidy"})).with_input_tokens(30_000),
            hand_off().with_input_tokens(45_000),
            echo("after").with_input_tokens(70_000),
            Step::text("Done.").with_input_tokens(9_000),
        ],
        &[],
    );
    assert_woken(&requests[3], "a word that was never there");
    let text = text_of(&requests[3]);
    assert!(text.contains("## Skills in force") && text.contains("Sweep the floor after every change."), "{text}");
}
