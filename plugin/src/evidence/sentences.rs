//! What an agent or a person wrote, as sentences: without code blocks, quotes, tables and lists of options.
//!
//! One pass over the lines makes blocks, one pass over each block makes its sentences; both are linear.

use super::words::{Word, words};

/// Bytes of one text that are read; what people and agents say to each other is shorter.
const TEXT: usize = 64 << 10;
/// Bytes of one sentence that are kept; a longer one is no statement.
const SENTENCE: usize = 1 << 10;

/// A sentence on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its words as written, without list marker or heading marks.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// The same, word by word.
    pub words: Vec<Word>,
}

/// Where a sentence stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a paragraph.
    Prose,
    /// In a list.
    Item,
    /// In a list of what is left to do.
    Remaining,
    /// In a list that offers choices.
    Option,
    /// In a heading.
    Heading,
}

#[derive(Debug)]
struct Block {
    text: String,
    place: Place,
}

/// The sentences of a text, in order.
pub fn sentences(text: &str) -> Vec<Sentence> {
    let mut blocks = blocks(text.get(..text.floor_char_boundary(TEXT)).unwrap_or_default());
    mark_lists(&mut blocks);
    let mut out = Vec::new();
    for block in &blocks {
        split(&block.text, |sentence| out.push(Sentence { text: sentence.to_owned(), place: block.place, words: words(sentence) }));
    }
    out
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut goes_on = false;
    let mut blank_before = true;
    let mut in_list = false;
    for line in text.lines() {
        let trimmed = line.trim();
        let mark = fence_of(trimmed);
        if let Some((letter, length)) = fence {
            // A fence is closed by one as long, with nothing after it.
            if mark.is_some_and(|(other, more)| other == letter && more >= length) && trimmed.chars().all(|c| c == letter) {
                fence = None;
            }
            continue;
        }
        if mark.is_some() {
            (fence, goes_on, blank_before) = (mark, false, false);
            continue;
        }
        if trimmed.is_empty() {
            (goes_on, blank_before) = (false, true);
            continue;
        }
        let indented = line.starts_with("    ") || line.starts_with('\t');
        if trimmed.starts_with(['>', '|', '<']) || (indented && blank_before && !in_list) {
            goes_on = false;
            continue;
        }
        blank_before = false;
        if let Some(heading) = heading(trimmed) {
            blocks.push(Block { text: heading.to_owned(), place: Place::Heading });
            (goes_on, in_list) = (false, false);
        } else if let Some(item) = item(trimmed) {
            blocks.push(Block { text: item.to_owned(), place: Place::Item });
            (goes_on, in_list) = (true, true);
        } else if goes_on && let Some(last) = blocks.last_mut() {
            last.text.push(' ');
            last.text.push_str(trimmed);
        } else {
            blocks.push(Block { text: trimmed.to_owned(), place: Place::Prose });
            (goes_on, in_list) = (true, false);
        }
    }
    blocks
}

fn fence_of(line: &str) -> Option<(char, usize)> {
    let letter = line.chars().next().filter(|letter| matches!(letter, '`' | '~'))?;
    let length = line.chars().take_while(|other| *other == letter).count();
    // Three backticks around a word on one line are inline code.
    let inline = letter == '`' && line.get(length..).is_some_and(|rest| rest.contains('`'));
    (length >= 3 && !inline).then_some((letter, length))
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    (rest.len() < line.len() && rest.starts_with(' ')).then(|| rest.trim())
}

fn item(line: &str) -> Option<&str> {
    if let Some(rest) = ["- ", "* ", "+ ", "• "].iter().find_map(|marker| line.strip_prefix(marker)) {
        return Some(rest.trim_start());
    }
    let label = line.strip_prefix('(').unwrap_or(line);
    let width = label.chars().take_while(char::is_ascii_digit).count();
    let width = if width > 0 { width } else { label.chars().take_while(char::is_ascii_alphabetic).count() };
    let rest = label.get(width..)?;
    let numbered = label.starts_with(|first: char| first.is_ascii_digit());
    let marker = rest.strip_prefix(')').or_else(|| rest.strip_prefix('.').filter(|_| numbered))?;
    let fits = if numbered { width <= 3 } else { width == 1 };
    (fits && marker.starts_with(' ')).then(|| marker.trim_start())
}

/// A list takes its meaning from the line before it, and from the question after it.
fn mark_lists(blocks: &mut [Block]) {
    let mut lead = Place::Item;
    for block in blocks.iter_mut() {
        match block.place {
            Place::Item if lead == Place::Remaining && is_ticked(&block.text) => {}
            Place::Item => block.place = if is_labelled_option(&block.text) { Place::Option } else { lead },
            _ => lead = lead_of(&block.text),
        }
    }
    let mut asked_after = false;
    for block in blocks.iter_mut().rev() {
        match block.place {
            Place::Item | Place::Remaining if asked_after => block.place = Place::Option,
            Place::Item | Place::Remaining | Place::Option => {}
            _ => asked_after = asks_to_choose(&block.text),
        }
    }
}

fn is_ticked(item: &str) -> bool {
    ["[x]", "[X]", "✅", "✓", "✔", "~~"].iter().any(|mark| item.starts_with(mark))
}

fn is_labelled_option(item: &str) -> bool {
    let item = item.trim_start_matches(['*', '_']).to_ascii_lowercase();
    item.strip_prefix("option ").or_else(|| item.strip_prefix("alternative ")).is_some()
}

fn lead_of(line: &str) -> Place {
    let lower = line.trim_end_matches(['*', '_', ' ']).to_ascii_lowercase();
    let bare = lower.trim_start_matches(['*', '_', ' ']).trim_end_matches([':', '*', '_', ' ']);
    let remaining = [
        "remaining",
        "remaining work",
        "still remaining",
        "still to do",
        "left to do",
        "todo",
        "to do",
        "still open",
        "what remains",
        "what's left",
    ];
    if remaining.contains(&bare) || remaining.iter().any(|lead| bare.ends_with(lead) && lower.ends_with(':') && bare.len() <= 60) {
        Place::Remaining
    } else if asks_to_choose(&lower) || (lower.ends_with(':') && offers(&lower)) || offers(bare) && bare.len() <= 30 {
        Place::Option
    } else {
        Place::Item
    }
}

fn offers(lower: &str) -> bool {
    [
        "option",
        "alternative",
        "either",
        "choose",
        "choice",
        "approaches",
        "you can",
        "you could",
        "we could",
        "i could",
        "could be",
        "if you",
        "ways to",
        "ways:",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

fn asks_to_choose(block: &str) -> bool {
    let lower = block.to_ascii_lowercase();
    lower.trim_end_matches(['*', '_', ' ']).ends_with('?')
        && [
            "which",
            "prefer",
            "option",
            "do you want",
            "would you like",
            "should i",
            "shall i",
            "what would you",
            "how would you",
            "how do you",
        ]
        .iter()
        .any(|word| lower.contains(word))
        || lower.contains("let me know which")
        || lower.contains("tell me which")
}

/// Splits at `.`, `!`, `?` and `…` before a space, but in no inline code and after no abbreviation.
fn split(block: &str, mut each: impl FnMut(&str)) {
    let mut start = 0;
    let mut code = false;
    let mut ended = false;
    let mut give = |from: usize, to: usize| {
        let sentence = block.get(from..to).unwrap_or_default().trim();
        if !sentence.is_empty() && sentence.len() <= SENTENCE {
            each(sentence);
        }
    };
    for (at, letter) in block.char_indices() {
        match letter {
            '`' => {
                code = !code;
                ended = ended && !code;
            }
            _ if code => {}
            '.' | '!' | '?' | '…' => ended = letter != '.' || !is_abbreviation(block.get(start..at).unwrap_or_default()),
            ')' | '"' | '\'' | '”' | '’' | '*' | '_' | ']' => {}
            _ if letter.is_whitespace() => {
                if ended {
                    give(start, at);
                    start = at;
                }
                ended = false;
            }
            _ => ended = false,
        }
        // A backtick that is never closed is no code.
        if letter == '`' && code && !block.get(at + 1..).is_some_and(|rest| rest.as_bytes().iter().take(SENTENCE).any(|byte| *byte == b'`'))
        {
            code = false;
        }
    }
    give(start, block.len());
}

fn is_abbreviation(before: &str) -> bool {
    // The end of the sentence so far is enough, however long it is.
    let tail = before.get(before.ceil_char_boundary(before.len().saturating_sub(12))..).unwrap_or_default();
    let word = tail.rsplit([' ', '(']).next().unwrap_or_default().to_ascii_lowercase();
    matches!(word.as_str(), "e.g" | "i.e" | "eg" | "ie" | "etc" | "vs" | "cf" | "approx" | "resp" | "incl" | "e" | "i" | "fig")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str, place: Place) -> Vec<String> {
        sentences(text).into_iter().filter(|sentence| sentence.place == place).map(|sentence| sentence.text).collect()
    }

    #[test]
    fn prose_is_split_at_its_marks() {
        assert_eq!(of("One. Two!  Three? Four", Place::Prose), ["One.", "Two!", "Three?", "Four"]);
        assert_eq!(of("See e.g. the parser, i.e. lib.rs v1.2. Next", Place::Prose), ["See e.g. the parser, i.e. lib.rs v1.2.", "Next"]);
        assert_eq!(of("Run `a. b` now. Then `c`.", Place::Prose), ["Run `a. b` now.", "Then `c`."]);
        assert_eq!(of("**Done.** (Really.) Yes", Place::Prose), ["**Done.**", "(Really.)", "Yes"]);
        assert_eq!(of("A line\nthat goes on. End.\n\nNew", Place::Prose), ["A line that goes on.", "End.", "New"]);
        assert_eq!(of("An open ` tick. Next.", Place::Prose), ["An open ` tick.", "Next."]);
    }

    #[test]
    fn code_quotes_and_tables_are_nobodys_words() {
        let text = "Before.\n```rust\nI'll stay here.\n```\n> I'll be quoted.\n| I'll | table |\n\n    I'll be code.\n\nAfter.";
        assert_eq!(of(text, Place::Prose), ["Before.", "After."]);
        assert_eq!(of("~~~\nI'll be open\n```\nstill code", Place::Prose), Vec::<String>::new());
        assert_eq!(of("````\n```\nI'll be inside.\n```\n````\nOut.", Place::Prose), ["Out."]);
    }

    #[test]
    fn lists_are_items_remaining_or_options() {
        assert_eq!(of("Plan:\n1. I'll read it.\n2. I'll fix it.", Place::Item), ["I'll read it.", "I'll fix it."]);
        assert_eq!(of("Two options:\n- I'll rewrite it\n- I'll patch it", Place::Option), ["I'll rewrite it", "I'll patch it"]);
        assert_eq!(of("- I'll rewrite it\n- I'll patch it\n\nWhich do you prefer?", Place::Option), ["I'll rewrite it", "I'll patch it"]);
        assert_eq!(of("**Remaining:**\n- the docs\n- [x] the code", Place::Remaining), ["the docs"]);
        assert_eq!(of("## Remaining\n\n* the docs", Place::Remaining), ["the docs"]);
        assert_eq!(of("- Option A: rewrite\n- Option B: patch", Place::Option), ["Option A: rewrite", "Option B: patch"]);
        assert_eq!(of("(a) rewrite\nb) patch", Place::Item), ["rewrite", "patch"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn any_text_is_split_without_loss_of_bounds(text in "(\\PC|\n|`|```|> |- |\\. |\\? ){0,300}") {
            for sentence in sentences(&text) {
                prop_assert!(!sentence.text.is_empty() && sentence.text.len() <= SENTENCE && !sentence.text.contains('\n'));
            }
        }
    }

    #[test]
    fn a_long_hostile_text_is_read_in_linear_time() {
        for piece in ["`", "`a ", "...", "- ", "I'll ", "\n\n", "> ", "\u{1f469}\u{200d}"] {
            let _ = sentences(&piece.repeat(200_000));
        }
    }
}
