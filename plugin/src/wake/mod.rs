//! Chooses the session to wake with, and writes the report.

mod budget;
mod choose;
mod compose;
mod drift;
mod explain;
#[cfg(test)]
pub(crate) mod fixture;
mod gaps;
mod markdown;
mod moment;
mod next;
mod report;
mod say;
mod search;
mod session;
#[cfg(test)]
mod tests;

pub(crate) use budget::cut;
pub use choose::{Sessions, choose, is_of_repository, sessions_of};
pub(crate) use compose::checkout_line;
pub use explain::explain;
pub(crate) use moment::{age, date_and_minute};
#[cfg(feature = "schema")]
pub use report::schema;
pub(crate) use say::count;
pub use search::search_for;

use crate::contract::checkout::{FileState, GitAnswer, Place};
use crate::contract::types::Facts;
use crate::contract::wake::{Answer, Candidate, Choice, Needs, Request};

/// A folded session with its sub-agents, as facts.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The session's own file.
    pub main: Facts,
    /// The files of its sub-agents.
    pub agents: Vec<Facts>,
}

/// Everything a report is written from.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// What was asked.
    pub request: &'a Request,
    /// Where it was asked.
    pub here: &'a Place,
    /// Which sessions were chosen.
    pub choice: &'a Choice,
    /// The sessions they were chosen from.
    pub candidates: &'a [Candidate],
    /// The chosen session.
    pub session: Option<&'a Folded>,
    /// The folded ones of those before it.
    pub before: &'a [Facts],
    /// Answers of both looks.
    pub git: &'a [GitAnswer],
    /// States of the files asked for.
    pub files: &'a [FileState],
}

/// What only the chosen session's facts can ask for.
pub fn second_look(session: &Folded, git: &[GitAnswer]) -> Needs {
    next::needs(&session::Session::of(&session.main, &session.agents), git)
}

/// The report.
pub fn report(evidence: &Evidence<'_>) -> Answer {
    let report = compose::compose(evidence);
    Answer {
        markdown: markdown::markdown(&report, evidence.request.now, evidence.request.home.as_deref()),
        report: serde_json::to_string(&report).unwrap_or_else(|_| "null".to_owned()),
        silent: compose::silent(evidence),
        gaps: report.gaps,
    }
}
