//! Which words of a text are withheld.
//!
//! A word is what stands between white space. It is withheld whole when any part of it looks like a secret;
//! only in text of other scripts, which does without spaces, is the ASCII part withheld alone.

use super::{numbers, pairs, shapes};

/// The least dashes around the words that begin and end a block; mail and Markdown take some away.
const BLOCK_DASHES: usize = 3;
/// Folders that hold the home folders of people.
const HOMES: &[&str] = &["/home/", "/Users/", "\\Users\\", "\\users\\"];

/// A text without its secrets.
pub(super) struct Redacted {
    pub(super) text: String,
    /// How many words, or blocks of many lines, were taken out.
    pub(super) withheld: usize,
}

/// Takes out what looks like a secret, and what tells who the person is.
pub(super) fn redact(text: &str) -> Redacted {
    let (text, mut withheld) = without_blocks(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut values = pairs::values(&words);
    values.append(&mut numbers::values(&words));
    let mut kept = String::with_capacity(text.len());
    for (index, word) in words.iter().enumerate() {
        kept.push(' ');
        if values.contains(&index) || is_personal(word) {
            withheld += 1;
            continue;
        }
        for piece in pieces(word) {
            if piece.is_ascii() && shapes::is_secret(piece) {
                withheld += 1;
                kept.push(' ');
            } else {
                kept.push_str(piece);
            }
        }
    }
    Redacted { text: kept, withheld }
}

/// Takes out keys and certificates in armour, to their end or that of the text.
fn without_blocks(text: &str) -> (String, usize) {
    let mut kept = String::with_capacity(text.len());
    let mut blocks = 0;
    let mut rest = text;
    while let Some((start, block)) = armour(rest, "BEGIN") {
        kept.push_str(&rest[..start]);
        kept.push(' ');
        blocks += 1;
        let end = armour(block, "END").and_then(|(_, after)| after.find("--").map(|dashes| &after[dashes..]));
        rest = end.unwrap_or_default().trim_start_matches('-');
    }
    kept.push_str(rest);
    (kept, blocks)
}

/// Where the dashes before `word` start, and what stands after it.
fn armour<'a>(text: &'a str, word: &str) -> Option<(usize, &'a str)> {
    text.match_indices(word).find_map(|(at, word)| {
        let before = &text[..at];
        let start =
            before.trim_end_matches(|character: char| character == '-' || character.is_whitespace()).len();
        let after = &text[at + word.len()..];
        let dashes = before[start..].bytes().filter(|byte| *byte == b'-').count();
        (dashes >= BLOCK_DASHES && !after.starts_with(char::is_alphanumeric)).then_some((start, after))
    })
}

/// The runs of ASCII and of other characters.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let is_ascii = rest.chars().next()?.is_ascii();
        let end = rest.find(|character: char| character.is_ascii() != is_ascii).unwrap_or(rest.len());
        let piece = &rest[..end];
        rest = &rest[end..];
        Some(piece)
    })
}

/// An address of a person, or a path in somebody's home folder.
fn is_personal(word: &str) -> bool {
    word.match_indices('@').any(|(at, _)| is_address(&word[..at], &word[at + 1..]))
        || HOMES.iter().any(|folder| word.contains(folder))
}

/// Whether a person and a host stand before and after an `@`; a version, as in `package@1.2.3`, is no host.
fn is_address(name: &str, after: &str) -> bool {
    let end = after.find(|character: char| !character.is_alphanumeric() && !"-.".contains(character));
    let host = after[..end.unwrap_or(after.len())].trim_end_matches(['-', '.']);
    let labels = || host.split('.');
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = host.rsplit_once('.').is_some_and(|(rest, last)| {
        !rest.is_empty() && last.chars().count() >= 2 && last.starts_with(char::is_alphabetic)
    });
    name.ends_with(char::is_alphanumeric) && (is_name || (labels().count() == 4 && labels().all(is_number)))
}
