//! Code search: only with a token, only the default branch, only files below 384 KB.
//!
//! Words must all stand in the path or the text of a file, in any case. `filename:`, `path:`, `user:` and
//! `repo:` narrow the search.

use serde_json::{Value, json};

use super::{Answer, Caller, State, shapes::Detail};
use crate::servers::{repository::Repository, wire::Request};

const LARGEST: usize = 384 * 1024;

#[derive(Default)]
struct Query {
    words: Vec<String>,
    file_name: Option<String>,
    path: Option<String>,
    user: Option<String>,
    repository: Option<String>,
}

impl Query {
    fn parse(text: &str) -> Self {
        let mut query = Self::default();
        for word in text.to_lowercase().split_whitespace() {
            let word = word.trim_matches('"');
            match word.split_once(':') {
                Some(("filename", value)) => query.file_name = Some(value.to_owned()),
                Some(("path", value)) => query.path = Some(value.to_owned()),
                Some(("user", value)) => query.user = Some(value.to_owned()),
                Some(("repo", value)) => query.repository = Some(value.to_owned()),
                _ => query.words.push(word.to_owned()),
            }
        }
        query
    }

    fn wants_repository(&self, full_name: &str) -> bool {
        let full_name = full_name.to_lowercase();
        let owner = full_name.split('/').next().unwrap_or_default();
        self.user.as_ref().is_none_or(|user| user == owner)
            && self.repository.as_ref().is_none_or(|wanted| *wanted == full_name)
    }

    fn wants_path(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let name = path.rsplit('/').next().unwrap_or_default();
        self.file_name.as_ref().is_none_or(|wanted| wanted == name)
            && self.path.as_ref().is_none_or(|wanted| path.contains(wanted))
    }

    fn wants_text(&self, path: &str, text: &str) -> bool {
        let all = format!("{path}\n{text}").to_lowercase();
        self.words.iter().all(|word| all.contains(word))
    }
}

impl State {
    pub(super) fn search_code(&self, request: &Request, caller: Caller) -> Answer {
        if caller == Caller::Anonymous {
            let error = json!({
                "message": "Must be authenticated to access the code search API",
                "resource": "Search", "field": "q", "code": "invalid",
            });
            return failed(401, "Requires authentication", json!([error]));
        }
        let query = Query::parse(&request.parameter("q").unwrap_or_default());
        let narrowed = query.path.is_some() || query.user.is_some() || query.repository.is_some();
        if query.words.is_empty() && !narrowed {
            if query.file_name.is_none() {
                let error = json!({ "resource": "Search", "field": "q", "code": "missing" });
                return failed(422, "Validation Failed", json!([error]));
            }
            return failed(422, "ERROR_TYPE_QUERY_PARSING_FATAL unable to parse query!", json!([]));
        }
        if query.repository.as_ref().is_some_and(|wanted| self.by_name(wanted).is_none()) {
            let error = json!({
                "message": "The listed users and repositories cannot be searched either because the resources do \
                    not exist or you do not have permission to view them.",
                "resource": "Search", "field": "q", "code": "invalid",
            });
            return failed(422, "Validation Failed", json!([error]));
        }
        let with_matches = request.header("accept").contains("text-match");
        let mut items = Vec::new();
        for repository in &self.repositories {
            let hidden = self.is_empty(repository) || self.blocked_for(repository).is_some();
            if !hidden && query.wants_repository(&self.present_name(repository)) {
                self.search_repository(repository, &query, with_matches, &mut items);
            }
        }
        let number = |name: &str, default: usize| -> usize {
            request.parameter(name).and_then(|text| text.parse().ok()).unwrap_or(default)
        };
        let (per_page, page) = (number("per_page", 30).min(100), number("page", 1).max(1));
        let total = items.len();
        let shown: Vec<Value> = items.into_iter().skip((page - 1) * per_page).take(per_page).collect();
        let body = json!({ "total_count": total, "incomplete_results": false, "items": shown });
        Answer::json(200, &body)
    }

    fn search_repository(
        &self,
        repository: &Repository,
        query: &Query,
        with_matches: bool,
        items: &mut Vec<Value>,
    ) {
        let Some(commit) = self.commit_of(repository, "HEAD") else { return };
        let mut files = Vec::new();
        collect(repository, &repository.tree_of(&commit), "", query, &mut files);
        for (path, sha) in files {
            let Some(bytes) = self.blob_bytes(repository, &sha).filter(|bytes| bytes.len() < LARGEST) else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            if !query.wants_text(&path, &text) {
                continue;
            }
            let api = format!("{}/repositories/{}", self.url, repository.facts().id);
            let page = format!("https://github.com/{}", self.present_name(repository));
            let mut item = json!({
                "name": path.rsplit('/').next(),
                "path": path,
                "sha": sha,
                "url": format!("{api}/contents/{path}?ref={commit}"),
                "git_url": format!("{api}/git/blobs/{sha}"),
                "html_url": format!("{page}/blob/{commit}/{path}"),
                "repository": self.repository_json(repository, Detail::Minimal),
                "score": 1.0,
            });
            if with_matches {
                let fragment: String = text.chars().take(80).collect();
                item["text_matches"] = json!([{
                    "object_url": format!("{api}/contents/{path}?ref={commit}"),
                    "object_type": "FileContent", "property": "content", "fragment": fragment, "matches": [],
                }]);
            }
            items.push(item);
        }
    }
}

fn collect(
    repository: &Repository,
    tree: &str,
    above: &str,
    query: &Query,
    files: &mut Vec<(String, String)>,
) {
    for entry in repository.tree(tree).unwrap_or_default() {
        let path = format!("{above}{}", String::from_utf8_lossy(&entry.name));
        if entry.kind() == "tree" {
            collect(repository, &entry.sha, &format!("{path}/"), query, files);
        } else if entry.mode.starts_with("100") && query.wants_path(&path) {
            files.push((path, entry.sha));
        }
    }
}

fn failed(status: u16, message: &str, errors: Value) -> Answer {
    let page = "https://docs.github.com/rest/search/search#search-code";
    let mut body = json!({ "message": message, "documentation_url": page, "status": status.to_string() });
    body["errors"] = errors;
    Answer::json(status, &body)
}
