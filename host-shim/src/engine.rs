//! The engine's settings, in one place: the build script that compiles the component and the binary that runs it must agree on them.

use wasmtime::Config;

/// What both sides need the same.
pub fn config() -> Config {
    let mut config = Config::new();
    config.wasm_component_model(true);
    config.epoch_interruption(true);
    config
}
