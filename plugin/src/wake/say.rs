//! The words of the wake: every phrase of it that is not a quote.

use super::budget::{cut, cut_path};
use super::moment::{age, minute};
use super::report::{At, Checkout, LooseEnd, Outcome, Run, Since};
use crate::contract::types::Millis;

/// Bytes of a command.
const COMMAND: usize = 110;
/// Bytes of a path.
const PATH: usize = 110;
/// Bytes of a branch's name.
const BRANCH: usize = 70;
/// Bytes of a commit's subject.
const SUBJECT: usize = 90;

/// How a wake's own session and home are written.
#[derive(Clone, Debug)]
pub struct Manner {
    /// Home, written `~`.
    pub home: Option<String>,
    /// The day that needs no date.
    pub day: Option<Millis>,
    /// When the wake is made.
    pub now: Millis,
}

impl Manner {
    /// A path with home as `~`, its end kept.
    pub fn path(&self, path: &str) -> String {
        let home = self.home.as_deref().map(|home| home.trim_end_matches('/')).filter(|home| !home.is_empty());
        let short = match home.and_then(|home| path.strip_prefix(home)) {
            Some("") => "~".to_owned(),
            Some(rest) if rest.starts_with('/') => format!("~{rest}"),
            _ => path.to_owned(),
        };
        cut_path(&short, PATH)
    }

    /// A record's time; nothing when it has none.
    pub fn time(&self, at: &At) -> String {
        at.millis.map_or_else(String::new, |millis| format!(" {}", minute(millis, self.day)))
    }
}

/// `1 file`, `3 files`, `1,826 entries`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `512`, `51k`, `1.5M`.
pub fn size(number: u64) -> String {
    match number {
        0..=999 => number.to_string(),
        1000..=999_499 => format!("{}k", (number + 500) / 1000),
        _ => {
            let tenths = number.saturating_add(50_000) / 100_000;
            if tenths.is_multiple_of(10) { format!("{}M", tenths / 10) } else { format!("{}.{}M", tenths / 10, tenths % 10) }
        }
    }
}

/// `[seq 9077]`, `[agent a7f3c21 #812]`.
pub fn seq(at: &At) -> String {
    match &at.agent {
        None => format!("[seq {}]", at.seq),
        Some(agent) => format!("[agent {} #{}]", agent.get(..7).unwrap_or(agent), at.seq),
    }
}

/// A command between backticks, whatever it holds.
pub fn command(run: &Run) -> String {
    format!("`{}`", cut(&run.command, COMMAND).replace('`', "'"))
}

/// The checkout as it stands.
pub fn checkout(checkout: &Checkout, manner: &Manner) -> String {
    let mut parts = Vec::new();
    if checkout.other_repository {
        parts.push(format!("**Another repository** {} · asked from {}", cut(&checkout.repository, BRANCH), manner.path(&checkout.root)));
    } else {
        parts.push(format!("Checkout {}", manner.path(&checkout.root)));
    }
    match checkout.state.as_str() {
        "not_a_checkout" => parts.push("no git repository".to_owned()),
        "bare" => parts.push("bare repository, no working tree".to_owned()),
        "not_trusted" => parts.push("git refuses it: another owner (safe.directory)".to_owned()),
        "git_missing" => parts.push("git is not installed".to_owned()),
        "timed_out" => parts.push("git did not answer in time".to_owned()),
        "unreadable" => parts.push(format!("git cannot read it: {}", cut(checkout.why.as_deref().unwrap_or("it said nothing"), SUBJECT))),
        _ => {}
    }
    if let Some(branch) = &checkout.branch {
        parts.push(format!("branch {}", cut(branch, BRANCH)));
    }
    if checkout.state == "unborn" {
        parts.push("no commit yet".to_owned());
    }
    if let Some(head) = &checkout.head {
        let word = if checkout.detached { "detached HEAD" } else { "HEAD" };
        let subject = checkout.subject.as_deref().map_or_else(String::new, |subject| format!(" \"{}\"", cut(subject, SUBJECT)));
        parts.push(format!("{word} {}{subject}", head.get(..7).unwrap_or(head)));
    }
    match checkout.dirty {
        Some(0) => parts.push("clean".to_owned()),
        Some(dirty) => parts.push(format!("{} dirty", count(dirty.into(), "file", "files"))),
        None => {}
    }
    parts.extend(upstream(checkout));
    parts.join(" · ")
}

fn upstream(checkout: &Checkout) -> Option<String> {
    let name = cut(checkout.upstream.as_deref().unwrap_or_default(), BRANCH);
    match (checkout.upstream_state.as_deref()?, checkout.ahead.unwrap_or(0), checkout.behind.unwrap_or(0)) {
        ("tracking", 0, 0) => Some(format!("level with {name}")),
        ("tracking", ahead, 0) => Some(format!("{ahead} ahead of {name}")),
        ("tracking", 0, behind) => Some(format!("{behind} behind {name}")),
        ("tracking", ahead, behind) => Some(format!("{ahead} ahead of and {behind} behind {name}")),
        ("gone", ..) => Some(format!("upstream {name} is gone")),
        ("none", ..) if checkout.branch.is_some() && checkout.state == "read" => Some("no upstream".to_owned()),
        _ => None,
    }
}

/// What changed since the session; nothing to say is none.
pub fn since(since: &Since) -> Option<String> {
    let mut parts = Vec::new();
    if since.commits > 0 {
        let more = if since.more { "+" } else { "" };
        let word = if since.commits == 1 && !since.more { "commit" } else { "commits" };
        parts.push(format!("{}{more} {word} by {}", since.commits, authors(&since.authors)));
    }
    if !since.changed_again.is_empty() {
        let names: Vec<&str> = since.changed_again.iter().take(2).map(|path| file_name(path)).collect();
        let more = since.changed_again.len().saturating_sub(names.len());
        let rest = if more > 0 { format!(", +{more}") } else { String::new() };
        let changed = count(since.changed_files.into(), "changed file", "changed files");
        parts.push(format!("{} of its {changed} changed again ({}{rest})", since.changed_again.len(), cut(&names.join(", "), 80)));
    }
    (!parts.is_empty()).then(|| format!("Since that session {}", parts.join(" · ")))
}

fn authors(authors: &[String]) -> String {
    match authors {
        [one] => cut(one, 30),
        [one, two] => format!("{} and {}", cut(one, 30), cut(two, 30)),
        [one, two, rest @ ..] => format!("{}, {} and {} more", cut(one, 30), cut(two, 30), rest.len()),
        [] => "somebody".to_owned(),
    }
}

/// The last component of a path.
pub fn file_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// How far the session got.
pub fn outcome(outcome: &Outcome) -> String {
    let commit = outcome.commit.as_deref().map(|hash| {
        let reach = match outcome.reachable {
            Some(true) => "reachable",
            Some(false) => "not found in this checkout",
            None => "not looked for here",
        };
        format!("commit {} ({reach})", hash.get(..7).unwrap_or(hash))
    });
    let what = match (outcome.rung, outcome.published.as_deref()) {
        (1, _) => "said to be done, no file changed".to_owned(),
        (2, _) => "files changed, no check passed since".to_owned(),
        (3, _) => "a check passed after the last change, not committed".to_owned(),
        (4, _) => commit.unwrap_or_else(|| "committed, git printed no hash".to_owned()),
        (_, published) => {
            let word = match published {
                Some("merge") => "merged",
                Some("release") => "released",
                _ => "pushed",
            };
            commit.map_or_else(|| word.to_owned(), |commit| format!("{word}, {commit}"))
        }
    };
    format!("rung {}, {what} {}", outcome.rung, seq(&outcome.at))
}

/// Why a run's verdict is unknown.
pub fn cause(run: &Run) -> &'static str {
    match run.cause.as_deref() {
        Some("masked") => "its status was hidden and it printed no summary",
        Some("background") => "it went to the background and never reported",
        Some("interrupted") => "it was interrupted",
        Some("denied") => "it was not allowed to run",
        Some("timed_out") => "it timed out",
        _ => "its result is missing",
    }
}

/// A loose end as a list item or as the next step.
pub fn loose_end(end: &LooseEnd, most: usize) -> String {
    let text = cut(&end.text, most);
    let said = match end.kind.as_str() {
        "task_in_progress" => format!("task: {text} (in progress)"),
        "task_pending" => format!("task: {text} (not begun)"),
        "asked_by_person" => format!("not answered: \"{text}\""),
        "asked_person" => format!("asked the person: \"{text}\""),
        _ => format!("\"{text}\""),
    };
    format!("{said} {}", seq(&end.at))
}

/// How long ago the last record of a session that is still written was.
pub fn ago(now: Millis, then: Millis) -> String {
    format!("{} ago", age(now.saturating_sub(then)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_reading() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1k"), (51_400, "51k"), (999_999, "1M"), (1_500_000, "1.5M"), (2_000_000, "2M")]
        {
            assert_eq!(size(number), text);
        }
        assert_eq!(count(1, "entry", "entries"), "1 entry");
        assert_eq!(count(1826, "entry", "entries"), "1,826 entries");
        assert_eq!(count(1_234_567, "entry", "entries"), "1,234,567 entries");
    }

    #[test]
    fn home_is_a_tilde_and_only_home() {
        let manner = Manner { home: Some("/home/dev".to_owned()), day: None, now: 0 };
        for (path, text) in [("/home/dev", "~"), ("/home/dev/web", "~/web"), ("/home/developer", "/home/developer"), ("/srv", "/srv")] {
            assert_eq!(manner.path(path), text);
        }
    }
}
