//! Whether a text says that the work is done.

use super::sentences::{Place, Sentence};
use super::words::{Word, has_any, stands, words};

/// The sentence that claims it; the last one of the text.
pub fn claim(sentences: &[Sentence]) -> Option<&str> {
    sentences
        .iter()
        .rev()
        .filter(|sentence| matches!(sentence.place, Place::Prose | Place::Heading))
        .find(|sentence| claims(sentence))
        .map(|sentence| sentence.text.as_str())
}

/// Whether the person's words ask for nothing more.
pub fn only_thanks(text: &str) -> bool {
    let words = words(text);
    let kind = [
        "thanks",
        "thank",
        "great",
        "ok",
        "okay",
        "perfect",
        "lgtm",
        "nice",
        "good",
        "cool",
        "awesome",
        "excellent",
        "you",
        "job",
        "work",
        "very",
        "much",
        "a",
        "lot",
        "so",
        "looks",
        "well",
        "done",
        "yes",
        "all",
        "super",
        "that's",
        "it",
        "for",
        "now",
        "bye",
        "wonderful",
        "amazing",
        "love",
        "the",
        "that",
    ];
    !words.is_empty() && words.len() <= 8 && !text.contains('?') && words.iter().all(|word| kind.contains(&word.text.as_str()))
}

fn claims(sentence: &Sentence) -> bool {
    let words = &sentence.words;
    let alone = |phrase: &&str| {
        let end = phrase.split(' ').count();
        stands(words, 0, phrase) && (words.len() == end || words.get(end - 1).is_some_and(|word| word.pause))
    };
    let says = ALONE.iter().any(alone) || FINISHED.iter().any(|phrase| stands(words, 0, phrase)) || is_state_of_work(words);
    says && words.len() <= 40 && !sentence.text.trim_end_matches(['*', '_', ' ']).ends_with('?') && !is_limited(words)
}

/// Claims when nothing follows them in their clause.
const ALONE: &[&str] = &[
    "done",
    "all done",
    "finished",
    "completed",
    "all finished",
    "all set",
    "that's done",
    "it's done",
    "task complete",
    "all complete",
    "everything's done",
    "fixed",
    "implemented",
];

/// Claims with what they are about.
const FINISHED: &[&str] = &[
    "i've finished",
    "i've completed",
    "i have finished",
    "i have completed",
    "i've implemented",
    "i have implemented",
    "i've fixed",
    "i have fixed",
    "i finished",
    "i completed",
];

/// "The fix is in", "everything is in place", "the importer is fixed", "header row done, tests pass".
fn is_state_of_work(words: &[Word]) -> bool {
    let done_and_green = words.iter().take(5).any(|word| !word.foreign && word.text == "done")
        && has_any(words, &["tests pass", "tests are green", "all green", "suite passes", "tests passing"]);
    if done_and_green {
        return true;
    }
    let Some(verb) = words.iter().position(|word| !word.foreign && matches!(word.text.as_str(), "is" | "are")) else { return false };
    let subject: Vec<&str> = words.iter().take(verb).map(|word| word.text.as_str()).collect();
    let mut after = verb + 1;
    while words.get(after).is_some_and(|word| matches!(word.text.as_str(), "now" | "all" | "fully" | "both" | "finally")) {
        after += 1;
    }
    let Some(state) = words.get(after).filter(|word| !word.foreign) else { return false };
    let ends =
        state.pause || words.len() == after + 1 || words.get(after + 1).is_some_and(|next| matches!(next.text.as_str(), "place" | "and"));
    match state.text.as_str() {
        "fixed" | "implemented" => {
            (1..=6).contains(&verb)
                && matches!(subject.first(), Some(&("the" | "this" | "that" | "it" | "everything" | "all" | "both" | "your")))
        }
        // Only work is done in this sense: a run or a sub-agent that is done says nothing of the work.
        "in" => (1..=6).contains(&verb) && ends && is_work(&subject),
        "done" | "complete" | "completed" | "finished" | "shipped" => (1..=6).contains(&verb) && is_work(&subject),
        _ => false,
    }
}

fn is_work(subject: &[&str]) -> bool {
    match subject {
        ["everything" | "it" | "this" | "work" | "implementation"] => true,
        ["all", ..] => subject.len() <= 4,
        [.., last] => matches!(
            *last,
            "fix"
                | "change"
                | "changes"
                | "feature"
                | "implementation"
                | "work"
                | "task"
                | "migration"
                | "refactor"
                | "refactoring"
                | "rewrite"
                | "update"
                | "patch"
                | "cleanup"
                | "port"
                | "conversion"
        ),
        [] => false,
    }
}

fn is_limited(words: &[Word]) -> bool {
    has_any(
        words,
        &[
            "not",
            "isn't",
            "aren't",
            "nearly",
            "almost",
            "half",
            "partly",
            "partially",
            "once",
            "when",
            "if",
            "until",
            "after",
            "before",
            "i'll",
            "will",
            "be done",
            "to be",
            "should be",
            "would be",
            "can be",
            "needs",
            "except",
            "but",
            "step",
            "phase",
            "part",
            "first",
            "remaining",
            "still",
            "yet",
            "ready to",
            "ready for",
            "already",
            "none",
            "never",
            "cannot",
            "can't",
            "next",
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::super::sentences::sentences;
    use super::*;

    #[test]
    fn a_claim_says_that_all_of_it_is_done() {
        for text in [
            "All done.",
            "Done!",
            "Done: the importer reads UTF-16.",
            "**Done.** The suite is green.",
            "The fix is in and tests pass.",
            "Everything is in place.",
            "The importer is fixed.",
            "I've finished the migration.",
            "The work is now complete.",
            "All tests are fixed.",
            "Finished. See the diff.",
            "Header row done, tests pass.",
        ] {
            assert!(claim(&sentences(text)).is_some(), "{text}");
        }
    }

    #[test]
    fn what_is_not_finished_is_no_claim() {
        for text in [
            "I'll be done soon.",
            "Not done yet.",
            "The importer is almost done.",
            "Once it is done, I'll push.",
            "Is it done?",
            "Step one is done.",
            "The first part is done.",
            "It can be done in an hour.",
            "The work is done by a thread? No.",
            "> All done.",
            "```\nDone.\n```",
            "The log says \"All done.\" there.",
            "When the fix is in, tell me.",
            "The fix is in, but the tests fail.",
            "Well done to the team.",
            "Both agents are done: one reader, tests fail on the header row.",
            "The reviewer is done: header row missing.",
            "Task 1 is complete; task 2 waits for the schema.",
            "Two of three done; the re-run waits for the schema.",
            "The background export is finished.",
        ] {
            assert_eq!(claim(&sentences(text)), None, "{text}");
        }
    }

    #[test]
    fn thanks_ask_for_nothing() {
        assert!(only_thanks("Thanks, great work!"));
        assert!(!only_thanks("Great, now the exporter"));
        assert!(!only_thanks(""));
    }
}
