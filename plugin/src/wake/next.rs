//! What stands in the way and what comes next, and what must be asked of the machine to tell.

use super::compose::{Cleaner, at, run};
use super::report::{LooseEnd, Next};
use super::session::Session;
use crate::checkout::{reach_command, reachable, read_look};
use crate::contract::checkout::{FileState, GitAnswer};
use crate::contract::types::{Run, StatementState, TaskStatus};
use crate::contract::wake::Needs;

/// Files whose state is asked for: of those the session changed, the most edited.
const FILES: usize = 100;
/// Unresolved failures whose scope is asked for.
const FAILURES: usize = 20;

/// The second look: whether HEAD holds the session's last commit, when the log does not say; whether changed files and the scopes of failures still exist.
pub fn needs(session: &Session<'_>, git: &[GitAnswer]) -> Needs {
    let look = read_look(git);
    // Only what is a hash goes to git.
    let is_hash = |hash: &&str| (7..=64).contains(&hash.len()) && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    let hash = session.commits.iter().rev().find_map(|commit| commit.hash.as_deref().filter(is_hash));
    let git = hash.filter(|hash| look.head.is_some() && reachable(git, hash, &look).is_none()).map(reach_command).into_iter().collect();
    let mut files: Vec<String> = session.changed.iter().take(FILES).map(|file| file.path.clone()).collect();
    files.extend(session.ledger.unresolved.iter().take(FAILURES).flat_map(scope_paths));
    files.sort();
    files.dedup();
    Needs { git, files }
}

/// The paths that a run is about: its directory, and the targets that are files.
fn scope_paths(run: &Run) -> Vec<String> {
    let mut paths: Vec<String> = run.directory.iter().cloned().collect();
    paths.extend(target_paths(run));
    paths
}

fn target_paths(run: &Run) -> Vec<String> {
    run.targets
        .iter()
        .filter_map(|target| {
            let file = target.split("::").next().unwrap_or_default().trim_end_matches("/...");
            if !file.contains('/') && !file.contains('.') || file.contains('*') {
                return None;
            }
            match (file.starts_with('/'), &run.directory) {
                (true, _) => Some(file.to_owned()),
                (false, Some(directory)) => Some(format!("{}/{}", directory.trim_end_matches('/'), file.trim_start_matches("./"))),
                (false, None) => None,
            }
        })
        .collect()
}

/// Unless every file it is about is known to be gone, or its directory is.
fn still_exists(run: &Run, files: &[FileState]) -> bool {
    let gone = |path: &String| files.iter().any(|state| state.path == *path && !state.exists);
    if run.directory.as_ref().is_some_and(gone) {
        return false;
    }
    let targets = target_paths(run);
    targets.is_empty() || targets.len() < run.targets.len() || !targets.iter().all(gone)
}

/// Blocker and next step, of the session's loose ends in their order.
pub fn next(session: &Session<'_>, ends: &[LooseEnd], files: &[FileState], clean: &Cleaner) -> Next {
    let blocker = session.ledger.unresolved.iter().find(|failed| still_exists(failed, files)).map(|failed| run(failed, clean));
    let facts = session.facts;
    let in_progress = facts.tasks.iter().any(|task| task.status == TaskStatus::InProgress);
    let promised = session.promises.iter().any(|promise| promise.state == StatementState::Open);
    let next = if in_progress || promised {
        ends.first()
    } else {
        // Of questions the oldest: it has waited longest.
        let oldest = facts
            .unanswered
            .iter()
            .chain(&facts.asked_person)
            .filter(|question| question.state == StatementState::Open)
            .min_by_key(|question| question.at.seq);
        oldest.and_then(|oldest| ends.iter().find(|end| end.at == at(&oldest.at)))
    };
    Next { blocker, next: next.cloned() }
}
