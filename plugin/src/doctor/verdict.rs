//! The verdict as a person and as a program reads it.

use serde_json::json;

use super::finding::{Finding, State};
use super::judge::tilde;
use crate::contract::doctor::Verdict;
use crate::options::{Origin, Resolved};
use crate::wake::{count, cut};

/// A column wide enough for every topic and state.
const STATE: usize = 5;
const TOPIC: usize = 14;

/// Bytes of a value that are shown.
const VALUE: usize = 200;

/// Writes it. The lines are indented blocks, so that they stay in columns where Markdown is drawn too.
pub fn verdict(version: &str, findings: &[Finding], options: &[Resolved], home: Option<&str>) -> Verdict {
    let of = |state: State| findings.iter().filter(|finding| finding.state == state).count() as u64;
    let (wrong, notes) = (of(State::Wrong), of(State::Note));
    let mut parts = Vec::new();
    if wrong > 0 {
        parts.push(count(wrong, "thing is wrong", "things are wrong"));
    }
    if notes > 0 {
        parts.push(count(notes, "note", "notes"));
    }
    let summary = if parts.is_empty() { "all is well".to_owned() } else { parts.join(" · ") };
    let mut markdown = format!("# Doctor · reveille {version} · {summary}\n\n");
    for finding in findings {
        let line = format!("    {:STATE$}  {:TOPIC$}  {}", finding.state.word(), finding.topic.name(), finding.found);
        markdown.push_str(line.trim_end());
        markdown.push('\n');
        if let Some(remedy) = &finding.remedy {
            markdown.push_str(&format!("    {:STATE$}  {:TOPIC$}  → {remedy}\n", "", ""));
        }
    }
    markdown.push_str(&table(options, home));
    let json = json!({"healthy": wrong == 0, "version": version, "findings": findings, "options": options});
    Verdict { markdown, json: json.to_string(), healthy: wrong == 0 }
}

/// Every option: its name, what is in force, and where that comes from.
fn table(options: &[Resolved], home: Option<&str>) -> String {
    if options.is_empty() {
        return String::new();
    }
    let values: Vec<String> = options.iter().map(|option| cut(&tilde(&option.value, home), VALUE)).collect();
    let name = options.iter().map(|option| option.name.len()).max().unwrap_or_default();
    // A long list does not push every origin out of sight.
    let width = values.iter().map(|value| value.chars().count()).filter(|width| *width <= 30).max().unwrap_or_default();
    let mut text = "\n## Options\n\n".to_owned();
    for (option, value) in options.iter().zip(&values) {
        let origin = match option.origin {
            Origin::Default => "default",
            Origin::UserConfig => "the plugin's settings",
            Origin::Environment => &option.variable,
        };
        text.push_str(&format!("    {:name$}  {value:width$}  {origin}\n", option.name));
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use expect_test::expect;

    use super::super::finding::Topic;
    use super::*;

    #[test]
    fn each_finding_is_a_line_in_columns_with_its_remedy_below() {
        let findings = [
            Finding::ok(Topic::Binary, "~/bin/reveille · 0.1.0"),
            Finding::wrong(Topic::DataDirectory, "/data: permission denied", "Make it writable."),
            Finding::note(Topic::Sessions, "none yet", "Go on."),
        ];
        let verdict = verdict("0.1.0", &findings, &[], None);
        assert!(!verdict.healthy);
        expect![[r#"
            # Doctor · reveille 0.1.0 · 1 thing is wrong · 1 note

                ok     Binary          ~/bin/reveille · 0.1.0
                WRONG  Data directory  /data: permission denied
                                       → Make it writable.
                note   Sessions        none yet
                                       → Go on.
        "#]]
        .assert_eq(&verdict.markdown);
        let json: serde_json::Value = serde_json::from_str(&verdict.json).unwrap();
        assert_eq!(json.pointer("/findings/1/topic").unwrap(), "data-directory");
        assert_eq!(json.pointer("/findings/1/state").unwrap(), "wrong");
        assert_eq!(json.pointer("/findings/0/remedy").unwrap(), &serde_json::Value::Null);
    }

    #[test]
    fn a_note_alone_is_healthy_and_no_finding_at_all_is_well() {
        assert!(verdict("0.1.0", &[Finding::note(Topic::Index, "empty", "Scan.")], &[], None).healthy);
        assert!(verdict("0.1.0", &[], &[], None).markdown.starts_with("# Doctor · reveille 0.1.0 · all is well\n"));
    }
}
