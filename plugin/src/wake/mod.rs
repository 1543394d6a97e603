//! Chooses the session to wake with, and writes the report.

use crate::contract::checkout::{FileState, GitAnswer, Place};
use crate::contract::types::Facts;
use crate::contract::wake::{Answer, Candidate, Choice, Needs, Request, Search, WakeError};

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

/// Where sessions of this request may be found.
pub fn search_for(_request: &Request, here: &Place) -> Result<Search, WakeError> {
    let identity = crate::checkout::identify(here);
    let keys = identity.keys.clone();
    Ok(Search { identity, folders: Vec::new(), folder_prefixes: Vec::new(), keys })
}

/// Which of them to wake with.
pub fn choose(_request: &Request, _here: &Place, _candidates: &[Candidate]) -> Result<Choice, WakeError> {
    Ok(Choice { session: None, before: Vec::new(), same_checkout: true })
}

/// What only the chosen session's facts can ask for.
pub fn second_look(_request: &Request, _here: &Place, _session: &Folded) -> Needs {
    Needs { git: Vec::new(), files: Vec::new() }
}

/// The report.
pub fn report(evidence: &Evidence<'_>) -> Answer {
    Answer { markdown: format!("# Wake · {}\n", evidence.here.directory), report: "{}".to_owned(), gaps: Vec::new() }
}

/// The error as a person reads it.
pub fn explain(error: &WakeError) -> String {
    format!("{error:?}")
}
