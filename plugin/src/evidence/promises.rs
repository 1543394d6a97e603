//! Which sentences of the agent promise something that it will do later, and what exactly.
//!
//! | said | is |
//! |---|---|
//! | "I'll …", "I will …", "I'm going to …", "let me … later", "remaining: …", "still need to …", "TODO: …" | a promise |
//! | the same, when an event has come ("once the schema lands") | a promise |
//! | the same, when the person wants it ("if you like", "shall I") | a question |
//! | what is said by saying it ("I'll note that"), what is no action ("I'll wait"), a maybe ("I'll probably") | neither |

use serde::{Deserialize, Serialize};

use super::deeds::{Part, parts};
use super::sentences::{Place, Sentence};
use super::words::{Word, has, has_any, stands, words};

/// Characters of a promise.
const LEAST: usize = 25;
/// Characters of a promise.
const MOST: usize = 240;

/// What a sentence is.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A later action of the speaker's own.
    Promise(Promised),
    /// It depends on the person.
    Question,
    /// Anything else.
    Neither,
}

/// What was promised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Promised {
    /// The actions in order.
    pub parts: Vec<Part>,
    /// How far off they are put.
    pub when: When,
}

/// How far off a promise puts its action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum When {
    /// It may be the very next thing.
    Now,
    /// A step of what goes on: "then", "next".
    Soon,
    /// After an event, or another time.
    Later,
}

/// Reads a sentence of the agent.
pub fn read(sentence: &Sentence) -> Reading {
    if matches!(sentence.place, Place::Option | Place::Heading) {
        return Reading::Neither;
    }
    let words = &sentence.words;
    let Some(lead) = lead(words, sentence.place) else { return Reading::Neither };
    let text = sentence.text.trim_end_matches(['*', '_', ')', '"', ' ']);
    if text.ends_with('?') || depends_on_person(words) {
        return Reading::Question;
    }
    let length = sentence.text.chars().count();
    if text.ends_with(':') || !(LEAST..=MOST).contains(&length) || is_hedged(words, lead.verb) {
        return Reading::Neither;
    }
    let when = when(words);
    if lead.asks_leave && when == When::Now {
        return Reading::Neither;
    }
    let parts = parts(words, lead.verb, lead.listed);
    if parts.is_empty() {
        return Reading::Neither;
    }
    Reading::Promise(Promised { parts, when: if lead.listed { When::Later } else { when } })
}

/// What a promise's own words promise, read again from a stored sentence.
pub fn promised(text: &str) -> Option<Promised> {
    let place = if text.to_lowercase().starts_with("remaining: ") { Place::Prose } else { Place::Item };
    match read(&Sentence { text: text.to_owned(), place, words: words(text) }) {
        Reading::Promise(promised) => Some(promised),
        _ => None,
    }
}

struct Lead {
    /// Where the verb stands.
    verb: usize,
    /// "Let me": only a promise when it is put off.
    asks_leave: bool,
    /// Named as left to do, with or without a verb.
    listed: bool,
}

const LEADS: &[&str] = &[
    "i'll",
    "i will",
    "i shall",
    "i'm going to",
    "i am going to",
    "i still need to",
    "we still need to",
    "i still have to",
    "i've yet to",
];
const SOFTENERS: &[&str] = &[
    "also",
    "then",
    "now",
    "next",
    "just",
    "first",
    "quickly",
    "go ahead and",
    "still",
    "finally",
    "afterwards",
    "later",
    "definitely",
    "make sure to",
    "be sure to",
    "follow up and",
    "have to",
    "need to",
];

const LISTED: &[&str] = &["remaining", "todo", "still to do", "left to do", "remaining work", "still remaining"];

fn lead(words: &[Word], place: Place) -> Option<Lead> {
    let listed = |verb: usize| {
        let nothing = words.get(verb).is_none_or(|word| matches!(word.text.as_str(), "none" | "nothing" | "no" | "n/a"));
        (!nothing).then_some(Lead { verb, asks_leave: false, listed: true })
    };
    if place == Place::Remaining {
        return listed(0);
    }
    if let Some(phrase) = LISTED.iter().find(|phrase| stands(words, 0, phrase))
        && words.get(count(phrase) - 1).is_some_and(|word| word.pause)
    {
        return listed(soften(words, count(phrase)));
    }
    if let Some(phrase) = ["still need to", "still have to"].iter().find(|phrase| stands(words, 0, phrase)) {
        return Some(Lead { verb: soften(words, count(phrase)), asks_leave: false, listed: false });
    }
    (0..words.len()).find_map(|start| {
        if let Some(phrase) = LEADS.iter().find(|phrase| stands(words, start, phrase)) {
            return Some(Lead { verb: soften(words, start + count(phrase)), asks_leave: false, listed: false });
        }
        stands(words, start, "let me").then(|| Lead { verb: soften(words, start + 2), asks_leave: true, listed: false })
    })
}

fn count(phrase: &str) -> usize {
    phrase.split(' ').count()
}

fn soften(words: &[Word], mut at: usize) -> usize {
    while let Some(phrase) = SOFTENERS.iter().find(|phrase| stands(words, at, phrase)) {
        at += count(phrase);
    }
    at
}

const OF_PERSON: &[&str] = &[
    "let me know",
    "want me to",
    "would you like",
    "if you",
    "if you'd",
    "if you're",
    "shall i",
    "should i",
    "tell me",
    "say the word",
    "just say",
    "your call",
    "up to you",
    "happy to",
    "if wanted",
    "if desired",
    "if needed",
    "if necessary",
    "if useful",
    "if helpful",
    "if requested",
    "on request",
    "if that works",
    "if that sounds",
    "if this looks",
    "if it's ok",
    "if it's okay",
    "with your permission",
    "unless told otherwise",
    "your approval",
    "your go-ahead",
    "your confirmation",
    "your answer",
    "your reply",
    "your choice",
    "your decision",
    "your sign-off",
    "your ok",
    "your okay",
    "your input",
];

fn depends_on_person(words: &[Word]) -> bool {
    has_any(words, OF_PERSON)
        || words.iter().enumerate().any(|(at, word)| {
            let hinge = matches!(
                word.text.as_str(),
                "if" | "unless" | "once" | "when" | "whenever" | "after" | "until" | "till" | "before" | "as" | "depending"
            );
            hinge
                && !word.foreign
                && words
                    .iter()
                    .skip(at + 1)
                    .take(4)
                    .any(|word| matches!(word.text.as_str(), "you" | "you've" | "you're" | "you'd" | "you'll" | "your" | "user" | "user's"))
        })
}

/// Maybes, negations and conditions that may never come true.
fn is_hedged(words: &[Word], verb: usize) -> bool {
    let before = verb.saturating_sub(3);
    let near = words.iter().skip(before).take(verb + 1 - before);
    let maybe = [
        "probably",
        "maybe",
        "perhaps",
        "possibly",
        "likely",
        "not",
        "never",
        "no",
        "only",
        "always",
        "usually",
        "typically",
        "generally",
        "try",
    ];
    if near.into_iter().any(|word| !word.foreign && maybe.contains(&word.text.as_str())) {
        return true;
    }
    let leads = |at: &usize| LEADS.iter().any(|phrase| stands(words, *at, phrase));
    let reported = (1..words.len()).find(leads).and_then(|at| words.get(at - 1)).is_some_and(|before| {
        let words = ["said", "think", "thought", "guess", "which", "what", "how", "where", "as", "things", "why", "otherwise", "suppose"];
        !before.pause && words.contains(&before.text.as_str())
    });
    if reported {
        return true;
    }
    let failing = [
        "fails",
        "fail",
        "failed",
        "breaks",
        "broken",
        "wrong",
        "not",
        "doesn't",
        "isn't",
        "don't",
        "problem",
        "problems",
        "issue",
        "issues",
        "error",
        "errors",
        "possible",
        "needed",
        "necessary",
        "time",
        "anything",
        "something",
        "any",
    ];
    words
        .iter()
        .position(|word| !word.foreign && word.text == "if")
        .is_some_and(|at| words.iter().skip(at + 1).take(6).any(|word| failing.contains(&word.text.as_str())))
}

fn when(words: &[Word]) -> When {
    const LATER: &[&str] = &[
        "later",
        "tomorrow",
        "tonight",
        "eventually",
        "as soon as",
        "still need to",
        "still have to",
        "yet to",
        "follow-up",
        "followup",
        "follow up",
        "next session",
        "next time",
        "next turn",
        "next week",
        "another session",
        "separate session",
        "separate commit",
        "separate pr",
        "separately",
        "at the end",
        "some point",
        "down the line",
        "if",
    ];
    const SOON: &[&str] = &["then", "next", "finally", "afterwards", "before", "after that", "after this", "and then"];
    let put_off = has_any(words, LATER)
        // "Runs once" is no event: one needs words of its own.
        || words.iter().enumerate().any(|(at, word)| !word.foreign && matches!(word.text.as_str(), "once" | "when" | "whenever" | "until" | "till") && !word.pause && at + 1 < words.len())
        || words.iter().enumerate().any(|(at, word)| {
            // "After the merge" is an event, "after that" only an order.
            !word.foreign && word.text == "after" && words.get(at + 1).is_some_and(|next| !matches!(next.text.as_str(), "that" | "this"))
        });
    if put_off {
        When::Later
    } else if has_any(words, SOON) {
        When::Soon
    } else {
        When::Now
    }
}

/// Whether a sentence gives up what was announced: "instead", "won't".
pub fn gives_up(words: &[Word]) -> bool {
    has_any(
        words,
        &[
            "i won't",
            "i'll not",
            "i will not",
            "no longer",
            "instead of",
            "rather than",
            "not going to",
            "no need to",
            "there's no need",
            "decided not to",
            "i'll skip",
            "isn't needed",
            "is not needed",
        ],
    ) || has(words, "instead")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]
    use super::super::deeds::Deed;
    use super::super::sentences::sentences;
    use super::*;

    /// The strongest verdict of a text's sentences.
    fn verdict(text: &str) -> &'static str {
        let all: Vec<Reading> = sentences(text).iter().map(read).collect();
        if all.iter().any(|reading| matches!(reading, Reading::Promise(_))) {
            "promise"
        } else if all.contains(&Reading::Question) {
            "question"
        } else {
            "neither"
        }
    }

    #[track_caller]
    fn all_are(expected: &str, texts: &[&str]) {
        let wrong: Vec<_> = texts.iter().filter(|text| verdict(text) != expected).map(|text| (verdict(text), text)).collect();
        assert!(wrong.is_empty(), "expected {expected}: {wrong:#?}");
    }

    #[test]
    fn a_later_action_of_the_agents_own_is_a_promise() {
        all_are(
            "promise",
            &[
                "I'll re-run the export once the schema lands.",
                "I’ll re-run the export once the schema lands.",
                "I will delete the stale worktree after the merge.",
                "I'm going to rewrite the importer in the next step.",
                "I am going to add a test for the parser.",
                "Then I'll delete the stale worktree.",
                "Next, I'll update the changelog and the README.",
                "Next I'll wire the button to the store.",
                "Let me clean up the fixtures after the release.",
                "Let me come back to the flaky test later.",
                "Remaining: write the migration for orders.",
                "TODO: remove the feature flag from config.",
                "Still need to update the docs for the API.",
                "I still need to run the full test suite.",
                "We still need to migrate the old records.",
                "When CI is green, I'll merge the branch.",
                "Once the schema lands I'll regenerate the types.",
                "As soon as the build finishes I'll deploy it to staging.",
                "If CI goes green, I'll merge the pull request.",
                "The importer is fixed, and I'll commit this after the review.",
                "After that, I'll remove the debug logging.",
                "I'll also add a regression test for UTF-16 input.",
                "I'll run `cargo test -p web` before the commit.",
                "I'll open a PR once the tests pass.",
                "I'll fix the importer, then run the tests and commit.",
                "For now the cache is off; I'll turn it on later.",
                "I'll revert `src/lib.rs` to the old version tomorrow.",
                "**Next:** I'll port the exporter to the new API.",
                "Finally, I'll bump the version to 2.1.0.",
                "- I'll rename the column in the orders table.",
                "I'll handle the Windows paths in a follow-up.",
                "Remaining:\n- the migration for the orders table",
                "I'll implement the retry logic with a backoff.",
                "I shall remove the deprecated endpoint later.",
                "I'll then push the branch to the remote.",
                "I'll make sure to update the lock file afterwards.",
                "I'll rebase onto main when the queue is empty.",
                "Remaining: the nightly job still reads the old file without a header, so the importer needs `skip_header=True` before we deploy.",
                "TODO: rename the column in src/export.py, still open.",
                "The tests pass. I'll re-run the export once the schema lands; until then the `total` column stays untyped.",
                "In the next session I'll pick up with the Windows path handling.",
                "I'll take a look at the failing job once the runner is back online.",
                "There are still two failing tests that I'll fix after lunch.",
                "Before I merge, I'll rebase onto main and rerun CI.",
                "I still need to backfill the totals for older orders.",
                "Still to do: the German translation of the landing page.",
                "I'll tag v1.4.0 after the changelog lands.",
                "I've noted the failure; I'll check the logs tomorrow.",
            ],
        );
    }

    #[test]
    fn what_depends_on_the_person_is_a_question() {
        all_are(
            "question",
            &[
                "If you want, I'll also rewrite the exporter in the next session.",
                "I'll rewrite the exporter if you like that.",
                "Let me know if the exporter should change too.",
                "Once you confirm, I'll delete the stale worktree.",
                "I'll delete the worktree when you are ready.",
                "I'll merge it after you approve the change.",
                "Unless you object, I'll drop the old table.",
                "If you'd prefer tabs, I'll reformat the files.",
                "Tell me which one and I'll implement it today.",
                "Say the word and I'll push the branch to the remote.",
                "I'll start the migration as soon as you give the go-ahead.",
                "I'll commit the change with your approval.",
                "Should that work, or I'll revert the commit today?",
                "I'll run the tests again, ok with that?",
                "I'll add a section once we agree on the column names — should I use `id,total` or `order_id,total`?",
                "Happy to help: I'll add the tests too.",
                "I'll delete the branch if needed later on.",
                "I'll hold the release until you reply to this.",
                "I'll fix the rest when the user asks for it.",
            ],
        );
    }

    #[test]
    fn what_is_no_later_action_is_neither() {
        all_are(
            "neither",
            &[
                "Let me look at the importer first.",
                "Let me run the tests and see what they say.",
                "Let me check the configuration of the build.",
                "I'll be done in about five minutes from now.",
                "I'll wait for the build before going on.",
                "I'll keep that in mind for the next session.",
                "I'll assume that the column is never empty.",
                "I'll note that the cache is not shared here.",
                "I'll need the credentials for the staging server.",
                "I'll leave the exporter as it is for now.",
                "I'll explain the change in the next paragraph.",
                "I'll summarize the findings when the run ends.",
                "I'll probably rewrite the exporter at some point.",
                "Maybe I'll rewrite the exporter at some point.",
                "I'll never touch the production database directly.",
                "I won't touch the production database directly.",
                "I'll not change the public interface of the crate.",
                "I'll go with a symlink for the root file.",
                "I'll use the existing helper for this change.",
                "I'll show you how the importer reads the file.",
                "I'll look at the importer and the exporter:",
                "I'll run the tests.",
                "The comment says \"I'll remove this once the schema lands\" there.",
                "It prints `I'll remove this once the schema lands` at exit.",
                "> I'll remove this once the schema lands, I promise.",
                "```\nI'll remove this once the schema lands.\n```",
                "Two options:\n- I'll rewrite the exporter from scratch.\n- I'll patch the importer in place.",
                "- I'll rewrite the exporter from scratch.\n- I'll patch it.\n\nWhich do you prefer?",
                "| step | I'll remove this once the schema lands |",
                "You'll want to run the migration after the deploy.",
                "You still need to set the token in the environment.",
                "The script will delete the files after the run.",
                "They will re-run the export once the schema lands.",
                "The importer is fixed and the tests pass.",
                "I ran the tests after the change and they pass.",
                "I can rewrite the exporter in the next session.",
                "If the build fails, I'll revert the last commit.",
                "I'll try the other port after the restart.",
                "That is the field which I'll call the order id.",
                "I'd rewrite the exporter in the next session.",
                "I'll have an agent look for every reader of the export while I check the tests.",
                "You rejected the removal, so I'll leave build/ alone and only list it.",
                "I need to remove the build directory.",
                "Next step: write it in export().",
                "I'll ask the reviewer agent to look at the diff once it's stable.",
                "To be clear, I'll only touch files under src/ui for this change.",
                "What I'll do: first rename the module, then fix imports.",
                "Once that finishes I'll have the numbers and can compare.",
                "Let me think about this differently, one step at a time.",
                "As I'll show below, the loop never terminates.",
                "I'll mark the first todo as completed and go on.",
                "I have to say that the exporter looks good.",
                "I'll stop here and wait for the review of the plan.",
                "I'll get started with the importer right away.",
                "I'll start by reading the importer and its tests.",
                "## I'll rewrite the exporter in the next session",
                "Ich werde den Export später noch einmal starten.",
                "稍后我会重新运行导出脚本，等模式落地之后再说。",
                "J'exécuterai les tests après la fusion de la branche.",
                "I'll work through the list one at a time now.",
                "I think I'll rewrite the exporter at some point.",
                "What I'll do is described in the section above.",
                "Remaining: none of the items on the list.",
                &format!("I'll rewrite {} later.", "the exporter and ".repeat(20)),
            ],
        );
    }

    #[test]
    fn a_promise_names_its_actions() {
        let promised = promised("I'll fix the importer, then run the tests and commit.").unwrap();
        assert_eq!(promised.parts.iter().map(|part| part.deed).collect::<Vec<_>>(), [Deed::Change, Deed::Check, Deed::Commit]);
        let promised = super::promised("I'll run `cargo test -p web` before the commit.").unwrap();
        assert_eq!(promised.parts.len(), 1);
        assert_eq!(promised.parts[0].named.len(), 1);
    }
}
