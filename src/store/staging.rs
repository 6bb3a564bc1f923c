//! A folder in which one process makes one entry ready, unseen by others.
//!
//! It is locked while its value lives and removed with it. What a killed process leaves is not locked any
//! more, and the next prune takes it away.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use super::{
    STAGING, Store, StoreError, VERSION_FOLDER, document,
    examine::TREE,
    folder::Folder,
    lock::{self, Attempt},
    names::{self, LOCK_ENDING},
};

/// The folder in a staging folder that becomes the entry.
pub(super) const ENTRY: &str = "entry";
const SCRATCH: &str = "scratch";
const TAG: &str = "CACHEDIR.TAG";
/// The first line is that of the specification at bford.info/cachedir.
const TAG_CONTENT: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55\n# This folder can be deleted at any time; skillflux makes it again.\n";

/// A fresh folder below the cache, removed when this value goes, and by the next prune if the process is
/// killed first.
#[derive(Debug)]
pub struct StagingFolder {
    tree_folder: PathBuf,
    // Closed before it is removed, which takes some file systems ten times as long otherwise.
    folder: Folder,
    _place: Place,
}

/// The place of a staging folder, which is removed with all in it when this value goes.
#[derive(Debug)]
struct Place {
    staging: Folder,
    name: String,
    _lock: File,
}

impl StagingFolder {
    /// The empty folder that a skill's files are put into, and nothing else.
    pub fn tree_folder(&self) -> &Path {
        &self.tree_folder
    }

    /// A folder for anything that is needed on the way, for instance a repository; made by the first call.
    pub fn scratch_folder(&self) -> Result<PathBuf, StoreError> {
        Ok(self.folder.make_below(SCRATCH)?.path().to_owned())
    }

    /// The folder that holds [`ENTRY`].
    pub(super) fn folder(&self) -> &Folder {
        &self.folder
    }
}

impl Place {
    fn remove(&self) -> Result<(), StoreError> {
        self.staging.remove_tree(&self.name)?;
        // Last, so that at no time an unlocked folder lies there.
        self.staging.remove_file(format!("{}{LOCK_ENDING}", self.name))?;
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Err(error) = self.remove() {
            tracing::warn!(error = %error, "a staging folder stays until the next prune");
        }
    }
}

impl Store {
    /// Makes a fresh staging folder, and the cache if there is none.
    pub fn stage(&self) -> Result<StagingFolder, StoreError> {
        let root = self.make_root()?;
        let _guard = lock::shared(&root)?;
        let staging = root.make_below(STAGING)?;
        let name = names::random();
        let lock_name = format!("{name}{LOCK_ENDING}");
        let lock = staging.create_file(&lock_name)?;
        let made = lock_alone(&lock, &staging.path().join(&lock_name)).and_then(|()| {
            let folder = staging.create_below(&name)?;
            let tree = folder.create_below(ENTRY)?.create_below(TREE)?;
            Ok((folder, tree.path().to_owned()))
        });
        match made {
            Ok((folder, tree_folder)) => {
                Ok(StagingFolder { tree_folder, folder, _place: Place { staging, name, _lock: lock } })
            }
            Err(error) => {
                staging.remove_tree(&name)?;
                staging.remove_file(&lock_name)?;
                Err(error)
            }
        }
    }

    /// The folder of everything in the cache, made where it is missing, and its mark.
    pub(super) fn make_root(&self) -> Result<Folder, StoreError> {
        let cache = match Folder::open(&self.cache)? {
            Some(cache) => cache,
            None => Folder::make(&self.cache)?,
        };
        // Whoever keeps answers of hosts may have made the folder before, so the mark is looked for each time.
        if cache.kind(TAG)?.is_none() {
            document::replace(&cache, TAG, &names::temporary(), TAG_CONTENT, false)?;
        }
        cache.make_below(VERSION_FOLDER)
    }
}

/// Locks a file that nobody else knows yet.
pub(super) fn lock_alone(file: &File, path: &Path) -> Result<(), StoreError> {
    match lock::try_alone(file, path)? {
        Attempt::Locked | Attempt::Unsupported => Ok(()),
        Attempt::Held => Err(StoreError::Foreign { path: path.to_owned() }),
    }
}
