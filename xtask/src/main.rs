//! The project's own commands.

mod bench;
mod bless;
mod ci;
mod demo;
mod install;
mod module;
mod package;
mod toolchain;
mod walls;

use std::path::Path;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build, and wake with this machine's newest session for the current checkout, else with a sample
    Demo,
    /// The gate: everything that must pass
    Ci,
    /// Write generated files again
    Bless,
    /// Measure, and write tests/bench/RESULTS.md
    Bench,
    /// Bring the pinned client
    Client,
    /// Write the installable marketplace to dist/
    Package,
    /// Package, and install with the client on this machine
    Install,
    /// Take it back
    Uninstall,
}

fn main() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default();
    match Arguments::parse().command {
        Command::Demo => demo::run(&root),
        Command::Ci => ci::run(&root),
        Command::Bless => bless::write(&root),
        Command::Bench => bench::run(&root),
        Command::Client => reveille_tests::client::ensure(&root).map(|client| println!("{}", client.display())),
        Command::Package => package::run(&root).map(|_| ()),
        Command::Install => install::install(&root),
        Command::Uninstall => install::uninstall(),
    }
}
