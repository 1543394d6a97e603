//! Tool calls: the handoff tool is answered, a gated party's others are refused, and what a finished call did is recorded.

use serde_json::json;

use super::answer::ToolAnswer;
use super::event::{CallEnd, CallStart};
use super::fact::{Fact, Handoff};
use super::gate::{self, Passage};
use super::handoff::{self, Draft};
use super::marks::Resolved;
use super::party::PartyId;
use super::ratio::ratio;
use super::session::Doing;
use super::{nudge, say, skills, steps, tool_effects};
use crate::contract::compaction::{Needs, Supplies};
use crate::doors::{LOOK_BACK, is_tool};

/// Names under which the model may have the tool that loads tools.
const TOOL_SEARCH: [&str; 2] = ["ToolSearch", "tool_search"];

/// A call that is about to run.
pub fn starts(doing: &mut Doing<'_>, party: &PartyId, call: CallStart, supplies: &Supplies) -> Option<Needs> {
    if say::is_handoff_tool(&call.tool) {
        return store(doing, party, call, supplies);
    }
    if is_tool(&call.tool, LOOK_BACK) || TOOL_SEARCH.contains(&call.tool.as_str()) {
        return None;
    }
    let known = doing.state.party(party);
    let marks = doing.marks(party);
    match gate::judge(party, &known, marks.as_ref(), call.request.as_deref()) {
        Passage::Free => {}
        Passage::Refused(request) => {
            if known.gate.refused.as_ref() != Some(&request) {
                doing.record(Fact::Refused { party: party.clone(), request });
            }
            doing.answer.deny = Some(say::gated(known.reading.unwrap_or_default(), &tool_name()));
        }
        Passage::Opens => doing.record(Fact::Opened { party: party.clone() }),
    }
    None
}

/// The handoff tool as the hooks module registers it, which alone nudges and gates.
fn tool_name() -> String {
    format!("mcp__reveille__{}", crate::doors::FORWARD_COMPACTION)
}

fn store(doing: &mut Doing<'_>, party: &PartyId, call: CallStart, supplies: &Supplies) -> Option<Needs> {
    if let Some(figures) = call.figures.clone() {
        steps::window(doing, figures);
    }
    let known = doing.state.party(party);
    let marks = doing.marks(party);
    let refuse = |doing: &mut Doing<'_>, text: String, faults: usize| {
        doing.log.push(json!({"at": doing.now, "party": party.as_str(), "handoff": "refused", "faults": faults}));
        doing.answer.result = Some(ToolAnswer { text, error: true });
    };
    if let Some(entry) = &known.ignored_by {
        let model = known.model.clone().unwrap_or_default();
        refuse(doing, say::model_ignored(&model, entry, marks.as_ref()), 1);
        return None;
    }
    let mut faults = Vec::new();
    let id = call.id.filter(|id| !id.trim().is_empty());
    if id.is_none() {
        faults.push(say::no_call_id());
    }
    if !call.module && !party.is_main() {
        faults.push(say::not_for_agents());
    }
    let draft = match handoff::read(&call.input) {
        Ok(draft) => Some(draft),
        Err(more) => {
            faults.extend(more);
            None
        }
    };
    let (Some(draft), Some(id), true) = (draft, id, faults.is_empty()) else {
        refuse(doing, say::nothing_stored(&faults), faults.len());
        return None;
    };
    let missing: Vec<String> =
        draft.files.iter().map(|file| file.path.clone()).filter(|path| !supplies.files.iter().any(|file| file.path == *path)).collect();
    if !missing.is_empty() {
        return Some(Needs { files: missing, git: Vec::new(), directory: None, origin: false });
    }
    let measured = ratio(known.base, known.reading, call.characters).zip(marks.as_ref()).map(|(ratio, marks)| (ratio, marks.in_force));
    match handoff::check_files(&draft, &supplies.files, measured) {
        Err(faults) => refuse(doing, say::nothing_stored(&faults), faults.len()),
        Ok(files) => {
            let handoff = Handoff { files, ..stored_as(&draft, id, known.reading) };
            stored(doing, party, handoff, call.module, measured.is_none());
        }
    }
    None
}

fn stored_as(draft: &Draft, call: String, reading: Option<u64>) -> Handoff {
    Handoff { text: draft.text.clone(), drop_skills: draft.drop_skills.clone(), call, reading, ..Handoff::default() }
}

fn stored(doing: &mut Doing<'_>, party: &PartyId, mut handoff: Handoff, module: bool, unmeasured: bool) {
    let known = doing.state.party(party);
    let marks = doing.marks(party);
    let skills: Vec<(String, &'static str)> =
        handoff.drop_skills.iter().map(|name| (name.clone(), skills::drop_state(doing, party, &known, name))).collect();
    handoff.receipt = say::receipt(&handoff, known.handoff.is_some(), installs(doing, party, marks.as_ref(), module), &skills, unmeasured);
    doing.log.push(json!({
        "at": doing.now,
        "party": party.as_str(),
        "handoff": "stored",
        "characters": super::tally::characters(&handoff.text),
        "files": handoff.files.len(),
        "reading": known.reading,
        "room": if unmeasured { "unmeasured" } else { "measured" },
    }));
    doing.answer.result = Some(ToolAnswer { text: handoff.receipt.clone(), error: false });
    doing.record(Fact::Stored { party: party.clone(), handoff: Box::new(handoff) });
}

/// When it installs, truthfully.
fn installs(doing: &Doing<'_>, party: &PartyId, marks: Option<&Resolved>, module: bool) -> say::Installs {
    let automatic_off = doing.state.window.as_ref().is_some_and(|window| window.threshold.is_none());
    match (module, party.is_main()) {
        (false, _) => say::Installs::BesideSummary,
        (true, true) => say::Installs::TurnEnd,
        (true, false) if automatic_off => say::Installs::Never,
        (true, false) => {
            let reading = doing.state.party(party).reading;
            say::Installs::NextAsk(marks.map(|marks| marks.ask_point).filter(|point| reading.is_none_or(|reading| reading < *point)))
        }
    }
}

/// A call that ended: what it did, and a nudge beside its result.
pub fn ended(doing: &mut Doing<'_>, party: &PartyId, call: &CallEnd) {
    if !call.failed && !call.denied {
        for fact in tool_effects::of(call, party, doing.state.known(party)) {
            doing.record(fact);
        }
    }
    let session = call.session.as_deref().unwrap_or_default();
    if let Some(line) = crate::look_back::own_transcript_line(&call.tool, &call.input.to_string(), session, party.agent()) {
        doing.log.push(json!({"at": doing.now, "party": party.as_str(), "note": line}));
    }
    let known = doing.state.party(party);
    let marks = doing.marks(party);
    let ours = say::is_handoff_tool(&call.tool);
    let (false, false, Some(level), Some(marks), Some(reading)) =
        (call.denied, ours, nudge::due(&known, marks.as_ref()), marks, known.reading)
    else {
        return;
    };
    doing.record(Fact::Nudged { party: party.clone(), level });
    let gate_at = (!party.is_main() && known.spawned_here && known.offered_tool)
        .then(|| marks.mark_of(known.gate.first_nudge.unwrap_or(level).saturating_add(1)));
    doing.answer.context = Some(say::nudge(party, reading, &marks, gate_at, &tool_name()));
    doing.log.push(json!({"at": doing.now, "party": party.as_str(), "nudge": level, "reading": reading, "ceiling": marks.ceiling, "askPoint": marks.ask_point}));
}
