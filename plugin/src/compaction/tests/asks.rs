//! What an ask to compact is answered with, and what counts as an install.

use serde_json::{Value, json};

use super::{Play, built, calls, conversation, kept, results, says, user};

#[test]
fn a_stored_handoff_is_installed_at_an_automatic_ask_with_every_later_message_by_handle() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let answer = play.asked(None, "auto", conversation("toolu_h"));
    assert_eq!(kept(&answer), ["<reveille wake>", "<reveille handoff>", "m6", "m7"]);
    assert_eq!(answer["tokensBefore"], 60_000);
    let handoff = built(&answer, 1);
    for words in [
        "## Objective\nPrint totals.",
        "## Next\nWrite the loop.",
        "The call was answered: Stored",
        "2 messages",
        "look_back",
        "at 60k tokens",
    ] {
        assert!(handoff.contains(words), "{words} in {handoff}");
    }
}

#[test]
fn an_install_counts_only_once_it_was_taken() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    play.asked(None, "auto", conversation("toolu_h"));
    // Aborted: the conversation comes back as it was, and the wake is built again.
    let again = play.asked(None, "auto", conversation("toolu_h"));
    assert_eq!(kept(&again), ["<reveille wake>", "<reveille handoff>", "m6", "m7"]);
    let landed = play.reads(12_000);
    assert_eq!(landed["lines"], Value::Null, "a handoff's landing goes to the log");
    let row = play.log.iter().find(|row| row["landed"].is_string()).unwrap();
    assert!(row["landed"].as_str().unwrap().contains("60k → 12k tokens"), "{row}");
    // It is gone from the store: the next ask waits for another.
    let held = play.asked(None, "auto", vec![user("w", "<reveille wake>\nx")]);
    assert_eq!(held["skip"], "Reveille: main waits for its handoff");
}

#[test]
fn an_ask_is_held_with_a_short_reason_until_the_ceiling_and_then_the_facts_alone_are_installed() {
    let mut play = Play::started();
    let first = play.asked(None, "auto", vec![user("m1", "x")]);
    assert_eq!(first["skip"], "Reveille: main waits for its first reading");
    for tokens in [68_000, 75_000, 84_999] {
        play.reads(tokens);
        let held = play.asked(None, "auto", conversation("other"));
        let reason = held["skip"].as_str().unwrap();
        assert!(reason.chars().count() <= 70 && reason.contains("main"), "{reason}");
    }
    play.reads(85_000);
    let answer = play.asked(None, "auto", conversation("other"));
    assert_eq!(kept(&answer), ["<reveille wake>"], "unmeasured, a mechanical wake keeps no tail");
    let text = built(&answer, 0);
    for words in ["at 85k tokens, past the ceiling of 85k", "No objective was written", "0 messages stay as they were and 7 messages went"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
    let shown = play.reads(9_000);
    assert!(shown["lines"][0].as_str().unwrap().contains("85k → 9k"), "a mechanical wake's landing is shown: {shown}");
    let rows: Vec<_> = play.log.iter().filter(|row| row["decision"] == "hold").collect();
    assert_eq!(rows.len(), 1, "a streak of holds is its first row");
    let end = play.log.iter().find(|row| row["decision"] == "mechanical wake: ceiling").unwrap();
    assert_eq!(end["holdsBefore"], 4, "and a count");
}

#[test]
fn a_reading_as_large_as_before_shows_that_an_offered_wake_was_not_taken() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    play.asked(None, "auto", conversation("toolu_h"));
    play.reads(61_000);
    assert!(play.tell("status", json!({}))["text"].as_str().unwrap().contains("call toolu_h"), "the handoff stays stored");
    assert_eq!(super::kept(&play.asked(None, "auto", conversation("toolu_h")))[1], "<reveille handoff>");
}

#[test]
fn a_request_too_long_is_never_held_and_a_wake_that_must_fit_keeps_one_character_a_token_at_most() {
    let mut play = Play::started();
    play.tell("turn.start", json!({"turnId": "t"}));
    play.reads(60_000);
    play.fails(None);
    let mut messages = vec![user("m1", "Begin.")];
    messages.extend((0..50).map(|at| says(&format!("a{at}"), &"x".repeat(1_000))));
    let answer = play.asked(None, "auto", messages.clone());
    let names = kept(&answer);
    assert_eq!(names.first().map(String::as_str), Some("<reveille wake>"));
    // Half the ask point of 67,000 tokens, at one character a token.
    let characters = built(&answer, 0).chars().count() + (names.len() - 1) * 1_000;
    assert!(names.len() > 20 && characters <= 33_500, "{} {characters}", names.len());
    assert!(built(&answer, 0).contains("because a request was too long"), "{}", built(&answer, 0));
}

#[test]
fn a_request_too_long_before_any_reading_is_answered_too() {
    let mut play = Play::started();
    play.tell("turn.start", json!({"turnId": "t"}));
    play.fails(None);
    let answer = play.asked(None, "auto", vec![user("m1", "x"), says("m2", "y")]);
    assert_eq!(kept(&answer), ["<reveille wake>"], "without a window nothing fits for certain");
}

#[test]
fn an_ask_after_a_held_one_with_no_request_between_is_reactive_and_a_new_turn_clears_it() {
    let mut play = Play::started();
    play.reads(70_000);
    assert!(play.asked(None, "auto", vec![user("m1", "x")])["skip"].is_string());
    assert!(play.asked(None, "auto", vec![user("m1", "x")])["messages"].is_array());
    let mut play = Play::started();
    play.reads(70_000);
    assert!(play.asked(None, "auto", vec![user("m1", "x")])["skip"].is_string());
    play.tell("turn.start", json!({"turnId": "t2"}));
    assert!(play.asked(None, "auto", vec![user("m1", "x")])["skip"].is_string());
}

#[test]
fn two_mechanical_wakes_without_a_completed_request_end_in_the_clients_own_summary() {
    let mut play = Play::started();
    play.reads(60_000);
    let wake = || vec![user("w", "<reveille wake>\nx")];
    let mut answers = Vec::new();
    for messages in [conversation("other"), wake(), wake()] {
        play.fails(None);
        answers.push(play.asked(None, "auto", messages));
    }
    assert!(answers[0]["messages"].is_array() && answers[1]["messages"].is_array());
    assert_eq!((&answers[2]["messages"], &answers[2]["skip"]), (&Value::Null, &Value::Null));
    let told = answers[2]["lines"].to_string();
    assert!(
        told.contains("at 60k tokens: two wakes were built") && told.contains("60k tokens → a size that no request measured"),
        "{told}"
    );
    play.tell("compacted", json!({"replaced": true}));
    play.reads(10_000);
    play.fails(None);
    assert!(play.asked(None, "auto", conversation("other"))["messages"].is_array(), "a completed request starts the count over");
}

#[test]
fn a_handoff_whose_call_is_gone_is_dropped_and_told() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let answer = play.asked(None, "auto", conversation("another"));
    assert_eq!(answer["skip"], "Reveille: main waits for its handoff");
    assert!(answer["lines"][0].as_str().unwrap().contains("its call is no longer in the conversation"), "{answer}");
}

#[test]
fn a_manual_compaction_is_the_clients_own_and_with_the_option_the_handoff_is_installed() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let answer = play.asked(None, "manual", conversation("toolu_h"));
    assert_eq!((&answer["messages"], &answer["skip"]), (&Value::Null, &Value::Null));
    assert!(answer["lines"][0].as_str().unwrap().contains("was dropped, because /compact"), "{answer}");
    let mut play = Play::started_with(&[("REVEILLE_MANUAL", "handoff")]);
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let answer = play.asked(None, "manual", conversation("toolu_h"));
    assert_eq!(kept(&answer)[1], "<reveille handoff>");
}

#[test]
fn an_agent_that_nobody_knows_is_the_clients_own_fork_and_an_unreadable_list_is_said_once() {
    let mut play = Play::started();
    play.reads(60_000);
    let ask = |play: &mut Play, agents: Value| {
        play.tell_of(Some("zz"), "compact", json!({"trigger": "auto", "messages": [user("m1", "x")], "agents": agents}))
    };
    let fork = ask(&mut play, super::agents());
    assert_eq!((&fork["messages"], &fork["skip"]), (&Value::Null, &Value::Null));
    let unread = ask(&mut play, Value::Null);
    assert_eq!(unread["skip"], "Reveille: agent zz waits for its first reading");
    assert!(unread["toasts"][0].as_str().unwrap().contains("list of agents could not be read"), "{unread}");
    assert_eq!(ask(&mut play, Value::Null)["toasts"], Value::Null);
}

#[test]
fn a_trigger_of_a_later_client_is_handled_as_an_automatic_one_and_said_once() {
    let mut play = Play::started();
    play.reads(60_000);
    let answer = play.asked(None, "hologram", vec![user("m1", "x")]);
    assert_eq!(answer["skip"], "Reveille: main waits for its handoff");
    assert!(answer["toasts"][0].as_str().unwrap().contains("hologram"), "{answer}");
}

#[test]
fn a_sub_agents_rows_with_results_are_built_and_its_others_kept() {
    let mut play = Play::started();
    play.spawns("a1");
    play.reads_of(Some("a1"), 70_000);
    play.hands_off(Some("a1"), "toolu_h");
    let mut messages = conversation("toolu_h");
    messages.extend([calls("m8", &[("toolu_b", "Bash")]), results("m9", &["toolu_b"]), says("m10", "Then.")]);
    let answer = play.asked(Some("a1"), "auto", messages);
    assert_eq!(kept(&answer)[2..5], ["m6", "m7", "m8"]);
    assert_eq!(answer["messages"][5]["toolResults"], json!([{"tool_use_id": "toolu_b", "text": "result of toolu_b", "isError": false}]));
    assert_eq!(answer["messages"][6]["handle"], "m10");
}

#[test]
fn the_answer_to_the_handoff_call_and_those_beside_it_go_and_are_quoted() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let messages = vec![
        user("m1", "Begin."),
        calls("m2", &[("toolu_s", "Grep")]),
        calls("m3", &[("toolu_h", super::TOOL)]),
        calls("m4", &[("toolu_t", "Bash")]),
        results("m5", &["toolu_s", "toolu_h"]),
        results("m6", &["toolu_t"]),
        says("m7", "Next."),
    ];
    let answer = play.asked(None, "auto", messages);
    assert_eq!(kept(&answer), ["<reveille wake>", "<reveille handoff>", "m7"]);
    let facts = built(&answer, 0);
    for words in ["Results of the calls beside the handoff", "result of toolu_s", "result of toolu_t"] {
        assert!(facts.contains(words), "{words} in {facts}");
    }
    assert!(!facts.contains("result of toolu_h"), "{facts}");
}

#[test]
fn nothing_that_followed_is_said_to_be_nothing() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    let answer = play.asked(None, "auto", conversation("toolu_h")[..5].to_vec());
    assert_eq!(kept(&answer).len(), 2);
    assert!(built(&answer, 1).contains("Nothing followed it."), "{}", built(&answer, 1));
}
