//! The shim holds no rule and no wording: what a person or a model reads comes from the component.
//!
//! A sentence in the shim's source is the sign of both, so a string of four words and more stands only where it has to: the command line's help, and
//! the failures of the machine that no component is there to word.

use std::path::Path;

use anyhow::Result;

/// Files that hold words: what clap prints, and what is said when the component itself cannot be asked.
const WORDED: &[&str] = &["src/doors/cli.rs", "src/error.rs"];

/// The most words a string elsewhere may have.
const MOST_WORDS: usize = 3;

/// What is wrong with the shim's source.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let folder = root.join("host-shim").join("src");
    let mut violations = Vec::new();
    for (path, text) in super::texts(&folder, ".rs")? {
        if !WORDED.iter().any(|worded| path.ends_with(worded)) {
            violations.extend(
                sentences(&text)
                    .into_iter()
                    .map(|(line, sentence)| format!("{path}:{line}: the shim words nothing, the component does: {sentence:?}")),
            );
        }
    }
    Ok(violations)
}

/// Strings of more than a few words, with their lines; comments, tests, SQL and attributes are not wording.
fn sentences(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let code = line.trim_start();
        if code.starts_with("#[cfg(test)]") {
            break;
        }
        if code.starts_with("//") || code.starts_with("#[") || code.contains("/* sql */") {
            continue;
        }
        let mut parts = code.split('"');
        parts.next();
        while let (Some(string), rest) = (parts.next(), parts.next()) {
            let words = string.split_whitespace().filter(|word| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1).count();
            let sql = string.trim_start().split(' ').next().is_some_and(|word| {
                ["SELECT", "INSERT", "CREATE", "DELETE", "UPDATE", "PRAGMA", "ATTACH", "DROP", "{COLUMNS}"].contains(&word)
            });
            if words > MOST_WORDS && !sql {
                found.push((index + 1, string.to_owned()));
            }
            if rest.is_none() {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_in_the_shim_is_found_with_its_line() {
        let found = sentences("fn f() {\n    say(\"the last check failed and was not re-run\");\n}\n");
        assert_eq!(found, vec![(2, "the last check failed and was not re-run".to_owned())]);
    }

    #[test]
    fn arguments_paths_sql_comments_and_tests_are_no_wording() {
        let source = "// the last check failed and was not re-run\nlet a = [\"rev-parse\", \"--git-dir\"];\nlet b = \"SELECT path FROM file WHERE session = ?\";\n#[cfg(test)]\nlet c = \"a sentence of many words\";\n";
        assert!(sentences(source).is_empty());
    }
}
