//! Lines of a file that a handoff asks for: `n`, `a-b` or `a:b`, 1-based, several by commas.

use serde::{Deserialize, Serialize};

/// Lines from first to last, both in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Range {
    /// 1-based.
    pub first: u64,
    /// At least `first`.
    pub last: u64,
}

/// Reads ranges as written; none: not of the syntax.
pub fn read(text: &str) -> Option<Vec<Range>> {
    text.split(',').map(|part| one(part.trim())).collect()
}

fn one(part: &str) -> Option<Range> {
    let (first, last) = part.split_once(['-', ':']).unwrap_or((part, part));
    let number = |text: &str| text.trim().parse::<u64>().ok().filter(|number| *number >= 1);
    let range = Range { first: number(first)?, last: number(last)? };
    (range.first <= range.last && !part.starts_with('+')).then_some(range)
}

/// The same lines in file order, each once.
pub fn merged(ranges: &[Range]) -> Vec<Range> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let mut merged: Vec<Range> = Vec::new();
    for range in sorted {
        match merged.last_mut() {
            Some(last) if range.first <= last.last.saturating_add(1) => last.last = last.last.max(range.last),
            _ => merged.push(range),
        }
    }
    merged
}

/// As written in a wake: `3`, `5-9`.
pub fn shown(ranges: &[Range]) -> String {
    let one = |range: &Range| if range.first == range.last { range.first.to_string() } else { format!("{}-{}", range.first, range.last) };
    ranges.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ranges_are_single_lines_and_spans_in_either_spelling() {
        for (text, expected) in [("3", "3"), ("1-4", "1-4"), ("1:4", "1-4"), (" 7 , 2-3", "2-3, 7"), ("1-4,3-9,10", "1-10"), ("5,5", "5")] {
            assert_eq!(shown(&merged(&read(text).unwrap())), expected, "{text}");
        }
        for text in ["", "0", "4-1", "a", "1-", "-3", "1,,2", "1--3", "1.5", "0-3", "+1", "1-2-3", "99999999999999999999"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
