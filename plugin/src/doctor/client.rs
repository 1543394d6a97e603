//! What the client's own files say of the plugin. It writes `<config>/plugins/installed_plugins.json`; its settings files turn plugins and hooks on and off, and of
//! several files that say something the first wins.

use serde_json::{Map, Value};

use crate::contract::doctor::{Content, Document};

/// The plugin's name; the client adds the marketplace's: `reveille@<marketplace>`.
const PLUGIN: &str = "reveille";

/// One row of the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// `reveille@<marketplace>`.
    pub id: String,
    /// None: the client did not say.
    pub version: Option<String>,
    /// The one project that it is installed for; none: all of this person's.
    pub project: Option<String>,
}

/// What a settings file says of an id or a switch, and which file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub what: String,
    pub on: bool,
    pub path: String,
}

/// A client's file, read. None: there is no such file. The error says why it cannot be read.
pub fn object(document: &Document) -> Result<Option<Map<String, Value>>, String> {
    match &document.content {
        Content::Missing => Ok(None),
        Content::Unreadable(why) => Err(format!("{}: {why}", document.path)),
        Content::Read(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            let text = text.trim_start_matches('\u{feff}');
            if text.trim().is_empty() {
                return Ok(None);
            }
            match serde_json::from_str(text) {
                Ok(Value::Object(fields)) => Ok(Some(fields)),
                Ok(_) => Err(format!("{}: no JSON object", document.path)),
                Err(error) => Err(format!("{}: no JSON, line {}", document.path, error.line())),
            }
        }
    }
}

fn is_ours(id: &str) -> bool {
    id.strip_prefix(PLUGIN).is_some_and(|rest| rest.starts_with('@'))
}

/// Rows of the register that are this plugin's. Version 2 has a list for each id, version 1 one row.
pub fn installed(register: &Map<String, Value>) -> Vec<Installed> {
    let Some(Value::Object(plugins)) = register.get("plugins") else { return Vec::new() };
    let mut found = Vec::new();
    for (id, rows) in plugins.iter().filter(|(id, _)| is_ours(id)) {
        let rows = match rows {
            Value::Array(rows) => rows.as_slice(),
            row => std::slice::from_ref(row),
        };
        for row in rows.iter().filter(|row| row.is_object()) {
            let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
            found.push(Installed { id: id.clone(), version: text("version"), project: text("projectPath") });
        }
    }
    found
}

/// Whether each id of this plugin is turned on: of several settings files the first that says. Only `true` turns one on.
pub fn enabled(settings: &[(String, Map<String, Value>)]) -> Vec<Said> {
    let mut said: Vec<Said> = Vec::new();
    for (path, fields) in settings {
        let Some(Value::Object(plugins)) = fields.get("enabledPlugins") else { continue };
        for (id, value) in plugins.iter().filter(|(id, _)| is_ours(id)) {
            if !said.iter().any(|known| known.what == *id) {
                said.push(Said { what: id.clone(), on: value.as_bool() == Some(true), path: path.clone() });
            }
        }
    }
    said
}

/// What turns the plugin's hooks off, when something does.
pub fn hooks_off(settings: &[(String, Map<String, Value>)]) -> Option<Said> {
    let switch = |name: &str| {
        let (path, on) = settings.iter().find_map(|(path, fields)| Some((path, fields.get(name)?.as_bool()?)))?;
        on.then(|| Said { what: name.to_owned(), on, path: path.clone() })
    };
    switch("disableAllHooks").or_else(|| switch("allowManagedHooksOnly"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn document(bytes: &[u8]) -> Document {
        Document { path: "/c/settings.json".to_owned(), content: Content::Read(bytes.to_vec()) }
    }

    fn fields(text: &str) -> Map<String, Value> {
        object(&document(text.as_bytes())).unwrap().unwrap()
    }

    #[test]
    fn a_file_that_is_no_json_object_says_so_and_an_empty_one_says_nothing() {
        for (bytes, expected) in [
            (&b"{}"[..], Ok(true)),
            (b"\xef\xbb\xbf{}", Ok(true)),
            (b"", Ok(false)),
            (b" \r\n", Ok(false)),
            (b"[1]", Err("/c/settings.json: no JSON object")),
            (b"null", Err("/c/settings.json: no JSON object")),
            (b"{\n \"a\": \xff}", Err("/c/settings.json: no JSON, line 2")),
            (b"{\"a\":", Err("/c/settings.json: no JSON, line 1")),
        ] {
            let read = object(&document(bytes)).map(|fields| fields.is_some());
            assert_eq!(read, expected.map_err(str::to_owned), "{}", String::from_utf8_lossy(bytes));
        }
        let missing = Document { path: String::new(), content: Content::Missing };
        assert_eq!(object(&missing), Ok(None));
        let unreadable = Document { path: "/c/x".to_owned(), content: Content::Unreadable("permission denied".to_owned()) };
        assert_eq!(object(&unreadable), Err("/c/x: permission denied".to_owned()));
    }

    #[test]
    fn rows_of_both_versions_of_the_register_are_read_and_only_our_own() {
        let row = |id: &str, version: Option<&str>, project: Option<&str>| Installed {
            id: id.to_owned(),
            version: version.map(str::to_owned),
            project: project.map(str::to_owned),
        };
        for (register, expected) in [
            (
                r#"{"version":2,"plugins":{"reveille@a":[{"scope":"user","version":"0.1.0"},{"scope":"project","version":"0.2.0","projectPath":"/p"}],"reveille-x@a":[{}]}}"#,
                vec![row("reveille@a", Some("0.1.0"), None), row("reveille@a", Some("0.2.0"), Some("/p"))],
            ),
            (r#"{"version":1,"plugins":{"reveille@b":{"version":"0.1.0"}}}"#, vec![row("reveille@b", Some("0.1.0"), None)]),
            (r#"{"plugins":{"reveille@b":[{},7,null]}}"#, vec![row("reveille@b", None, None)]),
            (r#"{"plugins":{"reveille@b":[]}}"#, vec![]),
            (r#"{"plugins":{"reveille":[{}],"other@b":[{}]}}"#, vec![]),
            (r#"{"plugins":[]}"#, vec![]),
            ("{}", vec![]),
        ] {
            assert_eq!(installed(&fields(register)), expected, "{register}");
        }
    }

    #[test]
    fn the_first_settings_file_that_says_something_wins_and_only_true_turns_on() {
        let settings = |files: &[&str]| files.iter().enumerate().map(|(index, text)| (index.to_string(), fields(text))).collect::<Vec<_>>();
        for (files, expected) in [
            (&[r#"{"enabledPlugins":{"reveille@a":true}}"#][..], vec![("reveille@a", true, "0")]),
            (
                &["{}", r#"{"enabledPlugins":{"reveille@a":false}}"#, r#"{"enabledPlugins":{"reveille@a":true}}"#],
                vec![("reveille@a", false, "1")],
            ),
            (&[r#"{"enabledPlugins":{"reveille@a":["1.0.0"]}}"#], vec![("reveille@a", false, "0")]),
            (&[r#"{"enabledPlugins":{"reveille@a":true,"reveille@b":true}}"#], vec![("reveille@a", true, "0"), ("reveille@b", true, "0")]),
            (&[r#"{"enabledPlugins":["reveille@a"]}"#, r#"{"enabledPlugins":{"other@a":true}}"#], vec![]),
        ] {
            let said = enabled(&settings(files));
            assert_eq!(
                said.iter().map(|said| (said.what.as_str(), said.on, said.path.as_str())).collect::<Vec<_>>(),
                expected,
                "{files:?}"
            );
        }
        for (files, expected) in [
            (&["{}"][..], None),
            (&[r#"{"disableAllHooks":false}"#, r#"{"disableAllHooks":true}"#], None),
            (&["{}", r#"{"disableAllHooks":true}"#], Some(("disableAllHooks", "1"))),
            (&[r#"{"allowManagedHooksOnly":true}"#], Some(("allowManagedHooksOnly", "0"))),
            (&[r#"{"disableAllHooks":"yes"}"#], None),
        ] {
            let off = hooks_off(&settings(files));
            assert_eq!(off.as_ref().map(|said| (said.what.as_str(), said.path.as_str())), expected, "{files:?}");
        }
    }
}
