//! Where builds leave what is tested.

use std::path::{Path, PathBuf};

const WASM_TARGET: &str = "wasm32-wasip2";

/// The workspace's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// Cargo's target folder.
pub fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// The built component.
pub fn component(root: &Path) -> PathBuf {
    target(root).join("component").join(WASM_TARGET).join("component").join("reveille_plugin.wasm")
}

/// The built binary.
pub fn binary(root: &Path) -> PathBuf {
    target(root).join("release").join(if cfg!(windows) { "reveille.exe" } else { "reveille" })
}

/// The packaged marketplace.
pub fn dist(root: &Path) -> PathBuf {
    root.join("dist")
}
