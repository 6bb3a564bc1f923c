//! The project that a person works in: its root, its `skillflux.yaml`, and what that may set.
//!
//! A project file comes with somebody's repository, so it may narrow what is trusted and never widen
//! it: [`narrow`] compares each value with the person's own, as the key's [`ProjectRule`] says, and a
//! wider value is an error, never a silent correction.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::error::ConfigError;
use super::keys::ProjectRule;
use super::value::Value;

/// The name of a project's file.
pub const PROJECT_FILE: &str = "skillflux.yaml";

/// What was found above the working folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Project {
    /// The git root, or the folder of the project file where there is no git root.
    pub(super) root: Option<PathBuf>,
    /// The project file.
    pub(super) file: Option<PathBuf>,
}

/// Looks for the nearest project file from `folder` up to the git root. Where there is no git root,
/// only `folder` itself counts: a file further up could be anybody's.
pub(super) fn find(folder: &Path) -> Project {
    let exists = |path: &Path| fs_err::metadata(path).is_ok();
    let mut file = None;
    for ancestor in folder.ancestors() {
        let candidate = ancestor.join(PROJECT_FILE);
        if file.is_none() && exists(&candidate) {
            file = Some(candidate);
        }
        if exists(&ancestor.join(".git")) {
            return Project { root: Some(ancestor.to_owned()), file };
        }
    }
    let file = file.filter(|file| file.parent() == Some(folder));
    Project { root: file.as_ref().map(|_| folder.to_owned()), file }
}

/// The value that holds when a project wants `wanted` and the person has `own`; else what is wrong
/// with it, as [`ConfigError::Widening`] says it.
pub(super) fn narrow(rule: ProjectRule, own: &Value, wanted: Value) -> Result<Value, String> {
    let fits = match (rule, own, &wanted) {
        (ProjectRule::Any | ProjectRule::AddsInside, _, _) => true,
        (ProjectRule::NotWider(words), Value::Word(own), Value::Word(wanted)) => {
            let rank = |word: &String| words.iter().position(|known| known == word);
            rank(wanted) >= rank(own)
        }
        (ProjectRule::AtLeast, Value::Integer(own), Value::Integer(wanted)) => wanted >= own,
        (ProjectRule::AtMost, Value::Integer(own), Value::Integer(wanted)) => wanted <= own,
        (ProjectRule::Subset, Value::List(own), Value::List(wanted)) => {
            let own: BTreeSet<_> = own.iter().collect();
            wanted.iter().all(|item| own.contains(item))
        }
        (ProjectRule::Adds, Value::List(own), Value::List(wanted)) => {
            let all: BTreeSet<_> = own.iter().chain(wanted).cloned().collect();
            return Ok(Value::List(all.into_iter().collect()));
        }
        _ => own == &wanted,
    };
    match rule {
        _ if fits => Ok(wanted),
        ProjectRule::PersonOnly => Err(format!("and a project may not change it from `{own}`")),
        _ => Err(format!("which is wider than `{own}`, the value without the project")),
    }
}

/// `path` without `..`, when it lies inside `root`, also after symbolic links are followed.
pub(super) fn inside(root: &Path, path: &Path) -> Result<Option<PathBuf>, ConfigError> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    if !plain.starts_with(root) {
        return Ok(None);
    }
    let real = match fs_err::canonicalize(&plain) {
        Ok(real) => real,
        // A folder that does not exist yet leads nowhere.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Some(plain));
        }
        Err(source) => return Err(ConfigError::Read { file: plain, source }),
    };
    let real_root =
        fs_err::canonicalize(root).map_err(|source| ConfigError::Read { file: root.to_owned(), source })?;
    Ok(real.starts_with(real_root).then_some(plain))
}

/// Whether a project's file is, through links, one that lies outside the project.
pub(super) fn leads_outside(file: &Path, root: &Path) -> bool {
    let real = |path: &Path| fs_err::canonicalize(path).ok();
    matches!((real(file), real(root)), (Some(file), Some(root)) if !file.starts_with(&root))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::keys::Key;
    use crate::config::{check, table};

    fn key(name: &str) -> &'static Key {
        table::find(name).unwrap()
    }

    #[test]
    fn a_project_narrows_and_never_widens() {
        for (name, own, wanted, expected) in [
            ("remoteTrustPolicy", "community", "trusted", Some("trusted")),
            ("remoteTrustPolicy", "community", "community", Some("community")),
            ("remoteTrustPolicy", "community", "open", None),
            ("approvalPolicy", "session", "always", Some("always")),
            ("approvalPolicy", "always", "session", None),
            ("approvalPolicy", "session", "automatic", None),
            ("remoteDiscovery", "on-demand", "off", Some("off")),
            ("remoteDiscovery", "on-demand", "automatic", None),
            ("remoteDiscovery", "off", "on-demand", None),
            ("remoteTrustedOwners", "a,b", "b", Some("[b]")),
            ("remoteTrustedOwners", "a,b", "", Some("[]")),
            ("remoteTrustedOwners", "a,b", "c", None),
            ("mcpTrustedServers", "", "files", None),
            ("mcpTrustedServers", "files", "Files", None),
            ("remoteBlockedOwners", "b,d", "c,b", Some("[b, c, d]")),
            ("remoteBlockedOwners", "b,d", "", Some("[b, d]")),
            ("mcpBlockedServers", "x", "a", Some("[a, x]")),
            ("remoteProviders", "github", "github", Some("[github]")),
            ("remoteProviders", "github", "skills.sh,github", None),
            ("remoteMinQualityScore", "35", "60", Some("60")),
            ("remoteMinQualityScore", "35", "34", None),
            ("mcpDiscovery", "off", "automatic", None),
            ("registryDiscovery", "automatic", "off", Some("off")),
            ("embeddingEndpoint", "http://a/", "http://b/", None),
            ("embeddingEndpoint", "http://a/", "http://a/", Some("http://a/")),
            ("embeddingApiKeyEnv", "A", "GITHUB_TOKEN", None),
            ("embeddingProvider", "ollama", "openai-compatible", None),
            ("maxActiveSkills", "3", "9", Some("9")),
            ("maxSkillFiles", "1000", "999", Some("999")),
            ("maxSkillFiles", "1000", "1000", Some("1000")),
            ("maxSkillFiles", "1000", "1001", None),
            ("maxSkillFiles", "5000", "4000", Some("4000")),
            ("maxSkillBytes", "10", "9", Some("9")),
            ("maxSkillBytes", "10", "11", None),
            ("cacheAutoPrune", "true", "false", None),
            ("cacheMaxEntries", "100", "99", None),
            ("cacheMaxEntries", "100", "101", None),
            ("cacheMaxTotalBytes", "100", "1", None),
            ("cacheMaxIdleDays", "90", "0", None),
            ("usageMaxEntries", "1000", "1", None),
            ("usageMaxEntries", "1000", "1000", Some("1000")),
        ] {
            let key = key(name);
            let value = |text| check::from_text(key, text).unwrap();
            let result = narrow(key.project, &value(own), value(wanted));
            match expected {
                Some(expected) => assert_eq!(result.unwrap().to_string(), expected, "{name} {own} {wanted}"),
                None => assert!(result.unwrap_err().contains(&value(own).to_string()), "{name} {wanted}"),
            }
        }
    }

    #[test]
    fn the_search_ends_at_the_git_root() {
        let home = tempfile::tempdir().unwrap();
        let deep = home.path().join("outer/repo/a/b");
        fs_err::create_dir_all(&deep).unwrap();
        let touch = |place: &str| fs_err::write(home.path().join(place), "").unwrap();
        touch("outer/skillflux.yaml");
        assert_eq!(find(&deep), Project { root: None, file: None });
        touch("outer/repo/a/b/skillflux.yaml");
        let nested = deep.join(PROJECT_FILE);
        assert_eq!(find(&deep), Project { root: Some(deep.clone()), file: Some(nested.clone()) });
        touch("outer/repo/.git");
        touch("outer/repo/skillflux.yaml");
        let repo = home.path().join("outer/repo");
        assert_eq!(find(&deep), Project { root: Some(repo.clone()), file: Some(nested.clone()) });
        fs_err::remove_file(nested).unwrap();
        assert_eq!(find(&deep), Project { root: Some(repo.clone()), file: Some(repo.join(PROJECT_FILE)) });
        fs_err::remove_file(repo.join(PROJECT_FILE)).unwrap();
        assert_eq!(find(&deep), Project { root: Some(repo), file: None });
    }

    #[test]
    fn inside_folds_dots_and_follows_links() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("project");
        fs_err::create_dir_all(root.join("skills")).unwrap();
        fs_err::create_dir_all(home.path().join("private")).unwrap();
        let check = |text: &str| inside(&root, &root.join(text)).unwrap();
        assert_eq!(check("skills"), Some(root.join("skills")));
        assert_eq!(check("not/yet"), Some(root.join("not/yet")));
        assert_eq!(check("skills/../skills"), Some(root.join("skills")));
        assert_eq!(check("../private"), None);
        assert_eq!(check("skills/../../private"), None);
        assert_eq!(check("../project-two"), None);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(home.path().join("private"), root.join("link")).unwrap();
            assert_eq!(check("link"), None);
            std::os::unix::fs::symlink(root.join("skills"), root.join("alias")).unwrap();
            assert_eq!(check("alias"), Some(root.join("alias")));
        }
    }
}
