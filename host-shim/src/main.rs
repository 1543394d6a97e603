//! `reveille`: a settings hook goes straight to its door, everything else through the command line.

use std::process::ExitCode;

use reveille_host::doors::{cli, hook};
use reveille_host::machine::processes;

fn main() -> ExitCode {
    // What a person feels at every session start does not wait for the command line's parser.
    let mut arguments = std::env::args_os().skip(1);
    let is_hook = arguments.next().is_some_and(|first| first == "hook") && arguments.next().is_none();
    let status = if is_hook { hook::run() } else { cli::run() };
    processes::end();
    status
}
