//! One page of a text while it arrives.

/// Characters of a page.
pub const PAGE: u64 = 24_000;

/// What was kept of a text, and how long it is.
#[derive(Clone, Debug, Default)]
pub struct Page {
    start: u64,
    /// Characters so far.
    pub count: u64,
    /// Those of the page.
    pub text: String,
}

impl Page {
    /// The page that begins at a character.
    pub fn new(start: u64) -> Self {
        Self { start, count: 0, text: String::new() }
    }

    /// Begins a part of its own.
    pub fn part(&mut self) {
        if self.count > 0 {
            self.push("\n");
        }
    }

    /// More text.
    pub fn push(&mut self, text: &str) {
        let count = text.chars().count() as u64;
        let (begin, end) = (self.count, self.count + count);
        self.count = end;
        let stop = self.start.saturating_add(PAGE);
        if end <= self.start || begin >= stop {
            return;
        }
        let skip = usize::try_from(self.start.saturating_sub(begin)).unwrap_or(usize::MAX);
        let room = usize::try_from(stop - begin.max(self.start)).unwrap_or(usize::MAX);
        self.text.extend(text.chars().skip(skip).take(room));
    }

    /// Where the next page begins.
    pub fn next(&self) -> Option<u64> {
        let stop = self.start.saturating_add(PAGE);
        (self.count > stop).then_some(stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_put_together_are_the_text_however_it_is_cut() {
        let text: String = (0..60_123).map(|number| if number % 7 == 0 { 'é' } else { 'x' }).collect();
        for size in [1, 999, 70_000] {
            let (mut whole, mut start) = (String::new(), Some(0));
            while let Some(from) = start {
                let mut page = Page::new(from);
                let letters: Vec<char> = text.chars().collect();
                for piece in letters.chunks(size) {
                    page.push(&piece.iter().collect::<String>());
                }
                assert_eq!(page.count, 60_123);
                assert!(page.text.chars().count() as u64 <= PAGE);
                whole.push_str(&page.text);
                start = page.next();
            }
            assert!(whole == text, "{size}");
        }
    }
}
