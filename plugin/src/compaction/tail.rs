//! The messages that stay: after the handoff's call, or the newest that fit. A result is never kept without its call.

use std::collections::BTreeMap;

use super::event::{Message, Role};
use super::tally::characters;
use crate::transcript::markers::is_installed;

/// Live characters of a message: text, tool input as JSON, result text. Media count nothing.
pub fn live(message: &Message) -> u64 {
    let uses: u64 = message.uses.iter().filter_map(|call| call.input.as_ref()).map(|input| characters(input.get())).sum();
    let results: u64 = message.results.iter().map(|result| characters(&result.text)).sum();
    characters(&message.text) + uses + results
}

/// Where a call is: the last assistant message that holds it.
pub fn anchor(messages: &[Message], call: &str) -> Option<usize> {
    messages.iter().rposition(|message| message.role == Role::Assistant && message.uses.iter().any(|used| used.id == call))
}

/// The response that a call is of: the run of assistant messages around it, and the user messages after it that only answer its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// The first message of it.
    pub first: usize,
    /// The first message after it: the tail begins there.
    pub after: usize,
}

/// The response around an anchor.
pub fn response(messages: &[Message], anchor: usize) -> Response {
    let assistant = |at: usize| messages.get(at).is_some_and(|message| message.role == Role::Assistant);
    let mut first = anchor;
    while first > 0 && assistant(first - 1) {
        first -= 1;
    }
    let mut after = anchor + 1;
    while assistant(after) {
        after += 1;
    }
    let calls: Vec<&str> =
        messages.get(first..after).unwrap_or_default().iter().flat_map(|message| &message.uses).map(|used| used.id.as_str()).collect();
    let only_answers = |message: &Message| {
        !message.results.is_empty()
            && message.text.trim().is_empty()
            && message.results.iter().all(|result| calls.contains(&result.id.as_str()))
    };
    while messages.get(after).is_some_and(|message| message.role == Role::User && only_answers(message)) {
        after += 1;
    }
    Response { first, after }
}

/// The first message of the longest tail, not before `from`, that takes at most `room` characters; none: no limit.
pub fn fit(messages: &[Message], from: usize, room: Option<u64>) -> usize {
    let end = messages.len();
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    // A tail may not begin at `at` while a result at or after it answers a call before it: `barred[at]` ends at the last such result.
    let mut barred = vec![0_usize; end + 1];
    for (at, message) in messages.iter().enumerate() {
        for used in &message.uses {
            calls.insert(used.id.as_str(), at);
        }
        for result in &message.results {
            let first = calls.get(result.id.as_str()).map_or(0, |call| call + 1);
            if let Some(last) = barred.get_mut(first) {
                *last = (*last).max(at + 1);
            }
        }
    }
    let mut reach = 0;
    let allowed: Vec<bool> = (0..=end)
        .map(|at| {
            reach = reach.max(barred.get(at).copied().unwrap_or_default());
            at >= reach
        })
        .collect();
    let mut used = 0_u64;
    let mut start = end;
    for at in (from.min(end)..end).rev() {
        used = used.saturating_add(messages.get(at).map_or(0, live));
        if room.is_some_and(|room| used > room) {
            break;
        }
        if allowed.get(at).copied().unwrap_or_default() {
            start = at;
        }
    }
    start
}

/// The conversation with what stands in it twice once. After a resume the rows that an install kept stand after the call as they were, and again as the client wrote
/// them anew, with the lost wake before them: the later ones stay, and the wake goes.
pub fn without_copies(messages: &[Message], from: usize) -> Vec<Message> {
    let (older, tail) = messages.split_at(from.min(messages.len()));
    let tail: Vec<&Message> = tail.iter().filter(|message| !is_installed(&message.text)).collect();
    let same = |one: &Message, other: &Message| {
        let uses = |message: &Message| message.uses.iter().map(|used| used.id.clone()).collect::<Vec<_>>();
        let results = |message: &Message| message.results.iter().map(|result| result.id.clone()).collect::<Vec<_>>();
        one.role == other.role && one.text == other.text && uses(one) == uses(other) && results(one) == results(other)
    };
    let repeated = (1..=tail.len() / 2)
        .rev()
        .find(|length| tail.iter().take(*length).zip(tail.iter().skip(*length)).all(|(one, other)| same(one, other)))
        .unwrap_or_default();
    older.iter().chain(tail.into_iter().skip(repeated)).cloned().collect()
}
