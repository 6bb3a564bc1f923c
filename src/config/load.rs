//! Lays the layers over each other: defaults, user file, project file, environment, flags.
//!
//! A later layer replaces the value of an earlier one, except where the project rule of a key says
//! that a project adds to the person's list. Each value keeps the origin that set it. Nothing is
//! corrected: the first value that is wrong, in the order of the layers, is the error.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::check::{self, Problem};
use super::environment::{CONFIG_VARIABLE, Environment};
use super::error::{ConfigError, quoted, shown};
use super::keys::{Key, Kind, ProjectRule, VARIABLE_PREFIX};
use super::project::{self, Project};
use super::suggest::nearest;
use super::table::{self, KEYS};
use super::value::Value;
use super::yaml::{self, Entry};
use super::{Config, Origin, Setting, conflicts, file, presets};

/// Reads every layer. `explicit` is the file that `--config` names.
pub(super) fn load(
    environment: &Environment,
    explicit: Option<&Path>,
    flags: &[(&'static str, String)],
) -> Result<Config, ConfigError> {
    let mut layers = Layers::new(environment);
    layers.user_file(explicit)?;
    let project = project::find(environment.current_dir());
    layers.project_file(&project)?;
    layers.variables()?;
    layers.flags(flags)?;
    presets::follow(&mut layers.settings);
    conflicts::check(&layers.settings)?;
    Ok(Config { settings: layers.settings, custom_roots: layers.custom_roots, project_root: project.root })
}

/// The defaults as settings, in table order.
pub(super) fn defaults() -> Vec<Setting> {
    KEYS.iter().map(|key| Setting { key, value: key.default_value(), origin: Origin::Default }).collect()
}

/// The error for a key that does not exist.
pub(super) fn unknown(name: &str, origin: Option<Origin>) -> ConfigError {
    let suggestion = nearest(name, KEYS.iter().map(|key| key.name));
    ConfigError::UnknownKey { key: shown(name), origin: origin.map(Box::new), suggestion }
}

/// The error for a value that was refused.
pub(super) fn invalid(key: &'static Key, origin: Option<Origin>, problem: Problem) -> ConfigError {
    let Problem { found, allowed, suggestion, .. } = problem;
    let allowed = allowed.unwrap_or_else(|| check::allowed(key.kind));
    ConfigError::Invalid { key: key.name, origin: origin.map(Box::new), found, allowed, suggestion }
}

/// The layers read so far.
struct Layers<'a> {
    environment: &'a Environment,
    settings: Vec<Setting>,
    custom_roots: Vec<PathBuf>,
}

impl<'a> Layers<'a> {
    fn new(environment: &'a Environment) -> Self {
        Self { environment, settings: defaults(), custom_roots: Vec::new() }
    }

    fn user_file(&mut self, explicit: Option<&Path>) -> Result<(), ConfigError> {
        let path = match explicit {
            Some(path) => self.environment.current_dir().join(path),
            None => self.environment.folders().config_file,
        };
        let named = explicit.is_some() || self.environment.var(CONFIG_VARIABLE).is_some();
        let Some(text) = file::read(&path, named, Origin::UserFile)? else {
            return if named { Err(ConfigError::Missing { file: path }) } else { Ok(()) };
        };
        for (name, node) in yaml::parse_file(&path, &text)? {
            let origin = |line| Origin::UserFile(path.clone(), line);
            let line = name.referenced.line();
            let index =
                table::position(&name.value).ok_or_else(|| unknown(&name.value, Some(origin(line))))?;
            let value = check::from_raw(&KEYS[index], &node.value).map_err(|problem| {
                invalid(&KEYS[index], Some(origin(problem.line.unwrap_or(line))), problem)
            })?;
            self.set(index, value, origin(line), folder_of(&path))?;
        }
        Ok(())
    }

    fn project_file(&mut self, project: &Project) -> Result<(), ConfigError> {
        let (Some(path), Some(root)) = (&project.file, &project.root) else { return Ok(()) };
        if project::leads_outside(path, root) {
            return Err(ConfigError::LinkedOutside { file: path.clone() });
        }
        let Some(text) = file::read(path, false, Origin::ProjectFile)? else { return Ok(()) };
        for (name, node) in project_section(path, &text)? {
            let origin = |line| Origin::ProjectFile(path.clone(), line);
            let line = name.referenced.line();
            let index =
                table::position(&name.value).ok_or_else(|| unknown(&name.value, Some(origin(line))))?;
            let key = &KEYS[index];
            let wanted = check::from_raw(key, &node.value)
                .map_err(|problem| invalid(key, Some(origin(problem.line.unwrap_or(line))), problem))?;
            if key.project == ProjectRule::AddsInside {
                self.add_roots(index, &wanted, origin(line), root, folder_of(path))?;
                continue;
            }
            let found = wanted.to_string();
            let value =
                project::narrow(key.project, &self.settings[index].value, wanted).map_err(|reason| {
                    ConfigError::Widening {
                        key: key.name,
                        origin: Box::new(origin(line)),
                        found: quoted(&found),
                        reason,
                    }
                })?;
            self.set(index, value, origin(line), folder_of(path))?;
        }
        Ok(())
    }

    fn add_roots(
        &mut self,
        index: usize,
        wanted: &Value,
        origin: Origin,
        root: &Path,
        base: &Path,
    ) -> Result<(), ConfigError> {
        let Value::List(texts) = wanted else { return Ok(()) };
        let mut known: BTreeSet<_> = self.custom_roots.iter().cloned().collect();
        for text in texts {
            let folder = self.environment.resolve(text, base)?;
            let Some(folder) = project::inside(root, &folder)? else {
                return Err(ConfigError::Widening {
                    key: KEYS[index].name,
                    origin: Box::new(origin),
                    found: quoted(text),
                    reason: format!("which is wider than the project `{}`", root.display()),
                });
            };
            if known.insert(folder.clone()) {
                self.custom_roots.push(folder);
            }
        }
        self.settings[index].value = paths_value(&self.custom_roots);
        self.settings[index].origin = origin;
        Ok(())
    }

    fn variables(&mut self) -> Result<(), ConfigError> {
        let environment = self.environment;
        for (variable, text) in environment.own_variables() {
            let suffix = &variable[VARIABLE_PREFIX.len()..];
            let Some(index) = KEYS.iter().position(|key| key.is_set_by(suffix)) else { continue };
            self.set_text(index, text, Origin::Environment(variable.to_owned()))?;
        }
        Ok(())
    }

    fn flags(&mut self, flags: &[(&'static str, String)]) -> Result<(), ConfigError> {
        for (name, text) in flags {
            let index = table::position(name).ok_or_else(|| unknown(name, Some(Origin::Flag(name))))?;
            self.set_text(index, text, Origin::Flag(name))?;
        }
        Ok(())
    }

    fn set_text(&mut self, index: usize, text: &str, origin: Origin) -> Result<(), ConfigError> {
        let key = &KEYS[index];
        let value =
            check::from_text(key, text).map_err(|problem| invalid(key, Some(origin.clone()), problem))?;
        self.set(index, value, origin, self.environment.current_dir())
    }

    /// Replaces one value; folders are resolved against `base`.
    fn set(&mut self, index: usize, value: Value, origin: Origin, base: &Path) -> Result<(), ConfigError> {
        let value = match (KEYS[index].kind, value) {
            (Kind::Paths, Value::List(texts)) => {
                self.custom_roots = texts
                    .iter()
                    .map(|text| self.environment.resolve(text, base))
                    .collect::<Result<_, _>>()?;
                paths_value(&self.custom_roots)
            }
            (_, value) => value,
        };
        self.settings[index].value = value;
        self.settings[index].origin = origin;
        Ok(())
    }
}

/// The entries under `config:`. Other sections are not this module's, but a key of ours that stands
/// among them would be without effect, so it is an error.
fn project_section(path: &Path, text: &str) -> Result<Vec<Entry>, ConfigError> {
    let mut section = Vec::new();
    for (name, node) in yaml::parse_file(path, text)? {
        if let Some(key) = table::find(&name.value) {
            let line = name.referenced.line();
            return Err(ConfigError::Misplaced { key: key.name, file: path.to_owned(), line });
        }
        if name.value == "config" {
            section = yaml::entries(node).map_err(|(line, column)| ConfigError::Yaml {
                file: path.to_owned(),
                line,
                column,
                reason: "expected lines of the form `key: value` under `config:`".to_owned(),
            })?;
        }
    }
    Ok(section)
}

fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(file)
}

fn paths_value(paths: &[PathBuf]) -> Value {
    Value::List(paths.iter().map(|path| path.to_string_lossy().into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A home, a git repository in it, and what the process was given.
    struct Machine {
        home: tempfile::TempDir,
        variables: BTreeMap<String, String>,
        flags: Vec<(&'static str, String)>,
    }

    impl Machine {
        fn new() -> Self {
            let home = tempfile::tempdir().unwrap();
            fs_err::create_dir_all(home.path().join("repo/.git")).unwrap();
            fs_err::create_dir_all(home.path().join("repo/sub")).unwrap();
            Self { home, variables: BTreeMap::new(), flags: Vec::new() }
        }

        fn path(&self, place: &str) -> PathBuf {
            self.home.path().join(place)
        }

        fn with_user(self, text: &str) -> Self {
            fs_err::create_dir_all(self.path(".config/skillflux")).unwrap();
            fs_err::write(self.path(".config/skillflux/config.yaml"), text).unwrap();
            self
        }

        fn with_project(self, text: &str) -> Self {
            fs_err::write(self.path("repo/skillflux.yaml"), text).unwrap();
            self
        }

        fn with_variable(mut self, name: &str, value: &str) -> Self {
            self.variables.insert(name.to_owned(), value.to_owned());
            self
        }

        fn with_flag(mut self, key: &'static str, text: &str) -> Self {
            self.flags.push((key, text.to_owned()));
            self
        }

        fn load_from(&self, explicit: Option<&Path>) -> Result<Config, ConfigError> {
            let environment = Environment::from_parts(
                self.variables.clone(),
                self.path("repo/sub"),
                Some(self.home.path().to_owned()),
            );
            Config::load(&environment, explicit, &self.flags)
        }

        fn load(&self) -> Config {
            self.load_from(None).unwrap()
        }

        /// The message of the error, with the home folder left out.
        fn error(&self) -> String {
            let message = self.load_from(None).unwrap_err().to_string();
            message.replace(&*self.home.path().to_string_lossy(), "~")
        }
    }

    #[test]
    fn without_anything_the_defaults_hold() {
        let machine = Machine::new();
        let config = machine.load();
        assert!(config.settings().iter().all(|setting| setting.origin == Origin::Default));
        assert_eq!(config.max_active_skills(), 3);
        assert_eq!((config.min_route_score(), config.catalog_description_max_length()), (57, 500));
        let by_words = Machine::new().with_user("routerMode: lexical\n").load();
        assert_eq!((by_words.min_route_score(), by_words.catalog_description_max_length()), (8, 160));
        assert_eq!(config.catalog_token_budget(), 0);
        assert_eq!(config.limits(), crate::skill::Limits::default());
        assert_eq!(config.project_root(), Some(&*machine.path("repo")));
        assert!(config.routes().is_empty() && config.custom_roots().is_empty());
        assert_eq!(config.notices(), [""; 0]);
    }

    #[test]
    fn a_later_layer_wins_and_each_value_knows_its_origin() {
        let user = "maxActiveSkills: 1\nminRouteScore: 1\ncatalogTokenBudget: 100\nmaxSkillFiles: 1\n";
        let machine = Machine::new()
            .with_user(user)
            .with_project(
                "name: x\nconfig:\n  maxActiveSkills: 2\n  minRouteScore: 2\n  catalogTokenBudget: 200\n",
            )
            .with_variable("SKILLFLUX_MAX_ACTIVE_SKILLS", "3")
            .with_variable("SKILLFLUX_MIN_ROUTE_SCORE", "3")
            .with_variable("SKILLFLUX_CATALOG_TOKEN_BUDGET", "")
            .with_variable("SKILLFLUX_NO_SUCH_KEY", "?")
            .with_flag("maxActiveSkills", "4");
        let config = machine.load();
        let user_file = machine.path(".config/skillflux/config.yaml");
        let project_file = machine.path("repo/skillflux.yaml");
        for (key, value, origin) in [
            ("maxActiveSkills", 4, Origin::Flag("maxActiveSkills")),
            ("minRouteScore", 3, Origin::Environment("SKILLFLUX_MIN_ROUTE_SCORE".to_owned())),
            ("catalogTokenBudget", 200, Origin::ProjectFile(project_file, 5)),
            ("maxSkillFiles", 1, Origin::UserFile(user_file, 4)),
            ("maxSkillBytes", 10_485_760, Origin::Default),
        ] {
            let setting = config.get(key).unwrap();
            assert_eq!((&setting.value, &setting.origin), (&Value::Integer(value), &origin), "{key}");
        }
        assert!(config.get("noSuchKey").is_none());
    }

    #[test]
    fn mistakes_name_file_line_range_and_the_nearest_key() {
        for (text, expected) in [
            ("\nmaxSkilFiles: 3\n", "unknown key `maxSkilFiles` (`~/.config/skillflux/config.yaml` line 2)"),
            (
                "# a\r\nmaxActiveSkills: 0\r\n",
                "`maxActiveSkills` (`~/.config/skillflux/config.yaml` line 2) is `0`, allowed: a whole number from 1",
            ),
            (
                "remoteTrustedOwners:\n- a\n- b/c\n",
                "`remoteTrustedOwners` (`~/.config/skillflux/config.yaml` line 3) is `b/c`, allowed: a list of GitHub \
                 logins (1 to 39 letters and digits, with hyphens between them)",
            ),
            (
                "- 1\n",
                "`~/.config/skillflux/config.yaml` line 1, column 1: expected lines of the form `key: value`",
            ),
        ] {
            assert_eq!(Machine::new().with_user(text).error(), expected);
        }
        let error = Machine::new().with_user("maxSkilFiles: 3\n").load_from(None).unwrap_err();
        let ConfigError::UnknownKey { suggestion, .. } = error else { panic!("{error}") };
        assert_eq!(suggestion.as_deref(), Some("maxSkillFiles"));
        let machine = Machine::new().with_variable("SKILLFLUX_ROUTER_MODE", "fast");
        assert!(
            machine
                .error()
                .starts_with("`routerMode` (environment variable `SKILLFLUX_ROUTER_MODE`) is `fast`")
        );
    }

    #[test]
    fn a_file_that_was_named_must_exist_and_a_found_one_may_be_empty() {
        let machine = Machine::new().with_user("");
        machine.load();
        Machine::new().with_user("\u{feff}# nothing\r\n").load();
        let error = machine.load_from(Some(Path::new("none.yaml"))).unwrap_err();
        assert!(
            matches!(&error, ConfigError::Missing { file } if file.ends_with("repo/sub/none.yaml")),
            "{error}"
        );
        let error = Machine::new().with_variable("SKILLFLUX_CONFIG", "none.yaml").error();
        assert_eq!(error, "config file `~/repo/sub/none.yaml` does not exist");
        fs_err::write(machine.path("repo/sub/my.yaml"), "maxActiveSkills: 7\n").unwrap();
        assert_eq!(machine.load_from(Some(Path::new("my.yaml"))).unwrap().max_active_skills(), 7);
    }

    #[test]
    fn an_options_block_of_another_tool_can_be_pasted() {
        let yaml = "\u{feff}maxActiveSkills: 4\r\nremoteDiscovery: off\r\n\
                    routes:\r\n- matchAny: [pdf]\r\n\x20 skills: [pdf-reader]\r\n";
        let script = "{\n  maxActiveSkills: 4,\n  remoteDiscovery: 'off',\n\
                      \x20 routes: [{ matchAny: ['pdf'], skills: ['pdf-reader'] }],\n}\n";
        let json = "{\n\t\"maxActiveSkills\": 4,\n\t\"remoteDiscovery\": \"off\",\n\
                    \t\"routes\": [{\"matchAny\": [\"pdf\"], \"skills\": [\"pdf-reader\"]}]\n}\n";
        for text in [yaml, script, json] {
            let config = Machine::new().with_user(text).load();
            assert_eq!(config.max_active_skills(), 4);
            assert_eq!(config.routes()[0].skills, ["pdf-reader"]);
            assert_eq!(config.get("remoteDiscovery").unwrap().value, Value::Word("off".to_owned()));
        }
    }

    #[test]
    fn a_project_that_widens_trust_is_refused() {
        let wide = "config:\n  remoteTrustPolicy: open\n";
        assert_eq!(
            Machine::new().with_project(wide).error(),
            "`remoteTrustPolicy` (`~/repo/skillflux.yaml` line 2) is `open`, which is wider than `community`, the \
             value without the project"
        );
        Machine::new().with_user("remoteTrustPolicy: open\n").with_project(wide).load();
        let machine = Machine::new()
            .with_user("remoteBlockedOwners: [bad]\n")
            .with_project("config: {remoteBlockedOwners: [Worse]}\n");
        let blocked = machine.load().get("remoteBlockedOwners").unwrap().value.to_string();
        assert_eq!(blocked, "[bad, worse]");
        assert_eq!(
            Machine::new().with_project("maxActiveSkills: 3\n").error(),
            "`maxActiveSkills` stands outside the `config:` section in `~/repo/skillflux.yaml` line 1"
        );
        Machine::new().with_project("config:\nskills: {anything: [goes]}\n").load();
        assert!(Machine::new().with_project("config: 3\n").error().contains("under `config:`"));
    }

    #[test]
    fn custom_roots_are_resolved_where_they_are_written() {
        let machine = Machine::new()
            .with_user("customRoots: [~/mine, ../beside, /abs]\n")
            .with_project("config: {customRoots: [./team, sub/../team]}\n");
        let config = machine.load();
        let expected = [
            machine.path("mine"),
            machine.path(".config/skillflux/../beside"),
            "/abs".into(),
            machine.path("repo/team"),
        ];
        assert_eq!(config.custom_roots(), expected);
        assert!(matches!(config.get("customRoots").unwrap().origin, Origin::ProjectFile(_, 1)));
        let machine = machine.with_variable("SKILLFLUX_CUSTOM_ROOTS", "here, ~/there");
        assert_eq!(machine.load().custom_roots(), [machine.path("repo/sub/here"), machine.path("there")]);
        for outside in ["../x", "~/x", "/etc", "sub/../../x"] {
            let machine = Machine::new().with_project(&format!("config: {{customRoots: ['{outside}']}}\n"));
            let expected = format!(
                "`customRoots` (`~/repo/skillflux.yaml` line 1) is `{outside}`, which is wider than the project `~/repo`"
            );
            assert_eq!(machine.error(), expected);
        }
    }

    #[test]
    fn what_has_no_effect_yet_is_told_only_when_it_was_set() {
        let machine = Machine::new()
            .with_user("routerMode: fulltext\nminEmbeddingSimilarity: 0.5\nmaxActiveSkills: 2\n")
            .with_flag("mcpDiscovery", "off");
        let notices: Vec<_> = machine
            .load()
            .notices()
            .iter()
            .map(|notice| notice.replace(&*machine.home.path().to_string_lossy(), "~"))
            .collect();
        assert_eq!(
            notices,
            ["no effect in this release: `mcpDiscovery` (`skillflux config list` says what they will steer)"]
        );
        assert_eq!(Machine::new().with_flag("routerMode", "hybrid").load().notices(), [""; 0]);
    }

    #[test]
    fn the_provider_brings_its_endpoint_unless_one_is_set() {
        let machine =
            Machine::new().with_user("embeddingProvider: openai-compatible\nembeddingModel: mine\n");
        let config = machine.load();
        let value = |key| config.get(key).unwrap().value.to_string();
        assert_eq!(value("embeddingEndpoint"), table::OPENAI_ENDPOINT);
        assert_eq!(value("embeddingModel"), "mine");
    }
}
