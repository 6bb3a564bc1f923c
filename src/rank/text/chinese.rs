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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stems(text: &str) -> String {
        let mut stems = Vec::new();
        Chinese::load().visit(text, |stem| stems.push(stem.to_owned()));
        stems.join(" ")
    }

    #[test]
    fn the_table_is_sorted_and_in_the_bounds() {
        let table = Chinese::load();
        assert_eq!(table.0.len(), TABLE.lines().count());
        assert!(table.0.is_sorted_by(|left, right| left.0 < right.0));
        for (word, stems) in &table.0 {
            assert!(
                (1..=LONGEST).contains(&word.chars().count()) && word.chars().all(super::super::is_han),
                "{word}"
            );
            assert!((1..=3).contains(&stems.split(' ').count()) && !stems.contains("  "), "{word}");
        }
    }

    #[test]
    fn the_longest_word_counts_at_each_place() {
        assert_eq!(stems(""), "");
        assert_eq!(stems("read the file"), "");
        let table = Chinese::load();
        // A word that begins with another word of the table stands for itself alone.
        let (long, short) = table
            .0
            .iter()
            .find_map(|(long, _)| {
                let end = long.char_indices().nth(2)?.0;
                table.stems(&long[..end]).map(|_| (*long, &long[..end]))
            })
            .unwrap();
        assert_eq!(stems(long), table.stems(long).unwrap());
        assert_eq!(stems(&format!("{short} {short}")), [table.stems(short).unwrap(); 2].join(" "));
    }

    proptest! {
        #[test]
        fn any_text_has_a_bounded_number_of_stems(text in "[\u{4e00}-\u{9fff}a。 ]{0,40}") {
            let mut number = 0;
            Chinese::load().visit(&text, |_| number += 1);
            prop_assert!(number <= 3 * text.chars().count());
        }
    }
}
