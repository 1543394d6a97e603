//! Bytes in any cut to whole lines with exact numbers and offsets, in bounded memory.

use memchr::memchr;

use super::long_line::LongLine;

/// A line longer than this is shortened while it arrives.
const LONG: usize = 1 << 20;

/// Bytes that are held of a line that is passed over: its beginning, and its end.
const PASSED_HEAD: usize = 256;
const PASSED_END: usize = 16;

/// One line without its ending.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its 1-based number.
    pub seq: u64,
    /// Its bytes; for a long line its shortened form, or where it is passed over its beginning and end.
    pub bytes: &'a [u8],
    /// Set when it was too long even after its strings were shortened: the bytes are no record.
    pub overlong: bool,
}

/// Splits a file's bytes.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Whether a long line that begins so is passed over.
    passes: fn(&[u8]) -> bool,
    /// Whole lines so far.
    count: u64,
    /// Bytes up to the end of the last whole line.
    offset: u64,
    /// Bytes of the unfinished line.
    unfinished: u64,
    pending: Vec<u8>,
    passed: bool,
    long: Option<Box<LongLine>>,
}

impl Lines {
    /// Begins a file. A long line that begins as `passes` tells is not kept.
    pub fn new(passes: fn(&[u8]) -> bool) -> Self {
        Self { passes, count: 0, offset: 0, unfinished: 0, pending: Vec::new(), passed: false, long: None }
    }

    /// Goes on after `count` whole lines that end at `offset`.
    pub fn resumed(passes: fn(&[u8]) -> bool, count: u64, offset: u64) -> Self {
        Self { count, offset, ..Self::new(passes) }
    }

    /// Whole lines so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Bytes up to the end of the last whole line.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Adds bytes and hands every line that they finish to `each`.
    pub fn push(&mut self, mut chunk: &[u8], mut each: impl FnMut(Line<'_>)) {
        while let Some(end) = memchr(b'\n', chunk) {
            let (line, rest) = chunk.split_at(end);
            let rest = rest.get(1..).unwrap_or_default();
            let seq = self.count + 1;
            if self.unfinished == 0 && line.len() <= LONG {
                each(Line { seq, bytes: line, overlong: false });
            } else {
                self.hold(line);
                self.unfinished_line(seq, &mut each);
            }
            self.count = seq;
            self.offset += self.unfinished.max(line.len() as u64) + 1;
            self.unfinished = 0;
            self.pending.clear();
            if self.pending.capacity() > 2 * LONG {
                self.pending = Vec::new();
            }
            self.long = None;
            self.passed = false;
            chunk = rest;
        }
        if !chunk.is_empty() {
            self.hold(chunk);
        }
    }

    /// The unfinished last line, when there is one.
    pub fn unfinished(&self, mut each: impl FnMut(Line<'_>)) {
        if self.unfinished > 0 {
            self.unfinished_line(self.count + 1, &mut each);
        }
    }

    fn unfinished_line(&self, seq: u64, each: &mut impl FnMut(Line<'_>)) {
        match &self.long {
            Some(long) => {
                let shortened = long.shortened();
                each(Line { seq, bytes: shortened.unwrap_or_default(), overlong: shortened.is_none() });
            }
            None => each(Line { seq, bytes: &self.pending, overlong: false }),
        }
    }

    fn hold(&mut self, bytes: &[u8]) {
        self.unfinished += bytes.len() as u64;
        if let Some(long) = &mut self.long {
            long.push(bytes);
        } else if self.passed {
            self.pass(bytes);
        } else if self.pending.len() + bytes.len() > LONG {
            let begins = if self.pending.is_empty() { bytes } else { &self.pending };
            if (self.passes)(begins) {
                self.passed = true;
                self.pass(bytes);
                return;
            }
            let mut long = Box::<LongLine>::default();
            long.push(&self.pending);
            long.push(bytes);
            self.pending = Vec::new();
            self.long = Some(long);
        } else {
            self.pending.extend_from_slice(bytes);
        }
    }

    fn pass(&mut self, bytes: &[u8]) {
        let missing = PASSED_HEAD.saturating_sub(self.pending.len()).min(bytes.len());
        let (head, rest) = bytes.split_at(missing);
        self.pending.extend_from_slice(head);
        let end = rest.len().saturating_sub(PASSED_END);
        self.pending.extend_from_slice(rest.get(end..).unwrap_or_default());
        let kept = self.pending.len().saturating_sub(PASSED_END);
        if kept > PASSED_HEAD {
            self.pending.drain(PASSED_HEAD..kept);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::type_complexity)]
    use super::*;

    type Split = (Vec<(u64, Vec<u8>)>, u64, Option<Vec<u8>>);

    fn split(chunks: &[&[u8]]) -> Split {
        let mut lines = Lines::new(|begins| begins.starts_with(b"{\"pass"));
        let mut found = Vec::new();
        for chunk in chunks {
            lines.push(chunk, |line| found.push((line.seq, line.bytes.to_vec())));
        }
        let mut rest = None;
        lines.unfinished(|line| rest = Some(line.bytes.to_vec()));
        (found, lines.offset(), rest)
    }

    #[test]
    fn any_cut_gives_the_same_lines_numbers_and_offset() {
        let text = b"one\n\ntwo\r\nthree\nfo";
        let whole = split(&[text]);
        assert_eq!(whole.0.len(), 4);
        assert_eq!(whole.1, 16);
        assert_eq!(whole.2.as_deref(), Some(&b"fo"[..]));
        for cut in 0..text.len() {
            assert_eq!(split(&[&text[..cut], &text[cut..]]), whole, "cut at {cut}");
        }
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(split(&bytes), whole);
    }

    #[test]
    fn a_long_line_that_is_passed_over_leaves_its_beginning_and_end_however_it_is_cut() {
        let mut text = b"{\"pass\":\"".to_vec();
        text.resize(3 << 20, b'y');
        text.extend_from_slice(b"0123456789abcdef}\r\nz\n");
        for size in [1000, 256 << 10, text.len()] {
            let chunks: Vec<&[u8]> = text.chunks(size).collect();
            let (found, offset, rest) = split(&chunks);
            assert_eq!(offset, text.len() as u64);
            assert!(rest.is_none());
            assert_eq!(found.len(), 2);
            assert_eq!(found[1], (2, b"z".to_vec()));
            assert!(found[0].1.len() <= PASSED_HEAD + PASSED_END);
            assert!(found[0].1.starts_with(b"{\"pass\":\"yyy") && found[0].1.ends_with(b"abcdef}\r"), "{size}");
        }
    }

    #[test]
    fn a_long_line_keeps_its_number_and_the_offset_counts_every_byte() {
        let mut text = b"a\n{\"x\":\"".to_vec();
        text.resize(5 << 20, b'y');
        text.extend_from_slice(b"\"}\nz\n");
        let chunks: Vec<&[u8]> = text.chunks(256 << 10).collect();
        let (found, offset, rest) = split(&chunks);
        assert_eq!(found.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(offset, text.len() as u64);
        assert!(rest.is_none());
        assert!(found[1].1.len() < 200 << 10);
        let value: serde_json::Value = serde_json::from_slice(&found[1].1).unwrap();
        assert!(value["x"].as_str().unwrap().contains("…"));
    }
}
