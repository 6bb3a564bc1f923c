//! Skills found again: where each lies is remembered, and what its header says is read anew.

use std::{
    ffi::OsStr,
    path::{Component, Path},
};

use super::{
    local::{self, Discovery, Home, LocalSkill, RootReport},
    roots::Root,
    stored::{self, Stored},
    survey, walk,
};
use crate::skill::{Limits, bundled::BUNDLED, diagnostic::Code};

/// Where a skill lies, as bytes that an index can keep.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(Vec<u8>);

const IN_FOLDER: u8 = b'f';
const BUNDLED_SKILL: u8 = b'b';

impl Place {
    /// Where a skill of a discovery lies; stored skills are found by their pin instead.
    pub fn of(skill: &LocalSkill, roots: &[RootReport]) -> Self {
        let mut bytes = Vec::new();
        match &skill.home {
            Home::Folder { folder, .. } => {
                bytes.push(IN_FOLDER);
                let root = roots[skill.root].root.path.as_os_str().as_encoded_bytes();
                bytes.extend_from_slice(&u32::try_from(root.len()).unwrap_or_default().to_le_bytes());
                bytes.extend_from_slice(root);
                bytes.extend_from_slice(folder.as_os_str().as_encoded_bytes());
            }
            Home::Bundled(bundled) => {
                bytes.push(BUNDLED_SKILL);
                bytes.extend_from_slice(bundled.name.as_bytes());
            }
        }
        Self(bytes)
    }

    /// The place of bytes that were kept.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The folder of the root and the folder of the skill, which lies in it.
    fn folders(&self) -> Option<(&Path, &Path)> {
        let rest = self.0.strip_prefix(&[IN_FOLDER])?;
        let (length, rest) = rest.split_first_chunk()?;
        let (root, folder) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        let (root, folder) = (path(root)?, path(folder)?);
        let mut below = folder.strip_prefix(root).ok()?.components();
        below.all(|part| matches!(part, Component::Normal(_))).then_some((root, folder))
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere bytes may be no path")]
pub(super) fn path(bytes: &[u8]) -> Option<&Path> {
    Some(Path::new(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes)))
}

#[cfg(not(unix))]
pub(super) fn path(bytes: &[u8]) -> Option<&Path> {
    std::str::from_utf8(bytes).ok().map(|text| Path::new(OsStr::new(text)))
}

/// The whole `SKILL.md` of a skill.
///
/// # Errors
///
/// The code of what is wrong with the file.
pub fn content(skill: &LocalSkill, limits: &Limits) -> Result<Vec<u8>, Code> {
    match &skill.home {
        Home::Folder { folder, file_name } => walk::content(folder, file_name, limits),
        Home::Bundled(bundled) => Ok(bundled.skill_file().as_bytes().to_vec()),
    }
}

/// Reads the skills of these places and these stored ones, and says which skill of the discovery each place has
/// become; `None` for one that is gone. `roots` are those that the places were found in.
pub fn gather(
    roots: &[Root],
    limits: &Limits,
    places: &[Place],
    cache: &Path,
    stored: Vec<Stored>,
) -> (Discovery, Vec<Option<usize>>) {
    let mut discovery = Discovery::default();
    discovery.roots.extend(roots.iter().map(|root| RootReport { root: root.clone(), same_as: None }));
    let mut found = Vec::new();
    for place in places {
        let skill = place.folders().and_then(|(root, folder)| {
            let root = roots.iter().position(|known| known.path == root)?;
            let real = fs_err::canonicalize(folder).ok()?;
            let skill = survey::one_folder(folder, &real, limits).ok()?.skills.pop()?;
            Some(LocalSkill::found(root, skill))
        });
        found.push(skill.map(|skill| {
            discovery.skills.push(skill);
            discovery.skills.len() - 1
        }));
    }
    stored::add(&mut discovery, cache, stored, limits);
    local::add_bundled(&mut discovery, limits);
    for (place, found) in places.iter().zip(&mut found) {
        if let Some((&BUNDLED_SKILL, name)) = place.0.split_first()
            && BUNDLED.iter().any(|bundled| bundled.name.as_bytes() == name)
        {
            *found = discovery.skills.iter().position(
                |skill| matches!(&skill.home, Home::Bundled(bundled) if bundled.name.as_bytes() == name),
            );
        }
    }
    (discovery, found)
}
