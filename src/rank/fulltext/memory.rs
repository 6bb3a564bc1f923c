//! A collection in memory: the documents of one run, looked up by term.
//!
//! It is made at once and never changed. The persistent index of this machine's skills stands in
//! [`crate::store`]; both answer the same questions ([`Collection`]), so that a search gives the same order in
//! either.

use std::convert::Infallible;

use super::{
    Collection, Posting,
    document::{Document, Shape},
    fields::FIELDS,
    real,
};
use crate::rank::text::terms::Term;

/// Documents by term.
#[derive(Debug)]
pub struct Memory<'a> {
    /// Every term that stands in a document, sorted.
    terms: Vec<Term>,
    /// Where the postings of each term begin, and behind the last one where they end.
    starts: Vec<usize>,
    postings: Vec<Posting>,
    shapes: Vec<&'a Shape>,
    means: [f64; FIELDS],
}

impl<'a> Memory<'a> {
    /// The collection of `documents`, which are numbered in their order.
    pub fn of(documents: impl IntoIterator<Item = &'a Document>) -> Self {
        let mut all: Vec<(Term, Posting)> = Vec::new();
        let mut shapes = Vec::new();
        let mut totals = [0.0; FIELDS];
        for (number, document) in (0u32..).zip(documents) {
            let of = |&(term, counts)| (term, Posting { document: number, counts });
            all.extend(document.terms.iter().map(of));
            for (total, length) in totals.iter_mut().zip(document.shape.lengths) {
                *total += f64::from(length);
            }
            shapes.push(&document.shape);
        }
        all.sort_unstable_by_key(|(term, posting)| (*term, posting.document));
        let (mut terms, mut starts) = (Vec::new(), Vec::new());
        for (place, (term, _)) in all.iter().enumerate() {
            if terms.last() != Some(term) {
                terms.push(*term);
                starts.push(place);
            }
        }
        starts.push(all.len());
        let count = real(shapes.len()).max(1.0);
        Self {
            terms,
            starts,
            postings: all.into_iter().map(|(_, posting)| posting).collect(),
            shapes,
            means: totals.map(|total| total / count),
        }
    }

    fn of_term(&self, term: Term) -> &[Posting] {
        let place = self.terms.binary_search(&term);
        place.map_or(&[], |place| &self.postings[self.starts[place]..self.starts[place + 1]])
    }
}

impl Collection for Memory<'_> {
    type Error = Infallible;

    fn bound(&self) -> u32 {
        self.documents()
    }

    fn documents(&self) -> u32 {
        u32::try_from(self.shapes.len()).unwrap_or(u32::MAX)
    }

    fn mean_lengths(&self) -> [f64; FIELDS] {
        self.means
    }

    fn lengths(&self, document: u32) -> [u32; FIELDS] {
        self.shapes[document as usize].lengths
    }

    fn tie(&self, document: u32) -> u128 {
        u128::from(document)
    }

    fn frequency(&self, term: Term) -> Result<u32, Infallible> {
        Ok(u32::try_from(self.of_term(term).len()).unwrap_or(u32::MAX))
    }

    fn postings(&self, term: Term) -> Result<Vec<Posting>, Infallible> {
        Ok(self.of_term(term).to_vec())
    }

    fn shape(&self, document: u32) -> Result<Shape, Infallible> {
        Ok(self.shapes[document as usize].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::{
        fulltext::{Weights, document::Texts, prompt::Prompt, search},
        text::terms::Analyser,
    };

    fn document(name: &str, description: &str, body: &str) -> Document {
        let texts = Texts { name, description, when_to_use: None, when_not_to_use: None, body };
        Document::of(&texts, &mut Analyser::default())
    }

    #[test]
    fn terms_are_found_where_they_stand() {
        let documents = [
            document("pdf", "Reads PDF files", "pdf"),
            document("csv", "Reads tables", ""),
            Document::default(),
        ];
        let memory = Memory::of(&documents);
        assert_eq!((memory.documents(), memory.bound()), (3, 3));
        assert_eq!(format!("{:.3?}", memory.mean_lengths()), "[0.667, 1.667, 0.000, 0.000, 0.333, 0.000]");
        let pdf = memory.postings(Term::of("pdf")).unwrap();
        assert_eq!(pdf, [Posting { document: 0, counts: [1, 1, 0, 0, 1, 0] }]);
        assert_eq!(memory.frequency(Term::of("read")), Ok(2));
        assert_eq!(memory.frequency(Term::of("xls")), Ok(0));
        assert_eq!(memory.lengths(1), documents[1].shape.lengths);
        assert_eq!(memory.shape(0).unwrap(), documents[0].shape);
    }

    #[test]
    fn an_empty_collection_finds_nothing() {
        let memory = Memory::of([]);
        let prompt = Prompt::of("read a pdf", &mut Analyser::default());
        let found = search(&prompt, &memory, &Weights::MEASURED, 5).unwrap();
        assert!(found.best.is_empty() && found.lookups.is_empty());
    }
}
