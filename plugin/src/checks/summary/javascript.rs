//! JavaScript's test runners.

use super::output::Output;
use super::phrase::{Phrase, is_duration};
use super::tally::Tally;

/// Jest: `Tests:       1 failed, 20 passed, 21 total`, and the same of suites.
pub fn jest(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let is_counted = |rest: &str| rest.trim_end().ends_with(" total");
        if let Some(rest) = line.strip_prefix("Tests:  ")
            && is_counted(rest)
            && let Some(phrase) = Phrase::numbers_first(rest)
        {
            tally.count(phrase.sum(&["passed"]), phrase.sum(&["failed"]), phrase.sum(&["skipped", "todo"]));
        } else if let Some(rest) = line.strip_prefix("Test Suites: ").or_else(|| line.strip_prefix("Snapshots:  "))
            && is_counted(rest)
            && let Some(phrase) = Phrase::numbers_first(rest)
        {
            // A suite that does not load has no tests that fail.
            if phrase.sum(&["failed"]).is_some_and(|failed| failed > 0) {
                tally.fail();
            }
        } else if line == "No tests found, exiting with code 1"
            || (line.starts_with("Jest: ") && line.contains("coverage threshold for ") && line.contains(" not met"))
        {
            tally.fail();
        }
    }
    tally
}

/// Vitest: `      Tests  1 failed | 5 passed (6)`, and the same of files.
pub fn vitest(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines().map(str::trim_start) {
        if let Some(rest) = line.strip_prefix("Tests  ")
            && rest.ends_with(')')
            && let Some(phrase) = Phrase::numbers_first(rest)
        {
            tally.count(phrase.sum(&["passed"]), phrase.sum(&["failed"]), phrase.sum(&["skipped", "todo"]));
        } else if let Some(rest) =
            line.strip_prefix("Test Files  ").or_else(|| line.strip_prefix("Snapshots  ")).or_else(|| line.strip_prefix("Type Errors  "))
        {
            if Phrase::numbers_first(rest).is_some_and(|phrase| phrase.sum(&["failed", "error", "errors"]).is_some_and(|failed| failed > 0))
            {
                tally.fail();
            }
        } else if let Some(rest) = line.strip_prefix("Errors  ") {
            if Phrase::numbers_first(rest)
                .and_then(|phrase| phrase.only(&["error", "errors"])?.sum(&["error", "errors"]))
                .is_some_and(|errors| errors > 0)
            {
                tally.fail();
            }
        } else if line == "No test files found, exiting with code 1"
            || (line.starts_with("ERROR: Coverage for ") && line.contains("does not meet"))
        {
            tally.fail();
        }
    }
    tally
}

/// Mocha: `  5 passing (10ms)`, then pending and failing. Cypress prints each spec so before its own table.
pub fn mocha(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    if cypress(output).speaks() {
        return tally;
    }
    for line in output.lines() {
        let Some((number, word)) = line.trim_start().split_once(' ') else { continue };
        let Ok(number) = number.parse() else { continue };
        if let Some(time) = word.strip_prefix("passing (").and_then(|rest| rest.strip_suffix(')')) {
            if is_duration(time) {
                tally.count(Some(number), None, None);
            }
        } else if word == "failing" && line.starts_with("  ") {
            tally.count(None, Some(number), None);
        } else if word == "pending" && line.starts_with("  ") {
            tally.add(None, None, Some(number));
        }
    }
    tally
}

/// Cypress' table: `✔  All specs passed!` or `✖  1 of 3 failed (33%)`, then time, tests, passing, failing, pending, skipped.
pub fn cypress(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines().map(str::trim_start) {
        let (failed, rest) = if let Some(rest) = line.strip_prefix('✔').and_then(|rest| rest.trim_start().strip_prefix("All specs passed!"))
        {
            (false, rest)
        } else if let Some((_, rest)) =
            line.strip_prefix('✖').and_then(|rest| rest.split_once(" failed (")).filter(|(before, _)| before.contains(" of "))
        {
            (true, rest)
        } else {
            continue;
        };
        let columns: Vec<Option<u32>> = rest.split_whitespace().map(|cell| if cell == "-" { Some(0) } else { cell.parse().ok() }).collect();
        // The last five columns; what stands before them is a time.
        if let [.., Some(_), passing, failing, pending, skipped] = columns.as_slice() {
            let left_out = pending.unwrap_or(0).saturating_add(skipped.unwrap_or(0));
            tally.add(*passing, *failing, Some(left_out).filter(|count| *count > 0));
        }
        tally.settle(failed);
    }
    tally
}

/// Node's runner, tape and tap: `# pass 5` or `ℹ pass 5`, and `fail`, `cancelled`, `skipped`, `todo`.
pub fn node(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let mut fine = false;
    let mut failed = None;
    for line in output.lines() {
        let Some(rest) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ ")) else { continue };
        if rest == "ok" {
            fine = true;
            continue;
        }
        let Some((word, number)) = rest.split_once(' ') else { continue };
        let Ok(number) = number.trim().parse::<u32>() else { continue };
        match word {
            "pass" => {
                tally.add(Some(number), None, None);
                fine |= failed == Some(0);
            }
            "fail" => {
                tally.count(None, Some(number), None);
                failed = Some(number);
            }
            "cancelled" if number > 0 => tally.count(None, Some(number), None),
            "skipped" | "skip" | "todo" => tally.add(None, None, Some(number).filter(|number| *number > 0)),
            _ => {}
        }
    }
    // Tape prints no `fail` when nothing failed, but `ok`.
    if fine {
        tally.pass();
    }
    tally
}

/// Bun: ` 5 pass`, ` 1 fail`, and `Ran 6 tests across 2 files.`
pub fn bun(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let (mut passed, mut failed, mut skipped, mut errors) = (None, None, None, None);
    for line in output.lines() {
        if line.starts_with("Ran ") && line.contains(" test") && line.contains(" across ") && line.contains(" file") {
            if let Some(failed) = failed {
                tally.count(passed, Some(failed), skipped);
            }
            if errors.is_some_and(|errors| errors > 0) {
                tally.fail();
            }
            (passed, failed, skipped, errors) = (None, None, None, None);
        } else if let Some((number, word)) = line.trim_start().split_once(' ')
            && let Ok(number) = number.parse::<u32>()
        {
            match word {
                "pass" => passed = Some(number),
                "fail" => failed = Some(number),
                "skip" => skipped = Some(number),
                "error" | "errors" => errors = Some(number),
                _ => {}
            }
        }
    }
    tally
}

/// Deno: `ok | 5 passed | 0 failed (10ms)`.
pub fn deno(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if line == "error: Test failed" || line == "error: Type checking failed." {
            tally.fail();
        }
        let Some((word, rest)) = line.split_once(" | ") else { continue };
        if !matches!(word, "ok" | "FAILED") {
            continue;
        }
        let Some(phrase) =
            Phrase::numbers_first(rest).and_then(|phrase| phrase.only(&["passed", "failed", "ignored", "measured", "filtered out"]))
        else {
            continue;
        };
        tally.count(phrase.sum(&["passed"]), phrase.sum(&["failed"]), phrase.sum(&["ignored"]));
        tally.settle(word == "FAILED");
    }
    tally
}

/// Playwright: `  1 failed` with its tests below, `  2 flaky`, `  5 passed (3.2s)`.
pub fn playwright(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((number, word)) = line.strip_prefix("  ").and_then(|line| line.split_once(' ')) else { continue };
        let Ok(number) = number.parse::<u32>() else { continue };
        let lists_tests = lines.peek().is_some_and(|next| next.starts_with("    ") && next.contains(" › "));
        match word {
            "failed" | "interrupted" | "timed out" if lists_tests => tally.count(None, Some(number), None),
            "did not run" | "skipped" => tally.add(None, None, Some(number)),
            _ => {
                if let Some(time) = word.strip_prefix("passed (").and_then(|rest| rest.strip_suffix(')'))
                    && is_duration(time)
                {
                    tally.count(Some(number), None, None);
                }
            }
        }
    }
    tally
}

/// AVA: `  5 tests passed`, `  1 test failed`, `  1 uncaught exception`.
pub fn ava(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let Some((number, words)) = line.strip_prefix("  ").and_then(|line| line.split_once(' ')) else { continue };
        let Ok(number) = number.parse::<u32>() else { continue };
        match words {
            "test passed" | "tests passed" => tally.count(Some(number), None, None),
            "test failed" | "tests failed" => tally.count(None, Some(number), None),
            "uncaught exception" | "uncaught exceptions" | "unhandled rejection" | "unhandled rejections" => tally.fail(),
            _ => {}
        }
    }
    tally
}

/// Karma's last `Executed 5 of 5 (1 FAILED)`; each browser writes over its own.
pub fn karma(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let total = output.lines().rev().find_map(|line| {
        let rest = line.strip_prefix("TOTAL: ")?;
        Phrase::numbers_first(rest)?.only(&["SUCCESS", "FAILED"])
    });
    if let Some(total) = total {
        tally.count(total.sum(&["SUCCESS"]), Some(total.sum(&["FAILED"]).unwrap_or(0)), None);
        return tally;
    }
    let last = output.lines().rev().find_map(|line| {
        let (_, rest) = line.split_once(": Executed ").or_else(|| line.strip_prefix("Executed ").map(|rest| ("", rest)))?;
        let (done, rest) = rest.split_once(" of ")?;
        let (all, rest) = rest.split_once(' ')?;
        Some((done.parse::<u32>().ok()?, all.parse::<u32>().ok()?, rest))
    });
    if let Some((done, all, rest)) = last {
        let failed = rest.split_once(" FAILED)").and_then(|(before, _)| before.rsplit_once('(')?.1.parse::<u32>().ok());
        if let Some(failed) = failed {
            tally.count(Some(done.saturating_sub(failed)), Some(failed), None);
        } else if done == all && rest.contains("SUCCESS") {
            tally.count(Some(done), Some(0), None);
        }
    }
    tally
}
