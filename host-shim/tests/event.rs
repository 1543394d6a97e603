//! `reveille event`: one process an event, under the session's lock, with the ledger written before the answer.
#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod world;

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use world::World;

const SESSION: &str = "5d1f0c52-3f0a-4f0e-9b53-1f6f3c1d2a10";

fn folder(world: &World) -> PathBuf {
    world.data().join("sessions").join(SESSION)
}

fn output(world: &World, input: &[u8]) -> Output {
    let mut child = world.command(&["event", SESSION]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn tell(world: &World, event: &str, data: Value) -> Value {
    let output = output(world, json!({"event": event, "data": data}).to_string().as_bytes());
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{event}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn hand_off(world: &World) -> Value {
    let input = json!({"objective": "o", "done": "d", "remaining": "r", "next": "n"});
    tell(world, "call.start", json!({"tool": "mcp__reveille__forward_compaction", "id": "toolu_h", "input": input, "module": true}))
}

fn stored(world: &World) -> bool {
    tell(world, "status", json!({}))["text"].as_str().unwrap().contains("call toolu_h")
}

fn rows(world: &World) -> Vec<String> {
    std::fs::read_to_string(folder(world).join("ledger.jsonl")).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn what_one_process_is_told_the_next_one_knows() {
    let world = World::new();
    assert_eq!(hand_off(&world)["result"]["error"], false);
    assert!(stored(&world));
    assert_eq!(rows(&world).len(), 1, "a question records nothing");
}

#[test]
fn the_ledger_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    hand_off(&world);
    let mode = |path: PathBuf| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(folder(&world)), 0o700);
    for file in ["ledger.jsonl", "lock"] {
        assert_eq!(mode(folder(&world).join(file)), 0o600, "{file}");
    }
    assert_eq!(mode(world.data().join("logs").join(format!("reveille-{SESSION}.jsonl"))), 0o600);
}

#[test]
fn parallel_events_queue_and_none_is_lost() {
    let world = World::new();
    std::thread::scope(|scope| {
        for at in 0..12 {
            let world = &world;
            scope.spawn(move || tell(world, "prompt", json!({"text": format!("prompt {at}"), "origin": "composer"})));
        }
    });
    let rows = rows(&world);
    assert_eq!(rows.len(), 12);
    for at in 0..12 {
        assert!(rows.iter().any(|row| row.contains(&format!("\"prompt {at}\""))), "{at}");
    }
}

#[test]
fn an_event_that_meets_a_held_lock_at_its_deadline_is_kept_and_merged_by_the_next() {
    let world = World::new();
    hand_off(&world);
    let lock = File::open(folder(&world).join("lock")).unwrap();
    lock.lock().unwrap();
    let passed = tell(&world, "prompt", json!({"text": "Said meanwhile.", "origin": "composer"}));
    assert!(passed["faults"][0].as_str().unwrap().contains("holds its lock"), "{passed}");
    assert!(!rows(&world).iter().any(|row| row.contains("Said meanwhile.")));
    lock.unlock().unwrap();
    tell(&world, "prompt", json!({"text": "Said later.", "origin": "composer"}));
    let rows = rows(&world);
    let at = |text: &str| rows.iter().position(|row| row.contains(text)).unwrap();
    assert!(at("Said meanwhile.") < at("Said later."));
    assert_eq!(
        std::fs::read_dir(folder(&world))
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("spill"))
            .count(),
        0
    );
}

#[test]
fn a_handoff_that_meets_a_held_lock_is_refused_and_never_stored_later() {
    let world = World::new();
    tell(&world, "prompt", json!({"text": "x", "origin": "composer"}));
    let lock = File::open(folder(&world).join("lock")).unwrap();
    lock.lock().unwrap();
    let refused = hand_off(&world);
    assert_eq!(refused["result"]["error"], true, "{refused}");
    lock.unlock().unwrap();
    assert!(!stored(&world));
}

#[test]
fn a_full_disk_refuses_a_handoff_and_gives_an_ask_its_answer() {
    let world = World::new();
    std::fs::create_dir_all(folder(&world)).unwrap();
    std::fs::write(folder(&world).join("ledger.jsonl"), "\n".repeat(9_000_000)).unwrap();
    tell(&world, "prompt", json!({"text": "x", "origin": "composer"}));
    // No file may grow past 8 MiB, and the ledger is longer: a write to it fails as on a full disk.
    let full = |event: &str, data: Value| -> Value {
        let script = format!("trap '' XFSZ; ulimit -f 16384; exec '{}' event {SESSION}", env!("CARGO_BIN_EXE_reveille"));
        let mut child = std::process::Command::new("sh")
            .args(["-c", &script])
            .env("REVEILLE_DATA_DIR", world.data())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(json!({"event": event, "data": data}).to_string().as_bytes()).unwrap();
        serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
    };
    let input = json!({"objective": "o", "done": "d", "remaining": "r", "next": "n"});
    let call = json!({"tool": "mcp__reveille__forward_compaction", "id": "toolu_h", "input": input, "module": true});
    let refused = full("call.start", call);
    assert!(refused["result"]["text"].as_str().unwrap().starts_with("Refused, and nothing was stored."), "{refused}");
    assert!(refused["faults"].to_string().contains("handoffs cannot be stored"), "{refused}");
    let ask = json!({"trigger": "auto", "messages": [{"handle": "h", "role": "user", "text": "x"}], "agents": []});
    let held = full("compact", ask);
    assert!(held["skip"].is_string() && held["faults"].to_string().contains("not recorded"), "an ask is answered all the same: {held}");
    assert_eq!(rows(&world).iter().filter(|row| !row.is_empty()).count(), 1, "and the ledger is whole");
    assert!(!stored(&world));
}

#[test]
fn a_lock_that_a_dead_process_held_is_free() {
    let world = World::new();
    hand_off(&world);
    let mut child = std::process::Command::new("flock").arg(folder(&world).join("lock")).args(["sleep", "60"]).spawn().unwrap();
    // It holds the lock once an event waits for it.
    let held = || File::open(folder(&world).join("lock")).unwrap().try_lock().is_err();
    while !held() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // The lock goes with the last process that holds the file open.
    let _ = std::process::Command::new("pkill").args(["-KILL", "-P", &child.id().to_string()]).status();
    let answer = tell(&world, "prompt", json!({"text": "x", "origin": "composer"}));
    assert!(answer["faults"].is_null() || answer["faults"].to_string().contains("lock"), "{answer}");
}

#[test]
fn a_half_written_line_is_ended_counted_and_told_and_the_rest_counts() {
    let world = World::new();
    hand_off(&world);
    OpenOptions::new().append(true).open(folder(&world).join("ledger.jsonl")).unwrap().write_all(b"{\"at\":1,\"fact\":{\"Pro").unwrap();
    let answer = tell(&world, "prompt", json!({"text": "After it.", "origin": "composer"}));
    assert!(answer["toasts"].to_string().contains("1 row of this session's ledger could not be read"), "{answer}");
    assert!(rows(&world).last().unwrap().starts_with("{\"at\":"), "{:?}", rows(&world));
    assert!(stored(&world));
}

#[test]
fn rows_of_another_version_are_left_out_and_told() {
    let world = World::new();
    hand_off(&world);
    OpenOptions::new()
        .append(true)
        .open(folder(&world).join("ledger.jsonl"))
        .unwrap()
        .write_all(b"{\"at\":1,\"fact\":{\"Hologram\":{}}}\n{\"v\":0}\n")
        .unwrap();
    let answer = tell(&world, "status", json!({}));
    assert!(answer["toasts"].to_string().contains("2 rows of this session's ledger"), "{answer}");
    assert!(answer["text"].as_str().unwrap().contains("call toolu_h"));
}

#[test]
fn a_damaged_or_stale_snapshot_is_not_used() {
    let world = World::new();
    hand_off(&world);
    for at in 0..200 {
        let data = json!({"text": format!("{at} {}", "x".repeat(300)), "origin": "composer"});
        if at < 120 {
            tell(&world, "prompt", data);
        }
    }
    let snapshot = folder(&world).join("snapshot");
    let saved = std::fs::read(&snapshot).expect("a long ledger has a snapshot");
    assert!(stored(&world));
    let mut damaged = saved.clone();
    *damaged.last_mut().unwrap() ^= 0xff;
    for bytes in [&damaged[..], &saved[..20], &b""[..], &b"nonsense"[..], &[0xff; 64][..]] {
        std::fs::write(&snapshot, bytes).unwrap();
        assert!(stored(&world), "{} bytes", bytes.len());
    }
    // A ledger that is shorter than the snapshot says is another one.
    std::fs::write(&snapshot, &saved).unwrap();
    std::fs::write(folder(&world).join("ledger.jsonl"), "").unwrap();
    assert!(!stored(&world));
}

#[test]
fn a_log_that_cannot_be_written_is_told_and_its_rows_come_later_in_order() {
    let world = World::new();
    std::fs::create_dir_all(world.data()).unwrap();
    std::fs::write(world.data().join("logs"), "in the way").unwrap();
    let answer = hand_off(&world);
    assert_eq!(answer["result"]["error"], false, "a failing log costs nothing");
    assert!(answer["faults"][0].as_str().unwrap().contains("decision log cannot be written"), "{answer}");
    std::fs::remove_file(world.data().join("logs")).unwrap();
    let refused = tell(&world, "call.start", json!({"tool": "mcp__reveille__forward_compaction", "id": "t", "input": {}, "module": true}));
    assert_eq!(refused["result"]["error"], true);
    let log = std::fs::read_to_string(world.data().join("logs").join(format!("reveille-{SESSION}.jsonl"))).unwrap();
    let rows: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.iter().map(|row| row["handoff"].as_str().unwrap()).collect::<Vec<_>>(), ["stored", "refused"]);
}

#[test]
fn input_that_cannot_be_read_passes_and_says_why() {
    let world = World::new();
    for input in [&b"{"[..], b"", b"[]", b"\xff\xfe", b"{\"event\":\"hologram\"}", b"{\"event\":\"compact\",\"data\":{}}"] {
        let output = output(&world, input);
        assert!(output.status.success());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answer["faults"][0].as_str().unwrap().starts_with("Reveille (main): "), "{answer}");
        assert!(answer["messages"].is_null() && answer["deny"].is_null());
    }
}

#[test]
fn a_session_id_that_is_no_name_leaves_nothing() {
    let world = World::new();
    for id in ["../x", "a/b", "", "a b", "é"] {
        let output = world.run(&["event", id]);
        assert!(output.stdout.is_empty(), "{id}");
    }
    assert!(!world.data().exists());
}

#[test]
fn what_other_sessions_left_long_ago_is_cleaned_up_at_a_start() {
    let world = World::new();
    let old = world.data().join("sessions").join("an-old-one");
    let recent = world.data().join("sessions").join("a-recent-one");
    for folder in [&old, &recent] {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("ledger.jsonl"), "").unwrap();
    }
    let log = world.data().join("logs").join("reveille-an-old-one.jsonl");
    std::fs::create_dir_all(log.parent().unwrap()).unwrap();
    std::fs::write(&log, "").unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(31 * 86_400);
    for file in [old.join("ledger.jsonl"), log.clone()] {
        OpenOptions::new().append(true).open(file).unwrap().set_modified(long_ago).unwrap();
    }
    tell(&world, "start", json!({"source": "startup"}));
    assert!(!old.exists() && recent.exists() && !log.exists());
}

#[test]
fn a_conversation_of_several_megabytes_goes_through() {
    let world = World::new();
    hand_off(&world);
    let message = |at: usize| json!({"handle": format!("m{at}"), "role": "assistant", "text": "x".repeat(2_000)});
    let mut messages = vec![json!({"handle": "h", "role": "assistant", "text": "", "uses": [{"id": "toolu_h", "tool": "t", "input": {}}]})];
    messages.push(json!({"handle": "r", "role": "user", "text": "", "results": [{"id": "toolu_h", "text": "Stored", "error": false}]}));
    messages.extend((0..3_000).map(message));
    let answer = tell(&world, "compact", json!({"trigger": "auto", "messages": messages, "agents": []}));
    assert_eq!(answer["messages"].as_array().unwrap().len(), 3_002);
    assert!(answer.to_string().len() < 200_000, "messages go back as handles");
}
