//! A session's folder under the data directory: ledger, snapshot, lock, and events that could not wait for the lock.
//!
//! | file | what |
//! |---|---|
//! | `ledger.jsonl` | every row, appended whole under the lock |
//! | `snapshot` | the component's state at an offset of the ledger: a cache |
//! | `lock` | held for the whole of an event; the system frees it when its holder dies |
//! | `spill-*` | events that met a held lock at their deadline: the next holder merges them in order |
//! | `unwritten` | rows of the decision log that could not be written yet |

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::files::private_directory;

/// How long an event waits for the lock.
pub const DEADLINE: Duration = Duration::from_secs(3);
/// How long it sleeps between two tries.
const PAUSE: Duration = Duration::from_millis(1);
/// Bytes of tail from which the snapshot is renewed.
const TAIL: u64 = 32 << 10;
/// What a decision log's name begins with: a folder of the person's choosing holds other files too.
pub const LOG: &str = "reveille-";
/// Bytes of rows that wait for the log to be writable again.
const WAITING: usize = 1 << 20;
/// Bytes of a snapshot's head: the ledger's offset that it stands at.
const HEAD: usize = 8;

/// A session's folder, its lock held.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    rows: File,
    length: u64,
    torn: bool,
    /// Freed with this value.
    _lock: File,
}

/// An event that could not wait.
#[derive(Debug)]
pub struct Spilled {
    path: PathBuf,
    /// When it happened.
    pub at: i64,
    /// Its input.
    pub input: Vec<u8>,
}

/// The folder of a session's ledger.
pub fn folder(data: &Path, session: &str) -> PathBuf {
    data.join("sessions").join(session)
}

/// Whether a session id can name a folder.
pub fn is_name(session: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    !session.is_empty() && session.len() <= 128 && session.chars().all(plain)
}

fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

impl Ledger {
    /// Opens a session's folder and waits for its lock; none: it is held past the deadline.
    pub fn open(folder: &Path, deadline: Duration) -> std::io::Result<Option<Self>> {
        private_directory(folder)?;
        let lock = private(OpenOptions::new().create(true).truncate(false).write(true)).open(folder.join("lock"))?;
        let until = Instant::now() + deadline;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(std::fs::TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(PAUSE),
                Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
                Err(std::fs::TryLockError::Error(error)) => return Err(error),
            }
        }
        let mut rows = private(OpenOptions::new().create(true).read(true).append(true)).open(folder.join("ledger.jsonl"))?;
        let length = rows.metadata()?.len();
        let torn = length > 0 && {
            let mut last = [0];
            rows.seek(SeekFrom::Start(length - 1))?;
            rows.read_exact(&mut last)?;
            last != *b"\n"
        };
        Ok(Some(Self { folder: folder.to_owned(), rows, length, torn, _lock: lock }))
    }

    /// The saved state with the offset it stands at, when it is of this ledger.
    pub fn snapshot(&self) -> Option<(u64, Vec<u8>)> {
        let saved = std::fs::read(self.folder.join("snapshot")).ok()?;
        let (head, body) = saved.split_first_chunk::<HEAD>()?;
        let offset = u64::from_le_bytes(*head);
        (offset <= self.length).then(|| (offset, body.to_vec()))
    }

    /// The rows from an offset on.
    pub fn rows_from(&mut self, offset: u64) -> std::io::Result<Vec<u8>> {
        let mut rows = Vec::new();
        self.rows.seek(SeekFrom::Start(offset))?;
        (&mut self.rows).take(self.length.saturating_sub(offset)).read_to_end(&mut rows)?;
        Ok(rows)
    }

    /// Appends rows, whole, in one write. A torn last line is ended first.
    pub fn append(&mut self, rows: &[String]) -> std::io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut buffer = if self.torn { "\n".to_owned() } else { String::new() };
        for row in rows {
            buffer.push_str(row);
            buffer.push('\n');
        }
        let written = self.rows.write_all(buffer.as_bytes());
        self.torn = written.is_err();
        self.length = self.rows.metadata()?.len();
        written
    }

    /// Whether the rows after an offset are so many that a snapshot pays.
    pub fn is_long(&self, offset: u64) -> bool {
        self.length.saturating_sub(offset) > TAIL
    }

    /// Renews the snapshot, which stands at the ledger's end.
    pub fn keep(&self, state: &[u8]) -> std::io::Result<()> {
        if state.is_empty() {
            return Ok(());
        }
        let mut file = tempfile::Builder::new().prefix("snapshot-").tempfile_in(&self.folder)?;
        file.write_all(&self.length.to_le_bytes())?;
        file.write_all(state)?;
        file.persist(self.folder.join("snapshot"))?;
        Ok(())
    }

    /// Events that could not wait, oldest first.
    pub fn spilled(&self) -> Vec<Spilled> {
        let mut spilled: Vec<Spilled> = std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let at = name.strip_prefix("spill-")?.split('-').next()?.parse().ok()?;
                Some(Spilled { input: std::fs::read(entry.path()).ok()?, path: entry.path(), at })
            })
            .collect();
        spilled.sort_by(|one, other| (one.at, &one.path).cmp(&(other.at, &other.path)));
        spilled
    }

    /// A merged event's file goes.
    pub fn merged(&self, spilled: &Spilled) {
        let _ = std::fs::remove_file(&spilled.path);
    }

    /// Appends rows to the decision log in a folder. What cannot be written is kept and tried again, in order, at the next event.
    pub fn log(&self, folder: &Path, session: &str, rows: &[String]) -> std::io::Result<()> {
        let unwritten = self.folder.join("unwritten");
        let mut buffer = std::fs::read(&unwritten).unwrap_or_default();
        if rows.is_empty() && buffer.is_empty() {
            return Ok(());
        }
        for row in rows {
            buffer.extend_from_slice(row.as_bytes());
            buffer.push(b'\n');
        }
        match append_log(folder, session, &buffer) {
            Ok(()) => {
                let _ = std::fs::remove_file(&unwritten);
                Ok(())
            }
            Err(error) if buffer.len() > WAITING => Err(error),
            Err(error) => {
                let _ = private(OpenOptions::new().create(true).truncate(true).write(true))
                    .open(&unwritten)
                    .and_then(|mut file| file.write_all(&buffer));
                Err(error)
            }
        }
    }
}

fn append_log(folder: &Path, session: &str, rows: &[u8]) -> std::io::Result<()> {
    private_directory(folder)?;
    let path = folder.join(format!("{LOG}{session}.jsonl"));
    let mut file = private(OpenOptions::new().create(true).read(true).append(true)).open(path)?;
    let length = file.metadata()?.len();
    if length > 0 {
        let mut last = [0];
        file.seek(SeekFrom::Start(length - 1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    file.write_all(rows)
}

/// Keeps an event that cannot wait in a file of its own.
pub fn spill(folder: &Path, at: i64, input: &[u8]) -> std::io::Result<()> {
    let mut file = tempfile::Builder::new().prefix("spilling-").tempfile_in(folder)?;
    file.write_all(input)?;
    let name = format!("spill-{at:020}-{}", std::process::id());
    file.persist(folder.join(name))?;
    Ok(())
}

/// Removes what other sessions left so many days ago: their folders, and their logs.
pub fn clean_up(data: &Path, logs: &Path, own: &str, days: u32) {
    let oldest = std::time::SystemTime::now().checked_sub(Duration::from_secs(u64::from(days) * 86_400));
    let Some(oldest) = oldest else { return };
    let is_old = |path: &Path| path.metadata().and_then(|data| data.modified()).is_ok_and(|modified| modified < oldest);
    for entry in std::fs::read_dir(data.join("sessions")).into_iter().flatten().flatten() {
        let folder = entry.path();
        let is_own = entry.file_name() == *own;
        if !is_own && is_old(&folder.join("ledger.jsonl")) {
            let _ = std::fs::remove_dir_all(&folder);
        }
    }
    for entry in std::fs::read_dir(logs).into_iter().flatten().flatten() {
        let path = entry.path();
        let session = path.file_name().and_then(|name| name.to_str()?.strip_prefix(LOG)?.strip_suffix(".jsonl"));
        if session.is_some_and(|session| session != own && is_name(session)) && is_old(&path) {
            let _ = std::fs::remove_file(&path);
        }
    }
}
