//! A skill as full-text search sees it: how often each term stands in each field.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{
    fields::{FIELDS, Field, about_parts, body_lines},
    real,
};
use crate::rank::text::terms::{Analyser, Term};

/// How many terms of a field count, so that a long one costs no more than this.
pub const LONGEST_FIELD: usize = 20_000;
/// How often two words stand side by side in a description that is stuffed with them.
const REPEATED: usize = 4;
/// How much of a stuffed description such neighbours are. In 9,196 public skills the most is 0.34.
const STUFFED: f64 = 0.4;

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
    about: Vec<Term>,
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
            if field == Field::About {
                self.about.push(term);
            }
            if field != Field::Code {
                self.pairs[number].extend(before.map(|before| pair(before, term)));
                before = Some(term);
            }
        });
    }

    /// What a stuffed description repeats is not believed: it counts nowhere in the skill. What else the description
    /// says stays, and it stays as long as it is, which dilutes the rest.
    fn distrust_stuffing(&mut self) {
        let mut neighbours: Vec<(Term, Term)> =
            self.about.windows(2).map(|window| (window[0], window[1])).collect();
        neighbours.sort_unstable();
        let repeated: Vec<&[(Term, Term)]> =
            neighbours.chunk_by(|left, right| left == right).filter(|same| same.len() >= REPEATED).collect();
        let total: usize = repeated.iter().map(|same| same.len()).sum();
        if total == 0 || real(total) < real(neighbours.len()) * STUFFED {
            return;
        }
        for (first, second) in repeated.iter().filter_map(|same| same.first()) {
            *self.terms.counts(*first) = [0; FIELDS];
            *self.terms.counts(*second) = [0; FIELDS];
        }
        self.pairs = Default::default();
        self.terms.all.retain(|(_, counts)| counts.iter().any(|&count| count > 0));
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn document(name: &str, description: &str, body: &str) -> Document {
        let texts = Texts { name, description, when_to_use: None, when_not_to_use: None, body };
        Document::of(&texts, &mut Analyser::default())
    }

    fn counts(document: &Document, word: &str) -> Counts {
        let place = document.terms.binary_search_by_key(&Term::of(word), |(term, _)| *term);
        place.map_or([0; FIELDS], |place| document.terms[place].1)
    }

    #[test]
    fn words_are_counted_by_field() {
        let texts = Texts {
            name: "pdf-reader",
            description: "Reads PDF files. Not for CSV files.",
            when_to_use: Some("When a PDF is to be read"),
            when_not_to_use: Some("Scans"),
            body: "# PDF\nRead the pdf, pdf, pdf.\n```\ncat pdf\n```",
        };
        let document = Document::of(&texts, &mut Analyser::default());
        assert_eq!(counts(&document, "pdf"), [1, 2, 0, 1, 3, 1]);
        assert_eq!(counts(&document, "file"), [0, 1, 1, 0, 0, 0]);
        assert_eq!(counts(&document, "csv"), [0, 0, 1, 0, 0, 0]);
        assert_eq!(document.shape.lengths, [2, 5, 3, 1, 4, 2]);
        assert_eq!(document.shape.distinct, [2, 3, 3, 1, 2, 2]);
        let has = |field: Field, first: &str, second: &str| {
            document.shape.pairs[field as usize].contains(&pair(Term::of(first), Term::of(second)))
        };
        assert!(has(Field::Name, "pdf", "reader") && has(Field::About, "pdf", "file"));
        assert!(!has(Field::Name, "reader", "pdf") && document.shape.pairs[Field::Code as usize].is_empty());
        assert!(document.terms.is_sorted() && document.shape.pairs.iter().all(|pairs| pairs.is_sorted()));
    }

    #[test]
    fn a_field_is_read_up_to_its_bound() {
        let long = document("a", "", &"word ".repeat(LONGEST_FIELD + 5));
        assert_eq!(long.shape.lengths[Field::Prose as usize], 20_000);
        assert_eq!(counts(&long, "word")[Field::Prose as usize], u8::MAX);
    }

    #[test]
    fn what_a_description_stuffs_counts_nowhere() {
        let stuffed =
            document("invoice-ties", &format!("Sells ties.{}", " pay invoice online".repeat(6)), "invoice");
        assert_eq!(counts(&stuffed, "invoic"), [0; FIELDS]);
        assert_eq!(counts(&stuffed, "sell")[Field::About as usize], 1);
        let honest = document("pdf", "PDF files: read PDF, split PDF, merge PDF, sign PDF and print PDF", "");
        assert_eq!(counts(&honest, "pdf")[Field::About as usize], 6);
    }

    proptest! {
        #[test]
        fn stuffing_more_gives_no_more(phrase in "[a-z]{3,8}( [a-z]{3,8}){1,3}", more in 6usize..40) {
            let of = |times: usize| {
                let document = document("name", &format!(" {phrase}").repeat(times), "");
                document.terms.iter().map(|(_, counts)| u32::from(counts[Field::About as usize])).sum::<u32>()
            };
            prop_assert!(of(more) <= of(1));
        }

        #[test]
        fn any_text_has_a_document(name in ".{0,20}", description in ".{0,80}", body in "(?s).{0,120}") {
            let document = document(&name, &description, &body);
            prop_assert!(document.terms.is_sorted_by(|left, right| left.0 < right.0));
            for field in 0..FIELDS {
                let with = document.terms.iter().filter(|(_, counts)| counts[field] > 0).count();
                prop_assert_eq!(document.shape.distinct[field] as usize, with);
                prop_assert!(document.shape.distinct[field] <= document.shape.lengths[field]);
            }
        }
    }
}
