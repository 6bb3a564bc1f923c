//! What hosts said about their rate limits, remembered within the process.
//!
//! A limit belongs to an origin, to a token (or to none) and to a resource; a pause, which a host asks for
//! when it is asked too much at once, belongs to the whole origin. What is known to be used up is not asked
//! again before its time. `file.rs` beside this shares the part that other processes need.

mod file;

use std::{collections::BTreeMap, path::PathBuf, sync::Mutex, time::Duration};

use reqwest::header::HeaderMap;

use super::{Bucket, HttpError, Quota, RateScope, classify};

/// Below so many requests other processes need to know.
const FEW: u64 = 20;

/// Who asks: the origin, whether with a token, and for what.
#[derive(Debug, Clone)]
pub(super) struct Asker {
    pub(super) origin: String,
    pub(super) host: String,
    /// `anonymous`, or a digest of the token.
    pub(super) class: String,
    pub(super) bucket: Bucket,
    pub(super) authenticated: bool,
}

/// Whose limit it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    origin: String,
    class: String,
    resource: String,
}

/// A limit, and when it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Told {
    quota: Quota,
    seen_ms: i64,
}

/// Everything known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct State {
    quotas: BTreeMap<Key, Told>,
    /// Until when an origin is not asked at all, in milliseconds since 1970.
    pauses: BTreeMap<String, i64>,
}

impl State {
    /// Takes in one limit. Of the same period the smaller rest holds, because answers overtake each other;
    /// of different periods the one that was told later.
    fn learn(&mut self, key: Key, told: Told) {
        let known = self.quotas.entry(key).or_insert(told);
        if known.quota.reset_ms.abs_diff(told.quota.reset_ms) <= 2_000 {
            known.quota.remaining = known.quota.remaining.min(told.quota.remaining);
            known.seen_ms = known.seen_ms.max(told.seen_ms);
        } else if told.seen_ms >= known.seen_ms {
            *known = told;
        }
    }

    fn pause(&mut self, origin: String, until_ms: i64) {
        let known = self.pauses.entry(origin).or_insert(until_ms);
        *known = (*known).max(until_ms);
    }

    /// Drops what is over, and what lies so far ahead that a clock must have been wrong.
    fn forget(&mut self, now_ms: i64) {
        let ahead = |moment_ms: i64, most_ms: i64| moment_ms > now_ms && moment_ms - now_ms <= most_ms;
        self.quotas.retain(|_, told| ahead(told.quota.reset_ms, classify::LONGEST_RESET_MS));
        self.pauses.retain(|_, until_ms| ahead(*until_ms, classify::LONGEST_PAUSE_MS));
    }

    fn merge(&mut self, other: Self) {
        for (key, told) in other.quotas {
            self.learn(key, told);
        }
        for (origin, until_ms) in other.pauses {
            self.pause(origin, until_ms);
        }
    }
}

/// What hosts said about their rate limits.
#[derive(Debug)]
pub(super) struct Limits {
    file: Option<PathBuf>,
    state: Mutex<State>,
}

impl Limits {
    /// Begins with what other processes left in `file`.
    pub(super) fn open(file: Option<PathBuf>, now_ms: i64) -> Self {
        let mut state = file.as_deref().map(file::read).unwrap_or_default();
        state.forget(now_ms);
        Self { file, state: Mutex::new(state) }
    }

    /// Refuses what a host is known to refuse.
    pub(super) fn check(&self, asker: &Asker, now_ms: i64) -> Result<(), HttpError> {
        let state = self.state();
        let limited = |scope, retry_at_ms| {
            let host = asker.host.clone();
            Err(HttpError::RateLimited { host, scope, authenticated: asker.authenticated, retry_at_ms })
        };
        if let Some(until_ms) = state.pauses.get(&asker.origin).filter(|until_ms| **until_ms > now_ms) {
            return limited(RateScope::Secondary, *until_ms);
        }
        match state.quotas.get(&asker.key(None)) {
            Some(told) if told.quota.remaining == 0 && told.quota.reset_ms > now_ms => {
                limited(RateScope::Primary, told.quota.reset_ms)
            }
            _ => Ok(()),
        }
    }

    /// What is left for `asker`, as far as it was told.
    pub(super) fn quota(&self, asker: &Asker) -> Option<Quota> {
        self.state().quotas.get(&asker.key(None)).map(|told| told.quota)
    }

    /// Takes in the headers of an answer, and the failure that it was found to be. Says whether other
    /// processes need to know.
    pub(super) fn note(
        &self,
        asker: &Asker,
        headers: &HeaderMap,
        error: Option<&HttpError>,
        now_ms: i64,
    ) -> bool {
        let mut state = self.state();
        let mut is_news = false;
        let key = asker.key(headers.get("x-ratelimit-resource").and_then(|value| value.to_str().ok()));
        if let Some(quota) = told(headers, now_ms) {
            is_news |= quota.remaining < FEW;
            state.learn(key.clone(), Told { quota, seen_ms: now_ms });
        }
        if let Some(HttpError::RateLimited { scope, retry_at_ms, .. }) = error {
            is_news = true;
            match scope {
                RateScope::Primary => {
                    let limit = classify::number(headers, "x-ratelimit-limit").unwrap_or_default();
                    let quota = Quota { limit, remaining: 0, reset_ms: *retry_at_ms };
                    // The refusal itself is certain, whatever was told before.
                    state.quotas.insert(key, Told { quota, seen_ms: now_ms });
                }
                RateScope::Secondary => state.pause(asker.origin.clone(), *retry_at_ms),
            }
        }
        is_news
    }

    /// Tells other processes. What goes wrong with the file is logged and hinders nothing.
    pub(super) async fn share(&self, now_ms: i64, patience: Duration) {
        let Some(file) = &self.file else { return };
        let state = self.state().clone();
        if let Err(error) = file::merge(file, state, now_ms, patience).await {
            tracing::warn!(%error, "rate limits were not written for other processes");
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The resources that GitHub has limits for; the name of any other is not taken from a header.
const RESOURCES: [&str; 15] = [
    "actions_runner_registration",
    "audit_log",
    "audit_log_streaming",
    "code_scanning_autofix",
    "code_scanning_upload",
    "code_search",
    "core",
    "dependency_sbom",
    "dependency_snapshots",
    "graphql",
    "integration_manifest",
    "other",
    "scim",
    "search",
    "source_import",
];

impl Asker {
    fn key(&self, resource: Option<&str>) -> Key {
        Key {
            origin: self.origin.clone(),
            class: self.class.clone(),
            resource: resource
                .filter(|text| RESOURCES.contains(text))
                .unwrap_or(self.bucket.resource())
                .to_owned(),
        }
    }
}

/// The three headers, when all are there.
fn told(headers: &HeaderMap, now_ms: i64) -> Option<Quota> {
    Some(Quota {
        limit: classify::number(headers, "x-ratelimit-limit")?,
        remaining: classify::number(headers, "x-ratelimit-remaining")?,
        reset_ms: classify::reset_ms(headers)?.min(now_ms + classify::LONGEST_RESET_MS),
    })
}

#[cfg(test)]
mod tests;
