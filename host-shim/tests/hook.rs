//! The hook door with every kind of input: it answers within two seconds, with status 0, and the session goes on.
#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod world;

use std::io::Write;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use world::{World, said};

const SCENE: &[&str] = &["person: Fix the importer", "bash a: cargo test", "fail a 101", "agent: It fails."];

fn hook_with(world: &World, input: &[u8], environment: &[(&str, &str)]) -> Output {
    let mut child = world
        .command(&["hook"])
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn hook(world: &World, input: &[u8]) -> Output {
    hook_with(world, input, &[])
}

fn start(world: &World, source: &str, session: &str) -> Vec<u8> {
    json!({"hook_event_name": "SessionStart", "source": source, "session_id": session, "cwd": world.checkout, "transcript_path": "/nowhere.jsonl"}).to_string().into_bytes()
}

fn context(output: &Output) -> String {
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {output:?}"));
    answer.pointer("/hookSpecificOutput/additionalContext").and_then(Value::as_str).unwrap().to_owned()
}

#[test]
fn a_session_start_is_answered_with_the_wake_of_the_session_before() {
    let world = World::with_session(SCENE);
    let output = hook(&world, &start(&world, "startup", "another"));
    let wake = context(&output);
    assert!(wake.contains("**Task** Fix the importer [seq 1]") && wake.contains("last failed `cargo test`"), "{wake}");
    assert_eq!(said(&output), "");
}

#[test]
fn the_same_input_with_byte_order_marks_or_an_unknown_source_is_answered_alike() {
    let world = World::with_session(SCENE);
    let plain = world::stable(&context(&hook(&world, &start(&world, "startup", "another"))));
    for (marks, source) in [("\u{feff}", "startup"), ("\u{feff}\u{feff}", "startup"), ("", "hologram")] {
        let input = [marks.as_bytes(), &start(&world, source, "another")].concat();
        assert_eq!(world::stable(&context(&hook(&world, &input))), plain, "{source}");
    }
}

#[test]
fn input_that_cannot_be_read_is_answered_with_one_line_that_says_why() {
    let world = World::with_session(SCENE);
    for (input, words) in [
        (&b""[..], "is empty"),
        (b"\xef\xbb\xbf\xef\xbb\xbf", "is empty"),
        (b"hello", "no JSON object"),
        (b"[]", "no JSON object"),
        (b"{}", "names no event"),
    ] {
        let output = hook(&world, input);
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
        assert!(said(&output).contains(words) && said(&output).lines().count() == 1, "{}", said(&output));
    }
}

#[test]
fn input_that_never_ends_is_answered_within_two_seconds() {
    let world = World::with_session(SCENE);
    let begun = Instant::now();
    let mut child = world.command(&["hook"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"hook_event_name\":").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(output.status.success() && output.stdout.is_empty() && said(&output).contains("did not end"), "{output:?}");
    drop(input);
}

#[test]
fn a_missing_transcript_path_an_unknown_field_and_no_session_id_do_not_matter() {
    let world = World::with_session(SCENE);
    let input = json!({"hook_event_name": "SessionStart", "cwd": world.checkout, "new_field": {"a": [1]}}).to_string();
    assert!(context(&hook(&world, input.as_bytes())).contains("**Task** Fix the importer"));
}

#[test]
fn a_first_session_is_told_nothing() {
    let world = World::new();
    let output = hook(&world, &start(&world, "startup", "another"));
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn the_hooks_module_of_this_session_wakes_instead_and_another_sessions_does_not() {
    let world = World::with_session(SCENE);
    let input = start(&world, "startup", "mine");
    assert!(hook_with(&world, &input, &[("REVEILLE_MODULE", "mine")]).stdout.is_empty());
    assert!(!hook_with(&world, &input, &[("REVEILLE_MODULE", "outer")]).stdout.is_empty());
}

#[test]
fn a_sub_agents_start_is_told_nothing() {
    let world = World::with_session(SCENE);
    let input = json!({"hook_event_name": "SessionStart", "source": "compact", "agent_id": "a1", "session_id": "s", "cwd": world.checkout})
        .to_string();
    assert!(hook(&world, input.as_bytes()).stdout.is_empty());
}

#[test]
fn without_git_the_wake_says_so() {
    let world = World::with_session(SCENE);
    let wake = context(&hook_with(&world, &start(&world, "startup", "another"), &[("PATH", "/nowhere")]));
    assert!(wake.contains("git is not installed") && wake.contains("**Task** Fix the importer"), "{wake}");
}

#[cfg(unix)]
#[test]
fn a_git_that_hangs_and_ignores_being_told_to_stop_is_ended_with_the_wake() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::with_session(SCENE);
    let programs = world.folder.path().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let started = world.folder.path().join("started");
    let git = format!("#!/bin/sh\ntrap '' TERM\necho $$ >> {}\nwhile :; do /bin/sleep 1; done\n", started.display());
    std::fs::write(programs.join("git"), git).unwrap();
    std::fs::set_permissions(programs.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let begun = Instant::now();
    let output = hook_with(&world, &start(&world, "startup", "another"), &[("PATH", programs.to_str().unwrap())]);
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    assert!(context(&output).contains("**Task** Fix the importer"));
    let pids = std::fs::read_to_string(started).unwrap();
    assert!(!pids.is_empty());
    for pid in pids.lines() {
        assert!(!std::path::Path::new("/proc").join(pid).join("exe").exists(), "{pid} lives on");
    }
}

#[test]
fn without_a_data_directory_the_wake_is_the_same() {
    let world = World::with_session(SCENE);
    let plain = world::stable(&context(&hook(&world, &start(&world, "startup", "another"))));
    for directory in ["/dev/null/x", "/proc/nowhere"] {
        let output = hook_with(&world, &start(&world, "startup", "another"), &[("REVEILLE_DATA_DIR", directory)]);
        assert_eq!(world::stable(&context(&output)), plain, "{directory}");
        assert_eq!(said(&output), "");
    }
}

#[test]
fn a_transcript_that_cannot_be_read_is_no_candidate() {
    let world = World::with_session(SCENE);
    std::fs::create_dir(world.project().join("00000000-0000-4000-8000-00000000dead.jsonl")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/nowhere", world.project().join("00000000-0000-4000-8000-00000000beef.jsonl")).unwrap();
    assert!(context(&hook(&world, &start(&world, "startup", "another"))).contains("**Task** Fix the importer"));
}

#[test]
fn secrets_leave_in_no_door_unless_raw_is_asked_for() {
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4).chars().take(36).collect::<String>());
    let world = World::with_session(&[
        &format!("person: Use {secret} to push"),
        &format!("bash a: TOKEN={secret} cargo test"),
        "fail a 101",
        "agent: It fails.",
    ]);
    let hooked = String::from_utf8_lossy(&hook(&world, &start(&world, "startup", "another")).stdout).into_owned();
    let printed = world::out(&world.run(&["wake"]));
    let json = world::out(&world.run(&["wake", "--json"]));
    for text in [&hooked, &printed, &json] {
        assert!(!text.contains(&secret) && text.contains("[redacted:"), "{text}");
    }
    assert!(world::out(&world.run(&["wake", "--raw"])).contains(&secret));
}
