//! The component, loaded and bounded.

use std::sync::OnceLock;
use std::time::Duration;

use wasmtime::component::{Component as Compiled, Linker};
use wasmtime::{Engine, Store, StoreLimits, StoreLimitsBuilder};

use crate::bindings::Reveille;
use crate::error::Failure;

/// Page-aligned on every platform, so that the code can run where the binary was mapped.
#[repr(C, align(65536))]
struct Aligned<T: ?Sized>(T);

static COMPILED: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/reveille.cwasm")));

/// The engine and the code, once a process and for as long as it lives.
static LOADED: OnceLock<Result<(Engine, Compiled), String>> = OnceLock::new();

/// How long a tick of the engine's clock is.
const TICK: Duration = Duration::from_millis(100);

/// What the component may take. A call past its deadline and an instance past its memory are stopped.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of its memory.
    pub memory: usize,
    /// Ticks that one call may take.
    pub ticks: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 64 << 20, ticks: 20 }
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
    pub fn with_limits(limits: Limits) -> Result<Self, Failure> {
        let load = |error: wasmtime::Error| Failure::Load(first_line(&error));
        let (engine, compiled) =
            LOADED.get_or_init(|| compiled().map_err(|error| first_line(&error))).as_ref().map_err(|why| Failure::Load(why.clone()))?;
        let mut linker: Linker<Held> = Linker::new(engine);
        // The standard library imports what the component never calls. A component that reaches for the machine stops.
        linker.define_unknown_imports_as_traps(compiled).map_err(load)?;
        let held = Held { limits: StoreLimitsBuilder::new().memory_size(limits.memory).trap_on_grow_failure(true).build() };
        let mut store = Store::new(engine, held);
        store.limiter(|held| &mut held.limits);
        store.epoch_deadline_trap();
        store.set_epoch_deadline(limits.ticks);
        let world = Reveille::instantiate(&mut store, compiled, &linker).map_err(load)?;
        Ok(Self { store, world, ticks: limits.ticks })
    }

    /// Calls the component, within its limits.
    pub fn call<T>(&mut self, call: impl FnOnce(&Reveille, &mut Store<Held>) -> wasmtime::Result<T>) -> Result<T, Failure> {
        self.store.set_epoch_deadline(self.ticks);
        call(&self.world, &mut self.store).map_err(|error| Failure::Stopped(first_line(&error)))
    }
}

fn compiled() -> wasmtime::Result<(Engine, Compiled)> {
    let mut config = crate::engine::config();
    in_place::allow(&mut config);
    let engine = Engine::new(&config)?;
    let compiled = in_place::deserialize(&engine, &COMPILED.0)?;
    tick(&engine);
    Ok((engine, compiled))
}

/// The code is run where the binary is mapped: to copy it costs more than all else at the start of a process.
#[cfg(target_os = "linux")]
mod in_place {
    use std::ptr::NonNull;
    use std::sync::Arc;

    use rustix::mm::{MprotectFlags, mprotect};
    use wasmtime::component::Component as Compiled;
    use wasmtime::{Config, CustomCodeMemory, Engine};

    /// Pages of this binary's own read-only data.
    struct Mapped;

    impl CustomCodeMemory for Mapped {
        fn required_alignment(&self) -> usize {
            rustix::param::page_size()
        }

        #[allow(unsafe_code)]
        fn publish_executable(&self, code: *const u8, length: usize) -> wasmtime::Result<()> {
            // SAFETY: the pages are the embedded component's, which nothing writes; they are aligned as asked for above and stay readable.
            unsafe { mprotect(code.cast_mut().cast(), length, MprotectFlags::READ | MprotectFlags::EXEC) }.map_err(wasmtime::Error::new)
        }

        fn unpublish_executable(&self, _code: *const u8, _length: usize) -> wasmtime::Result<()> {
            // Another load of the same code may run.
            Ok(())
        }
    }

    pub fn allow(config: &mut Config) {
        config.with_custom_code_memory(Some(Arc::new(Mapped)));
    }

    #[allow(unsafe_code)]
    pub fn deserialize(engine: &Engine, bytes: &'static [u8]) -> wasmtime::Result<Compiled> {
        // SAFETY: the bytes are part of this binary, written by its build script with the same release of wasmtime and the same settings; they live as
        // long as the process, and nothing writes them: neither we nor, as they hold no relocations, wasmtime.
        unsafe { Compiled::deserialize_raw(engine, NonNull::from(bytes)) }
    }
}

/// A copy of the code is run.
#[cfg(not(target_os = "linux"))]
mod in_place {
    use wasmtime::component::Component as Compiled;
    use wasmtime::{Config, Engine};

    pub fn allow(_config: &mut Config) {}

    #[allow(unsafe_code)]
    pub fn deserialize(engine: &Engine, bytes: &'static [u8]) -> wasmtime::Result<Compiled> {
        // SAFETY: the bytes are part of this binary, written by its build script with the same release of wasmtime and the same settings.
        unsafe { Compiled::deserialize(engine, bytes) }
    }
}

/// Advances the engine's clock for as long as the engine lives.
fn tick(engine: &Engine) {
    let engine = engine.weak();
    let _ = std::thread::Builder::new().name("epoch".to_owned()).stack_size(64 << 10).spawn(move || {
        loop {
            std::thread::sleep(TICK);
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
