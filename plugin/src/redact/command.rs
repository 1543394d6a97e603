//! Passwords in the arguments of programs that have short flags for them.

use super::pass::{MARK, Span, starts_with};
use super::value::{self, is_placeholder};

/// Where a program takes its password.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// `-pX`
    Joined,
    /// `-p X`
    Parted,
    /// `-u user:X`
    Pair,
}

struct Row {
    program: &'static [u8],
    flags: &'static [&'static [u8]],
    takes: Takes,
}

const ROWS: &[Row] = &[
    Row { program: b"mysqldump", flags: &[b"-p"], takes: Takes::Joined },
    Row { program: b"mysqladmin", flags: &[b"-p"], takes: Takes::Joined },
    Row { program: b"mysql", flags: &[b"-p"], takes: Takes::Joined },
    Row { program: b"mariadb-dump", flags: &[b"-p"], takes: Takes::Joined },
    Row { program: b"mariadb", flags: &[b"-p"], takes: Takes::Joined },
    Row { program: b"sshpass", flags: &[b"-p"], takes: Takes::Joined },
    Row { program: b"sshpass", flags: &[b"-p"], takes: Takes::Parted },
    Row { program: b"docker login", flags: &[b"-p"], takes: Takes::Parted },
    Row { program: b"podman login", flags: &[b"-p"], takes: Takes::Parted },
    Row { program: b"redis-cli", flags: &[b"-a"], takes: Takes::Parted },
    Row { program: b"mongosh", flags: &[b"-p"], takes: Takes::Parted },
    Row { program: b"mongo", flags: &[b"-p"], takes: Takes::Parted },
    Row { program: b"curl", flags: &[b"-u", b"--user", b"-U", b"--proxy-user"], takes: Takes::Pair },
    Row { program: b"http", flags: &[b"-a", b"--auth"], takes: Takes::Pair },
    Row { program: b"login", flags: &[b"password"], takes: Takes::Parted },
];

/// How far after a program's name its flags are looked for, in bytes.
const REACH: usize = 400;

/// The password in the arguments of the program whose name begins here.
pub fn at(text: &[u8], at: usize) -> Option<Span> {
    // The first two letters of the rows, so that most words are done with here.
    if !matches!(text.get(at..at + 2)?, b"my" | b"ma" | b"ss" | b"do" | b"po" | b"re" | b"mo" | b"cu" | b"ht" | b"lo") {
        return None;
    }
    ROWS.iter().filter(|row| starts_with(text, at, row.program)).find_map(|row| row.secret(text, at + row.program.len())).flatten()
}

impl Row {
    /// The first password; an empty answer when it is taken out already.
    fn secret(&self, text: &[u8], from: usize) -> Option<Option<Span>> {
        if text.get(from) != Some(&b' ') {
            return None;
        }
        let line = text.get(from..)?;
        let line = line.get(..line.iter().take(REACH).take_while(|byte| !matches!(byte, b'\n' | b'|' | b';')).count())?;
        for flag in self.flags {
            for found in memchr::memmem::find_iter(line, flag) {
                let after = from + found + flag.len();
                if line.get(found.checked_sub(1)?) != Some(&b' ') {
                    continue;
                }
                let parted = text.get(after).is_some_and(|byte| matches!(byte, b' ' | b'='));
                let word = text.get(after + usize::from(parted)..)?;
                let word = word.get(..word.iter().take(REACH).take_while(|byte| !byte.is_ascii_whitespace()).count())?;
                if memchr::memmem::find(word, MARK).is_some() {
                    return Some(None);
                }
                let value = match self.takes {
                    Takes::Joined if !parted => value::at(text, after, true),
                    Takes::Parted | Takes::Pair if parted => value::at(text, after + 1, true),
                    _ => None,
                };
                let Some(value) = value else { continue };
                let body = text.get(value.start..value.end)?;
                let start = match self.takes {
                    Takes::Pair => match body.iter().position(|byte| *byte == b':') {
                        Some(colon) => value.start + colon + 1,
                        None => continue,
                    },
                    _ => value.start,
                };
                let secret = text.get(start..value.end)?;
                if secret.len() >= 3 && !is_placeholder(secret) && !secret.starts_with(b"-") && !secret.contains(&b' ') {
                    return Some(Some(Span { start, end: value::whole_end(text, value), kind: "password" }));
                }
            }
        }
        None
    }
}
