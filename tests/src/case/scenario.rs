//! The scenario language: a transcript as a person would tell it, expanded to the records that the client writes.
//!
//! | line | record |
//! |---|---|
//! | `@ 2026-09-04 09:15` | the clock of the next record; each record after it is ten seconds later |
//! | `@cwd DIR`, `@branch NAME` | where what follows is recorded |
//! | `person: TEXT` | a prompt typed by the person |
//! | `queued: TEXT` | a prompt typed while a turn runs |
//! | `meta: TEXT` | a user record that no person wrote |
//! | `command: /NAME ARGS` | a slash command's wrapper |
//! | `agent: TEXT` | text of the agent |
//! | `bash ID: COMMAND`, `background ID: COMMAND` | a call of the shell tool |
//! | `call ID TOOL JSON` | a call of any tool |
//! | `ok ID`, `fail ID STATUS` | its result; output in the lines below, indented by two blanks |
//! | `result ID JSON` | a result whose `toolUseResult` is the JSON; text below |
//! | `started ID`, `denied ID`, `interrupted ID`, `timeout ID` | results of those kinds |
//! | `edit PATH`, `write PATH` | a finished call of the tool |
//! | `notify ID: TEXT` | the notification that a background task ended |
//! | `boundary TRIGGER`, `summary: TEXT` | a compaction |
//! | `turn-end` | the client's turn duration record |
//! | `raw: LINE` | the line as it stands |
//! | `torn: TEXT` | the last bytes of the file, without a newline |
//!
//! Lines indented by two blanks continue the text above them.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

const SESSION: &str = "5d1f0a52-7c0e-4b7e-9f5a-0c2b8f6a1e01";

struct Writer<'a> {
    agent: Option<&'a str>,
    cwd: String,
    branch: String,
    millis: i64,
    uuid: u64,
    message: u64,
    bytes: Vec<u8>,
}

/// The session id that every expanded transcript has.
pub fn session() -> &'static str {
    SESSION
}

/// Expands a scenario to a file's bytes.
pub fn expand(lines: &[&str], agent: Option<&str>) -> Result<Vec<u8>> {
    let mut writer = Writer {
        agent,
        cwd: "/home/dev/code/acme/web".to_owned(),
        branch: "main".to_owned(),
        millis: 1_788_512_400_000, // 2026-09-04T09:00:00Z
        uuid: 0,
        message: 0,
        bytes: Vec::new(),
    };
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let mut more = Vec::new();
        while let Some(continued) = lines.get(at).and_then(|line| line.strip_prefix("  ")) {
            more.push(continued);
            at += 1;
        }
        if line.trim().is_empty() {
            continue;
        }
        writer.line(line, &more).with_context(|| format!("the scenario line `{line}`"))?;
    }
    Ok(writer.bytes)
}

impl Writer<'_> {
    fn line(&mut self, line: &str, more: &[&str]) -> Result<()> {
        if let Some(moment) = line.strip_prefix("@ ") {
            self.millis = moment_millis(moment)?;
            return Ok(());
        }
        if let Some(cwd) = line.strip_prefix("@cwd ") {
            cwd.clone_into(&mut self.cwd);
            return Ok(());
        }
        if let Some(branch) = line.strip_prefix("@branch ") {
            branch.clone_into(&mut self.branch);
            return Ok(());
        }
        let (head, rest) = match line.split_once(": ") {
            Some((head, rest)) => (head, rest),
            None => (line.strip_suffix(':').unwrap_or(line), ""),
        };
        let mut words = head.split_whitespace();
        let verb = words.next().unwrap_or_default();
        let id = words.next().unwrap_or_default();
        let output = more.join("\n");
        let text = match (rest.is_empty(), more.is_empty()) {
            (_, true) => rest.to_owned(),
            (true, false) => output.clone(),
            (false, false) => format!("{rest}\n{output}"),
        };
        match verb {
            "person" => self.prompt(&text),
            "queued" => {
                self.bookkeeping(json!({"type": "queue-operation", "operation": "enqueue", "content": text}));
                self.attachment(json!({"type": "queued_command", "prompt": text, "commandMode": "prompt"}));
            }
            "meta" => self.user(json!(text), json!({"isMeta": true})),
            "command" => {
                let (name, arguments) = text.split_once(' ').unwrap_or((&text, ""));
                let bare = name.trim_start_matches('/');
                self.user(
                    json!(format!(
                        "<command-name>{name}</command-name>\n            <command-message>{bare}</command-message>\n            <command-args>{arguments}</command-args>"
                    )),
                    json!({}),
                );
            }
            "agent" => self.assistant(json!([{"type": "text", "text": text}])),
            "bash" => self.tool(id, "Bash", json!({"command": text, "description": "Run it"})),
            "background" => self.tool(id, "Bash", json!({"command": text, "run_in_background": true})),
            "call" => {
                let mut parts = line.splitn(4, ' ').skip(2);
                let tool = parts.next().context("a call names its tool")?.to_owned();
                let input: Value = serde_json::from_str(parts.next().unwrap_or("{}"))?;
                self.tool(id, &tool, input);
            }
            "ok" => self.result(id, &output, json!({"is_error": false}), json!({"stdout": output, "stderr": "", "interrupted": false})),
            "fail" => {
                let status = words.next().unwrap_or("1");
                let text = if output.is_empty() { format!("Exit code {status}") } else { format!("Exit code {status}\n{output}") };
                self.result(id, &text, json!({"is_error": true}), json!(format!("Error: {text}")));
            }
            "result" => {
                let json = line.splitn(3, ' ').nth(2).unwrap_or("{}");
                self.result(id, &output, json!({}), serde_json::from_str(json)?);
            }
            "started" => self.result(
                id,
                &format!("Command running in background with ID: {id}. Output is being written to: /tmp/tasks/{id}.output"),
                json!({"is_error": false}),
                json!({"stdout": "", "stderr": "", "interrupted": false, "backgroundTaskId": id}),
            ),
            "denied" => {
                let text = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
                self.denial(id, text, json!({"toolDenialKind": "user-rejected", "toolDenialBeforeRun": true}));
                self.user(json!([{"type": "text", "text": "[Request interrupted by user for tool use]"}]), json!({}));
            }
            "interrupted" => {
                let text = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
                self.denial(id, text, json!({"toolDenialKind": "user-rejected"}));
                let message = format!("msg_{:024}", self.message);
                self.user(
                    json!([{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
                    json!({"interruptedMessageId": message}),
                );
            }
            "timeout" => {
                let text = if output.is_empty() {
                    "Command timed out after 2m 0s".to_owned()
                } else {
                    format!("Command timed out after 2m 0s\n{output}")
                };
                self.result(id, &text, json!({"is_error": true}), json!(format!("Error: {text}")));
            }
            "edit" => {
                let call = format!("edit{}", self.uuid);
                self.tool(&call, "Edit", json!({"file_path": id, "old_string": "a", "new_string": "b"}));
                let text = format!("The file {id} has been updated successfully.");
                self.result(&call, &text, json!({}), json!({"filePath": id, "oldString": "a", "newString": "b"}));
            }
            "write" => {
                let call = format!("write{}", self.uuid);
                self.tool(&call, "Write", json!({"file_path": id, "content": "x\n"}));
                let text = format!("File created successfully at: {id}");
                self.result(&call, &text, json!({}), json!({"type": "create", "filePath": id, "content": "x\n"}));
            }
            "notify" => {
                let status = if text.contains("failed") {
                    "failed"
                } else if text.contains("stopped") {
                    "killed"
                } else {
                    "completed"
                };
                let notice = format!(
                    "<task-notification>\n<task-id>{id}</task-id>\n<tool-use-id>toolu_{id}</tool-use-id>\n<status>{status}</status>\n<summary>{text}</summary>\n</task-notification>"
                );
                self.user(json!(notice), json!({"origin": {"kind": "task-notification"}}));
            }
            "boundary" => {
                let record = json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "parentUuid": null,
                    "compactMetadata": {"trigger": id, "preTokens": 90_000}});
                self.record(record);
            }
            "summary" => self.user(json!(text), json!({"isCompactSummary": true, "isVisibleInTranscriptOnly": true})),
            "turn-end" => self.record(json!({"type": "system", "subtype": "turn_duration", "durationMs": 1000, "isMeta": false})),
            "raw" => {
                let raw = line.strip_prefix("raw: ").unwrap_or_default();
                self.bytes.extend_from_slice(raw.as_bytes());
                self.bytes.push(b'\n');
            }
            "torn" => self.bytes.extend_from_slice(text.as_bytes()),
            other => bail!("`{other}` is no word of the scenario language"),
        }
        Ok(())
    }

    fn prompt(&mut self, text: &str) {
        if self.agent.is_some() {
            self.user(json!(text), json!({}));
        } else {
            self.user(json!(text), json!({"origin": {"kind": "human"}, "promptSource": "typed"}));
        }
    }

    fn user(&mut self, content: Value, extra: Value) {
        let mut record = json!({"type": "user", "message": {"role": "user", "content": content}});
        merge(&mut record, extra);
        self.record(record);
    }

    fn assistant(&mut self, content: Value) {
        self.message += 1;
        let id = format!("msg_{:024}", self.message);
        self.record(json!({"type": "assistant", "requestId": format!("req_{:024}", self.message), "message": {"id": id, "type": "message",
            "role": "assistant", "model": "claude-opus-5-5", "content": content, "stop_reason": "end_turn",
            "usage": {"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 10}}}));
    }

    fn tool(&mut self, id: &str, name: &str, input: Value) {
        self.assistant(json!([{"type": "tool_use", "id": format!("toolu_{id}"), "name": name, "input": input}]));
    }

    fn result(&mut self, id: &str, content: &str, extra: Value, tool_use_result: Value) {
        let mut block = json!({"tool_use_id": format!("toolu_{id}"), "type": "tool_result", "content": content});
        merge(&mut block, extra);
        self.user(json!([block]), json!({"toolUseResult": tool_use_result}));
    }

    fn denial(&mut self, id: &str, text: &str, extra: Value) {
        let mut record = json!({"toolUseResult": "User rejected tool use"});
        merge(&mut record, extra);
        self.user(json!([{"type": "tool_result", "content": text, "is_error": true, "tool_use_id": format!("toolu_{id}")}]), record);
    }

    fn attachment(&mut self, attachment: Value) {
        self.record(json!({"type": "attachment", "attachment": attachment}));
    }

    fn bookkeeping(&mut self, mut record: Value) {
        let time = self.tick();
        merge(&mut record, json!({"sessionId": SESSION, "timestamp": time}));
        self.write(&record);
    }

    fn record(&mut self, mut record: Value) {
        let time = self.tick();
        let parent = (self.uuid > 0).then(|| uuid(self.uuid));
        self.uuid += 1;
        let mut common = json!({"isSidechain": self.agent.is_some(), "uuid": uuid(self.uuid), "timestamp": time, "userType": "external",
            "cwd": self.cwd, "sessionId": SESSION, "version": "2.1.332", "gitBranch": self.branch});
        if record.get("parentUuid").is_none() {
            merge(&mut common, json!({"parentUuid": parent}));
        }
        if let Some(agent) = self.agent {
            merge(&mut common, json!({"agentId": agent}));
        }
        merge(&mut record, common);
        self.write(&record);
    }

    fn write(&mut self, record: &Value) {
        self.bytes.extend_from_slice(record.to_string().as_bytes());
        self.bytes.push(b'\n');
    }

    fn tick(&mut self) -> String {
        let now = self.millis;
        self.millis += 10_000;
        rfc3339(now)
    }
}

fn uuid(number: u64) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}

fn moment_millis(moment: &str) -> Result<i64> {
    let (date, time) = moment.trim().split_once(' ').context("write a moment as `2026-09-04 09:15`")?;
    let moment = OffsetDateTime::parse(&format!("{date}T{time}:00Z"), &Rfc3339).context("write a moment as `2026-09-04 09:15`")?;
    Ok(moment.unix_timestamp() * 1000)
}

/// As the client writes times: UTC, with milliseconds. Nothing for a moment that no calendar has.
fn rfc3339(millis: i64) -> String {
    let time = OffsetDateTime::from_unix_timestamp(millis.div_euclid(1000)).ok().and_then(|time| time.format(&Rfc3339).ok());
    time.map(|time| format!("{}.{:03}Z", time.trim_end_matches('Z'), millis.rem_euclid(1000))).unwrap_or_default()
}
