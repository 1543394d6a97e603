//! What the facts of a wake hold, and what they leave out.

use serde_json::{Value, json};

use super::{Play, built, calls, conversation, results, says, user};
use crate::contract::compaction::Content;

/// The facts of an install whose handoff was stored by `toolu_h`.
fn facts(play: &mut Play) -> String {
    built(&play.asked(None, "auto", conversation("toolu_h")), 0)
}

fn prompt(play: &mut Play, text: &str) {
    play.tell("prompt", json!({"text": text, "origin": "composer"}));
}

fn section<'a>(facts: &'a str, title: &str) -> &'a str {
    let start = facts.find(&format!("## {title}\n")).unwrap_or_else(|| panic!("no {title} in:\n{facts}"));
    facts[start..].split("\n\n## ").next().unwrap()
}

#[test]
fn what_the_person_said_is_told_from_what_arrived_since_the_handoff() {
    let mut play = Play::started();
    prompt(&mut play, "Use tabs.");
    prompt(&mut play, "No dependencies.");
    play.tell("prompt", json!({"text": "<task-notification>done</task-notification>", "origin": "task-notification"}));
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    prompt(&mut play, "Hurry.");
    prompt(&mut play, "And the footer.");
    play.tell("receive", json!({"text": "Peer says hi.", "origin": "peer"}));
    let facts = facts(&mut play);
    let said = section(&facts, "The person's messages");
    assert!(said.find("Use tabs.").unwrap() < said.find("No dependencies.").unwrap(), "oldest first: {said}");
    let arrived = section(&facts, "Arrived since the handoff");
    assert!(arrived.contains("Hurry.") && arrived.contains("from peer\nPeer says hi."), "{arrived}");
    assert!(!facts.contains("And the footer."), "the tail holds it already: {facts}");
    assert!(section(&facts, "Notifications").contains("<task-notification>done"));
}

#[test]
fn the_newest_ten_messages_are_repeated_and_meta_prompts_are_not() {
    let mut play = Play::started();
    for at in 0..14 {
        prompt(&mut play, &format!("message {at:02}"));
    }
    play.tell("prompt", json!({"text": "hidden", "isMeta": true, "origin": "composer"}));
    play.tell("prompt", json!({"text": "without an origin"}));
    play.tell("prompt", json!({"text": "<system>without an origin</system>"}));
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let facts = facts(&mut play);
    let said = section(&facts, "The person's messages");
    assert!(!said.contains("message 04") && said.contains("message 05") && said.contains("without an origin"), "{said}");
    assert!(!facts.contains("hidden") && !said.contains("<system>"), "{facts}");
}

#[test]
fn notices_never_crowd_out_the_persons_words_and_short_words_are_not_taken_for_held() {
    let mut play = Play::started();
    prompt(&mut play, "Keep the delimiter.");
    prompt(&mut play, "on");
    for at in 0..200 {
        play.tell("receive", json!({"text": format!("notice {at}"), "origin": "peer"}));
    }
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let facts = facts(&mut play);
    let said = section(&facts, "The person's messages");
    assert!(said.contains("Keep the delimiter.") && said.contains("\non"), "the tail's \"Going on.\" is not these words: {said}");
}

#[test]
fn files_touched_and_tasks_come_from_finished_calls_alone() {
    let mut play = Play::started();
    let call = |play: &mut Play, tool: &str, input: Value| play.tell("call.end", json!({"tool": tool, "input": input}));
    call(&mut play, "Read", json!({"file_path": "/p/a"}));
    call(&mut play, "Write", json!({"file_path": "/p/b"}));
    call(&mut play, "Read", json!({"file_path": "/p/b"}));
    call(&mut play, "Edit", json!({"file_path": "/p/a"}));
    call(&mut play, "NotebookEdit", json!({"notebook_path": "/p/n.ipynb"}));
    play.tell("call.end", json!({"tool": "Write", "input": {"file_path": "/p/failed"}, "failed": true}));
    play.tell("call.end", json!({"tool": "Write", "input": {"file_path": "/p/denied"}, "denied": true, "failed": true}));
    call(&mut play, "TodoWrite", json!({"todos": [{"content": "old list", "status": "pending"}]}));
    play.tell("call.end", json!({"tool": "TaskCreate", "input": {"subject": "Write the loop"}, "result": {"task": {"id": "1"}}}));
    play.tell("call.end", json!({"tool": "TaskCreate", "input": {"subject": "Drop it"}, "result": {"task": {"id": "2"}}}));
    call(&mut play, "TaskUpdate", json!({"taskId": "1", "status": "in_progress"}));
    call(&mut play, "TaskUpdate", json!({"taskId": "2", "status": "deleted"}));
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let facts = facts(&mut play);
    let touched = section(&facts, "Files touched, newest first (R read, E edited, W written)");
    assert_eq!(touched.lines().skip(1).collect::<Vec<_>>(), ["- E /p/n.ipynb", "- E /p/a", "- W /p/b"]);
    assert_eq!(section(&facts, "Tasks, as last set").lines().skip(1).collect::<Vec<_>>(), ["- [in_progress] Write the loop"]);
}

#[test]
fn agents_and_background_are_listed_and_unknown_is_said() {
    let mut play = Play::started();
    play.tell("stop", json!({"background_tasks": [{"id": "b1", "type": "shell", "command": "npm run dev", "status": "running"}], "session_crons": [{"id": "c1", "schedule": "* * * * *", "prompt": "poll"}]}));
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let text = facts(&mut play);
    assert!(section(&text, "Agents now").contains("- a1 general-purpose running: Look"));
    let background = section(&text, "Background shells and scheduled prompts");
    for words in ["As of", "- shell b1 running: npm run dev", "- cron c1: * * * * * poll"] {
        assert!(background.contains(words), "{words} in {background}");
    }
    let mut unknown = Play::started();
    unknown.reads(60_000);
    unknown.hands_off(None, "toolu_h");
    let answer = unknown.tell("compact", json!({"trigger": "auto", "messages": conversation("toolu_h")}));
    assert!(section(&built(&answer, 0), "Agents").contains("unknown rather than none"));
    let stale = play.tell("compact", json!({"trigger": "auto", "messages": conversation("toolu_h")}));
    let stale = built(&stale, 0);
    assert!(section(&stale, "Agents").contains("could not be read now; as of ") && stale.contains("- a1 general-purpose"), "{stale}");
}

#[test]
fn a_ledger_that_began_late_says_since_when() {
    let mut whole = Play::started();
    whole.reads(60_000);
    whole.hands_off(None, "toolu_h");
    assert!(!facts(&mut whole).contains("Recorded since"));
    let mut late = Play::with(&[]);
    late.reads(60_000);
    late.hands_off(None, "toolu_h");
    let text = facts(&mut late);
    assert!(text.contains("Recorded since 2027-01-15") && text.contains("unknown rather than none"), "{text}");
}

#[test]
fn time_does_not_go_back_with_the_clock() {
    let mut play = Play::started();
    prompt(&mut play, "First.");
    play.now -= 86_400_000;
    prompt(&mut play, "Second.");
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let times: Vec<i64> = play.ledger.iter().map(|row| serde_json::from_str::<Value>(row).unwrap()["at"].as_i64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let facts = facts(&mut play);
    let said = section(&facts, "The person's messages");
    assert!(said.find("First.").unwrap() < said.find("Second.").unwrap(), "{said}");
}

#[test]
fn a_sub_agent_gets_its_brief_and_its_own_children_only() {
    let mut play = Play::started();
    play.spawns("a1");
    play.tell("spawn", json!({"agentId": "a2", "parentAgentId": "a1", "subagentType": "Explore", "description": "Child", "prompt": "x"}));
    prompt(&mut play, "The person's own.");
    play.tell_of(Some("a1"), "receive", json!({"text": "Stop after this file.", "origin": "coordinator"}));
    play.tell("spawn", json!({"agentId": "a1", "prompt": "Stop after this file.", "resumed": true}));
    play.reads_of(Some("a1"), 70_000);
    play.hands_off(Some("a1"), "toolu_h");
    let agents = json!([
        {"id": "a1", "type": "general-purpose", "description": "Look", "status": "running"},
        {"id": "a2", "type": "Explore", "description": "Child", "status": "running", "parentId": "a1"},
        {"id": "a3", "type": "Explore", "description": "Another", "status": "running"}
    ]);
    let answer = play.tell_of(Some("a1"), "compact", json!({"trigger": "auto", "messages": conversation("toolu_h"), "agents": agents}));
    let facts = built(&answer, 0);
    assert!(section(&facts, "Your brief").contains("Look at everything."));
    assert!(!facts.contains("The person's own."), "{facts}");
    assert_eq!(section(&facts, "Agents now").lines().skip(1).collect::<Vec<_>>(), ["- a2 Explore running: Child"]);
    assert_eq!(facts.matches("Stop after this file.").count(), 1, "a message is recorded once: {facts}");
}

#[test]
fn skills_of_the_party_are_carried_whole_and_the_others_named() {
    let mut play = Play::started();
    let skill = |play: &mut Play, name: &str, text: &str, keep: bool| {
        play.tell("skill", json!({"skill": name, "text": text, "path": format!("/skills/{name}/SKILL.md"), "keep": keep}))
    };
    let watched = skill(&mut play, "tidy", "Tidy up after yourself.", false);
    assert_eq!(watched["watch"]["appends"], true);
    play.tell("append", json!({"door": "tool-message", "text": "Base directory: /skills/tidy\nTidy up after yourself.\n"}));
    skill(&mut play, "lint", "Lint first.", true);
    play.tell("append", json!({"door": "prompt", "text": "Lint first."}));
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let facts = facts(&mut play);
    assert!(section(&facts, "Skills in force").contains("### tidy\nFrom /skills/tidy/SKILL.md\nTidy up after yourself."));
    let others = section(&facts, "Skills not carried");
    assert!(others.contains("`lint` (/skills/lint/SKILL.md)") && others.contains("possibly yours"), "{others}");
}

#[test]
fn a_skill_leaves_when_two_handoffs_in_a_row_name_it_unless_it_is_pinned() {
    let mut play = Play::started();
    for (name, keep) in [("tidy", false), ("pinned", true)] {
        play.tell("skill", json!({"skill": name, "text": format!("{name} text"), "keep": keep}));
        play.tell("append", json!({"door": "note", "text": format!("{name} text")}));
    }
    play.reads(60_000);
    let drop = |play: &mut Play, id: &str, names: &[&str]| {
        let mut input = super::handoff();
        input["drop_skills"] = json!(names);
        play.tell("call.start", json!({"tool": super::TOOL, "id": id, "input": input, "module": true}))["result"]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let first = drop(&mut play, "t1", &["tidy", "pinned", "other"]);
    for words in ["Skill tidy: asked once", "Skill pinned: pinned, it stays", "Skill other: not loaded"] {
        assert!(first.contains(words), "{words} in {first}");
    }
    drop(&mut play, "t2", &[]);
    assert!(drop(&mut play, "t3", &["tidy"]).contains("Skill tidy: asked once"), "a handoff that omits it starts the count again");
    assert!(drop(&mut play, "toolu_h", &["tidy", "pinned"]).contains("Skill tidy: leaves the next wake"));
    let facts = facts(&mut play);
    assert!(facts.contains("pinned text") && !facts.contains("tidy text"), "{facts}");
    assert!(section(&facts, "Skills not carried").contains("dropped by two handoffs in a row"));
}

#[test]
fn files_are_carried_as_they_are_now() {
    let mut play = Play::started();
    let lines = |from: u32, to: u32| (from..=to).map(|at| format!("line {at}\n")).collect::<String>();
    play.file("/p/a.rs", Content::Bytes(lines(1, 9).into_bytes()));
    play.file("/p/gone.rs", Content::Bytes(b"x\n".to_vec()));
    play.reads(60_000);
    let mut input = super::handoff();
    input["load_files"] = json!([{"path": "/p/a.rs", "lines": "8-12,1-2", "why": "the loop"}, {"path": "/p/gone.rs", "why": "y"}]);
    play.tell("call.start", json!({"tool": super::TOOL, "id": "toolu_h", "input": input, "module": true}));
    play.file("/p/a.rs", Content::Bytes(lines(1, 9).replace("line 2", "line two").into_bytes()));
    play.file("/p/gone.rs", Content::Missing);
    let facts = facts(&mut play);
    let files = section(&facts, "Files asked for, as they are now");
    for words in [
        "### /p/a.rs\nWhy: the loop",
        "lines 8-12 were clipped to the file's 9",
        "-line 2\n+line two",
        "Lines 1-2 of 9:\n```\nline 1\nline two\n```",
        "(lines 3-7 left out)",
        "Lines 8-9 of 9:",
        "### /p/gone.rs\nWhy: y\nProblem: it is no longer there.",
    ] {
        assert!(files.contains(words), "{words} in:\n{files}");
    }
}

#[test]
fn what_does_not_fit_is_skipped_named_and_counted_and_the_next_is_tried() {
    let mut play = Play::started();
    prompt(&mut play, "Short.");
    prompt(&mut play, &format!("Long: {}", "x".repeat(40_000)));
    prompt(&mut play, "Also short.");
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let facts = facts(&mut play);
    let said = section(&facts, "The person's messages");
    assert!(said.contains("Short.") && said.contains("Also short."), "{said}");
    assert!(said.contains("(1 left out for room: \"Long: xxx"), "{said}");
}

#[test]
fn what_arrived_since_the_handoff_goes_whole_however_long_it_is() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let long = format!("Long: {}", "y".repeat(300_000));
    prompt(&mut play, &long);
    assert!(facts(&mut play).contains(&long));
}

#[test]
fn built_messages_stay_under_two_mebibytes_and_files_give_way_first() {
    let mut play = Play::started();
    play.file("/p/a", Content::Bytes("f".repeat(190_000).into_bytes()));
    let figures = json!({"window": 4_000_000, "raw": 4_000_000, "threshold": 4_000_000});
    play.tell("step.end", json!({"stopReason": "end_turn", "usage": {"input_tokens": 60_000}, "figures": figures}));
    let mut input = super::handoff();
    input["load_files"] = json!([{"path": "/p/a", "why": "w"}]);
    play.tell("call.start", json!({"tool": super::TOOL, "id": "toolu_h", "input": input, "module": true}));
    let sized = |play: &mut Play| {
        let answer = play.asked(None, "auto", conversation("toolu_h"));
        let bytes: usize = (0..2).map(|at| built(&answer, at).len()).sum();
        assert!(bytes < 2 << 20, "{bytes}");
        built(&answer, 0)
    };
    prompt(&mut play, &"é".repeat(600_000));
    assert!(sized(&mut play).contains("fffff"), "there is room for both");
    prompt(&mut play, &"è".repeat(380_000));
    let facts = sized(&mut play);
    assert!(facts.contains("èèè") && facts.contains("(1 left out for room: /p/a"), "what arrived goes whole, and the file gives way");
    prompt(&mut play, &"ê".repeat(380_000));
    assert!(sized(&mut play).contains("left out for room: \"ê"), "what cannot go at all is named");
}

#[test]
fn what_a_built_row_cannot_hold_is_named_for_a_sub_agent() {
    let mut play = Play::started();
    play.spawns("a1");
    play.reads_of(Some("a1"), 70_000);
    play.hands_off(Some("a1"), "toolu_h");
    let mut messages = conversation("toolu_h");
    messages.extend([calls("m8", &[("toolu_b", "Read")]), results("m9", &["toolu_b"])]);
    let ask = json!({"trigger": "auto", "messages": messages, "agents": super::agents(), "media": {"toolu_b": ["image"]}});
    let facts = built(&play.tell_of(Some("a1"), "compact", ask), 0);
    assert!(section(&facts, "Not kept of the messages below").contains("- image in the result of toolu_b"), "{facts}");
}

#[test]
fn the_tail_that_does_not_fit_at_the_measured_ratio_goes_oldest_first() {
    let mut play = Play::started();
    play.reads(20_000);
    play.tell("measured", json!({"characters": 10_000}));
    play.reads(70_000);
    play.hands_off(None, "toolu_h");
    let mut messages = conversation("toolu_h");
    for at in 0..60 {
        let id = format!("t{at}");
        messages.push(calls(&format!("c{at}"), &[(&id, "Bash")]));
        messages.push(results(&format!("r{at}"), &[&id]));
        messages.push(says(&format!("s{at}"), &"z".repeat(2_000)));
    }
    messages.push(user("last", "Now."));
    // 100,000 characters over 50,000 tokens: two a token. Half the ask point is 33,500 tokens, 67,000 characters.
    let answer = play.tell("compact", json!({"trigger": "auto", "messages": messages, "agents": [], "characters": 110_000}));
    let names = super::kept(&answer);
    assert_eq!(names.last().map(String::as_str), Some("last"));
    assert!((70..=105).contains(&names.len()), "{}", names.len());
    assert!(names[2].starts_with('c') || names[2].starts_with('s'), "no result without its call: {}", names[2]);
    assert!(built(&answer, 1).contains("older ones were dropped, oldest first"), "{}", built(&answer, 1));
}
