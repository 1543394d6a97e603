//! One pass over a text, from left to right, from secret to secret.

use super::{assignment, block, command, token, url};

/// A secret: bytes of the text, on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// After the last byte.
    pub end: usize,
    /// What it is.
    pub kind: &'static str,
}

/// What the pass remembers, so that no text is read again and again.
#[derive(Debug, Default)]
pub struct Memory {
    /// Up to here a run of letters was read that is words, not a token.
    pub words_until: usize,
    /// Up to here a run was read that is no web token.
    pub no_web_token_until: usize,
    /// Where the next end of a key block is, when it was looked for; the length of the text when there is none.
    pub block_end: Option<usize>,
}

/// What is already taken out.
pub const MARK: &[u8] = b"[redacted:";

/// All secrets in order; none overlap.
pub fn secrets(input: &str) -> Vec<Span> {
    let text = input.as_bytes();
    let mut spans: Vec<Span> = Vec::new();
    let mut memory = Memory::default();
    let mut at = 0;
    let mut done = 0;
    let mut before = b' ';
    // A program's password stands some arguments after its name; what is between is read as well.
    let mut ahead: Option<Span> = None;
    while let Some(&byte) = text.get(at) {
        if let Some(span) = ahead.filter(|span| at >= span.start) {
            ahead = None;
            if span.end > at {
                spans.push(Span { start: at, ..span });
                (at, done, before) = (span.end, span.end, b']');
                continue;
            }
        }
        let found = if byte.is_ascii_alphanumeric() {
            // Most letters stand within a word, where no token begins.
            if before.is_ascii_alphanumeric() && !follows_escape(text, at) {
                None
            } else {
                {
                    if ahead.is_none() {
                        ahead = command::at(text, at);
                    }
                    word_at(text, at, &mut memory)
                }
            }
        } else {
            match byte {
                b'=' => assignment::at(text, at, done, &mut memory),
                b':' => url::at(text, at)
                    .or_else(|| token::after_digits(text, at, done))
                    .or_else(|| assignment::at(text, at, done, &mut memory)),
                b'-' => block::private_key(text, at, &mut memory)
                    .or_else(|| assignment::flag(text, at, &mut memory))
                    .or_else(|| token::before_region(text, at, done)),
                b'~' => token::azure_secret(text, at, done),
                b'.' => token::terraform(text, at, done),
                b'[' if starts_with(text, at, MARK) => {
                    let end = text.iter().skip(at).take(64).position(|&byte| byte == b']').map_or(MARK.len(), |end| end + 1);
                    at += end;
                    before = b']';
                    continue;
                }
                _ => None,
            }
        };
        match found {
            Some(span) if span.end > at => {
                // Values end before ASCII letters only; the check keeps a slip from losing text.
                if span.start >= done && input.is_char_boundary(span.start) && input.is_char_boundary(span.end) {
                    spans.push(span);
                    done = span.end;
                }
                at = span.end;
                before = b']';
            }
            _ => {
                at += 1;
                before = byte;
            }
        }
    }
    spans
}

fn word_at(text: &[u8], at: usize, memory: &mut Memory) -> Option<Span> {
    token::at(text, at, memory).or_else(|| block::web_token(text, at, memory))
}

/// Whether the letter before is an escape's (`\n`, `%3D`), so that a word begins here.
fn follows_escape(text: &[u8], at: usize) -> bool {
    let back = |by: usize| at.checked_sub(by).and_then(|at| text.get(at)).copied().unwrap_or(b' ');
    (back(2) == b'\\' && matches!(back(1), b'n' | b'r' | b't'))
        || (back(3) == b'%' && back(2).is_ascii_hexdigit() && back(1).is_ascii_hexdigit())
}

/// Whether the text goes on with this.
pub fn starts_with(text: &[u8], at: usize, word: &[u8]) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(word))
}
