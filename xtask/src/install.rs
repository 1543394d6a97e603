//! Registers the packaged marketplace with the client on this machine, and takes it back.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::package::{self, NAME};

/// Packages, registers, installs.
pub fn install(root: &Path) -> Result<()> {
    let dist = package::run(root)?;
    let dist = dist.to_string_lossy().into_owned();
    // A marketplace that is registered already is read again.
    if client(&["plugin", "marketplace", "add", &dist]).is_err() {
        client(&["plugin", "marketplace", "update", NAME])?;
    }
    client(&["plugin", "install", &full_name()])?;
    println!("Reveille is installed: the next session wakes. `cargo xtask uninstall` takes it back; `reveille doctor` looks at it.");
    Ok(())
}

/// Uninstalls and unregisters.
pub fn uninstall() -> Result<()> {
    client(&["plugin", "uninstall", &full_name()])?;
    client(&["plugin", "marketplace", "remove", NAME])?;
    println!("Reveille is uninstalled. Its cache stays in the client's plugin data directory until the client removes it.");
    Ok(())
}

fn full_name() -> String {
    format!("{NAME}@{NAME}")
}

fn client(arguments: &[&str]) -> Result<()> {
    let program = std::env::var_os(reveille_tests::client::OVERRIDE).unwrap_or_else(|| "claude".into());
    let status = Command::new(&program).args(arguments).status().with_context(|| {
        format!(
            "{} cannot be started: install Claude Code, or set {} to it",
            Path::new(&program).display(),
            reveille_tests::client::OVERRIDE
        )
    })?;
    ensure!(status.success(), "`claude {}` failed", arguments.join(" "));
    Ok(())
}
