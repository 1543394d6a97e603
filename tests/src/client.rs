//! The real Claude Code client, pinned: the tests run against what users have.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::artefacts;

/// The client's npm package.
const PACKAGE: &str = "@anthropic-ai/claude-code";
/// Its version, in this one place.
pub const VERSION: &str = "2.1.332";
/// Names another client to use instead.
pub const OVERRIDE: &str = "REVEILLE_CLIENT";

/// The client's binary, fetched when it is missing.
pub fn ensure(root: &Path) -> Result<PathBuf> {
    if let Some(given) = std::env::var_os(OVERRIDE) {
        let given = PathBuf::from(given);
        ensure!(given.is_file(), "{OVERRIDE} is set to {}, which is no file", given.display());
        return Ok(given);
    }
    let folder = artefacts::target(root).join("client").join(VERSION);
    let binary = binary(&folder);
    if binary.is_file() {
        return Ok(binary);
    }
    println!("the client {PACKAGE} {VERSION} is missing: fetching it");
    std::fs::create_dir_all(&folder)?;
    let status = Command::new("npm")
        .current_dir(&folder)
        // Its install script links a binary that is started by its own path here.
        .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefix", "."])
        .arg(format!("{PACKAGE}@{VERSION}"))
        .status()
        .context("npm cannot be started: install Node.js")?;
    ensure!(status.success(), "`npm install {PACKAGE}@{VERSION}` failed");
    ensure!(binary.is_file(), "{} is not in the package: this platform has no client", binary.display());
    Ok(binary)
}

fn binary(folder: &Path) -> PathBuf {
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let name = if os == "win32" { "claude.exe" } else { "claude" };
    folder.join("node_modules").join("@anthropic-ai").join(format!("claude-code-{os}-{arch}")).join(name)
}
