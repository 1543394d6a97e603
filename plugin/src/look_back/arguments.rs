//! What `look_back` is called with.

use serde_json::{Map, Value};

use super::query;
use crate::contract::look_back::{Fault, Page, Question, Wish};
use crate::wake::cut;

/// The tool's arguments: name, type, what it is.
pub const ARGUMENTS: &[(&str, &str, &str)] = &[
    (
        "query",
        "string",
        "Words and \"quoted phrases\" to find, case aside; \\\" is a literal quote. An entry that holds any is a hit; those with most come first.",
    ),
    ("entry", "integer", "Read this entry whole: its number from a hit, or a line number from a wake. Wins over query."),
    ("from", "integer", "With entry: the character to begin at, as the page before said."),
    ("session", "string", "A past session of this checkout: its id, or a unique beginning of it. Default: your own transcript."),
    ("agent", "string", "The id of a sub-agent of that session. Default: the session's own transcript."),
];

/// Bytes of what was given that a fault repeats.
const SHOWN: usize = 80;

/// Fewer characters of a session id say too little.
const PREFIX: usize = 4;

/// Reads the arguments. Null means absent; everything that is wrong is named at once.
pub fn read(arguments: &str) -> Result<Question, Fault> {
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    let fields = match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => fields,
        Ok(Value::Null) => Map::new(),
        Ok(_) => return Err(Fault::BadArguments(vec!["the arguments are a JSON object".to_owned()])),
        Err(_) => return Err(Fault::BadArguments(vec!["the arguments are no JSON".to_owned()])),
    };
    let mut reading = Reading { fields: &fields, faults: Vec::new() };
    reading.unknown();
    let query = reading.text("query");
    let entry = reading.number("entry", 1);
    let start = reading.number("from", 0);
    let session = reading.text("session").map(|session| reading.id("session", &session, PREFIX));
    let agent = reading.text("agent").map(|agent| reading.id("agent", agent.strip_prefix("agent-").unwrap_or(&agent), 1));
    let is_given = |name: &str| fields.get(name).is_some_and(|value| !value.is_null());
    let wish = if is_given("entry") {
        Wish::Page(Page { entry: entry.unwrap_or(1), start: start.unwrap_or(0) })
    } else {
        if start.is_some_and(|start| start > 0) {
            reading.faults.push("from goes with entry: it is the character to begin at in that entry".to_owned());
        }
        match &query {
            Some(query) => reading.faults.extend(query::terms(query).err().into_iter().flatten()),
            None if !is_given("query") => {
                reading.faults.push("give query (what to find) or entry (the number of an entry to read)".to_owned())
            }
            None => {}
        }
        Wish::Query(query.unwrap_or_default())
    };
    if reading.faults.is_empty() { Ok(Question { wish, session, agent }) } else { Err(Fault::BadArguments(reading.faults)) }
}

struct Reading<'a> {
    fields: &'a Map<String, Value>,
    faults: Vec<String>,
}

impl Reading<'_> {
    fn unknown(&mut self) {
        let known: Vec<&str> = ARGUMENTS.iter().map(|(name, _, _)| *name).collect();
        let mut unknown = self.fields.keys().filter(|name| !known.contains(&name.as_str()));
        for name in unknown.by_ref().take(8) {
            self.faults.push(format!("{:?} is no argument; there are {}", cut(name, SHOWN), known.join(", ")));
        }
        let more = unknown.count();
        if more > 0 {
            self.faults.push(format!("{more} more are none"));
        }
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Option<String> {
        let text = self.value(name)?.as_str().map(str::to_owned);
        if text.is_none() {
            self.faults.push(format!("{name} takes a string"));
        }
        text
    }

    fn number(&mut self, name: &str, least: u64) -> Option<u64> {
        let number = self.value(name)?.as_u64().filter(|number| *number >= least);
        if number.is_none() {
            self.faults.push(format!("{name} takes a whole number from {least} on"));
        }
        number
    }

    /// An id names a file: nothing but letters, digits and dashes is in one. Hexadecimal ids are written in lower case.
    fn id(&mut self, name: &str, given: &str, least: usize) -> String {
        let id = given.trim();
        if id.len() < least || !id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_') {
            let shown = cut(id, SHOWN);
            let length = if least > 1 { format!(", at least {least} characters of it") } else { String::new() };
            self.faults.push(format!("{name} takes an id{length}: letters, digits and dashes; {shown:?} is none"));
        }
        let is_hex = id.bytes().all(|letter| letter.is_ascii_hexdigit() || letter == b'-');
        if is_hex { id.to_ascii_lowercase() } else { id.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn faults(arguments: &str) -> Vec<String> {
        match read(arguments) {
            Err(Fault::BadArguments(faults)) => faults,
            other => panic!("{arguments}: {other:?}"),
        }
    }

    #[test]
    fn null_means_absent_and_entry_wins_over_query() {
        let page = |entry, start| Wish::Page(Page { entry, start });
        for (arguments, wish) in [
            (r#"{"query":"a \"b c\""}"#, Wish::Query("a \"b c\"".to_owned())),
            (r#"{"query":"a","entry":null,"from":null,"session":null,"agent":null}"#, Wish::Query("a".to_owned())),
            (r#"{"query":"a","from":0}"#, Wish::Query("a".to_owned())),
            (r#"{"entry":12}"#, page(12, 0)),
            (r#"{"entry":12,"from":24000,"query":"\"open"}"#, page(12, 24_000)),
            (r#"{"entry":1,"query":null}"#, page(1, 0)),
        ] {
            assert_eq!(read(arguments).unwrap(), Question { wish, session: None, agent: None }, "{arguments}");
        }
        let whose = read(r#"{"query":"a","session":" 5D1F0a52 ","agent":"agent-a1B"}"#).unwrap();
        assert_eq!((whose.session.as_deref(), whose.agent.as_deref()), (Some("5d1f0a52"), Some("a1b")));
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let found = faults(r#"{"qeury":"x","query":7,"from":-1,"session":"../x","agent":"","other":null}"#).join("; ");
        for words in [
            "\"qeury\" is no argument",
            "\"other\" is no argument",
            "query takes a string",
            "from takes a whole number",
            "session takes an id",
            "agent takes an id",
        ] {
            assert!(found.contains(words), "{words}: {found}");
        }
    }

    #[test]
    fn a_missing_or_bad_entry_number_is_the_callers_fault() {
        for entry in ["0", "-3", "1.5", "\"7\"", "true", "[]", "1e300"] {
            assert_eq!(faults(&format!(r#"{{"entry":{entry},"query":"x"}}"#)), ["entry takes a whole number from 1 on"], "{entry}");
        }
        assert_eq!(faults(r#"{"query":"x","from":5}"#).len(), 1);
        for arguments in ["", "{}", "null", r#"{"query":null}"#] {
            assert!(faults(arguments).join("").contains("give query"), "{arguments}");
        }
        for arguments in ["[]", "{", "7", "{}{}", "[[[["] {
            assert_eq!(faults(arguments).len(), 1, "{arguments}");
        }
        let many: String = (0..50_000).map(|number| format!("\"k{number}\":1,")).collect();
        assert!(faults(&format!("{{{many}\"query\":\"x\"}}")).len() < 12);
    }
}
