//! Python's test runners.

use super::output::Output;
use super::phrase::{Phrase, is_duration};
use super::tally::Tally;

/// pytest: `=== 1 failed, 2 passed in 0.12s ===`, without the frame under `-q`.
pub fn pytest(output: &Output<'_>) -> Tally {
    const WORDS: &[&str] = &[
        "passed",
        "failed",
        "error",
        "errors",
        "skipped",
        "deselected",
        "xfailed",
        "xpassed",
        "warning",
        "warnings",
        "rerun",
        "reruns",
        "subtests passed",
        "subtest passed",
        "subtests failed",
        "subtest failed",
        "subtests skipped",
    ];
    let mut tally = Tally::default();
    for line in output.lines() {
        if (line.starts_with("FAIL Required test coverage of ") && line.contains("not reached"))
            || (line.starts_with("ERROR: Coverage failure: total of ") && line.contains("less than fail-under"))
            || (line.starts_with("Coverage failure: total of ") && line.contains("less than fail-under"))
        {
            tally.fail();
            continue;
        }
        let Some((counts, time)) = line.trim_matches('=').trim().rsplit_once(" in ") else { continue };
        if !is_duration(time.split_once(" (").map_or(time, |(time, _)| time)) {
            continue;
        }
        let Some(phrase) = Phrase::numbers_first(counts).and_then(|phrase| phrase.only(WORDS)) else { continue };
        let passed = phrase.sum(&["passed", "xpassed"]);
        let failed = phrase.sum(&["failed", "error", "errors", "subtests failed", "subtest failed"]);
        // Only warnings or deselected tests: nothing ran, which is neither.
        if passed.is_some() || failed.is_some() || phrase.sum(&["skipped", "xfailed"]).is_some() {
            tally.count(passed, failed, phrase.sum(&["skipped", "xfailed"]));
        }
    }
    tally
}

/// unittest: `Ran 5 tests in 0.003s`, then `OK` or `FAILED (failures=1)`.
pub fn unittest(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let mut ran: Option<u32> = None;
    for line in output.lines().filter(|line| !line.is_empty()) {
        let number = line.strip_prefix("Ran ").and_then(|rest| {
            let (number, rest) = rest.split_once(' ')?;
            let (_, time) = rest.split_once(" in ").filter(|(word, _)| matches!(*word, "test" | "tests"))?;
            is_duration(time).then(|| number.parse().ok()).flatten()
        });
        if number.is_some() {
            ran = number;
            continue;
        }
        let detail = |word: &str| line.strip_prefix(word).and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')'));
        let of = |detail: &str, words: &[&str]| {
            let mut found = detail.split(", ").filter_map(|part| part.split_once('=')).filter(|(word, _)| words.contains(word));
            let first = found.next().and_then(|(_, number)| number.parse::<u32>().ok())?;
            Some(found.filter_map(|(_, number)| number.parse().ok()).fold(first, u32::saturating_add))
        };
        if let Some(failed) = detail("FAILED").and_then(|detail| of(detail, &["failures", "errors", "unexpected successes"])) {
            let skipped = detail("FAILED").and_then(|detail| of(detail, &["skipped", "SKIP"]));
            tally.count(ran.map(|ran| ran.saturating_sub(failed).saturating_sub(skipped.unwrap_or(0))), Some(failed), skipped);
        } else if line == "OK" || detail("OK").is_some_and(|detail| detail.contains('=')) {
            // Alone, the word says nothing.
            if let Some(ran) = ran {
                let skipped = detail("OK").and_then(|detail| of(detail, &["skipped", "SKIP"]));
                tally.count(Some(ran.saturating_sub(skipped.unwrap_or(0))), Some(0), skipped);
            }
        }
        ran = None;
    }
    tally
}

/// tox: `congratulations :)` or `evaluation failed :(`; nox: `Session tests was successful.`
pub fn environments(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("congratulations :)") {
            tally.pass();
        } else if trimmed.starts_with("evaluation failed :(") || (line.starts_with("ERROR:   ") && line.ends_with(": commands failed")) {
            tally.fail();
        } else if let Some(rest) = line.strip_prefix("nox > Session ") {
            if rest.ends_with(" was successful.") || rest.contains(" was successful in ") {
                tally.pass();
            } else if rest.ends_with(" failed.") {
                tally.fail();
            }
        }
    }
    tally
}
