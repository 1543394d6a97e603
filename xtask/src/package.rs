//! The installable marketplace in `dist/`: what `marketplace/` declares, stamped with the version, and this machine's binary beside the launcher.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use reveille_plugin::options;
use reveille_tests::artefacts;
use serde_json::{Value, json};

/// The marketplace's name, and so the plugin's full name `reveille@reveille`.
pub const NAME: &str = "reveille";

/// Platform as the launcher names it.
pub fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Builds the binary and writes `dist/`. Answers its path.
pub fn run(root: &Path) -> Result<PathBuf> {
    crate::ci::cargo(root, &["build", "--release", "--workspace", "--locked"])?;
    let dist = root.join("dist");
    write(root, &dist)?;
    println!("packaged {}", dist.display());
    Ok(dist)
}

/// Writes a marketplace into a folder, from what is built.
pub fn write(root: &Path, dist: &Path) -> Result<()> {
    if dist.exists() {
        fs::remove_dir_all(dist).with_context(|| format!("{} cannot be replaced", dist.display()))?;
    }
    copy(&root.join("marketplace"), dist)?;
    let plugin = dist.join(NAME);
    fs::remove_file(plugin.join("hooks").join("register.test.tsx")).context("the hooks module has tests")?;
    let manifest = manifest(root)?;
    let version = manifest.get("version").and_then(Value::as_str).context("plugin.json has no version")?;
    fs::write(plugin.join("launcher").join("version"), format!("{version}\n"))?;
    // Releases of a build from a checkout do not exist: the release workflow writes this file.
    fs::write(plugin.join("launcher").join("releases.txt"), "")?;
    let binary = artefacts::binary(root);
    let folder = plugin.join("native").join(platform());
    fs::create_dir_all(&folder)?;
    fs::copy(&binary, folder.join(binary.file_name().context("the binary has a name")?))
        .with_context(|| format!("{} is not built", binary.display()))?;
    fs::copy(artefacts::component(root), plugin.join("native").join("reveille.wasm")).context("the component is not built")?;
    for license in ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(license), plugin.join(license))?;
    }
    Ok(())
}

/// The plugin's manifest: the single source of its name, version and description.
pub fn manifest(root: &Path) -> Result<Value> {
    let text = fs::read_to_string(root.join("plugin.json")).context("plugin.json cannot be read")?;
    serde_json::from_str(&text).context("plugin.json is no JSON")
}

/// The manifest as it is installed: with the options that the client's settings show.
pub fn manifest_with_options(root: &Path) -> Result<String> {
    let text = fs::read_to_string(root.join("plugin.json")).context("plugin.json cannot be read")?;
    let fields = text.trim_end().strip_suffix('}').context("plugin.json is no object")?.trim_end();
    Ok(format!("{fields},\n  \"userConfig\": {}\n}}\n", options::user_config()))
}

/// The MCP server's declaration: what the options are set to reaches it in its environment.
pub fn mcp_servers() -> String {
    let variables = options::mcp_environment().join(",\n        ");
    format!(
        r#"{{
  "mcpServers": {{
    "reveille": {{
      "command": "sh",
      "args": ["${{CLAUDE_PLUGIN_ROOT}}/launcher/reveille", "mcp"],
      "env": {{
        {variables}
      }}
    }}
  }}
}}
"#
    )
}

/// A marketplace file whose plugin lies at `source`.
pub fn marketplace(root: &Path, source: &str) -> Result<String> {
    let manifest = manifest(root)?;
    let field = |name: &str| manifest.get(name).cloned().unwrap_or(Value::Null);
    let file = json!({
        "name": NAME,
        "owner": field("author"),
        "metadata": {"description": field("description"), "version": field("version")},
        "plugins": [{"name": field("name"), "source": source, "description": field("description"), "version": field("version")}]
    });
    Ok(format!("{}\n", serde_json::to_string_pretty(&file)?))
}

/// Copies a folder whole.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    ensure!(from.is_dir(), "{} is no folder", from.display());
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().context("an entry has a name")?);
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}
