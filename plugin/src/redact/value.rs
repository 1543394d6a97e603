//! Values that stand beside a name: where they end, and whether they are secrets or code, types and placeholders.

use super::name::Names;
use super::pass::{MARK, starts_with};

/// A value longer than this is not judged: nobody writes code so long without a blank.
const JUDGED: usize = 256;

/// How a value stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// `"value"`
    Quoted,
    /// `NAME=value`
    Tight,
    /// `name: value`, `name = value`
    Loose,
}

/// A value's bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The first byte, after the quote.
    pub start: usize,
    /// After the last byte, before the quote.
    pub end: usize,
    /// How it stands.
    pub manner: Manner,
}

/// Reads the value that begins here, quoted or not.
pub fn at(text: &[u8], at: usize, tight: bool) -> Option<Value> {
    let escaped = starts_with(text, at, b"\\\"") || starts_with(text, at, b"\\'");
    let open = at + usize::from(escaped);
    if let Some(quote) = text.get(open).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`')) {
        let start = open + 1;
        let length = text.get(start..)?.iter().take(JUDGED * 4).take_while(|byte| **byte != quote && **byte != b'\n').count();
        let mut end = start + length;
        if escaped && end > start && text.get(end - 1) == Some(&b'\\') {
            end -= 1;
        }
        // Cut within a character: the rest goes too.
        while text.get(end).is_some_and(|byte| (0x80..0xc0).contains(byte)) {
            end += 1;
        }
        return (end > start).then_some(Value { start, end, manner: Manner::Quoted });
    }
    let length = text.get(at..)?.iter().take(JUDGED + 1).take_while(|byte| !ends_value(**byte)).count();
    let mut end = at + length;
    // A sentence's stop is not the value's.
    while end > at && text.get(end - 1).is_some_and(|byte| matches!(byte, b'.' | b':')) {
        end -= 1;
    }
    (end > at).then_some(Value { start: at, end, manner: if tight { Manner::Tight } else { Manner::Loose } })
}

/// Where a value that is a secret ends, when it is longer than what was judged.
pub fn whole_end(text: &[u8], value: Value) -> usize {
    let rest = text.get(value.end..).unwrap_or_default();
    if value.end - value.start < JUDGED {
        return value.end;
    }
    let quote = value.start.checked_sub(1).and_then(|before| text.get(before)).copied().unwrap_or(b'"');
    let length = match value.manner {
        Manner::Quoted => rest.iter().take_while(|byte| **byte != quote && !matches!(byte, b'\n' | b'\\')).count(),
        _ => rest.iter().take_while(|byte| !ends_value(**byte)).count(),
    };
    value.end + length
}

const fn ends_value(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || byte.is_ascii_control()
        || matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'&' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'|' | b'\\')
}

/// Whether a value beside a name is a secret.
pub fn is_secret(text: &[u8], value: Value, names: Names, shouts: bool) -> bool {
    let Some(body) = text.get(value.start..value.end) else { return false };
    // What is left beside a mark was judged when the mark was made.
    if memchr::memmem::find(body, MARK).is_some() || is_placeholder(body) {
        return false;
    }
    if body.len() > JUDGED && value.manner != Manner::Quoted {
        return true;
    }
    let blanks = body.iter().filter(|byte| byte.is_ascii_whitespace()).count();
    let next = text.get(value.end);
    let is_code =
        value.manner != Manner::Quoted && (matches!(next, Some(b'(' | b'[' | b'<' | b'{')) || (!shouts && is_path_of_names(body)));
    if blanks >= 2 || is_code || is_file(body) {
        return false;
    }
    match names {
        Names::Password => is_password(body, value.manner, shouts),
        _ => blanks == 0 && is_random(body),
    }
}

fn is_password(body: &[u8], manner: Manner, shouts: bool) -> bool {
    const NEVER: &[&str] = &[
        "string",
        "str",
        "none",
        "null",
        "nil",
        "true",
        "false",
        "undefined",
        "number",
        "bool",
        "boolean",
        "text",
        "any",
        "required",
        "optional",
        "password",
        "changeme",
        "passwd",
        "hidden",
        "prompt",
        "void",
        "never",
        "unknown",
        "self",
        "this",
        "invalid",
        "wrong",
        "incorrect",
        "missing",
        "empty",
        "bytes",
        "varchar",
        "not",
    ];
    let lower = body.to_ascii_lowercase();
    if body.len() < 4 || NEVER.iter().any(|word| word.as_bytes() == lower) {
        return false;
    }
    let speaks_of_itself = lower.windows(4).any(|window| window == b"pass");
    let plain = body.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'?' | b'!'));
    match manner {
        Manner::Quoted => !(speaks_of_itself && (plain || body.contains(&b' '))),
        Manner::Tight => shouts || !(plain && (speaks_of_itself || body.len() < 6 || body.contains(&b'_'))),
        // In prose and code a bare word is a word.
        Manner::Loose => !plain,
    }
}

/// Whether letters look made by a machine: digits among letters, or both cases over some length.
pub fn is_random(body: &[u8]) -> bool {
    if body.len() < 8 {
        return false;
    }
    let any = |is: fn(&u8) -> bool| body.iter().any(is);
    let (digit, lower, upper) = (any(u8::is_ascii_digit), any(u8::is_ascii_lowercase), any(u8::is_ascii_uppercase));
    let parted = body.iter().filter(|byte| matches!(byte, b'-' | b'_' | b'.' | b' ')).count();
    (digit && (lower || upper)) || (lower && upper && body.len() >= 20 && parted * 8 < body.len()) || (digit && body.len() >= 20)
}

/// Names joined by stops: `config.secrets.token`, `args.password`.
fn is_path_of_names(body: &[u8]) -> bool {
    if !body.contains(&b'.') && !body.contains(&b':') {
        return false;
    }
    body.split(|byte| matches!(byte, b'.' | b':')).all(|word| {
        word.is_empty()
            || (!word.first().is_some_and(u8::is_ascii_digit)
                && word.len() <= 24
                && word.iter().filter(|byte| byte.is_ascii_digit()).count() <= 1
                && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
    })
}

/// A path of a file: `/run/secrets/token`, `./key2.pem`, `~/x`, `C:\x`.
fn is_file(body: &[u8]) -> bool {
    let rooted = body.starts_with(b"./")
        || body.starts_with(b"../")
        || body.starts_with(b"~/")
        || (body.starts_with(b"/") && body.iter().filter(|byte| **byte == b'/').count() >= 2);
    let drive = body.get(1) == Some(&b':') && matches!(body.get(2), Some(b'\\' | b'/'));
    let plain = !body.iter().any(|byte| matches!(byte, b'+' | b'='));
    let ends = [".pem", ".key", ".json", ".txt", ".env", ".yaml", ".yml", ".toml", ".ts", ".js", ".py", ".rs", ".go", ".md"]
        .iter()
        .any(|end| body.ends_with(end.as_bytes()));
    plain && (rooted || drive || ends)
}

/// What stands for a value: `$TOKEN`, `${{ secrets.X }}`, `<token>`, `%s`, `***`, `xxxx`, `your-key`, `process.env.X`.
pub fn is_placeholder(body: &[u8]) -> bool {
    const BEGIN: &[&str] = &[
        "$",
        "<",
        "{",
        "%(",
        "%s",
        "%{",
        "#{",
        "@",
        "process.env",
        "os.environ",
        "os.getenv",
        "env.",
        "import.meta",
        "secrets.",
        "ENV[",
        "std::env",
        "your_",
        "your-",
        "YOUR_",
        "YOUR-",
        "changeme",
        "change_me",
        "change-me",
        "replace",
        "REPLACE",
        "example",
        "placeholder",
        "redacted",
        "REDACTED",
        "dummy",
        "http://",
        "https://",
        "…",
        "...",
        "_(",
        "!",
        "&",
        "*",
    ];
    let first = body.first().copied().unwrap_or(b'*');
    let same = body.iter().all(|byte| byte.eq_ignore_ascii_case(&first)) && !first.is_ascii_digit();
    let hidden = body.iter().filter(|byte| matches!(byte, b'*')).count() * 2 > body.len();
    // An exclamation mark or an ampersand alone begins passwords too, and YAML tags.
    let begins = BEGIN.iter().any(|begin| body.starts_with(begin.as_bytes()));
    let passwordlike = matches!(first, b'!' | b'&' | b'*' | b'@' | b'$' | b'{') && body.len() >= 8 && mixes(body) && !is_variable(body);
    same || hidden || (begins && !passwordlike)
}

/// Digits and marks among the letters, as in a password that begins with a mark.
fn mixes(body: &[u8]) -> bool {
    let rest = body.get(1..).unwrap_or_default();
    rest.iter().any(u8::is_ascii_digit)
        && rest
            .iter()
            .any(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'.' | b'{' | b'}' | b':' | b'-' | b'/' | b'[' | b']'))
}

/// `$NAME`, `${NAME:-x}`, `$(command)`, `{{ name }}`, `@file`.
fn is_variable(body: &[u8]) -> bool {
    body.starts_with(b"${")
        || body.starts_with(b"$(")
        || body.starts_with(b"{")
        || body.get(1..).is_some_and(|rest| rest.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
}
