//! The hooks module's own tests, under the client's test kit.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Runs them in a home of their own.
pub fn test(root: &Path) -> Result<()> {
    let client = reveille_tests::client::ensure(root)?;
    let home = tempfile::Builder::new().prefix("reveille-module-").tempdir()?;
    // The client lays its declarations beside a module that it loads: into a copy, not into the checkout.
    let plugin = home.path().join("reveille");
    crate::package::copy(&root.join("marketplace").join(crate::package::NAME), &plugin)?;
    let status = Command::new(client)
        .args(["plugin", "test"])
        .arg(&plugin)
        .env("HOME", home.path())
        .env("DISABLE_AUTOUPDATER", "1")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .status()
        .context("the client cannot be started")?;
    ensure!(status.success(), "the hooks module's tests failed");
    Ok(())
}
