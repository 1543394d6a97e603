//! What the tests are built from: literate cases and their scenarios, the real client, and the model it talks to.

pub mod artefacts;
pub mod case;
pub mod client;
pub mod model_server;
pub mod terminal;
pub mod workshop;
