//! C, C++ and Swift.

use super::output::Output;
use super::phrase::Phrase;
use super::tally::Tally;

/// CTest: `80% tests passed, 1 tests failed out of 5`.
pub fn ctest(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if line == "Errors while running CTest" {
            tally.fail();
        }
        let Some(rest) = line.split_once("% tests passed, ").filter(|(percent, _)| percent.parse::<u32>().is_ok()).map(|(_, rest)| rest)
        else {
            continue;
        };
        let Some((failed, all)) = rest.split_once(" tests failed out of ").or_else(|| rest.split_once(" test failed out of ")) else {
            continue;
        };
        let (Ok(failed), Ok(all)) = (failed.parse::<u32>(), all.parse::<u32>()) else { continue };
        tally.count(Some(all.saturating_sub(failed)), Some(failed), None);
    }
    tally
}

/// GoogleTest: `[  PASSED  ] 4 tests.` and `[  FAILED  ] 1 test, listed below:`.
pub fn googletest(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let number = |text: &str| text.split(' ').next().and_then(|number| number.parse::<u32>().ok());
    for line in output.lines() {
        if let Some(rest) = line.strip_prefix("[  PASSED  ] ").filter(|rest| rest.ends_with(" tests.") || rest.ends_with(" test.")) {
            tally.count(number(rest), None, None);
        } else if let Some(rest) = line.strip_prefix("[  FAILED  ] ").filter(|rest| rest.ends_with(", listed below:")) {
            tally.count(None, number(rest), None);
        } else if let Some(rest) = line.strip_prefix("[  SKIPPED ] ").filter(|rest| rest.ends_with(", listed below:")) {
            tally.add(None, None, number(rest));
        }
    }
    tally
}

/// Catch2 and doctest: `All tests passed (5 assertions in 3 test cases)` or `test cases: 3 | 2 passed | 1 failed`.
pub fn catch(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let line = line.strip_prefix("[doctest] ").unwrap_or(line);
        if let Some(rest) = line.strip_prefix("All tests passed (").and_then(|rest| rest.strip_suffix(')')) {
            let cases = rest.split_once(" in ").and_then(|(_, cases)| cases.split(' ').next()?.parse::<u32>().ok());
            if cases.is_some() {
                tally.count(cases, Some(0), None);
            }
        } else if let Some(rest) = line.strip_prefix("test cases:")
            && let Some((_, counts)) = rest.split_once('|')
            && let Some(phrase) =
                Phrase::numbers_first(counts).and_then(|phrase| phrase.only(&["passed", "failed", "skipped", "failed as expected"]))
        {
            tally.count(phrase.sum(&["passed"]), phrase.sum(&["failed"]), phrase.sum(&["skipped"]));
        }
    }
    tally
}

/// Meson's block: `Ok:  5`, `Fail:  1`, `Timeout:  0`.
pub fn meson(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let (mut passed, mut failed, mut skipped) = (None, None::<u32>, None);
    for line in output.lines() {
        let Some((word, number)) = line.split_once(':') else { continue };
        let Ok(number) = number.trim().parse::<u32>() else { continue };
        match word.trim_end() {
            "Ok" => passed = Some(number),
            "Fail" | "Unexpected Pass" | "Timeout" => failed = Some(failed.unwrap_or(0).saturating_add(number)),
            "Skipped" => skipped = Some(number),
            _ => {}
        }
    }
    if passed.is_some() && failed.is_some() {
        tally.count(passed, failed, skipped);
    }
    tally
}

/// XCTest: `Executed 5 tests, with 1 failure (0 unexpected)`, the last of the nested suites, and Swift Testing's `Test run with 5 tests passed`.
pub fn swift(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let executed = output.lines().rev().find_map(|line| {
        let (all, rest) = line.trim_start().strip_prefix("Executed ")?.split_once(" test")?;
        let counts = rest.strip_prefix("s, with ").or_else(|| rest.strip_prefix(", with "))?;
        let (counts, _) = counts.split_once(" failure")?;
        let (skipped, failed) = match counts.split_once(" and ") {
            Some((skipped, failed)) => (skipped.split(' ').next()?.parse::<u32>().ok(), failed),
            None => (None, counts),
        };
        Some((all.parse::<u32>().ok()?, failed.parse::<u32>().ok()?, skipped))
    });
    let testing = output.lines().filter_map(|line| {
        let (mark, rest) = line.split_once("Test run with ")?;
        if mark.chars().any(|letter| letter.is_ascii() && letter != ' ') {
            return None;
        }
        let (all, rest) = rest.split_once(" test")?;
        let passed = rest.contains(" passed after ");
        (passed || rest.contains(" failed after ")).then(|| Some((all.parse::<u32>().ok()?, passed)))?
    });
    let testing: Vec<(u32, bool)> = testing.collect();
    if let Some((all, failed, skipped)) = executed
        // `swift test` runs XCTest even where every test is Swift Testing's.
        && (all > 0 || testing.is_empty())
    {
        tally.count(Some(all.saturating_sub(failed).saturating_sub(skipped.unwrap_or(0))), Some(failed), skipped);
    }
    for (all, passed) in testing {
        // Issues are counted, not the tests that have them.
        tally.add(passed.then_some(all), passed.then_some(0), None);
        tally.settle(!passed);
    }
    tally
}

/// `Build complete!`
pub fn swift_build(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    if output.lines().any(|line| line == "Build complete!" || (line.starts_with("Build complete! (") && line.ends_with(')'))) {
        tally.pass();
    }
    tally
}

/// `** TEST SUCCEEDED **`
pub fn xcodebuild(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let Some(words) = line.strip_prefix("** ").and_then(|rest| rest.split_once(" **")).map(|(words, _)| words) else { continue };
        match words {
            "TEST SUCCEEDED" | "BUILD SUCCEEDED" | "TEST BUILD SUCCEEDED" | "TEST EXECUTE SUCCEEDED" | "ARCHIVE SUCCEEDED" => tally.pass(),
            "TEST FAILED" | "BUILD FAILED" | "TEST BUILD FAILED" | "TEST EXECUTE FAILED" | "ARCHIVE FAILED" => tally.fail(),
            _ => {}
        }
    }
    tally
}

/// `ninja: build stopped: subcommand failed.`
pub fn ninja(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if line.starts_with("ninja: build stopped: ") {
            tally.fail();
        } else if line == "ninja: no work to do." {
            tally.pass();
        }
    }
    tally
}
