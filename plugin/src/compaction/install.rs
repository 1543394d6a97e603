//! Builds a wake: facts, handoff, and the tail that stays.

use super::answer::{BuiltResult, Kept};
use super::decide::MechanicalCause;
use super::dossier::{self, Scene};
use super::event::{Compact, Message, Role};
use super::fact::{Handoff, Install, WakeKind};
use super::marks::Resolved;
use super::party::PartyId;
use super::ratio::{characters_of, ratio};
use super::session::Doing;
use super::tally::{characters, count};
use super::{say, tail};
use crate::contract::compaction::{Needs, Supplies};
use crate::transcript::markers::INSTALLED_HANDOFF;

/// What facts may take where neither window nor ratio is known, in characters.
const UNKNOWN_ROOM: u64 = 20_000;

/// Renderings after which the tail is given up.
const ROUNDS: u32 = 8;

/// Which wake is built, and why.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which.
    pub kind: WakeKind,
    /// The handoff.
    pub handoff: Option<Handoff>,
    /// Why a mechanical one.
    pub cause: Option<MechanicalCause>,
    /// It must fit for certain.
    pub reactive: bool,
    /// A resume lost it.
    pub again: bool,
}

/// A wake with what the ledger records of it.
#[derive(Debug)]
pub struct Built {
    /// The conversation from now on.
    pub messages: Vec<Kept>,
    /// For the ledger.
    pub install: Install,
}

/// What the machine must bring first; none: all is there.
pub fn needs(doing: &Doing<'_>, party: &PartyId, plan: &Plan, supplies: &Supplies) -> Option<Needs> {
    let asked = plan.handoff.iter().flat_map(|handoff| &handoff.files).map(|file| file.path.clone());
    let files: Vec<String> = asked.filter(|path| !supplies.files.iter().any(|file| file.path == *path)).collect();
    let git = crate::checkout::first_look();
    let git = if supplies.git.len() < git.len() { git } else { Vec::new() };
    (!files.is_empty() || !git.is_empty()).then(|| Needs { files, git, directory: directory(doing, party), origin: false })
}

/// Where a party works.
pub fn directory(doing: &Doing<'_>, party: &PartyId) -> Option<String> {
    let own = party.agent().and_then(|agent| doing.state.agents.iter().find(|row| row.id == agent)).and_then(|row| row.cwd.clone());
    own.or_else(|| doing.state.cwd.clone())
}

/// Builds it.
pub fn build(doing: &Doing<'_>, party: &PartyId, compact: &Compact, plan: &Plan, marks: Option<&Resolved>, supplies: &Supplies) -> Built {
    let known = doing.state.party(party);
    let response_in = |messages: &[Message]| {
        plan.handoff.as_ref().and_then(|handoff| tail::anchor(messages, &handoff.call)).map(|anchor| tail::response(messages, anchor))
    };
    let without_copies;
    let messages = if plan.again {
        without_copies = tail::without_copies(&compact.messages, response_in(&compact.messages).map_or(0, |response| response.after));
        &without_copies
    } else {
        &compact.messages
    };
    // A base from before the resume counts another conversation.
    let measured = if plan.again { None } else { ratio(known.base, known.reading, compact.characters) };
    // Unmeasured, one character a token fits for certain.
    let total = marks.map(|marks| characters_of(marks.budget(), measured.unwrap_or(1.0)));
    let response = response_in(messages);
    let from = response.map_or(0, |response| response.after);
    let limit = match (measured, plan.reactive, plan.kind) {
        (Some(_), _, _) => Limit::Within(total.unwrap_or(UNKNOWN_ROOM)),
        (None, true, _) => total.map_or(Limit::Nothing, Limit::Within),
        (None, false, WakeKind::Handoff) => Limit::None,
        (None, false, WakeKind::Mechanical) => Limit::Nothing,
    };
    let mut start = tail::fit(messages, from, if limit == Limit::Nothing { Some(0) } else { None });
    // Facts are rendered against the tail kept. The tail only shrinks, so this ends.
    let mut rounds = 0;
    loop {
        rounds += 1;
        let kept = messages.get(start..).unwrap_or_default();
        let scene = Scene {
            party,
            known: &known,
            plan,
            before: known.reading.or(known.last_reading),
            marks,
            ratio: measured,
            total: total.unwrap_or(UNKNOWN_ROOM),
            response: response.map(|response| messages.get(response.first..response.after).unwrap_or_default()),
            answers: response.and_then(|response| messages.get(response.first..)).unwrap_or_default(),
            agents_listed: compact.agents.is_some(),
            kept,
            by_handle: by_handle(party),
            media: &compact.media,
            dropped: (messages.len() - kept.len()) as u64,
            supplies,
        };
        let facts = dossier::facts(doing, &scene);
        let handoff = plan.handoff.as_ref().map(|handoff| handoff_message(handoff, kept.len() as u64, (start - from) as u64));
        let built = characters(&facts) + handoff.as_deref().map_or(0, characters);
        let next = match limit {
            Limit::Within(room) => tail::fit(messages, start, Some(room.saturating_sub(built))),
            Limit::None | Limit::Nothing => start,
        };
        if next > start {
            // Each round is a whole rendering: what goes on and on ends without a tail.
            start = if rounds < ROUNDS { next } else { messages.len() };
            continue;
        }
        let install = Install {
            kind: plan.kind,
            handoff: plan.handoff.clone(),
            before: known.reading.or(known.last_reading),
            facts: characters(&facts),
            handoff_characters: handoff.as_deref().map_or(0, characters),
            kept: kept.len() as u64,
            dropped: (messages.len() - kept.len()) as u64,
            position: 0,
            after: None,
        };
        let user = |text: String| Kept::Built { role: "user", text, results: Vec::new() };
        let rows =
            [Some(user(facts)), handoff.map(user)].into_iter().flatten().chain(kept.iter().map(|message| given_back(message, party)));
        return Built { messages: rows.collect(), install };
    }
}

/// How much the wake may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    /// As much as it is.
    None,
    /// So many characters, facts and handoff in them.
    Within(u64),
    /// No tail.
    Nothing,
}

/// Whether a party's rows with tool results are kept as the engine has them: a sub-agent that is woken again finds its old conversation by them.
fn by_handle(party: &PartyId) -> bool {
    party.is_main()
}

fn given_back(message: &Message, party: &PartyId) -> Kept {
    match &message.handle {
        Some(handle) if by_handle(party) || message.results.is_empty() => Kept::Handle { handle: handle.clone() },
        _ => Kept::Built {
            role: if message.role == Role::User { "user" } else { "assistant" },
            text: if message.results.is_empty() { message.text.clone() } else { String::new() },
            results: message.results.iter().map(BuiltResult::from).collect(),
        },
    }
}

fn handoff_message(handoff: &Handoff, kept: u64, older: u64) -> String {
    let written = handoff.reading.map_or_else(String::new, |reading| format!(" at {} tokens", super::tally::size(reading)));
    let follows = match (kept, older) {
        (0, 0) => "Nothing followed it.".to_owned(),
        (_, 0) => format!("What followed it is kept verbatim below: {}.", count(kept, "message")),
        _ => format!(
            "Of what followed it, {} are kept verbatim below and {} were dropped, oldest first, never a result without its call.",
            count(kept, "message"),
            count(older, "older one")
        ),
    };
    format!(
        "{INSTALLED_HANDOFF}\nYou wrote this handoff{written}. It stands in place of the conversation before it.\n\n{}\n\nThe call was answered: {}\n\nGo on from Next. {follows} {} \
         Handing off again costs nothing.",
        handoff.text,
        handoff.receipt,
        say::look_back_hint(),
    )
}

/// A wake without tail and files, from what needs no care: for a component that failed otherwise.
pub fn rescue(doing: &Doing<'_>, party: &PartyId) -> Built {
    let known = doing.state.party(party);
    let handoff = known.handoff.clone();
    let facts = dossier::rescued(doing, party);
    let message = handoff.as_ref().map(|handoff| handoff_message(handoff, 0, 0));
    let install = Install {
        kind: WakeKind::Mechanical,
        before: known.reading.or(known.last_reading),
        facts: characters(&facts),
        handoff_characters: message.as_deref().map_or(0, characters),
        handoff,
        kept: 0,
        dropped: 0,
        position: 0,
        after: None,
    };
    let user = |text: String| Kept::Built { role: "user", text, results: Vec::new() };
    Built { messages: [Some(user(facts)), message.map(user)].into_iter().flatten().collect(), install }
}
