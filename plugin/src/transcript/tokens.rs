//! Tokens, each response once. A response is several records, each with its usage; the last one of a response is the true one.

use serde::{Deserialize, Serialize};

use super::seen::{Seen, hash};
use crate::contract::types::Usage;

/// Responses that may still be going on: parallel ones of sub-agents in an old file among them.
const OPEN: usize = 16;

/// Counts tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tokens {
    total: Option<Usage>,
    open: Vec<(u64, Usage)>,
}

impl Tokens {
    /// A record of a response says what it cost so far.
    pub fn response(&mut self, id: &str, usage: &Usage, seen: &mut Seen) {
        let key = hash("response", id);
        if let Some((_, open)) = self.open.iter_mut().find(|(open, _)| *open == key) {
            *open = *usage;
            return;
        }
        if !seen.first("response", id) {
            return;
        }
        self.open.push((key, *usage));
        if self.open.len() > OPEN {
            let (_, closed) = self.open.remove(0);
            self.total = Some(add(self.total.take(), &closed));
        }
    }

    /// The sum; none when no record said anything.
    pub fn total(&self) -> Option<Usage> {
        self.open.iter().fold(self.total, |total, (_, usage)| Some(add(total, usage)))
    }
}

fn add(total: Option<Usage>, more: &Usage) -> Usage {
    let Some(total) = total else { return *more };
    Usage {
        input: total.input.saturating_add(more.input),
        output: total.output.saturating_add(more.output),
        cache_read: total.cache_read.saturating_add(more.cache_read),
        cache_write: total.cache_write.saturating_add(more.cache_write),
    }
}
