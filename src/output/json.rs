//! JSON documents on standard output: indented, with a final newline, safe on a terminal.
//!
//! What is escaped, and why, is said in [`crate::skill::text::json_escaped`].

use serde::Serialize;

use crate::skill::text::json_escaped;
pub use crate::skill::text::json_escaped_len as escaped_len;

/// `document` as indented JSON with a final newline.
pub fn render<T: Serialize>(document: &T) -> Result<String, serde_json::Error> {
    let mut text = json_escaped(&serde_json::to_string_pretty(document)?, false);
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_indented_and_cannot_act() {
        let document = serde_json::json!({"a": ["\u{9b}2J", "<b>\u{202e}"]});
        assert_eq!(
            render(&document).unwrap(),
            "{\n  \"a\": [\n    \"\\u009b2J\",\n    \"<b>\\u202e\"\n  ]\n}\n"
        );
    }
}
