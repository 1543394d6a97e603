//! What the session did: its tool calls matched with their results, and from them the runs, edits, commits and publications.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::claude_code::{output_text, tag};
use super::event::{CallResult, Refusal};
use super::json::{Cursor, text_field};
use super::seen::hash;
use super::todo;
use crate::checks::{self, CustomCheck, Ending, Reading};
use crate::contract::types::{ChangedFile, Commit, Edit, EditMeans, Publication, Run, Source, UnknownCause, Verdict};

/// Calls that wait for their result; a call that is pushed out stays without one.
const WAITING: usize = 256;
/// Runs that are kept. Those that a later one made meaningless go first: the oldest that did not fail, then the oldest.
const RUNS: usize = 3000;
/// Edits that are kept, for counting what came after a check.
const EDITS: usize = 4000;
/// Files whose edits are counted.
const FILES: usize = 2000;
/// Commits and publications that are kept, the newest.
const COMMITS: usize = 500;
/// Bytes of an output's head, and of its tail, that are looked at.
const OUTPUT: usize = 64 << 10;
/// Bytes of an output's head in which the status of a failed command stands.
const STATUS: usize = 256;
/// Bytes of a command that are kept.
const COMMAND: usize = 64 << 10;
/// Bytes of any other tool's input that are kept; a task list is kept whole up to `OUTPUT`.
const INPUT: usize = 8 << 10;

/// All that was done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// Commands that the person named as checks.
    pub custom: Vec<CustomCheck>,
    waiting: VecDeque<Call>,
    background: VecDeque<Call>,
    runs: Vec<KeptRun>,
    edits: VecDeque<Edit>,
    changed: Vec<ChangedFile>,
    commits: VecDeque<Commit>,
    publications: VecDeque<Publication>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptRun {
    call: u64,
    /// Which of the call's commands.
    index: usize,
    run: Run,
}

/// A tool call without its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Call {
    /// Its id, hashed: an id is only ever compared.
    key: u64,
    name: String,
    kind: Kind,
    at: Source,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Shell { command: String, reading: Reading },
    File { path: String },
    Other { input: String },
}

/// A call that ended, for whoever asks whether it kept a promise.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// A shell command ran.
    Shell {
        /// The command line.
        command: String,
        /// Whether it ended in failure.
        failed: bool,
        /// Subjects of the commits it made.
        commits: Vec<String>,
    },
    /// A tool wrote a file.
    Edit {
        /// Which.
        path: String,
    },
    /// Another tool ended well.
    Tool {
        /// Its name.
        name: String,
        /// Its input, JSON.
        input: String,
    },
}

impl Work {
    /// A tool was called in `cwd`.
    pub fn called(&mut self, id: &str, name: &str, input: &str, at: &Source, cwd: Option<&str>) {
        let kind = match name {
            "Bash" | "PowerShell" => {
                let mut command = text_field(input, "command").unwrap_or_default().into_owned();
                command.truncate(command.floor_char_boundary(COMMAND));
                let reading = checks::read(&command, cwd, &self.custom);
                self.start_runs(id, &reading, at);
                Kind::Shell { command, reading }
            }
            "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => {
                let path = text_field(input, "file_path").or_else(|| text_field(input, "notebook_path")).unwrap_or_default();
                Kind::File { path: path.into_owned() }
            }
            _ => {
                let most = if todo::is_list(name) { OUTPUT } else { INPUT };
                let input = input.get(..input.floor_char_boundary(most)).unwrap_or_default();
                Kind::Other { input: input.to_owned() }
            }
        };
        push(&mut self.waiting, Call { key: hash("call", id), name: name.to_owned(), kind, at: at.clone() }, WAITING);
    }

    fn start_runs(&mut self, id: &str, reading: &Reading, at: &Source) {
        for (index, invocation) in reading.invocations.iter().enumerate() {
            self.runs.push(KeptRun {
                call: hash("call", id),
                index,
                run: Run {
                    kind: invocation.kind,
                    command: invocation.command.clone(),
                    program: invocation.program.clone(),
                    directory: invocation.directory.clone(),
                    packages: invocation.packages.clone(),
                    targets: invocation.targets.clone(),
                    at: at.clone(),
                    result_at: None,
                    verdict: Verdict::Unknown,
                    cause: Some(UnknownCause::NoResult),
                    counts: None,
                },
            });
        }
        while self.runs.len() > RUNS {
            // The newest half stays whatever it says, so that no number of failures can crowd out what resolves them.
            let old = self.runs.iter().take(RUNS / 2).position(|kept| kept.run.verdict != Verdict::Failed).unwrap_or(0);
            self.runs.remove(old);
        }
    }

    /// The tool that a call without a result went to.
    pub fn tool(&self, call: &str) -> Option<&str> {
        let key = hash("call", call);
        self.waiting.iter().rfind(|waiting| waiting.key == key).map(|waiting| waiting.name.as_str())
    }

    /// A call's result. None when the call is not known, or did nothing.
    pub fn ended(&mut self, result: &CallResult<'_>, at: &Source) -> Option<Done> {
        let key = hash("call", &result.call);
        let place = self.waiting.iter().rposition(|call| call.key == key)?;
        let call = self.waiting.remove(place)?;
        match &call.kind {
            Kind::Shell { reading, .. } => {
                let (in_background, interrupted) = result.details.map_or((false, false), shell_details);
                // Most outputs are of commands that only look: no more of them is decoded than says how they ended.
                let most = if reading.invocations.is_empty() && !reading.commits { STATUS } else { OUTPUT };
                let output = result.content.and_then(|raw| output_text(raw, most)).unwrap_or_default();
                let ending = match result.refusal {
                    Some(Refusal::Denied) => Ending::Denied,
                    Some(Refusal::TimedOut) => Ending::TimedOut,
                    Some(Refusal::Interrupted) => Ending::Interrupted,
                    None if interrupted => Ending::Interrupted,
                    None if in_background => Ending::Background,
                    None if result.is_error => Ending::Failed(exit_code(&output)),
                    None => Ending::Succeeded,
                };
                let done = self.settle(&call, ending, &output, at);
                if ending == Ending::Background {
                    push(&mut self.background, call, WAITING);
                }
                done
            }
            Kind::File { path } => {
                if result.is_error || path.is_empty() {
                    return None;
                }
                self.edited(Edit { path: Some(path.clone()), means: EditMeans::Tool, at: at.clone() });
                Some(Done::Edit { path: path.clone() })
            }
            Kind::Other { input } => (!result.is_error).then(|| Done::Tool { name: call.name.clone(), input: input.clone() }),
        }
    }

    /// News of a background task: its end settles the runs it was started for.
    pub fn notified(&mut self, notification: &str, at: &Source) -> Option<Done> {
        let id = tag(notification, "tool-use-id")?;
        let status = tag(notification, "status")?;
        let key = hash("call", id);
        let place = self.background.iter().rposition(|call| call.key == key)?;
        let summary = tag(notification, "summary").unwrap_or_default();
        let ending = match status {
            "completed" => Ending::Succeeded,
            "failed" => Ending::Failed(number_after(summary, "exit code ")),
            "killed" | "stopped" => Ending::Interrupted,
            _ => return None,
        };
        let call = self.background.remove(place)?;
        self.settle(&call, ending, "", at)
    }

    fn settle(&mut self, call: &Call, ending: Ending, output: &str, at: &Source) -> Option<Done> {
        let Kind::Shell { command, reading } = &call.kind else { return None };
        let own = self.runs.iter_mut().rev().filter(|kept| kept.call == call.key).take(reading.invocations.len());
        for kept in own {
            let judgement = checks::judge(reading, kept.index, ending, output);
            kept.run.verdict = judgement.verdict;
            kept.run.cause = judgement.cause;
            kept.run.counts = judgement.counts;
            kept.run.result_at = Some(at.clone());
        }
        if matches!(ending, Ending::Denied | Ending::Background) {
            return None;
        }
        let failed = matches!(ending, Ending::Failed(_));
        for write in &reading.writes {
            // A command that failed may have written all the same.
            self.edited(Edit { path: write.clone(), means: EditMeans::Shell, at: at.clone() });
        }
        let mut subjects = Vec::new();
        if reading.commits {
            for commit in checks::commits_in(reading, output, failed, at) {
                subjects.extend(commit.subject.clone());
                push(&mut self.commits, commit, COMMITS);
            }
        }
        if ending == Ending::Succeeded {
            for kind in &reading.publishes {
                push(&mut self.publications, Publication { kind: *kind, at: at.clone() }, COMMITS);
            }
        }
        Some(Done::Shell { command: command.clone(), failed: failed || ending != Ending::Succeeded, commits: subjects })
    }

    fn edited(&mut self, edit: Edit) {
        if let Some(path) = &edit.path {
            if let Some(known) = self.changed.iter_mut().find(|known| known.path == *path) {
                known.edits = known.edits.saturating_add(1);
                known.last = edit.at.clone();
            } else if self.changed.len() < FILES {
                self.changed.push(ChangedFile { path: path.clone(), edits: 1, last: edit.at.clone() });
            }
        }
        push(&mut self.edits, edit, EDITS);
    }

    /// Runs in the order of their calls.
    pub fn runs(&self) -> Vec<Run> {
        self.runs.iter().map(|kept| kept.run.clone()).collect()
    }

    /// The newest edits.
    pub fn edits(&self) -> Vec<Edit> {
        self.edits.iter().cloned().collect()
    }

    /// Every file written, first written first.
    pub fn changed(&self) -> &[ChangedFile] {
        &self.changed
    }

    /// Commits made.
    pub fn commits(&self) -> Vec<Commit> {
        self.commits.iter().cloned().collect()
    }

    /// Pushes, merges and releases.
    pub fn publications(&self) -> Vec<Publication> {
        self.publications.iter().cloned().collect()
    }
}

fn push<T>(queue: &mut VecDeque<T>, item: T, most: usize) {
    queue.push_back(item);
    if queue.len() > most {
        queue.pop_front();
    }
}

/// Whether a shell command goes on in the background, and whether it was interrupted.
fn shell_details(details: &str) -> (bool, bool) {
    let (mut in_background, mut interrupted) = (false, false);
    // What is broken says nothing.
    let _ = Cursor::new(details).object(|key, cursor| {
        match key {
            "backgroundTaskId" => in_background = cursor.text()?.is_some(),
            "interrupted" => interrupted = cursor.flag()? == Some(true),
            _ => {}
        }
        Some(())
    });
    (in_background, interrupted)
}

fn exit_code(output: &str) -> Option<i32> {
    output.trim_start().strip_prefix("Exit code ").and_then(leading_number)
}

fn number_after(text: &str, words: &str) -> Option<i32> {
    text.split_once(words).and_then(|(_, rest)| leading_number(rest))
}

fn leading_number(text: &str) -> Option<i32> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text.get(..digits)?.parse().ok()
}
