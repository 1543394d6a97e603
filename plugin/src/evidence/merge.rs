//! A sub-agent's work keeps its parent's promises: judged when the session's files are put together.

use super::outcome::order;
use super::promises::{Promised, promised};
use super::{Action, keeping};
use crate::contract::types::{Commit, Edit, Run, Source, Statement, StatementState, Verdict};

/// Settles open promises by what sub-agents did after them. Only actions with a time count: lines of two files have no order.
pub fn keep_with(promises: &mut [Statement], runs: &[Run], edits: &[Edit], commits: &[Commit]) {
    let mut open: Vec<(&mut Statement, Promised, u8)> = promises
        .iter_mut()
        .filter(|promise| promise.state == StatementState::Open && promise.at.time.is_some())
        .filter_map(|promise| promised(&promise.text).map(|read| (promise, read, 0)))
        .collect();
    if open.is_empty() {
        return;
    }
    let runs = runs
        .iter()
        .filter(|run| run.verdict == Verdict::Passed)
        .map(|run| (Action::Command { line: &run.command, failed: false }, run.result_at.as_ref().unwrap_or(&run.at)));
    let edits = edits.iter().filter_map(|edit| edit.path.as_deref().map(|path| (Action::Edit { path }, &edit.at)));
    let commits = commits.iter().map(|commit| (Action::Commit { subject: commit.subject.as_deref().unwrap_or_default() }, &commit.at));
    let mut actions: Vec<(Action<'_>, &Source)> = runs.chain(edits).chain(commits).filter(|(_, at)| at.time.is_some()).collect();
    actions.sort_by(|a, b| order(a.1, b.1));
    for (action, at) in actions {
        let Some(done) = keeping::read(action) else { continue };
        for (promise, read, kept) in &mut open {
            if promise.state == StatementState::Open && order(&promise.at, at).is_lt() {
                *kept |= keeping::kept_parts(&done, read);
                if keeping::is_whole(*kept, read) {
                    promise.state = StatementState::Done;
                    promise.settled_by = Some(at.clone());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]
    use super::*;
    use crate::contract::types::{EditMeans, RunKind};

    fn at(agent: Option<&str>, seq: u64, time: Option<i64>) -> Source {
        Source { agent: agent.map(str::to_owned), seq, time }
    }

    fn promise(text: &str, time: Option<i64>) -> Statement {
        Statement { text: text.to_owned(), at: at(None, 90, time), state: StatementState::Open, settled_by: None }
    }

    fn run(command: &str, verdict: Verdict, time: i64) -> Run {
        Run {
            kind: RunKind::Run,
            command: command.to_owned(),
            program: command.to_owned(),
            directory: None,
            packages: Vec::new(),
            targets: Vec::new(),
            at: at(Some("7f3a"), 3, Some(time)),
            result_at: None,
            verdict,
            cause: None,
            counts: None,
        }
    }

    #[track_caller]
    fn kept(promise: Statement, runs: &[Run], edits: &[Edit], expected: StatementState) {
        let mut promises = [promise];
        keep_with(&mut promises, runs, edits, &[]);
        assert_eq!(promises[0].state, expected);
        assert_eq!(promises[0].settled_by.is_some(), expected == StatementState::Done);
    }

    #[test]
    fn a_sub_agent_keeps_its_parents_promise() {
        let export = "I'll re-run the export once the schema lands.";
        let edit = Edit { path: Some("/p/README.md".to_owned()), means: EditMeans::Tool, at: at(Some("7f3a"), 4, Some(60)) };
        kept(promise(export, Some(50)), &[run("python export.py", Verdict::Passed, 60)], &[], StatementState::Done);
        kept(promise("I'll update the README in a follow-up.", Some(50)), &[], &[edit], StatementState::Done);
        kept(promise(export, Some(50)), &[run("python export.py", Verdict::Failed, 60)], &[], StatementState::Open);
        kept(promise(export, Some(50)), &[run("python export.py", Verdict::Passed, 40)], &[], StatementState::Open);
        kept(promise(export, None), &[run("python export.py", Verdict::Passed, 60)], &[], StatementState::Open);
    }
}
