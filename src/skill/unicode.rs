//! Classes of characters that can hide, reorder or forge text.
//!
//! One table for every reader of outside text: the frontmatter parser warns by it, [`super::text`]
//! cleans and escapes by it. The classes follow Unicode's own properties (`General_Category`,
//! `Default_Ignorable_Code_Point` and the bidi control list of UAX #9). Joiners and variation
//! selectors are good or bad by their neighbours; [`Shaping`] is their one judge.

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup, Script},
};
use unicode_width::UnicodeWidthChar;

/// What a character can do to text that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// An ordinary visible character, or the plain space.
    Plain,
    /// White space other than the plain space, without the line breaks: tab, no-break space and so on.
    Space,
    /// Line feed, carriage return, vertical tab, form feed, U+0085, U+2028, U+2029.
    LineBreak,
    /// C0 controls other than white space, and DEL.
    Control,
    /// C1 controls other than U+0085.
    C1,
    /// Explicit bidi embeddings, overrides, isolates and marks.
    Bidi,
    /// Unicode tag characters, U+E0000 to U+E007F.
    Tag,
    /// Variation selectors.
    Variation,
    /// U+200C and U+200D, which some scripts and emoji need.
    Joiner,
    /// Every other character without width: zero-width space, soft hyphen, fillers.
    ZeroWidth,
    /// Private use, noncharacters, unassigned, interlinear annotation, and U+FFFD itself.
    Unassigned,
}

/// The class of `character`.
pub fn class(character: char) -> Class {
    match character {
        ' '..='~' => Class::Plain,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Class::LineBreak,
        '\t' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Class::Space
        }
        '\0'..='\u{1f}' | '\u{7f}' => Class::Control,
        '\u{80}'..='\u{9f}' => Class::C1,
        '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Class::Bidi
        }
        '\u{e0000}'..='\u{e007f}' => Class::Tag,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}' => {
            Class::Variation
        }
        '\u{200c}' | '\u{200d}' => Class::Joiner,
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' => Class::ZeroWidth,
        '\u{fff9}'..='\u{fffd}' => Class::Unassigned,
        other if other < '\u{300}' => Class::Plain,
        other => match category(other) {
            GeneralCategory::PrivateUse | GeneralCategory::Unassigned | GeneralCategory::Surrogate => {
                Class::Unassigned
            }
            _ => Class::Plain,
        },
    }
}

/// Whether `character` can hide from a reader while a model still sees it.
pub fn is_invisible(character: char) -> bool {
    matches!(class(character), Class::Bidi | Class::Tag | Class::Variation | Class::Joiner | Class::ZeroWidth)
}

/// Whether `character` stands on the one before it. Vowels and finals of decomposed Hangul take no
/// columns either, so without them a line could be endless.
pub fn is_mark(character: char) -> bool {
    !character.is_ascii()
        && (character.width().unwrap_or(0) == 0 || GeneralCategoryGroup::Mark.contains(category(character)))
}

/// Tells which joiners and variation selectors of a text do their proper work.
///
/// The text is walked from its start; what was kept decides about what follows. A joiner works
/// between two letters of a script other than Latin or, in an emoji, between two symbols. The
/// selectors U+FE0E and U+FE0F work once, after a symbol or punctuation outside ASCII. Chains of
/// them, which can carry a hidden message, do not work.
#[derive(Debug, Clone, Copy)]
pub struct Shaping(Neighbour);

impl Shaping {
    /// The judge at the start of a text.
    pub fn new() -> Self {
        Self(Neighbour::Other)
    }

    /// Whether `character` does its work after what was kept and before `next`, the next character
    /// that is not hidden in itself. True for everything but joiners and selectors.
    pub fn needs(self, character: char, next: Option<char>) -> bool {
        match class(character) {
            Class::Joiner => self.0.is_joined_to(next.map_or(Neighbour::Other, Neighbour::of), character),
            Class::Variation => self.0.takes_selector(character),
            _ => true,
        }
    }

    /// Notes that `character` was kept.
    pub fn keep(&mut self, character: char) {
        self.0 = self.0.then(character);
    }
}

impl Default for Shaping {
    fn default() -> Self {
        Self::new()
    }
}

/// What a joiner or a variation selector can stand beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Neighbour {
    /// A symbol outside ASCII, as every emoji is.
    Symbol,
    /// Such a symbol with its variation selector.
    VariedSymbol,
    /// Punctuation outside ASCII; some of it has an emoji form.
    Punctuation,
    /// A letter or mark of a script other than Latin.
    Letter,
    /// A mark that any script may use; it counts as what it stands on.
    SharedMark,
    /// Everything else.
    Other,
}

impl Neighbour {
    fn of(character: char) -> Self {
        if character.is_ascii() || class(character) != Class::Plain {
            return Self::Other;
        }
        let category = category(character);
        let is_letter = GeneralCategoryGroup::Letter.contains(category);
        if GeneralCategoryGroup::Symbol.contains(category) {
            Self::Symbol
        } else if GeneralCategoryGroup::Punctuation.contains(category) {
            Self::Punctuation
        } else if is_letter || GeneralCategoryGroup::Mark.contains(category) {
            match CodePointMapData::<Script>::new().get(character) {
                Script::Latin | Script::Common => Self::Other,
                Script::Inherited if is_letter => Self::Other,
                Script::Inherited => Self::SharedMark,
                _ => Self::Letter,
            }
        } else {
            Self::Other
        }
    }

    /// The neighbour that a following character sees once `character` has been kept after `self`.
    fn then(self, character: char) -> Self {
        match (self, Self::of(character)) {
            (Self::Letter, Self::SharedMark) => Self::Letter,
            (_, Self::SharedMark) => Self::Other,
            (Self::Symbol, Self::Other) if class(character) == Class::Variation => Self::VariedSymbol,
            (_, other) => other,
        }
    }

    fn is_joined_to(self, after: Self, joiner: char) -> bool {
        match self {
            Self::Symbol | Self::VariedSymbol => joiner == '\u{200d}' && after == Self::Symbol,
            Self::Letter => after == Self::Letter,
            Self::Punctuation | Self::SharedMark | Self::Other => false,
        }
    }

    fn takes_selector(self, selector: char) -> bool {
        matches!(selector, '\u{fe0e}' | '\u{fe0f}') && matches!(self, Self::Symbol | Self::Punctuation)
    }
}

fn category(character: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_by_example() {
        for (character, expected) in [
            ('a', Class::Plain),
            ('é', Class::Plain),
            ('合', Class::Plain),
            ('\t', Class::Space),
            ('\u{a0}', Class::Space),
            ('\u{2028}', Class::LineBreak),
            ('\u{1b}', Class::Control),
            ('\u{9b}', Class::C1),
            ('\u{202e}', Class::Bidi),
            ('\u{e0041}', Class::Tag),
            ('\u{fe0f}', Class::Variation),
            ('\u{200d}', Class::Joiner),
            ('\u{200b}', Class::ZeroWidth),
            ('\u{e000}', Class::Unassigned),
            ('\u{ffff}', Class::Unassigned),
            ('\u{fffd}', Class::Unassigned),
        ] {
            assert_eq!(class(character), expected, "U+{:04X}", character as u32);
        }
    }

    /// What is left of `text` when every joiner and selector without work is taken out.
    fn shaped(text: &str) -> String {
        let mut shaping = Shaping::new();
        let mut kept = String::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            if shaping.needs(character, characters.peek().copied()) {
                kept.push(character);
                shaping.keep(character);
            }
        }
        kept
    }

    #[test]
    fn joiners_and_selectors_by_example() {
        for (about, text, expected) in [
            ("plain", "plain text", "plain text"),
            ("emoji sequence", "\u{1f469}\u{200d}\u{1f4bb}", "\u{1f469}\u{200d}\u{1f4bb}"),
            (
                "with a skin tone",
                "\u{1f469}\u{1f3fd}\u{200d}\u{1f680}",
                "\u{1f469}\u{1f3fd}\u{200d}\u{1f680}",
            ),
            ("with a selector", "\u{2764}\u{fe0f}\u{200d}\u{1f525}", "\u{2764}\u{fe0f}\u{200d}\u{1f525}"),
            ("two joiners", "\u{1f469}\u{200d}\u{200d}\u{1f4bb}", "\u{1f469}\u{200d}\u{1f4bb}"),
            ("joiner at the end", "\u{1f469}\u{200d}", "\u{1f469}"),
            ("joiner before a letter", "\u{1f469}\u{200d}\u{645}", "\u{1f469}\u{645}"),
            ("joiner after a letter", "\u{645}\u{200d}\u{1f469}", "\u{645}\u{1f469}"),
            ("non-joiner between symbols", "\u{1f469}\u{200c}\u{1f4bb}", "\u{1f469}\u{1f4bb}"),
            ("Persian word", "\u{645}\u{6cc}\u{200c}\u{62e}", "\u{645}\u{6cc}\u{200c}\u{62e}"),
            ("after a vowel sign", "\u{645}\u{64e}\u{200c}\u{62e}", "\u{645}\u{64e}\u{200c}\u{62e}"),
            ("after a virama", "\u{915}\u{94d}\u{200c}\u{937}", "\u{915}\u{94d}\u{200c}\u{937}"),
            ("conjunct", "\u{915}\u{94d}\u{200d}\u{937}", "\u{915}\u{94d}\u{200d}\u{937}"),
            ("Latin letters", "a\u{200d}b \u{e9}\u{200c}\u{e9}", "ab \u{e9}\u{e9}"),
            ("Latin with a loose accent", "e\u{301}\u{200d}\u{645}", "e\u{301}\u{645}"),
            ("next to a space", "\u{645}\u{200c} \u{200c}\u{645}", "\u{645} \u{645}"),
            (
                "selector of a symbol",
                "\u{2764}\u{fe0e} \u{2764}\u{fe0f}",
                "\u{2764}\u{fe0e} \u{2764}\u{fe0f}",
            ),
            ("selector of punctuation", "\u{203c}\u{fe0f}", "\u{203c}\u{fe0f}"),
            ("chain of selectors", "\u{2764}\u{fe0f}\u{fe0e}\u{fe01}\u{fe0f}", "\u{2764}\u{fe0f}"),
            ("selector of a letter or digit", "a\u{fe0f}1\u{fe0f}\u{5408}\u{fe0f}", "a1\u{5408}"),
            (
                "other selectors",
                "\u{5408}\u{e0101}\u{2764}\u{fe00}\u{1820}\u{180b}",
                "\u{5408}\u{2764}\u{1820}",
            ),
            ("at the start", "\u{fe0f}\u{200d}\u{645}", "\u{645}"),
        ] {
            assert_eq!(shaped(text), expected, "{about}: {text:?}");
        }
    }

    #[test]
    fn marks_by_example() {
        for character in ['\u{301}', '\u{64e}', '\u{93e}', '\u{1161}', '\u{11a8}', '\u{20e3}', '\u{fe0f}'] {
            assert!(is_mark(character), "U+{:04X}", character as u32);
        }
        for character in ['a', ' ', '\u{e9}', '\u{5408}', '\u{1100}', '\u{1f469}', '\u{fffd}', '\u{7f}'] {
            assert!(!is_mark(character), "U+{:04X}", character as u32);
        }
    }
}
