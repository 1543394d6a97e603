//! Files that are generated from one fact elsewhere: written by `bless`, compared by the gate.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use reveille_plugin::options;
use reveille_tests::artefacts;

use crate::package;

/// A generated file: where it stands and what it must say.
struct Generated {
    path: &'static str,
    text: String,
}

fn all(root: &Path) -> Result<Vec<Generated>> {
    Ok(vec![
        Generated { path: "docs/cli.md", text: command_line(root)? },
        Generated { path: "schema/wake-report.json", text: reveille_plugin::wake::schema() },
        Generated { path: "marketplace/reveille/.claude-plugin/plugin.json", text: package::manifest_with_options(root)? },
        Generated { path: "marketplace/reveille/.mcp.json", text: package::mcp_servers() },
        Generated { path: "docs/options.md", text: options::reference() },
        Generated { path: "marketplace/.claude-plugin/marketplace.json", text: package::marketplace(root, "./reveille")? },
        Generated { path: ".claude-plugin/marketplace.json", text: package::marketplace(root, "./marketplace/reveille")? },
    ])
}

/// The command line's own help, of the built binary.
fn command_line(root: &Path) -> Result<String> {
    let help = |command: &[&str]| -> Result<String> {
        let output = Command::new(artefacts::binary(root)).args(command).arg("--help").output().context("reveille is not built")?;
        ensure!(output.status.success(), "reveille {} --help failed", command.join(" "));
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    };
    let mut text = format!("# Command line\n\nMade by `cargo xtask bless` from `reveille --help`.\n\n```\n{}\n```\n", help(&[])?);
    for command in ["wake", "look-back", "doctor", "scan", "hook", "event", "tool", "mcp", "completions"] {
        text.push_str(&format!("\n## reveille {command}\n\n```\n{}\n```\n", help(&[command])?));
    }
    Ok(text)
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
