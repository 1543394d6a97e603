//! All runs of a session and its sub-agents, judged together.

use std::collections::BTreeMap;

use super::Ledger;
use super::coverage::Compared;
use super::paths;
use crate::contract::types::{Edit, Run, RunKind, Source, Verdict};

/// Builds the ledger of runs and edits from the session's file and its sub-agents' files.
///
/// | after a failure | it is |
/// |---|---|
/// | the same check passed | resolved |
/// | a check that covers it passed | resolved |
/// | a narrower check passed | unresolved |
/// | the same run passed with the same command | resolved |
/// | anything ended unknown | unresolved |
pub fn ledger(runs: &[Run], edits: &[Edit]) -> Ledger {
    let ordered = in_order(runs);
    let compared: Vec<Compared<'_>> = ordered.iter().map(|run| Compared::new(run)).collect();
    let passes: Vec<(usize, &Compared<'_>)> = compared.iter().enumerate().filter(|(_, run)| run.run.verdict == Verdict::Passed).collect();
    let resolver = |index: usize| -> Option<&Run> {
        let failed = compared.get(index)?;
        passes.iter().find(|(at, pass)| *at > index && pass.resolves(failed)).map(|(_, pass)| pass.run)
    };

    let last_passed = ordered.iter().rev().find(|run| run.kind == RunKind::Check && run.verdict == Verdict::Passed).copied();
    let edits_since_pass = last_passed.map_or(0, |pass| edits.iter().filter(|edit| is_stale(edit, pass)).count());
    let newest_failure = compared.iter().rposition(|run| run.run.verdict == Verdict::Failed);
    let rerun = newest_failure.and_then(|index| {
        resolver(index).or_else(|| {
            let failed = compared.get(index)?;
            compared.iter().enumerate().rev().find(|(at, run)| *at > index && run.is_same(failed)).map(|(_, run)| run.run)
        })
    });

    let mut unresolved: Vec<usize> = Vec::new();
    let mut latest: Vec<usize> = Vec::new();
    for (index, run) in compared.iter().enumerate().rev() {
        let known = |list: &[usize]| list.iter().filter_map(|index| compared.get(*index)).any(|other| other.is_same(run));
        if run.run.verdict == Verdict::Failed && !known(&unresolved) && resolver(index).is_none() {
            unresolved.push(index);
        }
        if run.run.kind == RunKind::Check && !known(&latest) {
            latest.push(index);
        }
    }
    let owned = |indices: Vec<usize>| indices.into_iter().filter_map(|index| compared.get(index)).map(|run| run.run.clone()).collect();
    Ledger {
        last_passed: last_passed.cloned(),
        edits_since_pass: u32::try_from(edits_since_pass).unwrap_or(u32::MAX),
        last_failed: newest_failure.and_then(|index| compared.get(index)).map(|run| run.run.clone()),
        rerun: rerun.cloned(),
        unresolved: owned(unresolved),
        latest: owned(latest),
    }
}

/// By time, then by file and line. A run without a time keeps its place in its file.
fn in_order(runs: &[Run]) -> Vec<&Run> {
    let mut files: Vec<Option<&str>> = Vec::new();
    let mut newest: BTreeMap<Option<&str>, i64> = BTreeMap::new();
    let mut keyed: Vec<((i64, usize, u64), &Run)> = Vec::new();
    for run in runs {
        let agent = run.at.agent.as_deref();
        let file = files.iter().position(|known| *known == agent).unwrap_or_else(|| {
            files.push(agent);
            files.len() - 1
        });
        let time = run.at.time.unwrap_or_else(|| newest.get(&agent).copied().unwrap_or(i64::MIN));
        newest.insert(agent, time);
        keyed.push(((time, file, run.at.seq), run));
    }
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, run)| run).collect()
}

/// Whether an edit came after the pass, to a file that may matter to it.
fn is_stale(edit: &Edit, pass: &Run) -> bool {
    is_after(&edit.at, &pass.at) && !edit.path.as_deref().is_some_and(|path| paths::is_scratch(path, pass.directory.as_deref()))
}

/// By time where both have one, else by line in the same file. Files without times cannot be compared.
fn is_after(later: &Source, earlier: &Source) -> bool {
    match (later.time, earlier.time) {
        (Some(left), Some(right)) if left != right => left > right,
        _ => later.agent == earlier.agent && later.seq > earlier.seq,
    }
}
