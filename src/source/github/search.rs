//! GitHub's code search for `SKILL.md` files. It answers only to a token.
//!
//! At most two queries a search: one for the words, and when they could be a name, one for a folder of that
//! name. Only words of letters and digits are sent, so that no word is taken for an operator.

use std::collections::BTreeSet;

use serde::{Deserialize, de::MapAccess};

use crate::{
    candidate::{
        query::Query,
        remote::{Sighting, SourceKind, without_case},
    },
    http::{Accept, BaseUrl, Bucket, Client, Deadline, Freshness, HttpError, Method, Request, parallel},
    skill::{id::RepoSlug, name::Slug},
    source::{
        lenient::{Lenient, List, Object, Part, fields},
        remote::{Observation, SourceProblem},
    },
};

const BODY_LIMIT: u64 = 4 * 1024 * 1024;
const MAX_WORDS: usize = 6;
/// Names of skills have hardly ever more words.
const MAX_NAME_WORDS: usize = 4;
const MAX_PATH_CHARS: usize = 512;
/// The most items of one answer that are read: the largest page that there is.
const MOST_ITEMS: usize = 100;

#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    incomplete_results: bool,
    items: List<Item, MOST_ITEMS>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Item {
    path: Lenient<String>,
    repository: Lenient<Repository>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Repository {
    full_name: Lenient<String>,
    private: Lenient<bool>,
}

impl Part for Item {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        fields(map)
    }
}

impl Part for Repository {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        fields(map)
    }
}

/// The requests of a search, none when the query has no word.
pub(in crate::source) fn requests(base: &BaseUrl, query: &Query, limit: usize) -> Vec<Request> {
    // Lower case, because `AND`, `OR` and `NOT` are operators.
    let words: Vec<String> = query
        .as_str()
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| word.chars().nth(1).is_some())
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() {
        return Vec::new();
    }
    let by_words = words[..words.len().min(MAX_WORDS)].join(" ");
    let mut queries = vec![format!("filename:SKILL.md {by_words}")];
    if words.len() <= MAX_NAME_WORDS {
        queries.push(format!("filename:SKILL.md path:{}", words.join("-")));
    }
    let per_page = limit.to_string();
    let request = |query: &String| Request {
        method: Method::Get,
        url: base.join_with(&["search", "code"], &[("q", query), ("per_page", &per_page)]),
        accept: Accept::GithubJson,
        bucket: Bucket::CodeSearch,
        freshness: Freshness::NoStore,
        body_limit: BODY_LIMIT,
        with_token: true,
    };
    queries.iter().map(request).collect()
}

/// Searches.
pub(in crate::source) async fn search(
    client: &Client,
    base: &BaseUrl,
    query: &Query,
    limit: usize,
    deadline: Deadline,
) -> Observation {
    let requests = requests(base, query, limit);
    let ask = |request: Request| {
        let client = client.clone();
        async move { client.json::<Object<Found>>(&request, deadline).await.map(|reply| reply.body.0) }
    };
    let replies = parallel::all(requests.len(), requests.into_iter().map(ask)).await;
    let mut observation = read(replies, limit);
    let found = observation.sightings.len();
    let is_clean = |sighting: &Sighting| {
        let path = sighting.path.as_deref().unwrap_or_default();
        !client.gives_away(&sighting.address) && !client.gives_away(path)
    };
    observation.sightings.retain(is_clean);
    observation.unusable += found - observation.sightings.len();
    observation
}

/// Joins the answers: of each in turn its next item that is new.
fn read(replies: Vec<Result<Found, HttpError>>, limit: usize) -> Observation {
    let mut problem = None;
    let mut unusable = 0;
    let mut lists = Vec::new();
    for reply in replies {
        match reply {
            Ok(reply) => {
                if reply.incomplete_results {
                    problem = problem.or(Some(SourceProblem::Incomplete));
                }
                let found: Vec<Option<Sighting>> =
                    reply.items.0.iter().map(|item| item.get().and_then(sighting)).collect();
                unusable += found.iter().filter(|sighting| sighting.is_none()).count();
                lists.push(found.into_iter().flatten().collect::<Vec<_>>().into_iter());
            }
            Err(error) => problem = Some(SourceProblem::Http(error)),
        }
    }
    let mut known = BTreeSet::new();
    let mut sightings: Vec<Sighting> = Vec::new();
    while sightings.len() < limit {
        let next: Vec<Sighting> = lists.iter_mut().filter_map(Iterator::next).collect();
        if next.is_empty() {
            break;
        }
        for sighting in next {
            let place = (sighting.repository.as_ref().map(without_case), sighting.path.clone());
            if known.insert(place) {
                sightings.push(Sighting { position: sightings.len(), ..sighting });
            }
        }
    }
    sightings.truncate(limit);
    Observation { source: SourceKind::Github, sightings, unusable, problem }
}

fn sighting(item: &Item) -> Option<Sighting> {
    let repository = item.repository.get()?;
    if repository.private.value()? {
        return None;
    }
    let repository = RepoSlug::parse(repository.full_name.text()?).ok()?;
    let folder = folder(item.path.text()?)?;
    let title = folder.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(repository.name());
    Some(Sighting {
        source: SourceKind::Github,
        position: 0,
        address: repository.to_string(),
        path: Some(folder.to_owned()),
        skill_id: Slug::derive(title, repository.name()).as_str().to_owned(),
        title: title.to_owned(),
        installs: None,
        preview: None,
        repository: Some(repository),
    })
}

/// The folder of a `SKILL.md`, empty for the root; `None` for any other or an odd path.
fn folder(path: &str) -> Option<&str> {
    let is_plain = path.chars().nth(MAX_PATH_CHARS).is_none()
        && !path.chars().any(|character| character == '\\' || character.is_control())
        && path.split('/').all(|segment| !matches!(segment, "" | "." | ".."));
    let folder = if path == "SKILL.md" { Some("") } else { path.strip_suffix("/SKILL.md") };
    folder.filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn urls(query: &str) -> Vec<String> {
        let base = BaseUrl::parse("https://api.github.com").unwrap();
        let requests = requests(&base, &Query::from_search(query).unwrap(), 10);
        let prefix = "https://api.github.com/search/code?q=filename%3ASKILL.md%20";
        let short = |request: Request| {
            let rest = request.url.strip_prefix(prefix).unwrap().strip_suffix("&per_page=10").unwrap();
            rest.to_owned()
        };
        requests.into_iter().map(short).collect()
    }

    #[test]
    fn only_words_are_sent() {
        assert_eq!(urls("pdf"), ["pdf", "path%3Apdf"]);
        assert_eq!(urls("Read  PDF-files"), ["read%20pdf%20files", "path%3Aread-pdf-files"]);
        assert_eq!(
            urls("user:x NOT \"a b\" org:evil"),
            ["user%20not%20org%20evil", "path%3Auser-not-org-evil"]
        );
        assert_eq!(urls("one two three four five six seven"), ["one%20two%20three%20four%20five%20six"]);
        assert!(urls("a + b").is_empty());
    }

    fn item(repository: &str, path: &str) -> Value {
        json!({"path": path, "repository": {"full_name": repository, "private": false}})
    }

    fn found(items: &[Value]) -> Found {
        serde_json::from_value(json!({"items": items})).unwrap()
    }

    fn places(observation: &Observation) -> Vec<String> {
        let place = |sighting: &Sighting| {
            let path = sighting.path.as_deref().unwrap();
            format!("{} {} {path} {}", sighting.position, sighting.address, sighting.skill_id)
        };
        observation.sightings.iter().map(place).collect()
    }

    #[test]
    fn odd_items_are_left_out_and_counted() {
        let mut private = item("o/r", "x/SKILL.md");
        private["repository"]["private"] = json!(true);
        let mut unknown = item("o/r", "x/SKILL.md");
        unknown["repository"]["private"].take();
        let deep = format!("{}/SKILL.md", "x".repeat(512));
        let odd = [
            private,
            unknown,
            item("o/r/x", "x/SKILL.md"),
            item("o/r", "x/skill.md"),
            item("o/r", "x/NOTSKILL.md"),
            item("o/r", "/x/SKILL.md"),
            item("o/r", "../x/SKILL.md"),
            item("o/r", "x//SKILL.md"),
            item("o/r", "./SKILL.md"),
            item("o/r", "x\\y/SKILL.md"),
            item("o/r", "x\ny/SKILL.md"),
            item("o/r", &deep),
            json!({}),
            json!("SKILL.md"),
        ];
        let fine = [item("o/My.Repo", "SKILL.md"), item("o/r", "skills/PDF Reader/SKILL.md")];
        let observation = read(vec![Ok(found(&[&odd[..], &fine[..]].concat()))], 10);
        assert_eq!(places(&observation), ["0 o/My.Repo  my-repo", "1 o/r skills/PDF Reader pdf-reader"]);
        assert_eq!((observation.unusable, observation.problem.is_none()), (odd.len(), true));
    }

    #[test]
    fn two_answers_take_turns() {
        let words = [item("a/a", "x/SKILL.md"), item("b/b", "x/SKILL.md"), item("c/c", "x/SKILL.md")];
        let names = [item("B/b", "x/SKILL.md"), item("d/d", "x/SKILL.md")];
        let observation = read(vec![Ok(found(&words)), Ok(found(&names))], 10);
        assert_eq!(places(&observation), ["0 a/a x x", "1 B/b x x", "2 d/d x x", "3 c/c x x"]);
        let few = read(vec![Ok(found(&words)), Ok(found(&names))], 3);
        assert_eq!(few.sightings.len(), 3);
    }

    #[test]
    fn what_one_query_found_survives_the_other() {
        let limited = HttpError::Server { host: "x".to_owned(), status: 500 };
        let observation = read(vec![Err(limited), Ok(found(&[item("o/r", "x/SKILL.md")]))], 10);
        assert_eq!(observation.sightings.len(), 1);
        assert!(matches!(observation.problem, Some(SourceProblem::Http(_))));
        let mut slow = found(&[item("o/r", "x/SKILL.md")]);
        slow.incomplete_results = true;
        let observation = read(vec![Ok(slow)], 10);
        assert!(matches!(observation.problem, Some(SourceProblem::Incomplete)));
    }
}
