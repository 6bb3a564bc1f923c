//! A checked value, and how it is written as JSON and on one line.
//!
//! A [`Value`] comes only from a default or from `check`, so it is always in range; it does not know
//! its key.

use std::fmt;

use serde_json::json;

use crate::candidate::RouteRule;

/// A value that was checked against its key.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(u64),
    /// Any finite number.
    Number(f64),
    /// One word, URL or name.
    Word(String),
    /// A list of words, owners, labels or folders.
    List(Vec<String>),
    /// Routing rules.
    Routes(Vec<RouteRule>),
}

impl Value {
    /// The value as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Bool(flag) => json!(flag),
            Self::Integer(number) => json!(number),
            Self::Number(number) => json!(number),
            Self::Word(word) => json!(word),
            Self::List(words) => json!(words),
            Self::Routes(rules) => rules.iter().map(rule_json).collect(),
        }
    }

    /// The value as YAML on one line, such as every reader of YAML understands in the same way.
    pub(super) fn to_yaml(&self) -> String {
        match self {
            Self::Word(word) => yaml_word(word),
            Self::List(words) => {
                format!("[{}]", words.iter().map(|word| yaml_word(word)).collect::<Vec<_>>().join(", "))
            }
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Value {
    /// One line; lists and routes in the form that the command line and the environment accept.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(flag) => write!(formatter, "{flag}"),
            Self::Integer(number) => write!(formatter, "{number}"),
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Word(word) => formatter.write_str(word),
            Self::List(_) => formatter.write_str(&self.to_yaml()),
            Self::Routes(_) => write!(formatter, "{}", self.to_json()),
        }
    }
}

fn rule_json(rule: &RouteRule) -> serde_json::Value {
    let mut object = serde_json::Map::new();
    for (name, terms) in [("matchAll", &rule.match_all), ("matchAny", &rule.match_any)] {
        if !terms.is_empty() {
            object.insert(name.to_owned(), json!(terms));
        }
    }
    object.insert("skills".to_owned(), json!(rule.skills));
    object.into()
}

/// A word as a YAML scalar: plain where no reader could take it for anything but text.
fn yaml_word(word: &str) -> String {
    let plain = word.starts_with(|character: char| character.is_ascii_alphabetic())
        && word.chars().all(|character| character.is_ascii_alphanumeric() || "._/-".contains(character))
        && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
            .contains(&word.to_ascii_lowercase().as_str());
    if plain { word.to_owned() } else { json!(word).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_and_json_by_example() {
        let rule = RouteRule {
            match_any: vec!["pdf".to_owned(), "合同".to_owned()],
            skills: vec!["pdf-reader".to_owned()],
            ..RouteRule::default()
        };
        let list = |words: &[&str]| Value::List(words.iter().map(|&word| word.to_owned()).collect());
        for (value, line, json) in [
            (Value::Bool(true), "true", "true"),
            (Value::Integer(3), "3", "3"),
            (Value::Number(0.45), "0.45", "0.45"),
            (Value::Word("on-demand".to_owned()), "on-demand", "\"on-demand\""),
            (list(&[]), "[]", "[]"),
            (
                list(&["skills.sh", "off", "a, b"]),
                "[skills.sh, \"off\", \"a, b\"]",
                r#"["skills.sh","off","a, b"]"#,
            ),
            (
                Value::Routes(vec![rule]),
                r#"[{"matchAny":["pdf","合同"],"skills":["pdf-reader"]}]"#,
                r#"[{"matchAny":["pdf","合同"],"skills":["pdf-reader"]}]"#,
            ),
        ] {
            assert_eq!(value.to_string(), line);
            assert_eq!(value.to_json().to_string(), json);
        }
    }
}
