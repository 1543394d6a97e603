//! The turn's end, a resume, and the session's end.

use serde_json::{Value, json};

use super::super::decide::Purpose;
use super::super::session::tag;
use super::{Play, built, conversation, kept, user};

fn ends(play: &mut Play, reason: &str) -> Value {
    play.tell("turn.end", json!({"turnId": "t", "reason": reason}))["compact"].clone()
}

#[test]
fn a_turn_that_ends_with_an_answer_asks_for_the_install_once() {
    let mut play = Play::started();
    play.reads(50_000);
    assert_eq!(ends(&mut play, "answer"), Value::Null, "nothing is stored");
    play.hands_off(None, "toolu_h");
    assert_eq!(ends(&mut play, "aborted"), Value::Null);
    assert_eq!(ends(&mut play, "answer"), json!({"how": "session", "tag": tag(Purpose::TurnEnd)}));
    let answer = play.tell(
        "compact",
        json!({"trigger": "plugin", "instructions": tag(Purpose::TurnEnd), "messages": conversation("toolu_h"), "agents": []}),
    );
    assert_eq!(kept(&answer), ["<reveille wake>", "<reveille handoff>", "m6", "m7"]);
    play.tell("turn.start", json!({"turnId": "t2"}));
    play.reads(9_000);
    assert_eq!(ends(&mut play, "answer"), Value::Null);
}

#[test]
fn headless_the_command_asks() {
    let mut play = Play::with(&[]);
    play.tell("start", json!({"isInteractive": false}));
    play.reads(50_000);
    play.hands_off(None, "toolu_h");
    assert_eq!(ends(&mut play, "answer")["how"], "command");
    let tagged =
        play.tell("compact", json!({"trigger": "manual", "instructions": tag(Purpose::TurnEnd), "messages": conversation("toolu_h")}));
    assert_eq!(kept(&tagged)[1], "<reveille handoff>");
}

#[test]
fn nothing_is_installed_twice_in_a_turn() {
    let mut play = Play::started();
    play.tell("turn.start", json!({"turnId": "t"}));
    play.reads(70_000);
    play.hands_off(None, "toolu_h");
    play.asked(None, "auto", conversation("toolu_h"));
    play.reads(9_000);
    play.hands_off(None, "toolu_i");
    assert_eq!(ends(&mut play, "answer"), Value::Null);
    play.tell("turn.start", json!({"turnId": "t2"}));
    assert!(ends(&mut play, "answer").is_object());
}

#[test]
fn an_install_of_the_turn_before_does_not_keep_this_turns_handoff_waiting() {
    let mut play = Play::started();
    play.tell("turn.start", json!({"turnId": "t1"}));
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    ends(&mut play, "answer");
    play.tell(
        "compact",
        json!({"trigger": "plugin", "instructions": tag(Purpose::TurnEnd), "messages": conversation("toolu_h"), "agents": []}),
    );
    play.tell("turn.start", json!({"turnId": "t2"}));
    play.reads(9_000);
    play.hands_off(None, "toolu_i");
    assert!(ends(&mut play, "answer").is_object());
}

#[test]
fn with_auto_compaction_off_a_request_too_long_ends_in_a_compaction_of_ours() {
    let mut play = Play::started();
    let figures = json!({"window": 200_000, "raw": 200_000});
    let answer = play.tell("step.end", json!({"stopReason": "end_turn", "usage": {"input_tokens": 150_000}, "figures": figures}));
    assert!(answer["toasts"][0].as_str().unwrap().contains("auto-compaction is off"), "{answer}");
    play.tell("turn.start", json!({"turnId": "t"}));
    play.fails(None);
    assert_eq!(ends(&mut play, "error"), json!({"how": "session", "tag": tag(Purpose::Recover)}));
    let answer = play.tell("compact", json!({"trigger": "plugin", "instructions": tag(Purpose::Recover), "messages": conversation("x")}));
    assert_eq!(kept(&answer)[0], "<reveille wake>");
    let mut automatic = Play::started();
    automatic.reads(50_000);
    automatic.fails(None);
    assert_eq!(ends(&mut automatic, "error"), Value::Null, "where Claude Code asks by itself it is left to it");
}

#[test]
fn a_resume_that_lost_the_wake_gets_it_again_with_everything_after_the_call() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    play.asked(None, "auto", conversation("toolu_h"));
    play.reads(9_000);
    play.tell("end", json!({"reason": "other"}));
    let whole = play.tell("start", json!({"source": "resume", "canCompact": true, "first": "<reveille wake>\nfacts"}));
    assert_eq!(whole["compact"], Value::Null);
    let lost = play.tell("start", json!({"source": "resume", "canCompact": true, "first": "Make the importer print totals."}));
    assert_eq!(lost["compact"], json!({"how": "command", "tag": tag(Purpose::Resume)}));
    let later = play.tell("start", json!({"source": "resume", "canCompact": false, "first": "Make the importer print totals."}));
    assert_eq!(later["compact"], Value::Null);
    let mut messages = conversation("toolu_h");
    messages.push(user("m8", "Since then."));
    let answer = play.tell("compact", json!({"trigger": "manual", "instructions": tag(Purpose::Resume), "messages": messages}));
    assert_eq!(kept(&answer), ["<reveille wake>", "<reveille handoff>", "m6", "m7", "m8"]);
    let mut twice = conversation("toolu_h");
    twice.extend([
        user("w1", "<reveille wake>\nfacts"),
        user("w2", "<reveille handoff>\nx"),
        super::says("n6", "Going on."),
        user("n7", "And the footer."),
        user("n8", "Since."),
    ]);
    let once = play.tell("compact", json!({"trigger": "manual", "instructions": tag(Purpose::Resume), "messages": twice}));
    assert_eq!(kept(&once), ["<reveille wake>", "<reveille handoff>", "n6", "n7", "n8"], "rows that the client wrote anew stand once");
    assert!(built(&answer, 0).contains("A resume had brought the old conversation back"), "{}", built(&answer, 0));
}

#[test]
fn a_landing_that_never_comes_is_said_as_unknown() {
    let mut play = Play::started();
    play.reads(60_000);
    play.hands_off(None, "toolu_h");
    play.asked(None, "auto", conversation("toolu_h"));
    // The next ask shows that it was taken; nothing has measured it.
    play.fails(None);
    play.asked(None, "auto", vec![user("w", "<reveille wake>\nx")]);
    let ended = play.tell("end", json!({"reason": "other"}));
    assert!(ended["lines"][0].as_str().unwrap().contains("60k tokens → a size that no request measured"), "{ended}");
}

#[test]
fn a_fork_goes_on_from_a_copy_of_its_origins_ledger_once_its_transcript_names_it() {
    let mut origin = Play::started();
    origin.reads(60_000);
    origin.hands_off(None, "toolu_h");
    let rows = format!("{}\n", origin.ledger.join("\n"));
    let mut fork = Play::new();
    fork.tell("start", json!({"source": "fork"}));
    fork.tell("start", json!({"isInteractive": false, "cwd": "/fork"}));
    fork.tell("prompt", json!({"text": "Go on.", "origin": "sdk"}));
    // Its transcript is not written yet.
    fork.reads(61_000);
    fork.origin = rows.into_bytes();
    fork.reads(62_000);
    let text = fork.tell("status", json!({}))["text"].as_str().unwrap().to_owned();
    assert!(text.contains("call toolu_h") && text.contains("62k tokens"), "{text}");
    let answer = fork.asked(None, "auto", conversation("toolu_h"));
    assert_eq!(kept(&answer)[1], "<reveille handoff>", "a stored handoff whose call was copied is the fork's too");
    assert_eq!(fork.ledger.iter().filter(|row| origin.ledger.contains(row)).count(), origin.ledger.len(), "its rows are copied once");
    let mut replayed = super::super::Session::new(super::setting(&[]));
    replayed.replay(format!("{}\n", fork.ledger.join("\n")).as_bytes());
    assert_eq!(replayed.save(), fork.session.save());
}

#[test]
fn a_fork_whose_origin_has_no_ledger_stops_asking_at_the_end_of_its_turn() {
    let mut fork = Play::new();
    fork.tell("start", json!({"source": "fork"}));
    fork.reads(20_000);
    fork.tell("turn.end", json!({"turnId": "t", "reason": "answer"}));
    fork.origin = b"{\"at\":1,\"fact\":{\"Prompt\":{\"text\":\"late\"}}}\n".to_vec();
    fork.reads(21_000);
    assert!(!fork.ledger.iter().any(|row| row.contains("late")));
}
