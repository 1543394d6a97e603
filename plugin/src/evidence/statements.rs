//! Everything said that may still matter, settled by what is said and done after it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::decisions::Decided;
use super::promises::{Promised, Reading, When};
use super::sentences::{Place, Sentence, sentences};
use super::words::{Stem, Word, content, has_any, stands, words};
use super::{Action, claim, decisions, deeds, keeping, promises, questions};
use crate::contract::types::{Decision, Quote, Source, Speaker, Statement, StatementState};

/// Promises that are kept. The oldest settled ones go first, and then the oldest.
const PROMISES: usize = 200;
/// Decisions that are kept. The oldest superseded ones go first, and then the oldest.
const DECISIONS: usize = 200;
/// Questions of each that are kept.
const QUESTIONS: usize = 50;
/// Statements of one kind that are taken from one text.
const OF_ONE_TEXT: usize = 20;
/// Bytes of a stored statement.
const TEXT: usize = 1 << 10;

/// Everything said so far that may still matter. Bounded: the oldest settled statements go first, and then the oldest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statements {
    promises: VecDeque<KeptPromise>,
    asked: VecDeque<Asked>,
    /// Questions at the end of the agent's newest text: they wait only if it stops there.
    asking: Vec<Quote>,
    unanswered: VecDeque<KeptQuestion>,
    /// The person's questions since the agent last answered.
    pending: VecDeque<KeptQuestion>,
    /// Those that the newest turn answered: they open again when it is interrupted before the answer.
    announced: VecDeque<KeptQuestion>,
    decisions: VecDeque<KeptDecision>,
    claim: Option<Quote>,
    /// Texts of the agent so far.
    texts: u64,
    /// Turns that ended so far.
    turns: u64,
    /// Whether anything was done since the agent's newest text.
    acted: bool,
    /// Whether anything was said or done by the agent since a turn ended.
    in_turn: bool,
    /// Whether a compaction's text came, and nothing was said or done since.
    summarised: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptPromise {
    statement: Statement,
    promised: Promised,
    /// The agent's text and the turn it stands in.
    text: u64,
    turn: u64,
    /// Parts that are kept, as bits.
    kept: u8,
    /// The newest action after it.
    acted: Option<Source>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Asked {
    statement: Statement,
    with_tool: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptQuestion {
    statement: Statement,
    about: Vec<Stem>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptDecision {
    decision: Decision,
    decided: Decided,
    about: Vec<Stem>,
    /// What the person was asked, when this answers it.
    question: Option<Vec<Stem>>,
}

impl Statements {
    /// The person typed this.
    pub fn person_said(&mut self, text: &str, at: &Source) {
        let said = sentences(text);
        self.summarised = false;
        self.end_turn();
        self.withdraw(&said, at);
        let mut answering = false;
        for asked in self.asked.iter_mut().filter(|asked| asked.statement.state == StatementState::Open) {
            settle(&mut asked.statement, StatementState::Done, at);
            answering = true;
        }
        if let Some(question) = questions::of_person(&said) {
            let about = content(&words(&question));
            // Asked again in other words: the older one needs no answer of its own.
            for old in self.unanswered.iter_mut().chain(&mut self.pending).filter(|old| questions::is_about(&old.about, &about)) {
                settle(&mut old.statement, StatementState::Superseded, at);
            }
            let open = |old: &KeptQuestion| old.statement.state == StatementState::Open;
            self.unanswered.retain(open);
            self.pending.retain(open);
            push(&mut self.pending, KeptQuestion { statement: statement(&question, at), about }, QUESTIONS);
        }
        self.announced.clear();
        if !claim::only_thanks(text) {
            self.claim = None;
        }
        self.decide(&said, Speaker::Person, answering, at);
    }

    /// The person answered the agent's question tool, or chose something offered.
    pub fn person_answered(&mut self, question: &str, answer: &str, at: &Source) {
        let newest = self
            .asked
            .iter_mut()
            .rev()
            .find(|asked| asked.with_tool && asked.statement.state == StatementState::Open && asked.statement.text == fold(question));
        if let Some(asked) = newest {
            settle(&mut asked.statement, StatementState::Done, at);
        }
        if answer.trim().is_empty() {
            return;
        }
        let text = fold(&format!("{} {}", fold(question), fold(answer)));
        let asked = content(&words(question));
        let choice = content(&words(answer));
        for old in self.decisions.iter_mut().filter(|old| old.decision.superseded_by.is_none()) {
            if old.question.as_ref() == Some(&asked) && old.decided.choice != choice {
                old.decision.superseded_by = Some(at.clone());
            }
        }
        let decided = Decided { choice, rejected: Vec::new(), subject: asked.clone(), forbids: false, corrects: false };
        let about = decisions::stems(&decided);
        let decision = Decision { speaker: Speaker::Person, text, at: at.clone(), superseded_by: None, forgotten: false };
        self.add_decision(KeptDecision { decision, decided, about, question: Some(asked) });
    }

    /// The agent wrote this to the person.
    pub fn agent_said(&mut self, text: &str, at: &Source) {
        let said = sentences(text);
        if said.is_empty() {
            return;
        }
        self.texts += 1;
        self.in_turn = true;
        self.summarised = false;
        self.acted = false;
        self.asking = questions::of_agent(&said).into_iter().map(|text| Quote { text: fold(&text), at: at.clone() }).collect();
        if questions::only_announces(&said) {
            self.announced.extend(self.pending.drain(..));
        } else {
            self.announced.clear();
            self.pending.clear();
        }
        if let Some(text) = claim::claim(&said) {
            self.claim = Some(Quote { text: fold(text), at: at.clone() });
        }
        let mut taken = 0;
        for sentence in &said {
            self.answer(&sentence.words);
            match promises::read(sentence) {
                Reading::Promise(promised) if taken < OF_ONE_TEXT => {
                    taken += 1;
                    self.promise(sentence, promised, at);
                }
                Reading::Neither => self.report(&sentence.words, at),
                _ => {}
            }
        }
        self.decide(&said, Speaker::Agent, false, at);
    }

    /// The agent asked with its question tool and waits.
    pub fn agent_asked(&mut self, question: &str, at: &Source) {
        push(&mut self.asked, Asked { statement: statement(question, at), with_tool: true }, QUESTIONS);
    }

    /// The agent's turn ended: what the person says next answers it.
    pub fn turn_ended(&mut self, _at: &Source) {
        self.end_turn();
    }

    /// The person stopped the agent: what it had only announced to answer has no answer.
    pub fn interrupted(&mut self, _at: &Source) {
        let announced = std::mem::take(&mut self.announced);
        self.pending.extend(announced);
    }

    /// Something was done.
    pub fn acted(&mut self, action: Action<'_>, at: &Source) {
        if let Action::Tool { name: "AskUserQuestion", .. } = action {
            for asked in self.asked.iter_mut().filter(|asked| asked.with_tool && asked.statement.state == StatementState::Open) {
                settle(&mut asked.statement, StatementState::Done, at);
            }
            return;
        }
        // The agent went on by itself.
        self.in_turn = true;
        self.summarised = false;
        self.asking.clear();
        if matches!(action, Action::Edit { .. }) {
            self.claim = None;
        }
        let Some(done) = keeping::read(action) else {
            self.acted = true;
            return;
        };
        let text = self.texts;
        let turn = self.turns;
        // Only a single announcement can be told to be what follows it.
        let mut announced =
            self.promises.iter().enumerate().rev().take_while(|(_, kept)| kept.text == text && kept.turn == turn).map(|(index, _)| index);
        let only = announced.next().filter(|_| announced.next().is_none());
        drop(announced);
        for (index, kept) in self.promises.iter_mut().enumerate().filter(|(_, kept)| kept.statement.state == StatementState::Open) {
            kept.acted = Some(at.clone());
            kept.kept |= keeping::kept_parts(&done, &kept.promised);
            let at_once = !self.acted
                && Some(index) == only
                && kept.promised.when == When::Now
                && kept.promised.parts.len() == 1
                && kept.promised.parts.first().is_some_and(|part| keeping::fits(&done, part));
            if at_once || keeping::is_whole(kept.kept, &kept.promised) {
                settle(&mut kept.statement, StatementState::Done, at);
            }
        }
        self.acted = true;
    }

    /// The context was compacted here; `summary` is what took its place, when known.
    pub fn compacted(&mut self, summary: Option<&str>, at: &Source) {
        // Without its summary nothing can be told to be missing from it.
        let Some(summary) = summary else { return };
        // What takes the place of the context may come in several texts: each adds to what is not lost.
        let first = !std::mem::replace(&mut self.summarised, true);
        let mut told: Vec<bool> = vec![false; self.decisions.len()];
        for sentence in summary_lines(summary) {
            let mut stems = content(&words(sentence));
            stems.sort_unstable();
            for (kept, told) in self.decisions.iter().zip(&mut told) {
                *told = *told || decisions::restates(&stems, &kept.about);
            }
        }
        for (kept, told) in self.decisions.iter_mut().zip(told) {
            if kept.decision.at.seq <= at.seq && kept.decision.superseded_by.is_none() {
                kept.decision.forgotten = !told && (first || kept.decision.forgotten);
            }
        }
    }

    /// Promises of the agent, oldest first.
    pub fn promises(&self) -> Vec<Statement> {
        // A text with nothing after it is how a turn ends where no record says so.
        let ended = !self.acted;
        self.promises
            .iter()
            .map(|kept| {
                let mut kept = kept.clone();
                if ended && kept.turn == self.turns && kept.text < self.texts {
                    kept.pass();
                }
                kept.statement
            })
            .collect()
    }

    /// Questions of the person that got no answer.
    pub fn unanswered(&self) -> Vec<Statement> {
        self.unanswered.iter().chain(&self.pending).map(|kept| kept.statement.clone()).collect()
    }

    /// Questions of the agent that the person did not answer.
    pub fn asked_person(&self) -> Vec<Statement> {
        let asking = self.asking.iter().map(|quote| statement(&quote.text, &quote.at));
        self.asked.iter().map(|asked| asked.statement.clone()).chain(asking).collect()
    }

    /// Decisions of both, oldest first.
    pub fn decisions(&self) -> Vec<Decision> {
        self.decisions.iter().map(|kept| kept.decision.clone()).collect()
    }

    /// The agent's newest claim that the work is done, unless the person asked for more after it.
    pub fn claimed_done(&self) -> Option<Quote> {
        self.claim.clone()
    }

    fn end_turn(&mut self) {
        for quote in std::mem::take(&mut self.asking) {
            push(&mut self.asked, Asked { statement: statement(&quote.text, &quote.at), with_tool: false }, QUESTIONS);
        }
        for question in std::mem::take(&mut self.pending) {
            push(&mut self.unanswered, question, QUESTIONS);
        }
        let (texts, turns) = (self.texts, self.turns);
        for kept in self.promises.iter_mut().filter(|kept| kept.turn == turns && kept.text < texts) {
            kept.pass();
        }
        self.turns += u64::from(std::mem::take(&mut self.in_turn));
    }

    fn promise(&mut self, sentence: &Sentence, promised: Promised, at: &Source) {
        let text = if sentence.place == Place::Remaining { format!("Remaining: {}", sentence.text) } else { sentence.text.clone() };
        let text = fold(&text);
        for old in self.promises.iter_mut().filter(|old| old.statement.state == StatementState::Open) {
            let same = old.promised.parts.len() == promised.parts.len()
                && old.promised.parts.iter().zip(&promised.parts).all(|(a, b)| deeds::same_action(a, b));
            if same || old.statement.text == text {
                settle(&mut old.statement, StatementState::Superseded, at);
            }
        }
        let kept = KeptPromise { statement: statement(&text, at), promised, text: self.texts, turn: self.turns, kept: 0, acted: None };
        self.promises.push_back(kept);
        if self.promises.len() > PROMISES {
            let settled = self.promises.iter().position(|kept| kept.statement.state != StatementState::Open);
            self.promises.remove(settled.unwrap_or(0));
        }
    }

    /// What the agent says of what it did, or gave up.
    fn report(&mut self, said: &[Word], at: &Source) {
        if !self.promises.iter().any(|kept| kept.statement.state == StatementState::Open) {
            return;
        }
        let gives_up = promises::gives_up(said);
        let done = !gives_up && is_report(said);
        if !gives_up && !done {
            return;
        }
        let about = content(said);
        let (texts, turn) = (self.texts, self.turns);
        for kept in self.promises.iter_mut().filter(|kept| kept.statement.state == StatementState::Open && kept.text < texts) {
            let Some(part) = kept.promised.parts.last() else { continue };
            let covers = part.objects.len() + part.named.len() > 0
                && part.objects.iter().all(|stem| about.contains(stem))
                && part.named.iter().all(|name| name.iter().all(|stem| about.contains(stem)));
            if !covers {
                continue;
            }
            if gives_up {
                settle(&mut kept.statement, StatementState::Superseded, at);
            } else if kept.acted.is_some() && (kept.promised.when != When::Later || kept.turn < turn) && !part.can_be_seen {
                settle(&mut kept.statement, StatementState::Done, at);
            }
        }
    }

    fn withdraw(&mut self, said: &[Sentence], at: &Source) {
        let texts = self.texts;
        let last_turn = self.turns;
        for (index, sentence) in said.iter().take(OF_ONE_TEXT).enumerate() {
            let words = &sentence.words;
            let Some(refusal) = refusal(words, index == 0) else { continue };
            let about = content(words.get(refusal.rest..).unwrap_or_default());
            for kept in self.promises.iter_mut().filter(|kept| kept.statement.state == StatementState::Open) {
                let just_said = kept.text == texts && kept.turn + 1 == last_turn;
                let named = kept.promised.parts.iter().any(|part| {
                    let objects: Vec<Stem> = part.objects.iter().chain(part.named.iter().flatten()).copied().collect();
                    let hits = objects.iter().filter(|stem| about.contains(stem)).count();
                    hits > 0 && hits * 2 >= objects.len() && (just_said || about.contains(&part.verb))
                        || just_said && about.first() == Some(&part.verb) && about.len() == 1
                });
                if named || just_said && (refusal.of_all || about.is_empty()) {
                    settle(&mut kept.statement, StatementState::Withdrawn, at);
                }
            }
        }
    }

    /// A text about an older question answers it too.
    fn answer(&mut self, said: &[Word]) {
        if self.unanswered.is_empty() {
            return;
        }
        let about = content(said);
        self.unanswered.retain(|kept| !questions::is_about(&kept.about, &about));
    }

    fn decide(&mut self, said: &[Sentence], speaker: Speaker, answering: bool, at: &Source) {
        let mut taken = 0;
        for sentence in said {
            self.restate(&sentence.words);
            if taken >= OF_ONE_TEXT {
                continue;
            }
            let Some(decided) = decisions::read(sentence, speaker, answering) else { continue };
            taken += 1;
            let text = fold(&sentence.text);
            let about = decisions::stems(&decided);
            let again =
                |old: &KeptDecision| old.decision.superseded_by.is_none() && old.decision.speaker == speaker && old.decision.text == text;
            if self.decisions.iter().any(again) {
                continue;
            }
            for old in self.decisions.iter_mut().filter(|old| old.decision.superseded_by.is_none()) {
                // The agent does not overrule the person.
                let may = speaker == Speaker::Person || old.decision.speaker == Speaker::Agent;
                if may && decisions::replaces(&decided, &old.decided) {
                    old.decision.superseded_by = Some(at.clone());
                }
            }
            let decision = Decision { speaker, text, at: at.clone(), superseded_by: None, forgotten: false };
            self.add_decision(KeptDecision { decision, decided, about, question: None });
        }
    }

    /// What is said again after a compaction is not forgotten.
    fn restate(&mut self, said: &[Word]) {
        if !self.decisions.iter().any(|kept| kept.decision.forgotten) {
            return;
        }
        let mut stems = content(said);
        stems.sort_unstable();
        for kept in self.decisions.iter_mut().filter(|kept| kept.decision.forgotten) {
            kept.decision.forgotten = !decisions::restates(&stems, &kept.about);
        }
    }

    fn add_decision(&mut self, kept: KeptDecision) {
        self.decisions.push_back(kept);
        if self.decisions.len() > DECISIONS {
            let superseded = self.decisions.iter().position(|kept| kept.decision.superseded_by.is_some());
            self.decisions.remove(superseded.unwrap_or(0));
        }
    }
}

impl KeptPromise {
    /// The turn that announced it went on to its end: a step of it that no record can show was done in it.
    fn pass(&mut self) {
        let seen = self.promised.parts.iter().any(|part| part.can_be_seen);
        let began = self.kept != 0;
        if self.statement.state == StatementState::Open
            && self.promised.when != When::Later
            && (!seen || began)
            && let Some(at) = self.acted.clone()
        {
            settle(&mut self.statement, StatementState::Done, &at);
        }
    }
}

struct Refusal {
    /// Where its own words begin.
    rest: usize,
    /// Whether it refuses whatever was announced.
    of_all: bool,
}

fn refusal(words: &[Word], first: bool) -> Option<Refusal> {
    if let Some(word) = words.first()
        && first
        && matches!(word.text.as_str(), "no" | "nope" | "nah" | "stop" | "wait")
        && (word.pause || words.len() == 1)
    {
        return Some(Refusal { rest: 1, of_all: word.text != "wait" });
    }
    const ALL: &[&str] = &[
        "never mind",
        "nevermind",
        "forget it",
        "forget that",
        "cancel that",
        "leave it",
        "leave that",
        "not now",
        "no need",
        "don't bother",
        "skip it",
        "skip that",
        "don't do that",
        "don't do it",
        "please don't do that",
        "drop it",
    ];
    if let Some(phrase) = ALL.iter().find(|phrase| stands(words, 0, phrase)) {
        return Some(Refusal { rest: phrase.split(' ').count(), of_all: true });
    }
    const SOME: &[&str] = &[
        "don't",
        "dont",
        "do not",
        "please don't",
        "please do not",
        "skip",
        "cancel",
        "forget about",
        "no need to",
        "no need for",
        "stop",
        "leave",
        "you don't need to",
        "we don't need",
    ];
    let skip =
        usize::from(words.first().is_some_and(|word| matches!(word.text.as_str(), "and" | "but" | "also" | "actually" | "ok" | "yes")));
    SOME.iter().find(|phrase| stands(words, skip, phrase)).map(|phrase| Refusal { rest: skip + phrase.split(' ').count(), of_all: false })
}

/// "I added …", "… is in", "… now works": said of something done.
fn is_report(words: &[Word]) -> bool {
    if has_any(
        words,
        &[
            "not",
            "isn't",
            "didn't",
            "haven't",
            "hasn't",
            "still",
            "will",
            "should",
            "would",
            "need to",
            "needs",
            "todo",
            "remaining",
            "can't",
            "cannot",
            "but",
            "fails",
            "failed",
            "if",
            "once",
            "when",
            "until",
        ],
    ) {
        return false;
    }
    has_any(words, &["done", "is in", "are in", "in place", "now works", "works now", "is complete", "is finished", "is ready"])
        || words.iter().take(12).any(|word| {
            !word.foreign
                && (word.text.len() > 4 && word.text.ends_with("ed")
                    || matches!(word.text.as_str(), "wrote" | "ran" | "made" | "built" | "did" | "rewrote"))
        })
}

fn summary_lines(summary: &str) -> impl Iterator<Item = &str> {
    const SUMMARY: usize = 256 << 10;
    summary
        .get(..summary.floor_char_boundary(SUMMARY))
        .unwrap_or_default()
        .lines()
        .flat_map(|line| line.split_inclusive(". "))
        .map(|line| line.get(..line.floor_char_boundary(TEXT)).unwrap_or_default())
        .take(4000)
}

fn settle(statement: &mut Statement, state: StatementState, at: &Source) {
    statement.state = state;
    statement.settled_by = Some(at.clone());
}

fn statement(text: &str, at: &Source) -> Statement {
    Statement { text: fold(text), at: at.clone(), state: StatementState::Open, settled_by: None }
}

/// One line of at most [`TEXT`] bytes.
fn fold(text: &str) -> String {
    let cut = text.get(..text.floor_char_boundary(TEXT)).unwrap_or_default();
    let mut out = String::with_capacity(cut.len());
    for word in cut.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn push<T>(queue: &mut VecDeque<T>, item: T, most: usize) {
    queue.push_back(item);
    if queue.len() > most {
        queue.pop_front();
    }
}
