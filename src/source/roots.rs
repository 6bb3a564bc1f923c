//! The folders in which skills are looked for, in order of precedence.
//!
//! Project folders come first, from the working folder up to the project's root, then the folders
//! that the configuration names, then the person's own, then what comes with the release. A folder
//! that several agents share is one root. This module builds the list; whether a folder exists is
//! for the walk to find out.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::skill::agents::{self, Places};

/// The scope of a root, in order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Inside the project.
    Project,
    /// Named by `customRoots`.
    Custom,
    /// In the person's home, or for the whole machine.
    User,
    /// The store of fetched skills.
    Cache,
    /// Part of the release.
    Bundled,
}

impl Scope {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Custom => "custom",
            Self::User => "user",
            Self::Cache => "cache",
            Self::Bundled => "bundled",
        }
    }
}

/// A folder that holds skill folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// What output calls it, for instance `~/.claude/skills`.
    pub label: String,
    /// Its scope.
    pub scope: Scope,
    /// Its path; empty for the bundled skills.
    pub path: PathBuf,
    /// Ids of the agents that read it.
    pub agents: Vec<&'static str>,
    /// The project that a project's root belongs to.
    pub within: Option<PathBuf>,
}

/// What the list of roots depends on.
pub struct RootInputs<'a> {
    /// The working folder.
    pub current_dir: &'a Path,
    /// The project's root, when the working folder lies in a project.
    pub project_root: Option<&'a Path>,
    /// Folders of the configuration, absolute.
    pub custom_roots: &'a [PathBuf],
    /// The home and the environment's variables.
    pub places: Places<'a>,
}

/// Every root, in order of precedence and each path once.
pub fn roots(inputs: &RootInputs<'_>) -> Vec<Root> {
    let mut list = RootList { home: inputs.places.home, roots: Vec::new(), by_path: BTreeMap::new() };
    let project_folders = project_folders();
    let top = inputs.project_root.unwrap_or(inputs.current_dir);
    for folder in project_levels(inputs) {
        for (below, readers) in &project_folders {
            list.add(folder.join(below), Scope::Project, readers, Some(top));
        }
    }
    for path in inputs.custom_roots {
        list.add(inputs.current_dir.join(path), Scope::Custom, &[], None);
    }
    for agent in agents::agents() {
        for path in agent.folders().filter_map(|folder| folder.resolve(inputs.places)) {
            // A variable of an agent may hold a relative path.
            list.add(inputs.current_dir.join(path), Scope::User, &[agent.id], None);
        }
    }
    list.roots
}

/// The ids of agents that have left a trace on this machine.
pub fn detected_agents(inputs: &RootInputs<'_>) -> Vec<&'static str> {
    let exists = |folder: agents::Folder| match folder.project_path() {
        Some(below) => inputs.current_dir.join(below).exists(),
        None => folder.resolve(inputs.places).is_some_and(|path| path.exists()),
    };
    agents::agents().filter(|agent| agent.detection().any(exists)).map(|agent| agent.id).collect()
}

/// The distinct project folders of all agents with their readers; the folder that most agents share
/// comes first, the others in the order of the table.
fn project_folders() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut folders: Vec<(&'static str, Vec<&'static str>)> = Vec::new();
    for agent in agents::agents() {
        for below in agent.folders().filter_map(agents::Folder::project_path) {
            match folders.iter_mut().find(|(known, _)| *known == below) {
                Some((_, readers)) => readers.push(agent.id),
                None => folders.push((below, vec![agent.id])),
            }
        }
    }
    let shared = (0..folders.len()).max_by_key(|index| (folders[*index].1.len(), usize::MAX - index));
    if let Some(shared) = shared {
        folders[..=shared].rotate_right(1);
    }
    folders
}

/// The working folder and its ancestors up to the project's root. The person's home is no project,
/// even when a repository of settings lies there.
fn project_levels<'a>(inputs: &'a RootInputs<'_>) -> impl Iterator<Item = &'a Path> {
    let top = inputs.project_root.unwrap_or(inputs.current_dir);
    inputs
        .current_dir
        .ancestors()
        .take_while(move |folder| folder.starts_with(top))
        .take_while(move |folder| Some(*folder) != inputs.places.home)
}

struct RootList<'a> {
    home: Option<&'a Path>,
    roots: Vec<Root>,
    by_path: BTreeMap<PathBuf, usize>,
}

impl RootList<'_> {
    fn add(&mut self, path: PathBuf, scope: Scope, readers: &[&'static str], within: Option<&Path>) {
        if let Some(&index) = self.by_path.get(&path) {
            for reader in readers {
                if !self.roots[index].agents.contains(reader) {
                    self.roots[index].agents.push(reader);
                }
            }
            return;
        }
        self.by_path.insert(path.clone(), self.roots.len());
        let label = short_path(&path, self.home);
        let within = within.map(Path::to_owned);
        self.roots.push(Root { label, scope, path, agents: readers.to_vec(), within });
    }
}

/// `path` with the home written as `~`.
pub fn short_path(path: &Path, home: Option<&Path>) -> String {
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) if below.as_os_str().is_empty() => "~".to_owned(),
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(current_dir: &str, project_root: Option<&str>, home: Option<&str>) -> Vec<String> {
        let unset = |_: &str| None;
        let inputs = RootInputs {
            current_dir: Path::new(current_dir),
            project_root: project_root.map(Path::new),
            custom_roots: &[PathBuf::from("/data/skills")],
            places: Places { home: home.map(Path::new), variable: &unset },
        };
        roots(&inputs).into_iter().map(|root| root.label).collect()
    }

    #[test]
    fn near_folders_come_before_far_ones_and_the_shared_one_first() {
        let labels = labels("/home/a/repo/sub", Some("/home/a/repo"), Some("/home/a"));
        let at = |label: &str| labels.iter().position(|known| known == label).unwrap();
        assert_eq!(labels[0], "~/repo/sub/.agents/skills");
        assert!(at("~/repo/sub/.claude/skills") < at("~/repo/.agents/skills"));
        assert!(at("~/repo/.claude/skills") < at("/data/skills"));
        assert!(at("/data/skills") < at("~/.claude/skills"));
        assert_eq!(labels.iter().filter(|label| *label == "~/.agents/skills").count(), 1);
    }

    #[test]
    fn a_home_is_no_project() {
        let labels = labels("/home/a", Some("/home/a"), Some("/home/a"));
        assert_eq!(labels[0], "/data/skills");
    }

    #[test]
    fn agents_that_share_a_folder_share_a_root() {
        let unset = |_: &str| None;
        let inputs = RootInputs {
            current_dir: Path::new("/p"),
            project_root: None,
            custom_roots: &[],
            places: Places { home: Some(Path::new("/h")), variable: &unset },
        };
        let roots = roots(&inputs);
        assert!(roots[0].agents.contains(&"codex") && roots[0].agents.contains(&"cursor"));
    }
}
