//! Tokens that are known by their first letters.

use super::pass::{Memory, Span, starts_with};
use super::tokens::ROWS;

/// Letters that a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// `0-9a-f`, capitals too.
    Hex,
    /// `A-Z0-9`.
    Capitals,
    /// `A-Za-z0-9`.
    Letters,
    /// Letters and `_`.
    Word,
    /// Letters, `_` and `-`.
    Url,
    /// Letters, `_`, `-`, `.` and `=`.
    Dotted,
    /// Letters, `+`, `/`, `=`, `_`, `-`, `.`, `~` and `%`.
    Any,
    /// Letters, `/`, `_` and `-`: a path whose words are secret.
    Path,
}

impl Of {
    /// Whether a byte is one of these.
    pub const fn has(self, byte: u8) -> bool {
        match self {
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Letters => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'='),
            Self::Any => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-' | b'.' | b'~' | b'%'),
            Self::Path => byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-'),
        }
    }
}

/// One kind of token: its first letters and how many of which follow.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The kind that stands in its place.
    pub kind: &'static str,
    /// Its first letters.
    pub prefix: &'static str,
    /// What follows.
    pub of: Of,
    /// How many at least.
    pub least: usize,
    /// How many at most; a longer run is something else.
    pub most: usize,
    /// Whether the first letters stay in the text: they are an address or a word.
    pub keeps_prefix: bool,
}

const FIRST: usize = 128;

const _: () = assert!(ROWS.len() <= u8::MAX as usize, "a row's number is one byte");

/// The rows' numbers, ordered by their first letter, and where each letter's begin.
const INDEX: ([u8; ROWS.len()], [u8; FIRST + 1]) = index();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where an index out of bounds is an error of the build")]
const fn index() -> ([u8; ROWS.len()], [u8; FIRST + 1]) {
    let mut order = [0; ROWS.len()];
    let mut starts = [0; FIRST + 1];
    let mut placed = 0;
    let mut letter = 0;
    while letter < FIRST {
        starts[letter] = placed as u8;
        let mut row = 0;
        while row < ROWS.len() {
            if ROWS[row].prefix.as_bytes()[0] as usize == letter {
                order[placed] = row as u8;
                placed += 1;
            }
            row += 1;
        }
        letter += 1;
    }
    starts[FIRST] = placed as u8;
    (order, starts)
}

/// Which two letters begin a row, one bit a pair: most words are done with here.
const PAIRS: [u128; FIRST] = pairs();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, where an index out of bounds is an error of the build")]
const fn pairs() -> [u128; FIRST] {
    let mut pairs = [0; FIRST];
    let mut row = 0;
    while row < ROWS.len() {
        let prefix = ROWS[row].prefix.as_bytes();
        pairs[prefix[0] as usize] |= 1 << prefix[1];
        row += 1;
    }
    pairs
}

/// The token that begins here, if one does; a word does.
pub fn at(text: &[u8], at: usize, memory: &mut Memory) -> Option<Span> {
    let first = usize::from(*text.get(at)?);
    let second = *text.get(at + 1)?;
    if !second.is_ascii() || PAIRS.get(first)? & (1 << second) == 0 {
        return None;
    }
    let (from, to) = (INDEX.1.get(first)?, INDEX.1.get(first + 1)?);
    let rows = INDEX.0.get(usize::from(*from)..usize::from(*to))?;
    rows.iter().filter_map(|row| ROWS.get(usize::from(*row))).find_map(|row| row.at(text, at, memory))
}

impl Row {
    fn at(&self, text: &[u8], at: usize, memory: &mut Memory) -> Option<Span> {
        if at < memory.words_until || !starts_with(text, at, self.prefix.as_bytes()) {
            return None;
        }
        // Without a mark of its own it could stand anywhere in base64.
        let bare = self.prefix.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if bare
            && at
                .checked_sub(1)
                .and_then(|at| text.get(at))
                .is_some_and(|before| matches!(before, b'/' | b'+' | b'=' | b'_') && !is_assigned(text, at))
        {
            return None;
        }
        let start = at + self.prefix.len();
        // One more than may be tells that it is too long; the rest need not be read.
        let most = text.len().min(start.saturating_add(self.most).saturating_add(1));
        let length = run(text.get(..most)?, start, self.of);
        let (length, cut) = trimmed(text, start, length);
        let long_enough = length >= self.least || (cut && length >= (self.least / 3).clamp(6, 20));
        if !long_enough || length > self.most {
            return None;
        }
        let body = text.get(start..start + length)?;
        if !body.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()) {
            memory.words_until = start + length;
            return None;
        }
        Some(Span { start: if self.keeps_prefix { start } else { at }, end: start + length, kind: self.kind })
    }
}

/// Whether the `=` before is an assignment's and no padding.
fn is_assigned(text: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|at| text.get(at)) == Some(&b'=')
}

/// How many letters of a class stand from here on.
pub fn run(text: &[u8], at: usize, of: Of) -> usize {
    text.get(at..).map_or(0, |rest| rest.iter().take_while(|byte| of.has(**byte)).count())
}

/// A run without the full stops at its end, and whether it was cut there: by `…`, `...`, or the end of the text.
fn trimmed(text: &[u8], start: usize, length: usize) -> (usize, bool) {
    let body = text.get(start..start + length).unwrap_or_default();
    let dots = body.iter().rev().take_while(|byte| **byte == b'.').count();
    let end = start + length - dots;
    let cut = dots >= 3 || starts_with(text, end, "…".as_bytes()) || starts_with(text, end, b"...");
    (length - dots, cut)
}

/// Telegram: digits before `:AA`.
pub fn after_digits(text: &[u8], at: usize, done: usize) -> Option<Span> {
    if !starts_with(text, at, b":AA") {
        return None;
    }
    let digits = back(text, at, 12, |byte| byte.is_ascii_digit());
    let length = run(text, at + 1, Of::Url);
    (at - digits >= done && (8..=10).contains(&digits) && (33..=40).contains(&length)).then_some(Span {
        start: at - digits,
        end: at + 1 + length,
        kind: "telegram-token",
    })
}

/// Mailchimp: 32 hexadecimal digits before `-us12`.
pub fn before_region(text: &[u8], at: usize, done: usize) -> Option<Span> {
    if !starts_with(text, at, b"-us") {
        return None;
    }
    let length = run(text, at + 3, Of::Letters);
    let digits = text.get(at + 3..at + 3 + length)?.iter().all(u8::is_ascii_digit);
    let hex = back(text, at, 33, |byte| byte.is_ascii_hexdigit());
    (digits && (1..=2).contains(&length) && hex == 32 && at - hex >= done).then_some(Span {
        start: at - hex,
        end: at + 3 + length,
        kind: "mailchimp-key",
    })
}

/// Azure's application secrets: three letters, a digit, `Q~` and the rest.
pub fn azure_secret(text: &[u8], at: usize, done: usize) -> Option<Span> {
    let start = at.checked_sub(5).filter(|start| *start >= done)?;
    let [head @ .., digit, b'Q'] = text.get(start..at)? else { return None };
    let (length, _) = trimmed(text, at + 1, run(text, at + 1, Of::Any));
    let fits = digit.is_ascii_digit() && head.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~'));
    (fits && (30..=36).contains(&length)).then_some(Span { start, end: at + 1 + length, kind: "azure-secret" })
}

/// Terraform Cloud: 14 letters, `.atlasv1.` and the rest.
pub fn terraform(text: &[u8], at: usize, done: usize) -> Option<Span> {
    if !starts_with(text, at, b".atlasv1.") {
        return None;
    }
    let head = back(text, at, 15, |byte| byte.is_ascii_alphanumeric());
    let length = run(text, at + 9, Of::Url);
    (head >= 14 && length >= 40 && at - 14 >= done).then_some(Span { start: at - 14, end: at + 9 + length, kind: "terraform-token" })
}

fn back(text: &[u8], at: usize, most: usize, is: impl Fn(u8) -> bool) -> usize {
    text.get(..at).map_or(0, |before| before.iter().rev().take(most).take_while(|byte| is(**byte)).count())
}
