//! The whole wake that the model receives, line by line, and that its pointers lead to what they say.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use reveille_tests::model_server::{Step, Track};
use reveille_tests::received::wakes;
use reveille_tests::workshop::{Workshop, git};
use serde_json::json;

fn play(workshop: &Workshop, steps: Vec<Step>) {
    workshop.model.play(vec![Track::main(steps)]);
}

fn woken(workshop: &Workshop, checkout: &Path) -> String {
    workshop.model.take_requests();
    play(workshop, vec![Step::text("I know.")]);
    workshop.session(checkout, "What were you doing?", &[]).unwrap();
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_eq!(found.len(), 1, "one wake: {found:?}");
    found[0].clone()
}

/// Digits of times, days and pointers as letters, so that what stays is the same in every run.
fn timeless(wake: &str, replaced: &[(&str, &str)]) -> String {
    let mut text = wake.to_owned();
    for (from, to) in replaced {
        text = text.replace(from, to);
    }
    let shapes = ["####-##-##", "##-##", "##:##"];
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let fits = |shape: &&&str| {
            rest.len() >= shape.len()
                && rest.bytes().zip(shape.bytes()).all(|(byte, shape)| if shape == b'#' { byte.is_ascii_digit() } else { byte == shape })
        };
        let (step, letters) = match shapes.iter().find(fits) {
            Some(shape) => (shape.len(), shape.to_string()),
            None if rest.starts_with("[seq ") => (rest.find(']').unwrap(), "[seq #".to_owned()),
            None => (first.len_utf8(), first.to_string()),
        };
        out.push_str(&letters);
        rest = &rest[step..];
    }
    out
}

/// The line of the transcript that the first pointer after `text` names.
fn pointed<'a>(wake: &str, text: &str, transcript: &'a str) -> &'a str {
    let after = &wake[wake.find(text).unwrap_or_else(|| panic!("no `{text}` in:\n{wake}"))..];
    let number = after.split_once("[seq ").unwrap().1.split_once(']').unwrap().0;
    transcript.lines().nth(number.parse::<usize>().unwrap() - 1).unwrap()
}

#[test]
fn every_line_is_right_and_every_pointer_leads_to_the_record_that_says_so() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let importer = checkout.join("src").join("importer.sh");
    play(&workshop, vec![Step::shell("sh tests/lint.sh"), Step::text("The lint is clean.")]);
    workshop.session(&checkout, "Look at the lint.", &[]).unwrap();

    play(
        &workshop,
        vec![
            Step::call("Write", json!({"file_path": checkout.join("src").join("header.sh"), "content": "echo id,total\n"})),
            Step::shell("sh tests/lint.sh"),
            Step::text("The header has a file of its own. I'll document the header row in the README."),
        ],
    );
    let first = workshop.session(&checkout, "Make the importer print a header row.", &[]).unwrap();
    play(
        &workshop,
        vec![
            Step::call("Read", json!({"file_path": importer})),
            Step::call("Edit", json!({"file_path": importer, "old_string": "echo 1,2", "new_string": "echo 3,4"})),
            Step::call("Edit", json!({"file_path": importer, "old_string": "echo 3,4", "new_string": "echo 5,6"})),
            Step::shell("sh tests/run.sh"),
            Step::text("The header test fails. I'll re-run the export once the schema lands."),
        ],
    );
    workshop.session(&checkout, "Now make its test pass.", &["--resume", &first.id]).unwrap();

    let wake = woken(&workshop, &checkout);
    let head = String::from_utf8(
        std::process::Command::new("git").current_dir(&checkout).args(["rev-parse", "--short=7", "HEAD"]).output().unwrap().stdout,
    )
    .unwrap();
    let code = checkout.parent().unwrap().to_string_lossy().into_owned();
    let told = timeless(&wake, &[(&first.id, "ID"), (&first.id[..8], "ID"), (head.trim(), "HASH"), (&code, "/code")]);
    let entries = told.split(" entries").next().unwrap().rsplit(' ').next().unwrap().to_owned();
    let told = told.replace(&format!("{entries} entries"), "N entries");
    assert_eq!(told, EXPECTED, "in full:\n{wake}");

    let transcript = workshop.transcript(&first.id).unwrap();
    for (words, record) in [
        ("**Task**", "Make the importer print a header row."),
        ("**Last asked**", "Now make its test pass."),
        ("last passed `sh tests/lint.sh`", "\"command\":\"sh tests/lint.sh\""),
        ("last failed `sh tests/run.sh`", "\"command\":\"sh tests/run.sh\""),
        ("**Changed**", "echo 5,6"),
        ("- \"I'll document", "I'll document the header row"),
        ("Blocker ", "\"command\":\"sh tests/run.sh\""),
        ("Next \"", "once the schema lands"),
    ] {
        let line = pointed(&wake, words, &transcript);
        assert!(line.contains(record), "{words} points to a record without `{record}`: {line}");
    }
}

const EXPECTED: &str = "\
# Wake · code/importer · ####-##-## ##:##Z
Checkout /code/importer · branch main · HEAD HASH \"importer: print the totals\" · 2 files dirty · no upstream

## Last session ID · ####-##-## ##:##–##:##Z · N entries · 400 tokens out
**Task** Make the importer print a header row. [seq #]
**Last asked** Now make its test pass. [seq #]
**Ran in** /code/importer on main
**Outcome** rung 2, files changed, no check passed since [seq #]
**Proof** last passed `sh tests/lint.sh` ##:## (stale: 2 edits since) [seq #] · last failed `sh tests/run.sh` (1 failed, 0 passed) ##:##, not re-run [seq #]
**Changed** 2 files · importer.sh (2) · header.sh (1) [seq #]
**Loose ends** (2)
- \"I'll document the header row in the README.\" [seq #]

## Before that
- ##:## · nothing to show · \"Look at the lint.\"

## Next
Blocker `sh tests/run.sh` failed at ##:## and was not run again [seq #]
Next \"I'll re-run the export once the schema lands.\" [seq #]
Not here: PR and CI state.

---
session ID · claude_code · generated ####-##-##T##:##Z · redacted";

#[test]
fn what_git_says_since_the_session_is_told() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let importer = checkout.join("src").join("importer.sh");
    play(
        &workshop,
        vec![
            Step::call("Read", json!({"file_path": importer})),
            Step::call("Edit", json!({"file_path": importer, "old_string": "echo 1,2", "new_string": "echo id,total"})),
            Step::shell("sh tests/lint.sh"),
            Step::shell("git commit -am 'importer: print a header'"),
            Step::text("Committed."),
        ],
    );
    workshop.session(&checkout, "Make the importer print a header row.", &[]).unwrap();
    std::fs::write(&importer, "echo 7,8\n").unwrap();
    // Git's times have whole seconds: the commit is of a later one than the session's last record.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    git(&checkout, &["commit", "-q", "-a", "-m", "importer: other numbers", "--author", "Ann <ann@example.com>"]).unwrap();
    let wake = woken(&workshop, &checkout);
    for line in [
        "Since that session 1 commit by Ann",
        "1 of its 1 changed file changed again (importer.sh)",
        "**Outcome** rung 4, commit ",
        "(reachable)",
        "· clean ·",
    ] {
        assert!(wake.contains(line), "no `{line}` in:\n{wake}");
    }
    assert!(!wake.contains("Blocker"), "{wake}");
}

#[test]
fn a_failure_that_passes_later_is_no_blocker_and_a_hidden_status_is_no_proof() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let test = checkout.join("tests").join("run.sh");
    play(
        &workshop,
        vec![
            Step::shell("sh tests/run.sh"),
            Step::call("Write", json!({"file_path": checkout.join("src").join("header.sh"), "content": "echo id,total\n"})),
            Step::call("Read", json!({"file_path": test})),
            Step::call("Write", json!({"file_path": test, "content": "echo '2 passed, 0 failed'\n"})),
            Step::shell("sh tests/run.sh"),
            Step::shell("sh tests/lint.sh | tail -1; true"),
            Step::text("The suite passes."),
        ],
    );
    workshop.session(&checkout, "Make the suite pass.", &[]).unwrap();
    let wake = woken(&workshop, &checkout);
    for line in ["last passed `sh tests/run.sh`", "re-run passed", "unknown: its status was hidden"] {
        assert!(wake.contains(line), "no `{line}` in:\n{wake}");
    }
    assert!(!wake.contains("Blocker"), "{wake}");
}

#[test]
fn a_secret_of_the_session_is_in_no_wake_and_in_no_index() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let secret = "ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R";
    play(
        &workshop,
        vec![
            Step::shell(&format!("API_TOKEN={secret} sh tests/run.sh")),
            Step::text(&format!("It fails. I'll re-run the export with {secret} once the schema lands.")),
        ],
    );
    workshop.session(&checkout, &format!("Export with the token {secret} please."), &[]).unwrap();
    let wake = woken(&workshop, &checkout);
    assert!(wake.contains("**Task** Export with the token ") && wake.contains("Blocker "), "{wake}");
    assert!(!wake.contains(secret), "{wake}");
    let data = workshop.home().join(".claude").join("plugins").join("data");
    // A session's own ledger holds what was said byte for byte, for its owner alone; it is never printed raw.
    let ledger = |file: &std::path::Path| file.components().any(|part| part.as_os_str() == "sessions");
    for file in files_below(&data).into_iter().filter(|file| !ledger(file)) {
        let bytes = std::fs::read(&file).unwrap();
        let held = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!held, "{} holds the secret", file.display());
    }
    assert!(
        files_below(&data).iter().any(|file| file.ends_with("index.sqlite") || file.to_string_lossy().contains("index")),
        "there is an index to look into"
    );
}

#[test]
fn without_its_cache_the_wake_is_the_same() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    play(&workshop, vec![Step::shell("sh tests/run.sh"), Step::text("It fails. I'll re-run the export once the schema lands.")]);
    let first = workshop.session(&checkout, "Make the suite pass.", &[]).unwrap();
    let wake = woken(&workshop, &checkout);
    let data = workshop.home().join(".claude").join("plugins").join("data");
    assert!(!files_below(&data).is_empty(), "the cache lies in the plugin's data directory");
    let ask = |program: &Path| {
        let output = std::process::Command::new(program)
            .current_dir(&checkout)
            .env_clear()
            .envs(workshop.environment())
            .env("REVEILLE_DATA_DIR", &data)
            .args(["wake", "--session", &first.id])
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let program = reveille_tests::artefacts::binary(&reveille_tests::artefacts::root());
    let warm = ask(&program);
    std::fs::remove_dir_all(&data).unwrap();
    let cold = ask(&program);
    let told = |wake: &str| timeless(wake, &[]);
    assert!(warm.contains("Blocker `sh tests/run.sh`") && wake.contains("Blocker `sh tests/run.sh`"), "{warm}\n{wake}");
    assert_eq!(told(&warm), told(&cold));
    // A session's own ledger holds what was said byte for byte, for its owner alone; it is never printed raw.
    let ledger = |file: &std::path::Path| file.components().any(|part| part.as_os_str() == "sessions");
    for file in files_below(&data).into_iter().filter(|file| !ledger(file)) {
        std::fs::write(file, b"no database at all, and longer than its header would be: 0123456789012345678901234567890123456789").unwrap();
    }
    assert_eq!(told(&warm), told(&ask(&program)), "a broken cache is no cache");
}

fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found
}
