//! What choosing a session needs of its file: from the whole fold, or from the file's head and tail alone.

use serde::{Deserialize, Serialize};

use super::event::{Event, Record};
use super::fold::{Parsed, parse};
use super::lines::{Line, Lines};
use super::{claude_code, text};
use crate::contract::transcript::{Card, FileName};
use crate::contract::types::{Millis, RanIn};

/// Bytes of the task on a card.
const TASK: usize = 400;

/// A card while its records come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CardSketch {
    sessions: Vec<String>,
    title: Option<(String, bool)>,
    ran_in: Option<RanIn>,
    started: Option<Millis>,
    ended: Option<Millis>,
    has_prompt: bool,
    has_tool_call: bool,
    task: Option<String>,
}

impl CardSketch {
    /// Adds a line; one that is no record of the conversation adds nothing.
    pub fn line(&mut self, name: &FileName, line: &Line<'_>) {
        if let Parsed::Text(text) = parse(line)
            && let Ok(record) = claude_code::read(&text)
        {
            self.record(name, &record);
        }
    }

    /// Adds a record.
    pub fn record(&mut self, name: &FileName, record: &Record<'_>) {
        // A sub-agent's records in an old session's file are not the session's own: it may have run elsewhere, and its brief is no task.
        if record.sidechain && name.agent.is_none() {
            return;
        }
        for event in &record.events {
            match event {
                Event::Title { text, given } if *given || self.title.as_ref().is_none_or(|(_, given)| !given) => {
                    self.title = Some((text::fold_line(text), *given));
                }
                Event::Prompt { text } => {
                    self.has_prompt = true;
                    if self.task.is_none() {
                        // Cards are kept in an index: secrets go before the cut.
                        let mut task = crate::redact::text(&text::fold_line(text)).into_owned();
                        task.truncate(task.floor_char_boundary(TASK));
                        self.task = Some(task);
                    }
                }
                Event::Command { .. } => self.has_prompt = true,
                Event::Call { .. } => self.has_tool_call = true,
                _ => {}
            }
        }
        if !record.conversation {
            return;
        }
        if let Some(cwd) = &record.cwd {
            let branch = record.branch.as_ref().map(|branch| branch.clone().into_owned());
            self.ran_in = Some(RanIn { cwd: cwd.clone().into_owned(), branch });
        }
        if let Some(session) = &record.session
            && self.sessions.len() < 8
            && !self.sessions.iter().any(|known| known == session)
        {
            self.sessions.push(session.clone().into_owned());
        }
        if let Some(time) = record.time {
            self.started = Some(self.started.map_or(time, |started| started.min(time)));
            self.ended = Some(self.ended.map_or(time, |ended| ended.max(time)));
        }
    }

    /// The card of the file of this name.
    pub fn card(&self, name: &FileName) -> Card {
        Card {
            harness: name.harness,
            session: name.session.clone(),
            agent: name.agent.clone(),
            forked_from: self.sessions.iter().rfind(|session| **session != name.session).cloned(),
            title: self.title.as_ref().map(|(title, _)| crate::redact::text(title).into_owned()),
            ran_in: self.ran_in.clone(),
            started: self.started,
            ended: self.ended,
            has_prompt: self.has_prompt,
            has_tool_call: self.has_tool_call,
            task: self.task.clone(),
        }
    }
}

/// A card from a file's head and tail. None: the tail holds no record of the conversation with a time and a directory, or both hold neither a prompt nor a
/// call, and there is more between them.
pub fn peek(name: FileName, head: &[u8], tail: &[u8], whole: bool) -> Option<Card> {
    let mut sketch = CardSketch::default();
    let read = |bytes: &[u8], skip_first: bool, sketch: &mut CardSketch| {
        let mut lines = Lines::new(claude_code::is_bookkeeping);
        let mut add = |line: Line<'_>| {
            if !(skip_first && line.seq == 1) {
                sketch.line(&name, &line);
            }
        };
        lines.push(bytes, &mut add);
        lines.unfinished(add);
    };
    if whole {
        // Head and tail are one piece that may be cut inside a line.
        let bytes = [head, tail].concat();
        read(&bytes, false, &mut sketch);
        return Some(sketch.card(&name));
    }
    read(head, false, &mut sketch);
    let mut end = CardSketch::default();
    read(tail, true, &mut end);
    end.ran_in.as_ref()?;
    end.ended?;
    sketch.has_prompt |= end.has_prompt;
    sketch.has_tool_call |= end.has_tool_call;
    if !sketch.has_prompt && !sketch.has_tool_call {
        // The first prompt may be longer than the head: an image, a pasted file.
        return None;
    }
    sketch.ran_in = end.ran_in;
    sketch.ended = sketch.ended.max(end.ended);
    sketch.started = sketch.started.or(end.started);
    sketch.title = end.title.or(sketch.title);
    Some(sketch.card(&name))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;
    use crate::contract::types::Harness;

    fn name() -> FileName {
        FileName { harness: Harness::ClaudeCode, session: "s".to_owned(), agent: None }
    }

    fn user(time: &str, text: &str) -> String {
        format!(r#"{{"type":"user","uuid":"{time}","cwd":"/p","timestamp":"2026-09-04T{time}Z","message":{{"content":"{text}"}}}}"#) + "\n"
    }

    fn agent(time: &str) -> String {
        format!(
            r#"{{"type":"assistant","uuid":"{time}","cwd":"/p","timestamp":"2026-09-04T{time}Z","message":{{"id":"m{time}","content":[{{"type":"text","text":"Hm"}}]}}}}"#
        ) + "\n"
    }

    #[test]
    fn a_cut_line_at_the_heads_end_and_at_the_tails_beginning_is_passed_over() {
        let text = user("09:00:00", "Fix the importer") + &agent("09:01:00") + &user("09:02:00", "And now?") + &agent("09:03:00");
        let cut = text.find("And now?").unwrap();
        let card = peek(name(), &text.as_bytes()[..cut], &text.as_bytes()[cut..], false).unwrap();
        assert_eq!(card.task.as_deref(), Some("Fix the importer"));
        assert_eq!((card.started, card.ended), (Some(1_788_512_400_000), Some(1_788_512_580_000)));
    }

    #[test]
    fn more_is_asked_for_when_the_first_prompt_is_longer_than_the_head() {
        let text = user("09:00:00", &"x".repeat(200_000)) + &agent("09:01:00");
        let (head, tail) = (&text.as_bytes()[..65_536], &text.as_bytes()[text.len() - 1000..]);
        assert_eq!(peek(name(), head, tail, false), None);
        assert_eq!(peek(name(), head, &text.as_bytes()[65_536..], true).unwrap().task.map(|task| task.len()), Some(TASK));
    }

    #[test]
    fn more_is_asked_for_when_the_tail_is_inside_one_line_or_says_nothing_of_the_conversation() {
        let begin = user("09:00:00", "Fix the importer");
        for tail in ["xxxx\"}}\n", "x\n{\"type\":\"mode\",\"mode\":\"y\"}\n", ""] {
            assert_eq!(peek(name(), begin.as_bytes(), tail.as_bytes(), false), None, "{tail}");
        }
    }
}
