//! The bounded walk of one root: which folders hold a `SKILL.md`, and what is wrong with the others.
//!
//! A direct child of a root may be a link to anywhere, because harnesses link each other's folders
//! so; below that, links to folders are not followed at all (their target inside the same skill is
//! walked anyway) and a linked `SKILL.md` is read only when its target lies inside its skill. Nothing
//! but regular files is opened, so that a pipe cannot block the walk. A problem never stops it.

use std::{
    ffi::{OsStr, OsString},
    fs::Metadata,
    io::{ErrorKind, Read},
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use crate::skill::{
    Limits,
    diagnostic::{Code, Diagnostic},
    frontmatter::{self, Frontmatter},
};

/// How many folders deep below a root skills are looked for.
pub(super) const MAX_DEPTH: usize = 6;
/// How many folders are visited in one root.
pub(super) const MAX_FOLDERS: usize = 200_000;

/// What one walk found; the order is settled by the caller.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) skills: Vec<FoundSkill>,
    pub(super) problems: Vec<FoundProblem>,
}

/// A folder with a readable skill.
#[derive(Debug)]
pub(super) struct FoundSkill {
    pub(super) folder: PathBuf,
    /// Where the folder really is, for finding the same folder under two paths.
    pub(super) real_folder: PathBuf,
    pub(super) file_name: String,
    pub(super) frontmatter: Frontmatter,
    pub(super) warnings: Vec<Diagnostic>,
    /// The skill folder that holds this one.
    pub(super) inside: Option<PathBuf>,
}

/// A file or folder that could not become a skill.
#[derive(Debug)]
pub(super) struct FoundProblem {
    pub(super) path: PathBuf,
    pub(super) diagnostic: Diagnostic,
}

/// The walk's bounds and what it looks for.
pub(super) struct Walk<'a> {
    pub(super) limits: &'a Limits,
    /// Whether skills nested in other skills are looked for as well.
    pub(super) nested: bool,
    /// Folders visited so far in this root, shared by the threads that walk it.
    pub(super) visited: &'a AtomicUsize,
}

/// A direct child of a root, or the root itself.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) path: PathBuf,
    pub(super) real_path: PathBuf,
}

impl Walk<'_> {
    /// Walks one direct child of a root.
    pub(super) fn child(&self, child: &Child, findings: &mut Findings) {
        self.visit(child.path.clone(), &child.real_path, Place { inside: None, depth: 1 }, findings);
    }

    /// Reads a `SKILL.md` that lies directly in a root; the root's children stay skills of their own.
    pub(super) fn root_file(&self, child: &Child, findings: &mut Findings) {
        let file = Listing::skill_file(&child.path);
        self.read_skill(&child.path, &child.real_path, file, None, findings);
    }

    fn visit(&self, folder: PathBuf, real_folder: &Path, place: Place<'_>, findings: &mut Findings) {
        match self.visited.fetch_add(1, Ordering::Relaxed) {
            count if count < MAX_FOLDERS => {}
            MAX_FOLDERS => return findings.problem(folder, Code::WalkLimit),
            _ => return,
        }
        let mut skill_file = Listing::skill_file(&folder);
        if skill_file.is_some() && !self.nested {
            // Nothing else in the folder matters, so it need not be listed.
            return self.read_skill(&folder, real_folder, skill_file, None, findings);
        }
        let listing = match Listing::read(&folder) {
            Ok(listing) => listing,
            Err(_) if skill_file.is_some() => Listing::default(),
            Err(error) => return findings.problem(folder, folder_code(&error)),
        };
        if skill_file.is_none() {
            skill_file = listing.other_case.map(|name| SkillFile { name, metadata: None });
        }
        let is_skill = skill_file.is_some();
        self.read_skill(&folder, real_folder, skill_file, place.inside, findings);
        if is_skill && !self.nested {
            return;
        }
        if place.depth == MAX_DEPTH {
            if !listing.folders.is_empty() {
                findings.problem(folder, Code::WalkLimit);
            }
            return;
        }
        let inside = if is_skill { Some(folder.as_path()) } else { place.inside };
        for name in listing.folders {
            let below = Place { inside, depth: place.depth + 1 };
            self.visit(folder.join(&name), &real_folder.join(&name), below, findings);
        }
    }

    fn read_skill(
        &self,
        folder: &Path,
        real_folder: &Path,
        file: Option<SkillFile>,
        inside: Option<&Path>,
        findings: &mut Findings,
    ) {
        let Some(SkillFile { name, metadata }) = file else { return };
        let path = folder.join(&name);
        let content = match self.read_file(&path, metadata, real_folder) {
            Ok(content) => content,
            Err(code) => return findings.problem(path, code),
        };
        let Some(folder_name) = folder.file_name().and_then(OsStr::to_str) else {
            return findings.problem(path, Code::PathEncoding);
        };
        let parsed = frontmatter::parse(&content, folder_name, self.limits);
        let mut warnings = parsed.warnings;
        if name != "SKILL.md" {
            warnings.push(without_position(Code::SkillFileCase));
        }
        match parsed.outcome {
            Ok(frontmatter) => findings.skills.push(FoundSkill {
                folder: folder.to_owned(),
                real_folder: real_folder.to_owned(),
                file_name: name,
                frontmatter,
                warnings,
                inside: inside.map(Path::to_owned),
            }),
            Err(diagnostic) => findings.problems.push(FoundProblem { path, diagnostic }),
        }
    }

    fn read_file(&self, file: &Path, metadata: Option<Metadata>, top: &Path) -> Result<Vec<u8>, Code> {
        let mut metadata = match metadata {
            Some(metadata) => metadata,
            None => fs_err::symlink_metadata(file).map_err(|error| file_code(&error))?,
        };
        if metadata.is_symlink() {
            let target = fs_err::canonicalize(file).map_err(|error| file_code(&error))?;
            if !target.starts_with(top) {
                return Err(Code::LinkOutside);
            }
            metadata = fs_err::metadata(file).map_err(|error| file_code(&error))?;
        }
        read_regular_file(file, &metadata, self.limits.skill_file_bytes)
    }
}

/// Reads a regular file of at most `limit` bytes.
pub(super) fn read_regular_file(file: &Path, metadata: &Metadata, limit: u64) -> Result<Vec<u8>, Code> {
    if !metadata.is_file() {
        return Err(Code::NotAFile);
    }
    if metadata.len() > limit {
        return Err(Code::FileTooLarge);
    }
    // One byte more than was announced, so that the end is seen without growing the buffer.
    let capacity = usize::try_from(metadata.len()).map_err(|_| Code::FileTooLarge)? + 1;
    let mut content = Vec::with_capacity(capacity);
    fs_err::File::open(file)
        .and_then(|opened| opened.take(limit + 1).read_to_end(&mut content))
        .map_err(|error| file_code(&error))?;
    if content.len() as u64 > limit {
        return Err(Code::FileTooLarge);
    }
    Ok(content)
}

impl Findings {
    pub(super) fn problem(&mut self, path: PathBuf, code: Code) {
        self.problems.push(FoundProblem { path, diagnostic: without_position(code) });
    }
}

/// Where a visited folder lies.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The skill that holds this folder.
    inside: Option<&'a Path>,
    depth: usize,
}

/// The file that makes a folder a skill.
struct SkillFile {
    name: String,
    /// Its own metadata (not a link's target's), when it has been asked already.
    metadata: Option<Metadata>,
}

/// The entries of a folder that matter to the walk.
#[derive(Debug, Default)]
struct Listing {
    folders: Vec<OsString>,
    /// A skill file whose name is spelled in another case.
    other_case: Option<String>,
}

impl Listing {
    fn skill_file(folder: &Path) -> Option<SkillFile> {
        let metadata = fs_err::symlink_metadata(folder.join("SKILL.md")).ok()?;
        Some(SkillFile { name: "SKILL.md".to_owned(), metadata: Some(metadata) })
    }

    fn read(folder: &Path) -> std::io::Result<Self> {
        let mut listing = Self::default();
        for entry in fs_err::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            if entry.file_type()?.is_dir() {
                if name != ".git" && name != "node_modules" {
                    listing.folders.push(name);
                }
            } else if name.eq_ignore_ascii_case("SKILL.md") {
                let name = name.to_string_lossy().into_owned();
                // `skill.md` is what the reference library reads next, then byte order decides.
                let better = |known: &String| (name != "skill.md", &name) < (known != "skill.md", known);
                if listing.other_case.as_ref().is_none_or(better) {
                    listing.other_case = Some(name);
                }
            }
        }
        Ok(listing)
    }
}

pub(super) fn without_position(code: Code) -> Diagnostic {
    Diagnostic { code, field: None, line: 0, column: 0 }
}

/// The code for a file that cannot be read.
fn file_code(error: &std::io::Error) -> Code {
    match error.kind() {
        ErrorKind::NotFound => Code::DanglingLink,
        _ if is_link_loop(error) => Code::LinkLoop,
        _ => Code::Unreadable,
    }
}

/// The code for a folder that cannot be listed.
pub(super) fn folder_code(error: &std::io::Error) -> Code {
    match file_code(error) {
        Code::Unreadable => Code::FolderUnreadable,
        code => code,
    }
}

/// `ErrorKind::FilesystemLoop` is not stable, so the system's own number is asked.
fn is_link_loop(error: &std::io::Error) -> bool {
    const ELOOP: i32 = if cfg!(target_os = "linux") { 40 } else { 62 };
    let number = error.raw_os_error().or_else(|| {
        let source = std::error::Error::source(error)?;
        source.downcast_ref::<std::io::Error>()?.raw_os_error()
    });
    cfg!(unix) && number == Some(ELOOP)
}
