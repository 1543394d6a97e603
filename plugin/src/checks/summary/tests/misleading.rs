//! Outputs that look like something else.

use super::check;
use crate::checks::summary::read;

#[test]
fn words_within_a_run_decide_nothing() {
    let log = "error: FAILED to connect, retrying\nERROR 500\n1 failed attempt\n";
    for program in [
        "cargo test",
        "pytest",
        "jest",
        "npm test",
        "make test",
        "go test",
        "gradle test",
        "sh tests/run.sh",
        "node --test",
        "eslint",
        "tsc",
    ] {
        check(program, log, "none");
        check(program, "", "none");
        check(program, "0 failed\n", "none");
    }
    check(
        "cargo test",
        &format!("{log}test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"),
        "passed 1 0 0",
    );
    check("pytest", &format!("{log}tests/test_fails.py::test_fails PASSED [100%]\n==== 1 passed in 0.02s ====\n"), "passed 1 - -");
    check("npm test", &format!("{log}Tests:       3 passed, 3 total\n"), "passed 3 - -");
}

#[test]
fn other_programs_lines_are_not_this_runners() {
    check("cargo test", "==== 1 failed in 0.02s ====\n", "none");
    check("pytest", "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", "none");
    check("tsc", "Found 3 errors.\n", "none");
    check("ruff check", "Tests:       1 failed, 1 total\n", "none");
}

#[test]
fn quoted_summaries_are_not_summaries() {
    check(
        "cargo test",
        "  left: \"test result: FAILED. 0 passed; 1 failed\"\n    test result: FAILED. 0 passed; 1 failed; 0 ignored\n",
        "none",
    );
    check("pytest", "E   assert '1 failed in 0.02s' == ''\n>   ==== 1 failed in 0.02s ====\n==== 3 passed in 0.1s ====\n", "passed 3 - -");
    check("go test", "    a_test.go:3: FAIL\n    --- FAIL: TestInner (0.00s)\nok  \ta\t0.1s\n", "passed");
    check("npm test", "console.log: Tests: 1 failed, 1 total\n      Tests  3 passed (3)\n", "passed 3 - -");
}

#[test]
fn progress_that_was_written_over_is_not_read() {
    check("jest", "Tests:       1 failed, 1 total\rTests:       2 passed, 2 total\r\n", "passed 2 - -");
    check("deno test", "FAILED | 0 passed | 1 failed (1ms)\r\u{1b}[2Kok | 1 passed | 0 failed (1ms)\n", "passed 1 0 -");
}

#[test]
fn anything_can_be_read() {
    for output in [
        "\u{1b}",
        "\u{1b}[",
        "\u{1b}]8;;x",
        "[",
        "[;m",
        "\r\r\r",
        "= in = in ",
        " in 1s",
        "(",
        ")",
        "1 (",
        "Summary [",
        "1..99999999999999999999",
        "ok  \t",
        "Found  ",
        "Ran  in ",
        "\u{2028}é | ok | ",
        "é: é: é:",
        "|",
    ] {
        for program in ["cargo test", "npm test", "", "pytest", "tsc", "go test", "swift test", "cypress run", "dotnet test"] {
            read(program, output);
            read(program, &format!("{output}\n{output}{output}"));
        }
    }
}

#[test]
fn a_long_output_is_read_in_passing() {
    let mut output = "test a::b::c ... ok\n".repeat(50_000);
    output.push_str(&"x".repeat(2_000_000));
    output.push_str(&"[1;".repeat(200_000));
    output.push_str("\u{1b}[0m\ntest result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n");
    check("cargo test", &output, "passed 9 0 0");
}
