//! Maven, Gradle, sbt, Clojure and .NET.

use super::output::Output;
use super::phrase::Phrase;
use super::tally::Tally;

fn unlevelled(line: &str) -> &str {
    ["[INFO] ", "[ERROR] ", "[WARNING] ", "[info] ", "[error] ", "[warn] ", "[success] "]
        .iter()
        .find_map(|level| line.strip_prefix(level))
        .unwrap_or(line)
}

/// Surefire and Failsafe: `Tests run: 5, Failures: 1, Errors: 0, Skipped: 0`, once a module.
pub fn surefire(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    // Lines of single classes carry a time and come before their module's total.
    for line in
        output.lines().map(|line| unlevelled(line).trim()).filter(|line| line.starts_with("Tests run: ") && !line.contains("Time elapsed"))
    {
        let Some(phrase) =
            Phrase::names_first(line).and_then(|phrase| phrase.only(&["Tests run", "Failures", "Errors", "Skipped", "Flakes"]))
        else {
            continue;
        };
        let failed = phrase.sum(&["Failures", "Errors"]);
        let skipped = phrase.sum(&["Skipped"]);
        let passed = phrase.sum(&["Tests run"]).map(|all| all.saturating_sub(failed.unwrap_or(0)).saturating_sub(skipped.unwrap_or(0)));
        tally.count(passed, failed, skipped);
    }
    tally
}

/// Maven's own end.
pub fn maven(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        match line {
            "[INFO] BUILD SUCCESS" => tally.pass(),
            "[INFO] BUILD FAILURE" | "[ERROR] BUILD FAILURE" => tally.fail(),
            _ => {}
        }
    }
    tally
}

/// Gradle: `BUILD SUCCESSFUL in 3s`, `BUILD FAILED in 3s`, and `5 tests completed, 1 failed` before a failure.
pub fn gradle(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        if line.starts_with("BUILD SUCCESSFUL in ") || line == "BUILD SUCCESSFUL" {
            tally.pass();
        } else if line.starts_with("BUILD FAILED in ") || line == "FAILURE: Build failed with an exception." {
            tally.fail();
        } else if line.contains(" completed, ")
            && let Some(phrase) =
                Phrase::numbers_first(line).and_then(|phrase| phrase.only(&["tests completed", "test completed", "failed", "skipped"]))
        {
            let (failed, skipped) = (phrase.sum(&["failed"]), phrase.sum(&["skipped"]));
            let passed = phrase
                .sum(&["tests completed", "test completed"])
                .map(|all| all.saturating_sub(failed.unwrap_or(0)).saturating_sub(skipped.unwrap_or(0)));
            tally.count(passed, failed, skipped);
        }
    }
    tally
}

/// sbt: `[info] Passed: Total 5, Failed 0, Errors 0, Passed 5`.
pub fn sbt(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let rest = unlevelled(line);
        let Some(counts) = rest.strip_prefix("Passed: ").or_else(|| rest.strip_prefix("Failed: ")).or_else(|| rest.strip_prefix("Error: "))
        else {
            continue;
        };
        let Some(phrase) = Phrase::names_first(counts).filter(|phrase| phrase.sum(&["Total"]).is_some()) else { continue };
        tally.count(phrase.sum(&["Passed"]), phrase.sum(&["Failed", "Errors"]), phrase.sum(&["Skipped", "Ignored"]));
        tally.settle(!rest.starts_with("Passed"));
    }
    tally
}

/// clojure.test: `Ran 3 tests containing 5 assertions.`, then `0 failures, 0 errors.`
pub fn clojure(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let mut ran = false;
    for line in output.lines() {
        if line.starts_with("Ran ") && line.contains(" containing ") && line.ends_with(" assertions.") {
            ran = true;
        } else if ran
            && let Some(phrase) = Phrase::numbers_first(line).and_then(|phrase| phrase.only(&["failures", "failure", "errors", "error"]))
        {
            tally.count(None, phrase.sum(&["failures", "failure", "errors", "error"]), None);
            ran = false;
        }
    }
    tally
}

/// `dotnet test`: one line an assembly, the newer one-line summary, or the older block.
pub fn dotnet_test(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let mut block: Option<bool> = None;
    for line in output.lines() {
        let trimmed = line.trim_start();
        if let Some((word, rest)) = trimmed.split_once("!  - ") {
            let Some((counts, _)) = rest.split_once(", Duration:").filter(|_| matches!(word, "Passed" | "Failed" | "Skipped")) else {
                continue;
            };
            let Some(phrase) = Phrase::names_first(counts) else { continue };
            tally.count(phrase.sum(&["Passed"]), phrase.sum(&["Failed"]), phrase.sum(&["Skipped"]));
            tally.settle(word == "Failed");
        } else if let Some(rest) = trimmed.strip_prefix("Test summary: ") {
            let Some((counts, _)) = rest.split_once(", duration:") else { continue };
            let Some(phrase) = Phrase::names_first(counts) else { continue };
            tally.count(phrase.sum(&["succeeded"]), phrase.sum(&["failed"]), phrase.sum(&["skipped"]));
        } else if matches!(line, "Test Run Successful." | "Test Run Failed." | "Test Run Aborted.") {
            block = Some(line == "Test Run Successful.");
            tally.settle(line != "Test Run Successful.");
        } else if block.is_some()
            && let Some(phrase) = Phrase::names_first(trimmed)
        {
            tally.add(phrase.sum(&["Passed"]), phrase.sum(&["Failed"]), phrase.sum(&["Skipped"]));
        }
    }
    tally
}

/// `Build succeeded.` or `Build FAILED.`, with a time in newer versions.
pub fn dotnet_build(output: &Output<'_>) -> Tally {
    let mut tally = dotnet_build_of_tests(output);
    if output
        .lines()
        .map(str::trim_start)
        .any(|line| line == "Build succeeded." || line.starts_with("Build succeeded in ") || line.starts_with("Build succeeded with "))
    {
        tally.pass();
    }
    tally
}

/// A failed build only.
pub fn dotnet_build_of_tests(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let is_failed = |line: &str| line == "Build FAILED." || (line.starts_with("Build failed with ") && line.contains(" error(s)"));
    if output.lines().map(str::trim_start).any(is_failed) {
        tally.fail();
    }
    tally
}
