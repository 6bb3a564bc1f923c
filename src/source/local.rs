//! The skills on this machine: every root walked, duplicates found, names settled.
//!
//! One bad file never hides its neighbours: what cannot be read becomes a [`Problem`] beside the
//! skills. A folder that is reached twice, through a link or a shared root, is one skill with two
//! paths. Of two skills with one name the first by scope and root is active and the other is listed
//! as shadowed. The result is the same on every run, however many threads walked.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    path::{Path, PathBuf},
};

pub use super::walk::Look;
use super::{
    roots::{Root, Scope},
    stored::{self, Stored},
    survey::{self, Survey, Surveyed},
    trace::Trace,
    walk::{Findings, FoundSkill},
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
    /// What was looked at, when that is asked for.
    pub trace: Trace,
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
    /// What its header says; boxed, because skills are sorted and the header is large.
    pub frontmatter: Box<Frontmatter>,
    /// What is odd about it.
    pub warnings: Vec<Diagnostic>,
    /// Where its files are.
    pub home: Home,
    /// Other paths that lead to the same folder.
    pub aliases: Vec<Alias>,
    /// Whether it can be chosen.
    pub standing: Standing,
    /// Where it comes from, for a skill of the store.
    pub stored: Option<Box<Stored>>,
}

/// Another path to a skill's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// Index of its root in [`Discovery::roots`].
    pub root: usize,
    /// The path.
    pub path: PathBuf,
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
    /// Reads `folder`, which lies in none of the roots, and adds its skill; the skill's index.
    ///
    /// `Err(None)` means that the folder holds no skill file at all.
    pub fn add_folder(
        &mut self,
        folder: &Path,
        real_folder: &Path,
        limits: &Limits,
    ) -> Result<usize, Option<Diagnostic>> {
        // A path that ends in `..` names no folder itself.
        let folder = if folder.file_name().is_some() { folder } else { real_folder };
        let mut findings =
            survey::one_folder(folder, real_folder, limits).map_err(|code| Some(Diagnostic::new(code)))?;
        let Some(skill) = findings.skills.pop() else {
            return Err(findings.problems.pop().map(|problem| problem.diagnostic));
        };
        let root = Root {
            label: folder.display().to_string(),
            scope: Scope::Custom,
            path: folder.to_owned(),
            agents: Vec::new(),
            within: None,
        };
        self.roots.push(RootReport { root, same_as: None });
        self.skills.push(LocalSkill::found(self.roots.len() - 1, skill));
        Ok(self.skills.len() - 1)
    }

    /// The indices of the roots whose folder `agent` reads: its own, and those that are the same
    /// folder under another path.
    pub fn roots_of(&self, agent: &str) -> BTreeSet<usize> {
        let mut wanted = BTreeSet::new();
        for (index, report) in self.roots.iter().enumerate() {
            if report.root.agents.contains(&agent) {
                wanted.insert(index);
                let same = |other: &RootReport| Some(&other.root.label) == report.same_as.as_ref();
                wanted.extend(self.roots.iter().position(same));
            }
        }
        wanted
    }
}

impl Problem {
    fn of(root: usize, path: PathBuf, code: Code) -> Self {
        Self { root, path, diagnostic: Diagnostic::new(code) }
    }
}

impl LocalSkill {
    pub(super) fn found(root: usize, skill: FoundSkill) -> Self {
        Self {
            root,
            frontmatter: skill.frontmatter,
            warnings: skill.warnings,
            home: Home::Folder { folder: skill.folder, file_name: skill.file_name },
            aliases: Vec::new(),
            standing: skill.inside.map_or(Standing::Active, Standing::Nested),
            stored: None,
        }
    }

    /// The name that is typed, and that slots are counted by.
    pub fn slug(&self) -> &Slug {
        &self.frontmatter.slug
    }

    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        match self.home {
            Home::Folder { .. } if self.stored.is_some() => Origin::Cache,
            Home::Folder { .. } => Origin::Local,
            Home::Bundled(_) => Origin::Bundled,
        }
    }

    /// The name of the folder that holds it.
    pub fn folder_name(&self) -> &str {
        if let Some(stored) = &self.stored {
            return stored.folder_name();
        }
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
            source: match &self.stored {
                Some(stored) => stored.repository.clone(),
                None => roots[self.root].root.label.clone(),
            },
            installs: self.stored.as_ref().and_then(|stored| stored.installs),
            quality: self.stored.as_ref().and_then(|stored| stored.quality),
        }
    }
}

/// Walks `roots` and adds the skills of the store below `cache` and the bundled ones.
pub fn discover(roots: &[Root], limits: &Limits, look: Look, cache: &Path, stored: Vec<Stored>) -> Discovery {
    let mut discovery = Discovery::default();
    let mut survey = Survey::new(roots, limits, look);
    let mut found = Vec::new();
    for root in roots {
        let index = discovery.roots.len();
        let mut same_as = None;
        match survey.root(index, root) {
            Surveyed::Absent if root.scope == Scope::Custom => {
                discovery.problems.push(Problem::of(index, root.path.clone(), Code::FolderMissing));
            }
            Surveyed::Absent => continue,
            Surveyed::SameAs(label) => same_as = Some(label),
            Surveyed::Walked(findings) => {
                found.extend(findings.into_iter().map(|findings| (index, findings)));
            }
            Surveyed::Failed(code) => {
                discovery.problems.push(Problem::of(index, root.path.clone(), code));
            }
        }
        discovery.roots.push(RootReport { root: root.clone(), same_as });
    }
    let (aliases, trace) = survey.end();
    discovery.trace = trace;
    collect(&mut discovery, found, aliases);
    stored::add(&mut discovery, cache, stored, limits);
    add_bundled(&mut discovery, limits);
    settle_names(&mut discovery.skills);
    discovery
}

/// Brings the findings of all threads into one order and joins folders that were reached twice.
fn collect(discovery: &mut Discovery, found: Vec<(usize, Findings)>, aliases: Vec<(OsString, Alias)>) {
    let mut skills: Vec<(usize, FoundSkill)> = Vec::new();
    for (root, findings) in found {
        discovery.trace.extend(findings.trace);
        skills.extend(findings.skills.into_iter().map(|skill| (root, skill)));
        discovery.problems.extend(findings.problems.into_iter().map(|problem| Problem {
            root,
            path: problem.path,
            diagnostic: problem.diagnostic,
        }));
    }
    discovery.trace.settle();
    // A folder that is both nested and linked as a skill of its own is the latter.
    skills.sort_unstable_by(|(left_root, left), (right_root, right)| {
        let key = |root, skill: &FoundSkill| (skill.inside.is_some(), root);
        key(*left_root, left)
            .cmp(&key(*right_root, right))
            .then_with(|| by_bytes(&left.folder, &right.folder))
    });
    discovery
        .problems
        .sort_by(|left, right| left.root.cmp(&right.root).then_with(|| by_bytes(&left.path, &right.path)));
    let mut seen: BTreeMap<OsString, usize> = BTreeMap::new();
    for (root, skill) in skills {
        if let Some(&first) = seen.get(skill.real_folder.as_os_str()) {
            discovery.skills[first].aliases.push(Alias { root, path: skill.folder });
            continue;
        }
        seen.insert(skill.real_folder.clone().into_os_string(), discovery.skills.len());
        discovery.skills.push(LocalSkill::found(root, skill));
    }
    // Of several links in a root to one group the first stands for all.
    let mut groups: BTreeSet<(usize, OsString)> = BTreeSet::new();
    for (real_folder, alias) in aliases {
        if let Some(&first) = seen.get(&real_folder) {
            discovery.skills[first].aliases.push(alias);
            continue;
        }
        if !groups.insert((alias.root, real_folder.clone())) {
            continue;
        }
        // The folder is a group; the alias leads to every skill in it.
        let mut below = real_folder.clone();
        below.push(std::path::MAIN_SEPARATOR_STR);
        let inside = |known: &OsString| known.as_encoded_bytes().starts_with(below.as_encoded_bytes());
        for (known, &index) in seen.range(below.clone()..).take_while(|(known, _)| inside(known)) {
            if let Ok(rest) = Path::new(known).strip_prefix(&real_folder) {
                let path = alias.path.join(rest);
                discovery.skills[index].aliases.push(Alias { root: alias.root, path });
            }
        }
    }
    for skill in &mut discovery.skills {
        skill.aliases.sort_by(|left, right| {
            left.root.cmp(&right.root).then_with(|| by_bytes(&left.path, &right.path))
        });
    }
    discovery.skills.sort_by(|left, right| {
        left.root.cmp(&right.root).then_with(|| match (&left.home, &right.home) {
            (Home::Folder { folder: left, .. }, Home::Folder { folder: right, .. }) => by_bytes(left, right),
            _ => Ordering::Equal,
        })
    });
}

/// The order of paths in all output. [`Path`] compares component by component, which takes ten times
/// as long.
pub(super) fn by_bytes(left: &Path, right: &Path) -> Ordering {
    left.as_os_str().as_encoded_bytes().cmp(right.as_os_str().as_encoded_bytes())
}

/// Adds the skills of the release.
pub(super) fn add_bundled(discovery: &mut Discovery, limits: &Limits) {
    let root = discovery.roots.len();
    discovery.roots.push(RootReport {
        root: Root {
            label: "bundled".to_owned(),
            scope: Scope::Bundled,
            path: PathBuf::new(),
            agents: Vec::new(),
            within: None,
        },
        same_as: None,
    });
    for skill in BUNDLED {
        let parsed = frontmatter::parse(skill.skill_file().as_bytes(), skill.name, limits);
        match parsed.outcome {
            Ok(frontmatter) => discovery.skills.push(LocalSkill {
                root,
                frontmatter: Box::new(frontmatter),
                warnings: parsed.warnings,
                home: Home::Bundled(*skill),
                aliases: Vec::new(),
                standing: Standing::Active,
                stored: None,
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
