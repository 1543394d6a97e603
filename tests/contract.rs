//! Every function of the contract, through the component: that it is there, takes what `wit/` says, and answers.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use reveille_host::bindings::exports::reveille::core::checkout::{GitAnswer, GitCommand, GitEnd, Place};
use reveille_host::bindings::exports::reveille::core::compaction::{HandedBack, Outcome, Setting, Step, Supplies};
use reveille_host::bindings::exports::reveille::core::doctor::{Content, Document, Folder, Installation};
use reveille_host::bindings::exports::reveille::core::doors::HookEvent;
use reveille_host::bindings::exports::reveille::core::look_back::{Caller, End, Fault, Party, Question, Span, Wish};
use reveille_host::bindings::exports::reveille::core::transcript::{FileName, RestoreError};
use reveille_host::bindings::exports::reveille::core::types::Harness;
use reveille_host::bindings::exports::reveille::core::wake::{Candidate, Choice, Occasion, Request, WakeError};
use reveille_host::component::Component;
use reveille_tests::case::scenario;

const HANDOFF: &str = r#"{"objective":"o","done":"d","remaining":"r","next":"Write the loop."}"#;

fn component() -> Component {
    Component::load().unwrap()
}

fn name() -> FileName {
    FileName { harness: Harness::ClaudeCode, session: scenario::session().to_owned(), agent: None }
}

fn transcript() -> Vec<u8> {
    scenario::expand(&["person: Fix the importer", "edit /home/dev/code/acme/web/src/a.rs", "agent: Done with it."], None).unwrap()
}

fn place() -> Place {
    Place {
        directory: "/home/dev/code/acme/web".to_owned(),
        exists: true,
        root: Some("/home/dev/code/acme/web".to_owned()),
        common_directory: Some("/home/dev/code/acme/web/.git".to_owned()),
        origin: Some("git@example.com:acme/site.git".to_owned()),
        worktrees: Vec::new(),
    }
}

fn request() -> Request {
    Request {
        occasion: Occasion::Asked,
        callers: Vec::new(),
        session: None,
        repository: None,
        raw: false,
        now: 1_788_598_800_000,
        home: None,
        options: Vec::new(),
    }
}

#[test]
fn a_fold_is_pushed_saved_restored_and_asked() {
    let mut component = component();
    let bytes = transcript();
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let fold = component.call(|world, store| world.reveille_core_transcript().fold().call_constructor(store, &name())).unwrap();
    let options = [("REVEILLE_CHECKS".to_owned(), "make prove".to_owned())];
    assert!(component.call(|world, store| world.reveille_core_transcript().fold().call_set_options(store, fold, &options)).unwrap());
    component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, fold, first)).unwrap();
    let offset = component.call(|world, store| world.reveille_core_transcript().fold().call_offset(store, fold)).unwrap();
    assert!(offset > 0 && offset as usize <= first.len());
    let saved = component.call(|world, store| world.reveille_core_transcript().fold().call_save(store, fold)).unwrap();
    let restored = component.call(|world, store| world.reveille_core_transcript().fold().call_restore(store, &saved)).unwrap().unwrap();
    assert!(component.call(|world, store| world.reveille_core_transcript().fold().call_set_options(store, restored, &options)).unwrap());
    let rest = &bytes[offset as usize..];
    component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, restored, rest)).unwrap();
    component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, fold, second)).unwrap();
    let facts = component.call(|world, store| world.reveille_core_transcript().fold().call_facts(store, fold)).unwrap();
    let again = component.call(|world, store| world.reveille_core_transcript().fold().call_facts(store, restored)).unwrap();
    assert_eq!(facts, again);
    assert_eq!((facts.entries, facts.changed.len()), (4, 1));
    let card = component.call(|world, store| world.reveille_core_transcript().fold().call_card(store, restored)).unwrap();
    assert_eq!(card.task.as_deref(), Some("Fix the importer"));
    let damaged = component.call(|world, store| world.reveille_core_transcript().fold().call_restore(store, b"damaged")).unwrap();
    assert_eq!(damaged.unwrap_err(), RestoreError::NotUsable);
}

#[test]
fn a_peek_gives_the_card_that_the_fold_gives() {
    let mut component = component();
    let bytes = transcript();
    let card =
        component.call(|world, store| world.reveille_core_transcript().call_peek(store, &name(), &bytes, &[], true)).unwrap().unwrap();
    let fold = component.call(|world, store| world.reveille_core_transcript().fold().call_constructor(store, &name())).unwrap();
    component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, fold, &bytes)).unwrap();
    assert_eq!(card, component.call(|world, store| world.reveille_core_transcript().fold().call_card(store, fold)).unwrap());
}

#[test]
fn a_wake_is_searched_chosen_looked_into_and_reported() {
    let mut component = component();
    let (request, here) = (request(), place());
    let identity = component.call(|world, store| world.reveille_core_checkout().call_identify(store, &here)).unwrap();
    assert_eq!(identity.display, "acme/site");
    let commands = component.call(|world, store| world.reveille_core_checkout().call_first_look(store)).unwrap();
    assert!(!commands.is_empty());
    let search = component.call(|world, store| world.reveille_core_wake().call_search_for(store, &request, &here)).unwrap().unwrap();
    assert_eq!(search.keys, identity.keys);
    let bytes = transcript();
    let fold = component.call(|world, store| world.reveille_core_transcript().fold().call_constructor(store, &name())).unwrap();
    component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, fold, &bytes)).unwrap();
    let card = component.call(|world, store| world.reveille_core_transcript().fold().call_card(store, fold)).unwrap();
    let candidate = Candidate {
        path: "/x.jsonl".to_owned(),
        card,
        place: Some(here.clone()),
        known_keys: Vec::new(),
        live: false,
        size: bytes.len() as u64,
        unread: 0,
        read_at: None,
    };
    let candidates = [candidate];
    let choice =
        component.call(|world, store| world.reveille_core_wake().call_choose(store, &request, &here, &candidates)).unwrap().unwrap();
    assert_eq!(choice, Choice { session: Some(0), before: Vec::new(), same_checkout: true });
    let needs = component.call(|world, store| world.reveille_core_wake().call_second_look(store, fold, &[], &[])).unwrap();
    assert!(needs.files.contains(&"/home/dev/code/acme/web/src/a.rs".to_owned()), "{:?}", needs.files);
    let answer = component
        .call(|world, store| {
            world.reveille_core_wake().call_report(store, &request, &here, &choice, &candidates, Some(fold), &[], &[], &[], &[])
        })
        .unwrap();
    assert!(answer.markdown.contains("**Task** Fix the importer [seq 1]"), "{}", answer.markdown);
    let result = component.call(|world, store| world.reveille_core_doors().call_wake_result(store, &answer)).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&result).unwrap()["report"]["session"]["task"]["text"], "Fix the importer");
    let input = br#"{"hook_event_name":"SessionStart","source":"startup"}"#;
    let HookEvent::SessionStart(start) = component.call(|world, store| world.reveille_core_doors().call_read_hook(store, input)).unwrap()
    else {
        panic!("a session start is read")
    };
    let printed = component
        .call(|world, store| world.reveille_core_doors().call_hook_answer(store, &start, &answer, Some("## Next")))
        .unwrap()
        .unwrap();
    assert!(printed.contains("Fix the importer") && printed.contains("## Next"));
}

#[test]
fn errors_are_explained_and_arguments_read() {
    let mut component = component();
    let words = component
        .call(|world, store| world.reveille_core_wake().call_explain(store, &WakeError::NoSuchSession("abcd".to_owned())))
        .unwrap();
    assert!(words.contains("abcd"));
    let tools = component.call(|world, store| world.reveille_core_doors().call_tools(store)).unwrap();
    assert_eq!(tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["forward_compaction", "session_wake", "look_back"]);
    let call =
        component.call(|world, store| world.reveille_core_doors().call_read_wake_call(store, r#"{"session":"abcd"}"#)).unwrap().unwrap();
    assert_eq!(call.session.as_deref(), Some("abcd"));
}

#[test]
fn a_transcript_is_looked_back_into() {
    let mut component = component();
    let read = |component: &mut Component, arguments: &str| {
        component.call(|world, store| world.reveille_core_look_back().call_read(store, arguments)).unwrap()
    };
    let question = read(&mut component, r#"{"query":"importer \"Done with\"","session":null}"#).unwrap();
    assert_eq!(question, Question { wish: Wish::Query("importer \"Done with\"".to_owned()), session: None, agent: None });
    let caller = Caller { session: Some(scenario::session().to_owned()), agent: None };
    let party = component.call(|world, store| world.reveille_core_look_back().call_whose(store, &question, &caller)).unwrap();
    assert!(!party.past && !party.whole, "{party:?}");
    let party = Party { whole: true, ..party };
    let search =
        component.call(|world, store| world.reveille_core_look_back().search().call_constructor(store, &question, &party)).unwrap();
    let span = component.call(|world, store| world.reveille_core_look_back().search().call_next_span(store, search)).unwrap();
    assert_eq!(span, Some(Span { start: 0, end: None }));
    for chunk in transcript().chunks(100) {
        component.call(|world, store| world.reveille_core_look_back().search().call_push(store, search, chunk)).unwrap();
    }
    assert_eq!(component.call(|world, store| world.reveille_core_look_back().search().call_next_span(store, search)).unwrap(), None);
    let answer = component.call(|world, store| world.reveille_core_look_back().search().call_answer(store, search)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&answer.json).unwrap();
    assert_eq!((json["hits"][0]["entry"].as_u64(), json["hits"][1]["entry"].as_u64()), (Some(4), Some(1)), "{json}");
    assert!(answer.end == End::Answered && answer.line.contains("2 hits"), "{}", answer.line);
    let here = place();
    let past = Party { session: Some("abcd".to_owned()), past: true, ..party };
    let fault = component.call(|world, store| world.reveille_core_look_back().call_choose(store, &past, &here, &[])).unwrap().unwrap_err();
    assert_eq!(fault, Fault::NoSuchSession("abcd".to_owned()));
    let refusal =
        component.call(|world, store| world.reveille_core_look_back().call_refuse(store, &fault, Some(&question), Some(&past))).unwrap();
    assert!(refusal.end == End::Missing && refusal.parts[0].text.contains("abcd"), "{refusal:?}");
    let Err(Fault::BadArguments(faults)) = read(&mut component, r#"{"query":"\"x","from":true}"#) else { panic!("it was taken") };
    assert_eq!(faults.len(), 2, "{faults:?}");
}

#[test]
fn secrets_are_taken_out() {
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let clean = component().call(|world, store| world.reveille_core_redact().call_text(store, &format!("token {secret} here"))).unwrap();
    assert!(!clean.contains(&secret) && clean.starts_with("token [redacted:") && clean.ends_with(" here"), "{clean}");
}

#[test]
fn an_installation_is_judged() {
    let folder = |path: &str| Folder { path: Some(path.to_owned()), exists: true, trouble: None, size: 0 };
    let installation = Installation {
        binary: Ok("/usr/bin/reveille".to_owned()),
        version: "0.1.0".to_owned(),
        component: "0".repeat(64),
        data: folder("/home/dev/.local/share/reveille"),
        index: Some(Ok(7)),
        client: folder("/home/dev/.claude"),
        register: Document { path: "/home/dev/.claude/plugins/installed_plugins.json".to_owned(), content: Content::Missing },
        settings: Vec::new(),
        git: GitAnswer {
            command: GitCommand { arguments: vec!["--version".to_owned()] },
            end: GitEnd::Missing,
            stdout: Vec::new(),
            stderr: Vec::new(),
        },
        here: place(),
        look: Vec::new(),
        candidates: Vec::new(),
        options: vec![("REVEILLE_RETENTION_DAYS".to_owned(), "0".to_owned())],
        home: None,
    };
    let verdict = component().call(|world, store| world.reveille_core_doctor().call_judge(store, &installation)).unwrap();
    assert!(!verdict.healthy && verdict.markdown.to_lowercase().contains("git"), "{}", verdict.markdown);
    assert!(verdict.markdown.contains("retention_days is \"0\" in REVEILLE_RETENTION_DAYS"), "{}", verdict.markdown);
}

fn nothing() -> Supplies {
    Supplies { files: Vec::new(), git: Vec::new(), origin: None }
}

fn done(step: Step) -> Outcome {
    match step {
        Step::Done(outcome) => outcome,
        Step::Needs(needs) => panic!("it needs {needs:?}"),
    }
}

#[test]
fn a_session_is_told_events_saved_restored_and_replayed() {
    let mut component = component();
    let setting = Setting { session: "s".to_owned(), options: Vec::new(), home: None };
    let session = component.call(|world, store| world.reveille_core_compaction().session().call_constructor(store, &setting)).unwrap();
    let event = component
        .call(|world, store| world.reveille_core_doors().call_handoff_event(store, "forward_compaction", HANDOFF, Some("toolu_1"), None))
        .unwrap();
    let step = component
        .call(|world, store| world.reveille_core_compaction().session().call_event(store, session, 1, &event, &nothing()))
        .unwrap();
    let outcome = done(step);
    assert!(outcome.answer.contains("Stored: a handoff") && outcome.ledger.len() == 1, "{outcome:?}");
    let saved = component.call(|world, store| world.reveille_core_compaction().session().call_save(store, session)).unwrap();
    let restored =
        component.call(|world, store| world.reveille_core_compaction().session().call_restore(store, &setting, &saved)).unwrap().unwrap();
    let replayed = component.call(|world, store| world.reveille_core_compaction().session().call_constructor(store, &setting)).unwrap();
    let rows = format!("{}\n", outcome.ledger.join("\n")).into_bytes();
    component.call(|world, store| world.reveille_core_compaction().session().call_replay(store, replayed, &rows)).unwrap();
    for session in [restored, replayed] {
        let handed = component.call(|world, store| world.reveille_core_compaction().call_after_compaction(store, session)).unwrap();
        assert!(matches!(handed, HandedBack::Handoff(text) if text.contains("## Next\nWrite the loop.")));
    }
    let told = component.call(|world, store| world.reveille_core_compaction().call_handed_event(store)).unwrap();
    done(
        component
            .call(|world, store| world.reveille_core_compaction().session().call_event(store, replayed, 2, &told, &nothing()))
            .unwrap(),
    );
    let handed = component.call(|world, store| world.reveille_core_compaction().call_after_compaction(store, replayed)).unwrap();
    assert!(matches!(handed, HandedBack::Nothing), "a handoff is handed back once");
}

#[test]
fn an_event_that_cannot_be_handled_passes_and_an_ask_is_rescued() {
    let mut component = component();
    let setting = Setting { session: "s".to_owned(), options: Vec::new(), home: None };
    let session = component.call(|world, store| world.reveille_core_compaction().session().call_constructor(store, &setting)).unwrap();
    let ask = br#"{"event":"compact","data":{"trigger":"auto","messages":[]}}"#;
    let rescued = component
        .call(|world, store| world.reveille_core_compaction().session().call_rescue(store, session, 1, ask, "it stopped"))
        .unwrap();
    assert!(rescued.answer.contains("<reveille wake>") && rescued.answer.contains("it stopped"), "{}", rescued.answer);
    let passed = component.call(|world, store| world.reveille_core_compaction().call_pass(store, b"{", "it is broken")).unwrap();
    assert!(passed.contains("it is broken"));
    assert!(!component.call(|world, store| world.reveille_core_compaction().call_records(store, ask)).unwrap());
    let stored = r#"{"result":{"text":"Stored","error":false}}"#;
    let unwritten = component.call(|world, store| world.reveille_core_compaction().call_unwritten(store, stored, "disk full")).unwrap();
    assert!(unwritten.contains("Refused, and nothing was stored. disk full"), "{unwritten}");
    let unlogged = component.call(|world, store| world.reveille_core_compaction().call_unlogged(store, stored, "disk full")).unwrap();
    assert!(unlogged.contains("\"Stored\"") && unlogged.contains("decision log cannot be written"), "{unlogged}");
}
