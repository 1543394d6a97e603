//! One question to one transcript file, whatever its size, in bounded memory.
//!
//! The file is read once from its beginning to its end: where the context was compacted last is known only there, so that the best hits before the newest
//! boundary so far, and those after it, are kept apart and put together at the next one. What the hits shown still need is read after that.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use super::answer;
use super::entry::{self, Kind, Tools};
use super::head::Head;
use super::page::Page;
use super::pieces::{Piece, Pieces};
use super::probe::Probe;
use super::query;
use super::rank::{Best, Hit};
use super::reading::{Asked, Compared, LongReading, Paged, read};
use super::resolve::Resolve;
use crate::contract::look_back::{Answer, Party, Question, Span, Wish};
use crate::transcript::seen::{Seen, hash};

/// Kinds of unread records that are named.
const KINDS: usize = 10;

/// Handoffs that are remembered.
const HANDOFFS: usize = 10_000;

/// A search as far as the file was pushed.
#[derive(Clone, Debug)]
pub struct Search {
    question: Question,
    party: Party,
    phase: Phase,
    scan: Scan,
}

#[derive(Clone, Debug)]
enum Phase {
    Begun,
    Scan,
    Resolve(Box<Resolve>),
    Done(Tools),
}

/// An entry that was asked for.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The record's time as it stands.
    pub time: String,
    /// What it is.
    pub kind: Kind,
    /// Whether thinking was left out of it.
    pub thinking: bool,
    /// The page.
    pub page: Page,
    /// Bytes before its line.
    pub offset: u64,
    /// A part of it that this build does not know.
    pub unknown: Option<String>,
}

/// Records that hold a term and that this build cannot read: how many of each kind, and the newest one's line.
pub type Unread = BTreeMap<String, (u64, u64)>;

/// What a file holds, as far as it was read.
#[derive(Clone, Debug)]
pub struct Scan {
    whole: bool,
    of_agent: bool,
    wanted: Option<u64>,
    asked: Asked,
    /// For lines whose text is not asked for.
    nothing: Asked,
    probes: Probes,
    pieces: Pieces,
    /// The present line when it is long and read, and whether its text is asked for.
    long: Option<(LongReading, bool)>,
    /// Lines so far.
    pub lines: u64,
    /// Bytes before the present line.
    offset: u64,
    /// Bytes of it so far, when it is long.
    length: u64,
    /// The line of the newest boundary.
    pub boundary: Option<u64>,
    /// Hits before it, or in all the file where all is searched.
    pub before: Best,
    since: Best,
    /// Records before it that hold a term and could not be read.
    pub unread: Unread,
    unread_since: Unread,
    seen: Seen,
    segment: u64,
    handoffs: BTreeSet<u64>,
    /// The entry that was asked for.
    pub shown: Option<Shown>,
    is_blank: bool,
}

/// What tells a line that is worth reading.
#[derive(Clone, Debug)]
struct Probes {
    /// Boundaries and handoffs.
    compact: Option<Probe>,
    /// Characters that are escaped by number.
    escape: Option<Probe>,
    /// None: every line is.
    terms: Option<Vec<Probe>>,
}

impl Probes {
    fn of(terms: &[query::Term]) -> Self {
        Self { compact: Probe::new(b"compact"), escape: Probe::new(b"\\u"), terms: terms.iter().map(|term| term.probe.clone()).collect() }
    }

    fn may_hold_a_term(&self, line: &[u8]) -> bool {
        let Some(terms) = &self.terms else { return true };
        terms.iter().any(|probe| probe.is_in(line)) || !terms.is_empty() && self.escape.as_ref().is_none_or(|probe| probe.is_in(line))
    }

    /// Many lines speak of compactions, few hold these names.
    fn may_be_of_a_compaction(&self, line: &[u8]) -> bool {
        self.compact.as_ref().is_none_or(|probe| probe.is_in(line))
            && [&b"compact_boundary"[..], b"forward_compaction"].iter().any(|name| memmem::find(line, name).is_some())
    }
}

impl Search {
    /// Begins.
    pub fn new(question: Question, party: Party) -> Self {
        let (asked, wanted) = match &question.wish {
            // A query that cannot be read was refused before.
            Wish::Query(query) => (Asked::Terms(Box::new(Compared::new(query::terms(query).unwrap_or_default()))), None),
            Wish::Page(page) => {
                let pages = Paged { said: Page::new(page.start), json: Page::new(page.start), raw: Page::new(page.start) };
                (Asked::Page(Box::new(pages)), Some(page.entry))
            }
        };
        let probes = Probes::of(match &asked {
            Asked::Terms(compared) => &compared.terms,
            _ => &[],
        });
        let scan = Scan {
            whole: party.whole,
            of_agent: party.agent.is_some(),
            wanted,
            asked,
            nothing: Asked::Nothing,
            probes,
            pieces: Pieces::default(),
            long: None,
            lines: 0,
            offset: 0,
            length: 0,
            boundary: None,
            before: Best::default(),
            since: Best::default(),
            unread: Unread::new(),
            unread_since: Unread::new(),
            seen: Seen::default(),
            segment: 0,
            handoffs: BTreeSet::new(),
            shown: None,
            is_blank: false,
        };
        Self { question, party, phase: Phase::Begun, scan }
    }

    /// What to push next. None: it can be answered.
    pub fn next_span(&mut self) -> Option<Span> {
        match &mut self.phase {
            Phase::Begun => {
                self.phase = Phase::Scan;
                return Some(Span { start: 0, end: None });
            }
            Phase::Scan => {
                self.scan.finish();
                self.phase = Phase::Resolve(Box::new(Resolve::new(&self.scan.results())));
            }
            _ => {}
        }
        let Phase::Resolve(resolve) = &mut self.phase else { return None };
        let span = resolve.next_span();
        if span.is_none() {
            self.phase = Phase::Done(resolve.tools().clone());
        }
        span
    }

    /// Adds bytes of the span.
    pub fn push(&mut self, chunk: &[u8]) {
        match &mut self.phase {
            Phase::Scan => self.scan.push(chunk),
            Phase::Resolve(resolve) => resolve.push(chunk),
            Phase::Begun | Phase::Done(_) => {}
        }
    }

    /// The answer. Before everything was pushed it is that of a file which ends there.
    pub fn answer(&self) -> Answer {
        let answer = |scan: &Scan, tools: &Tools| answer::answer(&self.question, &self.party, scan, tools);
        match &self.phase {
            Phase::Done(tools) => answer(&self.scan, tools),
            Phase::Resolve(resolve) => answer(&self.scan, resolve.tools()),
            Phase::Begun | Phase::Scan => {
                let mut scan = self.scan.clone();
                scan.finish();
                answer(&scan, &Tools::new())
            }
        }
    }
}

impl Scan {
    /// The terms that are looked for.
    pub fn terms(&self) -> &[query::Term] {
        match &self.asked {
            Asked::Terms(compared) => &compared.terms,
            _ => &[],
        }
    }

    /// Whether the entry that was asked for is a line without anything on it.
    pub fn is_blank(&self) -> bool {
        self.is_blank
    }

    /// Ids of the calls whose results are told of, with the bytes before their lines.
    fn results(&self) -> Vec<(u64, &[String])> {
        let hits = self.before.hits.iter().map(|hit| (hit.offset, &hit.kind));
        let shown = self.shown.iter().map(|shown| (shown.offset, &shown.kind));
        hits.chain(shown)
            .filter_map(|(offset, kind)| match kind {
                Kind::Results(ids) => Some((offset, ids.as_slice())),
                _ => None,
            })
            .collect()
    }

    fn push(&mut self, chunk: &[u8]) {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.push(chunk, |piece| self.piece(piece));
        self.pieces = pieces;
    }

    fn finish(&mut self) {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.finish(|piece| self.piece(piece));
        if self.whole {
            self.merge();
        }
        // What no boundary follows is in context still.
        self.since = Best::default();
        self.unread_since = Unread::new();
    }

    fn piece(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Line(line) => {
                self.lines += 1;
                self.line(bare(line));
                self.offset += line.len() as u64 + 1;
            }
            Piece::Begin(bytes) => {
                self.lines += 1;
                self.length = 0;
                let asks = self.wanted.is_none_or(|wanted| wanted == self.lines);
                if self.wanted == Some(self.lines) || !entry::is_bookkeeping(bare(bytes)) {
                    let asked = if asks { &mut self.asked } else { &mut self.nothing };
                    self.long = Some((LongReading::begin(asked), asks));
                }
                self.more(without_mark(bytes));
                self.length = bytes.len() as u64;
            }
            Piece::More(bytes) => self.more(bytes),
            Piece::End => {
                if let Some((reading, asks)) = self.long.take() {
                    let head = reading.finish(if asks { &mut self.asked } else { &mut self.nothing });
                    self.record(head, asks);
                }
                self.offset += self.length + 1;
            }
        }
    }

    fn more(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if let Some((reading, asks)) = &mut self.long {
            reading.push(bytes, if *asks { &mut self.asked } else { &mut self.nothing });
        }
    }

    fn line(&mut self, line: &[u8]) {
        if self.wanted == Some(self.lines) {
            self.is_blank = line.is_empty();
            if !self.is_blank {
                let head = read(line, &mut self.asked);
                self.record(head, true);
            }
            return;
        }
        if line.is_empty() || entry::is_bookkeeping(line) {
            return;
        }
        let asks = self.wanted.is_none() && self.probes.may_hold_a_term(line);
        if asks || self.probes.may_be_of_a_compaction(line) {
            let head = read(line, if asks { &mut self.asked } else { &mut self.nothing });
            self.record(head, asks);
        }
    }

    fn record(&mut self, head: Option<Head>, asks: bool) {
        if let Some(head) = &head {
            if entry::is_boundary(head, self.of_agent) {
                self.segment += 1;
                if !self.whole {
                    self.boundary = Some(self.lines);
                    self.merge();
                }
            }
            for id in entry::handoffs(head) {
                if self.handoffs.len() < HANDOFFS {
                    self.handoffs.insert(hash("handoff", id));
                }
            }
        }
        if !asks {
            return;
        }
        let kind = Kind::of(head.as_ref());
        let head = head.unwrap_or_default();
        if self.wanted.is_some() {
            self.show(head, kind);
        } else if !matches!(kind, Kind::Bookkeeping(_)) {
            self.compare(&head, kind);
        }
    }

    fn merge(&mut self) {
        self.before.merge(std::mem::take(&mut self.since));
        for (kind, (count, seq)) in std::mem::take(&mut self.unread_since) {
            count_unread(&mut self.unread, kind, count, seq);
        }
    }

    fn show(&mut self, head: Head, kind: Kind) {
        let Asked::Page(paged) = &mut self.asked else { return };
        let page = match track(&head, &kind) {
            Shows::Said => &mut paged.said,
            Shows::Json => &mut paged.json,
            Shows::Raw => &mut paged.raw,
        };
        self.shown = Some(Shown {
            page: std::mem::take(page),
            time: head.time,
            thinking: head.thinking,
            unknown: head.unknown,
            offset: self.offset,
            kind,
        });
    }

    fn compare(&mut self, head: &Head, kind: Kind) {
        let Asked::Terms(compared) = &mut self.asked else { return };
        let Compared { terms, said, json, raw, .. } = &mut **compared;
        let shows = track(head, &kind);
        let window = match shows {
            Shows::Said => said,
            Shows::Json => json,
            Shows::Raw => &mut *raw,
        };
        let found = window.finish(terms);
        let seq = self.lines;
        if let Kind::Unknown(kind) = kind {
            if found != 0 {
                count_unread(&mut self.unread_since, kind, 1, seq);
            }
            return;
        }
        if found != 0 {
            let key = key(head, &kind, shows, compared.said.digest());
            let hit = Hit {
                seq,
                offset: self.offset,
                time: head.time.clone(),
                terms: found.count_ones(),
                last: entry::is_wake(head) || entry::handoffs(head).next().is_some() || self.answers_a_handoff(&kind),
                snippet: String::new(),
                key: key.map(|key| key.hash),
                copy: None,
                kind,
            };
            if !key.is_some_and(|key| self.is_copy(key)) {
                let Asked::Terms(compared) = &self.asked else { return };
                self.since.add(hit, || {
                    match shows {
                        Shows::Said => &compared.said,
                        Shows::Json => &compared.json,
                        Shows::Raw => &compared.raw,
                    }
                    .snippet()
                });
            }
        }
        if let Some(unknown) = &head.unknown
            && let Asked::Terms(compared) = &mut self.asked
            && compared.raw.finish(&compared.terms) & !found != 0
        {
            count_unread(&mut self.unread_since, unknown.clone(), 1, seq);
        }
    }

    fn answers_a_handoff(&self, kind: &Kind) -> bool {
        matches!(kind, Kind::Results(ids) if ids.iter().any(|id| self.handoffs.contains(&hash("handoff", id))))
    }

    /// Whether the same stood before, which is the entry then; that it was copied is noted there.
    fn is_copy(&mut self, key: Key) -> bool {
        let text = format!("{:x}", key.hash);
        let is_copy = if key.is_certain {
            !self.seen.first("block", &text)
        } else {
            // People say the same twice. Only what stands again after a compaction is a copy.
            let first_here = self.seen.first(&format!("said in {}", self.segment), &text);
            !self.seen.first("said", &text) && first_here
        };
        if is_copy {
            for hit in self.before.hits.iter_mut().chain(&mut self.since.hits).filter(|hit| hit.key == Some(key.hash)) {
                hit.copy = Some(self.lines);
            }
        }
        is_copy
    }
}

/// Which of its texts an entry shows.
#[derive(Clone, Copy, Debug)]
enum Shows {
    Said,
    Json,
    Raw,
}

fn track(head: &Head, kind: &Kind) -> Shows {
    match kind {
        _ if kind.is_raw() => Shows::Raw,
        _ if head.kind == "attachment" && !head.attachment_says => Shows::Json,
        _ => Shows::Said,
    }
}

/// What copies of an entry have in common.
#[derive(Clone, Copy, Debug)]
struct Key {
    hash: u64,
    /// Whether an id is part of it, so that no other entry has it.
    is_certain: bool,
}

fn key(head: &Head, kind: &Kind, shows: Shows, digest: u64) -> Option<Key> {
    let certain = |hash| Some(Key { hash, is_certain: true });
    match (kind, shows) {
        (Kind::Tool(calls), _) => certain(hash("call", calls.first().map(|call| call.id.as_str()).filter(|id| !id.is_empty())?)),
        (Kind::Results(ids), _) => certain(hash("result", ids.first().map(String::as_str).filter(|id| !id.is_empty())?)),
        (_, Shows::Said) if !head.message.is_empty() => certain(hash("text", &format!("{} {digest:x}", head.message))),
        (_, Shows::Said) => Some(Key { hash: hash("said", &format!("{digest:x}")), is_certain: false }),
        _ => None,
    }
}

fn count_unread(unread: &mut Unread, kind: String, count: u64, seq: u64) {
    let kind = if unread.len() < KINDS || unread.contains_key(&kind) { kind } else { "others".to_owned() };
    let known = unread.entry(kind).or_default();
    known.0 += count;
    known.1 = seq;
}

/// A line without what only surrounds a record: a mark of byte order, blanks, and NULs where a block was never written.
fn bare(line: &[u8]) -> &[u8] {
    let line = without_mark(line);
    let is_something = |byte: &u8| *byte != 0 && !byte.is_ascii_whitespace();
    match (line.iter().position(is_something), line.iter().rposition(is_something)) {
        (Some(start), Some(end)) => line.get(start..=end).unwrap_or_default(),
        _ => &[],
    }
}

fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line)
}
