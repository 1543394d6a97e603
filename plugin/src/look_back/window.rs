//! Terms found in a text while it arrives, with what stands around the first.

use super::query::{Term, fold_into};

/// Bytes that are compared at a time.
const AT_ONCE: usize = 32 << 10;

/// Characters of a snippet.
pub const SNIPPET: usize = 400;
/// Characters of it that stand before the term, where both sides have more.
const BEFORE: usize = 120;

/// Bytes that stay: a snippet may begin in them, and a term.
const STAYS: usize = 4 * SNIPPET;

/// One text as far as it came. What is found does not depend on how it was cut: what is compared at a time ends at the same places.
#[derive(Clone, Debug, Default)]
pub struct Window {
    text: String,
    folded: String,
    /// Bytes of `text` that were compared.
    compared: usize,
    found: u64,
    before: String,
    /// The first term and what follows it, with its length in characters.
    after: Option<(String, usize)>,
    any: bool,
    digest: u64,
    length: u64,
}

impl Window {
    /// Forgets the text, not the room it took.
    pub fn clear(&mut self) {
        self.text.clear();
        self.compared = 0;
        self.found = 0;
        self.before.clear();
        self.after = None;
        self.any = false;
        self.digest = 0;
        self.length = 0;
    }

    /// Begins a part of its own: no term goes from one into the other.
    pub fn part(&mut self, terms: &[Term]) {
        if self.any {
            self.push("\n", terms);
        }
    }

    /// More text.
    pub fn push(&mut self, mut text: &str, terms: &[Term]) {
        self.any = self.any || !text.is_empty();
        if let Some((after, count)) = &mut self.after {
            take(after, count, text);
        }
        while !text.is_empty() {
            let room = AT_ONCE.saturating_sub(self.text.len());
            let (now, later) = text.split_at(text.floor_char_boundary(room));
            self.text.push_str(now);
            if !later.is_empty() {
                self.compare(terms, later);
                self.forget(terms);
            }
            text = later;
        }
    }

    /// Compares what was not compared yet. `later` is text that was counted to the snippet already.
    fn compare(&mut self, terms: &[Term], later: &str) {
        self.digest_more();
        let mut first: Option<usize> = None;
        let mut is_folded = false;
        for (index, term) in terms.iter().enumerate() {
            let bit = 1 << index;
            if self.found & bit != 0 || !term.may_stand_in(&self.text) {
                continue;
            }
            if !is_folded {
                fold_into(&self.text, &mut self.folded);
                is_folded = true;
            }
            if let Some((at, _)) = term.find(&self.folded) {
                self.found |= bit;
                first = Some(first.map_or(at, |first| first.min(at)));
            }
        }
        if let (None, Some(at)) = (&self.after, first) {
            // Folding keeps the number of letters, not of bytes.
            let letters = self.folded.get(..at).unwrap_or_default().chars().count();
            let place = self.text.char_indices().nth(letters).map_or(self.text.len(), |(place, _)| place);
            let (before, after) = self.text.split_at(place);
            let begin = before.char_indices().rev().take(SNIPPET).last().map_or(before.len(), |(place, _)| place);
            before.get(begin..).unwrap_or_default().clone_into(&mut self.before);
            let (mut taken, mut count) = (String::new(), 0);
            take(&mut taken, &mut count, after);
            take(&mut taken, &mut count, later);
            self.after = Some((taken, count));
        }
        self.compared = self.text.len();
    }

    /// Keeps what the next comparison needs.
    fn forget(&mut self, terms: &[Term]) {
        let longest = terms.iter().map(Term::longest).max().unwrap_or(0);
        let keep = self.text.len().saturating_sub(STAYS.max(2 * longest));
        self.text.drain(..self.text.floor_char_boundary(keep));
        self.compared = self.text.len();
    }

    /// Adds what was not compared yet to the digest: a fast one, for copies of the same text.
    fn digest_more(&mut self) {
        const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
        let more = self.text.as_bytes().get(self.compared..).unwrap_or_default();
        let (words, rest) = more.as_chunks::<8>();
        let mix = |digest: u64, word: u64| (digest.rotate_left(5) ^ word).wrapping_mul(FACTOR);
        self.digest = words.iter().fold(self.digest, |digest, word| mix(digest, u64::from_le_bytes(*word)));
        self.digest = rest.iter().fold(self.digest, |digest, byte| mix(digest, u64::from(*byte)));
        self.length += more.len() as u64;
    }

    /// What texts that are the same have in common, and hardly any others. Of a text that was ended.
    pub fn digest(&self) -> u64 {
        self.digest ^ self.length.rotate_left(40)
    }

    /// Ends the text: the terms it holds, as bits.
    pub fn finish(&mut self, terms: &[Term]) -> u64 {
        if self.compared < self.text.len() {
            self.compare(terms, "");
        }
        self.found
    }

    /// What stands around the first term: at most [`SNIPPET`] characters.
    pub fn snippet(&self) -> String {
        let Some((after, count)) = &self.after else { return String::new() };
        let room = (SNIPPET - count).max(BEFORE);
        let begin = self.before.char_indices().rev().take(room).last().map_or(self.before.len(), |(place, _)| place);
        let before = self.before.get(begin..).unwrap_or_default();
        before.chars().chain(after.chars()).take(SNIPPET).collect()
    }
}

/// Takes what a snippet still has room for.
fn take(kept: &mut String, count: &mut usize, text: &str) {
    if *count < SNIPPET {
        for letter in text.chars().take(SNIPPET - *count) {
            kept.push(letter);
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::query::terms;
    use super::*;

    fn look(query: &str, text: &str, size: usize) -> (u64, String) {
        let terms = terms(query).unwrap();
        let mut window = Window::default();
        let letters: Vec<char> = text.chars().collect();
        for piece in letters.chunks(size) {
            window.push(&piece.iter().collect::<String>(), &terms);
        }
        (window.finish(&terms), window.snippet())
    }

    #[test]
    fn a_term_is_found_wherever_it_stands_and_however_the_text_is_cut() {
        for place in (0..3 * AT_ONCE).step_by(4099).chain(AT_ONCE - 12..AT_ONCE + 3) {
            let text = format!("{}nÉedle{}", "x".repeat(place), "é".repeat(50_000));
            let whole = look("NÉEDLE other", &text, text.len());
            assert_eq!(whole.0, 1, "{place}");
            assert_eq!(whole.1.chars().count(), SNIPPET);
            assert!(whole.1.contains("nÉedle"), "{place}");
            for size in [997, 20_000] {
                assert_eq!(look("NÉEDLE other", &text, size), whole, "{place} {size}");
            }
        }
    }

    #[test]
    fn the_snippet_is_what_stands_around_the_first_term_and_no_more_than_there_is() {
        assert_eq!(look("b c", "a C b d", 1), (3, "a C b d".to_owned()));
        let (_, snippet) = look("needle", &format!("{}needle", "x".repeat(1000)), 7);
        assert_eq!(snippet, format!("{}needle", "x".repeat(SNIPPET - 6)));
        let (_, snippet) = look("needle", &format!("{}needle{}", "x".repeat(1000), "y".repeat(1000)), 7);
        assert_eq!(snippet, format!("{}needle{}", "x".repeat(BEFORE), "y".repeat(SNIPPET - BEFORE - 6)));
    }

    #[test]
    fn letters_whose_cases_differ_in_bytes_do_not_move_the_snippet() {
        let text = format!("{}needle", "Ⱥ".repeat(300));
        let (_, snippet) = look("needle", &text, 11);
        assert_eq!(snippet, text, "300 letters and the term fit");
    }
}
