//! Whether a pass of one check says that another would pass.
//!
//! A check covers another when it is the same program, or one that does the other's work; in the same directory or above it; with all of the
//! other's packages; and with no file or filter that the other did not have.

use super::paths;
use crate::contract::types::{Run, RunKind};

/// Programs that do the same work under another name.
const SAME: &[(&str, &str)] = &[
    // nextest runs the same tests; that it leaves documentation's examples out is not worth a blocker that stays.
    ("cargo nextest run", "cargo test"),
    ("cargo careful test", "cargo test"),
    ("cargo llvm-cov nextest", "cargo test"),
    ("cargo llvm-cov", "cargo test"),
    ("parallel_rspec", "rspec"),
    ("simple-phpunit", "phpunit"),
    ("paratest", "phpunit"),
    ("hatch test", "pytest"),
    ("rye test", "pytest"),
    ("tox run", "tox"),
    ("ginkgo", "ginkgo run"),
    ("vue-tsc", "tsc"),
    ("tsgo", "tsc"),
];

/// What one program's pass says of others. Not transitive: every pair is written.
const DOES: &[(&str, &[&str])] = &[
    ("script test", &["jest", "vitest", "mocha", "ava", "tap", "jasmine", "node --test", "tsx --test", "react-scripts test"]),
    ("script build", &["vite build", "next build", "webpack", "rollup", "tsup"]),
    ("script lint", &["eslint", "oxlint", "biome lint", "next lint"]),
    ("script typecheck", &["tsc"]),
    ("cargo build", &["cargo check"]),
    ("cargo clippy", &["cargo check"]),
    ("mvn test", &["mvn compile", "mvn test-compile", "mvn validate"]),
    ("mvn package", &["mvn test", "mvn compile", "mvn test-compile"]),
    ("mvn verify", &["mvn package", "mvn integration-test", "mvn test", "mvn compile", "mvn test-compile"]),
    ("mvn install", &["mvn verify", "mvn package", "mvn integration-test", "mvn test", "mvn compile", "mvn test-compile"]),
    ("gradle test", &["gradle compileJava", "gradle compileTestJava", "gradle compileKotlin", "gradle compileTestKotlin"]),
    ("gradle check", &["gradle test", "gradle compileJava", "gradle compileTestJava", "gradle compileKotlin", "gradle compileTestKotlin"]),
    (
        "gradle build",
        &[
            "gradle check",
            "gradle test",
            "gradle assemble",
            "gradle compileJava",
            "gradle compileTestJava",
            "gradle compileKotlin",
            "gradle compileTestKotlin",
        ],
    ),
    ("dotnet test", &["dotnet build"]),
    ("swift test", &["swift build"]),
    ("rake spec", &["rspec"]),
    ("rake test", &["rails test"]),
    ("rails test:all", &["rails test", "rails test:system"]),
    ("composer test", &["phpunit", "pest"]),
];

/// A program's name for comparing: package managers run the same scripts.
fn family(program: &str) -> String {
    let script = ["npm run ", "bun run ", "pnpm ", "yarn ", "npm "].iter().find_map(|manager| program.strip_prefix(manager));
    if let Some(script) = script {
        return format!("script {script}");
    }
    SAME.iter().find(|(name, _)| *name == program).map_or(program, |(_, same)| same).to_owned()
}

/// A run with what comparing it needs.
#[derive(Clone, Debug)]
pub struct Compared<'a> {
    /// The run.
    pub run: &'a Run,
    family: String,
    files: Vec<&'a str>,
    filters: Vec<(&'a str, &'a str)>,
}

impl<'a> Compared<'a> {
    /// Prepares a run.
    pub fn new(run: &'a Run) -> Self {
        let (filters, files): (Vec<&str>, Vec<&str>) =
            run.targets.iter().map(String::as_str).partition(|target| target.starts_with('-') || is_assignment(target));
        let filters = filters.into_iter().map(|filter| filter.split_once([' ', '=']).unwrap_or((filter, ""))).collect();
        Self { run, family: family(&run.program), files, filters }
    }

    /// Whether both are the same check, or the same run.
    pub fn is_same(&self, other: &Self) -> bool {
        let (own, others) = (self.run, other.run);
        let same = own.kind == others.kind
            && self.family == other.family
            && own.directory == others.directory
            && own.packages == others.packages
            && own.targets == others.targets;
        same && (own.kind == RunKind::Check || own.command == others.command)
    }

    /// Whether this one's pass resolves the other's failure.
    pub fn resolves(&self, failed: &Self) -> bool {
        if self.is_same(failed) {
            return true;
        }
        if self.run.kind != RunKind::Check || failed.run.kind != RunKind::Check {
            return false;
        }
        let does = DOES.iter().any(|(wide, others)| *wide == self.family && others.contains(&failed.family.as_str()));
        if self.family != failed.family && !does {
            return false;
        }
        let (Some(own), Some(other)) = (&self.run.directory, &failed.run.directory) else {
            return self.run.directory == failed.run.directory && self.covers_scope(failed, "");
        };
        paths::below(own, other).is_some_and(|below| self.covers_scope(failed, below))
    }

    /// `below` is where the other ran as seen from here.
    fn covers_scope(&self, other: &Self, below: &str) -> bool {
        let packages = self.run.packages.is_empty()
            || (!other.run.packages.is_empty()
                && other.run.packages.iter().all(|package| {
                    let seen = seen(below, package.strip_prefix("./").unwrap_or(package));
                    self.run.packages.iter().any(|own| own == package || package_covers(own.strip_prefix("./").unwrap_or(own), &seen))
                }));
        let files = self.files.is_empty()
            || if other.files.is_empty() {
                !below.is_empty() && self.files.iter().any(|own| file_covers(own, below))
            } else {
                other.files.iter().all(|file| {
                    let seen = seen(below, file);
                    self.files.iter().any(|own| file_covers(own, &seen))
                })
            };
        // A filter narrows: whoever has one covers only those that have it too.
        let filters = self.filters.iter().all(|(flag, _)| {
            let mut same = other.filters.iter().filter(|(others, _)| others == flag).peekable();
            same.peek().is_some() && same.all(|filter| self.filters.contains(filter))
        });
        packages && files && filters
    }
}

fn is_assignment(target: &str) -> bool {
    target.split_once('=').is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
}

fn seen(below: &str, path: &str) -> String {
    match (below, path) {
        ("", path) => path.to_owned(),
        (below, ".") => below.to_owned(),
        (below, path) => format!("{below}/{path}"),
    }
}

/// `pkg/...` covers `pkg` and all below it.
fn package_covers(own: &str, other: &str) -> bool {
    if own == other {
        return true;
    }
    own.strip_suffix("/...").or(own.strip_suffix("...")).is_some_and(|tree| {
        let other = other.strip_suffix("/...").unwrap_or(other);
        other == tree || other.strip_prefix(tree).is_some_and(|rest| rest.starts_with(['/', ':']))
    })
}

/// A folder covers its files, a file its parts: `a.py::test`, `a_spec.rb:12`.
fn file_covers(own: &str, other: &str) -> bool {
    own == other || other.strip_prefix(own).is_some_and(|rest| rest.starts_with(['/', ':', '#', '[']) || own.ends_with('/'))
}
