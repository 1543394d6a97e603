//! Whether something that was done is what was promised.
//!
//! | promised | kept by |
//! |---|---|
//! | run, test | a command that is no look-up, of the named words or about the object; it must not fail |
//! | commit, push, merge, pull request | the git or forge command |
//! | change | a write to a file, or a commit, about the object |
//! | remove | a command that removes, or a write, about the object |
//! | look | any call about the object |

use super::Action;
use super::deeds::{Deed, Part};
use super::promises::Promised;
use super::words::{Stem, add_stems_of_name, holds};

/// Bytes of a command or input that are read.
const READ: usize = 4 << 10;
/// Commands of one line that are told apart.
const COMMANDS: usize = 32;

/// Something done, read once for all promises.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Done {
    /// What it was about. Sorted.
    about: Vec<Stem>,
    /// What of it was more than looking. Sorted.
    acted_on: Vec<Stem>,
    /// Base name of the file written. Sorted.
    file: Vec<Stem>,
    /// What it can have kept.
    deeds: Vec<Deed>,
}

/// Reads an action; none when it can keep nothing.
pub fn read(action: Action<'_>) -> Option<Done> {
    let mut done = Done::default();
    match action {
        Action::Command { failed: true, .. } => return None,
        Action::Command { line, .. } => command(cut(line), &mut done),
        Action::Edit { path } => {
            let path = path.get(path.floor_char_boundary(path.len().saturating_sub(READ))..).unwrap_or_default();
            let mut near = path.rsplit(['/', '\\']);
            for (depth, piece) in near.by_ref().take(4).enumerate() {
                add_stems_of_name(piece, &mut done.acted_on);
                if depth == 0 {
                    add_stems_of_name(piece, &mut done.file);
                }
            }
            done.about.clone_from(&done.acted_on);
            done.deeds.extend([Deed::Change, Deed::Remove, Deed::Other]);
        }
        Action::Commit { subject } => {
            add_stems_of_name(cut(subject), &mut done.acted_on);
            done.about.clone_from(&done.acted_on);
            done.deeds.extend([Deed::Commit, Deed::Change, Deed::Remove, Deed::Other]);
        }
        Action::Tool { name, input } => {
            add_stems_of_name(name, &mut done.about);
            add_stems_of_name(cut(input), &mut done.about);
            done.deeds.push(Deed::Look);
            if !is_look_tool(name) {
                done.acted_on.clone_from(&done.about);
                done.deeds.extend([Deed::Run, Deed::Check, Deed::Change, Deed::Remove, Deed::Other]);
                let lower = name.to_ascii_lowercase();
                if lower.contains("pull_request") && lower.contains("create") {
                    done.deeds.push(Deed::PullRequest);
                }
            }
        }
    }
    for list in [&mut done.about, &mut done.acted_on, &mut done.file] {
        list.sort_unstable();
        list.dedup();
    }
    Some(done)
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(READ)).unwrap_or_default()
}

fn is_look_tool(name: &str) -> bool {
    matches!(name, "Read" | "Grep" | "Glob" | "LS" | "WebFetch" | "WebSearch" | "ToolSearch" | "NotebookRead" | "BashOutput" | "TaskOutput")
}

/// Programs that only look.
const LOOKS: &[&str] = &[
    "cat", "ls", "grep", "rg", "find", "fd", "head", "tail", "echo", "printf", "wc", "less", "more", "which", "stat", "file", "tree",
    "pwd", "diff", "sort", "uniq", "jq", "awk", "cut", "type", "env", "date", "ps", "true", "test", "[", "du", "df", "sleep", "wait", "cd",
    "export", "source", "set", "sed", "tr", "xargs", "tee", "column", "bat",
];

fn command(line: &str, done: &mut Done) {
    done.deeds.push(Deed::Look);
    for piece in line.split(['\n', ';', '|', '&']).take(COMMANDS) {
        let words: Vec<&str> =
            piece.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')'])).skip_while(|word| is_wrapper(word)).collect();
        let Some(program) = words.first().map(|word| word.rsplit('/').next().unwrap_or(word)) else { continue };
        add_stems_of_name(piece, &mut done.about);
        let writes = piece.contains('>') || program == "sed" && words.iter().any(|word| word.starts_with("-i")) || program == "tee";
        if LOOKS.contains(&program) && !writes {
            continue;
        }
        if program == "git" || program == "gh" || program == "glab" {
            let mut rest = words.iter().skip(1).skip_while({
                let mut value = false;
                move |word| {
                    // `-C` and `-c` take the next word.
                    let skip = value || word.starts_with('-');
                    value = !value && matches!(**word, "-C" | "-c" | "-R" | "--repo");
                    skip
                }
            });
            let (verb, next) = (rest.next().copied().unwrap_or_default(), rest.next().copied().unwrap_or_default());
            if let Some(deeds) = git(program, verb, next) {
                done.deeds.extend(deeds);
                add_stems_of_name(piece, &mut done.acted_on);
            }
            continue;
        }
        add_stems_of_name(piece, &mut done.acted_on);
        done.deeds.extend([Deed::Run, Deed::Change, Deed::Other]);
        if is_check(&words) {
            done.deeds.push(Deed::Check);
        }
        if matches!(
            program,
            "rm" | "rmdir" | "unlink" | "trash" | "kill" | "docker" | "npm" | "cargo" | "pip" | "mv" | "make" | "psql" | "kubectl" | "sed"
        ) {
            done.deeds.push(Deed::Remove);
        }
    }
}

fn is_wrapper(word: &str) -> bool {
    matches!(word, "time" | "sudo" | "nice" | "nohup" | "npx" | "exec" | "command" | "env" | "then" | "do" | "if" | "else" | "!" | "{")
        || word
            .split_once('=')
            .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'))
}

/// Git and forge commands that do something, by what they keep.
fn git(program: &str, verb: &str, next: &str) -> Option<Vec<Deed>> {
    Some(match (program, verb, next) {
        ("git", "commit", _) => vec![Deed::Commit],
        ("git", "push", _) => vec![Deed::Push, Deed::Run],
        ("git", "merge" | "rebase" | "cherry-pick", _) | ("gh" | "glab", "pr" | "mr", "merge") => vec![Deed::Merge],
        ("gh" | "glab", "pr" | "mr", "create") => vec![Deed::PullRequest, Deed::Push, Deed::Other],
        ("gh" | "glab", "pr" | "issue" | "mr", "close") => vec![Deed::Remove, Deed::Other],
        ("gh" | "glab", "release" | "workflow", _) | ("git", "tag", _) => vec![Deed::Run, Deed::Other],
        ("git", "rm" | "clean", _) | ("git", "worktree", "remove" | "prune") | ("git", "branch", "-d" | "-D" | "--delete") => {
            vec![Deed::Remove]
        }
        ("git", "mv" | "revert" | "restore" | "reset" | "apply" | "stash", _) => vec![Deed::Change, Deed::Remove],
        ("git", "checkout" | "switch" | "pull" | "fetch" | "bisect" | "submodule", _)
        | ("git", "worktree", "add")
        | ("git", "branch", _) => vec![Deed::Run, Deed::Change],
        _ => return None,
    })
}

/// Whether a command looks like a check, from its own words and never from a path it only reads.
fn is_check(words: &[&str]) -> bool {
    const RUNNERS: &[&str] = &[
        "pytest",
        "jest",
        "vitest",
        "mocha",
        "rspec",
        "phpunit",
        "ctest",
        "tox",
        "nox",
        "tsc",
        "eslint",
        "ruff",
        "mypy",
        "flake8",
        "biome",
        "prettier",
        "clippy",
        "nextest",
        "test",
        "tests",
        "check",
        "lint",
        "typecheck",
        "unittest",
        "verify",
        "spec",
    ];
    words.iter().take(6).any(|word| {
        let word = word.trim_start_matches("./").trim_start_matches('-');
        let base = word.rsplit('/').next().unwrap_or(word);
        let base = base.split(['.', ':']).next().unwrap_or(base);
        base.split(['-', '_', ':']).chain(word.split(':')).any(|part| RUNNERS.contains(&part))
    })
}

/// Whether this keeps the part.
pub fn keeps(done: &Done, part: &Part) -> bool {
    let looked = matches!(part.deed, Deed::Look | Deed::Other);
    if !done.deeds.contains(&part.deed) && part.deed != Deed::Look {
        return false;
    }
    let about = if looked { &done.about } else { &done.acted_on };
    let has_name = |name: &Vec<Stem>| {
        name.iter().all(|stem| holds(about, *stem))
            || (!done.file.is_empty() && done.file.iter().filter(|stem| name.contains(stem)).count() * 2 > done.file.len())
    };
    if !part.named.is_empty() && part.named.iter().any(has_name) {
        return true;
    }
    match part.deed {
        Deed::Commit | Deed::Push | Deed::PullRequest => return true,
        Deed::Merge if part.objects.is_empty() => return true,
        _ => {}
    }
    if part.objects.is_empty() {
        return part.named.is_empty() && !matches!(part.deed, Deed::Look | Deed::Other);
    }
    let hits = part.objects.iter().filter(|stem| holds(about, **stem)).count();
    if part.deed == Deed::Check && part.named.is_empty() && (hits > 0 || is_all_checks(part)) {
        return true;
    }
    part.named.is_empty() && hits > 0 && hits * 2 >= part.objects.len()
}

/// "The tests", "the linter again": any check keeps it.
fn is_all_checks(part: &Part) -> bool {
    part.objects.len() <= 1
}

/// Whether an action that follows at once can be the one that was announced.
pub fn fits(done: &Done, part: &Part) -> bool {
    if !part.named.is_empty() {
        return keeps(done, part);
    }
    match part.deed {
        Deed::Commit | Deed::Push | Deed::Merge | Deed::PullRequest => keeps(done, part),
        Deed::Change => keeps(done, part) || !part.can_be_seen && (done.deeds.contains(&Deed::Change)),
        Deed::Check => keeps(done, part) || done.deeds.contains(&Deed::Run),
        Deed::Run => done.deeds.contains(&Deed::Run),
        Deed::Remove => keeps(done, part) || done.deeds.contains(&Deed::Remove) && !part.can_be_seen,
        Deed::Look | Deed::Other => true,
    }
}

/// Which of its parts an action keeps, as bits.
pub fn kept_parts(done: &Done, promised: &Promised) -> u8 {
    promised.parts.iter().take(8).enumerate().filter(|(_, part)| keeps(done, part)).fold(0, |bits, (at, _)| bits | 1 << at)
}

/// Whether the parts kept so far are the whole promise: all of them, or the last, which comes after the others.
pub fn is_whole(kept: u8, promised: &Promised) -> bool {
    let count = promised.parts.len().min(8);
    let last = count.checked_sub(1).is_some_and(|last| kept & (1 << last) != 0);
    last || kept.count_ones() as usize >= count
}
