//! Commits that a command made.

use super::Reading;
use crate::contract::types::{Commit, Source};

/// Commits named by one output.
const MAX_COMMITS: usize = 200;

/// Commits that a finished command made: those that git's own output names (`[branch abc1234] subject`), else, when it printed nothing and did not
/// fail, the one that the command line asks for, without a hash.
pub fn commits_in(reading: &Reading, output: &str, failed: bool, at: &Source) -> Vec<Commit> {
    let named: Vec<Commit> = output.lines().filter_map(|line| commit(line.trim_end(), at)).take(MAX_COMMITS).collect();
    if !named.is_empty() || failed {
        return named;
    }
    let asked = reading.asked_commit.as_ref().filter(|asked| asked.quiet || output.trim().is_empty());
    asked.map(|asked| Commit { hash: None, subject: asked.subject.clone(), branch: None, at: at.clone() }).into_iter().collect()
}

fn commit(line: &str, at: &Source) -> Option<Commit> {
    let (head, subject) = line.strip_prefix('[')?.split_once("] ")?;
    let (before, hash) = head.rsplit_once(' ')?;
    let hex = (7..=64).contains(&hash.len()) && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let branch = before.strip_suffix(" (root-commit)").unwrap_or(before);
    if !hex || branch.is_empty() {
        return None;
    }
    let detached = branch == "detached HEAD";
    // A branch's name holds no space; anything else in brackets is some other tool's line.
    if !detached && branch.contains(char::is_whitespace) {
        return None;
    }
    let subject = subject.trim();
    Some(Commit {
        hash: Some(hash.to_owned()),
        subject: (!subject.is_empty()).then(|| subject.chars().take(400).collect()),
        branch: (!detached).then(|| branch.to_owned()),
        at: at.clone(),
    })
}
