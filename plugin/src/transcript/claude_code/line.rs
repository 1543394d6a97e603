//! The fields of a line that are looked at. A field of another type than it should have is as good as absent.

use std::borrow::Cow;

use crate::transcript::json::Cursor;

type Text<'a> = Option<Cow<'a, str>>;
/// JSON as it stands.
type Raw<'a> = Option<&'a str>;

/// A record's own fields.
#[derive(Default)]
pub struct Line<'a> {
    pub kind: Text<'a>,
    pub subtype: Text<'a>,
    pub uuid: Text<'a>,
    pub parent_uuid: Raw<'a>,
    pub timestamp: Raw<'a>,
    pub cwd: Text<'a>,
    pub git_branch: Text<'a>,
    pub session_id: Text<'a>,
    /// The session that the record was made in: a copy keeps it.
    pub origin_session: Text<'a>,
    pub is_sidechain: bool,
    pub agent_id: Text<'a>,
    pub is_meta: bool,
    pub is_compact_summary: bool,
    pub is_api_error_message: bool,
    pub prompt_source: Text<'a>,
    pub origin: Raw<'a>,
    pub message: Option<Message<'a>>,
    pub tool_use_result: Raw<'a>,
    pub tool_denial_kind: Text<'a>,
    pub tool_denial_before_run: bool,
    pub attachment: Raw<'a>,
    pub compact_metadata: Raw<'a>,
    pub operation: Text<'a>,
    pub content: Raw<'a>,
    pub title: Raw<'a>,
}

/// What was said or returned.
#[derive(Default)]
pub struct Message<'a> {
    pub id: Text<'a>,
    pub model: Text<'a>,
    pub content: Content<'a>,
    pub usage: Option<Tokens>,
}

/// A message's content.
#[derive(Default)]
pub enum Content<'a> {
    #[default]
    None,
    Text(&'a str),
    Blocks(Vec<Block<'a>>),
}

/// One block of a message.
#[derive(Default)]
pub struct Block<'a> {
    pub kind: Text<'a>,
    pub text: Raw<'a>,
    pub id: Text<'a>,
    pub name: Text<'a>,
    pub input: Raw<'a>,
    pub tool_use_id: Text<'a>,
    pub content: Raw<'a>,
    pub is_error: bool,
}

/// Tokens of one response so far.
#[derive(Default)]
pub struct Tokens {
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub cache_read: Option<u64>,
    pub cache_creation: Option<u64>,
}

impl<'a> Line<'a> {
    /// None: the text is no whole JSON object.
    pub fn read(text: &'a str) -> Option<Self> {
        let mut line = Self::default();
        let mut cursor = Cursor::new(text);
        cursor.object(|key, cursor| {
            match key {
                "type" => line.kind = cursor.text()?,
                "subtype" => line.subtype = cursor.text()?,
                "uuid" => line.uuid = cursor.text()?,
                "parentUuid" => line.parent_uuid = Some(cursor.value()?),
                "timestamp" => line.timestamp = Some(cursor.value()?),
                "cwd" => line.cwd = cursor.text()?,
                "gitBranch" => line.git_branch = cursor.text()?,
                "sessionId" => line.session_id = cursor.text()?,
                // A row of an answer says in which session it was asked for, where that is another.
                "session_id" | "requestSessionId" => line.origin_session = cursor.text()?.or(line.origin_session.take()),
                "isSidechain" => line.is_sidechain = cursor.flag()? == Some(true),
                "agentId" => line.agent_id = cursor.text()?,
                "isMeta" => line.is_meta = cursor.flag()? == Some(true),
                "isCompactSummary" => line.is_compact_summary = cursor.flag()? == Some(true),
                "isApiErrorMessage" => line.is_api_error_message = cursor.flag()? == Some(true),
                "promptSource" => line.prompt_source = cursor.text()?,
                "origin" => line.origin = Some(cursor.value()?),
                "message" => line.message = Some(Message::read(cursor)?),
                "toolUseResult" => line.tool_use_result = Some(cursor.value()?),
                "toolDenialKind" => line.tool_denial_kind = cursor.text()?,
                "toolDenialBeforeRun" => line.tool_denial_before_run = cursor.flag()? == Some(true),
                "attachment" => line.attachment = Some(cursor.value()?),
                "compactMetadata" => line.compact_metadata = Some(cursor.value()?),
                "operation" => line.operation = cursor.text()?,
                "content" => line.content = Some(cursor.value()?),
                "customTitle" | "aiTitle" | "summary" => line.title = Some(cursor.value()?),
                _ => {}
            }
            Some(())
        })?;
        cursor.is_at_end().then_some(line)
    }
}

impl<'a> Message<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        let mut message = Self::default();
        cursor.object(|key, cursor| {
            match key {
                "id" => message.id = cursor.text()?,
                "model" => message.model = cursor.text()?,
                "content" => message.content = Content::read(cursor)?,
                "usage" => message.usage = Some(Tokens::read(cursor)?),
                _ => {}
            }
            Some(())
        })?;
        Some(message)
    }
}

impl<'a> Content<'a> {
    /// Reads a string or a list of blocks.
    pub fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        if !cursor.is_array()? {
            return cursor.value().map(Self::Text);
        }
        let mut blocks = Vec::new();
        cursor.array(|cursor| {
            blocks.push(Block::read(cursor)?);
            Some(())
        })?;
        Some(Self::Blocks(blocks))
    }
}

impl<'a> Block<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        let mut block = Self::default();
        cursor.object(|key, cursor| {
            match key {
                "type" => block.kind = cursor.text()?,
                "text" => block.text = Some(cursor.value()?),
                "id" => block.id = cursor.text()?,
                "name" => block.name = cursor.text()?,
                "input" => block.input = Some(cursor.value()?),
                "tool_use_id" => block.tool_use_id = cursor.text()?,
                "content" => block.content = Some(cursor.value()?),
                "is_error" => block.is_error = cursor.flag()? == Some(true),
                _ => {}
            }
            Some(())
        })?;
        Some(block)
    }
}

impl Tokens {
    fn read(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut tokens = Self::default();
        cursor.object(|key, cursor| {
            match key {
                "input_tokens" => tokens.input = cursor.number()?,
                "output_tokens" => tokens.output = cursor.number()?,
                "cache_read_input_tokens" => tokens.cache_read = cursor.number()?,
                "cache_creation_input_tokens" => tokens.cache_creation = cursor.number()?,
                _ => {}
            }
            Some(())
        })?;
        Some(tokens)
    }
}
