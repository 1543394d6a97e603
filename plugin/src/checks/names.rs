//! What the name of a project's own script says that it does.

/// What a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// It verifies something.
    Check,
    /// It rewrites files.
    Write,
    /// It runs something.
    Run,
}

const CHECKS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "unittest",
    "unittests",
    "runtests",
    "runtest",
    "spec",
    "specs",
    "check",
    "checks",
    "lint",
    "linter",
    "typecheck",
    "types",
    "typing",
    "tsc",
    "build",
    "builds",
    "compile",
    "verify",
    "validate",
    "ci",
    "e2e",
    "unit",
    "integration",
    "coverage",
    "cov",
    "smoke",
    "acceptance",
    "regression",
    "pytest",
    "jest",
    "vitest",
    "mocha",
    "cypress",
    "playwright",
    "nextest",
    "doctest",
    "selftest",
    "clippy",
    "eslint",
    "tslint",
    "stylelint",
    "ruff",
    "flake8",
    "pylint",
    "mypy",
    "pyright",
    "phpstan",
    "phpunit",
    "psalm",
    "rubocop",
    "rspec",
    "audit",
    "qa",
    "quality",
    "assemble",
    "all",
    "dist",
    "bundle",
    "vet",
    "analyze",
    "analyse",
    "analysis",
    "checkstyle",
    "ktlint",
    "detekt",
    "swiftlint",
    "golangci",
    "shellcheck",
    "conformance",
    "package",
    "pack",
];
const RUNS: &[&str] = &[
    "start",
    "serve",
    "server",
    "dev",
    "develop",
    "deploy",
    "publish",
    "release",
    "generate",
    "gen",
    "codegen",
    "clean",
    "install",
    "bootstrap",
    "preview",
    "demo",
    "bench",
    "benchmark",
    "profile",
    "update",
    "bless",
    "upgrade",
    "download",
    "fetch",
    "sync",
    "storybook",
    "watch",
    "launch",
    "up",
    "down",
    "docs",
    "db",
    "create",
];
/// Words with which nothing is verified, wherever they stand.
const PREPARES: &[&str] = &["setup", "prepare", "seed", "migrate", "reset", "teardown", "fixtures", "data", "cleanup", "env", "install"];
const FORMATS: &[&str] = &["format", "fmt", "formatting", "prettier", "prettify", "autoformat"];
const FIXES: &[&str] = &["fix", "fixes", "autofix", "write", "autocorrect", "apply"];
const VERIFIES: &[&str] = &["check", "checks", "verify", "ci", "lint", "test", "validate"];

/// What a script's name says.
pub fn says(name: &str) -> Says {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if has(FIXES) {
        return Says::Write;
    }
    if has(FORMATS) {
        return if has(VERIFIES) { Says::Check } else { Says::Write };
    }
    if has(PREPARES) {
        return Says::Run;
    }
    for word in &words {
        if CHECKS.contains(&word.as_str()) {
            return Says::Check;
        }
        if RUNS.contains(&word.as_str()) {
            return Says::Run;
        }
    }
    Says::Run
}

/// What the path of a script says: its name, or that it lies among tests. `relative` is the path below the project.
pub fn path_says(relative: &str) -> Says {
    let (folders, file) = relative.rsplit_once('/').unwrap_or(("", relative));
    let name = file.split_once('.').map_or(file, |(stem, rest)| if stem.is_empty() { rest } else { stem });
    // `a.test.js` has the word behind the first dot.
    let tests = file.split('.').skip(1).any(|part| matches!(part, "test" | "spec"));
    let among_tests = folders.split('/').any(|folder| matches!(folder, "test" | "tests" | "spec" | "specs" | "__tests__" | "e2e"));
    match says(name) {
        Says::Run if tests || (among_tests && !words(name).iter().any(|word| PREPARES.contains(&word.as_str()))) => Says::Check,
        other => other,
    }
}

/// The words of a name, in lower case: cut at signs, at capitals, and before trailing digits.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for character in name.chars().take(200) {
        if !character.is_alphanumeric() || (was_lower && character.is_uppercase()) {
            words.push(std::mem::take(&mut word));
        }
        was_lower = character.is_lowercase();
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    for word in &mut words {
        let trimmed = word.trim_end_matches(|character: char| character.is_ascii_digit()).len();
        if trimmed > 0 && word != "flake8" {
            word.truncate(trimmed);
        }
    }
    words
}
