//! Turns what was written into a checked value: the right type, in range, in its normal form.
//!
//! Files give a YAML tree, the environment, flags and `config set` give text; both end in the same
//! checks. A text that could be a secret (a refused URL with an `@`, something that is no
//! variable name) is never repeated in what is reported.

use std::collections::BTreeSet;

use super::error::quoted;
use super::forms::{is_label, is_login, is_path, is_url, is_variable_name};
use super::keys::{Key, Kind, LARGEST};
use super::routes;
use super::suggest::nearest;
use super::value::Value;
use super::yaml::{self, Node, Raw};

/// Why a value was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    /// The line of the part that is wrong, where it is not the line of the key.
    pub(super) line: Option<u64>,
    /// What was found, ready to be shown.
    pub(super) found: String,
    /// What is allowed, where it says more than [`allowed`] does for the whole key.
    pub(super) allowed: Option<String>,
    /// The allowed word that was probably meant.
    pub(super) suggestion: Option<String>,
}

impl Problem {
    pub(super) fn found(found: impl Into<String>) -> Self {
        Self { line: None, found: found.into(), allowed: None, suggestion: None }
    }

    pub(super) fn but_allowed(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = Some(allowed.into());
        self
    }

    pub(super) fn on_line_of(mut self, node: &Node) -> Self {
        self.line.get_or_insert(node.referenced.line());
        self
    }
}

/// What `kind` allows, in words.
pub fn allowed(kind: Kind) -> String {
    match kind {
        Kind::Bool => "true or false".to_owned(),
        Kind::Integer(low, LARGEST) => format!("a whole number from {low}"),
        Kind::Integer(low, high) => format!("a whole number from {low} to {high}"),
        Kind::ZeroOrInteger(low, high) => format!("0 or a whole number from {low} to {high}"),
        Kind::Number(low, high) => format!("a number from {low} to {high}"),
        Kind::OneOf(words) => format!("one of {}", in_backticks(words)),
        Kind::Text => "text on one line that is not blank".to_owned(),
        Kind::Url => "an absolute http or https URL without credentials and fragment".to_owned(),
        Kind::VariableName => "the name of an environment variable".to_owned(),
        Kind::Words { words, needed } => {
            format!(
                "a list of {}, with at least one of {}",
                in_backticks(words),
                in_backticks(&words[..needed])
            )
        }
        Kind::Owners => {
            "a list of GitHub logins (1 to 39 letters and digits, with hyphens between them)".to_owned()
        }
        Kind::Labels => {
            "a list of labels (1 to 64 letters, digits, `.`, `_` and `-`; a letter or digit first)".to_owned()
        }
        Kind::Paths => "a list of folders, each absolute, relative or under `~/`".to_owned(),
        Kind::Routes => {
            "a list of rules with `matchAll` or `matchAny` and `skills`, each a list of texts".to_owned()
        }
    }
}

fn in_backticks(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Checks text from the environment, a flag or the command line. Lists are separated by commas or
/// written as a YAML list in brackets; routes are YAML or JSON.
pub(super) fn from_text(key: &Key, text: &str) -> Result<Value, Problem> {
    let text = text.trim();
    let raw = match key.kind {
        Kind::Bool => match text {
            "true" | "True" | "TRUE" => Raw::Bool(true),
            "false" | "False" | "FALSE" => Raw::Bool(false),
            _ => Raw::Text(text.to_owned()),
        },
        Kind::Integer(..) | Kind::ZeroOrInteger(..) => {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && !has_leading_zero(text);
            text.parse().ok().filter(|_| digits).map_or_else(|| Raw::Text(text.to_owned()), Raw::Integer)
        }
        Kind::Number(..) => {
            let number = text.parse().ok().filter(|_| !has_leading_zero(text));
            number.map_or_else(|| Raw::Text(text.to_owned()), Raw::Number)
        }
        Kind::OneOf(_) | Kind::Text | Kind::Url | Kind::VariableName => Raw::Text(text.to_owned()),
        Kind::Routes => structured(text)?,
        Kind::Words { .. } | Kind::Owners | Kind::Labels | Kind::Paths => {
            if text.starts_with('[') {
                structured(text)?
            } else {
                let items: Vec<_> = text.split(',').map(|item| item.trim().to_owned()).collect();
                let items = if text.is_empty() { Vec::new() } else { items };
                items.iter().try_for_each(|item| check_item(key.kind, item))?;
                return normal_form(key.kind, items);
            }
        }
    };
    // Lines count within the text that was typed, which has no place of its own.
    from_raw(key, &raw).map_err(|problem| Problem { line: None, ..problem })
}

/// Whether `text` is a whole number with a zero in front, which some readers take for octal.
fn has_leading_zero(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn structured(text: &str) -> Result<Raw, Problem> {
    match yaml::parse(text) {
        Ok(node) => Ok(node.value),
        Err((_, column, reason)) => Err(Problem::found(format!("not readable at column {column}: {reason}"))),
    }
}

/// Checks a value of a file.
pub(super) fn from_raw(key: &Key, raw: &Raw) -> Result<Value, Problem> {
    let refused = || Problem::found(describe(raw));
    match (key.kind, raw) {
        (Kind::Bool, Raw::Bool(flag)) => Ok(Value::Bool(*flag)),
        (Kind::Integer(low, high), Raw::Integer(number)) if (low..=high).contains(number) => {
            Ok(Value::Integer(*number))
        }
        (Kind::ZeroOrInteger(low, high), Raw::Integer(number))
            if *number == 0 || (low..=high).contains(number) =>
        {
            Ok(Value::Integer(*number))
        }
        (Kind::Number(low, high), Raw::Integer(_) | Raw::Number(_)) => {
            number(raw).filter(|number| (low..=high).contains(number)).map(Value::Number).ok_or_else(refused)
        }
        (Kind::OneOf(words), Raw::Text(word)) => {
            if words.contains(&word.as_str()) {
                return Ok(Value::Word(word.clone()));
            }
            let suggestion = nearest(word, words.iter().copied());
            Err(Problem { suggestion, ..refused() })
        }
        (Kind::Text, Raw::Text(text)) => {
            let fits = !text.trim().is_empty() && !text.chars().any(char::is_control);
            if fits { Ok(Value::Word(text.clone())) } else { Err(refused()) }
        }
        (Kind::Url, Raw::Text(url)) if is_url(url) => Ok(Value::Word(url.clone())),
        // A password may hold `/`, `?` or `#`, so where the `@` stands says nothing.
        (Kind::Url, Raw::Text(url)) if url.contains('@') => {
            Err(Problem::found("a text with `@`, which may hold credentials"))
        }
        (Kind::VariableName, Raw::Text(name)) => {
            if is_variable_name(name) {
                return Ok(Value::Word(name.clone()));
            }
            Err(Problem::found("a text that is no such name, and could be the secret itself"))
        }
        (Kind::Words { .. } | Kind::Owners | Kind::Labels | Kind::Paths, Raw::List(nodes)) => {
            let mut items = Vec::with_capacity(nodes.len());
            for node in nodes {
                let item = text_of(node)?;
                check_item(key.kind, item).map_err(|problem| problem.on_line_of(node))?;
                items.push(item.to_owned());
            }
            normal_form(key.kind, items)
        }
        (Kind::Routes, Raw::List(nodes)) => routes::rules(nodes).map(Value::Routes),
        _ => Err(refused()),
    }
}

fn number(raw: &Raw) -> Option<f64> {
    match raw {
        Raw::Integer(number) => u32::try_from(*number).ok().map(f64::from),
        Raw::Number(number) => Some(*number),
        _ => None,
    }
}

/// The kind of a raw value and, where it is short, the value itself.
pub(super) fn describe(raw: &Raw) -> String {
    match raw {
        Raw::Null => "empty".to_owned(),
        Raw::Bool(flag) => format!("`{flag}`"),
        Raw::Integer(number) => format!("`{number}`"),
        Raw::Number(number) => format!("`{number:?}`"),
        Raw::Text(text) => quoted(text),
        Raw::List(_) => "a list".to_owned(),
        Raw::Map(_) => "a mapping".to_owned(),
    }
}

/// A list of checked items in its normal form: owners lower-case, owners and labels sorted, no item
/// twice.
fn normal_form(kind: Kind, mut items: Vec<String>) -> Result<Value, Problem> {
    match kind {
        Kind::Owners => {
            for item in &mut items {
                item.make_ascii_lowercase();
            }
            items.sort_unstable();
        }
        Kind::Labels => items.sort_unstable(),
        Kind::Words { words, needed }
            if !items.iter().any(|item| words[..needed].contains(&item.as_str())) =>
        {
            let found = if items.is_empty() { "an empty list" } else { "a list without any of these" };
            return Err(Problem::found(found)
                .but_allowed(format!("at least one of {}", in_backticks(&words[..needed]))));
        }
        _ => {}
    }
    let mut seen = BTreeSet::new();
    items.retain(|item| seen.insert(item.clone()));
    Ok(Value::List(items))
}

fn check_item(kind: Kind, item: &str) -> Result<(), Problem> {
    let fits = match kind {
        Kind::Words { words, .. } => words.contains(&item),
        Kind::Owners => is_login(item),
        Kind::Labels => is_label(item),
        _ => is_path(item),
    };
    if fits {
        return Ok(());
    }
    let suggestion = match kind {
        Kind::Words { words, .. } => nearest(item, words.iter().copied()),
        _ => None,
    };
    Err(Problem { suggestion, ..Problem::found(quoted(item)) })
}

fn text_of(node: &Node) -> Result<&str, Problem> {
    match &node.value {
        Raw::Text(text) => Ok(text),
        Raw::Bool(_) | Raw::Integer(_) | Raw::Number(_) => {
            Err(Problem::found(describe(&node.value)).but_allowed("text; put it in quotes").on_line_of(node))
        }
        Raw::Null => Err(Problem::found("a list with an empty item").on_line_of(node)),
        Raw::List(_) | Raw::Map(_) => {
            Err(Problem::found(format!("a list that holds {}", describe(&node.value))).on_line_of(node))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::table;

    const TOO_LARGE: u64 = LARGEST + 1;

    fn raw(key: &Key, text: &str) -> Result<Value, Problem> {
        from_raw(key, &yaml::parse(text).unwrap().value)
    }

    /// Both ways of writing a value must agree, apart from what is notation of YAML alone.
    fn accepts(name: &str, text: &str) -> bool {
        let key = table::find(name).unwrap();
        let (from_text, from_raw) = (from_text(key, text), raw(key, text));
        assert_eq!(from_text.is_ok(), from_raw.is_ok(), "{name} {text}: {from_text:?} {from_raw:?}");
        if let (Ok(one), Ok(two)) = (&from_text, &from_raw) {
            assert_eq!(one, two, "{name} {text}");
        }
        from_text.is_ok()
    }

    /// The ranges as the contract has them, written out apart from the table.
    #[test]
    fn every_whole_number_has_exactly_its_range() {
        let ranges = [
            ("maxActiveSkills", 1, LARGEST),
            ("minRouteScore", 0, LARGEST),
            ("catalogDescriptionMaxLength", 3, LARGEST),
            ("maxSkillFiles", 1, LARGEST),
            ("maxSkillBytes", 1, LARGEST),
            ("remoteSearchLimit", 1, 25),
            ("remoteAutoMountLimit", 1, 5),
            ("remoteSearchTimeoutMs", 100, 120_000),
            ("remoteMinQualityScore", 0, 100),
            ("remoteMinStars", 0, 10_000_000),
            ("remoteRecentActivityDays", 1, 3650),
            ("remoteCacheTtlMs", 0, 604_800_000),
            ("remoteCacheStaleIfErrorMs", 0, 2_592_000_000),
            ("remoteCacheMaxEntries", 1, 1000),
            ("remoteHealthFailureThreshold", 1, 100),
            ("remoteHealthCooldownMs", 0, 3_600_000),
            ("installTimeoutMs", 1, LARGEST),
            ("cacheMaxEntries", 1, 10_000),
            ("cacheMaxTotalBytes", 1, LARGEST),
            ("cacheMaxIdleDays", 0, 3650),
            ("embeddingTimeoutMs", 100, 120_000),
            ("embeddingCandidateLimit", 1, 512),
            ("embeddingCacheSize", 1, 10_000),
            ("usageMaxEntries", 1, 5000),
            ("adaptiveMaxBoost", 0, 20),
            ("adaptiveMinUses", 1, 1000),
        ];
        for (name, low, high) in ranges {
            for (number, expected) in [(low, true), (high, true), (high + 1, false), (TOO_LARGE, false)] {
                assert_eq!(accepts(name, &number.to_string()), expected, "{name} {number}");
            }
            assert!(low == 0 || !accepts(name, &(low - 1).to_string()), "{name}");
            for text in
                ["-1", "1.5", "1e2", "", "many", "true", "99999999999999999999999", "010", "00", "+010"]
            {
                assert!(!accepts(name, text), "{name} {text}");
            }
        }
        let integers = table::KEYS.iter().filter(|key| matches!(key.kind, Kind::Integer(..))).count();
        assert_eq!(integers, ranges.len());
    }

    #[test]
    fn other_kinds_have_exactly_their_range() {
        for (name, good, bad) in [
            ("catalogTokenBudget", "0 64 65 1000000", "1 63 1000001 -64 64.5 off 00 064"),
            ("minEmbeddingSimilarity", "0 0.45 1 1.0", "-0.01 1.01 2 99999999999 high true"),
            ("semanticBlend", "0 0.2 0.5", "-0.1 0.51 1 00 +00 -00"),
            ("adaptiveHalfLifeDays", "0.1 30 3650", "0 0.09 3650.1 3651 010 +010"),
            ("cacheAutoPrune", "true false True FALSE", "yes no on off tRue 1 0 \"true\""),
            ("usageTracking", "true false", "yes"),
            ("adaptiveRouting", "true false", "automatic"),
            ("routerMode", "lexical fulltext hybrid", "Lexical bm25 lexical,hybrid true 1"),
            ("approvalPolicy", "always session automatic", "never on-demand"),
            ("remoteDiscovery", "automatic on-demand off", "on false always"),
            ("remoteTrustPolicy", "open community corroborated trusted", "unverified none"),
            ("mcpDiscovery", "automatic off", "on-demand"),
            ("registryDiscovery", "automatic off", "on-demand"),
            ("fetchTransport", "auto api git", "automatic ssh"),
            ("embeddingProvider", "ollama openai-compatible local", "openai"),
            ("embeddingApiKeyEnv", "MY_KEY _x", "MY-KEY 1A sk-abc $KEY"),
            ("embeddingModel", "embeddinggemma org/model:tag", ""),
            (
                "embeddingEndpoint",
                "http://a https://b.example/v1?x=1",
                "a /x ftp://a https://u:p@a https://a/#x",
            ),
        ] {
            good.split(' ').for_each(|text| assert!(accepts(name, text), "{name} {text}"));
            for text in bad.split(' ') {
                // Quotes are YAML's, so they mean something else in a file than in the environment.
                let key = table::find(name).unwrap();
                let refused = if text.contains('"') { raw(key, text).is_err() } else { !accepts(name, text) };
                assert!(refused, "{name} {text}");
            }
        }
        assert!(from_text(table::find("semanticBlend").unwrap(), "NaN").is_err());
        assert!(from_text(table::find("embeddingModel").unwrap(), " \t").is_err());
    }

    #[test]
    fn other_ways_to_write_a_number_are_for_files_only() {
        let key = table::find("maxActiveSkills").unwrap();
        for (text, expected) in [("+5", 5), ("0x10", 16), ("1_000", 1000)] {
            assert_eq!(raw(key, text), Ok(Value::Integer(expected)), "{text}");
            assert_eq!(from_text(key, text).unwrap_err().found, format!("`{text}`"));
        }
    }

    #[test]
    fn lists_take_their_normal_form() {
        for (name, text, expected) in [
            ("remoteTrustedOwners", "Zed,acme, ACME", Some("[acme, zed]")),
            ("remoteBlockedOwners", "[b, A]", Some("[a, b]")),
            ("remoteTrustedOwners", "", Some("[]")),
            ("remoteTrustedOwners", "a,,b", None),
            ("remoteTrustedOwners", "-a", None),
            ("remoteBlockedOwners", "a/b", None),
            ("mcpTrustedServers", "b,a,b", Some("[a, b]")),
            ("mcpBlockedServers", "B,a", Some("[B, a]")),
            ("mcpBlockedServers", "a b", None),
            ("remoteProviders", "github,skills.sh,github", Some("[github, skills.sh]")),
            ("remoteProviders", "registry-index,github", Some("[registry-index, github]")),
            ("remoteProviders", "registry-index", None),
            ("remoteProviders", "", None),
            ("remoteProviders", "gitlab", None),
            ("customRoots", "~/a, /b c,[d]", Some("[\"~/a\", \"/b c\", \"[d]\"]")),
            ("customRoots", "[\"a, b\", c]", Some("[\"a, b\", c]")),
            ("customRoots", "~me/a", None),
            ("customRoots", "[1]", None),
            ("customRoots", "[a", None),
        ] {
            let value = from_text(table::find(name).unwrap(), text);
            match expected {
                Some(expected) => assert_eq!(value.unwrap().to_string(), expected, "{name} {text}"),
                None => assert!(value.is_err(), "{name} {text}"),
            }
        }
    }

    #[test]
    fn a_problem_names_the_line_the_word_that_was_meant_and_no_secret() {
        let problem = |name: &str, text: &str| raw(table::find(name).unwrap(), text).unwrap_err();
        assert_eq!(problem("remoteTrustedOwners", "- a\n- b\n- -c\n").line, Some(3));
        assert_eq!(problem("remoteTrustedOwners", "[a, 12]").allowed.unwrap(), "text; put it in quotes");
        assert_eq!(problem("remoteProviders", "[skills-sh]").suggestion.unwrap(), "skills.sh");
        assert_eq!(problem("routerMode", "lexcial").suggestion.unwrap(), "lexical");
        assert_eq!(problem("routerMode", "[lexical]").found, "a list");
        assert_eq!(problem("maxActiveSkills", "").found, "empty");
        assert_eq!(problem("maxActiveSkills", "010").found, "`010`");
        assert_eq!(problem("maxActiveSkills", "1e308").found, "`1e308`");
        for (name, text) in [
            ("embeddingEndpoint", "https://me:hunter2@example.com/"),
            ("embeddingEndpoint", "me:hunter2@example.com"),
            ("embeddingEndpoint", "https://me:hunter2/x@example.com/"),
            ("embeddingEndpoint", "https://me:hunter2?x@example.com/"),
            ("embeddingEndpoint", "'https://me:hunter2#x@example.com/'"),
            ("embeddingEndpoint", "ftp://me:hunter2@example.com/"),
            ("embeddingApiKeyEnv", "sk-hunter2"),
        ] {
            assert!(!format!("{:?}", problem(name, text)).contains("hunter2"), "{name}");
        }
    }
}
