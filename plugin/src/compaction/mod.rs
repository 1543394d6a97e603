//! Forward compaction: the agent hands its own context over, and a compaction installs that handoff with recorded facts in place of a summary.
//!
//! One event goes through in this order: [`event`] reads it, [`session`] hands it to who answers it, who decides over the [`state`] and writes [`fact`]s; the facts
//! are the ledger's rows, and the state is a function of them.

mod answer;
mod ask;
mod calls;
mod decide;
mod dossier;
mod event;
mod fact;
mod files;
mod gate;
pub mod handoff;
mod heard;
mod install;
mod ledger;
mod marks;
mod nudge;
mod party;
mod ranges;
mod ratio;
mod say;
mod session;
mod settings_hook;
mod skills;
mod start;
mod state;
mod status;
mod steps;
mod tail;
mod tally;
#[cfg(test)]
mod tests;
mod tool_effects;

pub use answer::{pass, records, unlogged, unwritten};
pub use session::Session;
pub use settings_hook::{HANDED, after_compaction};
