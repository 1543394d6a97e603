//! What happens at a compaction: one pure function, the first row that fits.

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The person's `/compact`.
    Manual,
    /// Claude Code prepares one ahead of time.
    Precompute,
    /// A plugin.
    Plugin,
    /// Claude Code.
    Automatic,
}

/// What this build's own tag on a compaction says it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To install the stored handoff at the end of a turn.
    TurnEnd,
    /// To install the last wake again, which a resume lost.
    Resume,
    /// To make a conversation that is too long fit again, where Claude Code does not ask.
    Recover,
}

/// Whose conversation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Main's.
    Main,
    /// A sub-agent's that was spawned here or is listed.
    Agent,
    /// Named by nobody: Claude Code's own fork.
    Fork,
}

/// Where the stored handoff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// There is none.
    None,
    /// Its call is in the messages.
    Present,
    /// Its call is no longer in them.
    Gone,
}

/// All that the decision depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Who asks.
    pub trigger: Trigger,
    /// Our own tag.
    pub purpose: Option<Purpose>,
    /// The person wrote instructions, ours apart.
    pub instructed: bool,
    /// Whose conversation.
    pub whose: Whose,
    /// The stored handoff.
    pub stored: Stored,
    /// The last wake is in the ledger and the conversation does not begin with it.
    pub wake_lost: bool,
    /// Its model is on the ignore list.
    pub ignored: bool,
    /// There is a reading.
    pub measured: bool,
    /// The reading is at or past the ceiling.
    pub past_ceiling: bool,
    /// The request was too long.
    pub reactive: bool,
    /// Two mechanical wakes were made with no completed request between them.
    pub exhausted: bool,
    /// Option `ceiling_native`.
    pub ceiling_native: bool,
    /// Option `manual` is `handoff`.
    pub manual_handoff: bool,
}

/// Why Claude Code's own summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeCause {
    /// The person asked for it.
    Manual,
    /// A plugin did, or our own tag found nothing to do.
    Passed,
    /// Its own fork.
    Fork,
    /// The option says so at the ceiling.
    Ceiling,
    /// Likewise, after a request that was too long.
    TooLong,
    /// Mechanical wakes did not help.
    Exhausted,
}

/// Why a mechanical wake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MechanicalCause {
    /// The ceiling.
    Ceiling,
    /// The request was too long.
    TooLong,
    /// A wake without a handoff was lost by a resume.
    Lost,
}

/// Why an ask is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldCause {
    /// The model is on the ignore list.
    Ignored,
    /// No reading yet.
    Unmeasured,
    /// Waiting for a handoff.
    NoHandoff,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Claude Code summarises.
    Native(NativeCause),
    /// Nothing is prepared.
    SkipPrecompute,
    /// The wake is there: a resume lost nothing.
    SkipResume,
    /// The stored handoff is installed.
    Install,
    /// The last installed handoff is installed again.
    Reinstall,
    /// The facts alone are installed.
    Mechanical(MechanicalCause),
    /// The conversation stays as it is for now.
    Hold(HoldCause),
}

/// The act, and whether a stored handoff is dropped and the person told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The table's row.
    pub row: u8,
    /// What is done.
    pub act: Act,
    /// The stored handoff goes.
    pub drops: bool,
}

/// The table:
///
/// | # | when | what |
/// |---|---|---|
/// | 1 | `manual` without our tag | Claude Code's summary, a stored handoff dropped; with option `manual` = `handoff`, one stored and no instructions: installed |
/// | 2 | `precompute` | skipped |
/// | 3 | `plugin`, or our tag | main with a stored handoff whose call is there: install; call gone: dropped, passed on; a lost wake: installed again, one that is there: skipped; too long: mechanical; else passed on |
/// | 4 | nobody's agent | passed on |
/// | 5 | stored handoff, call there, not ignored | install |
/// | 6 | stored handoff, call gone | dropped, then as if none |
/// | 7 | at the ceiling, or reactive | mechanical wake; with `ceiling_native`, or when mechanical wakes do not help: Claude Code's summary |
/// | 8 | ignored | held |
/// | 9 | no reading | held |
/// | 10 | otherwise | held, waiting for a handoff |
///
/// Row 11, a failure, is where the component is called.
pub fn decide(situation: &Situation) -> Decision {
    let is = |row, act| Decision { row, act, drops: false };
    let stored = situation.stored != Stored::None;
    match (situation.trigger, situation.purpose) {
        (Trigger::Manual, None) => {
            let installs = situation.manual_handoff && !situation.instructed && situation.stored == Stored::Present;
            return if installs { is(1, Act::Install) } else { Decision { row: 1, act: Act::Native(NativeCause::Manual), drops: stored } };
        }
        (Trigger::Precompute, _) => return is(2, Act::SkipPrecompute),
        (Trigger::Plugin, purpose) | (Trigger::Manual, purpose @ Some(_)) => return ours(situation, purpose),
        (Trigger::Automatic, _) => {}
    }
    if situation.whose == Whose::Fork {
        return is(4, Act::Native(NativeCause::Fork));
    }
    if situation.stored == Stored::Present && !situation.ignored {
        return is(5, Act::Install);
    }
    let drops = situation.stored == Stored::Gone;
    let is = |row, act| Decision { row, act, drops };
    if situation.past_ceiling || situation.reactive {
        return is(7, at_the_end(situation));
    }
    if situation.ignored {
        return is(8, Act::Hold(HoldCause::Ignored));
    }
    if !situation.measured {
        return is(9, Act::Hold(HoldCause::Unmeasured));
    }
    is(10, Act::Hold(HoldCause::NoHandoff))
}

/// Row 3.
fn ours(situation: &Situation, purpose: Option<Purpose>) -> Decision {
    let is = |act| Decision { row: 3, act, drops: false };
    match situation.stored {
        Stored::Present if situation.whose == Whose::Main => return is(Act::Install),
        Stored::Gone if situation.whose == Whose::Main && purpose != Some(Purpose::Recover) => {
            return Decision { row: 3, act: Act::Native(NativeCause::Passed), drops: true };
        }
        _ => {}
    }
    match purpose {
        Some(Purpose::Resume) if situation.wake_lost => is(Act::Reinstall),
        Some(Purpose::Resume) => is(Act::SkipResume),
        Some(Purpose::Recover) if situation.reactive => {
            Decision { row: 3, act: at_the_end(situation), drops: situation.stored == Stored::Gone }
        }
        _ => is(Act::Native(NativeCause::Passed)),
    }
}

/// Row 7.
fn at_the_end(situation: &Situation) -> Act {
    if situation.exhausted {
        return Act::Native(NativeCause::Exhausted);
    }
    if situation.ceiling_native {
        return Act::Native(if situation.reactive { NativeCause::TooLong } else { NativeCause::Ceiling });
    }
    Act::Mechanical(if situation.reactive { MechanicalCause::TooLong } else { MechanicalCause::Ceiling })
}
