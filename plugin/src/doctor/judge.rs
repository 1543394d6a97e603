//! What an installation must have for a wake, in the order that one needs it. Each function is one topic.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::client::{self, Installed};
use super::finding::{Finding, Topic};
use super::verdict::verdict;
use crate::checkout::{LookState, below, identify, read_look};
use crate::contract::checkout::{GitAnswer, GitEnd, Place};
use crate::contract::doctor::{Folder, Installation, Verdict};
use crate::options::{self, Origin, Resolved};
use crate::wake::{Sessions, count, sessions_of};

/// The oldest git that knows every argument of the looks.
const GIT: (u32, u32) = (2, 18);

/// Hex digits of the component's hash that are told.
const HASH: usize = 12;

/// Settings files as read, the one that wins first.
type Settings = [(String, Map<String, Value>)];

/// What was found, and what to do where it is wrong.
pub fn judge(installation: &Installation) -> Verdict {
    let home = installation.home.as_deref();
    let mut findings = vec![binary(installation), component(&installation.component), data(&installation.data, home)];
    if installation.data.trouble.is_none() {
        findings.extend(installation.index.as_ref().map(index));
    }
    findings.push(client_directory(&installation.client, home));
    if installation.client.exists && installation.client.trouble.is_none() {
        let root = root(&installation.here);
        let mut settings = Vec::new();
        let mut unread = Vec::new();
        for document in &installation.settings {
            match client::object(document) {
                Ok(fields) => settings.extend(fields.map(|fields| (tilde(&document.path, home), fields))),
                Err(why) => unread.push(Finding::wrong(
                    Topic::PluginEnabled,
                    tilde(&why, home),
                    "Repair the file: the client reads nothing of it as it is.",
                )),
            }
        }
        let register = client::object(&installation.register).map(|fields| fields.as_ref().map(client::installed).unwrap_or_default());
        let installed = register.as_deref().unwrap_or_default();
        findings.push(match &register {
            Err(why) => Finding::wrong(Topic::PluginInstalled, tilde(why, home), "Repair the file, or install the plugin again."),
            Ok(installed) => plugin_installed(installed, root, &installation.version, home),
        });
        findings.extend(unread);
        findings.extend(plugin_enabled(installed, &settings));
        findings.push(hooks(&settings));
    }
    findings.push(git(&installation.git));
    findings.push(checkout(&installation.here, &installation.look, home));
    findings.push(sessions(sessions_of(&installation.here, &installation.candidates)));
    let resolved = options::resolved(&installation.options);
    findings.extend(settings_of(&resolved));
    verdict(&installation.version, &findings, &resolved, home)
}

/// How many options are set, and each that cannot be used.
fn settings_of(resolved: &[Resolved]) -> Vec<Finding> {
    let faulty: Vec<Finding> = resolved
        .iter()
        .filter_map(|option| Some(Finding::wrong(Topic::Options, option.fault.as_deref()?, option.remedy.as_deref().unwrap_or_default())))
        .collect();
    if !faulty.is_empty() {
        return faulty;
    }
    let set = resolved.iter().filter(|option| option.origin != Origin::Default).count();
    vec![Finding::ok(Topic::Options, if set == 0 { "none set".to_owned() } else { format!("{set} set") })]
}

fn root(place: &Place) -> &str {
    place.root.as_deref().unwrap_or(&place.directory)
}

/// A path with home as `~`; a message that begins with a path too.
pub(super) fn tilde(path: &str, home: Option<&str>) -> String {
    let home = home.map(|home| home.trim_end_matches('/')).filter(|home| !home.is_empty());
    match home.and_then(|home| path.strip_prefix(home)) {
        Some(rest) if rest.is_empty() || rest.starts_with(['/', ':']) => format!("~{rest}"),
        _ => path.to_owned(),
    }
}

/// As a shell takes it for one word.
fn quoted(path: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+@%:,".contains(letter);
    if !path.is_empty() && path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

fn bytes(number: u64) -> String {
    match number {
        0..=999 => format!("{number} B"),
        1000..=999_499 => format!("{} kB", (number + 500) / 1000),
        _ => {
            let tenths = number.saturating_add(50_000) / 100_000;
            format!("{}.{} MB", tenths / 10, tenths % 10)
        }
    }
}

fn binary(installation: &Installation) -> Finding {
    let version = &installation.version;
    match &installation.binary {
        Ok(path) => Finding::ok(Topic::Binary, format!("{} · {version}", tilde(path, installation.home.as_deref()))),
        Err(why) => Finding::note(
            Topic::Binary,
            format!("{version}, at a path that cannot be told: {why}"),
            "Nothing to do as long as the hook runs it.",
        ),
    }
}

fn component(hash: &str) -> Finding {
    Finding::ok(Topic::Component, format!("answers · {}", hash.get(..HASH).unwrap_or(hash)))
}

fn data(folder: &Folder, home: Option<&str>) -> Finding {
    let Some(path) = &folder.path else {
        return Finding::wrong(
            Topic::DataDirectory,
            "there is nowhere to keep the index: no REVEILLE_DATA_DIR, no CLAUDE_PLUGIN_DATA, no home",
            "Set REVEILLE_DATA_DIR to a directory that you can write; until then each wake reads its transcripts anew.",
        );
    };
    let path = tilde(path, home);
    match &folder.trouble {
        Some(why) => Finding::wrong(
            Topic::DataDirectory,
            format!("{path} cannot be written: {why}"),
            "Make it writable, or set REVEILLE_DATA_DIR to a directory that is; until then each wake reads its transcripts anew.",
        ),
        None => Finding::ok(Topic::DataDirectory, format!("{path} · {}", bytes(folder.size))),
    }
}

fn index(index: &Result<u64, String>) -> Finding {
    match index {
        Ok(0) => Finding::note(
            Topic::Index,
            "empty",
            "`reveille scan` reads every transcript of this machine; without it a checkout is read when it is first woken in.",
        ),
        Ok(transcripts) => Finding::ok(Topic::Index, count(*transcripts, "transcript", "transcripts")),
        Err(why) => Finding::wrong(
            Topic::Index,
            format!("cannot be opened: {why}"),
            "Try again in a minute. If it stays so delete index.sqlite in the data directory: it is a cache, and `reveille scan` makes it again.",
        ),
    }
}

fn client_directory(folder: &Folder, home: Option<&str>) -> Finding {
    let Some(path) = &folder.path else {
        return Finding::wrong(
            Topic::ClientDirectory,
            "no home directory and no CLAUDE_CONFIG_DIR, so no transcripts",
            "Set CLAUDE_CONFIG_DIR to the client's configuration directory.",
        );
    };
    let path = tilde(path, home);
    match &folder.trouble {
        _ if !folder.exists => Finding::wrong(
            Topic::ClientDirectory,
            format!("{path} does not exist, so there are no transcripts"),
            "Start Claude Code once, or set CLAUDE_CONFIG_DIR to where it keeps its configuration.",
        ),
        Some(why) => Finding::wrong(Topic::ClientDirectory, format!("{path} cannot be read: {why}"), "Make it readable to you."),
        None => Finding::ok(Topic::ClientDirectory, path),
    }
}

fn plugin_installed(installed: &[Installed], root: &str, version: &str, home: Option<&str>) -> Finding {
    let here: Vec<&Installed> = installed.iter().filter(|row| row.project.as_deref().is_none_or(|project| below(root, project))).collect();
    let Some(first) = here.first() else {
        return match installed.first() {
            Some(Installed { id, project: Some(project), .. }) => Finding::wrong(
                Topic::PluginInstalled,
                format!("only for {}", tilde(project, home)),
                format!("For every project: `claude plugin install {id}`."),
            ),
            _ => Finding::wrong(
                Topic::PluginInstalled,
                "not with the client, so no session starts with a wake",
                "`claude plugin marketplace add <its folder or repository>`, then `claude plugin install reveille@reveille`.",
            ),
        };
    };
    let row = |row: &Installed| match &row.version {
        Some(version) => format!("{} {version}", row.id),
        None => row.id.clone(),
    };
    let rows: BTreeSet<String> = here.iter().map(|installed| row(installed)).collect();
    let rows = rows.into_iter().collect::<Vec<_>>().join(", ");
    if here.iter().all(|row| row.version.as_deref().is_some_and(|installed| installed != version)) {
        return Finding::note(
            Topic::PluginInstalled,
            format!("{rows}, while this is {version}"),
            format!(
                "Sessions run the installed one. `claude plugin update {}` and a new session make it the marketplace's newest.",
                first.id
            ),
        );
    }
    Finding::ok(Topic::PluginInstalled, rows)
}

/// None: nothing is installed, which is said already, and nothing is turned on.
fn plugin_enabled(installed: &[Installed], settings: &Settings) -> Option<Finding> {
    let said = client::enabled(settings);
    let on: Vec<&client::Said> = said.iter().filter(|said| said.on).collect();
    match on.as_slice() {
        [one] => Some(Finding::ok(Topic::PluginEnabled, format!("{} in {}", one.what, one.path))),
        [first, second, ..] => Some(Finding::wrong(
            Topic::PluginEnabled,
            format!("{} and {}: each session is woken twice", first.what, second.what),
            format!("`claude plugin disable {}`.", second.what),
        )),
        [] => {
            let id = &installed.first()?.id;
            let found = match said.iter().find(|said| said.what == *id) {
                Some(off) => format!("turned off in {}", off.path),
                None => "no settings file turns it on".to_owned(),
            };
            Some(Finding::wrong(Topic::PluginEnabled, found, format!("`claude plugin enable {id}`, then a new session.")))
        }
    }
}

fn hooks(settings: &Settings) -> Finding {
    match client::hooks_off(settings) {
        Some(off) => Finding::wrong(
            Topic::Hooks,
            format!("turned off by {} in {}", off.what, off.path),
            "No session starts with a wake as long as it is set; the tool session_wake works all the same.",
        ),
        None => Finding::ok(Topic::Hooks, "not turned off"),
    }
}

fn git(answer: &GitAnswer) -> Finding {
    let without = "Until then a wake says nothing of the branch, of commits and of what changed since.";
    let wrong = |found: String| Finding::wrong(Topic::Git, found, format!("Install git {}.{} or newer. {without}", GIT.0, GIT.1));
    match &answer.end {
        GitEnd::Missing => wrong("not on PATH".to_owned()),
        GitEnd::TimedOut => wrong("`git --version` did not end in time".to_owned()),
        GitEnd::Failed(why) => wrong(format!("cannot be started: {why}")),
        GitEnd::Exited(0) => {
            let text = String::from_utf8_lossy(&answer.stdout);
            match git_version(&text) {
                Some((version, numbers)) if numbers >= GIT => Finding::ok(Topic::Git, version),
                Some((version, _)) => wrong(format!("{version} is too old")),
                None => Finding::note(
                    Topic::Git,
                    format!("a version that cannot be read: {}", text.trim()),
                    "Nothing to do as long as the checkout below is read.",
                ),
            }
        }
        GitEnd::Exited(status) => {
            wrong(format!("`git --version` failed with status {status}: {}", String::from_utf8_lossy(&answer.stderr).trim()))
        }
    }
}

/// `git version 2.39.3 (Apple Git-146)`: `2.39.3` with its first two numbers.
fn git_version(text: &str) -> Option<(&str, (u32, u32))> {
    let version = text.trim().strip_prefix("git version ")?.split_whitespace().next()?;
    let mut numbers = version.split('.').map(str::parse::<u32>);
    Some((version, (numbers.next()?.ok()?, numbers.next()?.ok()?)))
}

fn checkout(here: &Place, answers: &[GitAnswer], home: Option<&str>) -> Finding {
    let look = read_look(answers);
    let shown = tilde(root(here), home);
    if here.root.is_none() && look.state != LookState::Bare {
        return Finding::ok(Topic::Checkout, format!("{shown} · no git repository: the directory is the checkout"));
    }
    let found = format!("{} · {shown}", identify(here).display);
    match &look.state {
        LookState::Read if look.detached => Finding::ok(Topic::Checkout, format!("{found} · detached HEAD")),
        LookState::Read | LookState::GitMissing => {
            Finding::ok(Topic::Checkout, look.branch.as_ref().map_or(found.clone(), |branch| format!("{found} · branch {branch}")))
        }
        LookState::Unborn => Finding::ok(Topic::Checkout, format!("{found} · no commit yet")),
        LookState::Bare => Finding::ok(Topic::Checkout, format!("{found} · bare, no working tree")),
        LookState::NotTrusted => Finding::wrong(
            Topic::Checkout,
            format!("{found} · git refuses it: it belongs to another user"),
            format!("If you trust it: `git config --global --add safe.directory {}`.", quoted(root(here))),
        ),
        LookState::TimedOut => Finding::note(
            Topic::Checkout,
            format!("{found} · git did not answer within 2 s"),
            "A wake comes without what git knows. `git status` there says how long it takes; core.untrackedCache and fewer untracked files help.",
        ),
        LookState::NotACheckout => Finding::wrong(
            Topic::Checkout,
            format!("{found} · there is a .git, and git finds no repository"),
            "`git status` there says more; a linked worktree whose repository moved is mended with `git worktree repair`.",
        ),
        LookState::Unreadable(why) => {
            Finding::wrong(Topic::Checkout, format!("{found} · git cannot read it: {why}"), "`git fsck` there says what is damaged.")
        }
    }
}

fn sessions(sessions: Sessions) -> Finding {
    let elsewhere = sessions.repository.saturating_sub(sessions.checkout);
    let more = if elsewhere > 0 { format!(", {elsewhere} elsewhere in its repository") } else { String::new() };
    match sessions.checkout {
        0 if elsewhere == 0 => {
            Finding::note(Topic::Sessions, "none of this checkout yet", "The next session after one that did something here has a wake.")
        }
        here => Finding::ok(Topic::Sessions, format!("{here} of this checkout{more}")),
    }
}

#[cfg(test)]
mod tests;
