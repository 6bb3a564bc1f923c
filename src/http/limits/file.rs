//! The rate limits that processes share: one small document, merged under a lock, replaced whole.
//!
//! A document of a newer version is left alone; one that cannot be read is begun anew, because nothing in it
//! is worth a failure. What is over is dropped on writing, and at most 64 entries of each kind are kept.

use std::{
    io::{self, Read as _, Write as _},
    path::Path,
    time::{Duration, Instant},
};

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::{super::Quota, Key, State, Told};

const VERSION: u32 = 1;
const MOST_ENTRIES: usize = 64;
const MOST_BYTES: u64 = 256 * 1024;

#[derive(Debug, Deserialize)]
struct Versioned {
    version: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    quotas: Vec<StoredQuota>,
    pauses: Vec<StoredPause>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct StoredQuota {
    origin: String,
    class: String,
    resource: String,
    limit: u64,
    remaining: u64,
    reset_ms: i64,
    seen_ms: i64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct StoredPause {
    origin: String,
    until_ms: i64,
}

/// What the file holds; nothing when it is missing, cannot be read or is of another version.
pub(super) fn read(file: &Path) -> State {
    match load(file) {
        Ok(Some(state)) => state,
        Ok(None) => State::default(),
        Err(error) => {
            tracing::warn!(%error, "rate limits of other processes were not read");
            State::default()
        }
    }
}

/// `None` for a document of a newer version.
fn load(file: &Path) -> io::Result<Option<State>> {
    let mut bytes = Vec::new();
    match open(file, fs::OpenOptions::new().read(true)) {
        Ok(opened) => opened.take(MOST_BYTES).read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(State::default())),
        Err(error) => return Err(error),
    };
    match serde_json::from_slice::<Versioned>(&bytes) {
        Ok(Versioned { version }) if version > VERSION => return Ok(None),
        Ok(Versioned { version: VERSION }) => {}
        _ => return Ok(Some(State::default())),
    }
    Ok(Some(serde_json::from_slice(&bytes).map(Document::into_state).unwrap_or_default()))
}

/// Opens a regular file, without following a link and without waiting for the other end of a pipe.
fn open(path: &Path, options: &mut fs::OpenOptions) -> io::Result<fs::File> {
    #[cfg(unix)]
    {
        use fs_err::os::unix::fs::OpenOptionsExt as _;
        use rustix::fs::OFlags;

        options.custom_flags(OFlags::NONBLOCK.union(OFlags::NOFOLLOW).bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::other(format!("`{}` is no regular file", path.display())))
}

/// Merges `state` into the file; waits at most `patience` for the lock.
pub(super) async fn merge(file: &Path, state: State, now_ms: i64, patience: Duration) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut lock_name = file.as_os_str().to_owned();
    lock_name.push(".lock");
    let mut options = fs::OpenOptions::new();
    let lock = open(Path::new(&lock_name), options.create(true).truncate(false).write(true))?;
    let until = Instant::now() + patience;
    loop {
        match fs4::FileExt::try_lock(lock.file()) {
            Ok(()) => break,
            Err(fs4::TryLockError::WouldBlock) if Instant::now() < until => {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            Err(fs4::TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            Err(fs4::TryLockError::Error(error)) => return Err(error),
        }
    }
    let Some(stored) = load(file)? else { return Ok(()) };
    let mut merged = stored.clone();
    merged.merge(state);
    merged.forget(now_ms);
    merged.shorten();
    if merged == stored {
        return Ok(());
    }
    let mut staged = tempfile::NamedTempFile::new_in(folder)?;
    staged.write_all(&serde_json::to_vec(&Document::of(&merged))?)?;
    staged.persist(file)?;
    Ok(())
}

impl State {
    /// Drops the oldest of what is too much.
    fn shorten(&mut self) {
        while self.quotas.len() > MOST_ENTRIES {
            let oldest = self.quotas.iter().min_by_key(|(_, told)| told.seen_ms).map(|(key, _)| key.clone());
            self.quotas.remove(&oldest.expect("the map is not empty"));
        }
        while self.pauses.len() > MOST_ENTRIES {
            let nearest =
                self.pauses.iter().min_by_key(|(_, until_ms)| **until_ms).map(|(key, _)| key.clone());
            self.pauses.remove(&nearest.expect("the map is not empty"));
        }
    }
}

impl Document {
    fn of(state: &State) -> Self {
        let quota = |(key, told): (&Key, &Told)| StoredQuota {
            origin: key.origin.clone(),
            class: key.class.clone(),
            resource: key.resource.clone(),
            limit: told.quota.limit,
            remaining: told.quota.remaining,
            reset_ms: told.quota.reset_ms,
            seen_ms: told.seen_ms,
        };
        let pause =
            |(origin, until_ms): (&String, &i64)| StoredPause { origin: origin.clone(), until_ms: *until_ms };
        Self {
            version: VERSION,
            quotas: state.quotas.iter().map(quota).collect(),
            pauses: state.pauses.iter().map(pause).collect(),
        }
    }

    fn into_state(self) -> State {
        let mut state = State::default();
        for stored in self.quotas {
            let quota = Quota { limit: stored.limit, remaining: stored.remaining, reset_ms: stored.reset_ms };
            let key = Key { origin: stored.origin, class: stored.class, resource: stored.resource };
            state.learn(key, Told { quota, seen_ms: stored.seen_ms });
        }
        for stored in self.pauses {
            state.pause(stored.origin, stored.until_ms);
        }
        state
    }
}
