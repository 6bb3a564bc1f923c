//! Trees, blobs and tags by id, and the lies that a test wants told about them.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{Answer, State, routes::not_found};
use crate::servers::{repository::Repository, wire::Request};

/// The largest blob of which GraphQL tells the whole text, in bytes.
pub(super) const WHOLE_TEXT: usize = 512_000;

/// An entry that no tree holds.
#[derive(Debug, Clone)]
pub(crate) struct AddedEntry {
    pub(crate) path: String,
    pub(crate) mode: String,
    pub(crate) kind: String,
    pub(crate) sha: String,
    pub(crate) size: Option<i64>,
}

/// What is answered besides the truth. Paths are those of the answer, below the tree that is asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Lies {
    pub(super) blobs: BTreeMap<String, Vec<u8>>,
    pub(super) fields: Vec<(String, String, Value)>,
    pub(super) dropped: BTreeSet<String>,
    pub(super) added: Vec<AddedEntry>,
}

impl State {
    /// `GET /git/trees/{sha}`: any value of `recursive`, also `0`, recurses.
    pub(super) fn tree(&self, repository: &Repository, asked: &str, request: &Request) -> Answer {
        let is_tree = repository.info(asked).is_some_and(|(kind, _)| kind == "tree");
        let tree = if is_tree { Some(asked.to_owned()) } else { self.tree_of_reference(repository, asked) };
        let Some(tree) = tree else { return not_found("git/trees#get-a-tree") };
        let mut entries = Vec::new();
        let recursive = request.parameter("recursive").is_some();
        self.list(repository, &tree, None, recursive, &mut entries);
        entries.extend(self.lies.added.iter().map(|added| {
            let mut entry = json!({
                "path": added.path, "mode": added.mode, "type": added.kind, "sha": added.sha,
            });
            if let Some(size) = added.size {
                entry["size"] = json!(size);
            }
            entry
        }));
        let truncated = recursive && entries.len() > self.options.truncate_over;
        if truncated {
            entries.truncate(self.options.truncate_over);
        }
        let url = format!("{}/git/trees/{tree}", self.api(repository));
        Answer::json(200, &json!({ "sha": tree, "url": url, "tree": entries, "truncated": truncated }))
    }

    fn tree_of_reference(&self, repository: &Repository, reference: &str) -> Option<String> {
        let commit = self.commit_of(repository, reference)?;
        Some(repository.tree_of(&commit))
    }

    fn list(
        &self,
        repository: &Repository,
        tree: &str,
        above: Option<&str>,
        recursive: bool,
        entries: &mut Vec<Value>,
    ) {
        let api = self.api(repository);
        let held =
            repository.tree(tree).unwrap_or_else(|| panic!("{} has no tree `{tree}`", repository.name()));
        for entry in held {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            let path = above.map_or_else(|| name.clone(), |above| format!("{above}/{name}"));
            if self.lies.dropped.contains(&path) {
                continue;
            }
            let kind = entry.kind();
            let mut told = json!({ "path": path, "mode": entry.mode, "type": kind, "sha": entry.sha });
            if kind == "blob" {
                let size = repository.info(&entry.sha).map(|(_, size)| size);
                told["size"] = json!(size);
            }
            if kind != "commit" {
                told["url"] = json!(format!("{api}/git/{kind}s/{}", entry.sha));
            }
            for (_, field, value) in self.lies.fields.iter().filter(|(lied, _, _)| *lied == path) {
                told[field] = value.clone();
            }
            entries.push(told);
            if recursive && kind == "tree" {
                self.list(repository, &entry.sha, Some(&path), true, entries);
            }
        }
    }

    /// `GET /git/blobs/{sha}`: raw bytes, or base64 with a newline after every 60 characters.
    pub(super) fn blob(&self, repository: &Repository, sha: &str, request: &Request) -> Answer {
        let is_id = sha.len() == 40 && sha.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
        if !is_id {
            let message = "The sha parameter must be exactly 40 characters and contain only [0-9a-f].";
            return Answer::json(422, &json!({ "message": message, "status": "422" }));
        }
        let Some(bytes) = self.blob_bytes(repository, sha) else { return not_found("git/blobs#get-a-blob") };
        if request.header("accept").contains("application/vnd.github.raw") {
            return Answer::new(200, "application/vnd.github.raw+json; charset=utf-8", bytes);
        }
        let encoded = STANDARD.encode(&bytes);
        let lines =
            encoded.as_bytes().chunks(60).map(|line| String::from_utf8_lossy(line).into_owned() + "\n");
        Answer::json(
            200,
            &json!({
                "sha": sha,
                "node_id": format!("B_{}", &sha[..12]),
                "size": bytes.len(),
                "url": format!("{}/git/blobs/{sha}", self.api(repository)),
                "content": lines.collect::<String>(),
                "encoding": "base64",
            }),
        )
    }

    /// The bytes that are served under the id of a blob.
    pub(super) fn blob_bytes(&self, repository: &Repository, sha: &str) -> Option<Vec<u8>> {
        let object = repository.object(sha).filter(|object| object.kind == "blob")?;
        Some(self.lies.blobs.get(sha).cloned().unwrap_or(object.bytes))
    }

    /// `GET /git/tags/{sha}`.
    pub(super) fn tag(&self, repository: &Repository, sha: &str) -> Answer {
        let object = repository.object(sha).filter(|object| object.kind == "tag");
        let Some(object) = object else { return not_found("git/tags#get-a-tag") };
        let text = String::from_utf8_lossy(&object.bytes).into_owned();
        let field = |word: &str| text.lines().find_map(|line| line.strip_prefix(word)).unwrap_or_default();
        let (target, kind) = (field("object "), field("type "));
        let api = self.api(repository);
        let message = text.split_once("\n\n").map_or("", |(_, message)| message.trim_end());
        Answer::json(
            200,
            &json!({
                "node_id": format!("TA_{}", &sha[..12]),
                "tag": field("tag "),
                "sha": sha,
                "url": format!("{api}/git/tags/{sha}"),
                "message": message,
                "object": { "sha": target, "type": kind, "url": format!("{api}/git/{kind}s/{target}") },
                "verification": { "verified": false, "reason": "unsigned", "signature": null, "payload": null },
            }),
        )
    }
}
