//! The public search of skills.sh, over listings that a test gives.
//!
//! A listing is found when any word of the query stands in its id or name; the order is the one given. A test
//! can let the service fail in the ways it does.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    traffic::Seen,
    wire::{Answer, Reply, Request, Server},
};

/// One skill that the service lists.
#[derive(Debug, Clone)]
pub(crate) struct Listing {
    pub(crate) skill_id: String,
    pub(crate) name: String,
    pub(crate) installs: u64,
    /// `owner/repo`, a host name, or nothing.
    pub(crate) source: String,
}

impl Listing {
    /// A skill whose name is its id.
    pub(crate) fn new(source: &str, skill_id: &str, installs: u64) -> Self {
        Self { skill_id: skill_id.to_owned(), name: skill_id.to_owned(), installs, source: source.to_owned() }
    }
}

/// How the service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    Well,
    /// 500 with a JSON body.
    ServerError,
    /// 200 with a page for people.
    Html,
    /// Finds nothing.
    Empty,
    /// Every item lacks one of its fields, the first its `skillId`, the second its `name`, and so on.
    MissingFields,
    /// 200 with an object that has no `skills`.
    WithoutSkills,
}

impl Mood {
    pub(crate) const ALL: &[Self] =
        &[Self::Well, Self::ServerError, Self::Html, Self::Empty, Self::MissingFields, Self::WithoutSkills];
}

/// A running service.
pub(crate) struct SkillsShServer {
    server: Server,
    mood: Arc<Mutex<Mood>>,
}

impl SkillsShServer {
    pub(crate) fn start(listings: Vec<Listing>, delay: Duration) -> Self {
        let mood = Arc::new(Mutex::new(Mood::Well));
        let present = Arc::clone(&mood);
        let server = Server::start(delay, |_| {
            move |request: &Request| Reply::Answer(answer(request, &listings, *present.lock().unwrap()))
        });
        Self { server, mood }
    }

    /// The value of `SKILLS_API_URL`.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    pub(crate) fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.server.traffic().requests()
    }
}

fn answer(request: &Request, listings: &[Listing], mood: Mood) -> Answer {
    if request.path() != "/api/search" {
        return Answer::json(404, &json!({ "error": "not_found" }));
    }
    let query = request.parameter("q").unwrap_or_default();
    let owner = request.parameter("owner").map(|owner| owner.to_lowercase());
    let limit = request.parameter("limit").and_then(|limit| limit.parse().ok()).unwrap_or(10);
    match mood {
        Mood::ServerError => return Answer::json(500, &json!({ "error": "internal_error" })),
        Mood::Html => {
            return Answer::new(200, "text/html; charset=utf-8", "<!doctype html><p>Back soon.</p>");
        }
        Mood::WithoutSkills => return Answer::json(200, &json!({ "query": query, "count": 0 })),
        Mood::Well | Mood::Empty | Mood::MissingFields => {}
    }
    let lower = query.to_lowercase();
    let words: Vec<&str> = lower.split(|character: char| !character.is_alphanumeric()).collect();
    let fits = |listing: &&Listing| {
        let known = format!("{} {}", listing.skill_id, listing.name).to_lowercase();
        let is_owner = |owner: &String| listing.source.to_lowercase().starts_with(&format!("{owner}/"));
        mood != Mood::Empty
            && words.iter().any(|word| !word.is_empty() && known.contains(word))
            && owner.as_ref().is_none_or(is_owner)
    };
    let mut skills: Vec<Value> = listings.iter().filter(fits).take(limit).map(item).collect();
    if mood == Mood::MissingFields {
        for (skill, field) in
            skills.iter_mut().zip(["skillId", "name", "installs", "source", "id"].iter().cycle())
        {
            skill.as_object_mut().expect("it is written as one").remove(*field);
        }
    }
    let count = skills.len();
    let search_type = if words.len() > 1 { "semantic" } else { "fuzzy" };
    Answer::json(
        200,
        &json!({
            "query": query, "searchType": search_type, "skills": skills, "count": count, "duration_ms": 12,
        }),
    )
}

fn item(listing: &Listing) -> Value {
    json!({
        "id": format!("{}/{}", listing.source, listing.skill_id),
        "skillId": listing.skill_id,
        "name": listing.name,
        "installs": listing.installs,
        "source": listing.source,
    })
}
