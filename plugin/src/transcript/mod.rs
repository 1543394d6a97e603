//! Records in, facts out: one reader per harness, one fold.

mod card;
pub(crate) mod claude_code;
mod event;
mod fold;
mod json;
mod lines;
mod long_line;
pub mod markers;
mod rewind;
pub(crate) mod seen;
mod subagents;
pub mod text;
mod todo;
mod tokens;
mod work;

pub use card::peek;
pub use fold::Fold;
pub use text::fold_line;
