//! The content-addressed store of remote skills, and what is kept beside it: pins, leases, sessions,
//! approvals, health of sources, results of searches.
//!
//! [`Store`] owns all knowledge of paths. An [`Entry`] is a verified skill; it comes only from
//! [`Store::commit`], out of a [`crate::fetch::stage::Staged`], or from [`Store::open`], which hashes every
//! file again. [`prune`] and [`discovery`] decide without touching a disk. Nothing here asks a network, or
//! what time it is: the present comes as an argument, and only waits are measured here.
//!
//! # Locks
//!
//! Any number of processes share one cache, and each may be killed at any moment. Four kinds of lock files
//! keep them apart. All are locks of the operating system on open files, so that they end with their holder,
//! whatever ends it. The first two are taken in the order of this list and given back before anything slow is
//! done. The last two are never waited for: whoever makes one of these files locks it before another can see
//! it, and others only try. So nobody can wait in a circle.
//!
//! 1. `gate.lock`. Whoever wants the next lock passes through here. A reader holds it shared until it has
//!    `gc.lock`; a pruner holds it alone while it waits for `gc.lock`. Without it, readers that come and go
//!    would hold `gc.lock` shared for ever and a pruner would starve: with 200 busy readers, 3 pruners came
//!    to 2 rounds each in 15 s without a gate, and to 8.6 times as many deletions with one.
//! 2. `gc.lock`. Shared: names in the store may be read and added, leases taken. Alone: names in the store
//!    may be taken away. It is held for renames and for small files, never for a download, a sync of a
//!    skill's files, or the deletion of a tree.
//! 3. `staging/<random>.lk`. Held alone by the process that fills `staging/<random>/`. Taken under a shared
//!    `gc.lock`, so that a sweeper, who has that alone, never sees one that is made but not yet locked.
//! 4. `leases/<digest>.<random>`. Held alone by whoever uses an entry; made under a shared `gc.lock`, after
//!    looking whether the entry is there, and locked before it gets that name. From then on the entry stays,
//!    and it is hashed and read without any further lock. Leases for what outlives a process are not locked
//!    but have a term.
//!
//! To add an entry is to rename a finished folder to its digest. Whoever finds that another has done so first
//! has succeeded too, and checks what is there. To remove one is to rename it to `trash/`, alone, and to
//! delete it afterwards, without a lock. So at every moment each folder in `store/` is complete: a process
//! that is killed leaves only files in `staging/`, `trash/` and `leases/` that nobody holds, and the next
//! prune takes them away.
//!
//! `gate.lock` and `gc.lock` are never deleted: a process that waits for a deleted file would get a lock that
//! nobody else sees. The other two have random names that are used once, so that there is nobody who could
//! wait for them.
//!
//! Waiting is bounded: who does not get a lock in time reports [`StoreError::Busy`] and has changed nothing.
//! Where a file system has no locks the program warns and goes on, alone.
//!
//! Documents that are changed, such as a session, each have a lock file of their own, held to read, change and
//! replace them; who waits for one stands in line, for many may want the same one all the time. Reading needs
//! no lock, for a document is only ever replaced as a whole. The lock of the search index is of this kind; it is
//! held while skills are read, and who waits too long for it makes what it needs for itself.

use std::path::{Path, PathBuf};

pub mod approvals;
mod commit;
pub mod discovery;
pub mod discovery_file;
pub mod document;
mod durable;
pub mod embeddings;
mod entry;
mod error;
mod examine;
#[cfg(unix)]
mod folder;
#[cfg(not(unix))]
#[path = "folder_by_path.rs"]
mod folder;
mod form;
pub mod health;
pub mod holder;
pub mod index;
mod inventory;
pub mod lease;
mod lock;
mod manifest;
pub mod models;
mod names;
pub mod pins;
pub mod prune;
pub mod removal;
pub mod sessions;
mod staging;
mod sweep;
#[cfg(test)]
mod testing;
#[cfg(test)]
#[cfg(unix)]
mod tests;
pub mod usage;
mod verify;
pub mod view;

pub use entry::Entry;
pub use error::{Damage, StoreError};
pub use inventory::{EntryState, StoredEntry};
pub use lock::interrupt;
pub use manifest::ManifestFile;
pub use staging::StagingFolder;
pub use sweep::Swept;
pub use verify::{Problem, Verification};

/// The store below one cache folder and one state folder.
#[derive(Debug, Clone)]
pub struct Store {
    cache: PathBuf,
    root: PathBuf,
    state: PathBuf,
}

/// The folder of this version of the layout.
const VERSION_FOLDER: &str = "v1";
/// Folders in it.
const STORE: &str = "store";
const PINS: &str = "pins";
const STAGING: &str = "staging";
const TRASH: &str = "trash";
const LEASES: &str = "leases";

impl Store {
    /// The store in `cache`, which can be deleted at any time, and `state`, which cannot be made again.
    /// Touches neither.
    pub fn new(cache: &Path, state: &Path) -> Self {
        Self { cache: cache.to_owned(), root: cache.join(VERSION_FOLDER), state: state.to_owned() }
    }

    /// The folder of everything in the cache that this release understands.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of stored answers of hosts.
    pub fn http_folder(&self) -> PathBuf {
        self.root().join("http")
    }

    /// The folder of views that a session makes without naming a place.
    pub fn mounts_folder(&self, session: &sessions::SessionName) -> PathBuf {
        self.root().join("mounts").join(session.as_str())
    }

    /// The folder of an entry's files, whether it is there or not. What lies in it is only to be trusted
    /// through [`Store::open`].
    pub fn tree_folder(&self, digest: &crate::skill::id::TreeDigest) -> PathBuf {
        self.entry_path(digest).join(examine::TREE)
    }

    /// The file that says how much of a host's allowance is left.
    pub fn limits_file(&self) -> PathBuf {
        self.state.join("rate-limits.json")
    }

    /// The file of results of searches.
    pub fn discovery_file(&self) -> PathBuf {
        self.root().join("discovery.json")
    }

    /// The file of the health of sources.
    pub fn health_file(&self) -> PathBuf {
        self.state.join("health.json")
    }

    /// The file of what was approved for good.
    pub fn approvals_file(&self) -> PathBuf {
        self.state.join("approvals.json")
    }

    /// The folder of sessions.
    pub fn sessions_folder(&self) -> PathBuf {
        self.state.join("sessions")
    }

    /// Whether the cache lies on a network file system that is known to lock unreliably between machines.
    /// Such a cache works, but is better put elsewhere.
    pub fn network_file_system(&self) -> bool {
        self.cache.ancestors().find(|folder| folder.exists()).is_some_and(lock::is_network)
    }

    /// The folder of pins.
    pub fn pins_folder(&self) -> PathBuf {
        self.root.join(PINS)
    }

    /// The folder of what is known of views.
    fn views_folder(&self) -> PathBuf {
        self.state.join("views")
    }
}
