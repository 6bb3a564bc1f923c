//! From a text to the ids of its tokens, as the `tokenizers` library does it.
//!
//! [`Tokenizer::parse`] reads a `tokenizer.json` once, when a model is taken in; after that the tokenizer is
//! written and read in a form that needs no parsing. That library itself was measured and not taken: it adds
//! 3 MB to the program and 60 crates, and takes 60 ms to read the 1.8 MB of `WordLlama`'s file.
//!
//! Texts of control tokens (`</s>`, `[CLS]`) are text here and never control tokens: what a stranger writes into
//! a description must not be able to name one. No tokens are added at the start or the end.

pub(super) mod bytes;
mod charsmap;
mod json;
mod kinds;
mod normalize;
mod split;
mod vocabulary;

use serde::{Deserialize, Serialize};

use self::{
    bytes::{Reader, Writer},
    charsmap::Charsmap,
    kinds::Kind,
    normalize::Step,
    split::Split,
    vocabulary::{Merges, Vocabulary},
};
use super::ModelError;

/// A tokenizer.
#[derive(Debug, Clone, PartialEq)]
pub struct Tokenizer {
    rules: Rules,
    vocabulary: Vocabulary,
    merges: Merges,
    charsmap: Option<Charsmap>,
}

/// What it does to a text, in this order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    steps: Vec<Step>,
    splits: Vec<Split>,
    kind: Kind,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    ///
    /// [`ModelError::Unsupported`] for a part that is not run here, [`ModelError::Tokenizer`] for text that is
    /// no such file.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        json::parse(text)
    }

    /// The ids of the tokens of `text`, in order.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let steps = self.rules.steps.iter();
        let text = steps.fold(text.to_owned(), |text, step| step.apply(&text, self.charsmap.as_ref()));
        let mut ids = Vec::new();
        for piece in split::split(&self.rules.splits, &text) {
            self.rules.kind.encode(&self.vocabulary, &self.merges, &piece, &mut ids);
        }
        ids
    }

    /// The id that stands for what is not in the vocabulary.
    pub fn unknown(&self) -> Option<u32> {
        self.rules.kind.unknown()
    }

    /// The largest id that a text can get.
    pub fn largest_id(&self) -> u32 {
        self.vocabulary.largest_id().max(self.unknown().unwrap_or(0))
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.bytes(serde_json::to_string(&self.rules).unwrap_or_default().as_bytes());
        self.vocabulary.write(writer);
        self.merges.write(writer);
        writer.words(&[u32::from(self.charsmap.is_some())]);
        if let Some(charsmap) = &self.charsmap {
            charsmap.write(writer);
        }
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, ModelError> {
        let rules = serde_json::from_slice(reader.bytes()?).map_err(|_| ModelError::Tables("rules"))?;
        let (vocabulary, merges) = (Vocabulary::read(reader)?, Merges::read(reader)?);
        let charsmap = match reader.words()?[..] {
            [0] => None,
            [1] => Some(Charsmap::read(reader)?),
            _ => return Err(ModelError::Tables("replacements")),
        };
        Ok(Self { rules, vocabulary, merges, charsmap })
    }
}
