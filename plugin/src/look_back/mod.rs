//! Finds an exact detail in the part of a transcript that its reader no longer holds.

mod answer;
mod arguments;
mod entry;
mod head;
mod page;
mod party;
mod pieces;
mod probe;
mod query;
mod rank;
mod reading;
mod record;
mod resolve;
mod say;
mod search;
mod slots;
#[cfg(test)]
mod tests;
mod window;

pub use answer::refuse;
pub use arguments::{ARGUMENTS, read};
pub use party::{choose, whose};
pub use say::own_transcript_line;
pub use search::Search;
