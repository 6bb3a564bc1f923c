//! The documents that commands print, apart from the types that the logic uses.
//!
//! Each carries its `schema` with a version; a field is added under the same version, and changed or
//! removed only under the next. Lists have one documented order.

use std::collections::BTreeMap;

use serde::Serialize;

/// Something odd about a skill, or what kept a file from being one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The code, with `:` and the field it concerns where there is one.
    pub code: String,
    /// Line in the file, from 1; absent when the code concerns the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What to do about it.
    pub remedy: &'static str,
}

/// `list`.
#[derive(Debug, Serialize)]
pub struct List {
    /// `skillflux.list/1`
    pub schema: &'static str,
    /// Roots that exist, in order of precedence.
    pub roots: Vec<Root>,
    /// Skills by root and path.
    pub skills: Vec<Skill>,
    /// Files that are no skill, by root and path.
    pub problems: Vec<Problem>,
}

/// A folder that holds skills.
#[derive(Debug, Clone, Serialize)]
pub struct Root {
    /// Its short name.
    pub label: String,
    /// `project`, `custom`, `user`, `bundled`, or `cache` for the store.
    pub scope: &'static str,
    /// Its path; empty for the bundled skills.
    pub path: String,
    /// Agents that read it.
    pub agents: Vec<&'static str>,
    /// The root that is the same folder and comes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// One skill.
#[derive(Debug, Clone, Serialize)]
pub struct Skill {
    /// The name to type.
    pub name: String,
    /// The name as its author wrote it, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    pub description: String,
    /// Its version, where it states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The label of its root.
    pub root: String,
    /// Its `SKILL.md`, or the address of a bundled one.
    pub location: String,
    /// `active`, `shadowed` or `nested`.
    pub standing: &'static str,
    /// The skill that shadows it, or that it lies in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
    /// Other paths of the same folder, in the order of their roots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Whether a model may choose it.
    pub model_invocable: bool,
    /// Whether a person may call it by name.
    pub user_invocable: bool,
    /// For a skill of the store: where its bytes come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<super::wire_remote::Pin>,
    /// What is odd about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Diagnostic>,
}

/// A file or folder that is no skill.
#[derive(Debug, Clone, Serialize)]
pub struct Problem {
    /// The label of its root.
    pub root: String,
    /// Its path.
    pub path: String,
    /// What is wrong.
    pub diagnostic: Diagnostic,
}

/// One file of a skill.
#[derive(Debug, Clone, Serialize)]
pub struct Resource {
    /// Its path in the skill.
    pub path: String,
    /// `script`, `reference`, `asset` or `file`.
    pub kind: &'static str,
    /// Its length in bytes.
    pub size: u64,
    /// Whether its owner may execute it.
    pub executable: bool,
    /// The SHA-256 of its content.
    pub sha256: String,
}

/// A file that a digest does not cover.
#[derive(Debug, Clone, Serialize)]
pub struct LeftOut {
    /// Its path in the skill.
    pub path: String,
    /// `link`, `special`, `path_collision`, or the code of the check that it failed.
    pub code: String,
}

/// Where bytes come from.
#[derive(Debug, Clone, Serialize)]
pub struct Provenance {
    /// `local`, `cache` or `bundled`.
    pub origin: &'static str,
    /// The label of the root.
    pub root: String,
    /// The skill's `SKILL.md`.
    pub location: String,
    /// For a skill of the store: the pin that its bytes were verified against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<super::wire_remote::Pin>,
    /// For a skill of the store: what is known of its origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<&'static str>,
}

/// `show`.
#[derive(Debug, Serialize)]
pub struct Show {
    /// `skillflux.show/1`
    pub schema: &'static str,
    /// The skill as `list` shows it.
    pub skill: Skill,
    /// When to use it, where that is stated apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when_to_use: Option<String>,
    /// When not to use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when_not_to_use: Option<String>,
    /// Its licence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// What it needs to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<String>,
    /// Tools it asks for; this grants nothing.
    pub allowed_tools: Vec<String>,
    /// The arguments it hints at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument_hint: Option<String>,
    /// Its metadata by key.
    pub metadata: BTreeMap<String, String>,
    /// Other keys of its header.
    pub extra_keys: Vec<String>,
    /// The digest of its files.
    pub digest: String,
    /// Its files by path.
    pub files: Vec<Resource>,
    /// What the digest does not cover.
    pub left_out: Vec<LeftOut>,
    /// What a strict reader of the specification objects to.
    pub lint: Vec<Finding>,
}

/// What a strict reader objects to.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The rule.
    pub rule: &'static str,
    /// What breaks it.
    pub message: String,
    /// Line in the file, from 1; 0 for the whole file.
    pub line: u32,
    /// Column in characters, from 1; 0 for the whole file.
    pub column: u32,
}

/// `load`.
#[derive(Debug, Serialize)]
pub struct Load {
    /// `skillflux.load/1`
    pub schema: &'static str,
    /// The name to type.
    pub name: String,
    /// Its version, where it states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Where the bytes come from.
    pub provenance: Provenance,
    /// The digest of its files.
    pub digest: String,
    /// The instructions.
    pub body: String,
    /// Its other files by path.
    pub resources: Vec<Resource>,
    /// What the digest does not cover.
    pub left_out: Vec<LeftOut>,
}

/// `read`.
#[derive(Debug, Serialize)]
pub struct Read {
    /// `skillflux.read/1`
    pub schema: &'static str,
    /// Stable for source, name and path over versions: 24 hexadecimal digits.
    pub id: String,
    /// The skill's name.
    pub name: String,
    /// The skill's version, where it states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Where the bytes come from.
    pub provenance: Provenance,
    /// The digest of the skill's files.
    pub digest: String,
    /// The file's path in the skill.
    pub path: String,
    /// The SHA-256 of the whole file.
    pub sha256: String,
    /// The length of the whole file in bytes.
    pub size: u64,
    /// Its MIME type.
    pub mime_type: &'static str,
    /// `text` or `base64`.
    pub encoding: &'static str,
    /// Whether `content` is only the beginning.
    pub truncated: bool,
    /// The content.
    pub content: String,
}

/// `explain`.
#[derive(Debug, Serialize)]
pub struct Explain {
    /// `skillflux.explain/1`
    pub schema: &'static str,
    /// The router that decided.
    pub router: &'static str,
    /// The most skills that are chosen.
    pub limit: usize,
    /// The least score that a skill needs.
    pub min_score: u64,
    /// The budget in tokens, 0 for none.
    pub budget: u64,
    /// The format that is priced.
    pub format: &'static str,
    /// What the catalog costs by the estimate.
    pub tokens: u64,
    /// What is odd about the rules that match the task.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Candidates: chosen ones in order, then by score and name; after them skills that are never
    /// candidates.
    pub candidates: Vec<Explained>,
    /// Skills that are not listed: those that share nothing with the task, and all but ten of those
    /// below the threshold.
    pub unlisted: usize,
}

/// Why one candidate was or was not chosen.
#[derive(Debug, Clone, Serialize)]
pub struct Explained {
    /// The name to type.
    pub name: String,
    /// The label of its root.
    pub root: String,
    /// What happened to it.
    pub outcome: &'static str,
    /// More on the outcome, where there is more to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Whether it is in by a rule, whatever its score.
    pub by_rule: bool,
    /// Its score with the boost.
    pub score: u64,
    /// The parts of a lexical score; 0 where another router decides.
    pub parts: ScoreParts,
    /// What full-text search says, where it decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fulltext: Option<super::wire_fulltext::Fulltext>,
    /// The boost from use.
    pub boost: u64,
    /// The cosine of task and skill, where meaning was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// What chose it, where meaning may choose: `rule`, `lexical` or `embedding`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<&'static str>,
}

/// The parts of a lexical score.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ScoreParts {
    /// For the whole name.
    pub name_phrase: u64,
    /// For words shared with the name.
    pub name: u64,
    /// For words shared with the text on when to use it.
    pub when_to_use: u64,
    /// For words shared with the description.
    pub description: u64,
    /// For pairs of Han characters found as they stand.
    pub han_bonus: u64,
}

/// `status`.
#[derive(Debug, Serialize)]
pub struct Status {
    /// `skillflux.status/1`
    pub schema: &'static str,
    /// The version of skillflux.
    pub version: &'static str,
    /// The router in force.
    pub router: &'static str,
    /// Roots that exist.
    pub roots: Vec<StatusRoot>,
    /// Skills that can be chosen.
    pub active: usize,
    /// Skills that are active but not for a model.
    pub not_for_models: usize,
    /// Skills behind another of the same name.
    pub shadowed: usize,
    /// Skills inside other skills.
    pub nested: usize,
    /// Files that are no skill.
    pub problems: usize,
    /// What a listing of every active skill would cost, in estimated tokens.
    pub full_listing_tokens: u64,
    /// The most skills in a catalog.
    pub max_active_skills: usize,
    /// The budget of a catalog in tokens, 0 for none.
    pub catalog_token_budget: u64,
    /// How meaning is compared, where the router does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeddings: Option<super::wire_model::Embeddings>,
    /// The store of fetched skills.
    pub cache: super::wire_cache::CacheStatus,
    /// The search index, where the router uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<super::wire_index::IndexStatus>,
    /// How remote sources are searched.
    pub remote: super::wire_remote::RemoteStatus,
    /// Mounted skills, by session and in the order in which they were mounted.
    pub mounts: Vec<super::wire_remote::MountedSkill>,
    /// Agents that have left a trace on this machine.
    pub agents: Vec<&'static str>,
    /// The configuration file, and whether it exists.
    pub config_file: String,
    /// Whether the configuration file exists.
    pub config_file_exists: bool,
    /// The project's root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// A root and how many skills it has.
#[derive(Debug, Serialize)]
pub struct StatusRoot {
    /// The root.
    pub root: Root,
    /// Its skills, also those that are shadowed or nested.
    pub skills: usize,
}

/// `config list` and `config get`.
#[derive(Debug, Serialize)]
pub struct ConfigList {
    /// `skillflux.config/1`
    pub schema: &'static str,
    /// Every key, in the order of the table.
    pub settings: Vec<Setting>,
}

/// One setting.
#[derive(Debug, Clone, Serialize)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// Its value.
    pub value: serde_json::Value,
    /// The value on one line.
    #[serde(skip)]
    pub text: String,
    /// Where the value comes from.
    pub origin: String,
    /// What the key steers that this release does not have; absent when it is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub later: Option<&'static str>,
    /// What values are allowed.
    pub allowed: String,
    /// What the key is for.
    pub doc: &'static str,
}

/// `config set` and `config unset`.
#[derive(Debug, Serialize)]
pub struct ConfigChange {
    /// `skillflux.config-change/1`
    pub schema: &'static str,
    /// The key.
    pub key: String,
    /// The file that was changed.
    pub file: String,
    /// The value that the file held before, when it was an allowed one.
    pub before: Option<serde_json::Value>,
    /// What the file held before, when it was not allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The value that it holds now.
    pub after: Option<serde_json::Value>,
}

/// An error, with `--json`.
#[derive(Debug, Serialize)]
pub struct Error {
    /// `skillflux.error/1`
    pub schema: &'static str,
    /// What went wrong.
    pub error: String,
    /// The code of the check that failed, where checks have codes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The causes, outermost first.
    pub causes: Vec<String>,
    /// What the error is about, one by one, where it is about several things.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The exit code.
    pub exit_code: u8,
}
