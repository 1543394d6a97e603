//! A literate case: a Markdown file that holds a transcript, and the truth about it beside it.
//!
//! The title says what is shown. Fences hold the material: `transcript` (the scenario language of [`scenario`]), `jsonl` (records verbatim), either with
//! `agent=<id>` for a sub-agent's file; `facts` and `wake` hold the truth, compared as [`truth`] says.

pub mod scenario;
pub mod truth;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// One transcript file of a case.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The sub-agent whose file it is; none is the session's own.
    pub agent: Option<String>,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

/// One case file.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it stands.
    pub path: PathBuf,
    /// Its title: a sentence.
    pub title: String,
    /// The session's file first, then its sub-agents'.
    pub transcripts: Vec<Transcript>,
    /// Expected fact lines.
    pub facts: Vec<String>,
    /// Expected lines of the wake, in order.
    pub wake: Vec<String>,
}

impl Case {
    /// Reads a case file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        Self::parse(path, &text).with_context(|| format!("{} is no case", path.display()))
    }

    fn parse(path: &Path, text: &str) -> Result<Self> {
        let mut case = Self { path: path.to_owned(), title: String::new(), transcripts: Vec::new(), facts: Vec::new(), wake: Vec::new() };
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(title) = line.strip_prefix("# ") {
                case.title = title.to_owned();
            }
            let Some(fence) = line.strip_prefix("```") else { continue };
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let mut words = fence.split_whitespace();
            let kind = words.next().unwrap_or_default();
            let agent = words.find_map(|word| word.strip_prefix("agent=")).map(str::to_owned);
            match kind {
                "transcript" => {
                    let bytes = scenario::expand(&body, agent.as_deref())?;
                    case.transcripts.push(Transcript { agent, bytes });
                }
                "jsonl" => {
                    let mut bytes = body.join("\n").into_bytes();
                    bytes.push(b'\n');
                    case.transcripts.push(Transcript { agent, bytes });
                }
                "facts" => case.facts.extend(truth_lines(&body)),
                "wake" => case.wake.extend(truth_lines(&body)),
                "text" => {}
                other => bail!("the fence `{other}` is not known: write transcript, jsonl, facts, wake or text"),
            }
        }
        if case.title.is_empty() {
            bail!("it has no title: begin it with `# ` and a sentence");
        }
        if case.transcripts.first().is_none_or(|transcript| transcript.agent.is_some()) {
            bail!("its first transcript must be the session's own");
        }
        if case.facts.is_empty() && case.wake.is_empty() {
            bail!("it has no truth: add a `facts` or a `wake` fence");
        }
        Ok(case)
    }
}

fn truth_lines(body: &[&str]) -> impl Iterator<Item = String> {
    body.iter().filter(|line| !line.trim().is_empty()).map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().into_iter()
}

/// Every case file below a folder, sorted by path.
pub fn all(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("{} cannot be listed", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") && path.file_name().is_none_or(|name| name != "README.md")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
