//! Takes secrets out of text that leaves.
//!
//! Texts are short and the process is young when they come: nothing is compiled or built before the first byte is read. The pass looks at the
//! starts of words ([`tokens`], by their first letter) and at the few marks that secrets stand behind: `=`, `:`, `://`, `--`.
//!
//! **Invariant:** redacting twice is redacting once. A value that begins with `[redacted:` is left alone, and what a pass leaves unredacted stands
//! behind the same letters as before.

mod assignment;
mod block;
mod command;
mod name;
mod pass;
mod token;
mod tokens;
mod url;
mod value;

use std::borrow::Cow;

/// Passes over one text. A secret taken out can let its neighbour be seen for what it is; two passes see nearly all of that.
const PASSES: usize = 16;

/// The text with every secret replaced by `[redacted:<kind>]`. What comes out has none left: redacting it again changes nothing.
pub fn text(input: &str) -> Cow<'_, str> {
    let mut clean = Cow::Borrowed(input);
    for _ in 0..PASSES {
        match once(&clean) {
            Some(next) => clean = Cow::Owned(next),
            None => break,
        }
    }
    clean
}

/// One pass; none when there is nothing to take out.
fn once(input: &str) -> Option<String> {
    let spans = pass::secrets(input);
    if spans.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(input.len());
    let mut done = 0;
    for span in spans {
        out.push_str(input.get(done..span.start).unwrap_or_default());
        out.push_str("[redacted:");
        out.push_str(span.kind);
        out.push(']');
        done = span.end;
    }
    out.push_str(input.get(done..).unwrap_or_default());
    Some(out)
}

#[cfg(test)]
mod tests;
