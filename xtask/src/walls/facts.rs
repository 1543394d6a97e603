//! One fact is written once: what is generated from it is compared, and a file that would be two concepts is named.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// Lines a source file may have before it is asked to be two.
const MOST_LINES: usize = 600;

/// What is wrong with copies of facts and with sizes.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let mut violations = Vec::new();
    let version = workspace_version(&std::fs::read_to_string(root.join("Cargo.toml"))?).context("the workspace has a version")?;
    // The plugin's manifest is the client's to read, the workspace's version cargo's: both are written by hand, and compared.
    let manifest = crate::package::manifest(root)?;
    let there = manifest.get("version").and_then(Value::as_str).unwrap_or_default();
    if there != version {
        violations.push(format!(
            "plugin.json says version {there:?}, Cargo.toml says {version:?}: make them the same and run `cargo xtask bless`"
        ));
    }
    for folder in ["plugin/src", "host-shim/src", "xtask/src", "tests"] {
        for (path, text) in super::texts(&root.join(folder), ".rs")? {
            violations.extend(too_long(&path, &text));
        }
    }
    Ok(violations)
}

fn workspace_version(manifest: &str) -> Option<String> {
    manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"')).map(str::to_owned)
}

fn too_long(path: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (lines > MOST_LINES).then(|| format!("{path} has {lines} lines: over {MOST_LINES} it is asking to be two concepts"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_version_is_read_from_its_manifest() {
        assert_eq!(workspace_version("[workspace.package]\nversion = \"1.2.3\"\n").as_deref(), Some("1.2.3"));
    }

    #[test]
    fn a_file_past_six_hundred_lines_is_refused_and_one_of_six_hundred_is_not() {
        assert!(too_long("a.rs", &"x\n".repeat(601)).is_some());
        assert!(too_long("a.rs", &"x\n".repeat(600)).is_none());
    }
}
