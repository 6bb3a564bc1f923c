//! A skill as full-text search sees it: how often each term stands in each field.

use std::collections::BTreeSet;

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
    occurrences: Vec<(Term, Field)>,
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
            self.occurrences.push((term, field));
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
        let terms = self.occurrences.iter().filter(|(_, field)| *field == Field::About);
        let distinct = terms.map(|(term, _)| term).collect::<BTreeSet<_>>().len();
        let length = self.lengths[about];
        if length < SHORTEST_STUFFED || u64::from(length) < distinct as u64 * u64::from(STUFFED) {
            return;
        }
        for (_, field) in &mut self.occurrences {
            if *field == Field::About {
                *field = Field::Prose;
            }
        }
        self.lengths[prose] += std::mem::take(&mut self.lengths[about]);
        self.pairs[about].clear();
    }

    fn finish(mut self) -> Document {
        self.distrust_stuffing();
        self.occurrences.sort_unstable();
        let mut terms: Vec<(Term, Counts)> = Vec::new();
        let mut distinct = [0; FIELDS];
        for (term, field) in self.occurrences {
            if terms.last().is_none_or(|(last, _)| *last != term) {
                terms.push((term, [0; FIELDS]));
            }
            if let Some((_, counts)) = terms.last_mut() {
                let count = &mut counts[field as usize];
                distinct[field as usize] += u32::from(*count == 0);
                *count = count.saturating_add(1);
            }
        }
        let sorted = |pairs: Vec<u32>| pairs.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        Document { terms, shape: Shape { lengths: self.lengths, distinct, pairs: self.pairs.map(sorted) } }
    }
}
