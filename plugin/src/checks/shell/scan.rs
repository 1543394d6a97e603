//! One pass over a command line's bytes: what is left open, how deep it nests, where commands end. It decides nothing about meaning.

/// The end of a command: the byte offset just before its separator, and how long the separator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Separator {
    /// Where the separator begins.
    pub at: usize,
    /// Where what follows it begins.
    pub end: usize,
    /// Whether it stands outside every group and substitution.
    pub outer: bool,
}

/// What a pass found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// What closes everything that is open at the end, innermost first.
    pub unclosed: String,
    /// The deepest nesting of substitutions.
    pub substitutions: usize,
    /// The deepest nesting of anything that opens.
    pub groups: usize,
    /// Commands and redirections, about.
    pub items: usize,
    /// Prefix words and operators, about.
    pub prefixes: usize,
    /// Ends of commands outside quotes, in order; a here-document's text belongs to its separator.
    pub separators: Vec<Separator>,
}

/// What a word that the parser recurses on with a whole command's stack counts among prefixes.
const COSTLY: usize = 10;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Group,
    Substitution,
    Arithmetic,
    Parameter,
    Backtick,
    Double,
}

struct Pass<'a> {
    bytes: &'a [u8],
    at: usize,
    open: Vec<Open>,
    /// Here-documents whose text begins after the next newline.
    pending: Vec<(Vec<u8>, bool)>,
    word_start: Option<usize>,
    /// Whether the next word is a command's first, where the shell's own words mean something.
    first: bool,
    compounds: usize,
    found: Scan,
}

impl Scan {
    /// Passes over a command line.
    pub fn of(text: &str) -> Self {
        let mut pass = Pass {
            bytes: text.as_bytes(),
            at: 0,
            open: Vec::new(),
            pending: Vec::new(),
            word_start: None,
            first: true,
            compounds: 0,
            found: Self { items: 1, ..Self::default() },
        };
        pass.run();
        pass.found
    }
}

impl Pass<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match self.open.last() {
                Some(Open::Double) => self.in_double(byte),
                Some(Open::Parameter) => self.in_parameter(byte),
                Some(Open::Arithmetic) => self.in_arithmetic(byte),
                _ => self.in_command(byte),
            }
        }
        self.end_word();
        for open in self.open.iter().rev() {
            self.found.unclosed.push_str(match open {
                Open::Group | Open::Substitution => ")",
                Open::Arithmetic => "))",
                Open::Parameter => "}",
                Open::Backtick => "`",
                Open::Double => "\"",
            });
        }
    }

    fn push(&mut self, open: Open) {
        self.open.push(open);
        // The stack is as deep as the limits allow before the line is given up, so counting it is cheap in every line that is parsed.
        let substitutions = if self.open.len() > 256 {
            self.open.len()
        } else {
            self.open.iter().filter(|open| !matches!(open, Open::Group | Open::Double)).count()
        };
        self.found.groups = self.found.groups.max(self.compounds + self.open.len());
        self.found.substitutions = self.found.substitutions.max(substitutions);
    }

    /// `$…` and backticks, which mean the same inside double quotes. Says whether it took something.
    fn substitution(&mut self, byte: u8) -> bool {
        match (byte, self.peek(1), self.peek(2)) {
            (b'$', b'(', b'(') => {
                self.push(Open::Arithmetic);
                self.at += 3;
            }
            (b'$', b'(', _) => {
                self.push(Open::Substitution);
                self.at += 2;
                self.word_start = None;
                self.first = true;
            }
            (b'$', b'{', _) => {
                self.push(Open::Parameter);
                self.at += 2;
            }
            (b'`', ..) => {
                if self.open.contains(&Open::Backtick) {
                    while self.open.pop().is_some_and(|open| open != Open::Backtick) {}
                } else {
                    self.push(Open::Backtick);
                }
                self.at += 1;
                self.word_start = None;
                self.first = true;
            }
            _ => return false,
        }
        true
    }

    fn in_double(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 2,
            b'"' => {
                self.open.pop();
                self.at += 1;
            }
            _ if self.substitution(byte) => {}
            _ => self.at += 1,
        }
    }

    fn in_parameter(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 2,
            b'}' => {
                self.open.pop();
                self.at += 1;
            }
            b'"' => {
                self.push(Open::Double);
                self.at += 1;
            }
            b'\'' if !self.open.contains(&Open::Double) => self.single_quoted(),
            _ if self.substitution(byte) => {}
            _ => self.at += 1,
        }
    }

    fn in_arithmetic(&mut self, byte: u8) {
        match byte {
            b'(' => {
                // A parenthesis of the expression; its own closing one is met as a group's.
                self.push(Open::Group);
                self.at += 1;
            }
            b')' => {
                self.open.pop();
                self.at += if self.peek(1) == b')' { 2 } else { 1 };
            }
            _ if self.substitution(byte) => {}
            _ => {
                if matches!(byte, b'-' | b'+' | b'!' | b'~' | b'=' | b'?' | b'*' | b'<' | b'>' | b'&' | b'|') {
                    self.found.prefixes += 1;
                }
                self.at += 1;
            }
        }
    }

    fn single_quoted(&mut self) {
        let from = self.at + 1;
        match self.bytes.get(from..).and_then(|rest| memchr::memchr(b'\'', rest)) {
            Some(length) => self.at = from + length + 1,
            None => {
                self.at = self.bytes.len();
                self.found.unclosed.push('\'');
            }
        }
    }

    fn ansi_quoted(&mut self) {
        self.at += 2;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'\'' {
                return;
            }
        }
        self.found.unclosed.push('\'');
    }

    fn in_command(&mut self, byte: u8) {
        if byte.is_ascii_whitespace() || matches!(byte, b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>') {
            self.end_word();
        } else if self.word_start.is_none() {
            if byte == b'#' {
                let length = self.bytes.get(self.at..).and_then(|rest| memchr::memchr(b'\n', rest));
                self.at = length.map_or(self.bytes.len(), |length| self.at + length);
                return;
            }
            self.word_start = Some(self.at);
        }
        match byte {
            b'\\' => self.at += 2,
            b'{' => {
                self.found.prefixes += 2;
                self.at += 1;
            }
            b'\'' => self.single_quoted(),
            b'$' if self.peek(1) == b'\'' => self.ansi_quoted(),
            b'"' => {
                self.push(Open::Double);
                self.at += 1;
            }
            b'\n' => self.newline(),
            b'&' if self.peek(1) == b'>' => self.at += 2,
            b'>' | b'<' if self.peek(1) == b'&' => self.at += 2,
            b';' | b'&' | b'|' => {
                let length = if matches!((byte, self.peek(1)), (b';', b';') | (b'&', b'&') | (b'|', b'|' | b'&')) { 2 } else { 1 };
                self.separator(length);
            }
            b'<' if self.peek(1) == b'<' && self.peek(2) != b'<' => self.here_document(),
            b'<' if self.peek(1) == b'<' => self.at += 3,
            b'<' | b'>' => {
                self.found.items += 1;
                if self.peek(1) == b'(' {
                    self.push(Open::Substitution);
                    self.at += 1;
                }
                self.at += 1;
            }
            b'(' => {
                // `f() g() …`: functions within functions without a brace.
                if self.peek(1) == b')' {
                    self.found.prefixes += COSTLY;
                }
                self.push(Open::Group);
                self.separator(1);
            }
            b')' => {
                if matches!(self.open.last(), Some(Open::Group | Open::Substitution)) {
                    self.open.pop();
                }
                self.separator(1);
            }
            _ if self.substitution(byte) => {}
            _ => self.at += 1,
        }
    }

    fn separator(&mut self, length: usize) {
        let outer = self.open.is_empty() && self.compounds == 0;
        self.found.separators.push(Separator { at: self.at, end: self.at + length, outer });
        self.found.items += 1;
        self.first = true;
        self.at += length;
    }

    fn end_word(&mut self) {
        let Some(start) = self.word_start.take() else { return };
        let first = std::mem::replace(&mut self.first, false);
        match self.bytes.get(start..self.at) {
            Some(b"!") => {
                self.found.prefixes += 1;
                self.first = first;
            }
            Some(b"if" | b"while" | b"until" | b"for" | b"case" | b"select" | b"{") if first => {
                self.compounds += 1;
                self.found.groups = self.found.groups.max(self.compounds + self.open.len());
                self.first = true;
            }
            Some(b"fi" | b"done" | b"esac" | b"}") if first => self.compounds = self.compounds.saturating_sub(1),
            Some(b"then" | b"else" | b"do") => self.first = true,
            Some(b"time" | b"elif" | b"coproc" | b"function") => {
                self.found.prefixes += COSTLY;
                self.first = true;
            }
            _ => {}
        }
    }

    fn here_document(&mut self) {
        self.at += 2;
        let strip = self.peek(0) == b'-';
        if strip {
            self.at += 1;
        }
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
        let mut delimiter = Vec::new();
        let mut quote = 0;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\'' | b'"' if quote == 0 => quote = byte,
                _ if quote != 0 && byte == quote => quote = 0,
                b'\\' if quote == 0 => {}
                _ if quote == 0 && (byte.is_ascii_whitespace() || matches!(byte, b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')) => break,
                b'\n' => break,
                _ => delimiter.push(byte),
            }
            self.at += 1;
        }
        self.found.items += 1;
        if !delimiter.is_empty() {
            self.pending.push((delimiter, strip));
        }
    }

    /// A newline ends a command, and the text of here-documents announced before it follows.
    fn newline(&mut self) {
        let at = self.at;
        self.first = true;
        self.at += 1;
        for (delimiter, strip) in std::mem::take(&mut self.pending) {
            while self.at < self.bytes.len() {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                let length = memchr::memchr(b'\n', rest);
                let mut line = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
                self.at += length.map_or(rest.len(), |length| length + 1);
                while strip && line.first() == Some(&b'\t') {
                    line = line.get(1..).unwrap_or_default();
                }
                if line == delimiter.as_slice() {
                    break;
                }
            }
        }
        let outer = self.open.is_empty() && self.compounds == 0;
        self.found.separators.push(Separator { at, end: self.at, outer });
        // Blank lines cost the parser nothing.
        if self.bytes.get(self.at) != Some(&b'\n') {
            self.found.items += 1;
        }
    }
}
