//! Errors of a wake as a person reads them: what is wrong and what to do.

use super::budget::cut;
use crate::contract::wake::WakeError;
use crate::transcript::text::fold_line;

/// Matches that are named.
const NAMED: usize = 8;
/// Bytes of what was given that are repeated.
const GIVEN: usize = 120;
/// Bytes of what is wrong with the input.
const WRONG: usize = 600;

/// One line of a bounded length, whatever was given.
pub fn explain(error: &WakeError) -> String {
    let shown = |text: &str, most: usize| cut(fold_line(text).trim_end_matches('.'), most);
    match error {
        WakeError::NoSuchSession(wanted) => {
            let wanted = shown(wanted, GIVEN);
            format!("No session begins with {wanted:?}. Run `reveille scan` if it was never read here, or give more of its id.")
        }
        WakeError::AmbiguousSession(matches) => {
            let named: Vec<String> = matches.iter().take(NAMED).map(|id| shown(id, GIVEN)).collect();
            let more = matches.len().saturating_sub(NAMED);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("Several sessions begin so: {}{rest}. Give more of the id.", named.join(", "))
        }
        WakeError::NoSuchRepository(name) => {
            let name = shown(name, GIVEN);
            format!(
                "No session of a repository {name:?} is known. Run `reveille scan` to read all transcripts, or give it as owner/name or its remote URL."
            )
        }
        WakeError::BadInput(what) => format!("{}.", shown(what, WRONG)),
        WakeError::Other(what) => {
            format!("The wake could not be made: {}. `reveille doctor` looks at the installation.", shown(what, WRONG))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_one_line_that_says_what_to_do() {
        for (error, words) in [
            (WakeError::NoSuchSession("ffff".to_owned()), ["ffff", "reveille scan"]),
            (WakeError::AmbiguousSession((0..20).map(|number| format!("abcd{number}")).collect()), ["abcd0", "12 more"]),
            (WakeError::NoSuchRepository("a/b".to_owned()), ["a/b", "owner/name"]),
            (WakeError::BadInput("a is b".to_owned()), ["a is b.", "a"]),
            (WakeError::Other("x".to_owned()), ["x", "doctor"]),
        ] {
            let line = explain(&error);
            assert!(words.iter().all(|word| line.contains(word)) && line.lines().count() == 1, "{line}");
        }
    }

    #[test]
    fn what_was_given_is_repeated_on_one_line_of_a_bounded_length() {
        let hostile = "x\n\u{1b}[31m\u{202e} ".repeat(2_000);
        for error in [
            WakeError::NoSuchSession(hostile.clone()),
            WakeError::AmbiguousSession(vec![hostile.clone(); 50]),
            WakeError::NoSuchRepository(hostile.clone()),
            WakeError::BadInput(hostile.clone()),
            WakeError::Other(hostile),
        ] {
            let line = explain(&error);
            assert!(line.len() < 1200 && !line.chars().any(char::is_control), "{line}");
        }
    }
}
