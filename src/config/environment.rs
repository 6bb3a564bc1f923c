//! The process environment, captured once: variables, working folder, home and skillflux's folders.
//!
//! This is the one place that reads `std::env`; everything else gets an [`Environment`] and is
//! therefore the same for the same inputs. The `directories` crate reads the environment too, from
//! here. No folder is created.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use directories::{BaseDirs, ProjectDirs};

use super::Origin;
use super::error::{ConfigError, shown};
use super::keys::VARIABLE_PREFIX;
use crate::skill::{text::TermText, time::UnixMillis};

/// The variable that puts every folder of skillflux under one.
pub const HOME_VARIABLE: &str = "SKILLFLUX_HOME";
/// The variable that names the cache folder.
pub const CACHE_VARIABLE: &str = "SKILLFLUX_CACHE_DIR";
/// The variable that names the user's config file.
pub const CONFIG_VARIABLE: &str = "SKILLFLUX_CONFIG";

/// What the process was started with.
#[derive(Debug, Clone)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    current_dir: PathBuf,
    home: Option<PathBuf>,
    folders: Folders,
    now: UnixMillis,
}

/// Where skillflux keeps its files. The cache can be deleted at any time, the state cannot be
/// re-made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Holds the config file.
    pub config: PathBuf,
    /// The user's config file.
    pub config_file: PathBuf,
    /// Files that can be made again.
    pub cache: PathBuf,
    /// Usage, approvals, and what was made where.
    pub state: PathBuf,
    /// Files that a person added, such as models.
    pub data: PathBuf,
}

impl Environment {
    /// Captures the environment of this process. Variables of others that are not UTF-8 are left out.
    ///
    /// # Errors
    /// When the working folder is gone, neither a home nor `SKILLFLUX_HOME` is known, or a variable
    /// that begins with `SKILLFLUX_` is not UTF-8.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the seam where the environment and the present are captured"
    )]
    pub fn capture() -> Result<Self, ConfigError> {
        let variables = text_variables(std::env::vars_os())?;
        let current_dir = std::env::current_dir().map_err(|source| ConfigError::WorkingFolder { source })?;
        let home = BaseDirs::new().map(|base| base.home_dir().to_owned());
        let folders = match ProjectDirs::from("", "", "skillflux") {
            Some(project) => Folders::of_system(&project),
            None if variables.get(HOME_VARIABLE).is_some_and(|folder| !folder.is_empty()) => {
                Folders::under(&current_dir)
            }
            None => return Err(ConfigError::NoHome),
        };
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        // A clock before 1970 is a clock that was never set.
        let now = since_1970.ok().and_then(|time| i64::try_from(time.as_millis()).ok()).unwrap_or(0);
        Ok(Self { now: UnixMillis(now), ..Self::new(variables, current_dir, home, folders) })
    }

    /// An environment made of parts, for tests and for callers that are not a process of their own, at
    /// the beginning of 1970.
    /// Without a home, the folders lie under `.skillflux` in the working folder.
    pub fn from_parts(
        variables: BTreeMap<String, String>,
        current_dir: PathBuf,
        home: Option<PathBuf>,
    ) -> Self {
        let folders = match &home {
            Some(home) => Folders {
                config: home.join(".config/skillflux"),
                config_file: home.join(".config/skillflux/config.yaml"),
                cache: home.join(".cache/skillflux"),
                state: home.join(".local/state/skillflux"),
                data: home.join(".local/share/skillflux"),
            },
            None => Folders::under(&current_dir.join(".skillflux")),
        };
        Self::new(variables, current_dir, home, folders)
    }

    fn new(
        variables: BTreeMap<String, String>,
        current_dir: PathBuf,
        home: Option<PathBuf>,
        folders: Folders,
    ) -> Self {
        let mut environment = Self { variables, current_dir, home, folders, now: UnixMillis(0) };
        let named = |variable| environment.var(variable).map(|path| environment.absolute(path));
        let (all, cache, config) = (named(HOME_VARIABLE), named(CACHE_VARIABLE), named(CONFIG_VARIABLE));
        if let Some(all) = all {
            environment.folders = Folders::under(&all);
        }
        if let Some(cache) = cache {
            environment.folders.cache = cache;
        }
        if let Some(file) = config {
            file.parent().unwrap_or(&file).clone_into(&mut environment.folders.config);
            environment.folders.config_file = file;
        }
        environment
    }

    /// The value of a variable; an empty one counts as unset.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Every variable that is UTF-8, for a program that is started.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The same at another moment.
    #[must_use]
    pub fn at(self, now: UnixMillis) -> Self {
        Self { now, ..self }
    }

    /// The moment at which it was captured.
    pub fn now(&self) -> UnixMillis {
        self.now
    }

    /// The home folder of the person.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The folder that the process works in.
    pub fn current_dir(&self) -> &Path {
        &self.current_dir
    }

    /// Where skillflux keeps its files.
    pub fn folders(&self) -> Folders {
        self.folders.clone()
    }

    /// Every set variable that begins with `SKILLFLUX_`, as its full name and value, sorted.
    pub(super) fn own_variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables
            .range(VARIABLE_PREFIX.to_owned()..)
            .take_while(|(name, _)| name.starts_with(VARIABLE_PREFIX))
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The folder that `text` means when it is written in `base`: a leading `~/` is the home, and
    /// another relative path starts at `base`.
    pub(super) fn resolve(&self, text: &str, base: &Path) -> Result<PathBuf, ConfigError> {
        let under_home = if text == "~" { Some("") } else { text.strip_prefix("~/") };
        match (under_home, &self.home) {
            (Some(rest), Some(home)) => Ok(without_dots(&home.join(rest.trim_start_matches('/')))),
            (Some(_), None) => Err(ConfigError::NoHomeFor { folder: shown(text) }),
            (None, _) => Ok(without_dots(&base.join(text))),
        }
    }

    fn absolute(&self, path: &str) -> PathBuf {
        without_dots(&self.current_dir.join(path))
    }
}

impl Folders {
    fn of_system(project: &ProjectDirs) -> Self {
        let state =
            project.state_dir().map_or_else(|| project.data_local_dir().join("state"), Path::to_owned);
        Self {
            config: project.config_dir().to_owned(),
            config_file: project.config_dir().join("config.yaml"),
            cache: project.cache_dir().to_owned(),
            state,
            data: project.data_local_dir().to_owned(),
        }
    }

    fn under(folder: &Path) -> Self {
        Self {
            config: folder.join("config"),
            config_file: folder.join("config/config.yaml"),
            cache: folder.join("cache"),
            state: folder.join("state"),
            data: folder.join("data"),
        }
    }
}

/// The variables that are UTF-8. One of ours that is not would otherwise be without effect, so the
/// first by name is the error.
fn text_variables(
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> Result<BTreeMap<String, String>, ConfigError> {
    let mut texts = BTreeMap::new();
    for (name, value) in variables.collect::<BTreeMap<_, _>>() {
        match (name.to_str(), value.to_str()) {
            (Some(name), Some(value)) => {
                texts.insert(name.to_owned(), value.to_owned());
            }
            _ if name.as_encoded_bytes().starts_with(VARIABLE_PREFIX.as_bytes()) => {
                let name = TermText::path(Path::new(&name)).to_string();
                return Err(ConfigError::NotText { origin: Box::new(Origin::Environment(name)) });
            }
            _ => {}
        }
    }
    Ok(texts)
}

/// The path without `.` parts. `..` stays: what it means depends on symbolic links.
fn without_dots(path: &Path) -> PathBuf {
    path.components().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)], home: Option<&str>) -> Environment {
        let variables =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Environment::from_parts(variables, "/work/here".into(), home.map(PathBuf::from))
    }

    #[test]
    fn one_variable_moves_all_folders_and_others_move_one() {
        let plain = environment(&[], Some("/home/me"));
        assert_eq!(plain.folders().config_file, Path::new("/home/me/.config/skillflux/config.yaml"));
        let moved = environment(&[("SKILLFLUX_HOME", "flux"), ("SKILLFLUX_CACHE_DIR", "/big/cache")], None);
        assert_eq!(
            moved.folders(),
            Folders { cache: "/big/cache".into(), ..Folders::under(Path::new("/work/here/flux")) }
        );
        let named = environment(&[("SKILLFLUX_CONFIG", "./my/x.yaml")], Some("/home/me")).folders();
        assert_eq!(named.config_file, Path::new("/work/here/my/x.yaml"));
        assert_eq!(named.config, Path::new("/work/here/my"));
        assert_eq!(named.state, plain.folders().state);
    }

    #[test]
    fn an_empty_variable_counts_as_unset() {
        let environment = environment(
            &[("SKILLFLUX_HOME", ""), ("SKILLFLUX_ROUTES", ""), ("SKILLFLUX_X", "1")],
            Some("/home/me"),
        );
        assert_eq!(environment.var("SKILLFLUX_HOME"), None);
        assert_eq!(environment.folders().cache, Path::new("/home/me/.cache/skillflux"));
        assert_eq!(environment.own_variables().collect::<Vec<_>>(), [("SKILLFLUX_X", "1")]);
    }

    #[test]
    fn folders_resolve_against_home_and_base() {
        let environment = environment(&[], Some("/home/me"));
        let base = Path::new("/etc/x");
        for (text, expected) in [
            ("~", "/home/me"),
            ("~/s", "/home/me/s"),
            ("./s", "/etc/x/s"),
            ("../s", "/etc/x/../s"),
            ("/s", "/s"),
        ] {
            // As text, because two paths that differ in `.` parts compare as equal.
            let folder = environment.resolve(text, base).unwrap().to_string_lossy().into_owned();
            assert_eq!(folder.replace(std::path::MAIN_SEPARATOR, "/"), expected);
        }
        let homeless = Environment::from_parts(BTreeMap::new(), "/w".into(), None);
        assert!(matches!(homeless.resolve("~/s", base), Err(ConfigError::NoHomeFor { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_variable_of_ours_that_is_no_text_is_an_error_and_others_are_left_out() {
        use std::os::unix::ffi::OsStringExt;
        let texts = |pairs: &[(&[u8], &[u8])]| {
            let os = |bytes: &[u8]| OsString::from_vec(bytes.to_owned());
            text_variables(pairs.iter().map(|(name, value)| (os(name), os(value))))
        };
        let kept = texts(&[(b"A", b"1"), (b"B", b"\xff"), (b"SKILLFLUX\xff", b"1"), (b"SKILLFLUX_X", b"2")]);
        let expected = [("A", "1"), ("SKILLFLUX_X", "2")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(kept.unwrap(), BTreeMap::from(expected));
        for (pairs, expected) in [
            (&[(&b"SKILLFLUX_HOME"[..], &b"/x\xff"[..])][..], "SKILLFLUX_HOME"),
            (&[(b"SKILLFLUX_\xff\x1b", b"1")], "SKILLFLUX_\\xff\\u{1b}"),
            (&[(b"SKILLFLUX_Y", b"\xff"), (b"SKILLFLUX_X", b"\xff")], "SKILLFLUX_X"),
        ] {
            let error = texts(pairs).unwrap_err().to_string();
            assert_eq!(error, format!("environment variable `{expected}` is not UTF-8 text"));
        }
    }

    #[test]
    fn this_process_has_an_environment() {
        let environment = Environment::capture().unwrap();
        assert!(environment.current_dir().is_absolute());
        assert!(environment.var("PATH").is_some());
        assert!(environment.folders().config_file.starts_with(environment.folders().config));
    }
}
