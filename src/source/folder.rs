//! One skill's files: what they are, their digest, and the content of one of them.
//!
//! The content that is handed out is the content that was hashed, read once. Links, pipes and names
//! that could not exist everywhere are left out of the digest and noted, so that a reader knows what
//! is not covered; `.git` folders and `.DS_Store` files are no part of a skill.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

use super::{
    handle::{self, Folder, Kind},
    local::Home,
};
use crate::skill::{
    Limits,
    diagnostic::{Code, Diagnostic},
    id::TreeDigest,
    path::{PathSet, SkillPath, SkillPathError},
    tree::{self, TreeFile},
};

/// A skill's files as they were at one moment.
#[derive(Debug)]
pub struct Snapshot {
    /// The files, in byte order of their paths.
    pub files: Vec<TreeFile>,
    /// The digest of [`Self::files`].
    pub digest: TreeDigest,
    /// What was left out, and why.
    pub notes: Vec<Note>,
    /// The content of the file that was asked for.
    pub content: Option<Vec<u8>>,
    /// Where that content lies: the file that was asked for, or what it links to in the skill.
    pub content_path: Option<SkillPath>,
}

/// A file that is no part of the digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its path in the skill, as it is on disk.
    pub path: PathBuf,
    /// Why it was left out.
    pub reason: Reason,
}

/// Why a file was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A link, which is never followed.
    Link,
    /// Neither a file nor a folder.
    Special,
    /// A name that is not safe everywhere.
    Path(SkillPathError),
    /// A name that collides with another one where case does not count.
    Collision,
    /// It was left out with a person's leave when the skill was fetched, because of this code.
    Omitted(String),
}

/// Why a skill's files cannot be handed out.
#[derive(Debug, Error)]
pub enum FolderError {
    /// More files than the limit.
    #[error("`{}` holds more than {limit} files", .folder.display())]
    TooManyFiles {
        /// The skill's folder.
        folder: PathBuf,
        /// The limit in force.
        limit: usize,
    },
    /// More bytes than the limit.
    #[error("`{}` holds more than {limit} bytes", .folder.display())]
    TooLarge {
        /// The skill's folder.
        folder: PathBuf,
        /// The limit in force.
        limit: u64,
    },
    /// A file is not what it was a moment ago.
    #[error("`{}` cannot be read: {}", .path.display(), .diagnostic.label())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        diagnostic: Diagnostic,
    },
}

/// Reads and hashes every file of a skill and keeps the content of `wanted`.
///
/// A wanted `SKILL.md` may be a link to another file of the skill; then that file's content is kept.
pub fn snapshot(home: &Home, limits: &Limits, wanted: &SkillPath) -> Result<Snapshot, FolderError> {
    match home {
        Home::Bundled(skill) => {
            let mut builder = Builder::new(Path::new("bundled"), limits, wanted.clone());
            for (path, content) in skill.files {
                builder.add(PathBuf::from(path), |keep| {
                    let content = content.as_bytes();
                    let kept = keep.then(|| content.to_vec());
                    Ok((false, content.len() as u64, tree::content_sha256(content), kept))
                })?;
            }
            Ok(builder.finish())
        }
        Home::Folder { folder, file_name } => {
            let wanted =
                if wanted.as_str() == file_name { behind_link(folder, wanted) } else { wanted.clone() };
            let mut builder = Builder::new(folder, limits, wanted);
            let opened = Folder::open(folder).map_err(|error| builder.unreadable(Path::new(""), &error))?;
            builder.walk(&opened, Path::new(""))?;
            Ok(builder.finish())
        }
    }
}

/// The skill's own file: `path` itself, or what it links to inside the skill.
fn behind_link(folder: &Path, path: &SkillPath) -> SkillPath {
    let link = folder.join(path.as_str());
    if !fs_err::symlink_metadata(&link).is_ok_and(|found| found.is_symlink()) {
        return path.clone();
    }
    let target = fs_err::canonicalize(folder).ok().and_then(|folder| {
        let target = fs_err::canonicalize(link).ok()?;
        SkillPath::parse(target.strip_prefix(folder).ok()?.to_str()?).ok()
    });
    target.unwrap_or_else(|| path.clone())
}

/// Whether a file is executable, its length, its hash, and its content if that was to be kept.
type ReadFile = (bool, u64, [u8; 32], Option<Vec<u8>>);

/// How many entries a folder may have for each file that it may hold: links, folders and names that
/// are left out are bounded too.
const ENTRIES_PER_FILE: usize = 4;

struct Builder<'a> {
    folder: &'a Path,
    limits: &'a Limits,
    wanted: SkillPath,
    entries: usize,
    bytes: u64,
    names: PathSet,
    snapshot: Snapshot,
}

impl<'a> Builder<'a> {
    fn new(folder: &'a Path, limits: &'a Limits, wanted: SkillPath) -> Self {
        let snapshot = Snapshot {
            files: Vec::new(),
            digest: tree::digest(&[]),
            notes: Vec::new(),
            content: None,
            content_path: None,
        };
        Self { folder, limits, wanted, entries: 0, bytes: 0, names: PathSet::default(), snapshot }
    }

    fn walk(&mut self, opened: &Folder, below: &Path) -> Result<(), FolderError> {
        let mut entries = Vec::new();
        opened
            .entries(|name, kind| entries.push((name, kind)))
            .map_err(|error| self.unreadable(below, &error))?;
        // The wanted file comes first, so that no other spelling of its name can take its place.
        let is_wanted = |name: &OsString| below.join(name) == Path::new(self.wanted.as_str());
        entries.sort_by(|left, right| {
            is_wanted(&right.0).cmp(&is_wanted(&left.0)).then_with(|| left.0.cmp(&right.0))
        });
        self.entries += entries.len();
        if self.entries > self.limits.files.saturating_mul(ENTRIES_PER_FILE) {
            return Err(self.too_many());
        }
        for (name, kind) in entries {
            if name == ".git" || name == ".DS_Store" {
                continue;
            }
            let path = below.join(&name);
            match kind {
                Kind::Link => self.note(path, Reason::Link),
                Kind::Special => self.note(path, Reason::Special),
                Kind::Folder => match path.to_str().map_or(Err(SkillPathError::Encoding), SkillPath::parse) {
                    Ok(_) => {
                        let inner =
                            opened.below(Path::new(&name)).map_err(|error| self.unreadable(&path, &error))?;
                        self.walk(&inner, &path)?;
                    }
                    Err(error) => self.note(path, Reason::Path(error)),
                },
                Kind::File => {
                    let limit = self.limits.skill_bytes.saturating_sub(self.bytes);
                    let (folder, limits) = (self.folder, self.limits);
                    let full_path = folder.join(&path);
                    self.add(path, |keep| {
                        let file = opened.file(Path::new(&name)).map_err(|error| handle::file_code(&error));
                        match file.and_then(|file| handle::digest(file, limit, keep)) {
                            Ok(found) => {
                                Ok((is_executable(&found.metadata), found.size, found.sha256, found.content))
                            }
                            Err(Code::FileTooLarge) => Err(too_large(folder, limits)),
                            Err(code) => Err(FolderError::Unreadable {
                                path: full_path,
                                diagnostic: Diagnostic::new(code),
                            }),
                        }
                    })?;
                }
            }
        }
        Ok(())
    }

    fn unreadable(&self, below: &Path, error: &io::Error) -> FolderError {
        let diagnostic = Diagnostic::new(handle::folder_code(error));
        FolderError::Unreadable { path: self.folder.join(below), diagnostic }
    }

    fn too_many(&self) -> FolderError {
        FolderError::TooManyFiles { folder: self.folder.to_owned(), limit: self.limits.files }
    }

    fn note(&mut self, path: PathBuf, reason: Reason) {
        self.snapshot.notes.push(Note { path, reason });
    }

    /// Adds the file at `path`, which `read` reads; it is told whether to keep the content.
    fn add(
        &mut self,
        path: PathBuf,
        read: impl FnOnce(bool) -> Result<ReadFile, FolderError>,
    ) -> Result<(), FolderError> {
        let parsed = match path.to_str().map_or(Err(SkillPathError::Encoding), SkillPath::parse) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.note(path, Reason::Path(error));
                return Ok(());
            }
        };
        if self.names.insert(&parsed).is_err() {
            self.note(path, Reason::Collision);
            return Ok(());
        }
        if self.snapshot.files.len() == self.limits.files {
            return Err(self.too_many());
        }
        // Where case does not count, `SKILL.md` opens a file that the listing spells otherwise.
        let is_wanted = parsed == self.wanted
            || self.snapshot.content.is_none()
                && self.wanted.file_name() == self.wanted.as_str()
                && parsed.as_str().eq_ignore_ascii_case(self.wanted.as_str());
        let (executable, size, sha256, content) = read(is_wanted)?;
        self.bytes += size;
        if self.bytes > self.limits.skill_bytes {
            return Err(too_large(self.folder, self.limits));
        }
        if content.is_some() {
            self.snapshot.content = content;
            self.snapshot.content_path = Some(parsed.clone());
        }
        self.snapshot.files.push(TreeFile { path: parsed, executable, size, sha256 });
        Ok(())
    }

    fn finish(mut self) -> Snapshot {
        self.snapshot.files.sort_by(|left, right| left.path.cmp(&right.path));
        self.snapshot.digest = tree::digest(&self.snapshot.files);
        self.snapshot
    }
}

fn too_large(folder: &Path, limits: &Limits) -> FolderError {
    FolderError::TooLarge { folder: folder.to_owned(), limit: limits.skill_bytes }
}

#[cfg(unix)]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &std::fs::Metadata) -> bool {
    false
}
