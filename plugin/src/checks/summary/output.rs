//! A program's output as lines that can be read.

use std::borrow::Cow;

/// Longer lines are no summaries.
const LINE: usize = 2000;

/// Lines without colours, line ends and what a carriage return wrote over.
pub struct Output<'a> {
    lines: Vec<&'a str>,
}

impl<'a> Output<'a> {
    /// Of a text that [`clean`] returned.
    pub fn of(text: &'a str) -> Self {
        let shown = |line: &'a str| line.trim_end().rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or_default();
        Self { lines: text.split('\n').map(shown).filter(|line| line.len() <= LINE).collect() }
    }

    /// All lines, blank ones too, without white space at their ends.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &'a str> + '_ {
        self.lines.iter().copied()
    }

    /// The lines without what a task runner puts before each: `web:test: …`, `packages/a test: …`, `app-1  | …`, `@acme/a: …`. None when no line
    /// has such a prefix.
    pub fn without_prefixes(&self) -> Option<Self> {
        let mut any = false;
        let mut strip = |line: &'a str| {
            let rest = unprefixed(line);
            any |= rest.is_some();
            rest.unwrap_or(line)
        };
        let lines = self.lines.iter().map(|line| strip(line)).collect();
        any.then_some(Self { lines })
    }
}

fn unprefixed(line: &str) -> Option<&str> {
    let is_name = |text: &str| {
        !text.is_empty() && text.len() < 80 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@/_-.#:".contains(&byte))
    };
    if let Some((name, rest)) = line.split_once('|')
        && is_name(name.trim_end())
    {
        return Some(rest.strip_prefix(' ').unwrap_or(rest));
    }
    let (name, rest) = line.split_once(": ").or_else(|| line.strip_suffix(':').map(|name| (name, "")))?;
    let mut words = name.split(' ');
    // These speak for themselves.
    let fits = words.next().is_some_and(|word| is_name(word) && !matches!(word, "make" | "gmake" | "error" | "warning"))
        && words.next().is_none_or(is_name)
        && words.next().is_none();
    fits.then_some(rest)
}

/// The text without terminal escapes, those too whose escape character was lost on the way (`[32m`).
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') && !text.contains("[0m") && !text.contains("[39m") && !text.contains("[22m") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\u{1b}', '[']) {
        let (plain, escape) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        rest = match escape.strip_prefix('\u{1b}') {
            Some(body) => after_escape(body),
            None => after_lost_escape(escape).unwrap_or_else(|| {
                out.push('[');
                escape.strip_prefix('[').unwrap_or_default()
            }),
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn after_escape(body: &str) -> &str {
    let mut letters = body.chars();
    match letters.next() {
        Some('[') => {
            let rest = letters.as_str();
            let end = rest.find(|letter: char| !matches!(letter, '0'..='?' | ' '..='/')).unwrap_or(rest.len());
            let rest = rest.split_at_checked(end).map_or("", |(_, rest)| rest);
            let mut letters = rest.chars();
            // A sequence that another line breaks off ends nowhere: keep what follows.
            if letters.next().is_some_and(|last| matches!(last, '@'..='~')) { letters.as_str() } else { rest }
        }
        Some(']') => {
            let rest = letters.as_str();
            let end = rest.find(['\u{7}', '\u{1b}', '\n']).unwrap_or(rest.len());
            let rest = rest.split_at_checked(end).map_or("", |(_, rest)| rest);
            rest.strip_prefix('\u{7}').or_else(|| rest.strip_prefix("\u{1b}\\")).unwrap_or(rest)
        }
        Some('\n') | None => body,
        Some(_) => letters.as_str(),
    }
}

fn after_lost_escape(escape: &str) -> Option<&str> {
    let body = escape.strip_prefix('[')?;
    let rest = body.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';');
    let digits = body.len() - rest.len();
    (1..=16).contains(&digits).then(|| rest.strip_prefix('m')).flatten()
}
