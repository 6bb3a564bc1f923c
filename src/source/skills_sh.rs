//! The directory at skills.sh.
//!
//! Its search tells names, installations and repositories, and neither a description nor a path. Every field
//! may be missing: an item without a usable id or source is counted and left out, and the order of the
//! server, which is that of relevance, is kept.

use serde::{Deserialize, de::MapAccess};

use super::{
    lenient::{Lenient, List, Object, Part, fields},
    remote::{Observation, SourceProblem},
};
use crate::{
    candidate::{
        query::Query,
        remote::{Sighting, SourceKind},
    },
    http::{Accept, BaseUrl, Bucket, Client, Deadline, Freshness, Method, Request},
    skill::{id::RepoSlug, name::Slug},
};

/// The largest answer that is read.
const BODY_LIMIT: u64 = 2 * 1024 * 1024;

/// The most items that are read, whatever the limit.
const MOST_ITEMS: usize = 1000;

/// The longest title and address, in characters.
const TEXT_LIMIT: usize = 4096;

#[derive(Deserialize)]
struct Reply {
    skills: List<Item, MOST_ITEMS>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Item {
    id: Lenient<String>,
    skill_id: Lenient<String>,
    name: Lenient<String>,
    source: Lenient<String>,
    installs: Lenient<u64>,
}

impl Part for Item {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        fields(map)
    }
}

/// The one request of a search.
pub(super) fn request(base: &BaseUrl, query: &Query, limit: usize) -> Request {
    let parameters = [("q", query.as_str()), ("limit", &limit.to_string())];
    Request {
        method: Method::Get,
        url: base.join_with(&["api", "search"], &parameters),
        accept: Accept::Json,
        bucket: Bucket::Other,
        freshness: Freshness::NoStore,
        body_limit: BODY_LIMIT,
        with_token: false,
    }
}

/// Searches.
pub(super) async fn search(
    client: &Client,
    base: &BaseUrl,
    query: &Query,
    limit: usize,
    deadline: Deadline,
) -> Observation {
    match client.json::<Object<Reply>>(&request(base, query, limit), deadline).await {
        Ok(reply) => read(&reply.body.0, limit),
        Err(error) => Observation::failed(SourceKind::SkillsSh, SourceProblem::Http(error)),
    }
}

fn read(reply: &Reply, limit: usize) -> Observation {
    let mut sightings = Vec::new();
    let mut unusable = 0;
    for item in reply.skills.0.iter().take(limit) {
        match item.get().and_then(|item| sighting(item, sightings.len())) {
            Some(sighting) => sightings.push(sighting),
            None => unusable += 1,
        }
    }
    Observation { source: SourceKind::SkillsSh, sightings, unusable, problem: None }
}

/// The text, when there is one of a reasonable length.
fn text(part: &Lenient<String>) -> Option<&str> {
    let text = part.text()?.trim();
    (!text.is_empty() && text.chars().nth(TEXT_LIMIT).is_none()).then_some(text)
}

fn sighting(item: &Item, position: usize) -> Option<Sighting> {
    // The id is the page's path: `owner/repo/skill`.
    let (listed_source, listed_id) = text(&item.id).and_then(|id| id.rsplit_once('/')).unzip();
    let skill_id = text(&item.skill_id).or(listed_id).filter(|id| !id.is_empty());
    let title = text(&item.name).or(skill_id)?;
    let slug =
        skill_id.and_then(Slug::parse).unwrap_or_else(|| Slug::derive(title, skill_id.unwrap_or_default()));
    let address = text(&item.source).or(listed_source).filter(|address| !address.is_empty())?;
    if address.chars().any(char::is_control) {
        return None;
    }
    Some(Sighting {
        source: SourceKind::SkillsSh,
        position,
        address: address.to_owned(),
        repository: RepoSlug::parse(address).ok(),
        path: None,
        skill_id: slug.as_str().to_owned(),
        title: title.to_owned(),
        installs: item.installs.value(),
        preview: None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_request_by_example() {
        let base = BaseUrl::parse("https://skills.sh/").unwrap();
        let query = Query::from_search("pdf & 表格 c++").unwrap();
        let request = request(&base, &query, 5);
        let expected = "https://skills.sh/api/search?q=pdf%20%26%20%E8%A1%A8%E6%A0%BC%20c%2B%2B&limit=5";
        assert_eq!(request.url, expected);
        assert!(!request.with_token);
    }

    fn read_item(item: &Value) -> Option<Sighting> {
        let item: Lenient<Item> = serde_json::from_value(item.clone()).unwrap();
        item.get().and_then(|item| sighting(item, 0))
    }

    /// What is read of one item: address, whether it is a repository, slug, title, installations.
    fn shown(item: &Value) -> Option<String> {
        let Sighting { address, repository, skill_id, title, installs, .. } = read_item(item)?;
        let kind = if repository.is_some() { "repository" } else { "elsewhere" };
        Some(format!("{address} {kind} {skill_id} {title} {installs:?}"))
    }

    #[test]
    fn items_by_example() {
        for (item, expected) in [
            (
                json!({"id": "o/r/pdf", "skillId": "pdf", "name": "PDF", "installs": 7, "source": "o/r"}),
                Some("o/r repository pdf PDF Some(7)"),
            ),
            (json!({"skillId": "pdf", "source": "o/r"}), Some("o/r repository pdf pdf None")),
            (json!({"id": "o/r/pdf"}), Some("o/r repository pdf pdf None")),
            (json!({"id": "o/r/pdf", "source": ""}), Some("o/r repository pdf pdf None")),
            (
                json!({"name": "PDF Reader", "source": "o/r"}),
                Some("o/r repository pdf-reader PDF Reader None"),
            ),
            (
                json!({"skillId": "My_Skill", "name": "文档", "source": "o/r"}),
                Some("o/r repository my-skill 文档 None"),
            ),
            (
                json!({"skillId": "pdf", "source": "docs.example.com", "installs": 2}),
                Some("docs.example.com elsewhere pdf pdf Some(2)"),
            ),
            (json!({"skillId": "pdf", "source": "o/r", "installs": -1}), Some("o/r repository pdf pdf None")),
            (
                json!({"skillId": "pdf", "source": "o/r", "installs": "9"}),
                Some("o/r repository pdf pdf None"),
            ),
            (json!({"skillId": "pdf"}), None),
            (json!({"source": "o/r"}), None),
            (json!({"skillId": "", "name": " ", "source": "o/r"}), None),
            (json!({"skillId": 5, "source": "o/r"}), None),
            (json!({"skillId": "pdf", "source": "a\nb"}), None),
            (json!({"skillId": "pdf", "source": "x".repeat(5000)}), None),
            (json!("pdf"), None),
            (json!(null), None),
        ] {
            assert_eq!(shown(&item).as_deref(), expected, "{item}");
        }
    }

    #[test]
    fn the_order_of_the_server_is_kept_and_odd_items_are_counted() {
        let few = json!({"skillId": "few", "source": "o/r", "installs": 1});
        let many = json!({"skillId": "many", "source": "o/r", "installs": 9000});
        let reply = json!({"query": 1, "skills": [few, {"odd": true}, many, few]});
        let observation = read(&serde_json::from_value(reply).unwrap(), 3);
        let slugs =
            observation.sightings.iter().map(|sighting| (sighting.position, sighting.skill_id.as_str()));
        assert_eq!(slugs.collect::<Vec<_>>(), [(0, "few"), (1, "many")]);
        assert_eq!((observation.unusable, observation.problem.is_none()), (1, true));
        for shapeless in [json!({}), json!({"skills": {}}), json!({"skills": null}), json!([])] {
            assert!(serde_json::from_value::<Reply>(shapeless).is_err());
        }
    }
}
