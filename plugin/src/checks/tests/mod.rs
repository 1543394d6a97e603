//! The table of command lines, and rules that hold for any.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]

mod any_input;
mod judging;
mod ledgers;

use super::{CustomCheck, Parse, Reading, StatusOf, read};
use crate::contract::types::{PublicationKind, RunKind};

const TABLE: &str = include_str!("commands.txt");

fn rendered(reading: &Reading) -> String {
    let mut parts = Vec::new();
    for invocation in &reading.invocations {
        let mut part = match invocation.kind {
            RunKind::Check => "check ".to_owned(),
            RunKind::Run => "run ".to_owned(),
        };
        part += &invocation.program;
        if !invocation.packages.is_empty() {
            part += &format!(" [{}]", invocation.packages.join(", "));
        }
        if !invocation.targets.is_empty() {
            part += &format!(" ({})", invocation.targets.join(", "));
        }
        match invocation.directory.as_deref() {
            Some("/r") => {}
            Some(directory) => part += &format!(" @{}", directory.strip_prefix("/r/").unwrap_or(directory)),
            None => part += " @?",
        }
        part += match invocation.status {
            StatusOf::Own => " own",
            StatusOf::PassOnly => " pass-only",
            StatusOf::FailOnly => " fail-only",
            StatusOf::Masked => " masked",
        };
        if invocation.background {
            part += " &";
        }
        parts.push(part);
    }
    for path in &reading.writes {
        parts.push(format!("writes {}", path.as_deref().map_or("?", |path| path.strip_prefix("/r/").unwrap_or(path))));
    }
    if reading.commits {
        parts.push("commits".to_owned());
    }
    for kind in &reading.publishes {
        parts.push(
            match kind {
                PublicationKind::Push => "push",
                PublicationKind::Merge => "merge",
                PublicationKind::Release => "release",
            }
            .to_owned(),
        );
    }
    match reading.parse {
        Parse::Exact => {}
        Parse::Repaired => parts.push("repaired".to_owned()),
        Parse::Prefix => parts.push("prefix".to_owned()),
        Parse::Unparsed => parts.push("unparsed".to_owned()),
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(" · ") }
}

/// Rows are `command ⇒ what it does`; `\n` stands for a newline. Run in `/r`; `make prove` and `./hw/sim` are checks by option.
#[test]
fn every_row_of_the_table_reads_as_written() {
    let custom = [CustomCheck { words: vec!["make".into(), "prove".into()] }, CustomCheck { words: vec!["./hw/sim".into()] }];
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with("## ")) {
        let (command, expected) = line.split_once(" ⇒ ").unwrap_or((line, ""));
        let found = rendered(&read(&command.replace("\\n", "\n"), Some("/r"), &custom));
        rows += 1;
        if found != expected {
            wrong.push(format!("{command} ⇒ {found}\n    expected: {expected}"));
        }
    }
    assert!(rows >= 250, "{rows} rows");
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}
