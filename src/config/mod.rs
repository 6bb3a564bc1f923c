//! Settings: defaults < user file < project file < environment < flags, each value with its origin.
//!
//! - `table` declares every key, in the vocabulary of `keys`; `check` is the only maker of values
//!   that come from outside, so a [`Value`] in a [`Setting`] is always in range.
//! - `load` lays the layers over each other; `project` holds back what a project may not widen.
//! - `edit` changes one key of the user's file and nothing else; `schema` describes the table.
//! - `environment` is the one place that reads the process environment.
//!
//! A mistake is an error with the place and the allowed range, never a silent default. A key whose
//! feature is not in this release is accepted, and [`Config::notices`] says that it has no effect.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::candidate::RouteRule;
use crate::skill::Limits;

mod check;
mod conflicts;
pub mod edit;
pub mod embedding;
pub mod environment;
pub mod error;
mod file;
mod forms;
pub mod keys;
mod load;
mod presets;
mod project;
pub mod remote;
mod routes;
pub mod schema;
mod suggest;
pub mod table;
pub mod usage;
pub mod value;
mod yaml;

pub use check::allowed;
pub use environment::{Environment, Folders};
pub use error::ConfigError;
pub use file::MAX_FILE_BYTES;
pub use keys::{Availability, Key, Kind};
pub use project::PROJECT_FILE;
pub use suggest::nearest;
pub use table::KEYS;
pub use value::Value;

/// How a task and skills are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouterMode {
    /// By the lexical score of the contract.
    Lexical,
    /// By full-text search.
    Fulltext,
    /// By the lexical score, with embeddings for what it leaves open.
    Hybrid,
}

impl RouterMode {
    /// The word used in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Fulltext => "fulltext",
            Self::Hybrid => "hybrid",
        }
    }
}

/// Every setting of this run.
#[derive(Debug, Clone)]
pub struct Config {
    settings: Vec<Setting>,
    custom_roots: Vec<PathBuf>,
    project_root: Option<PathBuf>,
}

/// One key with its value and the place that set it.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The key.
    pub key: &'static Key,
    /// The value that holds; folders are absolute.
    pub value: Value,
    /// Where it was set last.
    pub origin: Origin,
}

/// Where a value was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nowhere.
    Default,
    /// In the user's file, on this line.
    UserFile(PathBuf, u64),
    /// In a project's file, on this line.
    ProjectFile(PathBuf, u64),
    /// By this environment variable.
    Environment(String),
    /// By a flag, for the key of this name.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::UserFile(file, line) | Self::ProjectFile(file, line) => {
                write!(formatter, "`{}` line {line}", file.display())
            }
            Self::Environment(variable) => write!(formatter, "environment variable `{variable}`"),
            Self::Flag(_) => formatter.write_str("command line"),
        }
    }
}

impl Config {
    /// Reads every layer. `explicit_file` replaces the user's file and must exist; `flags` are pairs
    /// of a key and the text of its value.
    ///
    /// # Errors
    /// The first file that cannot be read, key that does not exist, value that is not allowed, or
    /// pair of values that exclude each other.
    pub fn load(
        environment: &Environment,
        explicit_file: Option<&Path>,
        flags: &[(&'static str, String)],
    ) -> Result<Self, ConfigError> {
        load::load(environment, explicit_file, flags)
    }

    /// Every setting, in the order of the table.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// The setting of this exact key.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        table::position(key).map(|index| &self.settings[index])
    }

    /// The setting of this exact key, for a key that a person typed.
    ///
    /// # Errors
    /// [`ConfigError::UnknownKey`] with the nearest key, as [`edit::set`] gives it.
    pub fn get_or_suggest(&self, key: &str) -> Result<&Setting, ConfigError> {
        self.get(key).ok_or_else(|| load::unknown(key, None))
    }

    /// What has to be said about values that somebody set and that have no effect in this release.
    pub fn notices(&self) -> Vec<String> {
        let set = || self.settings.iter().filter(|setting| setting.origin != Origin::Default);
        let later: Vec<String> = set()
            .filter(|setting| matches!(setting.key.available, Availability::Later(_)))
            .map(|setting| format!("`{}`", setting.key.name))
            .collect();
        let mut notices = Vec::new();
        if !later.is_empty() {
            notices.push(format!(
                "no effect in this release: {} (`skillflux config list` says what they will steer)",
                later.join(", ")
            ));
        }
        notices.extend(set().filter_map(|Setting { key, value, origin }| match value {
            Value::List(words)
                if key.name == "remoteProviders" && words.iter().any(|word| word == "registry-index") =>
            {
                Some(format!(
                    "`registry-index` in `remoteProviders` ({origin}) is not in this release and is not asked"
                ))
            }
            _ => None,
        }));
        notices
    }

    /// The most skills in one catalog.
    pub fn max_active_skills(&self) -> usize {
        self.size("maxActiveSkills")
    }

    /// How a task and skills are compared.
    pub fn router_mode(&self) -> RouterMode {
        match self.get("routerMode").map(|setting| &setting.value) {
            Some(Value::Word(mode)) if mode == "lexical" => RouterMode::Lexical,
            Some(Value::Word(mode)) if mode == "hybrid" => RouterMode::Hybrid,
            _ => RouterMode::Fulltext,
        }
    }

    /// The lowest score that puts a skill into a catalog; the scale is that of the mode.
    pub fn min_route_score(&self) -> u64 {
        self.integer("minRouteScore")
    }

    /// The longest description in a catalog, in UTF-16 code units.
    pub fn catalog_description_max_length(&self) -> usize {
        self.size("catalogDescriptionMaxLength")
    }

    /// The most tokens of a catalog; 0 for no bound.
    pub fn catalog_token_budget(&self) -> u64 {
        self.integer("catalogTokenBudget")
    }

    /// The bounds on one skill.
    pub fn limits(&self) -> Limits {
        Limits {
            files: self.size("maxSkillFiles"),
            skill_bytes: self.integer("maxSkillBytes"),
            ..Limits::default()
        }
    }

    /// The rules that put named skills first.
    pub fn routes(&self) -> &[RouteRule] {
        match self.get("routes") {
            Some(Setting { value: Value::Routes(rules), .. }) => rules,
            _ => &[],
        }
    }

    /// Further folders of skills, absolute.
    pub fn custom_roots(&self) -> &[PathBuf] {
        &self.custom_roots
    }

    /// The git root above the working folder, else the working folder when it holds a project file.
    pub fn project_root(&self) -> Option<&Path> {
        self.project_root.as_deref()
    }

    fn integer(&self, key: &str) -> u64 {
        match self.get(key) {
            Some(Setting { value: Value::Integer(number), .. }) => *number,
            _ => unreachable!("`{key}` is a whole number in the table"),
        }
    }

    /// A number that counts things in memory; more than the machine can address is no bound.
    fn size(&self, key: &str) -> usize {
        usize::try_from(self.integer(key)).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_or_the_error_names_the_nearest() {
        let environment = Environment::from_parts(std::collections::BTreeMap::new(), "/w".into(), None);
        let config = Config::load(&environment, None, &[]).unwrap();
        assert_eq!(config.get_or_suggest("routes").unwrap(), config.get("routes").unwrap());
        let error = config.get_or_suggest("maxSkilFiles\n").unwrap_err();
        let ConfigError::UnknownKey { key, origin: None, suggestion } = error else { panic!("{error}") };
        assert_eq!((key.as_str(), suggestion.as_deref()), ("maxSkilFiles\\u{a}", Some("maxSkillFiles")));
    }
}
