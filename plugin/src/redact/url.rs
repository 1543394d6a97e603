//! Credentials in addresses: `scheme://user:password@host`.

use super::pass::{MARK, Span, starts_with};
use super::value::{is_placeholder, is_random};

/// The longest part before the host that is read, in bytes.
const LONGEST: usize = 1024;

/// The password, or the token in the user's place, after the `://` that stands here.
pub fn at(text: &[u8], at: usize) -> Option<Span> {
    if !starts_with(text, at, b"://") {
        return None;
    }
    let start = at + 3;
    let scheme: Vec<u8> =
        text.get(..at)?.iter().rev().take(16).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'+').copied().collect();
    // Passwords of databases are often written with marks that an address should escape.
    let lenient =
        [&b"lqsergtsop"[..], b"sergtsop", b"lqsym", b"bdognom", b"vrs+bdognom", b"sider", b"ssider", b"pqma", b"spqma", b"bdairam"]
            .contains(&scheme.as_slice());
    let rest = text.get(start..)?;
    let ends = |byte: u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b',' | b'|')
            || (!lenient && matches!(byte, b'/' | b'?' | b'#' | b'(' | b')'))
    };
    let length = rest.iter().take(LONGEST).take_while(|byte| !ends(**byte)).count();
    let before_host = rest.get(..rest.get(..length)?.iter().rposition(|byte| *byte == b'@')?)?;
    let first = |byte: u8| before_host.iter().position(|own| *own == byte);
    if before_host.windows(MARK.len()).any(|window| window == MARK) {
        return None;
    }
    let Some(colon) = first(b':') else {
        return (before_host.len() >= 16 && is_random(before_host)).then_some(Span {
            start,
            end: start + before_host.len(),
            kind: "url-token",
        });
    };
    let (user, password) = (before_host.get(..colon)?, before_host.get(colon + 1..)?);
    let end = start + before_host.len();
    if user.len() >= 20 && is_random(user) {
        return Some(Span { start, end, kind: "url-token" });
    }
    (!password.is_empty() && !is_placeholder(password)).then_some(Span { start: start + colon + 1, end, kind: "url-password" })
}
