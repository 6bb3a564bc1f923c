//! What remote sources say about skills that are not on this machine.
//!
//! A [`Sighting`] is what one source says about one skill; [`merge`] joins the sightings of several
//! sources into [`RemoteCandidate`]s by repository, commit and path. A search that is kept is kept as
//! [`StoredCandidate`]s. None of them can reach a body.

mod merge;
mod stored;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use self::{
    merge::merge,
    stored::{StoredCandidate, StoredError, from_stored, to_stored},
};
use super::identity::{Identity, RepositoryKey};
use crate::skill::{
    id::{BlobSha, CommitSha, RepoSlug},
    time::UnixMillis,
};

/// A kind of remote source, in the order in which they are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SourceKind {
    /// The directory at skills.sh.
    #[serde(rename = "skills.sh")]
    SkillsSh,
    /// GitHub's code search.
    #[serde(rename = "github")]
    Github,
}

impl SourceKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::SkillsSh, Self::Github];

    /// The word used in settings and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SkillsSh => "skills.sh",
            Self::Github => "github",
        }
    }
}

/// What a host says about a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryFacts {
    /// The host that a person would open, for instance `github.com`.
    pub host: String,
    /// The name it has now.
    pub repository: RepoSlug,
    /// The name it was asked by, when that was an older one.
    pub renamed_from: Option<RepoSlug>,
    /// The number that its host gave it.
    pub id: u64,
    /// The number of its owner.
    pub owner_id: Option<u64>,
    /// Whether its owner is an organisation.
    pub organisation_owned: bool,
    /// Stars.
    pub stars: u64,
    /// Forks.
    pub forks: u64,
    /// When it was last pushed to.
    pub pushed_at: Option<UnixMillis>,
    /// The SPDX id of its licence.
    pub licence: Option<String>,
    /// Whether it is read-only for good.
    pub archived: bool,
    /// Whether its host switched it off.
    pub disabled: bool,
    /// Whether only some people can see it.
    pub private: bool,
    /// The commit at the head of its default branch.
    pub head: CommitSha,
}

/// The `SKILL.md` of a candidate as a source showed it, hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The id of the blob, recomputed from its bytes.
    pub blob: BlobSha,
    /// The name in its header.
    pub name: String,
    /// The description in its header.
    pub description: String,
    /// When to use it, where the header says that apart.
    pub when_to_use: Option<String>,
    /// Whether a model may choose it.
    pub model_invocable: bool,
}

/// What one source says about one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// The source.
    pub source: SourceKind,
    /// Its place in the source's own order, from 0.
    pub position: usize,
    /// Where the source says it lies: `owner/repo`, or another address.
    pub address: String,
    /// The repository, when it is one on the host that can be mounted from.
    pub repository: Option<RepoSlug>,
    /// The folder of the skill in the repository, empty for its root; unknown to skills.sh.
    pub path: Option<String>,
    /// The source's own id of the skill: a slug.
    pub skill_id: String,
    /// The name that the source shows.
    pub title: String,
    /// Installations that the source counted.
    pub installs: Option<u64>,
    /// Its `SKILL.md`, when the source showed it.
    pub preview: Option<Preview>,
}

/// What the sources together say about one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteCandidate {
    /// Where it is, and at which commit if that is known.
    pub identity: Identity,
    /// Its name: of its header, else of its folder or listing.
    pub name: String,
    /// What it is for; the listing's title when nobody has seen its header.
    pub description: String,
    /// When to use it.
    pub when_to_use: Option<String>,
    /// Whether a model may choose it, as far as its header was seen.
    pub model_invocable: bool,
    /// `owner/repo`, or another address that cannot be mounted from.
    pub address: String,
    /// The slug by which its source lists it, or that of its folder.
    pub skill_id: String,
    /// What its host says about its repository; without it the candidate cannot be mounted.
    pub facts: Option<RepositoryFacts>,
    /// Its folder in the repository, empty for the root; unknown until a tree was read.
    pub path: Option<String>,
    /// The blob of its `SKILL.md` that was seen.
    pub skill_file: Option<BlobSha>,
    /// The sources that offer it.
    pub sources: BTreeSet<SourceKind>,
    /// The best place that a source gave it, from 0.
    pub position: usize,
    /// The most installations that a source counted.
    pub installs: Option<u64>,
}

/// The repository under which facts about `repository` are kept: hosts ignore the case of its letters.
pub fn without_case(repository: &RepoSlug) -> RepoSlug {
    RepoSlug::parse(&repository.to_string().to_ascii_lowercase())
        .expect("the case of letters does not matter to the form of a repository")
}

impl RemoteCandidate {
    /// Whether it can be mounted: its repository is known to its host.
    pub fn is_mountable(&self) -> bool {
        self.facts.is_some()
    }

    /// Whether its address is one of a repository, known or not.
    pub fn is_in_repository(&self) -> bool {
        RepoSlug::parse(&self.address).is_ok()
    }

    /// The identity that follows from what is known: pinned with facts and a path, else where a source
    /// saw or listed it.
    fn identity_of(
        facts: Option<&RepositoryFacts>,
        path: Option<&str>,
        address: &str,
        skill_id: &str,
    ) -> Identity {
        match (facts, path) {
            (Some(facts), Some(path)) => {
                Identity::pinned(&facts.host, RepositoryKey::Id(facts.id), &facts.head, path)
            }
            (None, Some(path)) => Identity::seen(address, path),
            (_, None) => Identity::listed(address, skill_id),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
