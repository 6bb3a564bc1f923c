//! Lists of trees, believed only when every id in them can be made again.
//!
//! A host lists a tree with everything below it. The list is taken apart into folders and the id of each
//! folder is recomputed from its entries, from the bottom up to the tree that was asked for; whatever is
//! missing, added, renamed or changed shows. Names that no tree can hold refuse the whole list. Names that
//! a skill may not have are no concern here, since most of a repository is not the skill.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use crate::skill::{
    git::{self, Mode},
    id::TreeSha,
};

/// The most entries that a host lists in one answer.
pub(super) const MAX_ENTRIES: usize = 100_000;

/// Why a list of a tree is not believed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TreeError {
    /// The list is that of another tree.
    #[error("the list is of `{found}` instead of `{asked}`")]
    Other {
        /// What was asked for.
        asked: String,
        /// What came.
        found: String,
    },
    /// A name that no tree can hold.
    #[error("`{path}` cannot be a path in a tree")]
    Path {
        /// The path as listed.
        path: String,
        /// What is wrong with it.
        code: &'static str,
    },
    /// A mode that git does not write.
    #[error("`{path}` has the unknown mode `{mode}`")]
    Mode {
        /// The path as listed.
        path: String,
        /// The mode as listed.
        mode: String,
    },
    /// The mode says another type than the type.
    #[error("`{path}` has a mode and a type that contradict each other")]
    Type {
        /// The path as listed.
        path: String,
    },
    /// An id that is none.
    #[error("`{path}` has no valid object id")]
    Id {
        /// The path as listed.
        path: String,
    },
    /// A size that is none, or none at all for a file.
    #[error("`{path}` has no valid size")]
    Size {
        /// The path as listed.
        path: String,
    },
    /// The same path twice.
    #[error("`{path}` is listed twice")]
    Duplicate {
        /// The path as listed.
        path: String,
    },
    /// A path below a file.
    #[error("`{path}` lies below something that is no folder")]
    Clash {
        /// The path as listed.
        path: String,
    },
    /// A path in a folder that is not listed.
    #[error("`{path}` lies in a folder that is not listed")]
    Orphan {
        /// The path as listed.
        path: String,
    },
    /// The entries of a folder do not give the folder's id.
    #[error("the entries of `{folder}` do not give its id `{id}`")]
    WrongId {
        /// The folder, empty for the tree that was asked for.
        folder: String,
        /// The id that it should have.
        id: String,
    },
    /// A folder bears the marks of a SHA-1 collision.
    #[error("`{folder}` bears the marks of a SHA-1 collision")]
    Collision {
        /// The folder.
        folder: String,
    },
    /// More entries than a host ever lists.
    #[error("the list has more than {MAX_ENTRIES} entries")]
    TooMany,
}

impl TreeError {
    /// The code used in JSON and diagnostics.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Other { .. } => "tree_other",
            Self::Path { code, .. } => code,
            Self::Mode { .. } => "tree_mode",
            Self::Type { .. } => "tree_type",
            Self::Id { .. } => "tree_entry_id",
            Self::Size { .. } => "tree_entry_size",
            Self::Duplicate { .. } => "tree_duplicate",
            Self::Clash { .. } => "tree_clash",
            Self::Orphan { .. } => "tree_orphan",
            Self::WrongId { .. } => "tree_wrong_id",
            Self::Collision { .. } => "sha1_collision",
            Self::TooMany => "tree_too_large",
        }
    }
}

/// A tree as GitHub lists it.
#[derive(Debug, Deserialize)]
pub struct TreeAnswer {
    /// The id of the listed tree.
    pub sha: String,
    /// Its entries.
    pub tree: Vec<Item>,
    /// Whether the list is only the beginning.
    #[serde(default)]
    pub truncated: bool,
}

/// One entry as listed.
#[derive(Debug, Clone, Deserialize)]
pub struct Item {
    /// Its path in the listed tree.
    pub path: String,
    /// Six octal digits.
    pub mode: String,
    /// `blob`, `tree` or `commit`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The id of the object.
    pub sha: String,
    /// The length of a blob.
    #[serde(default)]
    pub size: Option<serde_json::Number>,
}

/// How much of a tree a list holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only its own entries.
    Flat,
    /// Everything below it.
    Recursive,
}

/// Whether the lister knows how long blobs are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// Every blob has one.
    Listed,
    /// None has one.
    Unknown,
}

/// One verified entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// What it is.
    pub(super) mode: Mode,
    /// The id of the object, 40 digits.
    pub(super) id: String,
    /// The length of a blob.
    pub(super) size: Option<u64>,
}

/// A list whose ids have been made again.
#[derive(Debug, Clone)]
pub struct TreeListing {
    id: TreeSha,
    entries: BTreeMap<String, Entry>,
}

impl TreeListing {
    /// Verifies the list of the tree `asked`. In a flat list the ids of folders are taken as they are: they
    /// hold once the folder itself has been listed.
    ///
    /// # Errors
    ///
    /// When the list is not that of `asked`.
    pub fn verify(asked: &TreeSha, items: Vec<Item>, depth: Depth, sizes: Sizes) -> Result<Self, TreeError> {
        if items.len() > MAX_ENTRIES {
            return Err(TreeError::TooMany);
        }
        let mut entries = BTreeMap::new();
        for item in items {
            let entry = check_item(&item, sizes)?;
            if depth == Depth::Flat && item.path.contains('/') {
                return Err(TreeError::Orphan { path: item.path });
            }
            if entries.contains_key(&item.path) {
                return Err(TreeError::Duplicate { path: item.path });
            }
            entries.insert(item.path, entry);
        }
        let listing = Self { id: asked.clone(), entries };
        listing.recompute(depth)?;
        Ok(listing)
    }

    fn recompute(&self, depth: Depth) -> Result<(), TreeError> {
        let mut folders: BTreeMap<&str, Vec<git::TreeEntry<'_>>> = BTreeMap::new();
        for (path, entry) in &self.entries {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            if !folder.is_empty() {
                match self.entries.get(folder) {
                    Some(above) if above.mode == Mode::Tree => {}
                    Some(_) => return Err(TreeError::Clash { path: path.clone() }),
                    None if self.lies_below_a_file(folder) => {
                        return Err(TreeError::Clash { path: path.clone() });
                    }
                    None => return Err(TreeError::Orphan { path: path.clone() }),
                }
            }
            folders.entry(folder).or_default().push(git::TreeEntry { name, mode: entry.mode, id: &entry.id });
        }
        let children = |folder: &str| folders.get(folder).map_or(&[][..], Vec::as_slice);
        if depth == Depth::Recursive {
            for (path, entry) in self.entries.iter().filter(|(_, entry)| entry.mode == Mode::Tree) {
                check_id(path, &entry.id, children(path))?;
            }
        }
        check_id("", self.id.as_str(), children(""))
    }

    fn lies_below_a_file(&self, folder: &str) -> bool {
        folder
            .match_indices('/')
            .any(|(end, _)| self.entries.get(&folder[..end]).is_some_and(|entry| entry.mode != Mode::Tree))
    }

    /// The entry at a path.
    pub(super) fn get(&self, path: &str) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// The id of a folder, empty for the listed tree; `None` when there is no such folder.
    pub(super) fn folder(&self, path: &str) -> Option<TreeSha> {
        if path.is_empty() {
            return Some(self.id.clone());
        }
        let entry = self.get(path).filter(|entry| entry.mode == Mode::Tree)?;
        TreeSha::parse(&entry.id).ok()
    }

    /// Everything below a folder, with paths from there, in byte order.
    pub(super) fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a str, &'a Entry)> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        self.entries
            .range(prefix.clone()..)
            .map(move |(path, entry)| (path.strip_prefix(prefix.as_str()), entry))
            .take_while(|(path, _)| path.is_some())
            .filter_map(|(path, entry)| Some((path?, entry)))
    }

    /// The folders that hold a `SKILL.md`, with its entry, in byte order of the files' paths.
    pub(super) fn skills(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.entries.iter().filter_map(|(path, entry)| {
            let folder = match path.strip_suffix("SKILL.md")? {
                "" => "",
                folder => folder.strip_suffix('/')?,
            };
            matches!(entry.mode, Mode::File | Mode::Executable).then_some((folder, entry))
        })
    }
}

fn check_item(item: &Item, sizes: Sizes) -> Result<Entry, TreeError> {
    let path = || item.path.clone();
    if item.path.contains('\0') {
        return Err(TreeError::Path { path: path(), code: "path_character" });
    }
    if item.path.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return Err(TreeError::Path { path: path(), code: "path_not_relative" });
    }
    let mode =
        Mode::parse(&item.mode).ok_or_else(|| TreeError::Mode { path: path(), mode: item.mode.clone() })?;
    let kind = match mode {
        Mode::File | Mode::Executable | Mode::Link => "blob",
        Mode::Tree => "tree",
        Mode::Submodule => "commit",
    };
    if item.kind != kind {
        return Err(TreeError::Type { path: path() });
    }
    if item.sha.len() != 40 || TreeSha::parse(&item.sha).is_err() {
        return Err(TreeError::Id { path: path() });
    }
    let size = item.size.as_ref().map(serde_json::Number::as_u64);
    let size = match (kind, size, sizes) {
        ("blob", Some(Some(size)), Sizes::Listed) => Some(size),
        ("blob", _, Sizes::Listed) => return Err(TreeError::Size { path: path() }),
        _ => None,
    };
    Ok(Entry { mode, id: item.sha.clone(), size })
}

fn check_id(folder: &str, id: &str, entries: &[git::TreeEntry<'_>]) -> Result<(), TreeError> {
    let made = git::tree_id(entries).map_err(|_| TreeError::Collision { folder: folder.to_owned() })?;
    if made.is_some_and(|made| made.as_str() == id) {
        return Ok(());
    }
    // Hosts write U+FFFD for bytes that are no text; the id cannot be made from that.
    match entries.iter().find(|entry| entry.name.contains('\u{fffd}')) {
        Some(entry) if folder.is_empty() => {
            Err(TreeError::Path { path: entry.name.to_owned(), code: "path_encoding" })
        }
        Some(entry) => {
            Err(TreeError::Path { path: format!("{folder}/{}", entry.name), code: "path_encoding" })
        }
        None => Err(TreeError::WrongId { folder: folder.to_owned(), id: id.to_owned() }),
    }
}

#[cfg(test)]
pub(super) mod tests;
