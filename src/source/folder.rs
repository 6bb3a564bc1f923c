//! One skill's files: what they are, their digest, and the content of one of them.
//!
//! The content that is handed out is the content that was hashed, read once. Links, pipes and names
//! that could not exist everywhere are left out of the digest and noted, so that a reader knows what
//! is not covered; `.git` folders and `.DS_Store` files are no part of a skill.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

use super::{
    handle::{self, Folder, Kind},
    local::Home,
    walk::without_position,
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
    Collision(String),
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
pub fn snapshot(home: &Home, limits: &Limits, wanted: &SkillPath) -> Result<Snapshot, FolderError> {
    match home {
        Home::Bundled(skill) => {
            let mut builder = Builder::new(Path::new("bundled"), limits, wanted);
            for (path, content) in skill.files {
                builder.add(PathBuf::from(path), || Ok((content.as_bytes().to_vec(), false)))?;
            }
            Ok(builder.finish())
        }
        Home::Folder { folder, .. } => {
            let mut builder = Builder::new(folder, limits, wanted);
            let opened = Folder::open(folder).map_err(|error| builder.unreadable(Path::new(""), &error))?;
            builder.walk(&opened, Path::new(""))?;
            Ok(builder.finish())
        }
    }
}

struct Builder<'a> {
    folder: &'a Path,
    limits: &'a Limits,
    wanted: &'a SkillPath,
    bytes: u64,
    names: PathSet,
    snapshot: Snapshot,
}

impl<'a> Builder<'a> {
    fn new(folder: &'a Path, limits: &'a Limits, wanted: &'a SkillPath) -> Self {
        let snapshot =
            Snapshot { files: Vec::new(), digest: tree::digest(&[]), notes: Vec::new(), content: None };
        Self { folder, limits, wanted, bytes: 0, names: PathSet::default(), snapshot }
    }

    fn walk(&mut self, opened: &Folder, below: &Path) -> Result<(), FolderError> {
        let mut entries = Vec::new();
        opened
            .entries(|name, kind| entries.push((name, kind)))
            .map_err(|error| self.unreadable(below, &error))?;
        entries.sort_by(|left, right| left.0.cmp(&right.0));
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
                    self.add(path, || read(opened, Path::new(&name), full_path, limit, limits, folder))?;
                }
            }
        }
        Ok(())
    }

    fn unreadable(&self, below: &Path, error: &io::Error) -> FolderError {
        let diagnostic = without_position(handle::folder_code(error));
        FolderError::Unreadable { path: self.folder.join(below), diagnostic }
    }

    fn note(&mut self, path: PathBuf, reason: Reason) {
        self.snapshot.notes.push(Note { path, reason });
    }

    fn add(
        &mut self,
        path: PathBuf,
        read: impl FnOnce() -> Result<(Vec<u8>, bool), FolderError>,
    ) -> Result<(), FolderError> {
        let parsed = match path.to_str().map_or(Err(SkillPathError::Encoding), SkillPath::parse) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.note(path, Reason::Path(error));
                return Ok(());
            }
        };
        if let Err(other) = self.names.insert(&parsed) {
            self.note(path, Reason::Collision(other));
            return Ok(());
        }
        if self.snapshot.files.len() == self.limits.files {
            return Err(FolderError::TooManyFiles {
                folder: self.folder.to_owned(),
                limit: self.limits.files,
            });
        }
        let (content, executable) = read()?;
        self.bytes += content.len() as u64;
        if self.bytes > self.limits.skill_bytes {
            return Err(too_large(self.folder, self.limits));
        }
        self.snapshot.files.push(TreeFile {
            path: parsed.clone(),
            executable,
            size: content.len() as u64,
            sha256: tree::content_sha256(&content),
        });
        if parsed == *self.wanted {
            self.snapshot.content = Some(content);
        }
        Ok(())
    }

    fn finish(mut self) -> Snapshot {
        self.snapshot.files.sort_by(|left, right| left.path.cmp(&right.path));
        self.snapshot.digest = tree::digest(&self.snapshot.files);
        self.snapshot
    }
}

/// Reads one file; its content and whether it is executable.
fn read(
    opened: &Folder,
    name: &Path,
    full_path: PathBuf,
    limit: u64,
    limits: &Limits,
    folder: &Path,
) -> Result<(Vec<u8>, bool), FolderError> {
    let mut content = Vec::new();
    let file = opened.file(name).map_err(|error| handle::file_code(&error));
    match file.and_then(|file| handle::read(file, limit, &mut content)) {
        Ok(metadata) => Ok((content, is_executable(&metadata))),
        Err(Code::FileTooLarge) => Err(too_large(folder, limits)),
        Err(code) => Err(FolderError::Unreadable { path: full_path, diagnostic: without_position(code) }),
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
