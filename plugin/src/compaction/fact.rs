//! What the ledger records: typed facts, written as they happen and never reconstructed from rendered text.

use serde::{Deserialize, Serialize};

use super::party::{PartyId, Task};
use super::ranges::Range;

/// How strongly a file was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TouchKind {
    /// Read.
    R,
    /// Edited.
    E,
    /// Written.
    W,
}

/// A file that a handoff asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadFile {
    /// Absolute.
    pub path: String,
    /// The lines asked for, as written; none: all.
    pub lines: Option<String>,
    /// The same, read; empty: all.
    pub ranges: Vec<Range>,
    /// Why.
    pub why: String,
    /// FNV-1a of the whole content when the handoff was stored.
    pub hash: u64,
    /// The content then; none when it was longer than is kept.
    pub text: Option<String>,
}

/// What an agent handed off.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Handoff {
    /// The sections, headed, in fixed order, verbatim.
    pub text: String,
    /// Files to carry.
    pub files: Vec<LoadFile>,
    /// Skills it wants dropped.
    pub drop_skills: Vec<String>,
    /// The call that stored it.
    pub call: String,
    /// The reading when it was stored.
    pub reading: Option<u64>,
    /// The ledger position when it was stored.
    pub position: u64,
    /// What its call was answered with.
    pub receipt: String,
}

/// Which wake an install is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WakeKind {
    /// The agent's own handoff with the facts.
    Handoff,
    /// The facts alone.
    Mechanical,
}

/// A wake that was offered to the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Install {
    /// Which.
    pub kind: WakeKind,
    /// The handoff that it carries.
    pub handoff: Option<Handoff>,
    /// The reading before; none: unknown.
    pub before: Option<u64>,
    /// Characters of the facts, and of the handoff message.
    pub facts: u64,
    /// Likewise.
    pub handoff_characters: u64,
    /// Messages kept.
    pub kept: u64,
    /// Messages dropped.
    pub dropped: u64,
    /// The ledger position when it was offered.
    pub position: u64,
    /// Tokens of the first reading after it.
    pub after: Option<u64>,
}

/// Why a stored handoff goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DropCause {
    /// The person compacted by hand.
    Manual,
    /// Its call is no longer in the conversation.
    CallGone,
    /// It was handed back beside Claude Code's summary.
    HandedBack,
}

/// Who compacted, when it was not an install of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CompactedBy {
    /// Claude Code, seen by the hooks module.
    Native,
    /// Somebody, between two readings.
    Unseen,
}

/// An agent as the client lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentRow {
    /// Its id.
    pub id: String,
    /// Its type.
    pub kind: String,
    /// Its task's name.
    pub description: String,
    /// `running`, `completed`, …
    pub status: String,
    /// Whose child it is; none: main's.
    pub parent: Option<String>,
    /// Its window in tokens.
    pub window: Option<u64>,
    /// Tokens it has used; none: unknown.
    pub tokens: Option<u64>,
    /// Where it works.
    pub cwd: Option<String>,
}

/// A background shell or a scheduled prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BackgroundRow {
    /// Its id.
    pub id: String,
    /// `shell`, `cron`, or what the client calls it.
    pub kind: String,
    /// The command, or the prompt with its schedule.
    pub text: String,
    /// As the client says.
    pub status: Option<String>,
}

/// One fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fact {
    /// The hooks module started with the session's process.
    Began {
        /// Whether a person is at the prompt.
        interactive: bool,
        /// The directory.
        cwd: Option<String>,
    },
    /// The session goes on under this id: `startup`, `resume`, `clear`, `fork`, `compact`.
    Source {
        /// Which.
        source: String,
    },
    /// The origin's rows stand before this one, or there are none.
    OriginCopied,
    /// Main's window as the client reports it, in tokens.
    Window {
        /// The model's.
        window: u64,
        /// What is measured against.
        raw: Option<u64>,
        /// From where it asks; none: auto-compaction is off.
        threshold: Option<u64>,
        /// Who set the compaction window.
        set_by: Option<String>,
    },
    /// The agents as listed.
    Agents {
        /// Each.
        rows: Vec<AgentRow>,
    },
    /// A sub-agent was spawned.
    Spawned {
        /// Its id.
        agent: String,
        /// Whose child; none: main's.
        parent: Option<String>,
        /// Its type.
        kind: String,
        /// Its task's name.
        description: String,
        /// What it was asked.
        brief: String,
        /// A fork of its parent.
        fork: bool,
    },
    /// A message woke a finished sub-agent again.
    WokenAgain {
        /// Which.
        party: PartyId,
    },
    /// The handoff tool was offered to a loop.
    ToolOffered {
        /// Whose.
        party: PartyId,
    },
    /// A turn began.
    TurnStarted {
        /// Whose.
        party: PartyId,
        /// Its id.
        turn: String,
    },
    /// A turn ended.
    TurnEnded {
        /// Whose.
        party: PartyId,
        /// Why.
        reason: String,
    },
    /// A step named a party's model: judged for the ignore list.
    Judged {
        /// Whose.
        party: PartyId,
        /// The model.
        model: String,
        /// The entry that it matches.
        ignored_by: Option<String>,
    },
    /// A request completed; its tokens, none where it carried no usage.
    Completed {
        /// Whose.
        party: PartyId,
        /// Tokens.
        reading: Option<u64>,
    },
    /// A request ended without a response.
    TooLong {
        /// Whose.
        party: PartyId,
    },
    /// Live characters at the last reading; none: the window cannot be read whole.
    Measured {
        /// Whose.
        party: PartyId,
        /// Unicode scalar values.
        characters: Option<u64>,
    },
    /// A tool result carried a nudge.
    Nudged {
        /// Whose.
        party: PartyId,
        /// At which level.
        level: u32,
    },
    /// The level of the first reading after an install: never nudged.
    Absorbed {
        /// Whose.
        party: PartyId,
        /// Which level.
        level: u32,
    },
    /// The gate refused a request's calls.
    Refused {
        /// Whose.
        party: PartyId,
        /// Which request.
        request: String,
    },
    /// A later request's call opened the gate.
    Opened {
        /// Whose.
        party: PartyId,
    },
    /// A handoff was stored.
    Stored {
        /// Whose.
        party: PartyId,
        /// It.
        handoff: Box<Handoff>,
    },
    /// A stored handoff went without an install.
    Dropped {
        /// Whose.
        party: PartyId,
        /// Why.
        cause: DropCause,
    },
    /// An ask was held.
    Held {
        /// Whose.
        party: PartyId,
    },
    /// A wake was offered.
    Offered {
        /// Whose.
        party: PartyId,
        /// It.
        install: Box<Install>,
    },
    /// The offered wake was taken.
    Installed {
        /// Whose.
        party: PartyId,
    },
    /// An offered wake was not taken.
    Refuted {
        /// Whose.
        party: PartyId,
    },
    /// A taken wake was measured, or will never be.
    Landed {
        /// Whose.
        party: PartyId,
        /// Tokens after it.
        after: Option<u64>,
    },
    /// Somebody else's compaction.
    Compacted {
        /// Whose.
        party: PartyId,
        /// By whom.
        by: CompactedBy,
    },
    /// A prompt of the person.
    Prompt {
        /// Verbatim.
        text: String,
    },
    /// A notice that reached main, or words of another agent or session.
    Notice {
        /// Where it came from, as the client calls it.
        from: String,
        /// Verbatim.
        text: String,
    },
    /// A message delivered to a sub-agent.
    Delivered {
        /// Whose.
        party: PartyId,
        /// Where it came from.
        from: String,
        /// Verbatim.
        text: String,
    },
    /// A skill's prompt was computed. Who loads it is not known yet.
    SkillRead {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
        /// Its file.
        path: Option<String>,
        /// Its frontmatter says `keep: true`.
        keep: bool,
    },
    /// The row that carries the skill's text names the party that loaded it.
    SkillLoaded {
        /// Its name.
        name: String,
        /// Whose.
        party: PartyId,
    },
    /// Skills that two handoffs in a row dropped left a party with an install.
    SkillsLeft {
        /// Whose.
        party: PartyId,
        /// Their names.
        names: Vec<String>,
    },
    /// A finished call touched a file.
    Touched {
        /// Whose.
        party: PartyId,
        /// Which.
        path: String,
        /// How.
        kind: TouchKind,
    },
    /// The task list was set.
    Tasks {
        /// Whose.
        party: PartyId,
        /// Whole.
        tasks: Vec<Task>,
    },
    /// What runs in the background, as of the last stop.
    Background {
        /// Each.
        rows: Vec<BackgroundRow>,
    },
    /// A sub-agent's run ended.
    Reported {
        /// Which.
        agent: String,
        /// `completed`, `failed`, `stopped`.
        status: String,
    },
    /// Something was said to the person that is said once.
    Told {
        /// What, by its key.
        what: String,
    },
    /// The session under this id ended.
    Ended {
        /// Why.
        reason: String,
    },
}
