//! The `routes` key: rules that put named skills first.
//!
//! A rule needs a term to match and a skill to name. An inner key that is not known is refused,
//! because a rule that silently loses half of itself is worse than an error.

use super::check::{self, Problem};
use super::error::quoted;
use super::suggest::nearest;
use super::yaml::{Node, Raw};
use crate::candidate::RouteRule;

const ROUTE_KEYS: [&str; 3] = ["matchAll", "matchAny", "skills"];

/// The most terms of all rules together: each is looked for in every prompt.
const MAX_TERMS: usize = 2000;

/// The rules of the list.
pub(super) fn rules(nodes: &[Node]) -> Result<Vec<RouteRule>, Problem> {
    let mut rules = Vec::with_capacity(nodes.len());
    let mut terms = 0;
    for node in nodes {
        let rule = rule(node)?;
        terms += rule.match_all.len() + rule.match_any.len();
        if terms > MAX_TERMS {
            return Err(Problem::found(format!("rules with more than {MAX_TERMS} terms"))
                .but_allowed(format!("at most {MAX_TERMS} terms in all rules together"))
                .on_line_of(node));
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// One rule of the list.
fn rule(node: &Node) -> Result<RouteRule, Problem> {
    let Raw::Map(entries) = &node.value else {
        return Err(Problem::found(format!("a list with {}", check::describe(&node.value))).on_line_of(node));
    };
    let mut rule = RouteRule::default();
    for (name, value) in entries {
        let list = match name.value.as_str() {
            "matchAll" => &mut rule.match_all,
            "matchAny" => &mut rule.match_any,
            "skills" => &mut rule.skills,
            other => {
                let suggestion = nearest(other, ROUTE_KEYS.into_iter());
                let problem = Problem::found(format!("a rule with the unknown key {}", quoted(other)));
                return Err(Problem { line: Some(name.referenced.line()), suggestion, ..problem });
            }
        };
        *list = terms(&name.value, value)?;
    }
    if rule.match_all.is_empty() && rule.match_any.is_empty() {
        return Err(Problem::found("a rule that matches nothing")
            .but_allowed("at least one term in `matchAll` or `matchAny`")
            .on_line_of(node));
    }
    if rule.skills.is_empty() {
        return Err(Problem::found("a rule without skills")
            .but_allowed("at least one name in `skills`")
            .on_line_of(node));
    }
    Ok(rule)
}

fn terms(name: &str, node: &Node) -> Result<Vec<String>, Problem> {
    let refused = |node: &Node| {
        Problem::found(format!("a rule whose `{name}` has {}", check::describe(&node.value)))
            .but_allowed(format!("`{name}` as a list of texts that are not blank"))
            .on_line_of(node)
    };
    let Raw::List(items) = &node.value else { return Err(refused(node)) };
    items
        .iter()
        .map(|item| match &item.value {
            Raw::Text(text) if !text.trim().is_empty() => Ok(text.clone()),
            _ => Err(refused(item)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::table;
    use crate::config::value::Value;

    fn routes(text: &str) -> Result<Vec<RouteRule>, Problem> {
        match check::from_text(table::find("routes").unwrap(), text)? {
            Value::Routes(rules) => Ok(rules),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn rules_are_read_from_yaml_and_json() {
        let expected = [RouteRule {
            match_all: vec!["pdf".to_owned()],
            match_any: vec!["read".to_owned(), "合同".to_owned()],
            skills: vec!["pdf-reader".to_owned()],
        }];
        for text in [
            r#"[{"matchAll": ["pdf"], "matchAny": ["read", "合同"], "skills": ["pdf-reader"]}]"#,
            "- matchAll: [pdf]\n  matchAny:\n    - read\n    - 合同\n  skills: [pdf-reader]\n",
        ] {
            assert_eq!(routes(text).unwrap(), expected);
        }
        assert_eq!(routes("[]").unwrap(), []);
        assert_eq!(routes("[{matchAny: [a], matchAll: [], skills: [b]}]").unwrap().len(), 1);
    }

    #[test]
    fn half_a_rule_is_refused() {
        for (text, word) in [
            ("{}", "a mapping"),
            ("[a]", "`a`"),
            ("[{skills: [b]}]", "matches nothing"),
            ("[{matchAny: [], skills: [b]}]", "matches nothing"),
            ("[{matchAny: [a]}]", "without skills"),
            ("[{matchAny: [a], skills: []}]", "without skills"),
            ("[{matchAny: a, skills: [b]}]", "`matchAny`"),
            ("[{matchAny: [' '], skills: [b]}]", "`matchAny`"),
            ("[{matchAny: [1], skills: [b]}]", "`1`"),
            ("[{matchAny: [a], skills: [[b]]}]", "`skills`"),
            ("[{matchAny: [a], skill: [b]}]", "unknown key `skill`"),
            ("[{matchAny: [a], matchAny: [c], skills: [b]}]", "second time"),
        ] {
            let problem = routes(text).unwrap_err();
            assert!(problem.found.contains(word), "{text} {problem:?}");
        }
        assert_eq!(routes("[{matchAny: [a], skill: [b]}]").unwrap_err().suggestion.unwrap(), "skills");
    }
}
