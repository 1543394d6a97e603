//! Secrets of several parts: private keys and web tokens.

use super::pass::{Memory, Span, starts_with};
use super::token::{Of, run};

/// A private key from its first line to its last: lines, folded to one line, or with escaped line ends; also without its end.
pub fn private_key(text: &[u8], at: usize, memory: &mut Memory) -> Option<Span> {
    if !starts_with(text, at, b"-----BEGIN ") {
        return None;
    }
    let label = at + 11;
    let length =
        text.get(label..)?.iter().take(48).take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ').count();
    let name = text.get(label..label + length)?;
    if !(name.ends_with(b"PRIVATE KEY") || name.ends_with(b"PRIVATE KEY BLOCK")) {
        return None;
    }
    let body = label + length + run_of(text, label + length, b'-');
    let cut = body_end(text, body);
    if cut == body {
        return None;
    }
    let end = next_end(text, cut, memory);
    // The end belongs to this block when nothing but a checksum's rest stands before it.
    let closes = end < text.len() && end - cut <= 80 && !text.get(cut..end)?.windows(5).any(|window| window == b"BEGIN");
    let end = if closes { line_end(text, end) } else { cut };
    Some(Span { start: at, end, kind: "private-key" })
}

fn run_of(text: &[u8], at: usize, byte: u8) -> usize {
    text.get(at..).map_or(0, |rest| rest.iter().take_while(|own| **own == byte).count())
}

/// Where the lines of the key end: words of base64 after what headers say, parted by white space and escaped line ends. `from` when there are none.
fn body_end(text: &[u8], from: usize) -> usize {
    let mut at = past_headers(text, from);
    let mut end = from;
    loop {
        at = past_blanks(text, at);
        let length = base64(text, at);
        let word = text.get(at..at + length).unwrap_or_default();
        let is_rest = end > from && (word.ends_with(b"=") || word.starts_with(b"="));
        let is_cut = length > 0 && starts_with(text, at + length, "…".as_bytes());
        if !(length >= LEAST_LINE || is_rest || is_cut) {
            return end;
        }
        at += length;
        end = at;
    }
}

/// A shorter word may be prose, in bytes.
const LEAST_LINE: usize = 16;

/// Where the first line of the key is, when headers stand before it. Their values are words of any kind, and folded text has no line ends: what
/// follows them is known by its length.
fn past_headers(text: &[u8], from: usize) -> usize {
    const HEADERS: [&[u8]; 6] = [b"Proc-Type:", b"DEK-Info:", b"Version:", b"Comment:", b"Hash:", b"Charset:"];
    let start = past_blanks(text, from);
    if !HEADERS.iter().any(|header| starts_with(text, start, header)) {
        return from;
    }
    let mut at = start;
    while at < start + 400 && at < text.len() {
        let length = base64(text, at);
        if length >= 40 {
            return at;
        }
        at += length.max(1);
    }
    from
}

fn base64(text: &[u8], at: usize) -> usize {
    text.get(at..)
        .map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')).count())
}

fn past_blanks(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        if *byte == b'\\' && text.get(at + 1).is_some_and(|next| matches!(next, b'n' | b'r' | b't' | b'\\')) {
            at += 2;
        } else if byte.is_ascii_whitespace() || matches!(byte, b'>' | b'|' | b'"' | b'+' | b'\'') {
            at += 1;
        } else {
            break;
        }
    }
    at
}

fn next_end(text: &[u8], from: usize, memory: &mut Memory) -> usize {
    match memory.block_end {
        Some(end) if end >= from => end,
        _ => {
            let end = memchr::memmem::find(text.get(from..).unwrap_or_default(), b"-----END ").map_or(text.len(), |end| from + end);
            memory.block_end = Some(end);
            end
        }
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    let label = at + 9;
    let length = text.get(label..).map_or(0, |rest| {
        rest.iter().take(48).take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ').count()
    });
    label + length + run_of(text, label + length, b'-').min(5)
}

/// A JSON web token: `eyJ…` parts with full stops between them.
pub fn web_token(text: &[u8], at: usize, memory: &mut Memory) -> Option<Span> {
    if at < memory.no_web_token_until || !starts_with(text, at, b"eyJ") {
        return None;
    }
    let head = run(text, at, Of::Url);
    let mut end = at + head;
    let mut parts = 1;
    while text.get(end) == Some(&b'.') {
        let part = run(text, end + 1, Of::Url);
        // An unsigned token ends with a full stop; so does a sentence.
        if part == 0 {
            break;
        }
        parts += 1;
        end += 1 + part;
    }
    let cut = starts_with(text, end, "…".as_bytes()) || starts_with(text, end, b"...");
    if head >= 12 && (parts >= 3 || (parts == 2 && (starts_with(text, at + head + 1, b"eyJ") || cut)) || (cut && head >= 20)) {
        return Some(Span { start: at, end, kind: "jwt" });
    }
    memory.no_web_token_until = end;
    None
}
