//! The decision table, a row a test.

use super::super::decide::{Act, Decision, HoldCause, MechanicalCause, NativeCause, Purpose, Situation, Stored, Trigger, Whose, decide};

const QUIET: Situation = Situation {
    trigger: Trigger::Automatic,
    purpose: None,
    instructed: false,
    whose: Whose::Main,
    stored: Stored::None,
    wake_lost: false,
    ignored: false,
    measured: true,
    past_ceiling: false,
    reactive: false,
    exhausted: false,
    ceiling_native: false,
    manual_handoff: false,
};

#[track_caller]
fn check(situation: Situation, row: u8, act: Act, drops: bool) {
    assert_eq!(decide(&situation), Decision { row, act, drops });
}

#[test]
fn row_1_a_manual_compaction_is_the_clients_own_and_drops_a_stored_handoff() {
    let manual = Situation { trigger: Trigger::Manual, ..QUIET };
    check(manual, 1, Act::Native(NativeCause::Manual), false);
    check(Situation { stored: Stored::Present, ..manual }, 1, Act::Native(NativeCause::Manual), true);
    check(Situation { stored: Stored::Gone, past_ceiling: true, ..manual }, 1, Act::Native(NativeCause::Manual), true);
}

#[test]
fn row_1_with_the_option_a_stored_handoff_is_installed_unless_instructions_say_otherwise() {
    let manual = Situation { trigger: Trigger::Manual, manual_handoff: true, stored: Stored::Present, ..QUIET };
    check(manual, 1, Act::Install, false);
    check(Situation { instructed: true, ..manual }, 1, Act::Native(NativeCause::Manual), true);
    check(Situation { stored: Stored::None, ..manual }, 1, Act::Native(NativeCause::Manual), false);
    check(Situation { stored: Stored::Gone, ..manual }, 1, Act::Native(NativeCause::Manual), true);
}

#[test]
fn row_2_nothing_is_prepared_ahead() {
    check(Situation { trigger: Trigger::Precompute, stored: Stored::Present, past_ceiling: true, ..QUIET }, 2, Act::SkipPrecompute, false);
}

#[test]
fn row_3_our_own_compaction_installs_what_mains_stored_and_passes_on_otherwise() {
    for (trigger, purpose) in
        [(Trigger::Plugin, None), (Trigger::Plugin, Some(Purpose::TurnEnd)), (Trigger::Manual, Some(Purpose::TurnEnd))]
    {
        let ours = Situation { trigger, purpose, ..QUIET };
        check(Situation { stored: Stored::Present, ..ours }, 3, Act::Install, false);
        check(Situation { stored: Stored::Gone, ..ours }, 3, Act::Native(NativeCause::Passed), true);
        check(ours, 3, Act::Native(NativeCause::Passed), false);
        check(Situation { stored: Stored::Present, whose: Whose::Agent, ..ours }, 3, Act::Native(NativeCause::Passed), false);
    }
}

#[test]
fn row_3_a_wake_that_a_resume_lost_is_installed_again() {
    let resumed = Situation { trigger: Trigger::Manual, purpose: Some(Purpose::Resume), ..QUIET };
    check(Situation { wake_lost: true, ..resumed }, 3, Act::Reinstall, false);
    check(resumed, 3, Act::SkipResume, false);
    check(Situation { wake_lost: true, stored: Stored::Present, ..resumed }, 3, Act::Install, false);
}

#[test]
fn row_3_a_request_too_long_without_automatic_asks_is_answered_with_a_wake() {
    let recover = Situation { trigger: Trigger::Plugin, purpose: Some(Purpose::Recover), reactive: true, ..QUIET };
    check(recover, 3, Act::Mechanical(MechanicalCause::TooLong), false);
    check(Situation { stored: Stored::Present, ..recover }, 3, Act::Install, false);
    check(Situation { stored: Stored::Gone, ..recover }, 3, Act::Mechanical(MechanicalCause::TooLong), true);
    check(Situation { exhausted: true, ..recover }, 3, Act::Native(NativeCause::Exhausted), false);
}

#[test]
fn row_4_the_clients_own_fork_is_passed_on() {
    check(Situation { whose: Whose::Fork, past_ceiling: true, ..QUIET }, 4, Act::Native(NativeCause::Fork), false);
}

#[test]
fn row_5_a_stored_handoff_is_installed_whatever_the_size() {
    for whose in [Whose::Main, Whose::Agent] {
        let stored = Situation { whose, stored: Stored::Present, ..QUIET };
        check(stored, 5, Act::Install, false);
        check(Situation { past_ceiling: true, reactive: true, exhausted: true, ..stored }, 5, Act::Install, false);
        check(Situation { measured: false, ..stored }, 5, Act::Install, false);
    }
}

#[test]
fn row_6_a_handoff_whose_call_is_gone_is_dropped_and_then_as_if_there_were_none() {
    let gone = Situation { stored: Stored::Gone, ..QUIET };
    check(gone, 10, Act::Hold(HoldCause::NoHandoff), true);
    check(Situation { past_ceiling: true, ..gone }, 7, Act::Mechanical(MechanicalCause::Ceiling), true);
    check(Situation { measured: false, ..gone }, 9, Act::Hold(HoldCause::Unmeasured), true);
}

#[test]
fn row_7_at_the_ceiling_or_too_long_the_facts_alone_are_installed() {
    check(Situation { past_ceiling: true, ..QUIET }, 7, Act::Mechanical(MechanicalCause::Ceiling), false);
    check(Situation { reactive: true, ..QUIET }, 7, Act::Mechanical(MechanicalCause::TooLong), false);
    check(Situation { reactive: true, ignored: true, measured: false, ..QUIET }, 7, Act::Mechanical(MechanicalCause::TooLong), false);
    check(
        Situation { past_ceiling: true, ignored: true, stored: Stored::Present, ..QUIET },
        7,
        Act::Mechanical(MechanicalCause::Ceiling),
        false,
    );
}

#[test]
fn row_7_with_the_option_or_after_two_wakes_that_did_not_help_it_is_the_clients_own_summary() {
    check(Situation { past_ceiling: true, ceiling_native: true, ..QUIET }, 7, Act::Native(NativeCause::Ceiling), false);
    check(Situation { reactive: true, ceiling_native: true, ..QUIET }, 7, Act::Native(NativeCause::TooLong), false);
    check(Situation { reactive: true, exhausted: true, ..QUIET }, 7, Act::Native(NativeCause::Exhausted), false);
}

#[test]
fn row_8_an_ignored_model_is_held_until_the_ceiling() {
    check(Situation { ignored: true, ..QUIET }, 8, Act::Hold(HoldCause::Ignored), false);
    check(Situation { ignored: true, stored: Stored::Present, measured: false, ..QUIET }, 8, Act::Hold(HoldCause::Ignored), false);
}

#[test]
fn row_9_without_a_reading_the_next_one_decides() {
    check(Situation { measured: false, ..QUIET }, 9, Act::Hold(HoldCause::Unmeasured), false);
}

#[test]
fn row_10_otherwise_it_is_held_for_a_handoff() {
    check(QUIET, 10, Act::Hold(HoldCause::NoHandoff), false);
    check(
        Situation { whose: Whose::Agent, ceiling_native: true, manual_handoff: true, ..QUIET },
        10,
        Act::Hold(HoldCause::NoHandoff),
        false,
    );
}
