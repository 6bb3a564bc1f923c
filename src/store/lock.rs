//! Locks of the operating system on open files; the essay in [`super`] says which there are and why.
//!
//! A lock ends with the value that holds it, and with the process. Every wait has a limit. Where the file
//! system has no locks, the lock is not real: a warning is logged and the program goes on.

use std::{
    fs::File,
    io,
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use fs4::{FileExt, TryLockError};

use super::{StoreError, folder::Folder};

/// How long anyone waits who only adds or reads. Whoever holds the lock alone holds it for renames only, and
/// waits for it no longer than a person allowed.
const PATIENCE: Duration = Duration::from_secs(300);
/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_millis(16);

/// Whether nobody may wait any longer. It is one for the process, as the signal behind it is.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lets everybody in this process who waits for a lock, or would have to, give up with
/// [`StoreError::Interrupted`].
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

const GATE: &str = "gate.lock";
const GC: &str = "gc.lock";

/// What became of an attempt to lock a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// The file is locked until it is closed.
    Locked,
    /// Somebody else holds it.
    Held,
    /// The file system has no locks.
    Unsupported,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Shared,
    Alone,
}

/// Tries to lock a file for its holder alone.
pub(super) fn try_alone(file: &File, path: &Path) -> Result<Attempt, StoreError> {
    attempt(file, path, Mode::Alone)
}

/// Unlocks a file that stays open.
pub(super) fn give_back(file: &File, path: &Path) -> Result<(), StoreError> {
    FileExt::unlock(file).map_err(|error| StoreError::io("unlock", path, error))
}

fn attempt(file: &File, path: &Path, mode: Mode) -> Result<Attempt, StoreError> {
    let locked = match mode {
        Mode::Shared => FileExt::try_lock_shared(file),
        Mode::Alone => FileExt::try_lock(file),
    };
    match locked {
        Ok(()) => Ok(Attempt::Locked),
        Err(TryLockError::WouldBlock) => Ok(Attempt::Held),
        Err(TryLockError::Error(error)) if is_unsupported(&error) => {
            tracing::warn!(error = %error, "the file system has no locks; other processes are not kept away");
            Ok(Attempt::Unsupported)
        }
        Err(TryLockError::Error(error)) => Err(StoreError::io("lock", path, error)),
    }
}

#[cfg(unix)]
fn is_unsupported(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let lacking = [Errno::NOLCK, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP];
    error.kind() == io::ErrorKind::Unsupported
        || error.raw_os_error().is_some_and(|number| lacking.iter().any(|it| it.raw_os_error() == number))
}

#[cfg(not(unix))]
fn is_unsupported(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
}

/// Whether a folder lies on NFS, where locks are seen only by those who came by the network, and may hang.
#[cfg(target_os = "linux")]
pub(super) fn is_network(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|found| found.f_type == rustix::fs::NFS_SUPER_MAGIC)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_network(_folder: &Path) -> bool {
    false
}

/// Waits for a lock until `deadline`; whether it is a real one.
fn wait(file: &File, path: &Path, mode: Mode, wait: Wait) -> Result<bool, StoreError> {
    let mut pause = Duration::from_millis(1);
    loop {
        match attempt(file, path, mode)? {
            Attempt::Locked => return Ok(true),
            Attempt::Unsupported => return Ok(false),
            Attempt::Held => {}
        }
        let left = wait.limit.saturating_sub(wait.start.elapsed());
        if left.is_zero() {
            return Err(StoreError::Busy { waited: wait.limit });
        }
        if INTERRUPTED.load(Ordering::Relaxed) {
            return Err(StoreError::Interrupted);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Waits at most `limit` to have a file alone, each in their turn; whether the lock is a real one.
///
/// Whoever only tries now and then can be overtaken without end: of 100 processes that changed one document
/// all the time, some came to nothing in 10 s. The system serves those who wait in order, but lets nobody stop
/// waiting, so a thread waits with a descriptor of its own. Both stand for one lock; a thread that is left
/// behind gives it back when its turn comes.
fn wait_in_line(file: &File, path: &Path, limit: Duration) -> Result<bool, StoreError> {
    match attempt(file, path, Mode::Alone)? {
        Attempt::Locked => return Ok(true),
        Attempt::Unsupported => return Ok(false),
        Attempt::Held => {}
    }
    let own = file.try_clone().map_err(|error| StoreError::io("lock", path, error))?;
    let (locked, lock) = mpsc::sync_channel(1);
    let in_line = move || {
        // Nobody hears it once the wait is over.
        let _late = locked.send(FileExt::lock(&own));
    };
    if thread::Builder::new().spawn(in_line).is_err() {
        return wait(file, path, Mode::Alone, Wait::of(limit));
    }
    match lock.recv_timeout(limit) {
        Ok(Ok(())) => Ok(true),
        Ok(Err(error)) => Err(StoreError::io("lock", path, error)),
        Err(_) => Err(StoreError::Busy { waited: limit }),
    }
}

#[derive(Debug, Clone, Copy)]
struct Wait {
    start: Instant,
    limit: Duration,
}

impl Wait {
    fn of(limit: Duration) -> Self {
        Self { start: Instant::now(), limit }
    }
}

/// `gc.lock`, held until this value goes. Without a file there is nobody to keep away.
#[derive(Debug)]
pub(super) struct Guard {
    _gc: Option<File>,
}

/// The store may be read and added to until the guard goes.
///
/// A home that cannot be written has lock files that can be opened to read, or none; none are needed then.
pub(super) fn shared(root: &Folder) -> Result<Guard, StoreError> {
    let open = |name: &str| match root.file_to_lock(name) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.is_read_only() => root.file(name),
        Err(error) => Err(error),
    };
    let gate = open(GATE)?;
    shared_of(root, gate.as_ref(), open(GC)?)
}

/// As [`shared`], without making a lock file where there is none: then nothing was ever stored.
pub(super) fn shared_to_read(root: &Folder) -> Result<Guard, StoreError> {
    let gate = root.file(GATE)?;
    shared_of(root, gate.as_ref(), root.file(GC)?)
}

fn shared_of(root: &Folder, gate: Option<&File>, gc: Option<File>) -> Result<Guard, StoreError> {
    let limit = Wait::of(PATIENCE);
    if let Some(gate) = gate {
        wait(gate, &root.path().join(GATE), Mode::Shared, limit)?;
    }
    if let Some(gc) = &gc {
        wait(gc, &root.path().join(GC), Mode::Shared, limit)?;
    }
    Ok(Guard { _gc: gc })
}

/// Nobody else reads or changes names in the store until the guard goes.
pub(super) fn alone(root: &Folder, limit: Duration) -> Result<Guard, StoreError> {
    let limit = Wait::of(limit);
    let (gate, gc) = (root.file_to_lock(GATE)?, root.file_to_lock(GC)?);
    wait(&gate, &root.path().join(GATE), Mode::Alone, limit)?;
    wait(&gc, &root.path().join(GC), Mode::Alone, limit)?;
    Ok(Guard { _gc: Some(gc) })
}

/// A lock file of a document, held until this value goes.
#[derive(Debug)]
pub(super) struct DocumentGuard {
    _file: File,
    /// Whether the file system has locks, so that nobody else can be at work.
    pub(super) is_real: bool,
}

/// The document that this lock file is for may be changed until the guard goes.
pub(super) fn document(folder: &Folder, name: &str, limit: Duration) -> Result<DocumentGuard, StoreError> {
    let file = folder.file_to_lock(name)?;
    let is_real = wait_in_line(&file, &folder.path().join(name), limit)?;
    Ok(DocumentGuard { _file: file, is_real })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_and_a_pruner_does_not() {
        let temp = tempfile::tempdir().unwrap();
        let root = Folder::open(temp.path()).unwrap().unwrap();
        let soon = Duration::from_millis(3);
        let (first, second) = (shared(&root).unwrap(), shared(&root).unwrap());
        assert!(matches!(alone(&root, soon), Err(StoreError::Busy { waited }) if waited == soon));
        drop((first, second));
        let guard = alone(&root, soon).unwrap();
        assert!(matches!(alone(&root, soon), Err(StoreError::Busy { .. })));
        drop(guard);
        shared(&root).unwrap();
    }

    #[test]
    fn a_waiting_pruner_keeps_new_readers_at_the_gate() {
        let temp = tempfile::tempdir().unwrap();
        let root = Folder::open(temp.path()).unwrap().unwrap();
        let reader = shared(&root).unwrap();
        thread::scope(|scope| {
            let pruner = scope.spawn(|| alone(&root, Duration::from_secs(20)).map(drop));
            // The pruner has the gate once it cannot be had.
            let gate = root.file_to_lock(GATE).unwrap();
            while attempt(&gate, temp.path(), Mode::Shared).unwrap() != Attempt::Held {
                gate.unlock().unwrap();
                thread::yield_now();
            }
            drop(reader);
            pruner.join().unwrap().unwrap();
        });
    }

    #[test]
    fn who_stops_waiting_for_a_document_stands_in_nobodys_way() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::open(temp.path()).unwrap().unwrap();
        let lock = |limit: u64| document(&folder, "a.lock", Duration::from_millis(limit));
        let held = lock(20_000).unwrap();
        assert!(held.is_real);
        for _ in 0..5 {
            assert!(matches!(lock(3), Err(StoreError::Busy { .. })));
        }
        thread::scope(|scope| {
            let waiting: Vec<_> = (0..5).map(|_| scope.spawn(|| lock(20_000).map(drop))).collect();
            drop(held);
            for waiting in waiting {
                waiting.join().unwrap().unwrap();
            }
        });
        lock(20_000).unwrap();
    }

    #[test]
    fn reading_makes_no_lock_file() {
        let temp = tempfile::tempdir().unwrap();
        let root = Folder::open(temp.path()).unwrap().unwrap();
        shared_to_read(&root).unwrap();
        assert!(root.entries().unwrap().is_empty());
    }
}
