//! A skill as full-text search sees it: how often each term stands in each field.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::fields::{FIELDS, Field, about_parts, body_lines};
use crate::rank::text::terms::{Analyser, Term};

/// How many terms of a field count, so that a long one costs no more than this.
pub const LONGEST_FIELD: usize = 20_000;
/// How often the terms of a description stand in it on average when it is stuffed. In 9,196 public skills the most
/// is 2.1.
const STUFFED: u32 = 3;
/// A shorter description is no matter.
const SHORTEST_STUFFED: u32 = 30;

/// The text of a skill.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    /// The name as its author wrote it.
    pub name: &'a str,
    /// The description.
    pub description: &'a str,
    /// When to use it, where that is written apart.
    pub when_to_use: Option<&'a str>,
    /// When not to use it.
    pub when_not_to_use: Option<&'a str>,
    /// The body, without the header.
    pub body: &'a str,
}

/// Counts of a term by field.
pub type Counts = [u8; FIELDS];

/// What search needs of one skill.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// Every term with its counts, by term.
    pub terms: Vec<(Term, Counts)>,
    /// What is not looked up by term.
    pub shape: Shape,
}

/// What of a skill is not looked up by term.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    /// How many terms each field has.
    pub lengths: [u32; FIELDS],
    /// How many different terms each field has.
    pub distinct: [u32; FIELDS],
    /// Which neighbours each field has, as sorted [`pair`]s; none for code.
    pub pairs: [Vec<u32>; FIELDS],
}

/// How many bits a pair of neighbours is told apart by.
pub const PAIR_BITS: u32 = 22;

/// Two terms that stand side by side.
pub fn pair(first: Term, second: Term) -> u32 {
    let mixed = first.0.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ second.0;
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PAIR_BITS)) as u32
}

impl Document {
    /// The document of a skill.
    pub fn of(texts: &Texts<'_>, analyser: &mut Analyser) -> Self {
        let mut builder = Builder::default();
        builder.terms.seed = xxh3_64_with_seed(texts.body.as_bytes(), xxh3_64(texts.description.as_bytes()));
        builder.add(Field::Name, texts.name, analyser);
        for text in [Some(texts.description), texts.when_to_use].into_iter().flatten() {
            for (field, part) in about_parts(text) {
                builder.add(field, part, analyser);
            }
        }
        if let Some(text) = texts.when_not_to_use {
            builder.add(Field::Not, text, analyser);
        }
        for (field, line) in body_lines(texts.body) {
            builder.add(field, line, analyser);
        }
        builder.finish()
    }
}

#[derive(Default)]
struct Builder {
    terms: Terms,
    lengths: [u32; FIELDS],
    pairs: [Vec<u32>; FIELDS],
}

impl Builder {
    fn add(&mut self, field: Field, text: &str, analyser: &mut Analyser) {
        let number = field as usize;
        let mut before = None;
        analyser.visit(text, |term| {
            if self.lengths[number] as usize == LONGEST_FIELD {
                return;
            }
            self.lengths[number] += 1;
            let count = &mut self.terms.counts(term)[number];
            *count = count.saturating_add(1);
            if field != Field::Code {
                self.pairs[number].extend(before.map(|before| pair(before, term)));
                before = Some(term);
            }
        });
    }

    /// A description that repeats a few words over and over says nothing: it counts as prose, which weighs little
    /// and is long by it.
    fn distrust_stuffing(&mut self) {
        let (about, prose) = (Field::About as usize, Field::Prose as usize);
        let distinct = self.terms.all.iter().filter(|(_, counts)| counts[about] > 0).count();
        let length = self.lengths[about];
        if length < SHORTEST_STUFFED || u64::from(length) < distinct as u64 * u64::from(STUFFED) {
            return;
        }
        for (_, counts) in &mut self.terms.all {
            counts[prose] = counts[prose].saturating_add(std::mem::take(&mut counts[about]));
        }
        self.lengths[prose] += std::mem::take(&mut self.lengths[about]);
        self.pairs[about].clear();
    }

    fn finish(mut self) -> Document {
        self.distrust_stuffing();
        let mut terms = self.terms.all;
        terms.sort_unstable_by_key(|(term, _)| *term);
        let of = |field: usize| terms.iter().filter(|(_, counts)| counts[field] > 0).count();
        let distinct = std::array::from_fn(|field| u32::try_from(of(field)).unwrap_or(u32::MAX));
        let sorted = |mut pairs: Vec<u32>| {
            pairs.sort_unstable();
            pairs.dedup();
            pairs.shrink_to_fit();
            pairs
        };
        Document { terms, shape: Shape { lengths: self.lengths, distinct, pairs: self.pairs.map(sorted) } }
    }
}

/// The different terms of a document with their counts, found by open addressing.
///
/// Where a term goes depends on the whole text, so that nobody can choose words that all go to one place.
#[derive(Default)]
struct Terms {
    seed: u64,
    all: Vec<(Term, Counts)>,
    /// One more than a place in `all`, or 0; a power of two of them, at least half of them 0.
    slots: Vec<u32>,
}

impl Terms {
    fn counts(&mut self, term: Term) -> &mut Counts {
        if self.all.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(term);
        if self.slots[slot] == 0 {
            self.all.push((term, [0; FIELDS]));
            self.slots[slot] = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        }
        &mut self.all[self.slots[slot] as usize - 1].1
    }

    /// Where a term stands, or the free slot where it would.
    fn slot(&self, term: Term) -> usize {
        let last = self.slots.len() - 1;
        let mixed = (term.0 ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mut slot = usize::try_from(mixed & last as u64).unwrap_or_default();
        while let Some(place) = (self.slots[slot] as usize).checked_sub(1)
            && self.all[place].0 != term
        {
            slot = (slot + 1) & last;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(512)];
        for (number, place) in (1..).zip(0..self.all.len()) {
            let slot = self.slot(self.all[place].0);
            self.slots[slot] = number;
        }
    }
}
