//! Collects what there is to see of the installation. The component says what it means.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::asking::Asking;
use crate::bindings::exports::reveille::core::checkout::GitCommand;
use crate::bindings::exports::reveille::core::doctor::{Content, Document, Folder, Installation};
use crate::component::hash;
use crate::error::Failure;
use crate::machine::index::Index;
use crate::machine::{files, git, paths};

/// Bytes of a client's file that are read.
const DOCUMENT: u64 = 1 << 20;
/// Entries of a folder that are counted into its size.
const ENTRIES: usize = 10_000;

/// Looks, and answers the text to print and whether all is well.
pub fn run(json: bool) -> Result<(String, bool), Failure> {
    let mut asking = Asking::begin()?;
    let installation = collect(&mut asking)?;
    let verdict = asking.component().call(|world, store| world.reveille_core_doctor().call_judge(store, &installation))?;
    let text = if json { format!("{}\n", verdict.json) } else { verdict.markdown };
    Ok((text, verdict.healthy))
}

fn collect(asking: &mut Asking) -> Result<Installation, Failure> {
    let (here, look, candidates) = asking.survey()?;
    let data = paths::data();
    let client = paths::client();
    let root = PathBuf::from(here.root.as_deref().unwrap_or(&here.directory));
    let version = GitCommand { arguments: vec!["--version".to_owned()] };
    Ok(Installation {
        binary: std::env::current_exe().map(|path| text(&path)).map_err(|error| error.to_string()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        component: hash().to_owned(),
        index: data.as_deref().map(index),
        data: data_folder(data),
        register: document(client.clone().unwrap_or_default().join("plugins").join("installed_plugins.json")),
        settings: settings(client.as_deref(), &root).into_iter().map(document).collect(),
        client: client_folder(client),
        git: git::answer(&root, version, &[], Instant::now() + git::DEADLINE),
        here,
        look,
        candidates,
        options: paths::options(),
        home: paths::home().map(|home| text(&home)),
    })
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Settings files of the client, the one that wins over all others first: the machine's, the checkout's own, the checkout's shared, the person's.
fn settings(client: Option<&Path>, root: &Path) -> Vec<PathBuf> {
    let managed = if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode"
    } else if cfg!(windows) {
        "C:\\Program Files\\ClaudeCode"
    } else {
        "/etc/claude-code"
    };
    let own = root.join(".claude");
    let mut files = vec![Path::new(managed).join("managed-settings.json"), own.join("settings.local.json"), own.join("settings.json")];
    files.extend(client.map(|client| client.join("settings.json")));
    // In the home directory the checkout's shared file is the person's.
    files.dedup();
    files
}

/// How much the client keeps is not ours to tell.
fn client_folder(path: Option<PathBuf>) -> Folder {
    let Some(path) = path else { return absent() };
    let trouble = std::fs::read_dir(&path).err().map(|error| error.to_string());
    Folder { exists: path.exists(), trouble, size: 0, path: Some(text(&path)) }
}

fn absent() -> Folder {
    Folder { path: None, exists: false, trouble: None, size: 0 }
}

fn data_folder(path: Option<PathBuf>) -> Folder {
    let Some(path) = path else { return absent() };
    let trouble = files::private_directory(&path).and_then(|()| tempfile::tempfile_in(&path)).err().map(|error| error.to_string());
    Folder { exists: path.exists(), trouble, size: size(&path), path: Some(text(&path)) }
}

/// Bytes of the files in a folder, links not followed.
fn size(folder: &Path) -> u64 {
    let mut folders = vec![folder.to_owned()];
    let (mut bytes, mut left) = (0, ENTRIES);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten().take(left) {
            left -= 1;
            match entry.metadata() {
                Ok(data) if data.is_dir() => folders.push(entry.path()),
                Ok(data) => bytes += data.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}

fn index(data: &Path) -> Result<u64, String> {
    Index::try_open(data)?.count().ok_or_else(String::new)
}

fn document(path: PathBuf) -> Document {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if !std::fs::metadata(&path)?.is_file() {
            return Err(ErrorKind::InvalidInput.into());
        }
        std::fs::File::open(&path)?.take(DOCUMENT).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let content = match read() {
        Ok(bytes) => Content::Read(bytes),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Content::Missing,
        Err(error) => Content::Unreadable(error.to_string()),
    };
    Document { path: text(&path), content }
}
