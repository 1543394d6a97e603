//! The ledger's rows: one fact a line, JSON, with when it was recorded.

use serde::{Deserialize, Serialize};

use super::fact::Fact;
use crate::contract::types::Millis;

/// One row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// When it was recorded. A clock may go back: the order of rows is the file's.
    pub at: Millis,
    /// What.
    pub fact: Fact,
}

/// The row as a line, without its newline.
pub fn line(row: &Row) -> Option<String> {
    serde_json::to_string(row).ok()
}

/// The rows of whole lines, with how many could not be read: torn ones, and ones of a version to come.
pub fn rows(bytes: &[u8]) -> (Vec<Row>, u64) {
    let mut unread = 0;
    let rows = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .filter_map(|line| match serde_json::from_slice(line) {
            Ok(row) => Some(row),
            Err(_) => {
                unread += 1;
                None
            }
        })
        .collect();
    (rows, unread)
}
