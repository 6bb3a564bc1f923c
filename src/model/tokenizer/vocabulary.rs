//! The words of a tokenizer, sorted, and its merges: found by halving, without being built into anything.
//!
//! A vocabulary is read at each start, so it is kept as it lies in the file: the texts one after the other,
//! where each ends, and the id and score of each.

use std::collections::BTreeMap;

use super::bytes::{Reader, Writer};
use crate::model::ModelError;

/// Words with their ids and scores.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Vocabulary {
    text: Vec<u8>,
    ends: Vec<u32>,
    ids: Vec<u32>,
    scores: Vec<f64>,
}

impl Vocabulary {
    /// Words without scores have the score 0.
    pub(super) fn new(words: &BTreeMap<String, (u32, f64)>) -> Self {
        let mut vocabulary = Self::default();
        for (word, (id, score)) in words {
            vocabulary.text.extend_from_slice(word.as_bytes());
            vocabulary.ends.push(u32::try_from(vocabulary.text.len()).unwrap_or(u32::MAX));
            vocabulary.ids.push(*id);
            vocabulary.scores.push(*score);
        }
        vocabulary
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The largest id.
    pub(super) fn largest_id(&self) -> u32 {
        self.ids.iter().copied().max().unwrap_or(0)
    }

    fn word(&self, place: usize) -> &[u8] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[place] as usize]
    }

    /// The id of this word.
    pub(super) fn id(&self, word: &[u8]) -> Option<u32> {
        let place = self.first_from(0, self.len(), word);
        (place < self.len() && self.word(place) == word).then(|| self.ids[place])
    }

    /// The first place from `low` to `high` whose word is not before `word`.
    fn first_from(&self, mut low: usize, mut high: usize, word: &[u8]) -> usize {
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.word(middle) < word {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Calls `found` with the length, id and score of each word that `text` begins with, the shortest first.
    pub(super) fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, u32, f64)) {
        let (mut low, mut high) = (0, self.len());
        for length in 1..=text.len() {
            let prefix = &text[..length];
            low = self.first_from(low, high, prefix);
            // Words that begin with the prefix follow one another.
            let mut end = low;
            let mut step = 1;
            while end < high && self.word(end).starts_with(prefix) {
                end = (end + step).min(high);
                step *= 2;
            }
            high = end;
            if low >= high || !self.word(low).starts_with(prefix) {
                return;
            }
            if self.word(low).len() == length {
                found(length, self.ids[low], self.scores[low]);
            }
        }
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.bytes(&self.text);
        writer.words(&self.ends);
        writer.words(&self.ids);
        writer.doubles(&self.scores);
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, ModelError> {
        let text = reader.bytes()?.to_vec();
        let (ends, ids, scores) = (reader.words()?, reader.words()?, reader.doubles()?);
        let is_sound = ends.len() == ids.len()
            && ids.len() == scores.len()
            && ends.is_sorted()
            && ends.last().is_none_or(|end| *end as usize <= text.len());
        if is_sound { Ok(Self { text, ends, ids, scores }) } else { Err(ModelError::Tables("vocabulary")) }
    }
}

/// Pairs of ids that become one id, the lowest rank first.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Merges {
    /// Left, right, rank and result, sorted.
    quads: Vec<[u32; 4]>,
}

impl Merges {
    pub(super) fn new(mut quads: Vec<[u32; 4]>) -> Self {
        quads.sort_unstable();
        Self { quads }
    }

    /// The rank and the result of a pair.
    pub(super) fn get(&self, left: u32, right: u32) -> Option<(u32, u32)> {
        let place = self.quads.partition_point(|quad| (quad[0], quad[1]) < (left, right));
        let quad = self.quads.get(place).filter(|quad| (quad[0], quad[1]) == (left, right))?;
        Some((quad[2], quad[3]))
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.words(self.quads.as_flattened());
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, ModelError> {
        let words = reader.words()?;
        let (quads, rest) = words.as_chunks::<4>();
        if rest.is_empty() { Ok(Self { quads: quads.to_vec() }) } else { Err(ModelError::Tables("merges")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(words: &[&str]) -> Vocabulary {
        let numbered = (0..).zip(words).map(|(id, word)| ((*word).to_owned(), (id, -f64::from(id))));
        Vocabulary::new(&numbered.collect())
    }

    #[test]
    fn words_and_prefixes_are_found() {
        let vocabulary = vocabulary(&["table", "a", "tab", "表", "t", "", "tables", "zebra", "表格"]);
        assert_eq!(vocabulary.id(b"tab"), Some(2));
        assert_eq!(
            (vocabulary.id(b"ta"), vocabulary.id(b"zz"), vocabulary.id("表".as_bytes())),
            (None, None, Some(3))
        );
        let prefixes = |text: &str| {
            let mut found = Vec::new();
            vocabulary.prefixes(text.as_bytes(), |length, id, score| found.push((length, id, score)));
            found
        };
        assert_eq!(prefixes("tablespoon"), [(1, 4, -4.0), (3, 2, -2.0), (5, 0, 0.0), (6, 6, -6.0)]);
        assert_eq!(prefixes("表格里"), [(3, 3, -3.0), (6, 8, -8.0)]);
        assert_eq!((prefixes("x"), prefixes("")), (vec![], vec![]));
        let mut writer = Writer::default();
        vocabulary.write(&mut writer);
        let written = writer.into_bytes();
        assert_eq!(Vocabulary::read(&mut Reader::new(&written)).unwrap(), vocabulary);
        assert!(Vocabulary::read(&mut Reader::new(&written[..written.len() - 1])).is_err());
    }

    #[test]
    fn merges_are_found() {
        let merges = Merges::new(vec![[2, 1, 5, 9], [1, 2, 0, 7], [1, 1, 3, 8]]);
        assert_eq!(
            [merges.get(1, 2), merges.get(2, 1), merges.get(2, 2)],
            [Some((0, 7)), Some((5, 9)), None]
        );
    }
}
