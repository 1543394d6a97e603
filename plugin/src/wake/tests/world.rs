//! A session with everything that a wake can tell, to be changed by each test.

use crate::contract::checkout::{FileState, GitAnswer, GitEnd};
use crate::contract::types::*;
use crate::contract::wake::{Answer, Candidate, Choice, Earlier, Request};
use crate::wake::fixture::{candidate, place, request};
use crate::wake::{Evidence, Folded, report};

/// 2026-09-04T16:00:00Z.
pub const FOUR: Millis = 1_788_537_600_000;
pub const MINUTE: Millis = 60_000;

#[derive(Debug)]
pub struct World {
    pub request: Request,
    pub here: crate::contract::checkout::Place,
    pub choice: Choice,
    pub candidates: Vec<Candidate>,
    pub session: Option<Folded>,
    pub before: Vec<Facts>,
    pub git: Vec<GitAnswer>,
    pub files: Vec<FileState>,
}

impl World {
    /// A session that was asked one thing, in a clean checkout level with its upstream.
    pub fn new() -> Self {
        let here = place("/home/dev/web", Some("/home/dev/web"));
        let mut candidate = candidate("b214830c-5d1f", FOUR + 17 * MINUTE, here.clone());
        candidate.card.task = Some("Build the landing page".to_owned());
        let mut here_with_remote = here;
        here_with_remote.origin = Some("https://git.example/acme/web.git".to_owned());
        Self {
            request: request(),
            here: here_with_remote,
            choice: Choice { session: Some(0), before: Vec::new(), same_checkout: true },
            candidates: vec![candidate],
            session: Some(Folded { main: facts("b214830c-5d1f"), agents: Vec::new() }),
            before: Vec::new(),
            git: vec![
                status(
                    "# branch.oid a25b9cdaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\0# branch.head feat/landing\0# branch.upstream origin/feat/landing\0# branch.ab +0 -0\0",
                ),
                log(""),
            ],
            files: Vec::new(),
        }
    }

    pub fn main(&mut self) -> &mut Facts {
        &mut self.session.as_mut().unwrap().main
    }

    /// A session before it, told from its card.
    pub fn earlier(&mut self, ended: Millis, task: &str) {
        let mut candidate = candidate("0e1f", ended, self.here.clone());
        candidate.card.task = Some(task.to_owned());
        self.candidates.push(candidate);
        self.choice.before.push(Earlier { candidate: u32::try_from(self.candidates.len()).unwrap() - 1, fold: false });
    }

    pub fn answer(&self) -> Answer {
        report(&Evidence {
            request: &self.request,
            here: &self.here,
            choice: &self.choice,
            candidates: &self.candidates,
            session: self.session.as_ref(),
            before: &self.before,
            git: &self.git,
            files: &self.files,
        })
    }

    /// The lines that begin so.
    pub fn lines(&self, beginnings: &[&str]) -> String {
        let markdown = self.answer().markdown;
        let mut lines: Vec<&str> = markdown.lines().filter(|line| beginnings.iter().any(|word| line.starts_with(word))).collect();
        lines.push("");
        lines.join("\n")
    }
}

fn answer_of(word: &str, stdout: &str) -> GitAnswer {
    let command = crate::checkout::first_look().into_iter().find(|command| command.arguments[0] == word).unwrap();
    GitAnswer { command, end: GitEnd::Exited(0), stdout: stdout.as_bytes().to_vec(), stderr: Vec::new() }
}

pub fn status(stdout: &str) -> GitAnswer {
    answer_of("status", stdout)
}

pub fn log(stdout: &str) -> GitAnswer {
    answer_of("log", stdout)
}

/// One commit as the log prints it.
pub fn commit(digit: char, time: Millis, author: &str, subject: &str, files: &[&str]) -> String {
    let hash: String = std::iter::repeat_n(digit, 40).collect();
    let mut text = format!("\u{1}{hash}\u{2}\u{2}{}\u{2}{author}\u{2}{subject}\0", time / 1000);
    for (index, file) in files.iter().enumerate() {
        text.push_str(&format!("{}{file}\0", if index == 0 { "\n" } else { "" }));
    }
    text
}

/// A record on a line, as many minutes after four.
pub fn at(seq: u64, minutes: i64) -> Source {
    Source { agent: None, seq, time: Some(FOUR + minutes * MINUTE) }
}

pub fn said(text: &str, at: Source) -> Statement {
    Statement { text: text.to_owned(), at, state: StatementState::Open, settled_by: None }
}

pub fn quote(text: &str, at: Source) -> Quote {
    Quote { text: text.to_owned(), at }
}

pub fn run(command: &str, verdict: Verdict, at: Source) -> Run {
    Run {
        kind: RunKind::Check,
        command: command.to_owned(),
        program: command.to_owned(),
        directory: Some("/home/dev/web".to_owned()),
        packages: Vec::new(),
        targets: Vec::new(),
        at,
        result_at: None,
        verdict,
        cause: (verdict == Verdict::Unknown).then_some(UnknownCause::Masked),
        counts: None,
    }
}

pub fn edit(path: &str, at: Source) -> Edit {
    Edit { path: Some(path.to_owned()), means: EditMeans::Tool, at }
}

pub fn changed(path: &str, edits: u32, last: Source) -> ChangedFile {
    ChangedFile { path: path.to_owned(), edits, last }
}

pub fn task(text: &str, status: TaskStatus, at: Source) -> Task {
    Task { id: text.to_owned(), text: text.to_owned(), status, at }
}

pub fn decision(speaker: Speaker, text: &str, at: Source) -> Decision {
    Decision { speaker, text: text.to_owned(), at, superseded_by: None, forgotten: false }
}

pub fn facts(session: &str) -> Facts {
    Facts {
        harness: Harness::ClaudeCode,
        session: session.to_owned(),
        agent: None,
        forked_from: None,
        title: None,
        started: Some(FOUR),
        ended: Some(FOUR + 17 * MINUTE),
        entries: 1826,
        unreadable: Vec::new(),
        unreadable_count: 0,
        unknown_kinds: Vec::new(),
        torn: false,
        compactions: Vec::new(),
        usage: None,
        prompt_count: 1,
        tool_call_count: 0,
        task: Some(quote("Build the landing page", at(1, 0))),
        last_asked: Some(quote("Build the landing page", at(1, 0))),
        ran_in: None,
        directories: Vec::new(),
        runs: Vec::new(),
        edits: Vec::new(),
        changed: Vec::new(),
        tasks: Vec::new(),
        promises: Vec::new(),
        unanswered: Vec::new(),
        asked_person: Vec::new(),
        decisions: Vec::new(),
        commits: Vec::new(),
        publications: Vec::new(),
        claimed_done: None,
        children: Vec::new(),
    }
}
