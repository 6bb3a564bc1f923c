//! A prompt as full-text search sees it.

use crate::rank::text::{
    chinese::Chinese,
    is_han, normalise,
    terms::{Analyser, Term},
};

use super::document::pair;

/// How much of a prompt is read, in bytes: beyond it stand logs and files that were pasted.
const MOST_BYTES: usize = 256 * 1024;
/// What an English word counts that stands for a Chinese one.
const TRANSLATED: f64 = 2.0;

/// A term of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptTerm {
    /// The term.
    pub term: Term,
    /// Its text.
    pub word: String,
    /// How often the prompt has it; translations count as [`TRANSLATED`].
    pub count: f64,
    /// Where it stands first, counted in terms.
    pub first: usize,
    /// Whether it only stands for a Chinese word.
    pub is_translation: bool,
}

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prompt {
    /// The different terms, in the order in which they come first; translations behind them.
    pub terms: Vec<PromptTerm>,
    /// Which terms stand side by side, sorted.
    pub pairs: Vec<u32>,
    /// The text, normalised, for names that are typed as they are.
    pub text: String,
}

impl Prompt {
    /// The prompt of a text.
    pub fn of(text: &str, analyser: &mut Analyser) -> Self {
        let text = beginning(text, MOST_BYTES);
        let mut prompt = Self { text: normalise(text), ..Self::default() };
        let mut places = std::collections::BTreeMap::new();
        let (mut before, mut stands) = (None, 0);
        let mut add = |prompt: &mut Self, word: &str, count: f64, first: usize, is_translation: bool| {
            let term = Term::of(word);
            let place = *places.entry(term).or_insert(prompt.terms.len());
            if let Some(known) = prompt.terms.get_mut(place) {
                known.count += count;
            } else {
                let word = word.to_owned();
                prompt.terms.push(PromptTerm { term, word, count, first, is_translation });
            }
            term
        };
        if is_small_talk(&prompt.text) {
            return prompt;
        }
        analyser.visit_words(text, |word| {
            let term = add(&mut prompt, word, 1.0, stands, false);
            stands += 1;
            prompt.pairs.extend(before.filter(|before| *before != term).map(|before| pair(before, term)));
            before = Some(term);
        });
        if analyser.analysis().translations && text.chars().any(is_han) {
            Chinese::load().visit(text, |stem| {
                add(&mut prompt, analyser.stem(stem), TRANSLATED, 0, true);
            });
        }
        let is_number = |term: &PromptTerm| term.word.bytes().all(|byte| byte.is_ascii_digit());
        // A listing is full of numbers, and so are the bodies of many skills.
        if prompt.terms.iter().filter(|term| is_number(term)).count() > prompt.terms.len() / 2 {
            prompt.terms.retain(|term| !is_number(term));
        }
        prompt.pairs.sort_unstable();
        prompt.pairs.dedup();
        prompt
    }
}

/// Words that only answer or carry a conversation on, sorted.
const SMALL_TALK: &[&str] = &[
    "again",
    "ahead",
    "alright",
    "awesome",
    "bye",
    "continue",
    "cool",
    "done",
    "excellent",
    "fine",
    "go",
    "good",
    "great",
    "hello",
    "hey",
    "hi",
    "it",
    "keep",
    "lgtm",
    "looks",
    "morning",
    "nice",
    "no",
    "nope",
    "ok",
    "okay",
    "on",
    "perfect",
    "please",
    "proceed",
    "right",
    "sounds",
    "sure",
    "thank",
    "thanks",
    "that",
    "this",
    "works",
    "yeah",
    "yep",
    "yes",
    "you",
    "不用",
    "你好",
    "可以",
    "好",
    "好的",
    "对",
    "是",
    "是的",
    "继续",
    "谢谢",
];

/// Whether a prompt, which is normalised, only carries a conversation on, so that no skill is meant.
fn is_small_talk(text: &str) -> bool {
    let words = text.split(|character: char| !character.is_alphanumeric() && character != '\'');
    words.filter(|word| !word.is_empty()).all(|word| SMALL_TALK.binary_search(&word).is_ok())
}

/// At most so many bytes of a text, up to a whole character.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default();
    &text[..end]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn prompt(text: &str) -> Prompt {
        Prompt::of(text, &mut Analyser::default())
    }

    #[test]
    fn terms_stand_in_their_order_with_their_counts() {
        let prompt = prompt("Read the PDF, then read PDF pages");
        let terms: Vec<_> =
            prompt.terms.iter().map(|term| (term.word.as_str(), term.count, term.first)).collect();
        assert_eq!(terms, [("read", 2.0, 0), ("pdf", 2.0, 1), ("page", 1.0, 4)]);
        assert_eq!(prompt.text, "read the pdf, then read pdf pages");
        let known =
            |first: &str, second: &str| prompt.pairs.contains(&pair(Term::of(first), Term::of(second)));
        assert!(
            known("read", "pdf") && known("pdf", "page") && known("pdf", "read") && !known("read", "page")
        );
        assert!(prompt.pairs.is_sorted());
    }

    #[test]
    fn what_only_carries_a_conversation_on_asks_for_nothing() {
        assert!(SMALL_TALK.is_sorted());
        for nothing in ["Thanks, that works!", "continue", "yes", "好的，谢谢", "looks good", ""] {
            assert!(prompt(nothing).terms.is_empty(), "{nothing}");
        }
        for something in ["yes, merge the PDF files", "continue the migration", "good morning report"] {
            assert!(!prompt(something).terms.is_empty(), "{something}");
        }
    }

    #[test]
    fn numbers_count_where_there_are_not_mostly_numbers() {
        assert!(prompt("1 2 33").terms.is_empty());
        assert_eq!(prompt("iso 27001").terms.len(), 2);
        let listing = prompt("-rw 1 63 24 12 00 file 1");
        assert!(listing.terms.iter().map(|term| term.word.as_str()).eq(["rw", "file"]));
    }

    #[test]
    fn chinese_words_are_looked_up_in_english_too() {
        let translated = prompt("测试");
        assert!(!translated.terms[0].is_translation);
        assert!(
            translated
                .terms
                .iter()
                .any(|term| term.is_translation && term.word == "test" && (term.count - 2.0).abs() < 1e-9)
        );
        let analysis = crate::rank::text::terms::Analysis {
            translations: false,
            ..crate::rank::text::terms::Analysis::WHOLE
        };
        assert!(
            Prompt::of("测试", &mut Analyser::new(analysis)).terms.iter().all(|term| !term.is_translation)
        );
    }

    #[test]
    fn a_long_prompt_is_cut_at_a_whole_character() {
        assert_eq!(beginning("añb", 2), "a");
        assert_eq!(beginning("añb", 3), "añ");
        assert_eq!(beginning("añb", 9), "añb");
        assert!((prompt(&"x ".repeat(MOST_BYTES)).terms[0].count - 131_072.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn any_text_is_a_prompt(text in "(?s).{0,200}") {
            let prompt = prompt(&text);
            prop_assert!(prompt.terms.iter().all(|term| term.count > 0.0));
        }
    }
}
