//! What makes files and names survive a power failure.
//!
//! A file needs a sync of its own, and its name one of its folder. Devices do many syncs at once as fast as one:
//! measured for 12 files, 6 ms where one after the other took 82. So everything that one step must leave
//! behind is synced together, each file in a thread of its own.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use super::{
    StoreError,
    folder::{self, Folder},
};

/// How many files this process syncs at once, beside the one that each caller syncs itself.
const AT_ONCE: usize = 32;
/// How many files callers have asked for that are not done with all of theirs. Who publishes many entries at once needs no more threads for the
/// files of each, which cost more than they give there.
static SYNCING: AtomicUsize = AtomicUsize::new(0);

/// Makes files, and the names in folders, survive a power failure.
pub(super) fn sync(paths: &[PathBuf]) -> Result<(), StoreError> {
    each(paths.len(), |index| folder::sync(&paths[index]))
}

/// The same, and the names in `folder` and in all folders above it, which may be new as well.
pub(super) fn sync_to_the_top(paths: &[PathBuf], folder: &Path) -> Result<(), StoreError> {
    each(paths.len() + 1, |index| match paths.get(index) {
        Some(path) => folder::sync(path),
        None => sync_and_above(folder),
    })
}

/// Folders above which this process has synced everything: whoever made them did it before, and nobody takes their
/// names back.
static ABOVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Syncs `lowest`, which stays as long as the cache does, and once in a process the folders above it: the top of a
/// disk takes long.
fn sync_and_above(lowest: &Path) -> Result<(), StoreError> {
    let known = || ABOVE.lock().unwrap_or_else(PoisonError::into_inner);
    if known().contains(lowest) {
        return sync_above(lowest, lowest);
    }
    lowest.ancestors().try_for_each(|folder| sync_above(folder, lowest))?;
    known().insert(lowest.to_owned());
    Ok(())
}

fn sync_above(folder: &Path, lowest: &Path) -> Result<(), StoreError> {
    match Folder::open(folder).and_then(|folder| folder.map_or(Ok(()), |folder| folder.sync())) {
        // A folder of somebody else was there before.
        Err(error) if folder != lowest => {
            tracing::debug!(error = %error, "a folder above the cache is not synced");
            Ok(())
        }
        synced => synced,
    }
}

/// Does each job once, in this thread and in others.
fn each(jobs: usize, job: impl Fn(usize) -> Result<(), StoreError> + Sync) -> Result<(), StoreError> {
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= jobs {
                return Ok(());
            }
            job(index)?;
        }
    };
    let free = AT_ONCE.saturating_sub(SYNCING.fetch_add(jobs, Ordering::Relaxed));
    let done = thread::scope(|scope| {
        let others: Vec<_> = (1..jobs.min(free)).map(|_| scope.spawn(work)).collect();
        let join = |other: thread::ScopedJoinHandle<'_, _>| other.join().expect("syncing does not panic");
        let here = work();
        others.into_iter().map(join).chain([here]).collect()
    });
    SYNCING.fetch_sub(jobs, Ordering::Relaxed);
    done
}
