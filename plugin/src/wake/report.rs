//! The wake report as data. Everything the Markdown says is here first, uncut; what is unknown is null, never zero.

use serde::Serialize;

/// A wake report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// Version of this shape. It changes when a field goes or means something else.
    pub schema: u32,
    /// When the report was made, RFC 3339 in UTC.
    pub generated: String,
    /// Whether secrets were taken out of every text.
    pub redacted: bool,
    /// The checkout as git has it now.
    pub checkout: Checkout,
    /// What changed in the checkout since the session ended; null without a session or when git could not say.
    pub since: Option<Since>,
    /// The session; null when none was found.
    pub session: Option<Session>,
    /// Sessions before it in the same checkout, newest first, at most 3.
    pub before: Vec<Before>,
    /// What stands in the way, and what comes next.
    pub next: Next,
    /// What was looked for and not found.
    pub gaps: Vec<String>,
}

/// The checkout that the wake was asked in.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checkout {
    /// Display key of the repository: `owner/name` of its remote, else the last two components of its main checkout.
    pub repository: String,
    /// Whether the repository asked for is another than this directory's.
    pub other_repository: bool,
    /// Root of the checkout, or the directory where there is no git; absolute.
    pub root: String,
    /// `read`, `unborn`, `bare`, `not_a_checkout`, `not_trusted`, `unreadable`, `git_missing`, `timed_out`.
    pub state: String,
    /// What git said, for `unreadable`.
    pub why: Option<String>,
    /// The branch checked out; null when detached or unknown.
    pub branch: Option<String>,
    /// Whether HEAD is a commit rather than a branch.
    pub detached: bool,
    /// HEAD's full hash.
    pub head: Option<String>,
    /// HEAD's subject.
    pub subject: Option<String>,
    /// Entries that `git status` lists: changed, staged, conflicted, untracked.
    pub dirty: Option<u32>,
    /// `tracking`, `none`, `gone`; null is unknown.
    pub upstream_state: Option<String>,
    /// Name of the upstream branch.
    pub upstream: Option<String>,
    /// Commits that the upstream lacks.
    pub ahead: Option<u32>,
    /// Commits that only the upstream has.
    pub behind: Option<u32>,
}

/// Drift: what others did in the checkout since the session.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Since {
    /// Commits of HEAD's history that are newer than the session and not made in it.
    pub commits: u32,
    /// Whether there may be more: the log was looked at only so far.
    pub more: bool,
    /// Their authors, most commits first.
    pub authors: Vec<String>,
    /// Files that the session changed.
    pub changed_files: u32,
    /// Those of them that changed again, in a commit or on disk; relative to the root where they lie in it.
    pub changed_again: Vec<String>,
}

/// Where a fact stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct At {
    /// Line number in the transcript, 1-based.
    pub seq: u64,
    /// The sub-agent whose transcript it is; null is the session's own.
    pub agent: Option<String>,
    /// The record's time, RFC 3339 in UTC.
    pub time: Option<String>,
    /// The same in milliseconds since 1970-01-01T00:00:00Z.
    #[serde(skip)]
    pub millis: Option<i64>,
}

/// Words somebody said.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quote {
    /// One line.
    pub text: String,
    /// Where it stands.
    pub at: At,
}

/// The session woken with.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Session {
    /// Its id.
    pub id: String,
    /// The harness that wrote it: `claude_code`.
    pub harness: String,
    /// Path of its transcript.
    pub transcript: String,
    /// Whether it is the session that asks: it was resumed or compacted, or asked for by id.
    pub own: bool,
    /// Whether it ran in this very checkout.
    pub same_checkout: bool,
    /// Its title, given or made by the client.
    pub title: Option<String>,
    /// First conversation record, RFC 3339 in UTC.
    pub started: Option<String>,
    /// Last conversation record, sub-agents' included.
    pub ended: Option<String>,
    /// Milliseconds of `started` and `ended`.
    #[serde(skip)]
    pub span: (Option<i64>, Option<i64>),
    /// Records in its file.
    pub entries: u64,
    /// Lines that are no record.
    pub unreadable: u64,
    /// The first of them.
    pub first_unreadable: Option<u64>,
    /// Whether the file ends inside a line.
    pub torn: bool,
    /// Times its context was compacted.
    pub compactions: u32,
    /// Tokens that the model wrote, sub-agents' included; null when no record says.
    pub tokens_out: Option<u64>,
    /// Whether a process that runs now says that it is this session.
    pub live: bool,
    /// Bytes of its file that the report does not know yet; 0 is none.
    pub unread_bytes: u64,
    /// When the index last read the file; null when it never did.
    pub read: Option<String>,
    /// The same in milliseconds.
    #[serde(skip)]
    pub read_at: Option<i64>,
    /// The first thing the person asked.
    pub task: Option<Quote>,
    /// The last thing the person asked.
    pub last_asked: Option<Quote>,
    /// Last recorded directory.
    pub ran_in: Option<String>,
    /// Last recorded branch.
    pub branch: Option<String>,
    /// How far it got.
    pub outcome: Option<Outcome>,
    /// Checks and runs.
    pub proof: Proof,
    /// Files it changed, most edits first, at most 200.
    pub changed: Vec<Changed>,
    /// How many there are.
    pub changed_count: u32,
    /// Open tasks, promises and questions, most important first, at most 200.
    pub loose_ends: Vec<LooseEnd>,
    /// How many there are.
    pub loose_end_count: u32,
    /// Sub-agents that ended and whose reply was not given to their parent.
    pub not_reported: Vec<Quote>,
    /// The session it was forked from.
    pub forked_from: Option<String>,
    /// Decisions that nothing superseded, the person's first, newest first.
    pub decided: Vec<Decision>,
    /// Decisions dropped by a compaction.
    pub forgotten: u32,
}

/// How far a session got.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// 1 claimed done, 2 files changed, 3 checks passed after the last change, 4 committed, 5 pushed, merged or released.
    pub rung: u8,
    /// For rung 5: `push`, `merge`, `release`.
    pub published: Option<String>,
    /// The commit, as git printed it.
    pub commit: Option<String>,
    /// Whether HEAD holds it; null is unknown.
    pub reachable: Option<bool>,
    /// The record that proves the rung.
    pub at: At,
}

/// Checks and runs judged together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proof {
    /// The newest check that passed.
    pub last_passed: Option<Run>,
    /// Edits after it.
    pub edits_since: u32,
    /// The newest failure.
    pub last_failed: Option<Run>,
    /// The later run that resolved it, or the newest later one of the same check.
    pub rerun: Option<Run>,
    /// The newest run, when its verdict is unknown.
    pub unknown: Option<Run>,
    /// Failures that nothing resolved, newest first, `last_failed` among them when it stands; at most 200.
    pub unresolved: Vec<Run>,
    /// How many there are.
    pub unresolved_count: u32,
}

/// One execution of a check or of the project's own code.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// `check` or `run`.
    pub kind: String,
    /// The command as shown.
    pub command: String,
    /// Where it ran, absolute.
    pub directory: Option<String>,
    /// `passed`, `failed`, `unknown`.
    pub verdict: String,
    /// Why unknown: `masked`, `background`, `interrupted`, `denied`, `timed_out`, `no_result`.
    pub cause: Option<String>,
    /// Tests that passed, as the runner printed.
    pub passed: Option<u32>,
    /// Tests that failed.
    pub failed: Option<u32>,
    /// The call's record.
    pub at: At,
}

/// A file the session changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Changed {
    /// Absolute path.
    pub path: String,
    /// How often it was written.
    pub edits: u32,
    /// The last write.
    pub at: At,
}

/// Something left open.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LooseEnd {
    /// `task_in_progress`, `promise`, `asked_by_person`, `asked_person`, `task_pending`.
    pub kind: String,
    /// One line.
    pub text: String,
    /// Where it stands.
    pub at: At,
}

/// Something decided.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decision {
    /// `person` or `agent`.
    pub speaker: String,
    /// One line.
    pub text: String,
    /// Where it stands.
    pub at: At,
    /// Whether a compaction dropped it.
    pub forgotten: bool,
}

/// A session before the one woken with.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Before {
    /// Its id.
    pub id: String,
    /// Its last conversation record, RFC 3339 in UTC.
    pub ended: Option<String>,
    /// Milliseconds of `ended`.
    #[serde(skip)]
    pub millis: Option<i64>,
    /// Its rung; null when its transcript was not read whole.
    pub rung: Option<u8>,
    /// Its task.
    pub task: Option<String>,
}

/// What stands in the way, and what comes next.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Next {
    /// The newest unresolved failure whose directory and files still exist.
    pub blocker: Option<Run>,
    /// The task in progress, else the newest open promise, else the oldest question without an answer.
    pub next: Option<LooseEnd>,
}

/// The JSON Schema of [`Report`].
#[cfg(feature = "schema")]
pub fn schema() -> String {
    let schema = schemars::schema_for!(Report);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
