//! Without the hooks module: what the settings hook gives back after Claude Code's own compaction.

use super::handoff::SECTIONS;
use super::party::PartyId;
use super::session::Session;
use crate::contract::compaction::HandedBack;
use crate::doors::LOOK_BACK;

/// Bytes at most; the wake beside it takes at most 3,000, and the client shows 10,000 characters whole.
const MOST: usize = 6_000;
/// The order in which sections are given back.
const ORDER: [&str; 6] = ["Next", "Remaining", "Objective", "Blocked", "Done", "Findings"];

/// The event that records that a handoff was handed back.
pub const HANDED: &[u8] = br#"{"event": "handed"}"#;

/// The stored handoff in whole sections; the rest named.
pub fn after_compaction(session: &Session) -> HandedBack {
    let Some(main) = session.state().known(&PartyId::main()) else { return HandedBack::Nothing };
    if main.offered.is_some() {
        return HandedBack::Installed;
    }
    let Some(handoff) = &main.handoff else { return HandedBack::Nothing };
    let mut text =
        "You wrote this handoff before the compaction, with the tool. It counts more than the summary above where they differ.".to_owned();
    let sections = sections(&handoff.text);
    let mut left: Vec<&str> = Vec::new();
    for heading in ORDER {
        let Some((_, body)) = sections.iter().find(|(name, _)| *name == heading) else { continue };
        if text.len() + body.len() + heading.len() + 8 + 220 <= MOST {
            text.push_str(&format!("\n\n## {heading}\n{body}"));
        } else {
            left.push(heading);
        }
    }
    if !left.is_empty() {
        text.push_str(&format!(
            "\n\nToo long to repeat: {}. `{LOOK_BACK}` finds them with the query \"{}\".",
            left.join(", "),
            handoff.call
        ));
    }
    HandedBack::Handoff(text)
}

/// The sections of an assembled handoff, by heading. A heading inside a section's own text is that section's.
fn sections(text: &str) -> Vec<(&'static str, &str)> {
    let mut starts: Vec<(usize, &'static str)> = Vec::new();
    let mut from = 0;
    for section in &SECTIONS {
        let heading = format!("## {}\n", section.heading);
        let found = text.get(from..).and_then(|rest| {
            if from == 0 && rest.starts_with(&heading) { Some(0) } else { rest.find(&format!("\n\n{heading}")).map(|at| at + 2) }
        });
        if let Some(at) = found {
            starts.push((from + at, section.heading));
            from += at + heading.len();
        }
    }
    starts
        .iter()
        .enumerate()
        .filter_map(|(at, (start, heading))| {
            let end = starts.get(at + 1).map_or(text.len(), |(next, _)| next.saturating_sub(2));
            Some((*heading, text.get(start + heading.len() + 4..end)?))
        })
        .collect()
}
