//! A command line as a shell reads it, behind types of our own: which commands it holds, in what order, and how their statuses become the shell's.
//!
//! The parser is guarded first, because deep nesting and unclosed substitutions cost it exponential time or the stack; what the guard turns away
//! is split on separators only.

mod lower;
mod scan;
mod split;
mod word;

use serde::{Deserialize, Serialize};

use super::Parse;
use scan::Scan;
pub use word::Word;

/// The longest command line that is parsed, in bytes.
const MAX_BYTES: usize = 256 * 1024;
/// Substitutions inside one another.
const MAX_SUBSTITUTIONS: usize = 8;
/// Anything that opens inside one another: groups, compound commands, substitutions, quotes.
const MAX_GROUPS: usize = 16;
/// Commands in one line.
const MAX_ITEMS: usize = 600;
/// Prefix words, braces and operators that the parser recurses on without a group: `!`, `time`, `elif`, `{a,b}`, operators of arithmetic.
const MAX_PREFIXES: usize = 200;

/// A simple command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simple {
    /// `NAME=value` before the command.
    pub assignments: Vec<(String, Word)>,
    /// The command and its arguments.
    pub words: Vec<Word>,
    /// Files that its output goes to.
    pub redirects: Vec<Redirect>,
    /// Text given to it as a here-document.
    pub input: Option<String>,
}

/// An output redirection to a file; duplicated descriptors and inputs are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Redirect {
    /// The file.
    pub target: Word,
}

/// What a subshell, a pipe or `&` keeps to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// `( … )`, one side of a pipe, a substitution, a function's body.
    Subshell,
    /// Started with `&`.
    Background,
}

/// Whether a failure on the left of `;` ends the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Errexit {
    /// It goes on.
    Off,
    /// `set -e`: it ends.
    On,
    /// `set -e` after `a && b`: only b's failure ends it.
    Perhaps,
}

/// How the statuses of the values before it become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Join {
    /// `a; b`
    Sequence(Errexit),
    /// `a && b`
    And,
    /// `a || b`
    Or,
    /// `! a`
    Not,
    /// `a | b | …`
    Pipe {
        /// How many.
        count: u16,
        /// Whether any failure fails the pipe.
        pipefail: bool,
    },
    /// `a &`
    Background,
    /// `( a )`: `exit` inside ends only it.
    Isolate,
    /// `if a; then b; [else c;] fi`
    If {
        /// Whether there is an else.
        otherwise: bool,
    },
    /// A loop's body.
    Loop {
        /// Whether it runs at least once.
        once: bool,
    },
    /// `case`: at most one of these.
    Choice(u16),
    /// A function's body: run when and if it is called.
    Function,
}

/// One step of a script in postfix order: values, and joins of the values before them. Values stand in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A value: a simple command.
    Simple(Simple),
    /// A value: `[[ … ]]` or `(( … ))`.
    Test,
    /// A value: nothing at all, which succeeds.
    Nothing,
    /// A value: something that was not understood.
    Unknown,
    /// A value: `exit`, with the status when it is written; `Same` is the status before it.
    Exit(Exit),
    /// What follows, up to the matching leave, keeps its directory to itself.
    Enter(Scope),
    /// The end of the innermost scope.
    Leave,
    /// A compound command's output goes to a file.
    Redirect(Redirect),
    /// Joins the newest values into one.
    Join(Join),
}

/// The status that `exit` ends the shell with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Zero.
    Success,
    /// Not zero.
    Failure,
    /// That of the command before it.
    Same,
    /// A variable's.
    Unknown,
}

/// Shell options that a command line starts with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `-e`
    pub errexit: bool,
    /// `-o pipefail`
    pub pipefail: bool,
}

/// A whole command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// Its steps, which leave exactly one value.
    pub steps: Vec<Step>,
    /// How far it was understood.
    pub parse: Parse,
}

/// Reads a command line. Never fails: what cannot be parsed is repaired, cut, or split on separators.
pub fn parse(text: &str, options: Options) -> Script {
    if text.len() > MAX_BYTES {
        let mut end = MAX_BYTES;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let scan = Scan::of(text.get(..end).unwrap_or_default());
        return Script { steps: split::steps(text.get(..end).unwrap_or_default(), &scan, MAX_ITEMS), parse: Parse::Unparsed };
    }
    let scan = Scan::of(text);
    if !within_limits(&scan) {
        return Script { steps: split::steps(text, &scan, MAX_ITEMS), parse: Parse::Unparsed };
    }
    // Text that is left open never reaches the parser as it is: nested open substitutions take it exponential time.
    if scan.unclosed.is_empty() {
        match rable::parse(text, true) {
            Ok(nodes) => return Script { steps: lower::steps(&nodes, options), parse: Parse::Exact },
            Err(error) => {
                if let Some(script) = repaired(text, "", options) {
                    return script;
                }
                if let Some(script) = prefix(text, &scan, error.pos(), options) {
                    return script;
                }
            }
        }
    } else if let Some(script) = repaired(text, &scan.unclosed, options) {
        return script;
    } else if let Some(script) = prefix(text, &scan, text.len(), options) {
        return script;
    }
    Script { steps: split::steps(text, &scan, MAX_ITEMS), parse: Parse::Unparsed }
}

fn within_limits(scan: &Scan) -> bool {
    scan.substitutions <= MAX_SUBSTITUTIONS && scan.groups <= MAX_GROUPS && scan.items <= MAX_ITEMS && scan.prefixes <= MAX_PREFIXES
}

fn repaired(text: &str, closers: &str, options: Options) -> Option<Script> {
    const SUFFIXES: [&str; 8] = ["", "\nfi", "\ndone", "\n}", "\n:; fi", "\ndo :; done", "\nthen :; fi", "\nesac"];
    for suffix in SUFFIXES {
        if closers.is_empty() && suffix.is_empty() {
            continue;
        }
        if let Ok(nodes) = rable::parse(&format!("{text}{closers}{suffix}"), true) {
            return Some(Script { steps: lower::steps(&nodes, options), parse: Parse::Repaired });
        }
    }
    None
}

fn prefix(text: &str, scan: &Scan, error_character: usize, options: Options) -> Option<Script> {
    let error = text.char_indices().nth(error_character).map_or(text.len(), |(at, _)| at);
    let cuts = scan.separators.iter().rev().filter(|cut| cut.outer && cut.at <= error).take(4);
    for cut in cuts {
        let Some(head) = text.get(..cut.at).filter(|head| !head.trim().is_empty()) else { continue };
        if let Ok(nodes) = rable::parse(head, true) {
            let mut steps = lower::steps(&nodes, options);
            steps.push(Step::Unknown);
            steps.push(Step::Join(Join::Sequence(Errexit::Off)));
            return Some(Script { steps, parse: Parse::Prefix });
        }
    }
    None
}
