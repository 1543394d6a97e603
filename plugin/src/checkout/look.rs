//! What git says of a checkout: which commands to ask it, and what their answers mean.

use crate::contract::checkout::{GitAnswer, GitCommand, GitEnd};
use crate::contract::types::Millis;

/// Commits of the log that are looked at.
const LOG: usize = 100;
/// Dirty files that are named.
const DIRTY: usize = 2000;
/// Files of one commit that are named.
const FILES: usize = 500;
/// Bytes of an answer, at most: one as long was cut.
const ANSWER: usize = 4 << 20;

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
            "--no-use-mailmap",
            "--no-notes",
            "--no-color",
            "--no-decorate",
            "--encoding=UTF-8",
            "--format=%x01%H%x02%P%x02%ct%x02%an%x02%s",
            "HEAD",
            "--",
        ]),
    ]
}

/// Asks whether HEAD holds a commit. What is no hexadecimal digit of its hash is left out: it can never be an option.
pub fn reach_command(hash: &str) -> GitCommand {
    command(&["merge-base", "--is-ancestor", &hash.chars().filter(char::is_ascii_hexdigit).collect::<String>(), "HEAD"])
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
        // The last entry of an answer that was cut is a part of one.
        let whole = if status.stdout.len() < ANSWER { status.stdout.len() } else { memchr::memrchr(0, &status.stdout).unwrap_or(0) };
        read_status(&String::from_utf8_lossy(status.stdout.get(..whole).unwrap_or_default()), &mut look);
    }
    if let Some(log) = first("log")
        && matches!(log.end, GitEnd::Exited(_) | GitEnd::TimedOut)
        && matches!(look.state, LookState::Read | LookState::Bare | LookState::TimedOut)
    {
        look.log = read_log(&String::from_utf8_lossy(&log.stdout));
        // A log that broke off, at a missing object or at the cap, does not tell what it lacks.
        look.log_complete = log.end == GitEnd::Exited(0) && log.stdout.len() < ANSWER && look.log.len() < LOG;
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
            } else if said.contains("must be run in a work tree") || said.contains("cannot use bare repository") {
                LookState::Bare
            } else if said.contains("dubious ownership") || said.contains("safe.directory") {
                LookState::NotTrusted
            } else {
                // Warnings may stand before what is fatal.
                let fatal = said.lines().find_map(|line| line.strip_prefix("fatal: "));
                let line = fatal.or_else(|| said.lines().find(|line| !line.trim().is_empty())).unwrap_or("git said nothing");
                LookState::Unreadable(line.to_owned())
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

/// Fields between NUL characters: a commit's own, then one for each of its files. No field holds a NUL, so nothing that a commit says can break out of its field.
fn read_log(text: &str) -> Vec<LogEntry> {
    let mut log: Vec<LogEntry> = Vec::new();
    for field in text.split('\0') {
        if let Some(entry) = log_entry(field) {
            if log.len() == LOG {
                break;
            }
            log.push(entry);
        } else if let Some(entry) = log.last_mut()
            && entry.files.len() < FILES
        {
            // A line end stands before the first file.
            let file = if entry.files.is_empty() { field.strip_prefix('\n').unwrap_or(field) } else { field };
            if !file.is_empty() {
                entry.files.push(file.to_owned());
            }
        }
    }
    for entry in &mut log {
        entry.files.sort();
        entry.files.dedup();
    }
    log
}

fn log_entry(field: &str) -> Option<LogEntry> {
    let mut fields = field.strip_prefix('\u{1}')?.splitn(5, '\u{2}');
    let (hash, parents, time, author, subject) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    if !matches!(hash.len(), 40 | 64) || !hash.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    Some(LogEntry {
        hash: hash.to_owned(),
        parents: parents.split_whitespace().map(str::to_owned).collect(),
        author: author.to_owned(),
        time: time.parse::<i64>().map_or(0, |seconds| seconds.saturating_mul(1000)),
        subject: subject.to_owned(),
        files: Vec::new(),
    })
}

/// Whether HEAD holds a commit, by the log or by an answer to [`reach_command`]. None: not known.
pub fn reachable(answers: &[GitAnswer], hash: &str, look: &Look) -> Option<bool> {
    let hash = hash.to_ascii_lowercase();
    if hash.len() < 7 || !hash.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    if look.log.iter().any(|entry| entry.hash.starts_with(&hash)) {
        return Some(true);
    }
    if look.log_complete && !look.log.is_empty() {
        return Some(false);
    }
    let wanted = reach_command(&hash);
    match answers.iter().find(|answer| answer.command.arguments == wanted.arguments)?.end {
        GitEnd::Exited(0) => Some(true),
        // 1: no ancestor; 128: no such commit here.
        GitEnd::Exited(1 | 128) => Some(false),
        _ => None,
    }
}
