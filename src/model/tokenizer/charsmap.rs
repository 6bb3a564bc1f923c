//! Sentencepiece's table of replacements: a trie of byte strings, each with the text that stands for it.
//!
//! The trie is a double array as the `darts-clone` library writes it. A grapheme of less than six bytes is
//! looked up as a whole, else each of its characters; of several matches the shortest counts, which is what
//! the `tokenizers` library does.

use unicode_segmentation::UnicodeSegmentation;

use super::bytes::{Reader, Writer};
use crate::model::ModelError;

/// The longest grapheme that is looked up whole, in bytes.
const WHOLE_GRAPHEME: usize = 5;

/// The table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Charsmap {
    trie: Vec<u32>,
    /// The replacements, each ended by a zero byte.
    texts: String,
}

impl Charsmap {
    /// From its binary form: the length of the trie in bytes, the trie, the texts.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ModelError> {
        let wrong = || ModelError::Tokenizer("its table of replacements is malformed".to_owned());
        let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(wrong)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (trie, texts) = rest.split_at_checked(length).ok_or_else(wrong)?;
        let (units, odd) = trie.as_chunks::<4>();
        let texts = String::from_utf8(texts.to_vec()).map_err(|_| wrong())?;
        if !odd.is_empty() {
            return Err(wrong());
        }
        Ok(Self { trie: units.iter().map(|unit| u32::from_le_bytes(*unit)).collect(), texts })
    }

    pub(super) fn apply(&self, text: &str) -> String {
        let mut replaced = String::with_capacity(text.len());
        for grapheme in text.graphemes(true) {
            let whole = Some(grapheme).filter(|grapheme| grapheme.len() <= WHOLE_GRAPHEME);
            if let Some(by) = whole.and_then(|grapheme| self.replacement(grapheme)) {
                replaced.push_str(by);
                continue;
            }
            for (start, character) in grapheme.char_indices() {
                let single = &grapheme[start..start + character.len_utf8()];
                replaced.push_str(self.replacement(single).unwrap_or(single));
            }
        }
        replaced
    }

    /// The text for the shortest string of the table that `text` begins with.
    fn replacement(&self, text: &str) -> Option<&str> {
        let start = self.shortest(text.as_bytes())?;
        self.texts.get(start..)?.split('\0').next()
    }

    fn shortest(&self, text: &[u8]) -> Option<usize> {
        let offset = |unit: u32| ((unit >> 10) << ((unit & 1 << 9) >> 6)) as usize;
        let mut place = offset(*self.trie.first()?);
        for &byte in text.iter().take_while(|byte| **byte != 0) {
            place ^= usize::from(byte);
            let unit = *self.trie.get(place)?;
            if unit & (1 << 31 | 0xff) != u32::from(byte) {
                return None;
            }
            place ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                return self.trie.get(place).map(|leaf| (leaf & !(1 << 31)) as usize);
            }
        }
        None
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.words(&self.trie);
        writer.bytes(self.texts.as_bytes());
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, ModelError> {
        let trie = reader.words()?;
        let texts = String::from_utf8(reader.bytes()?.to_vec());
        Ok(Self { trie, texts: texts.map_err(|_| ModelError::Tables("replacements"))? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trie of `A`, which becomes `a`: the root, the node of the byte, its leaf.
    pub(in crate::model) fn example() -> Vec<u8> {
        let mut trie = vec![0_u32; 0x42];
        trie[0] = 0; // The children of the root lie at their bytes.
        trie[0x41] = 0x41 | 1 << 8 | 1 << 10; // Its leaf lies at 0x41 ^ 1.
        trie[0x40] = 0; // The replacement begins at 0.
        let mut bytes = u32::try_from(trie.len() * 4).unwrap().to_le_bytes().to_vec();
        bytes.extend(trie.iter().flat_map(|unit| unit.to_le_bytes()));
        bytes.extend(b"a\0rest\0");
        bytes
    }

    #[test]
    fn a_table_by_hand() {
        let charsmap = Charsmap::parse(&example()).unwrap();
        assert_eq!(charsmap.apply("BAé A\u{301}"), "Baé a");
        let mut writer = Writer::default();
        charsmap.write(&mut writer);
        assert_eq!(Charsmap::read(&mut Reader::new(&writer.into_bytes())).unwrap(), charsmap);
        for broken in [&[][..], &[4, 0, 0, 0], &[2, 0, 0, 0, 1, 1], &[0, 0, 0, 0, 0xff]] {
            assert!(Charsmap::parse(broken).is_err(), "{broken:?}");
        }
        assert_eq!(Charsmap::parse(&[0, 0, 0, 0]).unwrap().apply("A"), "A");
    }
}
