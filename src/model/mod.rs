//! Static embedding models: a row for each token of a vocabulary, and the mean of the rows of a text.
//!
//! Two layouts of folders are known, those of `Model2Vec` and of `WordLlama`. [`safetensors`] finds the matrix in a file,
//! [`layout`] says which tensor is what, [`tokenizer`] cuts a text into tokens, and [`Tables`] is all of it but
//! the matrix, in a form that is read in a millisecond. Nothing here opens a file: bytes come in, and
//! [`Tables::rows_of`] says which rows of the matrix are needed. A model of another kind is refused when it is
//! taken in, by the name of the part that is not known.

pub mod layout;
pub mod safetensors;
mod tables;
pub mod tokenizer;

pub use tables::{Tables, WeightedRow};

/// Why files are no model that can be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file with the numbers cannot be understood.
    #[error("the safetensors file cannot be used: {0}")]
    Tensors(String),
    /// The file of the tokenizer cannot be understood.
    #[error("the tokenizer cannot be used: {0}")]
    Tokenizer(String),
    /// The tokenizer has a part that skillflux cannot run.
    #[error("the {part} of the tokenizer is `{kind}`, which skillflux cannot run")]
    Unsupported {
        /// The part, in words.
        part: &'static str,
        /// What its author calls it.
        kind: String,
    },
    /// What was written when the model was taken in is not what was written.
    #[error("its tables cannot be understood: {0}")]
    Tables(&'static str),
}
