//! How a tokenizer cuts a text into pieces that its model then works on: `pre_tokenizer` in tokenizer.json.

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};
use serde::{Deserialize, Serialize};

/// One way of cutting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Split {
    /// At white space, which goes.
    Space,
    /// Every mark of punctuation is a piece.
    Punctuation,
    /// Spaces become a mark, which begins a piece.
    Metaspace { mark: char, before: Before, cuts: bool },
}

/// Where a mark is put that the text has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Before {
    Every,
    First,
    None,
}

/// Cuts `text` in each of these ways in turn.
pub(super) fn split(ways: &[Split], text: &str) -> Vec<String> {
    let mut pieces = if text.is_empty() { Vec::new() } else { vec![text.to_owned()] };
    for way in ways {
        pieces = pieces.iter().enumerate().flat_map(|(place, piece)| way.cut(piece, place == 0)).collect();
        pieces.retain(|piece| !piece.is_empty());
    }
    pieces
}

impl Split {
    fn cut(&self, piece: &str, is_first: bool) -> Vec<String> {
        match self {
            Self::Space => piece.split_whitespace().map(str::to_owned).collect(),
            Self::Punctuation => isolated(piece, is_punctuation),
            Self::Metaspace { mark, before, cuts } => {
                let wants = *before == Before::Every || (*before == Before::First && is_first);
                let mut marked = piece.replace(' ', &mark.to_string());
                if wants && !marked.starts_with(*mark) {
                    marked.insert(0, *mark);
                }
                if *cuts { begun_by(&marked, *mark) } else { vec![marked] }
            }
        }
    }
}

/// Pieces of which each character of a kind is one of its own.
fn isolated(text: &str, is_apart: impl Fn(char) -> bool) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for character in text.chars() {
        if is_apart(character) {
            pieces.extend([character.to_string(), String::new()]);
        } else if let Some(last) = pieces.last_mut() {
            last.push(character);
        }
    }
    pieces
}

/// Pieces that begin with `mark`, but for the first.
fn begun_by(text: &str, mark: char) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for character in text.chars() {
        if character == mark {
            pieces.push(String::new());
        }
        if let Some(last) = pieces.last_mut() {
            last.push(character);
        }
    }
    pieces
}

/// ASCII signs count too.
fn is_punctuation(character: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    character.is_ascii_punctuation() || GeneralCategoryGroup::Punctuation.contains(category)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_by_example() {
        let metaspace = |before, cuts| Split::Metaspace { mark: '▁', before, cuts };
        for (ways, text, expected) in [
            (
                vec![Split::Space, Split::Punctuation],
                " it's a+b、c",
                &["it", "'", "s", "a", "+", "b", "、", "c"][..],
            ),
            (vec![metaspace(Before::Every, true)], "read this  pdf", &["▁read", "▁this", "▁", "▁pdf"]),
            (vec![metaspace(Before::Every, false)], " read this", &["▁read▁this"]),
            (vec![metaspace(Before::None, true)], "read this", &["read", "▁this"]),
            (vec![Split::Space, metaspace(Before::First, true)], "a b", &["▁a", "b"]),
            (vec![Split::Space, metaspace(Before::Every, true)], "a b", &["▁a", "▁b"]),
            (vec![], "a b", &["a b"]),
            (vec![metaspace(Before::First, false)], "", &[]),
            (vec![Split::Space], " ", &[]),
        ] {
            assert_eq!(split(&ways, text), expected, "{ways:?}");
        }
    }
}
