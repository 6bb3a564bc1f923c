//! What is sent to a remote source or an embedding endpoint: bounded, and without anything that looks like a
//! secret.
//!
//! Secrets are looked for in the whole text, before it is cut into words or cut short, so that no half of
//! one is sent. A query is for finding skills, so a word too many is withheld rather than one too few. What
//! is withheld is counted and never kept.
//!
//! Of a very long text only the beginning is looked at. The end of that beginning is never sent, since what
//! stands there may be the first half of a secret.

mod embedding;
mod numbers;
mod pairs;
mod secrets;
mod shapes;

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

pub use self::embedding::{EmbeddingText, SelfDescription};
use self::secrets::{Redacted, redact};
use crate::skill::unicode::{Class, class};

/// The longest query, in UTF-16 code units.
const MAX_UNITS: usize = 128;
/// How much of a text is looked at, in bytes.
const MAX_TEXT: usize = 16 * 1024;
/// How much at the end of a text that was cut off is not sent, in bytes.
const UNSURE_END: usize = 1024;
/// The most words of a task that are sent.
const MAX_WORDS: usize = 12;
/// The shortest and the longest word of a task that is sent, in characters.
const WORD_CHARS: std::ops::RangeInclusive<usize> = 2..=32;

/// English words that say nothing about a task, sorted.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can",
    "could", "do", "does", "for", "from", "had", "has", "have", "help", "how", "i", "if", "in", "into", "is",
    "it", "its", "just", "let", "like", "me", "my", "need", "needs", "no", "not", "of", "on", "or", "our",
    "out", "please", "should", "so", "some", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "up", "us", "use", "using", "want", "was", "we", "were", "what",
    "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// A query that may be sent. Searches have no other way to send text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    text: String,
    withheld: usize,
}

impl Query {
    /// The query of a person who searches: NFKC, white space collapsed, without secrets, addresses of people
    /// and paths in home folders, at most 128 UTF-16 units of the first 16 KiB. `None` when nothing is left.
    pub fn from_search(text: &str) -> Option<Self> {
        let Redacted { text, withheld } = sendable(text);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Self::bounded(&text, withheld)
    }

    /// The query for a task that an agent works on: at most 12 words of its first 16 KiB, without
    /// stop words, secrets, addresses of people and paths in home folders. `None` when nothing is left.
    pub fn from_task(task: &str) -> Option<Self> {
        let Redacted { text, withheld } = sendable(task);
        let text = text.to_lowercase();
        let mut seen = BTreeSet::new();
        let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| {
            WORD_CHARS.contains(&word.chars().count())
                && STOP_WORDS.binary_search(word).is_err()
                && seen.insert(*word)
        });
        Self::bounded(&words.take(MAX_WORDS).collect::<Vec<_>>().join(" "), withheld)
    }

    fn bounded(text: &str, withheld: usize) -> Option<Self> {
        let text = first_units(text, MAX_UNITS);
        (!text.is_empty()).then(|| Self { text: text.to_owned(), withheld })
    }

    /// The text that is sent.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many words were withheld because they look like secrets.
    pub fn withheld(&self) -> usize {
        self.withheld
    }
}

/// The first `most` UTF-16 units of a text, without half characters and white space at the end.
fn first_units(text: &str, most: usize) -> &str {
    let mut units = 0;
    let end = text.char_indices().find(|(_, character)| {
        units += character.len_utf16();
        units > most
    });
    text[..end.map_or(text.len(), |(end, _)| end)].trim_end()
}

/// The part of a text that may be sent.
fn sendable(text: &str) -> Redacted {
    let start = beginning(text, MAX_TEXT);
    let mut redacted = redact(&prepare(start));
    if start.len() < text.len() {
        let end = redacted.text.len().saturating_sub(UNSURE_END);
        redacted.text.truncate(beginning(&redacted.text, end).len());
    }
    redacted
}

/// The first `bytes` of a text, or as many less as a whole character needs.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

/// NFKC without characters that cannot be seen, which could part a secret; controls become spaces.
fn prepare(text: &str) -> String {
    let mut prepared = String::with_capacity(text.len());
    for character in text.nfkc() {
        match class(character) {
            Class::Plain => prepared.push(character),
            Class::Space | Class::LineBreak | Class::Control | Class::C1 => prepared.push(' '),
            // Some scripts need joiners inside of words.
            Class::Joiner if !prepared.ends_with(|before: char| before.is_ascii()) => {
                prepared.push(character);
            }
            _ => {}
        }
    }
    prepared
}

#[cfg(test)]
mod tests;
