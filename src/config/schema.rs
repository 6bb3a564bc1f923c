//! The JSON Schema of the config file, made from the table.
//!
//! Editors check `config.yaml` with it. It says what `check` says, as far as JSON Schema can: that
//! two lists have no item in common is beyond it.

use serde_json::{Value, json};

use super::keys::{Availability, Kind};
use super::table::KEYS;

/// The schema (draft 2020-12) of the user's config file.
pub fn json_schema() -> Value {
    let properties: serde_json::Map<_, _> = KEYS
        .iter()
        .map(|key| {
            let mut property = of_kind(key.kind);
            property["default"] = key.default_value().to_json();
            property["description"] = match key.available {
                Availability::Now => json!(key.doc),
                Availability::Later(what) => {
                    json!(format!("{} (no effect in this release; it will steer {what})", key.doc))
                }
            };
            (key.name.to_owned(), property)
        })
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "skillflux config.yaml",
        "description": "The settings of skillflux; a project's skillflux.yaml holds the same keys under `config`",
        "type": ["object", "null"],
        "additionalProperties": false,
        "properties": properties,
        "if": {"properties": {"adaptiveRouting": {"const": true}}, "required": ["adaptiveRouting"]},
        "then": {"properties": {"usageTracking": {"const": true}}},
    })
}

fn of_kind(kind: Kind) -> Value {
    match kind {
        Kind::Bool => json!({"type": "boolean"}),
        Kind::Integer(low, high) => json!({"type": "integer", "minimum": low, "maximum": high}),
        Kind::ZeroOrInteger(low, high) => {
            json!({"type": "integer", "anyOf": [{"const": 0}, {"minimum": low, "maximum": high}]})
        }
        Kind::Number(low, high) => json!({"type": "number", "minimum": low, "maximum": high}),
        Kind::OneOf(words) => json!({"enum": words}),
        Kind::Text => json!({"type": "string", "pattern": "\\S"}),
        Kind::Url => {
            json!({"type": "string", "format": "uri", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^@/?#]+([/?][^#]*)?$"})
        }
        Kind::VariableName => json!({"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}),
        Kind::Words { words, needed } => {
            json!({"type": "array", "items": {"enum": words}, "contains": {"enum": &words[..needed]}})
        }
        Kind::Owners => texts("^[A-Za-z0-9]([A-Za-z0-9-]{0,37}[A-Za-z0-9])?$"),
        Kind::Labels => texts("^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"),
        Kind::Paths => texts("^(~$|~/|[^~])"),
        Kind::Routes => json!({"type": "array", "items": route()}),
    }
}

fn texts(pattern: &str) -> Value {
    json!({"type": "array", "items": {"type": "string", "pattern": pattern}})
}

fn route() -> Value {
    let filled = |name: &str| json!({"required": [name], "properties": {(name): {"minItems": 1}}});
    let mut skills = texts("\\S");
    skills["minItems"] = json!(1);
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {"matchAll": texts("\\S"), "matchAny": texts("\\S"), "skills": skills},
        "required": ["skills"],
        "anyOf": [filled("matchAll"), filled("matchAny")],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_every_key_with_default_and_words() {
        let schema = json_schema();
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!(properties.len(), KEYS.len());
        assert_eq!(
            properties["maxActiveSkills"],
            json!({
                "type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991_u64, "default": 3,
                "description": "the most skills in one catalog",
            })
        );
        assert_eq!(properties["routerMode"]["enum"], json!(["lexical", "fulltext", "hybrid"]));
        assert_eq!(properties["customRoots"]["default"], json!([]));
        assert_eq!(properties["remoteProviders"]["contains"], json!({"enum": ["skills.sh", "github"]}));
        let later = properties["mcpDiscovery"]["description"].as_str().unwrap();
        assert!(later.ends_with("(no effect in this release; it will steer MCP sources)"), "{later}");
    }
}
