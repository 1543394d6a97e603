//! `reveille doctor` over installations as the client leaves them on disk.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const REGISTER: &str = r#"{"version":2,"plugins":{"reveille@reveille":[{"scope":"user","version":"VERSION"}]}}"#;
const ENABLED: &str = r#"{"enabledPlugins":{"reveille@reveille":true}}"#;

/// A home in which the plugin is installed and turned on.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), ".claude/plugins/installed_plugins.json", &REGISTER.replace("VERSION", env!("CARGO_PKG_VERSION")));
    write(home.path(), ".claude/settings.json", ENABLED);
    std::fs::create_dir_all(home.path().join("code/web")).unwrap();
    home
}

fn write(home: &Path, path: &str, text: &str) {
    let path = home.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn doctor(home: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reveille"))
        .arg("doctor")
        .args(arguments)
        .current_dir(home.join("code/web"))
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("REVEILLE_DATA_DIR", home.join("data"))
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

/// The state of each topic.
fn states(output: &Output) -> Vec<(String, String)> {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = json.get("findings").and_then(Value::as_array).unwrap().clone();
    let text = |finding: &Value, name: &str| finding.get(name).and_then(Value::as_str).unwrap().to_owned();
    findings.iter().map(|finding| (text(finding, "topic"), text(finding, "state"))).collect()
}

#[track_caller]
fn assert_state(output: &Output, topic: &str, expected: &str) {
    let states = states(output);
    let state = states.iter().find(|(known, _)| known == topic).map(|(_, state)| state.as_str());
    assert_eq!(state, Some(expected), "{topic} in {}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn an_installation_as_the_client_makes_it_is_well_and_the_status_says_so() {
    let home = home();
    let output = doctor(home.path(), &[], &["--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    for topic in
        ["binary", "component", "data-directory", "client-directory", "plugin-installed", "plugin-enabled", "hooks", "git", "checkout"]
    {
        assert_state(&output, topic, "ok");
    }
    let text = String::from_utf8(doctor(home.path(), &[], &[]).stdout).unwrap();
    assert!(
        text.starts_with("# Doctor · reveille ") && text.contains("ok     Enabled         reveille@reveille in ~/.claude/settings.json"),
        "{text}"
    );
}

#[test]
fn what_a_checkouts_own_settings_turn_off_is_found_and_the_status_is_1() {
    let home = home();
    std::fs::create_dir(home.path().join("code/web/.git")).unwrap();
    write(home.path(), "code/web/.claude/settings.local.json", r#"{"enabledPlugins":{"reveille@reveille":false},"disableAllHooks":true}"#);
    let output = doctor(home.path(), &[], &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_state(&output, "plugin-enabled", "wrong");
    assert_state(&output, "hooks", "wrong");
    assert_state(&output, "checkout", "wrong");
}

#[test]
fn a_machine_without_the_client_without_git_or_with_a_file_in_the_way_is_told_apart() {
    let home = home();
    let elsewhere = home.path().join("elsewhere");
    assert_state(&doctor(home.path(), &[("CLAUDE_CONFIG_DIR", elsewhere.to_str().unwrap())], &["--json"]), "client-directory", "wrong");
    assert_state(&doctor(home.path(), &[("PATH", "/nonexistent")], &["--json"]), "git", "wrong");
    let file = home.path().join(".claude/settings.json");
    assert_state(&doctor(home.path(), &[("REVEILLE_DATA_DIR", file.to_str().unwrap())], &["--json"]), "data-directory", "wrong");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_state(&doctor(home.path(), &[], &["--json"]), "plugin-enabled", "wrong");
}
