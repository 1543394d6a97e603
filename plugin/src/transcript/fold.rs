//! The fold: one transcript file's facts, chunk by chunk, in bounded memory.

use crate::contract::transcript::{Card, FileName, RestoreError};
use crate::contract::types::Facts;

/// One transcript file as far as it was pushed.
#[derive(Clone, Debug)]
pub struct Fold {
    name: FileName,
}

impl Fold {
    /// A fold of the file's first byte on.
    pub fn new(name: FileName) -> Self {
        Self { name }
    }

    /// Continues a saved fold.
    pub fn restore(_saved: &[u8]) -> Result<Self, RestoreError> {
        Err(RestoreError::NotUsable)
    }

    /// Adds the file's next bytes.
    pub fn push(&mut self, _chunk: &[u8]) {}

    /// Bytes up to the end of the last whole line.
    pub fn offset(&self) -> u64 {
        0
    }

    /// The state at `offset`.
    pub fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// All that is known.
    pub fn facts(&self) -> Facts {
        Facts {
            harness: self.name.harness,
            session: self.name.session.clone(),
            agent: self.name.agent.clone(),
            forked_from: None,
            title: None,
            started: None,
            ended: None,
            entries: 0,
            unreadable: Vec::new(),
            unreadable_count: 0,
            unknown_kinds: Vec::new(),
            torn: false,
            compactions: Vec::new(),
            usage: None,
            prompt_count: 0,
            tool_call_count: 0,
            task: None,
            last_asked: None,
            ran_in: None,
            directories: Vec::new(),
            runs: Vec::new(),
            edits: Vec::new(),
            changed: Vec::new(),
            tasks: Vec::new(),
            promises: Vec::new(),
            unanswered: Vec::new(),
            asked_person: Vec::new(),
            decisions: Vec::new(),
            commits: Vec::new(),
            publications: Vec::new(),
            claimed_done: None,
            children: Vec::new(),
        }
    }

    /// What choosing a session needs.
    pub fn card(&self) -> Card {
        Card {
            harness: self.name.harness,
            session: self.name.session.clone(),
            agent: self.name.agent.clone(),
            forked_from: None,
            title: None,
            ran_in: None,
            started: None,
            ended: None,
            has_prompt: false,
            has_tool_call: false,
            task: None,
        }
    }
}

/// A card from a file's head and tail; none when the tail holds too little.
pub fn peek(name: FileName, _head: &[u8], _tail: &[u8], _whole: bool) -> Option<Card> {
    Some(Fold::new(name).card())
}
