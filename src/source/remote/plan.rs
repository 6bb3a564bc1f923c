//! What a search would send, before it is sent.
//!
//! The first requests are the very values that the search uses; what follows depends on their answers and
//! is told in words.

use super::{Hosts, MAX_REPOSITORIES, pool};
use crate::{
    candidate::{query::Query, remote::SourceKind},
    http::Request,
    source::{
        github::{graphql, search},
        skills_sh,
    },
};

/// What a search would send.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is sent first, all at once.
    pub first: Vec<PlannedRequest>,
    /// What is sent once the first answers are here.
    pub then: FollowUp,
}

/// A request of the first round.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRequest {
    /// The source that is asked.
    pub source: SourceKind,
    /// What is sent.
    pub request: Request,
    /// What it is for.
    pub why: &'static str,
}

/// Requests of the second round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowUp {
    /// Where they go, with `OWNER` and `REPO` for what is not known yet.
    pub addresses: Vec<String>,
    /// How many at the most.
    pub at_most: usize,
    /// What they are for and what they hold.
    pub why: &'static str,
}

/// Plans a search for `query` of these sources.
pub fn plan(query: &Query, hosts: &Hosts, providers: &[SourceKind], limit: usize, has_token: bool) -> Plan {
    let pool = pool(limit, has_token);
    let mut first = Vec::new();
    if providers.contains(&SourceKind::SkillsSh) {
        let request = skills_sh::request(&hosts.skills, query, pool);
        let why = "listings of skills.sh, with their installations";
        first.push(PlannedRequest { source: SourceKind::SkillsSh, request, why });
    }
    if has_token && providers.contains(&SourceKind::Github) {
        let requests = search::requests(&hosts.github_api, query, pool);
        first.extend(requests.into_iter().map(|request| PlannedRequest {
            source: SourceKind::Github,
            request,
            why: "`SKILL.md` files that GitHub's code search finds",
        }));
    }
    let api = |segments: &[&str]| hosts.github_api.join(segments);
    let then = if has_token {
        FollowUp {
            addresses: vec![graphql::address(&hosts.github_api)],
            at_most: 1,
            why: "stars, licence, owner and newest commit of every repository found, and the `SKILL.md` of \
                  each skill found; only names of repositories and paths are sent",
        }
    } else {
        FollowUp {
            addresses: vec![
                api(&["repos", "OWNER", "REPO"]),
                api(&["repos", "OWNER", "REPO", "commits", "HEAD"]),
            ],
            at_most: 2 * pool.min(MAX_REPOSITORIES),
            why: "stars, licence, owner and newest commit of every repository found; answers are kept for an \
                  hour",
        }
    };
    Plan { first, then }
}
