//! How common words are among skills in general, so that a small collection knows what a word tells.
//!
//! Among ten skills a word that one of them has seems rare, whatever it is. `common.tsv` has the words that at least
//! 5 of 1,000 skills have, counted over 9,196 public ones, with how many do; it is sorted by its bytes. `eval train
//! --common` makes it.

/// The words, one a line: the stem, a tabulator, how many of 1,000 skills have it.
const TABLE: &str = include_str!("common.tsv");

/// Which share of skills in general has a word, if it is a common one; `word` is analysed.
pub fn share(word: &str) -> Option<f64> {
    let (mut low, mut high) = (0, TABLE.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        let start = TABLE.as_bytes()[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let length = TABLE.as_bytes()[start..].iter().position(|&byte| byte == b'\n')?;
        let (known, thousandths) = TABLE[start..start + length].split_once('\t')?;
        match known.cmp(word) {
            std::cmp::Ordering::Equal => {
                return thousandths.parse::<f64>().ok().map(|number| number / 1_000.0);
            }
            std::cmp::Ordering::Less => low = start + length + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_table_is_found() {
        let mut words = Vec::new();
        for line in TABLE.lines() {
            let (word, thousandths) = line.split_once('\t').unwrap();
            let known = share(word).unwrap();
            assert!(
                (known * 1_000.0 - thousandths.parse::<f64>().unwrap()).abs() < 1e-9 && known <= 1.0,
                "{word}"
            );
            words.push(word);
        }
        assert!(words.is_sorted() && words.len() > 1_000);
        for word in ["", "zzzz", "0", "qqqqq", "\u{10ffff}", "a\tb"] {
            assert_eq!(share(word), None, "{word}");
        }
    }
}
