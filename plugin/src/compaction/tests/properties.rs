//! What holds for any stream of events.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::Session;
use super::super::tail::{fit, live};
use super::{Play, TOOL, agents, calls, handoff, results, says, setting, user};

/// One event of any kind, in any order, of main or a sub-agent.
fn event() -> impl Strategy<Value = (Option<&'static str>, &'static str, Value)> {
    let agent = prop_oneof![Just(None), Just(Some("a1")), Just(Some("b\"2"))];
    let tokens = prop_oneof![0_u64..200_000, Just(u64::MAX)];
    let text = "[ -~é\n]{0,40}";
    let what = prop_oneof![
        (tokens.clone(), any::<bool>()).prop_map(|(tokens, figures)| {
            let figures = if figures { json!({"window": 1_000_000, "raw": 100_000, "threshold": 67_000}) } else { Value::Null };
            ("step.end", json!({"model": "m", "stopReason": "end_turn", "usage": {"input_tokens": tokens}, "figures": figures}))
        }),
        Just(("step.end", json!({"model": "m", "stopReason": null, "usage": null}))),
        any::<u32>().prop_map(|turn| ("turn.start", json!({"turnId": turn.to_string()}))),
        prop_oneof![Just("answer"), Just("error")].prop_map(|reason| ("turn.end", json!({"turnId": "t", "reason": reason}))),
        any::<Option<u32>>().prop_map(|characters| ("measured", json!({"characters": characters}))),
        any::<u8>().prop_map(|id| ("call.start", json!({"tool": TOOL, "id": format!("h{}", id % 3), "input": handoff(), "module": true}))),
        any::<u8>().prop_map(|request| ("call.start", json!({"tool": "Bash", "request": format!("r{}", request % 3)}))),
        text.prop_map(|path| ("call.end", json!({"tool": "Read", "input": {"file_path": path}}))),
        text.prop_map(|text| ("prompt", json!({"text": text, "origin": "composer"}))),
        text.prop_map(|text| ("receive", json!({"text": text, "origin": "peer"}))),
        text.prop_map(|text| ("skill", json!({"skill": "s", "text": text}))),
        text.prop_map(|text| ("append", json!({"door": "note", "text": text}))),
        Just(("spawn", json!({"agentId": "a1", "prompt": "p"}))),
        Just(("tool.offer", json!({}))),
        Just(("report", json!({"agentId": "a1", "status": "completed"}))),
        Just(("stop", json!({"background_tasks": [{"id": "b"}], "session_crons": []}))),
        Just(("start", json!({"source": "resume", "canCompact": true, "first": "x"}))),
        Just(("end", json!({"reason": "clear"}))),
        Just(("status", json!({}))),
        any::<bool>().prop_map(|replaced| ("compacted", json!({"replaced": replaced}))),
        (any::<u8>(), prop_oneof![Just("auto"), Just("manual"), Just("plugin"), Just("precompute")]).prop_map(|(call, trigger)| {
            ("compact", json!({"trigger": trigger, "messages": super::conversation(&format!("h{}", call % 4)), "agents": agents(), "characters": 50_000}))
        }),
    ];
    (agent, what).prop_map(|(agent, (event, data))| (agent, event, data))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// A snapshot with the rows after it is the whole ledger, cut anywhere; so are rows with a torn line among them, as long as it is in both.
    #[test]
    fn a_snapshot_and_the_rows_after_it_are_the_whole_ledger(events in prop::collection::vec(event(), 1..40), cut in any::<prop::sample::Index>(), torn in any::<bool>()) {
        let mut play = Play::new();
        for (agent, event, data) in events {
            play.tell_of(agent, event, data);
        }
        let mut rows = play.ledger.clone();
        let at = cut.index(rows.len() + 1);
        if torn {
            rows.insert(at, "{\"at\":1,\"fact\":{\"Prom".to_owned());
        }
        let bytes = |rows: &[String]| rows.iter().map(|row| format!("{row}\n")).collect::<String>().into_bytes();
        let mut whole = Session::new(setting(&[]));
        whole.replay(&bytes(&rows));
        let mut first = Session::new(setting(&[]));
        first.replay(&bytes(&rows[..at]));
        let mut rest = Session::restore(setting(&[]), &first.save()).unwrap();
        rest.replay(&bytes(&rows[at..]));
        prop_assert_eq!(rest.save(), whole.save());
        if !torn {
            prop_assert_eq!(whole.save(), play.session.save(), "the ledger holds all that the session knew");
        }
    }

    /// A damaged snapshot is refused, never half read.
    #[test]
    fn a_damaged_snapshot_is_refused(flip in any::<prop::sample::Index>(), length in any::<prop::sample::Index>()) {
        let mut play = Play::started();
        play.reads(50_000);
        play.hands_off(None, "toolu_h");
        let saved = play.session.save();
        let mut flipped = saved.clone();
        let at = flip.index(flipped.len());
        flipped[at] ^= 1;
        prop_assert!(Session::restore(setting(&[]), &flipped).is_err());
        prop_assert!(Session::restore(setting(&[]), &saved[..length.index(saved.len())]).is_err());
        prop_assert!(Session::restore(setting(&[]), &saved).is_ok());
    }

    /// Any input is answered with JSON, and nothing of it panics.
    #[test]
    fn any_input_is_answered(input in prop_oneof!["\\PC{0,200}", "\\{\"event\":\"(compact|call.start|step.end|prompt)\",\"data\":\\PC{0,80}\\}"]) {
        let mut session = Session::new(setting(&[]));
        let supplies = crate::contract::compaction::Supplies { files: Vec::new(), git: Vec::new(), origin: None };
        if let crate::contract::compaction::Step::Done(outcome) = session.event(1, input.as_bytes(), &supplies) {
            prop_assert!(serde_json::from_str::<Value>(&outcome.answer).is_ok());
        }
        prop_assert!(serde_json::from_str::<Value>(&super::super::pass(input.as_bytes(), "why")).is_ok());
    }

    /// Wherever a tail begins, no result in it lacks its call, and it takes no more than its room.
    #[test]
    fn a_result_is_never_kept_without_its_call(shape in prop::collection::vec((0_u8..4, 0_u8..6, 0_usize..300), 0..40), from in any::<prop::sample::Index>(), room in prop::option::of(0_u64..4_000)) {
        let messages: Vec<Value> = shape
            .iter()
            .enumerate()
            .map(|(at, (kind, id, long))| {
                let (handle, id) = (format!("m{at}"), format!("t{id}"));
                match kind {
                    0 => calls(&handle, &[(&id, "Bash")]),
                    1 => results(&handle, &[&id]),
                    2 => says(&handle, &"x".repeat(*long)),
                    _ => user(&handle, &"y".repeat(*long)),
                }
            })
            .collect();
        let messages: Vec<super::super::event::Message> = serde_json::from_value(Value::Array(messages)).unwrap();
        let from = from.index(messages.len() + 1);
        let start = fit(&messages, from, room);
        prop_assert!(start >= from && start <= messages.len());
        let kept = &messages[start..];
        for (at, message) in kept.iter().enumerate() {
            for result in &message.results {
                prop_assert!(kept[..at].iter().flat_map(|message| &message.uses).any(|call| call.id == result.id), "{} has no call", result.id);
            }
        }
        if let Some(room) = room {
            prop_assert!(kept.iter().map(live).sum::<u64>() <= room);
        }
    }

    /// When a ratio is measured, facts, handoff and tail together take no more than the budget, but for what must go whole.
    #[test]
    fn a_measured_wake_never_exceeds_its_budget(prompts in prop::collection::vec(1_usize..9_000, 0..14), tail in prop::collection::vec(0_usize..6_000, 0..30), notices in prop::collection::vec(1_usize..5_000, 0..6), stored in any::<bool>()) {
        let mut play = Play::started();
        for (at, long) in prompts.iter().enumerate() {
            play.tell("prompt", json!({"text": format!("{at} {}", "p".repeat(*long)), "origin": "composer"}));
        }
        for (at, long) in notices.iter().enumerate() {
            play.tell("receive", json!({"text": format!("{at} {}", "n".repeat(*long)), "origin": "peer"}));
        }
        play.reads(20_000);
        play.tell("measured", json!({"characters": 10_000}));
        play.reads(90_000);
        if stored {
            play.hands_off(None, "toolu_h");
        }
        let mut messages = super::conversation("toolu_h");
        messages.extend(tail.iter().enumerate().map(|(at, long)| says(&format!("s{at}"), &"t".repeat(*long))));
        // One character a token: 70,000 characters over 70,000 tokens. Half the ask point is 33,500.
        let answer = play.tell("compact", json!({"trigger": "auto", "messages": messages, "agents": [], "characters": 80_000}));
        let parsed: Vec<super::super::event::Message> = serde_json::from_value(Value::Array(messages)).unwrap();
        let size: u64 = answer["messages"].as_array().unwrap().iter().map(|message| match message["handle"].as_str() {
            Some(handle) => parsed.iter().find(|known| known.handle.as_deref() == Some(handle)).map(live).unwrap(),
            None => message["text"].as_str().unwrap().chars().count() as u64,
        }).sum();
        prop_assert!(size <= 33_500, "{size}");
    }
}
