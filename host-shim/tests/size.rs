//! A transcript of a gigabyte, with a line of 100 MB in it: bounded memory, and a second wake that reads only what was appended.
#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod world;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Stdio;

use world::World;

const SCENE: &[&str] = &["person: Fix the importer", "agent: Reading it."];
const BYTES: u64 = 1 << 30;
/// Resident memory of the whole process.
const MOST_KIB: u64 = 40 << 10;

/// Runs a wake and answers its standard output, its standard error and its peak resident memory in KiB.
fn wake(world: &World) -> (String, String, u64) {
    let mut child = world.command(&["wake"]).env("REVEILLE_LOG", "debug").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    // The kernel's high-water mark only grows: the last reading before the end is the peak, as near as sampling gets.
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let mark =
            text.lines().find_map(|line| line.strip_prefix("VmHWM:")).and_then(|rest| rest.trim().split(' ').next()?.parse::<u64>().ok());
        peak = peak.max(mark.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let output = child.wait_with_output().unwrap();
    (world::out(&output), world::said(&output), peak)
}

fn write_large(world: &World) -> u64 {
    let mut lines: Vec<&str> = SCENE.to_vec();
    let noise = [
        "bash a: cat src/lib.rs",
        "ok a",
        "  fn main() {}",
        "edit /home/dev/x.rs",
        "agent: Going on with the next file now.",
        "bash b: cargo test",
        "ok b",
        "  test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
    ];
    for _ in 0..2_000 {
        lines.extend(noise);
    }
    let records = world.records(&world.checkout, &lines);
    let mut file = BufWriter::new(File::create(world.transcript()).unwrap());
    let mut written = 0u64;
    let mut round = 0u64;
    while written < BYTES {
        // Ids differ from round to round, as they would: copies of a record count once.
        let text = String::from_utf8_lossy(&records)
            .replace("00000000-0000-4000-8000-", &format!("{round:08}-0000-4000-8000-"))
            .replace("toolu_", &format!("toolu_{round}_"));
        file.write_all(text.as_bytes()).unwrap();
        written += text.len() as u64;
        round += 1;
        if round == 3 {
            let long = format!(
                "{{\"type\":\"user\",\"uuid\":\"long\",\"timestamp\":\"2026-09-05T09:00:00Z\",\"message\":{{\"role\":\"user\",\"content\":\"{}\"}}}}\n",
                "y".repeat(100 << 20)
            );
            file.write_all(long.as_bytes()).unwrap();
            written += long.len() as u64;
        }
    }
    file.flush().unwrap();
    written
}

#[test]
fn a_gigabyte_is_folded_within_forty_megabytes_and_read_once() {
    let world = World::with_session(SCENE);
    let size = write_large(&world);
    let (markdown, said, peak) = wake(&world);
    assert!(markdown.contains("**Task** Fix the importer") && !markdown.contains("unreadable"), "{markdown}");
    assert!(said.contains(&format!("from=0 bytes={size}")), "{said}");
    assert!(peak > 1000 && peak < MOST_KIB, "{peak} KiB resident");
    let before = world.records(&world.checkout, SCENE).len();
    let more = world
        .records(&world.checkout, &[SCENE, &["@ 2026-09-06 10:00", &format!("person: And the exporter {}", "z".repeat(10_000))]].concat())
        .split_off(before);
    let more = String::from_utf8_lossy(&more).replace("00000000-0000-4000-8000-", "ffffffff-0000-4000-8000-");
    std::fs::OpenOptions::new().append(true).open(world.transcript()).unwrap().write_all(more.as_bytes()).unwrap();
    let (markdown, said, peak) = wake(&world);
    assert!(markdown.contains("**Last asked** And the exporter"), "{markdown}");
    assert!(said.contains(&format!("from={size} bytes={}", more.len())), "only the tail is read: {said}");
    assert!(peak < MOST_KIB, "{peak} KiB resident");
}
