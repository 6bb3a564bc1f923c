//! Whether the folder of an entry holds exactly the files that its digest stands for.
//!
//! Every file is hashed, and nothing else may be there. What is found is listed, so that one pass can report
//! all of it; who only wants to use the entry takes the first. Nothing is changed.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs::File,
    io::{ErrorKind, Read},
    path::Path,
};

use sha2::{Digest, Sha256};

use super::{
    Damage, StoreError,
    document::Note,
    folder::{self, Folder, Kind},
    manifest::{self, MANIFEST, ManifestFile},
};
use crate::skill::{id::TreeDigest, path::SkillPath};

/// The folder of an entry's files, beside its manifest.
pub(super) const TREE: &str = "tree";
/// The most that is reported of one entry.
const MOST_FINDINGS: usize = 100;
/// The bytes that are read at a time.
pub(super) const PIECE: usize = 64 * 1024;

/// What was found in the folder of an entry.
#[derive(Debug, Default)]
pub(super) struct Examined {
    /// The files that its manifest lists.
    pub(super) files: Vec<ManifestFile>,
    /// What is not as the manifest says, by path.
    pub(super) damages: Vec<(String, Damage)>,
    /// Paths that could be written or executed. Content decides what is intact, so this is no damage.
    pub(super) loose: Vec<String>,
}

impl Examined {
    /// The files, when all of them are intact.
    pub(super) fn intact(self, digest: &TreeDigest) -> Result<Vec<ManifestFile>, StoreError> {
        match self.damages.into_iter().next() {
            None => Ok(self.files),
            Some((file, what)) => Err(StoreError::Damaged { digest: *digest, file, what }),
        }
    }
}

/// Examines the folder of the entry `digest`.
///
/// # Errors
///
/// [`StoreError::NewerFormat`] for an entry of a newer release; what the system refuses other than for the
/// permissions of a file.
pub(super) fn examine(entry: &Folder, digest: &TreeDigest) -> Result<Examined, StoreError> {
    let files = match manifest::read(entry, digest)? {
        Ok(files) => files,
        Err(Note::Newer(version)) => {
            return Err(StoreError::NewerFormat { file: entry.path().join(MANIFEST), version });
        }
        Err(Note::Invalid(_)) => {
            let damages = vec![(MANIFEST.to_owned(), Damage::Manifest)];
            return Ok(Examined { damages, ..Examined::default() });
        }
    };
    let mut walk = Walk::new(&files);
    for (name, kind) in entry.entries()? {
        match name.to_str() {
            Some(MANIFEST) => {}
            Some(TREE) if kind == Kind::Folder => {}
            Some(TREE) => walk.damage(TREE.to_owned(), damage_of(kind)),
            _ => walk.damage(name.to_string_lossy().into_owned(), Damage::Extra),
        }
    }
    match entry.below(TREE) {
        Ok(Some(tree)) => walk.folder(&tree, "")?,
        Ok(None) => {}
        Err(StoreError::Foreign { .. }) => walk.damage(TREE.to_owned(), Damage::Kind),
        Err(error) => walk.unreadable(TREE.to_owned(), error)?,
    }
    let Walk { unseen, mut damages, loose, .. } = walk;
    damages.extend(unseen.into_keys().map(|path| (path.to_owned(), Damage::Missing)));
    damages.sort();
    damages.dedup_by(|left, right| left.0 == right.0);
    damages.truncate(MOST_FINDINGS);
    Ok(Examined { files, damages, loose })
}

fn damage_of(kind: Kind) -> Damage {
    if kind == Kind::Link { Damage::Link } else { Damage::Kind }
}

/// What a folder of the tree is called in findings.
fn name_of(below: &str) -> String {
    if below.is_empty() { TREE.to_owned() } else { below.to_owned() }
}

struct Walk<'a> {
    /// The files that were not met yet.
    unseen: BTreeMap<&'a str, &'a ManifestFile>,
    folders: BTreeSet<&'a str>,
    damages: Vec<(String, Damage)>,
    loose: Vec<String>,
    piece: Vec<u8>,
}

impl<'a> Walk<'a> {
    fn new(files: &'a [ManifestFile]) -> Self {
        let unseen: BTreeMap<_, _> = files.iter().map(|file| (file.path.as_str(), file)).collect();
        let above = |path: &'a str| path.match_indices('/').map(move |(end, _)| &path[..end]);
        let folders = unseen.keys().flat_map(|path| above(path)).collect();
        // Small files, as most are, need no piece that takes longer to clear than to fill.
        let largest = files.iter().map(|file| file.size).max().unwrap_or(0);
        let piece = usize::try_from(largest).map_or(PIECE, |largest| PIECE.min(largest.saturating_add(1)));
        Self { unseen, folders, damages: Vec::new(), loose: Vec::new(), piece: vec![0; piece] }
    }

    fn damage(&mut self, path: String, what: Damage) {
        // More is looked at, but a flood of foreign files shall not fill the memory.
        if self.damages.len() < MOST_FINDINGS {
            self.damages.push((path, what));
        }
    }

    /// Notes that the system does not let a file be read; other refusals are no finding about the entry.
    fn unreadable(&mut self, path: String, error: StoreError) -> Result<(), StoreError> {
        match error {
            StoreError::Io { source, .. } if source.kind() == ErrorKind::PermissionDenied => {
                self.damage(path, Damage::Mode);
                Ok(())
            }
            error => Err(error),
        }
    }

    fn folder(&mut self, folder: &Folder, below: &str) -> Result<(), StoreError> {
        if folder.mode()? & 0o222 != 0 && self.loose.len() < MOST_FINDINGS {
            self.loose.push(name_of(below));
        }
        let entries = match folder.entries() {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(name_of(below), error),
        };
        for (name, kind) in entries {
            let path = match (below, name.to_string_lossy()) {
                ("", name) => name.into_owned(),
                (below, name) => format!("{below}/{name}"),
            };
            let is_folder = self.folders.contains(path.as_str());
            let expected = self.unseen.get(path.as_str()).copied();
            match (kind, expected) {
                (Kind::Folder, None) if is_folder => match folder.below(&name) {
                    Ok(Some(inner)) => self.folder(&inner, &path)?,
                    Ok(None) => {}
                    Err(error) => self.unreadable(path, error)?,
                },
                (Kind::File, Some(file)) => self.file(folder, &name, file)?,
                (kind, expected) if is_folder || expected.is_some() => {
                    self.unseen.remove(path.as_str());
                    self.damage(path, damage_of(kind));
                }
                _ => self.damage(path, Damage::Extra),
            }
        }
        Ok(())
    }

    fn file(&mut self, folder: &Folder, name: &OsStr, expected: &'a ManifestFile) -> Result<(), StoreError> {
        let path = expected.path.as_str();
        self.unseen.remove(path);
        let file = match folder.file(name) {
            Ok(Some(file)) => file,
            Ok(None) => {
                self.damage(path.to_owned(), Damage::Missing);
                return Ok(());
            }
            Err(StoreError::Foreign { .. }) => {
                self.damage(path.to_owned(), Damage::Kind);
                return Ok(());
            }
            Err(error) => return self.unreadable(path.to_owned(), error),
        };
        let full_path = folder.path().join(name);
        if folder::file_mode(&file, &full_path)? & 0o333 != 0 && self.loose.len() < MOST_FINDINGS {
            self.loose.push(path.to_owned());
        }
        if !is_content_of(file, &full_path, expected.into(), &mut self.piece, |_| Ok(()))? {
            self.damage(path.to_owned(), Damage::Changed);
        }
        Ok(())
    }
}

/// What a file must be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    pub(super) size: u64,
    pub(super) sha256: [u8; 32],
}

impl From<&ManifestFile> for Expected {
    fn from(file: &ManifestFile) -> Self {
        Self { size: file.size, sha256: file.sha256 }
    }
}

/// Whether a file has the length and the hash that are expected. Each piece is passed on as it is read; what
/// was passed on counts for nothing when the answer is no.
pub(super) fn is_content_of(
    mut file: File,
    path: &Path,
    expected: Expected,
    piece: &mut [u8],
    mut each: impl FnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<bool, StoreError> {
    let failed = |error| StoreError::io("read", path, error);
    if file.metadata().map_err(failed)?.len() != expected.size {
        return Ok(false);
    }
    let mut hash = Sha256::new();
    let mut size = 0;
    loop {
        let length = match file.read(piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(failed(error)),
        };
        size += length as u64;
        if size > expected.size {
            return Ok(false);
        }
        hash.update(&piece[..length]);
        each(&piece[..length])?;
    }
    Ok(size == expected.size && <[u8; 32]>::from(hash.finalize()) == expected.sha256)
}

/// Reads a file of an entry, or says what is wrong with it.
pub(super) fn read(tree: &Folder, expected: &ManifestFile) -> Result<Result<Vec<u8>, Damage>, StoreError> {
    let mut content = Vec::new();
    let copied = copy(tree, expected, &mut vec![0; PIECE], |piece| {
        content.extend_from_slice(piece);
        Ok(())
    })?;
    Ok(copied.map(|()| content))
}

/// Passes the content of a file of an entry on as it is hashed, or says what is wrong with it.
pub(super) fn copy(
    tree: &Folder,
    expected: &ManifestFile,
    piece: &mut [u8],
    each: impl FnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<Result<(), Damage>, StoreError> {
    let file = match file(tree, &expected.path) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(Err(Damage::Missing)),
        Err(StoreError::Foreign { .. }) => return Ok(Err(Damage::Kind)),
        Err(error) => return Err(error),
    };
    let path = tree.path().join(expected.path.as_str());
    Ok(if is_content_of(file, &path, expected.into(), piece, each)? { Ok(()) } else { Err(Damage::Changed) })
}

/// Opens a file of a skill; `None` when it is missing.
pub(super) fn file(tree: &Folder, path: &SkillPath) -> Result<Option<File>, StoreError> {
    match open(tree, path)? {
        Some((folder, name)) => folder.as_ref().unwrap_or(tree).file(name),
        None => Ok(None),
    }
}

/// The folder that a file of a skill lies in, opened step by step, where it is not `tree` itself; and the name
/// of the file. `None` when one of the folders is missing.
pub(super) fn open<'a>(
    tree: &Folder,
    path: &'a SkillPath,
) -> Result<Option<(Option<Folder>, &'a str)>, StoreError> {
    let path = path.as_str();
    let Some((folders, name)) = path.rsplit_once('/') else { return Ok(Some((None, path))) };
    let mut inner: Option<Folder> = None;
    for name in folders.split('/') {
        inner = inner.as_ref().unwrap_or(tree).below(name)?;
        if inner.is_none() {
            return Ok(None);
        }
    }
    Ok(Some((inner, name)))
}
