//! Behaviour of a whole session, told event by event.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]

mod asks;
mod facts;
mod files;
mod nudges;
mod parties;
mod properties;
mod refusals;
mod table;
mod turn_end;

use serde_json::{Value, json};

use super::Session;
use crate::contract::checkout::{GitAnswer, GitEnd};
use crate::contract::compaction::{Content, FileRead, Setting, Step, Supplies};

/// The handoff tool as the module registers it.
pub const TOOL: &str = "mcp__reveille__forward_compaction";

/// A session that is told events.
pub struct Play {
    pub session: Session,
    /// The ledger's rows so far.
    pub ledger: Vec<String>,
    /// The decision log's.
    pub log: Vec<Value>,
    /// Files on the disk.
    pub files: Vec<FileRead>,
    pub now: i64,
    /// The origin's ledger, once the transcript names it.
    pub origin: Vec<u8>,
}

pub fn setting(options: &[(String, String)]) -> Setting {
    Setting { session: "s".to_owned(), options: options.to_vec(), home: Some("/home/dev".to_owned()) }
}

impl Play {
    pub fn new() -> Self {
        Self::with(&[])
    }

    pub fn with(options: &[(&str, &str)]) -> Self {
        let options: Vec<(String, String)> = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let session = Session::new(setting(&options));
        Self { session, ledger: Vec::new(), log: Vec::new(), files: Vec::new(), now: 1_800_000_000_000, origin: Vec::new() }
    }

    /// A session that started in a terminal with a window of 1,000,000 tokens of which 100,000 are used before compacting, asks coming from 67,000.
    pub fn started() -> Self {
        Self::started_with(&[])
    }

    pub fn started_with(options: &[(&str, &str)]) -> Self {
        let mut play = Self::with(options);
        play.tell("start", json!({"source": "startup"}));
        play.tell("start", json!({"isInteractive": true, "cwd": "/p"}));
        play
    }

    pub fn tell(&mut self, event: &str, data: Value) -> Value {
        self.tell_of(None, event, data)
    }

    pub fn tell_of(&mut self, agent: Option<&str>, event: &str, data: Value) -> Value {
        self.now += 1_000;
        let input = json!({"event": event, "agent": agent, "data": data}).to_string();
        let mut supplies = Supplies { files: Vec::new(), git: Vec::new(), origin: None };
        for _ in 0..4 {
            match self.session.event(self.now, input.as_bytes(), &supplies) {
                Step::Done(outcome) => {
                    self.ledger.extend(outcome.ledger);
                    self.log.extend(outcome.log.iter().map(|row| serde_json::from_str(row).unwrap()));
                    return serde_json::from_str(&outcome.answer).unwrap();
                }
                Step::Needs(needs) => {
                    supplies.files.extend(needs.files.iter().map(|path| {
                        let known = self.files.iter().find(|file| file.path == *path).cloned();
                        known.unwrap_or(FileRead { path: path.clone(), content: Content::Missing })
                    }));
                    let missing = |command| GitAnswer { command, end: GitEnd::Missing, stdout: Vec::new(), stderr: Vec::new() };
                    supplies.git.extend(needs.git.into_iter().map(missing));
                    if needs.origin {
                        supplies.origin = Some(self.origin.clone());
                    }
                }
            }
        }
        panic!("{event} needs more and more")
    }

    pub fn file(&mut self, path: &str, content: Content) {
        self.files.retain(|file| file.path != path);
        self.files.push(FileRead { path: path.to_owned(), content });
    }

    /// A request that completed with so many tokens; the window is the one of [`Play::started`].
    pub fn reads(&mut self, tokens: u64) -> Value {
        self.reads_of(None, tokens)
    }

    pub fn reads_of(&mut self, agent: Option<&str>, tokens: u64) -> Value {
        let figures = json!({"window": 1_000_000, "raw": 100_000, "threshold": 67_000, "setBy": "settings"});
        let figures = if agent.is_none() { figures } else { Value::Null };
        self.tell_of(
            agent,
            "step.end",
            json!({"model": "claude-test", "stopReason": "tool_use", "usage": {"input_tokens": tokens}, "figures": figures}),
        )
    }

    /// A request that was too long.
    pub fn fails(&mut self, agent: Option<&str>) -> Value {
        self.tell_of(agent, "step.end", json!({"model": "claude-test", "stopReason": null, "usage": null}))
    }

    pub fn hands_off(&mut self, agent: Option<&str>, id: &str) -> Value {
        self.tell_of(agent, "call.start", json!({"tool": TOOL, "id": id, "input": handoff(), "module": true}))
    }

    pub fn asked(&mut self, agent: Option<&str>, trigger: &str, messages: Vec<Value>) -> Value {
        self.tell_of(agent, "compact", json!({"trigger": trigger, "messages": messages, "agents": agents()}))
    }

    pub fn spawns(&mut self, agent: &str) {
        self.tell(
            "spawn",
            json!({"agentId": agent, "subagentType": "general-purpose", "description": "Look", "prompt": "Look at everything."}),
        );
        self.tell_of(Some(agent), "tool.offer", json!({}));
    }
}

pub fn agents() -> Value {
    json!([{"id": "a1", "type": "general-purpose", "description": "Look", "status": "running", "contextWindowSize": 200_000}])
}

pub fn handoff() -> Value {
    json!({"objective": "Print totals.", "done": "The header.", "remaining": "The rows.", "next": "Write the loop."})
}

pub fn user(handle: &str, text: &str) -> Value {
    json!({"handle": handle, "role": "user", "text": text})
}

pub fn says(handle: &str, text: &str) -> Value {
    json!({"handle": handle, "role": "assistant", "text": text})
}

pub fn calls(handle: &str, ids: &[(&str, &str)]) -> Value {
    let uses: Vec<Value> = ids.iter().map(|(id, tool)| json!({"id": id, "tool": tool, "input": {"x": 1}})).collect();
    json!({"handle": handle, "role": "assistant", "text": "", "uses": uses})
}

pub fn results(handle: &str, ids: &[&str]) -> Value {
    let results: Vec<Value> = ids.iter().map(|id| json!({"id": id, "text": format!("result of {id}"), "error": false})).collect();
    json!({"handle": handle, "role": "user", "text": "", "results": results})
}

/// A conversation with the call of a handoff in it, and two messages after it.
pub fn conversation(call: &str) -> Vec<Value> {
    vec![
        user("m1", "Make the importer print totals."),
        calls("m2", &[("toolu_read", "Read")]),
        results("m3", &["toolu_read"]),
        calls("m4", &[(call, TOOL)]),
        results("m5", &[call]),
        says("m6", "Going on."),
        user("m7", "And the footer."),
    ]
}

/// Handles and the first lines of built messages of an answer, in order.
pub fn kept(answer: &Value) -> Vec<String> {
    let messages = answer["messages"].as_array().cloned().unwrap_or_default();
    let name = |message: &Value| match message["handle"].as_str() {
        Some(handle) => handle.to_owned(),
        None => message["text"].as_str().unwrap_or_default().lines().next().unwrap_or_default().to_owned(),
    };
    messages.iter().map(name).collect()
}

/// The text of a built message.
pub fn built(answer: &Value, at: usize) -> String {
    answer["messages"][at]["text"].as_str().unwrap_or_default().to_owned()
}
