//! The component's limits: more memory or time than it may take stops it, and the host says so.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::time::{Duration, Instant};

use reveille_host::bindings::exports::reveille::core::transcript::FileName;
use reveille_host::bindings::exports::reveille::core::types::Harness;
use reveille_host::component::{Component, Limits};
use reveille_host::error::Failure;

fn name() -> FileName {
    FileName { harness: Harness::ClaudeCode, session: "s".to_owned(), agent: None }
}

/// Pushes a line that grows until the component is stopped, or `most` chunks were taken.
fn push_until_stopped(component: &mut Component, most: usize) -> Result<(), Failure> {
    let fold = component.call(|world, store| world.reveille_core_transcript().fold().call_constructor(store, &name()))?;
    let chunk = vec![b'['; 256 << 10];
    for _ in 0..most {
        component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, fold, &chunk))?;
    }
    Ok(())
}

#[test]
fn a_component_past_its_memory_is_stopped() {
    let mut component = Component::with_limits(Limits { memory: 4 << 20, ..Limits::default() }).unwrap();
    let stopped = push_until_stopped(&mut component, 64);
    assert!(matches!(stopped, Err(Failure::Stopped(_))), "{stopped:?}");
    let mut component = Component::load().unwrap();
    assert!(push_until_stopped(&mut component, 64).is_ok(), "with its usual memory it goes on");
}

#[test]
fn a_call_past_its_deadline_is_stopped() {
    let begun = Instant::now();
    let mut component = Component::with_limits(Limits { ticks: 1, ..Limits::default() }).unwrap();
    let fold = component.call(|world, store| world.reveille_core_transcript().fold().call_constructor(store, &name())).unwrap();
    // One call with far more to read than a tick allows.
    let lines = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"x\"}}\n".repeat(400_000);
    let stopped = component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, fold, lines.as_bytes()));
    let Err(Failure::Stopped(why)) = &stopped else { panic!("it was not stopped: {stopped:?}") };
    assert!(why.contains("interrupt"), "{why}");
    assert!(begun.elapsed() < Duration::from_secs(5));
}
