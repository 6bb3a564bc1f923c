//! Which tensor of a model folder is what.
//!
//! `Model2Vec` calls its matrix `embeddings`, and may have a weight for each token and a table that leads from
//! tokens to rows; its mean leaves out unknown tokens and whatever follows the 512th. `WordLlama` has one
//! matrix and nothing else; its mean is over all tokens.

use serde::{Deserialize, Serialize};

use super::{
    ModelError,
    safetensors::{Number, Tensor},
};
use crate::candidate::vector::MAX_DIMENSION;

/// The most rows of a matrix.
const MAX_ROWS: usize = 4_000_000;

/// Whose rules hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// `Model2Vec`.
    Model2Vec,
    /// `WordLlama`.
    WordLlama,
}

impl Family {
    /// The word for it in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Model2Vec => "model2vec",
            Self::WordLlama => "wordllama",
        }
    }

    /// The most tokens of a text that count.
    pub(super) fn most_tokens(self) -> usize {
        match self {
            Self::Model2Vec => 512,
            Self::WordLlama => usize::MAX,
        }
    }

    /// Whether unknown tokens are left out of the mean.
    pub(super) fn drops_unknown(self) -> bool {
        self == Self::Model2Vec
    }
}

/// The tensors of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Whose rules hold.
    pub family: Family,
    /// The rows, one after the other.
    pub matrix: Tensor,
    /// How many.
    pub rows: usize,
    /// The numbers of one.
    pub dimension: usize,
    /// A weight for each token.
    pub weights: Option<Tensor>,
    /// The row of each token; without it they are the same.
    pub mapping: Option<Tensor>,
}

/// What the tensors of a file are.
///
/// # Errors
///
/// [`ModelError::Tensors`] when they are those of no known layout.
pub fn recognise(tensors: &[Tensor]) -> Result<Layout, ModelError> {
    let named = |name: &str| tensors.iter().find(|tensor| tensor.name == name).cloned();
    let wrong = |reason: &str| ModelError::Tensors(reason.to_owned());
    let (family, matrix) = match (named("embeddings"), tensors) {
        (Some(matrix), _) => (Family::Model2Vec, matrix),
        (None, [matrix]) => (Family::WordLlama, matrix.clone()),
        _ => return Err(wrong("it has neither a tensor `embeddings` nor one tensor alone")),
    };
    let [rows, dimension] = matrix.shape[..] else { return Err(wrong("its matrix has not two dimensions")) };
    if !(1..=MAX_ROWS).contains(&rows) || !(1..=MAX_DIMENSION).contains(&dimension) {
        return Err(wrong("its matrix has no possible size"));
    }
    if matches!(matrix.number, Number::I32 | Number::I64) {
        return Err(wrong("its matrix is of whole numbers"));
    }
    let list = |name: &str, is_whole: bool| match named(name) {
        Some(tensor) if family == Family::Model2Vec => {
            let is_list = tensor.shape.len() == 1 && tensor.shape[0] <= MAX_ROWS;
            let whole = matches!(tensor.number, Number::I32 | Number::I64);
            if is_list && whole == is_whole {
                Ok(Some(tensor))
            } else {
                Err(ModelError::Tensors(format!("its tensor `{name}` is not a list of that kind")))
            }
        }
        _ => Ok(None),
    };
    let (weights, mapping) = (list("weights", false)?, list("mapping", true)?);
    Ok(Layout { family, matrix, rows, dimension, weights, mapping })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(name: &str, number: Number, shape: &[usize]) -> Tensor {
        Tensor { name: name.to_owned(), number, shape: shape.to_vec(), start: 0, length: 0 }
    }

    #[test]
    fn layouts_by_example() {
        let found = recognise(&[tensor("embedding.weight", Number::F16, &[32000, 256])]).unwrap();
        assert_eq!((found.family, found.rows, found.dimension), (Family::WordLlama, 32000, 256));
        let found = recognise(&[
            tensor("embeddings", Number::I8, &[10, 4]),
            tensor("mapping", Number::I64, &[20]),
            tensor("weights", Number::F32, &[20]),
        ])
        .unwrap();
        assert_eq!(
            (found.family, found.weights.is_some(), found.mapping.is_some()),
            (Family::Model2Vec, true, true)
        );
        assert!(recognise(&[tensor("embeddings", Number::F32, &[10, 4])]).unwrap().mapping.is_none());
        for tensors in [
            vec![],
            vec![tensor("a", Number::F32, &[1, 1]), tensor("b", Number::F32, &[1, 1])],
            vec![tensor("a", Number::F32, &[10])],
            vec![tensor("a", Number::F32, &[0, 4])],
            vec![tensor("a", Number::F32, &[10, 8193])],
            vec![tensor("a", Number::I64, &[10, 4])],
            vec![tensor("embeddings", Number::F32, &[10, 4]), tensor("mapping", Number::F32, &[10])],
            vec![tensor("embeddings", Number::F32, &[10, 4]), tensor("weights", Number::F32, &[10, 1])],
        ] {
            assert!(recognise(&tensors).is_err(), "{tensors:?}");
        }
    }
}
