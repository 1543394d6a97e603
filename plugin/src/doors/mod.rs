//! What comes in where the harness is open-ended, and what goes back.

mod handoff_tool;
mod hook;
pub mod tools;

pub use handoff_tool::handoff_event;
pub use hook::{hook_answer, read_hook};
pub use tools::{FORWARD_COMPACTION, LOOK_BACK, is_absolute, is_tool, read_wake_call, tools, wake_result};
