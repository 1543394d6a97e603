//! Settings hooks of Claude Code: what one gets on standard input, and what it prints.

use serde_json::{Value, json};

use crate::contract::doors::{HookEvent, SessionStart};
use crate::contract::wake::{Answer, Occasion};

/// Reads a settings hook's input. Whatever it is, the session goes on: what cannot be read is nothing to do, and a field that is of another type than the client
/// writes today is as if it were not there.
pub fn read_hook(input: &[u8]) -> HookEvent {
    let mut bytes = input;
    while let Some(rest) = bytes.strip_prefix("\u{feff}".as_bytes()) {
        bytes = rest;
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    if text.is_empty() {
        return nothing("the hook's input is empty: a settings hook gets a JSON object on standard input");
    }
    let Ok(Value::Object(input)) = serde_json::from_str(text) else {
        return nothing("the hook's input is no JSON object");
    };
    let field = |name: &str| input.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    match field("hook_event_name") {
        Some("SessionStart") => {}
        Some(_) => return HookEvent::Nothing(None),
        None => return nothing("the hook's input names no event (hook_event_name)"),
    }
    // A sub-agent's compaction: main's context is none of its business.
    if input.get("agent_id").is_some_and(|agent| !agent.is_null() && agent.as_str() != Some("")) {
        return HookEvent::Nothing(None);
    }
    let occasion = match field("source") {
        Some("resume") => Occasion::Resume,
        Some("compact") => Occasion::Compact,
        Some("clear") => Occasion::Clear,
        // A source that this build does not know begins a session all the same.
        _ => Occasion::Startup,
    };
    let owned = |name: &str| field(name).map(str::to_owned);
    HookEvent::SessionStart(SessionStart {
        occasion,
        session: owned("session_id"),
        transcript: owned("transcript_path"),
        cwd: owned("cwd"),
    })
}

fn nothing(why: &str) -> HookEvent {
    HookEvent::Nothing(Some(format!("reveille: {why}; nothing was added to the session")))
}

/// What the hook prints: a handoff that is handed back, and the wake, as context for the model. A wake without a session has nothing to tell an agent; where that is all,
/// nothing is printed.
pub fn hook_answer(_event: &SessionStart, answer: &Answer, handoff: Option<&str>) -> Option<String> {
    let wake = Some(answer.markdown.trim_end()).filter(|wake| !answer.silent && !wake.trim().is_empty());
    let parts: Vec<&str> = handoff.into_iter().chain(wake).collect();
    if parts.is_empty() {
        return None;
    }
    let output = json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": parts.join("\n\n")}});
    Some(output.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn start(input: &str) -> Option<SessionStart> {
        match read_hook(input.as_bytes()) {
            HookEvent::SessionStart(start) => Some(start),
            HookEvent::Nothing(_) => None,
        }
    }

    fn said(input: &[u8]) -> Option<String> {
        match read_hook(input) {
            HookEvent::Nothing(said) => said,
            HookEvent::SessionStart(_) => None,
        }
    }

    #[test]
    fn each_source_is_its_occasion_and_an_unknown_one_is_a_start() {
        for (source, occasion) in [
            ("startup", Occasion::Startup),
            ("resume", Occasion::Resume),
            ("clear", Occasion::Clear),
            ("compact", Occasion::Compact),
            ("hologram", Occasion::Startup),
        ] {
            let input = format!(r#"{{"hook_event_name":"SessionStart","session_id":"s","cwd":"/p","source":"{source}","new":{{"x":1}}}}"#);
            let start = start(&input).unwrap();
            assert_eq!(
                (start.occasion, start.session.as_deref(), start.cwd.as_deref(), start.transcript),
                (occasion, Some("s"), Some("/p"), None)
            );
        }
        assert_eq!(start(r#"{"hook_event_name":"SessionStart"}"#).unwrap().occasion, Occasion::Startup);
    }

    #[test]
    fn one_or_two_byte_order_marks_do_not_matter() {
        for marks in ["", "\u{feff}", "\u{feff}\u{feff}"] {
            assert!(start(&format!("{marks} {{\"hook_event_name\":\"SessionStart\"}}\n")).is_some());
        }
    }

    #[test]
    fn what_cannot_be_read_is_nothing_to_do_and_says_why() {
        for (input, words) in [
            (&b""[..], "is empty"),
            (b" \n", "is empty"),
            (b"\xef\xbb\xbf", "is empty"),
            (b"hello", "no JSON object"),
            (b"[1]", "no JSON object"),
            (b"null", "no JSON object"),
            (b"{\"hook_event_name\":7}", "names no event"),
            (b"{\"hook_event_name\":\" \"}", "names no event"),
            (b"{\"source\":\"startup\"}", "names no event"),
            (b"\xff\xfe\x00", "no JSON object"),
            (b"{\"hook_event_name\":\"SessionSt", "no JSON object"),
        ] {
            let line = said(input).unwrap();
            assert!(line.contains(words) && line.lines().count() == 1, "{line}");
        }
    }

    #[test]
    fn a_field_of_another_type_or_empty_is_as_if_it_were_not_there() {
        let input =
            r#"{"hook_event_name":"SessionStart","session_id":7,"transcript_path":{"x":[]},"cwd":" ","source":["resume"],"agent_id":null}"#;
        let bare = SessionStart { occasion: Occasion::Startup, session: None, transcript: None, cwd: None };
        assert_eq!(start(input), Some(bare.clone()));
        assert_eq!(
            start(r#"{"hook_event_name":"Stop","agent_id":"","hook_event_name":"SessionStart"}"#),
            Some(bare),
            "the last of two counts"
        );
        let escaped = start(r#"{"hook_event_name":"Session\u0053tart","cwd":"/p\u00f6 \"x\"\ud83d\ude00"}"#).unwrap();
        assert_eq!(escaped.cwd.as_deref(), Some("/pö \"x\"😀"));
    }

    #[test]
    fn input_made_to_hurt_is_read_or_refused_quickly() {
        let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(500_000));
        let nested = format!(r#"{{"hook_event_name":"SessionStart","x":{}}}"#, "[".repeat(100_000));
        let wide = format!(r#"{{"hook_event_name":"SessionStart","x":"{}"}}"#, "y".repeat(1 << 20));
        assert!(said(deep.as_bytes()).is_some() && said(nested.as_bytes()).is_some() && start(&wide).is_some());
        assert!(said(&[0xff; 1 << 20]).is_some() && said(&[0; 4096]).is_some());
    }

    #[test]
    fn other_events_and_sub_agents_are_nothing_to_say() {
        for input in [r#"{"hook_event_name":"Stop"}"#, r#"{"hook_event_name":"SessionStart","source":"compact","agent_id":"a1"}"#] {
            assert_eq!(read_hook(input.as_bytes()), HookEvent::Nothing(None), "{input}");
        }
    }

    #[test]
    fn the_answer_is_context_for_the_model_and_silence_prints_nothing() {
        let event = start(r#"{"hook_event_name":"SessionStart"}"#).unwrap();
        let mut answer = Answer { markdown: "# Wake · a\n\"b\"".to_owned(), report: "{}".to_owned(), gaps: Vec::new(), silent: false };
        let printed: serde_json::Value = serde_json::from_str(&hook_answer(&event, &answer, None).unwrap()).unwrap();
        assert_eq!(printed.pointer("/hookSpecificOutput/additionalContext").unwrap(), "# Wake · a\n\"b\"");
        answer.silent = true;
        assert_eq!(hook_answer(&event, &answer, None), None);
        let printed: serde_json::Value = serde_json::from_str(&hook_answer(&event, &answer, Some("## Next\nx")).unwrap()).unwrap();
        assert_eq!(
            printed.pointer("/hookSpecificOutput/additionalContext").unwrap(),
            "## Next\nx",
            "a handoff is handed back whatever the wake is"
        );
    }
}
