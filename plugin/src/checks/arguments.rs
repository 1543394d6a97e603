//! A program's arguments, read by its row of the table.

use super::programs::{Args, spelled};
use super::shell::Word;

/// What arguments say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// Arguments that are no flags, in order.
    pub operands: Vec<String>,
    /// Values of package flags.
    pub packages: Vec<String>,
    /// `flag value`, and flags that narrow.
    pub filters: Vec<String>,
    /// Values of goal flags.
    pub goals: Vec<String>,
    /// The value of the last directory flag.
    pub directory: Option<Word>,
    /// A flag makes a formatter check.
    pub checks: bool,
    /// A flag makes it write.
    pub writes: bool,
    /// A flag makes it do nothing of interest.
    pub nothing: bool,
}

impl Given {
    /// Takes the first operand out.
    pub fn take_operand(&mut self) -> Option<String> {
        (!self.operands.is_empty()).then(|| self.operands.remove(0))
    }
}

/// Reads arguments.
pub fn read(words: &[Word], args: &Args) -> Given {
    let mut given = Given::default();
    let mut rest = words.iter().peekable();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if text == "--" || text.is_empty() {
            continue;
        }
        if !text.starts_with('-') || text == "-" {
            given.operands.push(text.to_owned());
            continue;
        }
        let (flag, mut attached) = match text.split_once('=') {
            Some((flag, value)) => (flag, Some(Word { raw: value.to_owned(), text: value.to_owned(), expands: word.expands })),
            None => (text, None),
        };
        let contains = |list: &'static [&'static str]| spelled(list, flag);
        given.nothing |= contains(args.nothing).is_some();
        given.checks |= contains(args.checks).is_some();
        given.writes |= contains(args.writes).is_some();
        if let Some(narrowing) = contains(args.narrowing) {
            given.filters.push(narrowing.to_owned());
        }
        let takes = [args.packages, args.filters, args.goals, args.directories, args.valued].iter().any(|list| contains(list).is_some());
        // A flag that is both a value's and a check's (`-c`) is the check's.
        if !takes || contains(args.checks).is_some() || contains(args.writes).is_some() {
            continue;
        }
        if attached.is_none() {
            attached = rest.next().cloned();
        }
        let Some(value) = attached else { continue };
        if contains(args.packages).is_some() {
            given.packages.extend(value.text.split(',').filter(|package| !package.is_empty()).map(str::to_owned));
        } else if let Some(filter) = contains(args.filters) {
            given.filters.push(format!("{filter} {}", value.text));
        } else if contains(args.goals).is_some() {
            given.goals.extend(value.text.split(',').map(str::to_owned));
            // `-t test lint`: every word up to the next flag.
            while let Some(more) = rest.next_if(|more| !more.text.starts_with('-')) {
                given.goals.extend(more.text.split(',').map(str::to_owned));
            }
        } else if contains(args.directories).is_some() {
            given.directory = Some(value);
        }
    }
    given
}
