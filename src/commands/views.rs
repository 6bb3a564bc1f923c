//! The folders that `mount` makes: whether one still is what was made, and who it belongs to.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::failure::MountFailure;
use crate::{
    skill::{Limits, path::SkillPath, time::UnixMillis},
    source::{folder, local::Home},
    store::{
        Entry, Store, StoreError,
        lease::LeaseId,
        pins::PinRecord,
        sessions::{MountRecord, SessionName},
        view::{View, ViewFile},
    },
};

/// How many files, and how many bytes, may lie beside those of a view before it counts as changed as a whole.
const ADDED_FILES: usize = 1000;
const ADDED_BYTES: u64 = 64 * 1024 * 1024;

/// How often a folder is looked at again that others make or replace at the same time.
const TRIES: usize = 10;

/// Makes `folder` a view of `entry`, unless it is one already. Whoever makes the same view at the same time
/// has made it for all; a view of something else is replaced, but only when nothing in it was changed or added.
///
/// # Errors
///
/// [`MountFailure::ChangedView`] when somebody changed what is there, [`StoreError::Exists`] when it is not
/// ours. Then nothing was removed.
pub(super) fn ensure(store: &Store, entry: &Entry, folder: &Path, now: UnixMillis) -> anyhow::Result<()> {
    let mut last = StoreError::Exists(folder.to_owned());
    for _ in 0..TRIES {
        // Only what is there can be intact: it appears complete, after what was put into it is known.
        if is_there(folder) {
            let Some(view) = store.view(folder)? else {
                // Another has taken it away just now, or it was never ours.
                if is_there(folder) {
                    return Err(StoreError::Exists(folder.to_owned()).into());
                }
                continue;
            };
            let changes = changes(&view);
            // What an agent adds beside the skill's own files, such as compiled scripts, takes nothing from it.
            if view.digest == entry.digest() && changes.touched.is_empty() {
                return Ok(());
            }
            if !changes.is_empty() {
                // Or it was compared with what another has replaced meanwhile.
                if !is_there(folder) || store.view(folder)?.as_ref() != Some(&view) {
                    continue;
                }
                let kept = changes.touched.into_iter().chain(changes.added).collect();
                return Err(MountFailure::ChangedView { folder: folder.display().to_string(), kept }.into());
            }
            match store.remove_view(folder, true) {
                Ok(_) | Err(StoreError::NotAView(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        match store.make_view(entry, folder, now) {
            Ok(_) => return Ok(()),
            Err(error @ StoreError::Exists(_)) => last = error,
            Err(error) => return Err(error.into()),
        }
    }
    Err(last.into())
}

fn is_there(folder: &Path) -> bool {
    fs_err::symlink_metadata(folder).is_ok()
}

/// What differs in a view from what was put into it.
#[derive(Debug, Default)]
struct Changes {
    /// Files of the skill that are other than they were, or gone.
    touched: Vec<String>,
    /// What was added.
    added: Vec<String>,
}

impl Changes {
    fn is_empty(&self) -> bool {
        self.touched.is_empty() && self.added.is_empty()
    }
}

/// Compares a view with what was put into it. A folder that cannot be read, or in which far more lies than was
/// put there, counts as changed as a whole.
fn changes(view: &View) -> Changes {
    let home = Home::Folder { folder: view.folder.clone(), file_name: "SKILL.md".to_owned() };
    let bytes: u64 = view.files.iter().map(|file| file.size).sum();
    let limits = Limits {
        files: view.files.len() + ADDED_FILES,
        skill_bytes: bytes.saturating_add(ADDED_BYTES),
        ..Limits::default()
    };
    let skill_file = SkillPath::parse("SKILL.md").expect("it is a plain name");
    let found = match folder::snapshot(&home, &limits, &skill_file) {
        Ok(found) => found,
        Err(error) => return Changes { touched: vec![error.to_string()], added: Vec::new() },
    };
    let there: BTreeMap<&SkillPath, &[u8; 32]> =
        found.files.iter().map(|file| (&file.path, &file.sha256)).collect();
    let ours: BTreeSet<&SkillPath> = view.files.iter().map(|file| &file.path).collect();
    let is_same = |file: &&ViewFile| there.get(&file.path) == Some(&&file.sha256);
    let added =
        found.files.iter().filter(|file| !ours.contains(&file.path)).map(|file| file.path.to_string());
    Changes {
        touched: view.files.iter().filter(|file| !is_same(file)).map(|file| file.path.to_string()).collect(),
        added: added.chain(found.notes.iter().map(|note| note.path.display().to_string())).collect(),
    }
}

/// Refuses a folder in which this or another session has mounted another skill of the same name; another
/// commit of the same skill may take its place.
pub(super) fn check_place(
    store: &Store,
    session: &SessionName,
    folder: &Path,
    record: &PinRecord,
) -> anyhow::Result<()> {
    let Some((owner, earlier)) = mount_at(store, session, folder)? else { return Ok(()) };
    let Some(earlier) = earlier.identity.map(|identity| store.pin(&identity)).transpose()?.flatten() else {
        return Ok(());
    };
    if (&earlier.repository, &earlier.path) == (&record.repository, &record.path) {
        return Ok(());
    }
    let other = format!("{}//{}", earlier.repository, earlier.path);
    let session = owner.as_str().to_owned();
    Err(MountFailure::NameTaken { name: record.name.to_string(), other, session }.into())
}

/// The mount at `folder`, of this session or of another one.
fn mount_at(
    store: &Store,
    session: &SessionName,
    folder: &Path,
) -> Result<Option<(SessionName, MountRecord)>, StoreError> {
    let others = store.session_names()?.into_iter().filter(|name| name != session);
    for name in std::iter::once(session.clone()).chain(others) {
        let mounts = store.session(&name)?.value.mounts;
        if let Some(mount) = mounts.into_iter().find(|mount| mount.folder == folder) {
            return Ok(Some((name, mount)));
        }
    }
    Ok(None)
}

/// Whether another session than this one has mounted the folder too.
pub(super) fn is_shared(store: &Store, session: &SessionName, folder: &Path) -> Result<bool, StoreError> {
    for name in store.session_names()?.into_iter().filter(|name| name != session) {
        if store.session(&name)?.value.mounts.iter().any(|mount| mount.folder == folder) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Adds a mount to its session, in the place of an earlier one of the same folder, whose lease ends.
pub(super) fn remember(store: &Store, session: &SessionName, mount: MountRecord) -> Result<(), StoreError> {
    let earlier = store.update_session(session, |session| {
        let (earlier, kept) = std::mem::take(&mut session.mounts)
            .into_iter()
            .partition(|known: &MountRecord| known.folder == mount.folder);
        session.mounts = kept;
        session.mounts.push(mount);
        earlier
    })?;
    let earlier: Vec<MountRecord> = earlier;
    earlier.iter().try_for_each(|mount| release(store, mount))
}

/// Ends the lease of a mount.
pub(super) fn release(store: &Store, mount: &MountRecord) -> Result<(), StoreError> {
    match mount.lease.as_deref().and_then(LeaseId::parse) {
        Some(lease) => store.release(&lease).map(|_was_there| ()),
        None => Ok(()),
    }
}
