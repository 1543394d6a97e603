//! Whether bytes of a line may hold a text, told without decoding them.
//!
//! Two of its bytes, the rarest, are compared over a block at a time; only where both stand is the rest looked at. A transcript's JSON writes letters, digits
//! and most signs as they are, so that a line without them does not hold the text, unless it escapes characters by number.

/// Bytes that are compared at a time.
const BLOCK: usize = 64;

/// A run of bytes that is looked for, ASCII case aside.
#[derive(Clone, Debug)]
pub struct Probe {
    run: Vec<u8>,
    first: Rare,
    second: Rare,
    /// The place of `first` in the run, and how far behind it `second` stands.
    place: usize,
    gap: usize,
}

/// One byte as it is compared.
#[derive(Clone, Copy, Debug)]
struct Rare {
    byte: u8,
    /// Set for letters: their cases differ in this bit.
    case: u8,
}

impl Rare {
    fn of(byte: u8) -> Self {
        Self { byte: byte.to_ascii_lowercase(), case: if byte.is_ascii_alphabetic() { 0x20 } else { 0 } }
    }

    fn is(self, byte: u8) -> bool {
        byte | self.case == self.byte
    }
}

impl Probe {
    /// Of bytes as they stand; at least one.
    pub fn new(run: &[u8]) -> Option<Self> {
        let rarest = |except: usize| {
            let others = run.iter().enumerate().filter(|(place, _)| *place != except);
            others.min_by_key(|(_, byte)| commonness(**byte)).map(|(place, _)| place)
        };
        let one = rarest(usize::MAX)?;
        let other = rarest(one).unwrap_or(one);
        let (place, behind) = (one.min(other), one.max(other));
        Some(Self { first: Rare::of(*run.get(place)?), second: Rare::of(*run.get(behind)?), place, gap: behind - place, run: run.to_vec() })
    }

    /// Of what every text that holds a term holds, in JSON too; none when nothing is sure. The term is as it is compared.
    pub fn of_folded(term: &str) -> Option<Self> {
        // Signs that JSON may write in more than one way, and letters whose cases differ in more than a bit, end a run.
        let runs = term.split(|letter: char| {
            matches!(letter, '"' | '\\' | '/') || letter.is_ascii_control() || !letter.is_ascii() && has_cases(letter)
        });
        let rare = |run: &&str| run.bytes().map(|byte| u32::from(u8::MAX - commonness(byte))).sum::<u32>();
        Self::new(runs.max_by_key(rare)?.as_bytes())
    }

    /// Whether the run stands in the bytes.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        let (Some(behind), Some(ahead)) = (bytes.get(self.gap..), bytes.len().checked_sub(self.gap).and_then(|end| bytes.get(..end)))
        else {
            return false;
        };
        // The last block goes back into the one before it, so that no byte is compared alone but in the shortest of lines.
        let (Some(last), Some(behind_last)) = (ahead.last_chunk::<BLOCK>(), behind.last_chunk::<BLOCK>()) else {
            return self.stands_in(bytes, 0, ahead, behind);
        };
        let (blocks, behind_blocks) = (ahead.as_chunks::<BLOCK>().0, behind.as_chunks::<BLOCK>().0);
        let mut pairs = blocks.iter().zip(behind_blocks).enumerate().map(|(index, (one, other))| (index * BLOCK, one, other));
        pairs.any(|(start, one, other)| self.is_in_block(bytes, start, one, other))
            || self.is_in_block(bytes, ahead.len() - BLOCK, last, behind_last)
    }

    fn is_in_block(&self, bytes: &[u8], start: usize, one: &[u8; BLOCK], other: &[u8; BLOCK]) -> bool {
        let (first, second) = (self.first, self.second);
        let both = one.iter().zip(other).fold(0, |both, (one, other)| both | u8::from(first.is(*one)) & u8::from(second.is(*other)));
        both != 0 && self.stands_in(bytes, start, one, other)
    }

    fn stands_in(&self, bytes: &[u8], start: usize, one: &[u8], other: &[u8]) -> bool {
        one.iter().zip(other).enumerate().any(|(place, (one, other))| {
            self.first.is(*one)
                && self.second.is(*other)
                && (start + place)
                    .checked_sub(self.place)
                    .and_then(|begin| bytes.get(begin..begin + self.run.len()))
                    .is_some_and(|run| run.eq_ignore_ascii_case(&self.run))
        })
    }
}

fn has_cases(letter: char) -> bool {
    !letter.to_lowercase().eq([letter]) || !letter.to_uppercase().eq([letter])
}

/// How often a byte stands in a transcript, roughly.
fn commonness(byte: u8) -> u8 {
    match byte.to_ascii_lowercase() {
        b'"' | b' ' => 255,
        b'e' | b't' | b'a' | b'o' | b'n' | b'i' | b's' | b'r' => 240,
        b'd' | b'c' | b'l' | b'u' | b'p' | b'm' | b':' | b',' | b'-' => 220,
        b'f' | b'h' | b'g' | b'_' | b'\\' | b'.' | b'/' | b'0'..=b'9' => 200,
        b'b' | b'y' | b'w' | b'k' | b'v' | b'{' | b'}' => 150,
        b'x' | b'j' | b'[' | b']' | b'(' | b')' | b'=' | b'<' | b'>' => 120,
        b'q' | b'z' | b'\'' | b'*' | b'#' | b'`' => 90,
        _ => 60,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::query::terms;
    use super::*;

    #[test]
    fn a_run_is_found_at_every_place_of_bytes_of_every_length() {
        for run in ["x", "Ab", "needle", "\\u", "a_longer_run_that_is_more_than_a_block_of_bytes_long_so_that_its_ends_stand_in_two"] {
            let probe = Probe::new(run.as_bytes()).unwrap();
            for length in (run.len()..run.len() + 140).step_by(3) {
                for place in 0..=length - run.len() {
                    let mut bytes = vec![b'.'; length];
                    bytes.splice(place..place + run.len(), run.to_uppercase().bytes());
                    assert!(probe.is_in(&bytes), "{run} at {place} of {length}");
                    if run.len() > 1 {
                        bytes.splice(place..=place, [b'.']);
                        assert!(!probe.is_in(&bytes), "{run} cut at {place} of {length}");
                    }
                }
            }
            assert!(!probe.is_in(b""));
        }
    }

    #[test]
    fn what_json_may_write_otherwise_is_no_part_of_a_probe() {
        for (query, run) in [
            ("src/importer.rs", Some("importer.rs")),
            ("\\\"quoted\\\"", Some("quoted")),
            ("größe", Some("gr")),
            ("日本語", Some("日本語")),
            ("ÄÖ", None),
            ("\"/\"", None),
        ] {
            let probe = terms(query).unwrap().first().and_then(|term| term.probe.clone());
            assert_eq!(probe.map(|probe| String::from_utf8(probe.run).unwrap()).as_deref(), run, "{query}");
        }
    }
}
