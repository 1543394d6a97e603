//! Which repository a directory is, and what git said of it.

mod identity;
mod look;

pub use identity::{WORKTREES, below, identify, normalise_remote, owner_and_name};
pub use look::{LogEntry, Look, LookState, Upstream, first_look, reach_command, reachable, read_look};
