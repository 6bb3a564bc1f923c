//! Answers that are kept: one file each, found by what was asked and as whom.
//!
//! The first line of a file is a JSON header with the digest of the body, which follows as it came; a file
//! that does not hold what its header says counts as absent. Answers to one token are never found with another
//! or with none. The folder is bounded, and nothing that goes wrong in it fails a request. Where a link or
//! anything else than a folder of this module's files is found, nothing is kept.

mod folder;

use std::{
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use self::folder::Folder;
use super::{Accept, Freshness};

const VERSION: u32 = 1;

/// The largest body that is kept, in bytes.
const MOST_BODY: u64 = 2 * 1024 * 1024;

/// The largest body that is kept of answers that never change: recursive trees of large repositories.
const MOST_IMMUTABLE_BODY: u64 = 16 * 1024 * 1024;

/// The longest header line; a longer one belongs to no file of this module.
const MOST_HEADER: u64 = 16 * 1024;

/// What the folder may hold before the oldest files go.
const BOUND: Bound = Bound { files: 2_000, bytes: 64 * 1024 * 1024 };

#[derive(Debug, Clone, Copy)]
struct Bound {
    files: usize,
    bytes: u64,
}

/// The name under which an answer is kept.
#[derive(Debug, Clone)]
pub(super) struct Key {
    name: String,
    url: String,
}

impl Key {
    /// The key of a GET; `class` is `anonymous` or a digest of the token.
    pub(super) fn new(url: &str, accept: Accept, class: &str) -> Self {
        Self {
            name: digest(format!("GET\n{url}\n{}\n{class}", accept.media_type()).as_bytes()),
            url: url.to_owned(),
        }
    }
}

/// What is known of a kept answer besides its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) etag: Option<String>,
    pub(super) status: u16,
    /// When it came or was last found to hold, in milliseconds since 1970.
    pub(super) stored_ms: i64,
}

impl Head {
    /// Whether the answer may be used at `now_ms` without asking again.
    pub(super) fn is_fresh(&self, freshness: Freshness, now_ms: i64) -> bool {
        match freshness {
            Freshness::NoStore => false,
            Freshness::Immutable => true,
            // Clocks of processes differ a little; a moment far in the future is that of a wrong clock.
            Freshness::MaxAge(age) => Duration::from_millis(now_ms.abs_diff(self.stored_ms)) < age,
        }
    }

    /// Whether an answer with a body of `size` bytes is kept at all.
    pub(super) fn is_worth_keeping(&self, freshness: Freshness, size: u64) -> bool {
        match freshness {
            Freshness::NoStore => false,
            Freshness::Immutable => size <= MOST_IMMUTABLE_BODY,
            Freshness::MaxAge(_) => size <= MOST_BODY && self.etag.is_some(),
        }
    }
}

/// A kept answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) head: Head,
    pub(super) body: Vec<u8>,
}

#[derive(Debug, Deserialize)]
struct Versioned {
    version: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Header {
    version: u32,
    url: String,
    etag: Option<String>,
    stored_ms: i64,
    status: u16,
    /// SHA-256 of the body, in hex.
    sha256: String,
}

/// The folder of kept answers.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    bound: Bound,
    was_checked: AtomicBool,
}

impl Cache {
    /// Nothing is made or read yet.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, bound: BOUND, was_checked: AtomicBool::new(false) }
    }

    /// The answer that is kept under `key`, when it is whole.
    pub(super) fn read(&self, key: &Key) -> Option<Kept> {
        match self.load(key) {
            Ok(kept) => kept,
            Err(error) => {
                tracing::warn!(%error, folder = %self.folder.display(), "a kept answer was not read");
                None
            }
        }
    }

    fn load(&self, key: &Key) -> io::Result<Option<Kept>> {
        let most = MOST_HEADER + MOST_IMMUTABLE_BODY + 1;
        let Some(folder) = Folder::open(&self.folder)? else { return Ok(None) };
        let Some(mut bytes) = folder.read(&key.name, most)? else { return Ok(None) };
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
        let Ok(header) = serde_json::from_slice::<Header>(&bytes[..end]) else { return Ok(None) };
        let body = bytes.split_off(end + 1);
        let is_whole = header.version == VERSION && header.url == key.url && header.sha256 == digest(&body);
        let Header { etag, status, stored_ms, .. } = header;
        Ok(is_whole.then_some(Kept { head: Head { etag, status, stored_ms }, body }))
    }

    /// Keeps an answer, in place of the one that was kept before.
    pub(super) fn keep(&self, key: &Key, head: &Head, body: &[u8]) {
        if let Err(error) = self.store(key, head, body) {
            tracing::warn!(%error, folder = %self.folder.display(), "an answer was not kept");
        }
    }

    fn store(&self, key: &Key, head: &Head, body: &[u8]) -> io::Result<()> {
        let header = Header {
            version: VERSION,
            url: key.url.clone(),
            etag: head.etag.clone(),
            stored_ms: head.stored_ms,
            status: head.status,
            sha256: digest(body),
        };
        let header = serde_json::to_vec(&header)?;
        if header.len() as u64 > MOST_HEADER {
            return Ok(());
        }
        let folder = Folder::make(&self.folder)?;
        if is_newer(&folder, &key.name)? {
            return Ok(());
        }
        folder.replace(&key.name, &[&header, b"\n", body])?;
        if self.was_checked.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.shrink(&folder)
    }

    /// Forgets the answer that is kept under `key`.
    pub(super) fn forget(&self, key: &Key) {
        let removed = Folder::open(&self.folder)
            .and_then(|folder| folder.map_or(Ok(()), |folder| folder.remove(&key.name)));
        if let Err(error) = removed {
            tracing::warn!(%error, folder = %self.folder.display(), "a kept answer was not removed");
        }
    }

    /// Removes the oldest files until the folder is within its bound.
    fn shrink(&self, folder: &Folder) -> io::Result<()> {
        let mut files = folder.files()?;
        files.sort();
        let mut bytes: u64 = files.iter().map(|(_, size, _)| size).sum();
        let mut count = files.len();
        for (_, size, name) in files {
            if count <= self.bound.files && bytes <= self.bound.bytes {
                break;
            }
            folder.remove(&name)?;
            bytes -= size;
            count -= 1;
        }
        Ok(())
    }
}

/// Removes the answers that are kept in `folder`, and no other file of it; how many files there were.
///
/// # Errors
///
/// When the folder is there and is a link or cannot be read, or a file of it cannot be removed.
pub fn remove_kept(folder: &Path) -> io::Result<usize> {
    let Some(folder) = Folder::open(folder)? else { return Ok(0) };
    let files = folder.files()?;
    for (_, _, name) in &files {
        folder.remove(name)?;
    }
    Ok(files.len())
}

/// Whether a newer skillflux wrote the file, which is then left alone.
fn is_newer(folder: &Folder, name: &str) -> io::Result<bool> {
    let Some(start) = folder.read(name, MOST_HEADER)? else { return Ok(false) };
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    Ok(serde_json::from_slice::<Versioned>(line).is_ok_and(|header| header.version > VERSION))
}

/// The SHA-256 of `bytes` in hex.
pub(super) fn digest(bytes: &[u8]) -> String {
    use std::fmt::Write as _;

    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

#[cfg(test)]
mod tests;
