//! Requests and turns: readings, what they show of a compaction, and the turn's end.

use serde_json::json;

use super::answer::CompactNow;
use super::decide::Purpose;
use super::event::{StepEnd, Turn};
use super::fact::{AgentRow, CompactedBy, Fact, WakeKind};
use super::party::PartyId;
use super::session::{Doing, tag};
use super::{event, say};

/// A compaction window from which the person is told once that a smaller one is cheaper.
const LARGE_WINDOW: u64 = 100_000;

/// The end of a request.
pub fn ended(doing: &mut Doing<'_>, party: &PartyId, step: StepEnd) {
    if let Some(agents) = step.agents {
        agents_listed(doing, agents);
    }
    if let Some(figures) = step.figures {
        window(doing, figures);
    }
    if let Some(model) = step.model {
        judge(doing, party, model);
    }
    match (&step.stop_reason, step.usage) {
        (None, None) => doing.record(Fact::TooLong { party: party.clone() }),
        (_, usage) => completed(doing, party, usage.map(event::StepUsage::tokens)),
    }
}

/// Records the list when it changed.
pub fn agents_listed(doing: &mut Doing<'_>, agents: Vec<event::ListedAgent>) {
    let rows: Vec<AgentRow> = agents
        .into_iter()
        .map(|agent| AgentRow {
            id: agent.id,
            kind: agent.kind,
            description: agent.description,
            status: agent.status,
            parent: agent.parent_id,
            window: agent.context_window_size,
            tokens: agent.token_count.filter(|tokens| *tokens > 0),
            cwd: agent.cwd,
        })
        .collect();
    let same = |row: &AgentRow| AgentRow { tokens: None, ..row.clone() };
    let changed = doing.state.agents_at.is_none() || rows.iter().map(same).ne(doing.state.agents.iter().map(same));
    if changed {
        doing.record(Fact::Agents { rows });
    }
}

/// Records main's window when it changed, and says what of it makes handoffs late or useless.
pub fn window(doing: &mut Doing<'_>, figures: event::UsageFigures) {
    let known = doing.state.window.as_ref();
    let same = known.is_some_and(|known| {
        (known.window, known.raw, known.threshold, known.set_by.as_ref())
            == (figures.window, figures.raw, figures.threshold, figures.set_by.as_ref())
    });
    if same {
        return;
    }
    doing.record(Fact::Window { window: figures.window, raw: figures.raw, threshold: figures.threshold, set_by: figures.set_by });
    let main = PartyId::main();
    let Some(marks) = doing.marks(&main) else { return };
    if figures.threshold.is_none() {
        doing.tell_once("automatic off", say::AUTOMATIC_OFF.to_owned());
    } else if marks.in_force > LARGE_WINDOW {
        doing.tell_once("large window", say::large_window(marks.in_force, marks.ask_point));
    }
    if !doing.options.main.ceiling_is_default && marks.ceiling < marks.ask_point {
        doing.tell_once("low ceiling", say::low_ceiling(marks.ceiling, marks.ask_point));
    }
}

/// Each change of judgement is a row.
fn judge(doing: &mut Doing<'_>, party: &PartyId, model: String) {
    let known = doing.state.party(party);
    let lower = model.to_lowercase();
    let ignored_by = doing.options.ignore_models.iter().find(|entry| lower.contains(&entry.to_lowercase())).cloned();
    if known.model.as_ref() != Some(&model) || known.ignored_by != ignored_by {
        doing.record(Fact::Judged { party: party.clone(), model, ignored_by });
    }
}

fn completed(doing: &mut Doing<'_>, party: &PartyId, reading: Option<u64>) {
    let before = doing.state.party(party);
    if let (Some(offered), Some(reading)) = (&before.offered, reading) {
        // A reading as large as before shows that the ask was aborted and the conversation stayed.
        if offered.before.is_some_and(|size| reading >= size) {
            doing.record(Fact::Refuted { party: party.clone() });
        } else {
            installed(doing, party);
        }
    }
    let known = doing.state.party(party);
    // Half or less with nothing handled between: a reading before says that nothing was.
    let unseen = known.reading.zip(reading).filter(|(last, now)| *now <= last / 2);
    doing.record(Fact::Completed { party: party.clone(), reading });
    if let Some((last, now)) = unseen {
        doing.record(Fact::Compacted { party: party.clone(), by: CompactedBy::Unseen });
        let line = say::unseen(party, last, now);
        doing.tell(party, line);
    }
    let Some(reading) = reading else { return };
    if doing.state.party(party).absorbs {
        let level = doing.marks(party).map_or(0, |marks| marks.level(reading));
        doing.record(Fact::Absorbed { party: party.clone(), level });
    }
    land(doing, party, reading);
}

/// The offered wake was taken.
pub fn installed(doing: &mut Doing<'_>, party: &PartyId) {
    super::start::unmeasured(doing, party);
    doing.record(Fact::Installed { party: party.clone() });
    let dropped = doing.state.party(party).dropped;
    let left: Vec<String> = dropped
        .into_iter()
        .filter(|name| doing.state.skills.get(name).is_some_and(|skill| !super::skills::is_pinned(doing, skill)))
        .collect();
    if !left.is_empty() {
        doing.record(Fact::SkillsLeft { party: party.clone(), names: left });
    }
}

fn land(doing: &mut Doing<'_>, party: &PartyId, after: u64) {
    let known = doing.state.party(party);
    let (true, Some(install)) = (known.landing, &known.installed) else { return };
    let line = say::landed(party, install, Some(after));
    match install.kind {
        WakeKind::Mechanical => doing.tell(party, line),
        WakeKind::Handoff => {
            doing.log.push(json!({"at": doing.now, "party": party.as_str(), "landed": line, "before": install.before, "after": after}))
        }
    }
    doing.record(Fact::Landed { party: party.clone(), after: Some(after) });
}

/// The end of a turn. Main's is where a stored handoff is installed.
pub fn turn_ended(doing: &mut Doing<'_>, party: &PartyId, turn: Turn) {
    let reason = turn.reason.unwrap_or_default();
    let known = doing.state.party(party);
    doing.record(Fact::TurnEnded { party: party.clone(), reason: reason.clone() });
    if !party.is_main() {
        return;
    }
    let how = if doing.state.interactive == Some(true) { "session" } else { "command" };
    let automatic_off = doing.state.window.as_ref().is_some_and(|window| window.threshold.is_none());
    let purpose = match reason.as_str() {
        "answer" if known.handoff.is_some() && !known.installed_this_turn => Some((Purpose::TurnEnd, how)),
        "error" if known.too_long && automatic_off => Some((Purpose::Recover, how)),
        _ => None,
    };
    doing.answer.compact = purpose.map(|(purpose, how)| CompactNow { how, tag: tag(purpose) });
}
