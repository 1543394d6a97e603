//! What was counted already. A fork, a resume and a compaction copy records; a copy counts once.

use std::collections::{BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

/// The newest keys that are remembered: copies follow their originals closely, or are whole histories at a file's start.
const MOST: usize = 32_768;

/// Keys of what was counted, as hashes, the oldest forgotten first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    order: VecDeque<u64>,
    #[serde(skip)]
    known: BTreeSet<u64>,
}

impl Seen {
    /// Whether this is the first time. `kind` keeps keys of different things apart.
    pub fn first(&mut self, kind: &str, key: &str) -> bool {
        let hash = hash(kind, key);
        if self.known.len() != self.order.len() {
            self.known = self.order.iter().copied().collect();
        }
        if !self.known.insert(hash) {
            return false;
        }
        self.order.push_back(hash);
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
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
    fn a_key_is_new_once_for_each_kind_and_after_being_saved_too() {
        let mut seen = Seen::default();
        assert!(seen.first("call", "a"));
        assert!(!seen.first("call", "a"));
        assert!(seen.first("text", "a"));
        let mut restored = Seen { order: seen.order.clone(), known: BTreeSet::new() };
        assert!(!restored.first("text", "a"));
    }

    #[test]
    fn the_oldest_keys_are_forgotten_and_no_others() {
        let mut seen = Seen::default();
        for number in 0..=MOST {
            assert!(seen.first("call", &number.to_string()));
        }
        assert_eq!(seen.order.len(), MOST);
        assert!(!seen.first("call", "1"));
        assert!(seen.first("call", "0"));
    }
}
