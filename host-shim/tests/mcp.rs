//! The MCP server, spoken to in lines of JSON.
#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod client;
mod world;

use client::Client;
use serde_json::json;
use world::World;

const SCENE: &[&str] = &["person: Fix the importer", "bash a: cargo test", "fail a 101", "agent: It fails."];

#[test]
fn the_tools_are_listed_with_their_schemas_and_loaded_from_the_first_turn() {
    let mut client = Client::start(&World::new());
    let tools = client.ask("tools/list", &json!({}))["result"]["tools"].clone();
    let listed = [("forward_compaction", false, "objective"), ("session_wake", true, "session"), ("look_back", true, "query")];
    assert_eq!(tools.as_array().unwrap().len(), listed.len());
    for (tool, (name, only_reads, argument)) in tools.as_array().unwrap().iter().zip(listed) {
        assert_eq!(
            (&tool["name"], &tool["_meta"]["anthropic/alwaysLoad"], &tool["annotations"]["readOnlyHint"]),
            (&json!(name), &json!(true), &json!(only_reads))
        );
        assert!(tool["inputSchema"]["properties"][argument].is_object(), "{tool}");
        assert!(tool["outputSchema"].is_null(), "with data a model is not handed the text: {tool}");
    }
    assert!(client.end().success());
}

#[test]
fn a_wake_is_text_alone_and_faults_are_errors_of_the_call() {
    let world = World::with_session(SCENE);
    let mut client = Client::start(&world);
    let wake = client.call("session_wake", &json!({"workspace": world.checkout}));
    assert!(wake["content"][0]["text"].as_str().unwrap().contains("**Task** Fix the importer"), "{wake}");
    assert!(wake["structuredContent"].is_null(), "a client gives the model the structure in place of the text");
    for (arguments, words) in [
        (json!({"session": "ffff"}), "No session begins with"),
        (json!({"nothing": 1, "repo": 2}), "repo takes a string"),
        (json!({"repo": "acme/nowhere"}), "No session of a repository"),
    ] {
        let fault = client.call("session_wake", &arguments);
        assert_eq!(fault["isError"], true, "{fault}");
        assert!(fault["content"][0]["text"].as_str().unwrap().contains(words), "{fault}");
    }
    assert!(client.ask("tools/call", &json!({"name": "nothing"}))["error"].is_object());
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/hologram", "params": {}}));
    assert!(
        client.call("session_wake", &json!({"workspace": world.checkout}))["content"].is_array(),
        "an unknown notification ends nothing"
    );
    assert!(client.end().success());
}

#[test]
fn a_client_that_goes_in_the_middle_of_a_call_ends_the_server() {
    let world = World::with_session(SCENE);
    let mut client = Client::start(&world);
    client.send(&json!({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": "session_wake", "arguments": {"workspace": world.checkout}}}));
    assert!(client.end().success());
}

#[test]
fn the_session_it_runs_in_is_never_its_answer() {
    let world = World::with_session(SCENE);
    let mut command = world.command(&["wake"]);
    let output = command.env("CLAUDE_CODE_SESSION_ID", reveille_tests::case::scenario::session()).output().unwrap();
    assert!(world::out(&output).contains("No session of this checkout"));
    // After `/clear` the environment names the old session; the client's own record of this process's ancestor has the new one.
    let sessions = world.client().join("sessions");
    std::fs::create_dir_all(&sessions).unwrap();
    let own = json!({"pid": std::process::id(), "sessionId": reveille_tests::case::scenario::session()});
    std::fs::write(sessions.join("1.json"), own.to_string()).unwrap();
    let output = world.command(&["wake"]).env("CLAUDE_CODE_SESSION_ID", "an-older-one").output().unwrap();
    assert!(world::out(&output).contains("No session of this checkout"));
}
