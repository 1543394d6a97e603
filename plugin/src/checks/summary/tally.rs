//! What readers found, added up.

use super::Summary;
use crate::contract::types::{Counts, Verdict};

/// A verdict and counts in the making.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    verdict: Option<Verdict>,
    passed: Option<u32>,
    failed: Option<u32>,
    skipped: Option<u32>,
}

impl Tally {
    /// Something failed: nothing that passed outweighs it.
    pub fn fail(&mut self) {
        self.verdict = Some(Verdict::Failed);
    }

    /// Something passed.
    pub fn pass(&mut self) {
        self.verdict.get_or_insert(Verdict::Passed);
    }

    /// Failed or passed.
    pub fn settle(&mut self, failed: bool) {
        if failed { self.fail() } else { self.pass() }
    }

    /// A closing line's counts, and the verdict that follows from them.
    pub fn count(&mut self, passed: Option<u32>, failed: Option<u32>, skipped: Option<u32>) {
        self.add(passed, failed, skipped);
        self.settle(failed.is_some_and(|failed| failed > 0));
    }

    /// Counts that decide nothing.
    pub fn add(&mut self, passed: Option<u32>, failed: Option<u32>, skipped: Option<u32>) {
        for (own, more) in [(&mut self.passed, passed), (&mut self.failed, failed), (&mut self.skipped, skipped)] {
            if let Some(more) = more {
                *own = Some(own.unwrap_or(0).saturating_add(more));
            }
        }
    }

    /// Adds what another reader found; counts without a verdict are another program's.
    pub fn join(&mut self, other: Self) {
        if !other.speaks() {
            return;
        }
        self.add(other.passed, other.failed, other.skipped);
        match other.verdict {
            Some(Verdict::Failed) => self.fail(),
            Some(_) => self.pass(),
            None => {}
        }
    }

    /// Takes back that it passed: the run went on after what passed.
    pub fn doubt(&mut self) {
        if self.verdict == Some(Verdict::Passed) {
            *self = Self::default();
        }
    }

    /// Whether it has a verdict.
    pub const fn speaks(&self) -> bool {
        self.verdict.is_some()
    }

    /// Whether something failed.
    pub fn failed(&self) -> bool {
        self.verdict == Some(Verdict::Failed)
    }

    /// The summary, if there is a verdict.
    pub fn summary(self) -> Option<Summary> {
        let verdict = self.verdict?;
        let counted = self.passed.is_some() || self.failed.is_some() || self.skipped.is_some();
        let counts = counted.then_some(Counts { passed: self.passed, failed: self.failed, skipped: self.skipped });
        Some(Summary { verdict, counts })
    }
}
