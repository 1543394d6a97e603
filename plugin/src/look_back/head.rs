//! What a record is, apart from its text, and where its texts go.

/// Where a text belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Track {
    /// What the record says.
    Said,
    /// An attachment as JSON.
    Json,
}

/// Takes a record's texts.
pub trait Taker {
    /// What follows on this track begins a part of its own.
    fn part(&mut self, track: Track);
    /// More text.
    fn text(&mut self, track: Track, text: &str);
}

/// A tool's call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Its id.
    pub id: String,
    /// The tool.
    pub name: String,
}

/// What is known of a record but its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The record's `type`.
    pub kind: String,
    /// The record's `subtype`.
    pub subtype: String,
    /// The record's time as it stands: a string's text, or a number.
    pub time: String,
    /// Whether it is a sub-agent's record in another's file.
    pub is_sidechain: bool,
    /// Whether it took the place of what was compacted away.
    pub is_summary: bool,
    /// The message's id.
    pub message: String,
    /// The attachment's `type`.
    pub attachment: String,
    /// Whether the attachment has a text of its own.
    pub attachment_says: bool,
    /// Whether anything is said.
    pub says: bool,
    /// How what is said begins.
    pub begins: String,
    /// Tools called.
    pub calls: Vec<Call>,
    /// Ids of calls that are answered.
    pub results: Vec<String>,
    /// Whether thinking was left out.
    pub thinking: bool,
    /// A shape that this build does not know.
    pub unknown: Option<String>,
}
