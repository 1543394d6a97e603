//! One session's state with its doors: rows in, one event in, rows and an answer out.

use serde_json::{Value, json};

use super::answer::{Answer, Watch};
use super::decide::{Purpose, Trigger, Whose};
use super::event::{self, Event};
use super::fact::{DropCause, Fact};
use super::ledger::{self, Row};
use super::marks::{self, Resolved};
use super::party::{Party, PartyId};
use super::state::State;
use super::{ask, calls, gate, heard, nudge, say, start, status, steps};
use crate::contract::compaction::{Needs, Outcome, RestoreError, Setting, Step, Supplies};
use crate::contract::types::Millis;
use crate::options::{LogLevel, Options};

/// What a saved state begins with; another version's is not read.
const SAVED: &[u8] = concat!("reveille session ", env!("CARGO_PKG_VERSION"), " 1\n").as_bytes();

/// One session.
#[derive(Debug)]
pub struct Session {
    setting: Setting,
    options: Options,
    state: State,
}

impl Session {
    /// One that nothing is known of.
    pub fn new(setting: Setting) -> Self {
        let options = Options::read(&setting.options);
        Self { setting, options, state: State::default() }
    }

    /// One as it was saved.
    pub fn restore(setting: Setting, saved: &[u8]) -> Result<Self, RestoreError> {
        let body = crate::saved::open(SAVED, saved).ok_or(RestoreError::NotUsable)?;
        let state = postcard::from_bytes(body).map_err(|_| RestoreError::NotUsable)?;
        let options = Options::read(&setting.options);
        Ok(Self { setting, options, state })
    }

    /// The state as [`Session::restore`] takes it; empty where it cannot be written, which no restore takes.
    pub fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.state).map_or_else(|_| Vec::new(), |body| crate::saved::seal(SAVED, &body))
    }

    /// Applies rows of the ledger.
    pub fn replay(&mut self, rows: &[u8]) {
        let (rows, unread) = ledger::rows(rows);
        self.state.unread += unread;
        rows.into_iter().for_each(|row| self.state.apply(row));
    }

    /// The state, for the settings hook.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// One event. The state changes when the step is done.
    pub fn event(&mut self, now: Millis, input: &[u8], supplies: &Supplies) -> Step {
        let told = match event::read(input) {
            Ok(told) => told,
            Err(why) => return Step::Done(outcome(Vec::new(), Vec::new(), super::answer::pass(input, &why), &self.options)),
        };
        let mut doing = self.doing(now);
        if self.options.log_level == LogLevel::Debug {
            doing.log_event(input);
        }
        if let Some(needs) = doing.go(told, supplies) {
            return Step::Needs(needs);
        }
        let done = Done::of(doing);
        Step::Done(self.finish(done))
    }
}

impl Session {
    /// The event that the component stopped at: an automatic ask gets a wake without tail and files, anything else passes through.
    pub fn rescue(&mut self, now: Millis, input: &[u8], why: &str) -> Outcome {
        let automatic = match event::read(input) {
            Ok(event::Addressed { party, event: Event::Compact(compact), .. })
                if matches!(ask::trigger_of(&compact.trigger), None | Some(Trigger::Automatic)) =>
            {
                let known = self.state.party(&party);
                let concerned = ask::whose(&party, &known, &compact) != Whose::Fork && known.mechanical < ask::MOST_MECHANICAL;
                concerned.then_some(party)
            }
            _ => None,
        };
        let Some(party) = automatic else { return outcome(Vec::new(), Vec::new(), super::answer::pass(input, why), &self.options) };
        let mut doing = self.doing(now);
        let built = super::install::rescue(&doing, &party);
        doing.tell(&party, say::rescued(&party, why));
        doing.log.push(
            json!({"at": doing.now, "party": party.as_str(), "decision": "mechanical wake: the component stopped", "row": 11, "why": why}),
        );
        doing.answer.messages = Some(built.messages);
        doing.answer.tokens_before = built.install.before;
        doing.record(Fact::Offered { party, install: Box::new(built.install) });
        let done = Done::of(doing);
        self.finish(done)
    }

    fn doing(&self, now: Millis) -> Doing<'_> {
        Doing {
            // Time does not go back within a session.
            now: self.state.latest.map_or(now, |latest| now.max(latest)),
            options: &self.options,
            setting: &self.setting,
            state: self.state.clone(),
            rows: Vec::new(),
            extra: Vec::new(),
            log: Vec::new(),
            answer: Answer::default(),
            keeps: false,
        }
    }

    fn finish(&mut self, done: Done) -> Outcome {
        let Done { state, rows, log, answer, keeps } = done;
        self.state = state;
        let mut outcome = outcome(rows, log, answer, &self.options);
        outcome.keep_days = keeps.then_some(self.options.retention_days);
        outcome
    }
}

/// What an event came to, free of what it borrowed.
struct Done {
    state: State,
    rows: Vec<String>,
    log: Vec<String>,
    answer: String,
    keeps: bool,
}

impl Done {
    fn of(doing: Doing<'_>) -> Self {
        let mut rows = doing.extra;
        rows.extend(doing.rows.iter().filter_map(ledger::line));
        Self {
            state: doing.state,
            rows,
            log: doing.log.iter().map(Value::to_string).collect(),
            answer: doing.answer.json(),
            keeps: doing.keeps,
        }
    }
}

fn outcome(ledger: Vec<String>, log: Vec<String>, answer: String, options: &Options) -> Outcome {
    Outcome { ledger, log, answer, log_directory: options.log_dir.clone(), keep_days: None }
}

/// One event while it is answered.
#[derive(Debug)]
pub struct Doing<'a> {
    /// When.
    pub now: Millis,
    /// The options.
    pub options: &'a Options,
    /// What the process was given.
    pub setting: &'a Setting,
    /// The state with the facts of this event.
    pub state: State,
    /// Those facts.
    pub rows: Vec<Row>,
    /// Rows of another session's ledger that this one begins with.
    pub extra: Vec<String>,
    /// Rows of the decision log.
    pub log: Vec<Value>,
    /// What is answered.
    pub answer: Answer,
    /// This is a moment to clean up what other sessions left.
    pub keeps: bool,
}

impl Doing<'_> {
    /// Records a fact.
    pub fn record(&mut self, fact: Fact) {
        let row = Row { at: self.now, fact };
        self.state.apply(row.clone());
        self.rows.push(row);
    }

    /// The marks of a party.
    pub fn marks(&self, party: &PartyId) -> Option<Resolved> {
        marks::resolve(&self.state, self.options, party)
    }

    /// A line that stays on the person's screen; it is a row of the log too.
    pub fn tell(&mut self, party: &PartyId, line: String) {
        self.log.push(json!({"at": self.now, "party": party.as_str(), "shown": line}));
        self.answer.lines.push(line);
    }

    /// A line that the person sees for a moment, once a session.
    pub fn tell_once(&mut self, key: &str, line: String) {
        if self.state.told.contains(key) {
            return;
        }
        self.record(Fact::Told { what: key.to_owned() });
        self.log.push(json!({"at": self.now, "shown": line}));
        self.answer.toasts.push(line);
    }

    fn log_event(&mut self, input: &[u8]) {
        // What was said stays in the ledger: the log has numbers and names.
        let event = serde_json::from_slice::<Value>(input).unwrap_or_default();
        let data = event.get("data");
        let number = |name: &str| data.and_then(|data| data.get(name)).cloned().unwrap_or_default();
        self.log.push(json!({
            "at": self.now,
            "event": event.get("event"),
            "agent": event.get("agent"),
            "tool": number("tool"),
            "trigger": number("trigger"),
            "usage": number("usage"),
            "stopReason": number("stopReason"),
            "figures": number("figures"),
            "characters": number("characters"),
        }));
    }

    fn go(&mut self, told: event::Addressed, supplies: &Supplies) -> Option<Needs> {
        let party = told.party;
        let shows_origin = matches!(told.event, Event::StepEnd(_) | Event::CallStart(_) | Event::Compact(_) | Event::TurnEnd(_));
        if shows_origin && let Some(needs) = start::copy_origin(self, matches!(told.event, Event::TurnEnd(_)), supplies) {
            return Some(needs);
        }
        if let Some(needs) = self.answer_event(&party, told.event, supplies) {
            return Some(needs);
        }
        if !told.failed.is_empty() {
            self.tell_once(&format!("failed:{}", told.failed.join(",")), say::hooks_failed(&told.failed));
        }
        if self.state.unread > 0 {
            self.tell_once("unread", say::unread_rows(self.state.unread));
        }
        self.answer.watch = Some(self.watch(&party));
        if party.is_main() {
            self.answer.status = Some(status::entry(self));
        }
        None
    }

    fn answer_event(&mut self, party: &PartyId, event: Event, supplies: &Supplies) -> Option<Needs> {
        match event {
            Event::Start(event) => start::begins(self, event),
            Event::Tools => self.answer.tools = Some(start::tools()),
            Event::End(reason) => start::ends(self, reason),
            Event::TurnStart(turn) => self.record(Fact::TurnStarted { party: party.clone(), turn: turn.turn_id }),
            Event::StepEnd(step) => steps::ended(self, party, step),
            Event::Measured(characters) => self.record(Fact::Measured { party: party.clone(), characters }),
            Event::TurnEnd(turn) => steps::turn_ended(self, party, turn),
            Event::CallStart(call) => return calls::starts(self, party, call, supplies),
            Event::CallEnd(call) => calls::ended(self, party, &call),
            Event::Compact(compact) => return ask::answer(self, party, compact, supplies),
            Event::Compacted(compacted) => ask::compacted(self, party, compacted.replaced),
            Event::Prompt(prompt) => heard::prompt(self, prompt),
            Event::Receive(delivery) => heard::delivery(self, party, delivery),
            Event::Skill(skill) => heard::skill(self, skill),
            Event::Append(row) => heard::row(self, party, &row),
            Event::Spawn(spawn) => heard::spawn(self, spawn),
            Event::Report(report) => heard::report(self, &report),
            Event::ToolOffer => {
                if !self.state.party(party).offered_tool {
                    self.record(Fact::ToolOffered { party: party.clone() });
                }
            }
            Event::Stop(stop) => heard::stop(self, stop),
            Event::HandedBack => {
                self.record(Fact::Dropped { party: party.clone(), cause: DropCause::HandedBack });
                ask::compacted(self, party, true);
            }
            Event::Status => self.answer.text = Some(status::page(self)),
        }
        None
    }

    fn watch(&self, id: &PartyId) -> Watch {
        let nothing = Party::default();
        let party = self.state.known(id).unwrap_or(&nothing);
        let marks = self.marks(id);
        Watch {
            before: gate::is_gated(id, party, marks.as_ref()),
            after: nudge::due(party, marks.as_ref()).is_some(),
            measure: party.wants_base,
            figures: id.is_main() && self.state.window.is_none(),
            appends: self.state.skills.values().any(|skill| skill.pending),
        }
    }
}

/// Our tag on a compaction, by what it is for.
pub fn tag(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::TurnEnd => "reveille: install the stored handoff",
        Purpose::Resume => "reveille: install the last wake again",
        Purpose::Recover => "reveille: make the conversation fit",
    }
}

/// What a tag is for; none: it is not ours.
pub fn purpose_of(instructions: &str) -> Option<Purpose> {
    [Purpose::TurnEnd, Purpose::Resume, Purpose::Recover].into_iter().find(|purpose| instructions.trim() == tag(*purpose))
}
