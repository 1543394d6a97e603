//! The contract in `wit/`, as Rust. Nothing is written here by hand but the names under which the rooms use it.
#![allow(missing_docs, unsafe_code, clippy::all, clippy::restriction)]

wit_bindgen::generate!({
    path: "../wit",
    world: "reveille",
    additional_derives: [PartialEq, Clone, serde::Serialize, serde::Deserialize],
    generate_unused_types: true,
    pub_export_macro: true,
});

pub use exports::reveille::core::{checkout, compaction, doctor, doors, look_back, redact, transcript, types, wake};
