//! A collection with one more document, so that a skill can be tried against a pool without making the pool anew.

use std::convert::Infallible;

use crate::rank::{
    fulltext::{
        Collection, Posting,
        document::{Counts, Document, Shape},
        fields::FIELDS,
        memory::Memory,
    },
    text::terms::Term,
};

/// A collection with one more document, behind the last.
pub struct With<'a> {
    /// The pool.
    pub memory: &'a Memory<'a>,
    /// The document behind its last.
    pub more: &'a Document,
}

impl With<'_> {
    fn counts(&self, term: Term) -> Option<Counts> {
        let place = self.more.terms.binary_search_by_key(&term, |(term, _)| *term).ok()?;
        Some(self.more.terms[place].1)
    }
}

impl Collection for With<'_> {
    type Error = Infallible;

    fn bound(&self) -> u32 {
        self.memory.bound() + 1
    }

    fn documents(&self) -> u32 {
        self.memory.documents() + 1
    }

    fn mean_lengths(&self) -> [f64; FIELDS] {
        let (means, before) = (self.memory.mean_lengths(), f64::from(self.memory.documents()));
        std::array::from_fn(|field| {
            (means[field] * before + f64::from(self.more.shape.lengths[field])) / (before + 1.0)
        })
    }

    fn lengths(&self, document: u32) -> [u32; FIELDS] {
        if document == self.memory.bound() { self.more.shape.lengths } else { self.memory.lengths(document) }
    }

    fn tie(&self, document: u32) -> u128 {
        if document == self.memory.bound() { u128::MAX } else { self.memory.tie(document) }
    }

    fn frequency(&self, term: Term) -> Result<u32, Infallible> {
        Ok(self.memory.frequency(term)? + u32::from(self.counts(term).is_some()))
    }

    fn postings(&self, term: Term) -> Result<Vec<Posting>, Infallible> {
        let mut postings = self.memory.postings(term)?;
        let more = self.counts(term).map(|counts| Posting { document: self.memory.bound(), counts });
        postings.extend(more);
        Ok(postings)
    }

    fn shape(&self, document: u32) -> Result<Shape, Infallible> {
        if document == self.memory.bound() {
            Ok(self.more.shape.clone())
        } else {
            self.memory.shape(document)
        }
    }
}
