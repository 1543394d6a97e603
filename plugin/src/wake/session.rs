//! The chosen session as one: its own file's facts with those of its sub-agents'.

use std::collections::BTreeMap;

use crate::checks::{self, Ledger};
use crate::contract::types::{ChangedFile, Commit, Edit, Facts, Millis, Publication, Run, Statement};
use crate::evidence::merge::keep_with;
use crate::evidence::outcome::{Outcome, Work, order, outcome};

/// A session with everything its sub-agents did.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    /// Its own file.
    pub facts: &'a Facts,
    /// Promises of the agent, those that a sub-agent kept settled.
    pub promises: Vec<Statement>,
    /// All files written, most edits first.
    pub changed: Vec<ChangedFile>,
    /// All commits.
    pub commits: Vec<Commit>,
    /// The ledger of all runs.
    pub ledger: Ledger,
    /// The newest run of all, whatever came of it.
    pub newest_run: Option<Run>,
    /// How far it got.
    pub outcome: Outcome,
    /// Tokens out of all of them; none is unknown.
    pub tokens_out: Option<u64>,
    /// The last conversation record of any of them.
    pub ended: Option<Millis>,
}

impl<'a> Session<'a> {
    /// Puts a session's files together.
    pub fn of(main: &'a Facts, agents: &[Facts]) -> Self {
        let all = || std::iter::once(main).chain(agents);
        let deeds = Deeds::of(all());
        let outcome = deeds.outcome(main);
        let mut promises = main.promises.clone();
        for agent in agents {
            keep_with(&mut promises, &agent.runs, &agent.edits, &agent.commits);
        }
        Self {
            facts: main,
            promises,
            changed: changed(all()),
            ledger: checks::ledger(&deeds.runs, &deeds.edits),
            newest_run: deeds.runs.into_iter().max_by(|a, b| order(&a.at, &b.at)),
            commits: deeds.commits,
            outcome,
            tokens_out: all().filter_map(|facts| facts.usage.as_ref()).map(|usage| usage.output).reduce(u64::saturating_add),
            ended: all().filter_map(|facts| facts.ended).max(),
        }
    }
}

/// What was done, of all files of a session together.
struct Deeds {
    runs: Vec<Run>,
    edits: Vec<Edit>,
    commits: Vec<Commit>,
    publications: Vec<Publication>,
}

impl Deeds {
    fn of<'a>(files: impl Iterator<Item = &'a Facts> + Clone) -> Self {
        Self {
            runs: files.clone().flat_map(|facts| facts.runs.iter().cloned()).collect(),
            edits: files.clone().flat_map(|facts| facts.edits.iter().cloned()).collect(),
            commits: files.clone().flat_map(|facts| facts.commits.iter().cloned()).collect(),
            publications: files.flat_map(|facts| facts.publications.iter().cloned()).collect(),
        }
    }

    fn outcome(&self, main: &Facts) -> Outcome {
        outcome(Work {
            runs: &self.runs,
            edits: &self.edits,
            commits: &self.commits,
            publications: &self.publications,
            claimed_done: main.claimed_done.as_ref(),
        })
    }
}

/// How far a session got by its own file alone, for those that are only told of.
pub fn outcome_of(main: &Facts) -> Outcome {
    Deeds::of(std::iter::once(main)).outcome(main)
}

fn changed<'a>(all: impl Iterator<Item = &'a Facts>) -> Vec<ChangedFile> {
    let mut by_path: BTreeMap<&str, ChangedFile> = BTreeMap::new();
    for file in all.flat_map(|facts| &facts.changed) {
        match by_path.get_mut(file.path.as_str()) {
            Some(known) => {
                known.edits = known.edits.saturating_add(file.edits);
                if order(&known.last, &file.last).is_lt() {
                    known.last = file.last.clone();
                }
            }
            None => {
                by_path.insert(&file.path, file.clone());
            }
        }
    }
    let mut changed: Vec<ChangedFile> = by_path.into_values().collect();
    // The newest first among those with as many edits. `order` is none to sort by: records without a time make it go round in a circle.
    changed.sort_by_key(|file| std::cmp::Reverse((file.edits, file.last.time, file.last.seq)));
    changed
}
