//! One line of a transcript, read while it arrives, whatever its length.
//!
//! What a record is often stands behind what it says, so that every text is handed out as it comes, and the [`Head`] tells at the end what it was. Only the
//! structure is held: a walk like [`crate::transcript::json`]'s, which passes over what is not asked for without looking whether it is well-formed.

use memchr::memchr2;

use super::head::{Call, Head, Taker, Track};
use super::slots::{Field, NOTHING, Place, Sink, Slot, of_item, of_key};

/// Bytes of a name, an id or a time that are kept.
const FIELD: usize = 256;
/// Bytes of a key: none that is asked for is longer.
const KEY: usize = 24;
/// Calls and results of one record that are kept.
const LISTED: usize = 64;
/// Bytes of the first text.
const BEGINS: usize = 200;
/// Bytes that are decoded before they are handed out.
const DECODED: usize = 4 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Value,
    ItemOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    None,
    Begun,
    /// Hexadecimal digits so far, and their value.
    Unit(u8, u32),
}

/// What is known of a block or of a block inside a result.
#[derive(Clone, Debug, Default)]
struct Block {
    kind: String,
    id: String,
    name: String,
    answers: String,
}

/// Reads one line.
#[derive(Clone, Debug)]
pub struct Reader {
    head: Head,
    /// Whether each open value in which something is asked for is an object, and where it stands.
    frames: Vec<(bool, Place)>,
    /// Open values in which nothing is.
    deep: u64,
    expect: Expect,
    slot: Slot,
    key: String,
    field: String,
    /// Decoded text that was not handed out yet.
    decoded: String,
    string: Option<Sink>,
    scalar: Option<Sink>,
    escape: Escape,
    /// Whether the text before ended in a backslash of the JSON that is handed out.
    owes_backslash: bool,
    high: Option<u32>,
    /// A value whose JSON is handed out, and how deep it stands.
    json: Option<(Track, usize)>,
    block: Block,
    inner: String,
    is_broken: bool,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            head: Head::default(),
            frames: Vec::new(),
            deep: 0,
            expect: Expect::Value,
            slot: Slot { object: Place::Root, ..NOTHING },
            key: String::new(),
            field: String::new(),
            decoded: String::new(),
            string: None,
            scalar: None,
            escape: Escape::None,
            owes_backslash: false,
            high: None,
            json: None,
            block: Block::default(),
            inner: String::new(),
            is_broken: false,
        }
    }
}

impl Reader {
    /// What the line is; none when it is no whole JSON object.
    pub fn finish(self) -> Option<Head> {
        (!self.is_broken && self.expect == Expect::Nothing && self.frames.is_empty()).then_some(self.head)
    }

    /// Reads more of the line.
    pub fn push(&mut self, text: &str, taker: &mut impl Taker) {
        let mut at = 0;
        // Where the JSON that was not handed out yet begins.
        let mut held = 0;
        while !self.is_broken && at < text.len() {
            if let Some(sink) = self.string {
                if sink == Sink::Nothing && self.json.is_none() {
                    self.pass_string(text, &mut at);
                } else {
                    self.in_string(sink, text, &mut at, &mut held, taker);
                }
            } else {
                self.structure(text, &mut at, &mut held, taker);
            }
        }
        // Whether a backslash is handed out depends on what follows it.
        let escapes = self.escape == Escape::Begun && self.json.is_some() && at > 0;
        self.hand_out(text, held, if escapes { at - 1 } else { at }, taker);
        self.owes_backslash |= escapes;
        self.flush(taker);
    }

    /// Hands out what was decoded.
    fn flush(&mut self, taker: &mut impl Taker) {
        if !self.decoded.is_empty() {
            taker.text(Track::Said, &self.decoded);
            self.decoded.clear();
        }
    }

    fn hand_out(&self, text: &str, held: usize, end: usize, taker: &mut impl Taker) {
        if let (Some((track, _)), Some(json)) = (self.json, text.get(held..end)) {
            self.json_text(track, json, taker);
        }
    }

    fn json_text(&self, track: Track, json: &str, taker: &mut impl Taker) {
        if !json.is_empty() {
            taker.text(track, json);
        }
    }

    fn structure(&mut self, text: &str, at: &mut usize, held: &mut usize, taker: &mut impl Taker) {
        if self.deep > 0 {
            self.pass_over(text, at, *held, taker);
            return;
        }
        let Some(byte) = text.as_bytes().get(*at).copied() else { return };
        if let Some(sink) = self.scalar {
            if matches!(byte, b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E') {
                self.emit(sink, text.get(*at..*at + 1).unwrap_or_default(), taker);
                *at += 1;
            } else {
                self.scalar = None;
                self.value_ended(sink, text, *at, *held, taker);
            }
            return;
        }
        *at += 1;
        if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') || byte == 0 && self.frames.is_empty() {
            return;
        }
        match (self.expect, byte) {
            (Expect::Value | Expect::ItemOrEnd, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                self.value(byte, *at - 1, held, taker);
                if self.scalar.is_some() {
                    *at -= 1;
                }
            }
            (Expect::ItemOrEnd, b']') | (Expect::KeyOrEnd, b'}') => self.close(byte, text, *at, *held, taker),
            (Expect::Key | Expect::KeyOrEnd, b'"') => {
                self.key.clear();
                self.string = Some(Sink::Key);
            }
            (Expect::Colon, b':') => {
                self.slot = self.frames.last().map_or(NOTHING, |(_, place)| of_key(*place, &self.key));
                self.expect = Expect::Value;
            }
            (Expect::CommaOrEnd, b',') => match self.frames.last() {
                Some((true, _)) => self.expect = Expect::Key,
                Some((false, place)) => {
                    self.slot = of_item(*place);
                    self.expect = Expect::Value;
                }
                None => self.is_broken = true,
            },
            (Expect::CommaOrEnd, b'}' | b']') => self.close(byte, text, *at, *held, taker),
            _ => self.is_broken = true,
        }
    }

    /// Passes over the structure of what nobody asks for, up to a string in it or to its end.
    fn pass_over(&mut self, text: &str, at: &mut usize, held: usize, taker: &mut impl Taker) {
        for byte in text.as_bytes().get(*at..).unwrap_or_default() {
            *at += 1;
            match byte {
                b'"' => {
                    self.string = Some(Sink::Nothing);
                    return;
                }
                b'{' | b'[' => self.deep += 1,
                b'}' | b']' => {
                    self.deep -= 1;
                    if self.deep == 0 {
                        self.expect = Expect::CommaOrEnd;
                        self.json_ended(text, *at, held, taker);
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// A value begins with the byte at `start`.
    fn value(&mut self, byte: u8, start: usize, held: &mut usize, taker: &mut impl Taker) {
        let slot = self.slot;
        if self.frames.is_empty() && byte != b'{' {
            self.is_broken = true;
            return;
        }
        if let Some(track) = slot.json
            && self.json.is_none()
        {
            self.json = Some((track, self.frames.len()));
            *held = start;
            taker.part(track);
            self.head.says |= track == Track::Said;
        }
        match byte {
            b'"' => {
                self.field.clear();
                if slot.sink == Sink::Said {
                    self.say(taker);
                }
                self.string = Some(slot.sink);
            }
            b'{' | b'[' => {
                self.unknown_content(if byte == b'{' { slot.object } else { slot.array });
                let is_object = byte == b'{';
                let place = if is_object { slot.object } else { slot.array };
                if place == Place::Other {
                    self.deep += 1;
                    return;
                }
                match place {
                    Place::Block => self.block = Block::default(),
                    Place::Inner => self.inner.clear(),
                    _ => {}
                }
                self.frames.push((is_object, place));
                self.expect = if is_object { Expect::KeyOrEnd } else { Expect::ItemOrEnd };
                if !is_object {
                    self.slot = of_item(place);
                }
            }
            _ => {
                self.field.clear();
                self.scalar = Some(match slot.sink {
                    Sink::Field(field @ (Field::Time | Field::Sidechain | Field::Summary)) => Sink::Field(field),
                    _ => Sink::Nothing,
                });
            }
        }
    }

    /// A message's or a result's content that is an object where only a list was ever seen.
    fn unknown_content(&mut self, place: Place) {
        let at = self.frames.last().map(|(_, place)| *place);
        if place == Place::Other && matches!((at, self.key.as_str()), (Some(Place::Message | Place::Block), "content")) {
            self.unknown("content");
        }
    }

    fn unknown(&mut self, what: &str) {
        if self.head.unknown.is_none() {
            self.head.unknown = Some(what.to_owned());
        }
    }

    fn say(&mut self, taker: &mut impl Taker) {
        if self.frames.iter().any(|(_, place)| *place == Place::Attachment) {
            self.head.attachment_says = true;
        }
        self.head.says = true;
        taker.part(Track::Said);
    }

    fn note(&mut self, words: &str, taker: &mut impl Taker) {
        self.say(taker);
        taker.text(Track::Said, words);
    }

    /// Passes over a string that nobody asks for.
    fn pass_string(&mut self, text: &str, at: &mut usize) {
        let bytes = text.as_bytes();
        if self.escape != Escape::None {
            self.escape = Escape::None;
            *at += 1;
        }
        loop {
            let rest = bytes.get(*at..).unwrap_or_default();
            let Some(place) = memchr2(b'"', b'\\', rest) else {
                // An escape may end in the text after this one.
                *at = bytes.len();
                return;
            };
            *at += place + 1;
            if rest.get(place) == Some(&b'"') {
                self.string = None;
                if self.deep == 0 {
                    self.expect = Expect::CommaOrEnd;
                }
                return;
            }
            if *at >= bytes.len() {
                self.escape = Escape::Begun;
                return;
            }
            *at += 1;
        }
    }

    fn in_string(&mut self, sink: Sink, text: &str, at: &mut usize, held: &mut usize, taker: &mut impl Taker) {
        let Some(rest) = text.get(*at..) else {
            self.is_broken = true;
            return;
        };
        match self.escape {
            Escape::None => {
                let run = memchr2(b'"', b'\\', rest.as_bytes()).unwrap_or(rest.len());
                if run > 0 {
                    self.lone(sink, taker);
                    self.emit(sink, rest.get(..run).unwrap_or_default(), taker);
                    *at += run;
                    return;
                }
                if rest.starts_with('"') {
                    self.lone(sink, taker);
                    *at += 1;
                    self.string = None;
                    self.value_ended(sink, text, *at, *held, taker);
                } else {
                    self.escape = Escape::Begun;
                    *at += 1;
                }
            }
            Escape::Begun => {
                let Some(letter) = rest.chars().next() else { return };
                let is_owed = std::mem::take(&mut self.owes_backslash);
                if matches!(letter, 'u' | '/') {
                    // These stand otherwise in the JSON that is handed out.
                    if !is_owed {
                        self.hand_out(text, *held, at.saturating_sub(1), taker);
                    }
                    *held = *at + letter.len_utf8();
                } else if is_owed && let Some((track, _)) = self.json {
                    taker.text(track, "\\");
                }
                *at += letter.len_utf8();
                if letter == 'u' {
                    self.escape = Escape::Unit(0, 0);
                    return;
                }
                self.escape = Escape::None;
                self.lone(sink, taker);
                let decoded = match letter {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    other => other,
                };
                self.emit(sink, decoded.encode_utf8(&mut [0; 4]), taker);
                if let Some((track, _)) = self.json
                    && letter == '/'
                {
                    taker.text(track, "/");
                }
            }
            Escape::Unit(digits, value) => {
                let Some(digit) = rest.chars().next().and_then(|letter| letter.to_digit(16)) else {
                    self.is_broken = true;
                    return;
                };
                *at += 1;
                *held = *at;
                let value = value * 16 + digit;
                if digits < 3 {
                    self.escape = Escape::Unit(digits + 1, value);
                } else {
                    self.escape = Escape::None;
                    self.unit(sink, value, taker);
                }
            }
        }
    }

    /// A UTF-16 code unit that was escaped.
    fn unit(&mut self, sink: Sink, unit: u32, taker: &mut impl Taker) {
        if let Some(high) = self.high
            && (0xdc00..0xe000).contains(&unit)
        {
            self.high = None;
            let pair = char::from_u32(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00)).unwrap_or('\u{fffd}');
            self.letter(sink, pair, taker);
            return;
        }
        self.lone(sink, taker);
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
        } else {
            self.letter(sink, char::from_u32(unit).unwrap_or('\u{fffd}'), taker);
        }
    }

    /// A surrogate without its pair.
    fn lone(&mut self, sink: Sink, taker: &mut impl Taker) {
        if self.high.take().is_some() {
            self.letter(sink, '\u{fffd}', taker);
        }
    }

    fn letter(&mut self, sink: Sink, letter: char, taker: &mut impl Taker) {
        let mut bytes = [0; 4];
        let text = letter.encode_utf8(&mut bytes);
        self.emit(sink, text, taker);
        if let Some((track, _)) = self.json {
            match letter {
                '"' | '\\' => taker.text(track, &format!("\\{letter}")),
                '\0'..='\u{1f}' => taker.text(track, &format!("\\u{:04x}", u32::from(letter))),
                _ => taker.text(track, text),
            }
        }
    }

    fn emit(&mut self, sink: Sink, text: &str, taker: &mut impl Taker) {
        let keep = |kept: &mut String, most: usize| {
            let room = most.saturating_sub(kept.len());
            kept.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or_default());
        };
        match sink {
            Sink::Nothing => {}
            Sink::Key => keep(&mut self.key, KEY),
            Sink::Field(_) => keep(&mut self.field, FIELD),
            Sink::Begins => keep(&mut self.head.begins, BEGINS),
            Sink::Said => {
                if self.head.begins.len() < BEGINS {
                    keep(&mut self.head.begins, BEGINS);
                }
                self.decoded.push_str(text);
                if self.decoded.len() > DECODED {
                    self.flush(taker);
                }
            }
        }
    }

    /// A string or a scalar ended before `at`.
    fn value_ended(&mut self, sink: Sink, text: &str, at: usize, held: usize, taker: &mut impl Taker) {
        if sink == Sink::Key {
            self.expect = Expect::Colon;
            return;
        }
        self.flush(taker);
        if self.deep > 0 {
            return;
        }
        self.expect = Expect::CommaOrEnd;
        if let Sink::Field(field) = sink {
            let value = std::mem::take(&mut self.field);
            self.keep(field, value);
        }
        self.json_ended(text, at, held, taker);
    }

    fn json_ended(&mut self, text: &str, at: usize, held: usize, taker: &mut impl Taker) {
        if self.json.is_some_and(|(_, depth)| depth == self.frames.len()) {
            self.hand_out(text, held, at, taker);
            self.json = None;
        }
    }

    fn keep(&mut self, field: Field, value: String) {
        let head = &mut self.head;
        match field {
            Field::Kind => head.kind = value,
            Field::Subtype => head.subtype = value,
            Field::Time => head.time = value,
            Field::Sidechain => head.is_sidechain = value == "true",
            Field::Summary => head.is_summary = value == "true",
            Field::Message => head.message = value,
            Field::Attachment => head.attachment = value,
            Field::BlockKind => self.block.kind = value,
            Field::BlockId => self.block.id = value,
            Field::BlockName => self.block.name = value,
            Field::BlockAnswers => self.block.answers = value,
            Field::InnerKind => self.inner = value,
        }
    }

    fn close(&mut self, byte: u8, text: &str, at: usize, held: usize, taker: &mut impl Taker) {
        let Some((is_object, place)) = self.frames.pop() else {
            self.is_broken = true;
            return;
        };
        if is_object != (byte == b'}') {
            self.is_broken = true;
            return;
        }
        self.json_ended(text, at, held, taker);
        match place {
            Place::Block => self.end_block(taker),
            Place::Inner => self.end_inner(taker),
            _ => {}
        }
        self.expect = if self.frames.is_empty() { Expect::Nothing } else { Expect::CommaOrEnd };
    }

    fn end_block(&mut self, taker: &mut impl Taker) {
        let block = std::mem::take(&mut self.block);
        match block.kind.as_str() {
            "" | "text" => {}
            "thinking" | "redacted_thinking" => self.head.thinking = true,
            "image" => self.note("[image]", taker),
            "document" => self.note("[document]", taker),
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                if self.head.calls.len() < LISTED {
                    self.head.calls.push(Call { id: block.id, name: block.name });
                }
            }
            kind if kind == "tool_result" || kind.ends_with("_tool_result") => {
                if self.head.results.len() < LISTED {
                    self.head.results.push(block.answers);
                }
            }
            other => self.unknown(other),
        }
    }

    fn end_inner(&mut self, taker: &mut impl Taker) {
        match std::mem::take(&mut self.inner).as_str() {
            "" | "text" | "tool_reference" => {}
            "image" => self.note("[image]", taker),
            "document" => self.note("[document]", taker),
            other => self.unknown(other),
        }
    }
}
