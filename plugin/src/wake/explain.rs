//! Errors of a wake as a person reads them: what is wrong and what to do.

use crate::contract::wake::WakeError;

/// Matches that are named.
const NAMED: usize = 8;

/// One line.
pub fn explain(error: &WakeError) -> String {
    match error {
        WakeError::NoSuchSession(wanted) => {
            format!("No session begins with {wanted:?}. Run `reveille scan` if it was never read here, or give more of its id.")
        }
        WakeError::AmbiguousSession(matches) => {
            let named: Vec<&str> = matches.iter().take(NAMED).map(String::as_str).collect();
            let more = matches.len().saturating_sub(NAMED);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("Several sessions begin so: {}{rest}. Give more of the id.", named.join(", "))
        }
        WakeError::NoSuchRepository(name) => {
            format!(
                "No session of a repository {name:?} is known. Run `reveille scan` to read all transcripts, or give it as owner/name or its remote URL."
            )
        }
        WakeError::BadInput(what) => format!("{}.", what.trim_end_matches('.')),
        WakeError::Other(what) => {
            format!("The wake could not be made: {}. `reveille doctor` looks at the installation.", what.trim_end_matches('.'))
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
}
