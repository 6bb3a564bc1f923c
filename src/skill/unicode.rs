//! Classes of characters that can hide, reorder or forge text.
//!
//! One table for every reader of outside text: the frontmatter parser warns by it, [`super::text`]
//! cleans and escapes by it. The classes follow Unicode's own properties (`General_Category`,
//! `Default_Ignorable_Code_Point` and the bidi control list of UAX #9).

use icu_properties::{CodePointMapData, props::GeneralCategory};

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
        other => match CodePointMapData::<GeneralCategory>::new().get(other) {
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
}
