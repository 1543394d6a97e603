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
