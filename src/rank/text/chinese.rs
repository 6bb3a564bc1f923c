//! English words for Chinese ones, so that a Chinese prompt finds skills that are described in English.
//!
//! `chinese.tsv` has 2,734 Chinese words with one to three English stems each. They were learned from how often
//! words stand in aligned sentences together, and are sorted by their bytes.

/// The words, one a line: the Chinese one, a tabulator, English stems with spaces between.
const TABLE: &str = include_str!("chinese.tsv");

/// The most characters of a Chinese word of the table.
const LONGEST: usize = 8;

/// The table, ready to be looked up.
pub struct Chinese(Vec<(&'static str, &'static str)>);

impl Chinese {
    /// Reads the table, which takes a fraction of a millisecond: do it for prompts that need it.
    pub fn load() -> Self {
        Self(TABLE.lines().filter_map(|line| line.split_once('\t')).collect())
    }

    /// Hands the English stems of each word in `text` to `visit`. At each place the longest word of the table
    /// counts, so that no words need to be told apart first.
    pub fn visit(&self, text: &str, mut visit: impl FnMut(&str)) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let mut step = first.len_utf8();
            if super::is_han(first) {
                let ends = rest.char_indices().map(|(at, character)| at + character.len_utf8()).take(LONGEST);
                let ends: Vec<usize> = ends.collect();
                let known = ends.into_iter().rev().find_map(|end| Some((end, self.stems(&rest[..end])?)));
                if let Some((end, stems)) = known {
                    stems.split(' ').for_each(&mut visit);
                    step = end;
                }
            }
            rest = &rest[step..];
        }
    }

    fn stems(&self, word: &str) -> Option<&'static str> {
        self.0.binary_search_by(|(known, _)| (*known).cmp(word)).ok().map(|place| self.0[place].1)
    }
}
