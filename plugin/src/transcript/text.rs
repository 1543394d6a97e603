//! Strings as they stand in JSON, and as they are quoted.

use std::borrow::Cow;

/// The longest quote, in bytes.
pub const QUOTE: usize = 4 << 10;

/// Decodes a JSON string that is known to be well-formed, quotes included. A surrogate without its pair becomes U+FFFD. Anything else than a string
/// is none.
pub fn decode(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.trim().strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (plain, escape) = rest.split_at_checked(at)?;
        out.push_str(plain);
        let mut letters = escape.chars();
        letters.next();
        let letter = letters.next()?;
        rest = letters.as_str();
        match letter {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'u' => {
                let (unit, after) = code_unit(rest)?;
                rest = after;
                let low = (0xd800..0xdc00).contains(&unit).then(|| code_unit(rest.strip_prefix("\\u")?)).flatten();
                match low {
                    Some((low, after)) if (0xdc00..0xe000).contains(&low) => {
                        rest = after;
                        out.push(char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).unwrap_or('\u{fffd}'));
                    }
                    _ => out.push(char::from_u32(unit).unwrap_or('\u{fffd}')),
                }
            }
            other => out.push(other),
        }
    }
    out.push_str(rest);
    Some(Cow::Owned(out))
}

/// Decodes a JSON string's head and tail, at most `most` bytes of each, without looking at what is between.
pub fn decode_ends(raw: &str, most: usize) -> Option<Cow<'_, str>> {
    let raw = raw.trim();
    if raw.len() <= 2 * most + 2 || !raw.starts_with('"') {
        return decode(raw);
    }
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    let head = inner.get(..after_escape(inner, inner.floor_char_boundary(most)))?;
    let tail = inner.get(after_escape(inner, inner.ceil_char_boundary(inner.len().saturating_sub(most)))..)?;
    Some(Cow::Owned(format!("{}\n…\n{}", decode(&format!("\"{head}\""))?, decode(&format!("\"{tail}\""))?)))
}

/// The first place at or after a character boundary that is not inside an escape.
fn after_escape(inner: &str, at: usize) -> usize {
    let bytes = inner.as_bytes();
    // No escape is longer than six bytes, so that one that reaches here began among the last five.
    let begun = (at.saturating_sub(5)..at).rev().find(|place| {
        bytes.get(*place) == Some(&b'\\') && bytes.iter().take(*place).rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
    });
    let Some(begun) = begun else { return at };
    let length = if bytes.get(begun + 1) == Some(&b'u') { 6 } else { 2 };
    at.max((begun + length).min(inner.len()))
}

fn code_unit(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, rest))
}

/// The text as one line for quoting: white space folded to single blanks, control characters and terminal escapes left out, cut at a character.
pub fn fold_line(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    let mut blank = false;
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            skip_escape(&mut letters);
            continue;
        }
        if letter.is_whitespace() {
            blank = true;
            continue;
        }
        if letter.is_control() || is_invisible(letter) {
            continue;
        }
        let gap = blank && !out.is_empty();
        blank = false;
        if out.len() + usize::from(gap) + letter.len_utf8() > QUOTE {
            break;
        }
        if gap {
            out.push(' ');
        }
        out.push(letter);
    }
    out
}

/// Characters that change how what follows is drawn, or that are not drawn at all.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

fn skip_escape(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match letters.peek() {
        Some('[') => {
            letters.next();
            for letter in letters.by_ref() {
                if ('@'..='~').contains(&letter) {
                    break;
                }
            }
        }
        Some(']') => {
            for letter in letters.by_ref() {
                if letter == '\u{7}' || letter == '\\' {
                    break;
                }
            }
        }
        _ => {
            letters.next();
        }
    }
}

/// At most `most` bytes of the text's head and as many of its tail, cut at characters.
pub fn head_and_tail(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= 2 * most {
        return Cow::Borrowed(text);
    }
    let head = text.get(..text.floor_char_boundary(most)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len() - most)..).unwrap_or_default();
    Cow::Owned(format!("{head}\n…\n{tail}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn json_strings_decode_and_a_lone_surrogate_becomes_a_replacement() {
        for (raw, text) in [
            (r#""plain""#, "plain"),
            (r#""a\n\"b\"\\ \/""#, "a\n\"b\"\\ /"),
            (r#""\u00e9 \ud83d\ude00""#, "é 😀"),
            (r#""x\ud83dy""#, "x\u{fffd}y"),
            (r#""x\ud83d\u0041""#, "x\u{fffd}A"),
            (r#""\udc00""#, "\u{fffd}"),
        ] {
            assert_eq!(decode(raw).as_deref(), Some(text), "{raw}");
        }
        for raw in ["7", "null", "[\"a\"]", "\"\\u12\""] {
            assert_eq!(decode(raw), None, "{raw}");
        }
    }

    #[test]
    fn a_long_string_is_decoded_at_its_ends_whatever_stands_at_the_cut() {
        for unit in ["x", "é", "\\n", "\\u00e9", "\\\\", "\\\"", "😀"] {
            for shift in 0..12 {
                let raw = format!("\"BEGIN{}{}END\"", "-".repeat(shift), unit.repeat(400));
                let whole = decode(&raw).unwrap();
                let ends = decode_ends(&raw, 64).unwrap();
                let (head, tail) = ends.split_once("\n…\n").unwrap();
                assert!(head.starts_with("BEGIN") && whole.starts_with(head), "{unit} {shift}: {head}");
                assert!(tail.ends_with("END") && whole.ends_with(tail), "{unit} {shift}: {tail}");
            }
        }
        assert_eq!(decode_ends("\"short\\n\"", 64).as_deref(), Some("short\n"));
        assert_eq!(decode_ends("[7]", 64), None);
    }

    #[test]
    fn a_quote_is_one_line_without_control_characters_or_escapes() {
        assert_eq!(fold_line("  a\r\n\tb \u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}c\u{0}\u{202e}d\u{2028}e "), "a b red cd e");
        assert_eq!(fold_line(&"é".repeat(5000)).len(), QUOTE);
    }
}
