//! What holds of the fold whatever a file's bytes are, and however they arrive.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proptest::prelude::*;
use reveille_plugin::contract::transcript::{FileName, RestoreError};
use reveille_plugin::contract::types::{Facts, Harness};
use reveille_plugin::transcript::{Fold, peek};
use serde_json::Value;

fn name() -> FileName {
    FileName { harness: Harness::ClaudeCode, session: "5d1f0a52-7c0e-4b7e-9f5a-0c2b8f6a1e01".to_owned(), agent: None }
}

/// The real transcripts, smallest first.
fn transcripts() -> &'static [Vec<u8>] {
    static ALL: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut folders: Vec<PathBuf> = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/real/projects")];
        let mut all = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                    all.push(std::fs::read(path).unwrap());
                }
            }
        }
        all.sort_by_key(|bytes| (bytes.len(), bytes.clone()));
        assert!(all.len() >= 25);
        all
    })
}

/// Everything that a fold says, as text.
fn said(fold: &Fold) -> String {
    format!("{}\n{}\n{:?}", json(&fold.facts()), fold.offset(), fold.card())
}

fn json(facts: &Facts) -> String {
    serde_json::to_string_pretty(facts).unwrap()
}

fn whole(bytes: &[u8]) -> Fold {
    let mut fold = Fold::new(name());
    fold.push(bytes);
    fold
}

/// Pushes the bytes cut at these places; at those marked, the fold is saved and goes on from what was saved.
fn pieces(bytes: &[u8], cuts: &[(usize, bool)]) -> Fold {
    let mut cuts: Vec<(usize, bool)> = cuts.iter().map(|(cut, save)| (cut % (bytes.len() + 1), *save)).collect();
    cuts.sort_unstable();
    let mut fold = Fold::new(name());
    let mut from = 0;
    for (cut, save) in cuts {
        fold.push(&bytes[from..cut.max(from)]);
        from = cut.max(from);
        if save {
            fold = Fold::restore(&fold.save()).expect("what was saved is restored");
            from = usize::try_from(fold.offset()).unwrap();
        }
    }
    fold.push(&bytes[from..]);
    fold
}

/// A value of another type or size in place of one in a line.
fn other_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        prop::collection::vec(any::<u8>().prop_map(Value::from), 0..4).prop_map(Value::from),
        Just(serde_json::json!({"type": "user", "kind": {"a": []}, "text": "x"})),
        Just(serde_json::json!([[], {}, "", 0, null, {"type": "text"}, {"type": "tool_use", "id": "", "name": ""}])),
        Just(Value::from("<task-notification><tool-use-id></tool-use-id><status></status>")),
        Just(Value::from("<command-name></command-name><command-args>\u{0}\u{202e}</command-args>")),
        Just(Value::from("x".repeat(70_000))),
    ]
}

/// Replaces the value that `choices` lead to.
fn replace(value: &mut Value, choices: &[usize], with: &Value) {
    let Some((choice, rest)) = choices.split_first() else {
        *value = with.clone();
        return;
    };
    match value {
        Value::Object(object) if !object.is_empty() => {
            let at = choice % object.len();
            if let Some((_, inner)) = object.iter_mut().nth(at) {
                replace(inner, rest, with);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            let at = choice % list.len();
            replace(&mut list[at], rest, with);
        }
        _ => *value = with.clone(),
    }
}

fn hostile_line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        Just(b"null".to_vec()),
        Just(b"[]".to_vec()),
        Just(b"{}".to_vec()),
        Just(vec![0; 700]),
        Just("\u{2028}\u{feff}".as_bytes().to_vec()),
        Just([b"{\"type\":".to_vec(), b"[".repeat(50_000)].concat()),
        Just([b"{\"type\":\"user\",\"message\":".to_vec(), b"[".repeat(5000), b"]".repeat(5000), b"}".to_vec()].concat()),
        Just(b"{\"type\":\"user\",\"message\":{\"content\":\"\\ud83d lone \\udc00\"}}".to_vec()),
        Just(b"{\"type\":\"api-request-blob\",\"cut".to_vec()),
        Just(b"{\"type\":\"assistant\",\"type\":\"user\",\"message\":{\"content\":\"twice\"}}".to_vec()),
        Just([b"{\"type\":\"user\",\"message\":{\"content\":\"".to_vec(), b"\\\\\\u00".repeat(9000), b"\"}}".to_vec()].concat()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cut_and_any_number_of_saves_gives_the_same(
        which in any::<usize>(),
        cuts in prop::collection::vec((any::<usize>(), any::<bool>()), 0..12),
    ) {
        let all = transcripts();
        let bytes = &all[which % all.len()];
        let (expected, fold) = (whole(bytes), pieces(bytes, &cuts));
        prop_assert_eq!(said(&fold), said(&expected));
        prop_assert!(fold.save() == expected.save(), "what is saved differs");
    }

    #[test]
    fn a_file_that_is_still_written_says_of_its_whole_lines_what_they_say(which in any::<usize>(), end in any::<usize>()) {
        let all = transcripts();
        let bytes = &all[which % all.len()];
        let cut = &bytes[..end % (bytes.len() + 1)];
        let lines = cut.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let (fold, whole_lines) = (whole(cut), whole(&cut[..lines]));
        prop_assert_eq!(fold.offset(), lines as u64);
        prop_assert!(fold.save() == whole_lines.save());
        if fold.facts().torn {
            let mut facts = fold.facts();
            facts.torn = false;
            prop_assert_eq!(json(&facts), json(&whole_lines.facts()));
        }
    }

    #[test]
    fn hostile_lines_break_nothing_and_cost_only_themselves(
        which in any::<usize>(),
        lines in prop::collection::vec((any::<usize>(), hostile_line()), 1..6),
        cuts in prop::collection::vec((any::<usize>(), any::<bool>()), 0..6),
    ) {
        let all = transcripts();
        let plain = whole(&all[which % all.len()]).facts();
        let mut file: Vec<Vec<u8>> = all[which % all.len()].split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        for (at, line) in &lines {
            file.insert(at % file.len(), line.clone());
        }
        let bytes = file.join(&b'\n');
        let (expected, fold) = (whole(&bytes), pieces(&bytes, &cuts));
        prop_assert_eq!(said(&fold), said(&expected));
        let facts = fold.facts();
        prop_assert!(facts.tool_call_count >= plain.tool_call_count);
        prop_assert_eq!(facts.runs.len(), plain.runs.len());
        prop_assert_eq!(facts.usage.map(|usage| usage.output), plain.usage.map(|usage| usage.output));
        prop_assert!(facts.unreadable.len() <= 20 && facts.unreadable.len() as u64 <= facts.unreadable_count);
    }

    #[test]
    fn values_of_other_types_break_nothing(
        which in any::<usize>(),
        changes in prop::collection::vec((any::<usize>(), prop::collection::vec(any::<usize>(), 0..6), other_value()), 1..40),
    ) {
        let all = transcripts();
        let mut lines: Vec<Value> = all[which % all.len()]
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect();
        for (line, path, with) in &changes {
            let at = line % lines.len();
            replace(&mut lines[at], path, with);
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let fold = whole(text.as_bytes());
        let facts = fold.facts();
        prop_assert_eq!(facts.entries + facts.unreadable_count, lines.len() as u64);
        for quote in [&facts.task, &facts.last_asked].into_iter().flatten() {
            prop_assert!(quote.text.len() <= 4096 && !quote.text.chars().any(char::is_control), "{:?}", quote.text);
        }
        prop_assert_eq!(said(&Fold::restore(&fold.save()).unwrap()), said(&fold));
    }

    #[test]
    fn a_saved_fold_that_is_damaged_is_refused(which in any::<usize>(), at in any::<usize>(), byte in any::<u8>(), end in any::<usize>()) {
        let all = transcripts();
        let saved = whole(&all[which % all.len()]).save();
        prop_assert!(matches!(Fold::restore(&saved[..end % saved.len()]), Err(RestoreError::NotUsable)));
        prop_assert!(matches!(Fold::restore(&[&saved[..], &[byte]].concat()), Err(RestoreError::NotUsable)));
        let mut damaged = saved.clone();
        let at = at % damaged.len();
        damaged[at] ^= byte;
        if byte != 0 {
            prop_assert!(matches!(Fold::restore(&damaged), Err(RestoreError::NotUsable)));
        }
    }

    #[test]
    fn any_bytes_have_a_card_or_none(head in prop::collection::vec(any::<u8>(), 0..400), tail in prop::collection::vec(any::<u8>(), 0..400), is_whole in any::<bool>()) {
        prop_assert_eq!(peek(name(), &head, &tail, is_whole).is_some(), is_whole);
    }

    #[test]
    fn a_cut_head_and_tail_give_no_other_card_than_the_whole_file(which in any::<usize>(), head in any::<usize>(), tail in any::<usize>()) {
        let all = transcripts();
        let bytes = &all[which % all.len()];
        let head = &bytes[..head % bytes.len()];
        let tail = &bytes[1 + tail % (bytes.len() - 1)..];
        let card = whole(bytes).card();
        if let Some(peeked) = peek(name(), head, tail, false) {
            prop_assert_eq!(peeked.ended, card.ended);
            prop_assert_eq!(peeked.ran_in, card.ran_in);
        }
    }
}
