//! What building needs of this machine, and where it leaves things.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

const WASM_TARGET: &str = "wasm32-wasip2";

/// Adds the wasm target when it is missing.
pub fn ensure(root: &Path) -> Result<()> {
    let output = Command::new("rustc")
        .current_dir(root)
        .args(["--print", "target-libdir", "--target", WASM_TARGET])
        .output()
        .context("rustc cannot be started: install Rust with rustup")?;
    if Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir() {
        return Ok(());
    }
    println!("the Rust target {WASM_TARGET} is missing: adding it");
    let status = Command::new("rustup")
        .current_dir(root)
        .args(["target", "add", WASM_TARGET])
        .status()
        .with_context(|| format!("rustup cannot be started: install it, or add the target {WASM_TARGET} by hand"))?;
    ensure!(status.success(), "`rustup target add {WASM_TARGET}` failed");
    Ok(())
}
