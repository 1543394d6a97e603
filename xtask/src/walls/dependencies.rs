//! What each room may depend on. The pure room may not even reach a crate that does I/O; the shim may not reach the pure room natively, or it could decide.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Crates that the component may not reach, however deep, and why.
const NOT_IN_THE_COMPONENT: &[(&str, &str)] = &[
    ("anyhow", "errors of the contract are variants"),
    ("async-std", "the component does no I/O"),
    ("dirs", "paths are values"),
    ("etcetera", "paths are values"),
    ("getrandom", "the component has no randomness"),
    ("libc", "the component calls no system"),
    ("mio", "the component does no I/O"),
    ("rand", "the component has no randomness"),
    ("reqwest", "the component has no network"),
    ("rusqlite", "the index is the shim's"),
    ("rustix", "the component calls no system"),
    ("socket2", "the component has no network"),
    ("tempfile", "the component has no files"),
    ("tokio", "the component does no I/O"),
    ("ureq", "the component has no network"),
    ("walkdir", "the component has no files"),
    ("wasmtime", "the component does not host"),
];

/// Crates that only a rule needs.
const NOT_IN_THE_SHIM: &[(&str, &str)] = &[
    ("reveille-plugin", "the shim asks the component, through the contract"),
    ("regex", "the shim classifies nothing"),
    ("rable", "the shim reads no commands"),
    ("similar", "the shim compares nothing"),
    ("strsim", "the shim compares nothing"),
    ("unicode-segmentation", "the shim cuts no text"),
];

/// What is wrong with the dependency graph.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let mut violations = Vec::new();
    let component = tree(root, &["--package", "reveille-plugin", "--target", "wasm32-wasip2", "--edges", "normal,no-proc-macro"])?;
    violations.extend(forbidden("the component", &component, NOT_IN_THE_COMPONENT));
    let shim = tree(root, &["--package", "reveille", "--edges", "normal", "--depth", "1"])?;
    violations.extend(forbidden("the shim", &shim, NOT_IN_THE_SHIM));
    Ok(violations)
}

fn tree(root: &Path, arguments: &[&str]) -> Result<BTreeSet<String>> {
    let output = Command::new("cargo")
        .current_dir(root)
        .args(["tree", "--locked", "--prefix", "none", "--format", "{p}"])
        .args(arguments)
        .output()
        .context("cargo cannot be started")?;
    ensure!(output.status.success(), "cargo tree failed: {}", String::from_utf8_lossy(&output.stderr));
    let names: BTreeSet<String> =
        String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    ensure!(names.len() > 1, "cargo tree named no dependencies of {arguments:?}");
    Ok(names)
}

fn forbidden(room: &str, names: &BTreeSet<String>, not: &[(&str, &str)]) -> Vec<String> {
    not.iter().filter(|(name, _)| names.contains(*name)).map(|(name, why)| format!("{room} depends on {name}: {why}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_that_reaches_tokio_is_refused() {
        let names = ["serde", "tokio"].into_iter().map(str::to_owned).collect();
        assert_eq!(forbidden("the component", &names, NOT_IN_THE_COMPONENT).len(), 1);
    }

    #[test]
    fn a_shim_that_links_the_rules_natively_is_refused() {
        let names = ["reveille-plugin", "wasmtime"].into_iter().map(str::to_owned).collect();
        assert_eq!(forbidden("the shim", &names, NOT_IN_THE_SHIM).len(), 1);
    }
}
