//! One event of a session's hooks module: JSON on standard input, JSON on standard output. The session's lock is held for the whole of it, and the ledger is appended
//! before the answer goes out. Whatever happens, the session goes on: the exit status is 0.

use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use wasmtime::component::ResourceAny;

use crate::bindings::exports::reveille::core::compaction::{Content, FileRead, HandedBack, Needs, Outcome, Setting, Step, Supplies};
use crate::component::{Component, Limits};
use crate::error::Failure;
use crate::machine::ledger::{self, Ledger};
use crate::machine::transcripts::Transcript;
use crate::machine::{clock, git, paths, places, transcripts};

/// Bytes of an event that are read: a conversation comes whole.
const MOST: u64 = 256 << 20;
/// Bytes of one file that are read for a handoff.
const FILE: u64 = 1 << 20;
/// How often an event may need more.
const ROUNDS: usize = 4;
/// What the component may take: a whole conversation goes through it.
const LIMITS: Limits = Limits { memory: 1 << 30, ticks: 80 };

/// Answers one event of a session.
pub fn run(session: Option<&str>) -> ExitCode {
    let mut input = Vec::new();
    let read = std::io::stdin().lock().take(MOST).read_to_end(&mut input);
    let answer = match (session, read) {
        (_, Err(error)) => Err(Failure::machine("standard input", error)),
        (None, _) => Err(Failure::usage("reveille event SESSION")),
        (Some(session), Ok(_)) => answer(session, &input),
    };
    match answer {
        // A client that does not read any more is no failure.
        Ok(answer) => {
            let _ = writeln!(std::io::stdout(), "{answer}");
        }
        Err(failure) => eprintln!("reveille: {failure}"),
    }
    ExitCode::SUCCESS
}

/// The answer to one event.
pub fn answer(session: &str, input: &[u8]) -> Result<String, Failure> {
    if !ledger::is_name(session) {
        return Err(Failure::usage("reveille event SESSION"));
    }
    let mut component = Component::with_limits(LIMITS)?;
    let opened = paths::data().ok_or_else(|| "no data directory".to_owned()).and_then(|data| {
        let folder = ledger::folder(&data, session);
        match Ledger::open(&folder, ledger::DEADLINE) {
            Ok(Some(ledger)) => Ok(Some(ledger)),
            // What was answered as if it had not been asked is not recorded as asked.
            Ok(None) if !component.call(|world, store| world.reveille_core_compaction().call_records(store, input)).unwrap_or(false) => {
                Ok(None)
            }
            Ok(None) => {
                ledger::spill(&folder, clock::now(), input).map(|()| None).map_err(|error| format!("{}: {error}", folder.display()))
            }
            Err(error) => Err(format!("{}: {error}", folder.display())),
        }
    });
    match opened {
        Ok(Some(ledger)) => Kept { session, ledger }.answer(component, input),
        Ok(None) => {
            let why = crate::error::locked();
            component.call(|world, store| world.reveille_core_compaction().call_pass(store, input, &why))
        }
        Err(why) => {
            // Without a ledger each event stands for itself.
            let state = begin(&mut component, session)?;
            let outcome = step(&mut component, session, state, clock::now(), input)?;
            component.call(|world, store| world.reveille_core_compaction().call_unwritten(store, &outcome.answer, &why))
        }
    }
}

/// What is handed back to a session after a compaction: recorded, so that it is handed back once. A session that nothing is recorded of, or whose ledger cannot be read,
/// has nothing.
pub fn hand_back(session: &str) -> HandedBack {
    if !ledger::is_name(session) {
        return HandedBack::Nothing;
    }
    let is_recorded = paths::data().is_some_and(|data| ledger::folder(&data, session).join("ledger.jsonl").is_file());
    if !is_recorded {
        return HandedBack::Nothing;
    }
    let look = || {
        let mut component = Component::with_limits(LIMITS)?;
        let folder = paths::data().map(|data| ledger::folder(&data, session)).unwrap_or_default();
        let opened = Ledger::open(&folder, ledger::DEADLINE).map_err(|error| Failure::machine("ledger", error))?;
        let Some(mut ledger) = opened else { return Ok(HandedBack::Nothing) };
        let (state, _) = restored(&mut component, session, &mut ledger)?;
        let handed = component.call(|world, store| world.reveille_core_compaction().call_after_compaction(store, state))?;
        let input = component.call(|world, store| world.reveille_core_compaction().call_handed_event(store))?;
        if let HandedBack::Handoff(_) = handed {
            Kept { session, ledger }.answer(component, &input)?;
        }
        Ok(handed)
    };
    look().unwrap_or_else(|failure: Failure| {
        crate::machine::log::debug("hand-back", &[("why", &failure)]);
        HandedBack::Nothing
    })
}

fn setting(session: &str) -> Setting {
    Setting { session: session.to_owned(), options: paths::options(), home: paths::home().map(|home| home.to_string_lossy().into_owned()) }
}

fn begin(component: &mut Component, session: &str) -> Result<ResourceAny, Failure> {
    let setting = setting(session);
    component.call(|world, store| world.reveille_core_compaction().session().call_constructor(store, &setting))
}

/// The state at the ledger's end, and the offset of the snapshot it was restored from.
fn restored(component: &mut Component, session: &str, ledger: &mut Ledger) -> Result<(ResourceAny, u64), Failure> {
    let mut from = 0;
    let mut state = None;
    if let Some((offset, saved)) = ledger.snapshot() {
        let setting = setting(session);
        let restored = component.call(|world, store| world.reveille_core_compaction().session().call_restore(store, &setting, &saved))?;
        if let Ok(restored) = restored {
            (state, from) = (Some(restored), offset);
        }
    }
    let state = match state {
        Some(state) => state,
        None => begin(component, session)?,
    };
    let rows = ledger.rows_from(from).map_err(|error| Failure::machine("ledger", error))?;
    if !rows.is_empty() {
        component.call(|world, store| world.reveille_core_compaction().session().call_replay(store, state, &rows))?;
    }
    Ok((state, from))
}

/// A session whose lock is held.
struct Kept<'a> {
    session: &'a str,
    ledger: Ledger,
}

impl Kept<'_> {
    fn answer(mut self, mut component: Component, input: &[u8]) -> Result<String, Failure> {
        let (mut state, mut snapshot) = restored(&mut component, self.session, &mut self.ledger)?;
        let mut unwritten = None;
        let mut log = Vec::new();
        for spilled in self.ledger.spilled() {
            let Ok(outcome) = step(&mut component, self.session, state, spilled.at, &spilled.input) else {
                // One that stops the component would stop it at every event to come.
                self.ledger.merged(&spilled);
                component = Component::with_limits(LIMITS)?;
                (state, snapshot) = restored(&mut component, self.session, &mut self.ledger)?;
                continue;
            };
            match self.ledger.append(&outcome.ledger) {
                Ok(()) => self.ledger.merged(&spilled),
                Err(error) => unwritten = Some(error),
            }
            log.extend(outcome.log);
        }
        let now = clock::now();
        let mut outcome = match step(&mut component, self.session, state, now, input) {
            Ok(outcome) => outcome,
            Err(failure) => {
                // An instance that stopped is not used again.
                component = Component::with_limits(LIMITS)?;
                (state, snapshot) = restored(&mut component, self.session, &mut self.ledger)?;
                let why = failure.to_string();
                component.call(|world, store| world.reveille_core_compaction().session().call_rescue(store, state, now, input, &why))?
            }
        };
        if let Err(error) = self.ledger.append(&outcome.ledger) {
            unwritten = Some(error);
        }
        log.append(&mut outcome.log);
        outcome.log = log;
        let mut answer = outcome.answer.clone();
        if let Some(error) = unwritten {
            let why = format!("ledger: {error}");
            answer = component.call(|world, store| world.reveille_core_compaction().call_unwritten(store, &answer, &why))?;
        } else if self.ledger.is_long(snapshot) {
            let saved = component.call(|world, store| world.reveille_core_compaction().session().call_save(store, state))?;
            // A cache: without it the next event replays more.
            let _ = self.ledger.keep(&saved);
        }
        self.log(&mut component, &outcome, answer)
    }

    fn log(&self, component: &mut Component, outcome: &Outcome, answer: String) -> Result<String, Failure> {
        let Some(data) = paths::data() else { return Ok(answer) };
        let folder = outcome.log_directory.as_ref().map_or_else(|| data.join("logs"), std::path::PathBuf::from);
        if let Some(days) = outcome.keep_days {
            ledger::clean_up(&data, &folder, self.session, days);
        }
        match self.ledger.log(&folder, self.session, &outcome.log) {
            Ok(()) => Ok(answer),
            Err(error) => {
                let why = format!("{}: {error}", folder.display());
                component.call(|world, store| world.reveille_core_compaction().call_unlogged(store, &answer, &why))
            }
        }
    }
}

/// One event, with what it needs.
fn step(component: &mut Component, session: &str, state: ResourceAny, now: i64, input: &[u8]) -> Result<Outcome, Failure> {
    let mut supplies = Supplies { files: Vec::new(), git: Vec::new(), origin: None };
    for _ in 0..ROUNDS {
        let step =
            component.call(|world, store| world.reveille_core_compaction().session().call_event(store, state, now, input, &supplies))?;
        match step {
            Step::Done(outcome) => return Ok(outcome),
            Step::Needs(needs) => supply(component, session, needs, &mut supplies),
        }
    }
    Err(Failure::machine("event", ROUNDS))
}

fn supply(component: &mut Component, session: &str, needs: Needs, supplies: &mut Supplies) {
    supplies.files.extend(needs.files.into_iter().map(|path| FileRead { content: content(Path::new(&path)), path }));
    if !needs.git.is_empty() {
        let deadline = Instant::now() + git::DEADLINE;
        let directory = places::resolved(Path::new(&needs.directory.unwrap_or_else(|| ".".to_owned())));
        let filters = places::common_of(&directory).map(|common| git::filters(&common, deadline)).unwrap_or_default();
        supplies.git = git::answers(&directory, needs.git, &filters, deadline);
    }
    if needs.origin {
        supplies.origin = Some(origin(component, session).unwrap_or_default());
    }
}

fn content(path: &Path) -> Content {
    let file = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Content::Missing,
        Err(error) => return Content::Unreadable(error.to_string()),
        Ok(metadata) if !metadata.is_file() => return Content::NotAFile,
        Ok(metadata) if metadata.len() > FILE => return Content::TooLarge(metadata.len()),
        Ok(_) => std::fs::File::open(path).and_then(|file| {
            // What grows meanwhile, or has no size, is read no further than it may be.
            let mut bytes = Vec::new();
            file.take(FILE + 1).read_to_end(&mut bytes).map(|_| bytes)
        }),
    };
    match file {
        Ok(bytes) if bytes.len() as u64 > FILE => Content::TooLarge(bytes.len() as u64),
        Ok(bytes) => Content::Bytes(bytes),
        Err(error) => Content::Unreadable(error.to_string()),
    }
}

/// The ledger of the session that this one's records were copied from.
fn origin(component: &mut Component, session: &str) -> Option<Vec<u8>> {
    let transcript = Transcript::of_session(&transcripts::by_id(&paths::projects()?, session, None)?)?;
    let (mut file, id) = transcript.open().ok()?;
    let ends = transcripts::ends(&mut file, id.size, transcripts::PEEK).ok()?;
    let card = component
        .call(|world, store| world.reveille_core_transcript().call_peek(store, &transcript.name, &ends.head, &ends.tail, ends.whole))
        .ok()??;
    let origin = card.forked_from.filter(|origin| ledger::is_name(origin))?;
    std::fs::read(ledger::folder(&paths::data()?, &origin).join("ledger.jsonl")).ok()
}
