//! Every way to a wake in the real client: its tool, the command line in its shell, forks, options, and the plugin taken away.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use reveille_tests::artefacts;
use reveille_tests::model_server::{Step, Track};
use reveille_tests::received::{last_results, tool_names, wakes};
use reveille_tests::terminal::Terminal;
use reveille_tests::workshop::{Session, Workshop};
use serde_json::{Value, json};

const TOOL: &str = "mcp__plugin_reveille_reveille__session_wake";

fn session(workshop: &Workshop, checkout: &Path, prompt: &str, more: &[&str], steps: Vec<Step>) -> Session {
    workshop.model.play(vec![Track::main(steps)]);
    workshop.session(checkout, prompt, more).unwrap()
}

fn failing() -> Vec<Step> {
    vec![Step::shell("sh tests/run.sh"), Step::text("It fails.")]
}

fn assert_lines(wake: &str, wanted: &[&str]) {
    for line in wanted {
        assert!(wake.contains(line), "no `{line}` in:\n{wake}");
    }
}

#[test]
fn a_session_in_a_terminal_starts_with_the_wake_and_after_a_clear_the_tool_tells_of_the_cleared_one() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let first = session(&workshop, &checkout, "Make the suite pass.", &[], failing());
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![Step::shell("sh tests/lint.sh"), Step::text("I-KNOW.")])]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    terminal.enter("Run the lint instead.").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("I-KNOW")).unwrap();
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_lines(
        &found[0],
        &[&format!("## Last session {}", &first.id[..8]), "**Task** Make the suite pass.", "Blocker `sh tests/run.sh`"],
    );

    terminal.enter("/clear").unwrap();
    terminal.wait_for("an empty conversation", |screen| !screen.contains("I-KNOW")).unwrap();
    workshop.model.play(vec![Track::main(vec![Step::call(TOOL, json!({})), Step::text("ASKED.")])]);
    terminal.enter("Ask the tool.").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("ASKED.")).unwrap();
    // The process is the same, the session another: the cleared one is what went before.
    let result = last_results(workshop.model.take_requests().last().unwrap());
    assert_lines(&result, &["**Task** Run the lint instead.", "last passed `sh tests/lint.sh`"]);
    assert!(!result.contains("Ask the tool."), "never its own session: {result}");
}

#[test]
fn the_command_line_in_the_sessions_shell_never_wakes_with_that_session() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let first = session(&workshop, &checkout, "Make the suite pass.", &[], failing());
    let program = artefacts::binary(&artefacts::root());
    workshop.model.take_requests();
    let second = session(
        &workshop,
        &checkout,
        "Wake by hand.",
        &[],
        vec![Step::shell(&format!("'{}' wake", program.display())), Step::text("Woken.")],
    );
    let result = last_results(workshop.model.take_requests().last().unwrap());
    assert_lines(&result, &[&format!("## Last session {}", &first.id[..8]), "Blocker `sh tests/run.sh`"]);
    assert!(!result.contains(&second.id[..8]), "{result}");
}

#[test]
fn a_sub_agent_that_asks_the_tool_gets_the_session_before_its_parents() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let first = session(&workshop, &checkout, "Make the suite pass.", &[], failing());
    workshop.model.take_requests();
    workshop.model.play(vec![
        Track::of("SUB-AGENT: look", vec![Step::call(TOOL, json!({})), Step::text("Looked.")]),
        Track::main(vec![
            Step::call(
                "Agent",
                json!({"description": "Look", "prompt": "SUB-AGENT: look", "subagent_type": "general-purpose", "run_in_background": false}),
            ),
            Step::text("Done."),
        ]),
    ]);
    let second = workshop.session(&checkout, "Have an agent look.", &[]).unwrap();
    let requests = workshop.model.take_requests();
    let result = requests.iter().map(last_results).find(|result| result.contains("# Wake · ")).expect("the sub-agent got a wake");
    assert_lines(&result, &[&format!("## Last session {}", &first.id[..8])]);
    assert!(!result.contains(&second.id[..8]), "{result}");
}

#[test]
fn a_continued_session_wakes_with_itself_and_a_fork_names_where_it_came_from() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let first = session(&workshop, &checkout, "Make the suite pass.", &[], failing());
    workshop.model.take_requests();
    session(&workshop, &checkout, "Go on.", &["--continue"], vec![Step::text("On.")]);
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_lines(&found[0], &[&format!("## This session {}", &first.id[..8]), "Blocker `sh tests/run.sh`"]);
    let fork = session(&workshop, &checkout, "Go another way.", &["--resume", &first.id, "--fork-session"], vec![Step::text("On.")]);
    assert_ne!(fork.id, first.id);
    workshop.model.take_requests();
    session(&workshop, &checkout, "What were you doing?", &[], vec![Step::text("I know.")]);
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_lines(
        &found[0],
        &[
            &format!("## Last session {}", &fork.id[..8]),
            "**Task** Make the suite pass.",
            "**Last asked** Go another way.",
            &format!("**Forked from** session {}", &first.id[..8]),
            "Blocker `sh tests/run.sh`",
        ],
    );
}

#[test]
fn an_alias_set_in_the_plugins_options_names_a_repository() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let other = workshop.checkout("exporter").unwrap();
    workshop.client(&["plugin", "uninstall", "reveille@reveille"]).unwrap();
    workshop.client(&["plugin", "install", "reveille@reveille", "--config", "aliases=shop=code/importer"]).unwrap();
    session(&workshop, &checkout, "Make the suite pass.", &[], failing());
    workshop.model.take_requests();
    let steps = vec![Step::call(TOOL, json!({"repo": "Shop"})), Step::call(TOOL, json!({"repo": "nowhere"})), Step::text("Asked.")];
    session(&workshop, &other, "Ask about the shop.", &[], steps);
    let results: Vec<String> = workshop.model.take_requests().iter().skip(1).map(last_results).collect();
    assert_lines(&results[0], &["**Another repository** code/importer", "**Task** Make the suite pass.", "Blocker `sh tests/run.sh`"]);
    assert!(results[1].contains("nowhere") && results[1].contains("\"is_error\":true"), "{}", results[1]);
}

#[test]
fn disabled_or_uninstalled_it_adds_nothing_and_leaves_nothing_running() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    session(&workshop, &checkout, "Make the suite pass.", &[], failing());
    for words in [["plugin", "disable", "reveille@reveille"], ["plugin", "uninstall", "reveille@reveille"]] {
        workshop.client(&words).unwrap();
        workshop.model.take_requests();
        session(&workshop, &checkout, "What were you doing?", &[], vec![Step::text("No idea.")]);
        let request = workshop.model.take_requests().remove(0);
        assert!(wakes(&request).is_empty() && !tool_names(&request).iter().any(|name| name == TOOL), "after {words:?}");
    }
    let left = std::fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains("reveille")
            && String::from_utf8_lossy(&environment).contains(&*workshop.home().to_string_lossy())
    });
    assert_eq!(left.count(), 0, "no process of ours stays");
}

#[test]
fn a_folder_without_git_wakes_too() {
    let workshop = Workshop::installed().unwrap();
    let folder = workshop.home().parent().unwrap().canonicalize().unwrap().join("notes");
    std::fs::create_dir_all(&folder).unwrap();
    workshop.trust(&[&folder]).unwrap();
    session(&workshop, &folder, "Sort the notes.", &[], vec![Step::text("I'll sort them by date once the list is complete.")]);
    workshop.model.take_requests();
    session(&workshop, &folder, "What were you doing?", &[], vec![Step::text("I know.")]);
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_lines(&found[0], &["no git repository", "**Task** Sort the notes.", "Next \"I'll sort them by date"]);
}

#[test]
fn without_a_program_the_person_reads_one_line_in_the_terminal() {
    let workshop = Workshop::installed_without_program().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(vec![Step::text("HELLO.")])]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    terminal.wait_for("the line", |screen| screen.contains("Reveille has no program for")).unwrap();
    terminal.enter("Hello?").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("HELLO.")).unwrap();
}

#[test]
fn a_task_that_the_agent_set_in_progress_is_the_next_step() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let with_tasks = ["--settings", r#"{"env":{"CLAUDE_CODE_ENABLE_TODO_TOOLS":"1"}}"#];
    let task = |subject: &str| Step::call("TaskCreate", json!({"subject": subject, "description": subject, "activeForm": subject}));
    let set = |id: &str, status: &str| Step::call("TaskUpdate", json!({"taskId": id, "status": status}));
    let steps = vec![
        task("Read the schema"),
        task("Write the migration"),
        task("Document the header row"),
        set("1", "in_progress"),
        set("1", "completed"),
        set("2", "in_progress"),
        Step::text("At the migration."),
    ];
    session(&workshop, &checkout, "Do the migration.", &with_tasks, steps);
    workshop.model.take_requests();
    session(&workshop, &checkout, "What were you doing?", &[], vec![Step::text("I know.")]);
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_lines(
        &found[0],
        &["Next task: Write the migration (in progress) [seq ", "**Loose ends** (2)", "- task: Document the header row"],
    );
    assert!(!found[0].contains("Read the schema"), "what is done is no loose end:\n{}", found[0]);
}

#[test]
fn what_a_rewind_gave_up_is_not_what_was_asked_or_checked() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(vec![
        Step::shell("sh tests/lint.sh"),
        Step::text("LINTED."),
        Step::shell("sh tests/run.sh"),
        Step::text("RAN."),
        Step::text("OTHERWISE."),
    ])]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    for (prompt, answer) in [("Run the lint.", "LINTED."), ("Run the suite.", "RAN.")] {
        terminal.enter(prompt).unwrap();
        terminal.wait_for("the answer", |screen| screen.contains(answer)).unwrap();
    }
    terminal.enter("/rewind").unwrap();
    terminal.wait_for("the list of turns", |screen| screen.contains("Restore") && screen.contains("(current)")).unwrap();
    terminal.press("Up").unwrap();
    terminal.press("Enter").unwrap();
    terminal.wait_for("what to restore", |screen| screen.contains("Restore conversation")).unwrap();
    terminal.press("Enter").unwrap();
    terminal.wait_for("the conversation before", |screen| !screen.contains("RAN.")).unwrap();
    for _ in 0.."Run the suite.".len() {
        terminal.press("BSpace").unwrap();
    }
    terminal.enter("Think of something else.").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("OTHERWISE.")).unwrap();
    terminal.leave().unwrap();
    workshop.model.take_requests();
    session(&workshop, &checkout, "What were you doing?", &[], vec![Step::text("I know.")]);
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_lines(&found[0], &["**Task** Run the lint.", "**Last asked** Think of something else.", "last passed `sh tests/lint.sh`"]);
}

#[test]
fn a_session_resumed_in_a_terminal_wakes_with_itself() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let first = session(&workshop, &checkout, "Make the suite pass.", &[], failing());
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![Step::text("GOING-ON.")])]);
    let terminal = Terminal::start(&workshop, &checkout, &["--resume", &first.id]).unwrap();
    terminal.enter("Go on.").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("GOING-ON.")).unwrap();
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_lines(
        &found[0],
        &[&format!("## This session {}", &first.id[..8]), "**Task** Make the suite pass.", "Blocker `sh tests/run.sh`"],
    );
}

#[test]
fn a_sub_agent_in_the_background_brings_its_failure_to_its_parent() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![
        Track::of("SUB-AGENT: run the tests", vec![Step::shell("sh tests/run.sh"), Step::text("The header test fails.")]),
        Track::main(vec![
            Step::call(
                "Agent",
                json!({"description": "Run the tests", "prompt": "SUB-AGENT: run the tests", "subagent_type": "general-purpose"}),
            ),
            Step::text("STARTED."),
            Step::text("HEARD."),
        ]),
    ]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    terminal.enter("Have an agent run the tests.").unwrap();
    terminal.wait_for("the answer to the agent's report", |screen| screen.contains("HEARD.")).unwrap();
    terminal.leave().unwrap();
    workshop.model.take_requests();
    session(&workshop, &checkout, "What were you doing?", &[], vec![Step::text("I know.")]);
    let found = wakes(&workshop.model.take_requests()[0]);
    assert_lines(&found[0], &["**Last asked** the task", "last failed `sh tests/run.sh` (1 failed, 0 passed)", "[agent a", "Blocker "]);
}

#[test]
fn settings_of_the_plugin_reach_every_door_and_those_that_nobody_set_are_the_defaults() {
    for (workshop, doors) in
        [(Workshop::installed().unwrap(), ["event", "hook"].as_slice()), (Workshop::installed_without_module().unwrap(), &["mcp", "hook"])]
    {
        let checkout = workshop.checkout("importer").unwrap();
        let doctors =
            workshop.configured(&["manual=handoff", "main_nudge_start=30%", "main_nudge_step=0", "keep_skills=style, release"]).unwrap();
        session(&workshop, &checkout, "Make the suite pass.", &[], failing());
        for door in doors {
            let said: Value = serde_json::from_slice(&std::fs::read(doctors.join(format!("{door}.json"))).unwrap()).unwrap();
            let option = |name: &str| said["options"].as_array().unwrap().iter().find(|option| option["name"] == name).unwrap().clone();
            for (name, value) in [("manual", "handoff"), ("main_nudge_start", "30%"), ("keep_skills", "style, release")] {
                assert_eq!((&option(name)["value"], &option(name)["origin"]), (&json!(value), &json!("user-config")), "{door}: {said}");
            }
            let refused = option("main_nudge_step");
            assert_eq!((&refused["value"], &refused["origin"]), (&json!("10%"), &json!("default")), "{door}");
            assert!(refused["fault"].as_str().unwrap().contains("in the plugin's settings"), "{door}: {refused}");
            for option in said["options"].as_array().unwrap() {
                let name = option["name"].as_str().unwrap();
                assert!(name == "main_nudge_step" || option["fault"].is_null(), "{door}: {option}");
            }
            assert_eq!(option("log_dir")["origin"], "default", "{door}");
        }
    }
}
