//! The documents of `index`.

use serde::Serialize;

/// `index status`, and the part of `status` about it.
#[derive(Debug, Clone, Serialize)]
pub struct IndexStatus {
    /// `skillflux.index/1`
    pub schema: &'static str,
    /// Its folder.
    pub folder: String,
    /// Whether it has what is on this machine now, for this working folder. False where a catalog would read
    /// something anew.
    pub current: bool,
    /// Skills in it, with those that no catalog needs any more.
    pub documents: usize,
    /// Files with skills.
    pub files: usize,
    /// The size of all files.
    pub bytes: u64,
    /// Sets of folders that it knows: one for each place that catalogs were asked for from, and the store.
    pub folder_sets: usize,
    /// Files that are damaged or of another version, which are made again.
    pub unreadable: usize,
}

/// `index rebuild`.
#[derive(Debug, Serialize)]
pub struct IndexRebuild {
    /// `skillflux.index-rebuild/1`
    pub schema: &'static str,
    /// Its folder.
    pub folder: String,
    /// Skills that were read.
    pub skills: usize,
    /// Skills that could not be read and are looked at again by the next catalog.
    pub unread: usize,
    /// How long it took.
    pub milliseconds: u64,
    /// The size of all files now.
    pub bytes: u64,
    /// What was removed before.
    pub removed_bytes: u64,
}
