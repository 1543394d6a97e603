//! The walls between the rooms, checked by machine. Each is a function from what stands in the tree to what is wrong with it, so that a test can show it
//! something wrong.

mod contract;
mod dependencies;
mod facts;
mod hooks;
mod shim;

use std::path::Path;

use anyhow::{Result, bail};

/// Checks every wall. `component` is the built component.
pub fn check(root: &Path, component: &Path) -> Result<()> {
    let mut violations = Vec::new();
    violations.extend(contract::check(root, component)?);
    violations.extend(dependencies::check(root)?);
    violations.extend(shim::check(root)?);
    violations.extend(hooks::check(root)?);
    violations.extend(facts::check(root)?);
    if violations.is_empty() {
        return Ok(());
    }
    for violation in &violations {
        eprintln!("wall: {violation}");
    }
    bail!("{} violations of the walls: see CONTRIBUTING.md", violations.len())
}

/// Every file below a folder whose name ends so, with its text.
fn texts(folder: &Path, ending: &str) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push((path.display().to_string(), std::fs::read_to_string(&path)?));
            }
        }
    }
    found.sort();
    Ok(found)
}
