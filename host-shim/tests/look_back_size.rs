//! Looking back into a transcript of a gigabyte, with a line of 100 MB in it: the right entries, in bounded memory.
#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod world;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Stdio;

use reveille_tests::case::scenario;
use world::World;

const BYTES: u64 = 1 << 30;
const LONG: usize = 100 << 20;
/// Resident memory of the whole process.
const MOST_KIB: u64 = 40 << 10;

/// Answers standard output and the peak resident memory in KiB.
fn look_back(world: &World, arguments: &[&str]) -> (String, u64) {
    let arguments: Vec<&str> = std::iter::once("look-back").chain(arguments.iter().copied()).collect();
    let mut command = world.command(&arguments);
    command.env("CLAUDE_CODE_SESSION_ID", scenario::session()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
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
    (world::out(&child.wait_with_output().unwrap()), peak)
}

/// Writes the transcript, and answers the lines of the two entries that hold the code word and of the boundary.
fn write_large(world: &World) -> [u64; 3] {
    let noise: Vec<&str> =
        ["bash a: cat src/lib.rs", "ok a", "  fn main() {}", "edit /home/dev/x.rs", "agent: Going on with the next file now."].repeat(2000);
    let round = world.records(&world.checkout, &noise);
    let lines_of_round = round.iter().filter(|byte| **byte == b'\n').count() as u64;
    std::fs::create_dir_all(world.project()).unwrap();
    let mut file = BufWriter::new(File::create(world.transcript()).unwrap());
    let (mut written, mut lines, mut places) = (0_u64, 0, [0; 3]);
    while written < BYTES {
        // Ids differ from round to round, as they would: copies of a record are one entry.
        let text = String::from_utf8_lossy(&round).replace("msg_", &format!("msg_{lines}_"));
        file.write_all(text.as_bytes()).unwrap();
        written += text.len() as u64;
        lines += lines_of_round;
        if places[0] == 0 {
            let half = "y".repeat(LONG / 2);
            writeln!(
                file,
                "{{\"type\":\"user\",\"timestamp\":\"2026-09-05T09:00:00Z\",\"message\":{{\"role\":\"user\",\"content\":\"{half} the Quetzal \\u00e9 in the middle {half}\"}}}}"
            )
            .unwrap();
            written += LONG as u64;
            lines += 1;
            places[0] = lines;
        }
    }
    let end = world.records(&world.checkout, &["agent: A quetzal nests here.", "boundary auto", "person: And the quetzal?"]);
    file.write_all(&end).unwrap();
    file.flush().unwrap();
    places[1] = lines + 1;
    places[2] = lines + 2;
    places
}

#[test]
fn a_gigabyte_is_searched_and_paged_within_forty_megabytes() {
    let world = World::new();
    let [long, last, boundary] = write_large(&world);
    let (found, peak) = look_back(&world, &["quetzal \"É in the middle\""]);
    let headings: Vec<&str> = found.lines().filter(|line| line.starts_with('#')).collect();
    assert!(headings.len() == 2 && headings[0].starts_with(&format!("#{long} ")), "{headings:?}");
    assert!(headings[1].starts_with(&format!("#{last} ")) && headings[1].contains("(1 of 2 terms)"), "{headings:?}");
    assert!(found.contains(&format!("entry {boundary}")) && found.contains("the Quetzal é in the middle"), "{found}");
    assert!(peak > 1000 && peak < MOST_KIB, "{peak} KiB resident");
    let from = (LONG / 2 - 100).to_string();
    let (page, peak) = look_back(&world, &["--entry", &long.to_string(), "--from", &from]);
    assert!(page.contains(" the Quetzal é in the middle ") && page.contains(&format!("of {}", LONG + 29)), "{}", page.len());
    assert!(peak < MOST_KIB, "{peak} KiB resident");
    // A word of many lines: as many hits as there are, and no more memory.
    let (many, peak) = look_back(&world, &["going"]);
    assert_eq!(many.lines().filter(|line| line.starts_with('#')).count(), 20);
    assert!(many.contains("more entries are not shown"), "{many}");
    assert!(peak < MOST_KIB, "{peak} KiB resident");
}
