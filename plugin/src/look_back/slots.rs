//! Which of a record's fields are asked for, and what each is.

use super::head::Track;

/// Where a value stands that something is asked of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Root,
    Message,
    Blocks,
    Block,
    Inners,
    Inner,
    Attachment,
    Prompt,
    Texts,
    /// Texts that only tell how an attachment begins.
    Begins,
    /// Anywhere else: nothing is asked for.
    Other,
}

/// A short value that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Kind,
    Subtype,
    Time,
    Sidechain,
    Summary,
    Message,
    Attachment,
    BlockKind,
    BlockId,
    BlockName,
    BlockAnswers,
    InnerKind,
}

/// Where a string's text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    Nothing,
    Key,
    Field(Field),
    /// It is said.
    Said,
    /// It only tells how an attachment begins.
    Begins,
}

/// What is done with a value.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// As a string.
    pub sink: Sink,
    /// As an object.
    pub object: Place,
    /// As a list.
    pub array: Place,
    /// Whether its JSON is handed out, whatever it is.
    pub json: Option<Track>,
}

/// Of a value that nobody asks for.
pub const NOTHING: Slot = Slot { sink: Sink::Nothing, object: Place::Other, array: Place::Other, json: None };

/// Of the field of this key.
pub fn of_key(place: Place, key: &str) -> Slot {
    let field = |field| Slot { sink: Sink::Field(field), ..NOTHING };
    let said = Slot { sink: Sink::Said, ..NOTHING };
    match (place, key) {
        (Place::Root, "type") => field(Field::Kind),
        (Place::Root, "subtype") => field(Field::Subtype),
        (Place::Root, "timestamp") => field(Field::Time),
        (Place::Root, "isSidechain") => field(Field::Sidechain),
        (Place::Root, "isCompactSummary") => field(Field::Summary),
        (Place::Root, "message") => Slot { object: Place::Message, ..NOTHING },
        (Place::Root, "content") => said,
        (Place::Root, "attachment") => Slot { object: Place::Attachment, json: Some(Track::Json), ..NOTHING },
        (Place::Message, "id") => field(Field::Message),
        (Place::Message, "content") => Slot { array: Place::Blocks, ..said },
        (Place::Block, "type") => field(Field::BlockKind),
        (Place::Block, "id") => field(Field::BlockId),
        (Place::Block, "name") => field(Field::BlockName),
        (Place::Block, "tool_use_id") => field(Field::BlockAnswers),
        (Place::Block | Place::Inner, "text") => said,
        (Place::Block, "input") => Slot { json: Some(Track::Said), ..NOTHING },
        (Place::Block, "content") => Slot { array: Place::Inners, ..said },
        (Place::Inner, "type") => field(Field::InnerKind),
        (Place::Inner, "tool_name") => said,
        (Place::Attachment, "type") => field(Field::Attachment),
        (Place::Attachment, "prompt") => Slot { array: Place::Prompt, ..said },
        (Place::Attachment, "text") => said,
        (Place::Attachment, "texts") => Slot { array: Place::Texts, ..NOTHING },
        (Place::Attachment, "content" | "stdout") => Slot { sink: Sink::Begins, array: Place::Begins, ..NOTHING },
        _ => NOTHING,
    }
}

/// Of an item of a list.
pub fn of_item(place: Place) -> Slot {
    match place {
        Place::Blocks => Slot { sink: Sink::Said, object: Place::Block, ..NOTHING },
        Place::Inners | Place::Prompt => Slot { sink: Sink::Said, object: Place::Inner, ..NOTHING },
        Place::Texts => Slot { sink: Sink::Said, ..NOTHING },
        Place::Begins => Slot { sink: Sink::Begins, ..NOTHING },
        _ => NOTHING,
    }
}
