//! Bytes in any cut to lines: whole where they are short enough to hold, in pieces where they are not.

use memchr::memchr;

/// A line longer than this comes in pieces.
const LONG: usize = 1 << 20;

/// One line or a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece<'a> {
    /// A whole line without its ending.
    Line(&'a [u8]),
    /// The beginning of a long line: as much as a whole line may have.
    Begin(&'a [u8]),
    /// More of it.
    More(&'a [u8]),
    /// It ended.
    End,
}

/// Splits bytes.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    pending: Vec<u8>,
    is_long: bool,
}

impl Pieces {
    /// Adds bytes.
    pub fn push(&mut self, mut chunk: &[u8], mut each: impl FnMut(Piece<'_>)) {
        while let Some(end) = memchr(b'\n', chunk) {
            let (line, rest) = chunk.split_at(end);
            chunk = rest.get(1..).unwrap_or_default();
            if !self.is_long && self.pending.is_empty() && line.len() <= LONG {
                each(Piece::Line(line));
                continue;
            }
            self.hold(line, &mut each);
            self.finish(&mut each);
        }
        if !chunk.is_empty() {
            self.hold(chunk, &mut each);
        }
    }

    /// Ends an unfinished last line. Says whether there was one.
    pub fn finish(&mut self, mut each: impl FnMut(Piece<'_>)) -> bool {
        let any = self.is_long || !self.pending.is_empty();
        if self.is_long {
            each(Piece::End);
        } else if any {
            each(Piece::Line(&self.pending));
        }
        self.is_long = false;
        self.pending.clear();
        any
    }

    fn hold(&mut self, bytes: &[u8], each: &mut impl FnMut(Piece<'_>)) {
        if self.is_long {
            each(Piece::More(bytes));
            return;
        }
        if self.pending.len() + bytes.len() <= LONG {
            self.pending.extend_from_slice(bytes);
            return;
        }
        self.is_long = true;
        // A beginning is always as long, so that what is told by it does not depend on the cut.
        let (now, later) = bytes.split_at(LONG - self.pending.len());
        self.pending.extend_from_slice(now);
        each(Piece::Begin(&std::mem::take(&mut self.pending)));
        each(Piece::More(later));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line, put together, and whether it came in pieces.
    fn split(text: &[u8], size: usize) -> Vec<(Vec<u8>, bool)> {
        let mut pieces = Pieces::default();
        let mut lines: Vec<(Vec<u8>, bool)> = Vec::new();
        let mut long = Vec::new();
        let mut each = |piece: Piece<'_>| match piece {
            Piece::Line(line) => lines.push((line.to_vec(), false)),
            Piece::Begin(bytes) => {
                assert_eq!(bytes.len(), LONG);
                long.extend_from_slice(bytes);
            }
            Piece::More(bytes) => long.extend_from_slice(bytes),
            Piece::End => lines.push((std::mem::take(&mut long), true)),
        };
        for chunk in text.chunks(size) {
            pieces.push(chunk, &mut each);
        }
        pieces.finish(&mut each);
        lines
    }

    #[test]
    fn any_cut_gives_the_same_lines_and_long_ones_come_in_pieces() {
        let mut text = b"one\n\ntwo\r\n".to_vec();
        text.resize(text.len() + LONG, b'x');
        text.extend_from_slice(b"\n");
        text.resize(text.len() + LONG + 1, b'y');
        text.extend_from_slice(b"\nlast");
        let whole = split(&text, text.len());
        assert_eq!(
            whole.iter().map(|(line, long)| (line.len(), *long)).collect::<Vec<_>>(),
            [(3, false), (0, false), (4, false), (LONG, false), (LONG + 1, true), (4, false)]
        );
        for size in [1, 7, 1000, 256 << 10, LONG, LONG + 1] {
            assert!(split(&text, size) == whole, "{size}");
        }
    }
}
