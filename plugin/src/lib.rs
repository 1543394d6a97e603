//! Every decision of Reveille. Facts come in as values, effects go out as data: nothing here touches the machine.

pub mod checkout;
pub mod checks;
pub mod compaction;
#[cfg(target_arch = "wasm32")]
mod component;
pub mod contract;
pub mod doctor;
pub mod doors;
pub mod evidence;
pub mod look_back;
pub mod options;
pub mod redact;
mod saved;
pub mod transcript;
pub mod wake;
