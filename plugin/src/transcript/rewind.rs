//! Prompts that the person took back. The client writes no record of a rewind: the next prompt follows what an older one followed, and all from that older
//! one on stays in the file.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::seen::hash;
use crate::contract::types::Quote;

/// The newest prompts that are remembered; a rewind further back is not noticed.
const TURNS: usize = 64;
/// Stretches taken back that are remembered, the newest.
const STRETCHES: usize = 256;

/// Where a record stands in the conversation.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its line.
    pub seq: u64,
    /// Its own id.
    pub id: &'a str,
    /// The record that it follows; empty is the conversation's beginning.
    pub parent: &'a str,
}

/// The prompts that still stand, and the lines that do not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rewinds {
    turns: VecDeque<Turn>,
    taken_back: VecDeque<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Turn {
    seq: u64,
    id: u64,
    parent: u64,
    asked: Quote,
}

impl Rewinds {
    /// A record that begins a turn. Some: everything from this line on up to the record was taken back.
    pub fn begins(&mut self, place: Place<'_>) -> Option<u64> {
        let (id, parent) = (hash("id", place.id), hash("id", place.parent));
        let first = self.turns.iter().position(|turn| turn.parent == parent && turn.id != id)?;
        let from = self.turns.get(first)?.seq;
        self.turns.truncate(first);
        self.taken_back.push_back((from, place.seq));
        if self.taken_back.len() > STRETCHES {
            self.taken_back.pop_front();
        }
        Some(from)
    }

    /// The record is a prompt.
    pub fn asked(&mut self, place: Place<'_>, asked: Quote) {
        self.turns.push_back(Turn { seq: place.seq, id: hash("id", place.id), parent: hash("id", place.parent), asked });
        if self.turns.len() > TURNS {
            self.turns.pop_front();
        }
    }

    /// The newest prompt that stands.
    pub fn last_asked(&self) -> Option<&Quote> {
        self.turns.back().map(|turn| &turn.asked)
    }

    /// Whether what this line says was taken back.
    pub fn took_back(&self, seq: u64) -> bool {
        self.taken_back.iter().any(|(from, to)| (*from..*to).contains(&seq))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::types::Source;

    fn ask(rewinds: &mut Rewinds, seq: u64, id: &str, parent: &str) -> Option<u64> {
        let place = Place { seq, id, parent };
        let from = rewinds.begins(place);
        rewinds.asked(place, Quote { text: id.to_owned(), at: Source { agent: None, seq, time: None } });
        from
    }

    #[test]
    fn a_prompt_that_follows_what_an_older_one_followed_takes_back_all_from_there() {
        let mut rewinds = Rewinds::default();
        assert_eq!(ask(&mut rewinds, 1, "a", ""), None);
        assert_eq!(ask(&mut rewinds, 5, "b", "a-end"), None);
        assert_eq!(ask(&mut rewinds, 9, "c", "b-end"), None);
        assert_eq!(ask(&mut rewinds, 14, "d", "a-end"), Some(5));
        let stands: Vec<u64> = (1..16).filter(|seq| !rewinds.took_back(*seq)).collect();
        assert_eq!(stands, [1, 2, 3, 4, 14, 15]);
        assert_eq!(rewinds.last_asked().map(|asked| asked.text.as_str()), Some("d"));
        assert_eq!(ask(&mut rewinds, 20, "e", ""), Some(1));
    }

    #[test]
    fn a_copy_of_a_prompt_takes_nothing_back() {
        let mut rewinds = Rewinds::default();
        ask(&mut rewinds, 1, "a", "");
        ask(&mut rewinds, 5, "b", "a-end");
        assert_eq!(rewinds.begins(Place { seq: 9, id: "a", parent: "" }), None);
    }
}
