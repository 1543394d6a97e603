//! How far the work got, as it stands: not the furthest it ever was.
//!
//! | rung | what the records show |
//! |---|---|
//! | 1 | the agent said that it is done |
//! | 2 | files were changed |
//! | 3 | a check passed after the last change |
//! | 4 | committed after the last change |
//! | 5 | pushed, merged or released after the last commit |

use crate::contract::types::{Commit, Edit, Publication, Quote, Run, RunKind, Source, Verdict};

/// A rung with what proves it.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Nothing to show.
    None,
    /// Said to be done, and nothing was changed.
    Claimed(Source),
    /// Changed, and not checked or committed since.
    Changed(Source),
    /// Changed, and a check passed since.
    Checked(Source),
    /// Committed since the last change.
    Committed(Commit),
    /// Published since the last commit; the commit when one is known.
    Published(Publication, Option<Commit>),
}

impl Outcome {
    /// Its rung; 0 is none.
    pub fn rung(&self) -> u8 {
        match self {
            Self::None => 0,
            Self::Claimed(_) => 1,
            Self::Changed(_) => 2,
            Self::Checked(_) => 3,
            Self::Committed(_) => 4,
            Self::Published(..) => 5,
        }
    }
}

/// What the outcome is judged by: everything of a session and its sub-agents.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// All runs.
    pub runs: &'a [Run],
    /// All edits that are known.
    pub edits: &'a [Edit],
    /// All commits.
    pub commits: &'a [Commit],
    /// All publications.
    pub publications: &'a [Publication],
    /// The agent's claim that the work is done.
    pub claimed_done: Option<&'a Quote>,
}

/// The outcome.
pub fn outcome(work: Work<'_>) -> Outcome {
    let last_edit = work.edits.iter().map(|edit| &edit.at).max_by(|a, b| order(a, b));
    let after_edits = |at: &Source| last_edit.is_none_or(|edit| !order(at, edit).is_lt());
    let commit = work.commits.iter().max_by(|a, b| order(&a.at, &b.at)).filter(|commit| after_edits(&commit.at));
    let publication = work.publications.iter().max_by(|a, b| order(&a.at, &b.at)).filter(|publication| {
        after_edits(&publication.at) && work.commits.iter().all(|commit| !order(&publication.at, &commit.at).is_lt())
    });
    if let Some(publication) = publication {
        return Outcome::Published(publication.clone(), commit.cloned());
    }
    if let Some(commit) = commit {
        return Outcome::Committed(commit.clone());
    }
    let Some(edit) = last_edit else {
        return work.claimed_done.map_or(Outcome::None, |quote| Outcome::Claimed(quote.at.clone()));
    };
    let passed = work
        .runs
        .iter()
        .filter(|run| run.kind == RunKind::Check && run.verdict == Verdict::Passed && after_edits(&run.at))
        .max_by(|a, b| order(&a.at, &b.at));
    match passed {
        Some(run) => Outcome::Checked(run.at.clone()),
        None => Outcome::Changed(edit.clone()),
    }
}

/// Time decides where both have one, the line where they do not.
pub fn order(a: &Source, b: &Source) -> std::cmp::Ordering {
    match (a.time, b.time) {
        (Some(a_time), Some(b_time)) if a_time != b_time => a_time.cmp(&b_time),
        _ => a.seq.cmp(&b.seq),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::types::{EditMeans, PublicationKind};

    fn at(seq: u64) -> Source {
        Source { agent: None, seq, time: Some(i64::try_from(seq).unwrap_or(0) * 1000) }
    }

    fn edit(seq: u64) -> Edit {
        Edit { path: Some("/p/a".to_owned()), means: EditMeans::Tool, at: at(seq) }
    }

    fn check(seq: u64, verdict: Verdict) -> Run {
        Run {
            kind: RunKind::Check,
            command: "cargo test".to_owned(),
            program: "cargo test".to_owned(),
            directory: None,
            packages: Vec::new(),
            targets: Vec::new(),
            at: at(seq),
            result_at: None,
            verdict,
            cause: None,
            counts: None,
        }
    }

    fn commit(seq: u64) -> Commit {
        Commit { hash: Some("a25b9cd".to_owned()), subject: None, branch: None, at: at(seq) }
    }

    fn rung(edits: &[u64], passed: &[u64], commits: &[u64], pushes: &[u64], claimed: bool) -> u8 {
        let edits: Vec<Edit> = edits.iter().map(|seq| edit(*seq)).collect();
        let runs: Vec<Run> = passed.iter().map(|seq| check(*seq, Verdict::Passed)).chain([check(99, Verdict::Failed)]).collect();
        let commits: Vec<Commit> = commits.iter().map(|seq| commit(*seq)).collect();
        let publications: Vec<Publication> = pushes.iter().map(|seq| Publication { kind: PublicationKind::Push, at: at(*seq) }).collect();
        let claim = Quote { text: "Done".to_owned(), at: at(1) };
        outcome(Work {
            runs: &runs,
            edits: &edits,
            commits: &commits,
            publications: &publications,
            claimed_done: claimed.then_some(&claim),
        })
        .rung()
    }

    #[test]
    fn each_rung_is_what_stands_now() {
        assert_eq!(rung(&[], &[], &[], &[], false), 0, "nothing");
        assert_eq!(rung(&[], &[], &[], &[], true), 1, "claimed done");
        assert_eq!(rung(&[2], &[], &[], &[], true), 2, "changed");
        assert_eq!(rung(&[4], &[2], &[], &[], true), 2, "changed after the pass");
        assert_eq!(rung(&[2], &[4], &[], &[], false), 3, "a pass after the change");
        assert_eq!(rung(&[2], &[], &[6], &[], false), 4, "committed");
        assert_eq!(rung(&[2, 8], &[], &[6], &[7], false), 2, "changed after commit and push");
        assert_eq!(rung(&[2], &[], &[6], &[8], false), 5, "pushed");
        assert_eq!(rung(&[2], &[], &[6, 9], &[8], false), 4, "committed again after the push");
    }
}
