//! Sub-agents, sessions side by side, and what comes back after an install.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use reveille_tests::handing_off::{SMALL, TOOL, echo, hand_off, hangs_after_the_handoff, installs};
use reveille_tests::model_server::{Step, Track, text_of};
use reveille_tests::received::{blocks, position};
use reveille_tests::terminal::until;
use reveille_tests::workshop::Workshop;
use serde_json::{Value, json};

const BRIEF: &str = "SUB-AGENT: count the files";

fn spawn() -> Step {
    Step::call("Agent", json!({"description": "Count", "prompt": BRIEF, "subagent_type": "general-purpose", "run_in_background": false}))
}

/// Waits until the transcript holds the handoff: it is written a moment after.
fn stored(workshop: &Workshop, id: &str) {
    until("the handoff", || workshop.transcript(id).ok().filter(|transcript| transcript.contains("Stored: a handoff")).map(drop)).unwrap();
}

/// The requests of the sub-agent.
fn of_agent(requests: &[Value]) -> Vec<&Value> {
    requests
        .iter()
        .filter(|request| text_of(request).contains(BRIEF) && !request["messages"][0].to_string().contains("Have it counted"))
        .collect()
}

fn play(workshop: &Workshop, checkout: &Path, agent: Vec<Step>) -> Vec<Value> {
    workshop.model.take_requests();
    workshop.model.play(vec![
        Track::of(BRIEF, agent),
        Track::main(vec![
            spawn().with_input_tokens(10_000),
            Step::text("Counted.").with_input_tokens(11_000),
            Step::text("Noted.").with_input_tokens(12_000),
        ]),
    ]);
    workshop.session(checkout, "Have it counted.", &SMALL).unwrap();
    workshop.model.take_requests()
}

// hook: agent.spawn
// hook: tool.offer
// hook: agent.report
// hook: turn.start
#[test]
fn a_sub_agent_is_nudged_gated_hands_off_and_goes_on_after_its_install() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let requests = play(
        &workshop,
        &checkout,
        vec![
            echo("one").with_input_tokens(41_000),
            echo("two").with_input_tokens(42_000),
            echo("three").with_input_tokens(55_000),
            echo("four").with_input_tokens(56_000),
            hand_off().with_input_tokens(57_000),
            echo("five").with_input_tokens(70_000),
            echo("six").with_input_tokens(9_000),
            Step::text("There are three.").with_input_tokens(9_500),
        ],
    );
    let agent = of_agent(&requests);
    let all: String = agent.iter().map(|request| text_of(request)).collect();
    assert!(all.contains("From 50k tokens on, calls other than the handoff are refused once"), "it was nudged");
    assert!(all.contains("This call did not run. The context is 5"), "it was gated");
    let woken = agent.iter().find(|request| text_of(request).contains("<reveille handoff>")).expect("its handoff was installed");
    let blocks = blocks(woken);
    assert!(position(&blocks, "echo one").is_none(), "{blocks:#?}");
    let text = text_of(woken);
    assert!(text.contains("## Your brief") && text.contains(BRIEF) && text.contains("## Next\nEdit src/importer.sh."), "{text}");
    assert!(
        position(&blocks, "echo five").is_some() && blocks.iter().any(|(_, block)| block["type"] == "tool_result"),
        "its tail is there: {blocks:#?}"
    );
    let parent = requests.iter().map(text_of).filter(|text| text.contains("There are three.")).count();
    assert!(parent > 0, "its report came");
}

#[test]
fn a_gated_sub_agent_without_the_tool_is_let_through_or_never_gated() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    let agents = checkout.join(".claude").join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    std::fs::write(agents.join("counter.md"), "---\nname: counter\ndescription: Counts.\ntools: Bash\n---\nYou count.\n").unwrap();
    workshop.model.take_requests();
    let spawn =
        Step::call("Agent", json!({"description": "Count", "prompt": BRIEF, "subagent_type": "counter", "run_in_background": false}));
    workshop.model.play(vec![
        Track::of(
            BRIEF,
            vec![
                echo("one").with_input_tokens(41_000),
                echo("two").with_input_tokens(55_000),
                echo("three").with_input_tokens(66_000),
                Step::text("Three.").with_input_tokens(66_500),
            ],
        ),
        Track::main(vec![spawn.with_input_tokens(10_000), Step::text("Counted.").with_input_tokens(11_000)]),
    ]);
    workshop.session(&checkout, "Have it counted.", &SMALL).unwrap();
    let requests = workshop.model.take_requests();
    let agent = of_agent(&requests);
    let all: String = agent.iter().map(|request| text_of(request)).collect();
    assert!(!all.contains("This call did not run"), "{all}");
    assert_eq!(agent.len(), 4);
}

// hook: session.receive
#[test]
fn a_finished_sub_agent_that_a_message_wakes_begins_with_its_wake() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.take_requests();
    let named = Step::call(
        "Agent",
        json!({"description": "Count", "prompt": BRIEF, "subagent_type": "general-purpose", "name": "counter", "run_in_background": false}),
    );
    workshop.model.play(vec![
        Track::of(
            BRIEF,
            vec![
                echo("one").with_input_tokens(30_000),
                hand_off().with_input_tokens(45_000),
                echo("five").with_input_tokens(70_000),
                Step::text("There are three.").with_input_tokens(9_500),
                Step::text("Again: three.").with_input_tokens(9_800),
            ],
        ),
        Track::main(vec![
            named.with_input_tokens(10_000),
            Step::call("SendMessage", json!({"to": "counter", "summary": "Again", "message": "Count them again."}))
                .with_input_tokens(11_000),
            Step::text("Waiting.").with_input_tokens(12_000),
            Step::text("Noted.").with_input_tokens(13_000),
        ]),
    ]);
    workshop.session(&checkout, "Have it counted.", &SMALL).unwrap();
    let requests = workshop.model.take_requests();
    let again = requests
        .iter()
        .rev()
        .find(|request| text_of(request).contains("Count them again.") && text_of(request).contains("<reveille handoff>"));
    let again = again.unwrap_or_else(|| {
        panic!("no such request: {:#?}", requests.iter().map(|request| request["messages"].clone()).collect::<Vec<_>>())
    });
    let blocks = blocks(again);
    assert!(position(&blocks, "echo one").is_none(), "the old conversation is back: {blocks:#?}");
    assert!(position(&blocks, "<reveille wake>").unwrap() < position(&blocks, "There are three.").unwrap());
}

// hook: classic.SessionStart
#[test]
fn a_resume_after_an_install_with_tool_results_in_the_tail_begins_with_the_wake() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(installs())]);
    let first = workshop.session(&checkout, "Count everything.", &SMALL).unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![Step::text("Going on.").with_input_tokens(10_000)])]);
    workshop.session(&checkout, "Go on.", &[&SMALL[..], &["--resume", &first.id]].concat()).unwrap();
    let requests = workshop.model.take_requests();
    let blocks = blocks(&requests[0]);
    assert!(position(&blocks, "<reveille wake>").is_some() && position(&blocks, "echo before").is_none(), "{blocks:#?}");
    assert!(position(&blocks, "echo after").is_some() && position(&blocks, "So far.").is_some(), "{blocks:#?}");
}

// hook: session.end
#[test]
fn a_session_with_a_stored_handoff_installs_it_after_a_resume() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(hangs_after_the_handoff())]);
    // Killed in the middle of the turn, so that its end installs nothing.
    let id = "5d1f0c52-3f0a-4f0e-9b53-1f6f3c1d2a10";
    let running = workshop.running_with(&checkout, id, "Count everything.", &SMALL).unwrap();
    stored(&workshop, id);
    running.kill().unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![echo("more").with_input_tokens(70_000), Step::text("Done.").with_input_tokens(9_000)])]);
    workshop.session(&checkout, "Go on.", &[&SMALL[..], &["--resume", id]].concat()).unwrap();
    let requests = workshop.model.take_requests();
    let last = blocks(requests.last().unwrap());
    assert!(position(&last, "<reveille handoff>").is_some() && position(&last, "echo before").is_none(), "{last:#?}");
    assert!(position(&last, "echo more").is_some(), "{last:#?}");
}

#[test]
fn a_fork_of_a_session_with_a_stored_handoff_installs_it_too() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.play(vec![Track::main(hangs_after_the_handoff())]);
    let id = "5d1f0c52-3f0a-4f0e-9b53-1f6f3c1d2a11";
    let running = workshop.running_with(&checkout, id, "Count everything.", &SMALL).unwrap();
    stored(&workshop, id);
    running.kill().unwrap();
    workshop.model.take_requests();
    workshop.model.play(vec![Track::main(vec![echo("more").with_input_tokens(70_000), Step::text("Done.").with_input_tokens(9_000)])]);
    let fork = workshop.session(&checkout, "Go on.", &[&SMALL[..], &["--resume", id, "--fork-session"]].concat()).unwrap();
    assert_ne!(fork.id, id);
    let requests = workshop.model.take_requests();
    let last = blocks(requests.last().unwrap());
    assert!(position(&last, "<reveille handoff>").is_some() && position(&last, "echo before").is_none(), "{last:#?}");
    assert!(position(&last, "Count everything.").is_some(), "what the person said before the fork is known: {last:#?}");
}

#[test]
fn two_sessions_at_once_in_one_project_keep_their_own_handoffs() {
    let workshop = Workshop::installed().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.take_requests();
    let track = |brief: &str| {
        let hand_off = Step::call(TOOL, json!({"objective": format!("{brief} objective"), "done": "d", "remaining": "r", "next": "n"}));
        Track::of(
            brief,
            vec![hand_off.with_input_tokens(45_000), echo("after").with_input_tokens(70_000), Step::text("Done.").with_input_tokens(9_000)],
        )
    };
    workshop.model.play(vec![track("ONE"), track("TWO")]);
    std::thread::scope(|scope| {
        for prompt in ["ONE", "TWO"] {
            let (workshop, checkout) = (&workshop, &checkout);
            scope.spawn(move || workshop.session(checkout, prompt, &SMALL).unwrap());
        }
    });
    let requests = workshop.model.take_requests();
    for (own, other) in [("ONE objective", "TWO objective"), ("TWO objective", "ONE objective")] {
        let woken: Vec<String> =
            requests.iter().map(text_of).filter(|text| text.contains("<reveille handoff>") && text.contains(own)).collect();
        assert_eq!(woken.len(), 1, "{own}");
        assert!(!woken[0].contains(other), "{}", woken[0]);
    }
}

#[test]
fn without_the_module_the_handoff_comes_back_beside_the_summary() {
    let workshop = Workshop::installed_without_module().unwrap();
    let checkout = workshop.checkout("importer").unwrap();
    workshop.model.take_requests();
    let served = "mcp__plugin_reveille_reveille__forward_compaction";
    workshop.model.play(vec![Track::main(vec![
        echo("before").with_input_tokens(30_000),
        Step::call(served, json!({"objective": "Count.", "done": "Half.", "remaining": "Half.", "next": "Count on."}))
            .with_input_tokens(45_000),
        echo("after").with_input_tokens(70_000),
        // The client's own summary.
        Step::text("<summary>A summary.</summary>").with_input_tokens(20_000),
        Step::text("Done.").with_input_tokens(9_000),
    ])]);
    workshop.session(&checkout, "Count everything.", &SMALL).unwrap();
    let requests = workshop.model.take_requests();
    assert!(
        requests.iter().any(|request| request.to_string().contains("given back after Claude Code's next compaction")),
        "stored by the server"
    );
    let last = requests.last().unwrap();
    let text = text_of(last);
    assert!(text.contains("## Next\nCount on.") && text.contains("## Objective\nCount."), "{text}");
    assert!(!text.contains("<reveille handoff>"), "{text}");
    assert_eq!(text.matches("## Next\nCount on.").count(), 1);
}
