//! Looking back: one question to one transcript, from the command line, from a tool's call, and for whoever else has a component at hand.

use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use wasmtime::component::ResourceAny;

use super::cli;
use crate::asking::{Asking, callers, current_directory};
use crate::bindings::exports::reveille::core::look_back as contract;
use crate::bindings::exports::reveille::core::look_back::{Caller, End, Fault, Party, Question, Role};
use crate::component::Component;
use crate::error::Failure;
use crate::machine::{files, log, paths, processes, transcripts};

/// What a door asks for.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The asking session's id; none outside a session.
    pub session: Option<String>,
    /// The asking sub-agent's id.
    pub agent: Option<String>,
    /// The arguments, JSON.
    pub arguments: String,
    /// The directory whose sessions may be named; none: the current one.
    pub workspace: Option<String>,
}

/// What a door gives back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// As the component gave it, with the line for the person.
    pub answer: contract::Answer,
}

impl Answer {
    /// The text as a model reads it.
    pub fn text(&self) -> String {
        self.answer.parts.iter().map(|part| part.text.as_str()).collect()
    }

    /// Whether there is no answer but what is wrong.
    pub fn is_error(&self) -> bool {
        self.answer.end != End::Answered
    }

    fn exit(&self) -> ExitCode {
        match self.answer.end {
            End::Answered => ExitCode::SUCCESS,
            End::Failed => ExitCode::FAILURE,
            End::Mistaken => ExitCode::from(2),
            End::Missing => ExitCode::from(3),
        }
    }
}

/// Answers.
pub fn answer(component: &mut Component, ask: &Ask) -> Result<Answer, Failure> {
    let answer = match component.call(|world, store| world.reveille_core_look_back().call_read(store, &ask.arguments))? {
        Ok(question) => put(component, ask, &question)?,
        Err(fault) => component.call(|world, store| world.reveille_core_look_back().call_refuse(store, &fault, None, None))?,
    };
    log::debug("look-back", &[("line", &answer.line)]);
    Ok(Answer { answer })
}

/// Puts a question to its transcript.
fn put(component: &mut Component, ask: &Ask, question: &Question) -> Result<contract::Answer, Failure> {
    let caller = Caller { session: ask.session.clone(), agent: ask.agent.clone() };
    let mut party = component.call(|world, store| world.reveille_core_look_back().call_whose(store, question, &caller))?;
    let fault = match find(component, ask, &mut party)? {
        Ok(path) => match search(component, question, &party, &path)? {
            Ok(answer) => return Ok(answer),
            Err(error) => Fault::Unreadable(error.to_string()),
        },
        Err(fault) => fault,
    };
    component.call(|world, store| world.reveille_core_look_back().call_refuse(store, &fault, Some(question), Some(&party)))
}

/// The party's file. A session that was given by its beginning has its whole id afterwards.
fn find(component: &mut Component, ask: &Ask, party: &mut Party) -> Result<Result<PathBuf, Fault>, Failure> {
    let mut path = None;
    if party.past {
        let workspace = ask.workspace.clone().map_or_else(current_directory, Ok)?;
        let (here, candidates) = Asking::begin()?.sessions(workspace, party.session.clone())?;
        let chosen = component.call(|world, store| world.reveille_core_look_back().call_choose(store, party, &here, &candidates))?;
        match chosen.map(|index| candidates.into_iter().nth(index as usize)) {
            Ok(Some(candidate)) => {
                party.session = Some(candidate.card.session);
                path = Some(PathBuf::from(candidate.path));
            }
            Ok(None) => return Ok(Err(Fault::NoSession)),
            Err(fault) => return Ok(Err(fault)),
        }
    }
    let found = match (&party.session, &party.agent, path) {
        (_, None, Some(path)) => Some(path),
        (Some(session), agent, _) => paths::projects().and_then(|projects| transcripts::by_id(&projects, session, agent.as_deref())),
        (None, ..) => None,
    };
    Ok(found.ok_or_else(|| Fault::NoTranscript(party.clone())))
}

/// Pushes what the search asks for. The inner error: the file cannot be read.
fn search(
    component: &mut Component,
    question: &Question,
    party: &Party,
    path: &Path,
) -> Result<Result<contract::Answer, std::io::Error>, Failure> {
    let (mut file, size) = match File::open(path).and_then(|file| file.metadata().map(|data| (file, data.len()))) {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error)),
    };
    let search = component.call(|world, store| world.reveille_core_look_back().search().call_constructor(store, question, party))?;
    let read = push(component, search, &mut file, size)?;
    let answer = match read {
        Ok(()) => Ok(component.call(|world, store| world.reveille_core_look_back().search().call_answer(store, search))?),
        Err(error) => Err(error),
    };
    component.call(|_, store| search.resource_drop(store))?;
    Ok(answer)
}

fn push(component: &mut Component, search: ResourceAny, file: &mut File, size: u64) -> Result<Result<(), std::io::Error>, Failure> {
    while let Some(span) = component.call(|world, store| world.reveille_core_look_back().search().call_next_span(store, search))? {
        let end = span.end.map_or(size, |end| end.min(size));
        let read = files::each_chunk_ahead(file, span.start, end, |chunk| {
            component.call(|world, store| world.reveille_core_look_back().search().call_push(store, search, chunk))
        })?;
        if let Err(error) = read {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}

/// The sub-agent that makes a call, as far as the transcripts tell: over MCP the client does not say it.
pub fn agent_of_call(session: Option<&str>, call: Option<&str>) -> Option<String> {
    transcripts::agent_of_call(&paths::projects()?, session?, call?)
}

/// The command line's door.
pub fn run(arguments: &str, json: bool) -> ExitCode {
    let running = paths::client().map(|client| processes::running(&client)).unwrap_or_default();
    let ask = Ask { session: callers(&running).into_iter().next(), agent: None, arguments: arguments.to_owned(), workspace: None };
    let answered = Component::load().and_then(|mut component| answer(&mut component, &ask));
    let answer = match answered {
        Ok(answer) => answer,
        Err(failure) => {
            eprintln!("reveille: {failure}");
            return failure.exit();
        }
    };
    if answer.is_error() {
        eprint!("reveille: {}", answer.text());
    } else if json {
        cli::print(&answer.answer.json);
    } else if std::io::stdout().is_terminal() {
        let color = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
        cli::print(&drawn(&answer, color));
    } else {
        cli::print(&answer.text());
    }
    answer.exit()
}

/// As a terminal shows it. A transcript holds what programs wrote to other terminals: none of it may steer this one.
fn drawn(answer: &Answer, color: bool) -> String {
    let mut out = String::new();
    for part in &answer.answer.parts {
        let text: String = anstream::adapter::strip_str(&part.text)
            .to_string()
            .chars()
            .filter(|letter| !letter.is_control() || "\n\t".contains(*letter))
            .collect();
        let style = match part.role {
            Role::Heading => Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())),
            Role::Found => Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())),
            Role::Note => Style::new().dimmed(),
            Role::Text => Style::new(),
        };
        if color {
            out.push_str(&format!("{style}{text}{style:#}"));
        } else {
            out.push_str(&text);
        }
    }
    out
}
