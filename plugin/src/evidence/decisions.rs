//! Which sentences decide something, which decision replaces which, and which a compaction lost.
//!
//! | said | by | is a decision for |
//! |---|---|---|
//! | "we're going with X", "let's go with X", "decided to …", "decided on X" | both | X |
//! | "chose X over Y", "use X instead (of Y)", "use X rather than Y" | both | X, against Y |
//! | "don't …", "do not …", "never …", "always …" | the person | what follows |

use serde::{Deserialize, Serialize};

use super::sentences::{Place, Sentence};
use super::words::{Stem, Word, content, has_any, stands};
use crate::contract::types::Speaker;

/// Characters of a decision.
const LEAST: usize = 10;
/// Characters of a decision.
const MOST: usize = 300;
/// Stems that are compared.
const STEMS: usize = 24;

/// What is decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// What it is for.
    pub choice: Vec<Stem>,
    /// What it is against.
    pub rejected: Vec<Stem>,
    /// What it is about: "for the cache".
    pub subject: Vec<Stem>,
    /// Whether it forbids its choice.
    pub forbids: bool,
    /// Whether it says that it corrects something.
    pub corrects: bool,
}

/// Reads a sentence; none when it decides nothing. `answering`: the person answers a question of the agent, so that "use X" is a choice and no order.
pub fn read(sentence: &Sentence, speaker: Speaker, answering: bool) -> Option<Decided> {
    if matches!(sentence.place, Place::Option | Place::Heading) {
        return None;
    }
    let length = sentence.text.chars().count();
    if !(LEAST..=MOST).contains(&length) || sentence.text.trim_end_matches(['*', '_', ')', '"', ' ']).ends_with('?') {
        return None;
    }
    let words = &sentence.words;
    let person = speaker == Speaker::Person;
    let found = (0..words.len().min(40)).find_map(|start| {
        // A decision begins a clause.
        let begins = start == 0
            || words.get(start - 1).is_some_and(|before| {
                before.pause
                    || matches!(
                        before.text.as_str(),
                        "and" | "so" | "please" | "then" | "but" | "yes" | "no" | "ok" | "okay" | "actually" | "just" | "also" | "instead"
                    )
            });
        if !begins {
            return None;
        }
        if let Some(end) = CHOSEN.iter().find(|phrase| stands(words, start, phrase)).map(|phrase| start + phrase.split(' ').count()) {
            return weigh(words, end, false);
        }
        if stands(words, start, "decision") && words.get(start).is_some_and(|word| word.pause) {
            return weigh(words, start + 1, false);
        }
        if let Some(decided) = over(words, start) {
            return Some(decided);
        }
        if let Some(end) = uses(words, start, person)
            && (answering && words.len() <= 12 || has_any(words, &["instead", "rather than", "instead of"]) || person && contrasts(words))
        {
            return weigh(words, end, false);
        }
        if person && let Some(end) = forbids(words, start) {
            return weigh(words, end, true);
        }
        if person && let Some(decided) = keeps(words, start) {
            return Some(decided);
        }
        if person
            && words.get(start).is_some_and(|word| !word.foreign && word.text == "always")
            && !has_any(words, &["i always", "it always"])
            && words.len() > start + 2
        {
            return weigh(words, start + 1, false);
        }
        None
    });
    found.filter(|_| !is_open(words))
}

const CHOSEN: &[&str] = &[
    "we're going with",
    "we are going with",
    "i'm going with",
    "i am going with",
    "going with",
    "let's go with",
    "lets go with",
    "go with",
    "go for",
    "we'll go with",
    "we will go with",
    "i'll go with",
    "i went with",
    "we went with",
    "i decided to",
    "we decided to",
    "i've decided to",
    "we've decided to",
    "i have decided to",
    "we have decided to",
    "decided to",
    "i decided on",
    "we decided on",
    "i've decided on",
    "we've decided on",
    "decided on",
    "i decided against",
    "we decided against",
    "decided against",
    "let's stick with",
    "stick with",
    "we'll stick with",
    "we're sticking with",
    "i'll stick with",
    "let's use",
    "lets use",
    "we'll use",
    "we settled on",
    "i settled on",
    "settled on",
    "we agreed on",
    "we agreed to",
    "let's keep",
    "we'll keep",
    "we're keeping",
    "let's not",
    "the decision is to",
    "the decision is",
    "i picked",
    "i chose to",
    "we chose to",
    "i opted for",
    "opted for",
    "we opted for",
    "i opted to",
    "we're using",
    "we are using",
];

/// What is still open decides nothing.
fn is_open(words: &[Word]) -> bool {
    has_any(
        words,
        &[
            "if",
            "should we",
            "could",
            "would",
            "maybe",
            "might",
            "perhaps",
            "whether",
            "unless",
            "haven't decided",
            "not decided",
            "didn't decide",
            "to decide",
            "be decided",
            "until",
            "once we",
            "before we",
            "after we",
            "what if",
            "possibly",
            "probably",
            "suppose",
            "i think we",
            "let me know",
            "go for it",
            "go with it",
            "go with that",
            "go with the flow",
            "going with you",
            "recommend",
            "suggest",
            "i'd",
            "for example",
            "not sure",
        ],
    )
}

/// "Chose X over Y", "prefer X over Y".
fn over(words: &[Word], start: usize) -> Option<Decided> {
    let at = match words.get(start).filter(|word| !word.foreign)?.text.as_str() {
        "i" | "we" | "i've" | "we've" => start + 1,
        _ => start,
    };
    let verb = words.get(at).filter(|word| !word.foreign)?;
    if !matches!(verb.text.as_str(), "chose" | "chosen" | "picked" | "prefer" | "choose" | "favor" | "favour" | "selected") {
        return None;
    }
    words.iter().skip(at + 2).take(12).any(|word| matches!(word.text.as_str(), "over" | "instead")).then_some(())?;
    weigh(words, at + 1, false)
}

fn uses(words: &[Word], start: usize, person: bool) -> Option<usize> {
    let phrases: &[&str] = if person {
        &[
            "use",
            "please use",
            "i want",
            "make it",
            "take",
            "put it in",
            "do it with",
            "keep",
            "we use",
            "i'm using",
            "i'll use",
            "write it in",
            "switch to",
            "call it",
            "name it",
        ]
    } else {
        &[
            "i'll use",
            "i will use",
            "i'm using",
            "i am using",
            "i used",
            "we use",
            "using",
            "i switched to",
            "i've switched to",
            "switching to",
            "i'm switching to",
        ]
    };
    phrases.iter().find(|phrase| stands(words, start, phrase)).map(|phrase| start + phrase.split(' ').count())
}

/// "Keep the comma", "leave build alone".
fn keeps(words: &[Word], start: usize) -> Option<Decided> {
    if let Some(phrase) = ["keep the", "keep our", "keep using", "keep this", "please keep the", "please keep using"]
        .iter()
        .find(|phrase| stands(words, start, phrase))
    {
        return weigh(words, start + phrase.split(' ').count(), false);
    }
    let alone = ["alone", "untouched", "as is", "as it is", "as they are"];
    if stands(words, start, "leave") && has_any(words.get(start..).unwrap_or_default(), &alone) {
        return weigh(words, start + 1, true);
    }
    None
}

/// "Use tabs, not spaces".
fn contrasts(words: &[Word]) -> bool {
    words.windows(2).any(|pair| matches!(pair, [before, not] if before.pause && !not.foreign && not.text == "not"))
        || has_any(words, &["and not"])
}

/// "Don't touch the migrations", but not "don't worry".
fn forbids(words: &[Word], start: usize) -> Option<usize> {
    let phrase = [
        "please don't",
        "please do not",
        "please never",
        "don't",
        "dont",
        "do not",
        "never",
        "we must not",
        "you must not",
        "must not",
        "must never",
        "no need to",
    ]
    .iter()
    .find(|phrase| stands(words, start, phrase))?;
    let at = start + phrase.split(' ').count();
    let next = words.get(at)?;
    let idle = [
        "worry",
        "know",
        "forget",
        "mind",
        "you",
        "we",
        "they",
        "think",
        "care",
        "understand",
        "see",
        "hesitate",
        "bother",
        "get",
        "be",
        "do",
        "that",
        "it",
        "panic",
        "want",
        "have",
        "need",
        "like",
        "tell",
    ];
    (phrase != &"no need to" && !idle.contains(&next.text.as_str()) && words.len() > at + 1).then_some(at)
}

/// Parts a decision into what it is for, against and about.
fn weigh(words: &[Word], start: usize, forbids: bool) -> Option<Decided> {
    let phrase =
        |at: usize, phrases: &[&str]| phrases.iter().find(|phrase| stands(words, at, phrase)).map(|phrase| phrase.split(' ').count());
    let (mut choice, mut rejected, mut subject): (Vec<Word>, Vec<Word>, Vec<Word>) = Default::default();
    let mut side = 0;
    let mut at = start;
    while let Some(word) = words.get(at) {
        let own = !word.foreign;
        if let Some(length) = phrase(at, &["instead of", "rather than", "over", "not", "and not"]) {
            side = if forbids { 0 } else { 1 };
            at += length;
            continue;
        }
        if own && matches!(word.text.as_str(), "because" | "since" | "so" | "as" | "while") {
            break;
        }
        if own && matches!(word.text.as_str(), "for" | "as") {
            side = 2;
        }
        if own && word.text == "instead" {
            at += 1;
            continue;
        }
        match side {
            0 => choice.push(word.clone()),
            1 => rejected.push(word.clone()),
            _ => subject.push(word.clone()),
        }
        at += 1;
    }
    let stems = |words: &[Word]| {
        let mut stems = content(words);
        stems.truncate(STEMS);
        stems
    };
    let decided = Decided {
        choice: stems(&choice),
        rejected: stems(&rejected),
        subject: stems(&subject),
        forbids: forbids || has_any(words, &["decided against", "let's not", "decided not to"]),
        corrects: has_any(
            words,
            &[
                "actually",
                "instead",
                "no longer",
                "changed my mind",
                "on second thought",
                "scratch that",
                "correction",
                "wait",
                "after all",
                "back to",
            ],
        ),
    };
    (!decided.choice.is_empty()).then_some(decided)
}

/// Whether the newer decision takes the older one's place.
pub fn replaces(newer: &Decided, older: &Decided) -> bool {
    let covers = |all: &[Stem], of: &[Stem]| !of.is_empty() && of.iter().all(|stem| all.contains(stem));
    let overlap = |a: &[Stem], b: &[Stem]| a.iter().any(|stem| b.contains(stem));
    // Against exactly what the older one was for.
    if !older.forbids && !newer.forbids && covers(&newer.rejected, &older.choice) {
        return true;
    }
    // The same thing allowed and forbidden.
    if newer.forbids != older.forbids {
        return covers(&newer.choice, &older.choice) || covers(&older.choice, &newer.choice) && newer.choice.len() * 2 > older.choice.len();
    }
    // Another choice for the same subject.
    if !newer.forbids && !older.subject.is_empty() {
        let same = covers(&newer.subject, &older.subject) || covers(&older.subject, &newer.subject);
        return same && !overlap(&newer.choice, &older.choice);
    }
    false
}

/// Everything a decision is about, for finding it again.
pub fn stems(decided: &Decided) -> Vec<Stem> {
    let mut all = decided.choice.clone();
    all.extend(decided.subject.iter().copied());
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a sentence with these sorted stems says the decision again.
pub fn restates(sorted: &[Stem], decided: &[Stem]) -> bool {
    let hits = decided.iter().filter(|stem| super::words::holds(sorted, **stem)).count();
    hits > 0 && hits * 3 >= decided.len() * 2
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]
    use super::super::sentences::sentences;
    use super::*;

    fn decides(text: &str, speaker: Speaker) -> bool {
        sentences(text).iter().any(|sentence| read(sentence, speaker, false).is_some())
    }

    #[track_caller]
    fn all(speaker: Speaker, expected: bool, texts: &[&str]) {
        let wrong: Vec<_> = texts.iter().filter(|text| decides(text, speaker) != expected).collect();
        assert!(wrong.is_empty(), "expected {expected}: {wrong:#?}");
    }

    #[test]
    fn the_person_decides() {
        all(
            Speaker::Person,
            true,
            &[
                "Use a symlink for the root file instead of a copy.",
                "use postgres instead",
                "No, use the v2 endpoint instead.",
                "We're going with SQLite for the cache.",
                "let's go with option B",
                "Let's use zod for the validation.",
                "I decided to drop Windows support.",
                "We chose Postgres over MySQL.",
                "I prefer tabs over spaces in this repo.",
                "Use tabs, not spaces.",
                "Don't touch the migrations.",
                "Please don't add new dependencies.",
                "do not commit to main directly",
                "Never push without running the tests.",
                "Fix it, and don't change the public API.",
                "Always run the formatter before committing.",
                "Stick with the old parser for now.",
                "Put it in the config rather than the environment, so use the file instead.",
                "Decision: ship without the cache.",
                "Keep the comma then.",
                "Leave build alone, just list the files.",
            ],
        );
    }

    #[test]
    fn the_person_only_asks_or_talks() {
        all(
            Speaker::Person,
            false,
            &[
                "Should we use Postgres instead?",
                "Don't worry about the tests.",
                "I don't know what it does.",
                "don't forget it",
                "Don't you think that is slow?",
                "Use cargo test to run the tests.",
                "Fix the importer and run the tests.",
                "We haven't decided to ship yet.",
                "Maybe use Postgres instead.",
                "If it fails, use the fallback instead.",
                "The docs say \"don't touch the migrations\" there.",
                "> Use Postgres instead.",
                "```\ndon't touch this file\n```",
                "What if we use Redis instead",
                "It doesn't work, we need to decide on a fix.",
                "I always get this error when I run it.",
                "go for it",
                "Keep going.",
                "keep it up",
                "Leave a comment there.",
            ],
        );
    }

    #[test]
    fn the_agent_decides() {
        all(
            Speaker::Agent,
            true,
            &[
                "We're going with a symlink for the root file.",
                "I'm going with SQLite because it needs no server.",
                "I decided to keep the old parser.",
                "I chose `serde_json` over `simd-json` for its size.",
                "I'll use a BTreeMap instead of a HashMap.",
                "I went with a separate table for the totals.",
                "I switched to the v2 endpoint instead of v1.",
                "**Decision:** the cache lives in memory.",
                "We'll keep the comma.",
                "Going with order_id for the column name.",
                "You interrupted it; I'll use the small sample instead.",
                "We're going with csv.writer for the header row rather than DictWriter, because the column order is fixed.",
            ],
        );
    }

    #[test]
    fn the_agent_only_offers_or_reports() {
        all(
            Speaker::Agent,
            false,
            &[
                "Don't commit the file yet.",
                "We could use Postgres instead.",
                "I recommend going with SQLite.",
                "You might want to go with SQLite instead.",
                "I fixed the importer.",
                "Using `order_id,total` then: decision recorded in the README.",
                "Which one should we go with?",
                "Options:\n- Go with SQLite for the cache\n- Use Postgres instead",
                "The team has not decided to ship.",
                "If you want, we'll go with SQLite.",
                "The test uses the old parser instead of the new one.",
                "Let me know whether to use Postgres instead.",
            ],
        );
    }

    #[track_caller]
    fn replaced(older: &str, newer: &str, expected: bool) {
        let one = |text: &str| sentences(text).iter().find_map(|sentence| read(sentence, Speaker::Person, false)).expect(text);
        assert_eq!(replaces(&one(newer), &one(older)), expected, "{older} / {newer}");
    }

    #[test]
    fn a_newer_decision_on_the_same_subject_replaces_the_older() {
        replaced("Let's use Redis for the cache.", "Let's use SQLite for the cache.", true);
        replaced("Let's go with Redis.", "Use SQLite instead of Redis.", true);
        replaced("Don't touch the migrations.", "I decided to touch the migrations.", true);
        replaced("Let's use Redis for the cache.", "Let's use SQLite for the queue.", false);
        replaced("Don't touch the migrations.", "Don't touch the fixtures.", false);
        replaced("Let's go with Redis.", "Let's go with tabs.", false);
    }
}
