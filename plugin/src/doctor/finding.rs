//! One thing looked at.

use serde::Serialize;

use crate::transcript::text::fold_line;
use crate::wake::cut;

/// Bytes of what was found.
const FOUND: usize = 300;

/// What is looked at, in the order it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    Binary,
    Component,
    DataDirectory,
    Index,
    ClientDirectory,
    PluginInstalled,
    PluginEnabled,
    Hooks,
    Git,
    Checkout,
    Sessions,
    Options,
}

impl Topic {
    /// As a person reads it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "Binary",
            Self::Component => "Component",
            Self::DataDirectory => "Data directory",
            Self::Index => "Index",
            Self::ClientDirectory => "Claude Code",
            Self::PluginInstalled => "Installed",
            Self::PluginEnabled => "Enabled",
            Self::Hooks => "Hooks",
            Self::Git => "Git",
            Self::Checkout => "Checkout",
            Self::Sessions => "Sessions",
            Self::Options => "Options",
        }
    }
}

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Ok,
    /// Works, and may surprise.
    Note,
    /// Something does not work, or not as it was set.
    Wrong,
}

impl State {
    /// As a person reads it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Wrong => "WRONG",
        }
    }
}

/// One thing looked at: what was found, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub topic: Topic,
    pub state: State,
    /// One line.
    pub found: String,
    /// One line; none where there is nothing to do.
    pub remedy: Option<String>,
}

impl Finding {
    pub fn ok(topic: Topic, found: impl AsRef<str>) -> Self {
        Self::new(topic, State::Ok, found.as_ref(), None)
    }

    pub fn note(topic: Topic, found: impl AsRef<str>, remedy: impl AsRef<str>) -> Self {
        Self::new(topic, State::Note, found.as_ref(), Some(remedy.as_ref()))
    }

    pub fn wrong(topic: Topic, found: impl AsRef<str>, remedy: impl AsRef<str>) -> Self {
        Self::new(topic, State::Wrong, found.as_ref(), Some(remedy.as_ref()))
    }

    /// What a machine says may hold anything: it becomes one line of a bounded length.
    fn new(topic: Topic, state: State, found: &str, remedy: Option<&str>) -> Self {
        Self { topic, state, found: cut(&fold_line(found), FOUND), remedy: remedy.map(fold_line) }
    }
}
