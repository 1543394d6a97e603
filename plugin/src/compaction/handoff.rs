//! What an agent hands off: read and checked whole, all faults of its arguments in one refusal, then all faults of files and room in one. Nothing is trimmed.

use serde_json::{Map, Value};

use super::fact::LoadFile;
use super::files::{self, Text};
use super::ranges::{self, Range};
use super::ratio::characters_of;
use super::tally::{characters, hash, size};
use crate::contract::compaction::{Content, FileRead};
use crate::doors::is_absolute;

/// Characters that the assembled sections may have.
pub const MOST_CHARACTERS: u64 = 20_000;
/// Files at most.
const MOST_FILES: usize = 8;
/// Skills at most.
const MOST_SKILLS: usize = 20;
/// Characters of a reason at most.
const MOST_WHY: u64 = 200;
/// Bytes of a file's text that are kept with the handoff.
const KEPT_TEXT: usize = 64 << 10;
/// Share of the window in force that files may take, in percent.
pub const FILES_PERCENT: u64 = 5;

/// A section of a handoff: its argument, its heading, whether it must be there, and what the tool's schema says of it.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The argument.
    pub name: &'static str,
    /// The heading.
    pub heading: &'static str,
    /// It must be there.
    pub required: bool,
    /// For the schema.
    pub description: &'static str,
}

const fn section(name: &'static str, heading: &'static str, required: bool, description: &'static str) -> Section {
    Section { name, heading, required, description }
}

/// The sections, in the order of the assembled text.
pub const SECTIONS: [Section; 6] = [
    section(
        "objective",
        "Objective",
        true,
        "What is to be reached, with the person's constraints and corrections, in their words where they matter.",
    ),
    section("done", "Done", true, "What is finished and verified, with how."),
    section("remaining", "Remaining", true, "What is still to do."),
    section("next", "Next", true, "The very next step, concrete enough to do without anything else."),
    section("blocked", "Blocked", false, "What waits for somebody or something."),
    section("findings", "Findings", false, "What was learned and would be costly to learn again: causes, dead ends, numbers, exact names."),
];

/// A handoff whose arguments are right.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The sections assembled.
    pub text: String,
    /// Files to carry.
    pub files: Vec<FileAsk>,
    /// Skills to drop.
    pub drop_skills: Vec<String>,
}

/// A file that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct FileAsk {
    /// Absolute.
    pub path: String,
    /// As written.
    pub lines: Option<String>,
    /// Read; empty: all.
    pub ranges: Vec<Range>,
    /// Why.
    pub why: String,
}

/// Reads the arguments. All faults at once.
pub fn read(input: &Value) -> Result<Draft, Vec<String>> {
    let Some(input) = input.as_object() else { return Err(vec!["the arguments are no object".to_owned()]) };
    let mut faults = Vec::new();
    let known = |name: &str| SECTIONS.iter().any(|section| section.name == name) || ["load_files", "drop_skills"].contains(&name);
    for name in input.keys().filter(|name| !known(name)) {
        faults.push(format!("`{}` is no field of it", shown(name)));
    }
    let text = sections(input, &mut faults);
    let files = load_files(input.get("load_files"), &mut faults);
    let drop_skills = names(input.get("drop_skills"), &mut faults);
    let long = characters(&text);
    if long > MOST_CHARACTERS {
        faults.push(format!(
            "the sections are {long} characters together, {MOST_CHARACTERS} are the most: shorten them by {}",
            long - MOST_CHARACTERS
        ));
    }
    if faults.is_empty() { Ok(Draft { text, files, drop_skills }) } else { Err(faults) }
}

fn sections(input: &Map<String, Value>, faults: &mut Vec<String>) -> String {
    let mut parts = Vec::new();
    for section in &SECTIONS {
        let name = section.name;
        match input.get(name) {
            None | Some(Value::Null) if section.required => faults.push(format!("`{name}` is missing")),
            None | Some(Value::Null) => {}
            Some(Value::String(text)) if text.trim().is_empty() => {
                if section.required {
                    faults.push(format!("`{name}` is blank"));
                }
            }
            Some(Value::String(text)) => parts.push(format!("## {}\n{text}", section.heading)),
            Some(_) => faults.push(format!("`{name}` is not text")),
        }
    }
    parts.join("\n\n")
}

fn load_files(value: Option<&Value>, faults: &mut Vec<String>) -> Vec<FileAsk> {
    let Some(entries) = list(value, "load_files", faults) else { return Vec::new() };
    if entries.len() > MOST_FILES {
        faults.push(format!("`load_files` has {} entries, {MOST_FILES} are the most", entries.len()));
    }
    entries.iter().enumerate().filter_map(|(at, entry)| load_file(&format!("load_files[{at}]"), entry, faults)).collect()
}

fn load_file(place: &str, entry: &Value, faults: &mut Vec<String>) -> Option<FileAsk> {
    let Some(entry) = entry.as_object() else {
        faults.push(format!("`{place}` is no object of path, lines and why"));
        return None;
    };
    for name in entry.keys().filter(|name| !["path", "lines", "why"].contains(&name.as_str())) {
        faults.push(format!("`{place}.{}` is no field of it", shown(name)));
    }
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let path = text("path").filter(|path| is_absolute(path) && !path.contains('\0'));
    if path.is_none() {
        faults.push(format!("`{place}.path` must be an absolute path, not {}", given(entry.get("path"))));
    }
    let why = text("why").filter(|why| !why.trim().is_empty() && characters(why) <= MOST_WHY);
    if why.is_none() {
        faults.push(format!("`{place}.why` must be 1 to {MOST_WHY} characters, not {}", given(entry.get("why"))));
    }
    let (lines, ranges) = match entry.get("lines") {
        None | Some(Value::Null) => (None, Some(Vec::new())),
        Some(Value::String(lines)) => (Some(lines.clone()), ranges::read(lines)),
        Some(_) => (None, None),
    };
    if ranges.is_none() {
        faults.push(format!("`{place}.lines` must be `n`, `a-b` or `a:b`, 1-based, several by commas, not {}", given(entry.get("lines"))));
    }
    Some(FileAsk { path: path?.to_owned(), lines, ranges: ranges?, why: why?.to_owned() })
}

fn names(value: Option<&Value>, faults: &mut Vec<String>) -> Vec<String> {
    let Some(entries) = list(value, "drop_skills", faults) else { return Vec::new() };
    if entries.len() > MOST_SKILLS {
        faults.push(format!("`drop_skills` has {} names, {MOST_SKILLS} are the most", entries.len()));
    }
    let mut names: Vec<String> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        match entry.as_str().map(str::trim).filter(|name| !name.is_empty()) {
            Some(name) if names.iter().any(|known| known == name) => {}
            Some(name) => names.push(name.to_owned()),
            None => faults.push(format!("`drop_skills[{at}]` is no name")),
        }
    }
    names
}

fn list<'a>(value: Option<&'a Value>, name: &str, faults: &mut Vec<String>) -> Option<&'a Vec<Value>> {
    match value {
        None | Some(Value::Null) => None,
        Some(Value::Array(entries)) => Some(entries),
        Some(_) => {
            faults.push(format!("`{name}` is no list"));
            None
        }
    }
}

/// What was given, short enough for an error.
fn given(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(Value::String(text)) if text.trim().is_empty() => "blank text".to_owned(),
        Some(Value::String(text)) => format!("`{}`", shown(text)),
        Some(_) => "something else than text".to_owned(),
    }
}

fn shown(text: &str) -> String {
    crate::wake::cut(&crate::transcript::fold_line(text), 80)
}

/// Checks the files against the disk, and their room. `measured` is the ratio with the window in force; none: the room is not checked.
pub fn check_files(draft: &Draft, read: &[FileRead], measured: Option<(f64, u64)>) -> Result<Vec<LoadFile>, Vec<String>> {
    let mut faults = Vec::new();
    let mut files = Vec::new();
    let mut sizes = Vec::new();
    for ask in &draft.files {
        let content = read.iter().find(|file| file.path == ask.path).map(|file| &file.content);
        match content {
            Some(Content::Bytes(bytes)) => {
                let text = Text::of(bytes);
                let carried: u64 = files::selected(&text, &ask.ranges).iter().map(|part| characters(part.text)).sum();
                sizes.push((ask.path.clone(), carried));
                files.push(LoadFile {
                    path: ask.path.clone(),
                    lines: ask.lines.clone(),
                    ranges: ask.ranges.clone(),
                    why: ask.why.clone(),
                    hash: hash(bytes),
                    text: (bytes.len() <= KEPT_TEXT).then(|| text.0.clone().into_owned()),
                });
            }
            Some(Content::Missing) => faults.push(format!("{} is not there", ask.path)),
            Some(Content::NotAFile) => faults.push(format!("{} is no regular file", ask.path)),
            Some(Content::TooLarge(bytes)) => {
                faults.push(format!(
                    "{} has {} bytes, 1 MiB is the most: ask for a part of it with a tool instead",
                    ask.path,
                    size(*bytes)
                ));
            }
            Some(Content::Unreadable(why)) => faults.push(format!("{} cannot be checked: {why}", ask.path)),
            None => faults.push(format!("{} cannot be checked: it was not read", ask.path)),
        }
    }
    let total: u64 = sizes.iter().map(|(_, carried)| carried).sum();
    if let Some((ratio, in_force)) = measured
        && total > characters_of(in_force * FILES_PERCENT / 100, ratio)
    {
        let each = sizes.iter().map(|(path, carried)| format!("{path} {}", size(*carried))).collect::<Vec<_>>().join(", ");
        faults.push(format!(
            "the files are {} characters together and {} is the room ({FILES_PERCENT} % of {} tokens): {each}; ask for fewer, or for lines of them",
            size(total),
            size(characters_of(in_force * FILES_PERCENT / 100, ratio)),
            size(in_force),
        ));
    }
    if faults.is_empty() { Ok(files) } else { Err(faults) }
}
