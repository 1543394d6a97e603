//! Facts as lines, one kind of fact a first word, so that a case's truth reads as a list and a difference reads as a sentence.
//!
//! A case need not say everything: for each first word that its `facts` fence has, all lines with that word must be there, and no others; `<word> none`
//! says that there is none.

use serde_json::Value;

/// The facts of a session's file as lines, from the contract's `facts` record as JSON.
pub fn fact_lines(facts: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    let mut quote = |word: &str, value: &Value| {
        if !value.is_null() {
            lines.push(format!("{word} {} {}", at(&value["at"]), text(&value["text"])));
        }
    };
    quote("task", &facts["task"]);
    quote("last-asked", &facts["last_asked"]);
    quote("claimed-done", &facts["claimed_done"]);
    if let Some(ran_in) = facts["ran_in"].as_object() {
        let branch = ran_in.get("branch").and_then(Value::as_str).map_or(String::new(), |branch| format!(" on {branch}"));
        lines.push(format!("ran-in {}{branch}", ran_in.get("cwd").map(text).unwrap_or_default()));
    }
    for word in ["title", "forked_from"] {
        if let Some(value) = facts[word].as_str() {
            lines.push(format!("{} {value}", word.replace('_', "-")));
        }
    }
    lines.push(format!("entries {}", facts["entries"]));
    lines.push(format!("prompts {}", facts["prompt_count"]));
    lines.push(format!("tool-calls {}", facts["tool_call_count"]));
    lines.push(format!("unreadable-count {}", facts["unreadable_count"]));
    lines.push(format!("torn {}", facts["torn"]));
    let usage = &facts["usage"];
    if !usage.is_null() {
        lines.push(format!("usage in {} out {} cache {}/{}", usage["input"], usage["output"], usage["cache_read"], usage["cache_write"]));
    }
    for row in rows(facts, "unreadable") {
        lines.push(format!("unreadable [{}] {}", row["seq"], text(&row["reason"])));
    }
    for row in rows(facts, "unknown_kinds") {
        lines.push(format!("unknown-kind {}", text(row)));
    }
    for row in rows(facts, "compactions") {
        let ours = if row["ours"] == Value::Bool(true) { " ours" } else { "" };
        lines.push(format!("compaction {} {}{ours}", at(&row["at"]), text(&row["trigger"])));
    }
    lines.extend(rows(facts, "runs").iter().map(|row| run_line("run", row)));
    for row in rows(facts, "edits") {
        lines.push(format!("edit {} {} {}", at(&row["at"]), text(&row["means"]).to_lowercase(), path(&row["path"])));
    }
    for row in rows(facts, "changed") {
        lines.push(format!("changed {} {}", text(&row["path"]), row["edits"]));
    }
    for row in rows(facts, "tasks") {
        lines.push(format!("todo {} {} {}", at(&row["at"]), kebab(&row["status"]), text(&row["text"])));
    }
    for (word, list) in [("promise", "promises"), ("unanswered", "unanswered"), ("asked-person", "asked_person")] {
        for row in rows(facts, list) {
            let by = if row["settled_by"].is_null() { String::new() } else { format!(" by {}", at(&row["settled_by"])) };
            lines.push(format!("{word} {} {}{by} {}", at(&row["at"]), kebab(&row["state"]), text(&row["text"])));
        }
    }
    for row in rows(facts, "decisions") {
        let superseded =
            if row["superseded_by"].is_null() { String::new() } else { format!(" superseded by {}", at(&row["superseded_by"])) };
        let forgotten = if row["forgotten"] == Value::Bool(true) { " forgotten" } else { "" };
        lines.push(format!("decision {} {}{superseded}{forgotten} {}", at(&row["at"]), kebab(&row["speaker"]), text(&row["text"])));
    }
    for row in rows(facts, "commits") {
        lines.push(format!("commit {} {} {}", at(&row["at"]), text(&row["hash"]), text(&row["subject"])));
    }
    for row in rows(facts, "publications") {
        lines.push(format!("publication {} {}", at(&row["at"]), kebab(&row["kind"])));
    }
    for row in rows(facts, "children") {
        let reported = if row["reported"] == Value::Bool(true) { " reported" } else { "" };
        lines.push(format!("child {} {} {}{reported}", at(&row["at"]), text(&row["agent"]), kebab(&row["state"])));
    }
    lines
}

/// A run as a line that begins with `word`.
pub fn run_line(word: &str, run: &Value) -> String {
    let mut line = format!("{word} {}", at(&run["at"]));
    if !run["result_at"].is_null() {
        line.push_str(&format!(" > {}", at(&run["result_at"])));
    }
    line.push_str(&format!(" {} {}", kebab(&run["kind"]), kebab(&run["verdict"])));
    if !run["cause"].is_null() {
        line.push_str(&format!(" ({})", kebab(&run["cause"])));
    }
    line.push_str(&format!(" `{}`", text(&run["command"])));
    for list in ["packages", "targets"] {
        let names: Vec<String> = rows(run, list).iter().map(text).collect();
        if !names.is_empty() {
            line.push_str(&format!(" {list} {}", names.join(",")));
        }
    }
    for (word, count) in [("passed", "passed"), ("failed", "failed"), ("skipped", "skipped")] {
        if let Some(count) = run["counts"][count].as_u64() {
            line.push_str(&format!(" {count} {word}"));
        }
    }
    line
}

/// What the truth says and the facts do not, and the other way round. Empty: they agree.
pub fn differences(expected: &[String], actual: &[String]) -> Vec<String> {
    let word = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let mut found = Vec::new();
    let mut words: Vec<String> = expected.iter().map(|line| word(line)).collect();
    words.sort();
    words.dedup();
    for kind in words {
        let wanted: Vec<&String> = expected.iter().filter(|line| word(line) == kind && !line.ends_with(" none")).collect();
        let got: Vec<&String> = actual.iter().filter(|line| word(line) == kind).collect();
        if wanted != got {
            found.extend(wanted.iter().filter(|line| !got.contains(line)).map(|line| format!("- {line}")));
            found.extend(got.iter().filter(|line| !wanted.contains(line)).map(|line| format!("+ {line}")));
            if found.is_empty() {
                found.push(format!("the lines `{kind}` stand in another order or number"));
            }
        }
    }
    found
}

/// The first expected line that the wake does not have after those before it.
pub fn missing_line<'a>(expected: &'a [String], wake: &str) -> Option<&'a String> {
    let mut lines = wake.lines();
    expected.iter().find(|wanted| !lines.by_ref().any(|line| line.trim_end() == wanted.as_str()))
}

fn rows<'a>(value: &'a Value, list: &str) -> &'a [Value] {
    value[list].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn at(source: &Value) -> String {
    match source["agent"].as_str() {
        Some(agent) => format!("[{agent} {}]", source["seq"]),
        None => format!("[{}]", source["seq"]),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or("-").to_owned()
}

fn path(value: &Value) -> String {
    value.as_str().unwrap_or("unknown").to_owned()
}

fn kebab(value: &Value) -> String {
    let mut out = String::new();
    for letter in text(value).chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(letter.to_lowercase());
    }
    out
}
