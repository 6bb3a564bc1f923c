//! Normalised text and its tokens, as the lexical contract defines them.
//!
//! Letters and numbers are those of Unicode's `General_Category` (`\p{L}` and `\p{N}`), and a Han
//! character is one whose Script property is Han. Both matter at the edges: `char::is_alphanumeric`
//! also accepts letter-like symbols, and `Script_Extensions` also counts shared punctuation.
//!
//! Every function takes time linear in its input, up to the logarithm of a sorted set. Stemming and
//! script splits are no part of the contract; a richer analysis stands beside these functions, it
//! does not change them.

use std::collections::BTreeSet;

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup, Script},
};
use unicode_normalization::UnicodeNormalization;

pub mod chinese;
pub mod common;
pub mod terms;

/// What the analysis leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stops {
    /// Words that are never tokens, sorted.
    pub words: &'static [&'static str],
    /// Phrases at which a run of Han characters is split, in the order in which they are tried.
    pub phrases: &'static [&'static str],
}

impl Stops {
    /// The lists of the contract.
    pub const CONTRACT: Self = Self {
        words: &[
            "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "help", "i", "in", "is", "it",
            "me", "of", "on", "or", "please", "that", "the", "this", "to", "use", "with", "you",
        ],
        phrases: &[
            "一个", "一下", "以及", "使用", "帮我", "我们", "我的", "这个", "那个", "进行", "需要", "可以",
            "如何",
        ],
    };
}

/// NFKC, lower case, every run of white space one space, trimmed.
pub fn normalise(text: &str) -> String {
    if text.is_ascii() {
        return collapse(text.chars().map(|character| character.to_ascii_lowercase()), text.len());
    }
    let lowered = text.nfkc().collect::<String>().to_lowercase();
    collapse(lowered.chars(), lowered.len())
}

/// The tokens of `text`, each once, in the order in which they are first seen.
pub fn contract_tokens(text: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut tokens = Vec::new();
    let normalised = normalise(text);
    visit_contract_tokens(&normalised, Stops::CONTRACT, |token| {
        if seen.insert(token) {
            tokens.push(token.to_owned());
        }
    });
    tokens
}

/// Hands every token of an already normalised text to `visit`, repetitions included.
///
/// The tokens are slices of the text, so that a caller who only looks them up allocates nothing.
pub fn visit_contract_tokens<'text>(normalised: &'text str, stops: Stops, mut visit: impl FnMut(&'text str)) {
    for run in runs(normalised) {
        if run.chars().all(is_han) {
            visit_pairs(run, stops.phrases, &mut visit);
        } else if stops.words.binary_search(&run).is_err() {
            visit(run);
        }
    }
}

/// The maximal runs of letters and numbers.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character| !is_word(character)).filter(|run| !run.is_empty())
}

/// Whether `character` is a letter or a number: `General_Category` L or N.
pub fn is_word(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    GeneralCategoryGroup::Letter.contains(category) || GeneralCategoryGroup::Number.contains(category)
}

/// Whether the Script property of `character` is Han.
pub fn is_han(character: char) -> bool {
    // The first Han character is U+2E80, in the radicals supplement.
    character >= '\u{2e80}' && CodePointMapData::<Script>::new().get(character) == Script::Han
}

/// Whether `phrase` occurs in `text` with no letter or number directly before or after it.
///
/// Both are normalised. An empty phrase occurs nowhere.
pub fn contains_bounded(text: &str, phrase: &str) -> bool {
    if phrase.is_empty() || phrase.len() > text.len() {
        return false;
    }
    let borders = borders(phrase.as_bytes());
    let mut matched = 0;
    for (index, byte) in text.bytes().enumerate() {
        while matched > 0 && phrase.as_bytes().get(matched) != Some(&byte) {
            matched = borders[matched - 1];
        }
        if phrase.as_bytes()[matched] == byte {
            matched += 1;
        }
        if matched == phrase.len() {
            let end = index + 1;
            if is_bounded(&text[..end - matched], &text[end..]) {
                return true;
            }
        }
    }
    false
}

/// For each prefix of `phrase`, the length of its longest proper prefix that is also its suffix.
///
/// This is the table of Knuth, Morris and Pratt. A search that restarts after each hit would miss
/// overlapping hits or take quadratic time on `aaaa`, and a name is outside text.
fn borders(phrase: &[u8]) -> Vec<usize> {
    let mut borders = vec![0; phrase.len()];
    let mut matched = 0;
    for index in 1..phrase.len() {
        while matched > 0 && phrase[matched] != phrase[index] {
            matched = borders[matched - 1];
        }
        if phrase[matched] == phrase[index] {
            matched += 1;
        }
        borders[index] = matched;
    }
    borders
}

fn is_bounded(before: &str, after: &str) -> bool {
    !before.chars().next_back().is_some_and(is_word) && !after.chars().next().is_some_and(is_word)
}

/// The overlapping pairs of characters between `phrases`; one that stands alone is a token itself.
fn visit_pairs<'text>(run: &'text str, phrases: &[&str], visit: &mut impl FnMut(&'text str)) {
    let mut pieces = vec![run];
    for phrase in phrases {
        if run.contains(phrase) {
            pieces = pieces.into_iter().flat_map(|piece| piece.split(phrase)).collect();
        }
    }
    for piece in pieces {
        let starts = piece.char_indices().map(|(start, _)| start);
        let ends = piece.char_indices().map(|(start, character)| start + character.len_utf8());
        let mut windows = starts.zip(ends.skip(1)).peekable();
        if windows.peek().is_none() && !piece.is_empty() {
            visit(piece);
        }
        for (start, end) in windows {
            visit(&piece[start..end]);
        }
    }
}

/// White space as ECMAScript counts it, because the contract was measured there: with U+FEFF and
/// without U+0085.
fn is_space(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

fn collapse(characters: impl Iterator<Item = char>, capacity: usize) -> String {
    let mut collapsed = String::with_capacity(capacity);
    let mut gap = false;
    for character in characters {
        if is_space(character) {
            gap = !collapsed.is_empty();
            continue;
        }
        if gap {
            collapsed.push(' ');
            gap = false;
        }
        collapsed.push(character);
    }
    collapsed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn normalises_by_example() {
        for (text, expected) in [
            ("", ""),
            ("  Read\t\nTHIS  ", "read this"),
            ("ＵＳＥ　ＰＤＦ－Ｒ", "use pdf-r"),
            ("ΟΔΟΣ", "οδος"),
            ("İ", "i\u{307}"),
            ("a\u{feff}b", "a b"),
            ("a\u{85}b", "a\u{85}b"),
            ("½ ﬁn", "1\u{2044}2 fin"),
        ] {
            assert_eq!(normalise(text), expected, "{text:?}");
        }
    }

    #[test]
    fn tokens_by_example() {
        for (text, expected) in [
            ("", ""),
            ("Please help me with this", ""),
            ("pdf-reader v2.0 snake_case", "pdf reader v2 0 snake case"),
            ("run the run", "run"),
            ("分析PDF文档", "分析pdf文档"),
            ("分析 PDF 文档", "分析 pdf 文档"),
            ("帮我分析这份报告", "分析 析这 这份 份报 报告"),
            ("请", "请"),
            ("帮我", ""),
            ("使用帮我", ""),
            ("一个一下子", "子"),
            ("画像を切り抜く", "画像を切り抜く"),
            ("이미지를 잘라", "이미지를 잘라"),
            ("cafe\u{301}s e\u{301}", "cafés é"),
            ("x\u{301}y", "x y"),
            ("人々 〇一二", "人々 〇一 一二"),
            ("Ⓑ ² Ⅷ", "b 2 viii"),
        ] {
            assert_eq!(contract_tokens(text).join(" "), expected, "{text:?}");
        }
    }

    #[test]
    fn letters_are_those_of_the_general_category() {
        for (character, expected) in [
            ('a', true),
            ('7', true),
            ('_', false),
            ('é', true),
            ('½', true),
            ('\u{345}', false),
            ('Ⓐ', false),
        ] {
            assert_eq!(is_word(character), expected, "{character:?}");
        }
        assert!(
            '\u{345}'.is_alphanumeric() && 'Ⓐ'.is_alphanumeric(),
            "the standard library's class is wider"
        );
        for (character, expected) in
            [('漢', true), ('々', true), ('。', false), ('か', false), ('ー', false), ('a', false)]
        {
            assert_eq!(is_han(character), expected, "{character:?}");
        }
    }

    #[test]
    fn phrases_are_bounded() {
        for (text, phrase, expected) in [
            ("use pdf-reader now", "pdf-reader", true),
            ("use pdf-reader now", "reader", true),
            ("ongoing", "go", false),
            ("let it go", "go", true),
            ("go", "go", true),
            ("xa-a-a", "a-a", true),
            ("go", "", false),
            ("go!", "go!", true),
            ("帮我go", "go", false),
            ("帮我，go。", "go", true),
        ] {
            assert_eq!(contains_bounded(text, phrase), expected, "{phrase:?} in {text:?}");
        }
    }

    #[test]
    fn stop_words_are_sorted_for_the_binary_search() {
        assert_eq!(Stops::CONTRACT.words.len(), 27);
        assert!(Stops::CONTRACT.words.is_sorted());
        assert_eq!(Stops::CONTRACT.phrases.len(), 13);
    }

    proptest! {
        #[test]
        fn bounded_search_agrees_with_trying_every_place(text in "[ab -]{0,30}", phrase in "[ab -]{1,4}") {
            let expected = text.char_indices().any(|(start, _)| {
                text[start..].strip_prefix(phrase.as_str()).is_some_and(|after| is_bounded(&text[..start], after))
            });
            prop_assert_eq!(contains_bounded(&text, &phrase), expected);
        }

        #[test]
        fn han_runs_become_windows_of_two(text in "[一个下以及这那]{0,12}") {
            let mut pieces = vec![text.clone()];
            for phrase in Stops::CONTRACT.phrases {
                pieces = pieces.iter().flat_map(|piece| piece.split(phrase)).map(str::to_owned).collect();
            }
            let mut expected = Vec::<String>::new();
            for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
                let characters = piece.chars().collect::<Vec<_>>();
                for window in characters.windows(characters.len().min(2)).map(String::from_iter) {
                    if !expected.contains(&window) {
                        expected.push(window);
                    }
                }
            }
            prop_assert_eq!(contract_tokens(&text), expected);
        }

        #[test]
        fn tokens_are_unique_and_normalised_text_is_trimmed(text in ".{0,60}") {
            let tokens = contract_tokens(&text);
            prop_assert_eq!(tokens.iter().collect::<BTreeSet<_>>().len(), tokens.len());
            let normalised = normalise(&text);
            prop_assert!(!normalised.starts_with(' ') && !normalised.ends_with(' ') && !normalised.contains("  "));
        }
    }
}
