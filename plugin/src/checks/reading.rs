//! A command line read: its checks and runs with what its status says of each, and what else it does.

use super::flow::{Builder, Ends, Op, Outcomes, possible};
use super::recognise::{Found, recognise};
use super::shell::{self, Join, Options, Redirect, Scope, Simple, Step, Word};
use super::wrappers::{self, Inner};
use super::{CustomCheck, Flow, Invocation, Parse, Reading, StatusOf, git, paths, writes};

/// Command lines within command lines: `bash -c 'bash -c …'`.
const MAX_NESTED: usize = 4;
/// Checks and runs of one line.
const MAX_INVOCATIONS: usize = 64;
/// Words of one command that are looked at.
const MAX_WORDS: usize = 1000;
/// Files that one line writes.
const MAX_WRITES: usize = 256;
/// A command as shown, in bytes.
const MAX_SHOWN: usize = 400;

/// Reads a shell command line as run in `cwd`.
pub fn read(command: &str, cwd: Option<&str>, custom: &[CustomCheck]) -> Reading {
    let mut reader = Reader {
        custom,
        cwd: cwd.map(str::to_owned),
        directory: cwd.filter(|cwd| cwd.starts_with('/')).map(paths::shortened),
        previous: None,
        scopes: Vec::new(),
        background: 0,
        variables: Vec::new(),
        builder: Builder::default(),
        reading: Reading {
            invocations: Vec::new(),
            writes: Vec::new(),
            commits: false,
            asked_commit: None,
            publishes: Vec::new(),
            parse: Parse::Exact,
            flow: Flow::default(),
        },
    };
    reader.script(command, Options::default(), 0);
    let mut reading = reader.reading;
    let flow = reader.builder.finish();
    let everything = vec![Outcomes::ANY; reading.invocations.len()];
    for (index, invocation) in reading.invocations.iter_mut().enumerate() {
        invocation.status = status_of(&flow, &everything, index);
    }
    // A line without checks has no use for its flow.
    if !reading.invocations.is_empty() {
        reading.flow = Flow(flow);
    }
    reading
}

/// What the shell's status alone says of an invocation.
fn status_of(flow: &[Op], everything: &[Outcomes], index: usize) -> StatusOf {
    let can = |outcome: Outcomes, succeeded: bool| {
        let mut outcomes = everything.to_vec();
        if let Some(own) = outcomes.get_mut(index) {
            *own = outcome;
        }
        possible(flow, &outcomes, Some(succeeded), false)
    };
    // A status that the line cannot end with says nothing.
    let passed = can(Outcomes::ANY, true) && !can(Outcomes::FAILED.or(Outcomes::SKIPPED), true);
    let failed = can(Outcomes::ANY, false) && !can(Outcomes::PASSED.or(Outcomes::SKIPPED), false);
    match (passed, failed) {
        (true, true) => StatusOf::Own,
        (true, false) => StatusOf::PassOnly,
        (false, true) => StatusOf::FailOnly,
        (false, false) => StatusOf::Masked,
    }
}

/// What a subshell gives back at its end.
struct Saved {
    directory: Option<String>,
    previous: Option<String>,
    background: bool,
}

struct Reader<'a> {
    custom: &'a [CustomCheck],
    cwd: Option<String>,
    directory: Option<String>,
    previous: Option<String>,
    scopes: Vec<Saved>,
    background: usize,
    /// Variables set to plain text in this line.
    variables: Vec<(String, String)>,
    builder: Builder,
    reading: Reading,
}

impl Reader<'_> {
    fn script(&mut self, text: &str, options: Options, nested: usize) {
        let script = shell::parse(text, options);
        self.reading.parse = worse(self.reading.parse, script.parse);
        for step in script.steps {
            match step {
                Step::Simple(simple) => self.simple(&simple, nested),
                Step::Test | Step::Unknown => self.builder.value(Op::Ends(Ends::ANY)),
                Step::Nothing => self.builder.value(Op::Ends(Ends::ZERO)),
                Step::Exit(exit) => self.builder.value(Op::Ends(Ends::exit(exit))),
                Step::Enter(scope) => {
                    let background = scope == Scope::Background;
                    self.background += usize::from(background);
                    self.scopes.push(Saved { directory: self.directory.clone(), previous: self.previous.clone(), background });
                }
                Step::Leave => {
                    if let Some(saved) = self.scopes.pop() {
                        self.directory = saved.directory;
                        self.previous = saved.previous;
                        self.background -= usize::from(saved.background);
                    }
                }
                Step::Redirect(redirect) => self.writes_to(&redirect),
                Step::Join(join) => self.builder.join(join),
            }
        }
    }

    fn simple(&mut self, simple: &Simple, nested: usize) {
        for redirect in &simple.redirects {
            self.writes_to(redirect);
        }
        let words: Vec<Word> = simple.words.iter().take(MAX_WORDS).map(|word| self.expanded(word)).collect();
        if words.is_empty() {
            for (name, value) in &simple.assignments {
                self.assign(name, value);
            }
            self.builder.value(Op::Ends(Ends::ZERO));
            return;
        }
        if let Some(op) = self.builtin(&words) {
            self.effects(&words, simple);
            self.builder.value(op);
            return;
        }
        let inner = match wrappers::strip(&words) {
            Inner::Words(words) => words,
            Inner::Script { text, options } if nested < MAX_NESTED => {
                self.scopes.push(Saved { directory: self.directory.clone(), previous: self.previous.clone(), background: false });
                self.script(&text, options, nested + 1);
                if let Some(saved) = self.scopes.pop() {
                    self.directory = saved.directory;
                    self.previous = saved.previous;
                }
                self.builder.join(Join::Isolate);
                return;
            }
            Inner::Script { .. } => {
                self.builder.value(Op::Ends(Ends::ANY));
                return;
            }
        };
        // `bash <<EOF`: the here-document is the script.
        if let ([shell], Some(input)) = (inner.as_slice(), &simple.input)
            && matches!(shell.text.as_str(), "bash" | "sh" | "zsh")
            && nested < MAX_NESTED
        {
            self.scopes.push(Saved { directory: self.directory.clone(), previous: self.previous.clone(), background: false });
            self.script(input, Options::default(), nested + 1);
            if let Some(saved) = self.scopes.pop() {
                self.directory = saved.directory;
                self.previous = saved.previous;
            }
            self.builder.join(Join::Isolate);
            return;
        }
        self.effects(&inner, simple);
        let recognised = recognise(&inner, self.directory.as_deref(), self.custom);
        if recognised.writes {
            self.writes(None);
        }
        let mut leaves = 0;
        let shown = shown(&inner);
        for found in recognised.found {
            if self.reading.invocations.len() >= MAX_INVOCATIONS {
                break;
            }
            self.invocation(found, &shown);
            leaves += 1;
            if leaves > 1 {
                self.builder.join(Join::And);
            }
        }
        if leaves == 0 {
            self.builder.value(Op::Ends(Ends::ANY));
        }
    }

    fn invocation(&mut self, found: Found, shown: &str) {
        let directory = match &found.directory {
            Some(word) if word.expands => None,
            Some(word) => {
                // A manifest stands for the folder it lies in.
                let path = word.text.strip_suffix("Cargo.toml").or(word.text.strip_suffix("pom.xml")).unwrap_or(&word.text);
                paths::absolute(self.directory.as_deref(), if path.is_empty() { "." } else { path })
            }
            None => self.directory.clone(),
        };
        let index = u16::try_from(self.reading.invocations.len()).unwrap_or(u16::MAX);
        self.reading.invocations.push(Invocation {
            kind: found.kind,
            command: shown.to_owned(),
            program: cut(&found.program, 120),
            directory,
            packages: found.packages.iter().take(32).map(|package| cut(package, 200)).collect(),
            targets: found.targets.iter().take(32).map(|target| cut(target, 200)).collect(),
            status: StatusOf::Masked,
            background: self.background > 0,
        });
        self.builder.value(Op::Leaf(index));
    }

    /// Commands of the shell itself that change where it stands, or cannot well fail.
    fn builtin(&mut self, words: &[Word]) -> Option<Op> {
        let (first, rest) = words.split_first()?;
        match first.text.as_str() {
            "cd" | "pushd" => {
                let target = rest.iter().find(|word| !word.text.starts_with('-') || word.text == "-");
                let next = match target {
                    Some(word) if word.text == "-" => self.previous.clone(),
                    Some(word) if !word.expands => paths::absolute(self.directory.as_deref(), &word.text),
                    _ => None,
                };
                if first.text == "pushd" && self.scopes.len() < 64 {
                    self.previous.clone_from(&self.directory);
                }
                self.previous = std::mem::replace(&mut self.directory, next);
                Some(Op::Assumed)
            }
            "popd" => {
                std::mem::swap(&mut self.directory, &mut self.previous);
                Some(Op::Assumed)
            }
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                for word in rest {
                    if let Some((name, value)) = word.raw.split_once('=') {
                        self.assign(name, &Word::new(value));
                    }
                }
                Some(Op::Ends(Ends::ZERO))
            }
            "true" | ":" | "echo" | "printf" | "set" | "shopt" | "setopt" | "unset" | "alias" | "umask" | "ulimit" | "trap" | "sleep"
            | "pwd" | "date" | "clear" => Some(Op::Ends(Ends::ZERO)),
            "false" => Some(Op::Ends(Ends::FAIL)),
            "source" | "." => Some(Op::Assumed),
            "tail" | "head" | "tee" | "cat" | "sort" | "uniq" | "wc" | "tr" | "cut" | "column" | "fold" | "ts" | "nl" | "sed" | "awk"
                if reads_input(&first.text, rest) =>
            {
                Some(Op::Ends(Ends::ZERO))
            }
            "mkdir" if rest.iter().any(|word| word.text == "-p") => Some(Op::Ends(Ends::ZERO)),
            _ => None,
        }
    }

    fn effects(&mut self, words: &[Word], simple: &Simple) {
        let git = git::effects(words);
        self.reading.commits |= git.commits;
        self.reading.asked_commit = self.reading.asked_commit.take().or(git.asked);
        if let Some(kind) = git.publishes
            && !self.reading.publishes.contains(&kind)
        {
            self.reading.publishes.push(kind);
        }
        for word in git.writes.into_iter().chain(writes::of(words, simple)) {
            match word {
                Some(word) => self.writes_to(&Redirect { target: word }),
                None => self.writes(None),
            }
        }
    }

    fn writes_to(&mut self, redirect: &Redirect) {
        let word = self.expanded(&redirect.target);
        let path = (!word.expands).then(|| paths::absolute(self.directory.as_deref(), &word.text)).flatten();
        // `git restore .`: which files of a folder were written is not known.
        let folder = |path: &String| {
            word.text.ends_with('/')
                || self.directory.as_deref().or(self.cwd.as_deref()).is_some_and(|own| paths::below(path, own).is_some())
        };
        let path = path.filter(|path| !folder(path));
        let scratch = match &path {
            Some(path) => paths::is_scratch(path, self.cwd.as_deref()),
            // A variable's folder for temporary files.
            None => word.text.contains("TMP") || word.text.contains("mktemp") || paths::is_scratch(&word.text, self.cwd.as_deref()),
        };
        if !scratch {
            self.writes(path);
        }
    }

    fn writes(&mut self, path: Option<String>) {
        if self.reading.writes.len() < MAX_WRITES && !self.reading.writes.contains(&path) {
            self.reading.writes.push(path);
        }
    }

    fn assign(&mut self, name: &str, value: &Word) {
        let value = self.expanded(value);
        self.variables.retain(|(known, _)| known != name);
        if !value.expands && self.variables.len() < 64 {
            self.variables.push((name.to_owned(), value.text));
        }
    }

    /// A word that begins with a variable set in this line, with its value.
    fn expanded(&self, word: &Word) -> Word {
        if !word.expands || self.variables.is_empty() {
            return word.clone();
        }
        let Some(behind) = word.text.strip_prefix('$') else { return word.clone() };
        let (name, rest) = match behind.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some(parts) => parts,
            None => {
                let end = behind.find(|character: char| !character.is_ascii_alphanumeric() && character != '_').unwrap_or(behind.len());
                behind.split_at_checked(end).unwrap_or((behind, ""))
            }
        };
        let Some((_, value)) = self.variables.iter().find(|(known, _)| known == name) else { return word.clone() };
        let still = rest.contains(['$', '`', '*', '?', '{']);
        Word { raw: word.raw.clone(), text: format!("{value}{rest}"), expands: still }
    }
}

/// Whether a filter works on what it is fed: then it cannot well fail, and under `pipefail` the pipe's status is what feeds it.
fn reads_input(filter: &str, arguments: &[Word]) -> bool {
    let operands = arguments.iter().filter(|word| !word.text.starts_with('-') && word.text.parse::<i64>().is_err()).count();
    match filter {
        "tee" => !arguments.iter().any(|word| word.expands),
        "tr" => true,
        "sed" | "awk" => operands <= 1 && !arguments.iter().any(|word| word.text.starts_with("-i")),
        "cut" | "sort" | "column" => operands <= 1,
        _ => operands == 0,
    }
}

fn worse(left: Parse, right: Parse) -> Parse {
    let rank = |parse: Parse| match parse {
        Parse::Exact => 0,
        Parse::Repaired => 1,
        Parse::Prefix => 2,
        Parse::Unparsed => 3,
    };
    if rank(right) > rank(left) { right } else { left }
}

/// The words as written, on one line.
fn shown(words: &[Word]) -> String {
    let mut shown = String::new();
    for word in words {
        for part in word.raw.split_whitespace() {
            if !shown.is_empty() {
                shown.push(' ');
            }
            shown.push_str(part);
        }
        if shown.len() > MAX_SHOWN {
            break;
        }
    }
    cut(&shown, MAX_SHOWN)
}

/// At most so many bytes, cut at a character, with the mark of a cut.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let mut end = most.saturating_sub('…'.len_utf8());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", text.get(..end).unwrap_or_default())
}
