//! What others did in the checkout since the session.

use std::collections::BTreeMap;

use super::compose::Cleaner;
use super::report::Since;
use super::session::Session;
use crate::checkout::{LogEntry, Look, LookState};
use crate::contract::checkout::{FileState, Place};
use crate::contract::types::Millis;

/// File systems and shells do not write at the instant their record says.
const GRACE: Millis = 2_000;

/// Drift since the session's last record. None: without a time, or where git could not be read.
pub fn since(session: &Session<'_>, look: &Look, here: &Place, files: &[FileState], clean: &Cleaner) -> Option<Since> {
    let ended = session.ended?;
    if !matches!(look.state, LookState::Read | LookState::Bare) {
        return None;
    }
    let own = |entry: &LogEntry| {
        session.commits.iter().any(|commit| match &commit.hash {
            Some(hash) => entry.hash.starts_with(hash.as_str()),
            None => commit.subject.as_deref() == Some(entry.subject.as_str()),
        })
    };
    let newer: Vec<&LogEntry> = look.log.iter().filter(|entry| entry.time > ended && !own(entry)).collect();
    let mut authors: BTreeMap<&str, u32> = BTreeMap::new();
    for entry in &newer {
        *authors.entry(entry.author.as_str()).or_default() += 1;
    }
    let mut authors: Vec<(&str, u32)> = authors.into_iter().collect();
    authors.sort_by_key(|(_, commits)| std::cmp::Reverse(*commits));
    let root = here.root.as_deref().unwrap_or(&here.directory);
    let changed_again = session
        .changed
        .iter()
        .filter(|file| {
            let relative = relative(&file.path, root);
            let committed = newer.iter().any(|entry| entry.files.iter().any(|touched| touched == relative));
            let state = files.iter().find(|state| state.path == file.path);
            // Gone, or written on disk after the session.
            let on_disk =
                state.is_some_and(|state| !state.exists || state.modified.is_some_and(|modified| modified > ended.saturating_add(GRACE)));
            committed || on_disk
        })
        .map(|file| clean.path(relative(&file.path, root)))
        .collect();
    Some(Since {
        commits: u32::try_from(newer.len()).unwrap_or(u32::MAX),
        more: !look.log_complete && newer.len() == look.log.len(),
        authors: authors.into_iter().map(|(author, _)| clean.text(author)).collect(),
        changed_files: u32::try_from(session.changed.len()).unwrap_or(u32::MAX),
        changed_again,
    })
}

/// A path as seen from the root, where it lies below it.
pub fn relative<'a>(path: &'a str, root: &str) -> &'a str {
    path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}
