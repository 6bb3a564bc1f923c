//! What an entry of a trigger file says of its prompt: whether the skill should fire.
//!
//! There is no standard. The words are those found in public repositories; case, hyphens and underscores make no
//! difference.

use serde_json::{Map, Value};

/// The names of the skill that a file may mean.
#[derive(Debug, Clone)]
pub struct Named<'a> {
    /// The name as its author wrote it, the name that is typed, and the name of its folder.
    pub names: [&'a str; 3],
}

impl Named<'_> {
    /// Whether this is a name of the skill; a plugin's name with a colon may stand before it.
    pub fn is(&self, name: &str) -> bool {
        let name = name.trim().trim_start_matches(['/', '$']);
        let own =
            |own: &&str| !own.is_empty() && plain(own) == plain(name.rsplit(':').next().unwrap_or(name));
        self.names.iter().any(own) || self.names.contains(&name)
    }
}

/// What an entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Says {
    /// The skill should fire.
    Fire,
    /// It should not.
    Quiet,
    /// It is about other skills.
    OfOthers,
    /// A word that says neither: the key and its value.
    Unclear(String, String),
    /// Nothing.
    Nothing,
}

/// Keys with the prompt of an entry, the first that is there counts.
pub const PROMPT_KEYS: [&str; 11] = [
    "query",
    "prompt",
    "input",
    "text",
    "task",
    "question",
    "userprompt",
    "request",
    "message",
    "utterance",
    "phrase",
];

/// Keys whose value says it: `true`, `fire`, `no_trigger`.
const STRICT: [&str; 8] = [
    "shouldtrigger",
    "shouldfire",
    "shouldactivate",
    "shouldinvoke",
    "shoulduse",
    "shouldload",
    "expectedtrigger",
    "expecttrigger",
];
/// The same, where other values are about something else.
const LOOSE: [&str; 12] = [
    "expected",
    "expect",
    "expectation",
    "trigger",
    "triggers",
    "fire",
    "fires",
    "label",
    "type",
    "kind",
    "category",
    "polarity",
];
/// Keys of which `true` means that the skill should not fire.
const NEGATED: [&str; 6] = [
    "shouldnottrigger",
    "shouldnotfire",
    "shouldnotactivate",
    "shouldnotinvoke",
    "negativecase",
    "isnegative",
];
/// The same, where another value says little: what is no near miss may be an easy prompt of either sort.
const NEAR_MISS: &str = "nearmiss";
/// Keys with the skills that should fire.
const EXPECTED_SKILLS: [&str; 4] = ["expectedskills", "expectedskill", "expectskills", "expectskill"];
/// Keys with those that should not.
const EXCLUDED_SKILLS: [&str; 6] = [
    "excludedskills",
    "excludedskill",
    "forbiddenskills",
    "forbiddenskill",
    "rejectskills",
    "disallowedskills",
];
/// Keys with the skill that an entry or a file is of.
pub const SKILL_KEYS: [&str; 3] = ["skill", "skillname", "targetskill"];

/// A key or word in lower case, letters and digits alone.
pub fn plain(word: &str) -> String {
    word.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The value of the first of these keys that an entry has.
pub fn value<'a>(entry: &'a Map<String, Value>, keys: &[&str]) -> Option<(&'a str, &'a Value)> {
    keys.iter().find_map(|key| {
        let (name, value) = entry.iter().find(|(name, _)| plain(name) == *key)?;
        Some((name.as_str(), value))
    })
}

/// What an entry says of its prompt, and whether it says so by a key that is for nothing else. What is said
/// otherwise yields to the list that the entry stands in.
pub fn says(entry: &Map<String, Value>, skill: &Named<'_>) -> (Says, bool) {
    let of_other = value(entry, &SKILL_KEYS).and_then(|(_, name)| name.as_str()).map(|name| !skill.is(name));
    if of_other == Some(true) {
        return (Says::OfOthers, true);
    }
    let is_near_miss = value(entry, &[NEAR_MISS]).and_then(|(_, value)| word(value, skill));
    if let Some(said) = flag(entry, &STRICT, skill, false).or_else(|| flag(entry, &NEGATED, skill, true)) {
        return (said, true);
    }
    if is_near_miss == Some(true) {
        return (Says::Quiet, true);
    }
    let loose = LOOSE.iter().find_map(|key| word(value(entry, &[key])?.1, skill));
    let said = match loose.map_or_else(|| by_skills(entry, skill), fires) {
        Says::Nothing if of_other == Some(false) => Says::Fire,
        Says::Nothing => flag(entry, &[NEAR_MISS], skill, true).unwrap_or(Says::Nothing),
        said => said,
    };
    (said, false)
}

/// What keys say that are for nothing else: the first that can be read, else that one cannot.
fn flag(entry: &Map<String, Value>, keys: &[&str], skill: &Named<'_>, is_negated: bool) -> Option<Says> {
    let said = keys.iter().find_map(|key| word(value(entry, &[key])?.1, skill));
    match said {
        Some(said) => Some(fires(said != is_negated)),
        None => value(entry, keys).map(|(key, value)| Says::Unclear(key.to_owned(), value.to_string())),
    }
}

fn fires(fires: bool) -> Says {
    if fires { Says::Fire } else { Says::Quiet }
}

/// What a value says.
fn word(value: &Value, skill: &Named<'_>) -> Option<bool> {
    let text = match value {
        Value::Bool(fires) => return Some(*fires),
        Value::Number(number) => {
            return number.as_u64().filter(|number| *number < 2).map(|number| number == 1);
        }
        Value::String(text) => text,
        _ => return None,
    };
    Some(match plain(text).as_str() {
        "true" | "yes" | "1" | "fire" | "fires" | "trigger" | "triggers" | "triggered" | "activate"
        | "invoke" | "load" | "positive" | "match" | "shouldtrigger" | "shouldfire" | "shouldactivate" => {
            true
        }
        "false" | "no" | "0" | "nofire" | "notfire" | "dontfire" | "notrigger" | "nottrigger"
        | "donttrigger" | "skip" | "ignore" | "none" | "negative" | "nearmiss" | "nomatch" | "quiet"
        | "silent" | "shouldnottrigger" | "shouldnotfire" | "shouldnotactivate" | "negativecontrol" => false,
        _ if skill.is(text) => true,
        _ => return None,
    })
}

/// What the lists of skills of an entry say, and the graders of how a run used skills.
fn by_skills(entry: &Map<String, Value>, skill: &Named<'_>) -> Says {
    let graders = entry.iter().filter(|(name, _)| plain(name) == "graders");
    let graders = graders.filter_map(|(_, list)| list.as_array()).flatten().filter_map(Value::as_object);
    let configs = graders.filter_map(|grader| {
        let kind = grader.get("type")?.as_str()?;
        (plain(kind) == "skillinvocation").then(|| grader.get("config")?.as_object())?
    });
    let mut said = Says::Nothing;
    let constraints = entry.get("constraints").and_then(Value::as_object);
    for object in [entry].into_iter().chain(constraints).chain(configs) {
        let required = [&EXPECTED_SKILLS[..], &["required"]].concat();
        let disallowed = [&EXCLUDED_SKILLS[..], &["disallowed"]].concat();
        let has = |list: &Value| skills(list).iter().any(|name| skill.is(name));
        let (required, disallowed) = (value(object, &required), value(object, &disallowed));
        if required.is_some_and(|(_, list)| has(list)) {
            return Says::Fire;
        }
        if disallowed.is_some_and(|(_, list)| has(list)) {
            said = Says::Quiet;
        } else if let Some((_, list)) = required
            && said == Says::Nothing
        {
            said = if skills(list).is_empty() { Says::Quiet } else { Says::OfOthers };
        } else if disallowed.is_some() && said == Says::Nothing {
            said = Says::OfOthers;
        }
    }
    said
}

/// The names in a value: a text, or a list of texts.
fn skills(value: &Value) -> Vec<&str> {
    match value {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(entry: &str) -> Says {
        let entry: Value = serde_json::from_str(entry).unwrap();
        says(entry.as_object().unwrap(), &Named { names: ["PDF Tables", "pdf-tables", "tables"] }).0
    }

    #[test]
    fn entries_as_they_are_found() {
        let unclear = |key: &str, value: &str| Says::Unclear(key.to_owned(), value.to_owned());
        for (entry, expected) in [
            (r#"{"should_trigger": true}"#, Says::Fire),
            (r#"{"shouldTrigger": "false"}"#, Says::Quiet),
            (r#"{"should-fire": 1}"#, Says::Fire),
            (r#"{"should_not_trigger": true}"#, Says::Quiet),
            (r#"{"negative_case": false}"#, Says::Fire),
            (r#"{"should_not_trigger": "true"}"#, Says::Quiet),
            (r#"{"should_not_fire": "No"}"#, Says::Fire),
            (r#"{"is_negative": 1, "type": "trigger"}"#, Says::Quiet),
            (r#"{"near_miss": "yes", "type": "trigger"}"#, Says::Quiet),
            (r#"{"near_miss": false}"#, Says::Fire),
            (r#"{"near_miss": false, "should_trigger": "no"}"#, Says::Quiet),
            (r#"{"near_miss": false, "type": "negative"}"#, Says::Quiet),
            (r#"{"near_miss": "merging", "should_trigger": false}"#, Says::Quiet),
            (r#"{"near_miss": "merging"}"#, unclear("near_miss", "\"merging\"")),
            (
                r#"{"should_not_trigger": "perhaps", "type": "positive"}"#,
                unclear("should_not_trigger", "\"perhaps\""),
            ),
            (r#"{"should_trigger": "maybe", "type": "positive"}"#, unclear("should_trigger", "\"maybe\"")),
            (r#"{"should_trigger": null, "expected": "fire"}"#, unclear("should_trigger", "null")),
            (r#"{"expected": "fire"}"#, Says::Fire),
            (r#"{"expected": "no_trigger"}"#, Says::Quiet),
            (r#"{"expected": "pdf-tables"}"#, Says::Fire),
            (r#"{"expected": "Prints a table", "type": "negative"}"#, Says::Quiet),
            (r#"{"expected": "Prints a table"}"#, Says::Nothing),
            (r#"{"expected_skills": ["docs:pdf-tables", "x"]}"#, Says::Fire),
            (r#"{"expected_skills": [], "excluded_skills": ["x"]}"#, Says::Quiet),
            (r#"{"expected_skills": ["x"], "excluded_skills": ["tables"]}"#, Says::Quiet),
            (r#"{"expected_skills": ["x"]}"#, Says::OfOthers),
            (r#"{"expected_skill": null}"#, Says::Quiet),
            (r#"{"skill": "x", "should_trigger": true}"#, Says::OfOthers),
            (r#"{"skill": "pdf_tables"}"#, Says::Fire),
            (r#"{"skill": "pdf-tables", "should_trigger": false}"#, Says::Quiet),
            (r#"{"constraints": {"expect_skills": ["tables"]}}"#, Says::Fire),
            (
                r#"{"graders": [{"type": "completed"}, {"type": "skill-invocation", "config": {"required": ["pdf-tables"]}}]}"#,
                Says::Fire,
            ),
            (
                r#"{"graders": [{"type": "skill-invocation", "config": {"disallowed": ["pdf-tables"]}}]}"#,
                Says::Quiet,
            ),
            (
                r#"{"graders": [{"type": "skill-invocation", "config": {"disallowed": ["x"]}}]}"#,
                Says::OfOthers,
            ),
            (r#"{"should_trigger": "maybe"}"#, unclear("should_trigger", "\"maybe\"")),
            (r#"{"should_trigger": 2}"#, unclear("should_trigger", "2")),
            ("{}", Says::Nothing),
        ] {
            assert_eq!(said(entry), expected, "{entry}");
        }
    }
}
