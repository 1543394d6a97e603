//! An ask to compact: the situation is read from event and state, the table decides, and the decision is carried out.

use serde_json::json;

use super::decide::{Act, Decision, HoldCause, MechanicalCause, NativeCause, Purpose, Situation, Stored, Trigger, Whose, decide};
use super::event::Compact;
use super::fact::{CompactedBy, DropCause, Fact, Handoff, WakeKind};
use super::install::{self, Plan};
use super::marks::Resolved;
use super::party::{Party, PartyId};
use super::session::{Doing, purpose_of};
use super::{say, steps, tail};
use crate::contract::compaction::{Needs, Supplies};
use crate::transcript::markers::is_installed;

/// `session.compact`.
pub fn answer(doing: &mut Doing<'_>, party: &PartyId, compact: Compact, supplies: &Supplies) -> Option<Needs> {
    let listed = compact.agents.is_some();
    if let Some(agents) = compact.agents.clone() {
        steps::agents_listed(doing, agents);
    }
    settle_offer(doing, party, &compact);
    let known = doing.state.party(party);
    let marks = doing.marks(party);
    let situation = situation(doing, party, &known, marks.as_ref(), &compact);
    let decision = decide(&situation);
    let plan = plan(&decision, &known, &situation);
    if let Some(plan) = &plan
        && let Some(needs) = install::needs(doing, party, plan, supplies)
    {
        return Some(needs);
    }
    say_what_is_odd(doing, party, &compact, listed);
    if decision.drops {
        let manual = situation.trigger == Trigger::Manual && situation.purpose.is_none();
        doing.record(Fact::Dropped { party: party.clone(), cause: if manual { DropCause::Manual } else { DropCause::CallGone } });
        doing.tell(party, say::dropped(party, manual));
    }
    match (decision.act, plan) {
        (Act::Hold(cause), _) => hold(doing, party, &known, cause, &decision, marks.as_ref()),
        (Act::SkipPrecompute, _) => {
            doing.answer.skip = Some(say::PRECOMPUTE.to_owned());
            row(doing, party, &compact, &decision, &known, marks.as_ref(), None);
        }
        (Act::SkipResume, _) => {
            doing.answer.skip = Some(say::WAKE_THERE.to_owned());
            row(doing, party, &compact, &decision, &known, marks.as_ref(), None);
        }
        (Act::Native(cause), _) => {
            if let Some(line) = say::native(party, cause, known.reading.or(known.last_reading)) {
                doing.tell(party, line);
            }
            row(doing, party, &compact, &decision, &known, marks.as_ref(), None);
        }
        (_, Some(plan)) => {
            let built = install::build(doing, party, &compact, &plan, marks.as_ref(), supplies);
            row(doing, party, &compact, &decision, &known, marks.as_ref(), Some(&built.install));
            doing.answer.messages = Some(built.messages);
            doing.answer.tokens_before = known.reading.or(known.last_reading);
            doing.record(Fact::Offered { party: party.clone(), install: Box::new(built.install) });
        }
        (_, None) => {}
    }
    None
}

/// An offered wake was taken when the conversation begins with it and no longer holds the handoff's call.
fn settle_offer(doing: &mut Doing<'_>, party: &PartyId, compact: &Compact) {
    let Some(offered) = doing.state.party(party).offered else { return };
    let begins = compact.messages.first().is_some_and(|message| is_installed(&message.text));
    let taken = offered.handoff.map_or(begins, |handoff| tail::anchor(&compact.messages, &handoff.call).is_none());
    if taken {
        steps::installed(doing, party);
    } else {
        doing.record(Fact::Refuted { party: party.clone() });
    }
}

/// Mechanical wakes in a row, with no completed request between them, after which no other is built.
pub const MOST_MECHANICAL: u32 = 2;

/// Whose conversation an ask is about. Where the list of agents cannot be read, an agent's.
pub fn whose(party: &PartyId, known: &Party, compact: &Compact) -> Whose {
    let Some(agent) = party.agent() else { return Whose::Main };
    let is_listed = compact.agents.as_ref().is_none_or(|agents| agents.iter().any(|listed| listed.id == agent));
    if known.spawned_here || is_listed { Whose::Agent } else { Whose::Fork }
}

/// A trigger as the client names it; none: this build does not know it.
pub fn trigger_of(trigger: &str) -> Option<Trigger> {
    match trigger {
        "manual" => Some(Trigger::Manual),
        "precompute" => Some(Trigger::Precompute),
        "plugin" => Some(Trigger::Plugin),
        "auto" => Some(Trigger::Automatic),
        _ => None,
    }
}

fn situation(doing: &Doing<'_>, party: &PartyId, known: &Party, marks: Option<&Resolved>, compact: &Compact) -> Situation {
    let instructions = compact.instructions.as_deref().filter(|text| !text.trim().is_empty());
    // One that this build does not know is handled as automatic.
    let trigger = trigger_of(&compact.trigger).unwrap_or(Trigger::Automatic);
    let purpose = instructions.and_then(purpose_of);
    let stored = match &known.handoff {
        None => Stored::None,
        Some(handoff) if tail::anchor(&compact.messages, &handoff.call).is_some() => Stored::Present,
        Some(_) => Stored::Gone,
    };
    let asked = trigger == Trigger::Automatic || purpose == Some(Purpose::Recover);
    Situation {
        trigger,
        purpose,
        instructed: purpose.is_none() && instructions.is_some(),
        whose: whose(party, known, compact),
        stored,
        wake_lost: known.installed.is_some() && !compact.messages.first().is_some_and(|message| is_installed(&message.text)),
        ignored: known.ignored_by.is_some(),
        measured: known.reading.is_some(),
        past_ceiling: known.reading.zip(marks).is_some_and(|(reading, marks)| reading >= marks.ceiling),
        reactive: asked && (known.too_long || (known.held && trigger == Trigger::Automatic)),
        exhausted: known.mechanical >= MOST_MECHANICAL,
        ceiling_native: doing.options.ceiling_native,
        manual_handoff: doing.options.manual == crate::options::Manual::Handoff,
    }
}

/// What is built for a decision; none: nothing is.
fn plan(decision: &Decision, known: &Party, situation: &Situation) -> Option<Plan> {
    let installs = |handoff: Option<Handoff>, again| {
        Some(Plan { kind: WakeKind::Handoff, handoff: Some(handoff?), cause: None, reactive: situation.reactive, again })
    };
    match decision.act {
        Act::Install => installs(known.handoff.clone(), false),
        Act::Reinstall => match &known.installed {
            Some(install) if install.kind == WakeKind::Handoff => installs(install.handoff.clone(), true),
            // What was done since is kept as far as it fits for certain.
            _ => Some(mechanical(MechanicalCause::Lost, true)),
        },
        Act::Mechanical(cause) => Some(mechanical(cause, situation.reactive)),
        _ => None,
    }
}

fn mechanical(cause: MechanicalCause, reactive: bool) -> Plan {
    Plan { kind: WakeKind::Mechanical, handoff: None, cause: Some(cause), reactive, again: false }
}

fn say_what_is_odd(doing: &mut Doing<'_>, party: &PartyId, compact: &Compact, listed: bool) {
    if trigger_of(&compact.trigger).is_none() {
        doing.tell_once(&format!("trigger:{}", compact.trigger), say::unknown_trigger(&compact.trigger));
    }
    if !listed && !party.is_main() {
        doing.tell_once("agents unreadable", say::AGENTS_UNREADABLE.to_owned());
    }
}

/// A streak of holds keeps its first row and a count.
fn hold(doing: &mut Doing<'_>, party: &PartyId, known: &Party, cause: HoldCause, decision: &Decision, marks: Option<&Resolved>) {
    let phrase = say::hold(party, cause);
    if known.holds == 0 {
        doing.log.push(json!({
            "at": doing.now, "party": party.as_str(), "trigger": "auto", "decision": "hold", "row": decision.row, "why": phrase,
            "reading": known.reading, "ceiling": marks.map(|marks| marks.ceiling), "askPoint": marks.map(|marks| marks.ask_point),
        }));
    }
    doing.answer.skip = Some(phrase);
    doing.record(Fact::Held { party: party.clone() });
}

fn row(
    doing: &mut Doing<'_>,
    party: &PartyId,
    compact: &Compact,
    decision: &Decision,
    known: &Party,
    marks: Option<&Resolved>,
    install: Option<&super::fact::Install>,
) {
    doing.log.push(json!({
        "at": doing.now,
        "party": party.as_str(),
        "trigger": compact.trigger,
        "decision": named(decision.act),
        "row": decision.row,
        "reading": known.reading,
        "ceiling": marks.map(|marks| marks.ceiling),
        "askPoint": marks.map(|marks| marks.ask_point),
        "holdsBefore": known.holds,
        "facts": install.map(|install| install.facts),
        "kept": install.map(|install| install.kept),
        "dropped": install.map(|install| install.dropped),
    }));
}

/// A decision as the log names it.
fn named(act: Act) -> &'static str {
    match act {
        Act::Native(NativeCause::Manual) => "native: manual",
        Act::Native(NativeCause::Passed) => "native: passed on",
        Act::Native(NativeCause::Fork) => "native: the client's own fork",
        Act::Native(NativeCause::Ceiling) => "native: ceiling",
        Act::Native(NativeCause::TooLong) => "native: request too long",
        Act::Native(NativeCause::Exhausted) => "native: two wakes did not help",
        Act::SkipPrecompute => "skip: precompute",
        Act::SkipResume => "skip: the wake is there",
        Act::Install => "install: handoff",
        Act::Reinstall => "install: the last wake again",
        Act::Mechanical(MechanicalCause::Ceiling) => "mechanical wake: ceiling",
        Act::Mechanical(MechanicalCause::TooLong) => "mechanical wake: request too long",
        Act::Mechanical(MechanicalCause::Lost) => "mechanical wake: lost by a resume",
        Act::Hold(_) => "hold",
    }
}

/// Claude Code compacted by itself after the ask was passed on.
pub fn compacted(doing: &mut Doing<'_>, party: &PartyId, replaced: bool) {
    if replaced {
        doing.record(Fact::Compacted { party: party.clone(), by: CompactedBy::Native });
    }
}
