//! Commands as checks and runs: what a shell command line does, how it ended, and which failures still stand.
//!
//! One command line becomes a [`Reading`]; the fold turns it into runs at the call, settles them at the result, and the ledger judges all runs of a
//! session together, whichever file they came from.

pub mod summary;

use serde::{Deserialize, Serialize};

use crate::contract::types::{Commit, Counts, Edit, PublicationKind, Run, RunKind, Source, UnknownCause, Verdict};

/// A check program that the person named in the options: first words of a command that verifies something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CustomCheck {
    /// Words that the command begins with.
    pub words: Vec<String>,
}

/// How far the shell parser understood a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Parse {
    /// The whole of it.
    Exact,
    /// After closing what was left open.
    Repaired,
    /// Up to the last separator before the error.
    Prefix,
    /// Split on separators only.
    Unparsed,
}

/// Whether the shell's exit status is this command's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StatusOf {
    /// The shell returned this command's status, whether it passed or failed.
    Own,
    /// The shell succeeds only if this command did: `a && b` seen from `a`.
    PassOnly,
    /// Nothing follows from the shell's status.
    Masked,
}

/// One check or run in a command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invocation {
    /// Check or run.
    pub kind: RunKind,
    /// The command as shown.
    pub command: String,
    /// Canonical program and subcommand.
    pub program: String,
    /// Absolute directory, when known.
    pub directory: Option<String>,
    /// Packages, sorted; empty is all.
    pub packages: Vec<String>,
    /// Files and filters, sorted; empty is all.
    pub targets: Vec<String>,
    /// What the shell's status says of it.
    pub status: StatusOf,
    /// Started with `&`.
    pub background: bool,
}

/// What one command line does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Checks and runs in order.
    pub invocations: Vec<Invocation>,
    /// Files it writes: absolute where known, `None` where it writes files that cannot be named (a formatter, an installer).
    pub writes: Vec<Option<String>>,
    /// Whether it may have made commits: its output names them.
    pub commits: bool,
    /// What it publishes when it succeeds.
    pub publishes: Vec<PublicationKind>,
    /// How far it was understood.
    pub parse: Parse,
}

/// How a shell call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The harness reports success.
    Succeeded,
    /// The harness reports an error, with the status when it is printed.
    Failed(Option<i32>),
    /// It goes on in the background.
    Background,
    /// Stopped by the person while it ran.
    Interrupted,
    /// Never ran.
    Denied,
    /// Stopped at its deadline.
    TimedOut,
}

/// What a command's result says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Passed, failed or unknown.
    pub verdict: Verdict,
    /// Why unknown.
    pub cause: Option<UnknownCause>,
    /// What the runner's summary counted.
    pub counts: Option<Counts>,
}

/// Reads a shell command line as run in `cwd`.
pub fn read(_command: &str, _cwd: Option<&str>, _custom: &[CustomCheck]) -> Reading {
    Reading { invocations: Vec::new(), writes: Vec::new(), commits: false, publishes: Vec::new(), parse: Parse::Exact }
}

/// Judges one invocation of a reading by the shell's ending and the whole output.
pub fn judge(_reading: &Reading, _index: usize, _ending: Ending, _output: &str) -> Judgement {
    Judgement { verdict: Verdict::Unknown, cause: Some(UnknownCause::NoResult), counts: None }
}

/// Commits that a finished command made: those that git's own output names (`[branch abc1234] subject`), else, when it printed nothing and did not fail,
/// the one that the command line asks for, without a hash.
pub fn commits_in(_reading: &Reading, _output: &str, _failed: bool, _at: &Source) -> Vec<Commit> {
    Vec::new()
}

/// All runs of a session judged together, in the order of their time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// The newest check that passed.
    pub last_passed: Option<Run>,
    /// Edits after it.
    pub edits_since_pass: u32,
    /// The newest failure of a check or run.
    pub last_failed: Option<Run>,
    /// The later run that resolved `last_failed`, or the newest later run of the same check that did not pass.
    pub rerun: Option<Run>,
    /// Failures that no later run resolved, newest first.
    pub unresolved: Vec<Run>,
    /// Each distinct check with its latest run.
    pub latest: Vec<Run>,
}

/// Builds the ledger of runs and edits from the session's file and its sub-agents' files.
pub fn ledger(_runs: &[Run], _edits: &[Edit]) -> Ledger {
    Ledger::default()
}
