//! A segment: an immutable file with the terms of some skills, read at the places that a search needs.
//!
//! ```text
//! header        magic, version, counts, where each part begins, a hash of these
//! documents     by number: key, hashes of slug and name, kind, lengths of the fields
//! terms         by hash, in blocks: hash, where its postings are, how many bytes and skills
//! first hashes  of each block of terms
//! postings      by term: differences of document numbers, which fields, how often
//! shapes        by document: different terms and neighbours of each field
//! records       by document: what its owner stored, not understood here
//! ```
//!
//! Numbers are little-endian; lists are LEB128. Each part that is read on its own ends with a hash of its bytes,
//! so that damage is noticed before anything of it is used.

use std::io;

use super::bytes::{Damaged, Reader, Writer, unseal};
use crate::rank::{
    fulltext::{
        Posting,
        document::{Counts, Document, Shape},
        fields::FIELDS,
    },
    text::terms::Term,
};

const MAGIC: &[u8; 8] = b"skflxidx";
/// Goes up whenever the format or what is a term changes.
pub(super) const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 * 4 + 8 * 6 + 8;
/// Terms in a block.
const BLOCK: usize = 128;
const TERM: usize = 8 + 8 + 4 + 4;
const BLOCK_BYTES: usize = BLOCK * TERM + 8;
/// Where a shape and a record begin.
const PLACE: usize = 16;

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
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let from = usize::try_from(offset).ok().and_then(|start| self.get(start..start + buffer.len()));
        buffer.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

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

/// The bytes of a segment.
pub(super) fn encode(items: &[Item]) -> Vec<u8> {
    let mut occurrences: Vec<(Term, u32, Counts)> = Vec::new();
    for (number, item) in (0u32..).zip(items) {
        occurrences.extend(item.document.terms.iter().map(|&(term, counts)| (term, number, counts)));
    }
    occurrences.sort_unstable_by_key(|&(term, number, _)| (term, number));
    let mut postings = Writer::default();
    let mut terms = Vec::new();
    for group in occurrences.chunk_by(|left, right| left.0 == right.0) {
        let start = postings.len();
        encode_postings(group, &mut postings);
        terms.push(Entry {
            term: group[0].0,
            offset: start,
            bytes: postings.len() - start,
            documents: group.len(),
        });
    }
    let mut shapes = Writer::default();
    let mut records = Writer::default();
    let mut places = Writer::default();
    for item in items {
        places.u64(shapes.len() as u64);
        places.u64(records.len() as u64);
        shapes.sealed(&encode_shape(&item.document.shape));
        records.sealed(&item.record);
    }
    places.u64(shapes.len() as u64);
    places.u64(records.len() as u64);
    Parts { items, terms: &terms, postings, places, shapes, records }.assemble()
}

struct Parts<'a> {
    items: &'a [Item],
    terms: &'a [Entry],
    postings: Writer,
    places: Writer,
    shapes: Writer,
    records: Writer,
}

impl Parts<'_> {
    fn assemble(self) -> Vec<u8> {
        let mut documents = Writer::default();
        for item in self.items {
            documents.card(&item.card);
        }
        let documents = documents.into_sealed();
        let (mut blocks, mut firsts) = (Writer::default(), Writer::default());
        for block in self.terms.chunks(BLOCK) {
            firsts.u64(block[0].term.0);
            let mut bytes = Writer::default();
            for place in 0..BLOCK {
                bytes.entry(block.get(place));
            }
            blocks.raw(&bytes.into_sealed());
        }
        let parts = [
            documents,
            firsts.into_sealed(),
            blocks.into_bytes(),
            self.postings.into_bytes(),
            self.places.into_bytes(),
            self.shapes.into_bytes(),
        ];
        let mut header = Writer::default();
        header.raw(MAGIC);
        for number in [VERSION as usize, self.items.len(), self.terms.len(), 0] {
            header.u32(number);
        }
        let mut offset = HEADER as u64;
        for part in &parts {
            offset += part.len() as u64;
            header.u64(offset);
        }
        let mut bytes = header.into_sealed();
        for part in &parts {
            bytes.extend_from_slice(part);
        }
        bytes.extend_from_slice(&self.records.into_bytes());
        bytes
    }
}

/// A term of the dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    term: Term,
    /// Where its postings begin, from the beginning of all postings.
    offset: usize,
    bytes: usize,
    documents: usize,
}

impl Writer {
    fn card(&mut self, card: &Card) {
        self.raw(&card.key.to_le_bytes());
        self.u64(card.slug);
        self.u64(card.name);
        self.raw(&[card.kind]);
        card.lengths.iter().for_each(|length| self.raw(&length.to_le_bytes()));
    }

    /// Nothing fills the place of a term that is not there; no term has postings of no bytes.
    fn entry(&mut self, entry: Option<&Entry>) {
        let none = Entry { term: Term(u64::MAX), offset: 0, bytes: 0, documents: 0 };
        let Entry { term, offset, bytes, documents } = entry.unwrap_or(&none);
        self.u64(term.0);
        self.u64(*offset as u64);
        self.u32(*bytes);
        self.u32(*documents);
    }
}

/// That every count of a posting is 1, in the byte that says which fields there are.
const ALL_ONCE: u8 = 1 << FIELDS;

fn encode_postings(group: &[(Term, u32, Counts)], postings: &mut Writer) {
    let mut bytes = Writer::default();
    let mut before = 0;
    for &(_, number, counts) in group {
        bytes.leb128(u64::from(number - before));
        before = number;
        let present = counts.iter().filter(|&&count| count > 0);
        let once = if present.clone().all(|&count| count == 1) { ALL_ONCE } else { 0 };
        bytes.raw(&[(0..FIELDS).fold(once, |mask, field| mask | u8::from(counts[field] > 0) << field)]);
        if once == 0 {
            present.for_each(|&count| bytes.raw(&[count]));
        }
    }
    postings.sealed(&bytes.into_bytes());
}

fn decode_postings(bytes: &[u8]) -> Result<Vec<Posting>, Damaged> {
    let mut reader = Reader::new(unseal(bytes)?);
    let mut postings = Vec::new();
    let mut document = 0;
    while !reader.is_empty() {
        document += u32::try_from(reader.leb128()?).map_err(|_| Damaged)?;
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

fn encode_shape(shape: &Shape) -> Vec<u8> {
    let mut writer = Writer::default();
    for field in 0..FIELDS {
        writer.leb128(u64::from(shape.lengths[field]));
        writer.leb128(u64::from(shape.distinct[field]));
        writer.leb128(shape.pairs[field].len() as u64);
        let mut before = 0;
        for &pair in &shape.pairs[field] {
            writer.leb128(u64::from(pair - before));
            before = pair;
        }
    }
    writer.into_bytes()
}

fn decode_shape(bytes: &[u8]) -> Result<Shape, Damaged> {
    let mut reader = Reader::new(unseal(bytes)?);
    let mut shape = Shape::default();
    let number = |reader: &mut Reader<'_>| u32::try_from(reader.leb128()?).map_err(|_| Damaged);
    for field in 0..FIELDS {
        shape.lengths[field] = number(&mut reader)?;
        shape.distinct[field] = number(&mut reader)?;
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
    /// By document.
    pub(super) cards: Vec<Card>,
    firsts: Vec<u64>,
    terms: usize,
    blocks: u64,
    postings: u64,
    places: u64,
    shapes: u64,
    records: u64,
}

impl Segment {
    /// Opens a segment. What is read later is checked when it is read.
    pub(super) fn open(source: Box<dyn ReadAt>) -> Result<Self, SegmentError> {
        let header = read(source.as_ref(), 0, HEADER)?;
        let mut reader = Reader::new(unseal(&header)?);
        if reader.bytes(MAGIC.len())? != MAGIC || reader.u32()? != VERSION {
            return Err(SegmentError::Damaged);
        }
        let (documents, terms) = (reader.u32()? as usize, reader.u32()? as usize);
        reader.u32()?;
        let mut offset = || reader.u64();
        let (firsts, blocks, postings) = (offset()?, offset()?, offset()?);
        let (places, shapes, records) = (offset()?, offset()?, offset()?);
        let span =
            |from: u64, to: u64| usize::try_from(to.checked_sub(from).ok_or(Damaged)?).map_err(|_| Damaged);
        let bytes = read(source.as_ref(), HEADER as u64, span(HEADER as u64, firsts)?)?;
        let mut reader = Reader::new(unseal(&bytes)?);
        let cards = (0..documents).map(|_| reader.card()).collect::<Result<_, _>>()?;
        let bytes = read(source.as_ref(), firsts, span(firsts, blocks)?)?;
        let mut reader = Reader::new(unseal(&bytes)?);
        let firsts = (0..terms.div_ceil(BLOCK)).map(|_| reader.u64()).collect::<Result<_, _>>()?;
        Ok(Self { source, cards, firsts, terms, blocks, postings, places, shapes, records })
    }

    fn block(&self, block: usize) -> Result<Vec<Entry>, SegmentError> {
        let bytes = read(self.source.as_ref(), self.blocks + (block * BLOCK_BYTES) as u64, BLOCK_BYTES)?;
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
        let bytes = read(self.source.as_ref(), self.postings + entry.offset as u64, entry.bytes)?;
        let postings = decode_postings(&bytes)?;
        let is_bound = postings.last().is_none_or(|last| (last.document as usize) < self.cards.len());
        if is_bound { Ok(postings) } else { Err(SegmentError::Damaged) }
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
        Ok(decode_shape(&read(self.source.as_ref(), self.shapes + shape.0, shape.1)?)?)
    }

    /// What its owner stored with a document.
    pub(super) fn record(&self, document: u32) -> Result<Vec<u8>, SegmentError> {
        let [_, record] = self.spans(document)?;
        Ok(unseal(&read(self.source.as_ref(), self.records + record.0, record.1)?)?.to_vec())
    }

    fn spans(&self, document: u32) -> Result<[(u64, usize); 2], SegmentError> {
        let place = self.places + u64::from(document) * PLACE as u64;
        let bytes = read(self.source.as_ref(), place, 2 * PLACE)?;
        let mut reader = Reader::new(&bytes);
        let mut offset = || reader.u64();
        let (shape, record, shape_end, record_end) = (offset()?, offset()?, offset()?, offset()?);
        let span = |from: u64, to: u64| {
            let bytes = to.checked_sub(from).filter(|&bytes| bytes < MOST).ok_or(Damaged)?;
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

fn read(source: &dyn ReadAt, offset: u64, length: usize) -> Result<Vec<u8>, SegmentError> {
    if length as u64 >= MOST {
        return Err(SegmentError::Damaged);
    }
    let mut bytes = vec![0; length];
    source.read_at(&mut bytes, offset)?;
    Ok(bytes)
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
