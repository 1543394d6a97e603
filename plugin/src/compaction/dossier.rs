//! The facts of a wake. Each part takes at most its share of the room, in a fixed order, from what is left; what does not fit is skipped, named and counted.

use std::collections::BTreeMap;

use super::decide::MechanicalCause;
use super::event::{Message, Role};
use super::fact::WakeKind;
use super::files::{self, fenced};
use super::handoff::FILES_PERCENT;
use super::install::{self, Plan};
use super::marks::Resolved;
use super::party::{Party, PartyId};
use super::ratio::characters_of;
use super::session::Doing;
use super::state::Heard;
use super::tally::{characters, count, size};
use super::{say, skills};
use crate::contract::compaction::Supplies;
use crate::transcript::fold_line;
use crate::transcript::markers::INSTALLED_WAKE;
use crate::wake::{age, checkout_line, cut, date_and_minute};

/// Rows of a list at most.
const ROWS: usize = 50;
/// Files touched that are listed.
const TOUCHED: usize = 15;
/// The person's messages that are repeated.
const MESSAGES: usize = 10;
/// Bytes of all built text at most. What the person said since the handoff comes before everything else.
const MOST_BYTES: usize = 2 << 20;
/// Names of what was skipped that are listed.
const NAMED: usize = 12;

/// What the facts are rendered for.
#[derive(Debug)]
pub struct Scene<'a> {
    /// Whose wake.
    pub party: &'a PartyId,
    /// What is known of it.
    pub known: &'a Party,
    /// Which wake.
    pub plan: &'a Plan,
    /// Tokens before.
    pub before: Option<u64>,
    /// Its marks.
    pub marks: Option<&'a Resolved>,
    /// Characters per token; none: unmeasured.
    pub ratio: Option<f64>,
    /// The whole room in characters.
    pub total: u64,
    /// The response that holds the handoff's call, with the results that answer it.
    pub response: Option<&'a [Message]>,
    /// The messages from that response on.
    pub answers: &'a [Message],
    /// The agents could be listed for this ask.
    pub agents_listed: bool,
    /// The tail.
    pub kept: &'a [Message],
    /// Rows with results are in it as the engine has them.
    pub by_handle: bool,
    /// Images and documents in tool results, by the call's id.
    pub media: &'a BTreeMap<String, Vec<String>>,
    /// Messages that went.
    pub dropped: u64,
    /// What the machine brought.
    pub supplies: &'a Supplies,
}

/// One thing that is carried whole or not at all.
struct Piece {
    /// What it is called when it is skipped.
    name: String,
    text: String,
}

/// Room that is shared out.
struct Room {
    /// Characters.
    total: u64,
    left: u64,
    /// Bytes, whatever the characters.
    bytes: usize,
}

impl Room {
    /// The pieces that fit into a share, tried in order, with the names of those that do not. No share: what is left.
    fn take(&mut self, pieces: Vec<Piece>, share: Option<u64>) -> (Vec<Piece>, Vec<String>) {
        let mut room = share.unwrap_or(self.left).min(self.left);
        let mut taken = Vec::new();
        let mut skipped = Vec::new();
        for piece in pieces {
            let needed = characters(&piece.text) + 1;
            if needed <= room && piece.text.len() < self.bytes {
                room -= needed;
                self.left -= needed;
                self.bytes -= piece.text.len() + 1;
                taken.push(piece);
            } else {
                skipped.push(piece.name);
            }
        }
        (taken, skipped)
    }
}

/// The facts message. What would pass the most bytes that built messages may have gives way, files before all else.
pub fn facts(doing: &Doing<'_>, scene: &Scene<'_>) -> String {
    let handoff = scene.plan.handoff.as_ref().map_or(0, |handoff| handoff.text.len() + handoff.receipt.len() + 1024);
    let room = || Room { total: scene.total, left: scene.total, bytes: MOST_BYTES.saturating_sub(handoff) };
    let whole = within(doing, scene, Room { bytes: usize::MAX, ..room() }, true);
    if whole.len() + handoff <= MOST_BYTES { whole } else { within(doing, scene, room(), false) }
}

fn within(doing: &Doing<'_>, scene: &Scene<'_>, mut room: Room, with_files: bool) -> String {
    if let Some(handoff) = &scene.plan.handoff {
        room.left = room.left.saturating_sub(characters(&handoff.text) + characters(&handoff.receipt) + 600);
    }
    let mut sections = vec![opening(doing, scene)];
    room.left = room.left.saturating_sub(sections.iter().map(|section| characters(section)).sum());
    let mut late = Vec::new();
    let mut shed = Vec::new();
    for piece in arrived(doing, scene) {
        // Whole, unless the message would be refused for its size.
        if piece.text.len() + (64 << 10) > room.bytes {
            shed.push(piece.name);
        } else {
            room.bytes -= piece.text.len();
            room.left = room.left.saturating_sub(characters(&piece.text) + 1);
            late.push(piece);
        }
    }
    sections.extend(section("Arrived since the handoff", late, &shed));
    let said = said(doing, scene);
    match said {
        Said::Person(pieces) => {
            let share = room.total / 4;
            let (mut pieces, skipped) = room.take(pieces, Some(share));
            pieces.reverse();
            sections.extend(section("The person's messages", pieces, &skipped));
        }
        Said::Brief(brief) => {
            let share = room.total / 4;
            let (pieces, skipped) = room.take(brief.into_iter().collect(), Some(share));
            sections.extend(section("Your brief", pieces, &skipped));
        }
    }
    let (title, notices) = notices(doing, scene);
    let share = room.total / 20;
    let (mut pieces, skipped) = room.take(notices, Some(share));
    pieces.reverse();
    sections.extend(section(title, pieces, &skipped));
    let share = room.total / 10;
    let (pieces, skipped) = room.take(siblings(scene), Some(share));
    sections.extend(section("Results of the calls beside the handoff", pieces, &skipped));
    let share =
        scene.marks.map_or(room.total / 10, |marks| characters_of(marks.in_force * FILES_PERCENT / 100, scene.ratio.unwrap_or(1.0)));
    let share = if with_files { share } else { 0 };
    let (pieces, skipped) = room.take(carried_files(scene), Some(share));
    sections.extend(section("Files asked for, as they are now", pieces, &skipped));
    let share = room.total / 20;
    let (pieces, skipped) = room.take(tasks(scene.known), Some(share));
    sections.extend(section("Tasks, as last set", pieces, &skipped));
    for (title, pieces) in [
        ("Files touched, newest first (R read, E edited, W written)", touched(scene.known)),
        (if scene.agents_listed { "Agents now" } else { "Agents" }, agents(doing, scene)),
        ("Background shells and scheduled prompts", background(doing, scene.party)),
        ("Checkout now", checkout(doing, scene)),
        ("Not kept of the messages below", lost(scene)),
    ] {
        let (pieces, skipped) = room.take(pieces, None);
        sections.extend(section(title, pieces, &skipped));
    }
    sections.extend(skill_sections(doing, scene, &mut room));
    sections.join("\n\n")
}

/// What remains when the component failed: the person's last messages, whole or not at all.
pub fn rescued(doing: &Doing<'_>, party: &PartyId) -> String {
    let mut room = Room { total: 20_000, left: 20_000, bytes: MOST_BYTES };
    let pieces: Vec<Piece> =
        doing.state.heard.iter().rev().filter(|heard| heard.party == *party && heard.from.is_none()).take(MESSAGES).map(piece_of).collect();
    let (mut pieces, skipped) = room.take(pieces, None);
    pieces.reverse();
    let mut text = format!(
        "{INSTALLED_WAKE}\nReveille failed while it built this wake, so it holds little: no objective was written, and everything older is gone from this context. Recover the objective \
         from the person's messages. {}",
        say::look_back_hint()
    );
    if let Some(section) = section("The person's messages", pieces, &skipped) {
        text.push_str("\n\n");
        text.push_str(&section);
    }
    text
}

fn section(title: &str, pieces: Vec<Piece>, skipped: &[String]) -> Option<String> {
    if pieces.is_empty() && skipped.is_empty() {
        return None;
    }
    let mut text = format!("## {title}");
    for piece in pieces {
        text.push('\n');
        text.push_str(piece.text.trim_end());
    }
    if !skipped.is_empty() {
        let names = skipped.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
        let more = if skipped.len() > NAMED { format!("; and {} more", skipped.len() - NAMED) } else { String::new() };
        text.push_str(&format!("\n({} left out for room: {names}{more})", skipped.len()));
    }
    Some(text)
}

fn opening(doing: &Doing<'_>, scene: &Scene<'_>) -> String {
    let mut text = format!("{INSTALLED_WAKE}\n");
    match (scene.plan.kind, scene.plan.cause) {
        (WakeKind::Handoff, _) if scene.plan.again => {
            text.push_str("A resume had brought the old conversation back, so your handoff is installed again. These are facts that Reveille recorded, not words of anybody but where quoted.");
        }
        (WakeKind::Handoff, _) => {
            text.push_str(
                "Your handoff is installed. These are facts that Reveille recorded beside it, not words of anybody but where quoted.",
            );
        }
        (WakeKind::Mechanical, cause) => {
            let why = say::mechanical_why(cause.unwrap_or(MechanicalCause::Ceiling), scene.before, scene.marks);
            let from = if scene.party.is_main() { "the person's messages" } else { "your brief" };
            let kept = scene.kept.len() as u64;
            text.push_str(&format!(
                "This context was compacted {why}. No objective was written: recover it from {from} below. {} stay as they were and {} went. These are facts that Reveille \
                 recorded, not words of anybody but where quoted. {}",
                count(kept, "message"),
                count(scene.dropped, "message"),
                say::look_back_hint()
            ));
        }
    }
    if !matches!(doing.state.began_as.as_deref(), Some("startup" | "clear"))
        && let Some(since) = doing.state.since
    {
        text.push_str(&format!(
            "\nRecorded since {} UTC, which is later than the session's start: an earlier brief, earlier prompts and shells are unknown rather than none.",
            date_and_minute(since)
        ));
    }
    text
}

fn piece_of(heard: &Heard) -> Piece {
    let from = heard
        .from
        .as_deref()
        .map_or_else(String::new, |from| format!(" from {}", if from.is_empty() { "an unnamed source" } else { from }));
    let first = cut(&fold_line(&heard.text), 60);
    Piece {
        name: format!("\"{first}\" ({} characters)", size(characters(&heard.text))),
        text: format!("### {}{from}\n{}", date_and_minute(heard.at), heard.text),
    }
}

/// Whether the tail holds a text already, in a row that stays as the engine has it.
fn holds(scene: &Scene<'_>, text: &str) -> bool {
    let text = text.trim();
    // A short text stands in many others: then only a whole line is the same words.
    let same = |message: &Message| {
        let long = text.chars().count() > 80 && message.text.contains(text);
        long || message.text.trim() == text || message.text.lines().any(|line| line.trim() == text)
    };
    scene.kept.iter().any(|message| (scene.by_handle || message.results.is_empty()) && message.role == Role::User && same(message))
}

fn heard<'a>(doing: &'a Doing<'_>, scene: &'a Scene<'_>) -> impl DoubleEndedIterator<Item = &'a Heard> {
    doing.state.heard.iter().filter(|heard| heard.party == *scene.party && !holds(scene, &heard.text))
}

fn since(scene: &Scene<'_>) -> u64 {
    scene.plan.handoff.as_ref().map_or(u64::MAX, |handoff| handoff.position)
}

/// Newest first where room may end, else as they came.
fn arrived(doing: &Doing<'_>, scene: &Scene<'_>) -> Vec<Piece> {
    heard(doing, scene).filter(|heard| heard.position > since(scene)).map(piece_of).collect()
}

enum Said {
    Person(Vec<Piece>),
    Brief(Option<Piece>),
}

fn said(doing: &Doing<'_>, scene: &Scene<'_>) -> Said {
    if scene.party.is_main() {
        let older = heard(doing, scene).rev().filter(|heard| heard.from.is_none() && heard.position <= since(scene));
        return Said::Person(older.take(MESSAGES).map(piece_of).collect());
    }
    let brief = scene.known.brief.as_ref().filter(|brief| !holds(scene, brief));
    Said::Brief(brief.map(|brief| Piece { name: format!("the brief ({} characters)", size(characters(brief))), text: brief.clone() }))
}

fn notices(doing: &Doing<'_>, scene: &Scene<'_>) -> (&'static str, Vec<Piece>) {
    let title = if scene.party.is_main() { "Notifications" } else { "Messages delivered" };
    let older = heard(doing, scene).rev().filter(|heard| heard.from.is_some() && heard.position <= since(scene));
    (title, older.map(piece_of).collect())
}

fn siblings(scene: &Scene<'_>) -> Vec<Piece> {
    let Some(response) = scene.response else { return Vec::new() };
    let own = scene.plan.handoff.as_ref().map(|handoff| handoff.call.as_str());
    response
        .iter()
        .flat_map(|message| &message.uses)
        .filter(|used| Some(used.id.as_str()) != own)
        .map(|used| {
            let result = scene.answers.iter().flat_map(|message| &message.results).find(|result| result.id == used.id);
            let input = cut(&fold_line(used.input.as_ref().map_or("", |input| input.get())), 200);
            let text = match result {
                Some(result) => {
                    format!("### {} {input}{}\n{}", used.tool, if result.error { " (error)" } else { "" }, fenced(&result.text))
                }
                None => format!("### {} {input}\nNo result yet.", used.tool),
            };
            Piece { name: format!("{} {}", used.tool, cut(&input, 60)), text }
        })
        .collect()
}

fn carried_files(scene: &Scene<'_>) -> Vec<Piece> {
    let Some(handoff) = &scene.plan.handoff else { return Vec::new() };
    handoff
        .files
        .iter()
        .map(|ask| {
            let content = scene.supplies.files.iter().find(|file| file.path == ask.path).map(|file| &file.content);
            let carried = files::carried(ask, content);
            Piece { name: format!("{} ({} characters)", ask.path, size(carried.characters)), text: carried.text }
        })
        .collect()
}

fn tasks(known: &Party) -> Vec<Piece> {
    known
        .tasks
        .iter()
        .map(|task| Piece { name: cut(&fold_line(&task.text), 60), text: format!("- [{}] {}", task.status, fold_line(&task.text)) })
        .collect()
}

fn touched(known: &Party) -> Vec<Piece> {
    let mut touched: Vec<_> = known.touched.iter().collect();
    touched.sort_by_key(|(_, (_, position))| std::cmp::Reverse(*position));
    let more = touched.len().saturating_sub(TOUCHED);
    let mut pieces: Vec<Piece> =
        touched.iter().take(TOUCHED).map(|(path, (kind, _))| Piece { name: (*path).clone(), text: format!("- {kind:?} {path}") }).collect();
    if more > 0 {
        pieces.push(Piece { name: String::new(), text: format!("- and {more} more") });
    }
    pieces
}

fn agents(doing: &Doing<'_>, scene: &Scene<'_>) -> Vec<Piece> {
    let party = scene.party;
    let one = |text: String| Piece { name: "agents".to_owned(), text };
    let Some(at) = doing.state.agents_at else { return vec![one("The list could not be read: unknown rather than none.".to_owned())] };
    let stale = (!scene.agents_listed).then(|| one(format!("The list could not be read now; as of {} ago:", age(doing.now - at))));
    // A sub-agent sees its own children only.
    let rows: Vec<_> = doing.state.agents.iter().filter(|row| party.is_main() || row.parent.as_deref() == party.agent()).collect();
    let mut pieces: Vec<Piece> = stale.into_iter().collect();
    pieces.extend(rows.iter().take(ROWS).map(|row| {
        let of = row.parent.as_deref().filter(|_| party.is_main()).map_or_else(String::new, |parent| format!(", child of {parent}"));
        Piece {
            name: row.id.clone(),
            text: format!("- {} {} {}: {}{of}", row.id, row.kind, row.status, cut(&fold_line(&row.description), 100)),
        }
    }));
    if rows.len() > ROWS {
        pieces.push(Piece { name: String::new(), text: format!("- and {} more", rows.len() - ROWS) });
    }
    pieces
}

fn background(doing: &Doing<'_>, party: &PartyId) -> Vec<Piece> {
    let (Some(at), true) = (doing.state.background_at, party.is_main()) else { return Vec::new() };
    let rows = &doing.state.background;
    if rows.is_empty() {
        return Vec::new();
    }
    let mut pieces =
        vec![Piece { name: "their age".to_owned(), text: format!("As of {} ago, when the agent last stopped:", age(doing.now - at)) }];
    pieces.extend(rows.iter().take(ROWS).map(|row| {
        let status = row.status.as_deref().map_or_else(String::new, |status| format!(" {status}"));
        Piece { name: row.id.clone(), text: format!("- {} {}{status}: {}", row.kind, row.id, cut(&fold_line(&row.text), 200)) }
    }));
    if rows.len() > ROWS {
        pieces.push(Piece { name: String::new(), text: format!("- and {} more", rows.len() - ROWS) });
    }
    pieces
}

fn checkout(doing: &Doing<'_>, scene: &Scene<'_>) -> Vec<Piece> {
    let Some(directory) = install::directory(doing, scene.party) else { return Vec::new() };
    let look = crate::checkout::read_look(&scene.supplies.git);
    let line = checkout_line(&directory, &look, doing.setting.home.as_deref(), doing.now);
    vec![Piece { name: "the checkout".to_owned(), text: line }]
}

/// What a row that is built cannot hold.
fn lost(scene: &Scene<'_>) -> Vec<Piece> {
    if scene.by_handle {
        return Vec::new();
    }
    let results = scene.kept.iter().flat_map(|message| &message.results);
    let media = results
        .filter_map(|result| Some((result, scene.media.get(&result.id)?)))
        .map(|(result, kinds)| Piece { name: result.id.clone(), text: format!("- {} in the result of {}", kinds.join(", "), result.id) });
    let riding = scene.kept.iter().filter(|message| !message.results.is_empty() && !message.text.trim().is_empty()).map(|message| {
        let text = cut(&fold_line(&message.text), 200);
        Piece { name: cut(&text, 60), text: format!("- beside a result: {text}") }
    });
    media.chain(riding).collect()
}

/// Skills in force, latest text each, whole; then the names of those that are not carried.
fn skill_sections(doing: &Doing<'_>, scene: &Scene<'_>, room: &mut Room) -> Vec<String> {
    let (in_force, gone, unidentified) = skills::of(doing, scene.party, scene.known);
    let how = |name: &str, path: Option<&str>| {
        let file = path.map_or_else(String::new, |path| format!(" ({path})"));
        format!("`{name}`{file}: load it with the Skill tool")
    };
    let pieces: Vec<Piece> = in_force
        .iter()
        .filter(|skill| !holds(scene, &skill.text))
        .map(|skill| {
            let file = skill.path.as_deref().map_or_else(String::new, |path| format!("From {path}\n"));
            Piece { name: how(&skill.name, skill.path.as_deref()), text: format!("### {}\n{file}{}", skill.name, skill.text) }
        })
        .collect();
    let (pieces, skipped) = room.take(pieces, None);
    let mut sections: Vec<String> = section("Skills in force", pieces, &skipped).into_iter().collect();
    let mut names: Vec<String> =
        gone.iter().map(|skill| format!("- {}, dropped by two handoffs in a row", how(&skill.name, skill.path.as_deref()))).collect();
    names.extend(
        unidentified
            .iter()
            .map(|skill| format!("- {}, possibly yours: who loaded it is not known", how(&skill.name, skill.path.as_deref()))),
    );
    if !names.is_empty() {
        sections.push(format!("## Skills not carried\n{}", names.join("\n")));
    }
    sections
}
