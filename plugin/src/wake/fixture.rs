//! Values that the tests of this room begin with.

use crate::contract::checkout::Place;
use crate::contract::transcript::Card;
use crate::contract::types::{Harness, RanIn};
use crate::contract::wake::{Candidate, Occasion, Request};

/// A person's question, about this checkout.
pub fn request() -> Request {
    Request {
        occasion: Occasion::Asked,
        callers: Vec::new(),
        session: None,
        repository: None,
        raw: false,
        now: 1_788_619_440_000,
        home: Some("/home/dev".to_owned()),
        options: Vec::new(),
    }
}

/// A directory that exists; with a root it is a checkout with a common directory in it.
pub fn place(directory: &str, root: Option<&str>) -> Place {
    Place {
        directory: directory.to_owned(),
        exists: true,
        root: root.map(str::to_owned),
        common_directory: root.map(|root| format!("{root}/.git")),
        origin: None,
        worktrees: Vec::new(),
    }
}

/// A session that ended at `ended`.
pub fn candidate(session: &str, ended: i64, place: Place) -> Candidate {
    Candidate {
        path: format!("/home/dev/.claude/projects/x/{session}.jsonl"),
        card: Card {
            harness: Harness::ClaudeCode,
            session: session.to_owned(),
            agent: None,
            forked_from: None,
            title: None,
            ran_in: Some(RanIn { cwd: place.directory.clone(), branch: None }),
            started: Some(0),
            ended: Some(ended),
            has_prompt: true,
            has_tool_call: false,
            task: None,
        },
        place: Some(place),
        known_keys: Vec::new(),
        live: false,
        size: 1,
        unread: 0,
        read_at: None,
    }
}
