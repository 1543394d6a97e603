//! One wake from request to answer: the one pipeline that every door shares. It fetches what the component asks for, in the order it is needed.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Instant;

use wasmtime::component::ResourceAny;

use crate::bindings::exports::reveille::core::checkout::{FileState, GitAnswer, Place};
use crate::bindings::exports::reveille::core::transcript::Card;
use crate::bindings::exports::reveille::core::wake::{Answer, Candidate, Choice, Occasion, Request, Search, WakeError};
use crate::component::Component;
use crate::error::{Failure, is_not_found};
use crate::machine::files::ends_hash;
use crate::machine::index::{Index, Keep, Known};
use crate::machine::places::{self, Places};
use crate::machine::processes::{self, Running};
use crate::machine::transcripts::{self, PEEK, Transcript};
use crate::machine::{clock, git, log, paths};

/// Files that are peeked at when neither this checkout's folders nor the index hold a session: the newest of each folder.
const ELSEWHERE: usize = 2000;

/// Git's first look, begun: its answers, and the filters that are turned off.
type FirstLook = JoinHandle<(Vec<GitAnswer>, Vec<String>)>;

/// What a door asks for.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Why.
    pub occasion: Occasion,
    /// The directory to wake in; none: the current one.
    pub workspace: Option<String>,
    /// Another repository.
    pub repository: Option<String>,
    /// A session.
    pub session: Option<String>,
    /// Leave secrets in.
    pub raw: bool,
    /// The asking session's ids as the door knows them, the present one first.
    pub callers: Vec<String>,
    /// The asking session's own file, where the door was told.
    pub transcript: Option<String>,
}

/// A transcript with what is known of it now.
#[derive(Clone, Debug)]
struct Found {
    transcript: Transcript,
    known: Known,
    changed: bool,
}

/// Everything one wake holds of the machine.
pub struct Asking {
    component: Component,
    /// What is opened while the component loads and git starts; none: it is open.
    opening: Option<JoinHandle<(Option<Index>, Vec<Running>)>>,
    index: Option<Index>,
    places: Places,
    deadline: Instant,
    running: Vec<Running>,
    gone: Vec<String>,
    saved: HashMap<String, Vec<u8>>,
    scanned: Vec<Found>,
}

impl Asking {
    /// Loads the component and starts to open the index.
    pub fn begin() -> Result<Self, Failure> {
        let opening = std::thread::spawn(|| {
            let index = paths::data().and_then(|data| Index::open(&data));
            (index, paths::client().map(|client| processes::running(&client)).unwrap_or_default())
        });
        Ok(Self {
            component: Component::load()?,
            opening: Some(opening),
            index: None,
            places: Places::default(),
            deadline: Instant::now() + git::DEADLINE,
            running: Vec::new(),
            gone: Vec::new(),
            saved: HashMap::new(),
            scanned: Vec::new(),
        })
    }

    /// Waits for what is being opened. Without an index the wake goes on.
    fn open(&mut self) {
        if let Some(opening) = self.opening.take() {
            (self.index, self.running) = opening.join().unwrap_or_default();
        }
    }

    /// The component, for what a door asks it besides.
    pub fn component(&mut self) -> &mut Component {
        &mut self.component
    }

    /// See [`callers`].
    pub fn callers(&mut self) -> Vec<String> {
        self.open();
        callers(&self.running)
    }

    /// Answers.
    pub fn wake(&mut self, ask: &Ask) -> Result<Answer, Failure> {
        // A server asks more than once.
        self.deadline = Instant::now() + git::DEADLINE;
        let workspace = match &ask.workspace {
            Some(workspace) => workspace.clone(),
            None => current_directory()?,
        };
        // What takes longest starts first.
        let first_look = self.first_look(&workspace)?;
        self.open();
        let here = self.places.of(&workspace, self.index.as_ref(), self.deadline);
        let request = self.request(ask);
        let search = self.component.call(|world, store| world.reveille_core_wake().call_search_for(store, &request, &here))?;
        let search = search.map_err(|error| self.refusal(&error))?;
        let mut found = self.find(&search, ask.transcript.as_deref())?;
        let candidates: Vec<Candidate> = found.iter().map(|found| self.candidate(found)).collect();
        let choice = self.component.call(|world, store| world.reveille_core_wake().call_choose(store, &request, &here, &candidates))?;
        let choice = choice.map_err(|error| self.refusal(&error))?;
        let answer = self.report(&request, &here, choice, candidates, &mut found, first_look)?;
        self.keep(&found);
        Ok(answer)
    }

    /// Begins it.
    fn first_look(&mut self, workspace: &str) -> Result<FirstLook, Failure> {
        let commands = self.component.call(|world, store| world.reveille_core_checkout().call_first_look(store))?;
        let deadline = self.deadline;
        let directory = places::resolved(Path::new(workspace));
        Ok(std::thread::spawn(move || {
            let filters = places::common_of(&directory).map(|common| git::filters(&common, deadline)).unwrap_or_default();
            (git::answers(&directory, commands, &filters, deadline), filters)
        }))
    }

    fn refusal(&mut self, error: &WakeError) -> Failure {
        match self.component.call(|world, store| world.reveille_core_wake().call_explain(store, error)) {
            Ok(words) => Failure::Refused { words, not_found: is_not_found(error) },
            Err(failure) => failure,
        }
    }

    /// The transcripts that a search may mean, each once.
    fn find(&mut self, search: &Search, own: Option<&str>) -> Result<Vec<Found>, Failure> {
        let mut found: Vec<Found> = Vec::new();
        let mut paths_seen = HashSet::new();
        let Some(projects) = paths::projects() else { return Ok(found) };
        let mut transcripts: Vec<Transcript> = own.and_then(|path| Transcript::of_session(Path::new(path))).into_iter().collect();
        if let Some(session) = &search.session {
            // By id a file is found whatever its folder is called.
            for folder in transcripts::all_folders(&projects) {
                transcripts.extend(
                    transcripts::sessions(&folder).into_iter().filter(|transcript| transcript.name.session.starts_with(session.as_str())),
                );
            }
        }
        let mut known: HashMap<String, Known> = HashMap::new();
        for folder in transcripts::folders(&projects, &search.folders, &search.folder_prefixes) {
            transcripts.extend(transcripts::sessions(&folder));
            known.extend(self.index.iter().flat_map(|index| index.in_folder(&folder)).map(|row| (row.path.clone(), row)));
        }
        if let Some(index) = &self.index {
            let mut rows = index.by_keys(&search.keys);
            rows.extend(search.display.iter().flat_map(|display| index.by_display(display)));
            rows.extend(search.session.iter().flat_map(|session| index.by_session(session)));
            for row in rows.into_iter().filter(|row| row.card.agent.is_none()) {
                transcripts.extend(Transcript::of_session(Path::new(&row.path)));
                known.insert(row.path.clone(), row);
            }
        }
        for transcript in transcripts {
            if paths_seen.insert(transcript.path.clone()) {
                let row = known.get(&*transcript.path.to_string_lossy());
                found.extend(self.look_at(transcript, row)?);
            }
        }
        if found.is_empty() && search.session.is_none() {
            for folder in transcripts::all_folders(&projects).into_iter().take(ELSEWHERE) {
                let newest = transcripts::sessions(&folder)
                    .into_iter()
                    .max_by_key(|transcript| std::fs::metadata(&transcript.path).and_then(|data| data.modified()).ok());
                if let Some(transcript) = newest {
                    let row = self.index.as_ref().and_then(|index| index.by_path(&transcript.path));
                    found.extend(self.look_at(transcript, row.as_ref())?);
                }
            }
        }
        Ok(found)
    }

    /// A file's card, from the index while the file is the same, else by peeking. A file that cannot be read is no candidate.
    fn look_at(&mut self, transcript: Transcript, row: Option<&Known>) -> Result<Option<Found>, Failure> {
        let path = transcript.path.to_string_lossy().into_owned();
        let (mut file, id) = match transcript.open() {
            Ok(opened) => opened,
            Err(error) => {
                log::debug("unreadable", &[("path", &path), ("why", &error)]);
                if error.kind() == std::io::ErrorKind::NotFound && row.is_some() {
                    self.gone.push(path);
                }
                return Ok(None);
            }
        };
        if let Some(row) = row.filter(|row| row.id == id) {
            return Ok(Some(Found { transcript, known: row.clone(), changed: false }));
        }
        let Ok(ends) = ends_hash(&mut file, id.size) else { return Ok(None) };
        let continued = row.filter(|row| transcripts::is_continued(&mut file, id, row.id, row.ends));
        let Some(card) = self.peek(&transcript, &mut file, id.size)? else { return Ok(None) };
        let (keys, display) = self.repository(&card, row)?;
        let offset = continued.map_or(0, |row| row.offset);
        let read_at = continued.map_or(0, |row| row.read_at);
        log::debug("peeked", &[("path", &path), ("size", &id.size)]);
        Ok(Some(Found { transcript, known: Known { path, id, ends, card, keys, display, offset, read_at }, changed: true }))
    }

    fn peek(&mut self, transcript: &Transcript, file: &mut std::fs::File, size: u64) -> Result<Option<Card>, Failure> {
        let mut tail = PEEK;
        loop {
            let Ok(ends) = transcripts::ends(file, size, tail) else { return Ok(None) };
            let card = self.component.call(|world, store| {
                world.reveille_core_transcript().call_peek(store, &transcript.name, &ends.head, &ends.tail, ends.whole)
            })?;
            if card.is_some() || ends.whole {
                return Ok(card);
            }
            // What is longer is folded, in chunks, rather than held.
            if tail >= 4 << 20 {
                return self.fold_card(transcript, file, size);
            }
            tail *= 4;
        }
    }

    fn fold_card(&mut self, transcript: &Transcript, file: &mut std::fs::File, size: u64) -> Result<Option<Card>, Failure> {
        let fold = self.new_fold(transcript)?;
        let _ = self.push(fold, file, 0, size)?;
        let card = self.component.call(|world, store| world.reveille_core_transcript().fold().call_card(store, fold))?;
        self.component.call(|_, store| fold.resource_drop(store))?;
        Ok(Some(card))
    }

    /// The repository that a session ran in: as the disk has it, and once its directory is gone as it was last seen.
    fn repository(&mut self, card: &Card, row: Option<&Known>) -> Result<(Vec<String>, String), Failure> {
        let Some(ran_in) = &card.ran_in else { return Ok((row.map(|row| row.keys.clone()).unwrap_or_default(), String::new())) };
        let place = self.places.of(&ran_in.cwd, self.index.as_ref(), self.deadline);
        let identity = self.component.call(|world, store| world.reveille_core_checkout().call_identify(store, &place))?;
        match row {
            Some(row) if !place.exists && !row.keys.is_empty() => Ok((row.keys.clone(), identity.display)),
            _ => Ok((identity.keys, identity.display)),
        }
    }

    fn candidate(&mut self, found: &Found) -> Candidate {
        let known = &found.known;
        let place = known.card.ran_in.as_ref().map(|ran_in| self.places.of(&ran_in.cwd, self.index.as_ref(), self.deadline));
        Candidate {
            path: known.path.clone(),
            card: known.card.clone(),
            place,
            known_keys: known.keys.clone(),
            live: self.running.iter().any(|running| running.session_id == known.card.session),
            size: known.id.size,
            unread: known.id.size.saturating_sub(known.offset),
            read_at: (known.offset > 0).then_some(known.read_at),
        }
    }

    fn report(
        &mut self,
        request: &Request,
        here: &Place,
        mut choice: Choice,
        mut candidates: Vec<Candidate>,
        found: &mut Vec<Found>,
        first_look: FirstLook,
    ) -> Result<Answer, Failure> {
        let mut session = None;
        let mut agents = Vec::new();
        if let Some(chosen) = choice.session
            && let Some(chosen_found) = found.get_mut(chosen as usize)
        {
            session = self.fold(chosen_found)?;
            let transcript = chosen_found.transcript.clone();
            if let Some(candidate) = candidates.get_mut(chosen as usize) {
                candidate.unread = if session.is_some() { 0 } else { candidate.unread };
            }
            for agent in transcripts::subagents(&transcript) {
                let row = self.index.as_ref().and_then(|index| index.by_path(&agent.path));
                if let Some(mut agent) = self.look_at(agent, row.as_ref())? {
                    agents.extend(self.fold(&mut agent)?);
                    found.push(agent);
                }
            }
        }
        let mut before = Vec::new();
        for earlier in choice.before.iter_mut().filter(|earlier| earlier.fold) {
            let fold = match found.get_mut(earlier.candidate as usize) {
                Some(earlier) => self.fold(earlier)?,
                None => None,
            };
            // What could not be read is told from its card.
            earlier.fold = fold.is_some();
            before.extend(fold);
        }
        let (mut answers, filters) = first_look.join().unwrap_or_default();
        let mut files = Vec::new();
        if let Some(session) = session {
            let needs =
                self.component.call(|world, store| world.reveille_core_wake().call_second_look(store, session, &agents, &answers))?;
            files = needs.files.into_iter().map(file_state).collect();
            answers.extend(git::answers(Path::new(&here.directory), needs.git, &filters, self.deadline));
        }
        self.component.call(|world, store| {
            world.reveille_core_wake().call_report(store, request, here, &choice, &candidates, session, &agents, &before, &answers, &files)
        })
    }

    /// Folds a file: what the index holds of it, and what was appended since. None: it cannot be read now.
    fn fold(&mut self, found: &mut Found) -> Result<Option<ResourceAny>, Failure> {
        let Ok((mut file, id)) = found.transcript.open() else { return Ok(None) };
        let known = &mut found.known;
        if id != known.id && !transcripts::is_continued(&mut file, id, known.id, known.ends) {
            // It became another file between the look and now.
            known.offset = 0;
            found.changed = true;
        }
        let saved =
            if known.offset > 0 && known.offset <= id.size { self.index.as_ref().and_then(|index| index.fold(&known.path)) } else { None };
        let (fold, from) = match saved {
            Some(saved) => self.continued(&saved)?,
            None => None,
        }
        .map_or_else(|| Ok::<_, Failure>((self.new_fold(&found.transcript)?, 0)), Ok)?;
        let read = self.push(fold, &mut file, from, id.size)?;
        log::debug("read", &[("path", &known.path), ("from", &from), ("bytes", &read), ("size", &id.size)]);
        let offset = self.component.call(|world, store| world.reveille_core_transcript().fold().call_offset(store, fold))?;
        if offset != known.offset || found.changed {
            known.card = self.component.call(|world, store| world.reveille_core_transcript().fold().call_card(store, fold))?;
            known.offset = offset;
            known.id = id;
            known.ends = ends_hash(&mut file, id.size).unwrap_or(known.ends);
            known.read_at = clock::now();
            found.changed = true;
            let saved = self.component.call(|world, store| world.reveille_core_transcript().fold().call_save(store, fold))?;
            self.saved.insert(known.path.clone(), saved);
        }
        Ok(Some(fold))
    }

    fn new_fold(&mut self, transcript: &Transcript) -> Result<ResourceAny, Failure> {
        let fold = self.component.call(|world, store| world.reveille_core_transcript().fold().call_constructor(store, &transcript.name))?;
        let options = paths::options();
        self.component.call(|world, store| world.reveille_core_transcript().fold().call_set_options(store, fold, &options))?;
        Ok(fold)
    }

    /// A saved fold and where it goes on; none: it is of another build, or was read with other options.
    fn continued(&mut self, saved: &[u8]) -> Result<Option<(ResourceAny, u64)>, Failure> {
        let restored = self.component.call(|world, store| world.reveille_core_transcript().fold().call_restore(store, saved))?;
        let Ok(fold) = restored else { return Ok(None) };
        let options = paths::options();
        if !self.component.call(|world, store| world.reveille_core_transcript().fold().call_set_options(store, fold, &options))? {
            self.component.call(|_, store| fold.resource_drop(store))?;
            return Ok(None);
        }
        let from = self.component.call(|world, store| world.reveille_core_transcript().fold().call_offset(store, fold))?;
        Ok(Some((fold, from)))
    }

    fn push(&mut self, fold: ResourceAny, file: &mut std::fs::File, from: u64, end: u64) -> Result<u64, Failure> {
        let component = &mut self.component;
        let read = transcripts::each_chunk(file, from, end, |chunk| {
            component.call(|world, store| world.reveille_core_transcript().fold().call_push(store, fold, chunk))
        })?;
        Ok(read.unwrap_or(0))
    }

    /// The current directory, what git's first look says of it, and the sessions found for it.
    pub fn survey(&mut self) -> Result<(Place, Vec<GitAnswer>, Vec<Candidate>), Failure> {
        self.deadline = Instant::now() + git::DEADLINE;
        let workspace = current_directory()?;
        let first_look = self.first_look(&workspace)?;
        let (look, _) = first_look.join().unwrap_or_default();
        let (here, candidates) = self.sessions(workspace, None)?;
        Ok((here, look, candidates))
    }

    /// The place of a workspace, and the sessions that may be meant there: by an id or its beginning, else all of the repository.
    pub fn sessions(&mut self, workspace: String, session: Option<String>) -> Result<(Place, Vec<Candidate>), Failure> {
        self.open();
        let here = self.places.of(&workspace, self.index.as_ref(), self.deadline);
        let request = self.request(&Ask {
            occasion: Occasion::Asked,
            workspace: Some(workspace),
            repository: None,
            session,
            raw: false,
            callers: Vec::new(),
            transcript: None,
        });
        let search = self.component.call(|world, store| world.reveille_core_wake().call_search_for(store, &request, &here))?;
        let search = search.map_err(|error| self.refusal(&error))?;
        let found = self.find(&search, None)?;
        let candidates = found.iter().map(|found| self.candidate(found)).collect();
        Ok((here, candidates))
    }

    fn request(&self, ask: &Ask) -> Request {
        Request {
            occasion: ask.occasion,
            callers: ask.callers.clone(),
            session: ask.session.clone(),
            repository: ask.repository.clone(),
            raw: ask.raw,
            now: clock::now(),
            home: paths::home().map(|home| home.to_string_lossy().into_owned()),
            options: paths::options(),
        }
    }

    /// Reads one transcript into the index. Answers the bytes read for it; none: it cannot be read.
    pub fn scan(&mut self, transcript: &Transcript) -> Result<Option<u64>, Failure> {
        self.open();
        let row = self.index.as_ref().and_then(|index| index.by_path(&transcript.path));
        let Some(mut found) = self.look_at(transcript.clone(), row.as_ref())? else { return Ok(None) };
        let before = found.known.offset;
        if found.changed || found.known.offset == 0 {
            let Some(fold) = self.fold(&mut found)? else { return Ok(None) };
            self.component.call(|_, store| fold.resource_drop(store))?;
        }
        let read = found.known.offset.saturating_sub(before);
        self.scanned.push(found);
        Ok(Some(read))
    }

    /// Writes what was scanned.
    pub fn finish(&mut self) {
        let scanned = std::mem::take(&mut self.scanned);
        self.keep(&scanned);
    }

    fn keep(&mut self, found: &[Found]) {
        let Some(index) = &self.index else { return };
        let keeps: Vec<Keep> = found
            .iter()
            .filter(|found| found.changed)
            .map(|found| Keep { known: found.known.clone(), fold: self.saved.remove(&found.known.path) })
            .collect();
        index.keep(&keeps, &std::mem::take(&mut self.gone));
    }
}

/// The session that this process runs in, as the client says: the one whose process this one descends from. Only where it says nothing, the environment's:
/// a server's environment still names the session before a `/clear`.
pub fn callers(running: &[Running]) -> Vec<String> {
    let ancestors = processes::ancestors();
    let mut callers: Vec<String> = ancestors
        .iter()
        .filter_map(|pid| running.iter().find(|running| running.pid == *pid))
        .map(|running| running.session_id.clone())
        .collect();
    if callers.is_empty() {
        callers.extend(std::env::var("CLAUDE_CODE_SESSION_ID").ok().filter(|id| !id.is_empty()));
    }
    callers.dedup();
    callers
}

/// The directory that this process stands in.
pub fn current_directory() -> Result<String, Failure> {
    let directory = std::env::current_dir().map_err(|error| Failure::machine("current directory", error))?;
    Ok(directory.to_string_lossy().into_owned())
}

fn file_state(path: String) -> FileState {
    match std::fs::metadata(&path) {
        Ok(metadata) => FileState { path, exists: true, modified: metadata.modified().ok().map(clock::millis) },
        Err(_) => FileState { path, exists: false, modified: None },
    }
}
