//! Skills: which are in force for a party, which a handoff drops, and how one is loaded again.

use super::party::{Party, PartyId};
use super::session::Doing;
use super::state::Skill;

/// Whether a skill stays whatever a handoff says.
pub fn is_pinned(doing: &Doing<'_>, skill: &Skill) -> bool {
    skill.keep || doing.options.keep_skills.iter().any(|name| name.trim() == skill.name)
}

/// What becomes of a name that a handoff drops.
pub fn drop_state(doing: &Doing<'_>, party: &PartyId, known: &Party, name: &str) -> &'static str {
    match doing.state.skills.get(name) {
        Some(skill) if is_pinned(doing, skill) => "pinned, it stays",
        Some(skill) if skill.loaders.contains(party) && known.dropped_before.iter().any(|before| before == name) => "leaves the next wake",
        Some(skill) if skill.loaders.contains(party) => "asked once; name it in the next handoff too and it leaves that wake",
        _ => "not loaded",
    }
}

/// Skills of a party, the latest read first: in force, and those whose loader is not identified.
pub fn of<'a>(doing: &'a Doing<'_>, party: &PartyId, known: &Party) -> (Vec<&'a Skill>, Vec<&'a Skill>, Vec<&'a Skill>) {
    let mut all: Vec<&Skill> = doing.state.skills.values().collect();
    all.sort_by_key(|skill| std::cmp::Reverse(skill.position));
    let dropped = |skill: &&Skill| known.dropped.contains(&skill.name) && !is_pinned(doing, skill);
    let (loaded, others): (Vec<&Skill>, Vec<&Skill>) = all.into_iter().partition(|skill| skill.loaders.contains(party));
    let (gone, in_force): (Vec<&Skill>, Vec<&Skill>) = loaded.into_iter().partition(dropped);
    let unidentified = others.into_iter().filter(|skill| skill.pending).collect();
    (in_force, gone, unidentified)
}
