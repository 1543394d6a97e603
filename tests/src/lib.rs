//! What the tests are built from: literate cases and their scenarios.

pub mod case;
