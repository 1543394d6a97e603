//! A session's state: what its facts add up to. It changes by [`State::apply`] alone.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::fact::{AgentRow, BackgroundRow, CompactedBy, Fact};
use super::ledger::Row;
use super::party::{Base, Party, PartyId};
use crate::contract::types::Millis;

/// Words that reached a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heard {
    /// Whose conversation.
    pub party: PartyId,
    /// Where they came from; none: the person.
    pub from: Option<String>,
    /// Verbatim.
    pub text: String,
    /// The ledger position.
    pub position: u64,
    /// When.
    pub at: Millis,
}

/// A skill whose text was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// Its name.
    pub name: String,
    /// The latest text.
    pub text: String,
    /// Its file.
    pub path: Option<String>,
    /// Pinned by its frontmatter.
    pub keep: bool,
    /// The parties that loaded it.
    pub loaders: BTreeSet<PartyId>,
    /// Its text was read, and no row has shown yet who loaded it.
    pub pending: bool,
    /// The ledger position of the latest read.
    pub position: u64,
}

/// Main's window as the client reported it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// The model's, in tokens.
    pub window: u64,
    /// What is measured against.
    pub raw: Option<u64>,
    /// From where it asks; none: auto-compaction is off.
    pub threshold: Option<u64>,
    /// Who set the compaction window.
    pub set_by: Option<String>,
}

/// Prompts and notices that are kept when nothing needs older ones.
const HEARD: usize = 40;
/// The person's words of them that stay in any case.
const PERSONS: usize = 10;

/// Everything one session's events have told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Facts applied: the next fact's position.
    pub position: u64,
    /// Rows that could not be read.
    pub unread: u64,
    /// When the first fact was recorded.
    pub since: Option<Millis>,
    /// The latest time recorded: it does not go back with the clock.
    pub latest: Option<Millis>,
    /// What the ledger began with: `startup` knows the whole session.
    pub began_as: Option<String>,
    /// It is a fork, and its origin's ledger is not copied yet.
    pub wants_origin: bool,
    /// How the session last began or went on.
    pub source: Option<String>,
    /// Whether a person is at the prompt; none: unknown.
    pub interactive: Option<bool>,
    /// The directory that the session works in.
    pub cwd: Option<String>,
    /// Main's window; none: unknown.
    pub window: Option<Window>,
    /// The agents as last listed.
    pub agents: Vec<AgentRow>,
    /// When they were listed.
    pub agents_at: Option<Millis>,
    /// Each party.
    pub parties: BTreeMap<PartyId, Party>,
    /// Prompts, notices and messages, oldest first.
    pub heard: Vec<Heard>,
    /// Skills, by name.
    pub skills: BTreeMap<String, Skill>,
    /// What ran in the background at the last stop.
    pub background: Vec<BackgroundRow>,
    /// When that was.
    pub background_at: Option<Millis>,
    /// What was said that is said once.
    pub told: BTreeSet<String>,
    /// The session under this id ended.
    pub ended: bool,
}

impl State {
    /// What is known of a party; nothing yet is the default.
    pub fn party(&self, id: &PartyId) -> Party {
        self.parties.get(id).cloned().unwrap_or_default()
    }

    /// Likewise, borrowed.
    pub fn known(&self, id: &PartyId) -> Option<&Party> {
        self.parties.get(id)
    }

    /// Applies one row.
    pub fn apply(&mut self, row: Row) {
        let position = self.position;
        self.position += 1;
        self.since.get_or_insert(row.at);
        self.latest = Some(self.latest.map_or(row.at, |latest| latest.max(row.at)));
        let at = row.at;
        match row.fact {
            Fact::Began { interactive, cwd } => {
                self.interactive = Some(interactive);
                self.cwd = cwd.or(self.cwd.take());
                self.ended = false;
            }
            Fact::Source { source } => {
                self.wants_origin |= self.began_as.is_none() && source == "fork";
                self.began_as.get_or_insert_with(|| source.clone());
                self.source = Some(source);
                self.ended = false;
            }
            Fact::OriginCopied => self.wants_origin = false,
            Fact::Window { window, raw, threshold, set_by } => self.window = Some(Window { window, raw, threshold, set_by }),
            Fact::Agents { rows } => self.list(rows, at),
            Fact::Spawned { agent, parent, kind, description, brief, fork } => {
                let party = self.parties.entry(PartyId::of(Some(&agent))).or_default();
                (party.parent, party.fork, party.spawned_here) = (parent, fork, true);
                (party.kind, party.description, party.brief) = (Some(kind), Some(description), Some(brief));
            }
            Fact::Prompt { text } => self.hear(Heard { party: PartyId::main(), from: None, text, position, at }),
            Fact::Notice { from, text } => self.hear(Heard { party: PartyId::main(), from: Some(from), text, position, at }),
            Fact::Delivered { party, from, text } => self.hear(Heard { party, from: Some(from), text, position, at }),
            Fact::SkillRead { name, text, path, keep } => {
                let loaders = self.skills.remove(&name).map(|skill| skill.loaders).unwrap_or_default();
                self.skills.insert(name.clone(), Skill { name, text, path, keep, loaders, pending: true, position });
            }
            Fact::SkillLoaded { name, party } => {
                if let Some(skill) = self.skills.get_mut(&name) {
                    skill.loaders.insert(party);
                    skill.pending = false;
                }
            }
            Fact::SkillsLeft { party, names } => {
                for name in names {
                    if let Some(skill) = self.skills.get_mut(&name) {
                        skill.loaders.remove(&party);
                    }
                }
                self.parties.entry(party).or_default().dropped.clear();
            }
            Fact::Background { rows } => (self.background, self.background_at) = (rows, Some(at)),
            Fact::Reported { agent, status } => {
                self.parties.entry(PartyId::of(Some(&agent))).or_default().reported = Some(status);
            }
            Fact::Told { what } => {
                self.told.insert(what);
            }
            Fact::Ended { .. } => self.ended = true,
            fact => self.apply_to_party(fact, position),
        }
    }

    fn apply_to_party(&mut self, fact: Fact, position: u64) {
        let Some(id) = party_of(&fact).cloned() else { return };
        let party = self.parties.entry(id).or_default();
        match fact {
            Fact::ToolOffered { .. } => party.offered_tool = true,
            Fact::WokenAgain { .. } => party.reported = None,
            Fact::TurnStarted { turn, .. } => {
                party.turn = Some(turn);
                (party.too_long, party.installed_this_turn, party.held) = (false, false, false);
            }
            Fact::TurnEnded { .. } => party.turn = None,
            Fact::Judged { model, ignored_by, .. } => (party.model, party.ignored_by) = (Some(model), ignored_by),
            Fact::Completed { reading, .. } => {
                (party.too_long, party.held, party.mechanical) = (false, false, 0);
                if let Some(reading) = reading {
                    party.wants_base = party.base.is_none();
                    (party.reading, party.last_reading) = (Some(reading), Some(reading));
                }
            }
            Fact::TooLong { .. } => party.too_long = true,
            Fact::Measured { characters, .. } => {
                party.wants_base = false;
                party.base = characters.zip(party.reading).map(|(characters, reading)| Base { reading, characters });
            }
            Fact::Nudged { level, .. } => {
                (party.level, party.absorbs) = (level, false);
                party.gate.first_nudge.get_or_insert(level);
            }
            Fact::Absorbed { level, .. } => (party.level, party.absorbs) = (level, false),
            Fact::Refused { request, .. } => party.gate.refused = Some(request),
            Fact::Opened { .. } => party.gate.opened = true,
            Fact::Stored { mut handoff, .. } => {
                party.dropped = handoff.drop_skills.iter().filter(|name| party.dropped_before.contains(name)).cloned().collect();
                party.dropped_before.clone_from(&handoff.drop_skills);
                handoff.position = position;
                party.handoff = Some(*handoff);
            }
            Fact::Dropped { .. } => party.handoff = None,
            Fact::Held { .. } => (party.held, party.holds) = (true, party.holds.saturating_add(1)),
            Fact::Offered { mut install, .. } => {
                install.position = position;
                (party.too_long, party.held, party.holds) = (false, false, 0);
                if install.kind == super::fact::WakeKind::Mechanical {
                    party.mechanical = party.mechanical.saturating_add(1);
                }
                party.offer_turn.clone_from(&party.turn);
                party.offered = Some(*install);
            }
            Fact::Installed { .. } => {
                if let Some(install) = party.offered.take() {
                    // A handoff stored after the offer is another one.
                    if party.handoff.as_ref().is_some_and(|handoff| handoff.position < install.position) {
                        party.handoff = None;
                    }
                    // What failed since the offer is of the conversation that was taken.
                    let since = (party.too_long, party.held, party.holds);
                    party.compacted();
                    (party.too_long, party.held, party.holds) = since;
                    party.landing = true;
                    party.installed_this_turn = party.offer_turn.is_some() && party.offer_turn == party.turn;
                    party.installed = Some(install);
                }
            }
            Fact::Refuted { .. } => {
                let taken_back = party.offered.take().map(|install| install.kind);
                party.mechanical = party.mechanical.saturating_sub(u32::from(taken_back == Some(super::fact::WakeKind::Mechanical)));
            }
            Fact::Landed { after, .. } => {
                party.landing = false;
                if let Some(install) = &mut party.installed {
                    install.after = after;
                }
            }
            Fact::Compacted { by, .. } => {
                let kept = (party.reading, party.last_reading);
                party.compacted();
                party.offered = None;
                // What the reading after an unseen one shows is known already.
                party.installed = None;
                if by == CompactedBy::Unseen {
                    (party.reading, party.last_reading) = kept;
                    party.wants_base = party.reading.is_some();
                }
            }
            Fact::Touched { path, kind, .. } => party.touch(path, kind, position),
            Fact::Tasks { tasks, .. } => party.tasks = tasks,
            _ => {}
        }
    }

    fn list(&mut self, rows: Vec<AgentRow>, at: Millis) {
        for row in &rows {
            if let Some(window) = row.window {
                self.parties.entry(PartyId::of(Some(&row.id))).or_default().window = Some(window);
            }
        }
        (self.agents, self.agents_at) = (rows, Some(at));
    }

    fn hear(&mut self, heard: Heard) {
        self.heard.push(heard);
        if self.heard.len() <= HEARD * 2 {
            return;
        }
        // What a stored handoff has not seen is carried whole, however much it is.
        let oldest_needed = self.parties.values().filter_map(|party| Some(party.handoff.as_ref()?.position)).min();
        // Notices never crowd out the person's newest words.
        let persons = self.heard.iter().rev().filter(|heard| heard.from.is_none()).nth(PERSONS - 1).map_or(0, |heard| heard.position);
        let surplus = self.heard.len() - HEARD;
        let mut at = 0;
        self.heard.retain(|heard| {
            at += 1;
            let is_persons = heard.from.is_none() && heard.position >= persons;
            at > surplus || is_persons || oldest_needed.is_some_and(|needed| heard.position >= needed)
        });
    }
}

/// The party that a fact is of.
fn party_of(fact: &Fact) -> Option<&PartyId> {
    match fact {
        Fact::ToolOffered { party }
        | Fact::WokenAgain { party }
        | Fact::TurnStarted { party, .. }
        | Fact::TurnEnded { party, .. }
        | Fact::Judged { party, .. }
        | Fact::Completed { party, .. }
        | Fact::TooLong { party }
        | Fact::Measured { party, .. }
        | Fact::Nudged { party, .. }
        | Fact::Absorbed { party, .. }
        | Fact::Refused { party, .. }
        | Fact::Opened { party }
        | Fact::Stored { party, .. }
        | Fact::Dropped { party, .. }
        | Fact::Held { party }
        | Fact::Offered { party, .. }
        | Fact::Installed { party }
        | Fact::Refuted { party }
        | Fact::Landed { party, .. }
        | Fact::Compacted { party, .. }
        | Fact::Touched { party, .. }
        | Fact::Tasks { party, .. } => Some(party),
        _ => None,
    }
}
