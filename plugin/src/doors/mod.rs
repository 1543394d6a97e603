//! What comes in where the harness is open-ended, and what goes back.

use crate::contract::doors::{HookEvent, SessionStart, Tool, WakeCall};
use crate::contract::wake::{Answer, WakeError};

/// Reads a settings hook's input.
pub fn read_hook(_input: &[u8]) -> HookEvent {
    HookEvent::Nothing(None)
}

/// What the hook prints.
pub fn hook_answer(_event: &SessionStart, _answer: &Answer) -> Option<String> {
    None
}

/// The tools an agent sees.
pub fn tools() -> Vec<Tool> {
    Vec::new()
}

/// Reads the arguments of `session_wake`.
pub fn read_wake_call(_arguments: &str) -> Result<WakeCall, WakeError> {
    Ok(WakeCall { workspace: None, repository: None, session: None, raw: false })
}

/// `{markdown, report, gaps}` as JSON.
pub fn wake_result(_answer: &Answer) -> String {
    String::new()
}
