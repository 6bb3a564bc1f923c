//! The lexical score: how many words a prompt shares with a candidate, field by field.
//!
//! The weights are the contract of `routerMode: lexical` and are kept for compatibility, not for
//! quality. A [`Query`] is prepared once a prompt; scoring a candidate of plain ASCII text then
//! allocates nothing unless a word matches. Words that hold other characters take a slower path;
//! property tests hold that both paths, and the whole text at once, give the same score.

use super::text::{Stops, contains_bounded, is_han, normalise, runs, visit_contract_tokens};
use crate::candidate::Candidate;

/// What each kind of agreement is worth.
///
/// Production code knows only [`Weights::CONTRACT`]; the evaluation varies the weights to prove that
/// its corpora notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weights {
    pub(crate) name_phrase: u64,
    pub(crate) name: u64,
    pub(crate) when_to_use: u64,
    pub(crate) description: u64,
    pub(crate) han_bonus: u64,
    pub(crate) stops: Stops,
}

impl Weights {
    pub(crate) const CONTRACT: Self = Self {
        name_phrase: 100,
        name: 20,
        when_to_use: 8,
        description: 3,
        han_bonus: 10,
        stops: Stops::CONTRACT,
    };
}

/// A prompt, analysed once for any number of candidates.
#[derive(Debug, Clone)]
pub struct Query {
    text: String,
    tokens: WordSet,
    runs: WordSet,
    han_pairs: Vec<(char, char)>,
    weights: Weights,
}

/// The points of one candidate for one prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// The sum of the parts.
    pub total: u64,
    /// Where the points come from.
    pub parts: Parts,
}

/// The points of each part of a [`Score`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parts {
    /// 100 when the prompt holds the whole name, with hyphens or spaces.
    pub name_phrase: u64,
    /// 20 for each word shared with the name.
    pub name: u64,
    /// 8 for each word shared with the text on when to use the skill.
    pub when_to_use: u64,
    /// 3 for each word shared with the description.
    pub description: u64,
    /// 10 for each pair of Han characters found literally in the text on when to use the skill, and
    /// again in the description.
    pub han_bonus: u64,
}

impl Query {
    /// Analyses `prompt`.
    pub fn new(prompt: &str) -> Self {
        Self::with_weights(prompt, Weights::CONTRACT)
    }

    pub(crate) fn with_weights(prompt: &str, weights: Weights) -> Self {
        let text = normalise(prompt);
        let mut tokens = Vec::new();
        visit_contract_tokens(&text, weights.stops, |token| tokens.push(token));
        let mut han_pairs = tokens.iter().filter_map(|token| han_pair(token)).collect::<Vec<_>>();
        han_pairs.sort_unstable();
        han_pairs.dedup();
        let tokens = WordSet::new(tokens);
        let runs = WordSet::new(runs(&text).collect());
        Self { text, tokens, runs, han_pairs, weights }
    }

    /// The normalised prompt.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The distinct tokens, sorted.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        self.tokens.words.iter().map(AsRef::as_ref)
    }

    /// Whether the prompt holds `name` as a phrase, as it is or with spaces for hyphens.
    fn holds_name(&self, name: &str) -> bool {
        // The runs of a bounded phrase are whole runs of the prompt, so that one unknown run rules
        // the name out and the prompt need not be searched.
        if name.is_ascii() && !ascii_runs(name).all(|run| self.runs.position(run).is_some()) {
            return false;
        }
        let name = normalise(name);
        if !runs(&name).all(|run| self.runs.position(run.as_bytes()).is_some()) {
            return false;
        }
        contains_bounded(&self.text, &name)
            || (name.contains('-') && contains_bounded(&self.text, &name.replace('-', " ")))
    }

    /// The number of distinct tokens shared with `text`.
    fn shared(&self, text: &str) -> u64 {
        let mut found = Vec::new();
        if text.is_ascii() {
            self.find_ascii(text, &mut found);
            return count_distinct(found);
        }
        // Neither composition nor the case of a letter reaches over a space, so that a dash or an
        // accent sends only its own word down the slow path.
        for piece in text.split(' ') {
            if piece.is_ascii() {
                self.find_ascii(piece, &mut found);
            } else {
                visit_contract_tokens(&normalise(piece), self.weights.stops, |token| {
                    found.extend(self.tokens.position(token.as_bytes()));
                });
            }
        }
        count_distinct(found)
    }

    /// Stop words are not looked for: they are no tokens of the prompt either.
    fn find_ascii(&self, text: &str, found: &mut Vec<usize>) {
        found.extend(ascii_runs(text).filter_map(|run| self.tokens.position(run)));
    }

    /// The number of distinct pairs of Han characters that occur in `text` as it was written.
    fn literal_pairs(&self, text: &str) -> u64 {
        if self.han_pairs.is_empty() || text.is_ascii() {
            return 0;
        }
        let pairs = text.chars().zip(text.chars().skip(1));
        count_distinct(pairs.filter_map(|pair| self.han_pairs.binary_search(&pair).ok()).collect())
    }
}

/// Scores `candidate` for a prompt.
pub fn score(query: &Query, candidate: &Candidate) -> Score {
    let weights = &query.weights;
    let when_to_use = candidate.when_to_use.as_deref().unwrap_or_default();
    let pairs = query.literal_pairs(when_to_use) + query.literal_pairs(&candidate.description);
    let parts = Parts {
        name_phrase: if query.holds_name(&candidate.name) { weights.name_phrase } else { 0 },
        name: weights.name * query.shared(&candidate.name),
        when_to_use: weights.when_to_use * query.shared(when_to_use),
        description: weights.description * query.shared(&candidate.description),
        han_bonus: weights.han_bonus * pairs,
    };
    let total = parts.name_phrase + parts.name + parts.when_to_use + parts.description + parts.han_bonus;
    Score { total, parts }
}

/// A sorted set of normalised words with a cheap test in front of it.
#[derive(Debug, Clone)]
struct WordSet {
    words: Vec<Box<str>>,
    /// One bit for each first byte (its low 5 bits) and length (up to 31) of a word in the set. Most
    /// words of a description share neither with any word of a prompt.
    seen: [u32; 32],
}

impl WordSet {
    fn new(mut words: Vec<&str>) -> Self {
        words.sort_unstable();
        words.dedup();
        let mut seen = [0; 32];
        for word in &words {
            let (row, bit) = Self::place(word.as_bytes());
            seen[row] |= bit;
        }
        Self { words: words.into_iter().map(Box::from).collect(), seen }
    }

    /// The index of `word`, whose ASCII letters may be of either case.
    fn position(&self, word: &[u8]) -> Option<usize> {
        let (row, bit) = Self::place(word);
        if self.seen[row] & bit == 0 {
            return None;
        }
        self.words.binary_search_by(|known| known.bytes().cmp(word.iter().map(u8::to_ascii_lowercase))).ok()
    }

    fn place(word: &[u8]) -> (usize, u32) {
        // The low 5 bits of an ASCII letter are the same in both cases.
        let row = word.first().map_or(0, |first| usize::from(first & 31));
        (row, 1 << word.len().min(31))
    }
}

fn ascii_runs(text: &str) -> impl Iterator<Item = &[u8]> {
    text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()).filter(|run| !run.is_empty())
}

fn han_pair(token: &str) -> Option<(char, char)> {
    let mut characters = token.chars();
    match (characters.next(), characters.next(), characters.next()) {
        (Some(first), Some(second), None) if is_han(first) && is_han(second) => Some((first, second)),
        _ => None,
    }
}

fn count_distinct(mut indices: Vec<usize>) -> u64 {
    indices.sort_unstable();
    indices.dedup();
    indices.len() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{candidate::Origin, rank::text::contract_tokens, skill::name::Slug};

    fn candidate(name: &str, description: &str, when_to_use: Option<&str>) -> Candidate {
        Candidate {
            id: name.to_owned(),
            name: name.to_owned(),
            slug: Slug::derive(name, "folder"),
            description: description.to_owned(),
            when_to_use: when_to_use.map(str::to_owned),
            origin: Origin::Local,
            source: "here".to_owned(),
            installs: None,
            quality: None,
        }
    }

    #[test]
    fn points_by_example() {
        for (prompt, name, description, when_to_use, expected) in [
            ("", "go", "Compile Go programs", None, [0, 0, 0, 0, 0]),
            ("please help me with this", "help", "Help", Some("help"), [100, 0, 0, 0, 0]),
            ("go to the store", "go", "Compile Go programs", None, [100, 20, 0, 3, 0]),
            ("ongoing", "go", "Compile Go programs", None, [0, 0, 0, 0, 0]),
            ("mend the SOAP-bar today", "soap-bar", "x", Some("mend Mend MEND today"), [100, 40, 16, 0, 0]),
            ("a soap bar", "Soap-Bar", "soap soap", None, [100, 40, 0, 3, 0]),
            ("soap in a bar", "soap-bar", "x", None, [0, 40, 0, 0, 0]),
            ("汇总 sales.csv", "table", "汇总表格数据", None, [0, 0, 0, 3, 10]),
            ("汇总 sales.csv", "table", "x", Some("汇总表格，汇总数据"), [0, 0, 8, 0, 10]),
            ("汇总表格", "table", "汇总和表格", Some("汇总"), [0, 0, 8, 6, 30]),
            ("café menu", "x", "The CAFÉ — a menu", None, [0, 0, 0, 6, 0]),
        ] {
            let candidate = candidate(name, description, when_to_use);
            let Score { total, parts } = score(&Query::new(prompt), &candidate);
            let points =
                [parts.name_phrase, parts.name, parts.when_to_use, parts.description, parts.han_bonus];
            assert_eq!(points, expected, "{prompt:?} against {name:?}");
            assert_eq!(total, expected.iter().sum::<u64>());
        }
    }

    #[test]
    fn the_bonus_needs_the_characters_as_written() {
        // U+F900 is a compatibility form that NFKC turns into U+8C48.
        let query = Query::new("\u{8c48}有");
        assert_eq!(score(&query, &candidate("x", "\u{8c48}有", None)).parts.han_bonus, 10);
        let compatibility = score(&query, &candidate("x", "\u{f900}有", None)).parts;
        assert_eq!((compatibility.description, compatibility.han_bonus), (3, 0));
    }

    #[test]
    fn long_and_hostile_texts_take_linear_time() {
        let query = Query::new(&"aa ".repeat(200_000));
        let hostile = candidate(&"aa ".repeat(50_000), &"aa ".repeat(200_000), Some(&"中".repeat(200_000)));
        assert_eq!(
            score(&query, &hostile).parts,
            Parts { name_phrase: 100, name: 20, description: 3, ..Parts::default() }
        );
        let query = Query::new(&"中".repeat(300_000));
        assert_eq!(
            score(&query, &hostile).parts,
            Parts { when_to_use: 8, han_bonus: 10, ..Parts::default() }
        );
        let marks = format!("a{}", "\u{301}\u{327}".repeat(200_000));
        assert_eq!(Query::new(&marks).tokens().count(), 1);
    }

    proptest! {
        #[test]
        fn fast_and_general_path_agree(
            prompt in "([a-eA-E0-2]{1,3}[ ._/-]){0,8}",
            text in "([a-eA-E0-2]{1,3}[ ._/-]){0,20}",
        ) {
            let query = Query::new(&prompt);
            let known = contract_tokens(&prompt);
            let expected = contract_tokens(&text).iter().filter(|token| known.contains(token)).count() as u64;
            prop_assert_eq!(query.shared(&text), expected);
            // A mark that is no word character sends the same words down the general path.
            prop_assert_eq!(query.shared(&format!("{text} \u{2014}")), expected);
        }

        #[test]
        fn both_paths_agree_on_any_ascii(prompt in "[ -~]{0,40}", text in "[ -~]{0,60}") {
            let query = Query::new(&prompt);
            prop_assert_eq!(query.shared(&text), query.shared(&format!("{text} \u{2014}")));
        }

        #[test]
        fn pieces_between_spaces_are_analysed_as_the_whole(
            prompt in "([a-cΣσς\u{301}中下一个é½ﬁ .]{1,4}){0,6}",
            text in "([a-cA-CΣσς\u{301}中下一个é½ﬁ .\u{a0}]{1,4}){0,12}",
        ) {
            let known = contract_tokens(&prompt);
            let expected = contract_tokens(&text).iter().filter(|token| known.contains(token)).count() as u64;
            prop_assert_eq!(Query::new(&prompt).shared(&text), expected);
        }

        #[test]
        fn the_filter_never_hides_a_name(prompt in "([ab]{1,2}[ -]){0,6}", name in "[ab]{1,2}(-[ab]{1,2}){0,2}") {
            let text = normalise(&prompt);
            let expected = contains_bounded(&text, &name) || contains_bounded(&text, &name.replace('-', " "));
            prop_assert_eq!(Query::new(&prompt).holds_name(&name), expected);
        }

        #[test]
        fn literal_pairs_are_substrings(prompt in "[甲乙丙a ]{0,10}", text in "[甲乙丙a ]{0,20}") {
            let expected = contract_tokens(&prompt).iter()
                .filter(|token| token.chars().count() == 2 && token.chars().all(is_han) && text.contains(token.as_str()))
                .count() as u64;
            prop_assert_eq!(Query::new(&prompt).literal_pairs(&text), expected);
        }
    }
}
