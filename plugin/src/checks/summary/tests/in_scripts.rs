//! Scripts whose runner is not named: any runner's lines count.

use super::check;

#[test]
fn a_script_is_read_as_whatever_runs_in_it() {
    check("npm test", "\n> acme@1.0.0 test\n> vitest run\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n", "passed 3 - -");
    check("npm test", "> jest\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n", "failed - 1 -");
    check("make test", "python -m pytest -q\n..F\n1 failed, 2 passed in 0.12s\nmake: *** [Makefile:3: test] Error 1\n", "failed 2 1 -");
    check("sh tests/run.sh", "ok 1 - starts\nok 2 - stops # SKIP no root\n1..2\n", "passed 1 0 1");
    check("npm run build", "> vite build\n\n✓ built in 1.23s\n", "passed");
    check("npm run lint", "> eslint .\n\n✖ 5 problems (3 errors, 2 warnings)\n", "failed");
    check(
        "./build/unit_tests",
        "[==========] 5 tests from 2 test suites ran. (3 ms total)\n[  PASSED  ] 4 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Foo.Bar\n\n 1 FAILED TEST\n",
        "failed 4 1 -",
    );
    check("./unit", "[==========] 5 tests from 2 test suites ran. (3 ms total)\n[  PASSED  ] 5 tests.\n", "passed 5 - -");
    check(
        "./unit",
        "===============================================================================\nAll tests passed (5 assertions in 3 test cases)\n",
        "passed 3 0 -",
    );
    check("./unit", "test cases: 3 | 2 passed | 1 failed\nassertions: 5 | 4 passed | 1 failed\n", "failed 2 1 -");
}

#[test]
fn the_parts_of_a_script_are_added_up_and_any_failure_fails() {
    check(
        "make check",
        "Success: no issues found in 3 source files\n==== 3 passed in 0.02s ====\nok  \texample.com/a\t0.003s\n",
        "passed 3 - -",
    );
    check("make check", "Found 2 errors in 1 file (checked 3 source files)\n==== 3 passed in 0.02s ====\n", "failed 3 - -");
    check("npm test", "Tests:       3 passed, 3 total\nTests:       1 failed, 2 passed, 3 total\n", "failed 5 1 -");
}

#[test]
fn a_build_that_went_well_is_no_passed_test() {
    check("npm test", "✓ built in 1.23s\n> vitest run\n", "none");
    check("make test", "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.33s\n", "none");
    check("npm run check", "All matched files use Prettier code style!\n", "passed");
}

#[test]
fn script_runners_say_when_a_command_failed() {
    check("make test", "make: *** [Makefile:3: test] Error 2\n", "failed");
    check("make", "make: *** No rule to make target 'x'.  Stop.\n", "failed");
    check("make all", "make[1]: *** [Makefile:2: sub] Error 1\nmake: [Makefile:5: all] Error 2 (ignored)\n", "none");
    check("make all", "make[1]: *** [Makefile:2: sub] Error 1\n", "failed");
    check("npm test", "npm ERR! Test failed.  See above for more details.\n", "failed");
    check("pnpm build", "\u{2009}ELIFECYCLE\u{2009} Command failed with exit code 2.\n", "failed");
    check(
        "yarn build",
        "error Command failed with exit code 1.\ninfo Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.\n",
        "failed",
    );
    check("bun run build", "error: script \"build\" exited with code 1\n", "failed");
    check("just test", "error: Recipe `test` failed on line 5 with exit code 101\n", "failed");
    check("task test", "task: Failed to run task \"test\": exit status 1\n", "failed");
    check("turbo test", " Tasks:    3 successful, 3 total\nCached:    0 cached, 3 total\n  Time:    1.2s\n", "passed");
    check("turbo build", " Tasks:    2 successful, 3 total\n Failed:    web#build\n", "failed");
    check("nx test", " NX   Successfully ran target test for 3 projects (2s)\n", "passed");
    check("ninja", "FAILED: a.o\nninja: build stopped: subcommand failed.\n", "failed");
}

#[test]
fn what_task_runners_put_before_each_line_is_left_out() {
    check("npm test", "web:test:  Test Files  1 passed (1)\nweb:test:       Tests  3 passed (3)\n", "passed 3 - -");
    check("pnpm test", "packages/a test:  Test Files  1 failed (1)\npackages/a test:       Tests  1 failed (1)\n", "failed - 1 -");
    check("docker compose up", "app-1  | ====== 3 passed in 0.02s ======\n", "passed 3 - -");
}

#[test]
fn a_plain_line_counts_only_with_both_numbers() {
    check("sh tests/run.sh", "12 passed, 0 failed\n", "passed 12 0 -");
    check("sh tests/run.sh", "Results: 12 passed, 1 failed, 2 skipped\n", "failed 12 1 2");
    check("sh tests/run.sh", "12 passed\n", "none");
    check("node scripts/test.mjs", "=== 3 passed / 1 failed ===\n", "failed 3 1 -");
}

#[test]
fn tap_passes_only_when_the_whole_plan_is_there() {
    check("sh t.sh", "1..3\nok 1\nok 2\n", "none");
    check("sh t.sh", "1..2\nok 1 - a\nnot ok 2 - b # TODO later\n", "passed 1 0 1");
    check("sh t.sh", "1..2\nok 1 - a\nnot ok 2 - b\n", "failed 1 1 -");
    check("sh t.sh", "ok 1 - a\n    not ok 1 - inner\nok 2 - b\n1..2\n", "passed 2 0 -");
    check("sh t.sh", "1..2\nok 1 - a\nBail out! no database\n", "failed");
    check("bats", "1..2\nok 1 a\nnot ok 2 b\n", "failed 1 1 -");
}
