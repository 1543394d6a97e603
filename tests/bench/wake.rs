//! What is promised of speed, as ratios in one run on this machine. Prints a table and writes `RESULTS.md` beside this file.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod large;
mod measure;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use large::large;
use measure::{in_turn, row, timed};

use reveille_host::bindings::exports::reveille::core::transcript::FileName as HostName;
use reveille_host::bindings::exports::reveille::core::types::Harness as HostHarness;
use reveille_host::component::Component;
use reveille_plugin::contract::transcript::FileName;
use reveille_plugin::contract::types::Harness;
use reveille_plugin::transcript::Fold;
use reveille_tests::artefacts;
use reveille_tests::workshop::git;
use serde_json::json;

const CHUNK: usize = 256 << 10;
const SESSION: &str = "5d1f0a52-7c0e-4b7e-9f5a-0c2b8f6a1e01";

struct World {
    folder: tempfile::TempDir,
    checkout: PathBuf,
}

impl World {
    fn new(transcript: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let checkout = folder.path().canonicalize().unwrap().join("web");
        fs::create_dir_all(&checkout).unwrap();
        git(&checkout, &["init", "-q", "-b", "main"]).unwrap();
        for number in 0..200 {
            fs::write(checkout.join(format!("file{number}.txt")), number.to_string()).unwrap();
        }
        git(&checkout, &["add", "-A"]).unwrap();
        git(&checkout, &["commit", "-q", "-m", "first"]).unwrap();
        let world = Self { folder, checkout };
        fs::create_dir_all(world.transcript().parent().unwrap()).unwrap();
        let text = String::from_utf8_lossy(transcript).replace("/home/dev/code/acme/orders-export", &world.checkout.to_string_lossy());
        fs::write(world.transcript(), text).unwrap();
        world
    }

    fn transcript(&self) -> PathBuf {
        let slug: String =
            self.checkout.to_string_lossy().chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        self.folder.path().join("client").join("projects").join(slug).join(format!("{SESSION}.jsonl"))
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn hook(&self) -> Duration {
        let input =
            json!({"hook_event_name": "SessionStart", "source": "startup", "session_id": "another", "cwd": self.checkout}).to_string();
        let mut command = Command::new(artefacts::binary(&artefacts::root()));
        command.arg("hook").env("CLAUDE_CONFIG_DIR", self.folder.path().join("client")).env("REVEILLE_DATA_DIR", self.data());
        timed(&mut command, input.as_bytes(), |output| output.contains("# Wake"))
    }

    fn git_status(&self) -> Duration {
        timed(Command::new("git").arg("status").current_dir(&self.checkout), b"", |output| output.contains("branch"))
    }
}

fn fold_natively(bytes: &[u8]) -> Duration {
    let begun = Instant::now();
    let mut fold = Fold::new(FileName { harness: Harness::ClaudeCode, session: SESSION.to_owned(), agent: None });
    for chunk in bytes.chunks(CHUNK) {
        fold.push(chunk);
    }
    assert!(fold.offset() > 0);
    begun.elapsed()
}

fn fold_in_the_component(bytes: &[u8]) -> Duration {
    let mut component = Component::load().unwrap();
    let name = HostName { harness: HostHarness::ClaudeCode, session: SESSION.to_owned(), agent: None };
    let fold = component.call(|world, store| world.reveille_core_transcript().fold().call_constructor(store, &name)).unwrap();
    let begun = Instant::now();
    for chunk in bytes.chunks(CHUNK) {
        component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, fold, chunk)).unwrap();
    }
    begun.elapsed()
}

fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        text.lines().find(|line| line.starts_with(name)).and_then(|line| line.split(':').nth(1)).unwrap_or("unknown").trim().to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "{} × {}, memory {}, {} {}",
        cores,
        field(&read("/proc/cpuinfo"), "model name"),
        field(&read("/proc/meminfo"), "MemTotal"),
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

fn main() {
    let large = large();
    let small = World::new(&large[..1 << 20]);
    let big = World::new(&large);
    let mut table = "| what | ours | compared with | ratio | at most | |\n|---|---|---|---|---|---|\n".to_owned();

    let empty = || timed(&mut Command::new("true"), b"", |_| true);
    for (name, world) in [("1 MB", &small), ("100 MB", &big)] {
        world.hook();
        let times = in_turn(60, vec![Box::new(|| world.hook()), Box::new(|| world.git_status()), Box::new(empty)]);
        let what =
            format!("hook at a session start, {name} transcript in a warm index; compared with `git status` and five empty processes");
        row(&mut table, &what, times[0], times[1] + times[2] * 5, 1.0);
    }
    let never_seen = || {
        fs::remove_dir_all(big.data()).unwrap();
        big.hook()
    };
    let grep =
        || timed(Command::new("grep").args(["-c", "\"type\":\"assistant\""]).arg(big.transcript()), b"", |output| output.trim() != "0");
    let times = in_turn(9, vec![Box::new(never_seen), Box::new(grep)]);
    row(&mut table, "the same, 100 MB transcript never seen; compared with `grep -c` over it", times[0], times[1], 2.0);
    let times = in_turn(7, vec![Box::new(|| fold_in_the_component(&large)), Box::new(|| fold_natively(&large))]);
    row(&mut table, "fold of 100 MB in the component; compared with the same code native", times[0], times[1], 1.0 / 0.7);

    let results = format!(
        "# Results\n\nMedians of things measured in turn, whole processes from spawn to exit where processes are compared. Made by `cargo xtask bench` on {}.\n\n{table}",
        machine()
    );
    println!("{results}");
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("bench").join("RESULTS.md"), results).unwrap();
}
