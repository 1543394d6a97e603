//! Settings hooks of Claude Code: what one gets on standard input, and what it prints.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::json;

use crate::contract::doors::{HookEvent, SessionStart};
use crate::contract::wake::{Answer, Occasion};

#[derive(Deserialize)]
struct Input<'a> {
    #[serde(borrow)]
    hook_event_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    session_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    transcript_path: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow)]
    source: Option<Cow<'a, str>>,
    #[serde(borrow)]
    agent_id: Option<Cow<'a, str>>,
}

/// Reads a settings hook's input. Whatever it is, the session goes on: what cannot be read is nothing to do.
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
    let input: Input<'_> = match serde_json::from_str(text) {
        Ok(input) => input,
        Err(error) if error.is_data() => return nothing("the hook's input has a field of another type than the client writes"),
        Err(_) => return nothing("the hook's input is no JSON object"),
    };
    match input.hook_event_name.as_deref() {
        Some("SessionStart") => {}
        Some(_) => return HookEvent::Nothing(None),
        None => return nothing("the hook's input names no event (hook_event_name)"),
    }
    // A sub-agent's compaction: main's context is none of its business.
    if input.agent_id.is_some() {
        return HookEvent::Nothing(None);
    }
    let occasion = match input.source.as_deref() {
        Some("resume") => Occasion::Resume,
        Some("compact") => Occasion::Compact,
        Some("clear") => Occasion::Clear,
        // A source that this build does not know begins a session all the same.
        _ => Occasion::Startup,
    };
    let filled = |value: Option<Cow<'_, str>>| value.filter(|value| !value.is_empty()).map(Cow::into_owned);
    HookEvent::SessionStart(SessionStart {
        occasion,
        session: filled(input.session_id),
        transcript: filled(input.transcript_path),
        cwd: filled(input.cwd),
    })
}

fn nothing(why: &str) -> HookEvent {
    HookEvent::Nothing(Some(format!("reveille: {why}; nothing was added to the session")))
}

/// What the hook prints: the wake as context for the model. A wake without a session has nothing to tell an agent and prints nothing.
pub fn hook_answer(_event: &SessionStart, answer: &Answer) -> Option<String> {
    if answer.silent || answer.markdown.trim().is_empty() {
        return None;
    }
    let output = json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": answer.markdown}});
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
            (b"[1]", "another type"),
            (b"{\"hook_event_name\":7}", "another type"),
            (b"{\"source\":\"startup\"}", "names no event"),
            (b"\xff\xfe\x00", "no JSON object"),
            (b"{\"hook_event_name\":\"SessionSt", "no JSON object"),
        ] {
            let line = said(input).unwrap();
            assert!(line.contains(words) && line.lines().count() == 1, "{line}");
        }
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
        let printed: serde_json::Value = serde_json::from_str(&hook_answer(&event, &answer).unwrap()).unwrap();
        assert_eq!(printed.pointer("/hookSpecificOutput/additionalContext").unwrap(), "# Wake · a\n\"b\"");
        answer.silent = true;
        assert_eq!(hook_answer(&event, &answer), None);
    }
}
