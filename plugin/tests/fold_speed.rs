//! How fast a large transcript is folded. Run by hand: `cargo test --release -p reveille-plugin --test fold_speed -- --ignored --nocapture`.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::time::Instant;

use reveille_plugin::contract::transcript::FileName;
use reveille_plugin::contract::types::Harness;
use reveille_plugin::transcript::Fold;

/// A transcript of this size, of real sessions one after another, each with ids of its own.
fn large(size: usize) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/real/projects/-home-dev-code-acme-orders-export");
    let mut texts: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().path()).filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    texts.sort();
    let mut out = Vec::new();
    for round in 0.. {
        for text in &texts {
            let text = text.replace("toolu_", &format!("toolu_{round}")).replace("msg_", &format!("msg_{round}"));
            out.extend(text.replace("uid\":\"", &format!("uid\":\"{round}")).into_bytes());
            if out.len() >= size {
                return out;
            }
        }
    }
    out
}

#[test]
#[ignore = "a measurement, not a truth"]
fn a_large_transcript() {
    let bytes = large(100 << 20);
    if let Ok(path) = std::env::var("FOLD_SPEED_FILE") {
        std::fs::write(path, &bytes).unwrap();
    }
    for _ in 0..3 {
        let started = Instant::now();
        let mut fold = Fold::new(FileName { harness: Harness::ClaudeCode, session: "s".to_owned(), agent: None });
        for chunk in bytes.chunks(256 << 10) {
            fold.push(chunk);
        }
        let folded = started.elapsed();
        let started = Instant::now();
        let facts = fold.facts();
        let told = started.elapsed();
        let started = Instant::now();
        let saved = fold.save();
        let saving = started.elapsed();
        let started = Instant::now();
        Fold::restore(&saved).unwrap();
        let restoring = started.elapsed();
        let speed = (bytes.len() >> 20) as f64 / folded.as_secs_f64();
        println!(
            "fold {folded:?} ({speed:.0} MiB/s), facts {told:?}, save {saving:?} ({} KiB), restore {restoring:?}; {} entries, {} calls, {} runs",
            saved.len() >> 10,
            facts.entries,
            facts.tool_call_count,
            facts.runs.len()
        );
    }
}
