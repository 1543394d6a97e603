//! Each runner called by its own name: passing and failing.

use super::check;

#[test]
fn cargo_test_adds_its_binaries_up() {
    check(
        "cargo test",
        "    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.05s\n     Running unittests src/lib.rs (target/debug/deps/acme-1f2e3d)\n\nrunning 3 tests\n\
         test a::fails_on_empty ... ok\ntest b ... ok\ntest c ... ignored\n\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n   \
         Doc-tests acme\n\nrunning 1 test\ntest src/lib.rs - add (line 5) ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.21s\n\n",
        "passed 3 0 1",
    );
    check(
        "cargo test",
        "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nthread 'b' panicked at src/lib.rs:9:5:\nassertion failed\n\n\nfailures:\n    b\n\n\
         test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\nerror: test failed, to rerun pass `--lib`\n",
        "failed 1 1 0",
    );
}

#[test]
fn cargo_test_fails_when_it_does_not_compile() {
    check(
        "cargo test",
        "error[E0308]: mismatched types\n --> src/lib.rs:3:5\n\nerror: could not compile `acme` (lib test) due to 1 previous error\n",
        "failed",
    );
}

#[test]
fn cargo_test_that_is_cut_within_a_binary_says_nothing() {
    check(
        "cargo test",
        "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\nrunning 9 tests\ntest b ... ok\n",
        "none",
    );
    check("cargo test", "    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.05s\n", "none");
}

#[test]
fn cargo_test_that_is_filtered_by_grep_counts() {
    check(
        "cargo test",
        "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.11s\n",
        "passed 12 0 0",
    );
    check(
        "cargo test",
        "error: test failed, to rerun pass `-p acme --test web`\n\nCaused by:\n  process didn't exit successfully: `/t/web-1` (signal: 6, SIGABRT: process abort signal)\n",
        "failed",
    );
}

#[test]
fn nextest() {
    let line = "────────────\n     Summary [   0.105s] 3 tests run: 3 passed (1 slow), 2 skipped\n";
    check("cargo nextest run", line, "passed 3 - 2");
    check(
        "cargo nextest run",
        "        FAIL [   0.004s] acme tests::b\n     Summary [   0.1s] 3/10 tests run: 2 passed, 1 failed, 7 skipped\nerror: test run failed\n",
        "failed 2 1 7",
    );
    check("cargo nextest run", "     Summary [  60.1s] 2 tests run: 1 passed, 1 timed out, 0 skipped\n", "failed 1 1 0");
}

#[test]
fn cargo_builds() {
    check("cargo build", "   Compiling acme v0.1.0\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.33s\n", "passed");
    check("cargo build", "    Finished dev [unoptimized + debuginfo] target(s) in 0.5s\n", "passed");
    check(
        "cargo clippy",
        "warning: unused variable: `x`\nwarning: `acme` (lib) generated 1 warning\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.20s\n",
        "passed",
    );
    check(
        "cargo clippy",
        "error: unused variable: `x`\n\nerror: could not compile `acme` (lib) due to 1 previous error\nwarning: build failed, waiting for other jobs to finish...\n",
        "failed",
    );
    check("cargo check", "   Compiling error-chain v0.12.4\n", "none");
    check("cargo fmt", "Diff in /work/acme/src/lib.rs:12:\n-fn  a() {}\n+fn a() {}\n", "failed");
    check("cargo fmt", "Diff in /work/acme/src/lib.rs at line 12:\n", "failed");
    check("cargo fmt", "", "none");
}

#[test]
fn pytest() {
    check(
        "pytest",
        "============================= test session starts ==============================\ncollected 3 items\n\ntest_a.py ...                                                            [100%]\n\n============================== 3 passed in 0.02s ===============================\n",
        "passed 3 - -",
    );
    check(
        "pytest",
        "FAILED test_a.py::test_b - assert 1 == 2\n============ 1 failed, 2 passed, 1 skipped, 3 warnings in 65.12s (0:01:05) ============\n",
        "failed 2 1 1",
    );
    check("pytest", "1 failed, 2 passed in 0.12s\n", "failed 2 1 -");
    check(
        "pytest",
        "!!!!!!!! Interrupted: 1 error during collection !!!!!!!!\n=============== 1 error in 0.10s ===============\n",
        "failed - 1 -",
    );
    check("pytest", "============ no tests ran in 0.01s ============\n", "none");
    check(
        "pytest",
        "FAIL Required test coverage of 80% not reached. Total coverage: 71.20%\n====== 3 passed in 0.02s ======\n",
        "failed 3 - -",
    );
    check("pytest", "test_a.py ...F..                    [ 40%]\n", "none");
    check(
        "pytest",
        "\u{1b}[32m======== \u{1b}[32m\u{1b}[1m3 passed\u{1b}[0m, \u{1b}[33m1 warning\u{1b}[0m\u{1b}[32m in 0.02s\u{1b}[0m\u{1b}[32m ========\u{1b}[0m\r\n",
        "passed 3 - -",
    );
}

#[test]
fn unittest() {
    check(
        "unittest",
        "...\n----------------------------------------------------------------------\nRan 3 tests in 0.001s\n\nOK\n",
        "passed 3 0 -",
    );
    check("unittest", "Ran 3 tests in 0.001s\n\nOK (skipped=1)\n", "passed 2 0 1");
    check("unittest", "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n", "failed 2 2 1");
    check("unittest", "FAILED (failures=1)\n", "failed - 1 -");
    check("manage.py test", "Ran 1 test in 0.001s\n\nOK\nDestroying test database for alias 'default'...\n", "passed 1 0 -");
    check("unittest", "OK\n", "none");
}

#[test]
fn tox_and_nox() {
    check(
        "tox",
        "======= 3 passed in 0.02s =======\n  py311: OK (1.20=setup[0.90]+cmd[0.30] seconds)\n  congratulations :) (1.25 seconds)\n",
        "passed 3 - -",
    );
    check(
        "tox",
        "======= 1 failed in 0.02s =======\n  py311: FAIL code 1 (1.20 seconds)\n  evaluation failed :( (1.25 seconds)\n",
        "failed - 1 -",
    );
    check("nox", "nox > Session tests was successful.\n", "passed");
    check("nox", "nox > Session lint was successful.\nnox > Session tests failed.\n", "failed");
}

#[test]
fn jest() {
    check(
        "jest",
        "PASS src/a.test.ts\n\nTest Suites: 2 passed, 2 total\nTests:       1 skipped, 20 passed, 21 total\nSnapshots:   0 total\nTime:        1.2 s\nRan all test suites.\n",
        "passed 20 - 1",
    );
    check(
        "jest",
        "FAIL src/a.test.ts\nTest Suites: 1 failed, 4 passed, 5 total\nTests:       1 failed, 20 passed, 21 total\nSnapshots:   0 total\n",
        "failed 20 1 -",
    );
    check("jest", "Test Suites: 1 failed, 1 passed, 2 total\nTests:       5 passed, 5 total\n", "failed 5 - -");
    check(
        "jest",
        "Test Suites: 1 passed, 1 total\nTests:       5 passed, 5 total\nJest: \"global\" coverage threshold for statements (80%) not met: 70%\n",
        "failed 5 - -",
    );
    check("jest", "No tests found, exiting with code 1\n", "failed");
}

#[test]
fn vitest() {
    check(
        "vitest",
        " ✓ src/a.test.ts (3 tests) 2ms\n\n Test Files  1 passed (1)\n      Tests  3 passed | 1 skipped (4)\n   Start at  10:00:00\n   Duration  210ms\n",
        "passed 3 - 1",
    );
    check("vitest", " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 5 passed (6)\n", "failed 5 1 -");
    check("vitest", " Test Files  1 failed (1)\n      Tests  no tests\n", "failed");
    check("vitest", " Test Files  1 passed (1)\n      Tests  3 passed (3)\n     Errors  1 error\n", "failed 3 - -");
    check(
        "vitest",
        "[2m Test Files [22m [1m[32m1 passed[39m[22m[90m (1)[39m\n[2m      Tests [22m [1m[32m3 passed[39m[22m[90m (3)[39m\n",
        "passed 3 - -",
    );
}

#[test]
fn mocha() {
    check("mocha", "  Array\n    ✔ fails loudly\n\n\n  5 passing (10ms)\n  1 pending\n\n", "passed 5 - 1");
    check("mocha", "  5 passing (1s)\n  2 failing\n\n  1) Array\n       works:\n     AssertionError\n", "failed 5 2 -");
}

#[test]
fn node_test() {
    check(
        "node --test",
        "✔ a (0.5ms)\nℹ tests 5\nℹ suites 0\nℹ pass 4\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 50.1\n",
        "passed 4 0 1",
    );
    check(
        "node --test",
        "TAP version 13\nnot ok 1 - a\n1..1\n# tests 1\n# suites 0\n# pass 0\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 3\n",
        "failed 0 1 -",
    );
    check("node --test", "# pass 3\n# fail 0\n# cancelled 1\n", "failed 3 1 -");
    check("node --test", "ℹ skipped 0\nℹ todo 0\nℹ duration_ms 50.1\n", "none");
    check("tape", "1..3\n# tests 3\n# pass  3\n\n# ok\n", "passed 3 - -");
    check("tape", "1..3\n# tests 3\n# pass  2\n# fail  1\n", "failed 2 1 -");
}

#[test]
fn bun_and_deno() {
    check(
        "bun test",
        "a.test.ts:\n✓ adds [0.10ms]\n\n 5 pass\n 1 skip\n 0 fail\n 12 expect() calls\nRan 6 tests across 2 files. [50.00ms]\n",
        "passed 5 0 1",
    );
    check("bun test", " 5 pass\n 1 fail\n 12 expect() calls\nRan 6 tests across 2 files. [50.00ms]\n", "failed 5 1 -");
    check("deno test", "running 2 tests from ./a_test.ts\nok | 5 passed (2 steps) | 0 failed | 1 ignored (10ms)\n", "passed 5 0 1");
    check("deno test", "FAILED | 4 passed | 1 failed (10ms)\n\nerror: Test failed\n", "failed 4 1 -");
}

#[test]
fn browsers() {
    check(
        "playwright test",
        "Running 6 tests using 2 workers\n\n  1 flaky\n    [chromium] › a.spec.ts:3:1 › x ─────\n  1 skipped\n  5 passed (3.2s)\n",
        "passed 5 - 1",
    );
    check(
        "playwright test",
        "  1 failed\n    [chromium] › a.spec.ts:3:1 › x ─────────\n  2 did not run\n  5 passed (3.2s)\n",
        "failed 5 1 2",
    );
    check(
        "cypress run",
        "  5 passing (2s)\n\n    ✔  All specs passed!                        00:02        5        5        -        -        -  \n",
        "passed 5 0 -",
    );
    check(
        "cypress run",
        "    ✖  1 of 3 failed (33%)                     00:05       10        8        1        1        -  \n",
        "failed 8 1 1",
    );
    check(
        "karma start",
        "Chrome Headless 120.0: Executed 1 of 5 SUCCESS\rChrome Headless 120.0: Executed 5 of 5 SUCCESS (0.1 secs / 0.05 secs)\nTOTAL: 5 SUCCESS\n",
        "passed 5 0 -",
    );
    check("karma start", "Chrome Headless 120.0: Executed 5 of 5 (1 FAILED) (0.1 secs / 0.05 secs)\n", "failed 4 1 -");
    check("ava", "  ✔ a\n  ─\n\n  5 tests passed\n", "passed 5 - -");
    check("ava", "  4 tests passed\n  1 test failed\n", "failed 4 1 -");
}

#[test]
fn go_test() {
    check("go test", "ok  \texample.com/a\t0.003s\n?   \texample.com/b\t[no test files]\nok  \texample.com/c\t(cached)\n", "passed");
    check(
        "go test",
        "--- FAIL: TestB (0.00s)\n    b_test.go:7: want 1\nFAIL\nFAIL\texample.com/b\t0.003s\nok  \texample.com/a\t0.003s\nFAIL\n",
        "failed",
    );
    check(
        "go test",
        "# example.com/b [example.com/b.test]\n./b_test.go:7:2: undefined: foo\nFAIL\texample.com/b [build failed]\nFAIL\n",
        "failed",
    );
    check(
        "go test",
        "=== RUN   TestA\n=== RUN   TestA/sub\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/sub (0.00s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nPASS\nok  \texample.com/a\t0.003s\n",
        "passed 1 0 1",
    );
    check(
        "go test",
        "{\"Action\":\"run\",\"Package\":\"a\",\"Test\":\"TestA\"}\n{\"Action\":\"output\",\"Package\":\"a\",\"Test\":\"TestA\",\"Output\":\"\\\"Action\\\":\\\"fail\\\"\"}\n\
         {\"Action\":\"pass\",\"Package\":\"a\",\"Test\":\"TestA\",\"Elapsed\":0}\n{\"Action\":\"pass\",\"Package\":\"a\",\"Elapsed\":0.003}\n",
        "passed 1 0 0",
    );
    check("go test", "{\"Action\":\"fail\",\"Package\":\"a\",\"Elapsed\":0.003}\n", "failed");
    check("go test", "✓  a (3ms)\n\nDONE 5 tests, 1 skipped in 0.523s\n", "passed 4 0 1");
    check("go test", "DONE 5 tests, 1 failure in 0.523s\n", "failed 4 1 -");
    check("go build", "# example.com/a\n./main.go:3:2: undefined: foo\n", "failed");
    check("go build", "", "none");
    check("golangci-lint run", "0 issues.\n", "passed");
    check("golangci-lint run", "main.go:3:2: unused (unused)\n3 issues:\n* unused: 3\n", "failed");
}

#[test]
fn jvm() {
    check(
        "mvn test",
        "[INFO] Running com.acme.FooTest\n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s -- in com.acme.FooTest\n[INFO] Results:\n[INFO] \n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n[INFO] \n[INFO] BUILD SUCCESS\n",
        "passed 4 0 1",
    );
    check("mvn test", "[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 0\n[INFO] BUILD FAILURE\n", "failed 3 2 0");
    check("mvn verify", "[ERROR] COMPILATION ERROR : \n[INFO] BUILD FAILURE\n", "failed");
    check("gradle test", "> Task :test\n\nBUILD SUCCESSFUL in 3s\n4 actionable tasks: 1 executed, 3 up-to-date\n", "passed");
    check(
        "gradle test",
        "FooTest > a() FAILED\n\n5 tests completed, 1 failed, 1 skipped\n\nFAILURE: Build failed with an exception.\n\nBUILD FAILED in 3s\n",
        "failed 3 1 1",
    );
    check("sbt test", "[info] Passed: Total 5, Failed 0, Errors 0, Passed 5\n[success] Total time: 3 s\n", "passed 5 0 -");
    check("sbt test", "[error] Failed: Total 5, Failed 1, Errors 0, Passed 4\n", "failed 4 1 -");
    check("lein test", "Ran 3 tests containing 5 assertions.\n0 failures, 0 errors.\n", "passed - 0 -");
    check("lein test", "Ran 3 tests containing 5 assertions.\n1 failures, 0 errors.\n", "failed - 1 -");
}

#[test]
fn dotnet() {
    check(
        "dotnet test",
        "Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 20 ms - Acme.Tests.dll (net8.0)\n",
        "passed 5 0 1",
    );
    check(
        "dotnet test",
        "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 20 ms - Acme.Tests.dll (net8.0)\n",
        "failed 4 1 0",
    );
    check(
        "dotnet test",
        "Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s\nBuild failed with 1 error(s) in 2.0s\n",
        "failed 4 1 0",
    );
    check("dotnet test", "Test Run Successful.\nTotal tests: 5\n     Passed: 5\n Total time: 1.2 Seconds\n", "passed 5 - -");
    check("dotnet build", "Build succeeded.\n    0 Warning(s)\n    0 Error(s)\n", "passed");
    check("dotnet build", "Build FAILED.\n\nA.cs(1,1): error CS1002: ; expected\n", "failed");
}

#[test]
fn scripting_languages() {
    check("rspec", "Finished in 0.01 seconds (files took 0.1 seconds to load)\n5 examples, 0 failures, 1 pending\n", "passed 4 0 1");
    check("rspec", "5 examples, 1 failure\n\nFailed examples:\n", "failed 4 1 -");
    check("rspec", "0 examples, 0 failures, 1 error occurred outside of examples\n", "failed 0 1 -");
    check("rails test", "5 runs, 10 assertions, 1 failures, 0 errors, 1 skips\n", "failed 3 1 1");
    check("minitest", "5 runs, 10 assertions, 0 failures, 0 errors, 0 skips\n", "passed 5 0 0");
    check("mix test", "Finished in 0.1 seconds (0.1s async, 0.0s sync)\n3 doctests, 5 tests, 0 failures, 1 excluded\n", "passed 7 0 1");
    check("mix test", "5 tests, 2 failures\n", "failed 3 2 -");
    check("bats", " ✓ a\n\n2 tests, 1 failure\n", "failed 1 1 -");
    check("phpunit", "OK (5 tests, 10 assertions)\n", "passed 5 0 -");
    check("phpunit", "FAILURES!\nTests: 5, Assertions: 8, Failures: 1, Skipped: 1.\n", "failed 3 1 1");
    check("phpunit", "OK, but incomplete, skipped, or risky tests!\nTests: 5, Assertions: 4, Skipped: 1.\n", "passed 4 0 1");
    check("pest", "  Tests:    1 failed, 5 passed (10 assertions)\n  Duration: 0.10s\n", "failed 5 1 -");
    check("pest", "  Tests:    5 passed (10 assertions)\n", "passed 5 - -");
    check("prove", "All tests successful.\nFiles=3, Tests=25,  1 wallclock secs\nResult: PASS\n", "passed");
    check("prove", "Failed 1/3 test programs. 1/25 subtests failed.\nResult: FAIL\n", "failed");
    check("flutter test", "00:01 +5: All tests passed!\n", "passed 5 0 -");
    check("dart test", "00:01 +4 ~1 -1: Some tests failed.\n", "failed 4 1 1");
}

#[test]
fn native() {
    check("ctest", "100% tests passed, 0 tests failed out of 5\n\nTotal Test time (real) =   0.02 sec\n", "passed 5 0 -");
    check(
        "ctest",
        "80% tests passed, 1 tests failed out of 5\n\nThe following tests FAILED:\n\t  3 - c (Failed)\nErrors while running CTest\n",
        "failed 4 1 -",
    );
    check(
        "meson test",
        "Ok:                 5   \nExpected Fail:      0   \nFail:               1   \nUnexpected Pass:    0   \nSkipped:            0   \nTimeout:            0   \n",
        "failed 5 1 0",
    );
    check(
        "swift test",
        "Test Suite 'All tests' passed at 2026-01-01.\n\t Executed 5 tests, with 0 failures (0 unexpected) in 0.003 (0.005) seconds\n",
        "passed 5 0 -",
    );
    check(
        "swift test",
        "\t Executed 2 tests, with 1 failure (0 unexpected) in 0.003 (0.005) seconds\nTest Suite 'All tests' failed at 2026-01-01.\n\t Executed 5 tests, with 1 test skipped and 1 failure (0 unexpected) in 0.003 (0.005) seconds\n",
        "failed 3 1 1",
    );
    check(
        "swift test",
        "\t Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.000) seconds\n✔ Test run with 5 tests in 2 suites passed after 0.003 seconds.\n",
        "passed 5 0 -",
    );
    check("swift test", "✘ Test run with 5 tests failed after 0.003 seconds with 1 issue.\n", "failed");
    check("swift build", "[3/3] Linking acme\nBuild complete! (1.21s)\n", "passed");
    check("xcodebuild test", "** TEST FAILED **\n", "failed");
}

#[test]
fn linters() {
    check("tsc", "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n", "failed");
    check("tsc", "src/a.ts:3:5 - error TS2322: Type 'string' is not assignable.\n\n\nFound 1 error in src/a.ts:3\n\n", "failed");
    check("tsc", "Found 3 errors in 2 files.\n\nErrors  Files\n", "failed");
    check("tsc", "[10:00:00 AM] File change detected.\nFound 0 errors. Watching for file changes.\n", "passed");
    check("tsc", "", "none");
    check("eslint", "/a.js\n  1:1  error  'x' is not defined  no-undef\n\n✖ 5 problems (3 errors, 2 warnings)\n", "failed");
    check("eslint", "✖ 2 problems (0 errors, 2 warnings)\n", "passed");
    check("eslint", "✖ 2 problems (0 errors, 2 warnings)\n\nESLint found too many warnings (maximum: 0).\n", "failed");
    check("biome check", "Checked 10 files in 5ms. No fixes applied.\n", "passed");
    check(
        "biome check",
        "Checked 10 files in 5ms. No fixes applied.\nFound 2 errors.\ncheck ━━━━━━━━━━\n\n  × Some errors were emitted while running checks.\n",
        "failed",
    );
    check("prettier", "Checking formatting...\nAll matched files use Prettier code style!\n", "passed");
    check(
        "prettier",
        "Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.\n",
        "failed",
    );
    check("oxlint", "Found 2 warnings and 0 errors.\nFinished in 5ms on 3 files with 90 rules using 8 threads.\n", "passed");
    check("oxlint", "Found 0 warnings and 1 error.\n", "failed");
    check("svelte-check", "svelte-check found 0 errors and 2 warnings in 1 file\n", "passed");
    check("ruff check", "All checks passed!\n", "passed");
    check("ruff check", "a.py:1:8: F401 [*] `os` imported but unused\nFound 3 errors.\n[*] 2 fixable with the `--fix` option.\n", "failed");
    check("ruff check", "Found 5 errors (5 fixed, 0 remaining).\n", "passed");
    check("ruff format", "Would reformat: a.py\n1 file would be reformatted, 3 files already formatted\n", "failed");
    check("ruff format", "3 files already formatted\n", "passed");
    check("black", "All done! ✨ 🍰 ✨\n3 files would be left unchanged.\n", "passed");
    check("black", "would reformat a.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted, 2 files would be left unchanged.\n", "failed");
    check("mypy", "Success: no issues found in 3 source files\n", "passed");
    check("mypy", "a.py:1: error: Incompatible types  [assignment]\nFound 2 errors in 1 file (checked 3 source files)\n", "failed");
    check("pyright", "0 errors, 1 warning, 0 informations \n", "passed");
    check("pyright", "2 errors, 1 warning, 0 informations\n", "failed");
    check("flake8", "./a.py:3:80: E501 line too long (88 > 79 characters)\n", "failed");
    check("rubocop", "12 files inspected, no offenses detected\n", "passed");
    check("rubocop", "12 files inspected, 3 offenses detected, 2 offenses autocorrectable\n", "failed");
    check(
        "pre-commit run",
        "trim trailing whitespace.................................................Passed\nblack....................................................................Failed\n",
        "failed",
    );
    check(
        "pre-commit run",
        "trim trailing whitespace.................................................Passed\nruff.................................(no files to check)Skipped\n",
        "passed",
    );
}

#[test]
fn bundlers() {
    check("webpack", "webpack 5.90.0 compiled successfully in 1234 ms\n", "passed");
    check("webpack", "webpack 5.90.0 compiled with 1 warning in 1234 ms\n", "passed");
    check("webpack", "webpack 5.90.0 compiled with 2 errors in 1234 ms\n", "failed");
    check("vite build", "dist/index.html  0.46 kB │ gzip: 0.30 kB\n✓ built in 1.23s\n", "passed");
    check("vite build", "✗ Build failed in 1.23s\nerror during build:\nCould not resolve \"./x\"\n", "failed");
    check(
        "next build",
        " ✓ Compiled successfully\n   Linting and checking validity of types ...\nFailed to compile.\n\n./a.tsx:3:5\nType error: x\n",
        "failed",
    );
    check(
        "next build",
        " ✓ Compiled successfully\nRoute (app)                 Size     First Load JS\n┌ ○ /                       5 kB     89 kB\n",
        "passed",
    );
    check("next build", " ✓ Compiled successfully\n   Linting and checking validity of types ...\n", "none");
}
