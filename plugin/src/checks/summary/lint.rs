//! Type checkers, linters and formatters. They count problems, not tests: their numbers decide and are not kept.

use super::output::Output;
use super::phrase::Phrase;
use super::tally::Tally;

/// TypeScript: `Found 3 errors in 2 files.`, or, where the output is no terminal, only `src/a.ts(3,5): error TS2322: …`.
pub fn tsc(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if let Some(number) = found(line, &["error", "errors"]).filter(|_| is_tsc_end(line)) {
            tally.settle(number > 0);
        } else if is_tsc_diagnostic(line) {
            tally.fail();
        }
    }
    tally
}

fn is_tsc_end(line: &str) -> bool {
    let rest = line.split_once(" error").map_or("", |(_, rest)| rest.trim_start_matches('s'));
    rest.starts_with(". Watching for file changes") || rest.starts_with(" in the same file") || is_place(rest)
}

fn is_place(rest: &str) -> bool {
    let Some(place) = rest.strip_prefix(" in ") else { return false };
    let files = place.split_once(' ').is_some_and(|(number, word)| number.parse::<u32>().is_ok() && matches!(word, "files." | "file."));
    let file = place.rsplit_once(':').is_some_and(|(file, number)| file.contains(".") && number.trim_end().parse::<u32>().is_ok());
    files || file
}

fn is_tsc_diagnostic(line: &str) -> bool {
    let code = |rest: &str| rest.split_once(':').is_some_and(|(code, _)| code.len() >= 4 && code.bytes().all(|byte| byte.is_ascii_digit()));
    if line.strip_prefix("error TS").is_some_and(code) {
        return true;
    }
    let Some((place, rest)) = line.split_once(": error TS").or_else(|| line.split_once(" - error TS")) else { return false };
    let place =
        place.strip_suffix(')').map_or(place, |place| place.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ','));
    let is_file = place.contains('.') && !place.starts_with(char::is_whitespace) && !place.contains(": ");
    is_file && code(rest)
}

/// `Found 3 errors` and what follows; none when the line says something else.
fn found(line: &str, words: &[&str]) -> Option<u32> {
    let rest = line.strip_prefix("Found ")?;
    let (number, rest) = rest.split_once(' ')?;
    let word = rest.split([' ', '.', ',']).next()?;
    words.contains(&word).then(|| number.parse().ok()).flatten()
}

/// ESLint and Stylelint: `✖ 5 problems (3 errors, 2 warnings)`.
pub fn eslint(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if line.starts_with("ESLint found too many warnings (maximum: ") {
            tally.fail();
        } else if line.trim_start().trim_start_matches(['✔', '✓', ' ']) == "No ESLint warnings or errors" {
            tally.pass();
        }
        let rest = line.strip_prefix("✖ ").or_else(|| line.strip_prefix("⚠ ")).unwrap_or(line);
        let Some((_, counts)) = rest.split_once(" problems (").or_else(|| rest.split_once(" problem (")) else { continue };
        let Some(phrase) = counts.strip_suffix(')').and_then(Phrase::numbers_first) else { continue };
        if let Some(phrase) = phrase.only(&["error", "errors", "warning", "warnings"]) {
            tally.settle(phrase.sum(&["error", "errors"]).unwrap_or(0) > 0);
        }
    }
    tally
}

/// Biome: `Checked 10 files in 5ms. No fixes applied.`, then `Found 2 errors.`
pub fn biome(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let mut checked = false;
    for line in output.lines() {
        if let Some(rest) = line.strip_prefix("Checked ") {
            let mut words = rest.split(' ');
            if words.next().is_some_and(|number| number.parse::<u32>().is_ok())
                && words.next().is_some_and(|word| word.starts_with("file"))
                && rest.contains(" in ")
            {
                checked = true;
                tally.pass();
            }
        } else if line.ends_with("Some errors were emitted while running checks.")
            || (checked && line.ends_with('.') && found(line, &["error", "errors"]).is_some_and(|number| number > 0))
        {
            tally.fail();
        }
    }
    tally
}

/// Oxlint: `Found 0 warnings and 0 errors.`
pub fn oxlint(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let Some(rest) = line.strip_prefix("Found ").and_then(|rest| rest.strip_suffix('.')) else { continue };
        let Some((warnings, errors)) = rest.split_once(" and ") else { continue };
        let errors = Phrase::numbers_first(errors).and_then(|phrase| phrase.only(&["error", "errors"])?.sum(&["error", "errors"]));
        if let Some(errors) = errors.filter(|_| warnings.ends_with(" warnings") || warnings.ends_with(" warning")) {
            tally.settle(errors > 0);
        }
    }
    tally
}

/// Prettier: `All matched files use Prettier code style!`
pub fn prettier(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if line == "All matched files use Prettier code style!" {
            tally.pass();
        } else if line.starts_with("[warn] Code style issues found in ")
            || line.starts_with("[warn] Code style issues fou")
            || line.starts_with("[error] Error occurred when checking code style in ")
            || line.starts_with("Error occurred when checking code style in ")
        {
            tally.fail();
        }
    }
    tally
}

/// `svelte-check found 3 errors and 0 warnings in 2 files`
pub fn svelte(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let Some(number) = line.strip_prefix("svelte-check found ").and_then(|rest| rest.split_once(" error")?.0.parse::<u32>().ok())
        else {
            continue;
        };
        tally.settle(number > 0);
    }
    tally
}

/// Ruff: `All checks passed!`, `Found 3 errors.`, `2 files would be reformatted`.
pub fn ruff(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if line == "All checks passed!" {
            tally.pass();
        } else if let Some(number) = found(line, &["error", "errors"]) {
            let rest = line.split_once(" error").map_or("", |(_, rest)| rest.trim_start_matches('s'));
            if rest == "." {
                tally.settle(number > 0);
            } else if let Some(fixed) = rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(").")) {
                let phrase = Phrase::numbers_first(fixed);
                if let Some(remaining) = phrase.and_then(|phrase| phrase.sum(&["remaining"])) {
                    tally.settle(remaining > 0);
                }
            }
        } else {
            formatted(line, &mut tally);
        }
    }
    tally
}

/// Black, in the same words as Ruff's formatter: `1 file would be reformatted, 2 files would be left unchanged.`
pub fn black(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    output.lines().for_each(|line| formatted(line, &mut tally));
    tally
}

fn formatted(line: &str, tally: &mut Tally) {
    const BAD: &[&str] = &[
        "file would be reformatted",
        "files would be reformatted",
        "file would fail to reformat",
        "files would fail to reformat",
        "file failed to reformat",
        "files failed to reformat",
    ];
    const GOOD: &[&str] = &[
        "file already formatted",
        "files already formatted",
        "file would be left unchanged",
        "files would be left unchanged",
        "file left unchanged",
        "files left unchanged",
        "file reformatted",
        "files reformatted",
    ];
    if !line.starts_with(|letter: char| letter.is_ascii_digit()) {
        return;
    }
    if let Some(phrase) = Phrase::numbers_first(line).and_then(|phrase| phrase.only(&[BAD, GOOD].concat())) {
        tally.settle(phrase.sum(BAD).is_some_and(|bad| bad > 0));
    }
}

/// mypy: `Success: no issues found in 3 source files` or `Found 2 errors in 1 file (checked 3 source files)`.
pub fn mypy(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if line.starts_with("Success: no issues found in ") {
            tally.pass();
        } else if let Some(number) = found(line, &["error", "errors"])
            && (line.contains(" (checked ") || line.ends_with("(errors prevented further checking)"))
        {
            tally.settle(number > 0);
        }
    }
    tally
}

/// Pyright: `2 errors, 1 warning, 0 informations`.
pub fn pyright(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines().filter(|line| line.contains(" error") && line.contains(" warning")) {
        let phrase = Phrase::numbers_first(line)
            .and_then(|phrase| phrase.only(&["error", "errors", "warning", "warnings", "information", "informations", "note", "notes"]));
        if let Some(errors) = phrase.and_then(|phrase| phrase.sum(&["error", "errors"])) {
            tally.settle(errors > 0);
        }
    }
    tally
}

/// flake8 prints each finding and no summary: `a.py:3:80: E501 line too long`.
pub fn flake8(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let is_finding = |line: &str| {
        let Some((place, message)) = line.split_once(": ") else { return false };
        let Some((file, _)) = place.rsplit_once(':').filter(|(_, column)| column.parse::<u32>().is_ok()) else { return false };
        let row = file.rsplit_once(':').is_some_and(|(_, row)| row.parse::<u32>().is_ok());
        let code = message.split(' ').next().unwrap_or_default();
        let digits = code.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
        row && digits.len() >= 3 && digits.len() < code.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if output.lines().any(is_finding) {
        tally.fail();
    }
    tally
}

/// RuboCop: `12 files inspected, 3 offenses detected, 3 offenses corrected`.
pub fn rubocop(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let Some((_, rest)) = line.split_once(" inspected, ").filter(|(files, _)| files.ends_with(" file") || files.ends_with(" files"))
        else {
            continue;
        };
        if rest.starts_with("no offenses detected") {
            tally.pass();
        } else if let Some(phrase) = Phrase::numbers_first(rest)
            && let Some(detected) = phrase.sum(&["offense detected", "offenses detected"])
        {
            tally.settle(detected > phrase.sum(&["offense corrected", "offenses corrected"]).unwrap_or(0));
        }
    }
    tally
}

/// pre-commit: `trim trailing whitespace.................Passed`, one line a hook.
pub fn pre_commit(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let Some((name, word)) = line.rsplit_once("...").or_else(|| line.rsplit_once("..")) else { continue };
        let word = word.trim_start_matches('.');
        let word = if word.starts_with('(') { word.split_once(')').map_or(word, |(_, word)| word) } else { word };
        if name.is_empty() || name.starts_with(char::is_whitespace) || !name.contains("..") {
            continue;
        }
        match word {
            "Passed" => tally.pass(),
            "Failed" => tally.fail(),
            _ => {}
        }
    }
    tally
}
