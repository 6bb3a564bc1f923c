//! Headers in the plain form that nearly all skills have, read line by line.
//!
//! The form is a subset of YAML in which nothing can be read in two ways: `key: value` on one line,
//! or `key:` with such lines below it, indented by two spaces. A value is a plain scalar that starts
//! with a letter or digit and holds no `: ` and no ` #`, or a quoted one without an escape. At
//! the first thing that is not so the reader gives up, and the YAML parser reads the header; a test
//! holds the two together. A header costs a tenth of the parser's time, which is half of the time
//! that listing skills takes.

use super::tree::{Kind, Position};

/// The longest key of the form; YAML itself allows 1,024 characters.
const MAX_KEY: usize = 128;

/// What the reader found, in the order of the source.
pub(super) enum Step<'h> {
    /// A mapping begins.
    Open(Position),
    /// A key or a value.
    Scalar(Kind, &'h str, Position),
    /// The innermost mapping ends.
    Close,
}

/// Reads `source`, whose first line has the number `first_line`; `None` when it has another form or
/// `emit` gives up.
pub(super) fn read<'h>(
    source: &'h str,
    first_line: u32,
    mut emit: impl FnMut(Step<'h>) -> Option<()>,
) -> Option<()> {
    let source = source.strip_suffix('\n').unwrap_or(source);
    let at = |line: u32, column: usize| Some(Position { line, column: u32::try_from(column + 1).ok()? });
    let mut is_nested = false;
    // A key without a value waits for the nested lines below it.
    let mut waits = false;
    emit(Step::Open(at(first_line, 0)?))?;
    for (line, number) in source.split('\n').zip(first_line..) {
        let indent = if line.starts_with("  ") { 2 } else { 0 };
        match (indent, waits, is_nested) {
            (2, true, false) => {
                emit(Step::Open(at(number, 2)?))?;
                (waits, is_nested) = (false, true);
            }
            (2, false, true) | (0, false, false) => {}
            (0, false, true) => {
                emit(Step::Close)?;
                is_nested = false;
            }
            _ => return None,
        }
        let content = &line[indent..];
        let colon = content.bytes().position(|byte| byte == b':')?;
        let (key, rest) = (&content[..colon], &content[colon + 1..]);
        if !is_key(key) {
            return None;
        }
        emit(Step::Scalar(Kind::Plain, key, at(number, indent)?))?;
        if rest.is_empty() && indent == 0 {
            waits = true;
            continue;
        }
        let value = rest.trim_matches(' ');
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        if blanks == 0 || value.is_empty() {
            return None;
        }
        let (kind, text) = scalar(value)?;
        emit(Step::Scalar(kind, text, at(number, indent + colon + 1 + blanks)?))?;
    }
    if waits {
        return None;
    }
    if is_nested {
        emit(Step::Close)?;
    }
    emit(Step::Close)
}

fn is_key(key: &str) -> bool {
    let bytes = key.as_bytes();
    bytes.len() <= MAX_KEY
        && bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// The text of a value that can be read in one way only.
fn scalar(value: &str) -> Option<(Kind, &str)> {
    let quote = value.as_bytes()[0];
    if matches!(quote, b'"' | b'\'') {
        let inner = value[1..].strip_suffix(char::from(quote))?;
        let is_safe = |byte: u8| byte != quote && byte != b'\\' && byte >= b' ' && byte != 0x7f;
        return (inner.bytes().all(is_safe) && is_printable(inner)).then_some((Kind::Text, inner));
    }
    // No character beyond ASCII has a meaning of its own in YAML.
    if quote.is_ascii() && !quote.is_ascii_alphanumeric() {
        return None;
    }
    let bytes = value.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b':' if matches!(bytes.get(index + 1), None | Some(b' ')) => return None,
            b'#' if bytes[index - 1] == b' ' => return None,
            0..=0x1f | 0x7f => return None,
            _ => {}
        }
    }
    is_printable(value).then_some((Kind::Plain, value))
}

/// Whether every character beyond ASCII is one that YAML takes as it is.
fn is_printable(text: &str) -> bool {
    text.is_ascii()
        || text.chars().all(|character| {
            character.is_ascii()
                || matches!(character, '\u{a1}'..='\u{2027}' | '\u{2030}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffc}')
        })
}
