//! A line too long to hold, made shorter while it arrives: its structure stays, its long strings keep their head and tail.

/// Bytes of a string that are kept at its head, and at least as many at its tail.
const KEPT: usize = 32 << 10;

/// The longest a shortened line may be.
const MOST: usize = 8 << 20;

/// What stands in a string where its middle was.
const CUT: &[u8] = "…".as_bytes();

/// A JSON line whose strings are cut in the middle. Nothing else of it changes.
#[derive(Clone, Debug, Default)]
pub struct LongLine {
    out: Vec<u8>,
    /// Inside a string: what came after its head, always beginning at a whole character or escape.
    tail: Vec<u8>,
    in_string: bool,
    escaped: bool,
    /// Bytes of this string that are in `out`.
    head: usize,
    /// Whether this string's middle was dropped.
    cut: bool,
    overlong: bool,
}

impl LongLine {
    /// Adds the line's next bytes.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while let Some(&first) = bytes.first() {
            if self.overlong {
                return;
            }
            if !self.in_string {
                let end = memchr::memchr(b'"', bytes).map_or(bytes.len(), |at| at + 1);
                let (plain, rest) = bytes.split_at(end);
                self.out.extend_from_slice(plain);
                self.in_string = plain.last() == Some(&b'"');
                bytes = rest;
            } else if self.escaped {
                self.keep(&[first]);
                self.escaped = false;
                bytes = bytes.get(1..).unwrap_or_default();
            } else {
                let end = memchr::memchr2(b'"', b'\\', bytes).unwrap_or(bytes.len());
                let (plain, rest) = bytes.split_at(end);
                self.keep(plain);
                match rest.first() {
                    Some(b'"') => {
                        self.close();
                        bytes = rest.get(1..).unwrap_or_default();
                    }
                    Some(_) => {
                        self.keep(b"\\");
                        self.escaped = true;
                        bytes = rest.get(1..).unwrap_or_default();
                    }
                    None => bytes = rest,
                }
            }
            if self.out.len() + self.tail.len() > MOST {
                self.overlong = true;
                self.out = Vec::new();
                self.tail = Vec::new();
            }
        }
    }

    /// The shortened line; none when it is too long all the same.
    pub fn shortened(&self) -> Option<&[u8]> {
        (!self.overlong).then_some(&self.out)
    }

    fn keep(&mut self, bytes: &[u8]) {
        // Everything goes through the tail, so that the head ends at a whole character or escape too.
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 4 * KEPT {
            if self.head == 0 {
                let end = boundary(&self.tail, KEPT);
                self.head = end;
                self.out.extend(self.tail.drain(..end));
            }
            let start = boundary(&self.tail, self.tail.len().saturating_sub(KEPT));
            if start > 0 {
                self.tail.drain(..start);
                self.cut = true;
            }
        }
    }

    fn close(&mut self) {
        if self.cut {
            self.out.extend_from_slice(CUT);
        }
        self.out.append(&mut self.tail);
        self.out.push(b'"');
        self.in_string = false;
        self.cut = false;
        self.head = 0;
    }
}

/// The last place at or before `at` where neither a character nor an escape is cut. The bytes begin at such a place.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let mut place = 0;
    let mut last = 0;
    while place <= at {
        last = place;
        let length = match (bytes.get(place), bytes.get(place + 1)) {
            // A surrogate pair is two escapes that belong together.
            (Some(b'\\'), Some(b'u')) if is_high_surrogate(bytes, place) => 12,
            (Some(b'\\'), Some(b'u')) => 6,
            (Some(b'\\'), _) => 2,
            (Some(byte), _) if *byte < 0x80 => 1,
            (Some(_), _) => 1 + bytes.iter().skip(place + 1).take(3).take_while(|byte| (0x80..0xc0).contains(*byte)).count(),
            (None, _) => break,
        };
        place += length;
    }
    last.min(bytes.len())
}

fn is_high_surrogate(bytes: &[u8], at: usize) -> bool {
    let digit = |offset: usize| bytes.get(at + offset).map(u8::to_ascii_lowercase);
    digit(2) == Some(b'd') && matches!(digit(3), Some(b'8' | b'9' | b'a' | b'b'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;

    fn shorten(text: &str, chunk: usize) -> Option<String> {
        let mut line = LongLine::default();
        for bytes in text.as_bytes().chunks(chunk) {
            line.push(bytes);
        }
        line.shortened().map(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[test]
    fn strings_that_are_short_stay_as_they_are() {
        let text = r#"{"a":"b \" \\ é","c":[1,2.5,{"d":null}],"e":"\ud83d\ude00"}"#;
        for chunk in 1..8 {
            assert_eq!(shorten(text, chunk).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_long_string_keeps_its_head_and_tail_and_stays_json_whatever_it_holds() {
        for unit in ["x", "é", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\\\", "😀"] {
            let text = format!(r#"{{"a":"BEGIN{}END","b":7}}"#, unit.repeat(200_000));
            let short = shorten(&text, 1000).unwrap();
            assert!(short.len() < 200_000, "{unit}: {}", short.len());
            let value: serde_json::Value = serde_json::from_str(&short).unwrap();
            let string = value["a"].as_str().unwrap();
            assert!(string.starts_with("BEGIN") && string.ends_with("END") && string.contains('…'), "{unit}");
            assert_eq!(value["b"], 7);
        }
    }

    #[test]
    fn a_line_of_numbers_without_end_is_given_up() {
        assert_eq!(shorten(&format!("[{}1]", "1,".repeat(5 << 20)), 1 << 16), None);
    }
}
