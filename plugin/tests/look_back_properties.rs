//! What holds of looking back whatever a file's bytes are, and however they arrive.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proptest::prelude::*;
use reveille_plugin::contract::look_back::{Answer, End, Page, Party, Question, Wish};
use reveille_plugin::look_back::{Search, read};

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

fn answer(wish: &Wish, whole: bool, bytes: &[u8], cuts: &[usize]) -> Answer {
    let party = Party { session: Some("5d1f0a52".to_owned()), agent: None, past: false, whole };
    let mut search = Search::new(Question { wish: wish.clone(), session: None, agent: None }, party);
    let mut spans = 0;
    while let Some(span) = search.next_span() {
        spans += 1;
        assert!(spans <= 23, "a pass, a look before each hit, and one from the beginning");
        let start = usize::try_from(span.start).unwrap().min(bytes.len());
        let end = span.end.map_or(bytes.len(), |end| usize::try_from(end).unwrap().min(bytes.len()));
        let part = &bytes[start..end];
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (part.len() + 1)).collect();
        cuts.sort_unstable();
        let mut from = 0;
        for cut in cuts {
            search.push(&part[from..cut]);
            from = cut;
        }
        search.push(&part[from..]);
    }
    search.answer()
}

fn text(answer: &Answer) -> String {
    answer.parts.iter().map(|part| part.text.as_str()).collect()
}

fn wish() -> impl Strategy<Value = Wish> {
    let term = prop_oneof![
        Just("needle".to_owned()),
        Just("export".to_owned()),
        Just("É".to_owned()),
        Just("\"a b\"".to_owned()),
        Just("\\\"".to_owned()),
        Just("\"type\\\":\"".to_owned()),
        Just("日本".to_owned()),
        Just("compact".to_owned()),
    ];
    prop_oneof![
        3 => prop::collection::vec(term, 1..4).prop_map(|terms| Wish::Query(terms.join(" "))),
        1 => (1..20_u64, prop_oneof![Just(0), 0..40_u64]).prop_map(|(entry, start)| Wish::Page(Page { entry, start })),
    ]
}

fn hostile_line() -> impl Strategy<Value = Vec<u8>> {
    let boundary = br#"{"isSidechain":false,"type":"system","subtype":"compact_boundary","content":"needle compact"}"#.to_vec();
    let word = prop_oneof![
        Just("needle"),
        Just("NEEDLE export"),
        Just("\\u006eeedle"),
        Just("\\ud83d\\ude00"),
        Just("\\ud83d"),
        Just("\\n\\\""),
        Just("É"),
        Just("é 日本"),
        Just("\","),
        Just("\\"),
    ];
    let said = prop::collection::vec(word, 0..6).prop_map(|words| words.concat());
    prop_oneof![
        2 => Just(boundary),
        4 => said.clone().prop_map(|said| format!(r#"{{"type":"user","message":{{"content":"{said}"}}}}"#).into_bytes()),
        4 => said.clone().prop_map(|said| format!(
            r#"{{"message":{{"id":"m1","content":[{{"type":"text","text":"{said}"}},{{"type":"tool_use","id":"t1","name":"Bash","input":{{"x":["{said}",1,null]}}}}]}},"type":"assistant"}}"#
        ).into_bytes()),
        2 => said.clone().prop_map(|said| format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t1","content":[{{"type":"text","text":"{said}"}},{{"type":"image","source":{{"data":"{said}"}}}}]}}]}}}}"#
        ).into_bytes()),
        1 => said.prop_map(|said| format!(r#"{{"attachment":{{"type":"x","y":"{said}","z":[{{}}]}},"type":"attachment"}}"#).into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..200),
        1 => Just(vec![0; 700]),
        1 => Just(b"null".to_vec()),
        1 => Just([b"{\"type\":\"user\",\"message\":".to_vec(), b"[".repeat(5000), b"]".repeat(5000), b"}".to_vec()].concat()),
        1 => Just(b"{\"type\":\"hologram\",\"needle\":\"export\"}".to_vec()),
        1 => Just(b"\xef\xbb\xbf{\"type\":\"user\",\"message\":{\"content\":\"needle \xff\xe2\x82\"}}\r".to_vec()),
    ]
}

fn hostile_file() -> impl Strategy<Value = Vec<u8>> {
    (prop::collection::vec(hostile_line(), 0..24), any::<bool>()).prop_map(|(lines, torn)| {
        let mut bytes = lines.join(&b'\n');
        if !torn {
            bytes.push(b'\n');
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_cut_of_any_bytes_gives_the_same_answer(
        bytes in hostile_file(), wish in wish(), whole in any::<bool>(), cuts in prop::collection::vec(any::<usize>(), 0..8)
    ) {
        let expected = answer(&wish, whole, &bytes, &[]);
        let every: Vec<usize> = (0..bytes.len().min(4000)).collect();
        prop_assert_eq!(&answer(&wish, whole, &bytes, &cuts), &expected);
        prop_assert_eq!(&answer(&wish, whole, &bytes, &every), &expected);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&expected.json).is_ok());
        prop_assert!(text(&expected).chars().count() <= 26_000);
        prop_assert_eq!(expected.line.lines().count(), 1);
    }

    #[test]
    fn a_real_transcript_gives_the_same_answer_however_it_is_cut(
        file in any::<prop::sample::Index>(), wish in wish(), cuts in prop::collection::vec(any::<usize>(), 0..8)
    ) {
        let bytes = &transcripts()[file.index(transcripts().len().min(12))];
        prop_assert_eq!(answer(&wish, true, bytes, &cuts), answer(&wish, true, bytes, &[]));
    }

    #[test]
    fn arguments_are_read_or_refused_whatever_they_are(arguments in ".{0,200}") {
        let _ = read(&arguments);
    }
}

/// The prefilter leaves nothing out: a query's hits are the entries whose page holds a term.
#[test]
fn a_querys_hits_are_the_entries_that_hold_it() {
    for bytes in transcripts().iter().take(20) {
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count() as u64;
        for query in ["export", "skip_header", "tests/run.sh", "Committed", "\"exit code\"", "é", "importer importer"] {
            let found: serde_json::Value = serde_json::from_str(&answer(&Wish::Query(query.to_owned()), true, bytes, &[]).json).unwrap();
            let word = query.split(' ').next_back().unwrap().trim_matches('"').to_lowercase();
            let word = if query.contains('"') { "exit code".to_owned() } else { word };
            let mut expected = 0;
            for entry in 1..=lines {
                let page = answer(&Wish::Page(Page { entry, start: 0 }), true, bytes, &[]);
                assert_eq!(page.end, End::Answered);
                let page: serde_json::Value = serde_json::from_str(&page.json).unwrap();
                assert!(page["next"].is_null(), "the entries of these fit a page: {entry}");
                expected += u64::from(page["text"].as_str().unwrap_or_default().to_lowercase().contains(&word));
            }
            // Copies count once.
            let count = found["found"].as_u64().unwrap();
            assert!(count <= expected && (count > 0) == (expected > 0) && count + 40 > expected, "{query}: {count} of {expected}");
        }
    }
}
