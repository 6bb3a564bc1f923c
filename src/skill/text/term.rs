//! Text for a terminal: everything is shown, nothing acts.
//!
//! Invariant: the text holds no control byte and nothing that moves, hides or reorders what is on
//! the screen, and on one line it takes no more columns than it was given. What is escaped reads as
//! `\u{1b}`; a backslash stays as it is, for paths of Windows, so an escape is meant to be read, not
//! to be decoded. Colours and links are the business of `output`.

use std::fmt::{self, Write as _};
use std::path::Path;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

use super::is_printable_ascii;
use crate::skill::unicode::{Class, class, is_mark};

/// The columns that one field may take.
const COLUMNS: usize = 200;

/// The most combining marks on one base; a taller stack is drawn over the lines around it.
const MARKS: usize = 4;

/// Outside text that may stand on a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermText(String);

impl TermText {
    /// One line of at most 200 columns.
    pub fn new(raw: &str) -> Self {
        Self::with_width(raw, COLUMNS)
    }

    /// One line of at most `columns` columns; what is longer ends in `…`.
    pub fn with_width(raw: &str, columns: usize) -> Self {
        if raw.len() <= columns && is_printable_ascii(raw) {
            return Self(raw.to_owned());
        }
        let mut text = Escaped::line(columns);
        text.push_str(raw);
        Self(text.cut(columns))
    }

    /// Many lines: line feeds and tabs stand, everything else is as in [`Self::new`], and no line
    /// is cut.
    pub fn block(raw: &str) -> Self {
        let mut text = Escaped::block();
        text.push_str(raw);
        Self(text.text)
    }

    /// A path on one line of at most 200 columns; bytes that are not UTF-8 read as `\xff`.
    pub fn path(path: &Path) -> Self {
        let mut text = Escaped::line(COLUMNS);
        for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            text.push_bytes(chunk.invalid());
        }
        Self(text.cut(COLUMNS))
    }

    /// The text as it is printed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TermText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Text being escaped. It stops growing one character past the columns it may take, so a line of a
/// megabyte costs no more than a short one.
struct Escaped {
    text: String,
    width: usize,
    columns: Option<usize>,
    marks: usize,
}

impl Escaped {
    fn line(columns: usize) -> Self {
        Self { text: String::new(), width: 0, columns: Some(columns), marks: 0 }
    }

    fn block() -> Self {
        Self { text: String::new(), width: 0, columns: None, marks: 0 }
    }

    fn push_str(&mut self, raw: &str) {
        for character in raw.chars() {
            if self.is_full() {
                return;
            }
            if self.must_escape(character) {
                self.marks = 0;
                self.push_escape(format_args!("{}", character.escape_unicode()));
            } else if is_mark(character) {
                self.marks += 1;
                if self.marks <= MARKS {
                    self.push(character);
                }
            } else {
                self.marks = 0;
                self.push(character);
            }
        }
    }

    fn push_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.is_full() {
                return;
            }
            self.marks = 0;
            self.push_escape(format_args!("\\x{byte:02x}"));
        }
    }

    fn must_escape(&self, character: char) -> bool {
        match class(character) {
            Class::Plain => false,
            Class::Space => character == '\t' && self.columns.is_some(),
            Class::LineBreak => character != '\n' || self.columns.is_some(),
            // The replacement character is seen, and takes one column.
            Class::Unassigned => character != '\u{fffd}',
            Class::Control
            | Class::C1
            | Class::Bidi
            | Class::Tag
            | Class::Variation
            | Class::Joiner
            | Class::ZeroWidth => true,
        }
    }

    fn is_full(&self) -> bool {
        self.columns.is_some_and(|columns| self.width > columns)
    }

    fn push(&mut self, character: char) {
        self.width += columns_of(character);
        self.text.push(character);
    }

    fn push_escape(&mut self, escape: fmt::Arguments<'_>) {
        let start = self.text.len();
        self.text.write_fmt(escape).expect("writing to a string cannot fail");
        self.width += self.text.len() - start;
    }

    /// The text within `columns`, parted neither within a grapheme nor within an escape.
    fn cut(mut self, columns: usize) -> String {
        if self.width <= columns {
            return self.text;
        }
        let mut width = 0;
        let mut end = 0;
        let mut escape_end = 0;
        for (index, grapheme) in self.text.grapheme_indices(true) {
            if index >= escape_end && width < columns {
                end = index;
            }
            if grapheme.ends_with('\\') {
                escape_end = escape_end.max(end_of_escape(&self.text, index + grapheme.len()));
            }
            width += grapheme.chars().map(columns_of).sum::<usize>();
            if width > columns {
                break;
            }
        }
        self.text.truncate(end);
        if columns > 0 {
            self.text.push('…');
        }
        self.text
    }
}

/// Where the escape ends whose backslash stands before `start`, or `start` when none begins there.
fn end_of_escape(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let hex = |text: &str| text.bytes().take_while(u8::is_ascii_hexdigit).count();
    if let Some(digits) = rest.strip_prefix("u{") {
        let count = hex(digits);
        let closes = (1..=6).contains(&count) && digits[count..].starts_with('}');
        if closes { start + "u{".len() + count + "}".len() } else { start }
    } else {
        match rest.strip_prefix('x') {
            Some(digits) if hex(digits) >= 2 => start + "x00".len(),
            _ => start,
        }
    }
}

/// The columns of one character by itself. Their sum is never less than the width of the whole,
/// which some terminals narrow by ligatures and emoji modifiers.
fn columns_of(character: char) -> usize {
    character.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn what_acts_or_hides_is_written_out() {
        for (raw, expected) in [
            ("plain text", "plain text"),
            (r"C:\users\u", r"C:\users\u"),
            ("\u{1b}[31mred", r"\u{1b}[31mred"),
            ("\u{1b}]0;title\u{7}", r"\u{1b}]0;title\u{7}"),
            ("a\tb\nc\rd", r"a\u{9}b\u{a}c\u{d}d"),
            ("\u{7f}\u{85}\u{9b}", r"\u{7f}\u{85}\u{9b}"),
            ("x\u{202e}y\u{e0041}\u{200b}", r"x\u{202e}y\u{e0041}\u{200b}"),
            ("\u{2764}\u{fe0f}\u{200d}\u{1f525}", "\u{2764}\\u{fe0f}\\u{200d}\u{1f525}"),
            ("\u{2028}\u{2029}\u{e000}\u{ffff}", r"\u{2028}\u{2029}\u{e000}\u{ffff}"),
            ("\u{fffd} \u{3000}\u{a0}\u{e9}\u{5408}", "\u{fffd} \u{3000}\u{a0}\u{e9}\u{5408}"),
            ("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}x", "e\u{301}\u{301}\u{301}\u{301}x"),
        ] {
            assert_eq!(TermText::new(raw).to_string(), expected, "{raw:?}");
        }
    }

    #[test]
    fn a_cut_falls_between_graphemes_and_between_escapes() {
        for (raw, columns, expected) in [
            ("abcdef", 6, "abcdef"),
            ("abcdefg", 6, "abcde\u{2026}"),
            ("abcdefg", 1, "\u{2026}"),
            ("abcdefg", 0, ""),
            ("", 0, ""),
            ("\u{5408}\u{540c}\u{5ba1}", 6, "\u{5408}\u{540c}\u{5ba1}"),
            ("\u{5408}\u{540c}\u{5ba1}", 5, "\u{5408}\u{540c}\u{2026}"),
            ("\u{5408}\u{540c}\u{5ba1}", 4, "\u{5408}\u{2026}"),
            ("abq\u{301}de", 4, "abq\u{301}\u{2026}"),
            ("abq\u{301}de", 3, "ab\u{2026}"),
            ("ab\u{1b}cd", 10, r"ab\u{1b}cd"),
            ("ab\u{1b}cd", 9, "ab\\u{1b}\u{2026}"),
            ("ab\u{1b}cd", 8, "ab\u{2026}"),
            ("ab\u{1b}cdefg", 9, "ab\\u{1b}\u{2026}"),
            ("ab\u{1b}cd", 7, "ab\u{2026}"),
            ("ab\u{1b}\u{1b}", 12, "ab\\u{1b}\u{2026}"),
        ] {
            let text = TermText::with_width(raw, columns);
            assert_eq!(text.as_str(), expected, "{raw:?} in {columns}");
        }
    }

    #[test]
    fn a_block_keeps_its_lines() {
        assert_eq!(TermText::block("a\n\tb\r\n\u{1b}c").as_str(), "a\n\tb\\u{d}\n\\u{1b}c");
        let long = "x".repeat(1000);
        assert_eq!(TermText::block(&long).as_str(), long);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_shows_the_bytes_that_are_no_text() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a b/\xff\x1b/c"));
        assert_eq!(TermText::path(path).as_str(), r"/a b/\xff\u{1b}/c");
        let long = [b"/".as_slice(), &[0xff; 300]].concat();
        let cut = TermText::path(Path::new(std::ffi::OsStr::from_bytes(&long)));
        assert_eq!(cut.as_str(), format!("/{}\u{2026}", r"\xff".repeat(49)));
    }

    #[test]
    fn a_megabyte_without_width_stays_short() {
        for unit in
            ["\u{301}", "\u{1161}", "\u{11a8}", "\u{200d}", "\u{fe0f}", "\u{1f1e6}", "\u{600}", "\u{1b}"]
        {
            let text = TermText::new(&unit.repeat((1 << 20) / unit.len()));
            assert!(text.as_str().len() < 1000, "{unit:?}: {} bytes", text.as_str().len());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_text_leaves_its_line_or_its_columns(raw in any::<String>(), columns in 0_usize..80) {
            let text = TermText::with_width(&raw, columns);
            prop_assert!(text.as_str().width() <= columns, "{text:?}");
            prop_assert!(text.as_str().chars().map(columns_of).sum::<usize>() <= columns, "{text:?}");
            prop_assert!(!text.as_str().chars().any(char::is_control), "{text:?}");
            prop_assert_eq!(&TermText::with_width(text.as_str(), columns), &text);
            let whole = TermText::block(&raw.replace(['\n', '\t'], " "));
            let whole = whole.as_str();
            if let Some(head) = text.as_str().strip_suffix('\u{2026}').filter(|_| text.as_str() != whole)
                && whole.starts_with(head)
            {
                prop_assert!(whole.grapheme_indices(true).any(|(index, _)| index == head.len()), "{text:?}");
            }
        }

        #[test]
        fn marks_escapes_and_wide_characters_stay_within_their_columns(
            raw in "[a\\\\\u{301}\u{20e3}\u{200d}\u{fe0f}\u{2764}\u{1f1e6}\u{1f469}\u{1f3fd}\u{644}\u{627}\u{600}\
                    \u{1100}\u{1161}\u{11a8}\u{17d2}\u{1780}\u{a4f8}\u{a4fc}\u{1b}\u{5408}]{0,30}",
            columns in 0_usize..40,
        ) {
            let text = TermText::with_width(&raw, columns);
            prop_assert!(text.as_str().width() <= columns, "{text:?}");
            let whole = TermText::block(&raw);
            if text != whole {
                let head = text.as_str().strip_suffix('\u{2026}').unwrap_or_default();
                prop_assert!(whole.as_str().starts_with(head));
                let starts = whole.as_str().grapheme_indices(true).any(|(index, _)| index == head.len());
                prop_assert!(starts, "{text:?} of {whole:?}");
            }
        }
    }
}
