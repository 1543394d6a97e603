//! From evidence to report: what each line will say, with secrets out and nothing cut.

use super::Evidence;
use super::drift;
use super::moment::rfc3339;
use super::next;
use super::report::{At, Before, Changed, Checkout, Decision, LooseEnd, Next, Outcome, Proof, Quote, Report, Run, Session};
use super::session::{Session as Joined, outcome_of};
use crate::checkout::{Look, LookState, Upstream, identify, reachable, read_look};
use crate::contract::types::{self, Facts, PublicationKind, RunKind, Source, Speaker, StatementState, TaskStatus, UnknownCause, Verdict};
use crate::contract::wake::Occasion;
use crate::evidence::outcome;
use crate::transcript::text::fold_line;

/// Version of the report's shape.
const SCHEMA: u32 = 1;

/// Files, decisions and loose ends that the report lists.
const ROWS: usize = 200;

/// Writes the report.
pub fn compose(evidence: &Evidence<'_>) -> Report {
    let clean = Cleaner { raw: evidence.request.raw };
    let look = read_look(evidence.git);
    let joined = evidence.session.map(|session| Joined::of(&session.main, &session.agents));
    let checkout = checkout(evidence, &look, &clean);
    // Of another repository git was asked nothing: what it says here is no word on that session's commits.
    let there = if checkout.other_repository { None } else { Some(&look) };
    let ends = joined.as_ref().map(|joined| loose_ends(joined, &clean)).unwrap_or_default();
    let since = joined.as_ref().and_then(|joined| drift::since(joined, there?, &roots(evidence), evidence.files, &clean));
    let next = joined.as_ref().map_or(Next { blocker: None, next: None }, |joined| next::next(joined, &ends, evidence.files, &clean));
    let session = joined.as_ref().map(|joined| session(evidence, joined, there, ends, &clean));
    let mut report = Report {
        schema: SCHEMA,
        generated: rfc3339(evidence.request.now).unwrap_or_default(),
        redacted: !clean.raw,
        checkout,
        since,
        session,
        before: before(evidence, &clean),
        next,
        gaps: Vec::new(),
    };
    report.gaps = super::gaps::gaps(&report);
    report
}

/// Makes texts fit to leave: one line, without secrets.
#[derive(Clone, Copy, Debug)]
pub struct Cleaner {
    raw: bool,
}

impl Cleaner {
    /// One line without control characters, and without secrets unless they were asked for.
    pub fn text(&self, text: &str) -> String {
        let line = fold_line(text);
        if self.raw { line } else { crate::redact::text(&line).into_owned() }
    }

    /// A path: never a secret, but one line.
    pub fn path(&self, path: &str) -> String {
        fold_line(path)
    }
}

fn checkout(evidence: &Evidence<'_>, look: &Look, clean: &Cleaner) -> Checkout {
    let here = identify(evidence.here);
    let chosen = evidence.choice.session.and_then(|index| evidence.candidates.get(index as usize));
    // Asked for another repository, or by id for a session of one.
    let foreign = chosen
        .and_then(|candidate| candidate.place.as_ref())
        .map(identify)
        .filter(|identity| !identity.keys.iter().any(|key| here.keys.contains(key)));
    let other_repository = (evidence.request.repository.is_some() || evidence.request.session.is_some()) && foreign.is_some();
    let repository = foreign.filter(|_| other_repository).map_or(here.display, |identity| identity.display);
    let root = evidence.here.root.as_deref().unwrap_or(&evidence.here.directory);
    seen(look, &repository, other_repository, root, clean)
}

fn seen(look: &Look, repository: &str, other_repository: bool, root: &str, clean: &Cleaner) -> Checkout {
    let (state, why) = match &look.state {
        LookState::Read => ("read", None),
        LookState::Unborn => ("unborn", None),
        LookState::Bare => ("bare", None),
        LookState::NotACheckout => ("not_a_checkout", None),
        LookState::NotTrusted => ("not_trusted", None),
        LookState::Unreadable(why) => ("unreadable", Some(clean.text(why))),
        LookState::GitMissing => ("git_missing", None),
        LookState::TimedOut => ("timed_out", None),
    };
    let (upstream_state, upstream, ahead, behind) = match &look.upstream {
        Some(Upstream::Tracking { name, ahead, behind }) => (Some("tracking"), Some(clean.text(name)), Some(*ahead), Some(*behind)),
        Some(Upstream::Gone(name)) => (Some("gone"), Some(clean.text(name)), None, None),
        Some(Upstream::None) => (Some("none"), None, None, None),
        None => (None, None, None, None),
    };
    Checkout {
        repository: clean.path(repository),
        other_repository,
        root: clean.path(root),
        state: state.to_owned(),
        why,
        branch: look.branch.as_deref().map(|branch| clean.text(branch)),
        detached: look.detached,
        head: look.head.as_deref().map(fold_line),
        subject: look.subject.as_deref().map(|subject| clean.text(subject)),
        dirty: look.dirty,
        upstream_state: upstream_state.map(str::to_owned),
        upstream,
        ahead,
        behind,
    }
}

/// The checkout as one line of a wake, as git's first look saw it from a directory.
pub fn checkout_line(directory: &str, look: &Look, home: Option<&str>, now: types::Millis) -> String {
    let manner = super::say::Manner { home: home.map(str::to_owned), day: None, now, caps: super::say::Caps::ROOMY };
    super::say::checkout(&seen(look, "", false, directory, &Cleaner { raw: false }), &manner)
}

fn session(evidence: &Evidence<'_>, joined: &Joined<'_>, look: Option<&Look>, ends: Vec<LooseEnd>, clean: &Cleaner) -> Session {
    let facts = joined.facts;
    let candidate = evidence.choice.session.and_then(|index| evidence.candidates.get(index as usize));
    Session {
        id: clean.path(&facts.session),
        harness: match facts.harness {
            types::Harness::ClaudeCode => "claude_code".to_owned(),
        },
        transcript: candidate.map(|candidate| clean.path(&candidate.path)).unwrap_or_default(),
        own: evidence.request.callers.contains(&facts.session),
        same_checkout: evidence.choice.same_checkout,
        title: facts.title.as_deref().map(|title| clean.text(title)),
        started: facts.started.and_then(rfc3339),
        ended: joined.ended.and_then(rfc3339),
        span: (facts.started, joined.ended),
        entries: facts.entries,
        unreadable: facts.unreadable_count,
        first_unreadable: facts.unreadable.first().map(|line| line.seq),
        torn: facts.torn,
        compactions: count(facts.compactions.len()),
        tokens_out: joined.tokens_out,
        live: candidate.is_some_and(|candidate| candidate.live) && !evidence.request.callers.contains(&facts.session),
        unread_bytes: candidate.map_or(0, |candidate| candidate.unread),
        read: candidate.and_then(|candidate| candidate.read_at).and_then(rfc3339),
        read_at: candidate.and_then(|candidate| candidate.read_at),
        task: facts.task.as_ref().map(|asked| quote(asked, clean)),
        last_asked: facts.last_asked.as_ref().map(|asked| quote(asked, clean)),
        ran_in: facts.ran_in.as_ref().map(|ran_in| clean.path(&ran_in.cwd)),
        branch: facts.ran_in.as_ref().and_then(|ran_in| ran_in.branch.as_deref()).map(|branch| clean.text(branch)),
        outcome: outcome(evidence, joined, look),
        proof: proof(joined, clean),
        changed: joined
            .changed
            .iter()
            .take(ROWS)
            .map(|file| Changed { path: clean.path(&file.path), edits: file.edits, at: at(&file.last) })
            .collect(),
        changed_count: count(joined.changed.len()),
        loose_end_count: count(ends.len()),
        loose_ends: ends.into_iter().take(ROWS).collect(),
        not_reported: not_reported(facts, clean),
        forked_from: facts.forked_from.as_deref().map(|origin| clean.path(origin)),
        decided: decided(facts, clean),
        forgotten: count(facts.decisions.iter().filter(|decision| decision.forgotten).count()),
    }
}

/// Where the files of this checkout lie: here, and where the session ran when that is another checkout of the repository.
fn roots<'a>(evidence: &Evidence<'a>) -> Vec<&'a str> {
    let there =
        evidence.choice.session.and_then(|index| evidence.candidates.get(index as usize)).and_then(|candidate| candidate.place.as_ref());
    std::iter::once(evidence.here).chain(there).map(|place| place.root.as_deref().unwrap_or(&place.directory)).collect()
}

/// Lists are capped far below.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Where a fact stands, for the report.
pub fn at(source: &Source) -> At {
    At { seq: source.seq, agent: source.agent.as_deref().map(fold_line), time: source.time.and_then(rfc3339), millis: source.time }
}

fn quote(quote: &types::Quote, clean: &Cleaner) -> Quote {
    Quote { text: clean.text(&quote.text), at: at(&quote.at) }
}

/// A run, for the report.
pub fn run(run: &types::Run, clean: &Cleaner) -> Run {
    Run {
        kind: match run.kind {
            RunKind::Check => "check",
            RunKind::Run => "run",
        }
        .to_owned(),
        command: clean.text(&run.command),
        directory: run.directory.as_deref().map(|directory| clean.path(directory)),
        verdict: match run.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::Unknown => "unknown",
        }
        .to_owned(),
        cause: run.cause.map(|cause| {
            match cause {
                UnknownCause::Masked => "masked",
                UnknownCause::Background => "background",
                UnknownCause::Interrupted => "interrupted",
                UnknownCause::Denied => "denied",
                UnknownCause::TimedOut => "timed_out",
                UnknownCause::NoResult => "no_result",
            }
            .to_owned()
        }),
        passed: run.counts.as_ref().and_then(|counts| counts.passed),
        failed: run.counts.as_ref().and_then(|counts| counts.failed),
        at: at(&run.at),
    }
}

fn proof(joined: &Joined<'_>, clean: &Cleaner) -> Proof {
    let ledger = &joined.ledger;
    Proof {
        last_passed: ledger.last_passed.as_ref().map(|passed| run(passed, clean)),
        edits_since: ledger.edits_since_pass,
        last_failed: ledger.last_failed.as_ref().map(|failed| run(failed, clean)),
        rerun: ledger.rerun.as_ref().map(|rerun| run(rerun, clean)),
        unknown: joined.newest_run.as_ref().filter(|newest| newest.verdict == Verdict::Unknown).map(|newest| run(newest, clean)),
        unresolved_count: count(ledger.unresolved.len()),
        unresolved: ledger.unresolved.iter().take(ROWS).map(|failed| run(failed, clean)).collect(),
    }
}

fn outcome(evidence: &Evidence<'_>, joined: &Joined<'_>, look: Option<&Look>) -> Option<Outcome> {
    let with = |rung: u8, source: &Source, commit: Option<&types::Commit>, published: Option<&str>| {
        let hash = commit.and_then(|commit| commit.hash.as_deref()).map(fold_line);
        let reachable = hash.as_deref().and_then(|hash| reachable(evidence.git, hash, look?));
        Some(Outcome { rung, published: published.map(str::to_owned), commit: hash, reachable, at: at(source) })
    };
    match &joined.outcome {
        outcome::Outcome::None => None,
        outcome::Outcome::Claimed(source) => with(1, source, None, None),
        outcome::Outcome::Changed(source) => with(2, source, None, None),
        outcome::Outcome::Checked(source) => with(3, source, None, None),
        outcome::Outcome::Committed(commit) => with(4, &commit.at, Some(commit), None),
        outcome::Outcome::Published(publication, commit) => {
            let word = match publication.kind {
                PublicationKind::Push => "push",
                PublicationKind::Merge => "merge",
                PublicationKind::Release => "release",
            };
            with(5, &publication.at, commit.as_ref(), Some(word))
        }
    }
}

/// Tasks in progress, then the newest promises, then questions without an answer, then tasks not begun.
fn loose_ends(joined: &Joined<'_>, clean: &Cleaner) -> Vec<LooseEnd> {
    let facts = joined.facts;
    let mut ends = Vec::new();
    let mut add = |kind: &str, text: &str, source: &Source| {
        ends.push(LooseEnd { kind: kind.to_owned(), text: clean.text(text), at: at(source) });
    };
    for task in facts.tasks.iter().filter(|task| task.status == TaskStatus::InProgress) {
        add("task_in_progress", &task.text, &task.at);
    }
    for promise in joined.promises.iter().rev().filter(|promise| promise.state == StatementState::Open) {
        add("promise", &promise.text, &promise.at);
    }
    for question in facts.unanswered.iter().filter(|question| question.state == StatementState::Open) {
        add("asked_by_person", &question.text, &question.at);
    }
    for question in facts.asked_person.iter().filter(|question| question.state == StatementState::Open) {
        add("asked_person", &question.text, &question.at);
    }
    for task in facts.tasks.iter().filter(|task| task.status == TaskStatus::Pending) {
        add("task_pending", &task.text, &task.at);
    }
    ends
}

fn not_reported(facts: &Facts, clean: &Cleaner) -> Vec<Quote> {
    facts
        .children
        .iter()
        .filter(|child| matches!(child.state, types::ChildState::Completed | types::ChildState::Failed) && !child.reported)
        .take(ROWS)
        .map(|child| {
            let name = child.description.as_deref().or(child.kind.as_deref()).or(child.agent.as_deref()).unwrap_or("sub-agent");
            Quote { text: clean.text(name), at: at(&child.at) }
        })
        .collect()
}

fn decided(facts: &Facts, clean: &Cleaner) -> Vec<Decision> {
    let of = |speaker: Speaker| {
        facts.decisions.iter().rev().filter(move |decision| decision.speaker == speaker && decision.superseded_by.is_none()).map(
            |decision| Decision {
                speaker: match decision.speaker {
                    Speaker::Person => "person",
                    Speaker::Agent => "agent",
                }
                .to_owned(),
                text: clean.text(&decision.text),
                at: at(&decision.at),
                forgotten: decision.forgotten,
            },
        )
    };
    of(Speaker::Person).chain(of(Speaker::Agent)).take(ROWS).collect()
}

fn before(evidence: &Evidence<'_>, clean: &Cleaner) -> Vec<Before> {
    let mut folded = evidence.before.iter();
    evidence
        .choice
        .before
        .iter()
        .filter_map(|earlier| {
            let facts = if earlier.fold { folded.next() } else { None };
            let card = &evidence.candidates.get(earlier.candidate as usize)?.card;
            let task = facts.and_then(|facts| facts.task.as_ref()).map(|task| task.text.as_str()).or(card.task.as_deref());
            Some(Before {
                id: clean.path(&card.session),
                ended: card.ended.and_then(rfc3339),
                millis: card.ended,
                rung: facts.map(|facts| outcome_of(facts).rung()),
                task: task.map(|task| clean.text(task)),
            })
        })
        .collect()
}

/// Whether a hook has nothing to tell: no session, or a compaction whose installed wake says it all.
pub fn silent(evidence: &Evidence<'_>) -> bool {
    match evidence.session {
        None => true,
        Some(session) => {
            evidence.request.occasion == Occasion::Compact && session.main.compactions.last().is_some_and(|newest| newest.ours)
        }
    }
}
