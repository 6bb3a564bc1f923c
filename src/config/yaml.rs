//! Reads YAML text into a small tree that remembers lines.
//!
//! Strict on purpose: booleans are `true` and `false` only, merge keys, unknown tags and duplicate
//! keys are errors, and depth, nodes and aliases are bounded, so that a hostile file is refused in
//! linear time. It knows nothing of keys or ranges.

use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;
use serde_yaml::budget::BudgetBreach;
use serde_yaml::options::MergeKeyPolicy;

use super::error::{ConfigError, quoted, shown};

/// A value and the place where it was written.
pub(super) type Node = Spanned<Raw>;

/// One line of a mapping: the key and the value, each with its place.
pub(super) type Entry = (Spanned<String>, Node);

/// A YAML value before it is known what it should be.
#[derive(Debug, Clone)]
pub(super) enum Raw {
    /// Nothing, `~` or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number from 0.
    Integer(u64),
    /// Any other number.
    Number(f64),
    /// Text, quoted or plain.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping in the order of the file.
    Map(Vec<Entry>),
}

impl Raw {
    /// Whether both trees hold the same values, wherever they stand.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(one), Self::Bool(two)) => one == two,
            (Self::Integer(one), Self::Integer(two)) => one == two,
            (Self::Number(one), Self::Number(two)) => one.to_bits() == two.to_bits(),
            (Self::Text(one), Self::Text(two)) => one == two,
            (Self::List(one), Self::List(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.value.same(&two.value))
            }
            (Self::Map(one), Self::Map(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| same_entry(one, two))
            }
            _ => false,
        }
    }
}

/// Whether two lines of a mapping hold the same key and value.
pub(super) fn same_entry(one: &Entry, two: &Entry) -> bool {
    one.0.value == two.0.value && one.1.value.same(&two.1.value)
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(Self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Integer(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        // A number below zero is outside every range, so its text is all that is still needed.
        Ok(u64::try_from(value).map_or_else(|_| Raw::Text(value.to_string()), Raw::Integer))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Raw, E> {
        Ok(u64::try_from(value).map_or_else(|_| Raw::Text(value.to_string()), Raw::Integer))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Raw, E> {
        Ok(u64::try_from(value).map_or_else(|_| Raw::Text(value.to_string()), Raw::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Raw, E> {
        Ok(Raw::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut mapping: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = mapping.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}

/// Parses one YAML value; an empty text is [`Raw::Null`].
///
/// On failure the line and column, each from 1, and the reason.
pub(super) fn parse(text: &str) -> Result<Node, (u64, u64, String)> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_depth: 16,
            flow_nesting_limit: 16,
            max_nodes: 50_000,
            max_events: 150_000,
            max_aliases: 16,
            max_anchors: 16,
            max_documents: 1,
        },
        alias_limits: serde_yaml::alias_limits! { max_total_replayed_events: 10_000 },
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| {
        let place = error.location();
        let line = place.map_or(1, |place| place.line());
        let column = place.map_or(1, |place| place.column());
        (line, column, reason(&error))
    })
}

/// Parses the text of a file that must be a mapping; an empty file has no entries.
pub(super) fn parse_file(file: &Path, text: &str) -> Result<Vec<Entry>, ConfigError> {
    let error = |line, column, reason| ConfigError::Yaml { file: file.to_owned(), line, column, reason };
    let node = parse(text).map_err(|(line, column, reason)| error(line, column, reason))?;
    entries(node).map_err(|place| error(place.0, place.1, "expected lines of the form `key: value`".into()))
}

/// The entries of a mapping, none for an empty value, else the line and column of what is no mapping.
pub(super) fn entries(node: Node) -> Result<Vec<Entry>, (u64, u64)> {
    match node.value {
        Raw::Map(entries) => Ok(entries),
        Raw::Null => Ok(Vec::new()),
        _ => Err((node.referenced.line(), node.referenced.column())),
    }
}

/// What is wrong, as one line without the place, which the caller has.
fn reason(error: &serde_yaml::Error) -> String {
    match error.without_snippet() {
        serde_yaml::Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key {} stands here a second time", quoted(key))
        }
        serde_yaml::Error::MergeKeyNotAllowed { .. } => "merge keys (`<<`) are not allowed".to_owned(),
        serde_yaml::Error::Budget { breach: BudgetBreach::Documents { .. }, .. } => {
            "one file holds one YAML document".to_owned()
        }
        serde_yaml::Error::Budget { .. } => "nested too deeply, or too many values or aliases".to_owned(),
        other => {
            let message = other.to_string();
            let first = message.lines().next().unwrap_or_default();
            let first = first.rfind(" at line ").map_or(first, |end| &first[..end]);
            shown(first.strip_prefix("error: ").unwrap_or(first))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key, its line, and the first byte and the number of bytes of its value.
    type EntryPlace = (String, u64, Option<(u64, u64)>);

    fn entry_places(text: &str) -> Vec<EntryPlace> {
        let entries = entries(parse(text).unwrap()).unwrap();
        let place = |(key, node): Entry| {
            let span = node.referenced.span();
            (key.value, key.referenced.line(), span.byte_offset().zip(span.byte_len()))
        };
        entries.into_iter().map(place).collect()
    }

    #[test]
    fn keys_know_their_line_and_scalars_their_bytes() {
        let text = "a: 1\n'b': \"two\"  # ç\nc:\n  - 1\nd: é # x\n";
        let places = entry_places(text);
        assert_eq!(places[0], ("a".to_owned(), 1, Some((3, 1))));
        assert_eq!(places[1], ("b".to_owned(), 2, Some((10, 5))));
        assert_eq!((places[2].0.as_str(), places[2].1), ("c", 3));
        assert_eq!(places[3], ("d".to_owned(), 5, Some((34, 2))));
        assert_eq!(entry_places("---\r\na: 1\r\n")[0].1, 2);
        assert_eq!(entry_places("# a comment only\n"), []);
    }

    #[test]
    fn what_is_not_strict_yaml_is_refused_with_its_place() {
        for (text, line, word) in [
            ("a: 1\na: 2\n", 2, "second time"),
            ("x: {b: 1, b: 2}\n", 1, "second time"),
            ("a: 1\n\nb: [1\n", 3, "bracket"),
            ("a: b: c\n", 1, "not allowed"),
            ("<<: {a: 1}\n", 1, "merge keys"),
            ("a: !!python/x 1\n", 1, "tag"),
            ("a: 1\n---\nb: 2\n", 2, "one YAML document"),
            ("a: 1e400\n", 1, "non-finite"),
            ("a: 1\nb: \u{0}\n", 2, "character"),
        ] {
            let (found, _, reason) = parse(text).unwrap_err();
            assert_eq!(found, line, "{text:?} {reason}");
            assert!(reason.contains(word) && !reason.contains("at line"), "{text:?} {reason}");
        }
    }

    #[test]
    fn hostile_text_is_refused() {
        let level = |level: usize, width: usize| {
            format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); width].join(", "))
        };
        let bomb = |bottom: usize, levels: usize, width: usize| {
            let lines: Vec<_> = (1..levels).map(|number| level(number, width)).collect();
            format!("a0: &a0 [{}]\n{}", "x, ".repeat(bottom), lines.concat())
        };
        let nested = ["[", "{", "- ", "? "].map(|open| open.repeat(100_000));
        for text in nested.into_iter().chain([bomb(9, 12, 9), bomb(2_000, 9, 2)]) {
            let (_, _, reason) = parse(&text).unwrap_err();
            assert!(!reason.is_empty() && reason.len() < 400, "{reason}");
        }
    }

    #[test]
    fn words_that_other_readers_take_for_booleans_stay_text() {
        for word in ["off", "on", "yes", "no", "010"] {
            assert!(parse(word).unwrap().value.same(&Raw::Text(word.to_owned())), "{word}");
        }
    }
}
