//! JSON read in place: one walk over a record that stops at what is asked for and passes over the rest.
//!
//! Transcripts are mostly long strings that nobody asks for. A walk looks at the structure alone, so that what is passed over need not be well-formed
//! inside; a line that was cut, or is two lines run together, ends in the middle of something and is told.

use std::borrow::Cow;

use memchr::memchr2;

use super::text;

/// A place in JSON text. Every reading moves it past a value; none says that the text is broken there.
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning of the text.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Whether nothing follows.
    pub fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Whether an array follows.
    pub fn is_array(&mut self) -> Option<bool> {
        self.peek().map(|byte| byte == b'[')
    }

    /// Reads an object's fields. `each` may read the value; where it does not, the value is passed over. Anything else than an object has no fields.
    pub fn object(&mut self, mut each: impl FnMut(&'a str, &mut Self) -> Option<()>) -> Option<()> {
        if self.peek()? != b'{' {
            return self.value().map(|_| ());
        }
        self.at += 1;
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            if self.peek()? != b'"' {
                return None;
            }
            let key = self.string()?;
            if self.peek()? != b':' {
                return None;
            }
            self.at += 1;
            let before = self.at;
            each(key.get(1..key.len() - 1)?, self)?;
            if self.at == before {
                self.value()?;
            }
            if self.closes(b'}')? {
                return Some(());
            }
        }
    }

    /// Reads an array's items, as [`Cursor::object`] reads fields.
    pub fn array(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.peek()? != b'[' {
            return self.value().map(|_| ());
        }
        self.at += 1;
        if self.peek()? == b']' {
            self.at += 1;
            return Some(());
        }
        loop {
            let before = self.at;
            each(self)?;
            if self.at == before {
                self.value()?;
            }
            if self.closes(b']')? {
                return Some(());
            }
        }
    }

    /// The value as it stands.
    pub fn value(&mut self) -> Option<&'a str> {
        match self.peek()? {
            b'"' => self.string(),
            b'{' | b'[' => self.nested(),
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                let start = self.at;
                let rest = self.text.as_bytes().get(start..)?;
                self.at += rest
                    .iter()
                    .position(|byte| !matches!(byte, b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E'))
                    .unwrap_or(rest.len());
                self.text.get(start..self.at)
            }
            _ => None,
        }
    }

    /// The value's text when it is a string.
    pub fn text(&mut self) -> Option<Option<Cow<'a, str>>> {
        self.value().map(text::decode)
    }

    /// The value when it is true or false.
    pub fn flag(&mut self) -> Option<Option<bool>> {
        self.value().map(|value| value.parse().ok())
    }

    /// The value when it is a whole number.
    pub fn number(&mut self) -> Option<Option<u64>> {
        self.value().map(|value| value.parse().ok())
    }

    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    fn closes(&mut self, end: u8) -> Option<bool> {
        let byte = self.peek()?;
        self.at += 1;
        if byte == end { Some(true) } else { (byte == b',').then_some(false) }
    }

    fn string(&mut self) -> Option<&'a str> {
        let start = self.at;
        self.at = string_end(self.text.as_bytes(), start)?;
        self.text.get(start..self.at)
    }

    fn nested(&mut self) -> Option<&'a str> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let mut depth = 0_usize;
        loop {
            match *bytes.get(self.at)? {
                b'"' => {
                    self.at = string_end(bytes, self.at)?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return self.text.get(start..self.at);
            }
        }
    }
}

/// Behind the string that begins at `start`.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if *bytes.get(at)? == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// A field of an object, as it stands.
pub fn field<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let mut found = None;
    let mut cursor = Cursor::new(object);
    // The walk ends at the field: what follows is not looked at.
    let _ = cursor.object(|key, cursor| {
        if key != name {
            return Some(());
        }
        found = cursor.value();
        None
    });
    found
}

/// A field of an object when it is a string.
pub fn text_field<'a>(object: &'a str, name: &str) -> Option<Cow<'a, str>> {
    field(object, name).and_then(text::decode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Option<Vec<(&str, &str)>> {
        let mut found = Vec::new();
        let mut cursor = Cursor::new(text);
        cursor.object(|key, cursor| {
            found.push((key, cursor.value()?));
            Some(())
        })?;
        cursor.is_at_end().then_some(found)
    }

    #[test]
    fn fields_are_handed_out_as_they_stand() {
        let text = r#" { "a" : "x\"}\\" , "b":[1,{"c":"]"}],"d":-1.5e+3,"e":true,"f":null,"g":{} } "#;
        let found = fields(text);
        let expected = [("a", r#""x\"}\\""#), ("b", r#"[1,{"c":"]"}]"#), ("d", "-1.5e+3"), ("e", "true"), ("f", "null"), ("g", "{}")];
        assert_eq!(found.as_deref(), Some(&expected[..]));
        assert_eq!(fields("{}"), Some(Vec::new()));
        assert_eq!(fields("[7]"), Some(Vec::new()));
    }

    #[test]
    fn text_that_ends_too_early_or_too_late_is_broken() {
        let whole = r#"{"a":"x\"y","b":[1,{"c":"]"}],"d":"a string that is longer than sixteen bytes \n"}"#;
        assert!(fields(whole).is_some());
        for end in 0..whole.len() {
            assert_eq!(whole.get(..end).and_then(fields), None, "{end}");
        }
        for text in [&format!("{whole}{whole}"), "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1]", "{\"a\":x}", "]"] {
            assert_eq!(fields(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_read_is_passed_over_however_deep_it_is() {
        let deep = format!("{{\"deep\":{}{},\"a\":\"b\"}}", "[{\"x\":".repeat(100_000), "1}]".repeat(100_000));
        assert_eq!(text_field(&deep, "a").as_deref(), Some("b"));
        assert_eq!(text_field(&deep, "deep"), None);
    }
}
