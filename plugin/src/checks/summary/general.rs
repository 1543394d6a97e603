//! What programs that run other programs print when one fails, TAP, and the plain line that any script may print.

use super::output::Output;
use super::phrase::Phrase;
use super::tally::Tally;

/// The last words of make, npm, pnpm, yarn, bun, just, task, composer and rake when a command of theirs failed. When all went well they say nothing.
pub fn script_runners(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let mut below = false;
    for line in output.lines() {
        match make(line) {
            Some(Make::Failed) => tally.fail(),
            Some(Make::BelowFailed) => below = true,
            Some(Make::Ignored) => below = false,
            None if is_failed_script(line) => tally.fail(),
            None => {}
        }
    }
    if below {
        tally.fail();
    }
    tally
}

enum Make {
    Failed,
    /// A make that another make started; the outer one may ignore it, and says so then.
    BelowFailed,
    Ignored,
}

fn make(line: &str) -> Option<Make> {
    let rest = ["make", "gmake", "mingw32-make"].iter().find_map(|name| line.strip_prefix(name))?;
    let (level, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once("]: ")?,
        None => ("", rest.strip_prefix(": ")?),
    };
    if rest.starts_with('[') && rest.ends_with(" (ignored)") {
        return Some(Make::Ignored);
    }
    let message = rest.strip_prefix("*** ")?;
    let status = message
        .strip_prefix('[')
        .and_then(|rest| rest.rsplit_once("] "))
        .is_some_and(|(_, status)| status.starts_with("Error ") || !status.contains(' '));
    let stop = message.ends_with(".  Stop.") || message.ends_with(". Stop.");
    (status || stop).then_some(if level.is_empty() { Make::Failed } else { Make::BelowFailed })
}

fn is_failed_script(line: &str) -> bool {
    let number = |text: &str| text.trim_end_matches('.').parse::<u32>().is_ok();
    let code = |prefix: &str| line.strip_prefix(prefix).is_some_and(number);
    line.strip_prefix("npm ERR! ").or_else(|| line.strip_prefix("npm error ")).is_some_and(|rest| {
        rest == "code ELIFECYCLE"
            || rest.starts_with("Test failed.  See above")
            || (rest.starts_with("Lifecycle script `") && rest.contains("` failed with error:"))
    }) || line.trim_start().trim_start_matches('\u{2009}').strip_prefix("ELIFECYCLE").is_some_and(|rest| {
        let rest = rest.trim_start_matches(['\u{2009}', ' ']);
        rest.starts_with("Test failed.") || rest.strip_prefix("Command failed with exit code ").is_some_and(number)
    }) || code("error Command failed with exit code ")
        || line
            .strip_prefix("error: script \"")
            .is_some_and(|rest| rest.split_once("\" exited with code ").is_some_and(|(_, code)| number(code)))
        || line
            .strip_prefix("error: Recipe `")
            .is_some_and(|rest| rest.split_once("` failed ").is_some_and(|(_, rest)| rest.contains("with exit code ")))
        || line.strip_prefix("task: Failed to run task \"").is_some_and(|rest| rest.contains("\": exit status "))
        || line
            .strip_prefix("Script ")
            .is_some_and(|rest| rest.split_once(" event returned with error code ").is_some_and(|(_, code)| number(code)))
        || line == "rake aborted!"
        || line.strip_prefix("ERROR: \"").is_some_and(|rest| rest.split_once("\" exited with ").is_some_and(|(_, code)| number(code)))
}

/// The Test Anything Protocol at its outer level. It passes only when every planned test is there.
pub fn tap(output: &Output<'_>) -> Tally {
    let mut tally = Tally::default();
    let (mut passed, mut failed, mut skipped, mut planned, mut bailed) = (0_u32, 0_u32, 0_u32, None::<u32>, false);
    for line in output.lines() {
        if let Some(plan) = line.strip_prefix("1..") {
            planned = plan
                .split(' ')
                .next()
                .and_then(|plan| plan.parse().ok())
                .map(|plan: u32| plan.saturating_add(planned.unwrap_or(0)))
                .or(planned);
            continue;
        }
        bailed |= line.starts_with("Bail out!");
        let (fails, rest) = match line.strip_prefix("not ok") {
            Some(rest) => (true, rest),
            None => match line.strip_prefix("ok") {
                Some(rest) => (false, rest),
                None => continue,
            },
        };
        let Some(rest) = rest.strip_prefix(' ').filter(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit())) else { continue };
        let directive = rest.rsplit_once(" # ").map(|(_, directive)| directive.to_ascii_lowercase()).unwrap_or_default();
        if directive.starts_with("skip") || directive.starts_with("todo") {
            skipped = skipped.saturating_add(1);
        } else if fails {
            failed = failed.saturating_add(1);
        } else {
            passed = passed.saturating_add(1);
        }
    }
    let all = passed.saturating_add(failed).saturating_add(skipped);
    if planned == Some(all) && all > 0 {
        tally.count(Some(passed), Some(failed), Some(skipped).filter(|skipped| *skipped > 0));
    } else if failed > 0 && (planned.is_some() || all > failed) {
        tally.fail();
    }
    if bailed && (all > 0 || planned.is_some()) {
        tally.fail();
    }
    tally
}

/// `12 passed, 0 failed` alone on a line; `, 1 skipped` may follow and one word with a colon may come first. Both numbers must be there.
pub fn plain(output: &Output<'_>) -> Tally {
    const WORDS: &[&str] = &[
        "passed",
        "failed",
        "skipped",
        "pass",
        "fail",
        "skip",
        "total",
        "tests",
        "ignored",
        "todo",
        "errors",
        "error",
        "tests passed",
        "tests failed",
    ];
    let mut tally = Tally::default();
    for line in output.lines().map(|line| line.trim_start().trim_matches(['=', '-', '*']).trim()) {
        let counts = line
            .split_once(": ")
            .filter(|(word, _)| word.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            .map_or(line, |(_, counts)| counts.trim_start());
        if !counts.starts_with(|letter: char| letter.is_ascii_digit()) {
            continue;
        }
        let Some(phrase) = Phrase::numbers_first(counts).and_then(|phrase| phrase.only(WORDS)) else { continue };
        let passed = phrase.sum(&["passed", "pass", "tests passed"]);
        let failed = phrase.sum(&["failed", "fail", "errors", "error", "tests failed"]);
        if passed.is_some() && failed.is_some() {
            tally.count(passed, failed, phrase.sum(&["skipped", "skip", "ignored", "todo"]));
        }
    }
    tally
}
