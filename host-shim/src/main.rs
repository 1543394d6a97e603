//! `reveille`: a settings hook goes straight to its door, everything else through the command line.

use std::process::ExitCode;

use reveille_host::doors::{cli, hook};

fn main() -> ExitCode {
    // What a person feels at every session start does not wait for the command line's parser.
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == "hook") && arguments.next().is_none() {
        return hook::run();
    }
    cli::run()
}
