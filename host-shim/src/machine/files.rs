//! Files: what identifies one, and its bytes by position.

use std::fs::{File, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes at each end of what was read of a file that tell whether they are there still.
const END: usize = 1024;

/// What a file on disk is, as far as the file system tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    /// Device and inode; zero where the platform has none.
    pub device: u64,
    /// See `device`.
    pub inode: u64,
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i64,
}

impl FileId {
    /// Of an open file or a path's metadata.
    pub fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let modified = modified.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0);
        #[cfg(unix)]
        let (device, inode) = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let (device, inode) = (0, 0);
        Self { device, inode, size: metadata.len(), modified }
    }

    /// The same file, perhaps with more in it.
    pub fn continues(&self, before: &Self) -> bool {
        self.device == before.device && self.inode == before.inode && self.size >= before.size
    }
}

/// A hash of both ends of the file's first `size` bytes: what an appended file keeps, and one that was rewritten, or cut and appended to, does not.
pub fn ends_hash(file: &mut File, size: u64) -> io::Result<u64> {
    let length = usize::try_from(size).unwrap_or(END).min(END);
    let mut hasher = DefaultHasher::new();
    read_at(file, 0, length)?.hash(&mut hasher);
    read_at(file, size.saturating_sub(END as u64), length)?.hash(&mut hasher);
    Ok(hasher.finish())
}

/// At most `length` bytes from `offset`; fewer at the file's end.
pub fn read_at(file: &mut File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::with_capacity(length);
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads `file` from `offset` to its end, or to `end` when it grows meanwhile, in chunks that fit the component's throughput. Answers the bytes read.
pub fn each_chunk<E>(
    file: &mut File,
    offset: u64,
    end: u64,
    mut each: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<Result<u64, io::Error>, E> {
    const CHUNK: usize = 256 << 10;
    let mut buffer = vec![0; CHUNK];
    let mut at = offset;
    if let Err(error) = file.seek(SeekFrom::Start(offset)) {
        return Ok(Err(error));
    }
    while at < end {
        let room = usize::try_from(end - at).unwrap_or(CHUNK).min(CHUNK);
        let Some(slice) = buffer.get_mut(..room) else { break };
        match file.read(slice) {
            Ok(0) => break,
            Ok(read) => {
                each(slice.get(..read).unwrap_or_default())?;
                at += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(at - offset))
}

/// The same, with the next chunks read while one is worked on.
pub fn each_chunk_ahead<E>(
    file: &mut File,
    offset: u64,
    end: u64,
    mut each: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<Result<u64, io::Error>, E> {
    /// Below this a thread costs more than it saves.
    const WORTH: u64 = 4 << 20;
    const CHUNK: usize = 256 << 10;
    if end.saturating_sub(offset) < WORTH {
        return each_chunk(file, offset, end, each);
    }
    let (chunks, filled) = std::sync::mpsc::sync_channel::<(Vec<u8>, usize)>(2);
    let (emptied, buffers) = std::sync::mpsc::channel::<Vec<u8>>();
    std::thread::scope(move |scope| {
        let reader = scope.spawn(move || {
            file.seek(SeekFrom::Start(offset))?;
            let mut at = offset;
            while at < end {
                let mut buffer = buffers.try_recv().unwrap_or_else(|_| vec![0; CHUNK]);
                let room = usize::try_from(end - at).unwrap_or(CHUNK).min(CHUNK);
                let read = match buffer.get_mut(..room).map(|slice| file.read(slice)) {
                    Some(Err(error)) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Some(read) => read?,
                    None => 0,
                };
                // Nobody takes chunks any more when one could not be worked on.
                if read == 0 || chunks.send((buffer, read)).is_err() {
                    break;
                }
                at += read as u64;
            }
            Ok(at - offset)
        });
        while let Ok((buffer, read)) = filled.recv() {
            if let Err(error) = each(buffer.get(..read).unwrap_or_default()) {
                // The reader does not wait for room any more.
                drop(filled);
                return Err(error);
            }
            let _ = emptied.send(buffer);
        }
        Ok(reader.join().unwrap_or_else(|_| Err(io::Error::other("reader"))))
    })
}

/// Creates a directory that only its owner can read, with its parents.
pub fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}
