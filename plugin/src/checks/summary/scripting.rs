//! Ruby, PHP, Perl, Elixir, Bats and Dart.

use super::output::Output;
use super::phrase::Phrase;
use super::tally::Tally;

/// `5 examples, 1 failure, 1 pending`: RSpec, Minitest, test-unit, ExUnit, Bats, Jasmine, Hspec and Crystal.
pub fn counted_failures(output: &Output<'_>) -> Tally {
    const ALL: &[&str] =
        &["example", "examples", "run", "runs", "test", "tests", "spec", "specs", "doctest", "doctests", "property", "properties"];
    const FAILED: &[&str] =
        &["failure", "failures", "error", "errors", "error occurred outside of examples", "errors occurred outside of examples", "invalid"];
    const SKIPPED: &[&str] =
        &["skip", "skips", "skipped", "pending", "pendings", "excluded", "omission", "omissions", "pending spec", "pending specs"];
    const OTHER: &[&str] = &["assertion", "assertions", "notification", "notifications"];
    let mut tally = Tally::default();
    for line in output
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with(|letter: char| letter.is_ascii_digit()) && line.contains(" failure"))
    {
        let words = [ALL, FAILED, SKIPPED, OTHER].concat();
        let Some(phrase) = Phrase::numbers_first(line).and_then(|phrase| phrase.only(&words)) else { continue };
        let Some(all) = phrase.sum(ALL) else { continue };
        let failed = phrase.sum(FAILED);
        let skipped = phrase.sum(SKIPPED);
        tally.count(Some(all.saturating_sub(failed.unwrap_or(0)).saturating_sub(skipped.unwrap_or(0))), failed, skipped);
    }
    tally
}

/// PHPUnit: `OK (5 tests, 10 assertions)`, or `Tests: 5, Assertions: 8, Failures: 1.`
pub fn phpunit(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if let Some(phrase) = line.strip_prefix("OK (").and_then(|rest| rest.strip_suffix(')')).and_then(Phrase::numbers_first)
            && let Some(tests) = phrase.sum(&["test", "tests"])
        {
            tally.count(Some(tests), Some(0), None);
        } else if line.starts_with("Tests: ")
            && line.contains(", Assertions: ")
            && let Some(phrase) = Phrase::names_first(line)
        {
            let failed = phrase.sum(&["Failures", "Errors"]);
            let skipped = phrase.sum(&["Skipped", "Incomplete"]);
            let passed = phrase.sum(&["Tests"]).map(|all| all.saturating_sub(failed.unwrap_or(0)).saturating_sub(skipped.unwrap_or(0)));
            tally.count(passed, failed.or(Some(0)), skipped);
        } else if line == "FAILURES!" || line == "ERRORS!" {
            tally.fail();
        }
    }
    tally
}

/// Pest: `  Tests:    1 failed, 5 passed (10 assertions)`.
pub fn pest(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines().map(str::trim_start) {
        let Some(rest) = line.strip_prefix("Tests:  ").filter(|rest| rest.ends_with(" assertions)") || rest.ends_with(" assertion)"))
        else {
            continue;
        };
        let Some(phrase) = Phrase::numbers_first(rest) else { continue };
        tally.count(phrase.sum(&["passed"]), phrase.sum(&["failed"]), phrase.sum(&["skipped", "todos", "todo", "incomplete", "pending"]));
    }
    tally
}

/// prove: `Result: PASS` and `Files=3, Tests=25, …`.
pub fn prove(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        match line {
            "Result: PASS" => tally.pass(),
            "Result: FAIL" => tally.fail(),
            _ => {}
        }
    }
    tally
}

/// Dart and Flutter: `00:01 +4 -1: Some tests failed.`
pub fn dart(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let Some((progress, words)) = line.split_once(": ") else { continue };
        let failed = match words {
            "All tests passed!" => false,
            "Some tests failed." => true,
            _ => continue,
        };
        let count = |sign: char| progress.split(' ').find_map(|part| part.strip_prefix(sign)?.parse::<u32>().ok());
        if let Some(passed) = count('+') {
            tally.add(Some(passed), Some(count('-').unwrap_or(0)), count('~'));
            tally.settle(failed);
        }
    }
    tally
}
