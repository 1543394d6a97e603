//! Bundlers of web pages, and the runners of a workspace's tasks.

use super::output::Output;
use super::tally::Tally;

fn decide(output: &Output<'_>, passed: impl Fn(&str) -> bool, failed: impl Fn(&str) -> bool) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines().map(str::trim_start) {
        if failed(line) {
            tally.fail();
        } else if passed(line) {
            tally.pass();
        }
    }
    tally
}

fn without_mark(line: &str) -> &str {
    line.trim_start_matches(['✓', '✔', '✗', '✖', '×', '⨯', ' '])
}

/// webpack: `webpack 5.90.0 compiled with 2 errors in 900 ms`.
pub fn webpack(output: &Output<'_>) -> Tally {
    let end = |line: &str| {
        let (version, rest) = line.strip_prefix("webpack ")?.split_once(" compiled ")?;
        version.starts_with(|letter: char| letter.is_ascii_digit()).then(|| {
            rest.contains(" errors in ") || rest.contains(" error in ") || rest.contains(" errors and ") || rest.contains(" error and ")
        })
    };
    decide(output, |line| end(line) == Some(false), |line| end(line) == Some(true))
}

/// Vite: `✓ built in 1.23s` or `error during build:`.
pub fn vite(output: &Output<'_>) -> Tally {
    decide(
        output,
        |line| {
            line.starts_with("✓ built in ")
                || line.starts_with("✓ Completed in ")
                || line == "build complete."
                || line.starts_with("[build] Complete!")
        },
        |line| line == "error during build:" || line.starts_with("✗ Build failed in ") || line.starts_with("x Build failed in "),
    )
}

/// Next: its table of routes comes last; compiling well comes before types and pages.
pub fn next(output: &Output<'_>) -> Tally {
    decide(output, is_routes, |line| {
        without_mark(line) == "Failed to compile."
            || line.starts_with("> Build error occurred")
            || line.starts_with("> Export encountered errors on following paths")
    })
}

fn is_routes(line: &str) -> bool {
    line.starts_with("Route (app)")
        || line.starts_with("Route (pages)")
        || line.starts_with("+ First Load JS shared by all")
        || (line.starts_with('○') && line.contains("(Static)") && line.contains("prerendered as static"))
}

/// Create React App: `Compiled successfully.`
pub fn react_scripts(output: &Output<'_>) -> Tally {
    decide(output, |line| line == "Compiled successfully." || line == "Compiled with warnings.", |line| line == "Failed to compile.")
}

/// Angular: `Application bundle generation complete. [1.2 seconds]`.
pub fn angular(output: &Output<'_>) -> Tally {
    decide(
        output,
        |line| line.starts_with("Application bundle generation complete."),
        |line| line.starts_with("Application bundle generation failed."),
    )
}

/// Turborepo: ` Tasks:    3 successful, 3 total`.
pub fn turbo(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines().map(str::trim_start) {
        let Some(rest) = line.strip_prefix("Tasks:  ") else { continue };
        let Some((done, all)) = rest.trim().strip_suffix(" total").and_then(|rest| rest.split_once(" successful, ")) else { continue };
        if let (Ok(done), Ok(all)) = (done.parse::<u32>(), all.parse::<u32>()) {
            tally.settle(done < all);
        }
    }
    tally
}

/// Nx: `Successfully ran target test for 3 projects`, or `Ran target test …` with a list of failed tasks.
pub fn nx(output: &Output<'_>) -> Tally {
    decide(
        output,
        |line| {
            line.trim_start_matches(['>', ' '])
                .strip_prefix("NX")
                .is_some_and(|rest| rest.trim_start().starts_with("Successfully ran target"))
        },
        |line| {
            let words = line.trim_start_matches(['>', ' ']).strip_prefix("NX").map(str::trim_start).unwrap_or_default();
            words.starts_with("Ran target") && words.contains(" failed")
                || words.starts_with("Running target ") && words.ends_with(" failed")
        },
    )
}
