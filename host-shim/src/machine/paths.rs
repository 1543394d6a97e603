//! Where things are.

use std::env;
use std::path::PathBuf;

use etcetera::{BaseStrategy, choose_base_strategy};

/// The person's home directory.
pub fn home() -> Option<PathBuf> {
    env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(PathBuf::from).filter(|home| !home.as_os_str().is_empty())
}

/// The client's configuration directory.
pub fn client() -> Option<PathBuf> {
    set("CLAUDE_CONFIG_DIR").or_else(|| home().map(|home| home.join(".claude")))
}

/// Where the client keeps transcripts.
pub fn projects() -> Option<PathBuf> {
    client().map(|client| client.join("projects"))
}

/// Where the index is: the client's folder for this plugin, else the platform's for this program. None: there is nowhere to keep it.
pub fn data() -> Option<PathBuf> {
    set("REVEILLE_DATA_DIR")
        .or_else(|| set("CLAUDE_PLUGIN_DATA"))
        .or_else(|| choose_base_strategy().ok().map(|base| base.data_dir().join("reveille")))
}

fn set(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The options as set.
pub fn options() -> Vec<(String, String)> {
    env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with("REVEILLE_") || name.starts_with("CLAUDE_PLUGIN_OPTION_"))
        .collect()
}
