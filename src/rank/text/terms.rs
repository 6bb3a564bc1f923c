//! The terms of full-text search: what a text is looked up by.
//!
//! A text is normalised to NFKC and split into runs of letters, numbers and combining marks. A run is split
//! where a script that is written without spaces begins or ends, so that `分析PDF文档` has three parts. Han,
//! kana and Hangul give their overlapping pairs of characters; everything else is folded to lower case,
//! without stop words, and English stems by Porter's algorithm in its second edition. An identifier such as
//! `parseCsvFile` is a term as a whole and in its parts; `_`, `-` and `.` separate words anyway, so that a file
//! extension is a term of its own.

use std::borrow::Cow;

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup, Script},
};
use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use xxhash_rust::xxh3::xxh3_64;

use super::{Stops, is_word, visit_pairs};

/// Words that say nothing about a task, sorted: those of the contract, further function words of English, and
/// what is left of contractions.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been",
    "before", "being", "but", "by", "can", "could", "d", "did", "do", "does", "doing", "don", "each", "for",
    "from", "get", "had", "has", "have", "help", "her", "here", "his", "how", "i", "if", "in", "into", "is",
    "it", "its", "just", "let", "like", "ll", "m", "me", "might", "more", "most", "must", "my", "need", "no",
    "not", "of", "on", "only", "or", "other", "our", "out", "over", "please", "re", "s", "shall", "she",
    "should", "so", "some", "such", "t", "than", "thanks", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "too", "up", "us", "use", "used", "user", "using", "ve", "very",
    "want", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with",
    "would", "you", "your",
];

/// Longer runs are no words: hashes, base64, keys.
const LONGEST: usize = 40;

/// A term, by the hash of its text: the index stores numbers and never text.
///
/// Of a million terms two share a number once in 37 million indexes, and then count for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub u64);

impl Term {
    /// The term of an analysed word.
    pub fn of(word: &str) -> Self {
        Self(xxh3_64(word.as_bytes()))
    }
}

/// How many words are remembered: most words of a text are few.
const REMEMBERED: usize = 1 << 14;

/// What is done to a text beside splitting it. The product does all of it; the evaluation leaves parts out, to
/// tell what each is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Analysis {
    /// Words that say nothing are left out.
    pub stop_words: bool,
    /// Forms of a word are one term.
    pub stems: bool,
    /// A Chinese prompt is looked up in English too.
    pub translations: bool,
}

impl Analysis {
    /// Everything.
    pub const WHOLE: Self = Self { stop_words: true, stems: true, translations: true };
}

/// Finds terms. It remembers words, so that one is made for many texts.
pub struct Analyser {
    analysis: Analysis,
    stemmer: Stemmer,
    /// A word in lower case.
    word: String,
    /// Words with their terms, each at the place that its hash gives.
    known: Vec<Known>,
}

/// What is known of a word.
#[derive(Debug, Clone)]
struct Known {
    word: String,
    is_stop: bool,
    stem: String,
    term: Term,
}

impl Default for Analyser {
    fn default() -> Self {
        Self::new(Analysis::WHOLE)
    }
}

impl Analyser {
    /// An analyser that does this much.
    pub fn new(analysis: Analysis) -> Self {
        let nothing = Known { word: String::new(), is_stop: true, stem: String::new(), term: Term(0) };
        let stemmer = Stemmer::create(Algorithm::English);
        Self { analysis, stemmer, word: String::new(), known: vec![nothing; REMEMBERED] }
    }

    /// What it does.
    pub fn analysis(&self) -> Analysis {
        self.analysis
    }

    /// Hands each term of `text` to `visit`, repetitions included, in their order.
    pub fn visit(&mut self, text: &str, mut visit: impl FnMut(Term)) {
        self.visit_both(text, &mut |_, term| visit(term));
    }

    /// Hands the analysed word of each term of `text` to `visit`.
    pub fn visit_words(&mut self, text: &str, mut visit: impl FnMut(&str)) {
        self.visit_both(text, &mut |word, _| visit(word));
    }

    /// The stem of a word in lower case.
    pub fn stem(&mut self, word: &str) -> &str {
        &self.known(word).stem
    }

    fn visit_both(&mut self, text: &str, visit: &mut impl FnMut(&str, Term)) {
        let is_normal = text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes;
        let text = if is_normal { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) };
        for run in text.split(|character| !is_part_of_word(character)).filter(|run| !run.is_empty()) {
            if run.is_ascii() {
                self.visit_identifier(run, visit);
                continue;
            }
            for (part, is_unspaced) in by_script(run) {
                if is_unspaced {
                    visit_pairs(part, Stops::CONTRACT.phrases, &mut |pair: &str| visit(pair, Term::of(pair)));
                } else {
                    self.visit_identifier(part, visit);
                }
            }
        }
    }

    fn visit_identifier(&mut self, run: &str, visit: &mut impl FnMut(&str, Term)) {
        if run.len() > LONGEST && run.chars().count() > LONGEST {
            return;
        }
        self.visit_word(run, visit);
        if run.is_ascii() && !run.bytes().skip(1).any(|byte| byte.is_ascii_uppercase()) {
            return;
        }
        let mut parts = humps(run);
        if let (Some(first), Some(second)) = (parts.next(), parts.next()) {
            for part in [first, second].into_iter().chain(parts).filter(|part| part.len() > 1) {
                self.visit_word(part, visit);
            }
        }
    }

    fn visit_word(&mut self, word: &str, visit: &mut impl FnMut(&str, Term)) {
        let mut lower = std::mem::take(&mut self.word);
        lower.clear();
        if word.is_ascii() {
            lower.push_str(word);
            lower.make_ascii_lowercase();
        } else {
            lower.extend(word.chars().flat_map(char::to_lowercase));
        }
        let known = self.known(&lower);
        if !known.is_stop {
            visit(&known.stem, known.term);
        }
        self.word = lower;
    }

    fn known(&mut self, word: &str) -> &Known {
        let place = usize::try_from(xxh3_64(word.as_bytes()) % REMEMBERED as u64).unwrap_or_default();
        let known = &mut self.known[place];
        if known.word != word {
            let has_stem =
                self.analysis.stems && word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
            let stem = if has_stem { self.stemmer.stem(word) } else { Cow::Borrowed(word) };
            known.term = Term::of(&stem);
            stem.as_ref().clone_into(&mut known.stem);
            known.is_stop = self.analysis.stop_words && STOP_WORDS.binary_search(&word).is_ok();
            word.clone_into(&mut known.word);
        }
        known
    }
}

/// A letter, a number, or a mark that belongs to one.
fn is_part_of_word(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    is_word(character)
        || GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(character))
}

/// Whether a character is of a script that is written without spaces between its words.
pub fn is_unspaced(character: char) -> bool {
    // The first of them is U+1100, in Hangul Jamo.
    character >= '\u{1100}'
        && (character == '\u{30fc}'
            || matches!(
                CodePointMapData::<Script>::new().get(character),
                Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul
            ))
}

/// The parts of a run that are written with or without spaces.
fn by_script(run: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = run;
    std::iter::from_fn(move || {
        let is_first_unspaced = is_unspaced(rest.chars().next()?);
        let end = rest.find(|character| is_unspaced(character) != is_first_unspaced).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        Some((part, is_first_unspaced))
    })
}

/// The parts of an identifier: a capital after a small letter or before one begins a part.
fn humps(run: &str) -> impl Iterator<Item = &str> {
    let mut rest = run;
    std::iter::from_fn(move || {
        let mut characters = rest.char_indices();
        let (_, mut previous) = characters.next()?;
        let mut end = rest.len();
        for (at, character) in characters {
            let after = rest[at..].chars().nth(1);
            let begins_word = character.is_uppercase()
                && (previous.is_lowercase()
                    || previous.is_uppercase() && after.is_some_and(char::is_lowercase));
            if begins_word {
                end = at;
                break;
            }
            previous = character;
        }
        let (part, after) = rest.split_at(end);
        rest = after;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_terms(text: &str, expected: &str) {
        let mut terms = Vec::new();
        Analyser::default().visit_words(text, |word| terms.push(word.to_owned()));
        assert_eq!(terms.join(" "), expected, "{text}");
    }

    #[test]
    fn terms_of_each_kind_of_text() {
        assert!(STOP_WORDS.is_sorted());
        assert_terms("", "");
        assert_terms("Please use the PDF", "pdf");
        assert_terms("libraries Library reports", "librari librari report");
        assert_terms(
            "parseCsvFile PyTorch HTTPServer",
            "parsecsvfil pars csv file pytorch py torch httpserver http server",
        );
        assert_terms("snake_case kebab-case sales.csv", "snake case kebab case sale csv");
        assert_terms("分析PDF文档", "分析 pdf 文档");
        assert_terms("画像を切り抜く", "画像 像を を切 切り り抜 抜く");
        assert_terms("한국어", "한국 국어");
        assert_terms("ＰＤＦ ﬁle", "pdf file");
        assert_terms("naïve Ärger", "naïve ärger");
        assert_terms(&"a1".repeat(30), "");
    }
}
