//! What an event is answered with, as the doors and the hooks module read it.

use serde::Serialize;
use serde_json::{Value, json};

use super::event::{self, ToolResult};
use super::party::PartyId;
use super::say;

/// A message of the conversation that a compaction gives back.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Kept {
    /// The engine's own, whole.
    Handle {
        /// Its token.
        handle: String,
    },
    /// One of ours, or one that must be built.
    Built {
        /// Whose side.
        role: &'static str,
        /// Its text.
        text: String,
        /// Its results.
        #[serde(skip_serializing_if = "Vec::is_empty", rename = "toolResults")]
        results: Vec<BuiltResult>,
    },
}

/// A tool result of a built message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuiltResult {
    tool_use_id: String,
    text: String,
    #[serde(rename = "isError")]
    is_error: bool,
}

impl From<&ToolResult> for BuiltResult {
    fn from(result: &ToolResult) -> Self {
        Self { tool_use_id: result.id.clone(), text: result.text.clone(), is_error: result.error }
    }
}

/// A compaction that the module is to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CompactNow {
    /// `session`: by the session's own call; `command`: by the command, not awaited.
    pub how: &'static str,
    /// What tells it from others.
    pub tag: &'static str,
}

/// What the module need not ask for about a party until it is told otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Watch {
    /// Ask before each call.
    pub before: bool,
    /// Ask after each call, whatever it is.
    pub after: bool,
    /// Measure live characters before the next request.
    pub measure: bool,
    /// Read main's window at the next step.
    pub figures: bool,
    /// Rows of the conversation may name who loaded a skill.
    pub appends: bool,
}

/// A tool's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolAnswer {
    /// What the model reads.
    pub text: String,
    /// It is an error.
    pub error: bool,
}

/// The answer to one event.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// For the model, beside a tool's result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The call is refused with this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deny: Option<String>,
    /// Our own tool's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ToolAnswer>,
    /// The conversation from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Kept>>,
    /// Tokens before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// The conversation stays as it is, and this is why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
    /// Ask for a compaction now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compact: Option<CompactNow>,
    /// Lines that the person sees for a moment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub toasts: Vec<String>,
    /// Lines that stay on the person's screen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// What failed: each is shown once a process.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The status entry; empty clears it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// A command's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What to ask about the event's party from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// Our tools, to register.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<ToolSpec>>,
}

/// A tool to register.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSpec {
    /// Its short name.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON Schema.
    pub input_schema: serde_json::Value,
}

impl Answer {
    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }
}

/// What is answered when an event cannot be handled: it passes through, and the person is told.
pub fn pass(input: &[u8], why: &str) -> String {
    let party: PartyId = event::party_of(input);
    let name = event::name_of(input).unwrap_or_default();
    let mut answer = Answer { faults: vec![say::failed(&party, &name, why)], ..Answer::default() };
    if name == "call.start" {
        // Only our own tool waits for an answer of ours; any other call runs.
        let ours =
            event::read(input).is_ok_and(|told| matches!(told.event, event::Event::CallStart(call) if say::is_handoff_tool(&call.tool)));
        if ours {
            answer.result = Some(ToolAnswer { text: say::nothing_stored(&[why.to_owned()]), error: true });
        }
    }
    answer.json()
}

/// Whether an event that could not wait for the lock is recorded later. A call, an ask or a result was answered as if nothing had been asked: it is not.
pub fn records(input: &[u8]) -> bool {
    event::name_of(input).is_some_and(|name| !["call.start", "compact", "status", "tools"].contains(&name.as_str()))
}

/// The answer when the ledger's rows could not be written. What the agent was told is stored is not, so it is refused; everything else stands.
pub fn unwritten(answer: &str, why: &str) -> String {
    let Ok(Value::Object(mut answer)) = serde_json::from_str(answer) else { return answer.to_owned() };
    if answer.get("result").is_some_and(|result| result.get("error") == Some(&Value::Bool(false))) {
        answer.insert("result".to_owned(), json!({"text": say::nothing_stored(&[why.to_owned()]), "error": true}));
    }
    with_fault(answer, say::unwritten(why))
}

/// The answer when rows of the decision log could not be written: it stands.
pub fn unlogged(answer: &str, why: &str) -> String {
    match serde_json::from_str(answer) {
        Ok(Value::Object(fields)) => with_fault(fields, say::unlogged(why)),
        _ => answer.to_owned(),
    }
}

fn with_fault(mut answer: serde_json::Map<String, Value>, fault: String) -> String {
    let mut faults = answer.get("faults").and_then(Value::as_array).cloned().unwrap_or_default();
    faults.push(Value::String(fault));
    answer.insert("faults".to_owned(), Value::Array(faults));
    Value::Object(answer).to_string()
}
