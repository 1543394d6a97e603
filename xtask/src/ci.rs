//! The one gate. Each step is a command a person can run alone; the first that fails ends it, and nothing is skipped.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use reveille_tests::artefacts;

/// Runs every step in order.
pub fn run(root: &Path) -> Result<()> {
    let started = Instant::now();
    step("toolchain", || crate::toolchain::ensure(root))?;
    step("format", || cargo(root, &["fmt", "--all", "--check"]))?;
    step("build", || cargo(root, &["build", "--release", "--workspace", "--locked"]))?;
    step("clippy", || {
        cargo(root, &["clippy", "--release", "--workspace", "--all-targets", "--all-features", "--locked", "--", "--deny", "warnings"])
    })?;
    // The rules run with overflow checks and debug assertions; everything that needs the built binary runs as it ships.
    step("rules", || cargo(root, &["test", "--package", "reveille-plugin", "--all-features", "--locked"]))?;
    step("generated files", || crate::bless::check(root))?;
    step("walls", || crate::walls::check(root, &artefacts::component(root)))?;
    step("client", || reveille_tests::client::ensure(root).map(|_| ()))?;
    step("package", || crate::package::run(root).map(|_| ()))?;
    step("hooks module", || crate::module::test(root))?;
    step("artefacts", || {
        cargo(root, &["test", "--release", "--package", "reveille", "--package", "reveille-tests", "--package", "xtask", "--locked"])
    })?;
    println!("the gate is open: everything passed in {} s", started.elapsed().as_secs());
    Ok(())
}

fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("== {name}");
    let started = Instant::now();
    work().with_context(|| format!("the step `{name}` failed"))?;
    println!("== {name}: passed in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Runs cargo in the workspace; its output goes to the person.
pub fn cargo(root: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new("cargo")
        .current_dir(root)
        .args(arguments)
        // The gate gives the same verdict of the same tree; `cargo test` alone tries new random inputs each time.
        .env("PROPTEST_RNG_SEED", "20260904")
        .status()
        .context("cargo cannot be started")?;
    ensure!(status.success(), "`cargo {}` failed", arguments.join(" "));
    Ok(())
}
