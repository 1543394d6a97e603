//! What the tests are built from: literate cases and their scenarios, the real client, and the model it talks to.

// This crate is tests: indexing JSON that is not as expected fails the test that asks.
#![allow(clippy::indexing_slicing)]

pub mod artefacts;
pub mod case;
pub mod client;
pub mod handing_off;
pub mod model_server;
pub mod received;
pub mod slow_check;
pub mod terminal;
pub mod workshop;
