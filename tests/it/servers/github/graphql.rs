//! `POST /graphql`: repositories by owner and name, and the files that are asked for in each.
//!
//! A field that GitHub's schema does not have fails the whole query. A repository that is not there is null,
//! with an error of its own beside the data of the others.

use serde_json::{Map, Value, json};

use super::{Answer, Caller, State, objects::WHOLE_TEXT};
use crate::servers::{
    graphql::{Field, Selection, parse},
    repository::Repository,
    wire::Request,
};

impl State {
    pub(super) fn graphql(&self, request: &Request, caller: Caller) -> Answer {
        if caller == Caller::Anonymous {
            let message = "This endpoint requires you to be authenticated.";
            let page = "https://docs.github.com/graphql/guides/forming-calls-with-graphql#authenticating-with-graphql";
            return Answer::json(
                401,
                &json!({ "message": message, "documentation_url": page, "status": "401" }),
            );
        }
        let asked: Value = match serde_json::from_slice(&request.body) {
            Ok(asked) => asked,
            Err(_) => {
                return Answer::json(400, &json!({ "message": "Problems parsing JSON", "status": "400" }));
            }
        };
        let text = asked["query"].as_str().unwrap_or_default();
        let answered = parse(text, &asked["variables"]).and_then(|fields| self.resolve(&fields));
        match answered {
            Ok((data, errors)) if errors.is_empty() => Answer::json(200, &json!({ "data": data })),
            Ok((data, errors)) => Answer::json(200, &json!({ "data": data, "errors": errors })),
            Err(message) => Answer::json(200, &json!({ "errors": [{ "message": message }] })),
        }
    }

    fn resolve(&self, selections: &[Selection]) -> Result<(Value, Vec<Value>), String> {
        let (mut data, mut errors) = (Map::new(), Vec::new());
        for field in fields(selections, "Query") {
            let value = match field.name.as_str() {
                "repository" => self.resolve_repository(field, &mut errors)?,
                "rateLimit" => {
                    let limit = json!({ "limit": 5000, "cost": 1, "remaining": 4999, "used": 1 });
                    project(&limit, &field.selections, "RateLimit")?
                }
                other => return Err(unknown(other, "Query")),
            };
            data.insert(field.key.clone(), value);
        }
        Ok((Value::Object(data), errors))
    }

    fn resolve_repository(&self, field: &Field, errors: &mut Vec<Value>) -> Result<Value, String> {
        let name = format!("{}/{}", argument(field, "owner")?, argument(field, "name")?);
        let found = self.by_any_name(&name);
        let problem = match found {
            None => Some(("NOT_FOUND", format!("Could not resolve to a Repository with the name '{name}'."))),
            Some(known) if self.blocked_for(known).is_some() => {
                Some(("FORBIDDEN", "Repository access blocked".to_owned()))
            }
            Some(_) => None,
        };
        if let Some((kind, message)) = problem {
            let place = json!({ "line": field.line, "column": field.column });
            errors
                .push(json!({ "type": kind, "path": [field.key], "locations": [place], "message": message }));
            return Ok(Value::Null);
        }
        let repository = found.expect("what is not there was told above");
        let known = self.repository_node(repository);
        let mut told = Map::new();
        for asked in fields(&field.selections, "Repository") {
            let value = if asked.name == "object" {
                self.blob_node(repository, argument(asked, "expression")?, asked)?
            } else {
                member(&known, asked, "Repository")?
            };
            told.insert(asked.key.clone(), value);
        }
        Ok(Value::Object(told))
    }

    fn repository_node(&self, repository: &Repository) -> Value {
        let facts = repository.facts();
        let name = self.present_name(repository);
        let owner = name.split('/').next().unwrap_or_default();
        let licence = facts.licence.map(|id| json!({ "__typename": "License", "spdxId": id, "name": id }));
        let branch = self.commit_of(repository, "HEAD").map(|commit| {
            json!({
                "__typename": "Ref",
                "name": facts.default_branch,
                "target": { "__typename": "Commit", "oid": commit },
            })
        });
        json!({
            "__typename": "Repository",
            "databaseId": facts.id,
            "nameWithOwner": name,
            "stargazerCount": facts.stars,
            "forkCount": facts.forks,
            "pushedAt": facts.pushed_at,
            "isArchived": facts.archived,
            "isDisabled": facts.disabled,
            "isPrivate": facts.private,
            "isFork": facts.fork,
            "owner": { "__typename": facts.owner_type, "login": owner, "databaseId": facts.owner_id },
            "licenseInfo": licence,
            "defaultBranchRef": branch,
        })
    }

    /// The file at `reference:path`, null when there is none; a folder is a tree.
    fn blob_node(&self, repository: &Repository, expression: &str, field: &Field) -> Result<Value, String> {
        let entry = expression
            .split_once(':')
            .and_then(|(reference, path)| repository.entry(&self.commit_of(repository, reference)?, path));
        let Some(entry) = entry.filter(|entry| entry.kind() != "commit") else { return Ok(Value::Null) };
        let Some(bytes) = self.blob_bytes(repository, &entry.sha) else {
            return project(&json!({ "__typename": "Tree", "oid": entry.sha }), &field.selections, "Tree");
        };
        let is_binary = bytes.contains(&0);
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(WHOLE_TEXT)]);
        let node = json!({
            "__typename": "Blob",
            "oid": entry.sha,
            "byteSize": bytes.len(),
            "isBinary": is_binary,
            "isTruncated": bytes.len() > WHOLE_TEXT,
            "text": if is_binary { None } else { Some(text) },
        });
        project(&node, &field.selections, "Blob")
    }
}

/// The fields that stand for an object of this type.
fn fields<'a>(selections: &'a [Selection], type_name: &str) -> Vec<&'a Field> {
    let mut found = Vec::new();
    for selection in selections {
        match selection {
            Selection::Field(field) => found.push(field),
            Selection::On { type_name: wanted, selections } if wanted == type_name => {
                found.extend(fields(selections, type_name));
            }
            Selection::On { .. } => {}
        }
    }
    found
}

/// The fields of `node` that are asked for.
fn project(node: &Value, selections: &[Selection], type_name: &str) -> Result<Value, String> {
    let mut told = Map::new();
    for field in fields(selections, type_name) {
        told.insert(field.key.clone(), member(node, field, type_name)?);
    }
    Ok(Value::Object(told))
}

fn member(node: &Value, field: &Field, type_name: &str) -> Result<Value, String> {
    let value = node.get(&field.name).ok_or_else(|| unknown(&field.name, type_name))?;
    match value {
        Value::Object(inner) => {
            let inner_type = inner.get("__typename").and_then(Value::as_str).unwrap_or_default();
            project(value, &field.selections, inner_type)
        }
        _ => Ok(value.clone()),
    }
}

fn unknown(field: &str, type_name: &str) -> String {
    format!("Field '{field}' doesn't exist on type '{type_name}'")
}

fn argument<'a>(field: &'a Field, name: &str) -> Result<&'a str, String> {
    let given = field.arguments.get(name).and_then(Value::as_str);
    given.ok_or_else(|| format!("Field '{}' is missing required arguments: {name}", field.name))
}
