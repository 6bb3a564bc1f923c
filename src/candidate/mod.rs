//! What a source says about one skill: metadata and signals, no bytes.
//!
//! Candidates of every source look alike here, so that ranking and routing need not know where one
//! came from. A candidate has no way to reach a body.

use std::fmt;

use crate::skill::name::Slug;

pub mod identity;
pub mod query;
pub mod remote;
pub mod usage;
pub mod vector;

/// Where a candidate comes from, in the order in which equal scores are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A skill folder on this machine (the original plugin's `registry`).
    Local,
    /// A verified skill in the store.
    Cache,
    /// A skill that comes with this release.
    Bundled,
    /// A search result of skills.sh or GitHub.
    Remote,
    /// A skill that an MCP server offers.
    Mcp,
}

impl Origin {
    const ALL: [Self; 5] = [Self::Local, Self::Cache, Self::Bundled, Self::Remote, Self::Mcp];

    /// The origin of this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.as_str() == word)
    }

    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Cache => "cache",
            Self::Bundled => "bundled",
            Self::Remote => "remote",
            Self::Mcp => "mcp",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One skill that could be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Stable identity within one run; scores and boosts are keyed by it.
    pub id: String,
    /// The name as its author wrote it.
    pub name: String,
    /// The name that may reach a path, a URL or a command.
    pub slug: Slug,
    /// What the skill is for, cleaned for display.
    pub description: String,
    /// When to use it, where the author wrote that apart.
    pub when_to_use: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// The place within the origin: a root's label, `owner/repo`, a server's label.
    pub source: String,
    /// Installations that a marketplace counted.
    pub installs: Option<u64>,
    /// Quality from 0 to 100, where it was computed.
    pub quality: Option<u8>,
}

/// A rule that a person wrote under `routes`: prompts that match it get these skills first.
///
/// At least one list is not empty. `match_all` needs every term, `match_any` at least one; where
/// both are given, both must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RouteRule {
    /// Terms that must all occur.
    pub match_all: Vec<String>,
    /// Terms of which one must occur.
    pub match_any: Vec<String>,
    /// Names of skills, in the order in which they are taken.
    pub skills: Vec<String>,
}
