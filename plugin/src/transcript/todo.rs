//! The agent's own task list, in both shapes that clients have: a list set whole, and single tasks created and updated.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::text;
use crate::contract::types::{Source, Task, TaskStatus};

/// The longest list that is kept.
const MOST: usize = 200;

/// The list as last set. Whichever of the two shapes moved last is the list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Todo {
    tasks: Vec<Task>,
    single: bool,
}

#[derive(Deserialize)]
struct Item {
    content: Option<String>,
    id: Option<serde_json::Value>,
    status: Option<String>,
}

#[derive(Deserialize)]
struct Whole {
    todos: Vec<Item>,
}

#[derive(Deserialize)]
struct Created {
    task: Option<CreatedTask>,
}

#[derive(Deserialize)]
struct CreatedTask {
    id: String,
    subject: Option<String>,
}

#[derive(Deserialize)]
struct Update {
    #[serde(rename = "taskId")]
    id: String,
    status: Option<String>,
    subject: Option<String>,
}

/// Whether a tool of this name sets the list or a part of it.
pub fn is_list(name: &str) -> bool {
    matches!(name, "TodoWrite" | "TaskCreate" | "TaskUpdate")
}

impl Todo {
    /// A call of one of the list's tools succeeded. Says whether `name` is one.
    pub fn called(&mut self, name: &str, input: Option<&RawValue>, details: Option<&RawValue>, at: &Source) -> bool {
        let input = input.map_or("{}", RawValue::get);
        match name {
            "TodoWrite" => {
                if let Ok(whole) = serde_json::from_str::<Whole>(input) {
                    self.single = false;
                    self.replace(whole.todos, at);
                }
            }
            "TaskCreate" => {
                if let Some(task) = details.and_then(|raw| serde_json::from_str::<Created>(raw.get()).ok()).and_then(|created| created.task)
                {
                    self.one_by_one();
                    let text = text::fold_line(&task.subject.unwrap_or_default());
                    self.tasks.retain(|known| known.id != task.id);
                    self.tasks.push(Task { id: task.id, text, status: TaskStatus::Pending, at: at.clone() });
                    if self.tasks.len() > MOST {
                        self.tasks.remove(0);
                    }
                }
            }
            "TaskUpdate" => {
                if let Ok(update) = serde_json::from_str::<Update>(input) {
                    self.one_by_one();
                    self.update(&update, at);
                }
            }
            _ => return false,
        }
        true
    }

    /// The list, in its own order.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    fn one_by_one(&mut self) {
        if !self.single {
            self.tasks.clear();
            self.single = true;
        }
    }

    /// A row that did not change keeps where it was set.
    fn replace(&mut self, items: Vec<Item>, at: &Source) {
        let before = std::mem::take(&mut self.tasks);
        for (index, item) in items.into_iter().take(MOST).enumerate() {
            let text = text::fold_line(&item.content.unwrap_or_default());
            let status = status(item.status.as_deref());
            let id = match item.id {
                Some(serde_json::Value::String(id)) => id,
                Some(other) if !other.is_null() => other.to_string(),
                _ => (index + 1).to_string(),
            };
            let at = before.iter().find(|known| known.text == text && known.status == status).map_or(at, |known| &known.at).clone();
            self.tasks.push(Task { id, text, status, at });
        }
    }

    fn update(&mut self, update: &Update, at: &Source) {
        if update.status.as_deref() == Some("deleted") {
            self.tasks.retain(|task| task.id != update.id);
            return;
        }
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == update.id) {
            if let Some(new) = &update.status {
                task.status = status(Some(new));
                task.at = at.clone();
            }
            if let Some(subject) = &update.subject {
                task.text = text::fold_line(subject);
            }
        }
    }
}

fn status(word: Option<&str>) -> TaskStatus {
    match word {
        Some("in_progress") => TaskStatus::InProgress,
        Some("completed") => TaskStatus::Completed,
        _ => TaskStatus::Pending,
    }
}
