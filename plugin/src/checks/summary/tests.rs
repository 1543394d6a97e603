#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]

use super::{Summary, read};
use crate::contract::types::{Counts, Verdict};

mod by_itself;
mod in_scripts;
mod misleading;

/// `passed 5 0 1`: verdict, then passed, failed and skipped; `-` is not printed. `none` is no summary.
#[track_caller]
fn check(program: &str, output: &str, expected: &str) {
    assert_eq!(say(read(program, output)), expected, "{program}:\n{output}");
}

fn say(summary: Option<Summary>) -> String {
    let Some(Summary { verdict, counts }) = summary else { return "none".to_owned() };
    let verdict = if verdict == Verdict::Failed { "failed" } else { "passed" };
    let Some(Counts { passed, failed, skipped }) = counts else { return verdict.to_owned() };
    let number = |count: Option<u32>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
    format!("{verdict} {} {} {}", number(passed), number(failed), number(skipped))
}
