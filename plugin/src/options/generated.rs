//! What is written from the table: the manifest's `userConfig`, the MCP server's environment, the reference.

use serde_json::{Value, json};

use super::table::{Row, TABLE};

/// `userConfig` of the manifest, in the table's order, indented by two blanks. Every field is a string: one of another type whose value is bad keeps the client
/// from loading the hooks module at all. A closed choice is a picker.
pub fn user_config() -> String {
    let fields: Vec<String> = TABLE.iter().map(|row| format!("    {}: {{\n{}\n    }}", quoted(row.name), lines(row))).collect();
    format!("{{\n{}\n  }}", fields.join(",\n"))
}

fn lines(row: &Row) -> String {
    let choices = row.field.choices();
    let mut fields = vec![("type", json!("string")), ("title", json!(row.title))];
    if choices.is_empty() {
        let description = format!("{} Write {}. Default: {}.", row.description, row.field.syntax().replace('`', ""), row.default_words());
        fields.push(("description", json!(description)));
    } else {
        fields.extend([("description", json!(row.description)), ("options", json!(choices)), ("default", json!(row.default))]);
    }
    fields.iter().map(|(name, value)| format!("      {}: {value}", quoted(name))).collect::<Vec<_>>().join(",\n")
}

fn quoted(text: &str) -> Value {
    json!(text)
}

/// The variables in which the MCP server gets what the plugin's settings say, as lines of a JSON object.
pub fn mcp_environment() -> Vec<String> {
    TABLE.iter().map(|row| format!("\"{}\": \"${{user_config.{}}}\"", row.setting_variable(), row.name)).collect()
}

/// `docs/options.md`.
pub fn reference() -> String {
    let mut text = "# Options\n\nMade by `cargo xtask bless` from `plugin/src/options/table.rs`.\n\n\
        Each is a setting of the plugin (`claude plugin install reveille@reveille --config <name>=<value>`, or the plugin's page in `/plugin`) and a variable of the\n\
        environment. The variable wins; one that is empty sets nothing. A value that cannot be used is named once when a session starts and by `reveille doctor`,\n\
        which shows every option as it stands and where that comes from; the default is used in its place. Of a list only the parts that cannot be used are left out.\n\n\
        A share is of the window in force: the largest context, or the compaction window where that is smaller.\n\n\
        | name | variable, which wins | write | default | what it does |\n|---|---|---|---|---|\n"
        .to_owned();
    for row in TABLE {
        let default = if row.default.is_empty() { row.unset.to_owned() } else { format!("`{}`", row.default) };
        text.push_str(&format!("| `{}` | `{}` | {} | {default} | {} |\n", row.name, row.variable(), row.field.syntax(), row.description));
    }
    text
}
