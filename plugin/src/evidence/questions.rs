//! Questions that wait for an answer.

use super::sentences::{Place, Sentence};
use super::words::{Stem, Word, content, has_any, stands};

/// Characters of a question.
const MOST: usize = 400;
/// Sentences after a question that still belong to asking it.
const AFTER: usize = 2;

/// The questions that a text leaves to the person: those at its end, with their options.
pub fn of_agent(sentences: &[Sentence]) -> Vec<String> {
    let mut found = Vec::new();
    let mut after = 0;
    for sentence in sentences.iter().rev() {
        match sentence.place {
            Place::Option | Place::Item | Place::Remaining if !is_question(&sentence.text) => continue,
            Place::Heading => continue,
            _ => {}
        }
        if is_question(&sentence.text) {
            if sentence.place != Place::Option && is_to_person(&sentence.words) && !is_courtesy(&sentence.words) {
                found.push(sentence.text.clone());
            }
        } else {
            after += 1;
            if after > AFTER || !found.is_empty() {
                break;
            }
        }
        if found.len() >= 4 {
            break;
        }
    }
    found.reverse();
    found
}

/// The last question of a message of the person.
pub fn of_person(sentences: &[Sentence]) -> Option<String> {
    let asked = sentences.iter().rev().find(|sentence| sentence.place != Place::Heading && is_question(&sentence.text))?;
    (content(&asked.words).len() >= 2).then(|| asked.text.clone())
}

fn is_question(text: &str) -> bool {
    text.trim_end_matches(['*', '_', ')', '"', '”', ' ']).ends_with('?') && text.chars().count() <= MOST
}

/// A question of the text's own voice that asks somebody; "Why does it fail?" asks nobody.
fn is_to_person(words: &[Word]) -> bool {
    let own: Vec<&str> = words.iter().filter(|word| !word.foreign).map(|word| word.text.as_str()).collect();
    let addressed =
        own.iter().any(|word| matches!(*word, "you" | "your" | "i" | "we" | "me" | "our" | "us" | "you'd" | "you're" | "ok" | "okay"));
    let asks = matches!(
        own.first(),
        Some(
            &("which"
                | "should"
                | "shall"
                | "do"
                | "does"
                | "is"
                | "are"
                | "can"
                | "could"
                | "would"
                | "want"
                | "or"
                | "and"
                | "where"
                | "what"
                | "who"
                | "ready"
                | "proceed"
                | "ok")
        )
    );
    addressed || asks
}

/// What is asked out of politeness waits for nothing.
fn is_courtesy(words: &[Word]) -> bool {
    has_any(
        words,
        &[
            "anything else",
            "anything more",
            "any other questions",
            "any questions",
            "how can i help",
            "what else",
            "make sense",
            "makes sense",
            "what would you like to work on",
            "what would you like to do next",
            "what next",
            "what's next",
            "sound good",
            "how may i help",
        ],
    )
}

/// Whether a text only announces what comes: no answer to anything.
pub fn only_announces(sentences: &[Sentence]) -> bool {
    sentences.iter().all(|sentence| {
        let words = &sentence.words;
        sentence.text.ends_with(':')
            || ["let me", "i'll", "i will", "i'm going to", "looking", "checking", "reading", "now", "first", "let's", "sure", "ok", "okay"]
                .iter()
                .any(|lead| stands(words, 0, lead))
    })
}

/// Whether two questions, or a question and a text, are about the same.
pub fn is_about(question: &[Stem], other: &[Stem]) -> bool {
    let hits = question.iter().filter(|stem| other.contains(stem)).count();
    hits > 0 && hits * 2 >= question.len()
}

#[cfg(test)]
mod tests {
    use super::super::sentences::sentences;
    use super::*;

    #[track_caller]
    fn agent(text: &str, expected: &[&str]) {
        assert_eq!(of_agent(&sentences(text)), expected, "{text}");
    }

    #[test]
    fn a_question_at_the_end_waits_for_the_person() {
        agent("It has two entry points. Which of the two should I keep?", &["Which of the two should I keep?"]);
        agent("Should I delete it?\n\n1. Yes\n2. No", &["Should I delete it?"]);
        agent("Which one do you want? I recommend the first.", &["Which one do you want?"]);
        agent("Want me to also port the tests?", &["Want me to also port the tests?"]);
        agent("Should we keep the flag? And which name should it get?", &["Should we keep the flag?", "And which name should it get?"]);
        agent(
            "Before I go on, two things:\n- Which region should I use?\n- Do you need backups?",
            &["Which region should I use?", "Do you need backups?"],
        );
    }

    #[test]
    fn a_question_that_nobody_must_answer_is_none() {
        agent("Why does it fail? The lock is held. It waits. It times out.", &[]);
        agent("Done. Anything else?", &[]);
        agent("```\nShould I go?\n```", &[]);
        agent("The prompt says \"Should I go?\" there.", &[]);
        agent("Why would that be?", &[]);
        agent("How does it get there?", &[]);
    }

    #[test]
    fn the_last_question_of_a_message_is_the_persons() {
        assert_eq!(of_person(&sentences("Fix it. What about the export column?")).as_deref(), Some("What about the export column?"));
        assert_eq!(of_person(&sentences("ok?")), None);
        assert_eq!(of_person(&sentences("Fix the importer.")), None);
    }
}
