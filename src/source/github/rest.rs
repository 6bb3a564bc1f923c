//! What GitHub's REST API says about repositories, for those who have no token.
//!
//! Two requests a repository, four at once. Their answers are kept for an hour, so that the sixty requests
//! that an address has in an hour last for many searches.

use std::time::Duration;

use serde::Deserialize;

use super::is_clean;
use crate::{
    candidate::remote::{RepositoryFacts, without_case},
    http::{Accept, Bucket, Client, Deadline, Freshness, HttpError, Method, Request, parallel},
    skill::{
        id::{CommitSha, RepoSlug},
        time::UnixMillis,
    },
    source::remote::{Answers, Hosts, SourceProblem},
};

const KEPT: Duration = Duration::from_secs(60 * 60);
const BODY_LIMIT: u64 = 2 * 1024 * 1024;
/// How many repositories are asked about at once, with two requests each.
const AT_ONCE: usize = 2;

#[derive(Deserialize)]
struct Repository {
    id: u64,
    full_name: String,
    owner: Option<Owner>,
    stargazers_count: Option<u64>,
    forks_count: Option<u64>,
    pushed_at: Option<String>,
    license: Option<Licence>,
    archived: Option<bool>,
    disabled: Option<bool>,
    private: Option<bool>,
}

#[derive(Deserialize)]
struct Owner {
    id: Option<u64>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Licence {
    spdx_id: Option<String>,
}

#[derive(Deserialize)]
struct Commit {
    sha: String,
}

/// Asks about each of `repositories`.
pub(in crate::source) async fn ask(
    client: &Client,
    hosts: &Hosts,
    repositories: &[RepoSlug],
    deadline: Deadline,
) -> Answers {
    let asked = repositories.iter().map(|repository| {
        let (client, hosts, repository) = (client.clone(), hosts.clone(), repository.clone());
        async move { ask_one(&client, &hosts, &repository, deadline).await }
    });
    let mut answers = Answers::default();
    for (repository, answer) in repositories.iter().zip(parallel::all(AT_ONCE, asked).await) {
        match answer {
            Ok(Some(facts)) => {
                answers.facts.insert(without_case(repository), facts);
            }
            Ok(None) => {
                answers.missing.insert(without_case(repository));
            }
            Err(error) => answers.problem = answers.problem.or(Some(SourceProblem::Http(error))),
        }
    }
    answers
}

/// `None` for a repository that does not exist, is empty or is blocked.
async fn ask_one(
    client: &Client,
    hosts: &Hosts,
    asked: &RepoSlug,
    deadline: Deadline,
) -> Result<Option<RepositoryFacts>, HttpError> {
    let request = |rest: &[&str]| {
        let segments: Vec<&str> =
            ["repos", asked.owner(), asked.name()].iter().chain(rest).copied().collect();
        Request {
            method: Method::Get,
            url: hosts.github_api.join(&segments),
            accept: Accept::GithubJson,
            bucket: Bucket::Core,
            freshness: Freshness::MaxAge(KEPT),
            body_limit: BODY_LIMIT,
            with_token: true,
        }
    };
    let (about, head) = (request(&[]), request(&["commits", "HEAD"]));
    let replies =
        tokio::join!(client.json::<Repository>(&about, deadline), client.json::<Commit>(&head, deadline));
    match replies {
        (Ok(repository), Ok(commit)) => {
            let facts = facts(hosts, asked, repository.body, &commit.body);
            Ok(facts.filter(|facts| is_clean(client, facts)))
        }
        (Err(error), _) | (_, Err(error)) => match error {
            HttpError::NotFound { .. } | HttpError::Conflict { .. } | HttpError::Blocked { .. } => Ok(None),
            error => Err(error),
        },
    }
}

fn facts(hosts: &Hosts, asked: &RepoSlug, body: Repository, head: &Commit) -> Option<RepositoryFacts> {
    let repository = RepoSlug::parse(&body.full_name).ok()?;
    let is_renamed = without_case(&repository) != without_case(asked);
    let owner = body.owner;
    Some(RepositoryFacts {
        host: hosts.github_host.clone(),
        renamed_from: is_renamed.then(|| asked.clone()),
        id: body.id,
        owner_id: owner.as_ref().and_then(|owner| owner.id),
        organisation_owned: owner.is_some_and(|owner| owner.kind.as_deref() == Some("Organization")),
        stars: body.stargazers_count.unwrap_or(0),
        forks: body.forks_count.unwrap_or(0),
        pushed_at: body.pushed_at.as_deref().and_then(UnixMillis::parse),
        licence: body.license.and_then(|licence| licence.spdx_id),
        archived: body.archived.unwrap_or(false),
        disabled: body.disabled.unwrap_or(false),
        private: body.private.unwrap_or(false),
        head: CommitSha::parse(&head.sha).ok()?,
        repository,
    })
}
