//! What an entry of a transcript is.

use std::collections::BTreeMap;

use super::head::{Call, Head};
use crate::transcript::{claude_code, markers};

/// Kinds of records that only a file needs. With them go the copies of what is said elsewhere: titles and the queue.
const COPIES: &[&str] = &["ai-title", "custom-title", "queue-operation", "summary"];

/// The names of the tool that an agent writes its handoff with.
const HANDOFF: &[&str] = &["mcp__reveille__forward_compaction", "mcp__plugin_reveille_reveille__forward_compaction"];

/// Names of tools by the ids of their calls, as far as they are known.
pub type Tools = BTreeMap<String, Option<String>>;

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of the person, or of the client under its name.
    User,
    /// Of the agent.
    Assistant,
    /// Calls of tools.
    Tool(Vec<Call>),
    /// Results of calls of these ids.
    Results(Vec<String>),
    /// Of the client.
    System,
    /// What took the place of what was compacted away.
    Summary,
    /// Typed while a turn ran.
    QueuedPrompt,
    /// News of a background task.
    Notification,
    /// What the client told the agent besides.
    Attachment,
    /// Of the file itself: says nothing of the conversation.
    Bookkeeping(String),
    /// A line that is no record.
    Malformed,
    /// A record or a part of one that this build does not know.
    Unknown(String),
}

impl Kind {
    /// Of a line's head; none when the line is no record.
    pub fn of(head: Option<&Head>) -> Self {
        let Some(head) = head else { return Self::Malformed };
        let is_notification = head.begins.trim_start().starts_with("<task-notification>");
        match head.kind.as_str() {
            "user" if !head.results.is_empty() => Self::Results(head.results.clone()),
            "user" if head.is_summary || head.begins.trim_start().starts_with(claude_code::SUMMARY) => Self::Summary,
            "user" if is_notification => Self::Notification,
            "user" => Self::User,
            "assistant" if !head.calls.is_empty() => Self::Tool(head.calls.clone()),
            "assistant" => Self::Assistant,
            "attachment" if head.attachment != "queued_command" => Self::Attachment,
            "attachment" if is_notification => Self::Notification,
            "attachment" => Self::QueuedPrompt,
            "system" if head.says => Self::System,
            "system" if head.subtype.is_empty() => Self::Bookkeeping("system".to_owned()),
            "system" => Self::Bookkeeping(head.subtype.clone()),
            "" => Self::Malformed,
            kind if is_bookkeeping_kind(kind) => Self::Bookkeeping(kind.to_owned()),
            kind => Self::Unknown(kind.to_owned()),
        }
    }

    /// Whether its text is the line as it stands.
    pub fn is_raw(&self) -> bool {
        matches!(self, Self::Malformed | Self::Unknown(_))
    }

    /// In words.
    pub fn words(&self, tools: &Tools) -> String {
        match self {
            Self::User => "user".to_owned(),
            Self::Assistant => "assistant".to_owned(),
            Self::Tool(calls) => format!("tool {}", listed(calls.iter().map(|call| call.name.as_str()))),
            Self::Results(ids) => {
                let names = ids.iter().map(|id| tools.get(id).and_then(Option::as_deref).unwrap_or("an unknown tool"));
                format!("result of {}", listed(names))
            }
            Self::System => "system".to_owned(),
            Self::Summary => "summary".to_owned(),
            Self::QueuedPrompt => "queued prompt".to_owned(),
            Self::Notification => "task-notification".to_owned(),
            Self::Attachment => "attachment".to_owned(),
            Self::Bookkeeping(kind) => format!("bookkeeping {}", one_line(kind)),
            Self::Malformed => "malformed line".to_owned(),
            Self::Unknown(kind) => format!("unknown kind {}", one_line(kind)),
        }
    }
}

/// Names, each once, at most a handful of them.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut known: Vec<String> = Vec::new();
    let mut more = 0;
    for name in names {
        let name = one_line(name);
        if known.contains(&name) {
            continue;
        }
        if known.len() < 8 {
            known.push(name);
        } else {
            more += 1;
        }
    }
    let mut text = known.join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

fn one_line(name: &str) -> String {
    let name = crate::transcript::text::fold_line(name);
    if name.is_empty() { "without a name".to_owned() } else { crate::wake::cut(&name, 100) }
}

fn is_bookkeeping_kind(kind: &str) -> bool {
    COPIES.contains(&kind) || claude_code::is_bookkeeping_kind(kind)
}

/// Whether a line is bookkeeping, as far as its beginning tells: such a line is not read. They are most of a file's bytes, and some repeat messages.
pub fn is_bookkeeping(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"{\"type\":\"") else { return false };
    let end = rest.iter().take(40).position(|byte| *byte == b'"');
    end.and_then(|end| std::str::from_utf8(rest.get(..end)?).ok()).is_some_and(is_bookkeeping_kind)
}

/// Whether a record is where the context of the file's party was compacted.
pub fn is_boundary(head: &Head, of_agent: bool) -> bool {
    head.kind == "system" && head.subtype == "compact_boundary" && (of_agent || !head.is_sidechain)
}

/// Ids of the record's calls of the handoff tool.
pub fn handoffs(head: &Head) -> impl Iterator<Item = &str> {
    head.calls.iter().filter(|call| HANDOFF.contains(&call.name.as_str())).map(|call| call.id.as_str())
}

/// Whether the record is a wake, whoever was handed it.
pub fn is_wake(head: &Head) -> bool {
    let is_attachment = head.kind == "attachment";
    markers::is_ours(&head.begins) || is_attachment && head.begins.contains(markers::WAKE_HEADING)
}
