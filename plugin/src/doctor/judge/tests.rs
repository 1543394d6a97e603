//! What is said of each installation.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
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
        options: Vec::new(),
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
            ok     Options         none set

        ## Options

            main_nudge_start   40%                        default
            main_nudge_step    10%                        default
            main_ceiling       85%                        default
            main_max_context   as Claude Code reports it  default
            agent_nudge_start  40%                        default
            agent_nudge_step   10%                        default
            agent_ceiling      80%                        default
            agent_max_context  as Claude Code reports it  default
            ceiling_native     no                         default
            manual             native                     default
            ignore_models      none                       default
            keep_skills        none                       default
            aliases            none                       default
            checks             none                       default
            log_dir            in the data directory      default
            log_level          normal                     default
            retention_days     30                         default
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
            installation.register =
                document("/r", r#"{"plugins":{"reveille@x":[{"scope":"project","version":"0.1.0","projectPath":"/home/dev/code/we"}]}}"#);
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
            installation
                .settings
                .insert(0, document("/home/dev/code/web/.claude/settings.local.json", r#"{"enabledPlugins":{"reveille@reveille":false}}"#));
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
    installation.options = ["ALIASES", "KEEP_SKILLS", "MANUAL"].map(|name| (format!("REVEILLE_{name}"), format!("x,{hostile}"))).to_vec();
    installation.look = status(GitEnd::Failed(hostile), "", "");
    let verdict = judge(&installation);
    assert!(!verdict.healthy);
    for line in verdict.markdown.lines().skip(2).filter(|line| !["", "## Options"].contains(line)) {
        assert!(line.starts_with("    ") && line.len() < 400 && !line.chars().any(char::is_control), "{line}");
    }
}

#[test]
fn every_option_is_shown_with_where_it_comes_from() {
    let given = [
        ("REVEILLE_MAIN_CEILING", "90 %"),
        ("CLAUDE_PLUGIN_OPTION_MANUAL", "handoff"),
        ("CLAUDE_PLUGIN_OPTION_MAIN_CEILING", "70%"),
        ("CLAUDE_PLUGIN_OPTION_KEEP_SKILLS", "${user_config.keep_skills}"),
        ("REVEILLE_LOG_DIR", "/home/dev/logs"),
    ];
    let options = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let verdict = judge(&Installation { options, ..installation() });
    assert!(verdict.healthy);
    let (_, shown) = verdict.markdown.split_once("    ok     Options         ").unwrap();
    expect![[r#"
        3 set

        ## Options

            main_nudge_start   40%                        default
            main_nudge_step    10%                        default
            main_ceiling       90%                        REVEILLE_MAIN_CEILING
            main_max_context   as Claude Code reports it  default
            agent_nudge_start  40%                        default
            agent_nudge_step   10%                        default
            agent_ceiling      80%                        default
            agent_max_context  as Claude Code reports it  default
            ceiling_native     no                         default
            manual             handoff                    the plugin's settings
            ignore_models      none                       default
            keep_skills        none                       default
            aliases            none                       default
            checks             none                       default
            log_dir            ~/logs                     REVEILLE_LOG_DIR
            log_level          normal                     default
            retention_days     30                         default
    "#]]
    .assert_eq(shown);
    let json: Value = serde_json::from_str(&verdict.json).unwrap();
    let row = |name: &str| json["options"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone();
    assert_eq!(
        row("main_ceiling"),
        serde_json::json!({
            "name": "main_ceiling", "value": "90%", "origin": "environment", "variable": "REVEILLE_MAIN_CEILING", "fault": null, "remedy": null
        })
    );
    assert_eq!(row("manual")["origin"], "user-config");
    assert_eq!(row("log_level")["origin"], "default");
}

#[test]
fn an_option_that_cannot_be_used_says_what_is_used_and_what_to_write() {
    check(
        |installation| installation.options = vec![("REVEILLE_MAIN_NUDGE_STEP".to_owned(), "0".to_owned())],
        expect![[r#"
        WRONG  Options         main_nudge_step is "0" in REVEILLE_MAIN_NUDGE_STEP, which must be above 0; 10% is used.
        → Write a share up to 100% or tokens, above 0: `40%`, `80000`, `80k`, `1.5M`.
    "#]],
    );
}
