//! Every hook that the package declares has a test in the real client.

use std::path::Path;

use anyhow::Result;
use serde_json::Value;

/// Hooks that no end-to-end test names. A test names one in a comment above it: `hook: SessionStart:clear`.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let declared: Value = serde_json::from_str(&std::fs::read_to_string(root.join("marketplace/reveille/hooks/hooks.json"))?)?;
    let tests: String = super::texts(&root.join("tests").join("e2e"), ".rs")?.into_iter().map(|(_, text)| text).collect();
    let module: String = super::texts(&root.join("marketplace/reveille/hooks"), ".tsx")?
        .into_iter()
        .filter(|(path, _)| !path.contains(".test."))
        .map(|(_, text)| text)
        .collect();
    let tests =
        tests + &super::texts(&root.join("marketplace/reveille/hooks"), ".test.tsx")?.into_iter().map(|(_, text)| text).collect::<String>();
    let mut found = untested(&declared, &tests);
    found.extend(untested_in_module(&module, &tests));
    Ok(found)
}

/// Events that the module hooks and no test names: `hook: tool.call`.
fn untested_in_module(module: &str, tests: &str) -> Vec<String> {
    let hooked = module.lines().filter_map(|line| line.trim_start().strip_prefix("on('")?.split('\'').next());
    hooked
        .filter(|event| !tests.contains(&format!("hook: {event}\n")))
        .map(|event| format!("no test in tests/e2e or of the module names the hook {event} (`// hook: {event}`)"))
        .collect()
}

fn untested(declared: &Value, tests: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (event, entries) in declared.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        for matcher in entries.as_array().into_iter().flatten().filter_map(|entry| entry.get("matcher")).filter_map(Value::as_str) {
            for source in matcher.split('|') {
                let name = format!("hook: {event}:{source}\n");
                if !tests.contains(&name) {
                    found.push(format!("no test in tests/e2e names the declared hook {event}:{source} (`// {}`)", name.trim_end()));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_of_the_module_without_a_test_is_named() {
        let module = "  on('tool.call', async ($, e, next) => {\n  on('turn.step', async function* ($, e, next) {\n";
        let found = untested_in_module(module, "// hook: tool.call\n");
        assert!(found.len() == 1 && found.iter().all(|line| line.contains("turn.step")), "{found:?}");
    }

    #[test]
    fn a_declared_hook_without_a_test_is_named() {
        let declared = serde_json::json!({"hooks": {"SessionStart": [{"matcher": "startup|clear"}]}});
        let found = untested(&declared, "// hook: SessionStart:startup\n#[test]");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found.iter().all(|line| line.contains("SessionStart:clear")));
    }
}
