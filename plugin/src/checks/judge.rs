//! One invocation judged by how the shell ended and what the runners printed.

use super::flow::{Outcomes, possible};
use super::summary::{self, Summary};
use super::{Ending, Flow, Judgement, Reading};
use crate::contract::types::{UnknownCause, Verdict};

/// Other invocations whose summaries are read to judge one.
const MAX_OTHERS: usize = 8;

/// Judges one invocation of a reading by the shell's ending and the whole output.
///
/// | the shell | the runner's summary | verdict |
/// |---|---|---|
/// | interrupted, denied, at its deadline, in the background | any | unknown, and why |
/// | any | failed | failed |
/// | leaves only failure possible | any | failed |
/// | leaves both possible | passed | passed |
/// | leaves only success possible | passed or none | passed |
/// | leaves both possible | none | unknown: masked, or in the background |
///
/// A summary that passed never outweighs a status that is the command's own and not zero: a threshold, a second tool of the same script or a
/// crash at the end fails a suite whose tests all passed. What is known of one invocation helps to judge the others: when `a && b` failed and
/// a's summary passed, b failed.
pub fn judge(reading: &Reading, index: usize, ending: Ending, output: &str) -> Judgement {
    judge_by(&summary::read, reading, index, ending, output)
}

/// Reads the summary of a program out of a line's output.
type ReadSummary<'a> = &'a dyn Fn(&str, &str) -> Option<Summary>;

/// The judgement with a reader of summaries of its own.
pub fn judge_by(read: ReadSummary<'_>, reading: &Reading, index: usize, ending: Ending, output: &str) -> Judgement {
    let Some(invocation) = reading.invocations.get(index) else { return unknown(UnknownCause::NoResult) };
    let succeeded = match ending {
        Ending::Interrupted => return unknown(UnknownCause::Interrupted),
        Ending::Denied => return unknown(UnknownCause::Denied),
        Ending::TimedOut => return unknown(UnknownCause::TimedOut),
        Ending::Background => return unknown(UnknownCause::Background),
        Ending::Succeeded => true,
        Ending::Failed(_) => false,
    };
    let own = summary_of(read, reading, index, output);
    let counts = own.as_ref().and_then(|summary| summary.counts);
    if own.as_ref().is_some_and(|summary| summary.verdict == Verdict::Failed) {
        return Judgement { verdict: Verdict::Failed, cause: None, counts };
    }
    let mut known = Known { outcomes: vec![Outcomes::ANY; reading.invocations.len()], succeeded, doubted: !succeeded && is_lost(output) };
    known.learn(&reading.flow, index, own.as_ref());
    if own.is_none() && known.verdict(&reading.flow, index).is_none() {
        for other in (0..reading.invocations.len()).filter(|other| *other != index).take(MAX_OTHERS) {
            known.learn(&reading.flow, other, summary_of(read, reading, other, output).as_ref());
        }
    }
    match known.verdict(&reading.flow, index) {
        Some(true) => Judgement { verdict: Verdict::Passed, cause: None, counts },
        Some(false) => match (ending, &own) {
            // The status of a deadline's own program, and of a signal: the command did not end by itself.
            (Ending::Failed(Some(124)), None) => unknown(UnknownCause::TimedOut),
            (Ending::Failed(Some(130)), None) => unknown(UnknownCause::Interrupted),
            (Ending::Failed(Some(137 | 143)), None) => unknown(UnknownCause::NoResult),
            _ => Judgement { verdict: Verdict::Failed, cause: None, counts },
        },
        None if own.is_some() => Judgement { verdict: Verdict::Passed, cause: None, counts },
        None if invocation.background => unknown(UnknownCause::Background),
        None => unknown(UnknownCause::Masked),
    }
}

const fn unknown(cause: UnknownCause) -> Judgement {
    Judgement { verdict: Verdict::Unknown, cause: Some(cause), counts: None }
}

/// The summary of an invocation's program. Two invocations of one program share the output: whose summary it is cannot be told.
fn summary_of(read: ReadSummary<'_>, reading: &Reading, index: usize, output: &str) -> Option<Summary> {
    let program = &reading.invocations.get(index)?.program;
    let alone = reading.invocations.iter().filter(|other| other.program == *program).count() == 1;
    alone.then(|| read(program, output)).flatten()
}

/// What is known of the outcomes of a line's invocations.
struct Known {
    outcomes: Vec<Outcomes>,
    succeeded: bool,
    doubted: bool,
}

impl Known {
    /// Takes in what an invocation printed.
    fn learn(&mut self, flow: &Flow, index: usize, summary: Option<&Summary>) {
        let Some(summary) = summary else { return };
        let printed = if summary.verdict == Verdict::Failed { Outcomes::FAILED } else { Outcomes::PASSED };
        // A status that contradicts the summary still says that the command ran.
        let outcome = [printed, Outcomes::RAN].into_iter().find(|outcome| self.allows(flow, index, *outcome));
        if let (Some(own), Some(outcome)) = (self.outcomes.get_mut(index), outcome) {
            *own = outcome;
        }
    }

    fn allows(&self, flow: &Flow, index: usize, outcome: Outcomes) -> bool {
        let mut outcomes = self.outcomes.clone();
        if let Some(own) = outcomes.get_mut(index) {
            *own = outcome;
        }
        possible(&flow.0, &outcomes, Some(self.succeeded), self.doubted)
    }

    /// Whether an invocation passed, when only one of both is possible.
    fn verdict(&self, flow: &Flow, index: usize) -> Option<bool> {
        let before = self.outcomes.get(index).copied()?;
        let may = |outcome: Outcomes| before.allows(outcome) && self.allows(flow, index, outcome);
        if may(Outcomes::SKIPPED) {
            return None;
        }
        match (may(Outcomes::PASSED), may(Outcomes::FAILED)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }
}

/// Whether the shell says near the top that it could not go where it was sent.
fn is_lost(output: &str) -> bool {
    output.lines().take(40).any(|line| {
        (line.contains("cd:") || line.contains("pushd:") || line.contains("source:") || line.contains(": line "))
            && (line.contains("o such file or directory") || line.contains("ot a directory") || line.contains("ermission denied"))
    })
}
