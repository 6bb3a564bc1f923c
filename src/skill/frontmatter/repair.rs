//! A header that is no trustworthy YAML, read field by field.
//!
//! The header is cut at the lines that start with a key at column 0, and each piece is parsed alone. A
//! piece that still fails is taken as the text that stands there if its key holds text, and is dropped
//! otherwise, so one broken optional field never costs the required ones. Which lines belong to a
//! field is never guessed: a line at column 0 that is neither a key nor the end of what came before is
//! junk, and so is what is indented under it.
//!
//! An invocation flag counts as text here, because a dropped guard would open the skill; text that is
//! no boolean closes it.

use std::borrow::Cow;

use super::super::diagnostic::{Code, Diagnostic};
use super::fences::{Line, column_after};
use super::keys::Key;
use super::tree::{Node, Position, Tree};

/// A run of lines that starts with a key.
#[derive(Debug, Clone, Copy)]
struct Piece<'h> {
    key: &'h str,
    /// The bytes of the whole piece.
    start: usize,
    end: usize,
    /// Where the value starts, after the colon.
    value: usize,
    line: u32,
}

/// Reads `header` piece by piece into `tree`; `first_line` is its first line's number in the file.
pub(super) fn repair<'h>(
    header: &'h str,
    first_line: u32,
    tree: &mut Tree<'h>,
    warnings: &mut Vec<Diagnostic>,
) {
    let mut piece: Option<Piece<'h>> = None;
    let mut after_junk = false;
    let mut number = first_line;
    let mut next = 0;
    while let Some(line) = Line::at(header, next) {
        let content = &header[line.start..line.end];
        if let Some((key, length)) = leading_key(content) {
            if let Some(piece) = piece.take() {
                read(header, piece, tree, warnings);
            }
            after_junk = false;
            let (start, end, value) = (line.start, line.next, line.start + length);
            piece = Some(Piece { key, start, end, value, line: number });
        } else if belongs_to_piece(content) {
            match &mut piece {
                Some(piece) => piece.end = line.next,
                None if after_junk || is_ignorable(content) => {}
                None => {
                    warnings.push(Diagnostic::at(Code::JunkLine, number, 1));
                    after_junk = true;
                }
            }
        } else {
            if let Some(piece) = piece.take() {
                read(header, piece, tree, warnings);
            }
            warnings.push(Diagnostic::at(Code::JunkLine, number, 1));
            after_junk = true;
        }
        number += 1;
        next = line.next;
    }
    if let Some(piece) = piece {
        read(header, piece, tree, warnings);
    }
}

/// The key at the start of a line and the length up to and with its colon. A key is letters, digits,
/// `_`, `.` and `-`, also in quotes, since a quoted guard is a guard.
fn leading_key(content: &str) -> Option<(&str, usize)> {
    let quote = content.chars().next().filter(|first| matches!(first, '"' | '\''));
    let open = usize::from(quote.is_some());
    let rest = &content[open..];
    let is_key = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | '-');
    let length = rest.find(|character| !is_key(character))?;
    let key = &rest[..length];
    if key.is_empty() || key.starts_with(['-', '.']) {
        return None;
    }
    let mut after = &rest[length..];
    if let Some(quote) = quote {
        after = after.strip_prefix(quote)?;
    }
    let value = after.trim_start_matches([' ', '\t']).strip_prefix(':')?;
    (value.is_empty() || value.starts_with([' ', '\t'])).then_some((key, content.len() - value.len()))
}

/// Whether a line that starts no piece continues the one before: it is indented, blank, a comment, a
/// list entry or a closing bracket.
fn belongs_to_piece(content: &str) -> bool {
    is_ignorable(content)
        || content.starts_with([' ', '\t', '}', ']'])
        || content == "-"
        || content.starts_with("- ")
}

fn is_ignorable(content: &str) -> bool {
    content.starts_with('#') || content.trim().is_empty()
}

fn read<'h>(header: &'h str, piece: Piece<'h>, tree: &mut Tree<'h>, warnings: &mut Vec<Diagnostic>) {
    if tree.append(&header[piece.start..piece.end], piece.line).is_ok() {
        return;
    }
    let key = Key::read(piece.key).map(|(key, _)| key);
    if key.is_none_or(|key| key == Key::Metadata) {
        warnings.push(Diagnostic::at(Code::FieldDropped, piece.line, 1).of(piece.key));
        return;
    }
    let source = &header[piece.value..piece.end];
    let value = piece.value + source.len() - source.trim_start().len();
    let on_key_line = Line::at(header, piece.start).is_some_and(|line| value < line.end);
    let column = if on_key_line { column_after(&header[piece.start..value]) } else { 1 };
    let at = Position { line: piece.line, column: 1 };
    tree.push_entry(
        Node::text(Cow::Borrowed(piece.key), at),
        Node::text(as_text(source), Position { column, ..at }),
    );
}

/// The value as its author may have meant it: lines joined by spaces, without a block indicator and
/// without one pair of quotes around it.
fn as_text(source: &str) -> Cow<'_, str> {
    let joined = join_lines(source);
    let inner = without_quotes(without_indicator(&joined)).trim();
    if inner.len() == joined.len() {
        return joined;
    }
    match joined {
        Cow::Borrowed(joined) => Cow::Borrowed(without_quotes(without_indicator(joined)).trim()),
        Cow::Owned(_) => Cow::Owned(inner.to_owned()),
    }
}

fn join_lines(source: &str) -> Cow<'_, str> {
    let mut joined = Cow::Borrowed("");
    let mut next = 0;
    while let Some(line) = Line::at(source, next) {
        let content = &source[line.start..line.end];
        let is_comment = line.start > 0 && content.starts_with('#');
        let content = content.trim();
        if joined.is_empty() {
            joined = Cow::Borrowed(if is_comment { "" } else { content });
        } else if !content.is_empty() && !is_comment {
            let joined = joined.to_mut();
            joined.push(' ');
            joined.push_str(content);
        }
        next = line.next;
    }
    joined
}

/// Drops `|` or `>`, with up to two of a digit and a sign, if white space or nothing follows.
fn without_indicator(text: &str) -> &str {
    let Some(rest) = text.strip_prefix(['|', '>']) else {
        return text;
    };
    let is_modifier = |character: char| matches!(character, '+' | '-' | '1'..='9');
    let modifiers = rest.chars().take(2).take_while(|&character| is_modifier(character)).count();
    let rest = &rest[modifiers..];
    if rest.is_empty() || rest.starts_with(char::is_whitespace) { rest.trim_start() } else { text }
}

fn without_quotes(text: &str) -> &str {
    ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_at_the_start_of_a_line() {
        for (line, expected) in [
            ("name: x", Some(("name", 5))),
            ("name:", Some(("name", 5))),
            ("name : x", Some(("name", 6))),
            ("\"user-invocable\": no", Some(("user-invocable", 17))),
            ("'a.b_c-1':\tx", Some(("a.b_c-1", 10))),
            ("名前: x", Some(("名前", 7))),
            ("name:x", None),
            ("\"name: x", None),
            ("two words: x", None),
            ("- name: x", None),
            (" name: x", None),
            ("name", None),
            ("", None),
        ] {
            assert_eq!(leading_key(line), expected, "{line:?}");
        }
    }

    #[test]
    fn text_of_broken_values() {
        for (source, expected) in [
            (" a: b\n", "a: b"),
            (" a: b\r\n  c: d\r\n\r\n  e\r\n", "a: b c: d e"),
            (" > text\n", "text"),
            (" |2- text\n", "text"),
            (" >\n  text: more\n", "text: more"),
            (" >10 items: all\n", ">10 items: all"),
            (" 'it's'\n", "it's"),
            (" \"a\" and \"b\".\n", "\"a\" and \"b\"."),
            (" \"\n", "\""),
            ("\n  a: b\n# note\n  c\n", "a: b c"),
            ("", ""),
        ] {
            assert_eq!(as_text(source), expected, "{source:?}");
        }
    }
}
