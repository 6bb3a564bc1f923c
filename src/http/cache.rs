//! Answers that are kept: one file each, found by what was asked and as whom.
//!
//! The first line of a file is a JSON header with the digest of the body, which follows as it came; a file
//! that does not hold what its header says counts as absent. Answers to one token are never found with another
//! or with none. The folder is bounded, and nothing that goes wrong in it fails a request.

use std::{
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, SystemTime},
};

use fs_err as fs;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

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
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!(%error, "a kept answer was not read");
                None
            }
        }
    }

    fn load(&self, key: &Key) -> io::Result<Option<Kept>> {
        let mut bytes = Vec::new();
        let most = MOST_HEADER + MOST_IMMUTABLE_BODY + 1;
        fs::File::open(self.folder.join(&key.name))?.take(most).read_to_end(&mut bytes)?;
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
            tracing::warn!(%error, "an answer was not kept");
        }
    }

    fn store(&self, key: &Key, head: &Head, body: &[u8]) -> io::Result<()> {
        let path = self.folder.join(&key.name);
        let header = Header {
            version: VERSION,
            url: key.url.clone(),
            etag: head.etag.clone(),
            stored_ms: head.stored_ms,
            status: head.status,
            sha256: digest(body),
        };
        let header = serde_json::to_vec(&header)?;
        if header.len() as u64 > MOST_HEADER || is_newer(&path)? {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        let mut staged = tempfile::NamedTempFile::new_in(&self.folder)?;
        for part in [header.as_slice(), b"\n", body] {
            staged.write_all(part)?;
        }
        staged.persist(path)?;
        if self.was_checked.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.shrink()
    }

    /// Forgets the answer that is kept under `key`.
    pub(super) fn forget(&self, key: &Key) {
        match fs::remove_file(self.folder.join(&key.name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, "a kept answer was not removed");
            }
            _ => {}
        }
    }

    /// Removes the oldest files until the folder is within its bound.
    fn shrink(&self) -> io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            // Another process may have removed it in the meantime.
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_file() {
                files.push((metadata.modified()?, metadata.len(), entry.path()));
            }
        }
        files.sort();
        let mut bytes: u64 = files.iter().map(|(_, size, _)| size).sum();
        let mut count = files.len();
        for (_, size, path) in files {
            if count <= self.bound.files && bytes <= self.bound.bytes {
                break;
            }
            remove(&path)?;
            bytes -= size;
            count -= 1;
        }
        Ok(())
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Removes the answers that are kept in `folder`, and no other file of it; how many there were.
///
/// # Errors
///
/// When the folder is there and cannot be read, or a file of it cannot be removed.
pub fn remove_kept(folder: &Path) -> io::Result<usize> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut removed = 0;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        // A name is a digest, see `Key::new`.
        let is_ours = name.len() == 64 && name.as_encoded_bytes().iter().all(u8::is_ascii_hexdigit);
        if is_ours && entry.file_type()?.is_file() {
            remove(&entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Whether a newer skillflux wrote the file, which is then left alone.
fn is_newer(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    match fs::File::open(path) {
        Ok(file) => file.take(MOST_HEADER).read_to_end(&mut start)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
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
