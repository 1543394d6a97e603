//! Measures what is promised of speed, as ratios in one run.

use std::path::Path;

use anyhow::Result;

/// Builds the binary and runs the benches.
pub fn run(root: &Path) -> Result<()> {
    crate::ci::cargo(root, &["build", "--release", "--package", "reveille", "--locked"])?;
    crate::ci::cargo(root, &["bench", "--package", "reveille-tests", "--bench", "wake", "--locked"])?;
    // Adds its rows to what the one before wrote.
    crate::ci::cargo(root, &["bench", "--package", "reveille-tests", "--bench", "look_back", "--locked"])
}
