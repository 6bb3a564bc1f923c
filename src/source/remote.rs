//! A search of the remote sources: what is asked, and what each of them answered.
//!
//! Sources are asked at the same time and each fails alone: one that hangs, refuses or answers nonsense
//! costs only its own results. When they are done, GitHub is asked once about the repositories that they
//! named, and if that fails, their listings stay. Nothing is ranked here, and nothing of a skill is
//! downloaded beyond the `SKILL.md` that GitHub shows with its answer.

mod plan;
mod problem;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

pub use self::{
    plan::{FollowUp, Plan, PlannedRequest, plan},
    problem::{Skip, SourceProblem},
};
use super::{
    github::{graphql, rest, search},
    skills_sh,
};
use crate::{
    candidate::{
        query::Query,
        remote::{Preview, RemoteCandidate, RepositoryFacts, Sighting, SourceKind, merge, without_case},
    },
    http::{BaseUrl, Client, Deadline},
    skill::id::RepoSlug,
};

/// The longest that one source is waited for.
pub const SOURCE_TIME: Duration = Duration::from_secs(10);

/// The most repositories that one search asks about.
pub const MAX_REPOSITORIES: usize = 20;

const PUBLIC_DIRECTORY: &str = "skills.sh";
const PUBLIC_GITHUB: &str = "github.com";

/// Where the services answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts {
    /// `https://skills.sh`.
    pub skills: BaseUrl,
    /// `https://api.github.com`, or `https://HOST/api/v3` of an enterprise server.
    pub github_api: BaseUrl,
    /// The host that a person would open: `github.com`.
    pub github_host: String,
}

/// How a search is made.
pub struct Settings<'a> {
    /// The sources that a person wants asked.
    pub providers: &'a [SourceKind],
    /// How many candidates are wanted in the end, 1 to 25.
    pub limit: usize,
    /// When the search as a whole ends.
    pub deadline: Deadline,
    /// Sources that are not asked this time, and why.
    pub skipped: BTreeMap<SourceKind, Skip>,
    /// Whether GitHub may be asked about a repository: not when a person blocked its owner.
    pub admits: &'a dyn Fn(&RepoSlug) -> bool,
}

/// What one source answered.
#[derive(Debug)]
pub struct Observation {
    /// The source.
    pub source: SourceKind,
    /// What it saw, in its own order.
    pub sightings: Vec<Sighting>,
    /// How many of its items could not be used.
    pub unusable: usize,
    /// What went wrong. Without a problem this is all that it has for the query within the limit.
    pub problem: Option<SourceProblem>,
}

/// What a search found.
#[derive(Debug)]
pub struct Discovered {
    /// What each wanted source answered, in the order of [`SourceKind::ALL`].
    pub observations: Vec<Observation>,
    /// What GitHub says about repositories, by their names [`without_case`].
    pub facts: BTreeMap<RepoSlug, RepositoryFacts>,
    /// Why it is silent about some of them that it did not deny.
    pub facts_problem: Option<SourceProblem>,
    /// The sightings, joined. Those of repositories that do not exist are left out; those of repositories
    /// about which nothing is known have no facts.
    pub candidates: Vec<RemoteCandidate>,
    /// How many repositories were not asked about because there were more than [`MAX_REPOSITORIES`]; their
    /// sightings are left out.
    pub repositories_left_out: usize,
}

impl Discovered {
    /// Whether every wanted source gave all that it has and every repository is known. A source that answers
    /// only to a token, without one, has nothing to give.
    pub fn is_complete(&self) -> bool {
        let is_whole =
            |one: &Observation| matches!(one.problem, None | Some(SourceProblem::Skipped(Skip::NoToken)));
        self.observations.iter().all(is_whole)
            && self.facts_problem.is_none()
            && self.repositories_left_out == 0
    }
}

/// Asks the sources, then GitHub about the repositories that they named.
pub async fn discover(client: &Client, hosts: &Hosts, query: &Query, settings: &Settings<'_>) -> Discovered {
    let has_token = client.has_token(&hosts.github_api);
    let pool = pool(settings.limit, has_token);
    // A source that hangs leaves the others a third of the time for the facts about what they found.
    let deadline = settings.deadline.min(Deadline::after(SOURCE_TIME.min(settings.deadline.left() * 2 / 3)));
    let is_wanted = |source| settings.providers.contains(&source);
    let skip = |source| settings.skipped.get(&source).copied();
    let skills = async {
        match skip(SourceKind::SkillsSh) {
            _ if !is_wanted(SourceKind::SkillsSh) => None,
            Some(skip) => Some(Observation::skipped(SourceKind::SkillsSh, skip)),
            None => Some(skills_sh::search(client, &hosts.skills, query, pool, deadline).await),
        }
    };
    let github = async {
        match skip(SourceKind::Github) {
            _ if !is_wanted(SourceKind::Github) => None,
            Some(skip) => Some(Observation::skipped(SourceKind::Github, skip)),
            None if !has_token => Some(Observation::skipped(SourceKind::Github, Skip::NoToken)),
            None => Some(search::search(client, &hosts.github_api, query, pool, deadline).await),
        }
    };
    let (skills, github) = tokio::join!(skills, github);
    let mut observations: Vec<Observation> = skills.into_iter().chain(github).collect();
    if !lists_mountable(hosts) {
        let listings = observations.iter_mut().filter(|one| one.source == SourceKind::SkillsSh);
        listings.flat_map(|one| &mut one.sightings).for_each(|sighting| sighting.repository = None);
    }
    for observation in &mut observations {
        let admits = |sighting: &Sighting| sighting.repository.as_ref().is_none_or(settings.admits);
        observation.sightings.retain(admits);
    }
    let (asked, left_out) = choose(&observations);
    let answers = if asked.is_empty() {
        Answers::default()
    } else if has_token {
        graphql::ask(client, hosts, &asked, &observations, settings.deadline).await
    } else {
        rest::ask(client, hosts, &asked, settings.deadline).await
    };
    gather(observations, answers, &left_out)
}

/// What GitHub says about repositories.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// By their names [`without_case`].
    pub(super) facts: BTreeMap<RepoSlug, RepositoryFacts>,
    /// Those that do not exist, [`without_case`].
    pub(super) missing: BTreeSet<RepoSlug>,
    /// What was seen at a folder of a repository, by its name [`without_case`] and the folder's path.
    pub(super) seen: BTreeMap<(RepoSlug, String), Preview>,
    /// Folders of repositories that have no `SKILL.md` any more.
    pub(super) gone: BTreeSet<(RepoSlug, String)>,
    /// Why something is unknown.
    pub(super) problem: Option<SourceProblem>,
}

/// Whether the repositories of the directory's listings lie on the GitHub that is asked. Those of the public
/// directory lie on github.com; on another server the same name is another repository.
fn lists_mountable(hosts: &Hosts) -> bool {
    hosts.skills.host() != PUBLIC_DIRECTORY || hosts.github_host == PUBLIC_GITHUB
}

/// How many results each source is asked for.
fn pool(limit: usize, has_token: bool) -> usize {
    if has_token { (2 * limit).min(20) } else { limit }
}

/// The repositories to ask about, [`without_case`], those with the best positions first, and the rest.
fn choose(observations: &[Observation]) -> (Vec<RepoSlug>, BTreeSet<RepoSlug>) {
    let mut best: BTreeMap<RepoSlug, (usize, SourceKind)> = BTreeMap::new();
    for sighting in observations.iter().flat_map(|observation| &observation.sightings) {
        if let Some(repository) = &sighting.repository {
            let place = (sighting.position, sighting.source);
            let best = best.entry(without_case(repository)).or_insert(place);
            *best = place.min(*best);
        }
    }
    let mut repositories: Vec<_> = best.into_iter().map(|(repository, place)| (place, repository)).collect();
    repositories.sort();
    let mut repositories: Vec<_> = repositories.into_iter().map(|(_, repository)| repository).collect();
    let left_out = repositories.split_off(repositories.len().min(MAX_REPOSITORIES));
    (repositories, left_out.into_iter().collect())
}

fn gather(observations: Vec<Observation>, answers: Answers, left_out: &BTreeSet<RepoSlug>) -> Discovered {
    let Answers { facts, missing, seen, gone, problem } = answers;
    let is_shown = |sighting: &Sighting| {
        let Some(repository) = sighting.repository.as_ref().map(without_case) else { return true };
        let is_gone = |path: &String| gone.contains(&(repository.clone(), path.clone()));
        !missing.contains(&repository)
            && !left_out.contains(&repository)
            && !sighting.path.as_ref().is_some_and(is_gone)
    };
    let sightings = observations.iter().flat_map(|observation| &observation.sightings);
    let sightings = sightings.filter(|sighting| is_shown(sighting)).cloned();
    let sightings = sightings.map(|sighting| graphql::complete(sighting, &seen)).collect();
    Discovered {
        candidates: merge(sightings, &facts),
        facts,
        facts_problem: problem,
        repositories_left_out: left_out.len(),
        observations,
    }
}

impl Observation {
    fn skipped(source: SourceKind, skip: Skip) -> Self {
        let problem = Some(SourceProblem::Skipped(skip));
        Self { source, sightings: Vec::new(), unusable: 0, problem }
    }

    /// A source that gave nothing.
    pub(super) fn failed(source: SourceKind, problem: SourceProblem) -> Self {
        Self { source, sightings: Vec::new(), unusable: 0, problem: Some(problem) }
    }
}

#[cfg(test)]
mod tests;
