use crate::checks::{Ledger, ledger, read};
use crate::contract::types::{Edit, EditMeans, Run, Source, Verdict};

fn at(agent: Option<&str>, seq: u64) -> Source {
    Source { agent: agent.map(str::to_owned), seq, time: Some(1_000 * i64::try_from(seq).unwrap()) }
}

/// Runs and edits from lines `command ⇒ passed|failed|unknown` and `edit path`, numbered from 1; `agent:` before a line puts it in a sub-agent's file.
fn history(lines: &[&str]) -> (Vec<Run>, Vec<Edit>) {
    let (mut runs, mut edits) = (Vec::new(), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        let (agent, line) = line.strip_prefix("agent: ").map_or((None, *line), |line| (Some("a1"), line));
        let at = at(agent, index as u64 + 1);
        if let Some(path) = line.strip_prefix("edit ") {
            edits.push(Edit { path: (path != "?").then(|| path.to_owned()), means: EditMeans::Tool, at });
            continue;
        }
        let (command, verdict) = line.split_once(" ⇒ ").unwrap();
        for invocation in read(command, Some("/r"), &[]).invocations {
            runs.push(Run {
                kind: invocation.kind,
                command: invocation.command,
                program: invocation.program,
                directory: invocation.directory,
                packages: invocation.packages,
                targets: invocation.targets,
                at: at.clone(),
                result_at: None,
                verdict: match verdict {
                    "passed" => Verdict::Passed,
                    "failed" => Verdict::Failed,
                    _ => Verdict::Unknown,
                },
                cause: None,
                counts: None,
            });
        }
    }
    (runs, edits)
}

fn kept(lines: &[&str]) -> Ledger {
    let (runs, edits) = history(lines);
    ledger(&runs, &edits)
}

fn commands(runs: &[Run]) -> Vec<&str> {
    runs.iter().map(|run| run.command.as_str()).collect()
}

/// Whether a pass of the second resolves a failure of the first.
fn resolves(failed: &str, passed: &str) -> bool {
    let ledger = kept(&[&format!("{failed} ⇒ failed"), &format!("{passed} ⇒ passed")]);
    assert_eq!(ledger.unresolved.is_empty(), ledger.rerun.as_ref().is_some_and(|rerun| rerun.verdict == Verdict::Passed));
    ledger.unresolved.is_empty()
}

#[test]
fn a_later_pass_of_the_same_check_or_of_one_that_covers_it_resolves_a_failure() {
    let rows = [
        ("cargo test", "cargo test"),
        ("cargo test", "cargo test --release -q"),
        ("cargo test foo", "cargo test"),
        ("cargo test --lib", "cargo test"),
        ("cargo test -p x", "cargo test --workspace"),
        ("cargo test -p x foo", "cargo test -p x"),
        ("cargo test -p x", "cargo test -p x -p y"),
        ("cd a && cargo test", "cargo test"),
        ("cargo test", "cargo nextest run"),
        ("cargo nextest run", "cargo test"),
        ("cargo check", "cargo clippy"),
        ("pytest tests/a.py", "pytest"),
        ("pytest tests/a.py::t", "pytest tests/a.py"),
        ("pytest tests/a.py::t -k foo", "pytest tests/a.py"),
        ("pytest tests/a.py", "pytest tests/"),
        ("pytest -k foo", "pytest"),
        ("python -m pytest a.py", "pytest"),
        ("npm test", "npm run test"),
        ("npm test", "yarn test"),
        ("npm test -- src/a.test.ts", "npm test"),
        ("npx vitest run src/a.test.ts", "npm test"),
        ("npx jest a.test.js -t name", "npx jest a.test.js"),
        ("cd web && npm test", "npm --prefix web test"),
        ("cd web && npx jest src/a.test.js", "npx jest web/src"),
        ("pnpm --filter web test", "pnpm test"),
        ("go test ./pkg", "go test ./..."),
        ("go test ./pkg/sub", "go test ./pkg/..."),
        ("go test -run TestX ./pkg", "go test ./pkg"),
        ("cd pkg && go test", "go test ./pkg/..."),
        ("mvn -pl core test", "mvn verify"),
        ("gradle :mod:test", "./gradlew build"),
        ("bundle exec rspec spec/a_spec.rb:12", "rspec spec/a_spec.rb"),
        ("make test", "make lint test"),
        ("./scripts/test.sh unit", "sh scripts/test.sh"),
        ("node x.mjs", "node x.mjs"),
        ("bazel test //pkg:t", "bazel test //pkg/..."),
    ];
    for (failed, passed) in rows {
        assert!(resolves(failed, passed), "{passed} after {failed}");
    }
}

#[test]
fn a_narrower_or_another_check_resolves_nothing() {
    let rows = [
        ("cargo test", "cargo test foo"),
        ("cargo test", "cargo test -p x"),
        ("cargo test", "cargo test --lib"),
        ("cargo test", "cargo test -- --skip slow"),
        ("cargo test", "cd a && cargo test"),
        ("cargo test -p x", "cargo test -p y"),
        ("cargo test", "cargo build"),
        ("cargo build", "cargo test"),
        ("cargo test --test a", "cargo test --test b"),
        ("pytest", "pytest tests/a.py"),
        ("pytest tests/a.py", "pytest tests/a.py::t"),
        ("pytest tests/a.py", "pytest tests/b.py"),
        ("pytest tests/a", "pytest tests/ab"),
        ("pytest", "pytest -k foo"),
        ("pytest -k foo", "pytest -k bar"),
        ("npm test", "npx vitest run src/a.test.ts"),
        ("npm test", "npm run lint"),
        ("npm test", "npm run test:unit"),
        ("npx playwright test", "npm test"),
        ("go test ./...", "go test ./pkg"),
        ("go test ./...", "go test"),
        ("go test ./pkg", "go test ./pkg2/..."),
        ("gradle build", "gradle test"),
        ("gradle test", "gradle build -x test"),
        ("mvn verify", "mvn test"),
        ("nx test web", "nx affected -t test"),
        ("node x.mjs", "node y.mjs"),
        ("node x.mjs --all", "node x.mjs"),
        ("node x.mjs", "npm test"),
        ("cd a && node x.mjs", "node x.mjs"),
        ("cmake --build build --target test", "cmake --build build"),
        ("ninja test", "ninja"),
    ];
    for (failed, passed) in rows {
        assert!(!resolves(failed, passed), "{passed} after {failed}");
    }
}

#[test]
fn a_pass_counts_the_edits_after_it() {
    let ledger = kept(&["edit /r/a", "npm run build ⇒ passed", "edit /r/b", "edit ?", "edit /tmp/log", "agent: edit /r/c"]);
    assert_eq!(ledger.last_passed.as_ref().map(|run| run.program.as_str()), Some("npm run build"));
    assert_eq!(ledger.edits_since_pass, 3);
    assert_eq!(kept(&["edit /r/a", "npm test ⇒ passed"]).edits_since_pass, 0);
    assert_eq!(kept(&["edit /r/a"]).edits_since_pass, 0);
}

#[test]
fn a_passed_run_is_no_proof() {
    let ledger = kept(&["node x.mjs ⇒ passed", "cargo run ⇒ passed"]);
    assert_eq!(ledger.last_passed, None);
    assert!(ledger.latest.is_empty());
}

#[test]
fn two_checks_that_fail_are_two_failures_newest_first() {
    let ledger = kept(&["cargo test ⇒ failed", "cargo clippy ⇒ failed", "cargo test ⇒ failed"]);
    assert_eq!(commands(&ledger.unresolved), ["cargo test", "cargo clippy"]);
    assert_eq!(ledger.last_failed.as_ref().map(|run| run.at.seq), Some(3));
    assert_eq!(commands(&ledger.latest), ["cargo test", "cargo clippy"]);
    let ledger = kept(&["cargo test ⇒ failed", "cargo clippy ⇒ failed", "cargo test ⇒ passed"]);
    assert_eq!(commands(&ledger.unresolved), ["cargo clippy"]);
    assert_eq!(ledger.rerun, None);
}

#[test]
fn an_unknown_verdict_resolves_nothing_but_is_named_as_the_rerun() {
    let ledger = kept(&["cargo test ⇒ failed", "cargo test | tail ⇒ unknown"]);
    assert_eq!(commands(&ledger.unresolved), ["cargo test"]);
    assert_eq!(ledger.rerun.as_ref().map(|run| (run.at.seq, run.verdict)), Some((2, Verdict::Unknown)));
    assert_eq!(ledger.latest.first().map(|run| run.verdict), Some(Verdict::Unknown));
}

#[test]
fn a_pass_before_the_failure_resolves_nothing() {
    let ledger = kept(&["cargo test ⇒ passed", "cargo test foo ⇒ failed"]);
    assert_eq!(commands(&ledger.unresolved), ["cargo test foo"]);
    assert_eq!(ledger.last_passed.as_ref().map(|run| run.at.seq), Some(1));
}

#[test]
fn a_sub_agents_runs_take_their_place_by_time() {
    let (mut runs, edits) = history(&["agent: cargo test ⇒ failed", "cargo test ⇒ passed"]);
    assert!(ledger(&runs, &edits).unresolved.is_empty());
    // The same records, handed over with the session's own file first.
    runs.reverse();
    assert!(ledger(&runs, &edits).unresolved.is_empty());
    let (mut runs, edits) = history(&["cargo test ⇒ passed", "agent: cargo test ⇒ failed"]);
    runs.reverse();
    assert_eq!(ledger(&runs, &edits).unresolved.len(), 1);
}

#[test]
fn records_without_times_are_ordered_by_line() {
    let (mut runs, mut edits) = history(&["cargo test ⇒ failed", "cargo test ⇒ passed", "edit /r/a"]);
    runs.iter_mut().for_each(|run| run.at.time = None);
    edits.iter_mut().for_each(|edit| edit.at.time = None);
    runs.reverse();
    let ledger = ledger(&runs, &edits);
    assert!(ledger.unresolved.is_empty());
    assert_eq!(ledger.edits_since_pass, 1);
}

#[test]
fn thousands_of_runs_are_judged_quickly() {
    let lines: Vec<String> = (0..1_500).map(|index| format!("pytest tests/t{index}.py ⇒ failed")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (runs, edits) = history(&lines);
    let started = std::time::Instant::now();
    assert_eq!(ledger(&runs, &edits).unresolved.len(), 1_500);
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}
