//! A session that hands its context over, as scripts play it.

use serde_json::json;

use crate::model_server::Step;

/// The handoff tool as the hooks module registers it.
pub const TOOL: &str = "mcp__reveille__forward_compaction";

/// Asks come from 67,000 tokens on, and shares are of 100,000.
pub const SMALL: [&str; 2] = ["--autocompact", "100k"];

/// The call of the handoff tool.
pub fn hand_off() -> Step {
    Step::call(
        TOOL,
        json!({"objective": "Print a header.", "done": "Nothing yet.", "remaining": "The header.", "next": "Edit src/importer.sh."}),
    )
}

/// A shell call that prints a word.
pub fn echo(word: &str) -> Step {
    Step::shell(&format!("echo {word}"))
}

/// A turn that hands off and is asked to compact: `echo before` goes, `echo after` and `So far.` stay.
pub fn installs() -> Vec<Step> {
    vec![
        echo("before").with_input_tokens(30_000),
        hand_off().with_input_tokens(45_000),
        echo("after").with_input_tokens(70_000),
        Step::text("So far.").with_input_tokens(9_000),
    ]
}

/// A turn that hands off and is killed while its next call runs.
pub fn hangs_after_the_handoff() -> Vec<Step> {
    vec![echo("before").with_input_tokens(30_000), hand_off().with_input_tokens(45_000), Step::shell("sleep 30")]
}
