//! Which path asks for what.

use serde_json::{Value, json};

use super::{Answer, Caller, Refusal, State, canned::blocked, now_seconds, shapes::Detail};
use crate::servers::{
    repository::{Reference, Repository},
    wire::Request,
};

/// 404, also for what the caller may not see.
pub(super) fn not_found(page: &str) -> Answer {
    let page = format!("https://docs.github.com/rest/{page}");
    Answer::json(404, &json!({ "message": "Not Found", "documentation_url": page, "status": "404" }))
}

impl State {
    pub(super) fn route(&self, request: &Request, caller: Caller) -> Answer {
        let segments = request.segments();
        let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
        match (request.method.as_str(), parts.as_slice()) {
            ("POST", ["graphql"]) => self.graphql(request, caller),
            ("GET", ["search", "code"]) => self.search_code(request, caller),
            ("GET", ["repositories", id, rest @ ..]) => {
                let found = self.repositories.iter().find(|known| known.facts().id.to_string() == **id);
                self.open(found, caller, |repository| self.within(repository, rest, request))
            }
            ("GET", ["repos", owner, name, rest @ ..]) => {
                let asked = format!("{owner}/{name}");
                if let Some(id) = self.moved_to(&asked) {
                    // What follows `/repos/owner/name` goes along as it was sent.
                    let marks = request.target.match_indices(['/', '?']);
                    let tail = marks.skip(3).map(|(at, _)| &request.target[at..]).next().unwrap_or_default();
                    return moved(&format!("{}/repositories/{id}{tail}", self.url));
                }
                let found = self.by_name(&asked);
                self.open(found, caller, |repository| self.within(repository, rest, request))
            }
            _ => not_found(""),
        }
    }

    /// Answers about a repository, unless there is none that the caller may see or it is blocked.
    fn open(
        &self,
        found: Option<&Repository>,
        caller: Caller,
        answer: impl FnOnce(&Repository) -> Answer,
    ) -> Answer {
        let visible = |repository: &&Repository| caller == Caller::Token || !repository.facts().private;
        let Some(repository) = found.filter(visible) else {
            return not_found("repos/repos#get-a-repository");
        };
        match self.blocked_for(repository) {
            Some(reason) => Answer::json(451, &blocked(reason)),
            None => answer(repository),
        }
    }

    fn within(&self, repository: &Repository, parts: &[&str], request: &Request) -> Answer {
        match parts {
            [] => Answer::json(200, &self.repository_json(repository, Detail::Full)),
            _ if self.is_empty(repository) => Refusal::EmptyRepository.canned(now_seconds()).answer(),
            ["commits", reference @ .., "branches-where-head"] if !reference.is_empty() => {
                self.branches_where_head(repository, &reference.join("/"))
            }
            ["commits", reference @ ..] if !reference.is_empty() => {
                self.commit(repository, &reference.join("/"), request)
            }
            ["git", "trees", tree @ ..] if !tree.is_empty() => {
                self.tree(repository, &tree.join("/"), request)
            }
            ["git", "blobs", sha] => self.blob(repository, sha, request),
            ["git", "tags", sha] => self.tag(repository, sha),
            ["git", "ref", name @ ..] => {
                let name = format!("refs/{}", name.join("/"));
                match repository.reference(&name) {
                    Some(found) => Answer::json(200, &self.reference_json(repository, &found)),
                    None => not_found("git/refs#get-a-reference"),
                }
            }
            ["git", "matching-refs", prefix @ ..] => {
                let prefix = format!("refs/{}", prefix.join("/"));
                let fits = |reference: &Reference| reference.name.starts_with(&prefix);
                let found = repository.references().into_iter().filter(fits);
                let found: Vec<Value> = found.map(|found| self.reference_json(repository, &found)).collect();
                Answer::json(200, &json!(found))
            }
            ["compare", range @ ..] => self.compare(repository, &range.join("/")),
            _ => not_found(""),
        }
    }

    fn commit(&self, repository: &Repository, reference: &str, request: &Request) -> Answer {
        let Some(sha) = self.commit_of(repository, reference) else {
            let message = format!("No commit found for SHA: {reference}");
            let page = "https://docs.github.com/rest/commits/commits#get-a-commit";
            return Answer::json(
                422,
                &json!({ "message": message, "documentation_url": page, "status": "422" }),
            );
        };
        if request.header("accept").contains("application/vnd.github.sha") {
            return Answer::new(200, "application/vnd.github.sha; charset=utf-8", sha);
        }
        Answer::json(200, &self.commit_json(repository, &sha))
    }

    fn branches_where_head(&self, repository: &Repository, sha: &str) -> Answer {
        let references = repository.references().into_iter();
        let heads = references.filter(|known| known.commit == sha).filter_map(|known| {
            let name = known.name.strip_prefix("refs/heads/")?.to_owned();
            let url = format!("{}/commits/{sha}", self.api(repository));
            Some(json!({ "name": name, "commit": { "sha": sha, "url": url }, "protected": false }))
        });
        Answer::json(200, &json!(heads.collect::<Vec<_>>()))
    }

    /// Counts by git which commits one side has and the other has not.
    fn compare(&self, repository: &Repository, range: &str) -> Answer {
        let sides = range.split_once("...").and_then(|(base, head)| {
            Some((self.commit_of(repository, base)?, self.commit_of(repository, head)?))
        });
        let Some((base, head)) = sides else { return not_found("commits/commits#compare-two-commits") };
        let Some(fork) = repository.git_line(&["merge-base", &base, &head]) else {
            let message = format!("No common ancestor between {}.", range.replace("...", " and "));
            return Answer::json(404, &json!({ "message": message, "status": "404" }));
        };
        let count = |from: &str, to: &str| -> u64 {
            let counted = repository.git_line(&["rev-list", "--count", &format!("{from}..{to}")]);
            counted.and_then(|count| count.parse().ok()).expect("git counts commits that it has")
        };
        let (ahead, behind) = (count(&base, &head), count(&head, &base));
        let status = match (ahead, behind) {
            (0, 0) => "identical",
            (_, 0) => "ahead",
            (0, _) => "behind",
            _ => "diverged",
        };
        let api = self.api(repository);
        Answer::json(
            200,
            &json!({
                "url": format!("{api}/compare/{range}"),
                "base_commit": self.commit_json(repository, &base),
                "merge_base_commit": self.commit_json(repository, &fork),
                "status": status,
                "ahead_by": ahead,
                "behind_by": behind,
                "total_commits": ahead,
                "commits": [],
                "files": [],
            }),
        )
    }

    /// The commit of a reference; nothing in an empty repository.
    pub(super) fn commit_of(&self, repository: &Repository, reference: &str) -> Option<String> {
        if self.is_empty(repository) { None } else { repository.resolve(reference) }
    }

    pub(super) fn is_empty(&self, repository: &Repository) -> bool {
        self.emptied.contains(&self.present_name(repository).to_lowercase())
            || self.emptied.contains(&repository.name().to_lowercase())
            || repository.references().is_empty()
    }

    pub(super) fn blocked_for(&self, repository: &Repository) -> Option<&str> {
        let names = [self.present_name(repository), repository.name().to_owned()];
        names.iter().find_map(|name| self.blocked.get(&name.to_lowercase())).map(String::as_str)
    }

    /// The name a repository has now.
    pub(super) fn present_name(&self, repository: &Repository) -> String {
        let renamed = self.renames.get(&repository.name().to_lowercase());
        renamed.cloned().unwrap_or_else(|| repository.name().to_owned())
    }

    /// The repository that has this name now; case does not matter.
    pub(super) fn by_name(&self, name: &str) -> Option<&Repository> {
        let fits = |known: &&Repository| self.present_name(known).eq_ignore_ascii_case(name);
        self.repositories.iter().find(fits)
    }

    /// The number of the repository that had this name once and has another now.
    fn moved_to(&self, name: &str) -> Option<u64> {
        let present = self.renames.get(&name.to_lowercase())?;
        self.by_name(present).map(|repository| repository.facts().id)
    }

    /// As [`Self::by_name`], also by a former name.
    pub(super) fn by_any_name(&self, name: &str) -> Option<&Repository> {
        self.by_name(self.renames.get(&name.to_lowercase()).map_or(name, String::as_str))
    }
}

fn moved(location: &str) -> Answer {
    let page = "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects";
    let body = json!({ "message": "Moved Permanently", "url": location, "documentation_url": page });
    Answer::json(301, &body).with("location", location)
}
