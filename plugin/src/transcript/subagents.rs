//! The sub-agents that a session started, as its own file tells of them.

use serde::{Deserialize, Serialize};

use super::claude_code::tag;
use super::json::text_field;
use super::text;
use crate::contract::types::{Child, ChildState, Source};

/// The most that are kept; the oldest finished ones go first.
const MOST: usize = 1000;

/// Sub-agents in the order they were started.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Subagents {
    children: Vec<Child>,
}

/// Whether a tool of this name starts a sub-agent.
pub fn starts(name: &str) -> bool {
    matches!(name, "Agent" | "Task")
}

impl Subagents {
    /// The agent called for a sub-agent.
    pub fn called(&mut self, call: &str, input: Option<&str>, at: &Source) {
        let said = |name: &str| input.and_then(|input| text_field(input, name)).map(|text| text::fold_line(&text));
        self.children.push(Child {
            agent: None,
            call: call.to_owned(),
            kind: said("subagent_type"),
            description: said("description"),
            state: ChildState::Running,
            reported: false,
            at: at.clone(),
        });
        if self.children.len() > MOST {
            let finished = self.children.iter().position(|child| child.state != ChildState::Running).unwrap_or(0);
            self.children.remove(finished);
        }
    }

    /// The call's result: launched, or its report.
    pub fn answered(&mut self, call: &str, is_error: bool, refused: bool, details: Option<&str>) {
        let Some(child) = self.children.iter_mut().rev().find(|child| child.call == call) else { return };
        let status = details.and_then(|details| text_field(details, "status"));
        if let Some(agent) = details.and_then(|details| text_field(details, "agentId")) {
            child.agent = Some(agent.into_owned());
        }
        (child.state, child.reported) = match status.as_deref() {
            _ if refused => (ChildState::Stopped, true),
            _ if is_error => (ChildState::Failed, true),
            Some("async_launched") => (ChildState::Running, false),
            _ => (ChildState::Completed, true),
        };
    }

    /// A notification; one that is not about a sub-agent changes nothing.
    pub fn notified(&mut self, notification: &str, delivered: bool) {
        let call = tag(notification, "tool-use-id");
        let agent = tag(notification, "task-id");
        let Some(child) = self
            .children
            .iter_mut()
            .rev()
            .find(|child| Some(child.call.as_str()) == call || (agent.is_some() && child.agent.as_deref() == agent))
        else {
            return;
        };
        child.state = match tag(notification, "status") {
            Some("completed") => ChildState::Completed,
            Some("failed") => ChildState::Failed,
            Some("killed" | "stopped") => ChildState::Stopped,
            Some("running") => ChildState::Running,
            _ => ChildState::Unknown,
        };
        child.reported |= delivered;
    }

    /// All of them.
    pub fn children(&self) -> &[Child] {
        &self.children
    }
}
