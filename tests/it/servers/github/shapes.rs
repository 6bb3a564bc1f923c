//! The JSON that GitHub writes about repositories, owners, commits and references.

use serde_json::{Value, json};

use super::State;
use crate::servers::repository::{Facts, Reference, Repository};

/// How much of a repository is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// What code search tells: no stars, licence, state or branch.
    Minimal,
    Full,
}

impl State {
    pub(super) fn repository_json(&self, repository: &Repository, detail: Detail) -> Value {
        let facts = repository.facts();
        let full_name = self.present_name(repository);
        let (owner, name) = full_name.split_once('/').expect("checked when it was made");
        let api = format!("{}/repos/{full_name}", self.url);
        let page = format!("https://github.com/{full_name}");
        let mut body = json!({
            "id": facts.id,
            "node_id": format!("R_{}", facts.id),
            "name": name,
            "full_name": full_name,
            "private": facts.private,
            "owner": self.owner_json(owner, &facts),
            "html_url": page,
            "description": "Skills for a trade.",
            "fork": facts.fork,
            "url": api,
            "branches_url": format!("{api}/branches{{/branch}}"),
            "git_tags_url": format!("{api}/git/tags{{/sha}}"),
            "trees_url": format!("{api}/git/trees{{/sha}}"),
            "commits_url": format!("{api}/commits{{/sha}}"),
            "contents_url": format!("{api}/contents/{{+path}}"),
            "compare_url": format!("{api}/compare/{{base}}...{{head}}"),
        });
        if detail == Detail::Minimal {
            return body;
        }
        let licence = facts.licence.as_ref().map(|id| {
            let key = if id == "NOASSERTION" { "other".to_owned() } else { id.to_lowercase() };
            json!({ "key": key, "name": id, "spdx_id": id, "url": null, "node_id": "L_1" })
        });
        let more = json!({
            "created_at": "2026-01-15T08:00:00Z",
            "updated_at": facts.pushed_at,
            "pushed_at": facts.pushed_at,
            "clone_url": format!("{page}.git"),
            "homepage": null,
            "size": 41,
            "stargazers_count": facts.stars,
            "watchers_count": facts.stars,
            "language": "Shell",
            "forks_count": facts.forks,
            "archived": facts.archived,
            "disabled": facts.disabled,
            "open_issues_count": 3,
            "license": licence,
            "is_template": false,
            "topics": ["agent-skills"],
            "visibility": if facts.private { "private" } else { "public" },
            "forks": facts.forks,
            "watchers": facts.stars,
            "default_branch": facts.default_branch,
            "permissions": { "admin": false, "maintain": false, "push": false, "triage": false, "pull": true },
            "network_count": facts.forks,
            "subscribers_count": 4,
        });
        let fields = more.as_object().expect("it is written as one").clone();
        body.as_object_mut().expect("it is written as one").extend(fields);
        body
    }

    fn owner_json(&self, login: &str, facts: &Facts) -> Value {
        let id = facts.owner_id;
        json!({
            "login": login,
            "id": id,
            "node_id": format!("O_{id}"),
            "avatar_url": format!("https://avatars.githubusercontent.com/u/{id}?v=4"),
            "gravatar_id": "",
            "url": format!("{}/users/{login}", self.url),
            "html_url": format!("https://github.com/{login}"),
            "type": facts.owner_type,
            "user_view_type": "public",
            "site_admin": false,
        })
    }

    pub(super) fn commit_json(&self, repository: &Repository, sha: &str) -> Value {
        let object = repository.object(sha).unwrap_or_else(|| panic!("`{sha}` was resolved just now"));
        let text = String::from_utf8_lossy(&object.bytes).into_owned();
        let (head, message) = text.split_once("\n\n").expect("a commit has a message");
        let lines = |word: &str| -> Vec<String> {
            let words = head.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
            words.map(str::to_owned).collect()
        };
        let api = self.api(repository);
        let page = format!("https://github.com/{}", self.present_name(repository));
        let parents: Vec<Value> = lines("parent")
            .iter()
            .map(|parent| {
                json!({
                    "sha": parent,
                    "url": format!("{api}/commits/{parent}"),
                    "html_url": format!("{page}/commit/{parent}"),
                })
            })
            .collect();
        let tree = &lines("tree")[0];
        json!({
            "sha": sha,
            "node_id": format!("C_{}", &sha[..12]),
            "commit": {
                "author": person(&lines("author")[0]),
                "committer": person(&lines("committer")[0]),
                "message": message.trim_end(),
                "tree": { "sha": tree, "url": format!("{api}/git/trees/{tree}") },
                "url": format!("{api}/git/commits/{sha}"),
                "comment_count": 0,
                "verification": {
                    "verified": false, "reason": "unsigned", "signature": null, "payload": null, "verified_at": null,
                },
            },
            "url": format!("{api}/commits/{sha}"),
            "html_url": format!("{page}/commit/{sha}"),
            "comments_url": format!("{api}/commits/{sha}/comments"),
            "author": null,
            "committer": null,
            "parents": parents,
            "stats": { "total": 1, "additions": 1, "deletions": 0 },
            "files": [],
        })
    }

    pub(super) fn reference_json(&self, repository: &Repository, reference: &Reference) -> Value {
        let api = self.api(repository);
        let folder = if reference.kind == "tag" { "tags" } else { "commits" };
        json!({
            "ref": reference.name,
            "node_id": format!("REF_{}", reference.name.replace('/', "_")),
            "url": format!("{api}/git/{}", reference.name),
            "object": {
                "sha": reference.sha,
                "type": reference.kind,
                "url": format!("{api}/git/{folder}/{}", reference.sha),
            },
        })
    }

    /// `URL/repos/owner/name`.
    pub(super) fn api(&self, repository: &Repository) -> String {
        format!("{}/repos/{}", self.url, self.present_name(repository))
    }
}

/// Name, address and date out of `Name <address> SECONDS +0000`.
fn person(line: &str) -> Value {
    let (name, rest) = line.split_once(" <").expect("a person has an address");
    let (email, time) = rest.split_once("> ").expect("a person has an address");
    let seconds =
        time.split(' ').next().and_then(|seconds| seconds.parse().ok()).expect("a commit has a time");
    let date = jiff::Timestamp::from_second(seconds).expect("the time is near the present").to_string();
    json!({ "name": name, "email": email, "date": date })
}
