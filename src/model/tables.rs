//! All of a model but its matrix: tokenizer, weights, the way from tokens to rows.
//!
//! It is made once, when a model is taken in, and written in a form of lists that is read without parsing.
//! The matrix stays on the disk: a text needs a few dozen of its rows.

use std::collections::BTreeMap;

use super::{
    ModelError,
    layout::Family,
    tokenizer::{
        Tokenizer,
        bytes::{Reader, Writer},
    },
};
use crate::candidate::vector::Vector;

/// What the bytes begin with; another form gets another one.
const MAGIC: &[u8] = b"skillflux-model-1";

/// A row of the matrix that counts this much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedRow {
    /// Which.
    pub row: u32,
    /// How much.
    pub weight: f64,
}

/// Tokenizer, weights and rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Tables {
    family: Family,
    rows: u32,
    tokenizer: Tokenizer,
    /// By token; empty when all count alike.
    weights: Vec<f64>,
    /// By token; empty when they are the same.
    mapping: Vec<u32>,
}

impl Tables {
    /// Puts a model together.
    ///
    /// # Errors
    ///
    /// [`ModelError::Tensors`] when a token leads to a row that the matrix has not, or has no weight.
    pub fn new(
        family: Family,
        rows: usize,
        tokenizer: Tokenizer,
        weights: Vec<f64>,
        mapping: &[f64],
    ) -> Result<Self, ModelError> {
        let wrong = |reason: &str| ModelError::Tensors(reason.to_owned());
        let rows = u32::try_from(rows).map_err(|_| wrong("its matrix has too many rows"))?;
        let to_row = |row: &f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "its range is checked"
            )]
            (*row >= 0.0 && *row < f64::from(rows)).then_some(*row as u32)
        };
        let mapping: Option<Vec<u32>> = mapping.iter().map(to_row).collect();
        let mapping = mapping.ok_or_else(|| wrong("its `mapping` leads out of the matrix"))?;
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Err(wrong("one of its `weights` is no finite number"));
        }
        let last = tokenizer.largest_id() as usize;
        let is_short = |length: usize| length > 0 && last >= length;
        if is_short(weights.len()) || is_short(mapping.len()) {
            return Err(wrong("it has fewer weights or rows than the tokenizer has tokens"));
        }
        if mapping.is_empty() && family == Family::Model2Vec && last >= rows as usize {
            return Err(wrong("it has fewer rows than the tokenizer has tokens"));
        }
        Ok(Self { family, rows, tokenizer, weights, mapping })
    }

    /// The rows whose weighted mean is the vector of `text`, one for each token that counts.
    pub fn rows_of(&self, text: &str) -> Vec<WeightedRow> {
        let mut ids = self.tokenizer.encode(text);
        if self.family.drops_unknown() {
            ids.retain(|id| Some(*id) != self.tokenizer.unknown());
        }
        ids.truncate(self.family.most_tokens());
        let row = |id: u32| {
            let row = self.mapping.get(id as usize).copied().unwrap_or(id);
            let weight = self.weights.get(id as usize).copied().unwrap_or(1.0);
            // A vocabulary may be larger than the matrix; its last row stands for the rest, as upstream.
            WeightedRow { row: row.min(self.rows - 1), weight }
        };
        ids.into_iter().map(row).collect()
    }

    /// The vector of these rows; `None` when there are none, a number is not finite, or they cancel out.
    pub fn mean(rows: &[WeightedRow], matrix: &BTreeMap<u32, Vec<f64>>) -> Option<Vector> {
        let dimension = matrix.get(&rows.first()?.row)?.len();
        let mut sums = vec![0.0; dimension];
        for WeightedRow { row, weight } in rows {
            for (sum, number) in sums.iter_mut().zip(matrix.get(row)?) {
                *sum += number * weight;
            }
        }
        // The length is made 1, so the number of rows does not matter.
        Vector::new(&sums).ok()
    }

    /// The bytes that [`Tables::read`] takes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.bytes(MAGIC);
        writer.words(&[u32::from(self.family == Family::Model2Vec), self.rows]);
        writer.doubles(&self.weights);
        writer.words(&self.mapping);
        self.tokenizer.write(&mut writer);
        writer.into_bytes()
    }

    /// The tables that were written.
    ///
    /// # Errors
    ///
    /// [`ModelError::Tables`] when these are no such bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut reader = Reader::new(bytes);
        if reader.bytes()? != MAGIC {
            return Err(ModelError::Tables("they are of another release"));
        }
        let (family, rows) = match reader.words()?[..] {
            [0, rows] if rows > 0 => (Family::WordLlama, rows),
            [1, rows] if rows > 0 => (Family::Model2Vec, rows),
            _ => return Err(ModelError::Tables("layout")),
        };
        let (weights, mapping) = (reader.doubles()?, reader.words()?);
        let tokenizer = Tokenizer::read(&mut reader)?;
        if !reader.is_at_end() {
            return Err(ModelError::Tables("they have more than they should"));
        }
        Ok(Self { family, rows, tokenizer, weights, mapping })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokenizer() -> Tokenizer {
        let file = serde_json::json!({
            "pre_tokenizer": {"type": "WhitespaceSplit"},
            "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "read": 1, "pdf": 2, "far": 3}},
        });
        Tokenizer::parse(&file.to_string()).unwrap()
    }

    #[test]
    fn rows_of_both_families() {
        let tables = |family, weights: &[f64], mapping: &[f64]| {
            Tables::new(family, 4, tokenizer(), weights.to_vec(), mapping).unwrap()
        };
        let shown = |tables: &Tables| {
            let rows = tables.rows_of("read x pdf").into_iter();
            rows.map(|row| (row.row, row.weight)).collect::<Vec<_>>()
        };
        let llama = tables(Family::WordLlama, &[], &[]);
        assert_eq!(shown(&llama), [(1, 1.0), (0, 1.0), (2, 1.0)]);
        let model2vec = tables(Family::Model2Vec, &[9.0, 0.5, 2.0, 1.0], &[0.0, 3.0, 1.0, 1.0]);
        assert_eq!(shown(&model2vec), [(3, 0.5), (1, 2.0)]);
        assert_eq!(model2vec.rows_of(&"read ".repeat(600)).len(), 512);
        for tables in [llama, model2vec] {
            let bytes = tables.to_bytes();
            assert_eq!(Tables::read(&bytes).unwrap(), tables);
            assert!(Tables::read(&bytes[1..]).is_err() && Tables::read(&bytes[..bytes.len() - 1]).is_err());
            assert!(Tables::read(&[&bytes[..], b"\0\0\0\0\0\0\0\0"].concat()).is_err());
        }
        let small = Tables::new(Family::WordLlama, 2, tokenizer(), vec![], &[]).unwrap();
        assert_eq!(small.rows_of("far")[0].row, 1, "the last row stands for what lies beyond");
    }

    #[test]
    fn what_leads_nowhere_is_refused() {
        let new = |family, rows, weights: &[f64], mapping: &[f64]| {
            Tables::new(family, rows, tokenizer(), weights.to_vec(), mapping).map(|_| ())
        };
        for (rows, weights, mapping) in [
            (4, &[][..], &[0.0, 4.0, 1.0, 1.0][..]),
            (4, &[], &[0.0, -1.0, 1.0, 1.0]),
            (4, &[], &[0.0, 1.0]),
            (4, &[1.0, 1.0], &[]),
            (4, &[1.0, 1.0, f64::NAN, 1.0], &[]),
            (3, &[], &[]),
        ] {
            assert!(
                new(Family::Model2Vec, rows, weights, mapping).is_err(),
                "{rows} {weights:?} {mapping:?}"
            );
        }
    }

    #[test]
    fn the_mean_is_a_direction() {
        let matrix = BTreeMap::from([(0, vec![3.0, 0.0]), (1, vec![0.0, 4.0]), (2, vec![-3.0, 0.0])]);
        let mean = |rows: &[(u32, f64)]| {
            let rows: Vec<_> = rows.iter().map(|&(row, weight)| WeightedRow { row, weight }).collect();
            Tables::mean(&rows, &matrix)
        };
        assert_eq!(mean(&[(0, 1.0), (1, 1.0)]), Some(Vector::new(&[0.6, 0.8]).unwrap()));
        assert_eq!(mean(&[(0, 1.0), (1, 0.0)]), Some(Vector::new(&[1.0, 0.0]).unwrap()));
        assert_eq!((mean(&[]), mean(&[(0, 1.0), (2, 1.0)]), mean(&[(7, 1.0)])), (None, None, None));
    }
}
