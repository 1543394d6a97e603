//! A conversation with a context of its own: the main one, or a sub-agent's.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fact::{Handoff, Install, TouchKind};

/// `main`, or `agent:<id>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PartyId(String);

impl PartyId {
    /// The main conversation.
    pub fn main() -> Self {
        Self("main".to_owned())
    }

    /// The conversation of an event that names an agent, or none for the main one.
    pub fn of(agent: Option<&str>) -> Self {
        agent.filter(|agent| !agent.is_empty()).map_or_else(Self::main, |agent| Self(format!("agent:{agent}")))
    }

    /// Whether it is the main one.
    pub fn is_main(&self) -> bool {
        self.0 == "main"
    }

    /// The sub-agent's id.
    pub fn agent(&self) -> Option<&str> {
        self.0.strip_prefix("agent:")
    }

    /// As rows and a person read it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where a sub-agent's gate stands. It starts over at each install.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// The level of its first nudge.
    pub first_nudge: Option<u32>,
    /// The request whose calls were refused.
    pub refused: Option<String>,
    /// A call of a later request opened it.
    pub opened: bool,
}

/// The first reading of a live window with its live characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// Tokens.
    pub reading: u64,
    /// Live characters then.
    pub characters: u64,
}

/// One of the agent's own tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Its id, where the tool gives one.
    pub id: Option<String>,
    /// What is to be done.
    pub text: String,
    /// `pending`, `in_progress`, `completed`, or as the tool says.
    pub status: String,
}

/// What is known of one party.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Party {
    /// Tokens of its last completed request; none before the first, and none from an install until the next.
    pub reading: Option<u64>,
    /// The last reading there was, an install or not.
    pub last_reading: Option<u64>,
    /// The model its last step named.
    pub model: Option<String>,
    /// The entry of the ignore list that its model matches.
    pub ignored_by: Option<String>,
    /// The highest level that was nudged or absorbed.
    pub level: u32,
    /// The next reading's level is absorbed silently.
    pub absorbs: bool,
    /// Where its gate stands.
    pub gate: Gate,
    /// The handoff tool was offered to its loop.
    pub offered_tool: bool,
    /// It was spawned while this ledger was kept.
    pub spawned_here: bool,
    /// A fork of its parent.
    pub fork: bool,
    /// Whose child it is; none: main's.
    pub parent: Option<String>,
    /// The agent's type.
    pub kind: Option<String>,
    /// What its task is called.
    pub description: Option<String>,
    /// What it was asked to do.
    pub brief: Option<String>,
    /// Its window in tokens, as the agent list gives it.
    pub window: Option<u64>,
    /// The handoff it stored.
    pub handoff: Option<Handoff>,
    /// Skills that the handoff before named to drop.
    pub dropped_before: Vec<String>,
    /// Skills that two handoffs in a row named.
    pub dropped: Vec<String>,
    /// Where its ratio is measured from.
    pub base: Option<Base>,
    /// Its window's first reading came, and its live characters are not measured yet.
    pub wants_base: bool,
    /// Its last step in this turn ended without a response: the request was too long.
    pub too_long: bool,
    /// An ask was held, and no request completed since.
    pub held: bool,
    /// Held asks in a row.
    pub holds: u32,
    /// Mechanical wakes with no completed request between them.
    pub mechanical: u32,
    /// A wake was offered, and nothing shows yet that it was taken.
    pub offered: Option<Install>,
    /// The last wake that was taken.
    pub installed: Option<Install>,
    /// The taken wake's next reading is not there yet.
    pub landing: bool,
    /// A wake was taken in this turn.
    pub installed_this_turn: bool,
    /// The turn in which the last wake was offered.
    pub offer_turn: Option<String>,
    /// The turn that runs.
    pub turn: Option<String>,
    /// Its task list as last set.
    pub tasks: Vec<Task>,
    /// Files touched: the strongest touch and the ledger position of the last.
    pub touched: BTreeMap<String, (TouchKind, u64)>,
    /// How its last run ended.
    pub reported: Option<String>,
}

/// Files that a party's state keeps; older touches go.
const TOUCHED: usize = 200;

impl Party {
    /// Every compaction, whoever made it, resets levels, gate and ratio base alike.
    pub fn compacted(&mut self) {
        self.reading = None;
        self.base = None;
        self.wants_base = false;
        self.absorbs = true;
        self.level = 0;
        self.gate = Gate::default();
        self.held = false;
        self.holds = 0;
        self.too_long = false;
    }

    /// Records a touch.
    pub fn touch(&mut self, path: String, kind: TouchKind, position: u64) {
        let touched = self.touched.entry(path).or_insert((kind, position));
        *touched = (touched.0.max(kind), position);
        if self.touched.len() > TOUCHED
            && let Some(oldest) = self.touched.iter().min_by_key(|(_, (_, position))| *position).map(|(path, _)| path.clone())
        {
            self.touched.remove(&oldest);
        }
    }
}
