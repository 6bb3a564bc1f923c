//! The survey of one root after the other: its children listed, those known already left out, the others
//! walked by as many threads as pay off.
//!
//! Every real folder is walked once in a run, however many links lead to it, so that links cannot
//! multiply the work. A child that is a link and no skill itself may lead anywhere, also to the top of
//! the disk: such children of a root share a small budget and are walked in order. One root is open at
//! a time, so that the number of roots costs no file handles.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use super::{
    handle::{self, Folder, Kind},
    local::{Alias, by_bytes},
    roots::Root,
    trace::Trace,
    walk::{self, Budget, Child, Findings, Look, Walk},
};
use crate::skill::{Limits, diagnostic::Code};

/// Children handed to a thread at a time: few enough to share evenly, enough to make the counter cheap.
const BATCH: usize = 8;
/// More threads than this only wait for each other in the file system.
const MAX_THREADS: usize = 8;

/// What is known from the roots before.
pub(super) struct Survey<'a> {
    limits: &'a Limits,
    look: Look,
    /// All roots of the run, in the order in which they are walked.
    all: &'a [Root],
    /// Labels of roots by their real paths.
    roots: BTreeMap<PathBuf, String>,
    /// Real paths of the children that were walked.
    walked: BTreeSet<OsString>,
    /// Real paths of linked groups, which were walked under a small budget or not at all: a further link
    /// to one adds nothing, but a real folder is walked again.
    linked: BTreeSet<OsString>,
    /// Further paths of children that were walked, by their real path.
    aliases: Vec<(OsString, Alias)>,
    /// What was looked at beside the walks, when that is asked for.
    trace: Trace,
}

/// What became of a root.
pub(super) enum Surveyed {
    /// There is no such folder.
    Absent,
    /// It is the folder of an earlier root, by that root's label.
    SameAs(String),
    /// It was walked.
    Walked(Vec<Findings>),
    /// It cannot be opened.
    Failed(Code),
}

/// A root that is being walked.
struct OpenRoot<'a> {
    folder: Folder,
    path: &'a Path,
    real_path: PathBuf,
}

impl<'a> Survey<'a> {
    /// A survey that knows nothing yet.
    pub(super) fn new(all: &'a [Root], limits: &'a Limits, look: Look) -> Self {
        Self {
            limits,
            look,
            all,
            roots: BTreeMap::new(),
            walked: BTreeSet::new(),
            linked: BTreeSet::new(),
            aliases: Vec::new(),
            trace: Trace::default(),
        }
    }

    /// The paths that led to children that had been walked before, and what was looked at beside the walks.
    pub(super) fn end(self) -> (Vec<(OsString, Alias)>, Trace) {
        (self.aliases, self.trace)
    }

    /// Remembers a path before it is looked at.
    fn see(&mut self, path: &Path) {
        if self.look.traced {
            self.trace.see(path);
        }
    }

    /// Walks the root of this index.
    pub(super) fn root(&mut self, index: usize, root: &Root) -> Surveyed {
        self.see(&root.path);
        let open = match open(&root.path) {
            Ok(Some(open)) => open,
            Ok(None) => return Surveyed::Absent,
            Err(error) => {
                if handle::is_passing(&error) {
                    self.trace.doubt();
                }
                return Surveyed::Failed(handle::folder_code(&error));
            }
        };
        if let Some(label) = self.roots.get(&open.real_path) {
            return Surveyed::SameAs(label.clone());
        }
        self.roots.insert(open.real_path.clone(), root.label.clone());
        let mut own = Findings::default();
        let (children, skill_file) = self.children(index, &open, &mut own);
        let is_bounded = self.leaves_project(root, &open);
        let budget = if is_bounded { Budget::LINKED } else { Budget::ROOT };
        let walk = Walk::new(self.limits, self.look, budget);
        if let Some(name) = skill_file {
            walk.root_file(&open.folder, &name, open.path, &open.real_path, &mut own);
        }
        // One thread visits the same folders on every run, also when there are too many.
        let most_threads = if is_bounded { 1 } else { MAX_THREADS };
        let mut found = run(&open, &children, &walk, most_threads);
        let mut linked = Findings::default();
        self.linked_groups(&open, &children, &mut found, &mut linked);
        if walk.take_cut() {
            own.problem(root.path.clone(), Code::WalkLimit);
        }
        found.extend([own, linked]);
        Surveyed::Walked(found)
    }

    /// Whether a project's root is linked out of the project, to something that is no root of the
    /// person: a project that a stranger wrote may link its skill folder to anywhere.
    fn leaves_project(&self, root: &Root, open: &OpenRoot<'_>) -> bool {
        let real = |path: &PathBuf| fs_err::canonicalize(path).ok();
        let Some(project) = root.within.as_ref().and_then(real) else { return false };
        let mut own = self.all.iter().filter(|root| root.within.is_none());
        !open.real_path.starts_with(project)
            && !own.any(|own| real(&own.path).as_ref() == Some(&open.real_path))
    }

    /// The children of a root that were not walked yet, in an order that does not depend on the file
    /// system: folders before links, each by name. Also the skill file that the root itself holds.
    fn children(
        &mut self,
        index: usize,
        open: &OpenRoot<'_>,
        own: &mut Findings,
    ) -> (Vec<Child>, Option<String>) {
        let mut children = Vec::new();
        let mut skill_file = None;
        let look = self.look;
        let listed = open.folder.entries(|name, kind| {
            let path = open.path.join(&name);
            if kind != Kind::Folder && name.eq_ignore_ascii_case(walk::SKILL_FILE) {
                return walk::take_skill_file(&mut skill_file, &name);
            }
            let real_path = match kind {
                Kind::Link => {
                    // What is behind it may become something else without a change in this folder.
                    if look.traced {
                        own.trace.see(&path);
                    }
                    match linked_folder(&path) {
                        Ok(Some(real_path)) => real_path,
                        Ok(None) => return,
                        Err(error) => {
                            own.doubt_after(&error);
                            return own.problem(path, handle::folder_code(&error));
                        }
                    }
                }
                Kind::Folder if !walk::is_skipped(&name) => open.real_path.join(&name),
                _ => return,
            };
            children.push(Child { name, path, real_path, is_link: kind == Kind::Link });
        });
        if let Err(error) = listed {
            own.doubt_after(&error);
            own.problem(open.path.to_owned(), handle::folder_code(&error));
        }
        children.sort_unstable_by(|left: &Child, right| {
            left.is_link.cmp(&right.is_link).then_with(|| by_bytes(&left.path, &right.path))
        });
        children.retain(|child| {
            let real_path = child.real_path.as_os_str();
            let is_new = !(child.is_link && self.linked.contains(real_path))
                && self.walked.insert(real_path.to_owned());
            // A link that leads back to the root adds no path that anybody would use.
            if !is_new && !open.real_path.starts_with(&child.real_path) {
                let alias = Alias { root: index, path: child.path.clone() };
                self.aliases.push((child.real_path.clone().into_os_string(), alias));
            }
            is_new
        });
        (children, skill_file)
    }

    /// Walks the linked children that turned out to be no skills, one after the other, so that the same
    /// ones get the budget on every run.
    fn linked_groups(
        &mut self,
        open: &OpenRoot<'_>,
        children: &[Child],
        found: &mut [Findings],
        linked: &mut Findings,
    ) {
        let mut groups: Vec<usize> =
            found.iter_mut().flat_map(|found| found.linked_groups.drain(..)).collect();
        groups.sort_unstable();
        let walk = Walk::new(self.limits, self.look, Budget::LINKED);
        for group in groups {
            let child = &children[group];
            let real_path = child.real_path.as_os_str();
            self.walked.remove(real_path);
            if !self.linked.insert(real_path.to_owned()) {
                continue;
            }
            if open.real_path.starts_with(&child.real_path) {
                // Behind it lies the root itself, which is being walked.
                linked.problem(child.path.clone(), Code::LinkLoop);
                continue;
            }
            walk.linked_group(child, linked);
            if walk.take_cut() {
                linked.problem(child.path.clone(), Code::WalkLimit);
            }
        }
    }
}

/// Reads the skill of one folder that is no root's child.
pub(super) fn one_folder(folder: &Path, real_folder: &Path, limits: &Limits) -> Result<Findings, Code> {
    let handle = Folder::open(folder).map_err(|error| handle::folder_code(&error))?;
    let mut findings = Findings::default();
    let name = walk::skill_file_in(&handle);
    let walk = Walk::new(limits, Look::default(), Budget::ROOT);
    walk.root_file(&handle, &name, folder, real_folder, &mut findings);
    Ok(findings)
}

/// Opens a root; `None` when there is no such folder.
fn open(path: &Path) -> io::Result<Option<OpenRoot<'_>>> {
    match Folder::open(path) {
        Ok(folder) => {
            let real_path = fs_err::canonicalize(path)?;
            Ok(Some(OpenRoot { folder, path, real_path }))
        }
        Err(error)
            if handle::is_absent(&error)
                && !fs_err::symlink_metadata(path).is_ok_and(|it| it.is_symlink()) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The real path behind a link to a folder; `None` for a link to a file.
fn linked_folder(link: &Path) -> io::Result<Option<PathBuf>> {
    let real_path = fs_err::canonicalize(link)?;
    let metadata = fs_err::metadata(&real_path)?;
    Ok(metadata.is_dir().then_some(real_path))
}

/// Walks `children` on as many threads as pay off; each thread's findings come back on their own.
fn run(root: &OpenRoot<'_>, children: &[Child], walk: &Walk<'_>, most_threads: usize) -> Vec<Findings> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut findings = Findings::default();
        loop {
            let start = next.fetch_add(BATCH, Relaxed);
            let end = children.len().min(start + BATCH);
            let Some(batch) = children.get(start..end).filter(|batch| !batch.is_empty()) else {
                return findings;
            };
            for (index, child) in (start..).zip(batch) {
                walk.child(&root.folder, index, child, &mut findings);
            }
        }
    };
    let useful = children.len().div_ceil(BATCH);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(most_threads).min(useful);
    std::thread::scope(|scope| {
        // Where the system allows no further thread, the work is done by those that there are.
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let handles: Vec<_> = (1..threads).filter_map(start).collect();
        let mut results = vec![work()];
        for handle in handles {
            match handle.join() {
                Ok(findings) => results.push(findings),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}
