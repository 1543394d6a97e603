//! A tool's call, from the server or from the hooks module: name and arguments in, text out.

use std::io::{Read, Write};
use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{event, look_back};
use crate::asking::{Ask, Asking};
use crate::bindings::exports::reveille::core::doors::ToolKind;
use crate::bindings::exports::reveille::core::wake::Occasion;
use crate::error::Failure;

/// Bytes of a call that are read.
const MOST: u64 = 16 << 20;

/// Whose call it is.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// The session's ids, the present one first.
    pub sessions: Vec<String>,
    /// The sub-agent.
    pub agent: Option<String>,
    /// The session's own file.
    pub transcript: Option<String>,
    /// Where it works.
    pub workspace: Option<String>,
}

/// What the model reads.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answered {
    /// The text.
    pub text: String,
    /// It is an error.
    pub error: bool,
    /// What the person is told of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// A call of the hooks module.
#[derive(Deserialize)]
struct Call {
    session: Option<String>,
    agent: Option<String>,
    cwd: Option<String>,
    transcript: Option<String>,
    arguments: Box<RawValue>,
}

/// Answers one call of the hooks module: JSON on standard input, JSON on standard output.
pub fn run(name: &str) -> ExitCode {
    let answered = read().and_then(|call| {
        let caller =
            Caller { sessions: call.session.into_iter().collect(), agent: call.agent, transcript: call.transcript, workspace: call.cwd };
        let mut asking = Asking::begin()?;
        let answered = answer(&mut asking, name, call.arguments.get(), None, caller)?;
        answered.ok_or_else(|| Failure::usage("reveille tool NAME"))
    });
    let answered = answered.unwrap_or_else(|failure| Answered { text: failure.to_string(), error: true, line: None });
    if let Ok(text) = serde_json::to_string(&answered) {
        let _ = writeln!(std::io::stdout(), "{text}");
    }
    ExitCode::SUCCESS
}

fn read() -> Result<Call, Failure> {
    let mut input = Vec::new();
    std::io::stdin().lock().take(MOST).read_to_end(&mut input).map_err(|error| Failure::machine("standard input", error))?;
    serde_json::from_slice(&input).map_err(|error| Failure::machine("standard input", error))
}

/// Answers a call; none for a tool that is not listed. `id` is the call's id, as the client gives it to a server.
pub fn answer(asking: &mut Asking, name: &str, arguments: &str, id: Option<&str>, caller: Caller) -> Result<Option<Answered>, Failure> {
    let listed = asking.component().call(|world, store| world.reveille_core_doors().call_tools(store))?;
    let Some(tool) = listed.iter().find(|tool| tool.name == name) else { return Ok(None) };
    let answered = match tool.kind {
        ToolKind::Handoff => hand_off(asking, name, arguments, id, &caller),
        ToolKind::Wake => wake(asking, arguments, caller),
        ToolKind::LookBack => look_back(asking, arguments, caller),
    };
    answered.map(Some)
}

fn look_back(asking: &mut Asking, arguments: &str, caller: Caller) -> Result<Answered, Failure> {
    let ask = look_back::Ask {
        session: caller.sessions.into_iter().next(),
        agent: caller.agent,
        arguments: arguments.to_owned(),
        workspace: caller.workspace,
    };
    let answer = look_back::answer(asking.component(), &ask)?;
    Ok(Answered { text: answer.text(), error: answer.is_error(), line: Some(answer.answer.line.clone()) })
}

fn wake(asking: &mut Asking, arguments: &str, caller: Caller) -> Result<Answered, Failure> {
    let call = asking.component().call(|world, store| world.reveille_core_doors().call_read_wake_call(store, arguments))?;
    let call = match call {
        Ok(call) => call,
        Err(error) => {
            let words = asking.component().call(|world, store| world.reveille_core_wake().call_explain(store, &error))?;
            return Err(Failure::Refused { words, not_found: false });
        }
    };
    let ask = Ask {
        occasion: Occasion::Asked,
        workspace: call.workspace.or(caller.workspace),
        repository: call.repository,
        session: call.session,
        raw: call.raw,
        callers: caller.sessions,
        transcript: caller.transcript,
    };
    let answer = asking.wake(&ask)?;
    Ok(Answered { text: answer.markdown, error: false, line: None })
}

/// A handoff without the hooks module is an event of the caller's session like any other.
fn hand_off(asking: &mut Asking, name: &str, arguments: &str, id: Option<&str>, caller: &Caller) -> Result<Answered, Failure> {
    let session = caller.sessions.first().map_or("", String::as_str);
    let agent = caller.agent.as_deref();
    let input =
        asking.component().call(|world, store| world.reveille_core_doors().call_handoff_event(store, name, arguments, id, agent))?;
    let answer = event::answer(session, &input)?;
    let result = serde_json::from_str::<Handed>(&answer).map_err(|error| Failure::machine("event", error))?;
    result.result.ok_or_else(|| Failure::machine("event", answer))
}

#[derive(Deserialize)]
struct Handed {
    result: Option<Answered>,
}
