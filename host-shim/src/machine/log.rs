//! What the machine did, on standard error, when `REVEILLE_LOG=debug` is set: one line an action, `reveille: <action> key=value …`.

use std::sync::OnceLock;

static DEBUG: OnceLock<bool> = OnceLock::new();

/// Writes one line, when it is asked for.
pub fn debug(action: &str, values: &[(&str, &dyn std::fmt::Display)]) {
    if !*DEBUG.get_or_init(|| std::env::var_os("REVEILLE_LOG").is_some_and(|level| level == "debug")) {
        return;
    }
    let mut line = format!("reveille: {action}");
    for (key, value) in values {
        line.push_str(&format!(" {key}={value}"));
    }
    eprintln!("{line}");
}
