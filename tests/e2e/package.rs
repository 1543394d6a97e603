//! The package: what the client thinks of it, and the launcher in every place it can find a program in, or not.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use reveille_tests::terminal::until;
use reveille_tests::{artefacts, client};
use serde_json::Value;
use tempfile::TempDir;

fn dist() -> PathBuf {
    let dist = artefacts::dist(&artefacts::root());
    assert!(dist.is_dir(), "dist/ is missing: run `cargo xtask package`");
    dist
}

/// A copy of the packaged plugin in a folder whose name has a blank, without its program.
fn launcher(folder: &TempDir) -> PathBuf {
    let plugin = folder.path().join("a plugin");
    fs::create_dir_all(plugin.join("launcher")).unwrap();
    for name in ["reveille", "version", "releases.txt"] {
        fs::copy(dist().join("reveille").join("launcher").join(name), plugin.join("launcher").join(name)).unwrap();
    }
    plugin
}

fn program(path: &Path, says: &str, executable: bool) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\necho {says} \"$@\"\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 })).unwrap();
}

fn run(plugin: &Path, arguments: &[&str], environment: &[(&str, &Path)]) -> Output {
    Command::new("sh")
        .arg(plugin.join("launcher").join("reveille"))
        .args(arguments)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .envs(environment.iter().map(|(name, value)| (*name, *value)))
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn version() -> String {
    fs::read_to_string(dist().join("reveille").join("launcher").join("version")).unwrap().trim().to_owned()
}

fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

#[test]
fn the_client_finds_nothing_wrong_with_the_package() {
    let client = client::ensure(&artefacts::root()).unwrap();
    let home = tempfile::tempdir().unwrap();
    for (target, more) in [(dist().join("reveille"), ["--profile", "directory"].as_slice()), (dist(), &[])] {
        let output = Command::new(&client)
            .env_clear()
            .env("HOME", home.path())
            .env("PATH", std::env::var("PATH").unwrap())
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .args(["plugin", "validate"])
            .arg(&target)
            .args(["--strict", "--json"])
            .args(more)
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["success"], true, "{report:#}");
    }
}

#[test]
fn the_launcher_takes_the_named_program_first_then_the_kept_one_then_the_packaged_one() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = launcher(&folder);
    let data = folder.path().join("data");
    let named = folder.path().join("named");
    program(&plugin.join("native").join(platform()).join("reveille"), "packaged", true);
    let data_variable = [("CLAUDE_PLUGIN_DATA", data.as_path())];
    assert_eq!(said(&run(&plugin, &["hook"], &data_variable)), "packaged hook");
    program(&plugin.join("native").join("other-cpu").join("reveille"), "wrong", true);
    assert_eq!(said(&run(&plugin, &["hook"], &data_variable)), "packaged hook", "of several platforms this one");
    program(&data.join("bin").join(version()).join("reveille"), "kept", true);
    assert_eq!(said(&run(&plugin, &["mcp"], &data_variable)), "kept mcp");
    program(&named, "named", true);
    assert_eq!(said(&run(&plugin, &["a b", "c"], &[("REVEILLE_BIN", &named), data_variable[0]])), "named a b c");
}

#[test]
fn a_marketplace_that_drops_execute_bits_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = launcher(&folder);
    let data = folder.path().join("data");
    program(&plugin.join("native").join(platform()).join("reveille"), "packaged", false);
    assert_eq!(said(&run(&plugin, &["hook"], &[("CLAUDE_PLUGIN_DATA", &data)])), "packaged hook");
    assert!(data.join("bin").join(version()).join("reveille").is_file(), "a copy of our own runs");
    assert_eq!(said(&run(&plugin, &["hook"], &[])), "packaged hook", "without a data directory too");
}

#[test]
fn a_program_on_the_path_is_taken_only_of_the_same_version() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = launcher(&folder);
    let bin = folder.path().join("bin");
    for (version, taken) in [(version(), true), ("9.9.9".to_owned(), false)] {
        program(&bin.join("reveille"), &format!("reveille {version} #"), true);
        let script = format!("#!/bin/sh\n[ \"$1\" = --version ] && echo reveille {version} && exit\necho from-path \"$@\"\n");
        fs::write(bin.join("reveille"), script).unwrap();
        let path = PathBuf::from(format!("{}:/usr/bin:/bin", bin.display()));
        let output = said(&run(&plugin, &["hook"], &[("PATH", &path)]));
        assert_eq!(output == "from-path hook", taken, "{output}");
    }
}

#[test]
fn without_a_program_a_hook_is_answered_with_one_line_and_everything_else_fails() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = launcher(&folder);
    let hook = run(&plugin, &["hook"], &[]);
    assert!(hook.status.success());
    let answer: Value = serde_json::from_slice(&hook.stdout).unwrap();
    assert!(answer["systemMessage"].as_str().unwrap().contains("cargo xtask install"), "{answer}");
    let other = run(&plugin, &["mcp"], &[]);
    assert!(!other.status.success() && other.stdout.is_empty(), "nothing but protocol on standard output");
}

#[test]
fn a_release_is_fetched_once_checked_and_moved_into_place() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = launcher(&folder);
    let release = folder.path().join("release");
    program(&release, "fetched", false);
    let sum = Command::new("sha256sum").arg(&release).output().unwrap();
    let sum = String::from_utf8_lossy(&sum.stdout).split(' ').next().unwrap().to_owned();
    let bytes = fs::read(&release).unwrap();
    let server = tiny_http::Server::http("127.0.0.1:0").unwrap();
    let port = server.server_addr().to_ip().unwrap().port();
    let serving = std::thread::spawn(move || {
        let mut served = 0;
        while let Ok(Some(request)) = server.recv_timeout(Duration::from_secs(3)) {
            served += 1;
            request.respond(tiny_http::Response::from_data(bytes.clone())).unwrap();
        }
        served
    });
    for (sum, expected) in [("0".repeat(64), false), (sum, true)] {
        let data = folder.path().join(format!("data-{expected}"));
        fs::write(
            plugin.join("launcher").join("releases.txt"),
            format!("other-cpu 1 http://127.0.0.1:{port}/x\n{} {sum} http://127.0.0.1:{port}/reveille\n", platform()),
        )
        .unwrap();
        let variable = [("CLAUDE_PLUGIN_DATA", data.as_path())];
        // Two sessions start at once.
        let answers: Vec<Value> =
            [0, 1].map(|_| serde_json::from_slice(&run(&plugin, &["hook"], &variable).stdout)).into_iter().flatten().collect();
        assert!(answers.iter().all(|answer| answer["systemMessage"].as_str().unwrap().contains("is fetching")), "{answers:?}");
        let kept = data.join("bin").join(version());
        until("the end of the fetch", || (!kept.join("fetching").exists()).then_some(())).unwrap();
        assert_eq!(kept.join("reveille").is_file(), expected, "a program of another checksum is not kept");
        if expected {
            assert_eq!(said(&run(&plugin, &["hook"], &variable)), "fetched hook");
        }
        let left: Vec<_> =
            fs::read_dir(&kept).unwrap().flatten().map(|entry| entry.file_name()).filter(|name| name != "reveille").collect();
        assert!(left.is_empty(), "{left:?}");
    }
    assert!(serving.join().unwrap() >= 2);
}
