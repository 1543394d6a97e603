//! The fold: one transcript file's facts, chunk by chunk, in bounded memory.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::card::CardSketch;
use super::event::{Event, Record};
use super::lines::{Line, Lines};
use super::rewind::{Place, Rewinds};
use super::seen::{Seen, hash};
use super::subagents::{self, Subagents};
use super::todo::Todo;
use super::tokens::Tokens;
use super::work::{Done, Work};
use super::{claude_code, text};
use crate::checks::CustomCheck;
use crate::contract::transcript::{Card, FileName, RestoreError};
use crate::contract::types::{Compaction, Facts, Quote, Source, Unreadable};
use crate::evidence::{Action, Statements};

/// Unreadable lines that are named; the others are counted.
const UNREADABLE: usize = 20;
/// Record kinds that are named as unknown.
const KINDS: usize = 20;
/// Compactions that are kept, the newest.
const COMPACTIONS: usize = 200;
/// Directories that are kept, the first.
const DIRECTORIES: usize = 64;

/// What a saved fold begins with: a fold of another build is not read.
const SAVED: &[u8] = concat!("reveille fold 3 ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();

/// One transcript file as far as it was pushed.
#[derive(Clone, Debug)]
pub struct Fold {
    name: FileName,
    lines: Lines,
    state: State,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    card: CardSketch,
    entries: u64,
    unreadable: Vec<Unreadable>,
    unreadable_count: u64,
    unknown_kinds: Vec<String>,
    compactions: Vec<Compaction>,
    prompts: u64,
    calls: u64,
    task: Option<Quote>,
    last_asked: Option<Quote>,
    command: Option<Quote>,
    rewinds: Rewinds,
    directories: Vec<String>,
    seen: Seen,
    tokens: Tokens,
    todo: Todo,
    subagents: Subagents,
    work: Work,
    statements: Statements,
}

#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    name: FileName,
    count: u64,
    offset: u64,
    state: Cow<'a, State>,
}

impl Fold {
    /// A fold of the file's first byte on.
    pub fn new(name: FileName) -> Self {
        Self { name, lines: Lines::new(claude_code::is_bookkeeping), state: State::default() }
    }

    /// Continues a saved fold.
    pub fn restore(saved: &[u8]) -> Result<Self, RestoreError> {
        let body = crate::saved::open(SAVED, saved).ok_or(RestoreError::NotUsable)?;
        let (saved, rest): (Saved<'_>, _) = postcard::take_from_bytes(body).map_err(|_| RestoreError::NotUsable)?;
        if !rest.is_empty() {
            return Err(RestoreError::NotUsable);
        }
        Ok(Self {
            name: saved.name,
            lines: Lines::resumed(claude_code::is_bookkeeping, saved.count, saved.offset),
            state: saved.state.into_owned(),
        })
    }

    /// Commands that the person named as checks. False: what was pushed already was read with others.
    pub fn set_checks(&mut self, checks: Vec<CustomCheck>) -> bool {
        let same = self.state.work.custom == checks;
        self.state.work.custom = checks;
        same || (self.lines.offset() == 0 && self.state.entries == 0)
    }

    /// Adds the file's next bytes.
    pub fn push(&mut self, chunk: &[u8]) {
        let Self { name, lines, state } = self;
        lines.push(chunk, |line| state.line(name, line));
    }

    /// Bytes up to the end of the last whole line.
    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }

    /// The state at `offset`, without the bytes of an unfinished line. Empty when it holds a secret: saves are kept in an index, and none may be there. Such
    /// a file is folded again each time, so that its commands stay comparable and its raw text can be asked for.
    pub fn save(&self) -> Vec<u8> {
        let saved =
            Saved { name: self.name.clone(), count: self.lines.count(), offset: self.lines.offset(), state: Cow::Borrowed(&self.state) };
        // Writing to memory fails only for types that postcard cannot hold; an empty save is not restored, so that the file is folded again.
        match postcard::to_stdvec(&saved) {
            Ok(body) if matches!(crate::redact::text(&String::from_utf8_lossy(&body)), Cow::Borrowed(_)) => {
                crate::saved::seal(SAVED, &body)
            }
            _ => Vec::new(),
        }
    }

    /// All that is known. An unfinished last line counts when it is a whole record.
    pub fn facts(&self) -> Facts {
        let mut torn = false;
        let mut last: Option<State> = None;
        self.lines.unfinished(|line| match parse(&line) {
            Parsed::Unreadable(_) => torn = true,
            Parsed::Blank | Parsed::Bookkeeping => {}
            Parsed::Text(text) => match claude_code::read(&text) {
                Ok(record) => last.insert(self.state.clone()).record(&self.name, line.seq, record),
                Err(_) => torn = true,
            },
        });
        let mut facts = last.as_ref().unwrap_or(&self.state).facts(&self.name);
        facts.torn = torn;
        facts
    }

    /// What choosing a session needs.
    pub fn card(&self) -> Card {
        let mut sketch = self.state.card.clone();
        self.lines.unfinished(|line| sketch.line(&self.name, &line));
        sketch.card(&self.name)
    }
}

/// What a line is, before it is read as a record.
pub enum Parsed<'a> {
    /// Nothing stands in it.
    Blank,
    /// A record that says nothing of the conversation.
    Bookkeeping,
    /// Anything else.
    Text(Cow<'a, str>),
    /// No record, and why.
    Unreadable(&'static str),
}

/// Looks at a line without what only surrounds a record.
pub fn parse<'a>(line: &Line<'a>) -> Parsed<'a> {
    if line.overlong {
        return Parsed::Unreadable("longer than 8 MiB without its long strings");
    }
    let bytes = line.bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line.bytes);
    // A crash can leave a run of NUL bytes where a block was never written.
    let is_something = |byte: &u8| *byte != 0 && !byte.is_ascii_whitespace();
    let (Some(start), Some(end)) = (bytes.iter().position(is_something), bytes.iter().rposition(is_something)) else {
        return if bytes.contains(&0) { Parsed::Unreadable("only NUL bytes") } else { Parsed::Blank };
    };
    let bytes = bytes.get(start..=end).unwrap_or_default();
    if claude_code::is_bookkeeping(bytes) {
        return if bytes.ends_with(b"}") { Parsed::Bookkeeping } else { Parsed::Unreadable("cut off") };
    }
    // Nearly every line is well-formed, and that is told much faster than where it is not.
    Parsed::Text(std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed))
}

impl State {
    fn line(&mut self, name: &FileName, line: Line<'_>) {
        match parse(&line) {
            Parsed::Blank => {}
            Parsed::Bookkeeping => self.entries += 1,
            Parsed::Unreadable(reason) => self.unreadable(line.seq, reason),
            Parsed::Text(text) => match claude_code::read(&text) {
                Ok(record) => self.record(name, line.seq, record),
                Err(reason) => self.unreadable(line.seq, reason),
            },
        }
    }

    fn unreadable(&mut self, seq: u64, reason: &str) {
        self.unreadable_count += 1;
        if self.unreadable.len() < UNREADABLE {
            self.unreadable.push(Unreadable { seq, reason: reason.to_owned() });
        }
    }

    fn record(&mut self, name: &FileName, seq: u64, record: Record<'_>) {
        self.entries += 1;
        // Calls, results and responses have ids of their own; of all else a copied record says nothing twice.
        let has_own_id = |event: &Event<'_>| matches!(event, Event::Call { .. } | Event::Result(_) | Event::Usage { .. });
        let is_copy = !record.events.iter().all(has_own_id) && record.id.as_deref().is_some_and(|id| !self.seen.first("record", id));
        if !is_copy {
            self.card.record(name, &record);
        }
        if record.conversation
            && let Some(cwd) = &record.cwd
            && self.directories.len() < DIRECTORIES
            && !self.directories.iter().any(|known| known == cwd)
        {
            self.directories.push(cwd.clone().into_owned());
        }
        // In a session's own file an old client marks a sub-agent's records only as a side chain.
        let agent = name.agent.clone().or_else(|| record.sidechain.then(|| record.agent.as_deref().unwrap_or("sidechain").to_owned()));
        let at = Source { agent, seq, time: record.time };
        let is_from_side = name.agent.is_none() && record.sidechain;
        let place = record.id.as_deref().zip(record.parent.as_deref()).map(|(id, parent)| Place { seq, id, parent });
        if !is_from_side
            && !is_copy
            && let Some(place) = place
            && record.events.iter().any(|event| matches!(event, Event::Prompt { .. } | Event::Command { .. }))
            && let Some(from) = self.rewinds.begins(place)
        {
            self.task.take_if(|task| task.at.seq >= from);
            self.last_asked = self.rewinds.last_asked().cloned();
        }
        let cwd = record.cwd.as_deref();
        for event in record.events {
            match event {
                Event::Prompt { .. } if is_from_side || is_copy => {}
                Event::Prompt { text } => self.prompt(&text, &at, place),
                event if is_copy && !has_own_id(&event) => {}
                event => self.event(event, &at, cwd),
            }
        }
    }

    fn event(&mut self, event: Event<'_>, at: &Source, cwd: Option<&str>) {
        let own = at.agent.is_none();
        match event {
            Event::Prompt { .. } | Event::Title { .. } => {}
            Event::Command { text } => {
                if own {
                    self.command = Some(quote(&text, at));
                }
            }
            Event::AgentText { text, response } => {
                if own && self.seen.first("text", &format!("{response}\n{:x}", hash("text", &text))) {
                    self.statements.agent_said(&text, at);
                }
            }
            Event::Call { id, name, input } => {
                if self.seen.first("call", &id) {
                    self.calls += 1;
                    if subagents::starts(&name) {
                        self.subagents.called(&id, input, at);
                    }
                    if name == "AskUserQuestion" && own {
                        for question in questions(input.unwrap_or_default()) {
                            self.statements.agent_asked(&question, at);
                        }
                    }
                    self.work.called(&id, &name, input.unwrap_or("{}"), at, cwd);
                }
            }
            Event::Result(result) => {
                if self.work.tool(&result.call).is_none_or(subagents::starts) {
                    self.subagents.answered(&result.call, result.is_error, result.refusal.is_some(), result.details);
                }
                let details = result.details;
                if let Some(done) = self.work.ended(&result, at) {
                    self.done(&done, details, at);
                }
            }
            Event::Usage { response, usage } => self.tokens.response(&response, &usage, &mut self.seen),
            Event::Boundary { trigger } => {
                self.compactions.push(Compaction { at: at.clone(), trigger: trigger.map(Cow::into_owned), ours: false });
                if self.compactions.len() > COMPACTIONS {
                    self.compactions.remove(0);
                }
                self.statements.compacted(None, at);
            }
            Event::Summary { text } => self.statements.compacted(Some(&text), at),
            Event::Ours { text } => {
                if let Some(newest) = self.compactions.last_mut() {
                    newest.ours = true;
                    self.statements.compacted(Some(&text), at);
                }
            }
            Event::Notification { text, delivered } => {
                self.subagents.notified(&text, delivered);
                if let Some(done) = self.work.notified(&text, at) {
                    self.done(&done, None, at);
                }
            }
            Event::TurnEnd if own => self.statements.turn_ended(at),
            Event::Interrupted if own => {
                self.statements.interrupted(at);
                self.statements.turn_ended(at);
            }
            Event::TurnEnd | Event::Interrupted => {}
            Event::UnknownKind(kind) => {
                if self.unknown_kinds.len() < KINDS && !self.unknown_kinds.iter().any(|known| *known == kind) {
                    self.unknown_kinds.push(text::fold_line(&kind));
                }
            }
        }
    }

    fn prompt(&mut self, text: &str, at: &Source, place: Option<Place<'_>>) {
        self.prompts += 1;
        let asked = quote(text, at);
        if self.task.is_none() {
            self.task = Some(asked.clone());
        }
        if let Some(place) = place {
            self.rewinds.asked(place, asked.clone());
        }
        self.last_asked = Some(asked);
        if at.agent.is_none() {
            self.statements.person_said(text, at);
        }
    }

    fn done(&mut self, done: &Done, details: Option<&str>, at: &Source) {
        match done {
            Done::Shell { command, failed, commits } => {
                self.statements.acted(Action::Command { line: command, failed: *failed }, at);
                for subject in commits {
                    self.statements.acted(Action::Commit { subject }, at);
                }
            }
            Done::Edit { path } => self.statements.acted(Action::Edit { path }, at),
            Done::Tool { name, input } => {
                if name == "AskUserQuestion" {
                    for (question, answer) in answers(details) {
                        self.statements.person_answered(&question, &answer, at);
                    }
                }
                if !self.todo.called(name, input, details, at) {
                    self.statements.acted(Action::Tool { name, input }, at);
                }
            }
        }
    }

    /// What was said in turns that the person took back is not said any more; what was done stays done.
    fn standing<T>(&self, mut said: Vec<T>, seq: impl Fn(&T) -> u64) -> Vec<T> {
        said.retain(|said| !self.rewinds.took_back(seq(said)));
        said
    }

    fn facts(&self, name: &FileName) -> Facts {
        let card = self.card.card(name);
        Facts {
            harness: name.harness,
            session: name.session.clone(),
            agent: name.agent.clone(),
            forked_from: card.forked_from,
            title: card.title,
            started: card.started,
            ended: card.ended,
            entries: self.entries,
            unreadable: self.unreadable.clone(),
            unreadable_count: self.unreadable_count,
            unknown_kinds: self.unknown_kinds.clone(),
            torn: false,
            compactions: self.compactions.clone(),
            usage: self.tokens.total(),
            prompt_count: self.prompts,
            tool_call_count: self.calls,
            // A session of nothing but commands is about the last of them.
            task: self.task.clone().or_else(|| self.command.clone()),
            last_asked: self.last_asked.clone().or_else(|| self.command.clone()),
            ran_in: card.ran_in,
            directories: self.directories.clone(),
            runs: self.work.runs(),
            edits: self.work.edits(),
            changed: self.work.changed().to_vec(),
            tasks: self.todo.tasks().to_vec(),
            promises: self.standing(self.statements.promises(), |said| said.at.seq),
            unanswered: self.standing(self.statements.unanswered(), |said| said.at.seq),
            asked_person: self.standing(self.statements.asked_person(), |said| said.at.seq),
            decisions: self.standing(self.statements.decisions(), |said| said.at.seq),
            commits: self.work.commits(),
            publications: self.work.publications(),
            claimed_done: self.statements.claimed_done().filter(|claim| !self.rewinds.took_back(claim.at.seq)),
            children: self.subagents.children().to_vec(),
        }
    }
}

fn quote(text: &str, at: &Source) -> Quote {
    Quote { text: text::fold_line(text), at: at.clone() }
}

#[derive(Deserialize)]
struct Asked {
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    question: String,
}

fn questions(input: &str) -> Vec<String> {
    serde_json::from_str::<Asked>(input)
        .map(|asked| asked.questions.into_iter().map(|question| question.question).collect())
        .unwrap_or_default()
}

#[derive(Deserialize)]
struct Answered {
    answers: std::collections::BTreeMap<String, serde_json::Value>,
}

fn answers(details: Option<&str>) -> Vec<(String, String)> {
    let answered: Option<Answered> = details.and_then(|raw| serde_json::from_str(raw).ok());
    answered
        .map(|answered| {
            answered
                .answers
                .into_iter()
                .map(|(question, answer)| (question, answer.as_str().map_or_else(|| answer.to_string(), str::to_owned)))
                .collect()
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::types::Harness;

    fn fold(agent: Option<&str>, text: &str) -> Fold {
        let mut fold = Fold::new(FileName { harness: Harness::ClaudeCode, session: "s".to_owned(), agent: agent.map(str::to_owned) });
        fold.push(text.as_bytes());
        fold
    }

    fn prompt(uuid: &str, text: &str, fields: &str) -> String {
        format!(
            r#"{{"type":"user","uuid":"{uuid}","cwd":"/p","timestamp":"2026-09-04T09:00:00Z","message":{{"content":"{text}"}}{fields}}}"#
        )
    }

    #[test]
    fn a_sub_agent_is_known_by_its_files_name_alone() {
        for fields in ["", r#","isSidechain":true"#] {
            let fold = fold(Some("a7"), &format!("{}\n", prompt("u", "Run the tests", fields)));
            let facts = fold.facts();
            let task = facts.task.map(|task| (task.text, task.at.agent));
            assert_eq!(task, Some(("Run the tests".to_owned(), Some("a7".to_owned()))));
            assert!(fold.card().has_prompt && fold.card().ran_in.is_some());
        }
    }

    #[test]
    fn a_file_of_nothing_but_a_side_chain_is_no_session_of_a_person() {
        let fold = fold(None, &format!("{}\n", prompt("u", "Run the tests", r#","isSidechain":true"#)));
        assert!(!fold.card().has_prompt && fold.card().task.is_none() && fold.card().ran_in.is_none());
        assert!(fold.facts().task.is_none());
    }

    #[test]
    fn a_last_line_without_its_end_counts_when_it_is_whole_and_is_saved_when_it_ends() {
        let first = prompt("u1", "One", "");
        let second = prompt("u2", "Two", "");
        let mut whole = fold(None, &format!("{first}\n{second}"));
        assert_eq!((whole.facts().prompt_count, whole.facts().torn, whole.offset()), (2, false, first.len() as u64 + 1));
        let restored = Fold::restore(&whole.save()).map(|fold| fold.facts().prompt_count);
        assert_eq!(restored.ok(), Some(1));
        whole.push(b"\n");
        assert_eq!(whole.facts().prompt_count, 2);
        let torn = fold(None, &format!("{first}\n{}", second.trim_end_matches('}')));
        assert_eq!((torn.facts().prompt_count, torn.facts().torn, torn.facts().unreadable_count), (1, true, 0));
        assert!(fold(None, r#"{"type":"api-request-blob","data":"cut"#).facts().torn);
    }

    #[test]
    fn a_session_was_forked_from_the_one_that_its_copied_records_name_last() {
        let made_in = |uuid: &str, session: &str| prompt(uuid, "x", &format!(r#","sessionId":"s","session_id":"{session}""#));
        let text = [made_in("a", "first"), made_in("b", "second"), made_in("c", "s")].join("\n");
        assert_eq!(fold(None, &text).facts().forked_from.as_deref(), Some("second"));
        assert_eq!(fold(None, &made_in("c", "s")).facts().forked_from, None);
    }
}
