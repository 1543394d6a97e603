//! What a simple command without its wrappers is: a check, a run, a write, or none of them. By program and subcommand, never by substring.

use super::CustomCheck;
use super::arguments::{self, Given};
use super::names::{self, Says};
use super::paths;
use super::programs::{self, Args, Does, Operands, Row};
use super::shell::Word;
use crate::contract::types::RunKind;

/// A check or run that a command makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Check or run.
    pub kind: RunKind,
    /// Its canonical name.
    pub program: String,
    /// The directory that a flag names.
    pub directory: Option<Word>,
    /// Packages, sorted.
    pub packages: Vec<String>,
    /// Files and filters, sorted.
    pub targets: Vec<String>,
}

/// What a command is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recognised {
    /// Checks and runs, which must all pass for the command to pass.
    pub found: Vec<Found>,
    /// Whether it writes files that cannot be named.
    pub writes: bool,
}

/// Times that a command may hand on to another one: `yarn jest`, `python -m pytest`.
const MAX_HOPS: usize = 4;

/// What the words of a command are, seen from `directory`.
pub fn recognise(words: &[Word], directory: Option<&str>, custom: &[CustomCheck]) -> Recognised {
    if let Some(found) = by_option(words, custom) {
        return Recognised { found: vec![found], writes: false };
    }
    let mut packages = Vec::new();
    let mut words = words.to_vec();
    for _ in 0..MAX_HOPS {
        match step(&words, directory, &mut packages) {
            Hop::Done(mut recognised) => {
                for found in &mut recognised.found {
                    found.packages.extend(packages.iter().cloned());
                    found.packages.sort();
                    found.packages.dedup();
                }
                return recognised;
            }
            Hop::Again(next) => words = next,
        }
    }
    Recognised::default()
}

enum Hop {
    Done(Recognised),
    Again(Vec<Word>),
}

fn by_option(words: &[Word], custom: &[CustomCheck]) -> Option<Found> {
    let check = custom
        .iter()
        .filter(|check| !check.words.is_empty() && check.words.len() <= words.len())
        .find(|check| check.words.iter().zip(words).all(|(own, word)| *own == word.text))?;
    let given = arguments::read(words.get(check.words.len()..).unwrap_or_default(), &programs::TARGETS);
    Some(found(RunKind::Check, check.words.join(" "), &programs::TARGETS, given))
}

fn step(words: &[Word], directory: Option<&str>, packages: &mut Vec<String>) -> Hop {
    let nothing = Hop::Done(Recognised::default());
    let Some((first, arguments)) = words.split_first() else { return nothing };
    let program = match program(first, directory) {
        Program::Known(name) => name,
        Program::Script(path) => return Hop::Done(script_file(&path, arguments)),
        Program::Unknown => return nothing,
    };
    let Some((before, at)) = subcommand(&program, arguments) else { return nothing };
    if program == "python"
        && let Some(next) = python_module(arguments)
    {
        return next;
    }
    if program == "yarn"
        && let Some(next) = yarn_workspace(first, arguments, packages)
    {
        return next;
    }
    let operands: Vec<&str> = at.iter().filter_map(|index| arguments.get(*index)).map(|word| word.text.as_str()).collect();
    let flags: Vec<&str> = before_operands(arguments, &at);
    let Some((row, own)) = programs::find(&program, &operands, &flags) else { return nothing };
    packages.extend(before.packages);
    let rest_from = own.checked_sub(1).and_then(|last| at.get(last)).map_or(0, |index| index + 1);
    let rest = arguments.get(rest_from..).unwrap_or_default();
    let mut given = arguments::read(rest, &row.args);
    // Flags before the subcommand count as well: `mvn -pl x test` has none, `npm --prefix web test` has.
    given.directory = given.directory.or(before.directory);
    given.nothing |= arguments.iter().take(rest_from).any(|word| matches!(word.text.as_str(), "--help" | "--version"));
    if given.nothing {
        return nothing;
    }
    let recognised = match row.does {
        Does::Nothing => Recognised::default(),
        Does::Write => Recognised { found: Vec::new(), writes: true },
        Does::Check => {
            let writes = given.writes;
            let program = std::iter::once(row.name).chain(given.goals.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
            Recognised { found: vec![found(RunKind::Check, program, &row.args, given)], writes }
        }
        Does::Run => Recognised { found: vec![found(RunKind::Run, row.name.to_owned(), &row.args, given)], writes: false },
        Does::Format => format(row, given),
        Does::Goals => goals(row, given),
        Does::Script => return script(row, rest, given, directory),
        Does::File => file(row, rest, directory),
    };
    Hop::Done(recognised)
}

enum Program {
    Known(String),
    Script(String),
    Unknown,
}

/// A program's name without its folder, version and extension, or the project's script that it is.
fn program(word: &Word, directory: Option<&str>) -> Program {
    let path = word.text.as_str();
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = [".exe", ".cmd", ".bat"].iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(name);
    let name = unversioned(name);
    let Some((folder, _)) = path.rsplit_once('/') else {
        // `uv run x.py`: what started it knows the interpreter.
        if name.ends_with(".py") && !programs::knows(name) {
            return Program::Script(name.to_owned());
        }
        return if programs::knows(name) { Program::Known(name.to_owned()) } else { Program::Unknown };
    };
    let installed = path.starts_with('/') || folder == "bin" || folder.ends_with("/bin") || folder.ends_with("/.bin");
    let wrapper = matches!(name, "gradlew" | "mvnw" | "manage.py" | "artisan" | "setup.py");
    if (installed || wrapper) && programs::knows(name) {
        return Program::Known(name.to_owned());
    }
    if folder.ends_with(".bin") || folder.contains("venv/") || folder.contains("node_modules/") {
        return Program::Unknown;
    }
    match relative(path, directory) {
        Some(path) if !word.text.starts_with('~') => Program::Script(path),
        _ => Program::Unknown,
    }
}

/// `python3.12` is `python`, `clang-18` is `clang`, `pip3` is `pip`.
fn unversioned(name: &str) -> &str {
    let trimmed = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.' || character == '-');
    match trimmed {
        "python" | "pip" | "ruby" | "php" | "clang" | "gcc" | "g++" | "clang++" | "pypy" | "lua" | "clang-tidy" | "clang-format"
        | "node" | "pytest" => trimmed,
        _ => name,
    }
}

/// A path below the directory, shortened; none when it is absolute and elsewhere.
fn relative(path: &str, directory: Option<&str>) -> Option<String> {
    if !path.starts_with('/') {
        return Some(paths::shortened(path));
    }
    let path = paths::shortened(path);
    paths::below(directory?, &path).map(str::to_owned)
}

/// What stands before the subcommand, and where the operands are.
fn subcommand(program: &str, arguments: &[Word]) -> Option<(Given, Vec<usize>)> {
    let tool = programs::tool_of(program);
    let mut before = Given::default();
    let mut at = Vec::new();
    let mut rest = arguments.iter().enumerate();
    while let Some((index, word)) = rest.next() {
        let text = word.text.as_str();
        if !text.starts_with('-') && !text.starts_with('+') {
            at.push(index);
            if at.len() == 3 {
                break;
            }
            continue;
        }
        let (flag, attached) = text.split_once('=').map_or((text, None), |(flag, value)| (flag, Some(value)));
        let takes = [tool.valued, tool.directories, tool.packages].iter().any(|list| list.contains(&flag));
        if !takes {
            continue;
        }
        let value = match attached {
            Some(value) => Word { raw: value.to_owned(), text: value.to_owned(), expands: word.expands },
            None => rest.next()?.1.clone(),
        };
        if !at.is_empty() {
            // Behind the subcommand the row reads it.
            continue;
        }
        if tool.directories.contains(&flag) {
            before.directory = Some(value);
        } else if tool.packages.contains(&flag) {
            before.packages.push(value.text);
        }
    }
    Some((before, at))
}

fn before_operands<'a>(arguments: &'a [Word], at: &[usize]) -> Vec<&'a str> {
    let end = at.first().copied().unwrap_or(arguments.len());
    arguments.iter().take(end).map(|word| word.text.as_str()).filter(|text| text.starts_with('-')).collect()
}

/// `python -m x …` is `x …`.
fn python_module(arguments: &[Word]) -> Option<Hop> {
    let mut skipped = 0;
    for word in arguments {
        match word.text.as_str() {
            "-m" => break,
            text if text.starts_with('-') && text != "-c" && text != "-" => skipped += 1,
            _ => return None,
        }
    }
    let rest = arguments.get(skipped + 1..).filter(|rest| !rest.is_empty())?;
    let (module, behind) = rest.split_first()?;
    let name = module.text.as_str();
    const LIBRARY: &[&str] = &[
        "http.server",
        "json.tool",
        "venv",
        "timeit",
        "pdb",
        "ensurepip",
        "site",
        "this",
        "zipfile",
        "tarfile",
        "base64",
        "calendar",
        "ast",
        "dis",
        "tokenize",
        "sysconfig",
    ];
    if programs::knows(name) {
        return Some(Hop::Again(rest.to_vec()));
    }
    if LIBRARY.contains(&name) {
        return Some(Hop::Done(Recognised::default()));
    }
    let given = arguments::read(behind, &programs::TARGETS);
    let kind = match names::path_says(&name.replace('.', "/")) {
        Says::Check => RunKind::Check,
        _ => RunKind::Run,
    };
    Some(Hop::Done(Recognised { found: vec![found(kind, format!("python -m {name}"), &programs::TARGETS, given)], writes: false }))
}

/// `yarn workspace web test` is `yarn test` limited to web; `yarn workspaces run test` is all of them.
fn yarn_workspace(first: &Word, arguments: &[Word], packages: &mut Vec<String>) -> Option<Hop> {
    let texts: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    let rest = match texts.as_slice() {
        ["workspace", package, _, ..] => {
            packages.push((*package).to_owned());
            arguments.get(2..)?
        }
        ["workspaces", "run", _, ..] => arguments.get(2..)?,
        ["workspaces", "foreach", ..] => {
            let skipped = texts.iter().skip(2).take_while(|text| text.starts_with('-')).count();
            arguments.get(2 + skipped..)?
        }
        _ => return None,
    };
    Some(Hop::Again(std::iter::once(first.clone()).chain(rest.iter().cloned()).collect()))
}

fn found(kind: RunKind, program: String, args: &Args, given: Given) -> Found {
    let mut packages = given.packages;
    let mut targets = given.filters;
    match args.operands {
        Operands::Targets => targets.extend(given.operands.iter().map(|operand| target(operand))),
        // `./...` and `.` with everything below it are everything.
        Operands::Packages if given.operands.iter().any(|operand| matches!(operand.as_str(), "./..." | "..." | "//..." | "::" | "all")) => {
        }
        Operands::Packages => packages.extend(given.operands.iter().map(|operand| target(operand))),
        Operands::Ignored => {}
    }
    if program.starts_with("go ") && kind == RunKind::Check && given.operands.is_empty() {
        packages.push(".".to_owned());
    }
    targets.retain(|target| target != ".");
    packages.sort();
    packages.dedup();
    targets.sort();
    targets.dedup();
    Found { kind, program, directory: given.directory, packages, targets }
}

/// A file or filter in the one spelling that is compared.
fn target(operand: &str) -> String {
    let trimmed = operand.strip_prefix("./").unwrap_or(operand);
    let trimmed = if trimmed.len() > 1 { trimmed.trim_end_matches('/') } else { trimmed };
    if trimmed.is_empty() { ".".to_owned() } else { trimmed.to_owned() }
}

fn format(row: &Row, given: Given) -> Recognised {
    if given.checks {
        return Recognised { found: vec![found(RunKind::Check, row.name.to_owned(), &row.args, given)], writes: false };
    }
    Recognised { found: Vec::new(), writes: row.args.writes.is_empty() || given.writes }
}

fn one(says: Says, program: String, args: &Args, given: Given) -> Recognised {
    match says {
        Says::Write => Recognised { found: Vec::new(), writes: true },
        Says::Check => {
            let writes = given.writes;
            Recognised { found: vec![found(RunKind::Check, program, args, given)], writes }
        }
        Says::Run => Recognised { found: vec![found(RunKind::Run, program, args, given)], writes: false },
    }
}

/// A script that the project names: `npm run x`, `just x`, `hatch run x`, or a program that its package manager finds.
fn script(row: &Row, rest: &[Word], mut given: Given, directory: Option<&str>) -> Hop {
    let manager = row.words.split(' ').next().unwrap_or_default();
    let Some(name) = given.take_operand() else {
        let installs = row.words == "yarn";
        return Hop::Done(Recognised { found: Vec::new(), writes: installs });
    };
    let at = rest.iter().position(|word| word.text == name).unwrap_or_default();
    let finds_programs = matches!(manager, "yarn" | "pnpm" | "bun" | "pdm" | "rye" | "hatch");
    let has_name_of_own = matches!(names::says(&name), Says::Check) && matches!(name.as_str(), "build" | "test" | "check" | "lint");
    if finds_programs && !has_name_of_own && programs::knows(&name) {
        return Hop::Again(rest.get(at..).unwrap_or_default().to_vec());
    }
    if manager == "bun"
        && (name.contains('/')
            || name.rsplit_once('.').is_some_and(|(_, extension)| matches!(extension, "ts" | "js" | "tsx" | "mjs" | "jsx" | "mts")))
    {
        return Hop::Done(file(row, rest.get(at..).unwrap_or_default(), directory));
    }
    if manager == "hatch"
        && let Some((_, script)) = name.split_once(':')
        && programs::knows(script)
    {
        let mut words = vec![Word::new(script)];
        words.extend(rest.iter().skip(at + 1).cloned());
        return Hop::Again(words);
    }
    let program = match (row.name, name.as_str()) {
        ("npm run" | "npm run-script" | "npm rum", "test" | "start") => format!("npm {name}"),
        ("npm run-script" | "npm rum", _) => format!("npm run {name}"),
        ("yarn run" | "pnpm run" | "composer run" | "composer run-script", _) => format!("{manager} {name}"),
        ("bun", _) => format!("bun run {name}"),
        (own, _) => format!("{own} {name}"),
    };
    Hop::Done(one(names::says(&name), program, &row.args, given))
}

/// Goals of a build tool, each on its own; those that verify nothing are passed over when another does.
fn goals(row: &Row, mut given: Given) -> Recognised {
    let tool = row.name.split(' ').next().unwrap_or_default();
    let mut names: Vec<String> = std::mem::take(&mut given.goals);
    let nx = tool == "nx";
    if !nx || names.is_empty() {
        names.extend(std::mem::take(&mut given.operands));
    }
    given.operands.clear();
    if row.words == "nx affected" {
        given.filters.push("--affected".to_owned());
    }
    let assignments: Vec<String> = names.iter().filter(|name| name.contains('=')).cloned().collect();
    names.retain(|name| !name.contains('='));
    given.filters.extend(assignments.into_iter().filter(|assignment| narrows(assignment)));
    if names.is_empty() {
        let alone = matches!(tool, "make" | "rake" | "gulp" | "grunt" | "ant" | "doit" | "mage");
        return if alone { one(Says::Check, row.name.to_owned(), &row.args, given) } else { Recognised::default() };
    }
    let mut recognised = Recognised::default();
    let mut runs: Vec<String> = Vec::new();
    for name in &names {
        let goal = goal(tool, name);
        let mut given = given.clone();
        given.packages.extend(goal.package);
        given.filters.extend(goal.target);
        match goal.says {
            Some(Says::Check) => {
                let program = match tool {
                    "run-s" | "run-p" | "npm-run-all" => format!("npm run {}", goal.name),
                    "nx" | "turbo" => format!("{tool} {}", goal.name),
                    _ => format!("{} {}", row.name, goal.name),
                };
                let mut found = found(RunKind::Check, program, &programs::PLAIN, given);
                found.targets.sort();
                recognised.found.push(found);
            }
            Some(Says::Write) => recognised.writes = true,
            Some(Says::Run) => runs.push(goal.name),
            None => {}
        }
    }
    if recognised.found.is_empty() && !runs.is_empty() {
        recognised.found.push(found(RunKind::Run, format!("{} {}", row.name, runs.join(" ")), &programs::PLAIN, given));
    }
    recognised
}

/// Whether a variable given to make limits what is tested.
fn narrows(assignment: &str) -> bool {
    let name = assignment.split('=').next().unwrap_or_default().to_ascii_lowercase();
    name.split('_').any(|word| {
        matches!(word, "test" | "tests" | "filter" | "pkg" | "package" | "spec" | "only" | "run" | "file" | "files" | "k" | "t" | "target")
    })
}

struct Goal {
    name: String,
    says: Option<Says>,
    package: Option<String>,
    target: Option<String>,
}

fn goal(tool: &str, written: &str) -> Goal {
    let (mut name, mut package, mut target) = (written.to_owned(), None, None);
    match tool {
        "gradle" => {
            if let Some((project, task)) = written.rsplit_once(':') {
                package = Some(project.trim_start_matches(':').to_owned()).filter(|project| !project.is_empty());
                name = task.to_owned();
            }
        }
        "nx" | "moon" => {
            if let Some((project, task)) = written.split_once(':') {
                package = Some(project.to_owned()).filter(|project| !project.is_empty());
                name = task.to_owned();
            }
        }
        "mill" => {
            if let Some((project, task)) = written.rsplit_once('.') {
                package = Some(project.to_owned());
                name = task.to_owned();
            }
        }
        "sbt" => {
            let (task, rest) = written.split_once(' ').map_or((written, None), |(task, rest)| (task, Some(rest.trim().to_owned())));
            target = rest;
            name = task.to_owned();
            if let Some((project, task)) = task.rsplit_once('/') {
                package = Some(project.to_owned());
                name = task.to_owned();
            }
        }
        "earthly" => name = written.trim_start_matches('+').to_owned(),
        _ => {}
    }
    let idle =
        matches!(name.as_str(), "clean" | "help" | "tasks" | "dependencies" | "projects" | "properties" | "wrapper" | "tools" | "list");
    let says = match tool {
        "mvn" => match name.as_str() {
            "validate" | "compile" | "test-compile" | "test" | "package" | "verify" | "install" | "integration-test" | "site" => {
                Some(Says::Check)
            }
            _ if !name.contains(':') => None,
            _ => match names::says(&name) {
                Says::Run if name.ends_with(":run") || name.ends_with(":java") || name.ends_with(":exec") || name.ends_with(":dev") => {
                    Some(Says::Run)
                }
                Says::Run => None,
                other => Some(other),
            },
        },
        "gradle" | "sbt" | "turbo" | "mill" if idle => None,
        _ => Some(names::says(&name)),
    };
    Goal { name, says, package, target }
}

/// A file given to an interpreter.
fn file(row: &Row, rest: &[Word], directory: Option<&str>) -> Recognised {
    let tool = programs::tool_of(row.words.split(' ').next().unwrap_or_default());
    let mut words = rest.iter().enumerate();
    while let Some((index, word)) = words.next() {
        let text = word.text.as_str();
        match text {
            "-c" | "-e" | "-p" | "--eval" | "--print" | "-" | "-r" if !tool.valued.contains(&text) => return Recognised::default(),
            _ if tool.valued.contains(&text) => {
                words.next();
            }
            _ if text.starts_with('-') => {}
            _ => {
                let arguments = rest.get(index + 1..).unwrap_or_default();
                let Some(path) = relative(text, directory) else {
                    // A script elsewhere is not known to be the project's.
                    return Recognised::default();
                };
                let name = path.rsplit('/').next().unwrap_or(&path);
                if matches!(name, "manage.py" | "artisan" | "setup.py") {
                    let mut words = vec![Word::new(name)];
                    words.extend(arguments.iter().cloned());
                    return recognise(&words, directory, &[]);
                }
                return match names::path_says(&path) {
                    Says::Run if !has_check_operand(arguments) => {
                        let mut given = Given::default();
                        given.operands.push(path);
                        Recognised { found: vec![found(RunKind::Run, row.name.to_owned(), &row.args, given)], writes: false }
                    }
                    _ => script_file(&path, arguments),
                };
            }
        }
    }
    Recognised::default()
}

/// `./x.py test`: a script that is told what to do.
fn has_check_operand(arguments: &[Word]) -> bool {
    arguments.first().is_some_and(|word| is_plain_name(&word.text) && names::says(&word.text) == Says::Check)
}

fn is_plain_name(text: &str) -> bool {
    text.len() <= 40
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | ':'))
}

/// A project's script, by its path.
fn script_file(path: &str, arguments: &[Word]) -> Recognised {
    let mut given = arguments::read(arguments, &programs::TARGETS);
    if given.nothing {
        return Recognised::default();
    }
    let says = names::path_says(path);
    if says == Says::Run {
        if has_check_operand(arguments)
            && let Some(name) = given.take_operand()
        {
            return one(Says::Check, format!("{path} {name}"), &programs::TARGETS, given);
        }
        given.operands.clear();
    }
    one(says, path.to_owned(), &programs::TARGETS, given)
}
