//! Builds the component, compiles it for the machine this binary is for, and leaves both where `component.rs` embeds them from.
#![allow(clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use sha2::{Digest, Sha256};

#[path = "src/engine.rs"]
mod engine;

const WASM_TARGET: &str = "wasm32-wasip2";

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the shim is a folder of the workspace")
        .to_path_buf();
    for watched in ["plugin/src", "plugin/Cargo.toml", "wit", "Cargo.lock", "Cargo.toml", ".cargo/config.toml"] {
        println!("cargo::rerun-if-changed={}", root.join(watched).display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/engine.rs");
    let component = build_component(&root, &out);
    let bytes = fs::read(&component).expect("cargo just wrote the component");
    let mut config = engine::config();
    config.target(&env::var("TARGET").expect("cargo sets TARGET")).expect("wasmtime knows the target");
    let engine = wasmtime::Engine::new(&config).expect("the engine's settings fit together");
    let compiled = engine.precompile_component(&bytes).expect("the component is valid");
    fs::write(out.join("reveille.cwasm"), compiled).expect("OUT_DIR can be written");
    println!("cargo::rustc-env=REVEILLE_COMPONENT_HASH={:x}", Sha256::digest(&bytes));
}

/// Runs cargo for the component in a target folder of its own, so that it does not wait for the lock of the build that started it.
fn build_component(root: &Path, out: &Path) -> PathBuf {
    require_wasm_target();
    // OUT_DIR is <target>/[<triple>/]<profile>/build/<package>/out.
    let target = out.ancestors().nth(4).expect("OUT_DIR lies in the target folder").join("component");
    let mut cargo = Command::new(env::var_os("CARGO").expect("cargo sets CARGO"));
    cargo
        .current_dir(root)
        .args(["build", "--package", "reveille-plugin", "--lib", "--profile", "component", "--target", WASM_TARGET, "--locked"])
        .arg("--target-dir")
        .arg(&target);
    // The outer build's flags are for the host.
    for name in ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CARGO_BUILD_TARGET", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTFLAGS"] {
        cargo.env_remove(name);
    }
    let status = cargo.status().expect("cargo can be started");
    assert!(status.success(), "the component does not build: see the errors above");
    target.join(WASM_TARGET).join("component").join("reveille_plugin.wasm")
}

fn require_wasm_target() {
    let rustc = env::var_os("RUSTC").expect("cargo sets RUSTC");
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", WASM_TARGET]).output().expect("rustc can be started");
    let libraries = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !Path::new(&libraries).is_dir() {
        println!("cargo::error=the Rust target {WASM_TARGET} is missing: run `rustup target add {WASM_TARGET}` and build again");
        std::process::exit(1);
    }
}
