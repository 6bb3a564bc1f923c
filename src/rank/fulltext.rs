//! Full-text search: BM25F over the fields of a skill.
//!
//! The fields of a term are weighed and normalised by length first and share one saturation (Robertson and
//! Zaragoza, "The Probabilistic Relevance Framework", 2009, section 3.6): a term that stands in the name and in
//! the body counts once, and not as two terms would. Weights and constants were measured on prompts that skill
//! authors wrote.

pub mod document;
pub mod fields;
pub mod memory;
pub mod prompt;

use std::cmp::Ordering;

use document::{Counts, Shape};
use fields::{FIELDS, Field};
use prompt::Prompt;

use super::text::{common, terms::Term};

/// How much a field counts, and how much of its length is taken out.
#[derive(Debug, Clone, Copy)]
pub struct Weights {
    /// What an occurrence counts, by field.
    pub field: [f64; FIELDS],
    /// How much a longer field dilutes what stands in it: from 0, not at all, to 1.
    pub length: [f64; FIELDS],
    /// Where repetition stops to count: k1 of BM25.
    pub saturation: f64,
}

impl Weights {
    /// What was measured as best: for name, about, not-for, headings, prose and code.
    pub const MEASURED: Self = Self {
        field: [16.0, 5.0, 0.0, 1.0, 0.5, 0.1],
        length: [0.6, 0.5, 0.0, 0.6, 0.75, 0.75],
        saturation: 1.5,
    };
}

/// A skill that a term stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The number of the document.
    pub document: u32,
    /// How often the term stands in each field.
    pub counts: Counts,
}

/// Documents that can be searched.
pub trait Collection {
    /// What can go wrong when it is read.
    type Error;

    /// One more than the largest number of a document.
    fn bound(&self) -> u32;

    /// How many documents there are.
    fn documents(&self) -> u32;

    /// How many terms a field has in the middle.
    fn mean_lengths(&self) -> [f64; FIELDS];

    /// How many terms the fields of a document have.
    fn lengths(&self, document: u32) -> [u32; FIELDS];

    /// What settles the order of documents that score the same: it must not depend on how they are numbered.
    fn tie(&self, document: u32) -> u128;

    /// In how many documents a term stands, at most.
    ///
    /// # Errors
    ///
    /// When the collection cannot be read.
    fn frequency(&self, term: Term) -> Result<u32, Self::Error>;

    /// Where a term stands, by document.
    ///
    /// # Errors
    ///
    /// When the collection cannot be read.
    fn postings(&self, term: Term) -> Result<Vec<Posting>, Self::Error>;

    /// What of a document is not looked up by term.
    ///
    /// # Errors
    ///
    /// When the collection cannot be read.
    fn shape(&self, document: u32) -> Result<Shape, Self::Error>;
}

/// The least length of a description in proportion to the mean.
const LEAST_ABOUT: f64 = 0.5;

/// How many terms of a prompt are looked up: the most informative ones, so that a pasted log costs no more.
pub const MOST_TERMS: usize = 64;

/// A term of a prompt with all that is known of it.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// Its place in [`Prompt::terms`].
    pub place: usize,
    /// How much it tells: the logarithm of how rare it is.
    pub information: f64,
    /// `information` times the root of how often the prompt has it.
    pub weight: f64,
    /// Where it stands.
    pub postings: Vec<Posting>,
}

impl Lookup {
    /// How often the term stands in the fields of a document.
    pub fn counts(&self, document: u32) -> Counts {
        let place = self.postings.binary_search_by_key(&document, |posting| posting.document);
        place.map_or([0; FIELDS], |place| self.postings[place].counts)
    }
}

/// What a search found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The terms that were looked up and stand somewhere, in the order of the prompt.
    pub lookups: Vec<Lookup>,
    /// The weight of the common words of the prompt that stand nowhere here.
    pub missing: f64,
    /// The best documents with their scores, best first.
    pub best: Vec<(u32, f64)>,
}

/// A count, to be calculated with.
#[expect(clippy::cast_precision_loss, reason = "nothing that is counted here comes near 2^52")]
pub(super) fn real(count: usize) -> f64 {
    count as f64
}

/// How many skills in general stand behind a collection: as many as make little difference to a large one.
const GENERAL: f64 = 100.0;

/// How rare a term is, as BM25 counts it, among the documents and [`GENERAL`] skills of which `share` have it; never
/// negative.
fn information(documents: u32, frequency: usize, share: f64) -> f64 {
    let (documents, frequency) = (f64::from(documents) + GENERAL, real(frequency) + GENERAL * share);
    (1.0 + (documents - frequency + 0.5).max(0.0) / (frequency + 0.5)).ln()
}

/// The weighted count of a term in one document: each field by its weight and length.
pub fn weighed(counts: Counts, lengths: &[u32; FIELDS], means: &[f64; FIELDS], weights: &Weights) -> f64 {
    (0..FIELDS)
        .filter(|&field| counts[field] > 0)
        .map(|field| in_field(field, counts, lengths, means, weights))
        .sum()
}

fn in_field(
    field: usize,
    counts: Counts,
    lengths: &[u32; FIELDS],
    means: &[f64; FIELDS],
    weights: &Weights,
) -> f64 {
    let share = weights.length[field];
    let relative = relative_length(field, lengths, means);
    weights.field[field] * f64::from(counts[field]) / (1.0 - share + share * relative)
}

/// How long a field is in proportion to others. What is much shorter than others is no surer for it, so that a
/// description of three words gains nothing over one of a sentence.
pub(super) fn relative_length(field: usize, lengths: &[u32; FIELDS], means: &[f64; FIELDS]) -> f64 {
    let least = if field == Field::About as usize { LEAST_ABOUT } else { 0.0 };
    (f64::from(lengths[field]) / means[field].max(1.0)).max(least)
}

/// The best `most` documents for a prompt.
///
/// # Errors
///
/// When the collection cannot be read.
pub fn search<C: Collection>(
    prompt: &Prompt,
    collection: &C,
    weights: &Weights,
    most: usize,
) -> Result<Found, C::Error> {
    let (mut terms, mut absent) = (Vec::new(), Vec::new());
    for (place, term) in prompt.terms.iter().enumerate() {
        let frequency = collection.frequency(term.term)? as usize;
        let share = common::share(&term.word);
        let information = information(collection.documents(), frequency, share.unwrap_or_default());
        let weight = term.count.sqrt() * information;
        if frequency > 0 {
            terms.push((place, information, weight));
        } else if share.is_some() && !term.is_translation {
            // A Chinese word has several translations, of which one is as good as all.
            absent.push(weight);
        }
    }
    terms.sort_by(|left, right| right.2.total_cmp(&left.2).then(left.0.cmp(&right.0)));
    terms.truncate(MOST_TERMS);
    terms.sort_unstable_by_key(|&(place, ..)| place);
    // Words that no skill has take no place of one that is looked up, and are bounded like those.
    absent.sort_by(|left, right| right.total_cmp(left));
    let missing = absent.iter().take(MOST_TERMS).sum();
    let mut lookups = Vec::new();
    for (place, information, weight) in terms {
        let postings = collection.postings(prompt.terms[place].term)?;
        lookups.push(Lookup { place, information, weight, postings });
    }
    let means = collection.mean_lengths();
    let mut scores = vec![0.0; collection.bound() as usize];
    for lookup in &lookups {
        for posting in &lookup.postings {
            let lengths = collection.lengths(posting.document);
            let count = weighed(posting.counts, &lengths, &means, weights);
            scores[posting.document as usize] += lookup.weight * count / (weights.saturation + count);
        }
    }
    Ok(Found { lookups, missing, best: best(&scores, most, |document| collection.tie(document)) })
}

/// The highest of the scores above 0, each with its number; equal ones in the order of `tie`.
fn best(scores: &[f64], most: usize, tie: impl Fn(u32) -> u128) -> Vec<(u32, f64)> {
    let mut best: Vec<(u32, f64)> = (0u32..)
        .zip(scores)
        .filter(|(_, score)| **score > 0.0)
        .map(|(number, &score)| (number, score))
        .collect();
    let order = |left: &(u32, f64), right: &(u32, f64)| -> Ordering {
        right.1.total_cmp(&left.1).then_with(|| tie(left.0).cmp(&tie(right.0)))
    };
    if best.len() > most && most > 0 {
        best.select_nth_unstable_by(most - 1, order);
        best.truncate(most);
    }
    best.sort_by(order);
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::text::terms::Analyser;
    use document::{Document, Texts};
    use memory::Memory;

    fn documents(texts: &[(&str, &str, &str)]) -> Vec<Document> {
        let mut analyser = Analyser::default();
        let document = |(name, description, body): &(&str, &str, &str)| {
            Document::of(
                &Texts { name, description, when_to_use: None, when_not_to_use: None, body },
                &mut analyser,
            )
        };
        texts.iter().map(document).collect()
    }

    fn found(documents: &[Document], prompt: &str, most: usize) -> Found {
        let prompt = Prompt::of(prompt, &mut Analyser::default());
        let Ok(found) = search(&prompt, &Memory::of(documents), &Weights::MEASURED, most);
        found
    }

    #[test]
    fn fields_share_one_saturation() {
        let documents = documents(&[
            ("pdf", "Reads pages", ""),
            ("reader", "Reads pdf pages", ""),
            ("writer", "Writes pages", "Also a pdf"),
            ("other", "Reads nothing", ""),
        ]);
        let best = found(&documents, "pdf", 10).best;
        let order: Vec<u32> = best.iter().map(|(document, _)| *document).collect();
        assert_eq!(order, [0, 1, 2]);
        // Saturation keeps a name at less than the whole weight of the term, and prose above a quarter of a name.
        assert!(best[0].1 < best[2].1 * 4.0 && best[0].1 > best[1].1);
        assert_eq!(found(&documents, "pdf", 2).best.len(), 2);
        assert!(found(&documents, "nothing here fits", 10).best.iter().all(|(document, _)| *document == 3));
    }

    #[test]
    fn common_words_that_nobody_has_are_missing() {
        let documents = documents(&[("pdf", "Reads pages", "")]);
        let with_common = found(&documents, "deploy the pdf", 10);
        assert!(with_common.missing > 0.0 && with_common.lookups.len() == 1);
        assert!(found(&documents, "qwxzy the pdf", 10).missing.abs() < 1e-12);
    }

    #[test]
    fn a_rare_word_tells_more_in_any_pool() {
        for documents in [1, 10, 10_000] {
            assert!(information(documents, 1, 0.0) > information(documents, 1, 0.3));
            assert!(information(documents, documents as usize, 1.0) >= 0.0);
        }
        assert!(information(10_000, 10, 0.0) > information(10_000, 1_000, 0.0));
    }

    #[test]
    fn only_so_many_terms_are_looked_up() {
        let words: Vec<String> = (0..200).map(|number| format!("word{number}x")).collect();
        let documents = documents(&[("all", &words.join(" "), "")]);
        assert_eq!(found(&documents, &words.join(" "), 10).lookups.len(), MOST_TERMS);
    }
}
