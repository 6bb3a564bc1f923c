//! JSON that can stand on a terminal, and in a document of another form.
//!
//! `serde_json` escapes C0 controls only. Here DEL, C1, line separators and every invisible or
//! reordering character become `\uXXXX` too: a parser reads the same values, and no byte acts on a
//! terminal. This is the one list of such characters; whoever prints JSON uses it.

use std::fmt::Write as _;

use crate::skill::unicode::{Class, class};

/// The JSON text `plain` with everything escaped that could act or hide; with `also_markup` also `<`,
/// `>` and `&`, so that it can stand in HTML or XML.
///
/// All of these characters stand only inside strings, where an escape means the same.
pub fn json_escaped(plain: &str, also_markup: bool) -> String {
    let mut text = String::with_capacity(plain.len() + 1);
    for character in plain.chars() {
        if !must_escape(character, also_markup) {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(text, "\\u{unit:04x}").expect("writing to a string cannot fail");
        }
    }
    text
}

/// The bytes that `character` takes inside a JSON string without markup escapes.
pub fn json_escaped_len(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ if must_escape(character, false) => 6 * character.len_utf16(),
        _ => character.len_utf8(),
    }
}

fn must_escape(character: char, also_markup: bool) -> bool {
    match character {
        '<' | '>' | '&' => also_markup,
        // `serde_json` has escaped every other control below the space.
        '\0'..='~' => false,
        '\u{7f}' | '\u{85}' | '\u{2028}' | '\u{2029}' => true,
        _ => matches!(
            class(character),
            Class::C1 | Class::Bidi | Class::Tag | Class::Joiner | Class::ZeroWidth | Class::Variation
        ),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_by_example() {
        for (plain, expected, in_markup) in [
            ("{\"a\": \"b\"}\n", "{\"a\": \"b\"}\n", "{\"a\": \"b\"}\n"),
            ("<a>&", "<a>&", "\\u003ca\\u003e\\u0026"),
            (
                "\u{7f}\u{80}\u{85}\u{9f}\u{a0}",
                "\\u007f\\u0080\\u0085\\u009f\u{a0}",
                "\\u007f\\u0080\\u0085\\u009f\u{a0}",
            ),
            (
                "\u{2028}\u{202e}\u{200b}\u{200d}",
                "\\u2028\\u202e\\u200b\\u200d",
                "\\u2028\\u202e\\u200b\\u200d",
            ),
            ("\u{fe0f}\u{e0041}", "\\ufe0f\\udb40\\udc41", "\\ufe0f\\udb40\\udc41"),
            ("\u{e9}\u{5408}\u{1f469}", "\u{e9}\u{5408}\u{1f469}", "\u{e9}\u{5408}\u{1f469}"),
        ] {
            assert_eq!(json_escaped(plain, false), expected, "{plain:?}");
            assert_eq!(json_escaped(plain, true), in_markup, "{plain:?}");
        }
    }

    proptest! {
        #[test]
        fn a_parser_reads_back_what_was_written(
            value in ".{0,60}|[<&\"\\\\\u{7f}-\u{a0}\u{2028}\u{202e}\u{e0041}\u{200b}]{0,9}",
            also_markup in any::<bool>(),
        ) {
            let text = json_escaped(&serde_json::to_string(&value).unwrap(), also_markup);
            prop_assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value.clone());
            prop_assert!(text.chars().all(|character| !character.is_control()));
            if !also_markup {
                let length: usize = value.chars().map(json_escaped_len).sum();
                prop_assert_eq!(text.len(), length + 2);
            }
        }
    }
}
