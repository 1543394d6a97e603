//! Files that are generated from one fact elsewhere: written by `bless`, compared by the gate.

use std::path::Path;

use anyhow::{Result, bail};

use crate::package;

/// A generated file: where it stands and what it must say.
struct Generated {
    path: &'static str,
    text: String,
}

fn all(root: &Path) -> Result<Vec<Generated>> {
    let manifest = std::fs::read_to_string(root.join("plugin.json"))?;
    Ok(vec![
        Generated { path: "schema/wake-report.json", text: reveille_plugin::wake::schema() },
        Generated { path: "marketplace/reveille/.claude-plugin/plugin.json", text: manifest },
        Generated { path: "marketplace/.claude-plugin/marketplace.json", text: package::marketplace(root, "./reveille")? },
        Generated { path: ".claude-plugin/marketplace.json", text: package::marketplace(root, "./marketplace/reveille")? },
    ])
}

/// Writes every generated file.
pub fn write(root: &Path) -> Result<()> {
    for file in all(root)? {
        let path = root.join(file.path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, file.text)?;
        println!("wrote {}", file.path);
    }
    Ok(())
}

/// Compares every generated file with what stands in the tree.
pub fn check(root: &Path) -> Result<()> {
    let stale: Vec<&str> = all(root)?
        .into_iter()
        .filter(|file| std::fs::read_to_string(root.join(file.path)).ok().as_ref() != Some(&file.text))
        .map(|file| file.path)
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    bail!("not as generated: {}. Run `cargo xtask bless` and read the difference", stale.join(", "))
}
