//! The native host of Reveille's component: doors and machine, no rules.
//!
//! It reads, writes, spawns, listens and prints. What is read means nothing here; every decision and every sentence is the component's.

pub mod asking;
pub mod bindings;
pub mod component;
pub mod doors;
mod engine;
pub mod error;
pub mod machine;
