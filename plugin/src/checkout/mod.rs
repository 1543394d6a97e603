//! Which repository a directory is, and what git said of it.

use crate::contract::checkout::{GitCommand, Identity, Place};

/// The identity of a directory, gone or not.
pub fn identify(place: &Place) -> Identity {
    Identity { display: place.directory.clone(), keys: vec![place.directory.clone()] }
}

/// The git commands of the first look.
pub fn first_look() -> Vec<GitCommand> {
    Vec::new()
}
