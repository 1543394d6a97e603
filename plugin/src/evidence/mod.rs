//! What was said and whether it was kept: promises, questions, decisions, and the claim that the work is done.
//!
//! The fold tells it what was said and done, in file order; it keeps bounded state that the fold saves with its own.

mod claim;
mod decisions;
mod deeds;
#[cfg(test)]
mod dialogues;
mod keeping;
pub mod merge;
pub mod outcome;
mod promises;
mod questions;
mod sentences;
mod statements;
mod words;

pub use statements::Statements;

/// Something that happened, which may keep a promise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action<'a> {
    /// A shell command that was run (not denied, not failed unless `failed`).
    Command {
        /// The command line.
        line: &'a str,
        /// Whether it ended in failure.
        failed: bool,
    },
    /// A file written by a tool.
    Edit {
        /// Its path.
        path: &'a str,
    },
    /// A commit made.
    Commit {
        /// Its subject.
        subject: &'a str,
    },
    /// Another tool call that finished: its name and its input as JSON.
    Tool {
        /// The tool's name.
        name: &'a str,
        /// Its input.
        input: &'a str,
    },
}
