//! Every sentence of forward compaction that a model or a person reads.

use super::decide::{HoldCause, MechanicalCause, NativeCause};
use super::fact::{Handoff, Install, WakeKind};
use super::marks::Resolved;
use super::party::PartyId;
use super::tally::{characters, count, size};
use crate::doors::{FORWARD_COMPACTION, LOOK_BACK, is_tool};

/// Whether a tool as called is the handoff tool.
pub fn is_handoff_tool(called: &str) -> bool {
    is_tool(called, FORWARD_COMPACTION)
}

/// A party as a person reads it: `main`, `agent a1b2c3d4`.
pub fn name(party: &PartyId) -> String {
    party.agent().map_or_else(|| "main".to_owned(), |agent| format!("agent {}", short(agent)))
}

fn short(id: &str) -> &str {
    id.char_indices().nth(8).map_or(id, |(end, _)| id.get(..end).unwrap_or(id))
}

/// A hook of ours failed.
pub fn failed(party: &PartyId, event: &str, why: &str) -> String {
    let lost = match event {
        "compact" => "Claude Code compacts this time with its own summary",
        "call.start" => "the call runs as if Reveille were not there",
        "start" | "tools" => "tools and handoffs are missing until the next event succeeds",
        _ => "the session goes on; what this event told is not recorded",
    };
    format!("Reveille ({}): {why}; {lost}.", name(party))
}

/// The ledger could not be written.
pub fn unwritten(why: &str) -> String {
    format!("Reveille: {why}; what happens now is not recorded, and handoffs cannot be stored until it can.")
}

/// The decision log could not be written.
pub fn unlogged(why: &str) -> String {
    format!("Reveille: the decision log cannot be written ({why}); its rows are kept and tried again.")
}

/// A refusal of a handoff.
pub fn nothing_stored(faults: &[String]) -> String {
    let mut text = "Refused, and nothing was stored. ".to_owned();
    match faults {
        [fault] => text.push_str(&format!("{fault}.")),
        faults => {
            text.push_str("All of these:");
            for fault in faults {
                text.push_str(&format!("\n- {fault}"));
            }
        }
    }
    text.push_str("\nCorrect the call and repeat it; an earlier handoff that was stored stays as it was.");
    text
}

/// A refusal because the party's model is ignored.
pub fn model_ignored(model: &str, entry: &str, marks: Option<&Resolved>) -> String {
    let ceiling = marks
        .map_or_else(|| "the ceiling, which is not known yet".to_owned(), |marks| format!("the ceiling of {} tokens", size(marks.ceiling)));
    format!(
        "Refused, and nothing was stored: the model {model} matches the entry \"{entry}\" of the option ignore_models, so handoffs of it are not installed. Its context is \
         compacted at {ceiling}. Go on without a handoff."
    )
}

/// A call without an id.
pub fn no_call_id() -> String {
    "the call has no id, so what follows it could not be told from what came before".to_owned()
}

/// A sub-agent's handoff to the server.
pub fn not_for_agents() -> String {
    "without Reveille's hooks module a sub-agent's handoff is not given back after a compaction: report what matters to whoever started you"
        .to_owned()
}

/// When a stored handoff installs.
#[derive(Clone, Copy, Debug)]
pub enum Installs {
    /// Main's: at a turn's end, or at the next ask.
    TurnEnd,
    /// A sub-agent's: at the next ask; the context from which asks come, when it is not there yet.
    NextAsk(Option<u64>),
    /// Without the module: after Claude Code's next compaction, beside its summary.
    BesideSummary,
    /// Auto-compaction is off: a sub-agent's never installs.
    Never,
}

/// The receipt.
pub fn receipt(handoff: &Handoff, replaced: bool, installs: Installs, skills: &[(String, &'static str)], room_unmeasured: bool) -> String {
    let mut text = format!("Stored: a handoff of {} characters", characters(&handoff.text));
    if !handoff.files.is_empty() {
        text.push_str(&format!(" with {} to be read again at the install", count(handoff.files.len() as u64, "file")));
    }
    text.push_str(if replaced { ", in place of the one stored before. " } else { ". " });
    text.push_str(&match installs {
        Installs::TurnEnd => "It installs at the end of this turn or a later one (a prompt may be queued), or at Claude Code's next ask to compact if that comes first.".to_owned(),
        Installs::NextAsk(None) => "It installs when Claude Code next asks to compact this context.".to_owned(),
        Installs::NextAsk(Some(point)) => {
            format!("It installs when Claude Code next asks to compact this context; asks come from about {} tokens.", size(point))
        }
        Installs::BesideSummary => "It is given back after Claude Code's next compaction, beside its summary.".to_owned(),
        Installs::Never => "Auto-compaction is off, so Claude Code never asks to compact this context and the handoff does not install; the report you give at your end is what counts.".to_owned(),
    });
    text.push_str(match installs {
        Installs::BesideSummary => " Go on working.",
        _ => " Everything after this call is kept verbatim, so go on working; nothing needs to be repeated.",
    });
    for (skill, state) in skills {
        text.push_str(&format!("\nSkill {skill}: {state}."));
    }
    if room_unmeasured && !handoff.files.is_empty() {
        text.push_str("\nThe room for files is not measured yet; what does not fit at the install is named there.");
    }
    text
}

/// The nudge beside a tool result.
pub fn nudge(party: &PartyId, reading: u64, marks: &Resolved, gate_at: Option<u64>, tool: &str) -> String {
    let gate =
        gate_at.map_or_else(String::new, |mark| format!(" From {} tokens on, calls other than the handoff are refused once.", size(mark)));
    let which = if party.is_main() { "This context" } else { "This agent's context" };
    format!(
        "Reveille: {which} is {} tokens, {} % of the {} in force. At the next clean milestone, hand off with `{tool}`: you choose the milestone, not whether. Not when only the \
         final answer is left. At {} tokens the context is compacted without a handoff.{gate} A handoff costs nothing: everything after it stays verbatim and work goes on. If \
         the tool is not listed, carry on.",
        size(reading),
        marks.percent(reading),
        size(marks.in_force),
        size(marks.ceiling),
    )
}

/// The gate's refusal.
pub fn gated(reading: u64, tool: &str) -> String {
    format!(
        "This call did not run. The context is {} tokens and no handoff is stored: call `{tool}` now, then repeat this call. If you do not have that tool, just repeat the call: \
         it runs then.",
        size(reading)
    )
}

/// Why an ask is held: at most 70 characters.
pub fn hold(party: &PartyId, cause: HoldCause) -> String {
    let who = name(party);
    match cause {
        HoldCause::Ignored => format!("Reveille: {who}'s model is ignored, waits for the ceiling"),
        HoldCause::Unmeasured => format!("Reveille: {who} waits for its first reading"),
        HoldCause::NoHandoff => format!("Reveille: {who} waits for its handoff"),
    }
}

/// Nothing is prepared ahead of time.
pub const PRECOMPUTE: &str = "Reveille: nothing is prepared ahead of a handoff";

/// A resume lost nothing.
pub const WAKE_THERE: &str = "Reveille: the installed wake is still there";

/// A stored handoff went.
pub fn dropped(party: &PartyId, manual: bool) -> String {
    let who = name(party);
    if manual {
        format!("Reveille: the handoff stored by {who} was dropped, because /compact asked for Claude Code's summary (option manual).")
    } else {
        format!("Reveille: the handoff stored by {who} was dropped: its call is no longer in the conversation.")
    }
}

/// Claude Code's own summary where the person may wonder why.
pub fn native(party: &PartyId, cause: NativeCause, reading: Option<u64>) -> Option<String> {
    let size = reading.map_or_else(|| "an unknown size".to_owned(), |reading| format!("{} tokens", size(reading)));
    match cause {
        NativeCause::Manual | NativeCause::Passed | NativeCause::Fork => None,
        NativeCause::Ceiling => Some(format!(
            "Reveille: {} is compacted with Claude Code's own summary, at the ceiling without a handoff, at {size} (option ceiling_native).",
            name(party)
        )),
        NativeCause::TooLong => Some(format!(
            "Reveille: {} is compacted with Claude Code's own summary, because a request was too long, at {size} (option ceiling_native).",
            name(party)
        )),
        NativeCause::Exhausted => Some(format!(
            "Reveille: {} is compacted with Claude Code's own summary, at {size}: two wakes were built and no request went through after them.",
            name(party)
        )),
    }
}

/// Why a mechanical wake, in the wake itself.
pub fn mechanical_why(cause: MechanicalCause, before: Option<u64>, marks: Option<&Resolved>) -> String {
    let at = before.map_or_else(|| "at a size that is not known".to_owned(), |before| format!("at {} tokens", size(before)));
    match (cause, marks) {
        (MechanicalCause::Ceiling, Some(marks)) => {
            format!("{at}, past the ceiling of {} tokens with no handoff stored", size(marks.ceiling))
        }
        (MechanicalCause::Ceiling, None) => format!("{at}, past the ceiling with no handoff stored"),
        (MechanicalCause::TooLong, _) => format!("{at}, because a request was too long for the model"),
        (MechanicalCause::Lost, _) => format!("{at}, because a resume brought the old conversation back"),
    }
}

/// A wake was built by a component that failed otherwise.
pub fn rescued(party: &PartyId, why: &str) -> String {
    format!("Reveille: {} is compacted with the facts alone after a fault of Reveille's own ({why}); please report it.", name(party))
}

/// A wake landed.
pub fn landed(party: &PartyId, install: &Install, after: Option<u64>) -> String {
    let sizes = match (install.before, after) {
        (Some(before), Some(after)) => format!("{} → {} tokens", size(before), size(after)),
        (Some(before), None) => format!("{} tokens → a size that no request measured", size(before)),
        (None, Some(after)) => format!("an unknown size → {} tokens", size(after)),
        (None, None) => "an unknown size → a size that no request measured".to_owned(),
    };
    let what = match install.kind {
        WakeKind::Handoff => format!("its handoff ({} characters)", size(install.handoff_characters)),
        WakeKind::Mechanical => "the facts alone, no handoff".to_owned(),
    };
    format!(
        "Reveille: {} woke with {what}: {sizes}, facts {} characters, {} kept, {} dropped.",
        name(party),
        size(install.facts),
        count(install.kept, "message"),
        count(install.dropped, "message")
    )
}

/// A compaction that nothing announced.
pub fn unseen(party: &PartyId, before: u64, after: u64) -> String {
    format!("Reveille: {}'s context went from {} to {} tokens and nothing told of a compaction.", name(party), size(before), size(after))
}

/// What of the client's settings makes handoffs late or useless.
pub fn large_window(window: u64, ask_point: u64) -> String {
    format!(
        "Reveille: the compaction window is {} tokens, and Claude Code asks to compact from {}. A smaller one makes every request cheaper: set CLAUDE_CODE_AUTO_COMPACT_WINDOW.",
        size(window),
        size(ask_point)
    )
}

/// Likewise.
pub const AUTOMATIC_OFF: &str =
    "Reveille: auto-compaction is off, so a sub-agent's handoff never installs; main's installs at the end of a turn.";

/// Likewise.
pub fn low_ceiling(ceiling: u64, ask_point: u64) -> String {
    format!(
        "Reveille: the ceiling of {} tokens is below the {} from which Claude Code asks, so every ask without a handoff is answered with a mechanical wake.",
        size(ceiling),
        size(ask_point)
    )
}

/// A trigger that this build does not know.
pub fn unknown_trigger(trigger: &str) -> String {
    format!("Reveille: \"{trigger}\" is no trigger of a compaction that this version knows; it is handled as an automatic one.")
}

/// The agent list failed at a compaction.
pub const AGENTS_UNREADABLE: &str =
    "Reveille: the list of agents could not be read; the compacting conversation is handled as a sub-agent's.";

/// Hooks of ours failed while nothing could be told.
pub fn hooks_failed(hooks: &[String]) -> String {
    format!("Reveille: these hooks failed and passed through: {}.", hooks.join(", "))
}

/// Rows of the ledger that could not be read.
pub fn unread_rows(rows: u64) -> String {
    format!(
        "Reveille: {} of this session's ledger could not be read and {} left out.",
        count(rows, "row"),
        if rows == 1 { "was" } else { "were" }
    )
}

/// How to find what is gone.
pub fn look_back_hint() -> String {
    format!("`{LOOK_BACK}` finds any exact detail of what was dropped.")
}
