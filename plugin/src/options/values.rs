//! Options as the rooms use them.

use std::collections::BTreeMap;

use crate::checks::CustomCheck;

/// A size of a context.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// Of the window in force: 0.4 is 40 %.
    Share(f64),
    /// Tokens.
    Tokens(u64),
}

/// The marks of one kind of party.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marks {
    /// Where nudges start.
    pub start: Mark,
    /// From one nudge to the next.
    pub step: Mark,
    /// Where it is compacted without a handoff.
    pub ceiling: Mark,
    /// Nobody set the ceiling, or not to what can be used.
    pub ceiling_is_default: bool,
    /// Tokens. None: as the client reports.
    pub max_context: Option<u64>,
}

/// What a compaction does that the person asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manual {
    /// The client's own summary.
    Native,
    /// The stored handoff, where there is one.
    Handoff,
}

/// What the decision log holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    /// Every decision and every line shown.
    Normal,
    /// Each hook's event too, and every number as the API gave it.
    Debug,
}

/// All options.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Of main.
    pub main: Marks,
    /// Of sub-agents.
    pub agent: Marks,
    /// At the ceiling the client's own summary is taken.
    pub ceiling_native: bool,
    /// What `/compact` does.
    pub manual: Manual,
    /// Parts of names of models that are left alone, as written; case does not matter where they are compared.
    pub ignore_models: Vec<String>,
    /// Names of skills that every wake carries.
    pub keep_skills: Vec<String>,
    /// Other names of repositories, in lower case, and what each stands for: a display key or a remote URL.
    pub aliases: BTreeMap<String, String>,
    /// Commands that verify something and that no table knows.
    pub checks: Vec<CustomCheck>,
    /// Where decision logs are kept, absolute. None: in the data directory.
    pub log_dir: Option<String>,
    /// What they hold.
    pub log_level: LogLevel,
    /// Days that ledgers and logs are kept.
    pub retention_days: u32,
    /// What is set and cannot be used, one sentence or two each: what it is, what is used in its place and what to write.
    pub faults: Vec<String>,
}

const NOTHING: Marks =
    Marks { start: Mark::Tokens(0), step: Mark::Tokens(0), ceiling: Mark::Tokens(0), ceiling_is_default: true, max_context: None };

impl Options {
    /// What the table's defaults are read into.
    pub(super) const BLANK: Self = Self {
        main: NOTHING,
        agent: NOTHING,
        ceiling_native: false,
        manual: Manual::Native,
        ignore_models: Vec::new(),
        keep_skills: Vec::new(),
        aliases: BTreeMap::new(),
        checks: Vec::new(),
        log_dir: None,
        log_level: LogLevel::Normal,
        retention_days: 0,
        faults: Vec::new(),
    };
}
