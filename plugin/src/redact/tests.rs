#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]

use std::borrow::Cow;

use super::text;

mod kinds;
mod names;
mod not_secrets;
mod properties;

/// A secret with these first letters, made here so that no secret stands in this repository.
fn made(prefix: &str, length: usize) -> String {
    let letters = b"a9Kq3ZtW7bLx0Rm5VcYe2HsJ8nUd4PgF6iTo1EwB";
    let mut secret = prefix.to_owned();
    secret.extend((0..length).map(|at| char::from(letters[(at * 7 + at / letters.len()) % letters.len()])));
    secret
}

fn hex(prefix: &str, length: usize) -> String {
    let mut secret = prefix.to_owned();
    secret.extend((0..length).map(|at| char::from(b"3fa90c7be1d8426"[(at * 4 + at / 15) % 15])));
    secret
}

fn capitals(prefix: &str, length: usize) -> String {
    made(prefix, length).to_ascii_uppercase()
}

/// Redacts the secret wherever it stands, and nothing else.
#[track_caller]
fn goes(kind: &str, secret: &str) {
    let mark = format!("[redacted:{kind}]");
    for (before, after) in
        [("", ""), ("it is ", " now"), ("(", ")"), ("\"", "\","), ("line\\n", "\\nline"), ("- `", "`"), ("ключ ", " é"), ("see ", ".")]
    {
        assert_eq!(text(&format!("{before}{secret}{after}")), format!("{before}{mark}{after}"));
    }
}

/// Redacts a part of a text.
#[track_caller]
fn becomes(input: &str, expected: &str) {
    let once = text(input);
    assert_eq!(once, expected);
    assert_eq!(text(&once), expected, "twice");
}

/// Leaves a text as it is.
#[track_caller]
fn stays(input: &str) {
    assert!(matches!(text(input), Cow::Borrowed(_)), "{input}\n{}", text(input));
}
