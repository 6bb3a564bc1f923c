//! A `SKILL.md` that came with an answer, and which sighting it belongs to.
//!
//! It counts only when its blob id can be made again from its text, so a preview shows the bytes that a mount
//! would bring. A listing without a path gets only what has its slug; nothing is attributed by likeness.

use std::collections::BTreeMap;

use serde::{Deserialize, de::MapAccess};

use crate::{
    candidate::remote::{Preview, Sighting, without_case},
    skill::{Limits, frontmatter, git::blob_id, id::RepoSlug, name::Slug},
    source::lenient::{Lenient, Part, fields},
};

/// The largest `SKILL.md` that is looked at, in bytes.
const MAX_BYTES: u64 = 262_144;
/// The longest description, in characters.
const MAX_DESCRIPTION: usize = 4096;

/// The folders where a skill of this slug usually lies, the most usual one first. The root is one.
pub(super) fn guesses(skill_id: &str) -> [String; 4] {
    [format!("skills/{skill_id}"), skill_id.to_owned(), String::new(), format!(".claude/skills/{skill_id}")]
}

/// A file as it comes.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Blob {
    oid: Lenient<String>,
    byte_size: Lenient<u64>,
    is_binary: Lenient<bool>,
    is_truncated: Lenient<bool>,
    text: Lenient<String>,
}

impl Part for Blob {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        fields(map)
    }
}

/// Reads a blob; `None` when it is too large, cut, binary, no skill, or not what its id says.
pub(super) fn read(blob: &Blob, folder: &str) -> Option<Preview> {
    let text = blob.text.text()?;
    let size = blob.byte_size.value()?;
    let is_whole = blob.is_binary.value() != Some(true) && blob.is_truncated.value() != Some(true);
    if !is_whole || size > MAX_BYTES || size != text.len() as u64 {
        return None;
    }
    let id = blob_id(text.as_bytes()).ok()?;
    if blob.oid.text()? != id.as_str() {
        return None;
    }
    let folder = folder.rsplit('/').next().unwrap_or_default();
    let header = frontmatter::parse(text.as_bytes(), folder, &Limits::default()).outcome.ok()?;
    if header.description.chars().nth(MAX_DESCRIPTION).is_some() {
        return None;
    }
    let (name, description) = (header.name, header.description);
    Some(Preview {
        blob: id,
        name,
        description,
        when_to_use: header.when_to_use,
        model_invocable: header.model_invocable,
    })
}

/// Adds to a sighting what was seen at its folder, or, when it tells none, at the usual places. What lies at a
/// usual place counts only when its folder or its header has the listing's slug.
pub(in crate::source) fn complete(
    sighting: Sighting,
    seen: &BTreeMap<(RepoSlug, String), Preview>,
) -> Sighting {
    let Some(repository) = sighting.repository.as_ref().map(without_case) else { return sighting };
    let at = |folder: &str| seen.get(&(repository.clone(), folder.to_owned()));
    if let Some(path) = &sighting.path {
        let preview = at(path).cloned();
        return Sighting { preview, ..sighting };
    }
    let belongs = |folder: &str, preview: &Preview| {
        folder.rsplit('/').next() == Some(&sighting.skill_id)
            || Slug::derive(&preview.name, "").as_str() == sighting.skill_id
    };
    let found = guesses(&sighting.skill_id).into_iter().find_map(|folder| {
        at(&folder).filter(|preview| belongs(&folder, preview)).cloned().zip(Some(folder))
    });
    match found {
        Some((preview, folder)) => Sighting { preview: Some(preview), path: Some(folder), ..sighting },
        None => sighting,
    }
}
