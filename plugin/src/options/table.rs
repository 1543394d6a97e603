//! The table: what can be set, how it is written, and where it goes.

use std::collections::BTreeMap;

use super::values::{LogLevel, Manual, Mark, Options};
use crate::checks::CustomCheck;

/// Where a value goes. Its kind is its syntax.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    /// A share or tokens; 0 is one.
    Start(fn(&mut Options) -> &mut Mark),
    /// A share or tokens, above 0.
    Mark(fn(&mut Options) -> &mut Mark),
    /// Tokens, above 0.
    Context(fn(&mut Options) -> &mut Option<u64>),
    /// `yes` or `no`.
    YesNo(fn(&mut Options) -> &mut bool),
    /// One of [`MANUAL`].
    Manual(fn(&mut Options) -> &mut Manual),
    /// One of [`LOG_LEVEL`].
    LogLevel(fn(&mut Options) -> &mut LogLevel),
    /// Parts of names by commas.
    NameParts(fn(&mut Options) -> &mut Vec<String>),
    /// Names by commas.
    Names(fn(&mut Options) -> &mut Vec<String>),
    /// `name=target` by commas.
    Aliases(fn(&mut Options) -> &mut BTreeMap<String, String>),
    /// Commands by commas.
    Checks(fn(&mut Options) -> &mut Vec<CustomCheck>),
    /// An absolute path.
    Path(fn(&mut Options) -> &mut Option<String>),
    /// A whole number of days, above 0.
    Days(fn(&mut Options) -> &mut u32),
}

/// Words of the closed choices, the default first.
pub const YES_NO: &[(&str, bool)] = &[("no", false), ("yes", true)];
/// See [`Field::Manual`].
pub const MANUAL: &[(&str, Manual)] = &[("native", Manual::Native), ("handoff", Manual::Handoff)];
/// See [`Field::LogLevel`].
pub const LOG_LEVEL: &[(&str, LogLevel)] = &[("normal", LogLevel::Normal), ("debug", LogLevel::Debug)];

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name, which is its key in `userConfig` too.
    pub name: &'static str,
    /// Where its value goes, and so its syntax.
    pub field: Field,
    /// As one would write it. Empty: nothing is set.
    pub default: &'static str,
    /// What holds while nothing is set, where the default is empty.
    pub unset: &'static str,
    /// In the client's menu.
    pub title: &'static str,
    /// What it does, in sentences.
    pub description: &'static str,
}

impl Row {
    /// The variable of the environment that sets it.
    pub fn variable(&self) -> String {
        format!("REVEILLE_{}", self.name.to_uppercase())
    }

    /// The variable in which the client hands on what the plugin's settings say.
    pub fn setting_variable(&self) -> String {
        format!("CLAUDE_PLUGIN_OPTION_{}", self.name.to_uppercase())
    }

    /// The default as a person reads it.
    pub fn default_words(&self) -> &'static str {
        if self.default.is_empty() { self.unset } else { self.default }
    }
}

/// All options, in the order in which they are shown.
pub static TABLE: &[Row] = &[
    Row {
        name: "main_nudge_start",
        field: Field::Start(|options| &mut options.main.start),
        default: "40%",
        unset: "",
        title: "First nudge",
        description: "The context at which the agent is first asked to hand off.",
    },
    Row {
        name: "main_nudge_step",
        field: Field::Mark(|options| &mut options.main.step),
        default: "10%",
        unset: "",
        title: "From nudge to nudge",
        description: "How much the context grows until the agent is asked again.",
    },
    Row {
        name: "main_ceiling",
        field: Field::Mark(|options| &mut options.main.ceiling),
        default: "85%",
        unset: "",
        title: "Ceiling",
        description: "The context at which it is compacted without a handoff. While it is not set it is never below the point at which Claude Code asks.",
    },
    Row {
        name: "main_max_context",
        field: Field::Context(|options| &mut options.main.max_context),
        default: "",
        unset: "as Claude Code reports it",
        title: "Largest context",
        description: "The window that shares are taken of.",
    },
    Row {
        name: "agent_nudge_start",
        field: Field::Start(|options| &mut options.agent.start),
        default: "40%",
        unset: "",
        title: "First nudge of a sub-agent",
        description: "The context at which a sub-agent is first asked to hand off.",
    },
    Row {
        name: "agent_nudge_step",
        field: Field::Mark(|options| &mut options.agent.step),
        default: "10%",
        unset: "",
        title: "From nudge to nudge of a sub-agent",
        description: "How much a sub-agent's context grows until it is asked again, and until its calls wait for a handoff.",
    },
    Row {
        name: "agent_ceiling",
        field: Field::Mark(|options| &mut options.agent.ceiling),
        default: "80%",
        unset: "",
        title: "Ceiling of a sub-agent",
        description: "The context at which a sub-agent is compacted without a handoff. While it is not set it is never below the point at which Claude Code asks.",
    },
    Row {
        name: "agent_max_context",
        field: Field::Context(|options| &mut options.agent.max_context),
        default: "",
        unset: "as Claude Code reports it",
        title: "Largest context of a sub-agent",
        description: "The window that a sub-agent's shares are taken of.",
    },
    Row {
        name: "ceiling_native",
        field: Field::YesNo(|options| &mut options.ceiling_native),
        default: "no",
        unset: "",
        title: "Claude Code's summary at the ceiling",
        description: "At the ceiling without a handoff: no puts the recorded facts in place of the conversation, yes leaves it to Claude Code's own summary.",
    },
    Row {
        name: "manual",
        field: Field::Manual(|options| &mut options.manual),
        default: "native",
        unset: "",
        title: "What /compact does",
        description: "native is Claude Code's own summary. handoff installs the stored handoff, when there is one and /compact carries no instructions.",
    },
    Row {
        name: "ignore_models",
        field: Field::NameParts(|options| &mut options.ignore_models),
        default: "",
        unset: "none",
        title: "Models left alone",
        description: "Parts of model names, whatever their case. A model whose name holds one is never asked to hand off; it is compacted at the ceiling.",
    },
    Row {
        name: "keep_skills",
        field: Field::Names(|options| &mut options.keep_skills),
        default: "",
        unset: "none",
        title: "Skills always carried",
        description: "Names of skills that stay after a compaction even when a handoff drops them.",
    },
    Row {
        name: "aliases",
        field: Field::Aliases(|options| &mut options.aliases),
        default: "",
        unset: "none",
        title: "Aliases of repositories",
        description: "Short names for the repo that session_wake is asked for.",
    },
    Row {
        name: "checks",
        field: Field::Checks(|options| &mut options.checks),
        default: "",
        unset: "none",
        title: "Commands that are checks",
        description: "First words of commands of the project's own that verify something.",
    },
    Row {
        name: "log_dir",
        field: Field::Path(|options| &mut options.log_dir),
        default: "",
        unset: "in the data directory",
        title: "Folder of decision logs",
        description: "Where the log of each session's compactions is written.",
    },
    Row {
        name: "log_level",
        field: Field::LogLevel(|options| &mut options.log_level),
        default: "normal",
        unset: "",
        title: "What decision logs hold",
        description: "normal is every decision and every line shown; debug is each hook's event too, and every number as the API gave it.",
    },
    Row {
        name: "retention_days",
        field: Field::Days(|options| &mut options.retention_days),
        default: "30",
        unset: "",
        title: "Days that records are kept",
        description: "How long ledgers and decision logs of sessions are kept.",
    },
];
