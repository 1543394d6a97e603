//! The index: cards and saved folds of the transcripts on this machine. A cache: without it everything is read again, and nothing is lost.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::files::{FileId, private_directory};
use super::log;
use crate::bindings::exports::reveille::core::transcript::Card;

/// How long one process waits for another's write.
const BUSY: Duration = Duration::from_millis(500);

/// What is known of one transcript file.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its path.
    pub path: String,
    /// What the file was when it was read.
    pub id: FileId,
    /// Hash of both its ends.
    pub ends: u64,
    /// Its card.
    pub card: Card,
    /// Keys of the repository it ran in, as last seen.
    pub keys: Vec<String>,
    /// The repository's display key.
    pub display: String,
    /// Bytes that the saved fold holds; 0: there is none.
    pub offset: u64,
    /// When it was read, milliseconds since 1970.
    pub read_at: i64,
}

/// What to keep of one transcript file.
#[derive(Clone, Debug)]
pub struct Keep {
    /// As read.
    pub known: Known,
    /// The saved fold, when there is a new one.
    pub fold: Option<Vec<u8>>,
}

/// The open index.
#[derive(Debug)]
pub struct Index {
    connection: Connection,
    data: PathBuf,
    /// Whether a page of it could not be read.
    damaged: Cell<bool>,
    origins: RefCell<Vec<(String, i64, Option<String>)>>,
}

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS transcript (
  path TEXT PRIMARY KEY, device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, ends INTEGER NOT NULL,
  session TEXT NOT NULL, card TEXT NOT NULL, display TEXT NOT NULL COLLATE NOCASE, bytes INTEGER NOT NULL, read_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS transcript_session ON transcript (session);
CREATE INDEX IF NOT EXISTS transcript_display ON transcript (display);
CREATE TABLE IF NOT EXISTS fold (path TEXT PRIMARY KEY, saved BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS repository (key TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (key, path)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS origin (common TEXT PRIMARY KEY, modified INTEGER NOT NULL, url TEXT) WITHOUT ROWID;
";

/// One statement, so that a transcript's columns are named once.
const COLUMNS: &str = "SELECT path, device, inode, size, modified, ends, card, bytes, read_at, display, (SELECT group_concat(key, char(10)) FROM repository WHERE repository.path = transcript.path) FROM transcript";

impl Index {
    /// Opens the index in a data directory, or makes it. None: there is nowhere to keep it, or it cannot be used; the wake goes on without.
    pub fn open(data: &Path) -> Option<Self> {
        match Self::try_open(data) {
            Ok(index) => Some(index),
            Err(why) => {
                log::debug("index-unusable", &[("why", &why)]);
                None
            }
        }
    }

    /// Where the index is in a data directory.
    pub fn file(data: &Path) -> PathBuf {
        data.join("index.sqlite")
    }

    /// Opens the index and says why when it cannot.
    pub fn try_open(data: &Path) -> Result<Self, String> {
        private_directory(data).map_err(|error| error.to_string())?;
        match Self::connect(data) {
            Ok(index) => Ok(index),
            Err(error) if is_damage(&error) => {
                // A cache that cannot be read is made again.
                remove(data);
                Self::connect(data).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn connect(data: &Path) -> rusqlite::Result<Self> {
        let file = &Self::file(data);
        let connection = Connection::open(file)?;
        connection.busy_timeout(BUSY)?;
        let version = version();
        let known: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if known != version {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let _ = std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600));
            }
            connection.execute_batch("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE;")?;
            connection.execute_batch(
                "DROP TABLE IF EXISTS transcript; DROP TABLE IF EXISTS fold; DROP TABLE IF EXISTS repository; DROP TABLE IF EXISTS origin;",
            )?;
            connection.execute_batch(SCHEMA)?;
            connection.execute_batch(&format!("PRAGMA user_version = {version}; COMMIT;"))?;
        }
        connection.execute_batch("PRAGMA synchronous = NORMAL;")?;
        Ok(Self { connection, data: data.to_owned(), damaged: Cell::new(false), origins: RefCell::default() })
    }

    /// What is known of the files directly in a folder.
    pub fn in_folder(&self, folder: &Path) -> Vec<Known> {
        let from = format!("{}/", folder.display());
        // `0` is the character after `/`.
        let to = format!("{}0", folder.display());
        self.rows(&format!("{COLUMNS} WHERE path >= ?1 AND path < ?2"), params![from, to])
    }

    /// What is known of one file.
    pub fn by_path(&self, path: &Path) -> Option<Known> {
        self.rows(&format!("{COLUMNS} WHERE path = ?1"), params![path.to_string_lossy()]).pop()
    }

    /// Transcripts of a repository, by any of its keys.
    pub fn by_keys(&self, keys: &[String]) -> Vec<Known> {
        keys.iter()
            .flat_map(|key| self.rows(&format!("{COLUMNS} WHERE path IN (SELECT path FROM repository WHERE key = ?1)"), params![key]))
            .collect()
    }

    /// Transcripts of a repository, by its display key, case aside.
    pub fn by_display(&self, display: &str) -> Vec<Known> {
        self.rows(&format!("{COLUMNS} WHERE display = ?1"), params![display])
    }

    /// Transcripts of sessions whose id begins so.
    pub fn by_session(&self, prefix: &str) -> Vec<Known> {
        let to = format!("{prefix}\u{10ffff}");
        self.rows(&format!("{COLUMNS} WHERE session >= ?1 AND session < ?2"), params![prefix, to])
    }

    /// How many transcripts are known.
    pub fn count(&self) -> Option<u64> {
        self.connection
            .query_row("SELECT count(*) FROM transcript", [], |row| row.get::<_, i64>(0))
            .ok()
            .and_then(|count| u64::try_from(count).ok())
    }

    fn rows(&self, sql: &str, parameters: &[&dyn rusqlite::ToSql]) -> Vec<Known> {
        let read = || -> rusqlite::Result<Vec<Known>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map(parameters, known)?;
            Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
        };
        read().unwrap_or_else(|error| {
            self.failed("index-read-failed", &error);
            Vec::new()
        })
    }

    /// A file's saved fold.
    pub fn fold(&self, path: &str) -> Option<Vec<u8>> {
        let read = self.connection.query_row("SELECT saved FROM fold WHERE path = ?1", params![path], |row| row.get(0)).optional();
        read.unwrap_or_else(|error| {
            self.failed("index-read-failed", &error);
            None
        })
    }

    fn failed(&self, action: &str, error: &rusqlite::Error) {
        log::debug(action, &[("why", error)]);
        if is_damage(error) {
            self.damaged.set(true);
        }
    }

    /// Keeps what was read, all of it or nothing. A failing write costs the next wake time, and nothing else.
    pub fn keep(&self, keeps: &[Keep], gone: &[String]) {
        let origins = self.origins.take();
        if keeps.is_empty() && gone.is_empty() && origins.is_empty() {
            self.give_up_damaged();
            return;
        }
        let write = || -> rusqlite::Result<()> {
            let transaction = self.connection.unchecked_transaction()?;
            for (common, modified, url) in &origins {
                transaction
                    .execute("INSERT OR REPLACE INTO origin (common, modified, url) VALUES (?1, ?2, ?3)", params![common, modified, url])?;
            }
            for path in gone {
                for sql in
                    ["DELETE FROM transcript WHERE path = ?1", "DELETE FROM fold WHERE path = ?1", "DELETE FROM repository WHERE path = ?1"]
                {
                    transaction.execute(sql, params![path])?;
                }
            }
            for keep in keeps {
                write_one(&transaction, keep)?;
            }
            transaction.commit()
        };
        if let Err(error) = write() {
            self.failed("index-write-failed", &error);
        }
        self.give_up_damaged();
    }

    /// Damage past the first page shows only when it is read: the next wake makes the index again.
    fn give_up_damaged(&self) {
        if self.damaged.take() {
            remove(&self.data);
        }
    }

    /// The origin of a repository as known, when its configuration file is the same still. The inner none: it has no origin.
    pub fn origin(&self, common: &Path, stamp: FileId) -> Option<Option<String>> {
        self.connection
            .query_row(
                "SELECT url FROM origin WHERE common = ?1 AND modified = ?2",
                params![common.to_string_lossy(), stamp.modified],
                |row| row.get::<_, Option<String>>(0),
            )
            .optional()
            .ok()
            .flatten()
    }

    /// Keeps an origin with the next write.
    pub fn keep_origin(&self, common: &Path, stamp: FileId, url: Option<&str>) {
        self.origins.borrow_mut().push((common.to_string_lossy().into_owned(), stamp.modified, url.map(str::to_owned)));
    }
}

fn write_one(transaction: &rusqlite::Transaction<'_>, keep: &Keep) -> rusqlite::Result<()> {
    let Keep { known, fold } = keep;
    let card = serde_json::to_string(&known.card).unwrap_or_default();
    transaction.execute(
        "INSERT OR REPLACE INTO transcript (path, device, inode, size, modified, ends, session, card, display, bytes, read_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            known.path,
            known.id.device.cast_signed(),
            known.id.inode.cast_signed(),
            known.id.size.cast_signed(),
            known.id.modified,
            known.ends.cast_signed(),
            known.card.session,
            card,
            known.display,
            known.offset.cast_signed(),
            known.read_at
        ],
    )?;
    if let Some(fold) = fold {
        transaction.execute("INSERT OR REPLACE INTO fold (path, saved) VALUES (?1, ?2)", params![known.path, fold])?;
    } else if known.offset == 0 {
        transaction.execute("DELETE FROM fold WHERE path = ?1", params![known.path])?;
    }
    if !known.keys.is_empty() {
        transaction.execute("DELETE FROM repository WHERE path = ?1", params![known.path])?;
        for key in &known.keys {
            transaction.execute("INSERT OR REPLACE INTO repository (key, path) VALUES (?1, ?2)", params![key, known.path])?;
        }
    }
    Ok(())
}

fn known(row: &Row<'_>) -> rusqlite::Result<Option<Known>> {
    let unsigned = |index: usize| row.get::<_, i64>(index).map(i64::cast_unsigned);
    let card: String = row.get(6)?;
    let Ok(card) = serde_json::from_str::<Card>(&card) else { return Ok(None) };
    let keys: Option<String> = row.get(10)?;
    Ok(Some(Known {
        path: row.get(0)?,
        id: FileId { device: unsigned(1)?, inode: unsigned(2)?, size: unsigned(3)?, modified: row.get(4)? },
        ends: unsigned(5)?,
        card,
        keys: keys.map(|keys| keys.lines().map(str::to_owned).collect()).unwrap_or_default(),
        display: row.get(9)?,
        offset: unsigned(7)?,
        read_at: row.get(8)?,
    }))
}

/// An index of another build's component, or of other tables, is made again: its cards and folds would mean something else.
fn version() -> i64 {
    let bytes = crate::component::hash().bytes().chain(SCHEMA.bytes());
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    // SQLite keeps 31 bits of it, and a new file has 0.
    i64::from(hash >> 1).max(1)
}

fn remove(data: &Path) {
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        let _ = std::fs::remove_file(data.join(name));
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt))
}
