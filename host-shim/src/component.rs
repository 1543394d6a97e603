//! The component, loaded and bounded.

use std::time::Duration;

use wasmtime::component::{Component as Compiled, Linker};
use wasmtime::{Engine, Store, StoreLimits, StoreLimitsBuilder};

use crate::bindings::Reveille;
use crate::error::Failure;

static COMPILED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/reveille.cwasm"));

/// What the component may take. A call past its deadline and an instance past its memory are stopped.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of its memory.
    pub memory: usize,
    /// Ticks that one call may take.
    pub ticks: u64,
    /// How long a tick is.
    pub tick: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 64 << 20, ticks: 20, tick: Duration::from_millis(100) }
    }
}

/// What the host keeps beside an instance.
#[derive(Debug)]
pub struct Held {
    limits: StoreLimits,
}

/// One instance of the component in a store of its own.
pub struct Component {
    store: Store<Held>,
    world: Reveille,
    ticks: u64,
}

/// SHA-256 of the portable component that this binary embeds in compiled form, hex.
pub fn hash() -> &'static str {
    env!("REVEILLE_COMPONENT_HASH")
}

impl Component {
    /// Loads the embedded component. Nothing is compiled here.
    pub fn load() -> Result<Self, Failure> {
        Self::with_limits(Limits::default())
    }

    /// The same within other limits.
    #[allow(unsafe_code)]
    pub fn with_limits(limits: Limits) -> Result<Self, Failure> {
        let load = |error: wasmtime::Error| Failure::Load(first_line(&error));
        let engine = Engine::new(&crate::engine::config()).map_err(load)?;
        // SAFETY: the bytes are part of this binary, written by its build script with the same release of wasmtime and the same settings.
        let compiled = unsafe { Compiled::deserialize(&engine, COMPILED) }.map_err(load)?;
        let mut linker: Linker<Held> = Linker::new(&engine);
        // The standard library imports what the component never calls. A component that reaches for the machine stops.
        linker.define_unknown_imports_as_traps(&compiled).map_err(load)?;
        let held = Held { limits: StoreLimitsBuilder::new().memory_size(limits.memory).trap_on_grow_failure(true).build() };
        let mut store = Store::new(&engine, held);
        store.limiter(|held| &mut held.limits);
        store.epoch_deadline_trap();
        store.set_epoch_deadline(limits.ticks);
        tick(&engine, limits.tick);
        let world = Reveille::instantiate(&mut store, &compiled, &linker).map_err(load)?;
        Ok(Self { store, world, ticks: limits.ticks })
    }

    /// Calls the component, within its limits.
    pub fn call<T>(&mut self, call: impl FnOnce(&Reveille, &mut Store<Held>) -> wasmtime::Result<T>) -> Result<T, Failure> {
        self.store.set_epoch_deadline(self.ticks);
        call(&self.world, &mut self.store).map_err(|error| Failure::Stopped(first_line(&error)))
    }
}

/// Advances the engine's clock for as long as the process lives.
fn tick(engine: &Engine, tick: Duration) {
    let engine = engine.weak();
    let _ = std::thread::Builder::new().name("epoch".to_owned()).stack_size(64 << 10).spawn(move || {
        loop {
            std::thread::sleep(tick);
            let Some(engine) = engine.upgrade() else { return };
            engine.increment_epoch();
        }
    });
}

fn first_line(error: &wasmtime::Error) -> String {
    // The last cause is the trap itself; the others are where it happened.
    let cause = error.chain().last().map(ToString::to_string).unwrap_or_default();
    cause.lines().next().unwrap_or_default().to_owned()
}
