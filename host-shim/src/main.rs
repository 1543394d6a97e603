//! `reveille`: a settings hook goes straight to its door, everything else through the command line.

use std::process::ExitCode;

use reveille_host::doors::{cli, event, hook, tools};
use reveille_host::machine::processes;

fn main() -> ExitCode {
    // What a person feels at every session start and every tool call does not wait for the command line's parser.
    let arguments: Vec<String> = std::env::args_os().skip(1).take(3).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let status = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["hook"] => hook::run(),
        ["event", session] if !session.starts_with('-') => event::run(Some(session)),
        ["tool", name] if !name.starts_with('-') => tools::run(name),
        _ => cli::run(),
    };
    processes::end();
    status
}
