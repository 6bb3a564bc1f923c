//! Values of the header made fit to show, and what had to be changed for that.
//!
//! Line separators and no-break spaces become spaces, characters that hide or reorder text are left
//! out, controls become U+FFFD. Joiners and variation selectors stay where [`Shaping`] finds work for
//! them. Escaping for a prompt or a terminal is not done here but in [`super::super::text`].

use std::borrow::Cow;

use super::super::diagnostic::Code;
use super::super::unicode::{Class, Shaping, class};
use super::fences::position_of;
use super::tree::Position;

/// What to do with white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spaces {
    /// Every run becomes one space, also over lines.
    Collapse,
    /// Only the ends are trimmed.
    Keep,
}

/// Kinds of change, as a set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Changes(u8);

impl Changes {
    /// The codes of the set.
    pub(super) fn codes(self) -> impl Iterator<Item = Code> {
        CHANGES.into_iter().enumerate().filter(move |(bit, _)| self.0 & (1 << bit) != 0).map(|(_, code)| code)
    }

    /// The changes in `self` that are not in `other`.
    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Adds those of `other`.
    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    fn insert(&mut self, code: Code) {
        if let Some(bit) = CHANGES.iter().position(|&known| known == code) {
            self.0 |= 1 << bit;
        }
    }
}

const CHANGES: [Code; 5] =
    [Code::UnicodeLinebreak, Code::InvisibleChar, Code::Nbsp, Code::C1Control, Code::ControlChar];

/// What becomes of one character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stay,
    Space,
    Vanish,
    Replace,
}

/// `text` as it is shown, and what was changed.
pub(super) fn clean(text: &str, spaces: Spaces) -> (String, Changes) {
    if is_tidy(text.as_bytes()) {
        return (text.to_owned(), Changes::default());
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut changes = Changes::default();
    judge_all(text, |_, character, fate, code| {
        if let Some(code) = code {
            changes.insert(code);
        }
        match fate {
            Fate::Vanish => {}
            Fate::Replace => cleaned.push('\u{fffd}'),
            Fate::Space if spaces == Spaces::Keep => {
                cleaned.push(if character.is_ascii() { character } else { ' ' });
            }
            Fate::Space if cleaned.is_empty() || cleaned.ends_with(' ') => {}
            Fate::Space => cleaned.push(' '),
            Fate::Stay => cleaned.push(character),
        }
        true
    });
    let trimmed = cleaned.trim();
    if trimmed.len() == cleaned.len() { (cleaned, changes) } else { (trimmed.to_owned(), changes) }
}

/// The header with line separators and no-break spaces as spaces and C1 controls replaced, so that
/// they cannot break the cut into pieces; every character stays in its place.
pub(super) fn level(header: &str) -> (Cow<'_, str>, Changes) {
    if header.is_ascii() {
        return (Cow::Borrowed(header), Changes::default());
    }
    let mut levelled = String::with_capacity(header.len());
    let mut changes = Changes::default();
    for character in header.chars() {
        let (shown, code) = match character {
            '\u{85}' | '\u{2028}' | '\u{2029}' => (' ', Some(Code::UnicodeLinebreak)),
            '\u{a0}' | '\u{202f}' => (' ', Some(Code::Nbsp)),
            '\u{80}'..='\u{9f}' => ('\u{fffd}', Some(Code::C1Control)),
            other => (other, None),
        };
        levelled.push(shown);
        if let Some(code) = code {
            changes.insert(code);
        }
    }
    (Cow::Owned(levelled), changes)
}

/// The first place in `header` where a change of kind `code` is made; `first_line` is the number of
/// the header's first line in the file.
pub(super) fn locate(header: &str, first_line: u32, code: Code) -> Option<Position> {
    let mut found = None;
    judge_all(header, |index, _, _, reason| {
        if reason == Some(code) {
            found = Some(index);
        }
        found.is_none()
    });
    let (lines, column) = position_of(header, found?);
    Some(Position { line: first_line + lines - 1, column })
}

/// Whether the bytes are printable ASCII without a space at an end or two in a row.
fn is_tidy(bytes: &[u8]) -> bool {
    let mut previous = b' ';
    for &byte in bytes {
        if !(b' '..=b'~').contains(&byte) || (byte == b' ' && previous == b' ') {
            return false;
        }
        previous = byte;
    }
    previous != b' ' || bytes.is_empty()
}

/// Calls `visit` with every character, until it answers `false`.
fn judge_all(text: &str, mut visit: impl FnMut(usize, char, Fate, Option<Code>) -> bool) {
    let mut shaping = Shaping::new();
    let mut characters = text.char_indices();
    while let Some((index, character)) = characters.next() {
        let (fate, code) = judge(shaping, character, characters.as_str());
        if !visit(index, character, fate, code) {
            return;
        }
        if fate != Fate::Vanish {
            shaping.keep(character);
        }
    }
}

/// The fate of `character`, which stands before `rest`.
fn judge(shaping: Shaping, character: char, rest: &str) -> (Fate, Option<Code>) {
    match character {
        '!'..='~' => return (Fate::Stay, None),
        ' ' | '\t' | '\n' | '\r' => return (Fate::Space, None),
        _ => {}
    }
    match class(character) {
        Class::LineBreak if character.is_ascii() => (Fate::Replace, Some(Code::ControlChar)),
        Class::LineBreak => (Fate::Space, Some(Code::UnicodeLinebreak)),
        Class::Space if matches!(character, '\u{a0}' | '\u{202f}') => (Fate::Space, Some(Code::Nbsp)),
        Class::Space => (Fate::Space, None),
        Class::Control if character == '\u{7f}' => (Fate::Replace, Some(Code::C1Control)),
        Class::Control => (Fate::Replace, Some(Code::ControlChar)),
        Class::C1 => (Fate::Replace, Some(Code::C1Control)),
        Class::Plain | Class::Unassigned => (Fate::Stay, None),
        Class::Variation | Class::Joiner if shaping.needs(character, next_shown(rest)) => (Fate::Stay, None),
        Class::Bidi | Class::Tag | Class::Variation | Class::Joiner | Class::ZeroWidth => {
            (Fate::Vanish, Some(Code::InvisibleChar))
        }
    }
}

/// The first character of `rest` that no context is needed to judge hidden. Only a joiner or selector
/// asks, and the search ends at the next one, so no character is looked at twice.
fn next_shown(rest: &str) -> Option<char> {
    rest.chars().find(|character| !matches!(class(*character), Class::Bidi | Class::Tag | Class::ZeroWidth))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::skill::text::CatalogText;

    fn codes(text: &str) -> (String, Vec<&'static str>) {
        let (cleaned, changes) = clean(text, Spaces::Collapse);
        (cleaned, changes.codes().map(Code::as_str).collect())
    }

    #[test]
    fn what_is_shown_by_example() {
        for (text, expected, expected_codes) in [
            ("", "", &[][..]),
            ("plain text", "plain text", &[]),
            ("  two  lines\n\tlong ", "two lines long", &[]),
            ("a\u{2028}b", "a b", &["unicode_linebreak"]),
            ("a\u{a0}\u{a0}b", "a b", &["nbsp"]),
            ("全\u{3000}角", "全 角", &[]),
            ("a\u{9b}b\u{7f}", "a\u{fffd}b\u{fffd}", &["c1_control"]),
            ("a\u{1b}[0m", "a\u{fffd}[0m", &["control_char"]),
            ("a\u{200b}b\u{e0041}\u{202e}", "ab", &["invisible_char"]),
            // Emoji sequences and words that need a non-joiner stay whole.
            ("❤\u{fe0f}\u{200d}🔥", "❤\u{fe0f}\u{200d}🔥", &[]),
            ("👩\u{200d}💻 می\u{200c}خواهم", "👩\u{200d}💻 می\u{200c}خواهم", &[]),
            // The same characters where they have no work to do are taken out.
            ("a\u{fe0f}", "a", &["invisible_char"]),
            ("❤\u{fe0f}\u{fe0e}\u{fe0f}", "❤\u{fe0f}", &["invisible_char"]),
            ("é\u{200c}é 👩\u{200d}", "éé 👩", &["invisible_char"]),
            ("👩\u{200d}\u{200d}💻", "👩\u{200d}💻", &["invisible_char"]),
            ("👩\u{200d}\u{200b}💻", "👩\u{200d}💻", &["invisible_char"]),
            ("合\u{fe0f} é\u{fe0f} 合\u{200d}。", "合 é 合。", &["invisible_char"]),
        ] {
            let (shown, reasons) = codes(text);
            assert_eq!((shown.as_str(), reasons.as_slice()), (expected, expected_codes), "{text:?}");
        }
        assert_eq!(clean(" a \n b ", Spaces::Keep).0, "a \n b");
    }

    #[test]
    fn a_change_is_found_in_the_source() {
        let header = "name: x\r\ndescription: ab\u{200b}c\r\nlicense: \u{a0}y\r\n";
        let found = |code| locate(header, 2, code);
        assert_eq!(found(Code::InvisibleChar), Some(Position { line: 3, column: 16 }));
        assert_eq!(found(Code::Nbsp), Some(Position { line: 4, column: 10 }));
        assert_eq!(found(Code::C1Control), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_catalog_finds_nothing_more_to_take_out(
            text in "[ a=é\u{200b}\u{202e}\u{200c}\u{200d}\u{fe0f}\u{fe00}←❤👩\u{1f3fd}م\u{64e}क\u{93e}。合]{0,14}",
        ) {
            let (shown, _) = clean(&text, Spaces::Collapse);
            let label = CatalogText::label(&text);
            prop_assert_eq!(label.as_str(), shown.as_str());
            prop_assert_eq!(&CatalogText::label(&shown), &label);
        }
    }
}
