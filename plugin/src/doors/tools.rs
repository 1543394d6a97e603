//! The tools an agent sees: names, descriptions and schemas, written once.

use serde_json::{Value, json};

use crate::contract::doors::{Tool, ToolKind, WakeCall};
use crate::contract::wake::{Answer, WakeError};
use crate::look_back;
use crate::wake::cut;

/// The wake's tool.
pub const SESSION_WAKE: &str = "session_wake";

/// The handoff's tool.
pub const FORWARD_COMPACTION: &str = "forward_compaction";

/// The tool that finds what was compacted away.
pub const LOOK_BACK: &str = "look_back";

/// Whether a tool as it is called is one of ours: the hooks module registers it as `mcp__reveille__…`, the server as `mcp__plugin_reveille_reveille__…`.
pub fn is_tool(called: &str, name: &str) -> bool {
    called == name || ["mcp__reveille__", "mcp__plugin_reveille_reveille__"].iter().any(|prefix| called.strip_prefix(prefix) == Some(name))
}

/// Bytes of what was given that an error repeats.
const SHOWN: usize = 80;

/// Arguments of [`SESSION_WAKE`], with what each is.
const WAKE_ARGUMENTS: &[(&str, &str, &str)] = &[
    ("workspace", "string", "The directory to wake in; absolute. Default: the session's own."),
    ("repo", "string", "Another repository: owner/name, an alias, or a remote URL. Default: the workspace's."),
    ("session", "string", "A session's id, or a unique beginning of it of at least 4 characters. Default: the newest of this checkout."),
    ("include_raw", "boolean", "Leave secrets in. Default: false."),
];

/// The tools, in the order they are listed. Their results are text alone: the client hands a model the data instead of the text where there are both.
pub fn tools() -> Vec<Tool> {
    vec![
        super::handoff_tool::tool(),
        Tool {
            name: SESSION_WAKE.to_owned(),
            title: "Wake: what the last session here was doing".to_owned(),
            description: "What the last session in this checkout was doing, from its transcript and from git, never from a summary: the task, what was last asked, \
                          the last check that passed and the last that failed with whether it was run again, changed files, open promises and questions, decisions, and what \
                          changed since. At most 30 lines; numbers in brackets are line numbers in the transcript, and look_back reads them. Use it when you start without \
                          knowing what was going on, after a compaction, or to look at a past session by id. Read-only."
                .to_owned(),
            input_schema: schema(WAKE_ARGUMENTS),
            kind: ToolKind::Wake,
        },
        Tool {
            name: LOOK_BACK.to_owned(),
            title: "Look back: find an exact detail that is no longer in context".to_owned(),
            description: "Finds an exact detail in the part of your own transcript that is no longer in your context after a compaction: what the person said, a command and \
                          its output, an error, a file as it was read, a value, a decision and its reason. Use it before you guess, ask again or redo work. query finds entries \
                          (words, or \"quoted phrases\" as they were written; case aside); entry reads one whole, 24,000 characters a page. With session it looks into a past \
                          session of this checkout, with agent into a sub-agent's transcript. Nothing is found that is still in your context. Read-only."
                .to_owned(),
            input_schema: schema(look_back::ARGUMENTS),
            kind: ToolKind::LookBack,
        },
    ]
}

fn schema(arguments: &[(&str, &str, &str)]) -> String {
    let properties: serde_json::Map<String, Value> = arguments
        .iter()
        .map(|(name, kind, description)| ((*name).to_owned(), json!({"type": [kind, "null"], "description": description})))
        .collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false}).to_string()
}

/// Reads the arguments of `session_wake`. Null means absent; everything that is wrong is named at once.
pub fn read_wake_call(arguments: &str) -> Result<WakeCall, WakeError> {
    let bad = |what: String| WakeError::BadInput(what);
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    let value: Value = serde_json::from_str(text).map_err(|_| bad(format!("the arguments of {SESSION_WAKE} are no JSON")))?;
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Null => serde_json::Map::new(),
        _ => return Err(bad(format!("the arguments of {SESSION_WAKE} are a JSON object"))),
    };
    let mut faults = Vec::new();
    for (name, value) in &fields {
        match WAKE_ARGUMENTS.iter().find(|(known, _, _)| known == name) {
            None => {
                let known: Vec<&str> = WAKE_ARGUMENTS.iter().map(|(name, _, _)| *name).collect();
                let name = cut(name, SHOWN);
                faults.push(format!("{name:?} is no argument of {SESSION_WAKE}, which takes {}", known.join(", ")));
            }
            Some((_, kind, _)) => {
                let right = value.is_null() || if *kind == "string" { value.is_string() } else { value.is_boolean() };
                if !right {
                    faults.push(format!("{name} takes a {kind}"));
                }
            }
        }
    }
    let string = |name: &str| fields.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned);
    let workspace = string("workspace");
    // A server's own directory is not the agent's, and `~` is a shell's.
    if let Some(workspace) = workspace.as_deref().filter(|path| !is_absolute(path)) {
        faults.push(format!("workspace takes an absolute path; {:?} is none", cut(workspace, SHOWN)));
    }
    if !faults.is_empty() {
        return Err(bad(faults.join("; ")));
    }
    Ok(WakeCall {
        workspace,
        repository: string("repo"),
        session: string("session"),
        raw: fields.get("include_raw").and_then(Value::as_bool).unwrap_or(false),
    })
}

/// Absolute on some platform: a slash, a drive or a UNC path.
pub fn is_absolute(path: &str) -> bool {
    let mut letters = path.chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some('/'), ..) | (Some('\\'), Some('\\'), _) => true,
        (Some(drive), Some(':'), Some('/' | '\\')) => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// `{markdown, report, gaps}` as JSON.
pub fn wake_result(answer: &Answer) -> String {
    let report: Value = serde_json::from_str(&answer.report).unwrap_or(Value::Null);
    json!({"markdown": answer.markdown, "report": report, "gaps": answer.gaps}).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn absent_and_null_are_the_same() {
        let none = WakeCall { workspace: None, repository: None, session: None, raw: false };
        for arguments in ["", "{}", "null", r#"{"workspace":null,"repo":null,"session":null,"include_raw":null}"#] {
            assert_eq!(read_wake_call(arguments), Ok(none.clone()), "{arguments}");
        }
        let all = r#"{"workspace":"/p","repo":"a/b","session":"5d1f","include_raw":true}"#;
        assert_eq!(
            read_wake_call(all),
            Ok(WakeCall {
                workspace: Some("/p".to_owned()),
                repository: Some("a/b".to_owned()),
                session: Some("5d1f".to_owned()),
                raw: true
            })
        );
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let Err(WakeError::BadInput(line)) = read_wake_call(r#"{"sesion":"x","repo":7,"include_raw":"yes"}"#) else {
            panic!("it was taken")
        };
        for words in
            ["\"sesion\" is no argument", "workspace, repo, session, include_raw", "repo takes a string", "include_raw takes a boolean"]
        {
            assert!(line.contains(words), "{line}");
        }
        for arguments in ["[]", "{", "7", "\"x\"", "true", "{}{}", "[[[["] {
            assert!(matches!(read_wake_call(arguments), Err(WakeError::BadInput(_))), "{arguments}");
        }
    }

    #[test]
    fn a_workspace_is_absolute_for_the_server_stands_elsewhere() {
        for (workspace, taken) in [
            ("/p", true),
            ("C:\\\\p", true),
            ("c:/p", true),
            ("\\\\\\\\host\\\\p", true),
            ("p", false),
            (".", false),
            ("~/p", false),
            ("C:p", false),
        ] {
            assert_eq!(read_wake_call(&format!(r#"{{"workspace":"{workspace}"}}"#)).is_ok(), taken, "{workspace}");
        }
        assert_eq!(read_wake_call(r#"{"workspace":"  "}"#).map(|call| call.workspace), Ok(None));
    }

    #[test]
    fn schemas_are_json_and_name_every_argument() {
        let names: Vec<String> = tools().into_iter().map(|tool| tool.name).collect();
        assert_eq!(names, [FORWARD_COMPACTION, SESSION_WAKE, LOOK_BACK]);
        for (tool, arguments) in tools().iter().skip(1).zip([WAKE_ARGUMENTS, look_back::ARGUMENTS]) {
            let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
            for (name, _, _) in arguments {
                assert!(schema.pointer(&format!("/properties/{name}/description")).is_some(), "{name}");
            }
        }
    }
}
