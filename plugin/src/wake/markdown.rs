//! The report as Markdown: which lines there are, in which order, and how long each may be.

use super::budget::{GivesWay, Row, cut, fit, protected_fit};
use super::moment::{date_and_minute, minute, span};
use super::report::{Proof, Report, Run, Session};
use super::say::{self, Caps, Manner};
use crate::contract::types::Millis;
use crate::transcript::markers::WAKE_HEADING;

/// Loose ends shown.
const LOOSE_ENDS: usize = 4;
/// Files shown.
const FILES: usize = 3;

/// The wake as an agent reads it.
pub fn markdown(report: &Report, now: Millis, home: Option<&str>) -> String {
    let day = report.session.as_ref().and_then(|session| session.span.1);
    let manner = Manner { home: home.map(str::to_owned), day, now, caps: Caps::ROOMY };
    let roomy = rows(report, &manner);
    if protected_fit(&roomy) { fit(roomy) } else { fit(rows(report, &Manner { caps: Caps::TIGHT, ..manner })) }
}

fn rows(report: &Report, manner: &Manner) -> Vec<Row> {
    let now = manner.now;
    let mut rows = vec![
        Row::protected(format!("{WAKE_HEADING}{} · {}Z", cut(&report.checkout.repository, 80), date_and_minute(now))),
        Row::protected(say::checkout(&report.checkout, manner)),
    ];
    let own = report.session.as_ref().is_some_and(|session| session.own);
    rows.extend(report.since.as_ref().and_then(|since| say::since(since, own)).map(|text| Row::of(GivesWay::Since, text)));
    match &report.session {
        Some(session) => {
            rows.push(Row::protected(String::new()));
            session_rows(&mut rows, report, session, manner);
            before_rows(&mut rows, report, manner);
            next_rows(&mut rows, report, manner);
            rows.push(Row::protected(String::new()));
            rows.push(Row::protected("---".to_owned()));
            rows.push(Row::protected(footer(report, session, now)));
        }
        None => {
            rows.push(Row::protected(String::new()));
            rows.push(Row::protected("No session of this checkout or its repository was found.".to_owned()));
        }
    }
    rows
}

fn session_rows(rows: &mut Vec<Row>, report: &Report, session: &Session, manner: &Manner) {
    rows.push(Row::protected(heading(session, manner)));
    if let Some(task) = &session.task {
        rows.push(Row::protected(format!("**Task** {} {}", cut(&task.text, manner.caps.asked), say::seq(&task.at))));
    }
    if let Some(asked) = &session.last_asked {
        let same = session.task.as_ref().is_some_and(|task| task.at == asked.at);
        let text = if same { "the task".to_owned() } else { cut(&asked.text, manner.caps.asked) };
        rows.push(Row::protected(format!("**Last asked** {text} {}", say::seq(&asked.at))));
    }
    if let Some(ran_in) = &session.ran_in {
        let branch = session.branch.as_deref().map_or_else(String::new, |branch| format!(" on {}", cut(branch, 70)));
        rows.push(Row::of(GivesWay::RanIn, format!("**Ran in** {}{branch}", manner.path(ran_in))));
    }
    if let Some(outcome) = &session.outcome {
        rows.push(Row::of(GivesWay::Outcome, format!("**Outcome** {}", say::outcome(outcome))));
    }
    rows.extend(proof(&session.proof, manner).map(Row::protected));
    rows.extend(changed(session).map(|text| Row::of(GivesWay::Changed, text)));
    loose_end_rows(rows, report, session, manner);
    if !session.not_reported.is_empty() {
        let names: Vec<String> =
            session.not_reported.iter().take(2).map(|child| format!("\"{}\" {}", cut(&child.text, 60), say::seq(&child.at))).collect();
        let ended = say::count(session.not_reported.len() as u64, "sub-agent ended, its reply was", "sub-agents ended, their replies were");
        rows.push(Row::of(GivesWay::Note, format!("**Not reported** {ended} not given yet: {}", names.join(", "))));
    }
    if let Some(origin) = &session.forked_from {
        rows.push(Row::of(GivesWay::Note, format!("**Forked from** session {}", cut(origin, 40))));
    }
    rows.extend(decided(session).map(|text| Row::of(GivesWay::Decided, text)));
    if session.forgotten > 0 {
        let decisions = say::count(session.forgotten.into(), "decision", "decisions");
        rows.push(Row::of(GivesWay::Decided, format!("**Forgotten** {decisions} dropped by compaction")));
    }
}

fn heading(session: &Session, manner: &Manner) -> String {
    let id = say::short(&session.id, 8);
    let what = match (session.own, session.same_checkout) {
        (true, _) => "This session",
        (false, true) => "Last session",
        (false, false) => "Last session, in another checkout,",
    };
    let mut parts = vec![format!("## {what} {id}")];
    if let (Some(started), Some(ended)) = session.span {
        parts.push(span(started, ended));
    }
    parts.push(say::count(session.entries, "entry", "entries"));
    if session.compactions > 0 {
        parts.push(say::count(session.compactions.into(), "compaction", "compactions"));
    }
    if let Some(tokens) = session.tokens_out {
        parts.push(format!("{} tokens out", say::size(tokens)));
    }
    if session.unreadable > 0 {
        let first = session.first_unreadable.map_or_else(String::new, |line| format!(" (line {line})"));
        parts.push(format!("{} unreadable{first}", say::count(session.unreadable, "line", "lines")));
    }
    if session.torn {
        parts.push("last line torn".to_owned());
    }
    if session.live {
        let ago = session.span.1.map_or_else(String::new, |ended| format!(", last record {}", say::ago(manner.now, ended)));
        parts.push(format!("running in another process{ago}"));
    }
    if session.unread_bytes > 0 {
        let read = session.read_at.map_or_else(String::new, |read| format!("read {}, ", minute(read, manner.day)));
        parts.push(format!("index older than the file ({read}{} bytes not read yet)", say::size(session.unread_bytes)));
    }
    parts.join(" · ")
}

fn proof(proof: &Proof, manner: &Manner) -> Option<String> {
    let caps = manner.caps;
    let mut parts = Vec::new();
    if let Some(passed) = &proof.last_passed {
        let stale = match proof.edits_since {
            0 => String::new(),
            edits => format!(" (stale: {} since)", say::count(edits.into(), "edit", "edits")),
        };
        parts.push(format!("last passed {}{}{stale} {}", say::command(passed, caps), manner.time(&passed.at), say::seq(&passed.at)));
    }
    if let Some(failed) = &proof.last_failed {
        let rerun = match &proof.rerun {
            None => format!(", not re-run {}", say::seq(&failed.at)),
            Some(rerun) => {
                format!(" {}, re-run {}{} {}", say::seq(&failed.at), rerun_words(rerun), manner.time(&rerun.at), say::seq(&rerun.at))
            }
        };
        parts.push(format!("last failed {}{}{}{rerun}", say::command(failed, caps), counts(failed), manner.time(&failed.at)));
        let itself = proof.unresolved.iter().any(|other| other.at == failed.at && other.command == failed.command);
        let others = proof.unresolved_count.saturating_sub(u32::from(itself));
        if others > 0 {
            parts.push(format!("+{others} more {}", if others == 1 { "failure stands" } else { "failures stand" }));
        }
    }
    // The re-run of a failure has been told above.
    let told = |unknown: &&Run| proof.rerun.as_ref().is_some_and(|rerun| rerun.at == unknown.at && rerun.command == unknown.command);
    if let Some(unknown) = proof.unknown.as_ref().filter(|unknown| !told(unknown)) {
        parts.push(format!(
            "{} {}{} unknown: {} {}",
            if parts.is_empty() { "newest run" } else { "then" },
            say::command(unknown, caps),
            manner.time(&unknown.at),
            say::cause(unknown),
            say::seq(&unknown.at)
        ));
    }
    (!parts.is_empty()).then(|| format!("**Proof** {}", parts.join(" · ")))
}

fn rerun_words(rerun: &Run) -> String {
    match rerun.verdict.as_str() {
        "passed" => "passed".to_owned(),
        "failed" => "failed".to_owned(),
        _ => format!("unknown ({})", say::cause(rerun)),
    }
}

fn counts(run: &Run) -> String {
    match (run.failed, run.passed) {
        (Some(failed), Some(passed)) if failed > 0 => format!(" ({failed} failed, {passed} passed)"),
        (Some(failed), None) if failed > 0 => format!(" ({failed} failed)"),
        _ => String::new(),
    }
}

fn changed(session: &Session) -> Option<String> {
    let newest = session.changed.iter().max_by_key(|file| (file.at.millis, file.at.seq))?;
    let mut parts = vec![format!("**Changed** {}", say::count(session.changed_count.into(), "file", "files"))];
    parts.extend(session.changed.iter().take(FILES).map(|file| format!("{} ({})", cut(say::file_name(&file.path), 50), file.edits)));
    let more = (session.changed_count as usize).saturating_sub(FILES);
    if more > 0 {
        parts.push(format!("+{more} more"));
    }
    Some(format!("{} {}", parts.join(" · "), say::seq(&newest.at)))
}

fn loose_end_rows(rows: &mut Vec<Row>, report: &Report, session: &Session, manner: &Manner) {
    if session.loose_ends.is_empty() {
        return;
    }
    rows.push(Row::heading(GivesWay::LooseEnd, format!("**Loose ends** ({})", session.loose_end_count)));
    let shown = session.loose_ends.iter().filter(|end| report.next.next.as_ref() != Some(*end)).take(LOOSE_ENDS);
    let before = rows.len();
    rows.extend(shown.map(|end| Row::of(GivesWay::LooseEnd, format!("- {}", say::loose_end(end, manner.caps.said)))));
    if rows.len() == before {
        // The only one is the next step.
        rows.pop();
    }
}

fn decided(session: &Session) -> Option<String> {
    let newest = |speaker: &str| session.decided.iter().find(|decision| decision.speaker == speaker);
    let parts: Vec<String> = [("person", "person"), ("agent", "agent said")]
        .into_iter()
        .filter_map(|(speaker, word)| {
            newest(speaker).map(|decision| format!("{word}: \"{}\" {}", cut(&decision.text, 160), say::seq(&decision.at)))
        })
        .collect();
    (!parts.is_empty()).then(|| format!("**Decided** {}", parts.join(" · ")))
}

fn before_rows(rows: &mut Vec<Row>, report: &Report, manner: &Manner) {
    if report.before.is_empty() {
        return;
    }
    rows.push(Row::heading(GivesWay::Before, String::new()));
    rows.push(Row::heading(GivesWay::Before, "## Before that".to_owned()));
    for earlier in &report.before {
        let mut parts = vec![earlier.millis.map_or_else(|| "time unknown".to_owned(), |millis| minute(millis, manner.day))];
        parts.extend(earlier.rung.map(|rung| if rung == 0 { "nothing to show".to_owned() } else { format!("rung {rung}") }));
        parts.push(earlier.task.as_deref().map_or_else(|| "no task".to_owned(), |task| format!("\"{}\"", cut(task, 110))));
        rows.push(Row::of(GivesWay::Before, format!("- {}", parts.join(" · "))));
    }
}

fn next_rows(rows: &mut Vec<Row>, report: &Report, manner: &Manner) {
    rows.push(Row::protected(String::new()));
    rows.push(Row::protected("## Next".to_owned()));
    if let Some(blocker) = &report.next.blocker {
        rows.push(Row::protected(say::blocker(blocker, report.session.as_ref(), manner)));
    }
    match &report.next.next {
        Some(next) => rows.push(Row::protected(format!("Next {}", say::loose_end(next, manner.caps.said)))),
        None => rows.push(Row::protected("Next step not found: no task in progress, no open promise or question.".to_owned())),
    }
    let ask = if report.checkout.upstream.is_some() { " `gh pr list` for the first." } else { "" };
    rows.push(Row::protected(format!("Not here: PR and CI state.{ask}")));
}

fn footer(report: &Report, session: &Session, now: Millis) -> String {
    let secrets = if report.redacted { "redacted" } else { "raw" };
    let generated = date_and_minute(now).replace(' ', "T");
    format!("session {} · {} · generated {generated}Z · {secrets}", cut(&session.id, 60), session.harness)
}
