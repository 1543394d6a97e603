//! The component imports nothing but what the standard library cannot do without, and every function of the contract has a test through the component.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use wit_component::DecodedWasm;

/// What the Rust standard library of wasm32-wasip2 imports by itself. The host links every one as a trap: a component that calls one stops. No file, socket or
/// HTTP interface is among them.
const ALLOWED_IMPORTS: &[&str] = &[
    "wasi:cli/environment@",
    "wasi:cli/exit@",
    "wasi:cli/stderr@",
    "wasi:cli/stdin@",
    "wasi:cli/stdout@",
    "wasi:cli/terminal-input@",
    "wasi:cli/terminal-output@",
    "wasi:cli/terminal-stderr@",
    "wasi:cli/terminal-stdin@",
    "wasi:cli/terminal-stdout@",
    "wasi:io/error@",
    "wasi:io/poll@",
    "wasi:io/streams@",
];

/// What is wrong with the built component and its tests.
pub fn check(root: &Path, component: &Path) -> Result<Vec<String>> {
    let bytes = std::fs::read(component).with_context(|| format!("{} is not built", component.display()))?;
    let world = World::decode(&bytes)?;
    let tests: String = [root.join("tests"), root.join("host-shim").join("tests")]
        .iter()
        .map(|folder| super::texts(folder, ".rs"))
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .map(|(_, text)| text)
        .collect();
    let mut violations = foreign_imports(&world.imports);
    violations.extend(untested(&world.functions, &tests));
    Ok(violations)
}

struct World {
    imports: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl World {
    fn decode(bytes: &[u8]) -> Result<Self> {
        let DecodedWasm::Component(resolve, id) = wit_component::decode(bytes)? else {
            anyhow::bail!("the built file is no component");
        };
        let world = resolve.worlds.get(id).context("a component has a world")?;
        let imports = world.imports.keys().map(|key| resolve.name_world_key(key)).collect();
        let mut functions = BTreeSet::new();
        for item in world.exports.values() {
            if let wit_component_items::Item::Interface(interface) = wit_component_items::item(item)
                && let Some(interface) = resolve.interfaces.get(interface)
            {
                functions.extend(interface.functions.keys().cloned());
            }
        }
        Ok(Self { imports, functions })
    }
}

/// The two kinds of exports that matter here.
mod wit_component_items {
    pub enum Item {
        Interface(wit_parser::InterfaceId),
        Other,
    }

    pub fn item(item: &wit_parser::WorldItem) -> Item {
        match item {
            wit_parser::WorldItem::Interface { id, .. } => Item::Interface(*id),
            _ => Item::Other,
        }
    }
}

fn foreign_imports(imports: &BTreeSet<String>) -> Vec<String> {
    imports
        .iter()
        .filter(|import| !ALLOWED_IMPORTS.iter().any(|allowed| import.starts_with(allowed)))
        .map(|import| format!("the component imports {import}: it may not reach for the machine; take the fact as a value"))
        .collect()
}

/// A function counts as tested when a test calls its binding.
fn untested(functions: &BTreeSet<String>, tests: &str) -> Vec<String> {
    functions
        .iter()
        .filter(|function| !tests.contains(&binding(function)))
        .map(|function| format!("no test calls `{function}` of the contract through the component: add one to tests/contract.rs"))
        .collect()
}

/// `[method]fold.push` is `call_push`, `search-for` is `call_search_for`.
fn binding(function: &str) -> String {
    let (kind, name) = match function.split_once(']') {
        Some((kind, name)) => (kind, name),
        None => ("", function),
    };
    let last = if kind == "[constructor" { "constructor" } else { name.rsplit('.').next().unwrap_or(name) };
    format!(".call_{}(", last.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_component_that_imports_files_is_refused() {
        let found = foreign_imports(&set(&["wasi:filesystem/preopens@0.2.6"]));
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn a_function_without_a_test_is_refused_and_one_with_a_test_is_not() {
        let functions = set(&["[method]fold.push", "search-for", "[constructor]fold", "[static]fold.restore"]);
        let tests = "fold.call_push(&mut store) world.call_constructor(x) world.call_restore(x)";
        let found = untested(&functions, tests);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found.iter().all(|line| line.contains("search-for")), "{found:?}");
    }
}
