//! A home of its own for the real client, with Reveille installed from the package as a user would, and checkouts to work in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::model_server::ModelServer;
use crate::{artefacts, client};

/// The key that the model server is talked to with; nobody checks it.
const KEY: &str = "sk-ant-fake-000";

/// Tools that the client may call without asking.
pub const ALLOWED: &str = "Bash,Edit,Write,Read,Task,Agent,SendMessage,Skill,mcp__plugin_reveille_reveille__session_wake,mcp__plugin_reveille_reveille__forward_compaction,\
    mcp__plugin_reveille_reveille__look_back";

/// Everything of one test, in one folder that goes with it.
pub struct Workshop {
    folder: TempDir,
    client: PathBuf,
    more: Mutex<BTreeMap<String, String>>,
    /// The model.
    pub model: ModelServer,
}

/// What a headless session printed.
#[derive(Debug)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Its events.
    pub events: Vec<Value>,
}

/// A headless session that runs. It ends with this value.
pub struct Running(Child);

impl Running {
    /// Kills the client, as a crash would.
    pub fn kill(mut self) -> Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }

    /// Waits for its own end.
    pub fn wait(mut self) -> Result<()> {
        let status = self.0.wait()?;
        ensure!(status.success(), "the session failed: {status}");
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Workshop {
    /// A home with the client ready to start and Reveille installed.
    pub fn installed() -> Result<Self> {
        let workshop = Self::bare()?;
        let dist = artefacts::dist(&artefacts::root());
        let packaged = dist.join("reveille").join("native").join("reveille.wasm");
        let built = artefacts::component(&artefacts::root());
        ensure!(
            built.is_file() && std::fs::read(&packaged).ok() == std::fs::read(&built).ok(),
            "dist/ is not of what is built: run `cargo xtask package`"
        );
        workshop.install(&dist)?;
        Ok(workshop)
    }

    /// The same from a package that holds no program for any platform.
    pub fn installed_without_program() -> Result<Self> {
        let workshop = Self::bare()?;
        // The client runs a plugin of a marketplace that is a folder from that folder, not from its cache.
        let package = workshop.folder.path().join("a package");
        let dist = artefacts::dist(&artefacts::root());
        for name in [".claude-plugin", "reveille/.claude-plugin", "reveille/hooks", "reveille/launcher"] {
            std::fs::create_dir_all(package.join(name))?;
            for entry in std::fs::read_dir(dist.join(name))? {
                let file = entry?.path();
                std::fs::copy(&file, package.join(name).join(file.file_name().context("a file has a name")?))?;
            }
        }
        std::fs::copy(dist.join("reveille").join(".mcp.json"), package.join("reveille").join(".mcp.json"))?;
        std::fs::write(package.join("reveille").join("launcher").join("version"), "0.0.0-none\n")?;
        workshop.install(&package)?;
        Ok(workshop)
    }

    fn install(&self, package: &Path) -> Result<()> {
        self.client(&["plugin", "marketplace", "add", &package.to_string_lossy()])?;
        self.client(&["plugin", "install", "reveille@reveille"])?;
        Ok(())
    }

    /// A home with the client ready to start.
    pub fn bare() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("reveille-").tempdir()?;
        let client = client::ensure(&artefacts::root())?;
        let workshop = Self { folder, client, more: Mutex::default(), model: ModelServer::start()? };
        std::fs::create_dir_all(workshop.home())?;
        workshop.trust(&[])?;
        Ok(workshop)
    }

    /// The home.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The client's questions of a first start, answered; folders trusted.
    pub fn trust(&self, folders: &[&Path]) -> Result<()> {
        let projects: serde_json::Map<String, Value> = folders
            .iter()
            .map(|folder| {
                (folder.to_string_lossy().into_owned(), json!({"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}))
            })
            .collect();
        let file = self.home().join(".claude.json");
        let mut config: Value =
            std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_else(|| json!({}));
        config["hasCompletedOnboarding"] = json!(true);
        config["lastOnboardingVersion"] = json!(client::VERSION);
        config["theme"] = json!("dark");
        config["customApiKeyResponses"] = json!({"approved": [KEY], "rejected": []});
        let mut known = config["projects"].as_object().cloned().unwrap_or_default();
        known.extend(projects);
        config["projects"] = Value::Object(known);
        std::fs::write(file, config.to_string())?;
        Ok(())
    }

    /// A checkout with a passing lint, a failing test and a first commit.
    pub fn checkout(&self, name: &str) -> Result<PathBuf> {
        let root = self.folder.path().canonicalize()?.join("code").join(name);
        std::fs::create_dir_all(root.join("tests"))?;
        std::fs::create_dir_all(root.join("src"))?;
        std::fs::write(root.join("src").join("importer.sh"), "echo 1,2\n")?;
        std::fs::write(root.join("tests").join("lint.sh"), "echo lint passed\n")?;
        std::fs::write(
            root.join("tests").join("run.sh"),
            "echo \"FAIL tests/run.sh::test_header - expected header 'id,total', got '1,2'\"\necho '1 failed, 0 passed'\nexit 1\n",
        )?;
        git(&root, &["init", "-q", "-b", "main"])?;
        git(&root, &["add", "-A"])?;
        git(&root, &["commit", "-q", "-m", "importer: print the totals"])?;
        self.trust(&[&root])?;
        Ok(root)
    }

    /// The environment that every process here gets, and nothing else.
    pub fn environment(&self) -> Vec<(String, String)> {
        [
            ("HOME", self.home().to_string_lossy().into_owned()),
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("TERM", "xterm-256color".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("DISABLE_AUTOUPDATER", "1".to_owned()),
            ("DISABLE_TELEMETRY", "1".to_owned()),
            ("DISABLE_ERROR_REPORTING", "1".to_owned()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
            ("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{}", self.model.port())),
            ("ANTHROPIC_API_KEY", KEY.to_owned()),
            ("GIT_AUTHOR_NAME", "Dev".to_owned()),
            ("GIT_AUTHOR_EMAIL", "dev@example.com".to_owned()),
            ("GIT_COMMITTER_NAME", "Dev".to_owned()),
            ("GIT_COMMITTER_EMAIL", "dev@example.com".to_owned()),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .chain(self.more.lock().unwrap_or_else(PoisonError::into_inner).clone())
        .collect()
    }

    /// Sets one more variable of it.
    pub fn environment_adds(&self, name: &str, value: &str) {
        self.more.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), value.to_owned());
    }

    /// Sets a setting of the client's own configuration.
    pub fn setting(&self, name: &str, value: Value) -> Result<()> {
        let file = self.home().join(".claude.json");
        let mut config: Value = serde_json::from_slice(&std::fs::read(&file)?)?;
        config[name] = value;
        Ok(std::fs::write(&file, config.to_string())?)
    }

    /// A copy of the package that a test may change.
    pub fn package_copy(&self) -> Result<PathBuf> {
        let package = self.folder.path().join("a package");
        copy(&artefacts::dist(&artefacts::root()), &package)?;
        Ok(package)
    }

    /// The client's binary.
    pub fn client_binary(&self) -> &Path {
        &self.client
    }

    fn command(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(folder).env_clear().envs(self.environment());
        command
    }

    /// Runs the client with arguments.
    pub fn client(&self, arguments: &[&str]) -> Result<Output> {
        let output = self.command(&self.client, self.folder.path()).args(arguments).output().context("the client cannot be started")?;
        ensure!(
            output.status.success(),
            "claude {}: {}{}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(output)
    }

    fn headless(&self, checkout: &Path, prompt: &str, more: &[&str]) -> Command {
        let mut command = self.command(&self.client, checkout);
        command.args(["-p", prompt, "--output-format", "stream-json", "--verbose", "--allowedTools", ALLOWED]).args(more);
        command
    }

    /// Runs a headless session to its end.
    pub fn session(&self, checkout: &Path, prompt: &str, more: &[&str]) -> Result<Session> {
        let output = self.headless(checkout, prompt, more).output().context("the client cannot be started")?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "the session failed: {text}{}", String::from_utf8_lossy(&output.stderr));
        let events = events_of(&output.stdout);
        let id = events.iter().find_map(|event| event["session_id"].as_str()).context("the session names itself")?.to_owned();
        Ok(Session { id, events })
    }

    /// Runs a headless session that ends with an error: its events.
    pub fn session_that_fails(&self, checkout: &Path, prompt: &str, more: &[&str]) -> Result<Vec<Value>> {
        let output = self.headless(checkout, prompt, more).output().context("the client cannot be started")?;
        ensure!(!output.status.success(), "the session succeeded");
        Ok(events_of(&output.stdout))
    }

    /// The folder that the client keeps for the plugin's data.
    pub fn plugin_data(&self) -> Result<PathBuf> {
        let data = self.home().join(".claude").join("plugins").join("data");
        let found = std::fs::read_dir(&data)?.flatten().map(|entry| entry.path()).find(|path| path.join("sessions").is_dir());
        found.with_context(|| format!("there is no session below {}", data.display()))
    }

    /// The same from a package that has no hooks module, as an older client sees it.
    pub fn installed_without_module() -> Result<Self> {
        let workshop = Self::bare()?;
        let package = workshop.package_copy()?;
        let hooks = package.join("reveille").join("hooks").join("hooks.json");
        let mut declared: Value = serde_json::from_slice(&std::fs::read(&hooks)?)?;
        declared.as_object_mut().context("hooks.json is an object")?.remove("modules");
        std::fs::write(&hooks, declared.to_string())?;
        workshop.install(&package)?;
        Ok(workshop)
    }

    /// Installs the plugin anew with settings of its own, and from then on keeps what `reveille doctor --json` says in the environment of each process that the client
    /// starts for the plugin. Answers the folder: one file a door, named after it.
    pub fn configured(&self, settings: &[&str]) -> Result<PathBuf> {
        self.client(&["plugin", "uninstall", "reveille@reveille"])?;
        let mut arguments = vec!["plugin", "install", "reveille@reveille"];
        for setting in settings {
            arguments.extend(["--config", setting]);
        }
        self.client(&arguments)?;
        let folder = self.folder.path().join("doctors");
        std::fs::create_dir_all(&folder)?;
        let program = artefacts::binary(&artefacts::root());
        let script = folder.join("reveille.sh");
        let text = format!(
            "#!/bin/sh\n'{0}' doctor --json > '{1}/'\"$1\".part\nmv '{1}/'\"$1\".part '{1}/'\"$1\".json\nexec '{0}' \"$@\"\n",
            program.display(),
            folder.display()
        );
        std::fs::write(&script, text)?;
        std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let file = self.home().join(".claude").join("settings.json");
        let mut said: Value = std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_else(|| json!({}));
        said["env"]["REVEILLE_BIN"] = json!(script);
        std::fs::write(file, said.to_string())?;
        Ok(folder)
    }

    /// Starts a headless session and leaves it running.
    pub fn running(&self, checkout: &Path, id: &str, prompt: &str) -> Result<Running> {
        self.running_with(checkout, id, prompt, &[])
    }

    /// The same with more arguments.
    pub fn running_with(&self, checkout: &Path, id: &str, prompt: &str, more: &[&str]) -> Result<Running> {
        let child = self
            .headless(checkout, prompt, more)
            .args(["--session-id", id])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("the client cannot be started")?;
        Ok(Running(child))
    }

    /// A session's transcript, by its id, wherever the client keeps it.
    pub fn transcript(&self, id: &str) -> Result<String> {
        let projects = self.home().join(".claude").join("projects");
        for folder in std::fs::read_dir(&projects)? {
            let file = folder?.path().join(format!("{id}.jsonl"));
            if file.is_file() {
                return Ok(String::from_utf8_lossy(&std::fs::read(file)?).into_owned());
            }
        }
        bail!("there is no transcript of {id} below {}", projects.display())
    }

    /// Runs `reveille`, the built binary, in a checkout.
    pub fn reveille(&self, checkout: &Path, arguments: &[&str]) -> Result<Output> {
        self.command(&artefacts::binary(&artefacts::root()), checkout).args(arguments).output().context("reveille cannot be started")
    }
}

/// Runs git in a folder.
pub fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .output()
        .context("git cannot be started")?;
    ensure!(output.status.success(), "git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The events that a headless session printed.
fn events_of(printed: &[u8]) -> Vec<Value> {
    String::from_utf8_lossy(printed).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Copies a folder whole.
fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
