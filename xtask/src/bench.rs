//! Measures what is promised of speed, as ratios in one run.

use std::path::Path;

use anyhow::Result;

/// Builds the binary and runs the benches.
pub fn run(root: &Path) -> Result<()> {
    crate::ci::cargo(root, &["build", "--release", "--workspace", "--locked"])?;
    crate::ci::cargo(root, &["bench", "--package", "reveille-tests", "--bench", "wake", "--locked"])?;
    // Each of these adds its rows to what the ones before wrote.
    crate::ci::cargo(root, &["bench", "--package", "reveille-tests", "--bench", "look_back", "--locked"])?;
    crate::package::run(root)?;
    crate::ci::cargo(root, &["bench", "--package", "reveille-tests", "--bench", "event", "--locked"])
}
