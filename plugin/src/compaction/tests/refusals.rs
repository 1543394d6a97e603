//! What is refused, with everything that is wrong named at once, and nothing stored.

use serde_json::{Value, json};

use super::{Play, TOOL, handoff};
use crate::contract::compaction::Content;

fn with(fields: Value) -> Value {
    let mut input = handoff();
    for (name, value) in fields.as_object().unwrap() {
        input[name] = value.clone();
    }
    input
}

fn store(play: &mut Play, input: Value) -> (bool, String) {
    let answer = play.tell("call.start", json!({"tool": TOOL, "id": "toolu_h", "input": input, "module": true}));
    (answer["result"]["error"].as_bool().unwrap(), answer["result"]["text"].as_str().unwrap().to_owned())
}

#[track_caller]
fn refused(input: Value, words: &[&str]) {
    let mut play = Play::started();
    play.reads(30_000);
    let before = play.ledger.len();
    let (error, text) = store(&mut play, input);
    assert!(error, "it was taken");
    for words in words.iter().chain(&["Refused, and nothing was stored", "an earlier handoff that was stored stays"]) {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!play.ledger[before..].iter().any(|row| row.contains("Stored")), "{:?}", &play.ledger[before..]);
}

#[test]
fn an_unknown_field_is_refused() {
    refused(with(json!({"objektive": "x"})), &["`objektive` is no field of it"]);
}

#[test]
fn a_required_section_missing_blank_or_not_text_is_refused() {
    for name in ["objective", "done", "remaining", "next"] {
        let mut missing = handoff();
        missing.as_object_mut().unwrap().remove(name);
        refused(missing, &[&format!("`{name}` is missing")]);
        refused(with(json!({name: null})), &[&format!("`{name}` is missing")]);
        refused(with(json!({name: " \n\t"})), &[&format!("`{name}` is blank")]);
        refused(with(json!({name: ["x"]})), &[&format!("`{name}` is not text")]);
    }
}

#[test]
fn an_optional_section_that_is_not_text_is_refused_and_a_blank_one_is_left_out() {
    for name in ["blocked", "findings"] {
        refused(with(json!({name: 7})), &[&format!("`{name}` is not text")]);
    }
    let mut play = Play::started();
    assert!(!store(&mut play, with(json!({"blocked": "  ", "findings": null}))).0);
}

#[test]
fn sections_over_twenty_thousand_characters_are_refused_with_how_many_they_are() {
    let over = with(json!({"done": "é".repeat(20_000)}));
    refused(over, &["20085 characters together, 20000 are the most", "shorten them by 85"]);
    let mut play = Play::started();
    assert!(!store(&mut play, with(json!({"done": "é".repeat(20_000 - 85)}))).0, "exactly as many are taken");
}

#[test]
fn bad_paths_ranges_reasons_and_lists_are_refused() {
    let file = |path: &str, lines: Value, why: &str| json!({"load_files": [{"path": path, "lines": lines, "why": why}]});
    refused(with(file("src/a.rs", Value::Null, "x")), &["`load_files[0].path` must be an absolute path, not `src/a.rs`"]);
    refused(with(file("/a", json!("3-1"), "x")), &["`load_files[0].lines` must be", "not `3-1`"]);
    refused(with(file("/a", json!(7), "x")), &["`load_files[0].lines` must be"]);
    refused(with(file("/a", Value::Null, " ")), &["`load_files[0].why` must be 1 to 200 characters, not blank text"]);
    refused(with(file("/a", Value::Null, &"x".repeat(201))), &["`load_files[0].why`"]);
    refused(with(json!({"load_files": [{"path": "/a", "why": "x", "reason": "y"}]})), &["`load_files[0].reason` is no field of it"]);
    refused(with(json!({"load_files": "/a"})), &["`load_files` is no list"]);
    refused(with(json!({"load_files": ["/a"]})), &["`load_files[0]` is no object"]);
    let nine: Vec<Value> = (0..9).map(|at| json!({"path": format!("/f{at}"), "why": "x"})).collect();
    refused(with(json!({"load_files": nine})), &["`load_files` has 9 entries, 8 are the most"]);
    refused(with(json!({"drop_skills": "a"})), &["`drop_skills` is no list"]);
    refused(with(json!({"drop_skills": ["a", " ", 7]})), &["`drop_skills[1]` is no name", "`drop_skills[2]` is no name"]);
    let many: Vec<String> = (0..21).map(|at| format!("s{at}")).collect();
    refused(with(json!({"drop_skills": many})), &["`drop_skills` has 21 names, 20 are the most"]);
}

#[test]
fn every_fault_of_the_arguments_is_named_in_one_refusal() {
    let input = json!({"objective": "", "done": 7, "next": "n", "x": 1, "load_files": [{"path": "a", "why": ""}], "drop_skills": [""]});
    refused(
        input,
        &[
            "`x` is no field",
            "`objective` is blank",
            "`done` is not text",
            "`remaining` is missing",
            "load_files[0].path",
            "load_files[0].why",
            "drop_skills[0]",
        ],
    );
    refused(json!("text"), &["the arguments are no object"]);
    refused(Value::Null, &["the arguments are no object"]);
}

#[test]
fn windows_and_network_paths_are_absolute_too() {
    let mut play = Play::started();
    for path in ["C:\\work\\a.rs", "D:/work/a.rs", "\\\\server\\share\\a.rs", "/work/a.rs"] {
        play.file(path, Content::Bytes(b"x\n".to_vec()));
        let (error, text) = store(&mut play, with(json!({"load_files": [{"path": path, "why": "x"}]})));
        assert!(!error, "{path}: {text}");
    }
}

#[test]
fn every_fault_of_files_is_named_in_one_refusal() {
    let mut play = Play::started();
    play.file("/gone", Content::Missing);
    play.file("/folder", Content::NotAFile);
    play.file("/large", Content::TooLarge(2_000_000));
    play.file("/shut", Content::Unreadable("permission denied".to_owned()));
    play.file("/fine", Content::Bytes(b"fine\n".to_vec()));
    let files: Vec<Value> = ["/gone", "/folder", "/large", "/shut", "/fine"].iter().map(|path| json!({"path": path, "why": "x"})).collect();
    let (error, text) = store(&mut play, with(json!({"load_files": files})));
    assert!(error);
    for words in ["/gone is not there", "/folder is no regular file", "/large has 2M bytes", "/shut cannot be checked: permission denied"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!text.contains("/fine"), "{text}");
}

#[test]
fn files_past_a_twentieth_of_the_window_at_the_measured_ratio_are_refused_with_their_sizes() {
    let mut play = Play::started();
    play.reads(20_000);
    play.tell("measured", json!({"characters": 10_000}));
    play.reads(30_000);
    // 20,000 characters more over 10,000 tokens more: two a token. A twentieth of 100,000 tokens is 10,000 characters.
    let ask = |play: &mut Play, lines: u64| {
        play.file("/long", Content::Bytes("123456789\n".repeat(1_500).into_bytes()));
        let input = with(json!({"load_files": [{"path": "/long", "lines": format!("1-{lines}"), "why": "x"}]}));
        let answer = play.tell("call.start", json!({"tool": TOOL, "id": "toolu_h", "input": input, "characters": 30_000, "module": true}));
        (answer["result"]["error"].as_bool().unwrap(), answer["result"]["text"].as_str().unwrap().to_owned())
    };
    assert!(!ask(&mut play, 1_000).0, "exactly the room is taken");
    let (error, text) = ask(&mut play, 1_001);
    assert!(error && text.contains("/long 10k") && text.contains("10k is the room"), "{text}");
    let mut unmeasured = Play::started();
    unmeasured.reads(20_000);
    let (error, text) = ask(&mut unmeasured, 1_500);
    assert!(!error && text.contains("not measured yet"), "{text}");
    assert_eq!(unmeasured.log.last().unwrap()["room"], "unmeasured");
}

#[test]
fn a_call_without_an_id_and_an_ignored_model_are_refused() {
    let mut play = Play::started();
    let answer = play.tell("call.start", json!({"tool": TOOL, "input": handoff(), "module": true}));
    assert!(answer["result"]["text"].as_str().unwrap().contains("the call has no id"), "{answer}");
    let mut play = Play::started_with(&[("REVEILLE_IGNORE_MODELS", "Test")]);
    play.reads(30_000);
    let (error, text) = store(&mut play, handoff());
    assert!(error && text.contains("claude-test matches the entry \"Test\"") && text.contains("85k"), "{text}");
}

#[test]
fn a_later_handoff_replaces_an_earlier_one_and_a_refused_one_leaves_it() {
    let mut play = Play::started();
    let (_, first) = store(&mut play, handoff());
    assert!(!first.contains("in place of"), "{first}");
    store(&mut play, json!({}));
    let (_, second) = store(&mut play, with(json!({"next": "Another."})));
    assert!(second.contains("in place of the one stored before"), "{second}");
}

#[test]
fn the_receipt_says_when_it_installs() {
    let mut play = Play::started();
    play.reads(30_000);
    let (_, text) = store(&mut play, handoff());
    assert!(text.contains("at the end of this turn or a later one") && text.contains("kept verbatim"), "{text}");
    play.spawns("a1");
    play.reads_of(Some("a1"), 20_000);
    let text = play.hands_off(Some("a1"), "toolu_a")["result"]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("asks come from about 67k tokens"), "{text}");
    play.reads_of(Some("a1"), 70_000);
    let text = play.hands_off(Some("a1"), "toolu_b")["result"]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("when Claude Code next asks to compact this context."), "{text}");
    let served =
        play.tell("call.start", json!({"tool": "mcp__plugin_reveille_reveille__forward_compaction", "id": "t", "input": handoff()}));
    let agents = play.tell_of(Some("a1"), "call.start", json!({"tool": "forward_compaction", "id": "t", "input": handoff()}));
    assert!(agents["result"]["text"].as_str().unwrap().contains("a sub-agent's handoff is not given back"), "{agents}");
    assert!(served["result"]["text"].as_str().unwrap().contains("beside its summary"), "{served}");
}
