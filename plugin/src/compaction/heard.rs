//! Words that reach a conversation, skills that are loaded, and what runs beside it.

use serde_json::Value;

use super::event::{Append, Prompt, Receive, Report, SkillPrompt, Spawn, Stop};
use super::fact::{BackgroundRow, Fact};
use super::party::PartyId;
use super::session::Doing;
use super::start;
use super::state::Heard;
use crate::transcript::markers::is_ours;

/// How long after the first the same words by another door are the same delivery.
const TWICE: i64 = 5_000;

/// Origins that are the person's own.
const PERSON: [&str; 3] = ["composer", "bridge", "sdk"];

/// A prompt on its way in. Meta prompts are not recorded.
pub fn prompt(doing: &mut Doing<'_>, prompt: Prompt) {
    if prompt.is_meta || prompt.text.trim().is_empty() || is_ours(&prompt.text) {
        return;
    }
    let by_person = prompt.origin.as_deref().map_or_else(|| looks_typed(&prompt.text), |origin| PERSON.contains(&origin));
    if by_person {
        doing.record(Fact::Prompt { text: prompt.text });
    } else {
        notice(doing, &PartyId::main(), prompt.origin.unwrap_or_default(), prompt.text);
    }
}

/// Without an origin a record is judged by its kind: what the harness writes begins with its tag.
fn looks_typed(text: &str) -> bool {
    !text.trim_start().starts_with('<')
}

/// A delivery. The same words come by more than one door: they are recorded once.
pub fn delivery(doing: &mut Doing<'_>, party: &PartyId, delivery: Receive) {
    let origin = delivery.origin.unwrap_or_default();
    if party.is_main() && origin == "bridge" {
        // The person's own, which comes as a prompt too.
        return;
    }
    notice(doing, party, origin, delivery.text);
}

fn notice(doing: &mut Doing<'_>, party: &PartyId, from: String, text: String) {
    let same = |heard: &Heard| heard.party == *party && heard.from.is_some() && heard.text == text && doing.now - heard.at <= TWICE;
    let known = doing.state.heard.iter().rev().take(8).any(same);
    if known || text.trim().is_empty() {
        return;
    }
    doing.record(if party.is_main() { Fact::Notice { from, text } } else { Fact::Delivered { party: party.clone(), from, text } });
}

/// A skill's text was computed.
pub fn skill(doing: &mut Doing<'_>, skill: SkillPrompt) {
    doing.record(Fact::SkillRead { name: skill.skill, text: skill.text, path: skill.path, keep: skill.keep });
}

/// A row of the conversation that may carry a skill's text.
pub fn row(doing: &mut Doing<'_>, party: &PartyId, row: &Append) {
    if !["tool-message", "note"].contains(&row.door.as_str()) {
        return;
    }
    let carried: Vec<String> = doing
        .state
        .skills
        .values()
        .filter(|skill| !skill.loaders.contains(party) && !skill.text.trim().is_empty() && row.text.contains(skill.text.trim()))
        .map(|skill| skill.name.clone())
        .collect();
    for name in carried {
        doing.record(Fact::SkillLoaded { name, party: party.clone() });
    }
}

/// A sub-agent was started, or woken by a message.
pub fn spawn(doing: &mut Doing<'_>, spawn: Spawn) {
    let party = PartyId::of(Some(&spawn.agent_id));
    if spawn.resumed {
        doing.record(Fact::WokenAgain { party: party.clone() });
        notice(doing, &party, "message".to_owned(), spawn.prompt);
        return;
    }
    doing.record(Fact::Spawned {
        agent: spawn.agent_id,
        parent: spawn.parent_agent_id,
        kind: spawn.subagent_type,
        description: spawn.description,
        brief: spawn.prompt,
        fork: spawn.fork,
    });
}

/// A sub-agent's run ended: a wake that it did not measure never will be, unless a message wakes it again.
pub fn report(doing: &mut Doing<'_>, report: &Report) {
    start::unmeasured(doing, &PartyId::of(Some(&report.agent_id)));
    doing.record(Fact::Reported { agent: report.agent_id.clone(), status: report.status.clone() });
}

/// What runs in the background, as of a stop.
pub fn stop(doing: &mut Doing<'_>, stop: Stop) {
    let text = |value: &Value, names: &[&str]| names.iter().find_map(|name| value.get(*name).and_then(Value::as_str)).map(str::to_owned);
    let tasks = stop.background_tasks.iter().map(|task| BackgroundRow {
        id: text(task, &["id", "task_id", "taskId"]).unwrap_or_default(),
        kind: text(task, &["type", "kind"]).unwrap_or_else(|| "shell".to_owned()),
        text: text(task, &["command", "description", "label"]).unwrap_or_default(),
        status: text(task, &["status"]),
    });
    let crons = stop.session_crons.iter().map(|cron| BackgroundRow {
        id: text(cron, &["id", "cron_id", "cronId"]).unwrap_or_default(),
        kind: "cron".to_owned(),
        text: [text(cron, &["schedule", "cron"]), text(cron, &["prompt", "description"])]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" "),
        status: text(cron, &["status"]),
    });
    let rows: Vec<BackgroundRow> = tasks.chain(crons).collect();
    if doing.state.background_at.is_none() || rows != doing.state.background || !rows.is_empty() {
        doing.record(Fact::Background { rows });
    }
}
