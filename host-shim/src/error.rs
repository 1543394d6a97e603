//! What each door answers when something fails, and the words for failures of the machine, when there is no component to word them.
//!
//! | door | when anything fails | exit status |
//! |---|---|---|
//! | `hook` | prints nothing on standard output, one line on standard error; the session goes on | 0 |
//! | `event` | the component's answer to a failure: a compaction gets a wake without tail and files, everything else passes through; no component: nothing is printed, and the module passes through | 0 |
//! | `mcp` | the call's result is an error that says why; the server goes on | 0 at the client's end |
//! | command line | one line on standard error | 1 failure, 2 usage, 3 not found or ambiguous |

use std::process::ExitCode;

use thiserror::Error;

use crate::bindings::exports::reveille::core::wake::WakeError;

/// Everything that can go wrong on the way to an answer.
#[derive(Debug, Error)]
pub enum Failure {
    /// The component could not be loaded.
    #[error("the component cannot be loaded ({0}): this binary is damaged, install it again")]
    Load(String),
    /// The component was stopped: a limit, or a bug.
    #[error("the component stopped ({0}): please report it with the transcript's shape")]
    Stopped(String),
    /// The component says what is wrong; the words are its own.
    #[error("{words}")]
    Refused {
        /// What it says.
        words: String,
        /// Whether what was asked for does not exist or is not unique.
        not_found: bool,
    },
    /// The machine refused.
    #[error("{what}: {why}")]
    Machine {
        /// What was tried.
        what: String,
        /// What the machine said.
        why: String,
    },
}

impl Failure {
    /// A failure of the machine.
    pub fn machine(what: impl Into<String>, why: impl std::fmt::Display) -> Self {
        Self::Machine { what: what.into(), why: why.to_string() }
    }

    /// A command line that is none.
    pub fn usage(line: &str) -> Self {
        Self::Refused { words: format!("usage: {line}"), not_found: false }
    }

    /// What the command line ends with.
    pub fn exit(&self) -> ExitCode {
        match self {
            Self::Refused { not_found: true, .. } => ExitCode::from(3),
            Self::Refused { not_found: false, .. } => ExitCode::from(2),
            _ => ExitCode::FAILURE,
        }
    }
}

/// Whether an error of the component says that something is not there.
pub fn is_not_found(error: &WakeError) -> bool {
    matches!(error, WakeError::NoSuchSession(_) | WakeError::AmbiguousSession(_) | WakeError::NoSuchRepository(_))
}

/// What the hook door says when a session start cannot be answered.
pub fn hook_line(failure: &Failure) -> String {
    format!("reveille: {failure}; nothing was added to the session")
}

/// Why an event is only kept for later.
pub fn locked() -> String {
    "another event of this session holds its lock; this one is recorded with the next".to_owned()
}

/// What the hook door says when standard input does not end.
pub fn endless_input() -> String {
    "reveille: the hook's input did not end within a second; nothing was added to the session".to_owned()
}
