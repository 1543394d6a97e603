//! Words of a sentence, a command or a path, reduced so that what was promised and what was done compare.

use serde::{Deserialize, Serialize};

/// A word reduced to its stem, hashed: equal stems are the same word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stem(u64);

/// A word of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Lower case, straight apostrophes, no punctuation around it.
    pub text: String,
    /// Inside quotation marks or inline code: not the speaker's own voice.
    pub foreign: bool,
    /// Inside inline code.
    pub code: bool,
    /// A comma, semicolon, colon, dash or end mark stands after it.
    pub pause: bool,
}

/// The words of a sentence.
pub fn words(sentence: &str) -> Vec<Word> {
    let (mut code, mut quoted) = (false, false);
    // An odd number of quotation marks quotes nothing that can be told.
    let quotes = sentence.matches('"').count().is_multiple_of(2);
    let ticks = sentence.matches('`').count().is_multiple_of(2);
    let mut out: Vec<Word> = Vec::new();
    for piece in sentence.split_whitespace() {
        let before = (code, quoted);
        for letter in piece.chars() {
            match letter {
                '`' if ticks => code = !code,
                '"' if quotes && !code => quoted = !quoted,
                '“' if !code => quoted = true,
                '”' if !code => quoted = false,
                _ => {}
            }
        }
        let in_code = before.0 || piece.contains('`') && ticks;
        let in_quote = before.1 || quotes && piece.contains('"') || piece.contains(['“', '”']);
        let inner = piece.trim_matches(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '.' | '/' | '-'));
        let inner = inner.trim_end_matches(['.', '-']).trim_start_matches('-');
        let tail = piece.rsplit(char::is_alphanumeric).next().unwrap_or_default();
        if inner.is_empty() {
            if let Some(last) = out.last_mut() {
                last.pause |= piece.contains(['—', '–', '-', ':', ';']);
            }
            continue;
        }
        out.push(Word {
            text: inner.replace('’', "'").to_lowercase(),
            foreign: in_code || in_quote,
            code: in_code,
            pause: tail.contains([',', ';', ':', '.', '!', '?', '—', '…', ')']),
        });
    }
    out
}

/// Whether these words stand from `start` on, in the speaker's own voice.
pub fn stands(words: &[Word], start: usize, phrase: &str) -> bool {
    // Nearly every question ends at the first letter.
    if !words.get(start).is_some_and(|word| !word.foreign && word.text.as_bytes().first() == phrase.as_bytes().first()) {
        return false;
    }
    let mut rest = words.iter().skip(start);
    phrase.split(' ').all(|part| rest.next().is_some_and(|word| !word.foreign && word.text == part))
}

/// Whether these words stand anywhere, in the speaker's own voice.
pub fn has(words: &[Word], phrase: &str) -> bool {
    (0..words.len()).any(|start| stands(words, start, phrase))
}

/// Whether any of these phrases stands anywhere.
pub fn has_any(words: &[Word], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| has(words, phrase))
}

/// The stem of a word that carries meaning; none for the small ones.
pub fn stem(word: &str) -> Option<Stem> {
    let reduced = reduce(word);
    (!reduced.is_empty() && !is_small(&reduced) && !is_small(word)).then(|| hash(&reduced))
}

/// The stem of any word.
pub fn plain_stem(word: &str) -> Stem {
    hash(&reduce(word))
}

/// Adds the stems of a name, a path or a command: cut at punctuation and where a capital begins a word.
pub fn add_stems_of_name(name: &str, out: &mut Vec<Stem>) {
    for whole in name.split(|letter: char| !letter.is_alphanumeric()) {
        if whole.is_empty() {
            continue;
        }
        out.extend(stem(&whole.to_lowercase()));
        let mut start = 0;
        let mut lower_before = false;
        for (at, letter) in whole.char_indices() {
            if letter.is_uppercase() && lower_before {
                out.extend(whole.get(start..at).and_then(|part| stem(&part.to_lowercase())));
                start = at;
            }
            lower_before = letter.is_lowercase() || letter.is_numeric();
        }
        if start > 0 {
            out.extend(whole.get(start..).and_then(|part| stem(&part.to_lowercase())));
        }
        if matches!(whole.to_ascii_lowercase().as_str(), "md" | "rst" | "readme" | "adoc") {
            out.extend(stem("docs"));
        }
    }
}

/// Whether a sorted list holds a stem.
pub fn holds(sorted: &[Stem], stem: Stem) -> bool {
    sorted.binary_search(&stem).is_ok()
}

/// The stems of what a sentence is about, first said first, each once.
pub fn content(words: &[Word]) -> Vec<Stem> {
    let mut out: Vec<Stem> = Vec::new();
    for word in words {
        add_content(word, &mut out);
    }
    out
}

/// Adds what one word is about.
pub fn add_content(word: &Word, out: &mut Vec<Stem>) {
    let mut found = Vec::new();
    for part in word.text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'') {
        found.extend(stem(part));
    }
    for one in found {
        if !out.contains(&one) && out.len() < 40 {
            out.push(one);
        }
    }
}

fn reduce(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word).trim_matches('\'');
    let known = match word {
        "docs" | "doc" | "documentation" | "documents" => "doc",
        "ran" | "running" | "rerun" => "run",
        "wrote" | "written" | "writing" => "writ",
        "built" | "building" => "build",
        "made" | "making" => "mak",
        "specs" | "spec" => "test",
        "repo" | "repository" => "repo",
        "deps" | "dependency" | "dependencies" => "dep",
        "config" | "configuration" | "configs" => "config",
        "prs" => "pr",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    if word.len() <= 3 || !word.is_ascii() {
        return word.to_owned();
    }
    let mut stem = word;
    if let Some(cut) = stem.strip_suffix("ies") {
        return if cut.len() >= 2 { format!("{cut}y") } else { word.to_owned() };
    }
    if !stem.ends_with("ss") && !stem.ends_with("us") && !stem.ends_with("is") {
        stem = stem.strip_suffix('s').unwrap_or(stem);
    }
    for suffix in ["ation", "ion", "ment", "ing", "ed", "er", "or"] {
        if let Some(cut) = stem.strip_suffix(suffix)
            && cut.len() >= 3
        {
            stem = cut;
            if suffix == "ation" {
                return format!("{stem}at");
            }
            break;
        }
    }
    let stem = stem.strip_suffix('e').filter(|cut| cut.len() >= 3).unwrap_or(stem);
    let mut last = stem.bytes().rev();
    match (last.next(), last.next()) {
        // A consonant doubled before an ending: run, running.
        (Some(a), Some(b)) if a == b && a.is_ascii_alphabetic() && stem.len() > 3 && !matches!(a, b's' | b'l' | b'z' | b'e' | b'o') => {
            stem.get(..stem.len() - 1).unwrap_or(stem).to_owned()
        }
        _ => stem.to_owned(),
    }
}

fn is_small(word: &str) -> bool {
    SMALL.binary_search(&word).is_ok()
}

/// Words that say nothing about what a sentence is about. Sorted.
const SMALL: &[&str] = &[
    "a",
    "about",
    "actually",
    "after",
    "again",
    "all",
    "also",
    "an",
    "and",
    "another",
    "any",
    "are",
    "as",
    "at",
    "away",
    "back",
    "be",
    "been",
    "before",
    "both",
    "but",
    "by",
    "can",
    "chang",
    "change",
    "changes",
    "code",
    "command",
    "could",
    "did",
    "do",
    "does",
    "doing",
    "done",
    "each",
    "entir",
    "entire",
    "everything",
    "file",
    "files",
    "final",
    "finally",
    "first",
    "for",
    "from",
    "full",
    "going",
    "had",
    "has",
    "have",
    "here",
    "how",
    "i",
    "i'll",
    "i'm",
    "i've",
    "if",
    "in",
    "instead",
    "into",
    "is",
    "it",
    "it's",
    "its",
    "just",
    "later",
    "let",
    "let's",
    "like",
    "ll",
    "m",
    "make",
    "me",
    "more",
    "my",
    "new",
    "next",
    "not",
    "now",
    "of",
    "off",
    "on",
    "onc",
    "once",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "plac",
    "place",
    "pleas",
    "please",
    "re",
    "rest",
    "s",
    "same",
    "script",
    "separat",
    "separate",
    "should",
    "so",
    "some",
    "step",
    "suit",
    "suite",
    "t",
    "than",
    "that",
    "that's",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "to",
    "together",
    "too",
    "up",
    "us",
    "use",
    "using",
    "ve",
    "very",
    "was",
    "we",
    "we'll",
    "we're",
    "we've",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "whol",
    "whole",
    "will",
    "with",
    "would",
    "yet",
    "you",
    "your",
];

/// FNV-1a: fixed, so that a saved state reads the same everywhere.
fn hash(word: &str) -> Stem {
    Stem(word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_kind_have_one_stem() {
        for [a, b] in [
            ["tests", "testing"],
            ["migration", "migrate"],
            ["migrations", "migrated"],
            ["delete", "deleting"],
            ["commit", "committed"],
            ["run", "running"],
            ["exporter", "export"],
            ["docs", "documentation"],
            ["library", "libraries"],
            ["pushes", "pushed"],
            ["cache", "caching"],
            ["update", "updates"],
        ] {
            assert_eq!(stem(a), stem(b), "{a} {b}");
            assert!(stem(a).is_some(), "{a}");
        }
        for [a, b] in [["part10", "part100"], ["class", "clash"], ["import", "export"], ["status", "state"]] {
            assert_ne!(stem(a), stem(b), "{a} {b}");
        }
        assert_eq!(stem("the"), None);
    }

    #[test]
    fn small_words_are_sorted_for_their_search() {
        let mut sorted = SMALL.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let unsorted: Vec<_> = sorted.iter().zip(SMALL).filter(|(a, b)| a != b).take(1).collect();
        assert!(unsorted.is_empty(), "{unsorted:?}");
        assert_eq!(sorted.len(), SMALL.len());
    }

    #[test]
    fn a_name_is_cut_at_punctuation_and_capitals() {
        let mut stems = Vec::new();
        add_stems_of_name("src/LandingPage.test.tsx", &mut stems);
        stems.sort_unstable();
        for word in ["landing", "page", "test"] {
            assert!(stem(word).is_some_and(|stem| holds(&stems, stem)), "{word}");
        }
    }

    #[test]
    fn quoted_and_code_words_are_foreign() {
        let words = words("It says \"I'll go\" and `I'll run` — then I’ll stop.");
        let own: Vec<&str> = words.iter().filter(|word| !word.foreign).map(|word| word.text.as_str()).collect();
        assert_eq!(own, ["it", "says", "and", "then", "i'll", "stop"]);
    }
}
