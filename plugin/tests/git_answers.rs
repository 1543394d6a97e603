//! Real git in every state a checkout can be in, and what is read from its answers.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::{Path, PathBuf};
use std::process::Command;

use reveille_plugin::checkout::{Look, LookState, Upstream, first_look, reach_command, reachable, read_look};
use reveille_plugin::contract::checkout::{GitAnswer, GitCommand, GitEnd};

struct Repository {
    folder: PathBuf,
    root: PathBuf,
}

impl Repository {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("reveille-git-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let root = folder.join("web");
        Self { folder, root }
    }

    fn init(name: &str, extra: &[&str]) -> Self {
        let repository = Self::new(name);
        let root = repository.root.to_str().unwrap().to_owned();
        git(&repository.folder, &[&["init", "-q", "-b", "main"], extra, &[&root]].concat());
        repository
    }

    fn commit(&self, file: &str, subject: &str) {
        std::fs::write(self.root.join(file), subject).unwrap();
        git(&self.root, &["add", "-A"]);
        git(&self.root, &["commit", "-q", "-m", subject]);
    }

    fn look(&self) -> Look {
        look(&self.root)
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn run(folder: &Path, arguments: &[&str]) -> std::process::Output {
    Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("LC_ALL", "C")
        .output()
        .unwrap()
}

fn git(folder: &Path, arguments: &[&str]) {
    let output = run(folder, arguments);
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn answer(folder: &Path, command: GitCommand) -> GitAnswer {
    let arguments: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
    let output = run(folder, &arguments);
    GitAnswer { command, end: GitEnd::Exited(output.status.code().unwrap()), stdout: output.stdout, stderr: output.stderr }
}

fn look(folder: &Path) -> Look {
    let answers: Vec<GitAnswer> = first_look().into_iter().map(|command| answer(folder, command)).collect();
    read_look(&answers)
}

#[test]
fn a_checkout_says_its_branch_head_subject_and_what_is_dirty() {
    let repository = Repository::init("plain", &[]);
    repository.commit("a.txt", "first");
    repository.commit("b.txt", "site: the landing page");
    std::fs::write(repository.root.join("a.txt"), "changed").unwrap();
    std::fs::write(repository.root.join("new file.txt"), "x").unwrap();
    let look = repository.look();
    assert_eq!(look.state, LookState::Read);
    assert_eq!(look.branch.as_deref(), Some("main"));
    assert_eq!(look.subject.as_deref(), Some("site: the landing page"));
    assert_eq!(look.dirty, Some(2));
    assert_eq!(look.dirty_files, ["a.txt", "new file.txt"]);
    assert_eq!(look.upstream, Some(Upstream::None));
    assert_eq!(look.log.iter().map(|entry| entry.files.clone()).collect::<Vec<_>>(), [["b.txt"], ["a.txt"]]);
    assert!(look.log_complete);
    assert_eq!(look.log[0].author, "Dev");
    assert_eq!(look.log[0].parents, [look.log[1].hash.clone()]);
    assert_eq!(look.head.as_deref(), Some(look.log[0].hash.as_str()));
}

#[test]
fn an_unborn_branch_has_a_name_and_no_head() {
    let look = Repository::init("unborn", &[]).look();
    assert_eq!((look.state, look.branch.as_deref(), look.head), (LookState::Unborn, Some("main"), None));
}

#[test]
fn an_orphan_branch_is_unborn_in_a_repository_that_has_commits() {
    let repository = Repository::init("orphan", &[]);
    repository.commit("a.txt", "first");
    git(&repository.root, &["checkout", "-q", "--orphan", "fresh"]);
    assert_eq!((repository.look().state, repository.look().branch.as_deref()), (LookState::Unborn, Some("fresh")));
}

#[test]
fn a_detached_head_is_no_branch() {
    let repository = Repository::init("detached", &[]);
    repository.commit("a.txt", "first");
    git(&repository.root, &["checkout", "-q", "--detach"]);
    let look = repository.look();
    assert!(look.detached && look.branch.is_none() && look.head.is_some());
}

#[test]
fn a_bare_repository_and_no_repository_are_different_words() {
    let repository = Repository::init("bare", &["--bare"]);
    assert_eq!(repository.look().state, LookState::Bare);
    assert_eq!(look(&repository.folder).state, LookState::NotACheckout);
}

#[test]
fn a_linked_worktree_a_shallow_clone_and_other_formats_are_read_alike() {
    for (name, extra) in [("sha256", ["--object-format=sha256"].as_slice()), ("reftable", &["--ref-format=reftable"]), ("files", &[])] {
        let repository = Repository::init(name, extra);
        repository.commit("a.txt", "first");
        repository.commit("a.txt", "second");
        let tree = repository.folder.join("tree");
        git(&repository.root, &["worktree", "add", "-q", "-b", "feat/x", tree.to_str().unwrap()]);
        let look = look(&tree);
        assert_eq!((look.state, look.branch.as_deref(), look.log.len()), (LookState::Read, Some("feat/x"), 2), "{name}");
    }
    let repository = Repository::init("shallow", &[]);
    repository.commit("a.txt", "first");
    repository.commit("a.txt", "second");
    let url = format!("file://{}", repository.root.display());
    git(&repository.folder, &["clone", "-q", "--depth=1", &url, "clone"]);
    assert_eq!(look(&repository.folder.join("clone")).log.len(), 1);
}

#[test]
fn an_upstream_is_compared_with_or_gone() {
    let repository = Repository::init("upstream", &[]);
    repository.commit("a.txt", "first");
    git(&repository.folder, &["clone", "-q", "web", "clone"]);
    let clone = repository.folder.join("clone");
    std::fs::write(clone.join("b.txt"), "b").unwrap();
    git(&clone, &["add", "-A"]);
    git(&clone, &["commit", "-q", "-m", "mine"]);
    assert_eq!(look(&clone).upstream, Some(Upstream::Tracking { name: "origin/main".to_owned(), ahead: 1, behind: 0 }));
    git(&clone, &["update-ref", "-d", "refs/remotes/origin/main"]);
    assert_eq!(look(&clone).upstream, Some(Upstream::Gone("origin/main".to_owned())));
}

#[test]
fn a_branch_named_like_a_file_and_a_hostile_subject_break_nothing() {
    let repository = Repository::init("hostile", &[]);
    let subject = format!("\u{1b}[31mred\u{1b}[0m {}", "x".repeat(10_000));
    repository.commit("main", &subject);
    repository.commit("-z", "second");
    let look = repository.look();
    assert_eq!((look.state, look.branch.as_deref(), look.log.len()), (LookState::Read, Some("main"), 2));
    assert_eq!(look.log[1].subject, subject);
    assert_eq!(look.log[0].files, ["-z"]);
}

#[test]
fn a_commit_is_reachable_by_the_log_or_by_asking() {
    let repository = Repository::init("reach", &[]);
    repository.commit("a.txt", "first");
    git(&repository.root, &["checkout", "-q", "-b", "side"]);
    repository.commit("b.txt", "on the side");
    let side = repository.look().head.unwrap();
    git(&repository.root, &["checkout", "-q", "main"]);
    let mut look = repository.look();
    assert_eq!(reachable(&[], &look.head.clone().unwrap(), &look), Some(true));
    assert_eq!(reachable(&[], &side, &look), Some(false));
    look.log_complete = false;
    assert_eq!(reachable(&[], &side, &look), None);
    let asked = answer(&repository.root, reach_command(&side));
    assert_eq!(reachable(&[asked], &side, &look), Some(false));
    let unknown = answer(&repository.root, reach_command("0123456789"));
    assert_eq!(reachable(&[unknown], "0123456789", &look), Some(false));
}

#[test]
fn git_that_is_missing_late_or_refuses_is_said_in_its_own_word() {
    let with = |end: GitEnd, stderr: &str| {
        let command = first_look().remove(0);
        read_look(&[GitAnswer { command, end, stdout: Vec::new(), stderr: stderr.as_bytes().to_vec() }]).state
    };
    assert_eq!(with(GitEnd::Missing, ""), LookState::GitMissing);
    assert_eq!(with(GitEnd::TimedOut, ""), LookState::TimedOut);
    assert_eq!(with(GitEnd::Exited(128), "fatal: detected dubious ownership in repository at '/x'\n"), LookState::NotTrusted);
    assert_eq!(with(GitEnd::Exited(128), "fatal: index file corrupt\n"), LookState::Unreadable("index file corrupt".to_owned()));
}

#[test]
fn nothing_that_a_commit_says_breaks_out_of_its_field() {
    let repository = Repository::init("fields", &[]);
    repository.commit("a.txt", "first");
    let forged = format!("x\u{1}{}\u{2}\u{2}1\u{2}nobody\u{2}forged", "a".repeat(40));
    std::fs::write(repository.root.join("b\u{1}c\u{2}d\ne"), "b").unwrap();
    git(&repository.root, &["add", "-A"]);
    let author = "-c user.name=De\u{2}v\u{1}x";
    git(&repository.root, &["-c", author.trim_start_matches("-c "), "commit", "-q", "-m", &forged]);
    let look = repository.look();
    assert_eq!(look.log.len(), 2);
    assert_eq!(look.log[0].files, ["b\u{1}c\u{2}d\ne"]);
    assert!(look.log[0].subject.ends_with(&forged), "{:?}", look.log[0].subject);
    assert_eq!(look.log[1].subject, "first");
}

#[test]
fn merges_and_empty_commits_have_no_files_and_keep_their_places() {
    let repository = Repository::init("merge", &[]);
    repository.commit("a.txt", "first");
    git(&repository.root, &["checkout", "-q", "-b", "side"]);
    repository.commit("b.txt", "on the side");
    git(&repository.root, &["checkout", "-q", "main"]);
    repository.commit("c.txt", "on main");
    git(&repository.root, &["merge", "-q", "-m", "merge", "side"]);
    git(&repository.root, &["commit", "-q", "--allow-empty", "-m", "empty"]);
    let log: Vec<(String, usize, usize)> =
        repository.look().log.into_iter().map(|entry| (entry.subject, entry.parents.len(), entry.files.len())).collect();
    let entry = |subject: &str, parents, files| (subject.to_owned(), parents, files);
    assert_eq!(log[..2], [entry("empty", 1, 0), entry("merge", 2, 0)]);
    assert_eq!(log.last(), Some(&entry("first", 0, 1)));
}

#[cfg(unix)]
#[test]
fn nothing_in_the_repositorys_configuration_runs_a_program() {
    use std::os::unix::fs::PermissionsExt;
    let repository = Repository::init("programs", &[]);
    repository.commit("a.txt", "first");
    repository.commit("a.txt", "second");
    let ran = repository.folder.join("ran");
    let program = repository.folder.join("program");
    std::fs::write(&program, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\nexit 1\n", ran.display())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::write(repository.root.join(".git/info/attributes"), "* diff=x\n").unwrap();
    let program = program.to_str().unwrap();
    for key in [
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "gpg.program",
        "core.pager",
        "pager.log",
        "pager.status",
        "core.editor",
        "sequence.editor",
    ] {
        git(&repository.root, &["config", key, program]);
    }
    for (key, value) in [
        ("log.showSignature", "true"),
        ("status.submoduleSummary", "true"),
        ("i18n.logOutputEncoding", "ISO-8859-1"),
        ("log.decorate", "full"),
    ] {
        git(&repository.root, &["config", key, value]);
    }
    std::fs::write(repository.root.join("a.txt"), "dirty").unwrap();
    repository.commit("b.txt", "dritte Größe");
    std::fs::write(repository.root.join("a.txt"), "dirty again").unwrap();
    let look = repository.look();
    assert_eq!((look.state, look.dirty, look.log.len()), (LookState::Read, Some(1), 3));
    assert_eq!(look.subject.as_deref(), Some("dritte Größe"));
    assert!(!ran.exists(), "{}", std::fs::read_to_string(&ran).unwrap());
}

#[test]
fn paths_are_those_from_the_root_wherever_the_look_is_taken() {
    let repository = Repository::init("below", &[]);
    std::fs::create_dir(repository.root.join("src")).unwrap();
    std::fs::write(repository.root.join("top.txt"), "x").unwrap();
    repository.commit("src/a.rs", "first");
    std::fs::write(repository.root.join("top.txt"), "y").unwrap();
    std::fs::write(repository.root.join("src/b.rs"), "new").unwrap();
    let look = look(&repository.root.join("src"));
    assert_eq!(look.dirty_files, ["top.txt", "src/b.rs"]);
    assert_eq!(look.log[0].files, ["src/a.rs", "top.txt"]);
}

#[test]
fn conflicts_staged_renames_and_deletions_are_each_dirty() {
    let repository = Repository::init("conflict", &[]);
    repository.commit("a.txt", "first");
    repository.commit("old name", "moved later");
    repository.commit("gone", "deleted later");
    git(&repository.root, &["checkout", "-q", "-b", "side"]);
    repository.commit("a.txt", "theirs");
    git(&repository.root, &["checkout", "-q", "main"]);
    repository.commit("a.txt", "ours");
    assert!(!run(&repository.root, &["merge", "-q", "side"]).status.success());
    git(&repository.root, &["mv", "old name", "new name"]);
    std::fs::remove_file(repository.root.join("gone")).unwrap();
    let mut files = repository.look().dirty_files;
    files.sort();
    assert_eq!(files, ["a.txt", "gone", "new name", "old name"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_no_utf_8_is_read_with_replacements() {
    use std::os::unix::ffi::OsStrExt;
    let repository = Repository::init("bytes", &[]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    std::fs::write(repository.root.join(name), "x").unwrap();
    git(&repository.root, &["add", "-A"]);
    git(&repository.root, &["commit", "-q", "-m", "first"]);
    std::fs::write(repository.root.join(name), "y").unwrap();
    let look = repository.look();
    assert_eq!((look.dirty_files, look.log[0].files.clone()), (vec!["caf\u{fffd}.txt".to_owned()], vec!["caf\u{fffd}.txt".to_owned()]));
}

#[test]
fn a_log_that_breaks_off_keeps_what_it_has_and_does_not_claim_to_be_whole() {
    let repository = Repository::init("broken", &[]);
    repository.commit("a.txt", "first");
    repository.commit("a.txt", "second");
    repository.commit("a.txt", "third");
    let hashes: Vec<String> = repository.look().log.into_iter().map(|entry| entry.hash).collect();
    let object = repository.root.join(".git/objects").join(&hashes[2][..2]).join(&hashes[2][2..]);
    std::fs::remove_file(object).unwrap();
    let look = repository.look();
    assert_eq!(look.state, LookState::Read);
    assert!(!look.log_complete);
    assert_eq!(look.subject.as_deref(), Some("third"));
    assert_eq!(reachable(&[], &hashes[2], &look), None);
}

#[test]
fn a_worktree_whose_repository_is_gone_is_no_checkout_and_a_refusal_is_its_own_word() {
    let repository = Repository::init("gone", &[]);
    repository.commit("a.txt", "first");
    let tree = repository.folder.join("tree");
    git(&repository.root, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    std::fs::remove_dir_all(&repository.root).unwrap();
    assert_eq!(look(&tree).state, LookState::NotACheckout);
}

#[test]
fn an_answer_that_was_cut_counts_whole_entries_only_and_a_cut_log_is_not_whole() {
    let mut status = b"# branch.oid 0123456789012345678901234567890123456789\0# branch.head main\0".to_vec();
    while status.len() < 4 << 20 {
        status.extend_from_slice(b"? some/untracked/file.txt\0");
    }
    status.truncate(4 << 20);
    let entries = u32::try_from(status.iter().filter(|byte| **byte == 0).count() - 2).unwrap();
    let mut log = format!("\u{1}{}\u{2}\u{2}1\u{2}Dev\u{2}first\0\n", "a".repeat(40)).into_bytes();
    log.resize(4 << 20, b'f');
    let commands = first_look();
    let answers: Vec<GitAnswer> = commands
        .into_iter()
        .zip([status, log])
        .map(|(command, stdout)| GitAnswer { command, end: GitEnd::Exited(0), stdout, stderr: Vec::new() })
        .collect();
    let look = read_look(&answers);
    assert_eq!((look.dirty, look.log.len(), look.log_complete), (Some(entries), 1, false));
}

#[test]
fn a_hash_is_never_an_option_and_is_compared_case_aside() {
    assert_eq!(reach_command("--output=/x/abc").arguments, ["merge-base", "--is-ancestor", "abc", "HEAD"]);
    let repository = Repository::init("case", &[]);
    repository.commit("a.txt", "first");
    let look = repository.look();
    let hash = look.head.clone().unwrap();
    assert_eq!(reachable(&[], &hash[..9].to_uppercase(), &look), Some(true));
    for hash in ["", "abc", "--help-me", "zzzzzzzz"] {
        assert_eq!(reachable(&[], hash, &look), None, "{hash}");
    }
}
