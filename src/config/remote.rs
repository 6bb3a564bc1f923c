//! The settings of remote search, of fetching and of the store, as one value each.
//!
//! Words are handed on as they stand in the table; what they mean is decided where they are used.

use std::time::Duration;

use super::{Config, Setting, Value};
use crate::candidate::remote::SourceKind;

/// How remote sources are searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteSettings {
    /// The sources that are searched.
    pub providers: Vec<SourceKind>,
    /// The most remote candidates of one search.
    pub limit: usize,
    /// How long a search may take.
    pub timeout: Duration,
    /// The lowest quality score, 0 to 100.
    pub min_quality: u8,
    /// The fewest stars of a repository.
    pub min_stars: u64,
    /// The days for which a push counts as recent.
    pub recent_days: u32,
    /// The milliseconds for which stored results are fresh; 0 for never.
    pub ttl_ms: u64,
    /// The milliseconds for which stale results stand in for a failing source.
    pub stale_if_error_ms: u64,
    /// The most searches whose results are kept.
    pub max_stored: usize,
    /// After how many failures in a row a source is left alone.
    pub failure_threshold: u32,
    /// For how many milliseconds it is.
    pub cooldown_ms: u64,
}

/// What the store may keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreSettings {
    /// Whether it is pruned after an install.
    pub auto_prune: bool,
    /// The most skills.
    pub max_entries: u64,
    /// The most bytes.
    pub max_total_bytes: u64,
    /// The days without use after which a skill goes; 0 for never.
    pub max_idle_days: u64,
}

impl Config {
    /// How remote sources are searched.
    pub fn remote(&self) -> RemoteSettings {
        let narrow = |key| u32::try_from(self.integer(key)).unwrap_or(u32::MAX);
        let providers = self.words("remoteProviders");
        let kinds = SourceKind::ALL.into_iter();
        RemoteSettings {
            providers: kinds.filter(|kind| providers.iter().any(|word| word == kind.as_str())).collect(),
            limit: self.size("remoteSearchLimit"),
            timeout: Duration::from_millis(self.integer("remoteSearchTimeoutMs")),
            min_quality: u8::try_from(self.integer("remoteMinQualityScore")).unwrap_or(u8::MAX),
            min_stars: self.integer("remoteMinStars"),
            recent_days: narrow("remoteRecentActivityDays"),
            ttl_ms: self.integer("remoteCacheTtlMs"),
            stale_if_error_ms: self.integer("remoteCacheStaleIfErrorMs"),
            max_stored: self.size("remoteCacheMaxEntries"),
            failure_threshold: narrow("remoteHealthFailureThreshold"),
            cooldown_ms: self.integer("remoteHealthCooldownMs"),
        }
    }

    /// What the store may keep.
    pub fn store(&self) -> StoreSettings {
        StoreSettings {
            auto_prune: self.flag("cacheAutoPrune"),
            max_entries: self.integer("cacheMaxEntries"),
            max_total_bytes: self.integer("cacheMaxTotalBytes"),
            max_idle_days: self.integer("cacheMaxIdleDays"),
        }
    }

    /// `automatic`, `on-demand` or `off`.
    pub fn remote_discovery(&self) -> &str {
        self.word("remoteDiscovery")
    }

    /// `open`, `community`, `corroborated` or `trusted`.
    pub fn trust_policy(&self) -> &str {
        self.word("remoteTrustPolicy")
    }

    /// Owners that a person trusts, in lower case.
    pub fn trusted_owners(&self) -> &[String] {
        self.words("remoteTrustedOwners")
    }

    /// Owners that a person blocked, in lower case.
    pub fn blocked_owners(&self) -> &[String] {
        self.words("remoteBlockedOwners")
    }

    /// `always`, `session` or `automatic`.
    pub fn approval_policy(&self) -> &str {
        self.word("approvalPolicy")
    }

    /// `auto`, `api` or `git`.
    pub fn fetch_transport(&self) -> &str {
        self.word("fetchTransport")
    }

    /// The most remote skills that are offered for, and tried for, one task.
    pub fn remote_auto_mount_limit(&self) -> usize {
        self.size("remoteAutoMountLimit")
    }

    /// How long the fetch of one skill may take.
    pub fn install_timeout(&self) -> Duration {
        Duration::from_millis(self.integer("installTimeoutMs"))
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        match self.get(key) {
            Some(Setting { value: Value::Bool(flag), .. }) => *flag,
            _ => unreachable!("`{key}` is true or false in the table"),
        }
    }

    pub(super) fn word(&self, key: &str) -> &str {
        match self.get(key) {
            Some(Setting { value: Value::Word(word), .. }) => word,
            _ => unreachable!("`{key}` is one word in the table"),
        }
    }

    fn words(&self, key: &str) -> &[String] {
        match self.get(key) {
            Some(Setting { value: Value::List(words), .. }) => words,
            _ => unreachable!("`{key}` is a list in the table"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    #[test]
    fn every_key_has_the_kind_that_is_read() {
        let environment = Environment::from_parts(std::collections::BTreeMap::new(), "/w".into(), None);
        let config = Config::load(&environment, None, &[]).unwrap();
        let remote = config.remote();
        assert_eq!(remote.providers, SourceKind::ALL);
        assert_eq!((remote.limit, remote.min_quality, remote.ttl_ms), (5, 35, 300_000));
        assert_eq!(config.store().max_entries, 100);
        let words = [
            (config.remote_discovery(), "on-demand"),
            (config.trust_policy(), "community"),
            (config.approval_policy(), "always"),
            (config.fetch_transport(), "auto"),
        ];
        assert!(words.iter().all(|(word, expected)| word == expected), "{words:?}");
        assert_eq!((config.trusted_owners().len(), config.blocked_owners().len()), (0, 0));
        assert_eq!((config.remote_auto_mount_limit(), config.install_timeout().as_secs()), (3, 300));
    }
}
