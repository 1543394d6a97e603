//! Every case file, natively and through the component: the same truth from both.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::path::Path;

use reveille_host::component::Component;
use reveille_plugin::checks;
use reveille_plugin::contract::checkout::{GitAnswer, GitEnd, Place};
use reveille_plugin::contract::transcript::FileName;
use reveille_plugin::contract::types::{Edit, Facts, Harness, Run};
use reveille_plugin::contract::wake::{Answer, Candidate, Choice, Occasion, Request};
use reveille_plugin::transcript::Fold;
use reveille_plugin::wake::{Evidence, Folded};
use reveille_tests::case::{self, Case, Transcript, scenario, truth};
use serde_json::Value;
use wasmtime::component::ResourceAny;

/// The fewest cases there are: one that stops being read is one that stops being true.
const AT_LEAST: usize = 60;

#[test]
fn every_case_is_true_natively() {
    let mut failures = Vec::new();
    let cases = read_all();
    for case in &cases {
        let folds: Vec<Facts> = case.transcripts.iter().map(|transcript| natively(transcript).facts()).collect();
        let (main, agents) = folds.split_first().expect("a case has a transcript");
        failures.extend(failure(case, main, agents));
    }
    report(&cases, &failures);
}

#[test]
fn the_component_says_what_the_rules_say_natively() {
    let cases = read_all();
    let mut failures = Vec::new();
    for case in &cases {
        // An instance a case: nothing of one can reach another.
        let mut component = Component::load().expect("the component loads");
        let folds: Vec<ResourceAny> = case.transcripts.iter().map(|transcript| through_the_component(&mut component, transcript)).collect();
        let (main, agents) = folds.split_first().expect("a case has a transcript");
        let mut facts = |fold: &ResourceAny| {
            let facts = component.call(|world, store| world.reveille_core_transcript().fold().call_facts(store, *fold));
            json(&facts.expect("facts are given"))
        };
        let there: Vec<Value> = folds.iter().map(&mut facts).collect();
        let here: Vec<Facts> = case.transcripts.iter().map(|transcript| natively(transcript).facts()).collect();
        if there != here.iter().map(|facts| json(facts)).collect::<Vec<_>>() {
            failures.push(format!("{}: other facts through the component", case.path.display()));
        }
        let question = Question::new(&here[0]);
        let native = question.ask(&here[0], &here[1..]);
        let answer = component
            .call(|world, store| {
                world.reveille_core_wake().call_report(
                    store,
                    &same(&question.request),
                    &same(&question.here),
                    &same(&question.choice),
                    &[same(&question.candidate)],
                    Some(*main),
                    agents,
                    &[],
                    &question.git.iter().map(same).collect::<Vec<_>>(),
                    &[],
                )
            })
            .expect("a report is given");
        if json(&answer) != json(&native) {
            failures.push(format!(
                "{}: another wake through the component:\n{}\n{}",
                case.path.display(),
                native.markdown,
                answer.markdown
            ));
        }
    }
    report(&cases, &failures);
}

fn through_the_component(component: &mut Component, transcript: &Transcript) -> ResourceAny {
    let name = same(&name_of(transcript));
    let fold =
        component.call(|world, store| world.reveille_core_transcript().fold().call_constructor(store, &name)).expect("a fold is made");
    for chunk in transcript.bytes.chunks(701) {
        component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, fold, chunk)).expect("bytes are taken");
    }
    fold
}

/// A value of the contract as the other side has it.
fn same<T: serde::de::DeserializeOwned>(value: &impl serde::Serialize) -> T {
    serde_json::from_value(json(value)).expect("both sides have the same types")
}

fn read_all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let cases: Vec<Case> =
        case::all(&folder).expect("the cases can be listed").iter().map(|path| Case::read(path).expect("a case file")).collect();
    assert!(cases.len() >= AT_LEAST, "only {} cases were found below {}", cases.len(), folder.display());
    cases
}

fn report(cases: &[Case], failures: &[String]) {
    assert!(failures.is_empty(), "{} of {} cases are not true:\n\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn name_of(transcript: &Transcript) -> FileName {
    FileName { harness: Harness::ClaudeCode, session: scenario::session().to_owned(), agent: transcript.agent.clone() }
}

/// Folds in chunks of a size that cuts lines and characters.
fn natively(transcript: &Transcript) -> Fold {
    let mut fold = Fold::new(name_of(transcript));
    for chunk in transcript.bytes.chunks(701) {
        fold.push(chunk);
    }
    fold
}

fn failure(case: &Case, main: &Facts, agents: &[Facts]) -> Option<String> {
    let mut lines = truth::fact_lines(&json(main));
    lines.extend(ledger_lines(main, agents));
    let mut found = truth::differences(&case.facts, &lines);
    if !case.wake.is_empty() {
        let markdown = Question::new(main).ask(main, agents).markdown;
        if let Some(line) = truth::missing_line(&case.wake, &markdown) {
            found.push(format!("the wake has no line `{line}` there:\n{markdown}"));
        }
    }
    (!found.is_empty()).then(|| format!("{}\n  {}\n{}\n", case.path.display(), case.title, found.join("\n")))
}

fn ledger_lines(main: &Facts, agents: &[Facts]) -> Vec<String> {
    let all = || std::iter::once(main).chain(agents);
    let runs: Vec<Run> = all().flat_map(|facts| facts.runs.clone()).collect();
    let edits: Vec<Edit> = all().flat_map(|facts| facts.edits.clone()).collect();
    let ledger = checks::ledger(&runs, &edits);
    let mut lines = Vec::new();
    let mut run = |word, run: Option<&Run>| lines.extend(run.map(|run| truth::run_line(word, &json(run))));
    run("last-passed", ledger.last_passed.as_ref());
    run("last-failed", ledger.last_failed.as_ref());
    run("re-run", ledger.rerun.as_ref());
    for unresolved in &ledger.unresolved {
        run("unresolved", Some(unresolved));
    }
    lines.push(format!("stale {}", ledger.edits_since_pass));
    lines
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("contract types serialise")
}

/// A question in a checkout that stands still: a clean `main` without history.
struct Question {
    request: Request,
    here: Place,
    choice: Choice,
    candidate: Candidate,
    git: Vec<GitAnswer>,
}

impl Question {
    fn new(main: &Facts) -> Self {
        let root = "/home/dev/code/acme/web".to_owned();
        let here = Place {
            directory: root.clone(),
            exists: true,
            root: Some(root.clone()),
            common_directory: Some(format!("{root}/.git")),
            origin: Some("https://example.com/acme/web.git".to_owned()),
            worktrees: vec![root],
        };
        let fold = Fold::new(FileName { harness: Harness::ClaudeCode, session: main.session.clone(), agent: None });
        let git = reveille_plugin::checkout::first_look().into_iter().map(|command| {
            let status = command.arguments.first().is_some_and(|argument| argument == "status");
            let head = b"# branch.oid 1111111111111111111111111111111111111111\0# branch.head main\0".to_vec();
            GitAnswer { stdout: if status { head } else { Vec::new() }, command, end: GitEnd::Exited(0), stderr: Vec::new() }
        });
        Self {
            request: Request {
                occasion: Occasion::Asked,
                callers: Vec::new(),
                session: None,
                repository: None,
                raw: false,
                now: 1_788_598_800_000, // 2026-09-05T09:00:00Z
                home: Some("/home/dev".to_owned()),
                options: Vec::new(),
            },
            candidate: Candidate {
                path: format!("/home/dev/.claude/projects/-home-dev-code-acme-web/{}.jsonl", main.session),
                card: fold.card(),
                place: Some(here.clone()),
                known_keys: Vec::new(),
                live: false,
                size: 1,
                unread: 0,
                read_at: None,
            },
            here,
            choice: Choice { session: Some(0), before: Vec::new(), same_checkout: true },
            git: git.collect(),
        }
    }

    fn ask(&self, main: &Facts, agents: &[Facts]) -> Answer {
        let session = Folded { main: main.clone(), agents: agents.to_vec() };
        reveille_plugin::wake::report(&Evidence {
            request: &self.request,
            here: &self.here,
            choice: &self.choice,
            candidates: std::slice::from_ref(&self.candidate),
            session: Some(&session),
            before: &[],
            git: &self.git,
            files: &[],
        })
    }
}
