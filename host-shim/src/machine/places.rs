//! What the disk says of a directory: the checkout it lies in, and the repository of that.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::files::FileId;
use super::git;
use super::index::Index;
use crate::bindings::exports::reveille::core::checkout::Place;

/// Places looked at in one process, each once.
#[derive(Debug, Default)]
pub struct Places {
    known: HashMap<String, Place>,
}

impl Places {
    /// The place of a recorded directory, which may be gone.
    pub fn of(&mut self, directory: &str, index: Option<&Index>, deadline: Instant) -> Place {
        if let Some(known) = self.known.get(directory) {
            return known.clone();
        }
        let place = look(Path::new(directory), index, deadline);
        self.known.insert(directory.to_owned(), place.clone());
        place
    }
}

fn look(directory: &Path, index: Option<&Index>, deadline: Instant) -> Place {
    let exists = directory.is_dir();
    let directory = resolved(directory);
    let root = root(&directory);
    let common = root.as_deref().and_then(common_directory);
    let origin = common.as_deref().and_then(|common| origin(common, index, deadline));
    let worktrees = match (&common, exists) {
        (Some(common), true) => worktrees(common),
        _ => Vec::new(),
    };
    Place {
        directory: text(&directory),
        exists,
        root: root.as_deref().map(text),
        common_directory: common.as_deref().map(text),
        origin,
        worktrees,
    }
}

/// The common directory of the repository that a directory lies in.
pub fn common_of(directory: &Path) -> Option<PathBuf> {
    common_directory(&root(directory)?)
}

fn root(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|ancestor| ancestor.join(".git").exists()).map(Path::to_owned)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The path with symbolic links resolved, as far as it exists.
pub fn resolved(path: &Path) -> PathBuf {
    let mut rest = Vec::new();
    for ancestor in path.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            return rest.iter().rev().fold(real, |path, part| path.join(part));
        }
        if let Some(name) = ancestor.file_name() {
            rest.push(name.to_owned());
        }
    }
    path.to_owned()
}

/// The repository's common directory: `.git` itself, or what the gitfile of a linked worktree or submodule leads to.
fn common_directory(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    let git_directory = if dot_git.is_dir() {
        dot_git
    } else {
        let gitfile = std::fs::read_to_string(&dot_git).ok()?;
        root.join(gitfile.strip_prefix("gitdir:")?.trim())
    };
    let common = match std::fs::read_to_string(git_directory.join("commondir")) {
        Ok(relative) => git_directory.join(relative.trim()),
        Err(_) => git_directory,
    };
    Some(common.canonicalize().unwrap_or(common))
}

/// `origin` as configured. Asking git costs a process, so the answer is kept for as long as the file does not change.
fn origin(common: &Path, index: Option<&Index>, deadline: Instant) -> Option<String> {
    let file = common.join("config");
    let stamp = FileId::of(&std::fs::metadata(&file).ok()?);
    if let Some(known) = index.and_then(|index| index.origin(common, stamp)) {
        return known;
    }
    let origin = git::configured(&file, "remote.origin.url", deadline);
    if let Some(index) = index {
        index.keep_origin(common, stamp, origin.as_deref());
    }
    origin
}

/// Roots of the main and the linked worktrees, gone ones included.
fn worktrees(common: &Path) -> Vec<String> {
    let main = common.file_name().filter(|name| *name == ".git").and_then(|_| common.parent()).map(text);
    let linked = std::fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten().filter_map(|entry| {
        let gitdir = std::fs::read_to_string(entry.path().join("gitdir")).ok()?;
        let dot_git = entry.path().join(gitdir.trim());
        Some(text(&resolved(dot_git.parent()?)))
    });
    main.into_iter().chain(linked).collect()
}
