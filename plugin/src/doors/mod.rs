//! What comes in where the harness is open-ended, and what goes back.

mod hook;
pub mod tools;

pub use hook::{hook_answer, read_hook};
pub use tools::{read_wake_call, tools, wake_result};
