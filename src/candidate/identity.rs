//! What makes a remote skill itself: where it lies, never what it is called.
//!
//! An identity is the SHA-256 of a compact JSON array. Once a commit is known that is
//! `["github", host, repository id, commit, path]`; before, it is `["skills.sh", source, skill id]`, and
//! other kinds of source likewise begin with their kind (`["github", repository, path]`). The first 24 of
//! the 64 digits are the id that a person types.

use std::fmt;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::skill::id::{CommitSha, TreeDigest};

/// The identity of a remote skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(TreeDigest);

/// The digits of an identity that a person types.
const ID_DIGITS: usize = 24;

impl Identity {
    /// A skill of a repository at a commit. `path` is its folder, empty for the repository's root.
    pub fn pinned(host: &str, repository: RepositoryKey<'_>, commit: &CommitSha, path: &str) -> Self {
        let repository = match repository {
            RepositoryKey::Id(id) => json!(id),
            RepositoryKey::Name(name) => json!(name),
        };
        Self::of(&json!(["github", host, repository, commit.as_str(), path]))
    }

    /// A listing of skills.sh whose commit nobody knows yet.
    pub fn listed(source: &str, skill_id: &str) -> Self {
        Self::of(&json!(["skills.sh", source, skill_id]))
    }

    /// A folder of a repository about which its host did not answer.
    pub fn seen(repository: &str, path: &str) -> Self {
        Self::of(&json!(["github", repository, path]))
    }

    fn of(parts: &Value) -> Self {
        Self(TreeDigest::from_bytes(Sha256::digest(parts.to_string()).into()))
    }

    /// Parses all 64 digits.
    pub fn parse(text: &str) -> Option<Self> {
        TreeDigest::parse(text).ok().map(Self)
    }

    /// The first 24 digits.
    pub fn short(&self) -> String {
        let mut digits = self.to_string();
        digits.truncate(ID_DIGITS);
        digits
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// How a repository is named in an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepositoryKey<'a> {
    /// The number that its host gave it, which a rename does not change.
    Id(u64),
    /// Its address, where the host tells no number (plain git).
    Name(&'a str),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_the_hash_of_the_documented_array() {
        let commit = CommitSha::parse(&"4".repeat(40)).unwrap();
        let identity = Identity::pinned("github.com", RepositoryKey::Id(7), &commit, "skills/pdf");
        let array = format!(r#"["github","github.com",7,"{}","skills/pdf"]"#, "4".repeat(40));
        let expected = TreeDigest::from_bytes(Sha256::digest(array).into()).to_string();
        assert_eq!(identity.to_string(), expected);
        assert_eq!(identity.short(), expected[..24]);
        assert_eq!(Identity::parse(&expected), Some(identity));
        assert_ne!(Identity::listed("a/b", "c"), Identity::listed("a", "b/c"));
    }
}
