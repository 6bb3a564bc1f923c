//! The documents of the commands that search, fetch and store.
//!
//! The rules of [`super::wire`] hold: each document carries its `schema`, lists have one documented order.

use std::collections::BTreeMap;

use serde::Serialize;

/// Exactly one set of bytes in a repository.
#[derive(Debug, Clone, Serialize)]
pub struct Pin {
    /// The host, for instance `github.com`.
    pub host: String,
    /// `owner/repo`, as the repository is called now.
    pub repository: String,
    /// The number that the host gave the repository; absent over plain git.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository_id: Option<u64>,
    /// The commit.
    pub commit: String,
    /// The skill's folder, empty for the repository's root; absent until a tree was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// `search`.
#[derive(Debug, Serialize)]
pub struct Search {
    /// `skillflux.search/1`
    pub schema: &'static str,
    /// What was sent to the sources.
    pub query: String,
    /// Words that were not sent because they look like secrets.
    pub withheld: usize,
    /// `ok`, `partial` (a source is missing), `empty`, `offline`, `rate-limited`, `unauthorised` or `failed`.
    pub status: &'static str,
    /// Whether every source answered completely.
    pub authoritative: bool,
    /// Results, best first.
    pub results: Vec<SearchResult>,
    /// How each was asked: stored results first (`results`), then the sources that were asked, `skills.sh`
    /// before `github`, then those that were not, and what concerns their repositories last.
    pub sources: Vec<SearchedSource>,
    /// Candidates that were not listed, by reason.
    pub rejected: BTreeMap<&'static str, usize>,
}

/// One result.
#[derive(Debug, Clone, Serialize)]
pub struct SearchResult {
    /// What `mount` and `load` take: 24 hexadecimal digits, or a name on this machine.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// `local`, `cache`, `bundled` or `remote`.
    pub origin: &'static str,
    /// `owner/repo`, the label of a root, or another address.
    pub source: String,
    /// From 0 to 100: the order of the list.
    pub score: u8,
    /// The points of the query in name and description.
    pub relevance: u64,
    /// The cosine of query and skill, for one that only meaning found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The parts of the score of a remote result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<QualityParts>,
    /// `unverified`, `community`, `corroborated` or `trusted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<&'static str>,
    /// What speaks for it.
    pub signals: Vec<&'static str>,
    /// What speaks against it.
    pub warnings: Vec<&'static str>,
    /// Whether it can be mounted; a listing outside GitHub cannot.
    pub mountable: bool,
    /// Why it cannot: `not-on-github`, or `repository-unknown` when GitHub did not speak of its repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<&'static str>,
    /// Whether the store has it.
    pub stored: bool,
    /// Its place; absent when no source knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<Pin>,
    /// Its `SKILL.md` on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Sources that offer it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offered_by: Vec<&'static str>,
    /// Installations that a marketplace counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installs: Option<u64>,
    /// Stars of its repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stars: Option<u64>,
    /// The day of the last push, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pushed: Option<String>,
    /// Copies that it stands for: addresses, of skills of this machine their files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<String>,
    /// Whether three better results of its owner push it behind the others.
    pub folded: bool,
}

/// The parts of a quality score.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct QualityParts {
    /// At most 55.
    pub relevance: u8,
    /// At most 15.
    pub adoption: u8,
    /// At most 20.
    pub repository: u8,
    /// At most 10.
    pub freshness: u8,
    /// At most 18.
    pub trust: u8,
    /// At most 8.
    pub provenance: u8,
}

/// How one source fared.
#[derive(Debug, Clone, Serialize)]
pub struct SearchedSource {
    /// `skills.sh`, `github`, `repositories` (the facts on the repositories of both), `results` (what was
    /// stored of a search before), or `remote` when remote discovery is off.
    pub source: &'static str,
    /// `ok`, `stored`, `incomplete`, `skipped`, `offline`, `rate-limited`, `unauthorised` or `failed`.
    pub status: &'static str,
    /// How many skills it named; of `repositories`, how many are known.
    pub found: usize,
    /// More on the status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// `search --dry-run`.
#[derive(Debug, Serialize)]
pub struct SearchPlan {
    /// `skillflux.search-plan/1`
    pub schema: &'static str,
    /// What would be sent to the sources; absent when nothing is left to send.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Words that would not be sent.
    pub withheld: usize,
    /// The requests, in the order in which they would be sent.
    pub requests: Vec<PlannedRequest>,
}

/// One request that would be sent.
#[derive(Debug, Clone, Serialize)]
pub struct PlannedRequest {
    /// What it is for: `skills.sh`, `github`, or `repositories` (the facts on the repositories of both).
    pub source: &'static str,
    /// Why it is sent.
    pub why: String,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The whole address.
    pub url: String,
    /// Its headers; a token is shown as `[redacted]`.
    pub headers: BTreeMap<String, String>,
    /// The document that is posted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<serde_json::Value>,
}

/// Remote search in `status`.
#[derive(Debug, Clone, Serialize)]
pub struct RemoteStatus {
    /// `automatic`, `on-demand` or `off`.
    pub discovery: String,
    /// The sources that are asked, and how they fare.
    pub sources: Vec<super::wire_cache::SourceHealth>,
    /// Whether requests to GitHub carry a token.
    pub token: bool,
    /// The least evidence of a candidate.
    pub trust_policy: String,
    /// When a person is asked before a mount.
    pub approval_policy: String,
    /// How many owners are trusted.
    pub trusted_owners: usize,
    /// How many owners are blocked.
    pub blocked_owners: usize,
}

/// A mount in `status`.
#[derive(Debug, Clone, Serialize)]
pub struct MountedSkill {
    /// What it belongs to.
    pub session: String,
    /// Its name.
    pub name: String,
    /// Its folder.
    pub folder: String,
}

/// `mount`.
#[derive(Debug, Serialize)]
pub struct Mounts {
    /// `skillflux.mount/1`
    pub schema: &'static str,
    /// What the mounts belong to.
    pub session: String,
    /// The skills that were mounted, in the order in which they were asked for.
    pub mounts: Vec<Mount>,
    /// Those that were not.
    pub failures: Vec<MountFailure>,
}

/// One mounted skill.
#[derive(Debug, Clone, Serialize)]
pub struct Mount {
    /// What was asked for.
    pub asked: String,
    /// The name of its folder.
    pub name: String,
    /// The folder.
    pub folder: String,
    /// Its `SKILL.md`.
    pub location: String,
    /// The digest of its files.
    pub digest: String,
    /// Where the bytes come from; absent for a skill of this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<Pin>,
    /// A reference that gives the same bytes again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The name that the repository was asked by when it was mounted, if it has another one now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// What is known of its origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// How many files.
    pub files: usize,
    /// How many bytes.
    pub bytes: u64,
    /// Files that were left out because `--allow` said so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<super::wire::LeftOut>,
    /// Whether it was in the store before.
    pub stored_before: bool,
    /// Candidates of the same name that were tried before and failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed_attempts: Vec<FailedAttempt>,
}

/// A candidate that was tried and failed.
#[derive(Debug, Clone, Serialize)]
pub struct FailedAttempt {
    /// The candidate: `owner/repo//path@commit`.
    pub candidate: String,
    /// `mount-failed` or `mount-timeout`.
    pub outcome: &'static str,
    /// Why.
    pub error: String,
}

/// A skill that was not mounted.
#[derive(Debug, Clone, Serialize)]
pub struct MountFailure {
    /// What was asked for.
    pub asked: String,
    /// What went wrong.
    pub error: String,
    /// The causes, outermost first.
    pub causes: Vec<String>,
    /// The code of the check that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The exit code that it would give alone.
    pub exit_code: u8,
}

/// `unmount`.
#[derive(Debug, Serialize)]
pub struct Unmounts {
    /// `skillflux.unmount/1`
    pub schema: &'static str,
    /// What the mounts belonged to.
    pub session: String,
    /// The skills, in the order in which they were mounted.
    pub unmounted: Vec<Unmounted>,
}

/// One skill that was unmounted.
#[derive(Debug, Clone, Serialize)]
pub struct Unmounted {
    /// Its name.
    pub name: String,
    /// The folder.
    pub folder: String,
    /// Whether the folder was removed; one that another session has mounted too stays.
    pub removed: bool,
    /// Files that were changed or added since, and stay.
    pub kept: Vec<String>,
}
