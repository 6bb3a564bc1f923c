//! How each remote source has fared, kept between processes, so that one that hangs is left alone for a while.
//!
//! From a number of failures in a row on, each failure starts a cooldown in which the source is not asked.
//! After it one more failure starts the next at once; a success clears all. [`Health`] is pure; what a source
//! is and what counts as a failure is decided elsewhere.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Store, StoreError, document::Document, form};
use crate::{candidate::remote::SourceKind, skill::time::UnixMillis};

const LIMIT: usize = 64 * 1024;
/// The word for the endpoint of embeddings, beside those for sources.
const EMBEDDINGS: &str = "embeddings";
/// The longest word that is kept for a failure.
const MAX_ERROR_CHARS: usize = 64;

/// How a source has fared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Health {
    /// Failures since the last success.
    pub failures: u32,
    /// When the last failure was.
    #[serde(rename = "failed_ms", with = "form::optional")]
    pub failed_at: Option<UnixMillis>,
    /// Until when it is not asked.
    #[serde(rename = "cooldown_until_ms", with = "form::optional")]
    pub cooldown_until: Option<UnixMillis>,
    /// The word for the last failure.
    pub last_error: Option<String>,
}

impl Health {
    /// Whether it is not to be asked at `now`. A cooldown that a clock set back has put into the future does
    /// not count.
    pub fn in_cooldown(&self, now: UnixMillis) -> bool {
        let began = self.failed_at.is_none_or(|failed| failed <= now);
        began && self.cooldown_until.is_some_and(|until| now < until)
    }

    /// It answered.
    pub fn succeed(&mut self) {
        *self = Self::default();
    }

    /// It failed; `error` is a word for how. From `threshold` failures on it is left alone for `cooldown_ms`.
    pub fn fail(&mut self, error: &str, threshold: u32, cooldown_ms: u64, now: UnixMillis) {
        self.failures = self.failures.saturating_add(1);
        self.failed_at = Some(now);
        self.last_error = Some(error.chars().take(MAX_ERROR_CHARS).collect());
        if self.failures >= threshold {
            let cooldown = i64::try_from(cooldown_ms).unwrap_or(i64::MAX);
            self.cooldown_until = Some(UnixMillis(now.0.saturating_add(cooldown)));
        }
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HealthOfSources {
    /// By the word for the source; those of other releases stay.
    sources: BTreeMap<String, Health>,
}

impl Store {
    /// How each source that was ever asked has fared.
    pub fn health(&self) -> Result<BTreeMap<SourceKind, Health>, StoreError> {
        let mut sources = self.health_document().read::<HealthOfSources>()?.value.sources;
        let of_source = |kind: SourceKind| Some((kind, sources.remove(kind.as_str())?));
        Ok(SourceKind::ALL.into_iter().filter_map(of_source).collect())
    }

    /// Records that a source answered.
    pub fn record_success(&self, source: SourceKind) -> Result<(), StoreError> {
        self.change_health(source.as_str(), Health::succeed)
    }

    /// How the endpoint of embeddings has fared.
    pub fn embedding_health(&self) -> Result<Health, StoreError> {
        let mut all = self.health_document().read::<HealthOfSources>()?.value.sources;
        Ok(all.remove(EMBEDDINGS).unwrap_or_default())
    }

    /// Changes how the endpoint of embeddings has fared.
    pub fn change_embedding_health(&self, change: impl FnOnce(&mut Health)) -> Result<(), StoreError> {
        self.change_health(EMBEDDINGS, change)
    }

    /// Records that a source failed, as [`Health::fail`] does.
    pub fn record_failure(
        &self,
        source: SourceKind,
        error: &str,
        threshold: u32,
        cooldown_ms: u64,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.change_health(source.as_str(), |health| health.fail(error, threshold, cooldown_ms, now))
    }

    /// Forgets how every source has fared, so that each is asked again.
    pub fn forget_health(&self) -> Result<(), StoreError> {
        self.health_document().remove().map(|_was_there| ())
    }

    fn change_health(&self, source: &str, change: impl FnOnce(&mut Health)) -> Result<(), StoreError> {
        self.health_document().update(|health: &mut HealthOfSources| {
            change(health.sources.entry(source.to_owned()).or_default());
        })
    }

    fn health_document(&self) -> Document {
        Document::in_file(&self.health_file(), LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_fails_is_left_alone_for_a_while() {
        let mut health = Health::default();
        let mut cooling = Vec::new();
        for now in [0, 10, 20] {
            health.fail("timeout", 3, 100, UnixMillis(now));
            cooling.push(health.in_cooldown(UnixMillis(now)));
        }
        assert_eq!(cooling, [false, false, true]);
        assert!(health.in_cooldown(UnixMillis(119)) && !health.in_cooldown(UnixMillis(120)));
        health.fail("timeout", 3, 100, UnixMillis(130));
        assert!(health.in_cooldown(UnixMillis(229)), "one more failure is enough after a cooldown");
        assert!(!health.in_cooldown(UnixMillis(129)), "a clock that was set back ends a cooldown");
        health.succeed();
        assert_eq!(health, Health::default());
        health.fail("timeout", 3, 100, UnixMillis(150));
        assert!(!health.in_cooldown(UnixMillis(150)), "a success clears the count");
    }

    #[test]
    fn numbers_at_their_ends_do_no_harm() {
        let mut health = Health { failures: u32::MAX, ..Health::default() };
        health.fail(&"x".repeat(1000), 0, u64::MAX, UnixMillis(i64::MAX - 1));
        assert_eq!(health.failures, u32::MAX);
        assert_eq!(health.last_error.as_deref().map(str::len), Some(MAX_ERROR_CHARS));
        assert!(health.in_cooldown(UnixMillis(i64::MAX - 1)));
    }

    #[test]
    fn health_outlives_a_process() {
        let temp = tempfile::tempdir().unwrap();
        let (cache, state) = (temp.path().join("cache"), temp.path().join("state"));
        let store = Store::new(&cache, &state);
        assert!(store.health().unwrap().is_empty());
        store.record_failure(SourceKind::Github, "timeout", 1, 100, UnixMillis(1)).unwrap();
        store.record_success(SourceKind::SkillsSh).unwrap();
        let health = Store::new(&cache, &state).health().unwrap();
        assert_eq!(health.len(), 2);
        assert!(health[&SourceKind::Github].in_cooldown(UnixMillis(100)));
        assert_eq!(health[&SourceKind::SkillsSh], Health::default());
        store.change_embedding_health(|health| health.fail("timeout", 1, 100, UnixMillis(1))).unwrap();
        assert!(store.embedding_health().unwrap().in_cooldown(UnixMillis(100)));
        assert_eq!(store.health().unwrap().len(), 2);
    }
}
