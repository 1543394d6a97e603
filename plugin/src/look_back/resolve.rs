//! Which tools the results that are told of answer: the names of their calls, wherever these stand before them.

use std::collections::BTreeSet;

use memchr::memmem;

use super::entry::{Tools, is_bookkeeping};
use super::head::Head;
use super::pieces::{Piece, Pieces};
use super::probe::Probe;
use super::reading::{Asked, LongReading, read};
use crate::contract::look_back::Span;

/// Bytes before a result in which its call nearly always stands.
const NEAR: u64 = 256 << 10;

/// Looks for calls: first close before each result, then, for those not found there, from the file's beginning on.
#[derive(Clone, Debug)]
pub struct Resolve {
    tools: Tools,
    near: Vec<Span>,
    far: Option<Span>,
    probe: Option<Probe>,
    pieces: Pieces,
    long: Option<LongReading>,
}

impl Resolve {
    /// For results of these ids, each with the bytes before its line.
    pub fn new(results: &[(u64, &[String])]) -> Self {
        let ids = results.iter().flat_map(|(_, ids)| ids.iter());
        let tools: Tools = ids.filter(|id| !id.is_empty()).map(|id| (id.clone(), None)).collect();
        let ends: BTreeSet<u64> = results.iter().map(|(offset, _)| *offset).collect();
        let near = ends.iter().map(|end| Span { start: end.saturating_sub(NEAR), end: Some(*end) }).collect();
        let far = ends.last().filter(|end| **end > NEAR).map(|end| Span { start: 0, end: Some(*end) });
        Self { tools, near, far, probe: Probe::new(b"tool_use"), pieces: Pieces::default(), long: None }
    }

    /// What to read next.
    pub fn next_span(&mut self) -> Option<Span> {
        self.pieces = Pieces::default();
        self.long = None;
        if self.tools.values().all(Option::is_some) {
            return None;
        }
        self.near.pop().or_else(|| self.far.take())
    }

    /// The names.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// Reads more of the span.
    pub fn push(&mut self, chunk: &[u8]) {
        let Self { tools, probe, pieces, long, .. } = self;
        let mut asked = Asked::Nothing;
        pieces.push(chunk, |piece| match piece {
            Piece::Line(line) => {
                if !is_bookkeeping(line) && probe.as_ref().is_none_or(|probe| probe.is_in(line)) && names_one(line, tools) {
                    keep(tools, read(line, &mut asked).as_ref());
                }
            }
            Piece::Begin(bytes) => {
                *long = (!is_bookkeeping(bytes)).then(|| LongReading::begin(&mut asked));
                if let Some(long) = long {
                    long.push(bytes, &mut asked);
                }
            }
            Piece::More(bytes) => {
                if let Some(long) = long {
                    long.push(bytes, &mut asked);
                }
            }
            Piece::End => keep(tools, long.take().and_then(|long| long.finish(&mut asked)).as_ref()),
        });
    }
}

fn names_one(line: &[u8], tools: &Tools) -> bool {
    tools.iter().any(|(id, name)| name.is_none() && memmem::find(line, id.as_bytes()).is_some())
}

fn keep(tools: &mut Tools, head: Option<&Head>) {
    for call in head.iter().flat_map(|head| &head.calls) {
        if let Some(name) = tools.get_mut(&call.id)
            && name.is_none()
        {
            *name = Some(call.name.clone());
        }
    }
}
