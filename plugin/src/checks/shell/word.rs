//! A word of a command line, as written and as the command sees it.

/// A word. What the shell would expand stays as written, and says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// As written, with its quotes.
    pub raw: String,
    /// Without its quotes.
    pub text: String,
    /// Whether the shell would put something else in its place: a variable, a substitution, a pattern, a home directory.
    pub expands: bool,
}

impl Word {
    /// Reads a word as written.
    pub fn new(raw: &str) -> Self {
        let mut text = String::with_capacity(raw.len());
        let mut expands = raw.starts_with('~');
        let mut rest = raw.chars().peekable();
        let mut double = false;
        while let Some(character) = rest.next() {
            match character {
                '\'' if !double => {
                    for quoted in rest.by_ref() {
                        if quoted == '\'' {
                            break;
                        }
                        text.push(quoted);
                    }
                }
                '"' => double = !double,
                '\\' => match rest.next() {
                    Some('\n') | None => {}
                    Some(escaped) => {
                        if double && !matches!(escaped, '$' | '`' | '"' | '\\') {
                            text.push('\\');
                        }
                        text.push(escaped);
                    }
                },
                '$' if !double && rest.peek() == Some(&'\'') => {
                    rest.next();
                    ansi_quoted(&mut rest, &mut text);
                }
                '$' => {
                    expands |= rest.peek().is_some_and(|next| {
                        next.is_ascii_alphanumeric() || matches!(next, '_' | '{' | '(' | '?' | '@' | '*' | '#' | '!' | '$')
                    });
                    text.push('$');
                }
                '`' => {
                    expands = true;
                    text.push('`');
                }
                '*' | '?' if !double => {
                    expands = true;
                    text.push(character);
                }
                other => text.push(other),
            }
        }
        expands |= has_open_braces(raw);
        Self { raw: raw.to_owned(), text, expands }
    }
}

fn ansi_quoted(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, text: &mut String) {
    while let Some(character) = rest.next() {
        match character {
            '\'' => return,
            '\\' => match rest.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => {}
            },
            other => text.push(other),
        }
    }
}

/// `{a,b}` outside quotes.
fn has_open_braces(raw: &str) -> bool {
    !raw.contains(['\'', '"'])
        && raw
            .split_once('{')
            .is_some_and(|(before, after)| !before.ends_with('$') && after.split_once('}').is_some_and(|(inner, _)| inner.contains(',')))
}
