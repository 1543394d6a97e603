//! Real git in every state a checkout can be in, and what is read from its answers.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

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
