//! Looking back in the real client, over MCP: after a compaction, and as a sub-agent.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use reveille_tests::model_server::{Gate, Step, Track};
use reveille_tests::received::{last_results, tool_names};
use reveille_tests::terminal::{Terminal, until};
use reveille_tests::workshop::Workshop;
use serde_json::{Value, json};

const TOOL: &str = "mcp__reveille__look_back";

/// The requests of the conversation, taken; not those that the client makes besides.
fn requests(workshop: &Workshop) -> Vec<Value> {
    workshop.model.take_requests().into_iter().filter(|request| !tool_names(request).is_empty()).collect()
}

#[test]
fn after_a_compaction_an_exact_string_is_found_and_read_whole() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(vec![
        Step::shell("printf 'the code word is %s\\n' Kestrel-7193; seq 1 6000"),
        Step::call(TOOL, json!({"query": "Kestrel-7193"})),
        Step::text("NOTED-IT."),
    ])]);
    let terminal = Terminal::start(&workshop, &checkout, &[]).unwrap();
    terminal.enter("Remember the code word.").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("NOTED-IT")).unwrap();
    let asked = requests(&workshop);
    assert!(last_results(asked.last().unwrap()).contains("still in your context"), "{}", last_results(asked.last().unwrap()));

    workshop.model.play(vec![Track::main(vec![])]);
    terminal.enter("/compact").unwrap();
    terminal.wait_for("the compaction", |screen| screen.contains("Compacted")).unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![
        Step::call(TOOL, json!({"query": "\"code word is\" kestrel"})),
        Step::call(TOOL, json!({"query": "\"open"})),
        Step::text("FOUND-IT."),
    ])]);
    terminal.enter("What was the code word?").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("FOUND-IT")).unwrap();
    let asked = requests(&workshop);
    let found = last_results(&asked[asked.len() - 2]);
    assert!(found.contains("result of Bash") && found.contains("the code word is Kestrel-7193"), "{found}");
    assert!(last_results(asked.last().unwrap()).contains("not closed"), "{}", last_results(asked.last().unwrap()));
    let (_, rest) = found.split_once("result of Bash").unwrap();
    assert!(!rest.contains("structuredContent"), "{rest}");
    let (before, _) = found.split_once("result of Bash").unwrap();
    let entry: u64 = before.rsplit('#').next().unwrap().split(' ').next().unwrap().parse().unwrap();
    workshop.model.play(vec![Track::main(vec![Step::call(TOOL, json!({"entry": entry, "from": 24_000})), Step::text("READ-IT.")])]);
    terminal.enter("Read on.").unwrap();
    terminal.wait_for("the answer", |screen| screen.contains("READ-IT")).unwrap();
    let page = last_results(requests(&workshop).last().unwrap());
    assert!(page.contains("characters 24001 to") && page.contains("\\n5999\\n6000"), "{page}");
}

/// Ids of the sub-agents that have a file.
fn agent_files(workshop: &Workshop) -> Vec<String> {
    let below = |folder: std::path::PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    below(workshop.home().join(".claude").join("projects"))
        .flat_map(below)
        .flat_map(|session| below(session.join("subagents")))
        .filter_map(|file| file.file_name()?.to_str()?.strip_prefix("agent-")?.strip_suffix(".jsonl").map(str::to_owned))
        .collect()
}

#[test]
fn a_sub_agent_looks_into_its_own_transcript() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    // The client writes a sub-agent's file a moment after it starts: the call waits until there is one to look into.
    let written = Gate::default();
    workshop.model.play(vec![
        Track::of("SUB-AGENT: look", vec![Step::call(TOOL, json!({"query": "importer"})).held_by(&written), Step::text("Looked.")]),
        Track::main(vec![
            Step::call(
                "Agent",
                json!({"description": "Look", "prompt": "SUB-AGENT: look", "subagent_type": "general-purpose", "run_in_background": false}),
            ),
            Step::text("Done."),
        ]),
    ]);
    let session = std::thread::scope(|scope| {
        let session = scope.spawn(|| workshop.session(&checkout, "Have an agent look.", &[]).unwrap());
        until("the sub-agent's file", || (!agent_files(&workshop).is_empty()).then_some(())).unwrap();
        written.open();
        session.join().unwrap()
    });
    let asked = requests(&workshop);
    assert!(tool_names(&asked[0]).iter().any(|name| name == TOOL), "it is in the model's list from the first turn");
    let results: Vec<String> = asked.iter().map(last_results).collect();
    let result = results
        .iter()
        .find(|result| result.contains("in your context"))
        .unwrap_or_else(|| panic!("the sub-agent got no answer: {results:?}"));
    assert!(!result.contains(&session.id), "{result}");
    // A parent, or a later session, reads all of it.
    let agents = agent_files(&workshop);
    assert_eq!(agents.len(), 1, "{agents:?}");
    workshop.model.play(vec![Track::main(vec![
        Step::call(TOOL, json!({"query": "SUB-AGENT", "session": &session.id[..8], "agent": &agents[0]})),
        Step::text("Read."),
    ])]);
    workshop.session(&checkout, "Read what the agent was asked.", &[]).unwrap();
    let result = last_results(requests(&workshop).last().unwrap());
    assert!(result.contains("SUB-AGENT: look") && result.contains("  user"), "{result}");
}
