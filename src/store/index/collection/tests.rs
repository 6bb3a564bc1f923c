//! What is found does not depend on how the documents are spread over segments, nor on what else lies there.

use proptest::prelude::*;

use super::*;
use crate::{
    rank::{
        fulltext::{
            Weights,
            document::{Document, Texts},
            prompt::Prompt,
            search,
        },
        text::terms::Analyser,
    },
    store::index::{Item, assemble::encode},
};

const WORDS: [&str; 24] = [
    "tide", "harbour", "map", "log", "sail", "anchor", "chart", "wind", "rope", "knot", "buoy", "pilot",
    "table", "report", "extract", "convert", "parse", "review", "deploy", "release", "query", "index",
    "merge", "split",
];

fn item(number: usize, words: &[usize]) -> Item {
    let text: Vec<&str> = words.iter().map(|&word| WORDS[word]).collect();
    let (name, about) = text.split_at(text.len().min(2));
    let texts = Texts {
        name: &name.join("-"),
        description: &about.join(" "),
        when_to_use: None,
        when_not_to_use: None,
        body: "",
    };
    let document = Document::of(&texts, &mut Analyser::default());
    let card = Card {
        key: (number as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835),
        slug: number as u64,
        name: number as u64,
        kind: 0,
        lengths: document.shape.lengths.map(|length| u16::try_from(length).unwrap_or(u16::MAX)),
    };
    Item { card, document, record: number.to_le_bytes().to_vec() }
}

/// The skills of these numbers in one segment; of each whether it is searched.
fn part(all: &[Vec<usize>], numbers: &[(usize, bool)]) -> (Segment, Vec<u32>) {
    let items: Vec<Item> = numbers.iter().map(|&(number, _)| item(number, &all[number])).collect();
    let members = (0u32..).zip(numbers).filter(|(_, (_, is_searched))| *is_searched).map(|(place, _)| place);
    (Segment::open(Box::new(encode(&items))).unwrap(), members.collect())
}

/// What a search finds, without the numbers of documents.
fn found(documents: &Documents, task: &str) -> Vec<(u128, u64, usize, Vec<u8>)> {
    let prompt = Prompt::of(task, &mut Analyser::default());
    let found = search(&prompt, documents, &Weights::MEASURED, 50).unwrap();
    let of = |&(document, score): &(u32, f64)| {
        let record = documents.record(document).unwrap();
        let lookups = found.lookups.iter().filter(|lookup| lookup.counts(document) != [0; FIELDS]).count();
        assert!(documents.shape(document).is_ok());
        (documents.tie(document), score.to_bits(), lookups, record)
    };
    found.best.iter().map(of).collect()
}

fn skills() -> impl Strategy<Value = Vec<Vec<usize>>> {
    proptest::collection::vec(proptest::collection::vec(0..WORDS.len(), 1..12), 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn what_is_found_does_not_depend_on_segments(
        all in skills(),
        spread in proptest::collection::vec((0usize..4, any::<bool>()), 24),
        task in proptest::collection::vec(0..WORDS.len(), 1..16),
    ) {
        let task = task.iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" ");
        let whole: Vec<(usize, bool)> = (0..all.len()).map(|number| (number, true)).collect();
        let one = Documents::new(vec![part(&all, &whole)]);
        // Each skill is searched in one segment, and lies in another one too when the coin says so.
        let mut parts: Vec<Vec<(usize, bool)>> = vec![Vec::new(); 5];
        for number in (0..all.len()).rev() {
            parts[spread[number].0].push((number, true));
            if spread[number].1 {
                parts[spread[number].0 + 1].push((number, false));
            }
        }
        let parts: Vec<_> = parts.iter().map(|numbers| part(&all, numbers)).collect();
        let many = Documents::new(parts);
        prop_assert_eq!(many.documents(), one.documents());
        prop_assert_eq!(many.mean_lengths().map(f64::to_bits), one.mean_lengths().map(f64::to_bits));
        for word in WORDS {
            let term = Prompt::of(word, &mut Analyser::default()).terms[0].term;
            prop_assert_eq!(many.frequency(term).unwrap(), one.frequency(term).unwrap());
        }
        prop_assert_eq!(found(&many, &task), found(&one, &task));
    }

    #[test]
    fn documents_of_two_views_are_searched_as_one(all in skills(), first in proptest::collection::vec(any::<bool>(), 24), task in 0..WORDS.len()) {
        let half = |of: bool| (0..all.len()).map(|number| (number, first[number] == of)).collect::<Vec<_>>();
        let whole: Vec<(usize, bool)> = (0..all.len()).map(|number| (number, true)).collect();
        let one = Documents::new(vec![part(&all, &whole)]);
        // Both lie in one segment, which is open twice.
        let both = Documents::new(vec![part(&all, &half(true))]).and(Documents::new(vec![part(&all, &half(false))]));
        prop_assert_eq!(found(&both, WORDS[task]), found(&one, WORDS[task]));
        let kept = both.retain(|_, card| card.slug % 2 == 0);
        let even: Vec<(usize, bool)> = (0..all.len()).map(|number| (number, number % 2 == 0)).collect();
        prop_assert_eq!(found(&kept, WORDS[task]), found(&Documents::new(vec![part(&all, &even)]), WORDS[task]));
    }
}

#[test]
fn of_a_long_task_the_same_terms_are_looked_up_whatever_else_lies_there() {
    // 90 words, each of one skill; the first ten stand in many skills that are not searched any more.
    let word = |number: usize| format!("word{}x{}", number / 10, number % 10);
    let make = |number: usize, words: &[String]| {
        let document = Document::of(
            &Texts {
                name: "x",
                description: &words.join(" "),
                when_to_use: None,
                when_not_to_use: None,
                body: "",
            },
            &mut Analyser::default(),
        );
        let card = Card { key: number as u128, slug: 0, name: 0, kind: 0, lengths: [9; FIELDS] };
        Item { card, document, record: Vec::new() }
    };
    let mut items: Vec<Item> = (0..90).map(|number| make(number, &[word(number)])).collect();
    let searched: Vec<u32> = (0..90).collect();
    let clean = Segment::open(Box::new(encode(&items))).unwrap();
    let often: Vec<String> = (0..10).map(word).collect();
    items.extend((90..200).map(|number| make(number, &often)));
    let littered = Segment::open(Box::new(encode(&items))).unwrap();
    let task = (0..90).map(word).collect::<Vec<_>>().join(" ");
    let best = |segment| found(&Documents::new(vec![(segment, searched.clone())]), &task);
    assert_eq!(best(littered), best(clean));
}
