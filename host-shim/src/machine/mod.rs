//! The machine: files, git, clock, paths, and the index.

pub mod clock;
pub mod files;
pub mod git;
pub mod index;
pub mod ledger;
pub mod log;
pub mod paths;
pub mod places;
pub mod processes;
pub mod transcripts;
