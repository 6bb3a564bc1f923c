//! Text for a prompt: composed, on one line, with nothing hidden in it.
//!
//! Invariant: cleaning is a fixed point (what is clean stays as it is), and no clean text holds a
//! line break, a control, a bidi control, a tag, a character without width that its script does
//! not need, or a tower of combining marks. The cut counts UTF-16 code units, as the catalog of dsh-skillflux does, but never parts
//! a grapheme.

use std::fmt::Write as _;
use std::path::Path;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::GraphemeCursor;

use super::is_printable_ascii;
use crate::skill::unicode::{Class, Shaping, class, is_mark};

const ELLIPSIS: &str = "...";
const REPLACEMENT: char = '\u{fffd}';

/// The most combining marks on one base; a taller stack is drawn over the lines around it. Written
/// languages, with every vowel and accent, need fewer.
const MARKS: usize = 8;

/// Outside text that may stand in a prompt.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CatalogText(String);

impl CatalogText {
    /// Cleans a description. One longer than `max_units` UTF-16 code units becomes its first
    /// `max_units - 3`, backed off to a grapheme boundary, and three dots. Fewer than 3 units count
    /// as 3.
    pub fn description(raw: &str, max_units: usize) -> Self {
        let mut text = clean(raw);
        cut(&mut text, max_units.max(ELLIPSIS.len()));
        Self(text)
    }

    /// Cleans a name or the label of a source, at whatever length.
    pub fn label(raw: &str) -> Self {
        Self(clean(raw))
    }

    /// A path, or a URI given as one. Characters that are controls, line breaks, unassigned, cannot be
    /// seen or stand high on a stack of marks, and bytes that are not UTF-8, are percent-encoded; all others stand as they
    /// are, white space included, so that an ordinary path still opens its file.
    pub fn location(path: &Path) -> Self {
        let bytes = path.as_os_str().as_encoded_bytes();
        // A path that holds what looks like a code would be read as another path, so its percent signs
        // are encoded too.
        let has_code = bytes
            .windows(3)
            .any(|codes| codes[0] == b'%' && codes[1].is_ascii_hexdigit() && codes[2].is_ascii_hexdigit());
        let mut text = String::new();
        let mut marks = 0;
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                let is_code = character == '%' && has_code;
                if !is_code && can_stand_in_a_location(character) && keep_low_stacks(character, &mut marks) {
                    text.push(character);
                } else {
                    percent_encode(&mut text, character.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            percent_encode(&mut text, chunk.invalid());
        }
        Self(text)
    }

    /// The clean text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn can_stand_in_a_location(character: char) -> bool {
    match class(character) {
        Class::Plain => true,
        Class::Space => character != '\t',
        _ => false,
    }
}

fn percent_encode(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        write!(text, "%{byte:02X}").expect("writing to a string cannot fail");
    }
}

/// Cleans `raw`: first classes that need no context, composition and tall stacks of marks, then joiners
/// and variation selectors by their neighbours until none is left without work.
///
/// A joiner that goes lets marks on both sides of it compose or change places, and that can take the
/// neighbour from another joiner. Every round but the last shortens the text, and since only marks
/// move, and only within their stack, there are few.
fn clean(raw: &str) -> String {
    if is_printable_ascii(raw) && !raw.starts_with(' ') && !raw.ends_with(' ') && !raw.contains("  ") {
        return raw.to_owned();
    }
    let mut marks = 0;
    let mut text: String = raw
        .chars()
        .filter_map(replace)
        .nfc()
        .filter(|character| keep_low_stacks(*character, &mut marks))
        .collect();
    loop {
        let kept = keep_what_is_needed(&text);
        if kept == text {
            return text;
        }
        text = kept.nfc().collect();
    }
}

/// What stands for `character` before its neighbours are looked at.
fn replace(character: char) -> Option<char> {
    match class(character) {
        Class::Plain | Class::Variation | Class::Joiner => Some(character),
        Class::Space | Class::LineBreak => Some(' '),
        Class::Control | Class::C1 | Class::Unassigned => Some(REPLACEMENT),
        Class::Bidi | Class::Tag | Class::ZeroWidth => None,
    }
}

/// Cuts every stack of combining marks above [`MARKS`]. Joiners and selectors do not end a stack, so
/// that taking them away later leaves none that is taller.
fn keep_low_stacks(character: char, marks: &mut usize) -> bool {
    if matches!(class(character), Class::Joiner | Class::Variation) {
        return true;
    }
    *marks = if is_mark(character) { *marks + 1 } else { 0 };
    *marks <= MARKS
}

/// Drops the joiners and variation selectors that their neighbours do not need, and the white space
/// that is doubled, leading or trailing.
fn keep_what_is_needed(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut shaping = Shaping::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let keep = match character {
            ' ' => !kept.is_empty() && !kept.ends_with(' '),
            _ => shaping.needs(character, characters.peek().copied()),
        };
        if keep {
            kept.push(character);
            shaping.keep(character);
        }
    }
    kept.truncate(kept.trim_end_matches(' ').len());
    kept
}

fn cut(text: &mut String, max_units: usize) {
    if text.len() <= max_units {
        return;
    }
    let mut units = 0;
    let mut room = 0;
    for (index, character) in text.char_indices() {
        if units <= max_units - ELLIPSIS.len() {
            room = index;
        }
        units += character.len_utf16();
        if units > max_units {
            break;
        }
    }
    if units <= max_units {
        return;
    }
    text.truncate(boundary_at_or_before(text, room));
    // A joiner whose right neighbour has been cut joins nothing.
    text.truncate(text.trim_end_matches(['\u{200c}', '\u{200d}']).len());
    text.push_str(ELLIPSIS);
}

fn boundary_at_or_before(text: &str, offset: usize) -> usize {
    let mut cursor = GraphemeCursor::new(offset, text.len(), true);
    // The whole text is one chunk, so the cursor never asks for more context.
    if cursor.is_boundary(text, 0) == Ok(true) {
        return offset;
    }
    cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cleaning_by_example() {
        for (raw, expected) in [
            ("Reads PDF files.", "Reads PDF files."),
            ("  two  spaces ", "two spaces"),
            ("a\r\nb\tc\u{a0}d\u{2028}e\u{85}f", "a b c d e f"),
            ("a \u{200b} b \u{200d} c \u{fe0f}", "a b c"),
            (
                "bell\u{7} esc\u{1b}[31m c1\u{9b} del\u{7f}",
                "bell\u{fffd} esc\u{fffd}[31m c1\u{fffd} del\u{fffd}",
            ),
            ("own \u{e000} none \u{ffff}", "own \u{fffd} none \u{fffd}"),
            ("tag\u{e0041}\u{e0042} bidi\u{202e}x zero\u{200b}width", "tag bidix zerowidth"),
            ("e\u{301}", "\u{e9}"),
            ("e\u{200b}\u{301} e\u{200d}\u{301}", "\u{e9} \u{e9}"),
            ("heart \u{2764}\u{fe0f} \u{203c}\u{fe0f}", "heart \u{2764}\u{fe0f} \u{203c}\u{fe0f}"),
            ("a\u{fe0f} 1\u{fe0f} \u{5408}\u{fe0f} \u{5408}\u{e0101}", "a 1 \u{5408} \u{5408}"),
            ("\u{2764}\u{fe0f}\u{fe0f}\u{fe0e}\u{fe01}", "\u{2764}\u{fe0f}"),
            ("\u{1f469}\u{1f3fd}\u{200d}\u{1f680}", "\u{1f469}\u{1f3fd}\u{200d}\u{1f680}"),
            ("\u{2764}\u{fe0f}\u{200d}\u{1f525}", "\u{2764}\u{fe0f}\u{200d}\u{1f525}"),
            ("\u{1f469}\u{200d}\u{200d}\u{1f680}\u{200d}", "\u{1f469}\u{200d}\u{1f680}"),
            ("\u{1f469}\u{200c}\u{1f680}", "\u{1f469}\u{1f680}"),
            ("\u{645}\u{6cc}\u{200c}\u{62e}", "\u{645}\u{6cc}\u{200c}\u{62e}"),
            ("\u{645}\u{64e}\u{200c}\u{62e}", "\u{645}\u{64e}\u{200c}\u{62e}"),
            ("\u{915}\u{94d}\u{200d}\u{937}", "\u{915}\u{94d}\u{200d}\u{937}"),
            ("a\u{200d}b a\u{200c}b \u{e9}\u{200d}\u{e9}", "ab ab \u{e9}\u{e9}"),
            ("q\u{301}\u{327}\u{301}x", "q\u{327}\u{301}\u{301}x"),
            ("", ""),
            ("\n\t \u{200b}", ""),
        ] {
            assert_eq!(CatalogText::label(raw).as_str(), expected, "{raw:?}");
        }
    }

    #[test]
    fn no_base_carries_more_than_eight_marks() {
        for mark in ["\u{301}", "\u{64e}", "\u{9be}", "\u{1161}", "\u{11a8}", "\u{20e3}"] {
            for base in ["", "q", "\u{645}", "\u{1f469}", " "] {
                for between in ["", "\u{200d}", "\u{fe0f}", "\u{200b}"] {
                    let raw = format!("x{base}{}y", format!("{mark}{between}").repeat(300));
                    let text = CatalogText::label(&raw);
                    let marks = text.as_str().chars().filter(|character| is_mark(*character)).count();
                    let stacked = text.as_str().matches(mark).count();
                    assert!(stacked <= MARKS && marks <= 2 * MARKS, "{raw:?}: {text:?}");
                    assert_eq!(CatalogText::label(text.as_str()), text);
                }
            }
        }
        let eight = format!("q{}", "\u{301}".repeat(8));
        assert_eq!(CatalogText::label(&eight).as_str(), eight);
        assert_eq!(
            CatalogText::label(&format!("{eight}\u{301}r\u{302}")).as_str(),
            format!("{eight}r\u{302}")
        );
        assert_eq!(
            CatalogText::location(Path::new(&format!("/{eight}\u{301}/r"))).as_str(),
            format!("/{eight}%CC%81/r")
        );
    }

    #[test]
    fn long_descriptions_are_cut_on_a_grapheme_boundary() {
        for (raw, max_units, expected) in [
            ("abcdef", 6, "abcdef"),
            ("abcdefg", 6, "abc..."),
            ("abcdefg", 3, "..."),
            ("abcdefg", 0, "..."),
            ("ab  cdefg", 6, "ab ..."),
            ("\u{5408}\u{540c}\u{5ba1}\u{67e5}\u{5408}", 4, "\u{5408}..."),
            ("\u{1f600}\u{1f600}\u{1f600}", 6, "\u{1f600}\u{1f600}\u{1f600}"),
            ("\u{1f600}\u{1f600}\u{1f600}", 5, "\u{1f600}..."),
            ("ab\u{1f600}cdef", 6, "ab..."),
            ("abq\u{301}cdef", 6, "ab..."),
            ("\u{1f469}\u{200d}\u{1f680}\u{1f469}\u{200d}\u{1f680}", 8, "\u{1f469}\u{200d}\u{1f680}..."),
            ("\u{6cc}\u{200c}\u{62e}\u{62e}\u{62e}\u{62e}", 5, "\u{6cc}..."),
        ] {
            let text = CatalogText::description(raw, max_units);
            assert_eq!(text.as_str(), expected, "{raw:?}");
        }
    }

    #[test]
    fn locations_keep_their_spaces_and_encode_what_cannot_be_seen() {
        for (path, expected) in [
            ("/home/a b/\u{3000}c  d/SKILL.md", "/home/a b/\u{3000}c  d/SKILL.md"),
            ("/a\nb\tc\u{1b}[0m", "/a%0Ab%09c%1B[0m"),
            ("/a\u{200b}\u{202e}\u{2028}", "/a%E2%80%8B%E2%80%AE%E2%80%A8"),
            ("/e\u{301}\u{ffff}", "/e\u{301}%EF%BF%BF"),
        ] {
            assert_eq!(CatalogText::location(Path::new(path)).as_str(), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_percent_encoded() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a\xff\xc3/b"));
        assert_eq!(CatalogText::location(path).as_str(), "/a%FF%C3/b");
    }

    #[test]
    fn every_composition_survives_a_joiner_that_is_taken_away() {
        let characters = ('\0'..=char::MAX).filter(|character| *character > '\u{bf}');
        for character in characters {
            let parts: String = character.nfd().collect();
            if parts.chars().count() < 2 {
                continue;
            }
            let split: String = parts.chars().flat_map(|part| [part, '\u{200d}', '\u{200d}']).collect();
            for raw in [
                parts.clone(),
                format!("\u{2190}\u{200d}{parts}\u{fe0f}\u{200d}\u{2190}"),
                format!("\u{2190}\u{200d}{split}\u{fe0f}\u{200d}\u{2190}"),
                format!("\u{645}\u{200d}{split}\u{200d}\u{645}\u{fe0f}"),
            ] {
                let once = clean(&raw);
                assert_eq!(clean(&once), once, "{raw:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn cutting_stacks_of_marks_is_a_fixed_point(
            raw in "([qa\u{645}\u{2190} ]?[\u{301}\u{327}\u{338}\u{344}\u{64e}\u{654}\u{94d}\u{9c7}\u{9be}\u{1161}\u{11a8}\
                    \u{200c}\u{200d}\u{fe0f}\u{16d67}\u{f73}]{0,24}){1,3}",
            max_units in 3_usize..30,
        ) {
            let label = CatalogText::label(&raw);
            prop_assert_eq!(&CatalogText::label(label.as_str()), &label);
            let mut marks = 0;
            prop_assert!(label.as_str().chars().all(|character| keep_low_stacks(character, &mut marks)));
            let short = CatalogText::description(&raw, max_units);
            prop_assert_eq!(&CatalogText::description(short.as_str(), max_units), &short);
        }

        #[test]
        fn cleaning_is_a_fixed_point(raw in any::<String>(), max_units in 3_usize..60) {
            let label = CatalogText::label(&raw);
            prop_assert_eq!(&CatalogText::label(label.as_str()), &label);
            let short = CatalogText::description(&raw, max_units);
            prop_assert!(short.as_str().encode_utf16().count() <= max_units);
            prop_assert_eq!(&CatalogText::description(short.as_str(), max_units), &short);
            prop_assert_eq!(&CatalogText::label(short.as_str()), &short);
        }

        #[test]
        fn cleaning_joiners_among_their_neighbours_is_a_fixed_point(
            raw in "[ a=\u{301}\u{338}\u{20e3}\u{200c}\u{200d}\u{fe0f}\u{fe00}\u{2190}\u{2194}\u{2764}\
                    \u{1f469}\u{1f3fd}\u{645}\u{64e}\u{654}\u{915}\u{94d}\u{9c7}\u{9be}\u{1100}\u{1161}\
                    \u{11a8}\u{200b}\u{fffd}\u{203c}\u{212a}\u{306f}\u{3099}]{0,14}",
            max_units in 3_usize..12,
        ) {
            let label = CatalogText::label(&raw);
            prop_assert_eq!(&CatalogText::label(label.as_str()), &label);
            let short = CatalogText::description(&raw, max_units);
            prop_assert_eq!(&CatalogText::description(short.as_str(), max_units), &short);
        }
    }
}
