//! JSON documents with a version: how they are written, read, and changed by several processes.
//!
//! Every document is `{"version":1,"content":..}`, sealed ones with a hash of the content. It is of bounded size
//! and only ever replaced as a whole, so that a reader needs no lock and sees the old or the new one. A change
//! reads it afresh under a lock file that is never deleted, so that no change is lost. A newer version is left
//! alone; one that cannot be understood reads as empty, and is kept under another name when it is first replaced.

use std::{
    fmt,
    fs::File,
    io::{Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{StoreError, folder::Folder, form, lock, names};
use crate::skill::{id::TreeDigest, tree};

/// The version that this release writes.
const VERSION: u64 = 1;
/// Most documents fit in so many bytes, and are read at one stroke.
const USUAL_BYTES: usize = 8 * 1024;
/// How long a change waits for others; each of them takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// Why a document was read as if it were empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A newer release wrote it, with this version; it is left alone.
    Newer(u64),
    /// It cannot be understood, for this reason.
    Invalid(String),
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newer(version) => write!(formatter, "version {version} is of a newer release"),
            Self::Invalid(reason) => formatter.write_str(reason),
        }
    }
}

/// What a document holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading<T> {
    /// Its content, or that of an empty one.
    pub value: T,
    /// Why it is empty, when it should not be.
    pub note: Option<Note>,
}

#[derive(Deserialize)]
struct VersionOnly {
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Versioned<T> {
    version: u64,
    content: T,
}

/// A document that tells when a byte of it was changed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed<T> {
    version: u64,
    /// Of the JSON of the content, as this release writes it.
    #[serde(with = "form")]
    sha256: [u8; 32],
    content: T,
}

/// The bytes of a document.
pub(super) fn encode<T: Serialize>(content: &T, path: &Path) -> Result<Vec<u8>, StoreError> {
    let document = Versioned { version: VERSION, content };
    let mut bytes = serde_json::to_vec(&document)
        .map_err(|error| StoreError::Invalid { file: path.to_owned(), reason: error.to_string() })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The content of a document.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Note> {
    let other = |version| match version {
        version if version > VERSION => Note::Newer(version),
        version => Note::Invalid(format!("there is no version {version}")),
    };
    match serde_json::from_slice::<Versioned<T>>(bytes) {
        Ok(Versioned { version: VERSION, content }) => Ok(content),
        Ok(Versioned { version, .. }) => Err(other(version)),
        // Only what this release does not understand is read once more, to see whether it need not.
        Err(error) => Err(match serde_json::from_slice::<VersionOnly>(bytes) {
            Ok(VersionOnly { version }) if version != VERSION => other(version),
            _ => Note::Invalid(error.to_string()),
        }),
    }
}

/// The bytes of a document that is read by [`decode_sealed`].
pub(super) fn encode_sealed<T: Serialize>(content: &T, path: &Path) -> Result<Vec<u8>, StoreError> {
    let content = serde_json::to_vec(content)
        .map_err(|error| StoreError::Invalid { file: path.to_owned(), reason: error.to_string() })?;
    let before = before_sealed(tree::content_sha256(&content));
    Ok([before.as_bytes(), &content, AFTER_SEALED].concat())
}

/// What stands before the content of a sealed document with this hash.
fn before_sealed(sha256: [u8; 32]) -> String {
    format!("{{\"version\":{VERSION},\"sha256\":\"{}\",\"content\":", TreeDigest::from_bytes(sha256))
}

/// What stands after the content of a sealed document.
const AFTER_SEALED: &[u8] = b"}\n";

/// The bytes of the content of a sealed document of this version, when no byte of it was changed.
fn unsealed(bytes: &[u8]) -> Option<&[u8]> {
    let (before, rest) = bytes.split_at_checked(before_sealed([0; 32]).len())?;
    let content = rest.strip_suffix(AFTER_SEALED)?;
    (before == before_sealed(tree::content_sha256(content)).as_bytes()).then_some(content)
}

/// The content of a document that nobody changed since [`encode_sealed`] made it. A document of this version
/// whose number alone was changed is not taken for one of a newer release.
pub(super) fn decode_sealed<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, Note> {
    let invalid = |error: serde_json::Error| Note::Invalid(error.to_string());
    if let Some(content) = unsealed(bytes) {
        return serde_json::from_slice(content).map_err(invalid);
    }
    let version = serde_json::from_slice::<VersionOnly>(bytes).map_err(invalid)?.version;
    match serde_json::from_slice::<Sealed<T>>(bytes) {
        Ok(sealed) if sealed.version > VERSION && !sealed.is_whole().map_err(invalid)? => {
            Err(Note::Newer(version))
        }
        Err(_) if version > VERSION => Err(Note::Newer(version)),
        Ok(_) => Err(Note::Invalid("it was changed since it was written".to_owned())),
        Err(error) => Err(invalid(error)),
    }
}

impl<T: Serialize> Sealed<T> {
    /// Whether the hash is that of the content, whatever stands around them.
    fn is_whole(&self) -> Result<bool, serde_json::Error> {
        Ok(tree::content_sha256(&serde_json::to_vec(&self.content)?) == self.sha256)
    }
}

/// The bytes of a file, of which there may be at most `limit`; `None` for more.
pub(super) fn read_bounded(file: File, path: &Path, limit: usize) -> Result<Option<Vec<u8>>, StoreError> {
    let mut bytes = Vec::with_capacity(limit.min(USUAL_BYTES));
    let most = (limit as u64).saturating_add(1);
    file.take(most).read_to_end(&mut bytes).map_err(|error| StoreError::io("read", path, error))?;
    Ok((bytes.len() <= limit).then_some(bytes))
}

/// Reads and understands the document `name`; `None` when there is none.
pub(super) fn read_in<T: DeserializeOwned>(
    folder: &Folder,
    name: &str,
    limit: usize,
) -> Result<Option<Result<T, Note>>, StoreError> {
    read_by(folder, name, limit, decode)
}

/// As [`read_in`], for one that [`encode_sealed`] made.
pub(super) fn read_sealed_in<T: Serialize + DeserializeOwned>(
    folder: &Folder,
    name: &str,
    limit: usize,
) -> Result<Option<Result<T, Note>>, StoreError> {
    read_by(folder, name, limit, decode_sealed)
}

fn read_by<T>(
    folder: &Folder,
    name: &str,
    limit: usize,
    decode: impl FnOnce(&[u8]) -> Result<T, Note>,
) -> Result<Option<Result<T, Note>>, StoreError> {
    let Some(file) = folder.file(name)? else { return Ok(None) };
    let bytes = read_bounded(file, &folder.path().join(name), limit)?;
    let too_large = || Note::Invalid(format!("it is larger than {limit} bytes"));
    Ok(Some(bytes.ok_or_else(too_large).and_then(|bytes| decode(&bytes))))
}

/// Replaces the file `name` as a whole; `temporary` is the name under which it is written.
pub(super) fn replace(
    folder: &Folder,
    name: &str,
    temporary: &str,
    bytes: &[u8],
    durable: bool,
) -> Result<(), StoreError> {
    let path = folder.path().join(temporary);
    let written = folder.create_file(temporary).and_then(|mut file| {
        file.write_all(bytes).map_err(|error| StoreError::io("write", &path, error))?;
        if durable {
            file.sync_data().map_err(|error| StoreError::io("sync", &path, error))?;
        }
        folder.rename(temporary, folder, name)
    });
    match written {
        Ok(_) => Ok(()),
        Err(error) => {
            // On a full disk the half-written file would only be in the way.
            if let Err(left) = folder.remove_file(temporary) {
                tracing::debug!(error = %left, "a half-written file stays until the next change");
            }
            Err(error)
        }
    }
}

/// A document that several processes change.
#[derive(Debug, Clone)]
pub(super) struct Document {
    folder: PathBuf,
    name: String,
    lock: String,
    limit: usize,
    patience: Duration,
    is_durable: bool,
}

impl Document {
    /// The document `name` in `folder`, of at most `limit` bytes.
    pub(super) fn new(folder: &Path, name: &str, limit: usize) -> Self {
        let lock = format!("{name}.lock");
        let (folder, name) = (folder.to_owned(), name.to_owned());
        Self { folder, name, lock, limit, patience: PATIENCE, is_durable: true }
    }

    /// The document at `path`, of at most `limit` bytes.
    pub(super) fn in_file(path: &Path, limit: usize) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Self::new(path.parent().unwrap_or(Path::new("")), &name, limit)
    }

    /// The same with another lock file, which it may share with others.
    pub(super) fn locked_by(mut self, lock: &str) -> Self {
        lock.clone_into(&mut self.lock);
        self
    }

    /// The same for counts: nobody waits long for them, nor for the device to have them. A process that is
    /// killed still loses nothing; a power failure may lose them.
    pub(super) fn for_counts(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self.is_durable = false;
        self
    }

    fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// What it holds now; empty when there is none.
    pub(super) fn read<T: DeserializeOwned + Default>(&self) -> Result<Reading<T>, StoreError> {
        match Folder::open(&self.folder)? {
            Some(folder) => self.read_from(&folder),
            None => Ok(Reading::default()),
        }
    }

    fn read_from<T: DeserializeOwned + Default>(&self, folder: &Folder) -> Result<Reading<T>, StoreError> {
        Ok(match read_in(folder, &self.name, self.limit)? {
            None => Reading::default(),
            Some(Ok(value)) => Reading { value, note: None },
            Some(Err(note)) => {
                tracing::warn!(file = %self.name, reason = %note, "a document is read as empty");
                Reading { value: T::default(), note: Some(note) }
            }
        })
    }

    /// Reads it afresh, changes it and replaces it, while nobody else does.
    pub(super) fn update<T: Serialize + DeserializeOwned + Default, R>(
        &self,
        change: impl FnOnce(&mut T) -> R,
    ) -> Result<R, StoreError> {
        let held = self.hold()?;
        let mut value = held.read()?;
        let result = change(&mut value);
        held.write(&value)?;
        Ok(result)
    }

    /// Keeps everybody else from changing it until the answer goes.
    pub(super) fn hold(&self) -> Result<HeldDocument<'_>, StoreError> {
        let folder = Folder::make(&self.folder)?;
        let guard = lock::document(&folder, &self.lock, self.patience)?;
        Ok(HeldDocument { document: self, folder, guard })
    }

    /// Removes it while nobody changes it; whether there was one. A newer version stays.
    pub(super) fn remove(&self) -> Result<bool, StoreError> {
        if Folder::open(&self.folder)?.is_none() {
            return Ok(false);
        }
        let held = self.hold()?;
        if let Some(Err(Note::Newer(version))) =
            read_in::<serde_json::Value>(&held.folder, &self.name, self.limit)?
        {
            return Err(StoreError::NewerFormat { file: self.path(), version });
        }
        held.remove()
    }
}

/// A document that nobody else changes meanwhile.
pub(super) struct HeldDocument<'a> {
    document: &'a Document,
    folder: Folder,
    guard: lock::DocumentGuard,
}

impl HeldDocument<'_> {
    /// What it holds; one that cannot be understood is put aside.
    pub(super) fn read<T: DeserializeOwned + Default>(&self) -> Result<T, StoreError> {
        let Document { name, .. } = self.document;
        let Reading { value, note } = self.document.read_from(&self.folder)?;
        match note {
            Some(Note::Newer(version)) => {
                return Err(StoreError::NewerFormat { file: self.document.path(), version });
            }
            Some(Note::Invalid(_)) => {
                self.folder.rename(name, &self.folder, format!("{name}.broken"))?;
            }
            None => {}
        }
        Ok(value)
    }

    /// Replaces it.
    pub(super) fn write<T: Serialize>(&self, value: &T) -> Result<(), StoreError> {
        let Document { name, limit, .. } = self.document;
        let bytes = encode(value, &self.document.path())?;
        if bytes.len() > *limit {
            return Err(StoreError::TooLarge { file: self.document.path(), limit: *limit });
        }
        // Under a real lock one name is enough, and what a killed process left is replaced by the next.
        let temporary = if self.guard.is_real {
            let temporary = format!(".{name}.tmp");
            self.folder.remove_file(&temporary)?;
            temporary
        } else {
            names::temporary()
        };
        replace(&self.folder, name, &temporary, &bytes, self.document.is_durable)
    }

    /// Removes it; whether there was one.
    pub(super) fn remove(&self) -> Result<bool, StoreError> {
        self.folder.remove_file(&self.document.name)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, thread};

    use super::*;

    type Counts = BTreeMap<String, u64>;

    #[test]
    fn no_change_of_many_at_once_is_lost() {
        let temp = tempfile::tempdir().unwrap();
        let document = Document::new(&temp.path().join("made/late"), "counts.json", 1 << 20);
        thread::scope(|scope| {
            for thread in 0..8 {
                let document = &document;
                scope.spawn(move || {
                    for _ in 0..50 {
                        document
                            .update(|counts: &mut Counts| {
                                *counts.entry("all".to_owned()).or_default() += 1;
                                *counts.entry(thread.to_string()).or_default() += 1;
                            })
                            .unwrap();
                        assert_eq!(document.read::<Counts>().unwrap().note, None);
                    }
                });
            }
        });
        let counts: Counts = document.read().unwrap().value;
        assert_eq!(counts["all"], 400);
        assert_eq!(counts.len(), 9);
        let left = fs_err::read_dir(temp.path().join("made/late")).unwrap().count();
        assert_eq!(left, 2, "the document and its lock");
    }

    #[test]
    fn a_newer_version_is_left_alone() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("counts.json");
        let newer = br#"{"version":2,"content":{"x":{}},"more":[]}"#;
        fs_err::write(&file, newer).unwrap();
        let document = Document::new(temp.path(), "counts.json", 1000);
        let read = document.read::<Counts>().unwrap();
        assert_eq!(read, Reading { value: Counts::new(), note: Some(Note::Newer(2)) });
        let refused = document.update(|counts: &mut Counts| counts.clear());
        assert!(matches!(refused, Err(StoreError::NewerFormat { version: 2, .. })));
        assert!(matches!(document.remove(), Err(StoreError::NewerFormat { .. })));
        assert_eq!(fs_err::read(&file).unwrap(), newer);
    }

    #[test]
    fn what_cannot_be_understood_reads_as_empty_and_is_kept() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("counts.json");
        let document = Document::new(temp.path(), "counts.json", 60);
        for broken in [
            "",
            "{",
            "[]",
            r#"{"version":0,"content":{}}"#,
            r#"{"version":1,"content":{"x":-1}}"#,
            r#"{"version":1,"content":{},"other":1}"#,
            &format!(r#"{{"version":1,"content":{{}}}}{}"#, " ".repeat(60)),
        ] {
            fs_err::write(&file, broken).unwrap();
            assert!(matches!(document.read::<Counts>().unwrap().note, Some(Note::Invalid(_))), "{broken}");
            document.update(|counts: &mut Counts| counts.insert("x".to_owned(), 1)).unwrap();
            assert_eq!(document.read::<Counts>().unwrap().value["x"], 1);
            assert_eq!(fs_err::read_to_string(temp.path().join("counts.json.broken")).unwrap(), broken);
        }
        let refused = document.update(|counts: &mut Counts| counts.insert("y".repeat(60), 1));
        assert!(matches!(refused, Err(StoreError::TooLarge { .. })));
        assert_eq!(document.read::<Counts>().unwrap().value.len(), 1);
    }

    #[test]
    fn every_byte_of_a_sealed_document_counts() {
        let counts = Counts::from([("x".to_owned(), 1)]);
        let sound = encode_sealed(&counts, Path::new("counts.json")).unwrap();
        assert_eq!(decode_sealed::<Counts>(&sound), Ok(counts));
        let is_noticed = |bytes: &[u8]| matches!(decode_sealed::<Counts>(bytes), Err(Note::Invalid(_)));
        for at in 0..sound.len() {
            let mut changed = sound.clone();
            for byte in (0..=255).filter(|byte| *byte != sound[at]) {
                changed[at] = byte;
                assert!(is_noticed(&changed), "{}", String::from_utf8_lossy(&changed));
            }
            assert!(is_noticed(&sound[..at]), "{at} bytes");
            let spaced = [&sound[..at], b" ", &sound[at..]].concat();
            assert!(is_noticed(&spaced), "{}", String::from_utf8_lossy(&spaced));
        }
        assert!(is_noticed(&[&sound[..], b"\n"].concat()));
    }

    #[test]
    fn what_a_killed_process_left_is_no_obstacle_and_does_not_stay() {
        let temp = tempfile::tempdir().unwrap();
        fs_err::write(temp.path().join(".counts.json.tmp"), "half").unwrap();
        let document = Document::new(temp.path(), "counts.json", 1000);
        document.update(|counts: &mut Counts| counts.insert("x".to_owned(), 1)).unwrap();
        assert!(!temp.path().join(".counts.json.tmp").exists());
        assert!(document.remove().unwrap() && !document.remove().unwrap());
    }
}
