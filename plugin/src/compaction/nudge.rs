//! Whether a tool result carries a nudge: once per level, while nothing is stored.

use super::marks::Resolved;
use super::party::Party;

/// The level to nudge at; none: no nudge.
pub fn due(party: &Party, marks: Option<&Resolved>) -> Option<u32> {
    let level = marks?.level(party.reading?);
    let wanted = level > party.level && !party.absorbs && party.handoff.is_none() && party.ignored_by.is_none();
    wanted.then_some(level)
}
