//! What a harness's records say, in words of our own: the fold knows nothing of any harness.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::contract::types::{Millis, Usage};

/// One line of a transcript as a record.
#[derive(Debug, Default)]
pub struct Record<'a> {
    /// The record's own time.
    pub time: Option<Millis>,
    /// Part of the conversation, not bookkeeping.
    pub conversation: bool,
    /// The sub-agent it belongs to where the record itself says so.
    pub agent: Option<Cow<'a, str>>,
    /// Belongs to a sub-agent, named or not.
    pub sidechain: bool,
    /// Where it was made.
    pub cwd: Option<Cow<'a, str>>,
    /// The branch it was made on.
    pub branch: Option<Cow<'a, str>>,
    /// The session it was made in, when it says so.
    pub session: Option<Cow<'a, str>>,
    /// Its own id: a copy of the record has the same.
    pub id: Option<Cow<'a, str>>,
    /// The id of the record that it follows; empty is the conversation's beginning, none is not said.
    pub parent: Option<Cow<'a, str>>,
    /// What it says, in order.
    pub events: Vec<Event<'a>>,
}

/// How a tool call's result ended, as far as the harness says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It never ran.
    Denied,
    /// It was stopped while it ran, or its end was never recorded.
    Interrupted,
    /// It was stopped at its deadline.
    TimedOut,
}

/// A tool call's result.
#[derive(Debug)]
pub struct CallResult<'a> {
    /// The call's id.
    pub call: Cow<'a, str>,
    /// What the model was given: a string, or blocks.
    pub content: Option<&'a RawValue>,
    /// Whether the harness marks it as an error.
    pub is_error: bool,
    /// What the harness kept beside it.
    pub details: Option<&'a RawValue>,
    /// Why there is no result of the tool's own.
    pub refusal: Option<Refusal>,
}

/// One thing that a record says.
#[derive(Debug)]
pub enum Event<'a> {
    /// The person asked, or a sub-agent was given its brief.
    Prompt {
        /// What was asked.
        text: Cow<'a, str>,
    },
    /// The person used a command of the harness.
    Command {
        /// As typed.
        text: String,
    },
    /// The agent wrote to the person.
    AgentText {
        /// What it wrote.
        text: Cow<'a, str>,
        /// The response it is part of.
        response: Cow<'a, str>,
    },
    /// The agent called a tool.
    Call {
        /// The call's id.
        id: Cow<'a, str>,
        /// The tool.
        name: Cow<'a, str>,
        /// Its input, JSON.
        input: Option<&'a RawValue>,
    },
    /// A tool call ended.
    Result(CallResult<'a>),
    /// The person stopped the turn.
    Interrupted,
    /// Tokens of one response; the last record of a response counts.
    Usage {
        /// The response.
        response: Cow<'a, str>,
        /// What it cost.
        usage: Usage,
    },
    /// The context was compacted here.
    Boundary {
        /// Who asked for it.
        trigger: Option<Cow<'a, str>>,
    },
    /// What took the place of what was compacted away.
    Summary {
        /// Its text.
        text: Cow<'a, str>,
    },
    /// A text of Reveille's own, which stands in place of what was compacted away.
    Ours {
        /// Its text.
        text: Cow<'a, str>,
    },
    /// News of a background task or sub-agent.
    Notification {
        /// As the harness wrote it.
        text: Cow<'a, str>,
        /// Whether it was given to the agent, rather than queued.
        delivered: bool,
    },
    /// The agent's turn is over.
    TurnEnd,
    /// The session has a name.
    Title {
        /// The name.
        text: Cow<'a, str>,
        /// Whether a person gave it.
        given: bool,
    },
    /// A record kind that this build does not know.
    UnknownKind(Cow<'a, str>),
}
