//! How common words are among the skills of a corpus: the table of [`crate::rank::text::common`].

use std::collections::{BTreeMap, BTreeSet};

use crate::{eval::retrieval::corpus::Corpus, rank::text::terms::Analyser};

/// A word that fewer of 1,000 skills have is not common.
const LEAST: usize = 5;

/// The table: the words that at least [`LEAST`] of 1,000 skills have, with how many do. Numbers are no words.
pub fn common(corpus: &Corpus) -> String {
    let mut analyser = Analyser::default();
    let mut frequencies: BTreeMap<String, usize> = BTreeMap::new();
    for skill in &corpus.skills {
        let mut words: BTreeSet<String> = BTreeSet::new();
        for text in [Some(&skill.name), Some(&skill.description), skill.when.as_ref(), Some(&skill.body)] {
            let is_word = |word: &str| !word.bytes().all(|byte| byte.is_ascii_digit());
            analyser.visit_words(text.map_or("", String::as_str), |word| {
                if is_word(word) && !words.contains(word) {
                    words.insert(word.to_owned());
                }
            });
        }
        for word in words {
            *frequencies.entry(word).or_default() += 1;
        }
    }
    let count = corpus.skills.len().max(1);
    let thousandths = |frequency: usize| (frequency * 1_000 + count / 2) / count;
    let mut table = String::new();
    for (word, frequency) in frequencies {
        let number = thousandths(frequency);
        if number >= LEAST {
            table.extend([word.as_str(), "\t", &number.to_string(), "\n"]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_once_a_skill() {
        let corpus = Corpus::of_skills(
            "{\"id\": \"a\", \"name\": \"pdf\", \"description\": \"Reads PDF 2024\"}\n{\"id\": \"b\", \"name\": \"csv\", \"body\": \"reading\"}",
        );
        assert_eq!(common(&corpus.unwrap()), "csv\t500\npdf\t500\nread\t1000\n");
    }
}
