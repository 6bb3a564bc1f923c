//! Remote candidates in order: gates, scores, copies, and a fair share for each owner.
//!
//! The gates and the order are those of the dsh-skillflux plugin. Facts of a repository are needed for its
//! gates: a candidate whose host did not speak of it cannot be mounted, so it is shown behind the others with
//! the evidence that it has. Copies are shown once and never lend each other evidence.

mod copies;
mod relevance;

use std::{cmp::Reverse, collections::BTreeMap};

use thiserror::Error;

pub use self::copies::Duplicate;
use super::{
    evidence::{Evidence, EvidenceLevel, Signal, Warning, evaluate},
    lexical::{self, Query},
    quality::{Input, Quality, declares_licence, score},
    trust::{Owner, OwnerRules, Refusal, Standing, TrustPolicy, admit},
};
use crate::{
    candidate::{Candidate, Origin, remote::RemoteCandidate},
    skill::{id::RepoSlug, name::Slug, time::UnixMillis},
};

/// How many skills of one owner stand above the fold, unless a person asks for all.
pub const PER_OWNER: usize = 3;

/// What a person wants of a search.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The least quality, 0 to 100.
    pub min_quality: u8,
    /// The least number of stars.
    pub min_stars: u64,
    /// The days for which a push counts as recent.
    pub recent_days: u32,
    /// The least evidence.
    pub trust: TrustPolicy,
    /// Trusted and blocked owners.
    pub owners: OwnerRules,
    /// How many candidates are ranked in the end.
    pub limit: usize,
    /// The present.
    pub now: UnixMillis,
    /// How many of one owner stand above the fold: [`PER_OWNER`], or `usize::MAX`.
    pub per_owner: usize,
    /// How relevance is told: by full-text search, or else by the lexical score.
    pub fulltext: bool,
}

/// Candidates in order, and those that were left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// At most [`Policy::limit`], the best first.
    pub ranked: Vec<Ranked>,
    /// What did not pass a gate, in the order in which it came.
    pub rejected: Vec<(RemoteCandidate, Rejection)>,
}

/// A candidate with its scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// The candidate.
    pub candidate: RemoteCandidate,
    /// How well it fits the query, in the points of [`super::lexical`], or on that scale.
    pub relevance: u64,
    /// The quality score and its parts.
    pub quality: Quality,
    /// What is known about its origin.
    pub evidence: Evidence,
    /// Other places that show the same skill.
    pub copies: Vec<Duplicate>,
    /// Whether it stands below the fold, because its owner has enough above.
    pub fold: bool,
}

impl Ranked {
    /// The level of its evidence.
    pub fn level(&self) -> EvidenceLevel {
        self.evidence.level
    }
}

/// Why a candidate is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Rejection {
    /// A person blocked its owner.
    #[error("its owner is blocked")]
    BlockedOwner,
    /// Its repository is archived.
    #[error("its repository is archived")]
    Archived,
    /// Its host switched its repository off.
    #[error("its repository is disabled")]
    Disabled,
    /// Only some people can see its repository.
    #[error("its repository is private")]
    Private,
    /// Its repository has too few stars.
    #[error("its repository has {stars} stars, and at least {least} are wanted")]
    FewStars {
        /// The stars that it has.
        stars: u64,
        /// The least number.
        least: u64,
    },
    /// It shares no word with the query.
    #[error("it shares no word with the query")]
    NotRelevant,
    /// Its quality is too low.
    #[error("its quality is {total}, and at least {least} is wanted")]
    LowQuality {
        /// The quality that it has.
        total: u8,
        /// The least quality.
        least: u8,
    },
    /// Its evidence is below the policy.
    #[error("its evidence is `{level}`, and the policy `{policy}` wants more")]
    BelowPolicy {
        /// The level that it has.
        level: EvidenceLevel,
        /// The policy in force.
        policy: TrustPolicy,
    },
}

/// Whether a repository may be asked about at all: nothing is sent about those of blocked owners.
pub fn admitted_owner(owners: &OwnerRules, repository: &RepoSlug) -> bool {
    owners.standing(&Owner::new(repository.owner())) != Standing::Blocked
}

/// The quality of a candidate apart from any query: what adoption, repository, freshness, trust and
/// provenance give, at most 45.
pub fn quality_apart(candidate: &RemoteCandidate, policy: &Policy) -> u8 {
    score(&input(candidate, 0, standing(candidate, &policy.owners), policy)).total
}

/// Ranks candidates for a query.
pub fn rank(query: &str, candidates: Vec<RemoteCandidate>, policy: &Policy) -> Ranking {
    let fulltext = policy.fulltext.then(|| relevance::fulltext(query, &candidates));
    let query = Query::new(query);
    let mut rejected = Vec::new();
    let mut passed = Vec::new();
    for (place, candidate) in candidates.into_iter().enumerate() {
        let relevance = fulltext.as_ref().map(|relevance| relevance[place]);
        match judge(&query, &candidate, relevance, policy) {
            Ok(judged) => passed.push(judged.with(candidate)),
            Err(rejection) => rejected.push((candidate, rejection)),
        }
    }
    passed.sort_by_cached_key(order);
    let mut ranked = copies::collapse(passed);
    fold(&mut ranked, policy.per_owner);
    ranked.truncate(policy.limit);
    Ranking { ranked, rejected }
}

/// The scores of a candidate that passed the gates.
struct Judged {
    relevance: u64,
    quality: Quality,
    evidence: Evidence,
}

impl Judged {
    fn with(self, candidate: RemoteCandidate) -> Ranked {
        let Self { relevance, quality, evidence } = self;
        Ranked { candidate, relevance, quality, evidence, copies: Vec::new(), fold: false }
    }
}

/// Leads a candidate through the gates, in the order of the original. Its relevance is the lexical score where none
/// is given.
fn judge(
    query: &Query,
    candidate: &RemoteCandidate,
    relevance: Option<u64>,
    policy: &Policy,
) -> Result<Judged, Rejection> {
    let standing = standing(candidate, &policy.owners);
    if standing == Standing::Blocked {
        return Err(Rejection::BlockedOwner);
    }
    check_repository(candidate, policy.min_stars)?;
    let lexical = lexical::score(query, &for_lexical(candidate));
    let relevance = relevance.unwrap_or(lexical.total);
    if relevance == 0 {
        return Err(Rejection::NotRelevant);
    }
    let input = input(candidate, relevance, standing, policy);
    let quality = score(&input);
    let mut evidence = evaluate(&input);
    if lexical.parts.name_phrase > 0 && evidence.warnings.contains(&Warning::LowAdoption) {
        evidence.warnings.push(Warning::NameOnly);
    }
    if candidate.is_mountable() {
        if quality.total < policy.min_quality {
            return Err(Rejection::LowQuality { total: quality.total, least: policy.min_quality });
        }
        admit(evidence.level, standing, policy.trust).map_err(|refusal| match refusal {
            Refusal::BlockedOwner => Rejection::BlockedOwner,
            Refusal::BelowPolicy { level, policy } => Rejection::BelowPolicy { level, policy },
        })?;
    }
    Ok(Judged { relevance, quality, evidence })
}

fn check_repository(candidate: &RemoteCandidate, least: u64) -> Result<(), Rejection> {
    let Some(facts) = &candidate.facts else { return Ok(()) };
    let rules = [
        (facts.archived, Rejection::Archived),
        (facts.disabled, Rejection::Disabled),
        (facts.private, Rejection::Private),
        (facts.stars < least, Rejection::FewStars { stars: facts.stars, least }),
    ];
    rules.into_iter().find(|(applies, _)| *applies).map_or(Ok(()), |(_, rejection)| Err(rejection))
}

/// What the rules say about its owner: blocked under any name, trusted only under the one of today.
fn standing(candidate: &RemoteCandidate, owners: &OwnerRules) -> Standing {
    let facts = candidate.facts.as_ref();
    let repository = facts.map(|facts| &facts.repository);
    let names = repository.into_iter().chain(facts.and_then(|facts| facts.renamed_from.as_ref()));
    let listed = Owner::of_source(&candidate.address);
    let mut all = names.map(|repository| Owner::new(repository.owner())).chain(listed);
    if all.any(|owner| owners.standing(&owner) == Standing::Blocked) {
        return Standing::Blocked;
    }
    repository.map_or(Standing::Unlisted, |repository| owners.standing(&Owner::new(repository.owner())))
}

fn for_lexical(candidate: &RemoteCandidate) -> Candidate {
    Candidate {
        id: String::new(),
        name: candidate.name.clone(),
        slug: Slug::derive(&candidate.name, &candidate.skill_id),
        description: candidate.description.clone(),
        when_to_use: None,
        origin: Origin::Remote,
        source: candidate.address.clone(),
        installs: candidate.installs,
        quality: None,
    }
}

fn input(candidate: &RemoteCandidate, relevance: u64, standing: Standing, policy: &Policy) -> Input {
    let facts = candidate.facts.as_ref();
    Input {
        relevance,
        installs: candidate.installs.unwrap_or(0),
        stars: facts.map_or(0, |facts| facts.stars),
        forks: facts.map_or(0, |facts| facts.forks),
        pushed_at: facts.and_then(|facts| facts.pushed_at),
        now: policy.now,
        recent_days: policy.recent_days,
        trusted_owner: standing == Standing::Trusted,
        organisation_owned: facts.is_some_and(|facts| facts.organisation_owned),
        has_licence: declares_licence(facts.and_then(|facts| facts.licence.as_deref())),
        sources: candidate.sources.len(),
        content_pinned: facts.is_some() && candidate.path.is_some() && candidate.skill_file.is_some(),
        registry_tier: None,
    }
}

type Order = (bool, Reverse<(u8, u64, EvidenceLevel, bool, bool, u64, u64)>, String, String);

/// What can be mounted, then quality, relevance, evidence, trust, activity, installations and stars, the most
/// first; then the address and the name.
fn order(ranked: &Ranked) -> Order {
    let Ranked { candidate, relevance, quality, evidence, .. } = ranked;
    let has = |signal| evidence.signals.contains(&signal);
    let best = (
        quality.total,
        *relevance,
        evidence.level,
        has(Signal::TrustedOwner),
        has(Signal::RecentActivity),
        candidate.installs.unwrap_or(0),
        candidate.facts.as_ref().map_or(0, |facts| facts.stars),
    );
    let place = format!("{}/{}", candidate.address, candidate.name).to_lowercase();
    (!candidate.is_mountable(), Reverse(best), place, candidate.identity.to_string())
}

/// Puts what one owner has beyond `per_owner` behind all others.
fn fold(ranked: &mut [Ranked], per_owner: usize) {
    let mut counts: BTreeMap<Owner, usize> = BTreeMap::new();
    for one in &mut *ranked {
        let address = &one.candidate.address;
        let count =
            counts.entry(Owner::of_source(address).unwrap_or_else(|| Owner::new(address))).or_default();
        *count += 1;
        one.fold = *count > per_owner;
    }
    ranked.sort_by_key(|one| one.fold);
}

#[cfg(test)]
mod tests;
