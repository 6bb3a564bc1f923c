//! The documents of `usage`.
//!
//! The rules of [`super::wire`] hold: each document carries its `schema`, lists have one documented order.

use serde::Serialize;

/// `usage`.
#[derive(Debug, Serialize)]
pub struct Usage {
    /// `skillflux.usage/1`
    pub schema: &'static str,
    /// The file that remembers.
    pub file: String,
    /// Whether uses are counted now.
    pub tracking: bool,
    /// Skills by uses, mounts, last use and last mount, the most and latest first, then by place.
    pub skills: Vec<UsedSkill>,
    /// How many more there are.
    pub unlisted: usize,
}

/// What is remembered of one skill.
#[derive(Debug, Clone, Serialize)]
pub struct UsedSkill {
    /// Its name when it was last used.
    pub name: String,
    /// Where it came from then: `local`, `cache` or `bundled`.
    pub origin: &'static str,
    /// What stays the same over its versions: `owner/repo//path`, a folder, or the address of a bundled one.
    pub place: String,
    /// The id of the stored version that was used last, 24 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// How often its body was loaded.
    pub uses: u64,
    /// How often it was mounted.
    pub mounts: u64,
    /// When its body or one of its files was last read, RFC 3339.
    pub last_used: Option<String>,
    /// When it was last mounted, RFC 3339.
    pub last_mounted: Option<String>,
    /// The estimated tokens of its body when it was last loaded: bytes / 3.
    pub body_tokens: u64,
    /// The estimated tokens of all its bodies that were loaded.
    pub loaded_tokens: u64,
}

/// `usage clear`.
#[derive(Debug, Serialize)]
pub struct UsageClear {
    /// `skillflux.usage-clear/1`
    pub schema: &'static str,
    /// What was forgotten, by place.
    pub cleared: Vec<UsedSkill>,
}
