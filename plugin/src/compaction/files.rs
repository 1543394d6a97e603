//! Files that a handoff asks for, as they are at an install: the lines asked for, in file order, with what is wrong named.

use std::borrow::Cow;

use similar::algorithms::{Capture, Replace, myers};
use similar::group_diff_ops;

use super::fact::LoadFile;
use super::ranges::{self, Range};
use super::tally::{characters, hash};
use crate::contract::compaction::Content;

/// Lines that a difference may have.
const DIFF_LINES: usize = 40;
/// Lines around a change that are shown.
const AROUND: usize = 2;
/// Lines of one times lines of the other at most.
const DIFF_STEPS: usize = 4_000_000;
/// Bytes of a file that is compared.
const DIFF_BYTES: usize = 64 << 10;

/// A file's text; bytes that are no UTF-8 are replaced.
#[derive(Debug)]
pub struct Text<'a>(pub Cow<'a, str>);

impl<'a> Text<'a> {
    /// Of a file's bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self(String::from_utf8_lossy(bytes))
    }

    fn lines(&self) -> Vec<&str> {
        self.0.split_inclusive('\n').collect()
    }
}

/// Lines of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// Which, 1-based.
    pub range: Range,
    /// Their text.
    pub text: &'a str,
}

/// The lines asked for that exist, in file order, ranges merged. No ranges: all.
pub fn selected<'a>(text: &'a Text<'_>, asked: &[Range]) -> Vec<Part<'a>> {
    let lines = text.lines();
    let count = lines.len() as u64;
    if count == 0 {
        return Vec::new();
    }
    let all = [Range { first: 1, last: count }];
    let ranges = if asked.is_empty() { all.to_vec() } else { ranges::merged(asked) };
    // Byte offsets of the lines, to cut whole runs of them.
    let mut starts = Vec::with_capacity(lines.len() + 1);
    let mut at = 0;
    for line in &lines {
        starts.push(at);
        at += line.len();
    }
    starts.push(at);
    ranges
        .into_iter()
        .filter(|range| range.first <= count)
        .filter_map(|range| {
            let last = range.last.min(count);
            let start = *starts.get(usize::try_from(range.first - 1).ok()?)?;
            let end = *starts.get(usize::try_from(last).ok()?)?;
            Some(Part { range: Range { first: range.first, last }, text: text.0.get(start..end)? })
        })
        .collect()
}

/// A file as it is carried into a wake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Its text, with headings.
    pub text: String,
    /// Its characters.
    pub characters: u64,
}

/// Renders one file.
pub fn carried(ask: &LoadFile, content: Option<&Content>) -> Carried {
    let mut text = format!("### {}\nWhy: {}\n", ask.path, ask.why);
    match content {
        Some(Content::Bytes(bytes)) => {
            let now = Text::of(bytes);
            let parts = selected(&now, &ask.ranges);
            let lines = now.lines().len() as u64;
            if lines == 0 {
                text.push_str("Problem: the file is empty.\n");
            } else if now.0.trim().is_empty() {
                text.push_str("Problem: the file has only blank lines.\n");
            }
            for range in ranges::merged(&ask.ranges) {
                if range.first > lines && lines > 0 {
                    text.push_str(&format!("Problem: lines {} are past the end; the file has {lines}.\n", ranges::shown(&[range])));
                } else if range.last > lines && lines > 0 {
                    text.push_str(&format!("Problem: lines {} were clipped to the file's {lines}.\n", ranges::shown(&[range])));
                }
            }
            if hash(bytes) != ask.hash {
                text.push_str(&changed(ask, &now));
            }
            let mut after = 0;
            for part in parts {
                if part.range.first > after + 1 {
                    text.push_str(&format!(
                        "(lines {} left out)\n",
                        ranges::shown(&[Range { first: after + 1, last: part.range.first - 1 }])
                    ));
                }
                text.push_str(&format!("Lines {} of {lines}:\n{}\n", ranges::shown(&[part.range]), fenced(part.text)));
                after = part.range.last;
            }
        }
        Some(Content::Missing) => text.push_str("Problem: it is no longer there.\n"),
        Some(Content::NotAFile) => text.push_str("Problem: it is no regular file any more.\n"),
        Some(Content::TooLarge(bytes)) => text.push_str(&format!("Problem: it has grown to {bytes} bytes and is not carried.\n")),
        Some(Content::Unreadable(why)) => text.push_str(&format!("Problem: it cannot be read: {why}.\n")),
        None => text.push_str("Problem: it was not read.\n"),
    }
    Carried { characters: characters(&text), text }
}

/// A fence longer than any in the text.
pub fn fenced(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for letter in text.chars() {
        run = if letter == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}\n{text}{end}{fence}")
}

fn changed(ask: &LoadFile, now: &Text<'_>) -> String {
    let Some(then) = &ask.text else { return "Changed on disk since the handoff.\n".to_owned() };
    // A difference of long files costs more than it tells.
    if now.0.len() > DIFF_BYTES || then.lines().count().saturating_mul(now.0.lines().count()) > DIFF_STEPS {
        return "Changed on disk since the handoff; below as it is now.\n".to_owned();
    }
    let lines = unified(then, &now.0);
    let shown = lines.iter().take(DIFF_LINES).map(String::as_str).collect::<Vec<_>>().join("\n");
    let rest = lines.len().saturating_sub(DIFF_LINES);
    let more = if rest > 0 { format!("({rest} more lines of the difference are left out)\n") } else { String::new() };
    format!("Changed on disk since the handoff; below as it is now. The difference:\n{}\n{more}", fenced(&shown))
}

/// The difference as a unified diff's lines. One algorithm is called by itself: the crate's text differ, and its others, hash with a random seed, which there is none of here.
fn unified(then: &str, now: &str) -> Vec<String> {
    let (then, now): (Vec<&str>, Vec<&str>) = (then.lines().collect(), now.lines().collect());
    let mut hook = Replace::new(Capture::new());
    // Capturing never fails: its error has no value.
    let _ = myers::diff(&mut hook, then.as_slice(), 0..then.len(), now.as_slice(), 0..now.len());
    let mut lines = Vec::new();
    for group in group_diff_ops(hook.into_inner().into_ops(), AROUND) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let span = |start: usize, end: usize| format!("{},{}", start + 1, end - start);
        let old = span(first.old_range().start, last.old_range().end);
        let new = span(first.new_range().start, last.new_range().end);
        lines.push(format!("@@ -{old} +{new} @@"));
        for op in &group {
            let (old, new) = (then.get(op.old_range()).unwrap_or_default(), now.get(op.new_range()).unwrap_or_default());
            if op.tag() == similar::DiffTag::Equal {
                lines.extend(old.iter().map(|line| format!(" {line}")));
            } else {
                lines.extend(old.iter().map(|line| format!("-{line}")));
                lines.extend(new.iter().map(|line| format!("+{line}")));
            }
        }
    }
    lines
}
