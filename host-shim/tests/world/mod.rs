//! A home, a checkout and transcripts, and the built binary run in them with an environment of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use reveille_tests::case::scenario;
use reveille_tests::workshop::git;
use tempfile::TempDir;

pub struct World {
    pub folder: TempDir,
    pub checkout: PathBuf,
}

impl World {
    /// A checkout with one commit, and no transcripts.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("reveille-shim-").tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let checkout = root.join("code").join("web");
        std::fs::create_dir_all(&checkout).unwrap();
        std::fs::write(checkout.join("a.txt"), "a").unwrap();
        git(&checkout, &["init", "-q", "-b", "main"]).unwrap();
        git(&checkout, &["add", "-A"]).unwrap();
        git(&checkout, &["commit", "-q", "-m", "first"]).unwrap();
        Self { folder, checkout }
    }

    /// The same with a session in it; `lines` are the scenario.
    pub fn with_session(lines: &[&str]) -> Self {
        let world = Self::new();
        std::fs::create_dir_all(world.transcript().parent().unwrap()).unwrap();
        std::fs::write(world.transcript(), world.records(&world.checkout, lines)).unwrap();
        world
    }

    /// Records of a scenario that ran in a directory.
    pub fn records(&self, directory: &Path, lines: &[&str]) -> Vec<u8> {
        let cwd = format!("@cwd {}", directory.display());
        let lines: Vec<&str> = std::iter::once(cwd.as_str()).chain(lines.iter().copied()).collect();
        scenario::expand(&lines, None).unwrap()
    }

    pub fn client(&self) -> PathBuf {
        self.folder.path().join("home").join(".claude")
    }

    /// The folder that the client would keep this checkout's transcripts in.
    pub fn project(&self) -> PathBuf {
        let slug: String =
            self.checkout.to_string_lossy().chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        self.client().join("projects").join(slug)
    }

    pub fn transcript(&self) -> PathBuf {
        self.project().join(format!("{}.jsonl", scenario::session()))
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The binary with the environment of this world and nothing else.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reveille"));
        command
            .current_dir(&self.checkout)
            .args(arguments)
            .env_clear()
            .env("HOME", self.folder.path().join("home"))
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("REVEILLE_DATA_DIR", self.data())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The wake's Markdown without what changes from minute to minute.
    pub fn wake(&self) -> String {
        stable(&out(&self.run(&["wake"])))
    }
}

/// Standard output of a process that went well.
pub fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Standard error.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Without the times of the wake itself.
pub fn stable(markdown: &str) -> String {
    markdown.lines().filter(|line| !line.starts_with("# Wake") && !line.contains("generated")).collect::<Vec<_>>().join("\n")
}
