//! What is written into a segment comes out again, and what is damaged is noticed.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::store::index::assemble::encode;

fn counts() -> impl Strategy<Value = [u8; FIELDS]> {
    let count = prop_oneof![3 => Just(0u8), 3 => Just(1u8), 1 => any::<u8>()];
    proptest::array::uniform6(count)
        .prop_filter("a term stands somewhere", |counts| counts.iter().any(|&count| count > 0))
}

fn pairs() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::btree_set(0u32..1 << 22, 0..6).prop_map(|pairs| pairs.into_iter().collect())
}

prop_compose! {
    fn item()(
        key in any::<u128>(),
        (slug, name, kind) in any::<(u64, u64, u8)>(),
        terms in proptest::collection::btree_map(prop_oneof![0u64..40, any::<u64>()], counts(), 0..30),
        lengths in proptest::array::uniform6(0u32..=LONGEST),
        share in 0u32..4,
        pairs in proptest::collection::vec(pairs(), FIELDS),
        record in proptest::collection::vec(any::<u8>(), 0..40),
    ) -> Item {
        let shape = Shape {
            lengths,
            distinct: lengths.map(|length| length * share / 4),
            pairs: pairs.try_into().unwrap(),
        };
        let terms = terms.into_iter().map(|(term, counts)| (Term(term), counts)).collect();
        let card = Card { key, slug, name, kind, lengths: lengths.map(|length| u16::try_from(length).unwrap_or(u16::MAX)) };
        Item { card, document: Document { terms, shape }, record }
    }
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    proptest::collection::vec(item(), 0..8)
}

/// Many terms, so that there are several blocks of them.
fn wide() -> Vec<Item> {
    let item = |number: u64| Item {
        card: Card { key: number.into(), slug: number, name: number, kind: 0, lengths: [1; FIELDS] },
        document: Document {
            terms: (0..400).map(|term| (Term(term * (number + 1)), [1, 0, 2, 0, 0, 0])).collect(),
            shape: Shape { lengths: [3; FIELDS], distinct: [2; FIELDS], ..Shape::default() },
        },
        record: number.to_le_bytes().to_vec(),
    };
    (0..3).map(item).collect()
}

/// Everything that a segment answers, or the first error.
fn answers(bytes: &[u8], terms: &[Term]) -> Result<String, SegmentError> {
    let segment = Segment::open(Box::new(bytes.to_vec()))?;
    let mut all = format!("{:?}", segment.cards);
    for (number, _) in (0u32..).zip(&segment.cards) {
        write!(all, "{:?} {:?}", segment.shape(number)?, segment.record(number)?).unwrap();
    }
    for &term in terms {
        write!(all, "{term:?} {} {:?}", segment.frequency(term)?, segment.postings(term)?).unwrap();
    }
    for item in segment.items(|_| true)? {
        write!(all, "{item:?}").unwrap();
    }
    Ok(all)
}

fn terms_of(items: &[Item]) -> Vec<Term> {
    let terms = items.iter().flat_map(|item| &item.document.terms).map(|(term, _)| *term);
    terms.chain([Term(0), Term(7), Term(u64::MAX)]).collect()
}

proptest! {
    #[test]
    fn what_went_in_comes_out(items in items()) {
        let bytes = encode(&items);
        let segment = Segment::open(Box::new(bytes.clone())).unwrap();
        prop_assert_eq!(&segment.cards, &items.iter().map(|item| item.card).collect::<Vec<_>>());
        for (number, item) in (0u32..).zip(&items) {
            prop_assert_eq!(&segment.shape(number).unwrap(), &item.document.shape);
            prop_assert_eq!(&segment.record(number).unwrap(), &item.record);
        }
        for term in terms_of(&items) {
            let expected: Vec<Posting> = (0u32..)
                .zip(&items)
                .filter_map(|(document, item)| {
                    let place = item.document.terms.binary_search_by_key(&term, |(term, _)| *term).ok()?;
                    Some(Posting { document, counts: item.document.terms[place].1 })
                })
                .collect();
            prop_assert_eq!(segment.frequency(term).unwrap() as usize, expected.len());
            prop_assert_eq!(segment.postings(term).unwrap(), expected);
        }
        // A merge writes what it reads.
        prop_assert_eq!(encode(&segment.items(|_| true).unwrap()), bytes);
    }

    #[test]
    fn no_changed_byte_gives_another_answer(items in items(), flips in proptest::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..40)) {
        let bytes = encode(&items);
        let terms = terms_of(&items);
        let whole = answers(&bytes, &terms).unwrap();
        for (at, flip) in flips {
            let mut damaged = bytes.clone();
            damaged[at.index(bytes.len())] ^= flip;
            if let Ok(answers) = answers(&damaged, &terms) {
                prop_assert_eq!(answers, whole.clone());
            }
        }
    }

    #[test]
    fn any_bytes_are_no_trouble(bytes in proptest::collection::vec(any::<u8>(), 0..400), at in any::<prop::sample::Index>()) {
        let mut segment = encode(&wide()[..1]);
        let at = at.index(segment.len());
        let end = segment.len().min(at + bytes.len());
        segment[at..end].copy_from_slice(&bytes[..end - at]);
        seal_header(&mut segment);
        let _any = answers(&segment, &[Term(1), Term(u64::MAX)]);
    }
}

/// Makes the seal of the header fit again, as somebody would who wants to be read.
fn seal_header(bytes: &mut [u8]) {
    let seal = xxhash_rust::xxh3::xxh3_64(&bytes[..HEADER - SEAL]);
    bytes[HEADER - SEAL..HEADER].copy_from_slice(&seal.to_le_bytes());
}

#[test]
fn every_byte_counts() {
    let items = wide();
    let (bytes, terms) = (encode(&items), terms_of(&items));
    assert!(bytes.len() > 2 * BLOCK_BYTES);
    let whole = answers(&bytes, &terms).unwrap();
    // All of the small parts and some of the large ones; where each is 200,000 answers take too long.
    for at in (0..bytes.len()).filter(|at| *at < HEADER + 60 || at % 499 == 0 || *at + 100 > bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        if let Ok(answers) = answers(&damaged, &terms) {
            assert_eq!(answers, whole, "byte {at}");
        }
    }
    for length in (0..bytes.len()).step_by(997) {
        assert!(answers(&bytes[..length], &terms).is_err(), "{length} bytes");
    }
}

#[test]
fn numbers_of_a_file_are_not_believed() {
    let bytes = encode(&wide());
    // Version, counts and the ends of parts: each at its extremes, with a seal that fits.
    for at in (8..HEADER - SEAL).step_by(4) {
        for number in [0u32, 1, u32::MAX / 2, u32::MAX] {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
            seal_header(&mut changed);
            if changed != bytes && !(20..28).contains(&at) {
                assert!(answers(&changed, &[Term(1)]).is_err(), "{number} at {at}");
            }
        }
    }
}

#[test]
fn postings_are_of_documents_that_there_are() {
    let step = |steps: &[u64]| {
        let mut writer = crate::store::index::bytes::Writer::default();
        for &step in steps {
            writer.leb128(step);
            writer.raw(&[ALL_ONCE | 1]);
        }
        decode_postings(&writer.into_sealed())
    };
    let numbers =
        |steps: &[u64]| step(steps).unwrap().iter().map(|posting| posting.document).collect::<Vec<_>>();
    assert_eq!(numbers(&[0, 1, 5]), [0, 1, 6]);
    for steps in [&[3, 0][..], &[u64::from(u32::MAX), 1], &[1, u64::from(u32::MAX)], &[1 << 32]] {
        assert_eq!(step(steps), Err(Damaged), "{steps:?}");
    }
}

#[test]
fn no_field_is_longer_than_a_document_allows() {
    use crate::rank::fulltext::document::LONGEST_FIELD;
    assert_eq!(LONGEST as usize, 2 * LONGEST_FIELD);
}
