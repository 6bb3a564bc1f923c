//! What GitHub's GraphQL API says about all repositories of a search, in one request.
//!
//! Every name and path is a variable; none becomes part of the query's text. A `SKILL.md` that comes with the
//! answer counts only when its blob id can be made again from its text. For a listing that tells no path, the
//! usual places are looked at.

mod answer;
mod preview;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

pub(in crate::source) use self::preview::complete;
use self::{answer::Reply, preview::guesses};
use super::is_clean;
use crate::{
    candidate::remote::without_case,
    http::{Accept, BaseUrl, Bucket, Client, Deadline, Freshness, Method, Request},
    skill::id::RepoSlug,
    source::{
        lenient::Object,
        remote::{Answers, Hosts, Observation, SourceProblem},
    },
};

const BODY_LIMIT: u64 = 16 * 1024 * 1024;

const REPOSITORY_FIELDS: &str = "databaseId nameWithOwner stargazerCount forkCount pushedAt isArchived \
     isDisabled isPrivate owner{__typename ... on User{databaseId} ... on Organization{databaseId}} \
     licenseInfo{spdxId} defaultBranchRef{target{oid}}";
const BLOB_FIELDS: &str = "... on Blob{oid byteSize isBinary isTruncated text}";

/// A repository and the folders whose `SKILL.md` is wanted.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    repository: RepoSlug,
    folders: Vec<String>,
}

/// Asks about `repositories`, and for the `SKILL.md` of what was seen in them.
pub(in crate::source) async fn ask(
    client: &Client,
    hosts: &Hosts,
    repositories: &[RepoSlug],
    observations: &[Observation],
    deadline: Deadline,
) -> Answers {
    let asked: Vec<Asked> = repositories.iter().map(|repository| wanted(repository, observations)).collect();
    let request = Request {
        method: Method::Post(document(&asked)),
        url: address(&hosts.github_api),
        accept: Accept::Json,
        bucket: Bucket::Graphql,
        freshness: Freshness::NoStore,
        body_limit: BODY_LIMIT,
        with_token: true,
    };
    match client.json::<Object<Reply>>(&request, deadline).await {
        Ok(reply) => {
            let quota = client.quota(&hosts.github_api, Bucket::Graphql);
            let reply = reply.body.0.redacted(|text| client.redact(text));
            let answers = answer::read(reply, &asked, hosts, quota);
            without_tokens(client, answers)
        }
        Err(error) => Answers { problem: Some(SourceProblem::Http(error)), ..Answers::default() },
    }
}

/// Leaves out what holds a token; such a repository counts as missing.
fn without_tokens(client: &Client, mut answers: Answers) -> Answers {
    answers.facts.retain(|repository, facts| {
        let is_clean = is_clean(client, facts);
        if !is_clean {
            answers.missing.insert(repository.clone());
        }
        is_clean
    });
    answers.seen.retain(|_, preview| {
        let texts = [Some(&preview.name), Some(&preview.description), preview.when_to_use.as_ref()];
        !texts.into_iter().flatten().any(|text| client.gives_away(text))
    });
    answers
}

/// Where the API answers. An enterprise server has it beside its REST API, whose version it does not share.
pub(in crate::source) fn address(api: &BaseUrl) -> String {
    let below = api.join(&["graphql"]);
    match below.strip_suffix("/api/v3/graphql") {
        Some(server) => format!("{server}/api/graphql"),
        None => below,
    }
}

fn wanted(repository: &RepoSlug, observations: &[Observation]) -> Asked {
    let mut folders = BTreeSet::new();
    for sighting in observations.iter().flat_map(|observation| &observation.sightings) {
        if sighting.repository.as_ref().map(without_case).as_ref() != Some(repository) {
            continue;
        }
        match &sighting.path {
            Some(path) => {
                folders.insert(path.clone());
            }
            None => folders.extend(guesses(&sighting.skill_id)),
        }
    }
    Asked { repository: repository.clone(), folders: folders.into_iter().collect() }
}

/// The query with its variables.
fn document(asked: &[Asked]) -> Value {
    let mut declared = Vec::new();
    let mut fields = String::new();
    let mut variables = Map::new();
    let mut declare = |name: String, value: String| {
        declared.push(format!("${name}:String!"));
        variables.insert(name, Value::String(value));
    };
    let proven = "writing to a string cannot fail";
    for (index, Asked { repository, folders }) in asked.iter().enumerate() {
        declare(format!("o{index}"), repository.owner().to_owned());
        declare(format!("n{index}"), repository.name().to_owned());
        write!(fields, " r{index}:repository(owner:$o{index},name:$n{index}){{{REPOSITORY_FIELDS}")
            .expect(proven);
        for (place, folder) in folders.iter().enumerate() {
            let slash = if folder.is_empty() { "" } else { "/" };
            declare(format!("e{index}_{place}"), format!("HEAD:{folder}{slash}SKILL.md"));
            let blob = format!("b{place}:object(expression:$e{index}_{place}){{{BLOB_FIELDS}}}");
            write!(fields, " {blob}").expect(proven);
        }
        fields.push('}');
    }
    let query = format!("query({}){{{}}}", declared.join(","), fields.trim_start());
    json!({ "query": query, "variables": variables })
}

#[cfg(test)]
mod tests;
