//! What is promised of looking back, as a ratio in one run on this machine. Adds its rows to `RESULTS.md` beside this file.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod large;
mod measure;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use large::large;
use measure::{in_turn, row, timed};
use reveille_tests::artefacts;

const SESSION: &str = "5d1f0a52-7c0e-4b7e-9f5a-0c2b8f6a1e01";
const BOUNDARY: &str = "{\"parentUuid\":null,\"isSidechain\":false,\"type\":\"system\",\"subtype\":\"compact_boundary\"}\n";
/// How this bench's rows begin.
const ROW: &str = "| look_back over 100 MB";

fn look_back(client: &Path, word: &str) -> Command {
    let mut command = Command::new(artefacts::binary(&artefacts::root()));
    command
        .args(["look-back", word])
        .env("CLAUDE_CONFIG_DIR", client)
        .env("REVEILLE_DATA_DIR", client.join("data"))
        .env("CLAUDE_CODE_SESSION_ID", SESSION);
    command
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let transcript = folder.path().join("projects").join("web").join(format!("{SESSION}.jsonl"));
    fs::create_dir_all(transcript.parent().unwrap()).unwrap();
    fs::write(&transcript, [large().as_slice(), BOUNDARY.as_bytes()].concat()).unwrap();
    let mut rows = String::new();
    for (word, what) in [
        ("skip_header", "a word of a few entries"),
        ("Quetzalcoatl", "a word of none"),
        ("orders-export", "a word of every record's directory, so that each is read"),
    ] {
        let ours = || timed(&mut look_back(folder.path(), word), b"", |output| output.contains("entr"));
        let grep = || timed(Command::new("grep").args(["-i", "-F", "-c", word]).arg(&transcript), b"", |output| !output.is_empty());
        let times = in_turn(15, vec![Box::new(ours), Box::new(grep)]);
        row(&mut rows, &format!("{}, {what}; compared with `grep -i -F -c`", ROW.trim_start_matches("| ")), times[0], times[1], 1.0);
    }
    println!("{rows}");
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench").join("RESULTS.md");
    let results: String =
        fs::read_to_string(&path).unwrap().lines().filter(|line| !line.starts_with(ROW)).map(|line| format!("{line}\n")).collect();
    fs::write(path, results + &rows).unwrap();
}
