//! Which folder of a repository is the wanted skill.
//!
//! A path is taken at its word. A name is looked for among the folders that hold a `SKILL.md`: the same
//! spelling first, then the same slug, then, when no folder fits, the names in the headers of at most
//! [`MAX_HEADERS`] files. Folders with one and the same tree are one skill, named by the first path;
//! different ones are never chosen between.

use super::{error::FetchError, pin::Rules, tree::TreeListing};
use crate::skill::{
    git::{self, Collision, Mode},
    id::{BlobSha, RepoSlug, TreeSha},
    name::Slug,
};

/// The most `SKILL.md` files that are read to find a name.
pub(super) const MAX_HEADERS: usize = 40;
/// The most similar names that an error lists.
const MAX_SIMILAR: usize = 5;

/// A folder with a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folder {
    /// Its path in the repository, empty for the root.
    pub(super) path: String,
    /// Its tree.
    pub(super) tree: TreeSha,
}

/// A `SKILL.md` to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SkillFile {
    /// The folder that it lies in.
    pub(super) folder: Folder,
    /// Its content.
    pub(super) blob: BlobSha,
    /// Its length, when that is known.
    pub(super) size: Option<u64>,
}

impl SkillFile {
    /// Whether `bytes` are those that its id names.
    pub(super) fn check(&self, bytes: &[u8]) -> Result<(), FetchError> {
        let path = || format!("{}/SKILL.md", self.folder.path);
        match git::blob_id(bytes) {
            Ok(blob) if blob == self.blob => Ok(()),
            Ok(_) => Err(FetchError::BlobBytes { path: path(), blob: self.blob.clone() }),
            Err(Collision) => Err(FetchError::Collision { path: path() }),
        }
    }
}

/// What a name led to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// One folder.
    Folder(Folder),
    /// No folder has the name, but one of these headers may.
    Headers(Vec<SkillFile>),
}

/// Splits what a person gave as a path into a folder: slashes at the ends and a final `SKILL.md` are
/// forgiven.
pub(super) fn folder_of(path: &str) -> &str {
    let path = path.trim_matches('/');
    match path.strip_suffix("SKILL.md") {
        Some("") => "",
        Some(folder) => folder.strip_suffix('/').unwrap_or(path),
        None => path,
    }
}

/// The skill in the folder at `path`.
pub(super) fn by_path(
    listing: &TreeListing,
    repository: &RepoSlug,
    path: &str,
) -> Result<Folder, FetchError> {
    let path = folder_of(path);
    let missing = || not_found(repository, path, similar(listing, path));
    let tree = listing.folder(path).ok_or_else(missing)?;
    if holds_skill(listing, path)? { Ok(Folder { path: path.to_owned(), tree }) } else { Err(missing()) }
}

/// Whether the folder holds a `SKILL.md`; a link or another spelling of the name is refused.
pub(super) fn holds_skill(listing: &TreeListing, folder: &str) -> Result<bool, FetchError> {
    let path = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    match listing.get(&path("SKILL.md")).map(|entry| entry.mode) {
        Some(Mode::File | Mode::Executable) => return Ok(true),
        Some(Mode::Link) => return Err(refused("SKILL.md", "tree_symlink")),
        Some(Mode::Submodule) => return Err(refused("SKILL.md", "tree_submodule")),
        Some(Mode::Tree) | None => {}
    }
    let other = listing.below(folder).find(|(name, entry)| {
        name.eq_ignore_ascii_case("SKILL.md") && matches!(entry.mode, Mode::File | Mode::Executable)
    });
    match other {
        Some((name, _)) => Err(refused(name, "skill_file_case")),
        None => Ok(false),
    }
}

fn refused(path: &str, code: &'static str) -> FetchError {
    FetchError::Refused { path: path.to_owned(), code }
}

/// The skill whose folder is called `name`; for the root, the repository's name counts.
pub(super) fn by_name(
    listing: &TreeListing,
    repository: &RepoSlug,
    name: &str,
    rules: &Rules,
    reference_to: &dyn Fn(&str) -> String,
) -> Result<Named, FetchError> {
    let called = |folder: &str| {
        let last = folder.rsplit('/').next().unwrap_or(folder);
        if last.is_empty() { repository.name().to_owned() } else { last.to_owned() }
    };
    let slug = Slug::derive(name, name);
    let folders = || listing.skills().map(|(folder, _)| folder);
    let exact: Vec<&str> = folders().filter(|folder| called(folder) == name).collect();
    let found = if exact.is_empty() {
        folders().filter(|folder| Slug::derive(&called(folder), "") == slug).collect()
    } else {
        exact
    };
    if !found.is_empty() {
        let found = found.into_iter().filter_map(|path| folder(listing, path)).collect();
        return one(found, name, reference_to).map(Named::Folder);
    }
    let files: Vec<SkillFile> = listing
        .skills()
        .filter(|(_, entry)| entry.size.is_none_or(|size| size <= rules.limits.skill_file_bytes))
        .filter_map(|(path, entry)| {
            let blob = BlobSha::parse(&entry.id).ok()?;
            Some(SkillFile { folder: folder(listing, path)?, blob, size: entry.size })
        })
        .collect();
    if files.is_empty() {
        return Err(not_found(repository, name, similar(listing, name)));
    }
    if files.len() > MAX_HEADERS {
        let (repository, name) = (repository.clone(), name.to_owned());
        return Err(FetchError::TooManyHeaders { repository, name, skills: files.len() });
    }
    Ok(Named::Headers(files))
}

/// The skill whose header says `name`.
pub(super) fn by_header(
    headers: Vec<(SkillFile, String)>,
    repository: &RepoSlug,
    name: &str,
    reference_to: &dyn Fn(&str) -> String,
) -> Result<Folder, FetchError> {
    let slug = Slug::derive(name, name);
    let is_exact = headers.iter().any(|(_, header)| header == name);
    let fits = |header: &str| if is_exact { header == name } else { Slug::derive(header, "") == slug };
    let (found, others): (Vec<_>, Vec<_>) = headers.into_iter().partition(|(_, header)| fits(header));
    if found.is_empty() {
        let similar = others.into_iter().map(|(file, _)| file.folder.path).take(MAX_SIMILAR).collect();
        return Err(not_found(repository, name, similar));
    }
    one(found.into_iter().map(|(file, _)| file.folder).collect(), name, reference_to)
}

/// The error for what is not there.
pub(super) fn not_found(repository: &RepoSlug, wanted: &str, similar: Vec<String>) -> FetchError {
    FetchError::SkillNotFound { repository: repository.clone(), wanted: wanted.to_owned(), similar }
}

fn folder(listing: &TreeListing, path: &str) -> Option<Folder> {
    Some(Folder { path: path.to_owned(), tree: listing.folder(path)? })
}

/// The one skill among `found`. Of folders with one tree, the first by path stands for all.
fn one(
    mut found: Vec<Folder>,
    name: &str,
    reference_to: &dyn Fn(&str) -> String,
) -> Result<Folder, FetchError> {
    found.sort_by(|left, right| left.path.cmp(&right.path));
    let mut different: Vec<Folder> = Vec::new();
    for folder in found {
        if different.iter().all(|other| other.tree != folder.tree) {
            different.push(folder);
        }
    }
    match <[Folder; 1]>::try_from(different) {
        Ok([folder]) => Ok(folder),
        Err(several) => {
            let places = several.iter().map(|folder| reference_to(&folder.path)).collect();
            Err(FetchError::Ambiguous { name: name.to_owned(), places })
        }
    }
}

/// Folders with skills that lie below the wanted one, or whose last segment has something in common with it.
fn similar(listing: &TreeListing, wanted: &str) -> Vec<String> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let below = format!("{wanted}/");
    let wanted = last(wanted);
    let words: Vec<&str> = wanted.split(['-', '_', '.', ' ']).filter(|word| word.len() > 2).collect();
    let mut ranked: Vec<(usize, &str)> = listing
        .skills()
        .filter(|(folder, _)| !folder.is_empty())
        .filter_map(|(folder, _)| {
            let name = last(folder);
            let shared = words.iter().filter(|word| name.contains(**word)).count();
            let whole = if name == wanted || folder.starts_with(&below) { 100 } else { 0 };
            (shared + whole > 0).then_some((shared + whole, folder))
        })
        .collect();
    ranked.sort_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(right.1)));
    ranked.into_iter().take(MAX_SIMILAR).map(|(_, folder)| folder.to_owned()).collect()
}

#[cfg(test)]
mod tests;
