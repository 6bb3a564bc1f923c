//! The models that turn a piece of text into ids: one function a kind, over the same vocabulary.
//!
//! They follow the `tokenizers` library step by step, because a model knows only the ids that it was made
//! with: `WordPiece` (the longest beginnings), BPE (merges by rank), unigram (the best path) and whole words.

use std::{cmp::Reverse, collections::BinaryHeap};

use serde::{Deserialize, Serialize};

use super::vocabulary::{Merges, Vocabulary};

/// How much worse than the worst word an unknown character is (unigram).
const UNKNOWN_PENALTY: f64 = 10.0;

/// A kind of model with its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Kind {
    WordPiece { unknown: u32, prefix: String, most_chars: usize },
    Bpe { unknown: Option<u32>, fuses_unknown: bool, falls_back: bool, takes_whole: bool },
    Unigram { unknown: Option<u32>, falls_back: bool, lowest: f64 },
    WordLevel { unknown: Option<u32> },
}

impl Kind {
    /// The id of what is not in the vocabulary, where the kind names one by its text.
    pub(super) fn unknown(&self) -> Option<u32> {
        match self {
            Self::WordPiece { unknown, .. } => Some(*unknown),
            Self::Bpe { unknown, .. } | Self::WordLevel { unknown } => *unknown,
            Self::Unigram { .. } => None,
        }
    }

    /// Adds the ids of `piece`.
    pub(super) fn encode(&self, vocabulary: &Vocabulary, merges: &Merges, piece: &str, ids: &mut Vec<u32>) {
        match self {
            Self::WordPiece { unknown, prefix, most_chars } => {
                word_piece(vocabulary, piece, prefix, *most_chars, ids).unwrap_or_else(|| ids.push(*unknown));
            }
            Self::Bpe { takes_whole: true, .. } if vocabulary.id(piece.as_bytes()).is_some() => {
                ids.extend(vocabulary.id(piece.as_bytes()));
            }
            Self::Bpe { unknown, fuses_unknown, falls_back, .. } => {
                let symbols = symbols(vocabulary, piece, *unknown, *fuses_unknown, *falls_back);
                ids.extend(merged(merges, &symbols));
            }
            Self::Unigram { unknown, falls_back, lowest } => {
                for part in best_path(vocabulary, piece, *unknown, *lowest - UNKNOWN_PENALTY) {
                    match vocabulary.id(part.as_bytes()) {
                        Some(id) => ids.push(id),
                        None => ids.extend(
                            bytes_of(vocabulary, part, *falls_back)
                                .unwrap_or_else(|| unknown.iter().copied().collect()),
                        ),
                    }
                }
            }
            Self::WordLevel { unknown } => ids.extend(vocabulary.id(piece.as_bytes()).or(*unknown)),
        }
    }
}

/// The longest beginning that is a word, then that of the rest with `prefix` before it, and so on; `None` when
/// some rest has none. What was added then is taken back.
fn word_piece(
    vocabulary: &Vocabulary,
    piece: &str,
    prefix: &str,
    most_chars: usize,
    ids: &mut Vec<u32>,
) -> Option<()> {
    if piece.chars().count() > most_chars {
        return None;
    }
    let before = ids.len();
    let mut start = 0;
    while start < piece.len() {
        let head = if start == 0 { "" } else { prefix };
        let word = format!("{head}{}", &piece[start..]);
        let mut longest = None;
        vocabulary.prefixes(word.as_bytes(), |length, id, _| {
            if length > head.len() && word.is_char_boundary(length) {
                longest = Some((length, id));
            }
        });
        let Some((length, id)) = longest else {
            ids.truncate(before);
            return None;
        };
        ids.push(id);
        start += length - head.len();
    }
    Some(())
}

/// The characters as ids; one that is no word is its bytes, or unknown.
fn symbols(
    vocabulary: &Vocabulary,
    piece: &str,
    unknown: Option<u32>,
    fuses: bool,
    falls_back: bool,
) -> Vec<u32> {
    let mut symbols = Vec::with_capacity(piece.len());
    let mut after_unknown = false;
    for (start, character) in piece.char_indices() {
        let text = &piece[start..start + character.len_utf8()];
        let known = vocabulary.id(text.as_bytes()).map(|id| vec![id]);
        if let Some(known) = known.or_else(|| bytes_of(vocabulary, text, falls_back)) {
            symbols.extend(known);
            after_unknown = false;
        } else if !(fuses && after_unknown) {
            symbols.extend(unknown);
            after_unknown = true;
        }
    }
    symbols
}

/// The ids of `<0xE8>` and so on, when every byte has one.
fn bytes_of(vocabulary: &Vocabulary, text: &str, falls_back: bool) -> Option<Vec<u32>> {
    let id = |byte: u8| vocabulary.id(format!("<0x{byte:02X}>").as_bytes());
    if falls_back { text.bytes().map(id).collect() } else { None }
}

/// Merges neighbours, the pair of the lowest rank first and of equal ones the leftmost.
fn merged(merges: &Merges, symbols: &[u32]) -> Vec<u32> {
    const NONE: usize = usize::MAX;
    let mut symbols: Vec<Option<u32>> = symbols.iter().copied().map(Some).collect();
    let end = symbols.len();
    let mut next: Vec<usize> = (1..=end).map(|place| if place < end { place } else { NONE }).collect();
    let mut previous: Vec<usize> = (0..end).map(|place| place.checked_sub(1).unwrap_or(NONE)).collect();
    let mut queue = BinaryHeap::new();
    let pair = |symbols: &[Option<u32>], left: usize, right: usize| {
        let ids = symbols.get(left).copied().flatten().zip(symbols.get(right).copied().flatten());
        ids.and_then(|(left, right)| merges.get(left, right))
    };
    for (left, right) in next.iter().enumerate() {
        queue.extend(pair(&symbols, left, *right).map(|(rank, id)| Reverse((rank, left, id))));
    }
    while let Some(Reverse((_, left, id))) = queue.pop() {
        let right = next[left];
        // What was queued before one of the two was merged does not hold any more.
        if symbols[left].is_none() || pair(&symbols, left, right).is_none_or(|(_, now)| now != id) {
            continue;
        }
        symbols[left] = Some(id);
        symbols[right] = None;
        next[left] = next[right];
        if next[left] != NONE {
            previous[next[left]] = left;
        }
        let around = [(previous[left], left), (left, next[left])];
        let around = around.into_iter().filter(|(left, right)| *left != NONE && *right != NONE);
        queue.extend(around.filter_map(|(left, right)| {
            pair(&symbols, left, right).map(|(rank, id)| Reverse((rank, left, id)))
        }));
    }
    symbols.into_iter().flatten().collect()
}

/// The cut of `text` whose words have the highest sum of scores; neighbours that are unknown are one part. So are
/// words whose id is the unknown one, as in the library.
fn best_path<'a>(
    vocabulary: &Vocabulary,
    text: &'a str,
    unknown: Option<u32>,
    unknown_score: f64,
) -> Vec<&'a str> {
    #[derive(Clone, Copy)]
    struct Node {
        start: usize,
        score: f64,
        is_unknown: bool,
    }
    let mut nodes: Vec<Option<Node>> = vec![None; text.len() + 1];
    for (start, character) in text.char_indices() {
        let here = if start == 0 { 0.0 } else { nodes[start].map_or(0.0, |node| node.score) };
        let width = character.len_utf8();
        let mut has_single = false;
        let mut reach = |end: usize, score: f64, is_unknown: bool| {
            if nodes[end].is_none_or(|node| score > node.score) {
                nodes[end] = Some(Node { start, score, is_unknown });
            }
        };
        vocabulary.prefixes(&text.as_bytes()[start..], |length, id, score| {
            if text.is_char_boundary(start + length) {
                reach(start + length, here + score, Some(id) == unknown);
                has_single |= length == width;
            }
        });
        if !has_single {
            reach(start + width, here + unknown_score, true);
        }
    }
    let mut parts: Vec<(usize, usize, bool)> = Vec::new();
    let mut end = text.len();
    while let Some(node) = nodes[end] {
        match parts.last_mut() {
            Some((start, _, true)) if node.is_unknown => *start = node.start,
            _ => parts.push((node.start, end, node.is_unknown)),
        }
        end = node.start;
    }
    parts.into_iter().rev().map(|(start, end, _)| &text[start..end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(words: &[(&str, f64)]) -> Vocabulary {
        let numbered = (0..).zip(words).map(|(id, (word, score))| ((*word).to_owned(), (id, *score)));
        Vocabulary::new(&numbered.collect())
    }

    fn encode(kind: &Kind, words: &[(&str, f64)], merges: &Merges, piece: &str) -> Vec<u32> {
        let mut ids = vec![99];
        kind.encode(&vocabulary(words), merges, piece, &mut ids);
        ids.split_off(1)
    }

    #[test]
    fn word_pieces_are_the_longest_beginnings() {
        let words = [
            ("[UNK]", 0.0),
            ("un", 0.0),
            ("##aff", 0.0),
            ("##able", 0.0),
            ("##a", 0.0),
            ("表", 0.0),
            ("##", 0.0),
        ];
        let kind = Kind::WordPiece { unknown: 0, prefix: "##".to_owned(), most_chars: 9 };
        let encode = |piece| encode(&kind, &words, &Merges::default(), piece);
        for (piece, expected) in [
            ("unaffable", &[1, 2, 3][..]),
            ("una", &[1, 4]),
            ("unx", &[0]),
            ("表", &[5]),
            ("unaffableun", &[0]),
            ("", &[]),
        ] {
            assert_eq!(encode(piece), expected, "{piece}");
        }
    }

    #[test]
    fn merges_go_by_rank_and_from_the_left() {
        let words = [
            ("<unk>", 0.0),
            ("a", 0.0),
            ("b", 0.0),
            ("aa", 0.0),
            ("ab", 0.0),
            ("aab", 0.0),
            ("<0xE8>", 0.0),
            ("<0xA1>", 0.0),
            ("<0xA8>", 0.0),
        ];
        let merges = Merges::new(vec![[1, 1, 1, 3], [1, 2, 0, 4], [1, 4, 2, 5]]);
        let kind = |falls_back, takes_whole| Kind::Bpe {
            unknown: Some(0),
            fuses_unknown: true,
            falls_back,
            takes_whole,
        };
        for (kind, piece, expected) in [
            (kind(false, false), "aaab", &[3, 4][..]),
            (kind(false, false), "aab", &[5]),
            (kind(false, false), "aaaa", &[3, 3]),
            (kind(false, false), "axya", &[1, 0, 1]),
            (kind(true, false), "a表", &[1, 6, 7, 8]),
            (kind(true, false), "里", &[0]),
            (kind(false, true), "aab", &[5]),
        ] {
            assert_eq!(encode(&kind, &words, &merges, piece), expected, "{piece}");
        }
    }

    #[test]
    fn the_best_path_wins() {
        let words = [
            ("<unk>", 0.0),
            ("▁", -2.0),
            ("▁a", -3.0),
            ("b", -4.0),
            ("ab", -1.5),
            ("▁ab", -6.0),
            ("c", -9.0),
        ];
        let kind = |falls_back| Kind::Unigram { unknown: Some(0), falls_back, lowest: -9.0 };
        let encode = |piece| encode(&kind(false), &words, &Merges::default(), piece);
        for (piece, expected) in
            [("▁ab", &[1, 4][..]), ("▁a", &[2]), ("xyz", &[0]), ("bxyb", &[3, 0, 3]), ("表", &[0]), ("", &[])]
        {
            assert_eq!(encode(piece), expected, "{piece}");
        }
        let kind = Kind::WordLevel { unknown: None };
        assert_eq!(self::encode(&kind, &words, &Merges::default(), "c"), [6]);
        assert_eq!(self::encode(&kind, &words, &Merges::default(), "cc"), [0; 0]);
    }
}
