//! What a state is saved in: which build wrote it, and a sum that tells damage from data.

use std::hash::{DefaultHasher, Hasher};

/// A body under a prefix that only the same build writes.
pub fn seal(prefix: &[u8], body: &[u8]) -> Vec<u8> {
    let mut saved = prefix.to_vec();
    saved.extend(checksum(body));
    saved.extend_from_slice(body);
    saved
}

/// The body of what was sealed so; none: another build's, or damaged.
pub fn open<'a>(prefix: &[u8], saved: &'a [u8]) -> Option<&'a [u8]> {
    let (sum, body) = saved.strip_prefix(prefix)?.split_first_chunk()?;
    (*sum == checksum(body)).then_some(body)
}

fn checksum(body: &[u8]) -> [u8; 8] {
    let mut hasher = DefaultHasher::new();
    hasher.write(body);
    hasher.finish().to_le_bytes()
}
