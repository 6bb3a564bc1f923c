//! What is in the store, by its manifests and pins; nothing is hashed and nothing changed.
//!
//! So an entry that is complete here may still be damaged; only [`Store::open`] and [`Store::verify`] know.
//! What cannot be read stays in the list with its reason, and what a pin of a newer release may need counts as
//! needed.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    STORE, Store, StoreError,
    document::Note,
    examine::TREE,
    folder::{Folder, Kind},
    lock, manifest, names,
    pins::{self, PinRecord, Pins},
};
use crate::skill::id::TreeDigest;

/// An entry as its manifest describes it; nothing was hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// Its name.
    pub digest: TreeDigest,
    /// How many files it has; 0 when unknown.
    pub files: usize,
    /// The size of its files; 0 when unknown.
    pub bytes: u64,
    /// Whether it can be used.
    pub state: EntryState,
}

/// Whether an entry can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryState {
    /// It has a manifest that fits its name, and a folder of files.
    Complete,
    /// Its manifest is missing or wrong, for this reason; only `clean` removes it.
    Invalid(String),
    /// A newer release wrote it, with this version; nothing here removes it.
    Newer(u64),
}

impl Store {
    /// Every entry by its manifest, in order of the digests; nothing is hashed.
    pub fn entries(&self) -> Result<Vec<StoredEntry>, StoreError> {
        let Some(root) = self.open_root()? else { return Ok(Vec::new()) };
        let _guard = lock::shared_to_read(&root)?;
        let mut entries = Vec::new();
        for digest in digests(&root)? {
            if let Some(entry) = self.open_entry(&root, &digest)? {
                entries.push(describe(&entry, digest)?);
            }
        }
        Ok(entries)
    }
}

/// The digests of all folders in the store that are named for one, sorted.
pub(super) fn digests(root: &Folder) -> Result<Vec<TreeDigest>, StoreError> {
    let mut digests = Vec::new();
    let Some(store) = root.below(STORE)? else { return Ok(digests) };
    for (shelf_name, kind) in store.entries()? {
        if kind != Kind::Folder || shelf_name.len() != 2 {
            continue;
        }
        let Some(shelf) = store.below(&shelf_name)? else { continue };
        let entries = shelf.entries()?.into_iter().filter(|(_, kind)| *kind == Kind::Folder);
        digests.extend(entries.filter_map(|(name, _)| names::shelved(&shelf_name, &name)));
    }
    digests.sort_unstable();
    Ok(digests)
}

fn describe(entry: &Folder, digest: TreeDigest) -> Result<StoredEntry, StoreError> {
    let unknown = |state| StoredEntry { digest, files: 0, bytes: 0, state };
    Ok(match manifest::read(entry, &digest)? {
        Err(Note::Newer(version)) => unknown(EntryState::Newer(version)),
        Err(Note::Invalid(reason)) => unknown(EntryState::Invalid(format!("its manifest: {reason}"))),
        Ok(_) if entry.kind(TREE)? != Some(Kind::Folder) => {
            unknown(EntryState::Invalid("its files are missing".to_owned()))
        }
        Ok(files) => StoredEntry {
            digest,
            files: files.len(),
            bytes: files.iter().map(|file| file.size).fold(0, u64::saturating_add),
            state: EntryState::Complete,
        },
    })
}

/// Entries and pins together.
#[derive(Debug)]
pub(super) struct Inventory {
    /// Every entry, in order of the digests.
    pub(super) entries: Vec<StoredEntry>,
    /// Every pin.
    pub(super) pins: Pins,
    /// The entries that pins of a newer release may need; `None` when one of them does not say.
    newer_pins_need: Option<BTreeSet<TreeDigest>>,
}

impl Inventory {
    /// The inventory of the store; the caller has `gc.lock`.
    pub(super) fn take(store: &Store, root: &Folder) -> Result<Self, StoreError> {
        let mut entries = Vec::new();
        for digest in digests(root)? {
            if let Some(entry) = store.open_entry(root, &digest)? {
                entries.push(describe(&entry, digest)?);
            }
        }
        let pins = pins::read_all(root)?;
        let newer = pins.invalid.iter().filter(|pin| pin.newer.is_some());
        let needed = newer.map(|pin| pins::digest_in(root, pin)).collect::<Result<Option<_>, _>>()?;
        Ok(Self { entries, pins, newer_pins_need: needed })
    }

    /// The pins of each entry.
    pub(super) fn pins_by_entry(&self) -> BTreeMap<TreeDigest, Vec<&PinRecord>> {
        let mut by_entry: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for record in &self.pins.records {
            by_entry.entry(record.digest).or_default().push(record);
        }
        by_entry
    }

    /// Whether a pin that this release cannot read may need the entry.
    pub(super) fn newer_pin_may_need(&self, digest: &TreeDigest) -> bool {
        self.newer_pins_need.as_ref().is_none_or(|needed| needed.contains(digest))
    }

    /// How many entries and pins are of a newer release.
    pub(super) fn newer(&self) -> usize {
        let entries = self.entries.iter().filter(|entry| matches!(entry.state, EntryState::Newer(_))).count();
        entries + self.pins.invalid.iter().filter(|pin| pin.newer.is_some()).count()
    }
}
