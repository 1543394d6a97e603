//! Commands that commit, publish, or change files through git.

use super::AskedCommit;
use super::shell::Word;
use crate::contract::types::PublicationKind;

/// What a command does with commits and files under version control.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// It may have made commits.
    pub commits: bool,
    /// The commit it asks for.
    pub asked: Option<AskedCommit>,
    /// What it publishes.
    pub publishes: Option<PublicationKind>,
    /// Files it writes; none is a file that cannot be named.
    pub writes: Vec<Option<Word>>,
}

/// What a command does.
pub fn effects(words: &[Word]) -> Effects {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let Some((program, arguments)) = texts.split_first() else { return Effects::default() };
    let program = program.rsplit('/').next().unwrap_or(program);
    if program == "git" {
        return git(words, arguments);
    }
    Effects { publishes: released(program, arguments), ..Effects::default() }
}

fn git(words: &[Word], arguments: &[&str]) -> Effects {
    let mut at = 0;
    while let Some(flag) = arguments.get(at).filter(|text| text.starts_with('-')) {
        at += if matches!(*flag, "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace") { 2 } else { 1 };
    }
    let Some(subcommand) = arguments.get(at).copied() else { return Effects::default() };
    let rest = arguments.get(at + 1..).unwrap_or_default();
    let has = |flags: &[&str]| rest.iter().any(|text| flags.contains(text));
    if has(&["--help", "-h"]) {
        return Effects::default();
    }
    let dry = has(&["--dry-run"]);
    let ended = has(&["--abort", "--quit"]);
    let unknown = || vec![None];
    // Files stand behind the words of git itself.
    let behind = |skip: usize| -> Vec<Option<Word>> {
        let named = words.iter().skip(1 + at + 1 + skip).filter(|word| !word.text.starts_with('-') && word.text != "--");
        named.map(|word| Some(word.clone())).collect()
    };
    match subcommand {
        "commit" if !dry => {
            let asked = asked(words.get(1 + at + 1..).unwrap_or_default());
            Effects { commits: true, asked: Some(asked), ..Effects::default() }
        }
        "cherry-pick" | "revert" | "am" if !ended => Effects { commits: true, writes: unknown(), ..Effects::default() },
        "rebase" if !ended => Effects { commits: true, writes: unknown(), ..Effects::default() },
        "merge" if !ended => Effects { commits: true, publishes: Some(PublicationKind::Merge), writes: unknown(), asked: None },
        "pull" if !dry => Effects { commits: true, writes: unknown(), ..Effects::default() },
        "push" if !dry && !has(&["-n", "--delete", "-d"]) => Effects { publishes: Some(PublicationKind::Push), ..Effects::default() },
        "checkout" | "restore" => {
            if let Some(dashes) = rest.iter().position(|text| *text == "--") {
                return Effects { writes: behind(dashes), ..Effects::default() };
            }
            let staged = subcommand == "restore" && has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]);
            let names_branch = has(&["-b", "-B", "--orphan"]) && rest.iter().filter(|text| !text.starts_with('-')).count() <= 1;
            if staged || names_branch || rest.is_empty() {
                return Effects::default();
            }
            if subcommand == "restore" && !has(&["-s", "--source", "-p", "--patch"]) {
                return Effects { writes: behind(0), ..Effects::default() };
            }
            Effects { writes: unknown(), ..Effects::default() }
        }
        "switch" => {
            let names_branch = has(&["-c", "-C", "--create"]) && rest.iter().filter(|text| !text.starts_with('-')).count() <= 1;
            Effects { writes: if names_branch { Vec::new() } else { unknown() }, ..Effects::default() }
        }
        "stash" => {
            let reads = matches!(rest.first(), Some(&"list" | &"show" | &"drop" | &"clear" | &"create" | &"store"));
            Effects { writes: if reads { Vec::new() } else { unknown() }, ..Effects::default() }
        }
        "apply" if !has(&["--check", "--stat", "--numstat", "--summary", "--cached"]) => {
            Effects { writes: unknown(), ..Effects::default() }
        }
        "reset" if has(&["--hard", "--merge", "--keep"]) => Effects { writes: unknown(), ..Effects::default() },
        "clean" if !dry && !has(&["-n"]) => Effects { writes: unknown(), ..Effects::default() },
        "mv" | "rm" if !dry && !has(&["-n", "--cached"]) => Effects { writes: behind(0), ..Effects::default() },
        "submodule" if rest.first() == Some(&"update") => Effects { writes: unknown(), ..Effects::default() },
        _ => Effects::default(),
    }
}

/// The commit that arguments of `git commit` ask for.
fn asked(arguments: &[Word]) -> AskedCommit {
    let mut quiet = false;
    let mut message = None;
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        quiet |= text == "--quiet" || letters.chars().take_while(|letter| *letter != 'm').any(|letter| letter == 'q');
        let given = if text == "--message" || letters.ends_with('m') {
            rest.next().map(|word| word.text.as_str())
        } else {
            text.strip_prefix("--message=").or_else(|| letters.split_once('m').map(|(_, attached)| attached))
        };
        message = message.or(given);
    }
    AskedCommit { subject: message.and_then(subject), quiet }
}

/// A message's first line; of `$(cat <<'EOF' …)` the here-document's.
fn subject(message: &str) -> Option<String> {
    let message = message.trim_start();
    let mut lines = message.lines();
    if message.starts_with("$(cat") {
        lines.next();
    }
    let line = lines.map(str::trim).find(|line| !line.is_empty())?;
    (!line.starts_with("$(") && !line.starts_with('`')).then(|| line.chars().take(400).collect())
}

/// Commands that publish something other than commits, by their first words.
const RELEASES: &[(&str, PublicationKind)] = &[
    ("gh pr merge", PublicationKind::Merge),
    ("glab mr merge", PublicationKind::Merge),
    ("gh release create", PublicationKind::Release),
    ("glab release create", PublicationKind::Release),
    ("npm publish", PublicationKind::Release),
    ("pnpm publish", PublicationKind::Release),
    ("yarn publish", PublicationKind::Release),
    ("yarn npm publish", PublicationKind::Release),
    ("bun publish", PublicationKind::Release),
    ("deno publish", PublicationKind::Release),
    ("jsr publish", PublicationKind::Release),
    ("lerna publish", PublicationKind::Release),
    ("changeset publish", PublicationKind::Release),
    ("semantic-release", PublicationKind::Release),
    ("release-it", PublicationKind::Release),
    ("vsce publish", PublicationKind::Release),
    ("ovsx publish", PublicationKind::Release),
    ("cargo publish", PublicationKind::Release),
    ("cargo release", PublicationKind::Release),
    ("goreleaser release", PublicationKind::Release),
    ("twine upload", PublicationKind::Release),
    ("uv publish", PublicationKind::Release),
    ("poetry publish", PublicationKind::Release),
    ("pdm publish", PublicationKind::Release),
    ("hatch publish", PublicationKind::Release),
    ("flit publish", PublicationKind::Release),
    ("gem push", PublicationKind::Release),
    ("rake release", PublicationKind::Release),
    ("mix hex.publish", PublicationKind::Release),
    ("dart pub publish", PublicationKind::Release),
    ("flutter pub publish", PublicationKind::Release),
    ("pod trunk push", PublicationKind::Release),
    ("dotnet nuget push", PublicationKind::Release),
    ("nuget push", PublicationKind::Release),
    ("mvn deploy", PublicationKind::Release),
    ("mvnw deploy", PublicationKind::Release),
    ("mvn release:perform", PublicationKind::Release),
    ("gradle publish", PublicationKind::Release),
    ("gradlew publish", PublicationKind::Release),
    ("sbt publish", PublicationKind::Release),
    ("docker push", PublicationKind::Release),
    ("podman push", PublicationKind::Release),
    ("helm push", PublicationKind::Release),
];

fn released(program: &str, arguments: &[&str]) -> Option<PublicationKind> {
    if arguments.iter().any(|text| matches!(*text, "--dry-run" | "-n" | "--help" | "--snapshot" | "--draft-only" | "--dryRun")) {
        return None;
    }
    let program = if program == "python" || program == "python3" {
        match arguments {
            ["-m", "twine", "upload", ..] => return Some(PublicationKind::Release),
            _ => return None,
        }
    } else {
        program
    };
    let operands: Vec<&str> = arguments.iter().copied().filter(|text| !text.starts_with('-') && !text.starts_with('+')).take(8).collect();
    RELEASES.iter().find_map(|(words, kind)| {
        let mut words = words.split(' ');
        if words.next() != Some(program) {
            return None;
        }
        // Build tools take other goals before it: `mvn clean deploy`.
        let anywhere = matches!(program, "mvn" | "mvnw" | "gradle" | "gradlew" | "sbt");
        let fits = if anywhere {
            words.all(|word| operands.contains(&word))
        } else {
            words.enumerate().all(|(index, word)| operands.get(index) == Some(&word))
        };
        fits.then_some(*kind)
    })
}
