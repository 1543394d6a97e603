//! The command line.

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use serde_json::json;

use super::{doctor, event, hook, look_back, mcp, scan, tools};
use crate::asking::{Ask, Asking};
use crate::bindings::exports::reveille::core::wake::Occasion;
use crate::error::Failure;

/// What an agent was doing, from the evidence of its transcript and checkout.
#[derive(Debug, Parser)]
#[command(
    name = "reveille",
    version,
    disable_help_subcommand = true,
    after_help = "Exit status: 0 done, 1 failure, 2 usage, 3 not found or ambiguous."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print what the last session of this checkout was doing
    Wake {
        /// The directory to wake in [default: the current one]
        #[arg(long, value_name = "DIR")]
        workspace: Option<String>,
        /// Another repository: owner/name, an alias, or a remote URL
        #[arg(long, value_name = "KEY")]
        repo: Option<String>,
        /// A session's id, or a unique beginning of it [default: the newest]
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// Print {markdown, report, gaps} as JSON
        #[arg(long)]
        json: bool,
        /// Leave secrets in
        #[arg(long)]
        raw: bool,
    },
    /// Find an exact detail in a transcript, or read an entry of it
    ///
    /// In a session it looks into that session's own transcript, before its last compaction; elsewhere into the newest session of this checkout.
    LookBack {
        /// Words, and phrases in double quotes, to find; case aside
        #[arg(required_unless_present = "entry", conflicts_with = "entry")]
        query: Vec<String>,
        /// Read this entry: a line number of the transcript
        #[arg(long, value_name = "N")]
        entry: Option<u64>,
        /// With --entry: the character to begin at
        #[arg(long, value_name = "N", requires = "entry")]
        from: Option<u64>,
        /// A past session's id, or a unique beginning of it
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// A sub-agent of that session
        #[arg(long, value_name = "ID")]
        agent: Option<String>,
        /// Print the answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Look at the installation, and say what to do where it is wrong
    Doctor {
        /// Print the findings as JSON
        #[arg(long)]
        json: bool,
    },
    /// Read every transcript of this machine into the index
    Scan,
    /// Answer a settings hook of Claude Code: its event on standard input
    Hook,
    /// Answer one event of the hooks module: JSON on standard input
    Event {
        /// The session's id
        session: String,
    },
    /// Answer one tool call of the hooks module: JSON on standard input
    Tool {
        /// The tool's name
        name: String,
    },
    /// Serve the tools over MCP, on standard input and output
    Mcp,
    /// Print a shell's completion script
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// The command line as clap knows it, for the generated reference.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs what the arguments say.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let printed = match arguments.command {
        Command::Hook => return hook::run(),
        Command::Tool { name } => return tools::run(&name),
        Command::Event { session } => return event::run(Some(&session)),
        Command::Mcp => return mcp::run(),
        Command::Wake { workspace, repo, session, json, raw } => wake(workspace, repo, session, json, raw),
        Command::LookBack { query, entry, from, session, agent, json } => {
            let query = (!query.is_empty()).then(|| query.join(" "));
            let arguments = json!({"query": query, "entry": entry, "from": from, "session": session, "agent": agent});
            return look_back::run(&arguments.to_string(), json);
        }
        Command::Doctor { json } => match doctor::run(json) {
            Ok((text, healthy)) => {
                print(&text);
                return if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE };
            }
            Err(failure) => Err(failure),
        },
        Command::Scan => scan::run().map(|scanned| {
            format!(
                "{} transcripts are in the index, {} bytes read, {} files could not be read.\n",
                scanned.transcripts, scanned.bytes, scanned.unreadable
            )
        }),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(), "reveille", &mut script);
            Ok(String::from_utf8_lossy(&script).into_owned())
        }
    };
    match printed {
        Ok(text) => {
            print(&text);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("reveille: {failure}");
            failure.exit()
        }
    }
}

/// A reader that left is no failure.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

fn wake(workspace: Option<String>, repository: Option<String>, session: Option<String>, json: bool, raw: bool) -> Result<String, Failure> {
    let mut asking = Asking::begin()?;
    let callers = asking.callers();
    let answer = asking.wake(&Ask { occasion: Occasion::Asked, workspace, repository, session, raw, callers, transcript: None })?;
    if json {
        let text = asking.component().call(|world, store| world.reveille_core_doors().call_wake_result(store, &answer))?;
        return Ok(format!("{text}\n"));
    }
    Ok(answer.markdown)
}
