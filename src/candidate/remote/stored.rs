//! Candidates as a kept search writes them, and the checks on the way back.
//!
//! What is read was written by skillflux, but a file can be edited. The identity is computed again from the
//! other fields, so that no edited entry passes for another skill.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{RemoteCandidate, RepositoryFacts, SourceKind};
use crate::skill::{
    id::{BlobSha, CommitSha, IdError, RepoSlug},
    time::UnixMillis,
};

/// A candidate as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StoredCandidate {
    /// All 64 digits of its identity, by which the store finds it again.
    #[serde(rename = "id")]
    identity: String,
    name: String,
    description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when_to_use: Option<String>,
    model_invocable: bool,
    address: String,
    skill_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    facts: Option<StoredFacts>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill_file: Option<String>,
    sources: BTreeSet<SourceKind>,
    position: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    installs: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct StoredFacts {
    host: String,
    repository: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    renamed_from: Option<String>,
    id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner_id: Option<u64>,
    organisation_owned: bool,
    stars: u64,
    forks: u64,
    /// Milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pushed_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    licence: Option<String>,
    archived: bool,
    disabled: bool,
    private: bool,
    head: String,
}

/// Why a stored candidate is not used.
#[derive(Debug, Error)]
pub enum StoredError {
    /// A repository, commit or blob that is none.
    #[error("a stored candidate names something that is none")]
    Id(#[from] IdError),
    /// Its identity does not follow from the rest.
    #[error("the stored candidate `{identity}` has the identity of another")]
    Identity {
        /// What is written.
        identity: String,
    },
    /// No source offers it.
    #[error("the stored candidate `{identity}` comes from no source")]
    NoSource {
        /// Its identity.
        identity: String,
    },
    /// A `SKILL.md` was seen, but not where.
    #[error("the stored candidate `{identity}` has a file without a path")]
    FileWithoutPath {
        /// Its identity.
        identity: String,
    },
}

/// A candidate for writing.
pub fn to_stored(candidate: &RemoteCandidate) -> StoredCandidate {
    StoredCandidate {
        identity: candidate.identity.to_string(),
        name: candidate.name.clone(),
        description: candidate.description.clone(),
        when_to_use: candidate.when_to_use.clone(),
        model_invocable: candidate.model_invocable,
        address: candidate.address.clone(),
        skill_id: candidate.skill_id.clone(),
        facts: candidate.facts.as_ref().map(facts_to_stored),
        path: candidate.path.clone(),
        skill_file: candidate.skill_file.as_ref().map(ToString::to_string),
        sources: candidate.sources.clone(),
        position: candidate.position,
        installs: candidate.installs,
    }
}

/// The candidate that was written.
///
/// # Errors
///
/// When an id is none, no source is named, or the identity does not follow from the rest.
pub fn from_stored(stored: StoredCandidate) -> Result<RemoteCandidate, StoredError> {
    let facts = stored.facts.map(facts_from_stored).transpose()?;
    let identity = RemoteCandidate::identity_of(
        facts.as_ref(),
        stored.path.as_deref(),
        &stored.address,
        &stored.skill_id,
    );
    let skill_file = stored.skill_file.as_deref().map(BlobSha::parse).transpose()?;
    let is_elsewhere = facts.as_ref().is_some_and(|facts| facts.repository.to_string() != stored.address);
    if is_elsewhere || identity.to_string() != stored.identity {
        return Err(StoredError::Identity { identity: stored.identity });
    }
    if stored.sources.is_empty() {
        return Err(StoredError::NoSource { identity: stored.identity });
    }
    if skill_file.is_some() && stored.path.is_none() {
        return Err(StoredError::FileWithoutPath { identity: stored.identity });
    }
    Ok(RemoteCandidate {
        identity,
        name: stored.name,
        description: stored.description,
        when_to_use: stored.when_to_use,
        model_invocable: stored.model_invocable,
        address: stored.address,
        skill_id: stored.skill_id,
        facts,
        path: stored.path,
        skill_file,
        sources: stored.sources,
        position: stored.position,
        installs: stored.installs,
    })
}

fn facts_to_stored(facts: &RepositoryFacts) -> StoredFacts {
    StoredFacts {
        host: facts.host.clone(),
        repository: facts.repository.to_string(),
        renamed_from: facts.renamed_from.as_ref().map(ToString::to_string),
        id: facts.id,
        owner_id: facts.owner_id,
        organisation_owned: facts.organisation_owned,
        stars: facts.stars,
        forks: facts.forks,
        pushed_at: facts.pushed_at.map(|moment| moment.0),
        licence: facts.licence.clone(),
        archived: facts.archived,
        disabled: facts.disabled,
        private: facts.private,
        head: facts.head.to_string(),
    }
}

fn facts_from_stored(stored: StoredFacts) -> Result<RepositoryFacts, IdError> {
    Ok(RepositoryFacts {
        repository: RepoSlug::parse(&stored.repository)?,
        renamed_from: stored.renamed_from.as_deref().map(RepoSlug::parse).transpose()?,
        head: CommitSha::parse(&stored.head)?,
        host: stored.host,
        id: stored.id,
        owner_id: stored.owner_id,
        organisation_owned: stored.organisation_owned,
        stars: stored.stars,
        forks: stored.forks,
        pushed_at: stored.pushed_at.map(UnixMillis),
        licence: stored.licence,
        archived: stored.archived,
        disabled: stored.disabled,
        private: stored.private,
    })
}
