//! Phrases of counts: `2 failed, 3 passed` and `Failed: 2, Passed: 3`.

/// Numbers with the words beside them.
#[derive(Debug, PartialEq)]
pub struct Phrase<'a>(Vec<(u32, &'a str)>);

impl<'a> Phrase<'a> {
    /// Reads `2 failed, 3 passed; 1 ignored | 4 todo`. Every part must be a number and words; what stands in parentheses is left out.
    pub fn numbers_first(text: &'a str) -> Option<Self> {
        let mut parts = Vec::new();
        for part in outside_parentheses(text).flat_map(|text| text.split([',', ';', '|', '·', '/'])) {
            let part = part.trim().trim_end_matches('.');
            if part.is_empty() {
                continue;
            }
            let (number, words) = part.split_once(' ')?;
            parts.push((number.parse().ok()?, words.trim()));
        }
        (!parts.is_empty()).then_some(Self(parts))
    }

    /// Reads `Tests run: 5, Failures: 1`. Every part must be words and a number.
    pub fn names_first(text: &'a str) -> Option<Self> {
        let mut parts = Vec::new();
        for part in text.split([',', ';', '|']) {
            let (words, number) = part.trim().trim_end_matches('.').rsplit_once([':', ' '])?;
            parts.push((number.trim().parse().ok()?, words.trim().trim_end_matches(':').trim()));
        }
        (!parts.is_empty()).then_some(Self(parts))
    }

    /// Whether every part is one of these.
    pub fn only(self, words: &[&str]) -> Option<Self> {
        self.0.iter().all(|(_, own)| words.contains(own)).then_some(self)
    }

    /// The sum of the parts that are one of these; none when there is none.
    pub fn sum(&self, words: &[&str]) -> Option<u32> {
        let mut found = self.0.iter().filter(|(_, own)| words.contains(own)).map(|(number, _)| *number);
        let first = found.next()?;
        Some(found.fold(first, u32::saturating_add))
    }
}

fn outside_parentheses(text: &str) -> impl Iterator<Item = &str> {
    text.split('(').enumerate().map(|(index, part)| if index == 0 { part } else { part.split_once(')').map_or("", |(_, rest)| rest) })
}

/// Whether a text is a duration as runners print it: `1.2s`, `10ms`, `1m 03s`, `0.12 seconds`.
pub fn is_duration(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(|letter: char| letter.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || ". :µμ,".contains(letter))
}
