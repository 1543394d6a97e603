//! What the model received, as tests ask about it.

use serde_json::Value;

use crate::model_server::text_of;

/// What a wake begins with.
const HEADING: &str = "# Wake · ";
/// What its last line ends with.
const ENDS: [&str; 2] = ["· redacted", "· raw"];

/// The wakes in a request, in order.
pub fn wakes(request: &Value) -> Vec<String> {
    let text = text_of(request);
    text.match_indices(HEADING)
        .filter_map(|(start, _)| {
            let rest = text.get(start..)?;
            let end = ENDS.iter().filter_map(|end| Some(rest.find(end)? + end.len())).min().unwrap_or(rest.len());
            rest.get(..end).map(str::to_owned)
        })
        .collect()
}

/// The text of a request's last message of the person.
pub fn last_words(request: &Value) -> String {
    last_of_user(request).map(|message| text_of(&serde_json::json!({"messages": [message]}))).unwrap_or_default()
}

/// The tool results in a request's last message, as JSON.
pub fn last_results(request: &Value) -> String {
    let blocks = last_of_user(request).and_then(|message| message["content"].as_array()).cloned().unwrap_or_default();
    blocks.iter().filter(|block| block["type"] == "tool_result").map(Value::to_string).collect()
}

/// Names of the tools that a request offers.
pub fn tool_names(request: &Value) -> Vec<String> {
    let tools = request["tools"].as_array().cloned().unwrap_or_default();
    tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect()
}

fn last_of_user(request: &Value) -> Option<&Value> {
    request["messages"].as_array()?.iter().rev().find(|message| message["role"] == "user")
}

/// The blocks of a request's conversation in order, without what a single send adds for caching: each with its message's role.
pub fn blocks(request: &Value) -> Vec<(String, Value)> {
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    messages
        .iter()
        .flat_map(|message| {
            let role = message["role"].as_str().unwrap_or_default().to_owned();
            let blocks = match &message["content"] {
                Value::String(text) => vec![serde_json::json!({"type": "text", "text": text})],
                content => content.as_array().cloned().unwrap_or_default(),
            };
            blocks.into_iter().map(move |mut block| {
                if let Some(fields) = block.as_object_mut() {
                    fields.remove("cache_control");
                }
                (role.clone(), block)
            })
        })
        .collect()
}

/// Where the block with a text, or the call or result of an id, stands.
pub fn position(blocks: &[(String, Value)], holds: &str) -> Option<usize> {
    blocks.iter().position(|(_, block)| block.to_string().contains(holds))
}
