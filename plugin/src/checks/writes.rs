//! Files that an ordinary command writes.

use super::shell::{Simple, Word};

/// Files that a command without its wrappers writes, redirections aside; none is a file that cannot be named.
pub fn of(words: &[Word], simple: &Simple) -> Vec<Option<Word>> {
    let Some((first, arguments)) = words.split_first() else { return Vec::new() };
    let program = first.text.rsplit('/').next().unwrap_or(&first.text);
    let has = |flags: &[&str]| arguments.iter().any(|word| flags.contains(&word.text.as_str()));
    if has(&["--help", "--version"]) {
        return Vec::new();
    }
    let operands: Vec<&Word> = operands(arguments);
    let named = |words: &[&Word]| words.iter().map(|word| Some((*word).clone())).collect::<Vec<_>>();
    match program {
        "tee" | "touch" | "truncate" | "rm" | "unlink" | "shred" | "mv" | "sponge" => {
            let mut words = operands;
            if program == "truncate" && has(&["-s", "--size"]) {
                words.retain(|word| {
                    !word.text.chars().all(|character| character.is_ascii_digit() || matches!(character, '+' | '-' | 'K' | 'M' | 'G'))
                });
            }
            words.retain(|word| !word.text.starts_with("/dev/"));
            named(&words)
        }
        "cp" | "ln" | "install" => match operands.as_slice() {
            [_, .., last] => vec![into(last, operands.first().copied())],
            _ => Vec::new(),
        },
        "rsync" if !has(&["-n", "--dry-run"]) => {
            operands.last().filter(|last| !last.text.contains(':')).map(|_| None).into_iter().collect()
        }
        "sed" | "gsed" => sed(arguments),
        "perl" | "ruby"
            if arguments.iter().any(|word| {
                word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('i') && word.text.len() <= 6
            }) =>
        {
            let mut words = operands;
            // The program itself is the first operand: `-pi -e '…' file`.
            if !words.is_empty() {
                words.remove(0);
            }
            if words.is_empty() { vec![None] } else { named(&words) }
        }
        "awk" | "gawk" if has(&["inplace"]) => vec![None],
        "patch" if !has(&["--dry-run"]) => vec![None],
        "ed" | "ex" | "unzip" | "7z" | "cpio" | "codemod" | "jscodeshift" | "comby" | "ast-grep" => vec![None],
        "tar" if arguments.first().is_some_and(|word| word.text.contains('x')) || has(&["--extract"]) => vec![None],
        "sd" => named(operands.get(2..).unwrap_or_default()),
        "dd" => arguments
            .iter()
            .filter_map(|word| word.text.strip_prefix("of="))
            .filter(|path| !path.starts_with("/dev/"))
            .map(|path| Some(Word::new(path)))
            .collect(),
        "curl" | "wget" => {
            let flag = if program == "curl" { ["-o", "--output"] } else { ["-O", "--output-document"] };
            let at = arguments.iter().position(|word| flag.contains(&word.text.as_str()));
            let written = at.and_then(|at| arguments.get(at + 1)).filter(|word| word.text != "-" && !word.text.starts_with("/dev/"));
            written.map(|word| Some(word.clone())).into_iter().collect()
        }
        "python" | "python3" | "node" | "bun" | "deno" | "tsx" => inline(arguments, simple),
        _ => Vec::new(),
    }
}

fn operands(arguments: &[Word]) -> Vec<&Word> {
    let mut only = false;
    arguments
        .iter()
        .filter(|word| {
            if word.text == "--" {
                only = true;
                return false;
            }
            only || !word.text.starts_with('-') || word.text == "-"
        })
        .collect()
}

/// The file that a copy makes: in a folder when the target ends as one.
fn into(target: &Word, source: Option<&Word>) -> Option<Word> {
    if !target.text.ends_with('/') && target.text != "." {
        return Some(target.clone());
    }
    let source = source.filter(|source| !source.expands && !target.expands)?;
    let name = source.text.trim_end_matches('/').rsplit('/').next()?;
    Some(Word::new(&format!("{}/{name}", target.text.trim_end_matches('/'))))
}

fn sed(arguments: &[Word]) -> Vec<Option<Word>> {
    let in_place = arguments.iter().any(|word| {
        let text = word.text.as_str();
        text.starts_with("--in-place")
            || (text.starts_with('-')
                && !text.starts_with("--")
                && text.contains('i')
                && !text.starts_with("-e")
                && !text.starts_with("-f"))
    });
    if !in_place {
        return Vec::new();
    }
    let mut script_given = false;
    let mut files = Vec::new();
    let mut rest = arguments.iter().peekable();
    while let Some(word) = rest.next() {
        match word.text.as_str() {
            "-e" | "--expression" | "-f" | "--file" => {
                script_given = true;
                rest.next();
            }
            // `-i ''` of BSD: an empty suffix.
            "-i" => {
                rest.next_if(|next| next.text.is_empty());
            }
            text if text.starts_with('-') => {}
            _ if !script_given => script_given = true,
            _ => files.push(Some(word.clone())),
        }
    }
    if files.is_empty() { vec![None] } else { files }
}

/// A program given on the command line or as a here-document, when it speaks of writing.
fn inline(arguments: &[Word], simple: &Simple) -> Vec<Option<Word>> {
    const WRITING: &[&str] = &[
        "write",
        "unlink",
        "rename(",
        "shutil.",
        "os.remove",
        ".dump(",
        "rmSync",
        ".save(",
        "replace_in_file",
        "'w'",
        "\"w\"",
        "'a'",
        "\"a\"",
    ];
    let given = arguments.iter().position(|word| matches!(word.text.as_str(), "-c" | "-e" | "--eval")).and_then(|at| arguments.get(at + 1));
    let text = given.map(|word| word.text.as_str()).or(simple.input.as_deref()).unwrap_or_default();
    let writes = WRITING.iter().any(|word| text.contains(word)) && !text.contains("stdout.write")
        || text.contains("write_text")
        || text.contains("writeFile");
    if writes { vec![None] } else { Vec::new() }
}
