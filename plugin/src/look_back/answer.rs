//! The answer, as text in parts and as JSON.

use serde_json::{Value, json};

use super::entry::{Kind, Tools};
use super::query::{Term, fold};
use super::rank::Hit;
use super::say;
use super::search::{Scan, Shown};
use crate::contract::look_back::{Answer, End, Fault, Page, Part, Party, Question, Role, Wish};
use crate::transcript::text::fold_line;
use crate::wake::count;

/// Characters of an answer to a query.
const CHARACTERS: usize = 12_000;
/// Of these, what is kept for what follows the hits.
const RESERVED: usize = 2_500;

/// The answer to a question that cannot be put to a transcript.
pub fn refuse(fault: &Fault, question: Option<&Question>, party: Option<&Party>) -> Answer {
    let text = say::fault(fault);
    let line = say::line(party, question, &text);
    Answer { json: format!("{}\n", json!({"error": text})), parts: vec![note(format!("{text}\n"))], line, end: say::end(fault) }
}

/// The answer of a file that was read.
pub fn answer(question: &Question, party: &Party, scan: &Scan, tools: &Tools) -> Answer {
    if scan.boundary.is_none() && !party.whole {
        return said(question, party, say::ALL_IN_CONTEXT, "nothing was compacted yet", End::Answered);
    }
    match &question.wish {
        Wish::Query(query) => hits(question, party, query, scan, tools),
        Wish::Page(page) => entry(question, party, page, scan, tools),
    }
}

fn note(text: String) -> Part {
    Part { role: Role::Note, text }
}

/// An answer of one sentence.
fn said(question: &Question, party: &Party, text: &str, outcome: &str, end: End) -> Answer {
    let json = match end {
        End::Answered => json!({"party": whose(party), "note": text}),
        _ => json!({"party": whose(party), "error": text}),
    };
    Answer { parts: vec![note(format!("{text}\n"))], json: format!("{json}\n"), line: say::line(Some(party), Some(question), outcome), end }
}

fn whose(party: &Party) -> Value {
    json!({"session": party.session, "agent": party.agent})
}

fn hits(question: &Question, party: &Party, query: &str, scan: &Scan, tools: &Tools) -> Answer {
    let terms = scan.terms();
    let best = &scan.before;
    let mut parts = Vec::new();
    let mut listed = Vec::new();
    let most = best.hits.iter().map(|hit| hit.terms).max().unwrap_or(0);
    if best.hits.is_empty() {
        parts.push(note(format!("{}\n", say::nothing_found(terms, party, scan.boundary))));
    } else {
        parts.push(note(format!("{}\n\n", say::found(best.count, most, terms, party, scan.boundary))));
        let mut used = characters(&parts);
        for hit in &best.hits {
            let shown = hit_parts(hit, terms, scan.boundary, tools);
            used += characters(&shown);
            if used > CHARACTERS - RESERVED {
                break;
            }
            parts.extend(shown);
            listed.push(hit_json(hit, terms, scan.boundary, tools));
        }
        let rest = best.count - listed.len() as u64;
        if rest > 0 {
            parts.push(note(format!("{}\n", say::not_shown(rest))));
        }
        parts.push(note(format!("{}\n", say::how_to_read(question))));
    }
    if !scan.unread.is_empty() {
        parts.push(note(format!("{}\n", say::unread(scan.unread.iter()))));
    }
    let unread: Vec<Value> =
        scan.unread.iter().map(|(kind, (number, newest))| json!({"kind": kind, "count": number, "newest": newest})).collect();
    let json = json!({
        "party": whose(party),
        "boundary": scan.boundary,
        "query": query,
        "terms": terms.iter().map(|term| &term.shown).collect::<Vec<_>>(),
        "found": best.count,
        "hits": listed,
        "unread": unread,
    });
    let outcome = if best.count == 0 { "no hit".to_owned() } else { count(best.count, "hit", "hits") };
    Answer { parts, json: format!("{json}\n"), line: say::line(Some(party), Some(question), &outcome), end: End::Answered }
}

fn characters(parts: &[Part]) -> usize {
    parts.iter().map(|part| part.text.chars().count()).sum()
}

/// Whether a copy of it stands after the boundary.
fn copy_in_context(hit: &Hit, boundary: Option<u64>) -> Option<u64> {
    hit.copy.filter(|copy| boundary.is_some_and(|boundary| *copy > boundary))
}

fn hit_parts(hit: &Hit, terms: &[Term], boundary: Option<u64>, tools: &Tools) -> Vec<Part> {
    let mut heading = format!("#{}  {}  {}", hit.seq, say::time(&hit.time), hit.kind.words(tools));
    if (hit.terms as usize) < terms.len() {
        heading.push_str(&format!("  ({} of {} terms)", hit.terms, terms.len()));
    }
    if let Some(copy) = copy_in_context(hit, boundary) {
        heading.push_str(&format!("  may still be in context (entry {copy})"));
    }
    let mut parts = vec![Part { role: Role::Heading, text: format!("{heading}\n") }];
    parts.extend(marked(&fold_line(&hit.snippet), terms));
    parts.push(Part { role: Role::Text, text: "\n\n".to_owned() });
    parts
}

/// A snippet with its terms apart.
fn marked(snippet: &str, terms: &[Term]) -> Vec<Part> {
    let letters: Vec<char> = snippet.chars().collect();
    let folded: String = letters.iter().copied().map(fold).collect();
    let mut is_found = vec![false; letters.len()];
    for term in terms {
        let mut from = 0;
        let mut before = 0;
        while let Some((at, length)) = folded.get(from..).and_then(|rest| term.find(rest)) {
            let count = |range: std::ops::Range<usize>| folded.get(range).map_or(0, |text| text.chars().count());
            let start = before + count(from..from + at);
            let end = start + count(from + at..from + at + length);
            is_found.iter_mut().take(end).skip(start).for_each(|found| *found = true);
            (from, before) = (from + at + length, end);
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    for (letter, found) in letters.into_iter().zip(is_found) {
        let role = if found { Role::Found } else { Role::Text };
        match parts.last_mut().filter(|part| part.role == role) {
            Some(part) => part.text.push(letter),
            None => parts.push(Part { role, text: letter.to_string() }),
        }
    }
    parts
}

fn hit_json(hit: &Hit, terms: &[Term], boundary: Option<u64>, tools: &Tools) -> Value {
    json!({
        "entry": hit.seq,
        "time": hit.time,
        "kind": hit.kind.words(tools),
        "terms": hit.terms,
        "of": terms.len(),
        "copy_in_context": copy_in_context(hit, boundary),
        "snippet": fold_line(&hit.snippet),
    })
}

fn entry(question: &Question, party: &Party, page: &Page, scan: &Scan, tools: &Tools) -> Answer {
    let number = page.entry;
    if let Some(boundary) = scan.boundary.filter(|boundary| number >= *boundary) {
        if number > scan.lines {
            return no_entry(question, party, scan);
        }
        let text = format!("Entry {number} stands after the last compaction (entry {boundary}): it is already in your context.");
        return said(question, party, &text, "in context already", End::Answered);
    }
    if scan.is_blank() {
        return said(question, party, &format!("Line {number} is blank."), "a blank line", End::Answered);
    }
    let Some(shown) = &scan.shown else { return no_entry(question, party, scan) };
    let total = shown.page.count;
    if page.start > 0 && page.start >= total && !matches!(shown.kind, Kind::Bookkeeping(_)) {
        let text = format!("Entry {number} has {total} characters: from {} is past its end.", page.start);
        return said(question, party, &text, &text, End::Mistaken);
    }
    let kind = shown.kind.words(tools);
    let mut heading = format!("#{number}  {}  {kind}", say::time(&shown.time));
    let next = shown.page.next();
    if page.start > 0 || next.is_some() {
        heading.push_str(&format!("  characters {} to {} of {total}", page.start + 1, next.unwrap_or(total)));
    }
    let mut parts = vec![Part { role: Role::Heading, text: format!("{heading}\n") }];
    let (text, notes) = text_of(shown, number);
    if !text.is_empty() {
        parts.push(Part { role: Role::Text, text: format!("{text}\n") });
    }
    parts.extend(notes.iter().map(|text| note(format!("\n{text}\n"))));
    let json = json!({
        "party": whose(party),
        "boundary": scan.boundary,
        "entry": number,
        "time": shown.time,
        "kind": kind,
        "characters": total,
        "from": page.start,
        "next": next,
        "text": text,
        "notes": notes,
    });
    let outcome = format!("{kind}, {}", count(text.chars().count() as u64, "character", "characters"));
    Answer { parts, json: format!("{json}\n"), line: say::line(Some(party), Some(question), &outcome), end: End::Answered }
}

/// The page's text, and what is said besides.
fn text_of(shown: &Shown, number: u64) -> (&str, Vec<String>) {
    let mut notes = Vec::new();
    let text = match &shown.kind {
        Kind::Bookkeeping(_) => {
            notes.push("A record that only the client needs: it says nothing of the conversation.".to_owned());
            ""
        }
        _ => shown.page.text.as_str(),
    };
    match (&shown.kind, &shown.unknown) {
        (Kind::Unknown(_), _) => notes.push("This build does not know records of this kind: the line is shown as it stands.".to_owned()),
        (Kind::Malformed, _) => notes.push("The line is no whole record: it is shown as it stands.".to_owned()),
        (_, Some(unknown)) => {
            notes.push(format!("A part of it is of a kind that this build does not know and was not read: {}.", fold_line(unknown)));
        }
        (Kind::Bookkeeping(_), None) => {}
        _ if text.is_empty() && shown.thinking => notes.push(say::LEFT_OUT.to_owned()),
        _ if text.is_empty() => notes.push("Nothing is said in it.".to_owned()),
        _ => {}
    }
    if let Some(next) = shown.page.next()
        && !text.is_empty()
    {
        notes.push(format!("It goes on: entry {number}, from {next}."));
    }
    (text, notes)
}

fn no_entry(question: &Question, party: &Party, scan: &Scan) -> Answer {
    let text = format!("There is no such entry: the transcript has {}.", count(scan.lines, "line", "lines"));
    said(question, party, &text, &text, End::Mistaken)
}
