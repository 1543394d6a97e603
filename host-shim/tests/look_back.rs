//! Looking back from the command line and over MCP: whose transcript is read, and what is said when there is none.
#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod client;
mod world;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Output;

use client::Client;
use reveille_tests::case::scenario;
use serde_json::{Value, json};
use world::{World, out, said};

const SCENE: &[&str] = &[
    "person: Fix the importer, the code word is Kestrel",
    "bash a: grep -n kestrel src/*.rs",
    "ok a",
    "  src/lib.rs:40: // kestrel",
    "agent: Found it.",
    "boundary auto",
    "summary: This session is being continued. The importer is to be fixed.",
    "person: What was the Kestrel line?",
];

/// The command line in a session of the client.
fn asked_in(world: &World, session: &str, arguments: &[&str]) -> Output {
    let arguments: Vec<&str> = std::iter::once("look-back").chain(arguments.iter().copied()).collect();
    world.command(&arguments).env("CLAUDE_CODE_SESSION_ID", session).output().unwrap()
}

fn entries(output: &Output) -> Vec<String> {
    let text = out(output);
    text.lines()
        .filter_map(|line| line.strip_prefix('#'))
        .map(|line| {
            let parts: Vec<&str> = line.split("  ").collect();
            format!("{} {}", parts[0], parts[2])
        })
        .collect()
}

/// The scenario's records under another session's id, in this checkout's folder.
fn other_session(world: &World, id: &str, lines: &[&str]) -> PathBuf {
    let text = String::from_utf8(world.records(&world.checkout, lines)).unwrap().replace(scenario::session(), id);
    let path = world.project().join(format!("{id}.jsonl"));
    fs::create_dir_all(world.project()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

fn sub_agent(world: &World, id: &str, lines: &[&str]) {
    let folder = world.project().join(scenario::session()).join("subagents");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("agent-{id}.jsonl")), scenario::expand(lines, Some(id)).unwrap()).unwrap();
}

#[test]
fn a_session_finds_what_stands_before_its_last_compaction_and_reads_it_whole() {
    let world = World::with_session(SCENE);
    let found = asked_in(&world, scenario::session(), &["KESTREL"]);
    assert_eq!(entries(&found), ["3 result of Bash", "2 tool Bash", "1 user"]);
    assert!(out(&found).contains("before the last compaction (entry 5)"), "{}", out(&found));
    let whole = out(&asked_in(&world, scenario::session(), &["--entry", "3"]));
    assert!(whole.contains("result of Bash\nsrc/lib.rs:40: // kestrel\n"), "{whole}");
    let after = out(&asked_in(&world, scenario::session(), &["--entry", "7"]));
    assert!(after.contains("already in your context"), "{after}");
    let json: Value = serde_json::from_str(&out(&asked_in(&world, scenario::session(), &["kestrel", "--json"]))).unwrap();
    assert_eq!((&json["boundary"], &json["hits"][0]["entry"], &json["found"]), (&json!(5), &json!(3), &json!(3)));
}

#[test]
fn a_session_is_found_by_its_id_whatever_its_folder_is_named_links_followed() {
    let world = World::with_session(SCENE);
    let folder = world.client().join("projects").join("a folder of any name");
    fs::rename(world.project(), &folder).unwrap();
    assert_eq!(entries(&asked_in(&world, scenario::session(), &["Found"])), ["4 assistant"]);
    #[cfg(unix)]
    {
        let elsewhere = world.folder.path().join("elsewhere");
        fs::rename(&folder, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &folder).unwrap();
        assert_eq!(entries(&asked_in(&world, scenario::session(), &["Found"])), ["4 assistant"]);
    }
}

#[test]
fn nothing_compacted_yet_is_the_answer_whatever_was_asked() {
    let world = World::with_session(&SCENE[..5]);
    for arguments in [&["kestrel"][..], &["--entry", "2"], &["--entry", "999"]] {
        let text = out(&asked_in(&world, scenario::session(), arguments));
        assert!(text.contains("still in your context"), "{text}");
    }
}

#[test]
fn a_sub_agents_own_file_is_searched_and_a_parent_reads_all_of_it() {
    let world = World::with_session(SCENE);
    sub_agent(&world, "a1b2", &["person: Look for the Heron", "agent: The heron is in b.rs."]);
    assert_eq!(entries(&asked_in(&world, scenario::session(), &["heron", "--agent", "a1b2"])), ["2 assistant", "1 user"]);
    let outside = world.run(&["look-back", "heron", "--session", "5d1f", "--agent", "agent-a1b2"]);
    assert_eq!(entries(&outside), ["2 assistant", "1 user"]);
    let none = asked_in(&world, scenario::session(), &["heron", "--agent", "ffff"]);
    assert_eq!(none.status.code(), Some(3));
    assert!(said(&none).contains("no transcript of agent ffff of session 5d1f0a52"), "{}", said(&none));
}

#[test]
fn a_past_session_of_the_checkout_is_read_whole_by_a_unique_prefix() {
    let world = World::with_session(SCENE);
    other_session(
        &world,
        "77aa0001-0000-4000-8000-000000000001",
        &["person: The word was Plover", "boundary auto", "agent: Plover it is."],
    );
    let me = scenario::session();
    assert_eq!(entries(&asked_in(&world, me, &["plover", "--session", "77aa0001"])), ["3 assistant", "1 user"]);
    assert!(out(&asked_in(&world, me, &["--entry", "3", "--session", "77AA"])).contains("Plover it is."));
    other_session(&world, "77aa0002-0000-4000-8000-000000000002", &["person: Another"]);
    let several = asked_in(&world, me, &["plover", "--session", "77aa"]);
    assert_eq!(several.status.code(), Some(3));
    assert!(
        said(&several).contains("Several sessions begin so: 77aa0001") || said(&several).contains("Several sessions begin so: 77aa0002")
    );
    let none = asked_in(&world, me, &["plover", "--session", "ffff"]);
    assert!(none.status.code() == Some(3) && said(&none).contains("\"ffff\""), "{}", said(&none));
}

#[test]
fn a_session_of_another_repository_is_not_read() {
    let world = World::with_session(SCENE);
    let other = World::with_session(&["person: The secret is Egret"]);
    let id = "99ee0001-0000-4000-8000-000000000001";
    let text = fs::read_to_string(other.transcript()).unwrap().replace(scenario::session(), id);
    let folder = world.client().join("projects").join("other");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{id}.jsonl")), text).unwrap();
    let refused = asked_in(&world, scenario::session(), &["egret", "--session", "99ee"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(said(&refused).contains("another repository") && !said(&refused).contains("Egret"), "{}", said(&refused));
}

#[test]
fn outside_a_session_the_newest_of_the_checkout_is_read_whole() {
    let world = World::with_session(SCENE);
    let found = world.run(&["look-back", "kestrel"]);
    assert_eq!(entries(&found), ["7 user", "3 result of Bash", "2 tool Bash", "1 user"]);
    assert!(out(&found).contains("of session 5d1f0a52"), "{}", out(&found));
    let empty = World::new();
    let none = empty.run(&["look-back", "kestrel"]);
    assert!(none.status.code() == Some(3) && said(&none).contains("No session of this checkout"), "{}", said(&none));
}

#[test]
fn what_cannot_be_used_is_the_callers_fault_and_named() {
    let world = World::with_session(SCENE);
    let me = scenario::session();
    for (arguments, words) in [
        (&["\"open"][..], "not closed"),
        (&["--entry", "0"], "entry takes a whole number from 1 on"),
        (&["--entry", "1", "--from", "5000"], "past its end"),
        (&["--entry", "9999"], "has 7 lines"),
        (&["x", "--session", "../../etc"], "session takes an id"),
    ] {
        let output = asked_in(&world, me, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(words) && output.stdout.is_empty(), "{arguments:?}: {}", said(&output));
    }
    let gone = asked_in(&world, "abcd0000-0000-4000-8000-000000000000", &["kestrel"]);
    assert!(gone.status.code() == Some(3) && said(&gone).contains("session abcd0000"), "{}", said(&gone));
    let hostile = asked_in(&world, "../x/5d1f", &["kestrel"]);
    assert_eq!(hostile.status.code(), Some(3));
}

#[test]
fn a_torn_tail_and_a_session_that_goes_on_after_it_are_read() {
    let world = World::with_session(SCENE);
    let append = |bytes: &[u8]| fs::OpenOptions::new().append(true).open(world.transcript()).unwrap().write_all(bytes).unwrap();
    append(b"{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"Kestrel torn");
    assert_eq!(entries(&asked_in(&world, scenario::session(), &["kestrel"])).len(), 3);
    // Resumed: a new line, so that the torn one stays in the middle.
    let lines = [SCENE, &["agent: The kestrel again", "boundary auto"]].concat();
    let more = world.records(&world.checkout, &lines).split_off(world.records(&world.checkout, SCENE).len());
    append(b"\n");
    append(&more);
    let found = asked_in(&world, scenario::session(), &["kestrel"]);
    assert_eq!(
        entries(&found),
        ["9 assistant", "8 malformed line", "7 user", "3 result of Bash", "2 tool Bash", "1 user"],
        "{}",
        out(&found)
    );
}

#[test]
fn over_mcp_the_answer_is_text_alone_and_faults_are_errors_of_the_call() {
    let world = World::with_session(SCENE);
    let mut client = Client::start_in(&world, scenario::session());
    let answer = client.call("look_back", &json!({"query": "kestrel", "entry": null}));
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("#3  ") && answer["structuredContent"].is_null(), "{answer}");
    assert_ne!(answer["isError"], true);
    let page = client.call("look_back", &json!({"entry": 2, "query": "\"open"}));
    assert!(page["content"][0]["text"].as_str().unwrap().contains("grep -n kestrel"), "{page}");
    for (arguments, words) in [
        (json!({}), "give query"),
        (json!({"query": "x", "entri": 7, "from": "a"}), "\"entri\" is no argument"),
        (json!({"entry": 50_000}), "no such entry"),
        (json!({"query": "x", "session": "ffff"}), "No session of this checkout begins"),
    ] {
        let fault = client.call("look_back", &arguments);
        assert_eq!(fault["isError"], true, "{fault}");
        assert!(fault["content"][0]["text"].as_str().unwrap().contains(words), "{fault}");
    }
    assert!(client.end().success());
}

#[test]
fn over_mcp_a_call_that_stands_in_a_sub_agents_file_is_that_sub_agents() {
    let world = World::with_session(SCENE);
    let lines = [
        "person: Look for the Heron",
        "agent: The heron is in b.rs.",
        "boundary auto",
        "call me mcp__reveille__look_back {\"query\":\"heron\"}",
    ];
    sub_agent(&world, "a1b2", &lines);
    sub_agent(&world, "c3d4", &["person: Nothing to see"]);
    let mut client = Client::start_in(&world, scenario::session());
    let ask = |client: &mut Client, id: &str| {
        let meta = json!({"claudecode/toolUseId": id});
        let answer = client.ask("tools/call", &json!({"name": "look_back", "arguments": {"query": "heron kestrel"}, "_meta": meta}));
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let own = ask(&mut client, "toolu_me");
    assert!(own.contains("The heron is in b.rs.") && own.contains("entry 3"), "{own}");
    let main = ask(&mut client, "toolu_a");
    assert!(main.contains("kestrel") && !main.contains("heron is in"), "{main}");
    assert!(client.end().success());
}

#[test]
fn an_entry_of_two_hundred_kilobytes_is_paged_without_a_gap() {
    let long: String = (0..200_000)
        .map(|number| {
            if number % 61 == 0 {
                '\n'
            } else if number % 7 == 0 {
                'é'
            } else {
                'x'
            }
        })
        .collect();
    let long = format!("BEGIN{long}END");
    let world = World::new();
    let scene = scenario::expand(&["person: Show it", "bash a: cat big", "ok a", "  HERE", "boundary auto"], None).unwrap();
    let quoted = serde_json::to_string(&long).unwrap();
    let text = String::from_utf8(scene).unwrap().replacen("\"content\":\"HERE\"", &format!("\"content\":{quoted}"), 1);
    fs::create_dir_all(world.project()).unwrap();
    fs::write(world.transcript(), text).unwrap();
    let mut client = Client::start_in(&world, scenario::session());
    let (mut whole, mut from) = (String::new(), Some(0));
    let mut pages = 0;
    while let Some(start) = from {
        let page = client.call("look_back", &json!({"entry": 3, "from": start}))["content"][0]["text"].as_str().unwrap().to_owned();
        let (heading, rest) = page.split_once('\n').unwrap();
        assert!(heading.contains("of 200008"), "{heading}");
        let (text, next) = rest.split_once("\n\nIt goes on: entry 3, from ").map_or((rest, None), |(text, next)| (text, Some(next)));
        whole.push_str(if next.is_some() { text } else { text.strip_suffix('\n').unwrap() });
        from = next.map(|next| next.trim_end().trim_end_matches('.').parse::<u64>().unwrap());
        pages += 1;
    }
    assert_eq!(pages, 9);
    assert!(whole == long, "{} characters", whole.chars().count());
    assert!(client.end().success());
}
