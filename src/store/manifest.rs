//! The manifest of an entry: its files, with what it takes to know each of them again.
//!
//! The name of the entry's folder is the digest over exactly these files, so that a manifest that was changed
//! does not fit its folder any more; what is no part of the digest is under the seal of the document. It lies beside the files, not among them.

use serde::{Deserialize, Serialize};

use super::{
    StoreError,
    document::{self, Note},
    folder::Folder,
    form,
};
use crate::skill::{
    id::{BlobSha, TreeDigest},
    path::{PathSet, SkillPath},
    tree::{self, TreeFile},
};

/// The name of its file.
pub(super) const MANIFEST: &str = "manifest.json";
/// The most bytes: several times what 1,000 files with the longest paths take.
const LIMIT: usize = 16 * 1024 * 1024;

/// A file of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestFile {
    /// Its path in the skill.
    #[serde(with = "form")]
    pub path: SkillPath,
    /// Its length in bytes.
    pub size: u64,
    /// The SHA-256 of its content.
    #[serde(with = "form")]
    pub sha256: [u8; 32],
    /// The id of its content in git.
    #[serde(with = "form")]
    pub blob: BlobSha,
    /// Whether it is marked executable where it comes from; in the store no file is.
    pub executable: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    files: Vec<ManifestFile>,
}

/// The bytes of the manifest of these files.
pub(super) fn encode(files: Vec<ManifestFile>, entry: &Folder) -> Result<Vec<u8>, StoreError> {
    document::encode_sealed(&Manifest { files }, &entry.path().join(MANIFEST))
}

/// The files of the entry in this folder, which is named `digest`; or why its manifest is none of this entry.
pub(super) fn read(
    entry: &Folder,
    digest: &TreeDigest,
) -> Result<Result<Vec<ManifestFile>, Note>, StoreError> {
    let found = match document::read_sealed_in::<Manifest>(entry, MANIFEST, LIMIT) {
        Ok(found) => found,
        Err(StoreError::Foreign { .. }) => Some(Err(Note::Invalid("it is no regular file".to_owned()))),
        Err(error) => return Err(error),
    };
    Ok(match found {
        None => Err(Note::Invalid("it is missing".to_owned())),
        Some(found) => found.and_then(|manifest| check(manifest.files, digest)),
    })
}

fn check(files: Vec<ManifestFile>, digest: &TreeDigest) -> Result<Vec<ManifestFile>, Note> {
    let mut names = PathSet::default();
    for file in &files {
        names
            .insert(&file.path)
            .map_err(|other| Note::Invalid(format!("`{}` collides with `{other}`", file.path)))?;
    }
    if !files.is_sorted_by(|left, right| left.path < right.path) {
        return Err(Note::Invalid("its files are not in order".to_owned()));
    }
    if digest_of(&files) == *digest {
        Ok(files)
    } else {
        Err(Note::Invalid("its files do not give the digest of the entry".to_owned()))
    }
}

fn digest_of(files: &[ManifestFile]) -> TreeDigest {
    let tree_file = |file: &ManifestFile| TreeFile {
        path: file.path.clone(),
        executable: file.executable,
        size: file.size,
        sha256: file.sha256,
    };
    tree::digest(&files.iter().map(tree_file).collect::<Vec<_>>())
}
