//! Git, as the command on this machine, so that nothing in a repository's own configuration runs a program and no lock is taken.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::processes::{self, End};
use crate::bindings::exports::reveille::core::checkout::{GitAnswer, GitCommand, GitEnd};

/// All looks of one wake together.
pub const DEADLINE: Duration = Duration::from_secs(2);

/// Bytes of an answer.
const OUTPUT: u64 = 4 << 20;

/// What the environment must not say: the repository is the one that the directory lies in.
const CLEARED: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_TRACE",
    "GIT_WORK_TREE",
];

fn git(directory: &Path, filters: &[String]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(directory).args(["--no-pager", "--no-optional-locks"]);
    for setting in [
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.sshCommand=false",
        "core.askPass=",
        "credential.helper=",
        "log.showSignature=false",
    ] {
        command.args(["-c", setting]);
    }
    // A filter that the repository's own configuration names would be a program of its choosing.
    for filter in filters {
        for (key, value) in [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")] {
            command.arg("-c").arg(format!("filter.{filter}.{key}={value}"));
        }
    }
    for name in CLEARED {
        command.env_remove(name);
    }
    for (name, value) in [
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_PAGER", "cat"),
        ("GIT_ASKPASS", "true"),
        ("LC_ALL", "C"),
    ] {
        command.env(name, value);
    }
    command
}

/// Answers a command in a directory.
pub fn answer(directory: &Path, command: GitCommand, filters: &[String], deadline: Instant) -> GitAnswer {
    let mut git = git(directory, filters);
    git.args(&command.arguments);
    let output = processes::run(git, deadline, OUTPUT);
    let end = match output.end {
        End::Exited(status) => GitEnd::Exited(status),
        End::TimedOut => GitEnd::TimedOut,
        End::Missing => GitEnd::Missing,
        End::Failed(why) => GitEnd::Failed(why),
    };
    GitAnswer { command, end, stdout: output.stdout, stderr: output.stderr }
}

/// Answers several commands at once.
pub fn answers(directory: &Path, commands: Vec<GitCommand>, filters: &[String], deadline: Instant) -> Vec<GitAnswer> {
    std::thread::scope(|scope| {
        let running: Vec<_> =
            commands.into_iter().map(|command| scope.spawn(move || answer(directory, command, filters, deadline))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

/// The value of `key` in a configuration file.
pub fn configured(file: &Path, key: &str, deadline: Instant) -> Option<String> {
    let text = config(file, &["--get", key], deadline)?;
    let value = text.trim_end_matches(['\r', '\n']);
    (!value.is_empty()).then(|| value.to_owned())
}

/// Names of the filters that a repository's configuration files define. Git is asked only when a file holds the word at all.
pub fn filters(common: &Path, deadline: Instant) -> Vec<String> {
    let mut names = Vec::new();
    for name in ["config", "config.worktree"] {
        let file = common.join(name);
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        if !text.contains("filter") && !text.contains("include") {
            continue;
        }
        let keys = config(&file, &["--name-only", "--get-regexp", "^filter\\."], deadline).unwrap_or_default();
        names.extend(keys.lines().filter_map(|key| Some(key.strip_prefix("filter.")?.rsplit_once('.')?.0.to_owned())));
    }
    names.sort();
    names.dedup();
    names
}

fn config(file: &Path, arguments: &[&str], deadline: Instant) -> Option<String> {
    let mut command = Command::new("git");
    command.args(["config", "--includes", "--file"]).arg(file).args(arguments).env("LC_ALL", "C");
    for name in CLEARED {
        command.env_remove(name);
    }
    let output = processes::run(command, deadline, 64 << 10);
    matches!(output.end, End::Exited(0)).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
