//! The contract in `wit/`, as the host sees it. Nothing is written here by hand.
#![allow(missing_docs, clippy::all, clippy::restriction)]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "reveille",
    additional_derives: [PartialEq, Clone, serde::Serialize, serde::Deserialize],
});
