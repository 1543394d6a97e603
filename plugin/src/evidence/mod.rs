//! What was said and whether it was kept: promises, questions, decisions, and the claim that the work is done.
//!
//! The fold tells it what was said and done, in file order; it keeps bounded state that the fold saves with its own.

pub mod outcome;

use serde::{Deserialize, Serialize};

use crate::contract::types::{Decision, Quote, Source, Statement};

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

/// Everything said so far that may still matter. Bounded: the oldest settled statements go first, and then the oldest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statements {}

impl Statements {
    /// The person typed this.
    pub fn person_said(&mut self, _text: &str, _at: &Source) {}

    /// The person answered the agent's question tool, or chose something offered.
    pub fn person_answered(&mut self, _question: &str, _answer: &str, _at: &Source) {}

    /// The agent wrote this to the person.
    pub fn agent_said(&mut self, _text: &str, _at: &Source) {}

    /// The agent asked with its question tool and waits.
    pub fn agent_asked(&mut self, _question: &str, _at: &Source) {}

    /// The agent's turn ended: what the person says next answers it.
    pub fn turn_ended(&mut self, _at: &Source) {}

    /// Something was done.
    pub fn acted(&mut self, _action: Action<'_>, _at: &Source) {}

    /// The context was compacted here; `summary` is what took its place, when known.
    pub fn compacted(&mut self, _summary: Option<&str>, _at: &Source) {}

    /// Promises of the agent, oldest first.
    pub fn promises(&self) -> Vec<Statement> {
        Vec::new()
    }

    /// Questions of the person that got no answer.
    pub fn unanswered(&self) -> Vec<Statement> {
        Vec::new()
    }

    /// Questions of the agent that the person did not answer.
    pub fn asked_person(&self) -> Vec<Statement> {
        Vec::new()
    }

    /// Decisions of both, oldest first.
    pub fn decisions(&self) -> Vec<Decision> {
        Vec::new()
    }

    /// The agent's newest claim that the work is done, unless the person asked for more after it.
    pub fn claimed_done(&self) -> Option<Quote> {
        None
    }
}
