//! A settings hook's event: JSON on standard input, JSON on standard output. Whatever happens, the session goes on: the exit status is 0.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::Duration;

use super::event;
use crate::asking::{Ask, Asking};
use crate::bindings::exports::reveille::core::compaction::HandedBack;
use crate::bindings::exports::reveille::core::doors::{HookEvent, SessionStart};
use crate::bindings::exports::reveille::core::wake::Occasion;
use crate::error::{Failure, endless_input, hook_line};

/// How long standard input may take.
const INPUT: Duration = Duration::from_secs(1);
/// Bytes of it that are read.
const MOST: u64 = 1 << 20;

/// Answers one event.
pub fn run() -> ExitCode {
    let Some(input) = standard_input() else {
        eprintln!("{}", endless_input());
        return ExitCode::SUCCESS;
    };
    match answer(&input) {
        Ok((printed, said)) => {
            if let Some(said) = said {
                eprintln!("{said}");
            }
            if let Some(printed) = printed {
                // A client that does not read any more is no failure.
                let _ = writeln!(std::io::stdout(), "{printed}");
            }
        }
        Err(failure) => eprintln!("{}", hook_line(&failure)),
    }
    ExitCode::SUCCESS
}

/// Standard input to its end; none when it does not end in time.
fn standard_input() -> Option<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = std::io::stdin().lock().take(MOST).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver.recv_timeout(INPUT).ok()
}

fn answer(input: &[u8]) -> Result<(Option<String>, Option<String>), Failure> {
    let mut asking = Asking::begin()?;
    let event = asking.component().call(|world, store| world.reveille_core_doors().call_read_hook(store, input))?;
    let start = match event {
        HookEvent::Nothing(said) => return Ok((None, said)),
        HookEvent::SessionStart(start) => start,
    };
    // Where the hooks module runs in this session, it wakes.
    if start.session.is_some() && std::env::var("REVEILLE_MODULE").ok() == start.session {
        return Ok((None, None));
    }
    let handoff = match (start.occasion, &start.session) {
        (Occasion::Compact, Some(session)) => match event::hand_back(session) {
            HandedBack::Installed => return Ok((None, None)),
            HandedBack::Handoff(text) => Some(text),
            HandedBack::Nothing => None,
        },
        _ => None,
    };
    let answer = asking.wake(&ask(&start))?;
    let handoff = handoff.as_deref();
    let printed = asking.component().call(|world, store| world.reveille_core_doors().call_hook_answer(store, &start, &answer, handoff))?;
    Ok((printed, None))
}

fn ask(start: &SessionStart) -> Ask {
    Ask {
        occasion: start.occasion,
        workspace: start.cwd.clone().or_else(|| std::env::var("CLAUDE_PROJECT_DIR").ok()),
        repository: None,
        session: None,
        raw: false,
        callers: start.session.iter().cloned().collect(),
        transcript: start.transcript.clone(),
    }
}
