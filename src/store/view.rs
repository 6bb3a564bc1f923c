//! Views: folders that are made from entries for others to read and, if they like, to write.
//!
//! A view is a copy, never a hard link: whoever edits it does not change the cache. It appears complete, by
//! one rename, and what was put into it is recorded before, so that a process that is killed leaves nothing
//! that a later one cannot undo. What somebody changed or added is not taken away.

use std::{
    collections::BTreeSet,
    io::{Seek, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    Damage, Entry, Store, StoreError,
    document::{Document, HeldDocument},
    durable,
    examine::{self, Expected, PIECE},
    folder::{self, Folder, Kind},
    form,
    manifest::ManifestFile,
    names,
};
use crate::skill::{id::TreeDigest, path::SkillPath, time::UnixMillis, tree};

/// The most bytes of a record.
const LIMIT: usize = 16 * 1024 * 1024;

/// A folder that was made from an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The folder.
    pub folder: PathBuf,
    /// The entry.
    #[serde(with = "form")]
    pub digest: TreeDigest,
    /// When it was made.
    #[serde(rename = "made_ms", with = "form")]
    pub made_at: UnixMillis,
    /// The files that were put into it.
    pub files: Vec<ViewFile>,
}

/// A file of a view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewFile {
    /// Its path in the view.
    #[serde(with = "form")]
    pub path: SkillPath,
    /// Its length in bytes.
    pub size: u64,
    /// The SHA-256 of its content.
    #[serde(with = "form")]
    pub sha256: [u8; 32],
}

/// What became of a view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemovedView {
    /// How many files went.
    pub removed: usize,
    /// What stays because somebody changed or added it: paths in the view, sorted.
    pub kept: Vec<PathBuf>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    view: Option<View>,
    /// The name beside the view under which it is being made.
    unfinished: Option<String>,
}

impl Store {
    /// Copies an entry to the folder `target`, an absolute path at which nothing may be; it appears there
    /// complete. Folders above it are made.
    ///
    /// # Errors
    ///
    /// [`StoreError::Exists`]; [`StoreError::Damaged`] when the entry is no longer what it was.
    pub fn make_view(&self, entry: &Entry, target: &Path, now: UnixMillis) -> Result<View, StoreError> {
        let document = self.view_document(target);
        let record = document.hold()?;
        let (parent, name) = place(target)?;
        let parent = Folder::make(parent)?;
        if let Some(unfinished) = record.read::<Record>()?.unfinished {
            remove_unfinished(&parent, &unfinished)?;
        }
        if parent.kind(name)?.is_some() {
            return Err(StoreError::Exists(target.to_owned()));
        }
        let files = entry.files().iter().map(ViewFile::from).collect();
        let view = View { folder: target.to_owned(), digest: entry.digest(), made_at: now, files };
        let unfinished = names::temporary();
        record.write(&Record { view: Some(view.clone()), unfinished: Some(unfinished.clone()) })?;
        let filled = fill(&parent, &unfinished, entry).and_then(|written| {
            // The record must not be lost where its view is not: nobody would know whose that is.
            durable::sync_to_the_top(&written, &self.views_folder())
        });
        let made = filled.and_then(|()| {
            let is_free = parent.rename(&unfinished, &parent, name)?;
            if is_free { Ok(()) } else { Err(StoreError::Exists(target.to_owned())) }
        });
        match made {
            Ok(()) => {
                record.write(&Record { view: Some(view.clone()), unfinished: None })?;
                Ok(view)
            }
            Err(error) => {
                remove_unfinished(&parent, &unfinished)?;
                record.remove()?;
                Err(error)
            }
        }
    }

    /// What was made at `target`.
    pub fn view(&self, target: &Path) -> Result<Option<View>, StoreError> {
        Ok(self.view_document(target).read::<Record>()?.value.view)
    }

    /// Removes what [`Self::make_view`] made at `target`. What was changed or added since stays, unless
    /// `force`; then what was made there is still known.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotAView`] when nothing was made there, or something else has taken its place.
    pub fn remove_view(&self, target: &Path, force: bool) -> Result<RemovedView, StoreError> {
        let document = self.view_document(target);
        let record = document.hold()?;
        let Record { view, unfinished } = record.read()?;
        let Some(view) = view else { return Err(StoreError::NotAView(target.to_owned())) };
        let (parent, name) = place(target)?;
        let Some(parent) = Folder::open(parent)? else { return forget(&record) };
        if let Some(unfinished) = unfinished {
            remove_unfinished(&parent, &unfinished)?;
        }
        match parent.kind(name)? {
            None => return gone(&parent, &record),
            Some(Kind::Folder) => {}
            Some(_) => return Err(StoreError::NotAView(target.to_owned())),
        }
        let mut present = view.files.len();
        if !force {
            let Some(folder) = parent.below(name)? else { return gone(&parent, &record) };
            let contents = Contents::of(&folder, &view)?;
            if !contents.others.is_empty() {
                let removed = take_back(&folder, &view)?;
                if removed.kept.is_empty() {
                    parent.remove_empty(name)?;
                    gone(&parent, &record)?;
                }
                return Ok(removed);
            }
            present = contents.intact;
        }
        // At one stroke: nobody may take a view that is half removed for one that somebody changed. What goes
        // must not lose a file before it has lost its name, whenever the power fails.
        let unfinished = names::temporary();
        record.write(&Record { view: Some(view), unfinished: Some(unfinished.clone()) })?;
        parent.rename(name, &parent, &unfinished)?;
        parent.sync()?;
        parent.remove_tree(&unfinished)?;
        gone(&parent, &record)?;
        Ok(RemovedView { removed: present, kept: Vec::new() })
    }

    fn view_document(&self, target: &Path) -> Document {
        let hash = tree::content_sha256(target.as_os_str().as_encoded_bytes());
        let name = TreeDigest::from_bytes(hash).to_string();
        // The lock is held while the view is made and synced, which must not keep all other views waiting; and
        // as lock files stay for ever, there are at most 256 of them.
        let lock = format!("views-{}.lock", &name[..2]);
        Document::new(&self.views_folder(), &format!("{name}.json"), LIMIT).locked_by(&lock)
    }
}

impl From<&ManifestFile> for ViewFile {
    fn from(file: &ManifestFile) -> Self {
        Self { path: file.path.clone(), size: file.size, sha256: file.sha256 }
    }
}

/// The folder above and the name.
fn place(target: &Path) -> Result<(&Path, &std::ffi::OsStr), StoreError> {
    match (target.parent(), target.file_name()) {
        (Some(parent), Some(name)) => Ok((parent, name)),
        _ => Err(StoreError::NotAView(target.to_owned())),
    }
}

/// Forgets a view that is gone from `parent`. A power failure must not bring it back without its record.
fn gone(parent: &Folder, record: &HeldDocument<'_>) -> Result<RemovedView, StoreError> {
    parent.sync()?;
    forget(record)
}

/// Forgets a view that is gone together with the folder above.
fn forget(record: &HeldDocument<'_>) -> Result<RemovedView, StoreError> {
    record.remove()?;
    Ok(RemovedView::default())
}

fn remove_unfinished(parent: &Folder, name: &str) -> Result<(), StoreError> {
    if names::is_temporary(name) { parent.remove_tree(name) } else { Ok(()) }
}

/// Copies the files of an entry into a new folder; what must be synced before it gets its name.
fn fill(parent: &Folder, name: &str, entry: &Entry) -> Result<Vec<PathBuf>, StoreError> {
    let from = entry.open_tree()?;
    let to = parent.create_below(name)?;
    let mut piece = vec![0; PIECE];
    let mut shares = true;
    for file in entry.files() {
        copy(&from, &to, file, &mut shares, &mut piece)?.map_err(|what| StoreError::Damaged {
            digest: entry.digest(),
            file: file.path.to_string(),
            what,
        })?;
    }
    let paths: BTreeSet<&str> =
        entry.files().iter().flat_map(|file| with_folders(file.path.as_str())).collect();
    let below = paths.into_iter().map(|path| to.path().join(path));
    Ok(below.chain([to.path().to_owned()]).collect())
}

/// A path, and those of the folders that it leads through.
fn with_folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(end, _)| &path[..end]).chain([path])
}

/// Copies a file and hashes what was written. `shares` tells whether the file system can share content, which
/// is asked until it once could not.
fn copy(
    from: &Folder,
    to: &Folder,
    file: &ManifestFile,
    shares: &mut bool,
    piece: &mut [u8],
) -> Result<Result<(), Damage>, StoreError> {
    let (folders, name) = file.path.as_str().rsplit_once('/').unwrap_or(("", file.path.as_str()));
    let mut folder = None;
    for name in folders.split('/').filter(|name| !name.is_empty()) {
        folder = Some(folder.as_ref().unwrap_or(to).make_below(name)?);
    }
    let folder = folder.as_ref().unwrap_or(to);
    let path = folder.path().join(name);
    let failed = |error| StoreError::io("write", &path, error);
    let mut copy = folder.create_file(name)?;
    folder::set_file_mode(&copy, &path, 0o644)?;
    if *shares && file.size > 0 {
        *shares =
            examine::file(from, &file.path)?.is_some_and(|source| folder::share_content(&source, &copy));
        if *shares {
            copy.rewind().map_err(failed)?;
            let intact = examine::is_content_of(copy, &path, file.into(), piece, |_| Ok(()))?;
            return Ok(if intact { Ok(()) } else { Err(Damage::Changed) });
        }
    }
    examine::copy(from, file, piece, |piece| copy.write_all(piece).map_err(failed))
}

/// What lies in the folder of a view.
#[derive(Debug, Default)]
struct Contents {
    /// How many of its files are what they were.
    intact: usize,
    /// Everything else but the folders of its files: paths in the view.
    others: Vec<PathBuf>,
}

impl Contents {
    fn of(folder: &Folder, view: &View) -> Result<Self, StoreError> {
        let mut intact = BTreeSet::new();
        for_each_intact(folder, view, |_, _, path| {
            intact.insert(path);
            Ok(())
        })?;
        let mut contents = Self { intact: intact.len(), others: Vec::new() };
        contents.collect(folder, "", &intact, &folders_of(view))?;
        Ok(contents)
    }

    fn collect(
        &mut self,
        folder: &Folder,
        below: &str,
        intact: &BTreeSet<&str>,
        folders: &BTreeSet<&str>,
    ) -> Result<(), StoreError> {
        for (name, kind) in folder.entries()? {
            let path = Path::new(below).join(&name);
            match (kind, path.to_str()) {
                (Kind::Folder, Some(ours)) if folders.contains(ours) => {
                    if let Some(inner) = folder.below(&name)? {
                        self.collect(&inner, ours, intact, folders)?;
                    }
                }
                (Kind::File, Some(ours)) if intact.contains(ours) => {}
                _ => self.others.push(path),
            }
        }
        Ok(())
    }
}

/// The folders that the files of a view lie in.
fn folders_of(view: &View) -> BTreeSet<&str> {
    let folders = |file| -> Vec<&str> {
        let path = SkillPath::as_str(file);
        with_folders(path).filter(|folder| *folder != path).collect()
    };
    view.files.iter().flat_map(|file| folders(&file.path)).collect()
}

/// Calls `found` with the folder, the name and the path of each file of a view that is what it was.
fn for_each_intact<'a>(
    folder: &Folder,
    view: &'a View,
    mut found: impl FnMut(&Folder, &str, &'a str) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut piece = vec![0; PIECE];
    for file in &view.files {
        let opened = match examine::open(folder, &file.path) {
            Ok(Some(opened)) => opened,
            // Whatever stands in the way is found among what was added.
            Ok(None) | Err(StoreError::Foreign { .. }) => continue,
            Err(error) => return Err(error),
        };
        let (inner, name) = (opened.0.as_ref().unwrap_or(folder), opened.1);
        let content = match inner.file(name) {
            Ok(Some(content)) => content,
            Ok(None) | Err(StoreError::Foreign { .. }) => continue,
            Err(error) => return Err(error),
        };
        let expected = Expected { size: file.size, sha256: file.sha256 };
        if examine::is_content_of(content, &inner.path().join(name), expected, &mut piece, |_| Ok(()))? {
            found(inner, name, file.path.as_str())?;
        }
    }
    Ok(())
}

/// Removes the files of a view that are what they were, and the folders that are empty then.
fn take_back(folder: &Folder, view: &View) -> Result<RemovedView, StoreError> {
    let mut result = RemovedView::default();
    for_each_intact(folder, view, |inner, name, _| {
        result.removed += 1;
        inner.remove_file(name).map(drop)
    })?;
    remove_folders(folder, "", &folders_of(view), &mut result.kept)?;
    result.kept.sort();
    Ok(result)
}

/// Removes those of `ours` that are empty, and lists everything else that is left.
fn remove_folders(
    folder: &Folder,
    below: &str,
    ours: &BTreeSet<&str>,
    kept: &mut Vec<PathBuf>,
) -> Result<(), StoreError> {
    for (name, kind) in folder.entries()? {
        let path = Path::new(below).join(&name);
        let our_path = path.to_str().filter(|path| ours.contains(path));
        match (kind, our_path) {
            (Kind::Folder, Some(our_path)) => {
                if let Some(inner) = folder.below(&name)? {
                    remove_folders(&inner, our_path, ours, kept)?;
                }
                folder.remove_empty(&name)?;
            }
            _ => kept.push(path),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
