//! One line read whatever its length, into what is asked of its text.

use std::borrow::Cow;

use super::head::{Head, Taker, Track};
use super::page::Page;
use super::query::Term;
use super::record::Reader;
use super::window::Window;

/// What is asked of a line's text.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Nothing: only what it is.
    Nothing,
    /// Which terms it holds.
    Terms(Box<Compared>),
    /// A page of it.
    Page(Box<Paged>),
}

/// A line's texts, compared with terms.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// What is looked for.
    pub terms: Vec<Term>,
    /// What the record says.
    pub said: Window,
    /// Its attachment as JSON.
    pub json: Window,
    /// The line as it stands.
    pub raw: Window,
}

/// A page of each of a line's texts.
#[derive(Clone, Debug, Default)]
pub struct Paged {
    /// What the record says.
    pub said: Page,
    /// Its attachment as JSON.
    pub json: Page,
    /// The line as it stands.
    pub raw: Page,
}

impl Compared {
    /// With these terms.
    pub fn new(terms: Vec<Term>) -> Self {
        Self { terms, ..Self::default() }
    }

    fn clear(&mut self) {
        self.said.clear();
        self.json.clear();
        self.raw.clear();
    }
}

impl Taker for Asked {
    fn part(&mut self, track: Track) {
        match (self, track) {
            (Self::Nothing, _) => {}
            (Self::Terms(compared), Track::Said) => compared.said.part(&compared.terms),
            (Self::Terms(compared), Track::Json) => compared.json.part(&compared.terms),
            (Self::Page(paged), Track::Said) => paged.said.part(),
            (Self::Page(paged), Track::Json) => paged.json.part(),
        }
    }

    fn text(&mut self, track: Track, text: &str) {
        match (self, track) {
            (Self::Nothing, _) => {}
            (Self::Terms(compared), Track::Said) => compared.said.push(text, &compared.terms),
            (Self::Terms(compared), Track::Json) => compared.json.push(text, &compared.terms),
            (Self::Page(paged), Track::Said) => paged.said.push(text),
            (Self::Page(paged), Track::Json) => paged.json.push(text),
        }
    }
}

impl Asked {
    fn clear(&mut self) {
        // A page is asked of one line alone.
        if let Self::Terms(compared) = self {
            compared.clear();
        }
    }

    fn raw(&mut self, text: &str) {
        match self {
            Self::Nothing => {}
            Self::Terms(compared) => compared.raw.push(text, &compared.terms),
            Self::Page(paged) => paged.raw.push(text),
        }
    }
}

/// Reads a whole line. The line as it stands is looked at only when it is no record that is known whole.
pub fn read(line: &[u8], asked: &mut Asked) -> Option<Head> {
    asked.clear();
    // Nearly every line is well-formed, and that is told much faster than where it is not.
    let text = std::str::from_utf8(line).map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed);
    let mut reader = Reader::default();
    reader.push(&text, asked);
    let head = reader.finish();
    if head.as_ref().is_none_or(|head| super::entry::Kind::of(Some(head)).is_raw() || head.unknown.is_some()) {
        asked.raw(&text);
    }
    head
}

/// Reads a line that comes in pieces.
#[derive(Clone, Debug)]
pub struct LongReading {
    reader: Reader,
    /// Bytes of a character that is not whole yet.
    rest: Vec<u8>,
}

impl LongReading {
    /// Begins.
    pub fn begin(asked: &mut Asked) -> Self {
        asked.clear();
        Self { reader: Reader::default(), rest: Vec::new() }
    }

    /// Reads more of it.
    pub fn push(&mut self, mut bytes: &[u8], asked: &mut Asked) {
        while !self.rest.is_empty()
            && let Some((first, later)) = bytes.split_first()
        {
            self.rest.push(*first);
            bytes = later;
            let rest = std::mem::take(&mut self.rest);
            self.whole(&rest, asked);
        }
        self.whole(bytes, asked);
    }

    /// What the line is.
    pub fn finish(mut self, asked: &mut Asked) -> Option<Head> {
        if !self.rest.is_empty() {
            self.text("\u{fffd}", asked);
        }
        self.reader.finish()
    }

    /// Reads what is whole of the bytes, and keeps the rest.
    fn whole(&mut self, mut bytes: &[u8], asked: &mut Asked) {
        while !bytes.is_empty() {
            match std::str::from_utf8(bytes) {
                Ok(text) => {
                    self.text(text, asked);
                    return;
                }
                Err(error) => {
                    let (valid, rest) = bytes.split_at(error.valid_up_to());
                    self.text(std::str::from_utf8(valid).unwrap_or_default(), asked);
                    let Some(length) = error.error_len() else {
                        self.rest = rest.to_vec();
                        return;
                    };
                    self.text("\u{fffd}", asked);
                    bytes = rest.get(length..).unwrap_or_default();
                }
            }
        }
    }

    fn text(&mut self, text: &str, asked: &mut Asked) {
        self.reader.push(text, asked);
        asked.raw(text);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::query::terms;
    use super::*;

    fn in_pieces(line: &[u8], size: usize, asked: &mut Asked) -> Option<Head> {
        let mut reading = LongReading::begin(asked);
        for piece in line.chunks(size) {
            reading.push(piece, asked);
        }
        reading.finish(asked)
    }

    fn page(line: &[u8], size: Option<usize>) -> (Option<Head>, String, String) {
        let mut asked = Asked::Page(Box::default());
        let head = match size {
            Some(size) => in_pieces(line, size, &mut asked),
            None => read(line, &mut asked),
        };
        let Asked::Page(paged) = asked else { return Default::default() };
        (head, paged.said.text, paged.json.text)
    }

    #[test]
    fn what_a_record_says_is_its_decoded_text_and_a_tools_input_its_json() {
        for (line, said) in [
            (r#"{"type":"user","message":{"content":"a\n\"b\" \u00e9 \ud83d\ude00 \ud83d. \/"}}"#, "a\n\"b\" é 😀 \u{fffd}. /"),
            (
                r#"{"message":{"content":[{"type":"thinking","thinking":"no"},{"type":"text","text":"one"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"echo \"hi\"\n\u00e9\u001b\ud83d\ude00","n":[1, 2.5e3,null]}}]},"type":"assistant"}"#,
                "one\n{\"command\":\"echo \\\"hi\\\"\\né\\u001b😀\",\"n\":[1, 2.5e3,null]}",
            ),
            (
                r#"{"type":"user","message":{"content":[{"tool_use_id":"t1","type":"tool_result","content":[{"type":"text","text":"x"},{"type":"image","source":{"data":"iVBOR"}},{"type":"tool_reference","tool_name":"mcp__mem__recall"}]},{"type":"document","source":{}}]},"toolUseResult":{"content":"again"}}"#,
                "x\n[image]\nmcp__mem__recall\n[document]",
            ),
            (r#"{"type":"system","content":"Conversation compacted","x":{"content":"no"}}"#, "Conversation compacted"),
        ] {
            let whole = page(line.as_bytes(), None);
            assert_eq!(whole.1, said, "{line}");
            assert!(whole.0.is_some());
            for size in [1, 2, 3, 5] {
                assert_eq!(page(line.as_bytes(), Some(size)), whole, "{size}: {line}");
            }
        }
    }

    #[test]
    fn an_attachment_says_its_prompt_text_or_texts_and_is_json_besides() {
        for (attachment, said) in [
            (r#"{"type":"queued_command","prompt":"do it"}"#, Some("do it")),
            (r#"{"type":"queued_command","prompt":[{"type":"text","text":"a"},{"type":"image"}]}"#, Some("a\n[image]")),
            (r#"{"type":"model","text":"You are"}"#, Some("You are")),
            (r#"{"type":"notes","texts":["a","b"]}"#, Some("a\nb")),
            (r#"{"type":"date","date":"2026-11-30"}"#, None),
        ] {
            let line = format!(r#"{{"parentUuid":null,"attachment":{attachment},"type":"attachment"}}"#);
            for size in [None, Some(1), Some(4)] {
                let (head, text, json) = page(line.as_bytes(), size);
                assert_eq!((head.unwrap().attachment_says, text.as_str()), (said.is_some(), said.unwrap_or_default()), "{line}");
                assert_eq!(json, attachment);
            }
        }
    }

    #[test]
    fn a_line_that_is_no_whole_object_is_none_however_it_is_cut() {
        let line = r#"{"type":"user","message":{"content":[{"type":"text","text":"a\"b"}]},"n":[1,{"x":[]}]}"#;
        assert!(page(line.as_bytes(), None).0.is_some());
        for end in 0..line.len() {
            let cut = line.as_bytes().get(..end).unwrap();
            assert_eq!(page(cut, None).0, None, "{end}");
            assert_eq!(page(cut, Some(1)).0, None, "{end}");
        }
        for text in ["[1]", "7", "null", "\"x\"", "{\"a\":1,}", "{\"a\" 1}", "{}{}", "{a:1}", "{\"a\":1]", "}", "{\"type\":\"\\u12x4\"}"] {
            assert_eq!(page(text.as_bytes(), None).0, None, "{text}");
        }
        assert!(page(b" {} \r\0\0", None).0.is_some());
    }

    #[test]
    fn nesting_without_end_is_passed_over_or_refused_in_bounded_memory() {
        let deep = "[".repeat(1 << 20) + &"]".repeat(1 << 20);
        let line = format!(r#"{{"type":"user","x":{deep},"message":{{"content":"said"}}}}"#);
        let (head, said, _) = page(line.as_bytes(), None);
        assert_eq!((head.unwrap().kind.as_str(), said.as_str()), ("user", "said"));
        assert_eq!(page(&b"{\"a\":".repeat(1 << 20), None).0, None);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_alike_in_a_short_and_a_long_line() {
        let line = b"{\"type\":\"user\",\"message\":{\"content\":\"a\xff\xf0\x9f\x98\x80\xe2\x82 b\xed\xa0\x80\"}}";
        let whole = page(line, None);
        for size in 1..8 {
            assert_eq!(page(line, Some(size)), whole, "{size}");
        }
        let mut asked = Asked::Terms(Box::new(Compared::new(terms("😀").unwrap())));
        in_pieces(line, 1, &mut asked);
        let Asked::Terms(mut compared) = asked else { return };
        assert_eq!(compared.said.finish(&compared.terms), 1);
    }

    #[test]
    fn shapes_that_are_not_known_are_told() {
        for (line, unknown) in [
            (r#"{"type":"user","message":{"content":[{"type":"hologram","data":"x"}]}}"#, Some("hologram")),
            (
                r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"video"}]}]}}"#,
                Some("video"),
            ),
            (r#"{"type":"user","message":{"content":{"text":"x"}}}"#, Some("content")),
            (r#"{"type":"user","message":{"content":[{"type":"text","text":"x"}]}}"#, None),
        ] {
            assert_eq!(page(line.as_bytes(), None).0.unwrap().unknown.as_deref(), unknown, "{line}");
        }
    }
}
