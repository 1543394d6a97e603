//! The lines of a file that a wake carries, and what is wrong with them.

use super::super::fact::LoadFile;
use super::super::files::{Text, carried, fenced, selected};
use super::super::ranges;
use super::super::tally::hash;
use crate::contract::compaction::Content;

fn ask(lines: Option<&str>, then: &str) -> LoadFile {
    LoadFile {
        path: "/p/a".to_owned(),
        lines: lines.map(str::to_owned),
        ranges: lines.map(|lines| ranges::read(lines).unwrap()).unwrap_or_default(),
        why: "w".to_owned(),
        hash: hash(then.as_bytes()),
        text: Some(then.to_owned()),
    }
}

fn now(lines: Option<&str>, text: &str) -> String {
    carried(&ask(lines, text), Some(&Content::Bytes(text.as_bytes().to_vec()))).text
}

#[test]
fn lines_are_cut_whole_in_file_order_and_a_last_line_needs_no_newline() {
    let bytes = b"1\n2\n3";
    let text = Text::of(bytes);
    let parts = |lines: &str| selected(&text, &ranges::read(lines).unwrap()).iter().map(|part| part.text).collect::<Vec<_>>();
    assert_eq!(parts("3,1"), ["1\n", "3"]);
    assert_eq!(parts("2-9"), ["2\n3"]);
    assert!(parts("4").is_empty());
    assert_eq!(selected(&text, &[])[0].text, "1\n2\n3");
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    for (lines, text, words) in [
        (None, "", "the file is empty"),
        (None, "\n \n\t\n", "only blank lines"),
        (Some("7-9"), "1\n2\n", "lines 7-9 are past the end; the file has 2"),
        (Some("2-9"), "1\n2\n", "lines 2-9 were clipped to the file's 2"),
    ] {
        assert!(now(lines, text).contains(words), "{}", now(lines, text));
    }
    for (content, words) in [
        (Content::Missing, "no longer there"),
        (Content::NotAFile, "no regular file any more"),
        (Content::TooLarge(9_000_000), "grown to 9000000 bytes"),
        (Content::Unreadable("denied".to_owned()), "cannot be read: denied"),
    ] {
        assert!(carried(&ask(None, "x"), Some(&content)).text.contains(words));
    }
    assert!(!now(None, "1\n").contains("Problem") && !now(None, "1\n").contains("Changed"));
}

#[test]
fn a_difference_has_at_most_forty_lines_and_without_a_text_only_the_change_is_said() {
    let then: String = (0..200).map(|at| format!("old {at}\n")).collect();
    let later: String = (0..200).map(|at| format!("new {at}\n")).collect();
    let changed = carried(&ask(Some("1"), &then), Some(&Content::Bytes(later.clone().into_bytes()))).text;
    let diff = changed.split("```").nth(1).unwrap();
    assert_eq!(diff.trim().lines().count(), 40, "{diff}");
    assert!(changed.contains("more lines of the difference are left out"), "{changed}");
    let mut without = ask(Some("1"), &then);
    without.text = None;
    let changed = carried(&without, Some(&Content::Bytes(later.into_bytes()))).text;
    assert!(changed.contains("Changed on disk since the handoff.") && !changed.contains("old 0"), "{changed}");
}

#[test]
fn a_difference_is_a_unified_diff_with_two_lines_around() {
    let then: String = (1..=300).map(|at| format!("line {at}\n")).collect();
    let now = then.replace("line 150\n", "line one hundred and fifty\n");
    let changed = carried(&ask(Some("1"), &then), Some(&Content::Bytes(now.into_bytes()))).text;
    let expected = "@@ -148,5 +148,5 @@\n line 148\n line 149\n-line 150\n+line one hundred and fifty\n line 151\n line 152\n";
    assert!(changed.contains(expected), "{changed}");
}

#[test]
fn a_fence_is_longer_than_any_in_the_text() {
    assert_eq!(fenced("a ``` b\n"), "````\na ``` b\n````");
    assert_eq!(fenced("a"), "```\na\n```");
}
