//! What is promised of an event and of a tool call, as ratios in one run on this machine. Adds its rows to `RESULTS.md` beside this file.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod measure;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use measure::{in_turn, row, timed};
use reveille_plugin::compaction::Session;
use reveille_plugin::contract::compaction::{Setting, Step, Supplies};
use reveille_tests::artefacts;
use reveille_tests::model_server::{Step as ModelStep, Track};
use reveille_tests::workshop::Workshop;
use serde_json::json;

const SESSION: &str = "5d1f0a52-7c0e-4b7e-9f5a-0c2b8f6a1e01";
/// How this bench's rows begin.
const ROWS: [&str; 2] = ["| `reveille event`", "| a tool call"];
/// Tool calls of one session.
const CALLS: usize = 60;

/// A ledger of so many events, as the doors would have written it.
fn ledger(data: &Path, events: usize) {
    let setting = Setting { session: SESSION.to_owned(), options: Vec::new(), home: None };
    let mut session = Session::new(setting);
    let mut rows = String::new();
    let supplies = Supplies { files: Vec::new(), git: Vec::new(), origin: None };
    for at in 0..events {
        let event = match at % 4 {
            0 => {
                json!({"event": "prompt", "data": {"text": format!("Prompt {at}: make the importer print a header row."), "origin": "composer"}})
            }
            1 => json!({"event": "call.end", "data": {"tool": "Edit", "input": {"file_path": format!("/p/src/file{}.rs", at % 300)}}}),
            2 => json!({"event": "turn.start", "data": {"turnId": at.to_string()}}),
            _ => json!({"event": "step.end", "data": {"model": "m", "stopReason": "tool_use", "usage": {"input_tokens": 20_000 + at % 9}}}),
        };
        if let Step::Done(outcome) = session.event(at as i64, event.to_string().as_bytes(), &supplies) {
            for line in outcome.ledger {
                rows.push_str(&line);
                rows.push('\n');
            }
        }
    }
    let folder = data.join("sessions").join(SESSION);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("ledger.jsonl"), rows).unwrap();
}

fn event(data: &Path) -> Duration {
    let input = json!({"event": "call.end", "data": {"tool": "Read", "input": {"file_path": "/p/src/lib.rs"}}}).to_string();
    let mut command = Command::new(artefacts::binary(&artefacts::root()));
    command.args(["event", SESSION]).env("REVEILLE_DATA_DIR", data);
    timed(&mut command, input.as_bytes(), |output| output.contains("watch"))
}

/// Times from one request to the next of a session of tool calls.
fn calls(workshop: &Workshop, checkout: &Path) -> Duration {
    let file = checkout.join("src").join("importer.sh");
    let mut steps: Vec<ModelStep> =
        (0..CALLS).map(|_| ModelStep::call("Read", json!({"file_path": file})).with_input_tokens(20_000)).collect();
    steps.push(ModelStep::text("Done.").with_input_tokens(20_000));
    workshop.model.take_arrivals();
    workshop.model.play(vec![Track::main(steps)]);
    workshop.session(checkout, "Read it again and again.", &[]).unwrap();
    let arrived = workshop.model.take_arrivals();
    let mut gaps: Vec<Duration> = arrived.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort();
    gaps[gaps.len() / 2]
}

fn main() {
    let mut rows = String::new();
    let folder = tempfile::tempdir().unwrap();
    let empty = || timed(&mut Command::new("true"), b"", |_| true);
    for events in [10, 1_000, 100_000] {
        let data = folder.path().join(events.to_string());
        ledger(&data, events);
        event(&data);
        let times = in_turn(100, vec![Box::new(|| event(&data)), Box::new(empty)]);
        row(
            &mut rows,
            &format!("`reveille event`, whole process, after {events} events; compared with an empty process"),
            times[0],
            times[1],
            3.0,
        );
    }
    let with = Workshop::installed().unwrap();
    let without = Workshop::bare().unwrap();
    let (ours, theirs) = (with.checkout("importer").unwrap(), without.checkout("importer").unwrap());
    let times = in_turn(7, vec![Box::new(|| calls(&with, &ours)), Box::new(|| calls(&without, &theirs))]);
    let added = times[0].saturating_sub(times[1]);
    row(
        &mut rows,
        &format!(
            "a tool call in the client, from one request to the next, with the plugin (+{:.1} ms); compared with 8 ms more than without",
            added.as_secs_f64() * 1000.0
        ),
        times[0],
        times[1] + Duration::from_millis(8),
        1.0,
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench").join("RESULTS.md");
    let kept: String = fs::read_to_string(&path)
        .unwrap()
        .lines()
        .filter(|line| !ROWS.iter().any(|begins| line.starts_with(begins)))
        .map(|line| format!("{line}\n"))
        .collect();
    println!("{rows}");
    fs::write(path, kept + &rows).unwrap();
}
