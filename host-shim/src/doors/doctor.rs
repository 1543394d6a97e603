//! Collects what there is to see of the installation. The component says what it means.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::asking::Asking;
use crate::bindings::exports::reveille::core::doctor::{Finding, Topic};
use crate::component::hash;
use crate::error::Failure;
use crate::machine::index::Index;
use crate::machine::paths;
use crate::machine::processes::{self, End};

/// Looks, and answers the text to print and whether all is well.
pub fn run(json: bool) -> Result<(String, bool), Failure> {
    let mut asking = Asking::begin()?;
    let findings = collect(&mut asking)?;
    let verdict = asking.component().call(|world, store| world.reveille_core_doctor().call_judge(store, &findings))?;
    let text = if json { format!("{}\n", verdict.json) } else { verdict.markdown };
    Ok((text, verdict.healthy))
}

fn collect(asking: &mut Asking) -> Result<Vec<Finding>, Failure> {
    let mut findings = Vec::new();
    let mut add = |topic: Topic, found: Result<String, String>| findings.push(Finding { topic, found });
    add(Topic::Binary, std::env::current_exe().map(|path| format!("{} {}", path.display(), env!("CARGO_PKG_VERSION"))).map_err(|error| error.to_string()));
    add(Topic::Component, Ok(hash().to_owned()));
    let data = paths::data();
    add(Topic::DataDirectory, data.as_deref().map_or_else(|| Err(String::new()), writable));
    add(Topic::Index, data.as_deref().map_or_else(|| Err(String::new()), index));
    let client = paths::client();
    add(Topic::ClientDirectory, client.as_deref().filter(|client| client.is_dir()).map(|client| client.display().to_string()).ok_or_else(|| shown(client.as_deref())));
    add(Topic::PluginInstalled, client.as_deref().map_or_else(|| Err(String::new()), installed));
    add(Topic::PluginEnabled, client.as_deref().map_or_else(|| Err(String::new()), enabled));
    add(Topic::Git, git_version());
    let (checkout, sessions) = asking.survey()?;
    add(Topic::Checkout, Ok(checkout));
    add(Topic::Sessions, Ok(sessions.to_string()));
    Ok(findings)
}

fn shown(path: Option<&Path>) -> String {
    path.map(|path| path.display().to_string()).unwrap_or_default()
}

fn writable(data: &Path) -> Result<String, String> {
    crate::machine::files::private_directory(data).map_err(|error| format!("{}: {error}", data.display()))?;
    tempfile::tempfile_in(data).map_err(|error| format!("{}: {error}", data.display()))?;
    Ok(data.display().to_string())
}

fn index(data: &Path) -> Result<String, String> {
    let index = Index::try_open(data)?;
    index.count().map(|count| count.to_string()).ok_or_else(String::new)
}

fn json(path: &Path) -> Result<Value, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The entries of this plugin in a map whose keys are `<plugin>@<marketplace>`.
fn ours(map: Option<&Value>) -> Vec<(String, Value)> {
    let prefix = concat!(env!("CARGO_PKG_NAME"), "@");
    map.and_then(Value::as_object)
        .map(|map| map.iter().filter(|(key, _)| key.starts_with(prefix)).map(|(key, value)| (key.clone(), value.clone())).collect())
        .unwrap_or_default()
}

fn installed(client: &Path) -> Result<String, String> {
    let file = json(&client.join("plugins").join("installed_plugins.json"))?;
    let found: Vec<String> = ours(file.get("plugins"))
        .into_iter()
        .map(|(key, value)| {
            let entry = value.as_array().and_then(|entries| entries.first()).cloned().unwrap_or(value);
            let version = entry.get("version").and_then(Value::as_str).unwrap_or_default().to_owned();
            format!("{key} {version}")
        })
        .collect();
    if found.is_empty() { Err(String::new()) } else { Ok(found.join(", ")) }
}

fn enabled(client: &Path) -> Result<String, String> {
    let file = json(&client.join("settings.json"))?;
    let found: Vec<String> = ours(file.get("enabledPlugins")).into_iter().filter(|(_, value)| value.as_bool() == Some(true)).map(|(key, _)| key).collect();
    if found.is_empty() { Err(String::new()) } else { Ok(found.join(", ")) }
}

fn git_version() -> Result<String, String> {
    let mut command = Command::new("git");
    command.arg("--version");
    let output = processes::run(command, Instant::now() + Duration::from_secs(2), 4 << 10);
    match output.end {
        End::Exited(0) => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        other => Err(format!("{other:?}")),
    }
}
