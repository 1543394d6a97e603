//! What git says of a checkout: which commands to ask it, and what their answers mean.

use std::collections::BTreeSet;

use crate::contract::checkout::{GitAnswer, GitCommand, GitEnd};
use crate::contract::types::Millis;

/// Commits of the log that are looked at.
const LOG: usize = 100;
/// Dirty files that are named.
const DIRTY: usize = 2000;
/// Files of one commit that are named.
const FILES: usize = 500;

/// The checkout as git sees it now.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Whether it could be seen.
    pub state: LookState,
    /// The branch checked out; none when detached or unknown.
    pub branch: Option<String>,
    /// HEAD is a commit, not a branch.
    pub detached: bool,
    /// Full hash of HEAD.
    pub head: Option<String>,
    /// Its subject.
    pub subject: Option<String>,
    /// Changed, staged, conflicted and untracked entries; none is unknown.
    pub dirty: Option<u32>,
    /// Their paths, relative to the root, capped.
    pub dirty_files: Vec<String>,
    /// What the branch is compared with; none is unknown.
    pub upstream: Option<Upstream>,
    /// Newest first.
    pub log: Vec<LogEntry>,
    /// The log reaches the repository's first commit.
    pub log_complete: bool,
}

/// Whether the checkout could be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookState {
    /// It was.
    Read,
    /// No commit yet.
    Unborn,
    /// A repository without a working tree.
    Bare,
    /// No repository.
    NotACheckout,
    /// Git refuses it: another owner (`safe.directory`).
    NotTrusted,
    /// Git failed, and what it said.
    Unreadable(String),
    /// No git on this machine.
    GitMissing,
    /// Git did not answer in time.
    TimedOut,
}

/// What a branch is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Upstream {
    /// A branch that exists.
    Tracking {
        /// Its short name.
        name: String,
        /// Commits that it lacks.
        ahead: u32,
        /// Commits that only it has.
        behind: u32,
    },
    /// None configured.
    None,
    /// Configured, and not there.
    Gone(String),
}

/// One commit of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Full hash.
    pub hash: String,
    /// Hashes of its parents.
    pub parents: Vec<String>,
    /// Author's name.
    pub author: String,
    /// When it was committed.
    pub time: Millis,
    /// First line of its message.
    pub subject: String,
    /// Files it touched, relative to the root; a merge's are not listed.
    pub files: Vec<String>,
}

fn command(arguments: &[&str]) -> GitCommand {
    GitCommand { arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect() }
}

/// The first look: one process for the state, one for the log, nothing that a repository's configuration could turn into a program.
pub fn first_look() -> Vec<GitCommand> {
    vec![
        command(&["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=dirty", "--no-renames"]),
        command(&[
            "log",
            "--max-count=100",
            "-z",
            "--name-only",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-show-signature",
            "--no-mailmap",
            "--no-notes",
            "--no-color",
            "--no-decorate",
            "--format=%x01%H%x02%P%x02%ct%x02%an%x02%s",
            "HEAD",
            "--",
        ]),
    ]
}

/// Asks whether HEAD holds a commit.
pub fn reach_command(hash: &str) -> GitCommand {
    command(&["merge-base", "--is-ancestor", hash, "HEAD"])
}

/// Reads the answers of the first look.
pub fn read_look(answers: &[GitAnswer]) -> Look {
    let mut look = Look {
        state: LookState::NotACheckout,
        branch: None,
        detached: false,
        head: None,
        subject: None,
        dirty: None,
        dirty_files: Vec::new(),
        upstream: None,
        log: Vec::new(),
        log_complete: false,
    };
    let first = |word: &str| answers.iter().find(|answer| answer.command.arguments.first().is_some_and(|argument| argument == word));
    let Some(status) = first("status") else { return look };
    look.state = state(status);
    if look.state == LookState::Read {
        read_status(&String::from_utf8_lossy(&status.stdout), &mut look);
    }
    if let Some(log) = first("log")
        && log.end == GitEnd::Exited(0)
        && matches!(look.state, LookState::Read | LookState::Bare | LookState::TimedOut)
    {
        look.log = read_log(&String::from_utf8_lossy(&log.stdout));
        look.log_complete = look.log.len() < LOG;
        if let Some(newest) = look.log.first() {
            look.subject = Some(newest.subject.clone());
            look.head.get_or_insert_with(|| newest.hash.clone());
        }
    }
    look
}

fn state(answer: &GitAnswer) -> LookState {
    match &answer.end {
        GitEnd::Exited(0) => LookState::Read,
        GitEnd::TimedOut => LookState::TimedOut,
        GitEnd::Missing => LookState::GitMissing,
        GitEnd::Failed(why) => LookState::Unreadable(why.clone()),
        GitEnd::Exited(_) => {
            // Git's own words, in the C locale.
            let said = String::from_utf8_lossy(&answer.stderr);
            if said.contains("not a git repository") {
                LookState::NotACheckout
            } else if said.contains("must be run in a work tree") {
                LookState::Bare
            } else if said.contains("dubious ownership") || said.contains("safe.directory") {
                LookState::NotTrusted
            } else {
                let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("git said nothing");
                LookState::Unreadable(line.trim_start_matches("fatal: ").to_owned())
            }
        }
    }
}

fn read_status(text: &str, look: &mut Look) {
    let mut dirty = 0;
    let mut upstream = None;
    let mut ahead_behind = None;
    let mut fields = text.split('\0');
    while let Some(field) = fields.next() {
        if let Some(oid) = field.strip_prefix("# branch.oid ") {
            if oid == "(initial)" {
                look.state = LookState::Unborn;
            } else {
                look.head = Some(oid.to_owned());
            }
        } else if let Some(head) = field.strip_prefix("# branch.head ") {
            look.detached = head == "(detached)";
            look.branch = (!look.detached).then(|| head.to_owned());
        } else if let Some(name) = field.strip_prefix("# branch.upstream ") {
            upstream = Some(name.to_owned());
        } else if let Some(counts) = field.strip_prefix("# branch.ab ") {
            ahead_behind = counts.split_once(' ').and_then(|(ahead, behind)| {
                Some((ahead.strip_prefix('+')?.parse::<u32>().ok()?, behind.strip_prefix('-')?.parse::<u32>().ok()?))
            });
        } else {
            // `1 XY sub mH mI mW hH hI path`, `2 …` with the old path in the next field, `u …`, `? path`.
            let path = match field.get(..2) {
                Some("1 ") => field.splitn(9, ' ').nth(8),
                Some("2 ") => {
                    fields.next();
                    field.splitn(10, ' ').nth(9)
                }
                Some("u ") => field.splitn(11, ' ').nth(10),
                Some("? ") => field.get(2..),
                _ => None,
            };
            if let Some(path) = path {
                dirty += 1;
                if look.dirty_files.len() < DIRTY {
                    look.dirty_files.push(path.to_owned());
                }
            }
        }
    }
    look.dirty = Some(dirty);
    look.upstream = Some(match (upstream, ahead_behind) {
        (Some(name), Some((ahead, behind))) => Upstream::Tracking { name, ahead, behind },
        (Some(name), None) => Upstream::Gone(name),
        (None, _) => Upstream::None,
    });
}

fn read_log(text: &str) -> Vec<LogEntry> {
    let mut log = Vec::new();
    for record in text.split('\u{1}').skip(1).take(LOG) {
        let mut fields = record.splitn(5, '\u{2}');
        let (Some(hash), Some(parents), Some(time), Some(author), Some(rest)) =
            (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let mut parts = rest.split('\0');
        let subject = parts.next().unwrap_or_default().trim_end_matches('\n').to_owned();
        let files: BTreeSet<&str> = parts.map(|file| file.trim_start_matches('\n')).filter(|file| !file.is_empty()).take(FILES).collect();
        log.push(LogEntry {
            hash: hash.to_owned(),
            parents: parents.split_whitespace().map(str::to_owned).collect(),
            author: author.to_owned(),
            time: time.parse::<i64>().map_or(0, |seconds| seconds.saturating_mul(1000)),
            subject,
            files: files.into_iter().map(str::to_owned).collect(),
        });
    }
    log
}

/// Whether HEAD holds a commit, by the log or by an answer to [`reach_command`]. None: not known.
pub fn reachable(answers: &[GitAnswer], hash: &str, look: &Look) -> Option<bool> {
    if hash.len() < 7 {
        return None;
    }
    if look.log.iter().any(|entry| entry.hash.starts_with(hash)) {
        return Some(true);
    }
    if look.log_complete && !look.log.is_empty() {
        return Some(false);
    }
    let wanted = reach_command(hash);
    match answers.iter().find(|answer| answer.command.arguments == wanted.arguments)?.end {
        GitEnd::Exited(0) => Some(true),
        // 1: no ancestor; 128: no such commit here.
        GitEnd::Exited(1 | 128) => Some(false),
        _ => None,
    }
}
