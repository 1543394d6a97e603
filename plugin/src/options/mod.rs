//! Options: one table of what can be set, and how each stands.

#[cfg(feature = "schema")]
mod generated;
mod resolve;
mod syntax;
mod table;
#[cfg(test)]
mod tests;
mod values;

#[cfg(feature = "schema")]
pub use generated::{mcp_environment, reference, user_config};
pub use resolve::{Origin, Resolved, resolved};
pub use table::{Field, Row, TABLE};
pub use values::{LogLevel, Manual, Mark, Marks, Options};
