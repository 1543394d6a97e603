//! Paths as text: joined and shortened without looking at a disk.

/// An absolute path for `path` as seen from `directory`; none where either is unknown or relative.
pub fn absolute(directory: Option<&str>, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return Some(shortened(path));
    }
    let directory = directory.filter(|directory| directory.starts_with('/'))?;
    Some(shortened(&format!("{directory}/{path}")))
}

/// Without `.`, `..` and doubled separators. A relative path keeps its leading `..`.
pub fn shortened(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            other => parts.push(other),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// What is left of `path` below `directory`: empty when they are the same, none when it is elsewhere.
pub fn below<'a>(directory: &str, path: &'a str) -> Option<&'a str> {
    let rest = path.strip_prefix(directory.trim_end_matches('/'))?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Whether a path lies in a place for temporary files that `directory` is no part of.
pub fn is_scratch(path: &str, directory: Option<&str>) -> bool {
    const ROOTS: [&str; 6] = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders"];
    if path.starts_with("/dev/") || path.starts_with("/proc/") {
        return true;
    }
    ROOTS.iter().any(|root| {
        below(root, path).is_some_and(|rest| {
            let own = rest.split('/').next();
            directory.and_then(|directory| below(root, directory)).is_none_or(|rest| rest.is_empty() || rest.split('/').next() != own)
        })
    })
}
