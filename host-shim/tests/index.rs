//! The index: what a wake reads, and that nothing depends on it.
#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod world;

use std::fs;
use std::io::Write;
use std::sync::LazyLock;

use world::{World, out, said};

const SCENE: &[&str] = &["person: Fix the importer", "bash a: cargo test", "fail a 101", "agent: It fails."];

/// Bytes that a wake read of the transcript, by its own account.
fn bytes_read(world: &World) -> (u64, u64) {
    let output = world.command(&["wake"]).env("REVEILLE_LOG", "debug").output().unwrap();
    let lines = said(&output);
    let line = lines.lines().find(|line| line.contains("reveille: read ")).unwrap_or_else(|| panic!("{lines}"));
    let value = |key: &str| line.split(' ').find_map(|part| part.strip_prefix(key)).and_then(|value| value.parse().ok()).unwrap();
    (value("from="), value("bytes="))
}

/// What the client would append to the scene's records.
fn more(world: &World) -> Vec<u8> {
    let lines = [SCENE, &["@ 2026-09-04 10:00", "person: And the exporter"]].concat();
    let before = world.records(&world.checkout, SCENE).len();
    world.records(&world.checkout, &lines).split_off(before)
}

/// A line that says nothing, longer than what is compared of a file's beginning.
static BEGINNING: LazyLock<String> = LazyLock::new(|| format!("{{\"type\":\"unknown\",\"padding\":\"{}\"}}\n", "-".repeat(2000)));

fn append(world: &World, bytes: &[u8]) {
    fs::OpenOptions::new().append(true).open(world.transcript()).unwrap().write_all(bytes).unwrap();
}

#[test]
fn a_second_wake_reads_nothing_and_a_third_only_what_was_appended() {
    let world = World::with_session(SCENE);
    let size = fs::metadata(world.transcript()).unwrap().len();
    assert_eq!(bytes_read(&world), (0, size));
    assert_eq!(bytes_read(&world), (size, 0));
    let more = more(&world);
    append(&world, &more);
    assert_eq!(bytes_read(&world), (size, more.len() as u64));
    assert!(world.wake().contains("**Last asked** And the exporter"));
}

#[test]
fn a_check_that_the_options_name_counts_in_what_was_folded_already_too() {
    let world = World::with_session(&["person: Prove it", "bash a: prover all", "ok a", "agent: Done."]);
    let wake = |checks: &str| out(&world.command(&["wake"]).env("REVEILLE_CHECKS", checks).output().unwrap());
    assert!(!wake("").contains("last passed"), "{}", wake(""));
    assert!(wake("prover").contains("last passed `prover all`"), "{}", wake("prover"));
    assert!(!wake("").contains("last passed"));
}

#[test]
fn a_torn_tail_is_read_again_when_it_is_whole() {
    let world = World::with_session(SCENE);
    let more = more(&world);
    append(&world, &more[..more.len() / 2]);
    assert!(world.wake().contains("last line torn"));
    append(&world, &more[more.len() / 2..]);
    let wake = world.wake();
    assert!(wake.contains("**Last asked** And the exporter") && !wake.contains("torn"), "{wake}");
}

#[test]
fn a_file_that_was_truncated_rewritten_or_replaced_is_read_from_its_start() {
    let other = &["person: Write the docs", "agent: Writing them."];
    type Change = fn(&World, &[u8]);
    let changes: [(&str, Change); 4] = [
        ("truncated", |world, bytes| fs::write(world.transcript(), bytes).unwrap()),
        ("rewritten at its old length", |world, bytes| {
            let length = usize::try_from(fs::metadata(world.transcript()).unwrap().len()).unwrap();
            let mut bytes = bytes.to_vec();
            bytes.resize(length.max(bytes.len()), b'\n');
            fs::write(world.transcript(), bytes).unwrap();
        }),
        ("rewritten after a beginning that stayed", |world, bytes| {
            // The first wake read this beginning too.
            let kept = fs::read(world.transcript()).unwrap()[..BEGINNING.len()].to_vec();
            fs::write(world.transcript(), [&kept, bytes, &vec![b'\n'; 100_000]].concat()).unwrap();
        }),
        ("replaced by a longer one", |world, bytes| {
            let new = world.project().join("new");
            fs::write(&new, [bytes, &vec![b'\n'; 100_000]].concat()).unwrap();
            fs::rename(new, world.transcript()).unwrap();
        }),
    ];
    for (name, change) in changes {
        let world = World::with_session(SCENE);
        let begun = [BEGINNING.as_bytes(), &fs::read(world.transcript()).unwrap()].concat();
        fs::write(world.transcript(), begun).unwrap();
        assert!(world.wake().contains("Fix the importer"));
        change(&world, &world.records(&world.checkout, other));
        let wake = world.wake();
        assert!(wake.contains("**Task** Write the docs") && !wake.contains("importer"), "{name}: {wake}");
        fs::remove_dir_all(world.data()).unwrap();
        assert_eq!(wake, world.wake(), "{name}: as without an index");
    }
}

#[test]
fn an_index_that_is_deleted_or_damaged_costs_nothing_but_time() {
    let world = World::with_session(SCENE);
    let wake = world.wake();
    fs::remove_dir_all(world.data()).unwrap();
    assert_eq!(world.wake(), wake);
    for damage in
        [&b"not a database, but longer than a header of one would be, so that it is looked at"[..], b"", b"SQLite format 3\0damaged"]
    {
        fs::remove_file(world.data().join("index.sqlite-wal")).ok();
        fs::write(world.data().join("index.sqlite"), damage).unwrap();
        assert_eq!(world.wake(), wake);
        assert_eq!(world.wake(), wake);
    }
}

#[test]
fn an_index_that_is_damaged_past_its_first_page_is_made_again() {
    let world = World::with_session(SCENE);
    let wake = world.wake();
    let file = world.data().join("index.sqlite");
    let mut bytes = fs::read(&file).unwrap();
    assert!(bytes.len() > 8192, "written out: {}", bytes.len());
    bytes[4096..].fill(0xa5);
    fs::write(&file, bytes).unwrap();
    assert_eq!(world.wake(), wake);
    let size = fs::metadata(world.transcript()).unwrap().len();
    assert_eq!(bytes_read(&world).1, size);
    assert_eq!(bytes_read(&world), (size, 0));
}

#[test]
fn many_wakes_at_once_all_answer_the_same() {
    let world = World::with_session(SCENE);
    let children: Vec<_> = (0..8)
        .map(|_| world.command(&["wake"]).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap())
        .collect();
    let wakes: Vec<String> = children.into_iter().map(|child| world::stable(&out(&child.wait_with_output().unwrap()))).collect();
    assert!(wakes[0].contains("Fix the importer"));
    assert!(wakes.iter().all(|wake| *wake == wakes[0]));
}

#[cfg(unix)]
#[test]
fn the_index_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::with_session(SCENE);
    world.wake();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&world.data()), 0o700);
    assert_eq!(mode(&world.data().join("index.sqlite")), 0o600);
}

#[test]
fn a_scan_lets_a_clone_of_the_same_remote_find_the_session() {
    let world = World::with_session(SCENE);
    let remote = ["remote", "add", "origin", "https://token@example.com/acme/web.git"];
    reveille_tests::workshop::git(&world.checkout, &remote).unwrap();
    let clone = world.folder.path().join("elsewhere").join("clone");
    fs::create_dir_all(&clone).unwrap();
    reveille_tests::workshop::git(&clone, &["init", "-q"]).unwrap();
    reveille_tests::workshop::git(&clone, &["remote", "add", "origin", "git@example.com:acme/web.git"]).unwrap();
    assert!(out(&world.run(&["scan"])).starts_with("1 transcripts"));
    let wake = out(&world.command(&["wake"]).current_dir(&clone).output().unwrap());
    assert!(wake.contains("## Last session, in another checkout,") && wake.contains("Fix the importer"), "{wake}");
}

#[test]
fn a_session_is_found_by_a_unique_prefix_and_an_ambiguous_one_is_an_error_that_lists_the_matches() {
    let world = World::with_session(SCENE);
    for session in ["5d1f9999-0000-4000-8000-000000000001", "77770000-0000-4000-8000-000000000002"] {
        fs::copy(world.transcript(), world.project().join(format!("{session}.jsonl"))).unwrap();
    }
    assert!(out(&world.run(&["wake", "--session", "7777"])).contains("session 77770000-0000-4000-8000-000000000002"));
    let ambiguous = world.run(&["wake", "--session", "5d1f"]);
    assert_eq!(ambiguous.status.code(), Some(3));
    assert!(
        said(&ambiguous).contains("5d1f9999-0000-4000-8000-000000000001") && said(&ambiguous).contains("5d1f0a52"),
        "{}",
        said(&ambiguous)
    );
    let none = world.run(&["wake", "--session", "ffff"]);
    assert_eq!(none.status.code(), Some(3));
    assert!(said(&none).contains("No session begins with \"ffff\""), "{}", said(&none));
    let bad = world.run(&["wake", "--session", "x"]);
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn a_session_whose_transcript_is_gone_is_not_found() {
    let world = World::with_session(SCENE);
    world.wake();
    fs::remove_file(world.transcript()).unwrap();
    assert!(out(&world.run(&["wake"])).contains("No session of this checkout"));
    let by_id = world.run(&["wake", "--session", "5d1f0a52"]);
    assert_eq!(by_id.status.code(), Some(3), "{}", said(&by_id));
}
