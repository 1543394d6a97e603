//! Cargo and its companions.

use super::output::Output;
use super::phrase::Phrase;
use super::tally::Tally;

/// One `test result:` line for each binary that ran.
pub fn cargo_test(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let (mut begun, mut ended) = (0_usize, 0_usize);
    for line in output.lines() {
        if let Some(rest) = line.strip_prefix("test result: ") {
            let (word, counts) = rest.split_once(". ").unwrap_or((rest, ""));
            let counts = counts.split_once("; finished in").map_or(counts, |(counts, _)| counts);
            let phrase = Phrase::numbers_first(counts);
            let sum = |word| phrase.as_ref().and_then(|phrase| phrase.sum(&[word]));
            if word.trim_end_matches('.') != "ok" && word.trim_end_matches('.') != "FAILED" {
                continue;
            }
            ended += 1;
            tally.count(sum("passed"), sum("failed"), sum("ignored"));
            tally.settle(word.starts_with("FAILED"));
        } else if line.strip_prefix("running ").is_some_and(|rest| rest.ends_with(" tests") || rest.ends_with(" test")) {
            begun += 1;
        } else if is_failed_test_run(line) {
            tally.fail();
        }
    }
    if begun > ended {
        tally.doubt();
    }
    tally
}

fn is_failed_test_run(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("error: ") else { return false };
    rest.starts_with("test failed, to rerun pass")
        || rest.starts_with("doctest failed, to rerun pass")
        || rest.starts_with("bench failed, to rerun pass")
        || rest.strip_suffix("failed:").is_some_and(|rest| rest.ends_with("target ") || rest.ends_with("targets "))
        || rest == "test run failed"
}

/// nextest's `Summary` line.
pub fn nextest(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let Some(rest) = line.trim_start().strip_prefix("Summary [") else { continue };
        let Some((_, rest)) = rest.split_once(']') else { continue };
        let Some((_, counts)) = rest.split_once(" run: ") else { continue };
        let Some(phrase) = Phrase::numbers_first(counts) else { continue };
        tally.count(phrase.sum(&["passed"]), phrase.sum(&["failed", "timed out", "exec failed"]), phrase.sum(&["skipped"]));
    }
    tally
}

/// A build's end.
pub fn build(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    if output.lines().any(is_failed_build) {
        tally.fail();
    }
    if output.lines().any(is_finished) {
        tally.pass();
    }
    tally
}

/// A failed build only: that it went well says nothing of the tests. Tests are all built before the first one runs, so a build that fails after results
/// were printed is another command's.
pub fn build_of_tests(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    if output.lines().take_while(|line| !line.starts_with("test result: ")).any(is_failed_build) {
        tally.fail();
    }
    tally
}

fn is_finished(line: &str) -> bool {
    line.trim_start().strip_prefix("Finished ").is_some_and(|rest| rest.contains("target(s) in ") || rest.contains("target(s) ("))
}

fn is_failed_build(line: &str) -> bool {
    line.starts_with("error: could not compile `")
        || line.starts_with("error: could not document `")
        || line.starts_with("error: failed to run custom build command for `")
        || line.starts_with("error: failed to parse manifest at `")
        || line == "error: build failed"
        || line == "warning: build failed, waiting for other jobs to finish..."
}

/// `cargo fmt --check` prints the places that differ and nothing else.
pub fn rustfmt(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let differs = |line: &str| {
        line.strip_prefix("Diff in ").is_some_and(|rest| {
            let place = rest.trim_end_matches(':');
            let number = place.rsplit([':', ' ']).next().unwrap_or_default();
            place.contains(".rs") && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    if output.lines().any(differs) {
        tally.fail();
    }
    tally
}
