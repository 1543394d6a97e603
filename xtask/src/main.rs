//! The project's own commands.

mod walls;

fn main() -> anyhow::Result<()> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(std::path::Path::to_owned).unwrap_or_default();
    walls::check(&root, std::path::Path::new(&std::env::args().nth(1).unwrap_or_default()))
}
