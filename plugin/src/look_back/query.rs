//! A query: words and quoted phrases, each of which is looked for as it stands, case aside.

use memchr::memmem::Finder;

use super::probe::Probe;

/// The most terms of a query.
const TERMS: usize = 50;

/// The longest term, in characters.
const LONGEST: usize = 500;

/// What prose puts around a word and nobody looks for.
const PUNCTUATION: &[char] =
    &['.', ',', ';', ':', '!', '?', '(', ')', '\'', '`', '…', '“', '”', '„', '‘', '’', '«', '»', '¿', '¡', '。', '，', '、'];

/// A letter as it is compared. One letter stays one letter, and no other letter becomes an ASCII one, so that what is looked for in ASCII is found by its
/// bytes.
pub fn fold(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) if !lower.is_ascii() => lower,
        _ => letter,
    }
}

/// A text as it is compared, into `out`.
pub fn fold_into(text: &str, out: &mut String) {
    out.clear();
    let mut rest = text;
    while !rest.is_empty() {
        // Most text is ASCII, which is folded much faster.
        let (ascii, others) = rest.split_at(rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len()));
        let start = out.len();
        out.push_str(ascii);
        if let Some(ascii) = out.get_mut(start..) {
            ascii.make_ascii_lowercase();
        }
        let (letters, later) = others.split_at(others.find(|letter: char| letter.is_ascii()).unwrap_or(others.len()));
        out.extend(letters.chars().map(fold));
        rest = later;
    }
}

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Term {
    /// As it was given.
    pub shown: String,
    /// As it is compared.
    pub folded: String,
    /// What every text that holds it holds; none when nothing is sure.
    pub probe: Option<Probe>,
    plain: Finder<'static>,
    /// As it stands inside a JSON string, where that is different.
    escaped: Option<Finder<'static>>,
}

impl Term {
    fn new(shown: &str) -> Self {
        let mut folded = String::new();
        fold_into(shown, &mut folded);
        let escaped = folded.contains(['"', '\\', '\t']).then(|| {
            let escaped = folded.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t");
            Finder::new(escaped.as_bytes()).into_owned()
        });
        Self {
            shown: shown.to_owned(),
            probe: Probe::of_folded(&folded),
            plain: Finder::new(folded.as_bytes()).into_owned(),
            escaped,
            folded,
        }
    }

    /// Whether a text, as it stands, may hold it.
    pub fn may_stand_in(&self, text: &str) -> bool {
        self.probe.as_ref().is_none_or(|probe| probe.is_in(text.as_bytes()))
    }

    /// Where it stands first in a text as it is compared, with the bytes it takes there.
    pub fn find(&self, folded: &str) -> Option<(usize, usize)> {
        let found = |finder: &Finder<'_>| finder.find(folded.as_bytes()).map(|at| (at, finder.needle().len()));
        let plain = found(&self.plain);
        let escaped = self.escaped.as_ref().and_then(found);
        plain.into_iter().chain(escaped).min()
    }

    /// The most bytes it takes in a text.
    pub fn longest(&self) -> usize {
        self.escaped.as_ref().map_or(self.folded.len(), |escaped| escaped.needle().len())
    }
}

/// Reads a query. Every fault is named.
pub fn terms(query: &str) -> Result<Vec<Term>, Vec<String>> {
    let mut reading = Reading::default();
    let mut letters = query.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&'"') => {
                letters.next();
                reading.push('"');
            }
            '"' if reading.in_phrase => reading.end_phrase(),
            '"' => {
                reading.end_word();
                reading.in_phrase = true;
            }
            '\0' => reading.fault("a query holds no NUL"),
            '\n' | '\r' if reading.in_phrase => reading.fault("a phrase stands on one line"),
            _ if !reading.in_phrase && letter.is_whitespace() => reading.end_word(),
            _ => reading.push(letter),
        }
    }
    if reading.in_phrase {
        reading.fault("a quote is not closed; a literal one is written \\\"");
    }
    reading.end_word();
    if reading.terms.len() > TERMS {
        reading.fault(&format!("a query has at most {TERMS} terms"));
    }
    if reading.terms.is_empty() && reading.faults.is_empty() {
        reading.fault("the query holds nothing to look for: give words, or a phrase in double quotes");
    }
    if reading.faults.is_empty() { Ok(reading.terms) } else { Err(reading.faults) }
}

#[derive(Default)]
struct Reading {
    terms: Vec<Term>,
    faults: Vec<String>,
    part: String,
    in_phrase: bool,
}

impl Reading {
    fn push(&mut self, letter: char) {
        self.part.push(letter);
    }

    fn fault(&mut self, words: &str) {
        if !self.faults.iter().any(|fault| fault == words) {
            self.faults.push(words.to_owned());
        }
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.part);
        self.add(word.trim_matches(PUNCTUATION));
    }

    fn end_phrase(&mut self) {
        self.in_phrase = false;
        let phrase = std::mem::take(&mut self.part);
        if !phrase.trim().is_empty() {
            self.add(&phrase);
        }
    }

    fn add(&mut self, text: &str) {
        // One more than is allowed is enough to refuse it.
        if text.is_empty() || self.terms.len() > TERMS {
            return;
        }
        if text.chars().count() > LONGEST {
            self.fault(&format!("a term has at most {LONGEST} characters"));
            return;
        }
        let term = Term::new(text);
        if !self.terms.iter().any(|known| known.folded == term.folded) {
            self.terms.push(term);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn shown(query: &str) -> Vec<String> {
        terms(query).unwrap().into_iter().map(|term| term.shown).collect()
    }

    #[test]
    fn words_and_phrases_are_terms_and_punctuation_around_a_bare_word_is_not() {
        for (query, expected) in [
            ("alpha beta", vec!["alpha", "beta"]),
            ("\"exit code 101\" cargo", vec!["exit code 101", "cargo"]),
            ("Why, (really) did `it` fail?", vec!["Why", "really", "did", "it", "fail"]),
            ("say \\\"hi\\\"", vec!["say", "\"hi\""]),
            ("\"a \\\"b\\\" c\"", vec!["a \"b\" c"]),
            ("\"keeps, its. punctuation!\"", vec!["keeps, its. punctuation!"]),
            ("src/a.rs:12 --flag C:\\dir", vec!["src/a.rs:12", "--flag", "C:\\dir"]),
            ("one\ntwo\tthree", vec!["one", "two", "three"]),
            ("ab\"c d\"ef", vec!["ab", "c d", "ef"]),
        ] {
            assert_eq!(shown(query), expected, "{query}");
        }
    }

    #[test]
    fn a_term_counts_once_case_aside() {
        assert_eq!(shown("Alpha alpha \"ALPHA\" Ärger äRGER"), ["Alpha", "Ärger"]);
    }

    #[test]
    fn what_cannot_be_looked_for_is_refused_with_every_fault() {
        for (query, words) in [
            ("\"open", vec!["not closed"]),
            ("\"a\0b\" \"c\nd", vec!["NUL", "one line", "not closed"]),
            ("", vec!["nothing to look for"]),
            (" \"\" ... \" \" ", vec!["nothing to look for"]),
            (&"x ".repeat(3), vec![]),
        ] {
            match terms(query) {
                Ok(_) => assert!(words.is_empty(), "{query:?} was taken"),
                Err(faults) => {
                    assert_eq!(faults.len(), words.len(), "{query:?}: {faults:?}");
                    for word in words {
                        assert!(faults.iter().any(|fault| fault.contains(word)), "{query:?}: {faults:?}");
                    }
                }
            }
        }
        let many: String = (0..60_000).map(|number| format!("w{number} ")).collect();
        assert!(terms(&many).unwrap_err().iter().any(|fault| fault.contains("50 terms")));
        assert!(terms(&"x".repeat(501)).unwrap_err().iter().any(|fault| fault.contains("500 characters")));
    }

    #[test]
    fn folding_keeps_one_letter_one_letter_and_makes_none_ascii() {
        for letter in (0..=0x0010_ffff).filter_map(char::from_u32) {
            assert_eq!(fold(letter).is_ascii(), letter.is_ascii(), "{letter:?}");
        }
        assert_eq!("ÄÖ İẞΣ".chars().map(fold).collect::<String>(), "äö İßσ");
    }

    #[test]
    fn a_literal_quote_is_found_in_text_and_in_json() {
        let terms = terms("\\\"hi\\\"").unwrap();
        let term = terms.first().unwrap();
        assert_eq!(term.find("say \"hi\" now"), Some((4, 4)));
        assert_eq!(term.find("{\"x\":\"say \\\"hi\\\" now\"}"), Some((10, 6)));
    }
}
