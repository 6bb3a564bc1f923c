//! Pins: where the content of an entry comes from, and what was known of it when it was stored.
//!
//! One file a pin, named for its identity, sealed with a hash and replaced as a whole. Several pins may name one entry. A file
//! that cannot be understood is reported and left alone, as is one of a newer release.

use std::{io::Write, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    PINS, Store, StoreError,
    document::{self, Note},
    durable,
    folder::{Folder, Kind},
    form, names,
};
use crate::{
    candidate::{identity::Identity, remote::SourceKind},
    skill::{
        id::{CommitSha, RepoSlug, TreeDigest, TreeSha},
        name::Slug,
        time::UnixMillis,
    },
};

/// One pin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinRecord {
    /// The hash of host, repository, commit and path.
    #[serde(with = "form")]
    pub identity: Identity,
    /// The host that a person would open.
    pub host: String,
    /// The repository under the name it had then.
    #[serde(with = "form")]
    pub repository: RepoSlug,
    /// The number that its host gave it.
    pub repository_id: Option<u64>,
    /// The number of its owner.
    pub owner_id: Option<u64>,
    /// The name it was asked by, when that was an older one.
    #[serde(with = "form::optional")]
    pub renamed_from: Option<RepoSlug>,
    /// The commit.
    #[serde(with = "form")]
    pub commit: CommitSha,
    /// The folder in the repository, empty for its root.
    pub path: String,
    /// The branch or tag that a person named.
    pub reference: Option<String>,
    /// The name under which it is mounted.
    #[serde(with = "form")]
    pub name: Slug,
    /// The name in its header, as written.
    pub title: String,
    /// What it is for, as written in its header.
    pub description: String,
    /// The entry.
    #[serde(with = "form")]
    pub digest: TreeDigest,
    /// The tree of the commit.
    #[serde(with = "form")]
    pub root_tree: TreeSha,
    /// The tree of the folder.
    #[serde(with = "form")]
    pub tree: TreeSha,
    /// The sources that offered it.
    pub sources: Vec<SourceKind>,
    /// Installations that a source counted.
    pub installs: Option<u64>,
    /// Stars of the repository.
    pub stars: Option<u64>,
    /// Its quality of 0 to 100.
    pub quality: Option<u8>,
    /// The word for what was known of its origin.
    pub evidence: Option<String>,
    /// When the repository was last pushed to.
    #[serde(with = "form::optional")]
    pub pushed_at: Option<UnixMillis>,
    /// When it was stored.
    #[serde(with = "form")]
    pub installed_at: UnixMillis,
    /// What was left out with a person's leave.
    pub omitted: Vec<OmittedFile>,
    /// The size of its files.
    pub total_bytes: u64,
    /// How many files it has.
    pub files: usize,
}

/// A file that is no part of the entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OmittedFile {
    /// Its path in the skill, as the tree has it.
    pub path: String,
    /// The code of the refusal that was allowed.
    pub code: String,
}

/// All pins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pins {
    /// The newest first, equal ones by identity.
    pub records: Vec<PinRecord>,
    /// Files in the folder of pins that cannot be understood, by name.
    pub invalid: Vec<InvalidPin>,
}

/// A pin that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidPin {
    /// Its file.
    pub file: PathBuf,
    /// Why, in words.
    pub reason: String,
    /// The version that a newer release gave it.
    pub newer: Option<u64>,
}

/// The most bytes of a pin; its text comes from headers of at most 16 KiB.
const LIMIT: usize = 512 * 1024;

impl Store {
    /// All pins; none when there is no cache.
    pub fn pins(&self) -> Result<Pins, StoreError> {
        match self.open_root()? {
            Some(root) => read_all(&root),
            None => Ok(Pins::default()),
        }
    }

    /// The pin with this identity.
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`] and [`StoreError::NewerFormat`] for a file that cannot be understood.
    pub fn pin(&self, identity: &Identity) -> Result<Option<PinRecord>, StoreError> {
        let Some(root) = self.open_root()? else { return Ok(None) };
        let Some(pins) = root.below(PINS)? else { return Ok(None) };
        let name = names::pin(identity);
        let file = || pins.path().join(&name);
        match read_one(&pins, identity)? {
            None => Ok(None),
            Some(Ok(record)) => Ok(Some(record)),
            Some(Err(Note::Newer(version))) => Err(StoreError::NewerFormat { file: file(), version }),
            Some(Err(Note::Invalid(reason))) => Err(StoreError::Invalid { file: file(), reason }),
        }
    }
}

/// All pins below the root of the store.
pub(super) fn read_all(root: &Folder) -> Result<Pins, StoreError> {
    let mut all = Pins::default();
    let Some(pins) = root.below(PINS)? else { return Ok(all) };
    for (name, kind) in pins.entries()? {
        let Some(identity) = names::pinned(&name) else { continue };
        let note = match kind {
            Kind::File => match read_one(&pins, &identity)? {
                Some(Ok(record)) => {
                    all.records.push(record);
                    continue;
                }
                Some(Err(note)) => note,
                None => continue,
            },
            _ => Note::Invalid("it is no regular file".to_owned()),
        };
        let newer = if let Note::Newer(version) = note { Some(version) } else { None };
        all.invalid.push(InvalidPin { file: pins.path().join(&name), reason: note.to_string(), newer });
    }
    all.records.sort_by(|left, right| {
        right.installed_at.cmp(&left.installed_at).then_with(|| left.identity.cmp(&right.identity))
    });
    Ok(all)
}

fn read_one(pins: &Folder, identity: &Identity) -> Result<Option<Result<PinRecord, Note>>, StoreError> {
    let found = document::read_sealed_in::<PinRecord>(pins, &names::pin(identity), LIMIT)?;
    Ok(found.map(|found| {
        found.and_then(|record| {
            let is_named = record.identity == *identity;
            if is_named {
                Ok(record)
            } else {
                Err(Note::Invalid("it is the pin of another skill".to_owned()))
            }
        })
    }))
}

/// Writes a pin to the new file `name` in `folder`, and gives its path.
pub(super) fn prepare(folder: &Folder, name: &str, record: &PinRecord) -> Result<PathBuf, StoreError> {
    let path = folder.path().join(name);
    let bytes = document::encode_sealed(record, &path)?;
    let mut file = folder.create_file(name)?;
    file.write_all(&bytes).map_err(|error| StoreError::io("write", &path, error))?;
    Ok(path)
}

/// Gives the pin that was prepared as `name` in `folder` its place; the caller has `gc.lock`.
pub(super) fn publish(
    root: &Folder,
    folder: &Folder,
    name: &str,
    record: &PinRecord,
    durable: bool,
) -> Result<(), StoreError> {
    let pins = root.make_below(PINS)?;
    let place = names::pin(&record.identity);
    if let Some(Err(Note::Newer(version))) = read_one(&pins, &record.identity)? {
        return Err(StoreError::NewerFormat { file: pins.path().join(place), version });
    }
    folder.rename(name, &pins, place)?;
    if durable { durable::sync_to_the_top(&[], pins.path()) } else { Ok(()) }
}

/// The entry that a pin of a newer release names, if it still says so where this release does.
pub(super) fn digest_in(root: &Folder, pin: &InvalidPin) -> Result<Option<TreeDigest>, StoreError> {
    let Some(pins) = root.below(PINS)? else { return Ok(None) };
    let Some(name) = pin.file.file_name() else { return Ok(None) };
    let Some(file) = pins.file(name)? else { return Ok(None) };
    let Some(bytes) = document::read_bounded(file, &pin.file, LIMIT)? else { return Ok(None) };
    let digest =
        |value: serde_json::Value| TreeDigest::parse(value.get("content")?.get("digest")?.as_str()?).ok();
    Ok(serde_json::from_slice(&bytes).ok().and_then(digest))
}
