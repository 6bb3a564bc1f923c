//! A segment: an immutable file with the terms of some skills, read at the places that a search needs.
//!
//! ```text
//! header        magic, version, counts, a mark of the documents, where each part ends, a hash of these
//! documents     by number: key, hashes of slug and name, kind, lengths of the fields
//! terms         by hash, in blocks: hash, where its postings are, how many bytes and skills
//! first hashes  of each block of terms
//! postings      by term: differences of document numbers, which fields, how often
//! shapes        by document: different terms and neighbours of each field
//! records       by document: what its owner stored, not understood here
//! ```
//!
//! Numbers are little-endian; lists are LEB128. Each part that is read on its own ends with a hash of its bytes,
//! so that damage is noticed before anything of it is used. Beyond that no number of a file is believed: nothing
//! outside of a part is read, no more memory taken than the file has bytes, and no document is one that is not there.
//! [`super::assemble`] writes it.

use std::{io, ops::Range};

use super::bytes::{Damaged, Reader, SEAL, unseal};
use crate::rank::{
    fulltext::{
        Posting,
        document::{Document, Shape},
        fields::FIELDS,
    },
    text::terms::Term,
};

pub(super) const MAGIC: &[u8; 8] = b"skflxidx";
/// Goes up with the form of the file; it stands behind the magic bytes in every version. What is a term is of a
/// release, which is part of every key.
pub(super) const VERSION: u32 = 2;
/// How many parts there are behind the header.
const PARTS: usize = 7;
pub(super) const HEADER: usize = 8 + 4 * 3 + 8 + 8 * PARTS + SEAL;
const CARD: usize = 16 + 8 + 8 + 1 + 2 * FIELDS;
/// Terms in a block.
pub(super) const BLOCK: usize = 128;
const TERM: usize = 8 + 8 + 4 + 4;
const BLOCK_BYTES: usize = BLOCK * TERM + SEAL;
/// Where a shape and a record begin.
const PLACE: usize = 16;
/// No field has more terms: twice the longest, because a description that is not trusted is counted with the prose.
const LONGEST: u32 = 40_000;

/// What the index keeps of a skill outside of its terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    /// A hash of all that the skill's document was made from.
    pub key: u128,
    /// A hash of its slug.
    pub slug: u64,
    /// A hash of its name, normalised.
    pub name: u64,
    /// A number of its owner's choice.
    pub kind: u8,
    /// How many terms its fields have.
    pub lengths: [u16; FIELDS],
}

/// A skill that goes into a segment.
#[derive(Debug)]
pub struct Item {
    /// What is kept of it.
    pub card: Card,
    /// Its terms.
    pub document: Document,
    /// What its owner stores with it.
    pub record: Vec<u8>,
}

/// Something that is read at places.
pub(super) trait ReadAt {
    /// Fills `buffer` from `offset` on.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;

    /// How many bytes there are.
    fn size(&self) -> io::Result<u64>;
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let from = start.and_then(|start| self.get(start..start.checked_add(buffer.len())?));
        buffer.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}

/// That every count of a posting is 1, in the byte that says which fields there are.
pub(super) const ALL_ONCE: u8 = 1 << FIELDS;

/// Why a segment cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum SegmentError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is damaged")]
    Damaged,
}

impl From<Damaged> for SegmentError {
    fn from(_: Damaged) -> Self {
        Self::Damaged
    }
}

/// A term of the dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) term: Term,
    /// Where its postings begin, from the beginning of all postings.
    pub(super) offset: usize,
    pub(super) bytes: usize,
    pub(super) documents: usize,
}

fn decode_postings(bytes: &[u8]) -> Result<Vec<Posting>, Damaged> {
    let mut reader = Reader::new(unseal(bytes)?);
    let mut postings: Vec<Posting> = Vec::new();
    let mut document = 0u32;
    while !reader.is_empty() {
        let step = u32::try_from(reader.leb128()?).map_err(|_| Damaged)?;
        document = document.checked_add(step).ok_or(Damaged)?;
        if step == 0 && !postings.is_empty() {
            return Err(Damaged);
        }
        let mask = reader.u8()?;
        let mut counts = [0; FIELDS];
        for (field, count) in counts.iter_mut().enumerate() {
            if mask & 1 << field != 0 {
                *count = if mask & ALL_ONCE == 0 { reader.u8()? } else { 1 };
            }
        }
        postings.push(Posting { document, counts });
    }
    Ok(postings)
}

fn decode_shape(bytes: &[u8]) -> Result<Shape, Damaged> {
    let mut reader = Reader::new(unseal(bytes)?);
    let mut shape = Shape::default();
    let number = |reader: &mut Reader<'_>| u32::try_from(reader.leb128()?).map_err(|_| Damaged);
    for field in 0..FIELDS {
        shape.lengths[field] = number(&mut reader)?;
        shape.distinct[field] = number(&mut reader)?;
        if shape.lengths[field] > LONGEST || shape.distinct[field] > shape.lengths[field] {
            return Err(Damaged);
        }
        let mut pair = 0u32;
        for _ in 0..number(&mut reader)? {
            pair = pair.checked_add(number(&mut reader)?).ok_or(Damaged)?;
            shape.pairs[field].push(pair);
        }
    }
    Ok(shape)
}

/// A segment that is open.
pub(super) struct Segment {
    source: Box<dyn ReadAt>,
    /// Tells its documents from those of other segments.
    pub(super) mark: u64,
    /// By document.
    pub(super) cards: Vec<Card>,
    firsts: Vec<u64>,
    terms: usize,
    blocks: Range<u64>,
    postings: Range<u64>,
    places: Range<u64>,
    shapes: Range<u64>,
    records: Range<u64>,
}

impl Segment {
    /// Opens a segment. What is read later is checked when it is read.
    pub(super) fn open(source: Box<dyn ReadAt>) -> Result<Self, SegmentError> {
        let size = source.size()?;
        if size < HEADER as u64 {
            return Err(SegmentError::Damaged);
        }
        let header = read(source.as_ref(), &(0..HEADER as u64), 0, HEADER)?;
        let mut reader = Reader::new(unseal(&header)?);
        if reader.bytes(MAGIC.len())? != MAGIC || reader.u32()? != VERSION {
            return Err(SegmentError::Damaged);
        }
        let (documents, terms) = (u64::from(reader.u32()?), reader.u32()? as usize);
        let mark = reader.u64()?;
        let mut before = HEADER as u64;
        let mut part = |bytes: Option<u64>| {
            let part = before..reader.u64()?;
            let length = part.end.checked_sub(part.start).ok_or(Damaged)?;
            before = part.end;
            if part.end > size || bytes.is_some_and(|bytes| bytes != length) {
                Err(Damaged)
            } else {
                Ok(part)
            }
        };
        let blocks = terms.div_ceil(BLOCK) as u64;
        let all_cards = part(Some(documents * CARD as u64 + SEAL as u64))?;
        let all_firsts = part(Some(blocks * 8 + SEAL as u64))?;
        let blocks = part(Some(blocks * BLOCK_BYTES as u64))?;
        let postings = part(None)?;
        let places = part(Some((documents + 1) * PLACE as u64))?;
        let (shapes, records) = (part(None)?, part(None)?);
        if records.end != size {
            return Err(SegmentError::Damaged);
        }
        let bytes = read_all(source.as_ref(), &all_cards)?;
        let mut reader = Reader::new(unseal(&bytes)?);
        let cards = (0..documents).map(|_| reader.card()).collect::<Result<_, _>>()?;
        let bytes = read_all(source.as_ref(), &all_firsts)?;
        let mut reader = Reader::new(unseal(&bytes)?);
        let firsts = (0..terms.div_ceil(BLOCK)).map(|_| reader.u64()).collect::<Result<_, _>>()?;
        Ok(Self { source, mark, cards, firsts, terms, blocks, postings, places, shapes, records })
    }

    fn read(&self, part: &Range<u64>, offset: u64, length: usize) -> Result<Vec<u8>, SegmentError> {
        read(self.source.as_ref(), part, offset, length)
    }

    fn block(&self, block: usize) -> Result<Vec<Entry>, SegmentError> {
        let bytes = self.read(&self.blocks, (block * BLOCK_BYTES) as u64, BLOCK_BYTES)?;
        let mut reader = Reader::new(unseal(&bytes)?);
        let in_block = BLOCK.min(self.terms - block * BLOCK);
        Ok((0..in_block).map(|_| reader.entry()).collect::<Result<_, _>>()?)
    }

    fn find(&self, term: Term) -> Result<Option<Entry>, SegmentError> {
        let Some(block) = self.firsts.partition_point(|&first| first <= term.0).checked_sub(1) else {
            return Ok(None);
        };
        let entries = self.block(block)?;
        Ok(entries.binary_search_by_key(&term, |entry| entry.term).ok().map(|place| entries[place]))
    }

    fn postings_of(&self, entry: &Entry) -> Result<Vec<Posting>, SegmentError> {
        let bytes = self.read(&self.postings, entry.offset as u64, entry.bytes)?;
        let postings = decode_postings(&bytes)?;
        // They are in order, so the last one has the highest number.
        let is_bound = postings.last().is_none_or(|last| (last.document as usize) < self.cards.len());
        if is_bound && postings.len() == entry.documents { Ok(postings) } else { Err(SegmentError::Damaged) }
    }

    /// In how many documents a term stands.
    pub(super) fn frequency(&self, term: Term) -> Result<u32, SegmentError> {
        Ok(self.find(term)?.map_or(0, |entry| u32::try_from(entry.documents).unwrap_or(u32::MAX)))
    }

    /// Where a term stands.
    pub(super) fn postings(&self, term: Term) -> Result<Vec<Posting>, SegmentError> {
        self.find(term)?.map_or(Ok(Vec::new()), |entry| self.postings_of(&entry))
    }

    /// What of a document is not looked up by term.
    pub(super) fn shape(&self, document: u32) -> Result<Shape, SegmentError> {
        let [shape, _] = self.spans(document)?;
        Ok(decode_shape(&self.read(&self.shapes, shape.0, shape.1)?)?)
    }

    /// What its owner stored with a document.
    pub(super) fn record(&self, document: u32) -> Result<Vec<u8>, SegmentError> {
        let [_, record] = self.spans(document)?;
        Ok(unseal(&self.read(&self.records, record.0, record.1)?)?.to_vec())
    }

    /// Where the shape and the record of a document are, and how long.
    fn spans(&self, document: u32) -> Result<[(u64, usize); 2], SegmentError> {
        let bytes = self.read(&self.places, u64::from(document) * PLACE as u64, 2 * PLACE)?;
        let mut reader = Reader::new(&bytes);
        let mut offset = || reader.u64();
        let (shape, record, shape_end, record_end) = (offset()?, offset()?, offset()?, offset()?);
        let span = |from: u64, to: u64| {
            let bytes = to.checked_sub(from).ok_or(Damaged)?;
            Ok::<_, Damaged>((from, usize::try_from(bytes).map_err(|_| Damaged)?))
        };
        Ok([span(shape, shape_end)?, span(record, record_end)?])
    }

    /// Every skill whose number `is_kept`, as it went in: what a merge takes over.
    pub(super) fn items(&self, mut is_kept: impl FnMut(u32) -> bool) -> Result<Vec<Item>, SegmentError> {
        let mut items = Vec::new();
        let mut places = vec![None; self.cards.len()];
        for (number, card) in (0u32..).zip(&self.cards) {
            if is_kept(number) {
                places[number as usize] = Some(items.len());
                let document = Document { terms: Vec::new(), shape: self.shape(number)? };
                items.push(Item { card: *card, document, record: self.record(number)? });
            }
        }
        for block in 0..self.firsts.len() {
            for entry in self.block(block)? {
                for posting in self.postings_of(&entry)? {
                    if let Some(place) = places[posting.document as usize] {
                        items[place].document.terms.push((entry.term, posting.counts));
                    }
                }
            }
        }
        Ok(items)
    }
}

/// No part that is read at once is longer.
const MOST: u64 = 1 << 30;

/// Reads from a part of a file; what reaches beyond it is damage.
fn read(source: &dyn ReadAt, part: &Range<u64>, offset: u64, length: usize) -> Result<Vec<u8>, SegmentError> {
    let start = part.start.checked_add(offset).ok_or(Damaged)?;
    let end = start.checked_add(length as u64).ok_or(Damaged)?;
    if end > part.end || length as u64 >= MOST {
        return Err(SegmentError::Damaged);
    }
    let mut bytes = vec![0; length];
    source.read_at(&mut bytes, start)?;
    Ok(bytes)
}

fn read_all(source: &dyn ReadAt, part: &Range<u64>) -> Result<Vec<u8>, SegmentError> {
    read(source, part, 0, usize::try_from(part.end - part.start).map_err(|_| Damaged)?)
}

impl Reader<'_> {
    fn card(&mut self) -> Result<Card, Damaged> {
        let key = u128::from_le_bytes(self.bytes(16)?.try_into().map_err(|_| Damaged)?);
        let (slug, name, kind) = (self.u64()?, self.u64()?, self.u8()?);
        let mut lengths = [0; FIELDS];
        for length in &mut lengths {
            *length = u16::from_le_bytes(self.bytes(2)?.try_into().map_err(|_| Damaged)?);
        }
        Ok(Card { key, slug, name, kind, lengths })
    }

    fn entry(&mut self) -> Result<Entry, Damaged> {
        let (term, offset) = (Term(self.u64()?), self.u64()?);
        let (bytes, documents) = (self.u32()? as usize, self.u32()? as usize);
        Ok(Entry { term, offset: usize::try_from(offset).map_err(|_| Damaged)?, bytes, documents })
    }
}

#[cfg(test)]
mod tests;
