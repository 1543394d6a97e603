//! The fold's memory is bounded whatever a file holds. Alone in its process: it counts every allocation.
#![allow(missing_docs, unsafe_code, clippy::unwrap_used, clippy::panic)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use reveille_plugin::contract::transcript::FileName;
use reveille_plugin::contract::types::Harness;
use reveille_plugin::transcript::Fold;
use serde_json::json;

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Bytes that a fold may hold while it reads, and bytes of it that may be saved.
const MOST: usize = 24 << 20;
const MOST_SAVED: usize = 8 << 20;

fn new_fold() -> Fold {
    Fold::new(FileName { harness: Harness::ClaudeCode, session: "s".to_owned(), agent: None })
}

/// Pushes what `next` makes until it makes nothing, and says how much memory that took at most.
fn peak_of(fold: &mut Fold, mut next: impl FnMut() -> Option<Vec<u8>>) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    while let Some(bytes) = next() {
        fold.push(&bytes);
    }
    PEAK.load(Ordering::Relaxed) - before
}

#[test]
fn memory_is_bounded_whatever_a_file_holds() {
    one_line_without_end();
    work_without_end();
}

fn one_line_without_end() {
    let begin = br#"{"type":"user","uuid":"u1","cwd":"/p","timestamp":"2026-09-04T09:00:00.000Z","message":{"role":"user","content":[{"type":"image","source":{"data":""#;
    let end = br#""}},{"type":"text","text":"What does this show?"}]}}"#;
    let mut chunks = 0;
    let mut fold = new_fold();
    let peak = peak_of(&mut fold, || {
        chunks += 1;
        match chunks {
            1 => Some(begin.to_vec()),
            2..=200 => Some(vec![b'A'; 256 << 10]),
            201 => Some([&end[..], b"\n"].concat()),
            _ => None,
        }
    });
    assert!(peak < MOST, "{peak} bytes for one line");
    assert_eq!(fold.facts().task.map(|task| task.text).as_deref(), Some("What does this show?"));
    assert_eq!(fold.offset(), (begin.len() + 199 * (256 << 10) + end.len() + 1) as u64);
}

/// Calls that nobody answers, checks that fail, files that are written, sub-agents, prompts and texts, each different from all before.
fn work_without_end() {
    let mut number = 0_u32;
    let mut fold = new_fold();
    let long = "x".repeat(3000);
    let peak = peak_of(&mut fold, || {
        number += 1;
        let call = |name: &str, input: serde_json::Value| {
            json!({"type": "assistant", "uuid": format!("a{number}"), "cwd": format!("/p/{number}"), "message": {"id": format!("m{number}"), "role": "assistant",
                "content": [{"type": "tool_use", "id": format!("t{number}"), "name": name, "input": input}], "usage": {"input_tokens": 1, "output_tokens": 1}}})
        };
        let result = |text: &str, is_error: bool| {
            json!({"type": "user", "uuid": format!("r{number}"), "message": {"role": "user",
                "content": [{"type": "tool_result", "tool_use_id": format!("t{number}"), "content": text, "is_error": is_error}]}})
        };
        let records = match number % 7 {
            0 => vec![call("Bash", json!({"command": format!("cargo test -p crate{number}")})), result("Exit code 101\nfailed", true)],
            1 => vec![call("Write", json!({"file_path": format!("/p/{}{number}", "x".repeat(300)), "content": long})), result("ok", false)],
            2 => vec![call("Agent", json!({"description": long, "prompt": long}))],
            3 => vec![call("mcp__x__y", json!({"argument": long.repeat(4)}))],
            4 => vec![
                json!({"type": "user", "uuid": format!("p{number}"), "parentUuid": format!("r{number}"), "message": {"role": "user", "content": format!("{long}{number}")}}),
            ],
            5 => vec![json!({"type": "assistant", "message": {"id": format!("m{number}"), "role": "assistant",
                "content": [{"type": "text", "text": format!("I'll re-run step {number} once the schema lands. We're going with option {number} instead of {long}.")}]}})],
            _ => vec![
                json!({"type": "system", "subtype": "compact_boundary", "uuid": format!("b{number}")}),
                json!({"type": format!("unknown-{number}")}),
                json!(number),
            ],
        };
        (number <= 24_500).then(|| records.iter().map(|record| format!("{record}\n")).collect::<String>().into_bytes())
    });
    assert!(peak < MOST, "{peak} bytes for work without end");
    let saved = fold.save().len();
    assert!(saved < MOST_SAVED, "{saved} bytes are saved");
    let facts = fold.facts();
    assert!(facts.tool_call_count > 12_000 && facts.runs.len() <= 3000 && facts.children.len() <= 1000);
    assert_eq!(facts.unreadable_count, 24_500 / 7);
}
