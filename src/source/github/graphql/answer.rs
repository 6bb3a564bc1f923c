//! The answer about all repositories, read repository by repository.
//!
//! GraphQL answers 200 also when it refuses, and may answer a part. So a repository is missing only where the
//! host denies it by name; silence leaves it unknown and is a problem. A field of an unexpected form costs
//! its repository alone.
//!
//! Of what comes only the aliases that a query can have are kept, so that no answer takes much more memory than
//! its own text.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};

use super::{Asked, preview};
use crate::{
    candidate::remote::{RepositoryFacts, without_case},
    http::{HttpError, Quota, RateScope, one_line},
    skill::{
        id::{CommitSha, RepoSlug},
        time::UnixMillis,
    },
    source::{
        lenient::{Lenient, List, Part, fields},
        remote::{Answers, Hosts, SourceProblem},
    },
};

const MAX_MESSAGE: usize = 200;

/// The most aliases of one object that are kept; a query has fewer.
const MAX_ALIASES: usize = 256;

/// The most errors that are kept: one for each repository, and some.
const MAX_ERRORS: usize = 256;

#[derive(Deserialize)]
pub(super) struct Reply {
    data: Option<Data>,
    errors: Option<List<Failure, MAX_ERRORS>>,
}

/// Repositories by the number in their alias.
#[derive(Default)]
struct Data(BTreeMap<usize, Lenient<Found>>);

#[derive(Default, Deserialize)]
#[serde(default)]
struct Failure {
    #[serde(rename = "type")]
    kind: Lenient<String>,
    message: Lenient<String>,
    path: Lenient<List<String, 1>>,
}

#[derive(Default)]
struct Found {
    id: Lenient<u64>,
    name: Lenient<String>,
    stars: Lenient<u64>,
    forks: Lenient<u64>,
    pushed_at: Lenient<String>,
    archived: Lenient<bool>,
    disabled: Lenient<bool>,
    private: Lenient<bool>,
    owner: Lenient<Owner>,
    licence: Lenient<Licence>,
    branch: Lenient<Branch>,
    /// By the number in their alias.
    blobs: BTreeMap<usize, Lenient<preview::Blob>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Owner {
    #[serde(rename = "__typename")]
    kind: Lenient<String>,
    #[serde(rename = "databaseId")]
    id: Lenient<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Licence {
    #[serde(rename = "spdxId")]
    id: Lenient<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Branch {
    target: Lenient<Target>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Target {
    oid: Lenient<String>,
}

impl Part for Failure {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        fields(map)
    }
}

impl Part for Owner {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        fields(map)
    }
}

impl Part for Licence {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        fields(map)
    }
}

impl Part for Branch {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        fields(map)
    }
}

impl Part for Target {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        fields(map)
    }
}

impl Part for Found {
    fn from_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<Self>, A::Error> {
        let mut found = Self::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "databaseId" => found.id = map.next_value()?,
                "nameWithOwner" => found.name = map.next_value()?,
                "stargazerCount" => found.stars = map.next_value()?,
                "forkCount" => found.forks = map.next_value()?,
                "pushedAt" => found.pushed_at = map.next_value()?,
                "isArchived" => found.archived = map.next_value()?,
                "isDisabled" => found.disabled = map.next_value()?,
                "isPrivate" => found.private = map.next_value()?,
                "owner" => found.owner = map.next_value()?,
                "licenseInfo" => found.licence = map.next_value()?,
                "defaultBranchRef" => found.branch = map.next_value()?,
                other => match numbered(other, 'b') {
                    Some(place) => {
                        found.blobs.insert(place, map.next_value()?);
                    }
                    None => {
                        map.next_value::<IgnoredAny>()?;
                    }
                },
            }
        }
        Ok(Some(found))
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DataVisitor)
    }
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = Data;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Data, A::Error> {
        let mut data = Data::default();
        while let Some(key) = map.next_key::<String>()? {
            if let Some(index) = numbered(&key, 'r') {
                data.0.insert(index, map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(data)
    }
}

/// The number of an alias such as `r12`, written in the one way in which a query writes it.
fn numbered(alias: &str, letter: char) -> Option<usize> {
    let digits = alias.strip_prefix(letter)?;
    let is_plain =
        digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    digits.parse().ok().filter(|number| is_plain && *number < MAX_ALIASES)
}

impl Reply {
    /// The answer with the texts of its errors, freed of control characters, as `redact` leaves them.
    pub(super) fn redacted(mut self, redact: impl Fn(&str) -> String) -> Self {
        for failure in self.errors.iter_mut().flat_map(|errors| &mut errors.0) {
            let Lenient::Is(Failure { kind, message, .. }) = failure else { continue };
            for text in [kind, message] {
                if let Lenient::Is(text) = text {
                    text.retain(|character| !character.is_control());
                    *text = redact(text);
                }
            }
        }
        self
    }
}

/// Reads the answer to a request about `asked`. A repository that the host denies is missing; one that it is
/// silent about is unknown, and `problem` says why.
pub(super) fn read(reply: Reply, asked: &[Asked], hosts: &Hosts, quota: Option<Quota>) -> Answers {
    let errors: Vec<Option<&Failure>> =
        reply.errors.iter().flat_map(|errors| &errors.0).map(Lenient::get).collect();
    let mut answers = Answers::default();
    let data = reply.data.unwrap_or_default().0;
    for (index, asked) in asked.iter().enumerate() {
        let alias = format!("r{index}");
        let key = without_case(&asked.repository);
        let Some(found) = data.get(&index).and_then(Lenient::get) else {
            let error = errors.iter().copied().flatten().find(|error| is_about(error, &alias));
            if error.and_then(|error| error.kind.text()) == Some("NOT_FOUND") {
                answers.missing.insert(key);
            } else if answers.problem.is_none() {
                answers.problem = Some(refused(error.or(errors.first().copied().flatten()), hosts, quota));
            }
            continue;
        };
        // A repository without a commit on its default branch has nothing to offer.
        let Some(facts) = facts(found, &asked.repository, hosts) else {
            answers.missing.insert(key);
            continue;
        };
        for (place, folder) in asked.folders.iter().enumerate() {
            match found.blobs.get(&place) {
                Some(Lenient::Null) => {
                    answers.gone.insert((key.clone(), folder.clone()));
                }
                blob => {
                    let blob = blob.and_then(Lenient::get);
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

fn is_about(error: &Failure, alias: &str) -> bool {
    let first = error.path.get().and_then(|path| path.0.first());
    first.and_then(Lenient::text) == Some(alias)
}

fn refused(error: Option<&Failure>, hosts: &Hosts, quota: Option<Quota>) -> SourceProblem {
    let host = hosts.github_api.host().to_owned();
    let code = error.and_then(|error| error.kind.text()).unwrap_or("NO_DATA").to_owned();
    match quota {
        Some(quota) if code == "RATE_LIMITED" => SourceProblem::Http(HttpError::RateLimited {
            host,
            scope: RateScope::Primary,
            authenticated: true,
            retry_at_ms: quota.reset_ms,
        }),
        _ => {
            let message = error.and_then(|error| error.message.text()).unwrap_or("the answer holds no data");
            SourceProblem::Refused { host, code, message: one_line(message, MAX_MESSAGE) }
        }
    }
}

fn facts(found: &Found, asked: &RepoSlug, hosts: &Hosts) -> Option<RepositoryFacts> {
    let is = |flag: &Lenient<bool>| flag.value().unwrap_or(false);
    let repository = RepoSlug::parse(found.name.text()?).ok()?;
    let is_renamed = without_case(&repository) != without_case(asked);
    let owner = found.owner.get();
    let head = found.branch.get()?.target.get()?.oid.text()?;
    Some(RepositoryFacts {
        host: hosts.github_host.clone(),
        renamed_from: is_renamed.then(|| asked.clone()),
        id: found.id.value()?,
        owner_id: owner.and_then(|owner| owner.id.value()),
        organisation_owned: owner.and_then(|owner| owner.kind.text()) == Some("Organization"),
        stars: found.stars.value().unwrap_or(0),
        forks: found.forks.value().unwrap_or(0),
        pushed_at: found.pushed_at.text().and_then(UnixMillis::parse),
        licence: found.licence.get().and_then(|licence| licence.id.text()).map(str::to_owned),
        archived: is(&found.archived),
        disabled: is(&found.disabled),
        private: is(&found.private),
        head: CommitSha::parse(head).ok()?,
        repository,
    })
}
