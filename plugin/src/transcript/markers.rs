//! Lines that Reveille itself writes into a conversation, so that nothing of them is ever taken for the person's or the agent's words.

/// What the wake's Markdown begins with.
pub const WAKE_HEADING: &str = "# Wake · ";

/// First line of the facts that a compaction installs.
pub const INSTALLED_WAKE: &str = "<reveille wake>";

/// First line of the handoff that a compaction installs.
pub const INSTALLED_HANDOFF: &str = "<reveille handoff>";

/// Whether a text is one of ours.
pub fn is_ours(text: &str) -> bool {
    text.trim_start().starts_with(WAKE_HEADING) || is_installed(text)
}

/// Whether a text is one that a compaction of ours installs in place of the old messages.
pub fn is_installed(text: &str) -> bool {
    [INSTALLED_WAKE, INSTALLED_HANDOFF].iter().any(|marker| text.trim_start().starts_with(marker))
}
