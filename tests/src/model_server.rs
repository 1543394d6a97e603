//! The Messages API on loopback, played from a script: the model that the real client talks to in tests.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use tiny_http::{Header, Request, Response, Server};

/// What the model answers to one request.
#[derive(Clone, Debug, Default)]
pub struct Step {
    content: Vec<Value>,
    input_tokens: Option<u64>,
    too_long: bool,
    held: Option<Gate>,
}

/// Holds a response back until the test lets it go.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    /// Lets what is held go on.
    pub fn open(&self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }

    fn wait(&self) {
        let opened = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A test that failed opens nothing.
        let _ = self.0.1.wait_timeout_while(opened, Duration::from_secs(60), |open| !*open);
    }
}

impl Step {
    /// Text.
    pub fn text(text: &str) -> Self {
        Self { content: vec![json!({"type": "text", "text": text})], ..Self::default() }
    }

    /// A tool call.
    pub fn call(name: &str, input: Value) -> Self {
        Self::default().and_call(name, input)
    }

    /// A shell call.
    pub fn shell(command: &str) -> Self {
        Self::call("Bash", json!({"command": command, "description": "Run it"}))
    }

    /// Thinking before the rest of the response.
    #[must_use]
    pub fn with_thinking(mut self, text: &str) -> Self {
        self.content.insert(0, json!({"type": "thinking", "thinking": text, "signature": "c2lnbmF0dXJl"}));
        self
    }

    /// One more call in the same response.
    #[must_use]
    pub fn and_call(mut self, name: &str, input: Value) -> Self {
        self.content.push(json!({"type": "tool_use", "id": "", "name": name, "input": input}));
        self
    }

    /// The API's refusal of a request that is too long.
    pub fn too_long() -> Self {
        Self { too_long: true, ..Self::default() }
    }

    /// Waits for a gate before it answers.
    #[must_use]
    pub fn held_by(mut self, gate: &Gate) -> Self {
        self.held = Some(gate.clone());
        self
    }

    /// What the client reads as its context.
    #[must_use]
    pub fn with_input_tokens(mut self, tokens: u64) -> Self {
        self.input_tokens = Some(tokens);
        self
    }
}

/// Steps for the conversations whose first message holds a text; none: for every other one.
#[derive(Clone, Debug)]
pub struct Track {
    brief: Option<String>,
    steps: Vec<Step>,
}

impl Track {
    /// The session's own conversation.
    pub fn main(steps: Vec<Step>) -> Self {
        Self { brief: None, steps }
    }

    /// A sub-agent's, told by its brief.
    pub fn of(brief: &str, steps: Vec<Step>) -> Self {
        Self { brief: Some(brief.to_owned()), steps }
    }
}

#[derive(Debug, Default)]
struct Script {
    tracks: Vec<Track>,
    taken: HashMap<usize, usize>,
    requests: Vec<Value>,
    calls: u64,
}

/// A running server. It ends with this value.
pub struct ModelServer {
    server: Arc<Server>,
    script: Arc<Mutex<Script>>,
    thread: Option<JoinHandle<()>>,
    port: u16,
}

impl ModelServer {
    /// Listens on a free port.
    pub fn start() -> Result<Self> {
        let server = Arc::new(Server::http("127.0.0.1:0").map_err(|error| anyhow!("the model server cannot listen: {error}"))?);
        let port = server.server_addr().to_ip().map(|address| address.port()).unwrap_or_default();
        let script = Arc::new(Mutex::new(Script::default()));
        let thread = {
            let (server, script) = (Arc::clone(&server), Arc::clone(&script));
            std::thread::spawn(move || {
                for request in server.incoming_requests() {
                    let script = Arc::clone(&script);
                    std::thread::spawn(move || answer(request, &script));
                }
            })
        };
        Ok(Self { server, script, thread: Some(thread), port })
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Sets what it answers from now on.
    pub fn play(&self, tracks: Vec<Track>) {
        let mut script = lock(&self.script);
        script.tracks = tracks;
        script.taken.clear();
    }

    /// Bodies of the requests that carried tools, since the last call of this.
    pub fn take_requests(&self) -> Vec<Value> {
        std::mem::take(&mut lock(&self.script).requests)
    }

    /// The same without taking them.
    pub fn requests(&self) -> Vec<Value> {
        lock(&self.script).requests.clone()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock(script: &Mutex<Script>) -> std::sync::MutexGuard<'_, Script> {
    script.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All text of a request's conversation and system prompt.
pub fn text_of(request: &Value) -> String {
    let mut text = String::new();
    collect(&request["system"], &mut text);
    collect(&request["messages"], &mut text);
    text
}

fn collect(value: &Value, text: &mut String) {
    match value {
        Value::String(string) => {
            text.push_str(string);
            text.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, text)),
        Value::Object(fields) => {
            for (name, field) in fields {
                if ["text", "content"].contains(&name.as_str()) {
                    collect(field, text);
                }
            }
        }
        _ => {}
    }
}

fn answer(mut request: Request, script: &Mutex<Script>) {
    let mut body = String::new();
    let _ = request.as_reader().read_to_string(&mut body);
    let json: Value = serde_json::from_str(&body).unwrap_or(Value::Null);
    let url = request.url().to_owned();
    let respond = |request: Request, status: u16, kind: &str, body: String| {
        let mut response = Response::from_string(body).with_status_code(status);
        if let Ok(header) = Header::from_bytes("content-type", kind) {
            response = response.with_header(header);
        }
        let _ = request.respond(response);
    };
    if url.contains("count_tokens") {
        return respond(request, 200, "application/json", json!({"input_tokens": body.len() / 4}).to_string());
    }
    if !url.contains("/v1/messages") {
        return respond(request, 404, "application/json", "{}".to_owned());
    }
    let with_tools = json["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let (step, number) = next(script, &json, with_tools);
    if let Some(gate) = step.as_ref().and_then(|step| step.held.as_ref()) {
        gate.wait();
    }
    if step.as_ref().is_some_and(|step| step.too_long) {
        let error = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}});
        return respond(request, 400, "application/json", error.to_string());
    }
    let (content, usage, stop) = filled(step, number, body.len());
    let model = json["model"].as_str().unwrap_or("model").to_owned();
    let id = format!("msg_{number:024}");
    if json["stream"] == Value::Bool(true) {
        respond(request, 200, "text/event-stream", events(&id, &model, &content, &usage, stop));
    } else {
        let message = json!({"id": id, "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": stop, "stop_sequence": null, "usage": usage});
        respond(request, 200, "application/json", message.to_string());
    }
}

fn next(script: &Mutex<Script>, request: &Value, with_tools: bool) -> (Option<Step>, u64) {
    let mut script = lock(script);
    script.calls += 1;
    let number = script.calls;
    if !with_tools {
        return (None, number);
    }
    script.requests.push(request.clone());
    let mut first = String::new();
    collect(&request["messages"][0], &mut first);
    let matching = |track: &Track| track.brief.as_ref().is_some_and(|brief| first.contains(brief.as_str()));
    let place = script.tracks.iter().position(matching).or_else(|| script.tracks.iter().position(|track| track.brief.is_none()));
    let step = place.and_then(|place| {
        let taken = script.taken.entry(place).or_default();
        let at = *taken;
        *taken += 1;
        script.tracks.get(place)?.steps.get(at).cloned()
    });
    (step, number)
}

fn filled(step: Option<Step>, number: u64, request_bytes: usize) -> (Vec<Value>, Value, &'static str) {
    let step = step.unwrap_or_else(|| Step::text("ok"));
    let mut content = step.content;
    let mut stop = "end_turn";
    for (index, block) in content.iter_mut().enumerate() {
        if block["type"] == "tool_use" {
            if block["id"] == "" {
                block["id"] = json!(format!("toolu_{number:016}{index:08}"));
            }
            stop = "tool_use";
        }
    }
    let input = step.input_tokens.unwrap_or(request_bytes as u64 / 4);
    let usage = json!({"input_tokens": input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 50});
    (content, usage, stop)
}

fn events(id: &str, model: &str, content: &[Value], usage: &Value, stop: &str) -> String {
    let mut out = String::new();
    let mut event = |name: &str, mut data: Value| {
        data["type"] = json!(name);
        out.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    };
    event(
        "message_start",
        json!({"message": {"id": id, "type": "message", "role": "assistant", "model": model, "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage}}),
    );
    for (index, block) in content.iter().enumerate() {
        if block["type"] == "thinking" {
            event("content_block_start", json!({"index": index, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}));
            event("content_block_delta", json!({"index": index, "delta": {"type": "thinking_delta", "thinking": block["thinking"]}}));
            event("content_block_delta", json!({"index": index, "delta": {"type": "signature_delta", "signature": block["signature"]}}));
            event("content_block_stop", json!({"index": index}));
            continue;
        }
        let (start, delta) = if block["type"] == "tool_use" {
            let mut start = block.clone();
            start["input"] = json!({});
            (start, json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}))
        } else {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": block["text"]}))
        };
        event("content_block_start", json!({"index": index, "content_block": start}));
        event("content_block_delta", json!({"index": index, "delta": delta}));
        event("content_block_stop", json!({"index": index}));
    }
    event("message_delta", json!({"delta": {"stop_reason": stop, "stop_sequence": null}, "usage": usage}));
    event("message_stop", json!({}));
    out
}
