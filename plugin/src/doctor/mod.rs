//! Judges an installation: what was found, and what to do where it is wrong.

mod client;
mod finding;
mod judge;
mod verdict;

pub use judge::judge;
