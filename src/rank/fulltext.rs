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
use fields::FIELDS;
use prompt::Prompt;

use super::text::terms::Term;

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
    /// The best documents with their scores, best first.
    pub best: Vec<(u32, f64)>,
}

/// A count, to be calculated with.
#[expect(clippy::cast_precision_loss, reason = "nothing that is counted here comes near 2^52")]
pub(super) fn real(count: usize) -> f64 {
    count as f64
}

/// How rare a term is, as BM25 counts it; never negative.
fn information(documents: u32, frequency: usize) -> f64 {
    let (documents, frequency) = (f64::from(documents), real(frequency));
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
    let relative = f64::from(lengths[field]) / means[field].max(1.0);
    weights.field[field] * f64::from(counts[field]) / (1.0 - share + share * relative)
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
    let mut terms = Vec::new();
    for (place, term) in prompt.terms.iter().enumerate() {
        let frequency = collection.frequency(term.term)? as usize;
        if frequency > 0 {
            terms.push((place, term.count.sqrt() * information(collection.documents(), frequency)));
        }
    }
    terms.sort_by(|(left_place, left), (right_place, right)| {
        right.total_cmp(left).then(left_place.cmp(right_place))
    });
    terms.truncate(MOST_TERMS);
    terms.sort_unstable_by_key(|&(place, _)| place);
    let mut lookups = Vec::new();
    for (place, _) in terms {
        let postings = collection.postings(prompt.terms[place].term)?;
        if postings.is_empty() {
            continue;
        }
        let information = information(collection.documents(), postings.len());
        lookups.push(Lookup {
            place,
            information,
            weight: prompt.terms[place].count.sqrt() * information,
            postings,
        });
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
    Ok(Found { lookups, best: best(&scores, most, |document| collection.tie(document)) })
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
