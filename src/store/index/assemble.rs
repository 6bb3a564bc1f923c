//! The bytes of a segment, made of the skills that go into it.
//!
//! The same skills in the same order give the same bytes; [`super::segment`] has the form and reads it.

use xxhash_rust::xxh3::xxh3_64;

use super::{
    bytes::Writer,
    segment::{ALL_ONCE, BLOCK, Card, Entry, HEADER, Item, MAGIC, VERSION},
};
use crate::rank::{
    fulltext::{
        document::{Counts, Shape},
        fields::FIELDS,
    },
    text::terms::Term,
};

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
        let mark = xxh3_64(&documents);
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
            self.records.into_bytes(),
        ];
        let mut header = Writer::default();
        header.raw(MAGIC);
        for number in [VERSION as usize, self.items.len(), self.terms.len()] {
            header.u32(number);
        }
        header.u64(mark);
        let mut offset = HEADER as u64;
        for part in &parts {
            offset += part.len() as u64;
            header.u64(offset);
        }
        let mut bytes = header.into_sealed();
        for part in &parts {
            bytes.extend_from_slice(part);
        }
        bytes
    }
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
