//! Windows, the ask point and the marks of a party, in tokens.

use super::party::PartyId;
use super::state::State;
use crate::options::{Mark, Marks, Options};

/// A sub-agent's window when nothing is known of it.
const AGENT_WINDOW: u64 = 200_000;

/// The marks of a party, resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The model's window, or the option that overrides it.
    pub max_context: u64,
    /// The smaller of max context and the compaction window.
    pub in_force: u64,
    /// The context from which Claude Code asks to compact.
    pub ask_point: u64,
    /// Where nudges start.
    pub start: u64,
    /// How far they are apart.
    pub step: u64,
    /// From where an ask is answered with a wake, handoff or not.
    pub ceiling: u64,
}

impl Resolved {
    /// 0 below the start mark, 1 at it, one more per step.
    pub fn level(&self, reading: u64) -> u32 {
        match reading.checked_sub(self.start) {
            None => 0,
            Some(past) => u32::try_from(past / self.step.max(1)).unwrap_or(u32::MAX).saturating_add(1),
        }
    }

    /// Where a level begins.
    pub fn mark_of(&self, level: u32) -> u64 {
        self.start.saturating_add(self.step.saturating_mul(u64::from(level.saturating_sub(1))))
    }

    /// A reading's share of the window in force, in percent.
    pub fn percent(&self, reading: u64) -> u64 {
        reading.saturating_mul(100) / self.in_force.max(1)
    }

    /// What facts, handoff and tail may take together, in tokens.
    pub fn budget(&self) -> u64 {
        self.ask_point / 2
    }
}

/// The marks in force; none while main's window is unknown.
pub fn resolve(state: &State, options: &Options, party: &PartyId) -> Option<Resolved> {
    let window = state.window.as_ref();
    // A compaction window is one smaller than the model's.
    let compaction_window = window.and_then(|window| window.raw.filter(|raw| *raw < window.window));
    let (marks, max_context, ask_point) = if party.is_main() {
        let window = window?;
        let max_context = options.main.max_context.unwrap_or(window.window);
        (&options.main, max_context, window.threshold.or(window.raw).unwrap_or(window.window))
    } else {
        let max_context = options.agent.max_context.or_else(|| state.known(party)?.window).unwrap_or(AGENT_WINDOW);
        let ask_point = match (window, compaction_window) {
            (Some(window), Some(raw)) => window.threshold.unwrap_or(raw),
            (Some(window), None) => {
                let reserve = window.threshold.map_or(0, |threshold| window.window.saturating_sub(threshold));
                max_context.saturating_sub(reserve)
            }
            (None, _) => max_context,
        };
        (&options.agent, max_context, ask_point)
    };
    let ask_point = ask_point.min(max_context);
    let in_force = compaction_window.map_or(max_context, |raw| raw.min(max_context));
    let tokens = |mark: Mark| match mark {
        Mark::Tokens(tokens) => tokens,
        Mark::Share(share) => share_of(in_force, share),
    };
    let ceiling = ceiling(marks, tokens(marks.ceiling), ask_point, max_context);
    Some(Resolved { max_context, in_force, ask_point, start: tokens(marks.start), step: tokens(marks.step).max(1), ceiling })
}

/// A default ceiling below the ask point is raised to half way between ask point and max context.
fn ceiling(marks: &Marks, ceiling: u64, ask_point: u64, max_context: u64) -> u64 {
    if marks.ceiling_is_default && ceiling < ask_point { ask_point + (max_context - ask_point) / 2 } else { ceiling }
}

/// A share of a count of tokens, rounded. Both are far below what a double holds exactly.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
fn share_of(tokens: u64, share: f64) -> u64 {
    (tokens as f64 * share).round().max(0.0) as u64
}
