//! The answer about all repositories, read repository by repository.
//!
//! GraphQL answers 200 also when it refuses, and may answer a part. So a repository is missing only where the
//! host denies it by name; silence leaves it unknown and is a problem. A field of an unexpected form costs
//! its repository alone.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Asked, preview};
use crate::{
    candidate::remote::{RepositoryFacts, without_case},
    http::{HttpError, Quota, RateScope, one_line},
    skill::{
        id::{CommitSha, RepoSlug},
        time::UnixMillis,
    },
    source::remote::{Answers, Hosts, SourceProblem},
};

const MAX_MESSAGE: usize = 200;

#[derive(Deserialize)]
pub(super) struct Reply {
    data: Option<Map<String, Value>>,
    errors: Option<Vec<Value>>,
}

/// Reads the answer to a request about `asked`. A repository that the host denies is missing; one that it is
/// silent about is unknown, and `problem` says why.
pub(super) fn read(reply: Reply, asked: &[Asked], hosts: &Hosts, quota: Option<Quota>) -> Answers {
    let errors = reply.errors.unwrap_or_default();
    let mut answers = Answers::default();
    let data = reply.data.unwrap_or_default();
    for (index, asked) in asked.iter().enumerate() {
        let alias = format!("r{index}");
        let key = without_case(&asked.repository);
        let Some(found) = data.get(&alias).filter(|found| found.is_object()) else {
            let error = errors.iter().find(|error| is_about(error, &alias));
            if error.and_then(|error| error.get("type")).and_then(Value::as_str) == Some("NOT_FOUND") {
                answers.missing.insert(key);
            } else if answers.problem.is_none() {
                answers.problem = Some(refused(error.or(errors.first()), hosts, quota));
            }
            continue;
        };
        // A repository without a commit on its default branch has nothing to offer.
        let Some(facts) = facts(found, &asked.repository, hosts) else {
            answers.missing.insert(key);
            continue;
        };
        for (place, folder) in asked.folders.iter().enumerate() {
            match found.get(format!("b{place}")) {
                Some(Value::Null) => {
                    answers.gone.insert((key.clone(), folder.clone()));
                }
                blob => {
                    if let Some(preview) = blob.and_then(|blob| preview::read(blob, folder)) {
                        answers.seen.insert((key.clone(), folder.clone()), preview);
                    }
                }
            }
        }
        answers.facts.insert(key, facts);
    }
    answers
}

fn is_about(error: &Value, alias: &str) -> bool {
    error.get("path").and_then(|path| path.get(0)).and_then(Value::as_str) == Some(alias)
}

fn refused(error: Option<&Value>, hosts: &Hosts, quota: Option<Quota>) -> SourceProblem {
    let host = hosts.github_api.host().to_owned();
    let text = |field: &str| error.and_then(|error| error.get(field)).and_then(Value::as_str);
    let code = text("type").unwrap_or("NO_DATA").to_owned();
    match quota {
        Some(quota) if code == "RATE_LIMITED" => SourceProblem::Http(HttpError::RateLimited {
            host,
            scope: RateScope::Primary,
            authenticated: true,
            retry_at_ms: quota.reset_ms,
        }),
        _ => {
            let message = text("message").unwrap_or("the answer holds no data");
            SourceProblem::Refused { host, code, message: one_line(message, MAX_MESSAGE) }
        }
    }
}

fn facts(found: &Value, asked: &RepoSlug, hosts: &Hosts) -> Option<RepositoryFacts> {
    let text = |pointer: &str| found.pointer(pointer).and_then(Value::as_str);
    let number = |pointer: &str| found.pointer(pointer).and_then(Value::as_u64);
    let is = |pointer: &str| found.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
    let repository = RepoSlug::parse(text("/nameWithOwner")?).ok()?;
    let is_renamed = without_case(&repository) != without_case(asked);
    Some(RepositoryFacts {
        host: hosts.github_host.clone(),
        renamed_from: is_renamed.then(|| asked.clone()),
        id: number("/databaseId")?,
        owner_id: number("/owner/databaseId"),
        organisation_owned: text("/owner/__typename") == Some("Organization"),
        stars: number("/stargazerCount").unwrap_or(0),
        forks: number("/forkCount").unwrap_or(0),
        pushed_at: text("/pushedAt").and_then(UnixMillis::parse),
        licence: text("/licenseInfo/spdxId").map(str::to_owned),
        archived: is("/isArchived"),
        disabled: is("/isDisabled"),
        private: is("/isPrivate"),
        head: CommitSha::parse(text("/defaultBranchRef/target/oid")?).ok()?,
        repository,
    })
}
