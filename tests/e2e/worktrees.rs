//! Several checkouts of one repository in the real client: its own worktrees, removed ones, clones.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use reveille_tests::model_server::{Step, Track};
use reveille_tests::received::wakes;
use reveille_tests::workshop::{Session, Workshop, git};
use serde_json::json;

fn session(workshop: &Workshop, checkout: &Path, prompt: &str, more: &[&str], steps: Vec<Step>) -> Session {
    workshop.model.play(vec![Track::main(steps)]);
    workshop.session(checkout, prompt, more).unwrap()
}

fn woken(workshop: &Workshop, checkout: &Path, more: &[&str]) -> Vec<String> {
    workshop.model.take_requests();
    session(workshop, checkout, "What were you doing?", more, vec![Step::text("I know.")]);
    wakes(&workshop.model.take_requests()[0])
}

fn the_wake(workshop: &Workshop, checkout: &Path) -> String {
    let found = woken(workshop, checkout, &[]);
    assert_eq!(found.len(), 1, "one wake: {found:?}");
    found[0].clone()
}

fn assert_lines(wake: &str, wanted: &[&str]) {
    for line in wanted {
        assert!(wake.contains(line), "no `{line}` in:\n{wake}");
    }
}

fn failing() -> Vec<Step> {
    vec![Step::shell("sh tests/run.sh"), Step::text("It fails.")]
}

fn passing() -> Vec<Step> {
    vec![Step::shell("sh tests/lint.sh"), Step::text("It passes.")]
}

#[test]
fn the_clients_own_worktree_is_a_checkout_of_its_own() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let tree = checkout.join(".claude").join("worktrees").join("export");
    let in_tree = session(&workshop, &checkout, "Work on the export.", &["--worktree", "export"], failing());
    assert!(tree.is_dir(), "the client keeps its worktree");
    session(&workshop, &checkout, "Work on the main checkout.", &[], passing());
    let wake = the_wake(&workshop, &checkout);
    assert_lines(&wake, &["**Task** Work on the main checkout.", "last passed `sh tests/lint.sh`"]);
    assert!(!wake.contains("Work on the export") && !wake.contains("Blocker"), "worktrees are not mixed:\n{wake}");
    workshop.trust(&[&tree]).unwrap();
    let wake = the_wake(&workshop, &tree);
    let id = format!("## Last session {}", &in_tree.id[..8]);
    assert_lines(&wake, &[&id, "**Task** Work on the export.", "Blocker `sh tests/run.sh`", "/.claude/worktrees/export · branch "]);
    // The same worktree by the client's flag, from the main checkout.
    let found = woken(&workshop, &checkout, &["--worktree", "export"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_lines(&found[0], &["/.claude/worktrees/export · branch "]);
    assert!(!found[0].contains("Work on the main checkout"), "{}", found[0]);
}

#[test]
fn a_session_that_enters_a_worktree_and_comes_back_is_of_the_checkout_it_ended_in() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let steps =
        vec![Step::call("EnterWorktree", json!({"name": "side"})), Step::shell("sh tests/run.sh"), Step::text("It fails in the worktree.")];
    let allowed = ["--allowedTools", "Bash,Edit,Write,Read,EnterWorktree,ExitWorktree"];
    let inside = session(&workshop, &checkout, "Try it aside in a worktree.", &allowed, steps);
    let tree = checkout.join(".claude").join("worktrees").join("side");
    assert!(tree.is_dir(), "the tool made the worktree: {:?}", inside.events.last());
    session(&workshop, &checkout, "Work on the main checkout.", &[], passing());
    assert_lines(&the_wake(&workshop, &checkout), &["**Task** Work on the main checkout."]);
    workshop.trust(&[&tree]).unwrap();
    let id = format!("## Last session {}", &inside.id[..8]);
    assert_lines(&the_wake(&workshop, &tree), &[&id, "**Task** Try it aside in a worktree.", "Blocker `sh tests/run.sh`"]);
}

#[test]
fn sessions_of_a_removed_worktree_stay_with_their_repository() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let tree = checkout.parent().unwrap().join("importer-side");
    git(&checkout, &["worktree", "add", "-q", "-b", "side", &tree.to_string_lossy()]).unwrap();
    workshop.trust(&[&tree]).unwrap();
    let first = session(&workshop, &tree, "Work on the side.", &[], failing());
    // The wake of a second session there is what tells the index whose folder that is.
    assert_lines(&the_wake(&workshop, &tree), &["**Task** Work on the side."]);
    git(&checkout, &["worktree", "remove", "--force", &tree.to_string_lossy()]).unwrap();
    let wake = the_wake(&workshop, &checkout);
    assert_lines(&wake, &["## Last session, in another checkout,", "importer-side"]);
    assert!(wake.contains(&first.id[..8]) || wake.contains("Work on the side."), "{wake}");
}

#[test]
fn a_clone_of_the_same_remote_wakes_with_the_repositorys_session_until_it_has_its_own() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let remote = "https://git.example.com/acme/importer.git";
    let clone = checkout.parent().unwrap().join("copy");
    git(checkout.parent().unwrap(), &["clone", "-q", &checkout.to_string_lossy(), &clone.to_string_lossy()]).unwrap();
    git(&checkout, &["remote", "add", "origin", remote]).unwrap();
    git(&clone, &["remote", "set-url", "origin", "git@git.example.com:acme/importer.git"]).unwrap();
    workshop.trust(&[&clone]).unwrap();
    session(&workshop, &checkout, "Work on the first.", &[], failing());
    let wake = the_wake(&workshop, &clone);
    assert_lines(&wake, &["# Wake · acme/importer · ", "## Last session, in another checkout,", "**Task** Work on the first."]);
    let wake = the_wake(&workshop, &clone);
    assert_lines(&wake, &["## Last session ", "**Task** What were you doing?"]);
    assert!(!wake.contains("in another checkout"), "{wake}");
}

#[test]
fn folders_with_the_same_slug_are_never_mixed() {
    let workshop = Workshop::installed().unwrap();
    for name in ["my_app", "my-app", "my.app"] {
        let checkout = workshop.checkout(name).unwrap();
        let found = woken(&workshop, &checkout, &[]);
        assert!(found.is_empty(), "{name} has no session yet: {found:?}");
        session(&workshop, &checkout, &format!("Work on {name}."), &[], passing());
    }
    for name in ["my_app", "my-app", "my.app"] {
        let wake = the_wake(&workshop, &workshop.home().parent().unwrap().canonicalize().unwrap().join("code").join(name));
        assert_lines(&wake, &[&format!("**Task** Work on {name}.")]);
    }
}
