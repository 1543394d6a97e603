//! Each rule of looking back, over lines as the client writes them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use super::Search;
use crate::contract::look_back::{Answer, End, Page, Party, Question, Role, Wish};

const BOUNDARY: &str =
    r#"{"parentUuid":null,"isSidechain":false,"type":"system","subtype":"compact_boundary","content":"Conversation compacted"}"#;

fn user(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(
        r#"{{"parentUuid":null,"isSidechain":false,"type":"user","message":{{"role":"user","content":{text}}},"timestamp":"2026-09-04T09:15:10Z"}}"#
    )
}

fn agent(id: &str, text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(
        r#"{{"message":{{"id":"{id}","role":"assistant","content":[{{"type":"text","text":{text}}}]}},"type":"assistant","timestamp":"2026-09-04T09:15:10Z"}}"#
    )
}

fn call(id: &str, name: &str, input: &str) -> String {
    format!(
        r#"{{"message":{{"id":"m{id}","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}]}},"type":"assistant","timestamp":"2026-09-04T09:15:10Z"}}"#
    )
}

fn result(id: &str, text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(
        r#"{{"type":"user","message":{{"content":[{{"tool_use_id":"{id}","type":"tool_result","content":{text}}}]}},"timestamp":"2026-09-04T09:15:10Z","toolUseResult":{{"stdout":{text}}}}}"#
    )
}

fn main_party() -> Party {
    Party { session: Some("5d1f0a52".to_owned()), agent: None, past: false, whole: false }
}

fn past() -> Party {
    Party { past: true, whole: true, ..main_party() }
}

fn put(wish: Wish, party: Party, file: &[u8], size: usize) -> Answer {
    let mut search = Search::new(Question { wish, session: None, agent: None }, party);
    let mut spans = 0;
    while let Some(span) = search.next_span() {
        spans += 1;
        assert!(spans < 40, "it must end");
        let start = usize::try_from(span.start).unwrap();
        let end = span.end.map_or(file.len(), |end| usize::try_from(end).unwrap());
        for chunk in file[start..end].chunks(size) {
            search.push(chunk);
        }
    }
    search.answer()
}

fn file(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

fn query(text: &str, party: Party, lines: &[String]) -> Answer {
    put(Wish::Query(text.to_owned()), party, &file(lines), 1 << 16)
}

fn page(entry: u64, start: u64, party: Party, lines: &[String]) -> Answer {
    put(Wish::Page(Page { entry, start }), party, &file(lines), 1 << 16)
}

fn text(answer: &Answer) -> String {
    answer.parts.iter().map(|part| part.text.as_str()).collect()
}

/// The headings of the hits.
fn headings(answer: &Answer) -> Vec<String> {
    answer.parts.iter().filter(|part| part.role == Role::Heading).map(|part| part.text.trim_end().to_owned()).collect()
}

fn numbers(answer: &Answer) -> Vec<u64> {
    headings(answer).iter().map(|heading| heading[1..].split(' ').next().unwrap().parse().unwrap()).collect()
}

fn own(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn only_what_stands_before_the_last_boundary_is_searched_and_entries_are_line_numbers() {
    let lines = [
        user("needle one"),
        String::new(),
        user("needle two"),
        BOUNDARY.to_owned(),
        user("needle three"),
        BOUNDARY.to_owned(),
        user("needle four"),
    ];
    let answer = query("needle", main_party(), &lines);
    assert_eq!(numbers(&answer), [5, 3, 1]);
    assert!(text(&answer).starts_with("3 entries before the last compaction (entry 6) hold it."), "{}", text(&answer));
    assert_eq!(headings(&answer)[0], "#5  2026-09-04 09:15:10Z  user");
    assert_eq!(answer.line, "look_back main \"needle\": 3 hits");
}

#[test]
fn with_nothing_compacted_that_is_the_answer_whatever_was_asked() {
    let lines = [user("needle")];
    for answer in [query("needle", main_party(), &lines), page(1, 0, main_party(), &lines), page(99, 0, main_party(), &lines)] {
        assert!(text(&answer).contains("still in your context"), "{}", text(&answer));
        assert_eq!(answer.end, End::Answered);
    }
    assert_eq!(numbers(&query("needle", past(), &lines)), [1], "a past session is searched whole");
}

#[test]
fn a_boundary_is_a_field_of_its_own_record_and_of_the_partys_own_conversation() {
    let quoted = user(BOUNDARY);
    let nested = format!(
        r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","content":"x"}}]}},"toolUseResult":{BOUNDARY}}}"#
    );
    let sidechain = BOUNDARY.replace("\"isSidechain\":false", "\"isSidechain\":true");
    let cut = BOUNDARY[..BOUNDARY.len() - 1].to_owned();
    let lines = [user("needle"), quoted, nested, sidechain.clone(), cut];
    assert!(text(&query("needle", main_party(), &lines)).contains("still in your context"));
    let of_agent = Party { agent: Some("a1".to_owned()), ..main_party() };
    assert_eq!(numbers(&query("needle", of_agent, &lines)), [1]);
    let spaced = BOUNDARY.replace("\"subtype\":", "  \"subtype\" :\t");
    assert_eq!(numbers(&query("needle", main_party(), &[user("needle"), spaced])), [1]);
}

#[test]
fn more_terms_come_first_then_the_newest_and_the_rest_is_told() {
    let mut lines = vec![user("alpha beta"), user("alpha"), user("beta gamma"), user("gamma")];
    lines.push(BOUNDARY.to_owned());
    let answer = query("ALPHA Beta gamma", main_party(), &lines);
    assert_eq!(numbers(&answer), [3, 1, 4, 2]);
    assert!(text(&answer).contains("No entry holds all 3 terms."), "{}", text(&answer));
    assert!(headings(&answer)[0].ends_with("(2 of 3 terms)"), "{:?}", headings(&answer));
    let all = query("alpha beta", main_party(), &lines);
    assert!(!text(&all).contains("No entry holds") && !headings(&all)[0].contains("terms)"), "{}", text(&all));
}

#[test]
fn handoffs_their_results_and_wakes_rank_last() {
    let lines = [
        user("needle oldest"),
        call("h1", "mcp__reveille__forward_compaction", r#"{"objective":"needle and thread"}"#),
        result("h1", "stored: needle and thread"),
        call("h2", "mcp__plugin_reveille_reveille__forward_compaction", r#"{"objective":"needle and thread"}"#),
        result("h2", "stored: needle and thread"),
        user("<reveille wake>\nneedle and thread"),
        user("<reveille handoff>\nneedle and thread"),
        r##"{"parentUuid":null,"attachment":{"type":"hook_additional_context","content":["# Wake · acme/web\nneedle and thread"]},"type":"attachment"}"##.to_owned(),
        call("o1", "Bash", r#"{"command":"forward_compaction needle"}"#),
        BOUNDARY.to_owned(),
    ];
    let answer = query("needle thread", main_party(), &lines);
    assert_eq!(numbers(&answer), [9, 1, 8, 7, 6, 5, 4, 3, 2]);
    assert!(headings(&answer)[5].ends_with("result of mcp__plugin_reveille_reveille__forward_compaction"), "{:?}", headings(&answer));
}

#[test]
fn each_kind_of_entry_is_named() {
    let lines = [
        user("needle"),
        agent("m1", "needle"),
        call("t1", "Bash", r#"{"command":"echo needle"}"#),
        result("t1", "needle"),
        r#"{"type":"system","subtype":"local_command","content":"needle"}"#.to_owned(),
        r#"{"type":"user","isCompactSummary":true,"message":{"content":"needle"}}"#.to_owned(),
        r#"{"attachment":{"type":"queued_command","prompt":"needle"},"type":"attachment"}"#.to_owned(),
        user("<task-notification>\nneedle</task-notification>"),
        r#"{"attachment":{"type":"file","content":{"text":"needle"}},"type":"attachment"}"#.to_owned(),
        "needle {\"type\":\"user\"".to_owned(),
        result("t9", "needle"),
    ];
    let answer = query("needle", past(), &lines);
    assert_eq!(
        headings(&answer).iter().rev().map(|heading| heading.split("  ").nth(2).unwrap().to_owned()).collect::<Vec<_>>(),
        [
            "user",
            "assistant",
            "tool Bash",
            "result of Bash",
            "system",
            "summary",
            "queued prompt",
            "task-notification",
            "attachment",
            "malformed line",
            "result of an unknown tool"
        ]
    );
}

#[test]
fn thinking_bookkeeping_and_what_repeats_messages_are_no_hits() {
    let lines = own(&[
        r#"{"type":"api-request-blob","message":{"role":"user","content":"needle"}}"#,
        r#"{"type":"last-prompt","lastPrompt":"needle"}"#,
        r#"{"type":"queue-operation","operation":"enqueue","content":"needle"}"#,
        r#"{"type":"ai-title","aiTitle":"needle"}"#,
        r#"{"sessionId":"x","type":"file-history-snapshot","snapshot":{"text":"needle"}}"#,
        r#"{"message":{"id":"m1","content":[{"type":"thinking","thinking":"needle","signature":"needle"}]},"type":"assistant"}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"toolUseResult":"needle","uuid":"needle"}"#,
        r#"{"type":"user","message":{"content":[{"type":"image","source":{"data":"needle"}}]}}"#,
    ]);
    let answer = query("needle", past(), &lines);
    assert!(numbers(&answer).is_empty() && text(&answer).contains("Try other words"), "{}", text(&answer));
    for (entry, words) in [(1, "bookkeeping api-request-blob"), (5, "bookkeeping file-history-snapshot"), (6, "thinking"), (8, "[image]")] {
        let shown = page(entry, 0, past(), &lines);
        assert!(text(&shown).contains(words) && !text(&shown).contains("needle"), "{}", text(&shown));
    }
}

#[test]
fn text_is_matched_decoded_and_tool_input_as_json() {
    let lines = [
        user("tab\there \"quoted\" back\\slash é 😀 /path/x"),
        r#"{"type":"user","message":{"content":"n\u0065edle \u00c9t\u00e9 \/slash\/"}}"#.to_owned(),
        call("t1", "Bash", r#"{"command":"echo \"two words\"","cwd":"C:\\dir"}"#),
    ];
    for (terms, expected) in [
        ("\\\"quoted\\\"", vec![1]),
        ("back\\slash", vec![1]),
        ("\"back\\slash É\"", vec![1]),
        ("😀", vec![1]),
        ("/path/x", vec![1]),
        ("needle", vec![2]),
        ("été", vec![2]),
        ("/slash/", vec![2]),
        ("\"\\\"command\\\":\\\"echo\"", vec![3]),
        ("\"echo \\\"two words\\\"\"", vec![3]),
        ("C:\\dir", vec![3]),
        ("u0065", vec![]),
    ] {
        assert_eq!(numbers(&query(terms, past(), &lines)), expected, "{terms}");
    }
}

#[test]
fn a_term_does_not_go_from_one_part_into_the_next() {
    let line = r#"{"type":"user","message":{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}}"#.to_owned();
    assert!(numbers(&query("onetwo", past(), std::slice::from_ref(&line))).is_empty());
    assert!(text(&page(1, 0, past(), &[line])).contains("one\ntwo"));
}

#[test]
fn at_most_twenty_hits_and_twelve_thousand_characters_are_told_and_the_rest_counted() {
    let lines: Vec<String> = (0..50).map(|number| user(&format!("{} needle {number} {}", "é".repeat(300), "y ".repeat(4000)))).collect();
    let answer = query("needle", past(), &lines);
    let told = text(&answer);
    assert_eq!(numbers(&answer), (31..=50).rev().collect::<Vec<u64>>());
    assert!(told.chars().count() <= 12_000, "{}", told.chars().count());
    assert!(told.contains("30 more entries are not shown") && told.starts_with("50 entries"), "{told}");
    let long = |number: u64| {
        let blocks: Vec<String> = (0..60)
            .map(|block| {
                format!(r#"{{"type":"tool_use","id":"t{number}-{block}","name":"{}{block}","input":{{"x":"needle"}}}}"#, "n".repeat(200))
            })
            .collect();
        format!(r#"{{"type":"assistant","message":{{"content":[{}]}}}}"#, blocks.join(","))
    };
    let wide = query("needle", past(), &(0..30).map(long).collect::<Vec<_>>());
    assert!(text(&wide).chars().count() <= 12_000 && text(&wide).contains("more entries are not shown"), "{}", text(&wide).chars().count());
}

#[test]
fn the_snippet_is_four_hundred_characters_around_the_first_term_which_is_marked() {
    let answer =
        query("needle \"thread end\"", past(), &[user(&format!("{}\n\n NEEDLE and\tthread  end{}", "é".repeat(2000), "y".repeat(2000)))]);
    let found: Vec<&str> = answer.parts.iter().filter(|part| part.role == Role::Found).map(|part| part.text.as_str()).collect();
    assert_eq!(found, ["NEEDLE", "thread end"]);
    let snippet: String =
        answer.parts.iter().filter(|part| matches!(part.role, Role::Text | Role::Found)).map(|part| part.text.as_str()).collect();
    let snippet = snippet.trim_end();
    assert!((390..=400).contains(&snippet.chars().count()), "{}", snippet.chars().count());
    assert!(snippet.contains("é NEEDLE and thread endyyy"), "{snippet}");
}

#[test]
fn a_block_that_stands_again_is_one_entry_the_oldest_and_may_still_be_in_context() {
    let rows =
        [user("needle typed"), agent("m1", "needle said"), call("t1", "Bash", r#"{"command":"needle"}"#), result("t1", "needle found")];
    let mut lines = vec![user("needle gone")];
    lines.extend(rows.clone());
    lines.push(BOUNDARY.to_owned());
    // An install puts the kept rows after the boundary again.
    lines.extend(rows.clone());
    let answer = query("needle", main_party(), &lines);
    assert_eq!(numbers(&answer), [5, 4, 3, 2, 1]);
    for (heading, copy) in headings(&answer).iter().zip([10, 9, 8, 7]) {
        assert!(heading.ends_with(&format!("may still be in context (entry {copy})")), "{heading}");
    }
    assert!(!headings(&answer)[4].contains("context"));
    // Compacted again, they are gone from context.
    lines.push(BOUNDARY.to_owned());
    let answer = query("needle", main_party(), &lines);
    assert_eq!(numbers(&answer), [5, 4, 3, 2, 1]);
    assert!(!text(&answer).contains("context"), "{}", text(&answer));
    assert!(text(&answer).starts_with("5 entries"), "{}", text(&answer));
}

#[test]
fn what_a_person_said_twice_is_two_entries() {
    assert_eq!(numbers(&query("go", main_party(), &[user("go on"), agent("m1", "x"), user("go on"), BOUNDARY.to_owned()])), [3, 1]);
}

#[test]
fn an_entry_is_told_in_pages_that_name_the_next() {
    let long: String = (0..30_000).map(|number| if number % 9 == 0 { 'é' } else { 'x' }).collect();
    let lines = [result("t1", &long), BOUNDARY.to_owned()];
    let first = page(1, 0, main_party(), &lines);
    assert!(headings(&first)[0].ends_with("result of an unknown tool  characters 1 to 24000 of 30000"), "{:?}", headings(&first));
    assert!(text(&first).contains("It goes on: entry 1, from 24000."));
    let second = page(1, 24_000, main_party(), &lines);
    assert!(!text(&second).contains("It goes on"));
    let texts = |answer: &Answer| answer.parts.iter().find(|part| part.role == Role::Text).unwrap().text.trim_end().to_owned();
    assert_eq!(texts(&first) + &texts(&second), long);
    let json: serde_json::Value = serde_json::from_str(&first.json).unwrap();
    assert_eq!((json["next"].as_u64(), json["characters"].as_u64()), (Some(24_000), Some(30_000)));
    let past_end = page(1, 30_000, main_party(), &lines);
    assert_eq!(past_end.end, End::Mistaken);
    assert!(text(&past_end).contains("30000 characters"), "{}", text(&past_end));
}

#[test]
fn an_entry_that_is_not_there_is_the_callers_fault_and_one_after_the_boundary_is_in_context() {
    let lines = [user("a"), String::new(), BOUNDARY.to_owned(), user("b")];
    for entry in [3, 4] {
        let answer = page(entry, 0, main_party(), &lines);
        assert!(text(&answer).contains("already in your context") && answer.end == End::Answered, "{}", text(&answer));
    }
    for (entry, party) in [(5, main_party()), (u64::MAX, main_party()), (5, past())] {
        let answer = page(entry, 0, party, &lines);
        assert!(text(&answer).contains("has 4 lines") && answer.end == End::Mistaken, "{}", text(&answer));
    }
    assert!(text(&page(2, 0, main_party(), &lines)).contains("Line 2 is blank."));
    assert!(text(&page(4, 0, past(), &lines)).contains('b'));
}

#[test]
fn what_this_build_does_not_know_is_told_as_unread_and_a_malformed_line_is_shown_raw() {
    let lines = own(&[
        r#"{"type":"hologram","words":"needle"}"#,
        r#"{"type":"user","message":{"content":[{"type":"video","caption":"needle"}]}}"#,
        r#"{"type":"hologram","words":"other"}"#,
        r#"{"type":"user","message":{"content":"cut needle \"off"#,
    ]);
    let answer = query("needle", past(), &lines);
    assert_eq!(numbers(&answer), [4]);
    assert!(text(&answer).contains("hologram (1, newest entry 1), video (1, newest entry 2)"), "{}", text(&answer));
    let shown = text(&page(1, 0, past(), &lines));
    assert!(shown.contains("unknown kind hologram") && shown.contains(&lines[0]), "{shown}");
    assert!(text(&page(2, 0, past(), &lines)).contains("was not read: video"));
    assert!(text(&page(4, 0, past(), &lines)).contains(&lines[3]));
}

#[test]
fn a_torn_tail_is_an_entry_of_its_own() {
    let mut bytes = file(&[user("needle one"), BOUNDARY.to_owned(), user("x"), BOUNDARY.to_owned()]);
    bytes.extend_from_slice(br#"{"type":"user","message":{"content":"needle to"#);
    let answer = put(Wish::Query("needle".to_owned()), main_party(), &bytes, 100);
    assert_eq!(numbers(&answer), [1]);
    let answer = put(Wish::Query("needle".to_owned()), past(), &bytes, 100);
    assert_eq!(numbers(&answer), [5, 1]);
    // Torn and gone on with: the cut record stays in the middle.
    bytes.extend_from_slice(b"\n");
    bytes.extend(file(&[user("needle again"), BOUNDARY.to_owned()]));
    assert_eq!(numbers(&put(Wish::Query("needle".to_owned()), main_party(), &bytes, 100)), [6, 5, 1]);
}

#[test]
fn a_results_tool_is_found_however_far_before_it_the_call_stands() {
    let mut lines = vec![call("far", "Grep", "{}"), call("other", "Bash", "{}")];
    lines.extend((0..400).map(|number| agent(&format!("m{number}"), &"x".repeat(2000))));
    lines.push(result("far", "needle"));
    lines.push(call("near", "Read", "{}"));
    lines.push(result("near", "needle"));
    let answer = query("needle", past(), &lines);
    assert!(
        headings(&answer)[0].ends_with("result of Read") && headings(&answer)[1].ends_with("result of Grep"),
        "{:?}",
        headings(&answer)
    );
    let shown = page(403, 0, past(), &lines);
    assert!(headings(&shown)[0].ends_with("result of Grep"), "{:?}", headings(&shown));
}

#[test]
fn a_line_of_many_megabytes_is_matched_and_paged_like_any_other() {
    let long = format!("{}needle in it{}", "é\n".repeat(900_000), "y".repeat(2_000_000));
    let lines = [user("before"), result("t1", &long), user("after needle"), BOUNDARY.to_owned()];
    let answer = query("\"needle in it\"", main_party(), &lines);
    assert_eq!(numbers(&answer), [2]);
    let json: serde_json::Value = serde_json::from_str(&answer.json).unwrap();
    assert!(json["hits"][0]["snippet"].as_str().unwrap().contains("é needle in ityyy"), "{json}");
    let start = 1_800_000 - 10;
    let shown = page(2, start, main_party(), &lines);
    let part = shown.parts.iter().find(|part| part.role == Role::Text).unwrap();
    assert!(part.text.contains("needle in it") && part.text.chars().count() == 24_001);
}
