//! Commands of a line that was not parsed: split on separators only, in order, with nothing known of how they hang together.

use super::scan::Scan;
use super::{Errexit, Join, Scope, Simple, Step, Word};

/// At most this many words of a command are looked at.
const MAX_WORDS: usize = 200;
/// At most this many bytes of a command are looked at.
const MAX_COMMAND_BYTES: usize = 4096;

/// The commands of the line as steps whose statuses say nothing.
pub fn steps(text: &str, scan: &Scan, most: usize) -> Vec<Step> {
    let mut steps = vec![Step::Nothing];
    let mut from = 0;
    let ends = scan.separators.iter().map(|separator| (separator.at, separator.end)).chain([(text.len(), text.len())]);
    for (at, end) in ends.take(most) {
        let command = text.get(from..at).unwrap_or_default();
        from = end;
        let simple = simple(command);
        if !simple.words.is_empty() {
            steps.push(Step::Enter(Scope::Subshell));
            steps.push(Step::Simple(simple));
            steps.push(Step::Leave);
            steps.push(Step::Join(Join::Function));
            steps.push(Step::Join(Join::Sequence(Errexit::Off)));
        }
    }
    steps.push(Step::Unknown);
    steps.push(Step::Join(Join::Sequence(Errexit::Off)));
    steps
}

fn simple(command: &str) -> Simple {
    let mut end = command.len().min(MAX_COMMAND_BYTES);
    while !command.is_char_boundary(end) {
        end -= 1;
    }
    let mut words = Vec::new();
    let mut assignments = Vec::new();
    for raw in raw_words(command.get(..end).unwrap_or_default()).take(MAX_WORDS) {
        if words.is_empty() {
            if matches!(raw, "if" | "then" | "else" | "elif" | "do" | "while" | "until" | "!" | "time" | "{" | "}" | "fi" | "done") {
                continue;
            }
            if let Some((name, value)) = assignment(raw) {
                assignments.push((name.to_owned(), Word::new(value)));
                continue;
            }
        }
        // Redirections are not told from words here: what follows one is no argument.
        if raw.contains(['<', '>']) {
            break;
        }
        words.push(Word::new(raw));
    }
    Simple { assignments, words, redirects: Vec::new(), input: None }
}

/// `NAME=value` or `NAME+=value`.
pub fn assignment(raw: &str) -> Option<(&str, &str)> {
    let (name, value) = raw.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let starts = name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    (starts && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')).then_some((name, value))
}

fn raw_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let mut quote = None;
        let mut escaped = false;
        let end = rest
            .char_indices()
            .find(|&(_, character)| {
                if std::mem::take(&mut escaped) {
                    return false;
                }
                match (quote, character) {
                    (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                    (Some('\''), _) => {}
                    (_, '\\') => escaped = true,
                    (None, '\'' | '"') => quote = Some(character),
                    (None, _) => return character.is_whitespace(),
                    _ => {}
                }
                false
            })
            .map_or(rest.len(), |(at, _)| at);
        let (word, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(word)
    })
}
