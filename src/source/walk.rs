//! The bounded walk of one root: which folders hold a `SKILL.md`, and what is wrong with the others.
//!
//! A direct child of a root may be a link to anywhere, because harnesses link each other's folders
//! so; below that, links to folders are not followed at all (their target inside the same skill is
//! walked anyway) and a linked `SKILL.md` is read only when its target lies inside its skill. Nothing
//! but regular files is opened, so that a pipe cannot block the walk. A problem never stops it.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

use super::{
    handle::{self, Folder, Kind},
    trace::Trace,
};
use crate::skill::{
    Limits,
    diagnostic::{Code, Diagnostic},
    frontmatter::{self, Frontmatter},
    path,
};

/// The name of the file that makes a folder a skill.
pub(super) const SKILL_FILE: &str = "SKILL.md";

/// What a walk is for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// Whether skills inside other skills are looked for too; they are never chosen, so a catalog need not spend
    /// time on them.
    pub nested: bool,
    /// Whether it is remembered what was looked at.
    pub traced: bool,
}

/// How far a walk goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// How many folders are visited.
    folders: usize,
    /// How deep skills are looked for; inside a skill it is the depth that a path of it may have.
    depth: usize,
    /// Whether each folder that is too deep is named, and not only that there are some.
    names_folders: bool,
}

impl Budget {
    /// For a root.
    pub(super) const ROOT: Self = Self { folders: 200_000, depth: 6, names_folders: true };
    /// For what lies behind links that are no skills themselves.
    pub(super) const LINKED: Self = Self { folders: 2000, depth: 3, names_folders: false };
}

/// What one walk found; the order is settled by the caller.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) skills: Vec<FoundSkill>,
    pub(super) problems: Vec<FoundProblem>,
    /// Indices of linked children that are no skills themselves and were not walked.
    pub(super) linked_groups: Vec<usize>,
    /// What was looked at, when that is asked for.
    pub(super) trace: Trace,
    /// The content of the file that was read last; kept, so that the next one needs no new memory.
    buffer: Vec<u8>,
}

/// A folder with a readable skill.
#[derive(Debug)]
pub(super) struct FoundSkill {
    pub(super) folder: PathBuf,
    /// Where the folder really is, for finding the same folder under two paths.
    pub(super) real_folder: PathBuf,
    pub(super) file_name: String,
    pub(super) frontmatter: Box<Frontmatter>,
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

/// The walk's bounds, what it looks for and how far it has come; the threads that walk a root share it.
pub(super) struct Walk<'a> {
    limits: &'a Limits,
    look: Look,
    budget: Budget,
    visited: Visited,
    /// Set when the budget kept something back.
    cut: AtomicBool,
}

/// How many folders were visited.
#[derive(Debug, Default)]
struct Visited {
    outside: AtomicUsize,
    inside: AtomicUsize,
}

/// A direct child of a root.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) name: OsString,
    pub(super) path: PathBuf,
    pub(super) real_path: PathBuf,
    pub(super) is_link: bool,
}

impl<'a> Walk<'a> {
    /// A walk that has visited nothing yet.
    pub(super) fn new(limits: &'a Limits, look: Look, budget: Budget) -> Self {
        Self { limits, look, budget, visited: Visited::default(), cut: AtomicBool::new(false) }
    }

    /// Whether the budget has kept something back since this was last asked.
    pub(super) fn take_cut(&self) -> bool {
        self.cut.swap(false, Relaxed)
    }

    /// Remembers a path before it is looked at.
    fn see(&self, path: impl FnOnce() -> PathBuf, findings: &mut Findings) {
        if self.look.traced {
            findings.trace.see(&path());
        }
    }

    /// Walks one direct child of `root`; `index` is its place among them.
    pub(super) fn child(&self, root: &Folder, index: usize, child: &Child, findings: &mut Findings) {
        self.see(|| child.path.join(SKILL_FILE), findings);
        let skill_file = SkillFile::open(root, &Path::new(&child.name).join(SKILL_FILE));
        if child.is_link && skill_file.is_none() {
            findings.linked_groups.push(index);
            return;
        }
        let open =
            || if child.is_link { Folder::open(&child.path) } else { root.below(Path::new(&child.name)) };
        let place = Place { inside: None, depth: 1 };
        self.visit(&open, skill_file, child.path.clone(), &child.real_path, place, findings);
    }

    /// Walks a linked child that is no skill itself.
    pub(super) fn linked_group(&self, child: &Child, findings: &mut Findings) {
        let place = Place { inside: None, depth: 1 };
        let open = || Folder::open(&child.path);
        self.visit(&open, None, child.path.clone(), &child.real_path, place, findings);
    }

    /// Reads the skill file `name` that lies directly in `root`; the root's children stay skills of their own.
    pub(super) fn root_file(
        &self,
        root: &Folder,
        name: &str,
        path: &Path,
        real_path: &Path,
        findings: &mut Findings,
    ) {
        self.see(|| path.join(name), findings);
        let file = SkillFile::open(root, Path::new(name));
        self.read_skill(path, real_path, file, None, findings);
    }

    fn visit(
        &self,
        open: &dyn Fn() -> io::Result<Folder>,
        mut skill_file: Option<SkillFile>,
        folder: PathBuf,
        real_folder: &Path,
        place: Place<'_>,
        findings: &mut Findings,
    ) {
        // What lies inside skills is counted on its own: it must not use up what skills are found with.
        let visited = if place.inside.is_some() { &self.visited.inside } else { &self.visited.outside };
        if visited.fetch_add(1, Relaxed) >= self.budget.folders {
            self.cut.store(true, Relaxed);
            return;
        }
        if skill_file.as_ref().is_some_and(|file| file.opened.is_err()) {
            // Without this file, or with a right to see it, the folder may be another thing.
            self.see(|| folder.clone(), findings);
        }
        if skill_file.as_ref().is_some_and(SkillFile::is_denied)
            && let Err(error) = open()
        {
            // It is the folder that may not be entered, not the file in it.
            return findings.problem(folder, handle::folder_code(&error));
        }
        if skill_file.is_some() && !self.look.nested {
            // Nothing else in the folder matters, so it need not be listed.
            return self.read_skill(&folder, real_folder, skill_file, None, findings);
        }
        self.see(|| folder.clone(), findings);
        let listed = open().and_then(|handle| Ok((Listing::read(&handle)?, handle)));
        let (listing, handle) = match listed {
            Ok(listed) => listed,
            Err(error) => {
                self.read_skill(&folder, real_folder, skill_file, place.inside, findings);
                findings.doubt_after(&error);
                return findings.problem(folder, handle::folder_code(&error));
            }
        };
        match (&mut skill_file, listing.skill_file) {
            // Where case does not count, `SKILL.md` opens a file that the listing spells otherwise.
            (Some(file), Some(spelled)) => file.name = spelled,
            (None, Some(spelled)) => {
                self.see(|| folder.join(&spelled), findings);
                skill_file = SkillFile::open(&handle, Path::new(&spelled));
            }
            (_, None) => {}
        }
        let is_skill = skill_file.is_some();
        self.read_skill(&folder, real_folder, skill_file, place.inside, findings);
        if is_skill && !self.look.nested {
            return;
        }
        let inside = if is_skill { Some(folder.as_path()) } else { place.inside };
        let deepest = if inside.is_some() { path::MAX_DEPTH } else { self.budget.depth };
        if place.depth >= deepest {
            if !listing.folders.is_empty() && self.budget.names_folders {
                findings.problem(folder, Code::WalkLimit);
            } else if !listing.folders.is_empty() {
                self.cut.store(true, Relaxed);
            }
            return;
        }
        for name in listing.folders {
            let place = Place { inside, depth: place.depth + 1 };
            let (name, path) = (Path::new(&name), folder.join(&name));
            // Where the folder is listed anyway, the listing says whether there is a skill file.
            let skill_file = if self.look.nested {
                None
            } else {
                self.see(|| path.join(SKILL_FILE), findings);
                SkillFile::open(&handle, &name.join(SKILL_FILE))
            };
            self.visit(&|| handle.below(name), skill_file, path, &real_folder.join(name), place, findings);
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
        let Some(SkillFile { name, opened }) = file else { return };
        let path = folder.join(&name);
        let is_denied = opened.as_ref().is_err_and(|error| error.kind() == ErrorKind::PermissionDenied);
        if let Err(code) = read_file(&path, opened, real_folder, self.limits, &mut findings.buffer) {
            if code == Code::Unreadable && !is_denied {
                findings.trace.doubt();
            }
            return findings.problem(path, code);
        }
        // A path that ends in `..` names no folder itself.
        let folder_name = folder.file_name().or_else(|| real_folder.file_name());
        let Some(folder_name) = folder_name.and_then(OsStr::to_str) else {
            return findings.problem(path, Code::PathEncoding);
        };
        let parsed = frontmatter::parse(&findings.buffer, folder_name, self.limits);
        let mut warnings = parsed.warnings;
        if name != SKILL_FILE {
            warnings.push(Diagnostic::new(Code::SkillFileCase));
        }
        match parsed.outcome {
            Ok(frontmatter) => findings.skills.push(FoundSkill {
                folder: folder.to_owned(),
                real_folder: real_folder.to_owned(),
                file_name: name,
                frontmatter: Box::new(frontmatter),
                warnings,
                inside: inside.map(Path::to_owned),
            }),
            Err(diagnostic) => findings.problems.push(FoundProblem { path, diagnostic }),
        }
    }
}

/// Reads an opened skill file; a link is followed to a file of the same skill, whose real folder is `top`.
fn read_file(
    path: &Path,
    opened: io::Result<File>,
    top: &Path,
    limits: &Limits,
    content: &mut Vec<u8>,
) -> Result<(), Code> {
    let opened = match opened {
        Err(error) if handle::is_link(&error) => {
            let target = fs_err::canonicalize(path).map_err(|error| handle::file_code(&error))?;
            let below = target.strip_prefix(top).map_err(|_| Code::LinkOutside)?;
            Folder::open(top).and_then(|top| top.file(below))
        }
        opened => opened,
    };
    let opened = opened.map_err(|error| handle::file_code(&error))?;
    handle::read(opened, limits.skill_file_bytes, content)
}

/// The content of the skill file `name` in `folder`.
pub(super) fn content(folder: &Path, name: &str, limits: &Limits) -> Result<Vec<u8>, Code> {
    let opened = Folder::open(folder).and_then(|folder| folder.file(Path::new(name)));
    let top = fs_err::canonicalize(folder).map_err(|error| handle::folder_code(&error))?;
    let mut content = Vec::new();
    read_file(&folder.join(name), opened, &top, limits, &mut content)?;
    Ok(content)
}

impl Findings {
    /// What an error kept from being looked at is looked at again, unless a change must come before.
    pub(super) fn doubt_after(&mut self, error: &io::Error) {
        if handle::is_passing(error) {
            self.trace.doubt();
        }
    }

    pub(super) fn problem(&mut self, path: PathBuf, code: Code) {
        self.problems.push(FoundProblem { path, diagnostic: Diagnostic::new(code) });
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
    /// What opening it gave; a link is an error here.
    opened: io::Result<File>,
}

impl SkillFile {
    /// Opens the file at `path` below `folder`; `None` when there is none.
    fn open(folder: &Folder, path: &Path) -> Option<Self> {
        let opened = folder.file(path);
        // A child that is no folder any more has no skill file either.
        if opened.as_ref().is_err_and(handle::is_absent) {
            return None;
        }
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Some(Self { name, opened })
    }

    fn is_denied(&self) -> bool {
        self.opened.as_ref().is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
    }
}

/// The entries of a folder that matter to the walk.
#[derive(Debug, Default)]
struct Listing {
    /// In byte order, so that the walk visits folders in the same order every time.
    folders: Vec<OsString>,
    /// The skill file, as its name is spelled; the right spelling before any other.
    skill_file: Option<String>,
}

impl Listing {
    fn read(folder: &Folder) -> io::Result<Self> {
        let mut listing = Self::default();
        folder.entries(|name, kind| {
            // A folder of that name is a skill file that cannot be read, as it is without a listing.
            if kind == Kind::Folder && name != SKILL_FILE {
                if !is_skipped(&name) {
                    listing.folders.push(name);
                }
            } else {
                take_skill_file(&mut listing.skill_file, &name);
            }
        })?;
        listing.folders.sort_unstable();
        Ok(listing)
    }
}

/// Takes `name` for the skill file of a folder, when it is one and no better spelling is `known`.
pub(super) fn take_skill_file(known: &mut Option<String>, name: &OsStr) {
    if !name.eq_ignore_ascii_case(SKILL_FILE) {
        return;
    }
    let name = name.to_string_lossy().into_owned();
    // `skill.md` is what the reference library reads next, then byte order decides.
    let rank = |name: &str| (name != SKILL_FILE, name != "skill.md");
    let better = |known: &String| (rank(&name), &name) < (rank(known), known);
    if known.as_ref().is_none_or(better) {
        *known = Some(name);
    }
}

/// The skill file of a folder, as its name is spelled; the right spelling where there is none.
pub(super) fn skill_file_in(folder: &Folder) -> String {
    let right = || SKILL_FILE.to_owned();
    if SkillFile::open(folder, Path::new(SKILL_FILE)).is_some() {
        return right();
    }
    Listing::read(folder).ok().and_then(|listing| listing.skill_file).unwrap_or_else(right)
}

/// Folders that hold no skills by their nature.
pub(super) fn is_skipped(name: &OsStr) -> bool {
    name == ".git" || name == "node_modules"
}
