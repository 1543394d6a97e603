//! Readings, levels, nudges and the gate.

use serde_json::{Value, json};

use super::{Play, TOOL};

fn bash(play: &mut Play, agent: Option<&str>) -> Option<String> {
    let answer = play.tell_of(agent, "call.end", json!({"tool": "Bash"}));
    answer["context"].as_str().map(str::to_owned)
}

fn starts(play: &mut Play, agent: &str, tool: &str, request: &str) -> Value {
    play.tell_of(Some(agent), "call.start", json!({"tool": tool, "id": "toolu_x", "request": request, "module": true}))
}

#[test]
fn main_is_nudged_once_a_level_from_two_fifths_of_the_window_in_force_on() {
    let mut play = Play::started();
    let mut nudged = Vec::new();
    for tokens in [20_000, 39_999, 40_000, 45_000, 49_999, 50_000, 50_500, 71_000] {
        play.reads(tokens);
        for _ in 0..2 {
            if bash(&mut play, None).is_some() {
                nudged.push(tokens);
            }
        }
    }
    assert_eq!(nudged, [40_000, 50_000, 71_000]);
}

#[test]
fn a_nudge_says_where_the_context_stands_and_what_to_do() {
    let mut play = Play::started();
    play.reads(51_000);
    let nudge = bash(&mut play, None).unwrap();
    // The default ceiling of 85 % is above the ask point of 67,000, so it stays.
    for words in ["51k tokens", "51 % of the 100k in force", TOOL, "next clean milestone", "At 85k tokens", "costs nothing", "carry on"] {
        assert!(nudge.contains(words), "{words} in {nudge}");
    }
    assert!(!nudge.contains("refused"), "main is never gated: {nudge}");
}

#[test]
fn nothing_is_nudged_while_a_handoff_is_stored_or_on_a_denied_call_or_for_an_ignored_model() {
    let mut play = Play::started();
    play.reads(45_000);
    let denied = play.tell("call.end", json!({"tool": "Bash", "denied": true, "failed": true}));
    assert_eq!(denied["context"], Value::Null);
    assert_eq!(denied["watch"]["after"], true, "the nudge is still due");
    play.hands_off(None, "toolu_h");
    assert_eq!(bash(&mut play, None), None);

    let mut ignored = Play::started_with(&[("REVEILLE_IGNORE_MODELS", "TEST")]);
    ignored.reads(45_000);
    assert_eq!(bash(&mut ignored, None), None);
}

#[test]
fn without_a_window_main_has_no_nudge() {
    let mut play = Play::started();
    play.tell("step.end", json!({"stopReason": "end_turn", "usage": {"input_tokens": 900_000}}));
    assert_eq!(bash(&mut play, None), None);
}

#[test]
fn a_reading_is_all_that_the_request_used_and_a_request_without_usage_still_completed() {
    let mut play = Play::started();
    play.reads(1);
    let usage = json!({"input_tokens": 1_000, "cache_read_input_tokens": 20_000, "cache_creation_input_tokens": 300, "output_tokens": 45});
    let answer = play.tell("step.end", json!({"stopReason": "end_turn", "usage": usage}));
    assert_eq!(answer["status"], "21k tokens");
    let answer = play.tell("step.end", json!({"stopReason": "end_turn", "usage": null}));
    assert_eq!(answer["status"], "21k tokens");
}

#[test]
fn a_sub_agent_past_its_first_nudge_by_a_level_is_gated_for_one_request() {
    let mut play = Play::started();
    play.reads(10_000);
    play.spawns("a1");
    // Its window is 200,000, of which the compaction window leaves 100,000.
    play.reads_of(Some("a1"), 41_000);
    let nudge = bash(&mut play, Some("a1")).unwrap();
    assert!(nudge.contains("From 50k tokens on, calls other than the handoff are refused once"), "{nudge}");
    assert_eq!(starts(&mut play, "a1", "Bash", "t#1")["deny"], Value::Null);
    let answer = play.reads_of(Some("a1"), 50_000);
    assert_eq!(answer["watch"]["before"], true);
    for _ in 0..2 {
        let denied = starts(&mut play, "a1", "Bash", "t#2");
        let text = denied["deny"].as_str().unwrap();
        assert!(text.contains("did not run") && text.contains(TOOL) && text.contains("repeat"), "{text}");
    }
    for exempt in ["mcp__reveille__look_back", "ToolSearch"] {
        assert_eq!(starts(&mut play, "a1", exempt, "t#2")["deny"], Value::Null, "{exempt}");
    }
    let opened = starts(&mut play, "a1", "Bash", "t#3");
    assert_eq!((&opened["deny"], &opened["watch"]["before"]), (&Value::Null, &json!(false)));
    assert_eq!(starts(&mut play, "a1", "Bash", "t#4")["deny"], Value::Null);
}

#[test]
fn who_is_not_gated() {
    // Not offered the tool.
    let mut play = Play::started();
    play.tell("spawn", json!({"agentId": "a1", "prompt": "x"}));
    play.reads_of(Some("a1"), 100_000);
    bash(&mut play, Some("a1"));
    play.reads_of(Some("a1"), 150_000);
    assert_eq!(starts(&mut play, "a1", "Bash", "t#1")["deny"], Value::Null);
    // Not spawned here.
    let mut play = Play::started();
    play.tell_of(Some("a1"), "tool.offer", json!({}));
    play.reads_of(Some("a1"), 100_000);
    bash(&mut play, Some("a1"));
    play.reads_of(Some("a1"), 150_000);
    assert_eq!(starts(&mut play, "a1", "Bash", "t#1")["deny"], Value::Null);
    // Main, and one that handed off.
    let mut play = Play::started();
    play.reads(41_000);
    bash(&mut play, None);
    play.reads(95_000);
    assert_eq!(play.tell("call.start", json!({"tool": "Bash", "request": "t#1"}))["deny"], Value::Null);
    play.spawns("a1");
    play.reads_of(Some("a1"), 100_000);
    bash(&mut play, Some("a1"));
    play.hands_off(Some("a1"), "toolu_h");
    play.reads_of(Some("a1"), 150_000);
    assert_eq!(starts(&mut play, "a1", "Bash", "t#1")["deny"], Value::Null);
}

#[test]
fn a_call_on_the_callers_own_transcript_is_a_row_of_the_log() {
    let mut play = Play::started();
    play.tell("call.end", json!({"tool": "Grep", "session": "5d1f", "input": {"path": "/x/5d1f.jsonl", "pattern": "y"}}));
    assert!(play.log.last().unwrap()["note"].as_str().unwrap().contains("main read its own transcript with Grep"));
    let rows = play.log.len();
    play.tell("call.end", json!({"tool": "Grep", "session": "5d1f", "input": {"path": "/x/5d20.jsonl"}}));
    assert_eq!(play.log.len(), rows);
}

#[test]
fn a_drop_to_half_that_nothing_announced_is_told_and_starts_the_levels_over() {
    let mut play = Play::started();
    play.reads(60_000);
    assert!(bash(&mut play, None).is_some());
    let answer = play.reads(30_000);
    assert!(answer["lines"][0].as_str().unwrap().contains("60k to 30k"), "{answer}");
    play.reads(45_000);
    assert!(bash(&mut play, None).is_some(), "its first level is nudged again");
    let quiet = play.reads(23_000);
    assert_eq!(quiet["lines"], Value::Null, "more than half is no compaction");
}
