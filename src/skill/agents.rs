//! The table of coding agents: the folders in which each looks for skills.
//!
//! The data is `agents.tsv` beside this file, one agent a line; this module reads it and resolves
//! a folder against a home, a project and variables that the caller passes in. It looks at no disk.

use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("agents.tsv");

/// One coding agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// The id used on the command line, for instance `claude-code`.
    pub id: &'static str,
    /// The name its makers use.
    pub name: &'static str,
    /// Its own folder inside a project.
    pub project: Option<Folder>,
    /// Its own folder in the person's home.
    pub user: Option<Folder>,
    also: &'static str,
    detected: &'static str,
}

impl Agent {
    /// Every folder that the agent reads: its own project and user folder first.
    pub fn folders(&self) -> impl Iterator<Item = Folder> + use<> {
        self.project.into_iter().chain(self.user).chain(folders(self.also))
    }

    /// Places whose existence shows that the agent is installed.
    pub fn detection(&self) -> impl Iterator<Item = Folder> + use<> {
        folders(self.detected)
    }
}

/// All agents, in the order of the table.
pub fn agents() -> impl Iterator<Item = Agent> {
    TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split('\t');
        let mut field = || fields.next().expect("every line of agents.tsv has six fields");
        let (id, name, project, user, also, detected) =
            (field(), field(), field(), field(), field(), field());
        let one = |text: &'static str| (text != "-").then_some(Folder(text));
        Agent { id, name, project: one(project), user: one(user), also, detected }
    })
}

fn folders(list: &'static str) -> impl Iterator<Item = Folder> {
    list.split('|').filter(|text| *text != "-").map(Folder)
}

/// A folder of the table, not yet resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folder(&'static str);

/// What a [`Folder`] is resolved against.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The person's home, when there is one.
    pub home: Option<&'a Path>,
    /// Reads a variable of the environment; an empty one counts as unset.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Folder {
    /// Whether the folder lies in a project.
    pub fn is_project(self) -> bool {
        !self.0.starts_with(['~', '/', '$'])
    }

    /// The folder's path within a project, for instance `.claude/skills`.
    pub fn project_path(self) -> Option<&'static str> {
        self.is_project().then(|| self.0.trim_start_matches("./"))
    }

    /// The absolute path outside a project; `None` for a project folder, a home that is unknown, or
    /// a variable that is not set.
    pub fn resolve(self, places: Places<'_>) -> Option<PathBuf> {
        let (path, replacement) = match self.0.split_once('@') {
            Some((path, replacement)) => (path, replacement.split_once('=')),
            None => (self.0, None),
        };
        if let Some((variable, prefix)) = replacement
            && let Some(value) = (places.variable)(variable)
            && let Some(rest) = path.strip_prefix(prefix)
        {
            let base = match (value.strip_prefix("~/"), places.home) {
                (Some(below), Some(home)) => home.join(below),
                _ => PathBuf::from(value),
            };
            return Some(base.join(rest.trim_start_matches('/')));
        }
        if let Some(below) = path.strip_prefix("~/") {
            return Some(places.home?.join(below));
        }
        if let Some((variable, below)) = path.strip_prefix('$').and_then(|rest| rest.split_once('/')) {
            return Some(PathBuf::from((places.variable)(variable)?).join(below));
        }
        path.starts_with('/').then(|| PathBuf::from(path.replace("%20", " ")))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn find(id: &str) -> Agent {
        agents().find(|agent| agent.id == id).unwrap()
    }

    #[test]
    fn the_table_is_whole() {
        let ids: BTreeSet<_> = agents().map(|agent| agent.id).collect();
        assert_eq!(ids.len(), 80);
        assert_eq!(agents().count(), 80);
        for agent in agents() {
            assert!(agent.project.is_none_or(Folder::is_project), "{}", agent.id);
            assert!(agent.user.is_none_or(|folder| !folder.is_project()), "{}", agent.id);
        }
    }

    #[test]
    fn a_variable_replaces_its_prefix() {
        let home = Path::new("/home/a");
        let unset = |_: &str| None;
        let set = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| "~/elsewhere".to_owned());
        let folder = find("claude-code").user.unwrap();
        let resolve =
            |variable: &dyn Fn(&str) -> Option<String>| folder.resolve(Places { home: Some(home), variable });
        assert_eq!(resolve(&unset).unwrap(), Path::new("/home/a/.claude/skills"));
        assert_eq!(resolve(&set).unwrap(), Path::new("/home/a/elsewhere/skills"));
    }

    #[test]
    fn a_folder_without_its_place_is_none() {
        let unset = |_: &str| None;
        let places = Places { home: None, variable: &unset };
        assert_eq!(find("claude-code").user.unwrap().resolve(places), None);
        assert_eq!(find("zed").detection().filter_map(|folder| folder.resolve(places)).count(), 0);
        let spaced = find("minimax-code").detection().filter_map(|folder| folder.resolve(places));
        assert_eq!(spaced.collect::<Vec<_>>(), [Path::new("/Applications/MiniMax Code.app")]);
    }
}
