//! What was looked for and not found, named.

use super::report::Report;

/// Names of gaps, each a short phrase.
pub fn gaps(report: &Report) -> Vec<String> {
    let mut gaps = Vec::new();
    let mut missing = |found: bool, name: &str| {
        if !found {
            gaps.push(name.to_owned());
        }
    };
    missing(report.checkout.state == "read", "the checkout's state");
    let Some(session) = &report.session else {
        missing(false, "a session of this checkout or repository");
        return gaps;
    };
    match &report.since {
        None => missing(false, "what changed since the session: not known"),
        Some(since) => missing(since.commits > 0 || !since.changed_again.is_empty(), "changes since the session"),
    }
    missing(session.started.is_some(), "the session's times");
    missing(session.tokens_out.is_some(), "tokens");
    missing(session.task.is_some(), "a task");
    missing(session.last_asked.is_some(), "anything asked");
    missing(session.ran_in.is_some(), "where it ran");
    missing(session.outcome.is_some(), "an outcome");
    missing(session.proof.last_passed.is_some(), "a check that passed");
    missing(session.proof.last_failed.is_some(), "a failure");
    missing(!session.changed.is_empty(), "changed files");
    missing(!session.loose_ends.is_empty(), "loose ends");
    missing(!session.decided.is_empty(), "decisions");
    missing(!report.before.is_empty(), "sessions before it");
    missing(report.next.blocker.is_some(), "a blocker");
    missing(report.next.next.is_some(), "a next step");
    missing(false, "PR and CI state");
    gaps
}
