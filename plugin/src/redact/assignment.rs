//! Values beside a name that says what they are: variables, JSON, YAML, headers, query strings, flags.

use super::name::{LONGEST, Names, names};
use super::pass::{MARK, Memory, Span, starts_with};
use super::value::{self, Manner};
use super::{block, token};

/// No browser keeps a longer cookie, in bytes.
const LONGEST_COOKIE: usize = 4096;

/// The secret after the `=` or `:` that stands here.
pub fn at(text: &[u8], at: usize, done: usize, memory: &mut Memory) -> Option<Span> {
    let mark = *text.get(at)?;
    let next = text.get(at + 1).copied().unwrap_or(b' ');
    let before = at.checked_sub(1).and_then(|at| text.get(at)).copied().unwrap_or(b' ');
    // Comparisons, paths of modules, and addresses are no assignments.
    let compares = mark == b'=' && (next == b'=' || matches!(before, b'=' | b'!' | b'<' | b'>'));
    if compares || (mark == b':' && matches!(next, b':' | b'/')) {
        return None;
    }
    let (name, begin) = name_before(text, at, done)?;
    let says = names(name)?;
    let shouts = name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase);
    let after = at + 1 + usize::from((mark == b'=' && next == b'>') || (mark == b':' && next == b'='));
    let blanks = text.get(after..)?.iter().take(8).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let tight = mark == b'=' && blanks == 0 && !before.is_ascii_whitespace();
    judge(text, after + blanks, says, tight, shouts || (tight && is_flag(text, begin)), memory)
}

/// The secret after a flag that is parted from it by a blank: `--password x`.
pub fn flag(text: &[u8], at: usize, memory: &mut Memory) -> Option<Span> {
    let before = at.checked_sub(1).and_then(|at| text.get(at)).copied().unwrap_or(b' ');
    if !starts_with(text, at, b"--") || !(before.is_ascii_whitespace() || matches!(before, b'"' | b'\'' | b'`' | b'[' | b'(' | b',')) {
        return None;
    }
    let name = text.get(at + 2..)?;
    let name =
        name.get(..name.iter().take(LONGEST).take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')).count())?;
    let says = names(name)?;
    let mut from = at + 2 + name.len();
    // In a list of arguments a quote and a comma come between.
    if matches!(text.get(from), Some(b'"' | b'\'')) && text.get(from + 1) == Some(&b',') {
        from += 2;
    }
    let blanks = text.get(from..)?.iter().take(8).take_while(|byte| **byte == b' ').count();
    if blanks == 0 && text.get(from - 1) != Some(&b',') || text.get(from + blanks) == Some(&b'-') {
        return None;
    }
    judge(text, from + blanks, says, true, false, memory)
}

fn is_flag(text: &[u8], begin: usize) -> bool {
    begin >= 2 && text.get(begin - 2..begin) == Some(b"--")
}

fn judge(text: &[u8], at: usize, says: Names, tight: bool, shouts: bool, memory: &mut Memory) -> Option<Span> {
    match says {
        Names::Authorization => authorization(text, at),
        Names::Cookie => cookie(text, at),
        Names::Password | Names::Token => {
            let value = value::at(text, at, tight)?;
            // A token's own name says more than the variable's, and a block may go on over lines.
            let own = token::at(text, value.start, memory)
                .or_else(|| block::web_token(text, value.start, memory))
                .or_else(|| block::private_key(text, value.start, memory));
            match own {
                Some(own) if own.start == value.start && own.end >= value.end => Some(own),
                _ => value::is_secret(text, value, says, shouts).then(|| Span {
                    start: value.start,
                    end: value::whole_end(text, value),
                    kind: says.kind(),
                }),
            }
        }
    }
}

/// The name before a mark, without quotes, brackets and blanks around it; where it begins, which is not within what was taken out.
fn name_before(text: &[u8], at: usize, done: usize) -> Option<(&[u8], usize)> {
    let before = text.get(..at)?;
    let mut end = at;
    let back = |end: usize| end.checked_sub(1).and_then(|at| before.get(at)).copied();
    let mut blanks = 0;
    while blanks < 16 && back(end) == Some(b' ') {
        end -= 1;
        blanks += 1;
    }
    // `x?: T`, `["x"]`, `\"x\"`, `x :=`
    for _ in 0..3 {
        if back(end).is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b'\\' | b':' | b'?' | b'*')) {
            end -= 1;
        }
    }
    let length = before
        .get(..end)?
        .iter()
        .rev()
        .take(LONGEST.min(end.saturating_sub(done)))
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        .count();
    let begin = end - length;
    let name = before.get(begin..end)?;
    // What stands in a secret's place is not a name.
    let replaced = begin >= MARK.len() && before.get(begin - MARK.len()..begin) == Some(MARK)
        || begin >= 1 && before.get(begin - 1) == Some(&b'[') && name == b"redacted";
    (length >= 3 && !replaced).then_some((name, begin))
}

/// `Bearer x`, `Basic x`, `token x`, or the credential alone.
fn authorization(text: &[u8], at: usize) -> Option<Span> {
    let escaped = usize::from(starts_with(text, at, b"\\\""));
    let open = at + escaped + usize::from(matches!(text.get(at + escaped), Some(b'"' | b'\'' | b'`')));
    let word = value::at(text, open, true).filter(|value| value.manner != Manner::Quoted)?;
    const SCHEMES: &[&[u8]] = &[
        b"bearer",
        b"basic",
        b"token",
        b"bot",
        b"digest",
        b"apikey",
        b"api-key",
        b"negotiate",
        b"key",
        b"aws4-hmac-sha256",
        b"genie-key",
        b"sso-key",
    ];
    let body = text.get(word.start..word.end)?;
    let has_scheme = SCHEMES.contains(&body.to_ascii_lowercase().as_slice());
    let credential = if has_scheme && text.get(word.end) == Some(&b' ') {
        value::at(text, word.end + 1, true).filter(|value| value.manner != Manner::Quoted)?
    } else {
        word
    };
    // A signed request's credential goes on over several values.
    let end = if body.eq_ignore_ascii_case(b"aws4-hmac-sha256") || body.eq_ignore_ascii_case(b"digest") {
        line_value(text, credential.start)
    } else {
        value::whole_end(text, credential)
    };
    let secret = text.get(credential.start..end)?;
    if has_scheme && credential == word
        || starts_with(text, end, MARK)
        || memchr::memmem::find(secret, MARK).is_some()
        || value::is_placeholder(secret)
        || secret.len() < 8
    {
        return None;
    }
    let random = value::is_random(secret) || (has_scheme && secret.len() >= 12);
    let scheme_alone = !has_scheme && text.get(end) == Some(&b' ');
    (random && !scheme_alone).then_some(Span { start: credential.start, end, kind: "authorization" })
}

/// The pairs of a cookie header.
fn cookie(text: &[u8], at: usize) -> Option<Span> {
    let escaped = usize::from(starts_with(text, at, b"\\\""));
    let start = at + escaped + usize::from(matches!(text.get(at + escaped), Some(b'"' | b'\'' | b'`')));
    // The first pair decides before the rest is read.
    let head = text.get(start..)?;
    let head = head.get(..head.len().min(160))?;
    let first = head.get(head.iter().position(|byte| *byte == b'=')? + 1..)?;
    let first = first.get(..first.iter().take_while(|byte| !ends_pair(**byte)).count())?;
    if first.len() < 6 || value::is_placeholder(first) || memchr::memmem::find(first, MARK).is_some() {
        return None;
    }
    let mut end = start;
    loop {
        let length = text.get(end..)?.iter().take_while(|byte| !ends_pair(**byte)).count();
        let pair = text.get(end..end + length)?;
        let is_pair = pair.contains(&b'=') || (end > start && matches!(pair, b"HttpOnly" | b"Secure" | b"Partitioned"));
        if !is_pair {
            break;
        }
        end += length;
        if !starts_with(text, end, b"; ") {
            break;
        }
        end += 2;
    }
    if end > start && text.get(end - 1) == Some(&b' ') {
        end -= 2;
    }
    (end > start).then_some(Span { start, end, kind: "cookie" })
}

const fn ends_pair(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b';' | b'"' | b'\'' | b'`' | b'\\' | b'(')
}

fn line_value(text: &[u8], at: usize) -> usize {
    at + text
        .get(at..)
        .map_or(0, |rest| rest.iter().take(LONGEST_COOKIE).take_while(|byte| !matches!(byte, b'\n' | b'\r' | b'\'' | b'`' | b'\\')).count())
}
