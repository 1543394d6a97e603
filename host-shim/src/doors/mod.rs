//! Where requests come in.

pub mod cli;
pub mod doctor;
pub mod event;
pub mod hook;
pub mod look_back;
pub mod mcp;
pub mod scan;
pub mod tools;
