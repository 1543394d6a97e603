//! A check that runs until the test lets it go: what is interrupted, killed or typed beside.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::terminal::until;

/// The command.
pub const COMMAND: &str = "sh tests/test.sh";

/// It goes on at the latest when this value ends, by itself after a minute.
pub struct SlowCheck {
    script: PathBuf,
}

impl SlowCheck {
    /// Puts it into a checkout.
    pub fn in_checkout(checkout: &Path) -> Result<Self> {
        Self::written(checkout.join("tests").join("test.sh"), "echo '3 passed, 0 failed'\n")
    }

    /// Makes a checkout's failing check, `sh tests/run.sh`, wait before it fails.
    pub fn that_fails(checkout: &Path) -> Result<Self> {
        let script = checkout.join("tests").join("run.sh");
        let fails = std::fs::read_to_string(&script)?;
        Self::written(script, &fails)
    }

    fn written(script: PathBuf, then: &str) -> Result<Self> {
        let wait =
            "step=0\n: >\"$0.started\"\nwhile [ ! -e \"$0.released\" ] && [ $step -lt 600 ]; do sleep 0.1; step=$((step + 1)); done\n";
        std::fs::write(&script, format!("{wait}{then}"))?;
        Ok(Self { script })
    }

    /// Waits until it runs.
    pub fn wait_until_it_runs(&self) -> Result<()> {
        until("the start of the slow check", || self.beside("started").exists().then_some(()))
    }

    /// Lets it end.
    pub fn release(&self) -> Result<()> {
        Ok(std::fs::write(self.beside("released"), "")?)
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.script.with_extension(format!("sh.{name}"))
    }
}

impl Drop for SlowCheck {
    fn drop(&mut self) {
        let _ = self.release();
    }
}
