//! Numbers of people: of cards, of bank accounts (IBAN) and of social security.
//!
//! They are known by how many digits stand together and how they are grouped, not by check digits: a number
//! with a slip in it tells as much. Groups may be parted by a hyphen or by white space.

use std::collections::BTreeSet;

/// The least digits of a number that is withheld for its length alone.
const DIGITS: usize = 13;
/// The lengths of an IBAN: a country, two check digits and 11 to 30 letters and digits.
const IBAN: std::ops::RangeInclusive<usize> = 15..=34;
/// The least digits of an IBAN; a word such as `py39compatibility` has fewer.
const IBAN_DIGITS: usize = 8;

/// A run of digits.
struct Group {
    /// The index of the word it stands in.
    word: usize,
    digits: usize,
    /// Whether nothing but a hyphen or white space parts it from the one before.
    follows: bool,
}

/// The indices of the words that hold a part of such a number.
pub(super) fn values(words: &[&str]) -> BTreeSet<usize> {
    let groups = groups(words);
    let mut found = BTreeSet::new();
    found.extend(groups.iter().filter(|group| group.digits >= DIGITS).map(|group| group.word));
    for (length, is_number) in [(4, is_card as fn(&[usize]) -> bool), (3, is_short)] {
        for window in groups.windows(length).filter(|window| window[1..].iter().all(|group| group.follows)) {
            if is_number(&window.iter().map(|group| group.digits).collect::<Vec<_>>()) {
                found.extend(window.iter().map(|group| group.word));
            }
        }
    }
    for (index, word) in words.iter().enumerate() {
        let is_part = |character: char| character.is_ascii_alphanumeric();
        if word.split(|character| !is_part(character)).any(is_iban) {
            found.insert(index);
        }
        found.extend(grouped_iban(words, index).into_iter().flatten());
    }
    found
}

/// Groups of four; the last may be shorter.
fn is_card(digits: &[usize]) -> bool {
    matches!(digits, [4, 4, 4, 1..=4])
}

/// Cards of 15 digits, and social security numbers of the United States.
fn is_short(digits: &[usize]) -> bool {
    matches!(digits, [4, 6, 5] | [3, 2, 4])
}

fn groups(words: &[&str]) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut follows = false;
    for (word, text) in words.iter().enumerate() {
        let mut digits = 0;
        for character in text.chars() {
            if character.is_numeric() {
                digits += 1;
                continue;
            }
            if digits > 0 {
                groups.push(Group { word, digits, follows });
                digits = 0;
                follows = true;
            }
            follows &= matches!(character, '-' | '\u{2010}'..='\u{2015}');
        }
        if digits > 0 {
            groups.push(Group { word, digits, follows });
            follows = true;
        }
    }
    groups
}

fn is_iban(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    IBAN.contains(&text.len()) && begins_iban(text) && digits >= IBAN_DIGITS
}

fn begins_iban(text: &str) -> bool {
    matches!(text.as_bytes(), [a, b, c, d, ..]
        if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && c.is_ascii_digit() && d.is_ascii_digit())
}

/// An IBAN in groups of four that begins at the end of a word.
fn grouped_iban(words: &[&str], index: usize) -> Option<std::ops::RangeInclusive<usize>> {
    let bytes = words[index].as_bytes();
    let start = words[index].get(bytes.len().checked_sub(4)?..)?;
    if !begins_iban(start) || bytes[..bytes.len() - 4].last().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let mut whole = start.to_owned();
    let mut end = index;
    for word in words[index + 1..].iter().take(8) {
        let group = word.trim_end_matches(|character: char| !character.is_ascii_alphanumeric());
        if group.is_empty() || group.len() > 4 || !group.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            break;
        }
        whole.push_str(group);
        end += 1;
        if word.len() < 4 || group.len() < word.len() {
            break;
        }
    }
    is_iban(&whole).then_some(index..=end)
}
