//! The documents of a view, ready to be searched.

use super::segment::{Card, Segment, SegmentError};
use crate::rank::{
    fulltext::{Collection, Posting, document::Shape, fields::FIELDS},
    text::terms::Term,
};

/// That the index was damaged or changed under a search: it is made again and searched anew.
#[derive(Debug, thiserror::Error)]
#[error("the search index cannot be read: {0}")]
pub struct IndexError(#[source] Box<dyn std::error::Error + Send + Sync>);

impl From<SegmentError> for IndexError {
    fn from(error: SegmentError) -> Self {
        Self(Box::new(error))
    }
}

/// Documents of one or several views. Each has a number that holds as long as this value.
#[derive(Default)]
pub struct Documents {
    segments: Vec<Part>,
    /// By number; `None` for documents that are not searched.
    cards: Vec<Option<Card>>,
    searched: u32,
    totals: [u64; FIELDS],
}

struct Part {
    segment: Segment,
    /// The number of its first document.
    first: u32,
    /// Whether all its documents are searched.
    is_whole: bool,
}

impl Documents {
    pub(super) fn new(segments: Vec<(Segment, Vec<u32>)>) -> Self {
        let mut documents =
            Self { segments: Vec::new(), cards: Vec::new(), searched: 0, totals: [0; FIELDS] };
        for (segment, members) in segments {
            let start = documents.cards.len();
            documents.cards.resize(start + segment.cards.len(), None);
            for member in members {
                if let Some(card) = segment.cards.get(member as usize) {
                    documents.cards[start + member as usize] = Some(*card);
                }
            }
            let first = u32::try_from(start).unwrap_or(u32::MAX);
            documents.segments.push(Part { segment, first, is_whole: false });
        }
        documents.count();
        documents
    }

    /// These and other documents together.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let first = u32::try_from(self.cards.len()).unwrap_or(u32::MAX);
        self.cards.extend(other.cards);
        self.segments.extend(
            other.segments.into_iter().map(|part| Part { first: part.first.saturating_add(first), ..part }),
        );
        self.count();
        self
    }

    /// Leaves out the documents that are not `kept`.
    #[must_use]
    pub fn retain(mut self, kept: impl Fn(u32, &Card) -> bool) -> Self {
        for (number, card) in (0u32..).zip(&mut self.cards) {
            if card.is_some_and(|card| !kept(number, &card)) {
                *card = None;
            }
        }
        self.count();
        self
    }

    fn count(&mut self) {
        self.searched = 0;
        self.totals = [0; FIELDS];
        for card in self.cards.iter().flatten() {
            self.searched += 1;
            for (total, length) in self.totals.iter_mut().zip(card.lengths) {
                *total += u64::from(length);
            }
        }
        for part in &mut self.segments {
            let cards = &self.cards[part.first as usize..][..part.segment.cards.len()];
            part.is_whole = cards.iter().all(Option::is_some);
        }
    }

    /// The documents that are searched, with their numbers.
    pub fn cards(&self) -> impl Iterator<Item = (u32, &Card)> {
        (0u32..).zip(&self.cards).filter_map(|(number, card)| Some((number, card.as_ref()?)))
    }

    /// What is kept of a document; `None` for one that is not searched.
    pub fn card(&self, document: u32) -> Option<&Card> {
        self.cards.get(document as usize)?.as_ref()
    }

    /// What the owner of a document stored with it.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    pub fn record(&self, document: u32) -> Result<Vec<u8>, IndexError> {
        let part = self.part(document);
        Ok(part.segment.record(document - part.first)?)
    }

    fn part(&self, document: u32) -> &Part {
        let after = self.segments.partition_point(|part| part.first <= document);
        &self.segments[after - 1]
    }

    /// Where a term stands in the documents of a part that are searched.
    fn searched_in<'a>(
        &'a self,
        part: &'a Part,
        term: Term,
    ) -> Result<impl Iterator<Item = Posting> + 'a, IndexError> {
        let postings = part.segment.postings(term)?;
        let numbered = postings
            .into_iter()
            .map(|posting| Posting { document: posting.document + part.first, ..posting });
        Ok(numbered.filter(|posting| part.is_whole || self.cards[posting.document as usize].is_some()))
    }
}

impl Collection for Documents {
    type Error = IndexError;

    fn bound(&self) -> u32 {
        u32::try_from(self.cards.len()).unwrap_or(u32::MAX)
    }

    fn documents(&self) -> u32 {
        self.searched
    }

    fn mean_lengths(&self) -> [f64; FIELDS] {
        #[expect(clippy::cast_precision_loss, reason = "2^52 terms are not reached")]
        self.totals.map(|total| total as f64 / f64::from(self.searched.max(1)))
    }

    fn lengths(&self, document: u32) -> [u32; FIELDS] {
        self.cards[document as usize].map_or([0; FIELDS], |card| card.lengths.map(u32::from))
    }

    fn tie(&self, document: u32) -> u128 {
        self.cards[document as usize].map_or(0, |card| card.key)
    }

    /// Exactly in how many documents that are searched: which terms of a long prompt are looked up must not depend on
    /// what else lies in the segments.
    fn frequency(&self, term: Term) -> Result<u32, IndexError> {
        let mut frequency = 0u32;
        for part in &self.segments {
            let in_part = if part.is_whole {
                part.segment.frequency(term)?
            } else {
                u32::try_from(self.searched_in(part, term)?.count()).unwrap_or(u32::MAX)
            };
            frequency = frequency.saturating_add(in_part);
        }
        Ok(frequency)
    }

    fn postings(&self, term: Term) -> Result<Vec<Posting>, IndexError> {
        let mut all = Vec::new();
        for part in &self.segments {
            all.extend(self.searched_in(part, term)?);
        }
        Ok(all)
    }

    fn shape(&self, document: u32) -> Result<Shape, IndexError> {
        let part = self.part(document);
        Ok(part.segment.shape(document - part.first)?)
    }
}

#[cfg(test)]
mod tests;
