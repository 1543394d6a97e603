//! The handoff's tool as an agent sees it, and its call as an event of the caller's session.

use serde_json::{Map, Value, json};

use super::tools::{FORWARD_COMPACTION, LOOK_BACK};
use crate::compaction::handoff::SECTIONS;
use crate::contract::doors::{Tool, ToolKind};

/// The tool.
pub fn tool() -> Tool {
    let mut properties: Map<String, Value> = SECTIONS
        .iter()
        .map(|section| {
            let kind = if section.required { json!("string") } else { json!(["string", "null"]) };
            (section.name.to_owned(), json!({"type": kind, "description": section.description}))
        })
        .collect();
    properties.insert(
        "load_files".to_owned(),
        json!({
            "type": ["array", "null"],
            "maxItems": 8,
            "description": "Files that the next context needs at once, read again at the install.",
            "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Absolute."},
                    "lines": {"type": ["string", "null"], "description": "`n`, `a-b` or `a:b`, 1-based, several by commas. Default: all."},
                    "why": {"type": "string", "description": "What it is needed for, 1 to 200 characters."}
                },
                "required": ["path", "why"],
                "additionalProperties": false
            }
        }),
    );
    properties.insert(
        "drop_skills".to_owned(),
        json!({
            "type": ["array", "null"],
            "maxItems": 20,
            "items": {"type": "string"},
            "description": "Skills that are no longer needed. One named in two handoffs in a row leaves the second's wake."
        }),
    );
    let required: Vec<&str> = SECTIONS.iter().filter(|section| section.required).map(|section| section.name).collect();
    Tool {
        name: FORWARD_COMPACTION.to_owned(),
        title: "Hand your context over".to_owned(),
        description: format!(
            "Stores a handoff in your own words, for yourself: a later compaction replaces everything before this call with the handoff and recorded facts (the person's messages, files \
             touched, tasks, agents, the checkout), and keeps everything after it verbatim. Use it at a clean milestone while the context is large: after a part is finished and \
             verified, before the next one starts. It costs nothing and work goes on. A refusal names everything that is wrong and stores nothing; a later handoff replaces an \
             earlier one. `{LOOK_BACK}` finds exact details of what was replaced."
        ),
        input_schema: json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}).to_string(),
        kind: ToolKind::Handoff,
    }
}

/// A call of it by the server's door. Arguments that are no JSON are refused there like any others.
pub fn handoff_event(tool: &str, arguments: &str, id: Option<&str>, agent: Option<&str>) -> Vec<u8> {
    let input: Value = serde_json::from_str(arguments).unwrap_or_else(|_| Value::String(arguments.to_owned()));
    json!({"event": "call.start", "agent": agent, "data": {"tool": tool, "id": id, "input": input, "module": false}})
        .to_string()
        .into_bytes()
}
