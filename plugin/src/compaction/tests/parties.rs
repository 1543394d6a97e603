//! Windows, ask points and marks of a party.

use super::super::marks::{Resolved, resolve};
use super::super::party::PartyId;
use super::super::state::{State, Window};
use crate::options::{Mark, Options};

fn state(window: u64, raw: Option<u64>, threshold: Option<u64>) -> State {
    State { window: Some(Window { window, raw, threshold, set_by: None }), ..State::default() }
}

fn main(state: &State, options: &Options) -> Resolved {
    resolve(state, options, &PartyId::main()).unwrap()
}

#[test]
fn mains_ask_point_is_the_threshold_else_what_is_measured_against_else_the_window() {
    let options = Options::read(&[]);
    for (window, raw, threshold, in_force, ask_point) in [
        (1_000_000, Some(100_000), Some(67_000), 100_000, 67_000),
        (200_000, Some(200_000), Some(167_000), 200_000, 167_000),
        (200_000, Some(200_000), None, 200_000, 200_000),
        (200_000, None, None, 200_000, 200_000),
        (200_000, Some(300_000), Some(900_000), 200_000, 200_000),
    ] {
        let marks = main(&state(window, raw, threshold), &options);
        assert_eq!((marks.in_force, marks.ask_point), (in_force, ask_point), "{window} {raw:?} {threshold:?}");
    }
    assert_eq!(resolve(&State::default(), &options, &PartyId::main()), None, "while main's window is unknown it has no marks");
}

#[test]
fn a_default_ceiling_below_the_ask_point_is_raised_half_way_to_max_context() {
    let mut options = Options::read(&[]);
    let marks = main(&state(200_000, Some(200_000), Some(180_000)), &options);
    assert_eq!((marks.start, marks.step, marks.ceiling), (80_000, 20_000, 190_000));
    options.main.ceiling_is_default = false;
    options.main.ceiling = Mark::Tokens(150_000);
    assert_eq!(main(&state(200_000, Some(200_000), Some(180_000)), &options).ceiling, 150_000, "one that the person set stays");
}

#[test]
fn a_sub_agents_ask_point_is_its_window_less_mains_reserve_unless_a_compaction_window_is_set() {
    let mut options = Options::read(&[]);
    let agent = PartyId::of(Some("a1"));
    let with = |mut state: State, window: Option<u64>| {
        state.parties.entry(PartyId::of(Some("a1"))).or_default().window = window;
        state
    };
    for (state, max_context, ask_point) in [
        (with(state(1_000_000, Some(1_000_000), Some(967_000)), Some(200_000)), 200_000, 167_000),
        (with(state(1_000_000, Some(100_000), Some(67_000)), Some(200_000)), 200_000, 67_000),
        (with(state(1_000_000, Some(1_000_000), None), Some(200_000)), 200_000, 200_000),
        (with(State::default(), None), 200_000, 200_000),
    ] {
        let marks = resolve(&state, &options, &agent).unwrap();
        assert_eq!((marks.max_context, marks.ask_point), (max_context, ask_point));
    }
    options.agent.max_context = Some(90_000);
    assert_eq!(resolve(&State::default(), &options, &agent).unwrap().max_context, 90_000);
}

#[test]
fn levels_begin_at_the_start_mark_and_rise_by_the_step() {
    let marks = main(&state(1_000_000, Some(100_000), Some(67_000)), &Options::read(&[]));
    for (reading, level) in [(0, 0), (39_999, 0), (40_000, 1), (49_999, 1), (50_000, 2), (99_999, 6)] {
        assert_eq!(marks.level(reading), level, "{reading}");
    }
    assert_eq!((marks.mark_of(1), marks.mark_of(3)), (40_000, 60_000));
}
