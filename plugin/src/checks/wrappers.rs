//! Commands that only start another one.

use super::shell::{Options, Word};

/// How a wrapper's own arguments are passed over.
struct Wrapper {
    /// The words it is called by.
    words: &'static str,
    /// Its flags whose value is the next argument.
    valued: &'static [&'static str],
    /// Its own arguments before the command.
    operands: usize,
    /// Flags behind which the command stands; empty when it stands behind the operands.
    command_after: &'static [&'static str],
}

const fn wrapper(words: &'static str, valued: &'static [&'static str], operands: usize) -> Wrapper {
    Wrapper { words, valued, operands, command_after: &[] }
}

const DOCKER_RUN: &[&str] = &[
    "-e",
    "--env",
    "-v",
    "--volume",
    "-w",
    "--workdir",
    "-u",
    "--user",
    "--name",
    "-p",
    "--publish",
    "--network",
    "--net",
    "--mount",
    "--entrypoint",
    "--env-file",
    "--platform",
    "--memory",
    "-m",
    "--cpus",
    "-h",
    "--hostname",
    "--gpus",
    "--add-host",
    "-l",
    "--label",
    "--cap-add",
    "--tmpfs",
    "--shm-size",
    "--ulimit",
];
const EXEC: &[&str] = &["-e", "--env", "-w", "--workdir", "-u", "--user", "--env-file", "--index", "-f", "--file", "-p", "--project-name"];

const WRAPPERS: &[Wrapper] = &[
    wrapper("time", &["-f", "-o"], 0),
    wrapper("timeout", &["-s", "--signal", "-k", "--kill-after"], 1),
    wrapper("gtimeout", &["-s", "--signal", "-k", "--kill-after"], 1),
    wrapper("env", &["-u", "--unset", "-C", "--chdir", "-S"], 0),
    wrapper("nice", &["-n", "--adjustment"], 0),
    wrapper("ionice", &["-c", "-n"], 0),
    wrapper("sudo", &["-u", "--user", "-g", "--group", "-C", "-D", "-h"], 0),
    wrapper("doas", &["-u"], 0),
    wrapper("nohup", &[], 0),
    wrapper("setsid", &[], 0),
    wrapper("stdbuf", &["-i", "-o", "-e"], 0),
    wrapper("unbuffer", &[], 0),
    wrapper("command", &[], 0),
    wrapper("builtin", &[], 0),
    wrapper("exec", &["-a"], 0),
    wrapper("noglob", &[], 0),
    wrapper("chronic", &[], 0),
    wrapper("caffeinate", &["-t", "-w"], 0),
    wrapper("taskset", &[], 1),
    wrapper("numactl", &[], 0),
    wrapper("chrt", &[], 1),
    wrapper("cpulimit", &["-l"], 0),
    wrapper("strace", &["-o", "-e", "-s", "-p"], 0),
    wrapper("ltrace", &["-o", "-e"], 0),
    wrapper("valgrind", &[], 0),
    wrapper("heaptrack", &[], 0),
    wrapper("hyperfine", &["-w", "--warmup", "-r", "--runs"], 0),
    wrapper("xvfb-run", &["-s", "--server-args", "-e", "-n", "-w", "-f"], 0),
    wrapper("dbus-run-session", &[], 0),
    wrapper("xargs", &["-n", "-P", "-I", "-L", "-d", "-s", "-a", "-E"], 0),
    wrapper("npx", &["-p", "--package", "-c", "--call", "-w", "--workspace"], 0),
    wrapper("npm exec", &["-p", "--package", "-c", "--call", "-w", "--workspace"], 0),
    wrapper("npm x", &["-p", "--package"], 0),
    wrapper("bunx", &["-p", "--package"], 0),
    wrapper("bun x", &[], 0),
    wrapper("pnpx", &[], 0),
    wrapper("pnpm exec", &["--filter", "-F", "-C", "--dir"], 0),
    wrapper("pnpm dlx", &["--package"], 0),
    wrapper("yarn exec", &[], 0),
    wrapper("yarn dlx", &["-p", "--package"], 0),
    wrapper("corepack", &[], 0),
    wrapper("cross-env", &[], 0),
    wrapper("cross-env-shell", &[], 0),
    wrapper("env-cmd", &["-f", "-e"], 0),
    wrapper("dotenv", &["-e", "-c", "-f", "-v"], 0),
    wrapper("dotenvx run", &["-f", "--env-file"], 0),
    wrapper("dotenv run", &["-f"], 0),
    wrapper("nyc", &["--reporter", "-r", "--temp-dir"], 0),
    wrapper("c8", &["--reporter", "-r", "-o", "-x", "-n"], 0),
    wrapper("wait-on", &[], 0),
    wrapper("volta run", &["--node", "--npm"], 0),
    wrapper("fnm exec", &["--using"], 0),
    wrapper("nvm exec", &[], 1),
    wrapper("mise exec", &[], 0),
    wrapper("mise x", &[], 0),
    wrapper("asdf exec", &[], 0),
    wrapper("rtx exec", &[], 0),
    wrapper("direnv exec", &[], 1),
    wrapper("devbox run", &[], 0),
    wrapper("op run", &["--env-file"], 0),
    wrapper("doppler run", &["-p", "-c", "--project", "--config"], 0),
    wrapper("infisical run", &["--env"], 0),
    wrapper("aws-vault exec", &[], 1),
    wrapper("heroku local:run", &["-e", "-p"], 0),
    wrapper(
        "uv run",
        &[
            "--with",
            "--extra",
            "--group",
            "-p",
            "--python",
            "--package",
            "--directory",
            "--project",
            "--env-file",
            "--with-requirements",
            "--only-group",
            "--index",
            "--isolated-with",
        ],
        0,
    ),
    wrapper("uv tool run", &["--with", "--from", "-p", "--python"], 0),
    wrapper("uvx", &["--with", "--from", "-p", "--python"], 0),
    wrapper("pipx run", &["--spec", "--python"], 0),
    wrapper("poetry run", &["-C", "--directory"], 0),
    wrapper("pipenv run", &[], 0),
    wrapper("conda run", &["-n", "--name", "-p", "--prefix", "--cwd"], 0),
    wrapper("mamba run", &["-n", "--name", "-p"], 0),
    wrapper("micromamba run", &["-n", "--name", "-p"], 0),
    wrapper("pixi run", &["-e", "--environment", "--manifest-path"], 0),
    wrapper("coverage run", &["--source", "-p", "--omit", "--include", "--rcfile", "--data-file", "--context"], 0),
    wrapper("kernprof", &[], 0),
    wrapper("watchexec", &["-e", "-w", "-i", "--exts"], 0),
    wrapper("bundle exec", &[], 0),
    wrapper("spring", &[], 0),
    wrapper("rbenv exec", &[], 0),
    wrapper("symfony", &[], 0),
    wrapper("sail", &[], 0),
    wrapper("ddev exec", &["-s", "--service", "-d"], 0),
    wrapper("lando", &[], 0),
    wrapper("composer exec", &[], 0),
    wrapper("cargo with", &[], 1),
    wrapper("docker exec", EXEC, 1),
    wrapper("podman exec", EXEC, 1),
    wrapper("nerdctl exec", EXEC, 1),
    wrapper("docker container exec", EXEC, 1),
    wrapper("docker compose exec", EXEC, 1),
    wrapper("docker-compose exec", EXEC, 1),
    wrapper("podman compose exec", EXEC, 1),
    wrapper("docker compose run", DOCKER_RUN, 1),
    wrapper("docker-compose run", DOCKER_RUN, 1),
    wrapper("docker run", DOCKER_RUN, 1),
    wrapper("podman run", DOCKER_RUN, 1),
    wrapper("dc exec", EXEC, 1),
    wrapper("toolbox run", &["-c", "--container"], 0),
    wrapper("distrobox enter", &["-n"], 0),
    Wrapper { words: "kubectl exec", valued: &["-n", "--namespace", "-c", "--container"], operands: 0, command_after: &["--"] },
    Wrapper { words: "nix develop", valued: &[], operands: 0, command_after: &["-c", "--command"] },
    Wrapper { words: "nix shell", valued: &[], operands: 0, command_after: &["-c", "--command"] },
    Wrapper { words: "nix run", valued: &[], operands: 0, command_after: &["--"] },
    Wrapper { words: "guix shell", valued: &[], operands: 0, command_after: &["--"] },
];

/// A command without its wrappers.
#[derive(Clone, Debug, PartialEq)]
pub enum Inner {
    /// The words of the command itself.
    Words(Vec<Word>),
    /// A command line of its own: `bash -c '…'`.
    Script {
        /// Its text.
        text: String,
        /// Options that it starts with.
        options: Options,
    },
}

/// Strips wrappers, however many stand before one another.
pub fn strip(words: &[Word]) -> Inner {
    let mut words = words;
    for _ in 0..16 {
        if let Some(script) = script(words) {
            return script;
        }
        match unwrapped(words) {
            Some(inner) => words = inner,
            None => break,
        }
    }
    Inner::Words(words.to_vec())
}

fn basename(word: &Word) -> &str {
    word.text.rsplit('/').next().unwrap_or(&word.text)
}

/// `bash -lc '…'`, `sh -c …`, `eval '…'`, `nix-shell --run '…'`, `bash <<EOF` stays with its caller.
fn script(words: &[Word]) -> Option<Inner> {
    let (first, rest) = words.split_first()?;
    let text_of = |word: &Word| (!word.text.is_empty()).then(|| word.text.clone());
    match basename(first) {
        "bash" | "sh" | "zsh" | "dash" | "ksh" => {
            let mut options = Options::default();
            let mut named = None;
            let mut reads = false;
            for word in rest {
                if let Some(on) = named.take() {
                    options.pipefail |= on && word.text == "pipefail";
                    continue;
                }
                match word.text.strip_prefix('-') {
                    Some(letters) if !word.text.starts_with("--") => {
                        reads |= letters.contains('c');
                        options.errexit |= letters.contains('e');
                        if letters.contains('o') {
                            named = Some(true);
                        }
                    }
                    Some(_) => {}
                    None if reads => return Some(Inner::Script { text: text_of(word)?, options }),
                    None => return None,
                }
            }
            None
        }
        "eval" => {
            let text = rest.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            Some(Inner::Script { text, options: Options::default() })
        }
        "nix-shell" => {
            let at = rest.iter().position(|word| word.text == "--run" || word.text == "--command")?;
            Some(Inner::Script { text: text_of(rest.get(at + 1)?)?, options: Options::default() })
        }
        "su" | "script" | "npx" | "npm" | "pnpm" => {
            let flag = if matches!(basename(first), "su" | "script" | "npx") { "-c" } else { "--call" };
            let at = rest.iter().position(|word| word.text == flag || word.text == "-qc" || word.text == "--call")?;
            // `npm exec -c` alone; any other `-c` of npm is the script's.
            (rest.iter().take(at).all(|word| word.text.starts_with('-') || word.text == "exec")).then_some(())?;
            Some(Inner::Script { text: text_of(rest.get(at + 1)?)?, options: Options::default() })
        }
        _ => None,
    }
}

fn unwrapped(words: &[Word]) -> Option<&[Word]> {
    let first = basename(words.first()?);
    let mut best: Option<(&Wrapper, usize)> = None;
    for wrapper in WRAPPERS {
        let mut own = wrapper.words.split(' ');
        if own.next() != Some(first) {
            continue;
        }
        // A wrapper's own flags may stand between its words: `docker compose -f x exec`.
        let mut at = 1;
        let fits = own.all(|word| {
            while let Some(flag) = words.get(at).map(|word| word.text.as_str()).filter(|text| text.starts_with('-') && *text != "--") {
                at += if !flag.contains('=') && wrapper.valued.contains(&flag) { 2 } else { 1 };
            }
            at += 1;
            words.get(at - 1).is_some_and(|found| found.text == word)
        });
        if fits && best.is_none_or(|(other, _)| wrapper.words.len() > other.words.len()) {
            best = Some((wrapper, at));
        }
    }
    let (wrapper, mut at) = best?;
    if !wrapper.command_after.is_empty() {
        let behind = words.get(at..)?.iter().position(|word| wrapper.command_after.contains(&word.text.as_str()))?;
        return words.get(at + behind + 1..).filter(|rest| !rest.is_empty());
    }
    let mut operands = wrapper.operands;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if text == "--" && operands == 0 {
            at += 1;
            break;
        }
        // `coverage run -m pytest`, `uv run -m pytest`: the command is python's.
        if text == "-m" && matches!(wrapper.words, "coverage run" | "uv run") {
            at += 1;
            break;
        }
        if text.starts_with('-') && text != "-" {
            at += if !text.contains('=') && wrapper.valued.contains(&text) { 2 } else { 1 };
        } else if is_assignment(text) {
            at += 1;
        } else if operands > 0 {
            operands -= 1;
            at += 1;
        } else {
            break;
        }
    }
    words.get(at..).filter(|rest| !rest.is_empty())
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_'))
}
