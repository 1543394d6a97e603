//! What an installation must have for a wake, in the order that one needs it. Each function is one topic.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::client::{self, Installed};
use super::finding::{Finding, Topic};
use super::verdict::verdict;
use crate::checkout::{LookState, below, identify, read_look};
use crate::contract::checkout::{GitAnswer, GitEnd, Place};
use crate::contract::doctor::{Folder, Installation, Verdict};
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
    verdict(&installation.version, &findings)
}

fn root(place: &Place) -> &str {
    place.root.as_deref().unwrap_or(&place.directory)
}

/// A path with home as `~`; a message that begins with a path too.
fn tilde(path: &str, home: Option<&str>) -> String {
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
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use expect_test::{Expect, expect};

    use super::*;
    use crate::checkout::first_look;
    use crate::contract::checkout::GitCommand;
    use crate::contract::doctor::{Content, Document};
    use crate::wake::fixture::{candidate, place};

    fn answered(arguments: &[&str], end: GitEnd, stdout: &str, stderr: &str) -> GitAnswer {
        let command = GitCommand { arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect() };
        GitAnswer { command, end, stdout: stdout.as_bytes().to_vec(), stderr: stderr.as_bytes().to_vec() }
    }

    fn status(end: GitEnd, stdout: &str, stderr: &str) -> Vec<GitAnswer> {
        vec![GitAnswer { command: first_look().remove(0), ..answered(&[], end, stdout, stderr) }]
    }

    fn document(path: &str, text: &str) -> Document {
        Document { path: path.to_owned(), content: Content::Read(text.as_bytes().to_vec()) }
    }

    fn folder(path: &str) -> Folder {
        Folder { path: Some(path.to_owned()), exists: true, trouble: None, size: 1_234_567 }
    }

    /// One in which all is well.
    fn installation() -> Installation {
        Installation {
            binary: Ok("/home/dev/bin/reveille".to_owned()),
            version: "0.1.0".to_owned(),
            component: "0123456789abcdef".to_owned(),
            data: folder("/home/dev/.local/share/reveille"),
            index: Some(Ok(1_826)),
            client: folder("/home/dev/.claude"),
            register: document(
                "/home/dev/.claude/plugins/installed_plugins.json",
                r#"{"version":2,"plugins":{"reveille@reveille":[{"scope":"user","version":"0.1.0"}]}}"#,
            ),
            settings: vec![document("/home/dev/.claude/settings.json", r#"{"enabledPlugins":{"reveille@reveille":true}}"#)],
            git: answered(&["--version"], GitEnd::Exited(0), "git version 2.39.3 (Apple Git-146)\n", ""),
            here: place("/home/dev/code/web/src", Some("/home/dev/code/web")),
            look: status(GitEnd::Exited(0), "# branch.oid 0123456789012345678901234567890123456789\0# branch.head main\0", ""),
            candidates: vec![
                candidate("5d1f0a52", 1, place("/home/dev/code/web", Some("/home/dev/code/web"))),
                candidate("b214830c", 2, place("/srv/other", Some("/srv/other"))),
            ],
            home: Some("/home/dev".to_owned()),
        }
    }

    #[test]
    fn an_installation_in_which_all_is_well_says_so_line_by_line() {
        let verdict = judge(&installation());
        assert!(verdict.healthy);
        expect![[r#"
            # Doctor · reveille 0.1.0 · all is well

                ok     Binary          ~/bin/reveille · 0.1.0
                ok     Component       answers · 0123456789ab
                ok     Data directory  ~/.local/share/reveille · 1.2 MB
                ok     Index           1,826 transcripts
                ok     Claude Code     ~/.claude
                ok     Installed       reveille@reveille 0.1.0
                ok     Enabled         reveille@reveille in ~/.claude/settings.json
                ok     Hooks           not turned off
                ok     Git             2.39.3
                ok     Checkout        code/web · ~/code/web · branch main
                ok     Sessions        1 of this checkout
        "#]]
        .assert_eq(&verdict.markdown);
    }

    /// What differs from an installation in which all is well.
    #[track_caller]
    fn check(change: impl FnOnce(&mut Installation), expected: Expect) {
        let mut installation = installation();
        let well: Vec<String> = judge(&installation).markdown.lines().map(str::to_owned).collect();
        change(&mut installation);
        let verdict = judge(&installation);
        let differs: String = verdict
            .markdown
            .lines()
            .skip(2)
            .filter(|line| !well.iter().any(|known| known == line))
            .map(|line| format!("{}\n", line.trim_start()))
            .collect();
        expected.assert_eq(&differs);
        assert_eq!(verdict.healthy, !verdict.markdown.contains("WRONG"), "healthy is: nothing is wrong");
    }

    #[test]
    fn a_data_directory_or_an_index_that_cannot_be_used_says_what_to_do() {
        check(
            |installation| {
                installation.data.trouble = Some("Permission denied (os error 13)".to_owned());
                installation.index = Some(Err("Permission denied".to_owned()));
            },
            expect![[r#"
                WRONG  Data directory  ~/.local/share/reveille cannot be written: Permission denied (os error 13)
                → Make it writable, or set REVEILLE_DATA_DIR to a directory that is; until then each wake reads its transcripts anew.
            "#]],
        );
        check(
            |installation| {
                installation.data.path = None;
                installation.index = None;
            },
            expect![[r#"
                WRONG  Data directory  there is nowhere to keep the index: no REVEILLE_DATA_DIR, no CLAUDE_PLUGIN_DATA, no home
                → Set REVEILLE_DATA_DIR to a directory that you can write; until then each wake reads its transcripts anew.
            "#]],
        );
        check(
            |installation| installation.index = Some(Err("database is locked".to_owned())),
            expect![[r#"
                WRONG  Index           cannot be opened: database is locked
                → Try again in a minute. If it stays so delete index.sqlite in the data directory: it is a cache, and `reveille scan` makes it again.
            "#]],
        );
        check(
            |installation| installation.index = Some(Ok(0)),
            expect![[r#"
                note   Index           empty
                → `reveille scan` reads every transcript of this machine; without it a checkout is read when it is first woken in.
            "#]],
        );
    }

    #[test]
    fn without_the_clients_directory_nothing_is_said_of_its_files() {
        check(
            |installation| installation.client.exists = false,
            expect![[r#"
                WRONG  Claude Code     ~/.claude does not exist, so there are no transcripts
                → Start Claude Code once, or set CLAUDE_CONFIG_DIR to where it keeps its configuration.
            "#]],
        );
        check(
            |installation| installation.client.trouble = Some("Permission denied".to_owned()),
            expect![[r#"
                WRONG  Claude Code     ~/.claude cannot be read: Permission denied
                → Make it readable to you.
            "#]],
        );
        check(
            |installation| installation.client = Folder { path: None, exists: false, trouble: None, size: 0 },
            expect![[r#"
                WRONG  Claude Code     no home directory and no CLAUDE_CONFIG_DIR, so no transcripts
                → Set CLAUDE_CONFIG_DIR to the client's configuration directory.
            "#]],
        );
    }

    #[test]
    fn a_plugin_that_is_not_installed_here_says_how_to_install_it() {
        check(
            |installation| {
                installation.register.content = Content::Missing;
                installation.settings.clear();
            },
            expect![[r#"
                WRONG  Installed       not with the client, so no session starts with a wake
                → `claude plugin marketplace add <its folder or repository>`, then `claude plugin install reveille@reveille`.
            "#]],
        );
        check(
            |installation| {
                installation.register = document(
                    "/r",
                    r#"{"plugins":{"reveille@x":[{"scope":"project","version":"0.1.0","projectPath":"/home/dev/code/we"}]}}"#,
                );
                installation.settings.clear();
            },
            expect![[r#"
                WRONG  Installed       only for ~/code/we
                → For every project: `claude plugin install reveille@x`.
                WRONG  Enabled         no settings file turns it on
                → `claude plugin enable reveille@x`, then a new session.
            "#]],
        );
        check(
            |installation| installation.register = document("/home/dev/.claude/plugins/installed_plugins.json", "{"),
            expect![[r#"
                WRONG  Installed       ~/.claude/plugins/installed_plugins.json: no JSON, line 1
                → Repair the file, or install the plugin again.
            "#]],
        );
    }

    #[test]
    fn another_version_than_the_installed_one_is_a_note() {
        check(
            |installation| installation.version = "0.2.0".to_owned(),
            expect![[r#"
                ok     Binary          ~/bin/reveille · 0.2.0
                note   Installed       reveille@reveille 0.1.0, while this is 0.2.0
                → Sessions run the installed one. `claude plugin update reveille@reveille` and a new session make it the marketplace's newest.
            "#]],
        );
    }

    #[test]
    fn a_plugin_or_hooks_turned_off_say_where_and_one_turned_on_twice_which() {
        check(
            |installation| {
                installation.settings.insert(
                    0,
                    document("/home/dev/code/web/.claude/settings.local.json", r#"{"enabledPlugins":{"reveille@reveille":false}}"#),
                );
            },
            expect![[r#"
                WRONG  Enabled         turned off in ~/code/web/.claude/settings.local.json
                → `claude plugin enable reveille@reveille`, then a new session.
            "#]],
        );
        check(
            |installation| {
                installation.settings =
                    vec![document("/s", r#"{"enabledPlugins":{"reveille@a":true,"reveille@b":true},"disableAllHooks":true}"#)];
            },
            expect![[r#"
                WRONG  Enabled         reveille@a and reveille@b: each session is woken twice
                → `claude plugin disable reveille@b`.
                WRONG  Hooks           turned off by disableAllHooks in /s
                → No session starts with a wake as long as it is set; the tool session_wake works all the same.
            "#]],
        );
        check(
            |installation| installation.settings.insert(0, document("/home/dev/code/web/.claude/settings.json", "[]")),
            expect![[r#"
                WRONG  Enabled         ~/code/web/.claude/settings.json: no JSON object
                → Repair the file: the client reads nothing of it as it is.
            "#]],
        );
    }

    #[test]
    fn git_is_missing_too_old_or_of_a_version_nobody_knows() {
        check(
            |installation| installation.git.end = GitEnd::Missing,
            expect![[r#"
                WRONG  Git             not on PATH
                → Install git 2.18 or newer. Until then a wake says nothing of the branch, of commits and of what changed since.
            "#]],
        );
        check(
            |installation| installation.git.stdout = b"git version 2.9.5\n".to_vec(),
            expect![[r#"
                WRONG  Git             2.9.5 is too old
                → Install git 2.18 or newer. Until then a wake says nothing of the branch, of commits and of what changed since.
            "#]],
        );
        for (text, expected) in [
            ("git version 2.47.0.windows.1", Some(("2.47.0.windows.1", (2, 47)))),
            ("git version 3.0-rc1", None),
            ("git version 10.1", Some(("10.1", (10, 1)))),
            ("hub version 1", None),
            ("", None),
        ] {
            assert_eq!(git_version(text), expected, "{text}");
        }
    }

    #[test]
    fn a_checkout_that_git_does_not_read_says_the_command_that_helps() {
        check(
            |installation| {
                installation.here = place("/home/dev/co de/it's", Some("/home/dev/co de/it's"));
                installation.look = status(GitEnd::Exited(128), "", "fatal: detected dubious ownership in repository at '/x'\n");
                installation.candidates.clear();
            },
            expect![[r#"
                WRONG  Checkout        co de/it's · ~/co de/it's · git refuses it: it belongs to another user
                → If you trust it: `git config --global --add safe.directory '/home/dev/co de/it'\''s'`.
                note   Sessions        none of this checkout yet
                → The next session after one that did something here has a wake.
            "#]],
        );
        for (look, expected) in [
            (status(GitEnd::TimedOut, "", ""), "git did not answer within 2 s"),
            (status(GitEnd::Exited(128), "", "fatal: not a git repository: /x\n"), "there is a .git, and git finds no repository"),
            (status(GitEnd::Exited(128), "", "fatal: bad \u{1b}[31mobject\n"), "git cannot read it: bad object"),
            (status(GitEnd::Exited(0), "# branch.oid (initial)\0# branch.head main\0", ""), "no commit yet"),
            (status(GitEnd::Exited(0), "# branch.oid 01\0# branch.head (detached)\0", ""), "detached HEAD"),
            (status(GitEnd::Exited(128), "", "fatal: this operation must be run in a work tree\n"), "bare, no working tree"),
            (status(GitEnd::Missing, "", ""), "code/web · ~/code/web\n"),
        ] {
            let markdown = judge(&Installation { look, ..installation() }).markdown;
            assert!(markdown.contains(expected), "{expected}\n{markdown}");
        }
        let markdown = judge(&Installation { here: place("/home/dev/notes", None), ..installation() }).markdown;
        assert!(markdown.contains("~/notes · no git repository: the directory is the checkout"), "{markdown}");
    }

    #[test]
    fn a_session_of_two_files_counts_once_and_those_elsewhere_in_the_repository_are_told_apart() {
        check(
            |installation| {
                let tree = Place {
                    common_directory: Some("/home/dev/code/web/.git".to_owned()),
                    ..place("/home/dev/code/tree", Some("/home/dev/code/tree"))
                };
                installation.candidates.extend([
                    candidate("5d1f0a52", 3, place("/home/dev/code/web", Some("/home/dev/code/web"))),
                    candidate("abcd0000", 4, tree),
                ]);
            },
            expect![[r#"
                ok     Sessions        1 of this checkout, 1 elsewhere in its repository
            "#]],
        );
    }

    #[test]
    fn whatever_the_machine_says_stays_one_bounded_line() {
        let hostile = "x\n\u{1b}[31m\u{202e}# y\r\n".repeat(500);
        let mut installation = installation();
        installation.binary = Err(hostile.clone());
        installation.component = hostile.clone();
        installation.data.trouble = Some(hostile.clone());
        installation.index = Some(Err(hostile.clone()));
        installation.register.content = Content::Unreadable(hostile.clone());
        installation.git.end = GitEnd::Failed(hostile.clone());
        installation.look = status(GitEnd::Failed(hostile), "", "");
        let verdict = judge(&installation);
        assert!(!verdict.healthy);
        for line in verdict.markdown.lines().skip(2) {
            assert!(line.starts_with("    ") && line.len() < 400 && !line.chars().any(char::is_control), "{line}");
        }
    }
}
