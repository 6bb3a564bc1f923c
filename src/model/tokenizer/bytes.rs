//! Lists of numbers as bytes: each with its length before it, little-endian.
//!
//! Who reads has checked a hash of the whole; a list that reaches over the end is an error all the same, and
//! never memory that is not there.

use crate::model::ModelError;

#[derive(Debug, Default)]
pub(in crate::model) struct Writer(Vec<u8>);

impl Writer {
    pub(in crate::model) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    pub(in crate::model) fn words(&mut self, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.bytes(&bytes);
    }

    pub(in crate::model) fn doubles(&mut self, numbers: &[f64]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(&bytes);
    }

    pub(in crate::model) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

pub(in crate::model) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(in crate::model) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(in crate::model) fn bytes(&mut self) -> Result<&'a [u8], ModelError> {
        let short = || ModelError::Tables("a list that reaches over the end");
        let (length, rest) = self.0.split_first_chunk::<8>().ok_or_else(short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| short())?;
        let (bytes, rest) = rest.split_at_checked(length).ok_or_else(short)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(in crate::model) fn words(&mut self) -> Result<Vec<u32>, ModelError> {
        match self.bytes()?.as_chunks::<4>() {
            (words, []) => Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect()),
            _ => Err(ModelError::Tables("a list of words")),
        }
    }

    pub(in crate::model) fn doubles(&mut self) -> Result<Vec<f64>, ModelError> {
        match self.bytes()?.as_chunks::<8>() {
            (numbers, []) => Ok(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect()),
            _ => Err(ModelError::Tables("a list of numbers")),
        }
    }

    pub(in crate::model) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }
}
