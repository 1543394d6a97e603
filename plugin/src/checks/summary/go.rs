//! Go.

use super::output::Output;
use super::phrase::Phrase;
use super::tally::Tally;

/// `ok`, `FAIL` and `--- FAIL` lines, the events of `-json`, and gotestsum's last line.
pub fn test(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let mut named = Named::default();
    let mut events = false;
    for line in output.lines() {
        if line.starts_with("ok  \t") || line.starts_with("ok      ") {
            tally.pass();
        } else if is_failed_package(line) || line == "FAIL" || line.starts_with("panic: test timed out after ") {
            tally.fail();
        } else if line.starts_with("--- FAIL: ") {
            named.failed += 1;
            tally.fail();
        } else if line.starts_with("--- PASS: ") {
            named.passed += 1;
        } else if line.starts_with("--- SKIP: ") {
            named.skipped += 1;
        } else if let Some(name) = line.strip_prefix("=== RUN   ") {
            named.run += u32::from(!name.contains('/'));
        } else if line.starts_with('{') && line.contains("\"Action\":\"") {
            // Within a string of the event each quote is escaped, so this is the event's own action.
            let test = line.contains("\"Test\":\"");
            if line.contains("\"Action\":\"fail\"") || line.contains("\"Action\":\"build-fail\"") {
                tally.fail();
                named.failed += u32::from(test);
            } else if line.contains("\"Action\":\"pass\"") {
                named.passed += u32::from(test);
                if !test {
                    tally.pass();
                }
            } else if line.contains("\"Action\":\"skip\"") {
                named.skipped += u32::from(test);
            } else if line.contains("\"Action\":\"run\"") {
                events = true;
                named.run += 1;
            }
        } else if let Some(counts) = line.strip_prefix("DONE ") {
            gotestsum(counts, &mut tally);
        }
    }
    // Only -v and -json name every test; when lines are missing, their number says nothing.
    if named.run > 0 && named.run == named.passed + named.failed + named.skipped {
        tally.add(Some(named.passed), Some(named.failed), Some(named.skipped));
    } else if events && named.run > named.passed + named.failed + named.skipped {
        tally.doubt();
    }
    tally
}

#[derive(Default)]
struct Named {
    run: u32,
    passed: u32,
    failed: u32,
    skipped: u32,
}

fn is_failed_package(line: &str) -> bool {
    line.strip_prefix("FAIL\t").is_some_and(|package| !package.is_empty())
        || (line.starts_with("FAIL ") && (line.ends_with("[build failed]") || line.ends_with("[setup failed]")))
}

fn gotestsum(counts: &str, tally: &mut Tally) {
    let Some((counts, _)) = counts.split_once(" in ") else { return };
    let Some(phrase) = Phrase::numbers_first(counts)
        .and_then(|phrase| phrase.only(&["tests", "test", "failure", "failures", "error", "errors", "skipped"]))
    else {
        return;
    };
    let failed = phrase.sum(&["failure", "failures", "error", "errors"]).unwrap_or(0);
    let skipped = phrase.sum(&["skipped"]);
    let passed = phrase.sum(&["test", "tests"]).map(|all| all.saturating_sub(failed).saturating_sub(skipped.unwrap_or(0)));
    tally.count(passed, Some(failed), skipped);
}

/// The compiler's and vet's complaints: a heading `# package`, then `./file.go:3:5: …`.
pub fn compiler(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let mut heading = false;
    for line in output.lines() {
        if let Some(package) = line.strip_prefix("# ") {
            heading = !package.is_empty() && (!package.contains(' ') || package.contains(" ["));
        } else if heading {
            let place = line.strip_prefix("vet: ").unwrap_or(line);
            let mut parts = place.splitn(4, ':');
            let file = parts.next().is_some_and(|file| file.ends_with(".go") && !file.contains(' '));
            let number = |part: Option<&str>| part.is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
            if file && number(parts.next()) && number(parts.next()) && parts.next().is_some_and(|message| message.starts_with(' ')) {
                tally.fail();
            }
            heading = false;
        }
    }
    tally
}

/// `0 issues.`, or `3 issues:` and the linters' shares.
pub fn golangci(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    for line in output.lines() {
        let Some((number, rest)) = line.split_once(' ') else { continue };
        let Ok(number) = number.parse::<u32>() else { continue };
        if rest == "issues." && number == 0 {
            tally.pass();
        } else if rest == "issues:" && number > 0 {
            tally.fail();
        }
    }
    tally
}
