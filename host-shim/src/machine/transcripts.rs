//! Transcript files on disk: which there are, and their bytes.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::files::{self, FileId, ends_hash, read_at};
use crate::bindings::exports::reveille::core::transcript::FileName;
use crate::bindings::exports::reveille::core::types::Harness;

/// Bytes of a file's head, and at first of its tail, that are peeked at.
pub const PEEK: u64 = 64 << 10;

/// One transcript file.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// Where it is.
    pub path: PathBuf,
    /// What it is named by.
    pub name: FileName,
}

impl Transcript {
    /// A session's own file by its path; none for other files.
    pub fn of_session(path: &Path) -> Option<Self> {
        let stem = stem(path)?;
        (!stem.starts_with("agent-"))
            .then(|| Self { path: path.to_owned(), name: FileName { harness: Harness::ClaudeCode, session: stem.to_owned(), agent: None } })
    }

    /// Opens it, and says what it is now.
    pub fn open(&self) -> std::io::Result<(File, FileId)> {
        let file = File::open(&self.path)?;
        let id = FileId::of(&file.metadata()?);
        Ok((file, id))
    }
}

fn stem(path: &Path) -> Option<&str> {
    if path.extension().is_none_or(|extension| extension != "jsonl") {
        return None;
    }
    path.file_stem()?.to_str()
}

/// Folders below `projects` of these names, and those whose names begin so.
pub fn folders(projects: &Path, names: &[String], prefixes: &[String]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = names.iter().map(|name| projects.join(name)).filter(|folder| folder.is_dir()).collect();
    if !prefixes.is_empty() {
        for folder in all_folders(projects) {
            let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if prefixes.iter().any(|prefix| name.starts_with(prefix.as_str())) && !found.contains(&folder) {
                found.push(folder);
            }
        }
    }
    found
}

/// Every folder below `projects`, links followed.
pub fn all_folders(projects: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = children(projects).into_iter().filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// The sessions' own files directly in a folder.
pub fn sessions(folder: &Path) -> Vec<Transcript> {
    children(folder).iter().filter_map(|path| Transcript::of_session(path)).collect()
}

/// The files of a session's sub-agents: beside its own file in a folder of its name, or, of older clients, flat in the same folder. Of the flat ones only
/// those that name the session in their first record.
pub fn subagents(session: &Transcript) -> Vec<Transcript> {
    let agent = |path: PathBuf| {
        let agent = stem(&path)?.strip_prefix("agent-")?.to_owned();
        let name = FileName { harness: session.name.harness, session: session.name.session.clone(), agent: Some(agent) };
        Some(Transcript { path, name })
    };
    let nested = session.path.with_extension("").join("subagents");
    let mut found: Vec<Transcript> = children(&nested).into_iter().filter_map(agent).collect();
    if let Some(folder) = session.path.parent() {
        found.extend(children(folder).into_iter().filter(|path| names_session(path, &session.name.session)).filter_map(agent));
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The file of a session, or of a sub-agent of it, by their ids alone, in whatever folder it is: files move. Of several the one written last.
pub fn by_id(projects: &Path, session: &str, agent: Option<&str>) -> Option<PathBuf> {
    let is_name = |id: &str| Path::new(id).components().count() == 1 && Path::new(id).file_name().is_some();
    if !is_name(session) || agent.is_some_and(|agent| !is_name(agent)) {
        return None;
    }
    let found = all_folders(projects).into_iter().flat_map(|folder| match agent {
        None => vec![folder.join(format!("{session}.jsonl"))],
        Some(agent) => {
            let name = format!("agent-{agent}.jsonl");
            let mut found = vec![folder.join(session).join("subagents").join(&name)];
            found.extend(Some(folder.join(&name)).filter(|flat| names_session(flat, session)));
            found
        }
    });
    found
        .filter_map(|path| Some((std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?.modified().ok(), path)))
        .max()
        .map(|(_, path)| path)
}

/// The sub-agent of a session in whose file a call stands at the end; none when it is the session's own, or not written yet.
pub fn agent_of_call(projects: &Path, session: &str, call: &str) -> Option<String> {
    /// Bytes of an end that are looked through, and files.
    const END: u64 = 512 << 10;
    const FILES: usize = 64;
    let holds = |path: &Path| {
        let read = File::open(path).and_then(|mut file| {
            let size = file.metadata()?.len();
            read_at(&mut file, size.saturating_sub(END), usize::try_from(END.min(size)).unwrap_or(0))
        });
        read.is_ok_and(|end| end.windows(call.len().max(1)).any(|window| window == call.as_bytes()))
    };
    let own = Transcript::of_session(&by_id(projects, session, None)?)?;
    if call.is_empty() || holds(&own.path) {
        return None;
    }
    let mut agents = subagents(&own);
    agents.sort_by_key(|agent| std::cmp::Reverse(std::fs::metadata(&agent.path).and_then(|data| data.modified()).ok()));
    agents.into_iter().take(FILES).find(|agent| holds(&agent.path)).and_then(|agent| agent.name.agent)
}

fn names_session(path: &Path, session: &str) -> bool {
    stem(path).is_some_and(|stem| stem.starts_with("agent-"))
        && File::open(path).and_then(|mut file| read_at(&mut file, 0, 4 << 10)).is_ok_and(|head| {
            let needle = format!("\"sessionId\":\"{session}\"");
            head.windows(needle.len()).any(|window| window == needle.as_bytes())
        })
}

fn children(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// A file's head and tail.
#[derive(Clone, Debug)]
pub struct Ends {
    /// Its first bytes.
    pub head: Vec<u8>,
    /// Its last bytes, after the head.
    pub tail: Vec<u8>,
    /// Whether head and tail are the whole file.
    pub whole: bool,
}

/// The head, and `tail` bytes of the end.
pub fn ends(file: &mut File, size: u64, tail: u64) -> std::io::Result<Ends> {
    let length = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    let head = read_at(file, 0, length(PEEK.min(size)))?;
    let start = (head.len() as u64).max(size.saturating_sub(tail));
    let whole = start == head.len() as u64;
    let tail = read_at(file, start, length(size.saturating_sub(start)))?;
    Ok(Ends { head, tail, whole })
}

/// Whether the file is the one that `known` describes, perhaps with more in it.
pub fn is_continued(file: &mut File, id: FileId, known: FileId, ends: u64) -> bool {
    id.continues(&known) && ends_hash(file, known.size).is_ok_and(|now| now == ends)
}

/// See [`files::each_chunk`].
pub use files::each_chunk;
