//! What holds for any text.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::text;
use super::made;

/// Pieces that mean something to the pass, put together in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("password=".to_owned()),
        Just("\"token\": \"".to_owned()),
        Just("\\\"api_key\\\":\\\"".to_owned()),
        Just("https://".to_owned()),
        Just("@host".to_owned()),
        Just("user:".to_owned()),
        Just("Authorization: Bearer ".to_owned()),
        Just("Authorization: ".to_owned()),
        Just("Cookie: a=".to_owned()),
        Just("; ".to_owned()),
        Just("--password ".to_owned()),
        Just("mysql -p".to_owned()),
        Just("curl -u a:".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----".to_owned()),
        Just("-----END PRIVATE KEY-----".to_owned()),
        Just("\\n".to_owned()),
        Just("\n".to_owned()),
        Just(" ".to_owned()),
        Just("\"".to_owned()),
        Just("'".to_owned()),
        Just("…".to_owned()),
        Just("...".to_owned()),
        Just("=".to_owned()),
        Just(":".to_owned()),
        Just(".".to_owned()),
        Just("-".to_owned()),
        Just("é".to_owned()),
        Just("$".to_owned()),
        Just("[redacted:".to_owned()),
        Just("]".to_owned()),
        Just("[redacted:jwt]".to_owned()),
        Just("x".to_owned()),
        Just("API_KEY".to_owned()),
        Just("-us1".to_owned()),
        Just(":AA".to_owned()),
        Just("8Q~".to_owned()),
        Just(",".to_owned()),
        Just("/".to_owned()),
        Just("%3D".to_owned()),
        Just("{".to_owned()),
        Just("Digest ".to_owned()),
        Just("token".to_owned()),
        Just("\\".to_owned()),
        Just("123456789".to_owned()),
        (0..super::super::tokens::ROWS.len(), 0..60_usize).prop_map(|(row, length)| made(super::super::tokens::ROWS[row].prefix, length)),
        (0..50_usize).prop_map(|length| made("", length)),
        (0..50_usize).prop_map(|length| made("eyJ", length)),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redacting_twice_is_redacting_once(input in pieces()) {
        let once = text(&input).into_owned();
        let twice = text(&once).into_owned();
        prop_assert_eq!(twice, once, "{}", input);
    }

    #[test]
    fn any_text_can_be_redacted(input in "\\PC*") {
        let once = text(&input).into_owned();
        prop_assert_eq!(text(&once).into_owned(), once);
    }

    #[test]
    fn words_are_not_copied(input in "[a-z ]*") {
        prop_assert!(matches!(text(&input), std::borrow::Cow::Borrowed(_)));
    }
}

#[test]
fn the_time_grows_with_the_text_only() {
    for piece in [
        "token=",
        "token=$",
        "sk-ant-",
        "eyJa-",
        "eyJa.",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nabcdefghijklmnopqrstuvwxyz",
        "://a:",
        "://",
        "a:b@",
        "mysql -p ",
        "curl ",
        "--password ",
        "cookie:$=$$$$$$=",
        "Authorization: Digest ",
        "password=\"",
        "\"password\":\"$",
        "pat-",
        "v1.0-",
        "Bearer a",
        "[redacted:",
        "=",
        ":",
        "-",
        "a",
        "postgres://",
        "xoxb-token=",
        "\\n",
        "%3D",
        "….",
        "é",
    ] {
        let input = piece.repeat(40_000 / piece.len());
        let begun = Instant::now();
        let _ = text(&input);
        assert!(begun.elapsed() < Duration::from_secs(10), "{piece}: {:?}", begun.elapsed());
    }
}
