//! Transcripts that the real client wrote, one scenario each, and what is true of them.
//!
//! `tests/cases/real/sessions.txt` names the scenarios.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};

use reveille_plugin::contract::transcript::FileName;
use reveille_plugin::contract::types::{ChildState, Facts, Harness, PublicationKind, TaskStatus, UnknownCause, Verdict};
use reveille_plugin::transcript::{Fold, peek};

const EXPORT: &str = "/home/dev/code/acme/orders-export";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/real")
}

/// Every transcript file: its session, the sub-agent whose it is, and its path.
fn files() -> Vec<(String, Option<String>, PathBuf)> {
    let mut folders = vec![root().join("projects")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
                let parent = path.ancestors().nth(2).unwrap().file_name().unwrap().to_str().unwrap().to_owned();
                match stem.strip_prefix("agent-") {
                    Some(agent) => found.push((parent, Some(agent.to_owned()), path)),
                    None => found.push((stem, None, path)),
                }
            }
        }
    }
    found.sort();
    found
}

fn name(session: &str, agent: Option<&str>) -> FileName {
    FileName { harness: Harness::ClaudeCode, session: session.to_owned(), agent: agent.map(str::to_owned) }
}

fn fold_of(session: &str, agent: Option<&str>, bytes: &[u8]) -> Fold {
    let mut fold = Fold::new(name(session, agent));
    fold.push(bytes);
    fold
}

/// The facts of the session's own file of a scenario.
fn facts(scenario: &str) -> Facts {
    let (session, bytes) = file(scenario);
    fold_of(&session, None, &bytes).facts()
}

/// The session and its own file's bytes.
fn file(scenario: &str) -> (String, Vec<u8>) {
    let list = std::fs::read_to_string(root().join("sessions.txt")).unwrap();
    let session = list.lines().find_map(|line| line.strip_prefix(&format!("{scenario} "))).expect("a scenario of the list");
    let (session, _, path) = files().into_iter().find(|(id, agent, _)| id == session && agent.is_none()).unwrap();
    (session, std::fs::read(path).unwrap())
}

fn agent_facts(agent: &str) -> Facts {
    let (session, agent, path) = files().into_iter().find(|(_, id, _)| id.as_deref() == Some(agent)).unwrap();
    fold_of(&session, agent.as_deref(), &std::fs::read(path).unwrap()).facts()
}

/// Task and last asked, each with its line.
#[track_caller]
fn asked(facts: &Facts, task: (u64, &str), last: (u64, &str), prompts: u64) {
    let said = |quote: &Option<reveille_plugin::contract::types::Quote>| quote.as_ref().map(|quote| (quote.at.seq, quote.text.clone()));
    assert_eq!(said(&facts.task), Some((task.0, task.1.to_owned())));
    assert_eq!(said(&facts.last_asked), Some((last.0, last.1.to_owned())));
    assert_eq!(facts.prompt_count, prompts);
}

#[track_caller]
fn ran_in(facts: &Facts, cwd: &str, branch: &str) {
    let ran_in = facts.ran_in.as_ref().unwrap();
    assert_eq!((ran_in.cwd.as_str(), ran_in.branch.as_deref()), (cwd, Some(branch)));
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "Passed",
        Verdict::Failed => "Failed",
        Verdict::Unknown => "Unknown",
    }
}

/// Runs as `call > result verdict command`.
fn runs(facts: &Facts) -> Vec<String> {
    facts
        .runs
        .iter()
        .map(|run| {
            let result = run.result_at.as_ref().map_or("-".to_owned(), |at| at.seq.to_string());
            let cause = if run.cause.is_some() { " with a cause" } else { "" };
            format!("{} > {result} {}{cause} {}", run.at.seq, verdict(run.verdict), run.command)
        })
        .collect()
}

#[test]
fn every_file_is_read_without_a_line_that_is_not_understood() {
    let files = files();
    assert_eq!(files.len(), 29);
    for (session, agent, path) in files {
        let bytes = std::fs::read(&path).unwrap();
        let facts = fold_of(&session, agent.as_deref(), &bytes).facts();
        let path = path.display();
        assert_eq!(facts.unreadable_count, 0, "{path}: {:?}", facts.unreadable);
        assert_eq!(facts.unknown_kinds, Vec::<String>::new(), "{path}");
        assert_eq!(facts.entries, bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count() as u64, "{path}");
        assert!(!facts.torn, "{path}");
        assert_eq!(facts.forked_from, None, "{path}");
        assert!(facts.started.unwrap() <= facts.ended.unwrap(), "{path}");
    }
}

#[test]
fn a_card_from_head_and_tail_is_the_card_of_the_whole_file() {
    for (session, agent, path) in files() {
        let bytes = std::fs::read(&path).unwrap();
        let whole = fold_of(&session, agent.as_deref(), &bytes).card();
        let name = name(&session, agent.as_deref());
        let middle = bytes.len() / 2;
        assert_eq!(peek(name.clone(), &bytes[..middle], &bytes[middle..], true), Some(whole.clone()), "{}", path.display());
        let (head, tail) = (&bytes[..bytes.len() - 1], &bytes[1..]);
        let peeked = peek(name, head, tail, false).unwrap();
        assert_eq!((peeked.ran_in, peeked.ended, peeked.task, peeked.title), (whole.ran_in, whole.ended, whole.task, whole.title));
    }
}

#[test]
fn a_plain_session() {
    let facts = facts("plain");
    asked(
        &facts,
        (6, "Add a header row to the orders export and get tests/run.sh green. Don't touch the delimiter."),
        (53, "Great. Commit it please."),
        2,
    );
    ran_in(&facts, EXPORT, "main");
    assert_eq!(facts.tool_call_count, 7);
    assert_eq!(runs(&facts), ["39 > 40 Failed sh tests/run.sh", "48 > 49 Passed sh tests/run.sh"]);
    assert_eq!(facts.runs[0].counts.as_ref().and_then(|counts| counts.failed), Some(1));
    assert_eq!(
        facts.changed.iter().map(|file| (file.path.as_str(), file.edits)).collect::<Vec<_>>(),
        [("/home/dev/code/acme/orders-export/src/export.py", 1)]
    );
    assert_eq!(facts.edits[0].at.seq, 46);
    assert_eq!(facts.commits.len(), 1);
    assert_eq!(facts.commits[0].subject.as_deref(), Some("Write a header row"));
    assert_eq!(facts.commits[0].at.seq, 59);
    assert!(facts.publications.iter().all(|publication| publication.kind != PublicationKind::Push));
    assert!(facts.usage.is_some_and(|usage| usage.output > 0));
    assert!(facts.compactions.is_empty() && facts.children.is_empty());
}

#[test]
fn a_resumed_session_goes_on_in_the_same_file() {
    let facts = facts("resume-continue-and-print");
    asked(&facts, (6, "Document the CSV columns in the README, please."), (50, "What is left to do?"), 3);
    ran_in(&facts, EXPORT, "feature/column-names");
    assert_eq!(facts.changed.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["/home/dev/code/acme/orders-export/README.md"]);
    assert_eq!(runs(&facts), [""; 0]);
}

#[test]
fn sub_agents_in_the_background_report_by_notification() {
    let facts = facts("subagents-background");
    let text = "Find out who reads the export, and whether the tests pass. Use agents.";
    asked(&facts, (6, text), (6, text), 1);
    let children: Vec<_> = facts
        .children
        .iter()
        .map(|child| {
            (child.agent.as_deref(), child.kind.as_deref(), child.description.as_deref(), child.state, child.reported, child.at.seq)
        })
        .collect();
    assert_eq!(
        children,
        [
            (Some("aac80bf0c81154383"), Some("Explore"), Some("Find export readers"), ChildState::Completed, true, 24),
            (Some("a4a28dfccd4142373"), Some("general-purpose"), Some("Run the test suite"), ChildState::Completed, true, 29),
        ]
    );
    assert_eq!(runs(&facts), [""; 0]);
}

#[test]
fn a_sub_agents_file_has_its_brief_as_task_and_its_runs_with_its_mark() {
    let facts = agent_facts("a4a28dfccd4142373");
    let brief = "SUBAGENT-B: run sh tests/run.sh and report the result.";
    asked(&facts, (1, brief), (1, brief), 1);
    assert_eq!(runs(&facts), ["15 > 16 Passed sh tests/run.sh"]);
    assert_eq!(facts.runs[0].at.agent.as_deref(), Some("a4a28dfccd4142373"));
    assert!(facts.promises.is_empty() && facts.decisions.is_empty());
}

#[test]
fn a_sub_agent_that_the_call_waited_for_has_reported() {
    let facts = facts("custom-agent-synchronous-print");
    asked(&facts, (5, "Have the reviewer look at the export."), (5, "Have the reviewer look at the export."), 1);
    assert_eq!(facts.children.len(), 1);
    assert_eq!(facts.children[0].agent.as_deref(), Some("acc0d90f5fa8ec052"));
    assert_eq!((facts.children[0].state, facts.children[0].reported), (ChildState::Completed, true));
}

#[test]
fn a_task_list_set_whole_is_the_last_one_set() {
    let facts = facts("todowrite-sonnet46");
    let tasks: Vec<_> = facts.tasks.iter().map(|task| (task.text.as_str(), task.status, task.at.seq)).collect();
    assert_eq!(
        tasks,
        [
            ("Add header row", TaskStatus::Completed, 41),
            ("Run the tests", TaskStatus::Completed, 52),
            ("Re-run the export once the schema lands", TaskStatus::Pending, 21),
        ]
    );
    assert_eq!(runs(&facts), ["46 > 47 Passed sh tests/run.sh"]);
}

#[test]
fn tasks_created_and_updated_one_by_one_with_results_out_of_order() {
    let facts = facts("taskcreate-sonnet46");
    let tasks: Vec<_> = facts.tasks.iter().map(|task| (task.id.as_str(), task.text.as_str(), task.status)).collect();
    assert_eq!(
        tasks,
        [("1", "Add header row", TaskStatus::Completed), ("2", "Re-run the export once the schema lands", TaskStatus::Pending)]
    );
}

#[test]
fn a_background_command_is_settled_by_its_notification_and_asks_nothing() {
    let facts = facts("background-bash");
    let text = "Run the slow export in the background and check the tests meanwhile.";
    asked(&facts, (6, text), (6, text), 1);
    assert_eq!(runs(&facts), ["31 > 36 Failed sh tests/run.sh"]);
}

#[test]
fn a_denied_command_changed_nothing() {
    let facts = facts("denied-esc");
    asked(&facts, (6, "Clean the build directory."), (34, "Leave build alone, just list the files."), 2);
    assert!(facts.edits.is_empty() && facts.changed.is_empty());
}

#[test]
fn a_denial_without_a_person_changed_nothing_and_the_write_that_was_allowed_did() {
    let facts = facts("denied-print-mode");
    asked(&facts, (3, "Fetch the schema."), (3, "Fetch the schema."), 1);
    assert_eq!(facts.changed.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["/etc/orders-export.conf"]);
    assert!(facts.runs.iter().all(|run| run.verdict == Verdict::Unknown && run.cause == Some(UnknownCause::Denied)));
}

#[test]
fn a_client_that_refuses_a_command_is_no_failure() {
    let facts = facts("blocked-sleep");
    asked(&facts, (6, "Run the long export."), (41, "Use the small sample."), 2);
    assert!(facts.runs.iter().all(|run| run.verdict != Verdict::Failed), "{:?}", facts.runs);
}

#[test]
fn an_interruption_is_nobodys_words() {
    asked(&facts("interrupted-esc-in-stream"), (5, "Explain the export."), (26, "Go on."), 2);
}

#[test]
fn a_killed_client_leaves_a_call_without_an_outcome() {
    let killed = facts("killed-in-tool");
    asked(&killed, (6, "Run the long export."), (36, "What was the state?"), 2);
    assert!(killed.runs.iter().all(|run| run.verdict == Verdict::Unknown), "{:?}", killed.runs);
    let usage = killed.usage.unwrap();
    assert!(usage.output > 0);
    let in_worktree = facts("killed-in-worktree");
    ran_in(&in_worktree, &format!("{EXPORT}/.claude/worktrees/doomed"), "worktree-doomed");
    assert_eq!(in_worktree.tool_call_count, 2);
    assert!(in_worktree.runs.iter().all(|run| run.cause == Some(UnknownCause::NoResult)), "{:?}", in_worktree.runs);
    let at_prompt = facts("quit-at-permission-prompt-1");
    assert_eq!((at_prompt.prompt_count, at_prompt.tool_call_count), (1, 1));
    assert!(at_prompt.runs.iter().all(|run| run.verdict == Verdict::Unknown && run.result_at.is_none()));
}

#[test]
fn an_image_in_a_result_and_a_large_output_are_read_past() {
    let image = facts("image-in-tool-result");
    asked(&image, (6, "What does chart.png show?"), (6, "What does chart.png show?"), 1);
    let big = facts("parallel-tools-and-big-output");
    asked(&big, (6, "Look at both files and the history."), (39, "Print numbers."), 2);
    assert_eq!(big.tool_call_count, 5);
    assert!(big.runs.is_empty() && big.edits.is_empty());
}

#[test]
fn an_error_of_the_api_is_not_the_agents_and_costs_nothing() {
    let refused = facts("api-error-400");
    asked(&refused, (5, "Check the shell."), (5, "Check the shell."), 1);
    assert_eq!(refused.usage, None);
    let retried = facts("api-error-529-retried");
    asked(&retried, (5, "Check the shell."), (5, "Check the shell."), 1);
    assert!(retried.usage.is_some());
}

#[test]
fn a_title_that_a_person_gave_and_one_that_the_client_made() {
    assert_eq!(facts("named-before-clear").title.as_deref(), Some("header-work"));
    let made = facts("ai-title");
    assert_eq!(made.title.as_deref(), Some("Check delimiter of orders export"));
    assert_eq!(made.last_asked.map(|asked| asked.at.seq), Some(29));
}

#[test]
fn what_hooks_and_servers_add_is_nobodys_words_and_a_block_is_a_denial() {
    let facts = facts("hooks-and-mcp");
    let text = "What do you remember about the schema?";
    asked(&facts, (8, text), (8, text), 1);
    assert_eq!(facts.tool_call_count, 5);
    assert!(facts.runs.is_empty(), "{:?}", facts.runs);
}

#[test]
fn a_slash_command_and_the_persons_own_shell_are_no_prompts() {
    let facts = facts("slash-command-and-bash-mode");
    asked(&facts, (45, "And now?"), (45, "And now?"), 1);
    assert!(facts.runs.is_empty(), "what the person ran is not the agent's: {:?}", facts.runs);
}

#[test]
fn a_question_that_the_person_answered() {
    let facts = facts("ask-user-question");
    asked(&facts, (8, "Ask me for the column name."), (8, "Ask me for the column name."), 1);
    assert!(facts.asked_person.iter().all(|question| question.settled_by.is_some()), "{:?}", facts.asked_person);
}

#[test]
fn a_manual_compaction_neither_asks_nor_changes_the_task() {
    let facts = facts("compact-manual");
    asked(&facts, (6, "Add a header row to src/export.py and run the tests."), (60, "Now check the importer."), 2);
    let compactions: Vec<_> =
        facts.compactions.iter().map(|compaction| (compaction.at.seq, compaction.trigger.as_deref(), compaction.ours)).collect();
    assert_eq!(compactions, [(48, Some("manual"), false)]);
    assert_eq!(runs(&facts), ["37 > 39 Passed sh tests/run.sh"]);
}

#[test]
fn a_session_in_a_worktree_ran_there_although_its_file_moved_back() {
    let facts = facts("worktree-flag-kept");
    let worktree = format!("{EXPORT}/.claude/worktrees/schema");
    asked(&facts, (7, "Introduce a HEADER constant in this worktree."), (7, "Introduce a HEADER constant in this worktree."), 1);
    ran_in(&facts, &worktree, "worktree-schema");
    assert_eq!(facts.directories, std::slice::from_ref(&worktree));
    assert_eq!(runs(&facts), ["38 > 40 Failed sh tests/run.sh"]);
    assert_eq!(facts.runs[0].directory.as_deref(), Some(worktree.as_str()));
    assert_eq!(facts.commits.len(), 1);
}

#[test]
fn what_was_asked_before_a_rewind_is_not_asked_any_more() {
    let (session, bytes) = file("rewound-twice");
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let upto = |end: usize| fold_of(&session, None, &lines[..end].concat()).facts();
    asked(&upto(37), (5, "First question"), (33, "Third question"), 3);
    asked(&upto(43), (5, "First question"), (38, "Fourth question after rewinding to before the second"), 4);
    let fifth = "Fifth after rewinding to the beginning";
    asked(&upto(lines.len()), (44, fifth), (44, fifth), 5);
}
