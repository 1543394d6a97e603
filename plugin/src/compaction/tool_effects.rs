//! What a finished call did to files and to the task list, from its own input and result.

use serde_json::Value;

use super::event::CallEnd;
use super::fact::{Fact, TouchKind};
use super::party::{Party, PartyId, Task};

/// The facts of one call that succeeded.
pub fn of(call: &CallEnd, party: &PartyId, known: Option<&Party>) -> Vec<Fact> {
    let touched = |argument: &str, kind| {
        let path = call.input.get(argument).and_then(Value::as_str).filter(|path| !path.trim().is_empty());
        path.map(|path| Fact::Touched { party: party.clone(), path: path.to_owned(), kind }).into_iter().collect()
    };
    match call.tool.as_str() {
        "Read" => touched("file_path", TouchKind::R),
        "Edit" | "MultiEdit" => touched("file_path", TouchKind::E),
        "Write" => touched("file_path", TouchKind::W),
        "NotebookEdit" => touched("notebook_path", TouchKind::E),
        "TodoWrite" => todo_list(&call.input).map(|tasks| Fact::Tasks { party: party.clone(), tasks }).into_iter().collect(),
        "TaskCreate" | "TaskUpdate" => {
            let tasks = known.map(|party| party.tasks.clone()).unwrap_or_default();
            task_list(call, tasks).map(|tasks| Fact::Tasks { party: party.clone(), tasks }).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| value.get(*name).and_then(Value::as_str))
}

fn todo_list(input: &Value) -> Option<Vec<Task>> {
    let todos = input.get("todos")?.as_array()?;
    let task = |todo: &Value| {
        Some(Task { id: None, text: text(todo, &["content"])?.to_owned(), status: text(todo, &["status"]).unwrap_or("pending").to_owned() })
    };
    Some(todos.iter().filter_map(task).collect())
}

/// The list after one change. A list of the other shape gives way: the one that moved last counts.
fn task_list(call: &CallEnd, mut tasks: Vec<Task>) -> Option<Vec<Task>> {
    tasks.retain(|task| task.id.is_some());
    let input = &call.input;
    if call.tool == "TaskCreate" {
        let task = call.result.get("task").unwrap_or(&call.result);
        let id = id_of(task)?;
        let text = text(input, &["subject", "description", "content"])?.to_owned();
        tasks.retain(|task| task.id.as_ref() != Some(&id));
        tasks.push(Task { id: Some(id), text, status: "pending".to_owned() });
        return Some(tasks);
    }
    let id = input.get("taskId").or_else(|| input.get("id")).and_then(scalar)?;
    let status = text(input, &["status"]);
    if status == Some("deleted") {
        tasks.retain(|task| task.id.as_ref() != Some(&id));
        return Some(tasks);
    }
    let known = tasks.iter_mut().find(|task| task.id.as_ref() == Some(&id));
    match known {
        Some(task) => {
            if let Some(status) = status {
                task.status = status.to_owned();
            }
            if let Some(subject) = text(input, &["subject"]) {
                task.text = subject.to_owned();
            }
        }
        // One from before this ledger began: its subject is unknown unless the change names it.
        None => tasks.push(Task {
            text: text(input, &["subject"])
                .map_or_else(|| format!("task {id} (its subject was set before this was recorded)"), str::to_owned),
            id: Some(id),
            status: status.unwrap_or("unknown").to_owned(),
        }),
    }
    Some(tasks)
}

fn id_of(value: &Value) -> Option<String> {
    ["id", "taskId", "task_id"].iter().find_map(|name| value.get(*name).and_then(scalar))
}

fn scalar(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned).or_else(|| value.as_u64().map(|number| number.to_string()))
}
