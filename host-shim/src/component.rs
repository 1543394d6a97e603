//! The component, loaded and bounded.

use wasmtime::Result;
use wasmtime::component::{Component as Compiled, Linker};
use wasmtime::{Engine, Store};

use crate::bindings::Reveille;

static COMPILED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/reveille.cwasm"));

/// One instance of the component in a store of its own.
pub struct Component {
    store: Store<()>,
    world: Reveille,
}

impl Component {
    /// Loads the embedded component. Nothing is compiled here.
    #[allow(unsafe_code)]
    pub fn load() -> Result<Self> {
        let engine = Engine::new(&crate::engine::config())?;
        // SAFETY: the bytes were written by this package's build script with the same wasmtime and settings, and are part of this binary.
        let compiled = unsafe { Compiled::deserialize(&engine, COMPILED) }?;
        let mut linker: Linker<()> = Linker::new(&engine);
        linker.define_unknown_imports_as_traps(&compiled)?;
        let mut store = Store::new(&engine, ());
        store.set_epoch_deadline(1000);
        let world = Reveille::instantiate(&mut store, &compiled, &linker)?;
        Ok(Self { store, world })
    }

    /// Without secrets.
    pub fn redact(&mut self, text: &str) -> Result<String> {
        Ok(self.world.reveille_core_redact().call_text(&mut self.store, text)?)
    }
}
