//! The documents of `cache` and `discovery-cache`.
//!
//! The rules of [`super::wire`] hold: each document carries its `schema`, lists have one documented order.

use std::collections::BTreeMap;

use serde::Serialize;

use super::wire_remote::Pin;

/// `cache list`.
#[derive(Debug, Serialize)]
pub struct CacheList {
    /// `skillflux.cache/1`
    pub schema: &'static str,
    /// The folder of the cache.
    pub folder: String,
    /// Stored skills, the newest first.
    pub skills: Vec<CachedSkill>,
    /// What cannot be read: pins in the order of their files, then entries in the order of their digests.
    pub invalid: Vec<CacheProblem>,
    /// The bytes of all entries; what several pins share is counted once.
    pub bytes: u64,
}

/// The store in `status`.
#[derive(Debug, Clone, Serialize)]
pub struct CacheStatus {
    /// Its folder.
    pub folder: String,
    /// Stored skills.
    pub skills: usize,
    /// Their bytes; what several pins share is counted once.
    pub bytes: u64,
    /// The most skills that a prune leaves.
    pub max_skills: u64,
    /// The most bytes that a prune leaves.
    pub max_bytes: u64,
    /// Entries and pins that cannot be read.
    pub invalid: usize,
}

/// One stored skill.
#[derive(Debug, Clone, Serialize)]
pub struct CachedSkill {
    /// 24 hexadecimal digits.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The digest of its files.
    pub digest: String,
    /// Where the bytes come from.
    pub pin: Pin,
    /// What is known of its origin under the rules of today: `unverified`, `community`, `corroborated`,
    /// `trusted`, or `refused` when they do not admit it.
    pub evidence: &'static str,
    /// How many files.
    pub files: usize,
    /// How many bytes.
    pub bytes: u64,
    /// When it was fetched, RFC 3339.
    pub installed_at: String,
    /// Whether a mount holds it.
    pub in_use: bool,
}

/// Something in the cache that is not as it should be.
#[derive(Debug, Clone, Serialize)]
pub struct CacheProblem {
    /// The digest of the entry; absent for a file that belongs to none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The name of the skill; absent where no pin says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub problem: String,
    /// Why it could not be fetched again, where that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_repaired: Option<String>,
}

/// `cache verify`.
#[derive(Debug, Serialize)]
pub struct CacheVerify {
    /// `skillflux.cache-verify/1`
    pub schema: &'static str,
    /// Entries that were read.
    pub entries: usize,
    /// Files that were read.
    pub files: usize,
    /// Bytes that were read.
    pub bytes: u64,
    /// What was damaged or missing and was fetched again, by digest; only with `--repair`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<RepairedEntry>,
    /// What is not as it should be, by digest and file.
    pub problems: Vec<CacheProblem>,
}

/// An entry that was fetched again.
#[derive(Debug, Clone, Serialize)]
pub struct RepairedEntry {
    /// The digest of its files, the same as before.
    pub digest: String,
    /// Its name.
    pub name: String,
    /// Where the bytes come from.
    pub pin: Pin,
}

/// `cache prune`.
#[derive(Debug, Serialize)]
pub struct CachePrune {
    /// `skillflux.cache-prune/1`
    pub schema: &'static str,
    /// Whether nothing was removed.
    pub dry_run: bool,
    /// What goes, in the order of the plan.
    pub removed: Vec<Removed>,
    /// Digests (`sha256:` and 64 digits) of what a mount holds.
    pub in_use: Vec<String>,
    /// Entries that cannot be read; they are never pruned.
    pub invalid: usize,
    /// What there is before.
    pub before: CacheTotals,
    /// What there is afterwards.
    pub after: CacheTotals,
    /// Whether the limits hold afterwards.
    pub within_limits: bool,
}

/// One stored skill that goes.
#[derive(Debug, Clone, Serialize)]
pub struct Removed {
    /// 24 hexadecimal digits, or the digest of what has no pin.
    pub id: String,
    /// Its name; empty for what has no pin.
    pub name: String,
    /// Why: `idle`, `entry-limit`, `byte-limit`, `entry-and-byte-limit`, or `unpinned` when no pin names it.
    pub reason: &'static str,
    /// Its bytes.
    pub bytes: u64,
}

/// Entries and bytes.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CacheTotals {
    /// Stored skills.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// `cache clean`.
#[derive(Debug, Serialize)]
pub struct CacheClean {
    /// `skillflux.cache-clean/1`
    pub schema: &'static str,
    /// Ids of what was removed.
    pub removed: Vec<String>,
    /// Digests of what a mount holds.
    pub in_use: Vec<String>,
    /// Pins that could not be read and are gone.
    pub invalid_pins: usize,
    /// Entries and pins of a newer release, which stay.
    pub newer: usize,
}

/// `discovery-cache status`.
#[derive(Debug, Serialize)]
pub struct DiscoveryStatus {
    /// `skillflux.discovery-cache/1`
    pub schema: &'static str,
    /// The file of stored results.
    pub file: String,
    /// Stored searches by state: `fresh`, `stale`, `expired`.
    pub searches: BTreeMap<&'static str, usize>,
    /// The size of the stored searches in bytes, as they are written.
    pub bytes: u64,
    /// Sources of which something is remembered, `skills.sh` before `github`.
    pub sources: Vec<SourceHealth>,
}

/// How a source fares.
#[derive(Debug, Clone, Serialize)]
pub struct SourceHealth {
    /// `skills.sh` or `github`.
    pub source: String,
    /// Failures in a row.
    pub failures: u32,
    /// When it is asked again, RFC 3339; absent when it is not left alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_alone_until: Option<String>,
    /// What went wrong last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
}

/// `discovery-cache clean`.
#[derive(Debug, Serialize)]
pub struct DiscoveryClean {
    /// `skillflux.discovery-cache-clean/1`
    pub schema: &'static str,
    /// Stored searches that were removed.
    pub searches: usize,
    /// Kept answers of hosts that were removed.
    pub answers: usize,
}
