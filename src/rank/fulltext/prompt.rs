//! A prompt as full-text search sees it.

use crate::rank::text::{
    chinese::Chinese,
    is_han, normalise,
    terms::{Analyser, Term},
};

use super::document::pair;

/// How much of a prompt is read, in bytes: beyond it stand logs and files that were pasted.
const MOST_BYTES: usize = 256 * 1024;
/// What an English word counts that stands for a Chinese one.
const TRANSLATED: f64 = 1.0;

/// A term of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptTerm {
    /// The term.
    pub term: Term,
    /// Its text.
    pub word: String,
    /// How often the prompt has it; translations count as [`TRANSLATED`].
    pub count: f64,
    /// Where it stands first, counted in terms.
    pub first: usize,
}

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prompt {
    /// The different terms, in the order in which they come first; translations behind them.
    pub terms: Vec<PromptTerm>,
    /// Which terms stand side by side, sorted.
    pub pairs: Vec<u32>,
    /// The text, normalised, for names that are typed as they are.
    pub text: String,
}

impl Prompt {
    /// The prompt of a text.
    pub fn of(text: &str, analyser: &mut Analyser) -> Self {
        let text = beginning(text, MOST_BYTES);
        let mut prompt = Self { text: normalise(text), ..Self::default() };
        let mut places = std::collections::BTreeMap::new();
        let (mut before, mut stands) = (None, 0);
        let mut add = |prompt: &mut Self, word: &str, count: f64, first: usize| {
            let term = Term::of(word);
            let place = *places.entry(term).or_insert(prompt.terms.len());
            match prompt.terms.get_mut(place) {
                Some(known) => known.count += count,
                None => prompt.terms.push(PromptTerm { term, word: word.to_owned(), count, first }),
            }
            term
        };
        analyser.visit_words(text, |word| {
            let term = add(&mut prompt, word, 1.0, stands);
            stands += 1;
            prompt.pairs.extend(before.filter(|before| *before != term).map(|before| pair(before, term)));
            before = Some(term);
        });
        if analyser.analysis().translations && text.chars().any(is_han) {
            Chinese::load().visit(text, |stem| {
                add(&mut prompt, analyser.stem(stem), TRANSLATED, 0);
            });
        }
        prompt.pairs.sort_unstable();
        prompt.pairs.dedup();
        prompt
    }
}

/// At most so many bytes of a text, up to a whole character.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default();
    &text[..end]
}
