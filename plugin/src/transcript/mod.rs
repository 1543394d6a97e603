//! Records in, facts out: one reader per harness, one fold.

mod fold;

pub use fold::{Fold, peek};
