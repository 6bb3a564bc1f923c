//! A verified entry of the store.
//!
//! An [`Entry`] exists only after every file was hashed, and keeps a lease on its entry while it lives, so
//! that prune stays away. Whoever reads a file through it gets bytes that were hashed as they were read.

use std::path::{Path, PathBuf};

use super::{
    Store, StoreError,
    examine::{self, TREE},
    folder::Folder,
    lease::HeldLease,
    lock,
    manifest::{self, ManifestFile},
    names,
};
use crate::skill::{id::TreeDigest, path::SkillPath};

/// A verified skill in the store. While the value lives, it is under a lease: prune keeps away from it.
#[derive(Debug)]
pub struct Entry {
    store: Store,
    digest: TreeDigest,
    tree_folder: PathBuf,
    files: Vec<ManifestFile>,
    lease: Option<HeldLease>,
}

impl Entry {
    pub(super) fn new(
        store: &Store,
        digest: TreeDigest,
        files: Vec<ManifestFile>,
        lease: Option<HeldLease>,
    ) -> Self {
        let tree_folder = store.entry_path(&digest).join(TREE);
        Self { store: store.clone(), digest, tree_folder, files, lease }
    }

    /// Its name in the store.
    pub fn digest(&self) -> TreeDigest {
        self.digest
    }

    /// The folder of its files. To read one of them, take [`Self::read`].
    pub fn tree_folder(&self) -> &Path {
        &self.tree_folder
    }

    /// Its files in byte order of their paths.
    pub fn files(&self) -> &[ManifestFile] {
        &self.files
    }

    /// The content of a file, hashed as it is read: what comes back is what was pinned.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] for a file that the skill does not have, [`StoreError::Damaged`].
    pub fn read(&self, path: &SkillPath) -> Result<Vec<u8>, StoreError> {
        let file = self.files.binary_search_by(|file| file.path.cmp(path));
        let file =
            file.map(|index| &self.files[index]).map_err(|_| StoreError::NotFound(path.to_string()))?;
        examine::read(&self.open_tree()?, file)?.map_err(|what| StoreError::Damaged {
            digest: self.digest,
            file: path.to_string(),
            what,
        })
    }

    /// Lets the lease go over to the program that this process becomes, and to those that it starts.
    ///
    /// # Errors
    ///
    /// When the system does not let the lease be kept.
    #[cfg(unix)]
    pub fn hand_over(&self) -> Result<(), StoreError> {
        self.lease.as_ref().map_or(Ok(()), HeldLease::hand_over)
    }

    pub(super) fn open_tree(&self) -> Result<Folder, StoreError> {
        let entry = self.store.open_root()?.map(|root| self.store.open_entry(&root, &self.digest));
        let tree = entry.transpose()?.flatten().map(|entry| entry.below(TREE)).transpose()?.flatten();
        tree.ok_or_else(|| StoreError::NotFound(self.digest.to_string()))
    }
}

impl Store {
    /// Opens an entry after hashing every file of it again; `None` when it is not stored.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] names the first file that is not what it was.
    pub fn open(&self, digest: &TreeDigest) -> Result<Option<Entry>, StoreError> {
        let Some(root) = self.open_root()? else { return Ok(None) };
        let guard = lock::shared(&root)?;
        let Some(entry) = self.open_entry(&root, digest)? else { return Ok(None) };
        let lease = match HeldLease::take(&root, digest) {
            Ok(lease) => Some(lease),
            // What is stored can be read all the same: nobody can prune a home that cannot be written, and on a
            // full disk a prune that comes in between is noticed.
            Err(error) if error.is_read_only() || error.is_full() => {
                tracing::debug!(error = %error, "an entry is read without a lease");
                None
            }
            Err(error) => return Err(error),
        };
        drop(guard);
        let files = examine::examine(&entry, digest)?.intact(digest)?;
        Ok(Some(Entry::new(self, *digest, files, lease)))
    }

    /// The content of one file of an entry, hashed as it is read: what comes back is what was pinned. The other files
    /// may be damaged, and nothing keeps prune away.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Damaged`], [`StoreError::Invalid`] for a manifest that does not fit.
    pub fn read_file(&self, digest: &TreeDigest, path: &SkillPath) -> Result<Vec<u8>, StoreError> {
        let absent = || StoreError::NotFound(digest.to_string());
        let root = self.open_root()?.ok_or_else(absent)?;
        let entry = self.open_entry(&root, digest)?.ok_or_else(absent)?;
        let files = manifest::read(&entry, digest)?.map_err(|note| StoreError::Invalid {
            file: entry.path().join(manifest::MANIFEST),
            reason: note.to_string(),
        })?;
        let file = files.iter().find(|file| file.path == *path).ok_or_else(absent)?;
        let tree = entry.below(TREE)?.ok_or_else(absent)?;
        examine::read(&tree, file)?.map_err(|what| StoreError::Damaged {
            digest: *digest,
            file: path.to_string(),
            what,
        })
    }

    /// The folder of everything in the cache; `None` when there is none.
    pub(super) fn open_root(&self) -> Result<Option<Folder>, StoreError> {
        match Folder::open(&self.cache)? {
            Some(cache) => cache.below(super::VERSION_FOLDER),
            None => Ok(None),
        }
    }

    /// The folder of an entry; `None` when there is none.
    #[expect(clippy::unused_self, reason = "the store owns what is known of paths")]
    pub(super) fn open_entry(
        &self,
        root: &Folder,
        digest: &TreeDigest,
    ) -> Result<Option<Folder>, StoreError> {
        let Some(store) = root.below(super::STORE)? else { return Ok(None) };
        let Some(shelf) = store.below(names::shelf(digest))? else { return Ok(None) };
        shelf.below(digest.to_string())
    }

    pub(super) fn entry_path(&self, digest: &TreeDigest) -> PathBuf {
        self.root().join(super::STORE).join(names::shelf(digest)).join(digest.to_string())
    }
}
