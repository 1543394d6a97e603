//! The table of programs: what each verifies, runs or writes, and how its arguments limit it. Data only; `recognise` reads it.

mod general;
mod javascript;
mod jvm;
mod native;
mod python;
mod scripting;

/// What a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Verifies something.
    Check,
    /// Executes the project's own code.
    Run,
    /// Rewrites files, or checks them when given one of [`Args::checks`].
    Format,
    /// Runs a script of the project by the name that comes next: the name says what it does.
    Script,
    /// Runs every goal it is given: their names say what they do.
    Goals,
    /// Executes the file that comes first: its path says what it does.
    File,
    /// Writes files that cannot be named.
    Write,
    /// None of these.
    Nothing,
}

/// What arguments that are no flags mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Files or filters that it is limited to.
    Targets,
    /// Packages or projects that it is limited to.
    Packages,
    /// Nothing for its scope.
    Ignored,
}

/// How a program's arguments are read. A list entry may name several spellings of one flag: `-t|--testNamePattern`.
#[derive(Clone, Copy, Debug)]
pub struct Args {
    /// What the others mean.
    pub operands: Operands,
    /// Flags whose value is a package.
    pub packages: &'static [&'static str],
    /// Flags whose value limits it.
    pub filters: &'static [&'static str],
    /// Flags without a value that limit it.
    pub narrowing: &'static [&'static str],
    /// Flags whose value is the next argument and says nothing of scope.
    pub valued: &'static [&'static str],
    /// Flags whose value is a goal.
    pub goals: &'static [&'static str],
    /// Flags that set the directory.
    pub directories: &'static [&'static str],
    /// Flags that make a formatter check instead of write.
    pub checks: &'static [&'static str],
    /// Flags that make it write.
    pub writes: &'static [&'static str],
    /// Flags with which it verifies nothing.
    pub nothing: &'static [&'static str],
}

/// Operands are targets, and no flag is special.
pub const TARGETS: Args = Args {
    operands: Operands::Targets,
    packages: &[],
    filters: &[],
    narrowing: &[],
    valued: &[],
    goals: &[],
    directories: &[],
    checks: &[],
    writes: &[],
    nothing: &["--help", "--version"],
};
/// Nothing limits it.
pub const PLAIN: Args = Args { operands: Operands::Ignored, ..TARGETS };
/// A linter: files, and flags that write.
pub const LINT: Args = Args {
    valued: &[
        "-c",
        "--config",
        "--format",
        "-f",
        "--output-format",
        "--ext",
        "--max-warnings",
        "-o",
        "--output-file",
        "--rule",
        "--ignore-path",
        "--cache-location",
        "--select",
        "--ignore",
        "--rcfile",
        "--reporter",
        "--log-level",
        "--parser",
        "--plugin",
        "--resolve-plugins-relative-to",
        "--target-version",
        "--line-length",
    ],
    writes: &["--fix", "--unsafe-fixes", "--write", "--fix-dry-run"],
    ..TARGETS
};
/// A formatter that writes unless told to check.
pub const FORMAT: Args = Args {
    checks: &["--check", "-c", "--list-different", "-l", "--diff", "--dry-run", "--check-only"],
    valued: &["--config", "--ignore-path", "--parser", "--log-level", "--line-length", "--target-version", "--plugin"],
    ..TARGETS
};

/// One program, or one of its subcommands.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The words it is called by.
    pub words: &'static str,
    /// Its canonical name.
    pub name: &'static str,
    /// What it does.
    pub does: Does,
    /// How its arguments are read.
    pub args: Args,
}

const fn row(words: &'static str, does: Does, args: Args) -> Row {
    Row { words, name: words, does, args }
}
const fn check(words: &'static str, args: Args) -> Row {
    row(words, Does::Check, args)
}
const fn run(words: &'static str, args: Args) -> Row {
    row(words, Does::Run, args)
}
const fn write(words: &'static str) -> Row {
    row(words, Does::Write, PLAIN)
}
const fn nothing(words: &'static str) -> Row {
    row(words, Does::Nothing, PLAIN)
}
const fn named(row: Row, name: &'static str) -> Row {
    Row { name, ..row }
}

/// What a program accepts before its subcommand.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The program.
    pub name: &'static str,
    /// Flags whose value is the next argument.
    pub valued: &'static [&'static str],
    /// Flags that set the directory.
    pub directories: &'static [&'static str],
    /// Flags whose value is a package.
    pub packages: &'static [&'static str],
}

const fn tool(
    name: &'static str,
    valued: &'static [&'static str],
    directories: &'static [&'static str],
    packages: &'static [&'static str],
) -> Tool {
    Tool { name, valued, directories, packages }
}

const TABLES: [&[Row]; 6] = [javascript::ROWS, python::ROWS, native::ROWS, jvm::ROWS, scripting::ROWS, general::ROWS];

/// The row of a program with these words after it, the one that says most; how many of the words are its own. A row's word that is a flag is
/// looked for among `flags`.
pub fn find(program: &str, words: &[&str], flags: &[&str]) -> Option<(&'static Row, usize)> {
    let mut best: Option<(&'static Row, usize, usize)> = None;
    for row in TABLES.iter().copied().flatten() {
        let mut own = row.words.split(' ');
        if own.next() != Some(program) {
            continue;
        }
        let (mut matched, mut said) = (0, 0);
        let fits = own.all(|word| {
            said += 1;
            if word.starts_with('-') {
                return flags.contains(&word);
            }
            matched += 1;
            words.get(matched - 1) == Some(&word)
        });
        if fits && best.is_none_or(|(_, _, most)| said > most) {
            best = Some((row, matched, said));
        }
    }
    best.map(|(row, matched, _)| (row, matched))
}

/// Whether the table has a program of this name.
pub fn knows(program: &str) -> bool {
    TABLES.iter().copied().flatten().any(|row| row.words.split(' ').next() == Some(program))
}

/// What a program accepts before its subcommand.
pub fn tool_of(program: &str) -> Tool {
    const NONE: Tool = tool("", &[], &[], &[]);
    [javascript::TOOLS, python::TOOLS, native::TOOLS, jvm::TOOLS, scripting::TOOLS, general::TOOLS]
        .iter()
        .copied()
        .flatten()
        .find(|tool| tool.name == program)
        .copied()
        .unwrap_or(NONE)
}

/// The single spellings of a flag list's entry; the first is canonical.
pub fn spelled(list: &'static [&'static str], flag: &str) -> Option<&'static str> {
    list.iter().find(|entry| entry.split('|').any(|spelling| spelling == flag)).and_then(|entry| entry.split('|').next())
}
