//! Which hits are told: those with more terms first, then the newest; our own texts and handoffs last.

use super::entry::Kind;

/// The most hits that are told.
pub const HITS: usize = 20;

/// One entry that holds a term.
#[derive(Clone, Debug)]
pub struct Hit {
    /// Its line.
    pub seq: u64,
    /// Bytes before that line.
    pub offset: u64,
    /// The record's time as it stands.
    pub time: String,
    /// What it is.
    pub kind: Kind,
    /// How many terms it holds.
    pub terms: u32,
    /// Whether it ranks last.
    pub last: bool,
    /// What stands around the first term.
    pub snippet: String,
    /// What its copies have in common with it; none when it cannot be told from others.
    pub key: Option<u64>,
    /// Its newest copy.
    pub copy: Option<u64>,
}

impl Hit {
    fn rank(&self) -> (bool, u32, u64) {
        (!self.last, self.terms, self.seq)
    }
}

/// The best hits of a stretch of the file, and how many there are.
#[derive(Clone, Debug, Default)]
pub struct Best {
    /// Best first.
    pub hits: Vec<Hit>,
    /// All of them.
    pub count: u64,
}

impl Best {
    /// Counts a hit, and keeps it when it is among the best. `snippet` is made only then.
    pub fn add(&mut self, mut hit: Hit, snippet: impl FnOnce() -> String) {
        self.count += 1;
        if let Some(place) = self.place(&hit) {
            hit.snippet = snippet();
            self.hits.insert(place, hit);
            self.hits.truncate(HITS);
        }
    }

    /// Takes over what another stretch holds.
    pub fn merge(&mut self, other: Self) {
        self.count += other.count;
        for hit in other.hits {
            if let Some(place) = self.place(&hit) {
                self.hits.insert(place, hit);
                self.hits.truncate(HITS);
            }
        }
    }

    fn place(&self, hit: &Hit) -> Option<usize> {
        let place = self.hits.partition_point(|known| known.rank() > hit.rank());
        (place < HITS).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(seq: u64, terms: u32, last: bool) -> Hit {
        Hit { seq, offset: 0, time: String::new(), kind: Kind::User, terms, last, snippet: String::new(), key: None, copy: None }
    }

    #[test]
    fn more_terms_come_first_then_the_newest_and_our_own_last() {
        let mut best = Best::default();
        for (seq, terms, last) in [(1, 1, false), (2, 2, false), (3, 3, true), (4, 2, false), (5, 1, false)] {
            best.add(hit(seq, terms, last), || seq.to_string());
        }
        assert_eq!(best.hits.iter().map(|hit| hit.seq).collect::<Vec<_>>(), [4, 2, 5, 1, 3]);
        assert_eq!(best.hits.first().map(|hit| hit.snippet.as_str()), Some("4"));
    }

    #[test]
    fn the_best_of_two_stretches_are_the_best_of_both_and_all_are_counted() {
        let (mut whole, mut one, mut other) = (Best::default(), Best::default(), Best::default());
        for seq in 0..200_u64 {
            let terms = u32::try_from(seq * 7 % 5).unwrap_or(0);
            whole.add(hit(seq, terms, seq % 11 == 0), String::new);
            let part = if seq < 90 { &mut one } else { &mut other };
            part.add(hit(seq, terms, seq % 11 == 0), String::new);
        }
        one.merge(other);
        assert_eq!(one.count, 200);
        let seqs = |best: &Best| best.hits.iter().map(|hit| hit.seq).collect::<Vec<_>>();
        assert_eq!(seqs(&one), seqs(&whole));
        assert_eq!(one.hits.len(), HITS);
    }
}
