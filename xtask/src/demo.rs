//! The main job on real input: a wake with this machine's newest session for the current checkout, else with a sample in a checkout made for it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use reveille_tests::artefacts;
use reveille_tests::case::{Case, scenario};
use serde_json::Value;

use crate::toolchain;

/// The sample: a case of the tests.
const SAMPLE: &str = "tests/cases/wake/blocker-and-next.md";

/// Builds and wakes.
pub fn run(root: &Path) -> Result<()> {
    toolchain::ensure(root)?;
    crate::ci::cargo(root, &["build", "--release", "--package", "reveille", "--locked"])?;
    let here = std::env::current_dir()?;
    let json = wake(root, &here, None, &["--json"])?;
    let answer: Value = serde_json::from_str(&json).context("`reveille wake --json` printed no JSON")?;
    if !answer.pointer("/report/session").is_none_or(Value::is_null) {
        print!("{}", wake(root, &here, None, &[])?);
        return Ok(());
    }
    println!("No session of this checkout is on this machine. A sample:\n");
    sample(root)
}

fn sample(root: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let checkout = folder.path().join("acme").join("web");
    std::fs::create_dir_all(&checkout)?;
    let git = |arguments: &[&str]| -> Result<()> {
        let status = Command::new("git")
            .current_dir(&checkout)
            .args(["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .status()
            .context("git cannot be started")?;
        ensure!(status.success(), "`git {}` failed", arguments.join(" "));
        Ok(())
    };
    git(&["init", "-q", "-b", "main"])?;
    std::fs::write(checkout.join("capture.mjs"), "process.exit(1)\n")?;
    git(&["add", "-A"])?;
    git(&["commit", "-q", "-m", "site: the landing page"])?;
    let case = Case::read(&root.join(SAMPLE))?;
    let transcript = case.transcripts.first().context("the sample has a transcript")?;
    let text = String::from_utf8_lossy(&transcript.bytes).replace("/home/dev/code/acme/web", &checkout.canonicalize()?.to_string_lossy());
    let client = folder.path().join("client");
    let project = client.join("projects").join("sample");
    std::fs::create_dir_all(&project)?;
    let session = scenario::session();
    std::fs::write(project.join(format!("{session}.jsonl")), text)?;
    print!("{}", wake(root, &checkout, Some(&client), &["--session", session])?);
    Ok(())
}

fn wake(root: &Path, folder: &Path, client: Option<&Path>, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(artefacts::binary(root));
    command.current_dir(folder).arg("wake").args(arguments);
    if let Some(client) = client {
        command.env("CLAUDE_CONFIG_DIR", client).env("REVEILLE_DATA_DIR", client.join("data"));
    }
    let output = command.output().context("reveille cannot be started")?;
    ensure!(output.status.success(), "reveille wake failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
