//! Commands as checks and runs: what a shell command line does, how it ended, and which failures still stand.
//!
//! One command line becomes a [`Reading`]; the fold turns it into runs at the call, settles them at the result, and the ledger judges all runs of a
//! session together, whichever file they came from.

mod arguments;
mod commits;
mod coverage;
mod flow;
mod git;
mod judge;
mod ledger;
mod names;
mod paths;
mod programs;
mod reading;
mod recognise;
mod shell;
pub mod summary;
mod wrappers;
mod writes;

#[cfg(test)]
mod tests;

pub use commits::commits_in;
pub use judge::judge;
pub use ledger::ledger;
pub use reading::read;

use serde::{Deserialize, Serialize};

use crate::contract::types::{Counts, PublicationKind, Run, RunKind, UnknownCause, Verdict};
use flow::Op;

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
    /// The shell fails only if this command did: `a || b` seen from `a`.
    FailOnly,
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

/// How the statuses of a line's invocations become the shell's: what [`judge`] reasons with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Flow(Vec<Op>);

/// A commit that a command line asks git for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskedCommit {
    /// The first line of its message, when the command line has it.
    pub subject: Option<String>,
    /// Whether git is told to print nothing.
    pub quiet: bool,
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
    /// The commit that it asks for by `git commit`.
    pub asked_commit: Option<AskedCommit>,
    /// What it publishes when it succeeds.
    pub publishes: Vec<PublicationKind>,
    /// How far it was understood.
    pub parse: Parse,
    /// How the statuses of the invocations become the shell's.
    pub flow: Flow,
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
