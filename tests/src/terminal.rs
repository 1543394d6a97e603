//! The client in a terminal: tmux on a socket of its own, typed into and read from.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::workshop::{ALLOWED, Workshop};

/// How long something may take to appear on the screen.
const PATIENCE: Duration = Duration::from_secs(30);

/// One interactive session. It ends with this value.
pub struct Terminal {
    socket: String,
}

impl Terminal {
    /// Starts the client in a checkout and waits for its prompt.
    pub fn start(workshop: &Workshop, checkout: &Path, more: &[&str]) -> Result<Self> {
        let socket = workshop.home().parent().context("a home lies in a folder")?.join("tmux.sock").to_string_lossy().into_owned();
        let mut line = "env -i".to_owned();
        for (name, value) in workshop.environment() {
            line.push_str(&format!(" {name}={}", quoted(&value)));
        }
        line.push_str(&format!(
            " {} --permission-mode default --allowedTools {}",
            quoted(&workshop.client_binary().to_string_lossy()),
            quoted(ALLOWED)
        ));
        for argument in more {
            line.push_str(&format!(" {}", quoted(argument)));
        }
        let terminal = Self { socket };
        let folder = checkout.to_string_lossy();
        let started = terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "50", "-c", &folder, &line])?;
        ensure!(started.status.success(), "tmux: {}", String::from_utf8_lossy(&started.stderr));
        terminal.wait_for("the prompt", |screen| screen.contains('❯') || screen.contains("> "))?;
        Ok(terminal)
    }

    /// Types a line and enters it.
    pub fn enter(&self, text: &str) -> Result<()> {
        self.tmux(&["send-keys", "-l", text])?;
        self.wait_for("the typed line", |screen| screen.contains(text))?;
        self.tmux(&["send-keys", "Enter"])?;
        Ok(())
    }

    /// Presses a key by its tmux name.
    pub fn press(&self, key: &str) -> Result<()> {
        self.tmux(&["send-keys", key])?;
        Ok(())
    }

    /// Leaves the client as a person does, and waits until it is gone.
    pub fn leave(self) -> Result<()> {
        self.enter("/exit")?;
        until("the client's end", || match self.tmux(&["has-session"]) {
            Ok(output) if output.status.success() => None,
            _ => Some(()),
        })
    }

    /// What is on the screen.
    pub fn screen(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"])?.stdout).into_owned())
    }

    /// Waits until the screen shows something.
    pub fn wait_for(&self, what: &str, shows: impl Fn(&str) -> bool) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen()?;
            if shows(&screen) {
                return Ok(());
            }
            if Instant::now() > until {
                bail!("the terminal never showed {what}:\n{screen}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn tmux(&self, arguments: &[&str]) -> Result<Output> {
        Command::new("tmux").arg("-S").arg(&self.socket).args(arguments).output().context("tmux cannot be started: install it")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let pane =
            self.tmux(&["display-message", "-p", "#{pane_pid}"]).map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        let _ = self.tmux(&["kill-server"]);
        // The client still writes while it ends, and its home is about to go.
        if let Ok(pid) = pane
            && !pid.is_empty()
        {
            let alive = || Command::new("kill").args(["-0", &pid]).output().is_ok_and(|output| output.status.success());
            let _ = until("the client's end", || (!alive()).then_some(()));
        }
    }
}

/// Waits until something of a test is so.
pub fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> Result<T> {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = found() {
            return Ok(found);
        }
        ensure!(Instant::now() < until, "never came: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
