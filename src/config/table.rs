//! The table of every key.
//!
//! This is the only place where a key is declared; reading, checking, editing, the JSON schema and
//! the documentation walk it. The order is the order of output. A key whose feature is not in this
//! release is still read and checked, and says so in [`super::keys::Availability::Later`].

use super::keys::{Key, Kind, LARGEST, Preset, ProjectRule, key};

/// The endpoint that `embeddingProvider: openai-compatible` brings along.
pub(super) const OPENAI_ENDPOINT: &str = "https://api.openai.com/v1/embeddings";
/// The model that `embeddingProvider: openai-compatible` brings along.
pub(super) const OPENAI_MODEL: &str = "text-embedding-3-small";

const MCP: &str = "MCP sources";

const DAY_MS: u64 = 86_400_000;
const POLICIES: &[&str] = &["open", "community", "corroborated", "trusted"];
const DISCOVERY: &[&str] = &["automatic", "on-demand", "off"];
const SWITCH: &[&str] = &["automatic", "off"];

const fn integer(low: u64, high: u64) -> Kind {
    Kind::Integer(low, high)
}

/// `minRouteScore` where nobody sets it, in the modes that compare by words: a sum of points.
pub(super) const LEXICAL_MIN_SCORE: u64 = 8;
/// `catalogDescriptionMaxLength` where nobody sets it, in the modes that compare by words.
pub(super) const LEXICAL_DESCRIPTION: u64 = 160;

/// Every key, in the order of output.
pub static KEYS: &[Key] = &[
    key("maxActiveSkills", integer(1, LARGEST), Preset::Integer(3), "the most skills in one catalog"),
    key(
        "minRouteScore",
        integer(0, LARGEST),
        Preset::Integer(57),
        "the lowest score of a chosen skill: confidence in percent; without full text points, preset 8",
    ),
    key(
        "routerMode",
        Kind::OneOf(&["lexical", "fulltext", "hybrid"]),
        Preset::Word("fulltext"),
        "how a task and skills are compared: full-text search, shared words, or words and embeddings",
    ),
    key("routes", Kind::Routes, Preset::NoRoutes, "rules that put named skills first for matching tasks"),
    key(
        "customRoots",
        Kind::Paths,
        Preset::List(&[]),
        "further folders of skills; `~/` is the home, other relative paths start at the file's folder",
    )
    .project(ProjectRule::AddsInside),
    key(
        "catalogDescriptionMaxLength",
        integer(3, LARGEST),
        Preset::Integer(500),
        "the longest description in a catalog, in UTF-16 code units; without full text preset 160",
    ),
    key(
        "catalogTokenBudget",
        Kind::ZeroOrInteger(64, 1_000_000),
        Preset::Integer(0),
        "the most tokens of a catalog, estimated as bytes / 3; 0 for no bound",
    ),
    key("maxSkillFiles", integer(1, LARGEST), Preset::Integer(1000), "the most files in one skill")
        .project(ProjectRule::AtMost),
    key("maxSkillBytes", integer(1, LARGEST), Preset::Integer(10_485_760), "the largest skill, in bytes")
        .project(ProjectRule::AtMost),
    key(
        "approvalPolicy",
        Kind::OneOf(&["always", "session", "automatic"]),
        Preset::Word("always"),
        "when a person is asked before a remote skill is mounted",
    )
    .project(ProjectRule::NotWider(&["automatic", "session", "always"])),
    key(
        "remoteDiscovery",
        Kind::OneOf(DISCOVERY),
        Preset::Word("on-demand"),
        "when remote sources are searched",
    )
    .project(ProjectRule::NotWider(DISCOVERY)),
    key(
        "remoteProviders",
        Kind::Words { words: &["skills.sh", "github", "registry-index"], needed: 2 },
        Preset::List(&["skills.sh", "github"]),
        "the remote sources that are searched",
    )
    .project(ProjectRule::Subset),
    key("remoteSearchLimit", integer(1, 25), Preset::Integer(5), "the most remote candidates of one search"),
    key(
        "remoteAutoMountLimit",
        integer(1, 5),
        Preset::Integer(3),
        "the most remote skills offered and tried for one task",
    ),
    key(
        "remoteSearchTimeoutMs",
        integer(100, 120_000),
        Preset::Integer(30_000),
        "how long a remote search may take, in milliseconds",
    ),
    key(
        "remoteMinQualityScore",
        integer(0, 100),
        Preset::Integer(35),
        "the lowest quality score of a remote candidate",
    )
    .project(ProjectRule::AtLeast),
    key(
        "remoteMinStars",
        integer(0, 10_000_000),
        Preset::Integer(0),
        "the fewest stars of a remote candidate's repository",
    )
    .project(ProjectRule::AtLeast),
    key(
        "remoteRecentActivityDays",
        integer(1, 3650),
        Preset::Integer(30),
        "how long a push counts as recent activity, in days",
    ),
    key(
        "remoteTrustPolicy",
        Kind::OneOf(POLICIES),
        Preset::Word("community"),
        "the least evidence of a remote candidate's origin",
    )
    .project(ProjectRule::NotWider(POLICIES)),
    key(
        "remoteTrustedOwners",
        Kind::Owners,
        Preset::List(&[]),
        "GitHub owners whose skills count as trusted",
    )
    .project(ProjectRule::Subset),
    key(
        "remoteBlockedOwners",
        Kind::Owners,
        Preset::List(&[]),
        "GitHub owners whose skills are never offered",
    )
    .project(ProjectRule::Adds),
    key(
        "remoteCacheTtlMs",
        integer(0, 7 * DAY_MS),
        Preset::Integer(300_000),
        "how long search results are reused, in milliseconds; 0 for not at all",
    ),
    key(
        "remoteCacheStaleIfErrorMs",
        integer(0, 30 * DAY_MS),
        Preset::Integer(DAY_MS),
        "how long stale results stand in for a failing source, in milliseconds",
    ),
    key(
        "remoteCacheMaxEntries",
        integer(1, 1000),
        Preset::Integer(100),
        "the most searches whose results are kept",
    ),
    key(
        "remoteHealthFailureThreshold",
        integer(1, 100),
        Preset::Integer(3),
        "after how many failures in a row a source is left alone",
    ),
    key(
        "remoteHealthCooldownMs",
        integer(0, 3_600_000),
        Preset::Integer(60_000),
        "how long a failing source is left alone, in milliseconds",
    ),
    key(
        "fetchTransport",
        Kind::OneOf(&["auto", "api", "git"]),
        Preset::Word("auto"),
        "how the files of a remote skill are fetched",
    ),
    key(
        "installTimeoutMs",
        integer(1, LARGEST),
        Preset::Integer(300_000),
        "how long the fetch of one skill may take, in milliseconds",
    ),
    key("cacheAutoPrune", Kind::Bool, Preset::Bool(true), "whether the store is pruned after an install")
        .project(ProjectRule::PersonOnly),
    key("cacheMaxEntries", integer(1, 10_000), Preset::Integer(100), "the most skills in the store")
        .project(ProjectRule::PersonOnly),
    key(
        "cacheMaxTotalBytes",
        integer(1, LARGEST),
        Preset::Integer(536_870_912),
        "the largest store, in bytes",
    )
    .project(ProjectRule::PersonOnly),
    key(
        "cacheMaxIdleDays",
        integer(0, 3650),
        Preset::Integer(90),
        "after how many days without use a stored skill is pruned; 0 for never",
    )
    .project(ProjectRule::PersonOnly),
    key(
        "embeddingProvider",
        Kind::OneOf(&["ollama", "openai-compatible", "local"]),
        Preset::Word("ollama"),
        "who compares by meaning: an endpoint of this form, or a folder of `skillflux model`",
    )
    .project(ProjectRule::PersonOnly),
    key(
        "embeddingEndpoint",
        Kind::Url,
        Preset::Word("http://127.0.0.1:11434/api/embed"),
        "the URL that texts are sent to; for openai-compatible, OpenAI's is the default",
    )
    .project(ProjectRule::PersonOnly),
    key(
        "embeddingModel",
        Kind::Text,
        Preset::Word("embeddinggemma"),
        "the model; by default for openai-compatible text-embedding-3-small, for local the only one",
    ),
    key(
        "embeddingApiKeyEnv",
        Kind::VariableName,
        Preset::Word("SKILLFLUX_EMBEDDING_API_KEY"),
        "the environment variable that holds the endpoint's key",
    )
    .project(ProjectRule::PersonOnly),
    key(
        "embeddingTimeoutMs",
        integer(100, 120_000),
        Preset::Integer(5000),
        "how long one request to the endpoint may take, in milliseconds",
    ),
    key(
        "embeddingCandidateLimit",
        integer(1, 512),
        Preset::Integer(128),
        "the most skills that are compared by embedding",
    ),
    key("embeddingCacheSize", integer(1, 10_000), Preset::Integer(512), "the most vectors that are kept"),
    key(
        "minEmbeddingSimilarity",
        Kind::Number(0.0, 1.0),
        Preset::Number(0.45),
        "the lowest cosine similarity that puts a skill into a catalog",
    ),
    key(
        "semanticBlend",
        Kind::Number(0.0, 0.5),
        Preset::Number(0.0),
        "the share of the embedding in the order of `fulltext`; 0 for none",
    ),
    key(
        "usageTracking",
        Kind::Bool,
        Preset::Bool(true),
        "whether uses of skills are counted on this machine",
    )
    .project(ProjectRule::PersonOnly),
    key("usageMaxEntries", integer(1, 5000), Preset::Integer(1000), "the most skills whose uses are counted")
        .project(ProjectRule::PersonOnly),
    key(
        "adaptiveRouting",
        Kind::Bool,
        Preset::Bool(false),
        "whether skills that were used before rank higher; needs usageTracking",
    ),
    key("adaptiveMaxBoost", integer(0, 20), Preset::Integer(6), "the most points that past use adds"),
    key("adaptiveMinUses", integer(1, 1000), Preset::Integer(2), "the fewest uses that add points"),
    key(
        "adaptiveHalfLifeDays",
        Kind::Number(0.1, 3650.0),
        Preset::Number(30.0),
        "after how many days past use counts half",
    ),
    key(
        "mcpDiscovery",
        Kind::OneOf(SWITCH),
        Preset::Word("automatic"),
        "whether MCP servers are asked for skills",
    )
    .later(MCP)
    .project(ProjectRule::NotWider(SWITCH)),
    key(
        "mcpTrustedServers",
        Kind::Labels,
        Preset::List(&[]),
        "labels of MCP servers whose skills count as trusted",
    )
    .later(MCP)
    .project(ProjectRule::Subset),
    key(
        "mcpBlockedServers",
        Kind::Labels,
        Preset::List(&[]),
        "labels of MCP servers whose skills are never offered",
    )
    .later(MCP)
    .project(ProjectRule::Adds),
    key(
        "registryDiscovery",
        Kind::OneOf(SWITCH),
        Preset::Word("off"),
        "whether registry indexes are searched",
    )
    .later("registry indexes")
    .project(ProjectRule::NotWider(SWITCH)),
];

/// The key of this exact name.
pub fn find(name: &str) -> Option<&'static Key> {
    position(name).map(|index| &KEYS[index])
}

/// The place in [`KEYS`] of the key of this exact name.
pub(super) fn position(name: &str) -> Option<usize> {
    KEYS.iter().position(|key| key.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::check;
    use crate::config::keys::VARIABLE_PREFIX;
    use crate::config::value::Value;
    use crate::config::yaml::Raw;

    #[test]
    fn every_default_is_in_its_own_range() {
        for key in KEYS {
            let raw = match key.default_value() {
                Value::Bool(flag) => Raw::Bool(flag),
                Value::Integer(number) => Raw::Integer(number),
                Value::Number(number) => Raw::Number(number),
                other => {
                    let text = other.to_string();
                    assert_eq!(check::from_text(key, &text).unwrap(), other, "{}", key.name);
                    continue;
                }
            };
            assert_eq!(check::from_raw(key, &raw).unwrap(), key.default_value(), "{}", key.name);
        }
    }

    #[test]
    fn names_are_unique_and_have_one_variable_each() {
        for (index, key) in KEYS.iter().enumerate() {
            assert_eq!(position(key.name), Some(index), "{} stands twice", key.name);
            let variable = key.variable();
            let suffix = variable.strip_prefix(VARIABLE_PREFIX).unwrap();
            let setters: Vec<_> =
                KEYS.iter().filter(|other| other.is_set_by(suffix)).map(|key| key.name).collect();
            assert_eq!(setters, [key.name]);
            assert!(!["HOME", "CONFIG", "CACHE_DIR"].contains(&suffix));
            assert!(!key.doc.ends_with('.') && key.doc.len() < 100, "{}", key.name);
        }
        assert_eq!(find("maxActiveSkills").unwrap().variable(), "SKILLFLUX_MAX_ACTIVE_SKILLS");
        assert_eq!(find("remoteCacheTtlMs").unwrap().variable(), "SKILLFLUX_REMOTE_CACHE_TTL_MS");
        assert!(!find("routes").unwrap().is_set_by("ROUTES_"));
        assert!(!find("routes").unwrap().is_set_by("ROUTE"));
    }
}
