//! JSON that is safe on a terminal and inside other formats.
//!
//! `serde_json` escapes C0 controls only. Here DEL, C1, line separators and every invisible or
//! reordering character are written as `\uXXXX` too: the document stays equal for a parser, and no
//! byte of it can act on a terminal.

use std::fmt::Write;

use serde::Serialize;

use crate::skill::unicode::{self, Class};

/// `document` as indented JSON with a final newline.
pub fn render<T: Serialize>(document: &T) -> Result<String, serde_json::Error> {
    let plain = serde_json::to_string_pretty(document)?;
    let mut text = String::with_capacity(plain.len() + 1);
    for character in plain.chars() {
        push_escaped(&mut text, character);
    }
    text.push('\n');
    Ok(text)
}

/// The bytes that `character` takes inside a JSON string as [`render`] writes it.
pub fn escaped_len(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ if needs_escape(character) => 6 * character.len_utf16(),
        _ => character.len_utf8(),
    }
}

fn push_escaped(text: &mut String, character: char) {
    if !needs_escape(character) {
        text.push(character);
        return;
    }
    let mut units = [0; 2];
    for unit in character.encode_utf16(&mut units) {
        // Writing to a string cannot fail.
        let _infallible = write!(text, "\\u{unit:04x}");
    }
}

fn needs_escape(character: char) -> bool {
    match character {
        ' '..='~' | '\n' => false,
        '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{7f}' => true,
        _ => matches!(
            unicode::class(character),
            Class::C1 | Class::Bidi | Class::Tag | Class::Joiner | Class::ZeroWidth | Class::Variation
        ),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_parser_reads_back_what_was_written(value in ".{0,60}|[\u{7f}-\u{a0}\u{2028}\u{202e}\u{e0041}\u{200b}]{0,9}") {
            let text = render(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value.clone());
            prop_assert!(text.trim_end().chars().all(|character| !character.is_control()));
            let length: usize = value.chars().map(escaped_len).sum();
            prop_assert_eq!(text.len(), length + 3);
        }
    }
}
