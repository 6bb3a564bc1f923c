//! The skills on this machine: every root walked, duplicates found, names settled.
//!
//! One bad file never hides its neighbours: what cannot be read becomes a [`Problem`] beside the
//! skills. A folder that is reached twice, through a link or a shared root, is one skill with two
//! paths. Of two skills with one name the first by scope and root is active and the other is listed
//! as shadowed. The result is the same on every run, however many threads walked.

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{
    roots::{Root, Scope},
    walk::{self, Child, Findings, FoundSkill, Walk},
};
use crate::{
    candidate::{Candidate, Origin},
    skill::{
        Limits,
        bundled::{BUNDLED, BundledSkill},
        diagnostic::{Code, Diagnostic},
        frontmatter::{self, Frontmatter},
        name::Slug,
    },
};

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The roots that exist, in order of precedence.
    pub roots: Vec<RootReport>,
    /// The skills, ordered by root and path.
    pub skills: Vec<LocalSkill>,
    /// What could not be read, ordered by root and path.
    pub problems: Vec<Problem>,
}

/// A root that exists.
#[derive(Debug)]
pub struct RootReport {
    /// The root.
    pub root: Root,
    /// The label of an earlier root that is the same folder.
    pub same_as: Option<String>,
}

/// A skill that can be loaded.
#[derive(Debug)]
pub struct LocalSkill {
    /// Index of its root in [`Discovery::roots`].
    pub root: usize,
    /// What its header says.
    pub frontmatter: Frontmatter,
    /// What is odd about it.
    pub warnings: Vec<Diagnostic>,
    /// Where its files are.
    pub home: Home,
    /// Other paths that lead to the same folder.
    pub aliases: Vec<PathBuf>,
    /// Whether it can be chosen.
    pub standing: Standing,
}

/// Where a skill's files are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Home {
    /// In a folder.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The name of its `SKILL.md`, as spelled there.
        file_name: String,
    },
    /// In the program.
    Bundled(BundledSkill),
}

/// Whether a skill can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It can.
    Active,
    /// A skill of the same name comes first; its index in [`Discovery::skills`].
    Shadowed(usize),
    /// It lies inside another skill and is loaded only by its path.
    Nested(PathBuf),
}

/// A file or folder that could not become a skill.
#[derive(Debug)]
pub struct Problem {
    /// Index of its root in [`Discovery::roots`].
    pub root: usize,
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub diagnostic: Diagnostic,
}

impl Discovery {
    /// Reads a folder that lies in none of the roots and adds its skill; the skill's index.
    ///
    /// `Err(None)` means that the folder holds no skill file at all.
    pub fn add_folder(&mut self, folder: &Path, limits: &Limits) -> Result<usize, Option<Diagnostic>> {
        let visited = AtomicUsize::new(0);
        let mut findings = Findings::default();
        let child = Child { path: folder.to_owned(), real_path: folder.to_owned() };
        Walk { limits, nested: false, visited: &visited }.root_file(&child, &mut findings);
        let Some(skill) = findings.skills.pop() else {
            return Err(findings.problems.pop().map(|problem| problem.diagnostic));
        };
        let root = Root {
            label: folder.display().to_string(),
            scope: Scope::Custom,
            path: folder.to_owned(),
            agents: Vec::new(),
        };
        self.roots.push(RootReport { root, same_as: None });
        self.skills.push(LocalSkill::found(self.roots.len() - 1, skill));
        Ok(self.skills.len() - 1)
    }
}

impl LocalSkill {
    fn found(root: usize, skill: FoundSkill) -> Self {
        Self {
            root,
            frontmatter: skill.frontmatter,
            warnings: skill.warnings,
            home: Home::Folder { folder: skill.folder, file_name: skill.file_name },
            aliases: Vec::new(),
            standing: skill.inside.map_or(Standing::Active, Standing::Nested),
        }
    }

    /// The name that is typed, and that slots are counted by.
    pub fn slug(&self) -> &Slug {
        &self.frontmatter.slug
    }

    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        match self.home {
            Home::Folder { .. } => Origin::Local,
            Home::Bundled(_) => Origin::Bundled,
        }
    }

    /// The name of the folder that holds it.
    pub fn folder_name(&self) -> &str {
        match &self.home {
            Home::Folder { folder, .. } => {
                folder.file_name().and_then(|name| name.to_str()).unwrap_or_default()
            }
            Home::Bundled(skill) => skill.name,
        }
    }

    /// The path of its `SKILL.md`, or the address of a bundled one.
    pub fn location(&self) -> PathBuf {
        match &self.home {
            Home::Folder { folder, file_name } => folder.join(file_name),
            Home::Bundled(skill) => PathBuf::from(skill.location()),
        }
    }

    /// The candidate that routing sees.
    pub fn candidate(&self, roots: &[RootReport]) -> Candidate {
        Candidate {
            id: self.location().to_string_lossy().into_owned(),
            name: self.frontmatter.name.clone(),
            slug: self.frontmatter.slug.clone(),
            description: self.frontmatter.description.clone(),
            when_to_use: self.frontmatter.when_to_use.clone(),
            origin: self.origin(),
            source: roots[self.root].root.label.clone(),
            installs: None,
            quality: None,
        }
    }
}

/// Walks `roots` and adds the bundled skills. `nested` says whether skills inside other skills are
/// looked for too; they are never chosen, so a catalog need not spend time on them.
pub fn discover(roots: Vec<Root>, limits: &Limits, nested: bool) -> Discovery {
    let mut discovery = Discovery::default();
    let mut jobs = Vec::new();
    let mut known_roots: BTreeMap<PathBuf, String> = BTreeMap::new();
    for root in roots {
        let index = discovery.roots.len();
        let real_path = match fs_err::canonicalize(&root.path) {
            Ok(real_path) => real_path,
            Err(error) if is_absent(&error) => continue,
            Err(error) => {
                let diagnostic = walk::without_position(walk::folder_code(&error));
                discovery.problems.push(Problem { root: index, path: root.path.clone(), diagnostic });
                discovery.roots.push(RootReport { root, same_as: None });
                continue;
            }
        };
        let same_as = known_roots.get(&real_path).cloned();
        if same_as.is_none() {
            known_roots.insert(real_path.clone(), root.label.clone());
            list_root(index, &root.path, &real_path, &mut jobs, &mut discovery.problems);
        }
        discovery.roots.push(RootReport { root, same_as });
    }
    let counters: Vec<AtomicUsize> = discovery.roots.iter().map(|_| AtomicUsize::new(0)).collect();
    let found = run(&jobs, limits, nested, &counters);
    collect(&mut discovery, found);
    add_bundled(&mut discovery, limits);
    settle_names(&mut discovery.skills);
    discovery
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// One piece of work: a root's own file, or one of its children.
struct Job {
    root: usize,
    is_root: bool,
    child: Child,
}

fn list_root(index: usize, path: &Path, real_path: &Path, jobs: &mut Vec<Job>, problems: &mut Vec<Problem>) {
    let mut problem = |path: PathBuf, code: Code| {
        problems.push(Problem { root: index, path, diagnostic: walk::without_position(code) });
    };
    let entries = match fs_err::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return,
        Err(error) => return problem(path.to_owned(), walk::folder_code(&error)),
    };
    for entry in entries {
        let (name, kind) = match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
            Ok(entry) => entry,
            Err(error) => {
                problem(path.to_owned(), walk::folder_code(&error));
                continue;
            }
        };
        let child = |real_path| Child { path: path.join(&name), real_path };
        if kind.is_symlink() {
            match linked_folder(&path.join(&name)) {
                Ok(Some(real_path)) => {
                    jobs.push(Job { root: index, is_root: false, child: child(real_path) });
                }
                Ok(None) => {}
                Err(code) => problem(path.join(&name), code),
            }
        } else if kind.is_dir() && name != ".git" && name != "node_modules" {
            jobs.push(Job { root: index, is_root: false, child: child(real_path.join(&name)) });
        } else if name.eq_ignore_ascii_case("SKILL.md") {
            let child = Child { path: path.to_owned(), real_path: real_path.to_owned() };
            jobs.push(Job { root: index, is_root: true, child });
        }
    }
}

/// The real path behind a link to a folder; `None` for a link to a file.
fn linked_folder(link: &Path) -> Result<Option<PathBuf>, Code> {
    let real_path = fs_err::canonicalize(link).map_err(|error| walk::folder_code(&error))?;
    let metadata = fs_err::metadata(&real_path).map_err(|error| walk::folder_code(&error))?;
    Ok(metadata.is_dir().then_some(real_path))
}

/// Children handed to a thread at a time: few enough to share evenly, enough to make the counter cheap.
const BATCH: usize = 32;

/// Runs the jobs on as many threads as pay off; results come back as (root, findings).
fn run(jobs: &[Job], limits: &Limits, nested: bool, counters: &[AtomicUsize]) -> Vec<(usize, Findings)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut results: Vec<(usize, Findings)> = Vec::new();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(batch) =
                jobs.get(start..jobs.len().min(start + BATCH)).filter(|batch| !batch.is_empty())
            else {
                return results;
            };
            for job in batch {
                if results.last().is_none_or(|(root, _)| *root != job.root) {
                    results.push((job.root, Findings::default()));
                }
                let Some((_, findings)) = results.last_mut() else { continue };
                let walk = Walk { limits, nested, visited: &counters[job.root] };
                if job.is_root {
                    walk.root_file(&job.child, findings);
                } else {
                    walk.child(&job.child, findings);
                }
            }
        }
    };
    let threads =
        std::thread::available_parallelism().map_or(1, usize::from).min(8).min(jobs.len().div_ceil(BATCH));
    if threads <= 1 {
        return work();
    }
    std::thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut results = work();
        for handle in handles {
            match handle.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

/// Brings the findings of all threads into one order and joins folders that were reached twice.
fn collect(discovery: &mut Discovery, found: Vec<(usize, Findings)>) {
    let mut skills: Vec<(usize, FoundSkill)> = Vec::new();
    for (root, findings) in found {
        skills.extend(findings.skills.into_iter().map(|skill| (root, skill)));
        discovery.problems.extend(findings.problems.into_iter().map(|problem| Problem {
            root,
            path: problem.path,
            diagnostic: problem.diagnostic,
        }));
    }
    // A folder that is both nested and linked as a skill of its own is the latter.
    let key = |(root, skill): &(usize, FoundSkill)| (skill.inside.is_some(), *root, skill.folder.clone());
    skills.sort_by_cached_key(key);
    discovery.problems.sort_by(|left, right| (left.root, &left.path).cmp(&(right.root, &right.path)));
    let mut seen: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (root, skill) in skills {
        if let Some(&first) = seen.get(&skill.real_folder) {
            discovery.skills[first].aliases.push(skill.folder);
            continue;
        }
        seen.insert(skill.real_folder.clone(), discovery.skills.len());
        discovery.skills.push(LocalSkill::found(root, skill));
    }
    discovery.skills.sort_by_cached_key(|skill| (skill.root, skill.location()));
}

fn add_bundled(discovery: &mut Discovery, limits: &Limits) {
    let root = discovery.roots.len();
    discovery.roots.push(RootReport {
        root: Root {
            label: "bundled".to_owned(),
            scope: Scope::Bundled,
            path: PathBuf::new(),
            agents: Vec::new(),
        },
        same_as: None,
    });
    for skill in BUNDLED {
        let parsed = frontmatter::parse(skill.skill_file().as_bytes(), skill.name, limits);
        match parsed.outcome {
            Ok(frontmatter) => discovery.skills.push(LocalSkill {
                root,
                frontmatter,
                warnings: parsed.warnings,
                home: Home::Bundled(*skill),
                aliases: Vec::new(),
                standing: Standing::Active,
            }),
            // Only a header limit below the bundled headers leads here; it is said like any other.
            Err(diagnostic) => {
                let path = PathBuf::from(skill.location());
                discovery.problems.push(Problem { root, path, diagnostic });
            }
        }
    }
}

/// The first active skill of a name shadows the later ones.
fn settle_names(skills: &mut [LocalSkill]) {
    let mut first: BTreeMap<Slug, usize> = BTreeMap::new();
    for (index, skill) in skills.iter_mut().enumerate() {
        if skill.standing != Standing::Active {
            continue;
        }
        match first.get(&skill.frontmatter.slug) {
            Some(&winner) => skill.standing = Standing::Shadowed(winner),
            None => {
                first.insert(skill.frontmatter.slug.clone(), index);
            }
        }
    }
}
