//! What a runner's own closing lines say: passed or failed, and how many.
//!
//! Each family of runners is a file of readers below; [`READERS`] says whose lines each reads. A reader trusts the shape of whole lines, never a
//! word in them: "error" alone decides nothing.

mod general;
mod go;
mod javascript;
mod jvm;
mod lint;
mod native;
mod output;
mod phrase;
mod python;
mod rust;
mod scripting;
mod tally;
mod web;

use crate::contract::types::{Counts, Verdict};

use output::Output;
use tally::Tally;

/// A runner's closing summary.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Passed or failed; never unknown.
    pub verdict: Verdict,
    /// What it counted; a number that was not printed is none.
    pub counts: Option<Counts>,
}

/// What a pass in a reader's words proves of a script that ran more than it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proves {
    /// Tests ran and passed.
    Tests,
    /// A build, a type check or a linter passed: says nothing of tests that the script may have run after it.
    Part,
    /// Nothing failed in all of it.
    All,
}

/// A reader and the programs whose lines it reads.
struct Reader {
    /// The first words of the canonical names; without a word, only scripts of any kind.
    programs: &'static [&'static str],
    proves: Proves,
    read: fn(&Output<'_>) -> Tally,
    /// Whether its lines are unmistakable in the output of any script.
    anywhere: bool,
}

const fn tests(programs: &'static [&'static str], read: fn(&Output<'_>) -> Tally) -> Reader {
    Reader { programs, proves: Proves::Tests, read, anywhere: true }
}
const fn part(programs: &'static [&'static str], read: fn(&Output<'_>) -> Tally) -> Reader {
    Reader { programs, proves: Proves::Part, read, anywhere: true }
}
const fn all(programs: &'static [&'static str], read: fn(&Output<'_>) -> Tally) -> Reader {
    Reader { programs, proves: Proves::All, read, anywhere: true }
}
const fn own(programs: &'static [&'static str], read: fn(&Output<'_>) -> Tally) -> Reader {
    Reader { programs, proves: Proves::Part, read, anywhere: false }
}

const CARGO_BUILDS: &[&str] = &[
    "cargo build",
    "cargo check",
    "cargo clippy",
    "cargo doc",
    "cargo rustdoc",
    "cargo zigbuild",
    "cargo component build",
    "cargo hack check",
    "cargo hack clippy",
    "cargo hack build",
    "cargo tauri build",
    "cargo leptos build",
    "maturin build",
    "maturin develop",
    "wasm-pack build",
];
const CARGO_TESTS: &[&str] = &[
    "cargo test",
    "cargo nextest run",
    "cargo hack test",
    "cargo miri test",
    "cargo insta test",
    "cargo llvm-cov",
    "cargo tarpaulin",
    "cargo careful test",
    "cargo component test",
    "cargo bench",
    "wasm-pack test",
    "trybuild",
];

const READERS: &[Reader] = &[
    tests(CARGO_TESTS, rust::cargo_test),
    tests(CARGO_TESTS, rust::nextest),
    part(CARGO_BUILDS, rust::build),
    part(CARGO_TESTS, rust::build_of_tests),
    part(&["cargo fmt", "rustfmt"], rust::rustfmt),
    tests(&["jest", "react-scripts test"], javascript::jest),
    tests(&["vitest"], javascript::vitest),
    tests(&["cypress run"], javascript::cypress),
    tests(&["mocha"], javascript::mocha),
    tests(&["node --test", "tsx --test", "tap", "tape"], javascript::node),
    tests(&["bun test"], javascript::bun),
    tests(&["deno test"], javascript::deno),
    tests(&["playwright test"], javascript::playwright),
    tests(&["ava"], javascript::ava),
    tests(&["karma start", "ng test"], javascript::karma),
    tests(&["pytest", "ptw", "coverage", "tox", "nox"], python::pytest),
    tests(
        &["unittest", "manage.py test", "django test", "django-admin test", "nose2", "nosetests", "trial", "coverage", "tox", "nox"],
        python::unittest,
    ),
    all(&["tox", "nox"], python::environments),
    tests(&["go test", "ginkgo"], go::test),
    part(&["go test", "go build", "go vet"], go::compiler),
    part(&["golangci-lint run"], go::golangci),
    tests(&["mvn"], jvm::surefire),
    all(&["mvn"], jvm::maven),
    all(&["gradle"], jvm::gradle),
    tests(&["sbt"], jvm::sbt),
    tests(&["lein test"], jvm::clojure),
    tests(&["dotnet test", "dotnet vstest"], jvm::dotnet_test),
    part(&["dotnet build", "dotnet publish", "dotnet pack", "dotnet msbuild", "msbuild"], jvm::dotnet_build),
    part(&["dotnet test"], jvm::dotnet_build_of_tests),
    tests(
        &[
            "rspec",
            "parallel_rspec",
            "minitest",
            "m",
            "mtest",
            "rails test",
            "mix test",
            "mix coveralls",
            "bats",
            "jasmine",
            "crystal spec",
            "cabal test",
            "stack test",
        ],
        scripting::counted_failures,
    ),
    tests(&["phpunit", "simple-phpunit", "paratest", "pest", "artisan test"], scripting::phpunit),
    tests(&["pest", "artisan test"], scripting::pest),
    tests(&["prove"], scripting::prove),
    own(&["bats"], general::tap),
    tests(&["dart test", "flutter test"], scripting::dart),
    tests(&["ctest"], native::ctest),
    tests(&["ctest --verbose"], native::googletest),
    tests(&["meson test"], native::meson),
    tests(&["ctest --verbose"], native::catch),
    tests(&["swift test", "xcodebuild", "tuist test", "fastlane"], native::swift),
    part(&["swift build"], native::swift_build),
    all(&["xcodebuild"], native::xcodebuild),
    tests(&["ninja", "samu"], native::ninja),
    part(&["tsc", "vue-tsc", "tsgo"], lint::tsc),
    part(&["eslint", "eslint_d", "stylelint", "next lint"], lint::eslint),
    part(&["biome"], lint::biome),
    part(&["oxlint"], lint::oxlint),
    part(&["prettier"], lint::prettier),
    part(&["svelte-check"], lint::svelte),
    part(&["ruff"], lint::ruff),
    part(&["mypy", "dmypy run"], lint::mypy),
    part(&["pyright", "basedpyright"], lint::pyright),
    own(&["flake8", "pycodestyle"], lint::flake8),
    part(&["black"], lint::black),
    part(&["rubocop", "standardrb"], lint::rubocop),
    all(&["pre-commit run", "prek run"], lint::pre_commit),
    part(&["webpack"], web::webpack),
    part(&["vite build", "vitepress build", "astro build"], web::vite),
    part(&["next build"], web::next),
    part(&["react-scripts build"], web::react_scripts),
    part(&["ng build"], web::angular),
    all(&["turbo"], web::turbo),
    all(&["nx"], web::nx),
    all(&[], general::script_runners),
];

/// Reads the output of `program` (its canonical name, `cargo test`); none when it has no summary. `output` may hold other commands' lines too.
///
/// | program | read as |
/// |---|---|
/// | a runner of the table | its own lines only |
/// | any other: `npm test`, `make`, `sh tests/run.sh` | every runner's lines; if none speaks, again without the prefixes that task runners put before each line; then TAP and `5 passed, 0 failed` |
///
/// Several summaries of one run are added up, and any failure fails. What a script's parts say passes only what its name promises: a
/// build that went well inside `npm test` is no test.
pub fn read(program: &str, output: &str) -> Option<Summary> {
    let clean = output::clean(output);
    let lines = Output::of(&clean);
    let named = || READERS.iter().filter(|reader| reader.programs.iter().any(|name| begins_with_words(program, name)));
    if named().next().is_some() {
        let mut tally = Tally::default();
        named().for_each(|reader| tally.join((reader.read)(&lines)));
        return tally.summary();
    }
    script(program, &lines).or_else(|| script(program, &lines.without_prefixes()?))
}

fn script(program: &str, lines: &Output<'_>) -> Option<Summary> {
    let partial = promises_no_tests(program);
    let mut tally = Tally::default();
    let mut unproven = Tally::default();
    for reader in READERS.iter().filter(|reader| reader.anywhere) {
        let read = (reader.read)(lines);
        if read.failed() || reader.proves != Proves::Part || partial {
            tally.join(read);
        } else {
            unproven.join(read);
        }
    }
    if !tally.speaks() {
        tally.join(general::tap(lines));
    }
    if !tally.speaks() {
        tally.join(general::plain(lines));
    }
    tally.summary()
}

/// Whether a script's name says that it builds, lints or checks types, so that such a part passing is the whole of it.
fn promises_no_tests(program: &str) -> bool {
    const PARTS: &[&str] = &[
        "build",
        "lint",
        "check",
        "typecheck",
        "types",
        "tsc",
        "format",
        "fmt",
        "compile",
        "verify",
        "validate",
        "bundle",
        "ci",
        "all",
        "clippy",
        "doc",
        "docs",
        "prettier",
        "eslint",
        "type",
        "style",
        "biome",
        "ruff",
        "mypy",
        "black",
    ];
    let words = || program.split(|letter: char| !letter.is_ascii_alphanumeric());
    !words().any(|word| word.starts_with("test") || word.starts_with("spec"))
        && (words().any(|word| PARTS.contains(&word)) || matches!(program, "make" | "just" | "ninja" | "rake" | "task"))
}

fn begins_with_words(program: &str, words: &str) -> bool {
    program.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests;
