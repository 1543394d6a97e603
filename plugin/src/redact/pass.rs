//! One pass over a text, from left to right, from secret to secret.

use super::token::{self, Of, run};
use super::{assignment, block, command, url};

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
    // A program's password stands some arguments after its name; what is between is read as well.
    let mut ahead: Option<Span> = None;
    while let Some(&byte) = text.get(at) {
        if let Some(span) = ahead.filter(|span| at >= span.start) {
            ahead = None;
            if span.end > at {
                spans.push(Span { start: at, ..span });
                (at, done) = (span.end, span.end);
                continue;
            }
        }
        let mut next = at + 1;
        let found = if byte.is_ascii_alphanumeric() {
            ahead = ahead.or_else(|| command::at(text, at));
            let word = run(text, at, Of::Letters);
            // The letters of an escape belong to the word only by their looks. Within a word no token begins.
            let within = escape(text, at, word).and_then(|letters| word_at(text, at + letters, &mut memory));
            next = ahead.map_or(at + word, |span| span.start.clamp(at + 1, at + word));
            word_at(text, at, &mut memory).or(within)
        } else {
            match byte {
                b'=' => assignment::at(text, at, done, &mut memory),
                b':' => {
                    let other = || token::after_digits(text, at, done).or_else(|| assignment::at(text, at, done, &mut memory));
                    url::at(text, at).or_else(other)
                }
                b'-' => block::private_key(text, at, &mut memory)
                    .or_else(|| assignment::flag(text, at, &mut memory))
                    .or_else(|| token::before_region(text, at, done)),
                b'~' => token::azure_secret(text, at, done),
                b'.' => token::terraform(text, at, done),
                b'[' if starts_with(text, at, MARK) => {
                    next = at + text.iter().skip(at).take(64).position(|&byte| byte == b']').map_or(MARK.len(), |end| end + 1);
                    None
                }
                _ => None,
            }
        };
        at = next;
        if let Some(mut span) = found.filter(|span| span.start >= done && span.end > span.start) {
            while span.end < text.len() && !input.is_char_boundary(span.end) {
                span.end += 1;
            }
            spans.push(span);
            (at, done) = (span.end, span.end);
        }
    }
    spans
}

fn word_at(text: &[u8], at: usize, memory: &mut Memory) -> Option<Span> {
    token::at(text, at, memory).or_else(|| block::web_token(text, at, memory))
}

/// How many letters of this word are the end of an escape before it: `\n`, `%3D`.
fn escape(text: &[u8], at: usize, word: usize) -> Option<usize> {
    let letters = match text.get(at.checked_sub(1)?)? {
        b'\\' if matches!(text.get(at), Some(b'n' | b'r' | b't')) => 1,
        b'%' if text.get(at..at + 2)?.iter().all(u8::is_ascii_hexdigit) => 2,
        _ => return None,
    };
    (letters < word).then_some(letters)
}

/// Whether the text goes on with this.
pub fn starts_with(text: &[u8], at: usize, word: &[u8]) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(word))
}
