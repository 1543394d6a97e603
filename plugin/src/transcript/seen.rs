//! What was counted already. A fork, a resume and a compaction copy records; a copy counts once.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

/// Keys in one generation. At least so many of the newest are remembered, and at most twice as many: copies follow their originals closely, or are whole
/// histories at a file's start.
const GENERATION: usize = 32_768;

/// Keys of what was counted, as hashes, in two generations: when the young one is full, it takes the place of the old one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Sorted, so that a saved fold is looked up in as it stands.
    old: Vec<u64>,
    young: BTreeSet<u64>,
}

impl Seen {
    /// Whether this is the first time. `kind` keeps keys of different things apart.
    pub fn first(&mut self, kind: &str, key: &str) -> bool {
        let hash = hash(kind, key);
        if self.old.binary_search(&hash).is_ok() || !self.young.insert(hash) {
            return false;
        }
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young).into_iter().collect();
        }
        true
    }
}

/// A hash with fixed keys: the same in every process.
pub fn hash(kind: &str, key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    key.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_new_once_for_each_kind() {
        let mut seen = Seen::default();
        assert!(seen.first("call", "a"));
        assert!(!seen.first("call", "a"));
        assert!(seen.first("text", "a"));
    }

    #[test]
    fn the_newest_keys_are_remembered_and_no_more_than_two_generations() {
        let mut seen = Seen::default();
        for number in 0..5 * GENERATION {
            assert!(seen.first("call", &number.to_string()));
            assert!(seen.old.len() + seen.young.len() < 2 * GENERATION);
        }
        for number in 4 * GENERATION + 1..5 * GENERATION {
            assert!(!seen.first("call", &number.to_string()));
        }
    }
}
