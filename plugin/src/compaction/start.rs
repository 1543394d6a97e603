//! The session begins, goes on under another id, or ends.

use super::answer::{CompactNow, ToolSpec};
use super::decide::Purpose;
use super::event::Start;
use super::fact::Fact;
use super::party::PartyId;
use super::say;
use super::session::{Doing, tag};
use crate::contract::compaction::{Needs, Supplies};
use crate::transcript::markers::is_installed;

/// `session.start` and `classic.SessionStart`.
pub fn begins(doing: &mut Doing<'_>, event: Start) {
    if let Some(source) = event.source {
        doing.keeps = true;
        doing.record(Fact::Source { source });
    }
    if let Some(interactive) = event.is_interactive
        && (doing.state.interactive != Some(interactive) || doing.state.cwd != event.cwd || doing.state.ended)
    {
        doing.record(Fact::Began { interactive, cwd: event.cwd });
    }
    for fault in &doing.options.faults {
        doing.tell_once(&format!("option:{fault}"), format!("Reveille: {fault}"));
    }
    let main = doing.state.party(&PartyId::main());
    let resumed = doing.state.source.as_deref() == Some("resume");
    let lost = main.installed.is_some() && event.first.as_deref().is_some_and(|first| !is_installed(first));
    if event.can_compact && resumed && lost {
        doing.answer.compact = Some(CompactNow { how: "command", tag: tag(Purpose::Resume) });
    }
}

/// A fork goes on from a copy of its origin's ledger, once its own transcript holds the copied records that name the origin. With `last`, it is not waited for any longer.
pub fn copy_origin(doing: &mut Doing<'_>, last: bool, supplies: &Supplies) -> Option<Needs> {
    if !doing.state.wants_origin {
        return None;
    }
    let Some(origin) = &supplies.origin else {
        return Some(Needs { files: Vec::new(), git: Vec::new(), directory: None, origin: true });
    };
    let (rows, _) = super::ledger::rows(origin);
    if rows.is_empty() && !last {
        return None;
    }
    let (interactive, cwd, turn) = (doing.state.interactive, doing.state.cwd.clone(), doing.state.party(&PartyId::main()).turn);
    doing.extra = rows.iter().filter_map(super::ledger::line).collect();
    rows.into_iter().for_each(|row| doing.state.apply(row));
    doing.record(Fact::OriginCopied);
    // What is of this process stays so.
    if let Some(interactive) = interactive {
        doing.record(Fact::Began { interactive, cwd });
    }
    if let Some(turn) = turn {
        doing.record(Fact::TurnStarted { party: PartyId::main(), turn });
    }
    None
}

/// `session.end`. The process may go on under another id: what is open here is closed.
pub fn ends(doing: &mut Doing<'_>, reason: String) {
    let landing: Vec<PartyId> = doing.state.parties.iter().filter(|(_, party)| party.landing).map(|(id, _)| id.clone()).collect();
    for party in landing {
        unmeasured(doing, &party);
    }
    let offered: Vec<_> = doing.state.parties.iter().filter_map(|(id, party)| Some((id.clone(), party.offered.clone()?))).collect();
    for (party, install) in offered {
        doing.tell(&party, say::landed(&party, &install, None));
    }
    doing.record(Fact::Ended { reason });
}

/// A taken wake will not be measured any more.
pub fn unmeasured(doing: &mut Doing<'_>, party: &PartyId) {
    let known = doing.state.party(party);
    if let (true, Some(install)) = (known.landing, &known.installed) {
        let line = say::landed(party, install, None);
        doing.tell(party, line);
        doing.record(Fact::Landed { party: party.clone(), after: None });
    }
}

/// The tools that the module registers, as the server lists them.
pub fn tools() -> Vec<ToolSpec> {
    crate::doors::tools()
        .into_iter()
        .map(|tool| ToolSpec {
            name: tool.name,
            description: tool.description,
            input_schema: serde_json::from_str(&tool.input_schema).unwrap_or_default(),
        })
        .collect()
}
