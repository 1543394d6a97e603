//! How values are written: read from text, and written back as they are in force.

use super::table::{Field, LOG_LEVEL, MANUAL, YES_NO};
use super::values::{Mark, Options};
use crate::checks::CustomCheck;

/// More tokens than any context has.
const MOST_TOKENS: f64 = 1e9;
/// Digits of a number.
const DIGITS: usize = 20;
/// A hundred years.
const MOST_DAYS: u32 = 36_500;

/// Why a value cannot be used, to go on after "which".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub why: String,
    /// The other parts of a list are used all the same; else the default is.
    pub is_part: bool,
}

impl Problem {
    pub fn whole(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_part: false }
    }
}

impl Field {
    /// The closed choices, the default first; none where anything may be written.
    pub fn choices(&self) -> Vec<&'static str> {
        match self {
            Self::YesNo(_) => words(YES_NO),
            Self::Manual(_) => words(MANUAL),
            Self::LogLevel(_) => words(LOG_LEVEL),
            _ => Vec::new(),
        }
    }

    /// What to write, to go on after "write".
    pub fn syntax(&self) -> String {
        match self {
            Self::Start(_) => "a share up to 100% or tokens: `40%`, `80000`, `80k`, `1.5M`".to_owned(),
            Self::Mark(_) => "a share up to 100% or tokens, above 0: `40%`, `80000`, `80k`, `1.5M`".to_owned(),
            Self::Context(_) => "tokens, above 0: `200000`, `200k`, `1.5M`".to_owned(),
            Self::YesNo(_) | Self::Manual(_) | Self::LogLevel(_) => {
                self.choices().iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
            }
            Self::NameParts(_) => "parts of names by commas: `haiku, sonnet`".to_owned(),
            Self::Names(_) => "names by commas: `house-style, release`".to_owned(),
            Self::Aliases(_) => "names by commas: `web=owner/repo, site=https://host/owner/repo`".to_owned(),
            Self::Checks(_) => "commands by commas, without quotes, pipes and the like: `./verify.sh, make proof`".to_owned(),
            Self::Path(_) => "an absolute path: `/var/log/reveille`".to_owned(),
            Self::Days(_) => format!("a whole number of days from 1 to {MOST_DAYS}: `30`"),
        }
    }

    /// Reads a value that is not blank into its place. On a problem the place holds what it held, or the parts that can be used.
    pub fn read(&self, options: &mut Options, text: &str) -> Result<(), Problem> {
        let text = text.trim();
        match self {
            Self::Start(place) => *place(options) = mark(text)?,
            Self::Mark(place) => *place(options) = above_zero(mark(text)?)?,
            Self::Context(place) => match above_zero(mark(text)?)? {
                Mark::Tokens(tokens) => *place(options) = Some(tokens),
                Mark::Share(_) => return Err(Problem::whole("is a share, of nothing that is known")),
            },
            Self::YesNo(place) => *place(options) = choice(YES_NO, text)?,
            Self::Manual(place) => *place(options) = choice(MANUAL, text)?,
            Self::LogLevel(place) => *place(options) = choice(LOG_LEVEL, text)?,
            Self::NameParts(place) | Self::Names(place) => *place(options) = parts(text, &[',', '\n']).map(str::to_owned).collect(),
            Self::Aliases(place) => {
                let (good, bad) = sorted(parts(text, &[',', '\n', ';']), alias);
                *place(options) = good.into_iter().collect();
                return all_read(&bad, "no `name=target`");
            }
            Self::Checks(place) => {
                let (good, bad) = sorted(parts(text, &[',', '\n']), check);
                *place(options) = good;
                return all_read(&bad, "no plain command");
            }
            Self::Path(place) => *place(options) = Some(absolute(text).ok_or_else(|| Problem::whole("is no absolute path"))?.to_owned()),
            Self::Days(place) => *place(options) = days(text)?,
        }
        Ok(())
    }

    /// The value in force, as one would write it. Empty: nothing is set.
    pub fn write(&self, options: &mut Options) -> String {
        match self {
            Self::Start(place) | Self::Mark(place) => mark_text(*place(options)),
            Self::Context(place) => place(options).map(|tokens| mark_text(Mark::Tokens(tokens))).unwrap_or_default(),
            Self::YesNo(place) => word(YES_NO, *place(options)).to_owned(),
            Self::Manual(place) => word(MANUAL, *place(options)).to_owned(),
            Self::LogLevel(place) => word(LOG_LEVEL, *place(options)).to_owned(),
            Self::NameParts(place) | Self::Names(place) => place(options).join(", "),
            Self::Aliases(place) => place(options).iter().map(|(name, target)| format!("{name}={target}")).collect::<Vec<_>>().join(", "),
            Self::Checks(place) => place(options).iter().map(|check| check.words.join(" ")).collect::<Vec<_>>().join(", "),
            Self::Path(place) => place(options).clone().unwrap_or_default(),
            Self::Days(place) => place(options).to_string(),
        }
    }
}

fn words<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(word, _)| *word).collect()
}

fn choice<T: Copy>(choices: &[(&'static str, T)], text: &str) -> Result<T, Problem> {
    choices
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(text))
        .map(|(_, value)| *value)
        .ok_or_else(|| Problem::whole("is none of its choices"))
}

fn word<T: PartialEq>(choices: &[(&'static str, T)], value: T) -> &'static str {
    choices.iter().find(|(_, known)| *known == value).map(|(word, _)| *word).unwrap_or_default()
}

/// `40%`, `80000`, `80k`, `1.5M`.
fn mark(text: &str) -> Result<Mark, Problem> {
    let unreadable = || Problem::whole("is no size");
    let (digits, scale) = if let Some(digits) = text.strip_suffix('%') {
        (digits, None)
    } else if let Some(digits) = text.strip_suffix(['k', 'K']) {
        (digits, Some(1e3))
    } else if let Some(digits) = text.strip_suffix(['m', 'M']) {
        (digits, Some(1e6))
    } else {
        (text, Some(1.0))
    };
    let digits = digits.trim_end();
    let is_number = !digits.is_empty()
        && digits.len() <= DIGITS
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
        && digits.starts_with(|letter: char| letter.is_ascii_digit());
    let number: f64 = if is_number { digits.parse().map_err(|_| unreadable())? } else { return Err(unreadable()) };
    let Some(scale) = scale else {
        return if number > 100.0 { Err(Problem::whole("is over 100%")) } else { Ok(Mark::Share((number * 1e6).round() / 1e8)) };
    };
    let tokens = number * scale;
    if tokens > MOST_TOKENS {
        return Err(Problem::whole("is more than any context holds"));
    }
    // `0.4` is a share that was meant, or a slip.
    if (tokens - tokens.round()).abs() > 1e-6 {
        return Err(Problem::whole("is no whole number of tokens"));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let tokens = tokens.round() as u64;
    Ok(Mark::Tokens(tokens))
}

fn above_zero(mark: Mark) -> Result<Mark, Problem> {
    let is_zero = match mark {
        Mark::Share(share) => share <= 0.0,
        Mark::Tokens(tokens) => tokens == 0,
    };
    if is_zero { Err(Problem::whole("must be above 0")) } else { Ok(mark) }
}

fn mark_text(mark: Mark) -> String {
    match mark {
        // What a float adds to the decimals of a percentage is taken off again.
        Mark::Share(share) => format!("{}%", (share * 1e8).round() / 1e6),
        Mark::Tokens(tokens) if tokens >= 1_000_000 && tokens % 100_000 == 0 => {
            let (whole, tenths) = (tokens / 1_000_000, tokens % 1_000_000 / 100_000);
            if tenths == 0 { format!("{whole}M") } else { format!("{whole}.{tenths}M") }
        }
        Mark::Tokens(tokens) if tokens >= 1000 && tokens % 1000 == 0 => format!("{}k", tokens / 1000),
        Mark::Tokens(tokens) => tokens.to_string(),
    }
}

fn parts<'a>(text: &'a str, separators: &'a [char]) -> impl Iterator<Item = &'a str> {
    text.split(separators).map(str::trim).filter(|part| !part.is_empty())
}

/// The parts that can be read, and the others as written.
fn sorted<'a, T>(parts: impl Iterator<Item = &'a str>, read: fn(&str) -> Option<T>) -> (Vec<T>, Vec<&'a str>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for part in parts {
        match read(part) {
            Some(value) => good.push(value),
            None => bad.push(part),
        }
    }
    (good, bad)
}

fn all_read(bad: &[&str], what: &str) -> Result<(), Problem> {
    match bad {
        [] => Ok(()),
        [_] => Err(Problem { why: format!("has a part that is {what}"), is_part: true }),
        _ => Err(Problem { why: format!("has {} parts that are {what}", bad.len()), is_part: true }),
    }
}

fn alias(part: &str) -> Option<(String, String)> {
    let (name, target) = part.split_once('=')?;
    let (name, target) = (name.trim().to_lowercase(), target.trim().to_owned());
    (!name.is_empty() && !target.is_empty()).then_some((name, target))
}

fn check(part: &str) -> Option<CustomCheck> {
    // What a shell would not take as words can never be the beginning of a command.
    let is_plain = !part.contains(['"', '\'', '`', '|', '&', ';', '<', '>', '$', '(', ')', '\\']);
    is_plain.then(|| CustomCheck { words: part.split_whitespace().map(str::to_owned).collect() })
}

fn absolute(text: &str) -> Option<&str> {
    let mut letters = text.chars();
    let drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && matches!(letters.next(), Some('\\' | '/'));
    ((text.starts_with('/') || text.starts_with("\\\\") || drive) && !text.contains('\0')).then_some(text)
}

fn days(text: &str) -> Result<u32, Problem> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let days = if is_number { text.parse().unwrap_or(u32::MAX) } else { return Err(Problem::whole("is no whole number")) };
    match days {
        0 => Err(Problem::whole("must be above 0")),
        1..=MOST_DAYS => Ok(days),
        _ => Err(Problem::whole("is too many")),
    }
}
