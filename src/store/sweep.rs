//! What processes that were killed left behind, and the deletion of what is in the trash.
//!
//! Sweeping needs `gc.lock` alone: then whatever is not locked belongs to nobody. It only renames folders to
//! the trash and removes small files. The trash itself is emptied without any lock; several may do so at once.
//! Only names that the store gives are touched, and only where they are what the store makes of them.

use super::{
    LEASES, PINS, STAGING, STORE, StoreError, TRASH,
    commit::discard,
    folder::{Folder, Kind},
    holder::Holder,
    lease::{self, Worth},
    lock::{self, Attempt},
    names::{self, LOCK_ENDING, STAGING_TRASH},
};
use crate::skill::time::UnixMillis;

/// What processes that were killed had left behind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Staging folders.
    pub staging: usize,
    /// Leases.
    pub leases: usize,
    /// Half-deleted entries.
    pub trash: usize,
    /// Half-written files.
    pub temporary: usize,
}

/// Sweeps staging folders, leases and half-written files. The caller has `gc.lock` alone.
pub(super) fn sweep(root: &Folder, holder: &Holder, now: UnixMillis) -> Result<Swept, StoreError> {
    let mut swept = Swept::default();
    if let Some(trash) = root.below(TRASH)? {
        swept.trash = trashed(&trash)?.len();
    }
    if let Some(staging) = root.below(STAGING)? {
        sweep_staging(root, &staging, &mut swept)?;
    }
    if let Some(leases) = root.below(LEASES)? {
        sweep_leases(&leases, holder, now, &mut swept)?;
    }
    if let Some(pins) = root.below(PINS)? {
        for (name, kind) in pins.entries()? {
            if kind == Kind::File
                && name.to_str().is_some_and(names::is_temporary)
                && pins.remove_file(&name)?
            {
                swept.temporary += 1;
            }
        }
    }
    sweep_shelves(root)?;
    Ok(swept)
}

/// Whoever was killed before the rename to its place left an empty shelf.
fn sweep_shelves(root: &Folder) -> Result<(), StoreError> {
    let Some(store) = root.below(STORE)? else { return Ok(()) };
    for (name, kind) in store.entries()? {
        if kind == Kind::Folder && names::is_shelf(&name) {
            store.remove_empty(&name)?;
        }
    }
    Ok(())
}

fn sweep_staging(root: &Folder, staging: &Folder, swept: &mut Swept) -> Result<(), StoreError> {
    for (name, kind) in staging.entries()? {
        let Some(name) = name.to_str() else { continue };
        let (folder, is_lock) = match name.strip_suffix(LOCK_ENDING) {
            Some(folder) => (folder, true),
            None => (name, false),
        };
        let expected = if is_lock { Kind::File } else { Kind::Folder };
        if !names::is_random(folder) || kind != expected {
            continue;
        }
        let lock_name = format!("{folder}{LOCK_ENDING}");
        let file = staging.file_to_change(&lock_name)?;
        if let Some(file) = &file
            && lock::try_alone(file, &staging.path().join(&lock_name))? != Attempt::Locked
        {
            continue;
        }
        // The folder comes first in the listing and takes its lock file with it.
        if staging.kind(folder)? == Some(Kind::Folder) {
            let trash = root.make_below(TRASH)?;
            staging.rename(folder, &trash, names::trash(STAGING_TRASH))?;
            swept.staging += 1;
        }
        staging.remove_file(&lock_name)?;
    }
    Ok(())
}

fn sweep_leases(
    leases: &Folder,
    holder: &Holder,
    now: UnixMillis,
    swept: &mut Swept,
) -> Result<(), StoreError> {
    for (name, kind) in leases.entries()? {
        let Some(name) = name.to_str().filter(|_| kind == Kind::File) else { continue };
        if names::is_temporary(name) {
            swept.temporary += usize::from(leases.remove_file(name)?);
        } else if names::leased_entry(name).is_some() {
            match lease::worth(leases, name, holder, now)? {
                Worth::Live => {}
                Worth::Ahead(record) => lease::stamp_again(leases, name, record, now)?,
                Worth::Stale => swept.leases += usize::from(leases.remove_file(name)?),
            }
        }
    }
    Ok(())
}

fn trashed(trash: &Folder) -> Result<Vec<String>, StoreError> {
    let ours = |(name, kind): (std::ffi::OsString, Kind)| {
        let name = name.into_string().ok()?;
        (kind == Kind::Folder && names::is_trash(&name)).then_some(name)
    };
    Ok(trash.entries()?.into_iter().filter_map(ours).collect())
}

/// Deletes everything in the trash, without a lock.
pub(super) fn empty_trash(root: &Folder) -> Result<(), StoreError> {
    let Some(trash) = root.below(TRASH)? else { return Ok(()) };
    let names = trashed(&trash)?;
    if !names.is_empty() {
        // Otherwise a power failure could bring back an entry under its name, and some of its files not.
        trash.sync()?;
    }
    names.into_iter().try_for_each(|name| trash.remove_tree(name))
}

/// Moves an entry to the trash. The caller has `gc.lock` alone.
pub(super) fn discard_entry(
    root: &Folder,
    store: &Folder,
    digest: &crate::skill::id::TreeDigest,
) -> Result<(), StoreError> {
    let shelf_name = names::shelf(digest);
    let Some(shelf) = store.below(&shelf_name)? else { return Ok(()) };
    discard(&shelf, &digest.to_string(), &root.make_below(TRASH)?)?;
    store.remove_empty(&shelf_name)?;
    Ok(())
}
