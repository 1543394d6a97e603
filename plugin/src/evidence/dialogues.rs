//! Small dialogues with the states that they leave.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]

use proptest::prelude::*;

use super::{Action, Statements};
use crate::contract::types::{Source, Speaker, StatementState};

/// Plays one line an event:
/// `P:` the person, `A:` the agent, `$` a command, `!` one that failed, `edit`, `commit`, `tool`, `ask`, `answer q = a`, `end`, `stop`, `compact` with a summary, `boundary`.
fn play(lines: &[&str]) -> Statements {
    let mut statements = Statements::default();
    for (line, seq) in lines.iter().zip(1..) {
        let at = Source { agent: None, seq, time: Some(seq as i64 * 1000) };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "P:" => statements.person_said(rest, &at),
            "A:" => statements.agent_said(rest, &at),
            "$" => statements.acted(Action::Command { line: rest, failed: false }, &at),
            "!" => statements.acted(Action::Command { line: rest, failed: true }, &at),
            "edit" => statements.acted(Action::Edit { path: rest }, &at),
            "commit" => statements.acted(Action::Commit { subject: rest }, &at),
            "tool" => {
                let (name, input) = rest.split_once(' ').unwrap_or((rest, "{}"));
                statements.acted(Action::Tool { name, input }, &at);
            }
            "ask" => statements.agent_asked(rest, &at),
            "answer" => {
                let (question, answer) = rest.split_once(" = ").unwrap();
                statements.person_answered(question, answer, &at);
            }
            "end" => statements.turn_ended(&at),
            "stop" => statements.interrupted(&at),
            "compact" => statements.compacted(Some(rest), &at),
            "boundary" => statements.compacted(None, &at),
            other => panic!("{other}"),
        }
    }
    statements
}

fn state(state: StatementState, by: Option<&Source>) -> String {
    let word = match state {
        StatementState::Open => "open",
        StatementState::Done => "done",
        StatementState::Superseded => "superseded",
        StatementState::Withdrawn => "withdrawn",
    };
    by.map_or_else(|| word.to_owned(), |by| format!("{word} {}", by.seq))
}

fn states(statements: &Statements) -> Vec<String> {
    let mut out = Vec::new();
    for (name, list) in [("promise", statements.promises()), ("unanswered", statements.unanswered()), ("asked", statements.asked_person())]
    {
        out.extend(list.iter().map(|one| format!("{name} {} {}", one.at.seq, state(one.state, one.settled_by.as_ref()))));
    }
    for decision in statements.decisions() {
        let speaker = if decision.speaker == Speaker::Person { "person" } else { "agent" };
        let by = decision.superseded_by.map_or_else(String::new, |by| format!(" superseded {}", by.seq));
        let forgotten = if decision.forgotten { " forgotten" } else { "" };
        out.push(format!("decision {} {speaker}{by}{forgotten}", decision.at.seq));
    }
    out.extend(statements.claimed_done().map(|claim| format!("claim {}", claim.at.seq)));
    out
}

#[track_caller]
fn leaves(lines: &[&str], expected: &[&str]) {
    assert_eq!(states(&play(lines)), expected, "{lines:#?}");
}

#[test]
fn a_promise_is_kept_by_the_action_that_it_names() {
    leaves(
        &["A: I'll re-run the export once the schema lands.", "end", "P: it landed", "$ python export.py", "end"],
        &["promise 1 done 4"],
    );
    leaves(&["A: I'll run the test suite once the edit is in.", "edit src/importer.ts", "$ npm test"], &["promise 1 done 3"]);
    leaves(&["A: I'll commit this after the review.", "end", "P: ok", "commit fix: the importer"], &["promise 1 done 4"]);
    leaves(&["A: I'll commit this after the review.", "end", "P: ok", "$ git -C web commit -qm fix"], &["promise 1 done 4"]);
    leaves(
        &["A: I'll run `cargo test -p web` when the build is done.", "$ cargo build", "$ cargo test -p web --quiet"],
        &["promise 1 done 3"],
    );
    leaves(&["A: Then I'll delete the stale worktree.", "end", "P: go", "$ git worktree remove ../stale"], &["promise 1 done 4"]);
    leaves(&["A: I'll update the README once the API is final.", "edit src/api.rs", "edit README.md"], &["promise 1 done 3"]);
    leaves(&["A: I'll handle `src/LandingPage.tsx` in the next step.", "edit /p/src/LandingPage.tsx"], &["promise 1 done 2"]);
    leaves(&["A: I'll push the branch once CI is green.", "$ git push -u origin feat/x"], &["promise 1 done 2"]);
    leaves(&["A: I'll open a PR once the tests pass.", "$ cargo test", "$ gh pr create --fill"], &["promise 1 done 3"]);
    leaves(
        &["A: I'll fix the importer, then run the tests and commit.", "edit src/importer.rs", "$ cargo test", "commit importer: fix"],
        &["promise 1 done 4"],
    );
    leaves(
        &["A: I'll check the server logs tomorrow.", "end", "P: now", "tool Read {\"file_path\":\"/var/server.log\"}"],
        &["promise 1 done 4"],
    );
}

#[test]
fn what_does_not_match_keeps_nothing() {
    leaves(&["A: I'll re-run the export once the schema lands.", "end", "P: ok", "! python export.py"], &["promise 1 open"]);
    leaves(&["A: I'll re-run the export once the schema lands.", "$ cat export.py", "$ grep -n export src/*.py"], &["promise 1 open"]);
    leaves(&["A: I'll run the test suite once the edit is in.", "$ cat tests/importer.ts", "$ ls tests | head"], &["promise 1 open"]);
    leaves(&["A: I'll commit this after the review.", "$ git log --oneline", "$ git status", "edit src/lib.rs"], &["promise 1 open"]);
    leaves(&["A: I'll update the README once the API is final.", "edit src/api.rs"], &["promise 1 open"]);
    leaves(&["A: I'll delete the stale worktree after the merge.", "$ git worktree list"], &["promise 1 open"]);
}

#[test]
fn what_is_done_at_once_is_no_loose_end() {
    leaves(
        &["P: fix", "A: I'll look at the importer and its callers.", "tool Read {\"file_path\":\"/p/a.ts\"}", "A: It is wrong."],
        &["promise 2 done 3"],
    );
    leaves(&["P: fix", "A: I'll tidy up the state handling now.", "edit src/store.ts", "end"], &["promise 2 done 3"]);
    leaves(&["P: fix", "A: Let me look at the importer first.", "tool Read {}", "end"], &[]);
    leaves(
        &[
            "P: fix",
            "A: I'll simplify the state handling. I'll rework the hover effect.",
            "edit src/a.ts",
            "edit src/b.ts",
            "A: Both look better.",
            "end",
        ],
        &["promise 2 done 4", "promise 2 done 4"],
    );
}

#[test]
fn the_last_words_before_the_end_stay_open() {
    leaves(&["P: fix", "A: I'll now rewrite the whole hover effect."], &["promise 2 open"]);
    leaves(&["P: fix", "edit a.rs", "A: Fixed it. Next I'll rework the hover effect.", "end"], &["promise 3 open"]);
    leaves(
        &["P: fix", "A: I'll also update the changelog for this.", "edit src/a.ts", "A: The parser is better.", "end"],
        &["promise 2 open"],
    );
}

#[test]
fn a_promise_is_replaced_by_a_later_one() {
    leaves(
        &["A: I'll re-run the export tomorrow morning.", "end", "A: I'll re-run the export once the schema lands.", "end"],
        &["promise 1 superseded 3", "promise 3 open"],
    );
    leaves(
        &["A: I'll delete the stale worktree after the merge.", "end", "P: hm", "A: I won't delete the stale worktree.", "end"],
        &["promise 1 superseded 4"],
    );
}

#[test]
fn a_promise_is_withdrawn_when_the_person_says_no() {
    leaves(&["A: Then I'll delete the stale worktree.", "end", "P: no, leave it"], &["promise 1 withdrawn 3"]);
    leaves(
        &["A: Then I'll delete the stale worktree.", "end", "P: Don't delete the worktree."],
        &["promise 1 withdrawn 3", "decision 3 person"],
    );
    leaves(&["A: Then I'll delete the stale worktree.", "end", "P: never mind"], &["promise 1 withdrawn 3"]);
    leaves(
        &["A: I'll update the docs later. I'll push the branch later on.", "end", "P: skip the docs"],
        &["promise 1 withdrawn 3", "promise 1 open"],
    );
    leaves(&["A: Then I'll delete the stale worktree.", "end", "P: No errors here, go on"], &["promise 1 open"]);
    leaves(
        &["A: Then I'll delete the stale worktree.", "end", "P: ok", "A: I see.", "end", "P: no, use tabs instead"],
        &["promise 1 open", "decision 6 person"],
    );
}

#[test]
fn a_question_waits_until_the_person_speaks() {
    leaves(&["P: fix", "A: Two entry points. Which of the two should I keep?", "end"], &["asked 2 open"]);
    leaves(&["P: fix", "A: Which of the two should I keep?", "end", "P: the first"], &["asked 2 done 4"]);
    leaves(&["P: fix", "A: Which of the two should I keep?", "edit a.rs", "A: I kept both.", "end"], &[]);
    leaves(&["P: fix", "ask Which column name?", "answer Which column name? = order_id"], &["asked 2 done 3", "decision 3 person"]);
    leaves(&["P: fix", "ask Which column name?"], &["asked 2 open"]);
    leaves(
        &["ask Which name?", "answer Which name? = alpha", "ask Which name?", "answer Which name? = beta"],
        &["asked 1 done 2", "asked 3 done 4", "decision 2 person superseded 4", "decision 4 person"],
    );
}

#[test]
fn an_answer_to_a_question_is_a_choice() {
    leaves(
        &["P: fix", "A: I'll add a section — should I use `id,total` or `order_id,total`?", "end", "P: Use order_id,total."],
        &["asked 2 done 4", "decision 4 person"],
    );
    leaves(&["P: fix", "A: Fixed.", "end", "P: Use the small sample."], &[]);
}

#[test]
fn a_question_of_the_person_waits_for_text() {
    leaves(&["P: What does the export column mean?", "A: It is the order's id.", "end"], &[]);
    leaves(&["P: What does the export column mean?", "$ cat export.py", "end"], &["unanswered 1 open"]);
    leaves(&["P: What does the export column mean?"], &["unanswered 1 open"]);
    leaves(&["P: What does the export column mean?", "A: Let me look at it.", "$ cat export.py", "stop", "end"], &["unanswered 1 open"]);
    leaves(&["P: What does the export column mean?", "A: Let me look at it.", "$ cat export.py", "A: It is the id.", "end"], &[]);
    leaves(
        &[
            "P: What does the export column mean?",
            "end",
            "P: What is the meaning of the export column?",
            "A: The export column is an id.",
            "end",
        ],
        &[],
    );
    leaves(&["P: What does the export column mean?", "end", "P: fix the build", "A: Fixed it.", "end"], &["unanswered 1 open"]);
}

#[test]
fn a_decision_is_replaced_or_forgotten() {
    leaves(
        &["P: Let's use Redis for the cache.", "P: Let's use SQLite for the cache."],
        &["decision 1 person superseded 2", "decision 2 person"],
    );
    leaves(&["P: Let's use Redis for the cache.", "A: I'm going with SQLite for the cache."], &["decision 1 person", "decision 2 agent"]);
    leaves(
        &["A: I'm going with SQLite for the cache.", "P: Use Redis instead of SQLite."],
        &["decision 1 agent superseded 2", "decision 2 person"],
    );
    leaves(&["P: Don't touch the migrations.", "boundary", "compact The task is the importer."], &["decision 1 person forgotten"]);
    leaves(&["P: Don't touch the migrations.", "boundary", "compact The user said: never touch migrations."], &["decision 1 person"]);
    leaves(&["P: Don't touch the migrations.", "compact The importer.", "A: As said, the migrations I touch not."], &["decision 1 person"]);
    leaves(&["P: Don't touch the migrations.", "boundary"], &["decision 1 person"]);
    leaves(
        &["P: Don't touch the migrations.", "boundary", "compact Never touch migrations.", "compact The importer."],
        &["decision 1 person"],
    );
    leaves(
        &["P: Don't touch the migrations.", "boundary", "compact The importer.", "compact Never touch migrations."],
        &["decision 1 person"],
    );
    leaves(&["P: Don't touch the migrations.", "A: ok", "P: Don't touch the migrations."], &["decision 1 person"]);
}

#[test]
fn a_claim_stands_until_the_person_asks_for_more() {
    leaves(&["P: fix", "A: The fix is in and tests pass.", "end"], &["claim 2"]);
    leaves(&["P: fix", "A: All done.", "end", "P: thanks, great work"], &["claim 2"]);
    leaves(&["P: fix", "A: All done.", "end", "P: now the exporter"], &[]);
    leaves(&["P: fix", "A: Done.", "edit a.rs"], &[]);
}

#[test]
fn the_state_stays_bounded() {
    let mut statements = Statements::default();
    for seq in 1..2000_u64 {
        let at = Source { agent: None, seq, time: None };
        statements.agent_said(&format!("I'll rewrite module{seq} once part{seq} lands. Which module{seq} should I keep?"), &at);
        statements.person_said(&format!("Don't touch folder{seq} at all. What about thing{seq} and other{seq}?"), &at);
        statements.turn_ended(&at);
    }
    assert!(statements.promises().len() <= 200 && statements.decisions().len() <= 200);
    assert!(statements.asked_person().len() <= 60 && statements.unanswered().len() <= 110);
    assert!(postcard::to_stdvec(&statements).unwrap().len() < 300_000);
}

/// The state is as large as it gets, and each line is still read in a bounded time.
#[test]
fn a_full_state_is_asked_often() {
    let mut statements = Statements::default();
    let at = Source { agent: None, seq: 1, time: None };
    for count in 0..200 {
        statements.agent_said(&format!("I'll rewrite module{count} once part{count} lands."), &at);
        statements.person_said(&format!("Don't touch folder{count} at all."), &at);
    }
    statements.compacted(Some("nothing"), &at);
    for count in 0..2000 {
        statements.acted(Action::Command { line: "cargo build --release && ./target/release/reveille wake", failed: false }, &at);
        statements.agent_said(&format!("The build of part {count} is larger than the one before, and it starts in less time."), &at);
    }
    assert_eq!(statements.promises().iter().filter(|promise| promise.state == StatementState::Open).count(), 200);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_dialogue_is_taken_and_saved(texts in prop::collection::vec("(I'll |let me |don't |use |instead |once |\\PC|`|\"|\\. |\\? |\n- |\n){0,60}", 0..12)) {
        let mut statements = Statements::default();
        for (text, seq) in texts.iter().zip(1..) {
            let at = Source { agent: None, seq, time: None };
            match seq % 7 {
                0 => statements.person_said(text, &at),
                1 => statements.acted(Action::Command { line: text, failed: false }, &at),
                2 => statements.compacted(Some(text), &at),
                3 => statements.acted(Action::Edit { path: text }, &at),
                4 => statements.person_answered(text, text, &at),
                5 => statements.acted(Action::Tool { name: text, input: text }, &at),
                _ => statements.agent_said(text, &at),
            }
            let _ = (statements.promises(), statements.decisions(), statements.asked_person(), statements.unanswered(), statements.claimed_done());
        }
        let saved = postcard::to_stdvec(&statements).unwrap();
        prop_assert_eq!(postcard::from_bytes::<Statements>(&saved).unwrap(), statements);
    }
}
