//! The gate of a sub-agent that was nudged and went on: every call of one request is refused, and a call of a later request opens it.

use super::marks::Resolved;
use super::party::{Party, PartyId};

/// What happens to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It runs.
    Free,
    /// It is refused, and its request is the one whose calls are.
    Refused(String),
    /// It runs, and so do all later ones.
    Opens,
}

/// Whether a party is gated at its reading.
pub fn is_gated(id: &PartyId, party: &Party, marks: Option<&Resolved>) -> bool {
    let (Some(marks), Some(reading), Some(first)) = (marks, party.reading, party.gate.first_nudge) else { return false };
    let concerned = !id.is_main() && party.spawned_here && party.offered_tool && party.ignored_by.is_none() && party.handoff.is_none();
    concerned && !party.gate.opened && marks.level(reading) > first
}

/// Judges one call. A call belongs to the request whose step last started in its party.
pub fn judge(id: &PartyId, party: &Party, marks: Option<&Resolved>, request: Option<&str>) -> Passage {
    if !is_gated(id, party, marks) {
        return Passage::Free;
    }
    // Without its request's name a call is one of a request by itself: what was refused once then runs.
    let request = request.unwrap_or("unnamed");
    match &party.gate.refused {
        None => Passage::Refused(request.to_owned()),
        Some(refused) if refused == request && request != "unnamed" => Passage::Refused(request.to_owned()),
        Some(_) => Passage::Opens,
    }
}
