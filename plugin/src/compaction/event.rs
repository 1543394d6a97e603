//! What the hooks module, a settings hook or the server tells of one moment: read here, by one reader.
//!
//! `{"event": name, "agent"?: id, "data": {…}}`; the shape of `data` is the event's. A field that is not there is unknown, and a field that is not known is left.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::party::PartyId;

/// One tool call of an assistant message.
#[derive(Debug, Clone, Deserialize)]
pub struct Use {
    /// The call's id.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Its input, JSON.
    pub input: Option<Box<RawValue>>,
}

/// One tool result of a user message.
#[derive(Debug, Clone, Deserialize)]
pub struct ToolResult {
    /// The call's id.
    pub id: String,
    /// As the model read it.
    pub text: String,
    /// The tool reported an error.
    #[serde(default)]
    pub error: bool,
}

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The user's side.
    User,
    /// The model.
    Assistant,
}

/// One message of a conversation that is compacted.
#[derive(Debug, Clone, Deserialize)]
pub struct Message {
    /// The engine's token for it.
    pub handle: Option<String>,
    /// Who wrote it.
    pub role: Role,
    /// Its text blocks joined.
    #[serde(default)]
    pub text: String,
    /// Its calls.
    #[serde(default)]
    pub uses: Vec<Use>,
    /// Its results.
    #[serde(default)]
    pub results: Vec<ToolResult>,
}

/// The window's figures as the client gives them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageFigures {
    /// The model's window.
    pub window: u64,
    /// What is measured against.
    pub raw: Option<u64>,
    /// From where it asks.
    pub threshold: Option<u64>,
    /// Who set it.
    pub set_by: Option<String>,
}

/// One agent of the client's list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedAgent {
    /// Its id.
    pub id: String,
    /// Its type.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// Its task's name.
    #[serde(default)]
    pub description: String,
    /// Where it stands.
    #[serde(default)]
    pub status: String,
    /// Whose child.
    pub parent_id: Option<String>,
    /// Its window.
    pub context_window_size: Option<u64>,
    /// Tokens used; 0 is the client's word for none yet.
    pub token_count: Option<u64>,
    /// Where it works.
    pub cwd: Option<String>,
}

/// What one request used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub struct StepUsage {
    /// Tokens, as the API names them.
    pub input_tokens: u64,
    /// Likewise.
    pub cache_read_input_tokens: u64,
    /// Likewise.
    pub cache_creation_input_tokens: u64,
    /// Likewise.
    pub output_tokens: u64,
}

impl StepUsage {
    /// The reading.
    pub fn tokens(self) -> u64 {
        self.input_tokens
            .saturating_add(self.cache_read_input_tokens)
            .saturating_add(self.cache_creation_input_tokens)
            .saturating_add(self.output_tokens)
    }
}

/// The end of a request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepEnd {
    /// The model it named.
    pub model: Option<String>,
    /// Why the model stopped; none: no response arrived.
    pub stop_reason: Option<String>,
    /// What it used.
    pub usage: Option<StepUsage>,
    /// Main's window, when it was read for this.
    pub figures: Option<UsageFigures>,
    /// The agents, when they were read for this.
    pub agents: Option<Vec<ListedAgent>>,
}

/// A tool call that is about to run, or one of our own to answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallStart {
    /// The tool as called.
    pub tool: String,
    /// The call's id.
    pub id: Option<String>,
    /// The request it belongs to.
    pub request: Option<String>,
    /// Its input.
    #[serde(default)]
    pub input: Value,
    /// Main's window, for our own tool.
    pub figures: Option<UsageFigures>,
    /// Live characters now, for our own tool.
    pub characters: Option<u64>,
    /// Whether the hooks module told of this; else the server.
    #[serde(default)]
    pub module: bool,
}

/// A tool call that ended.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallEnd {
    /// The tool as called.
    pub tool: String,
    /// Its input.
    #[serde(default)]
    pub input: Value,
    /// It was refused, or reported an error.
    #[serde(default)]
    pub failed: bool,
    /// It was refused.
    #[serde(default)]
    pub denied: bool,
    /// The session, where the call may read its transcript.
    pub session: Option<String>,
    /// The tool's record, where the effect is in it.
    #[serde(default)]
    pub result: Value,
}

/// Claude Code is about to compact.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compact {
    /// `manual`, `auto`, `plugin`, `precompute`.
    pub trigger: String,
    /// What the summary should stress; our own tag.
    pub instructions: Option<String>,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The agents; none: the list could not be read.
    pub agents: Option<Vec<ListedAgent>>,
    /// Live characters now; none: the window cannot be read whole.
    pub characters: Option<u64>,
    /// Images and documents in tool results, by the call's id.
    #[serde(default)]
    pub media: BTreeMap<String, Vec<String>>,
}

/// Claude Code compacted itself.
#[derive(Debug, Deserialize)]
pub struct Compacted {
    /// Whether the conversation was replaced.
    #[serde(default)]
    pub replaced: bool,
}

/// A prompt on its way in.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// Verbatim.
    pub text: String,
    /// Where it came from, as the client classified it.
    pub origin: Option<String>,
    /// The person does not see it as typed.
    #[serde(default)]
    pub is_meta: bool,
}

/// A delivery.
#[derive(Debug, Deserialize)]
pub struct Receive {
    /// Verbatim.
    pub text: String,
    /// Where it came from.
    pub origin: Option<String>,
}

/// A skill's prompt was computed.
#[derive(Debug, Deserialize)]
pub struct SkillPrompt {
    /// Its name.
    pub skill: String,
    /// Its text.
    pub text: String,
    /// Its file.
    pub path: Option<String>,
    /// `keep` of its frontmatter.
    #[serde(default)]
    pub keep: bool,
}

/// A row that the conversation keeps.
#[derive(Debug, Deserialize)]
pub struct Append {
    /// The door it came in by.
    pub door: String,
    /// Its text.
    pub text: String,
}

/// A sub-agent was started.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spawn {
    /// Its id.
    pub agent_id: String,
    /// Whose child.
    pub parent_agent_id: Option<String>,
    /// Its type.
    #[serde(default)]
    pub subagent_type: String,
    /// Its task's name.
    #[serde(default)]
    pub description: String,
    /// What it is asked.
    #[serde(default)]
    pub prompt: String,
    /// It ran before.
    #[serde(default)]
    pub resumed: bool,
    /// A fork of its parent.
    #[serde(default)]
    pub fork: bool,
}

/// A sub-agent's run ended.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Which.
    pub agent_id: String,
    /// How.
    pub status: String,
}

/// A turn.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// Its id.
    pub turn_id: String,
    /// Why it ended.
    pub reason: Option<String>,
}

/// The session begins, or goes on under another id.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    /// `startup`, `resume`, `clear`, `compact`, `fork`.
    pub source: Option<String>,
    /// Whether a person is at the prompt.
    pub is_interactive: Option<bool>,
    /// The directory.
    pub cwd: Option<String>,
    /// The conversation's first message, when the session goes on.
    pub first: Option<String>,
    /// The module asks whether the session must be given its wake again.
    #[serde(default)]
    pub can_compact: bool,
}

/// What runs in the background, at a stop.
#[derive(Debug, Deserialize)]
pub struct Stop {
    /// As the client lists them.
    #[serde(default)]
    pub background_tasks: Vec<Value>,
    /// Likewise.
    #[serde(default)]
    pub session_crons: Vec<Value>,
}

/// A moment of the session.
#[derive(Debug)]
pub enum Event {
    /// `session.start` or `classic.SessionStart`.
    Start(Start),
    /// `turn.start`.
    TurnStart(Turn),
    /// `turn.step`, ended.
    StepEnd(StepEnd),
    /// Live characters at the last reading.
    Measured(Option<u64>),
    /// `turn.complete`.
    TurnEnd(Turn),
    /// `tool.call`, before.
    CallStart(CallStart),
    /// `tool.call`, after.
    CallEnd(CallEnd),
    /// `session.compact`.
    Compact(Compact),
    /// `session.compact`, after it was passed on.
    Compacted(Compacted),
    /// `prompt.submit`.
    Prompt(Prompt),
    /// `session.receive`.
    Receive(Receive),
    /// `skill.prompt`.
    Skill(SkillPrompt),
    /// `session.append`.
    Append(Append),
    /// `agent.spawn`.
    Spawn(Spawn),
    /// `agent.report`.
    Report(Report),
    /// `tool.offer` of the handoff tool.
    ToolOffer,
    /// `classic.Stop`, `classic.SubagentStop`.
    Stop(Stop),
    /// `session.end`, with its reason.
    End(String),
    /// The settings hook handed a stored handoff back after Claude Code's own compaction.
    HandedBack,
    /// `/handoff`.
    Status,
    /// What the module needs at its start: the tools.
    Tools,
}

/// An event with whose it is.
#[derive(Debug)]
pub struct Addressed {
    /// Whose.
    pub party: PartyId,
    /// What.
    pub event: Event,
    /// Hooks that failed since the last event, as the module names them.
    pub failed: Vec<String>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    event: String,
    agent: Option<String>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(default)]
    failed: Vec<String>,
}

/// The party of an input that may be broken otherwise.
pub fn party_of(input: &[u8]) -> PartyId {
    serde_json::from_slice::<Envelope<'_>>(input).map_or_else(|_| PartyId::main(), |envelope| PartyId::of(envelope.agent.as_deref()))
}

/// The name of the event of an input.
pub fn name_of(input: &[u8]) -> Option<String> {
    serde_json::from_slice::<Envelope<'_>>(input).ok().map(|envelope| envelope.event)
}

/// Reads an event, or says what is wrong with it.
pub fn read(input: &[u8]) -> Result<Addressed, String> {
    let envelope: Envelope<'_> = serde_json::from_slice(input).map_err(|error| format!("the event is no JSON object: {error}"))?;
    let data = envelope.data.map_or("{}", RawValue::get);
    let event = match envelope.event.as_str() {
        "start" => Event::Start(of(data)?),
        "turn.start" => Event::TurnStart(of(data)?),
        "step.end" => Event::StepEnd(of(data)?),
        "measured" => Event::Measured(of::<Measured>(data)?.characters),
        "turn.end" => Event::TurnEnd(of(data)?),
        "call.start" => Event::CallStart(of(data)?),
        "call.end" => Event::CallEnd(of(data)?),
        "compact" => Event::Compact(of(data)?),
        "compacted" => Event::Compacted(of(data)?),
        "prompt" => Event::Prompt(of(data)?),
        "receive" => Event::Receive(of(data)?),
        "skill" => Event::Skill(of(data)?),
        "append" => Event::Append(of(data)?),
        "spawn" => Event::Spawn(of(data)?),
        "report" => Event::Report(of(data)?),
        "tool.offer" => Event::ToolOffer,
        "stop" => Event::Stop(of(data)?),
        "end" => Event::End(of::<End>(data)?.reason),
        "handed" => Event::HandedBack,
        "status" => Event::Status,
        "tools" => Event::Tools,
        other => return Err(format!("\"{other}\" is no event that this build knows")),
    };
    Ok(Addressed { party: PartyId::of(envelope.agent.as_deref()), event, failed: envelope.failed })
}

#[derive(Deserialize)]
struct Measured {
    characters: Option<u64>,
}

#[derive(Deserialize)]
struct End {
    #[serde(default)]
    reason: String,
}

fn of<'a, T: Deserialize<'a>>(data: &'a str) -> Result<T, String> {
    serde_json::from_str(data).map_err(|error| format!("the event's data cannot be read: {error}"))
}
