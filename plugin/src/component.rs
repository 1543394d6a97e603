//! The exports of the component: every function of `wit/` goes to the room that decides it, and nowhere else is the contract implemented.
#![allow(unsafe_code, clippy::all, clippy::restriction)]

use std::cell::RefCell;

use crate::contract::{checkout, compaction, doctor, doors, export, look_back, redact, transcript, types, wake};
use crate::transcript::Fold;
use crate::wake::Folded;

struct Reveille;

/// The `fold` resource: one fold behind a handle.
struct FoldHandle(RefCell<Fold>);

impl transcript::GuestFold for FoldHandle {
    fn new(name: transcript::FileName) -> Self {
        Self(RefCell::new(Fold::new(name)))
    }

    fn restore(saved: Vec<u8>) -> Result<transcript::Fold, transcript::RestoreError> {
        Fold::restore(&saved).map(|fold| transcript::Fold::new(Self(RefCell::new(fold))))
    }

    fn set_options(&self, options: Vec<(String, String)>) -> bool {
        self.0.borrow_mut().set_checks(crate::options::Options::read(&options).checks)
    }

    fn push(&self, chunk: Vec<u8>) {
        self.0.borrow_mut().push(&chunk);
    }

    fn offset(&self) -> u64 {
        self.0.borrow().offset()
    }

    fn save(&self) -> Vec<u8> {
        self.0.borrow().save()
    }

    fn facts(&self) -> types::Facts {
        self.0.borrow().facts()
    }

    fn card(&self) -> transcript::Card {
        self.0.borrow().card()
    }
}

impl transcript::Guest for Reveille {
    type Fold = FoldHandle;

    fn peek(name: transcript::FileName, head: Vec<u8>, tail: Vec<u8>, whole: bool) -> Option<transcript::Card> {
        crate::transcript::peek(name, &head, &tail, whole)
    }
}

impl checkout::Guest for Reveille {
    fn identify(place: checkout::Place) -> checkout::Identity {
        crate::checkout::identify(&place)
    }

    fn first_look() -> Vec<checkout::GitCommand> {
        crate::checkout::first_look()
    }
}

fn facts(fold: &transcript::FoldBorrow<'_>) -> types::Facts {
    fold.get::<FoldHandle>().0.borrow().facts()
}

fn folded(session: &transcript::FoldBorrow<'_>, agents: &[transcript::FoldBorrow<'_>]) -> Folded {
    Folded { main: facts(session), agents: agents.iter().map(facts).collect() }
}

impl wake::Guest for Reveille {
    fn search_for(request: wake::Request, here: wake::Place) -> Result<wake::Search, wake::WakeError> {
        crate::wake::search_for(&request, &here)
    }

    fn choose(request: wake::Request, here: wake::Place, candidates: Vec<wake::Candidate>) -> Result<wake::Choice, wake::WakeError> {
        crate::wake::choose(&request, &here, &candidates)
    }

    fn second_look(session: transcript::FoldBorrow<'_>, agents: Vec<transcript::FoldBorrow<'_>>, git: Vec<wake::GitAnswer>) -> wake::Needs {
        crate::wake::second_look(&folded(&session, &agents), &git)
    }

    fn report(
        request: wake::Request,
        here: wake::Place,
        choice: wake::Choice,
        candidates: Vec<wake::Candidate>,
        session: Option<transcript::FoldBorrow<'_>>,
        agents: Vec<transcript::FoldBorrow<'_>>,
        before: Vec<transcript::FoldBorrow<'_>>,
        git: Vec<wake::GitAnswer>,
        files: Vec<wake::FileState>,
    ) -> wake::Answer {
        let session = session.as_ref().map(|session| folded(session, &agents));
        let before: Vec<types::Facts> = before.iter().map(facts).collect();
        crate::wake::report(&crate::wake::Evidence {
            request: &request,
            here: &here,
            choice: &choice,
            candidates: &candidates,
            session: session.as_ref(),
            before: &before,
            git: &git,
            files: &files,
        })
    }

    fn explain(error: wake::WakeError) -> String {
        crate::wake::explain(&error)
    }
}

/// The `session` resource: one session's state behind a handle.
struct SessionHandle(RefCell<crate::compaction::Session>);

impl compaction::GuestSession for SessionHandle {
    fn new(setting: compaction::Setting) -> Self {
        Self(RefCell::new(crate::compaction::Session::new(setting)))
    }

    fn restore(setting: compaction::Setting, saved: Vec<u8>) -> Result<compaction::Session, compaction::RestoreError> {
        crate::compaction::Session::restore(setting, &saved).map(|session| compaction::Session::new(Self(RefCell::new(session))))
    }

    fn replay(&self, rows: Vec<u8>) {
        self.0.borrow_mut().replay(&rows);
    }

    fn event(&self, now: types::Millis, input: Vec<u8>, supplies: compaction::Supplies) -> compaction::Step {
        self.0.borrow_mut().event(now, &input, &supplies)
    }

    fn rescue(&self, now: types::Millis, input: Vec<u8>, why: String) -> compaction::Outcome {
        self.0.borrow_mut().rescue(now, &input, &why)
    }

    fn save(&self) -> Vec<u8> {
        self.0.borrow().save()
    }
}

impl compaction::Guest for Reveille {
    type Session = SessionHandle;

    fn pass(input: Vec<u8>, why: String) -> String {
        crate::compaction::pass(&input, &why)
    }

    fn records(input: Vec<u8>) -> bool {
        crate::compaction::records(&input)
    }

    fn unwritten(answer: String, why: String) -> String {
        crate::compaction::unwritten(&answer, &why)
    }

    fn unlogged(answer: String, why: String) -> String {
        crate::compaction::unlogged(&answer, &why)
    }

    fn handed_event() -> Vec<u8> {
        crate::compaction::HANDED.to_vec()
    }

    fn after_compaction(session: compaction::SessionBorrow<'_>) -> compaction::HandedBack {
        crate::compaction::after_compaction(&session.get::<SessionHandle>().0.borrow())
    }
}

impl redact::Guest for Reveille {
    fn text(input: String) -> String {
        crate::redact::text(&input).into_owned()
    }
}

impl doors::Guest for Reveille {
    fn read_hook(input: Vec<u8>) -> doors::HookEvent {
        crate::doors::read_hook(&input)
    }

    fn hook_answer(event: doors::SessionStart, answer: wake::Answer, handoff: Option<String>) -> Option<String> {
        crate::doors::hook_answer(&event, &answer, handoff.as_deref())
    }

    fn tools() -> Vec<doors::Tool> {
        crate::doors::tools()
    }

    fn read_wake_call(arguments: String) -> Result<doors::WakeCall, wake::WakeError> {
        crate::doors::read_wake_call(&arguments)
    }

    fn handoff_event(tool: String, arguments: String, id: Option<String>, agent: Option<String>) -> Vec<u8> {
        crate::doors::handoff_event(&tool, &arguments, id.as_deref(), agent.as_deref())
    }

    fn wake_result(answer: wake::Answer) -> String {
        crate::doors::wake_result(&answer)
    }
}

impl doctor::Guest for Reveille {
    fn judge(installation: doctor::Installation) -> doctor::Verdict {
        crate::doctor::judge(&installation)
    }
}

/// The `search` resource: one search behind a handle.
struct SearchHandle(RefCell<crate::look_back::Search>);

impl look_back::GuestSearch for SearchHandle {
    fn new(question: look_back::Question, party: look_back::Party) -> Self {
        Self(RefCell::new(crate::look_back::Search::new(question, party)))
    }

    fn next_span(&self) -> Option<look_back::Span> {
        self.0.borrow_mut().next_span()
    }

    fn push(&self, chunk: Vec<u8>) {
        self.0.borrow_mut().push(&chunk);
    }

    fn answer(&self) -> look_back::Answer {
        self.0.borrow().answer()
    }
}

impl look_back::Guest for Reveille {
    type Search = SearchHandle;

    fn read(arguments: String) -> Result<look_back::Question, look_back::Fault> {
        crate::look_back::read(&arguments)
    }

    fn whose(question: look_back::Question, caller: look_back::Caller) -> look_back::Party {
        crate::look_back::whose(&question, &caller)
    }

    fn choose(party: look_back::Party, here: look_back::Place, candidates: Vec<look_back::Candidate>) -> Result<u32, look_back::Fault> {
        crate::look_back::choose(&party, &here, &candidates)
    }

    fn refuse(fault: look_back::Fault, question: Option<look_back::Question>, party: Option<look_back::Party>) -> look_back::Answer {
        crate::look_back::refuse(&fault, question.as_ref(), party.as_ref())
    }
}

export!(Reveille with_types_in crate::contract);
