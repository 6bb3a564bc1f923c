//! What a tokenizer does to a text before it cuts it: the steps of `normalizer` in tokenizer.json.
//!
//! The meaning of each step is that of the `tokenizers` library, version 0.23; a script under `tests/peers`
//! compares the two.

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};
use serde::{Deserialize, Serialize};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::charsmap::Charsmap;

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Step {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
    Lowercase,
    StripAccents,
    /// White space at the start and the end.
    Strip {
        left: bool,
        right: bool,
    },
    Prepend(String),
    Replace {
        what: String,
        by: String,
    },
    /// Every run of at least so many characters of white space, or of spaces alone.
    ReplaceSpace {
        least: usize,
        only_blanks: bool,
        by: String,
    },
    /// Of BERT: controls away, Han characters apart, accents away, lower case.
    Bert(Bert),
    /// The table of replacements that comes with the tokenizer.
    Charsmap,
}

/// What of BERT's step is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bert {
    pub(super) clean: bool,
    pub(super) han: bool,
    pub(super) accents: bool,
    pub(super) lower: bool,
}

impl Step {
    pub(super) fn apply(&self, text: &str, charsmap: Option<&Charsmap>) -> String {
        match self {
            Self::Nfc => text.nfc().collect(),
            Self::Nfd => text.nfd().collect(),
            Self::Nfkc => text.nfkc().collect(),
            Self::Nfkd => text.nfkd().collect(),
            Self::Lowercase => lower(text),
            Self::StripAccents => text.chars().filter(|character| !is_combining_mark(*character)).collect(),
            Self::Strip { left, right } => {
                let text = if *left { text.trim_start() } else { text };
                if *right { text.trim_end() } else { text }.to_owned()
            }
            Self::Prepend(_) if text.is_empty() => String::new(),
            Self::Prepend(before) => format!("{before}{text}"),
            Self::Replace { what, by } => text.replace(what.as_str(), by),
            Self::ReplaceSpace { least, only_blanks, by } => replace_space(text, *least, *only_blanks, by),
            Self::Bert(bert) => bert.apply(text),
            Self::Charsmap => charsmap.map_or_else(|| text.to_owned(), |charsmap| charsmap.apply(text)),
        }
    }
}

/// Character by character, as the library does: a final sigma stays an ordinary one.
fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

fn replace_space(text: &str, least: usize, only_blanks: bool, by: &str) -> String {
    let is_space = |character: char| if only_blanks { character == ' ' } else { character.is_whitespace() };
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_space) {
        replaced.push_str(&rest[..start]);
        let run = &rest[start..];
        let end = run.find(|character| !is_space(character)).unwrap_or(run.len());
        let is_long = run[..end].chars().count() >= least;
        replaced.push_str(if is_long { by } else { &run[..end] });
        rest = &run[end..];
    }
    replaced + rest
}

impl Bert {
    fn apply(self, text: &str) -> String {
        let mut bare = String::with_capacity(text.len());
        for character in text.chars() {
            if self.clean && (matches!(character, '\0' | '\u{fffd}') || is_control(character)) {
                continue;
            }
            let character = if self.clean && character.is_whitespace() { ' ' } else { character };
            if self.han && is_han(character) {
                bare.extend([' ', character, ' ']);
            } else {
                bare.push(character);
            }
        }
        if self.accents {
            let is_mark = |character: &char| {
                CodePointMapData::<GeneralCategory>::new().get(*character) == GeneralCategory::NonspacingMark
            };
            bare = bare.nfd().filter(|character| !is_mark(character)).collect();
        }
        if self.lower { lower(&bare) } else { bare }
    }
}

/// Controls, formats, surrogates and private characters; one that Unicode has not assigned is none of them.
fn is_control(character: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    !matches!(character, '\t' | '\n' | '\r')
        && category != GeneralCategory::Unassigned
        && GeneralCategoryGroup::Other.contains(category)
}

/// The blocks that BERT calls Chinese characters.
fn is_han(character: char) -> bool {
    matches!(u32::from(character),
        0x4e00..=0x9fff
        | 0x3400..=0x4dbf
        | 0x20000..=0x2a6df
        | 0x2a700..=0x2b73f
        | 0x2b740..=0x2b81f
        | 0x2b920..=0x2ceaf
        | 0xf900..=0xfaff
        | 0x2f800..=0x2fa1f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_by_example() {
        let bert = Step::Bert(Bert { clean: true, han: true, accents: true, lower: true });
        let space =
            |least, only_blanks, by: &str| Step::ReplaceSpace { least, only_blanks, by: by.to_owned() };
        let replace = |what: &str, by: &str| Step::Replace { what: what.to_owned(), by: by.to_owned() };
        for (step, text, expected) in [
            (bert.clone(), "Héllo\u{0}\tWÖRLD\u{200b} 表格x", "hello world  表  格 x"),
            (Step::Nfkc, "ＰＤＦ ﬁ", "PDF fi"),
            (Step::Nfd, "é", "e\u{301}"),
            (Step::StripAccents, "e\u{301}", "e"),
            (Step::Lowercase, "ΑΣ İ", "ασ i\u{307}"),
            (Step::Strip { left: true, right: false }, "  a ", "a "),
            (Step::Strip { left: false, right: true }, "  a ", "  a"),
            (Step::Prepend("▁".to_owned()), "a", "▁a"),
            (Step::Prepend("▁".to_owned()), "", ""),
            (replace(" ", "▁"), "a b c", "a▁b▁c"),
            (space(2, true, " "), "a  b\n\nc d", "a b\n\nc d"),
            (space(1, false, " "), "a \n b", "a b"),
            (Step::Charsmap, "a", "a"),
        ] {
            assert_eq!(step.apply(text, None), expected, "{step:?}");
        }
    }
}
