//! An open model: its tables in memory, its matrix on the disk.
//!
//! Rows are read block by block, in the order in which they lie, and no block is used whose hash is another
//! than when the model was added.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{Read, Seek, SeekFrom},
};

use super::{BLOCK, BLOCKS, Manifest, ModelsError, ROWS, TABLES, is_sha256};
use crate::{
    candidate::{query::EmbeddingText, vector::Vector},
    model::{Tables, WeightedRow},
    skill::{id::TreeDigest, name::Slug},
    store::{StoreError, document::read_bounded, folder::Folder},
};

/// A model that can be asked.
#[derive(Debug)]
pub struct OpenModel {
    name: Slug,
    manifest: Manifest,
    tables: Tables,
    hashes: Vec<u8>,
    rows: File,
}

impl OpenModel {
    pub(super) fn open(name: &Slug, folder: &Folder, manifest: Manifest) -> Result<Self, ModelsError> {
        let damaged = |file| ModelsError::Damaged { name: name.clone(), file };
        let checked = |file: &'static str, length: u64, sha256: &[u8; 32]| {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            let opened = folder.file(file)?.ok_or_else(|| damaged(file))?;
            let bytes = read_bounded(opened, &folder.path().join(file), length)?;
            bytes.filter(|bytes| is_sha256(bytes, sha256)).ok_or_else(|| damaged(file))
        };
        let blocks = manifest.rows_bytes.div_ceil(BLOCK as u64);
        let tables = checked(TABLES, manifest.tables_bytes, &manifest.tables_sha256)?;
        let hashes = checked(BLOCKS, blocks.saturating_mul(32), &manifest.blocks_sha256)?;
        let rows = folder.file(ROWS)?.ok_or_else(|| damaged(ROWS))?;
        let tables = Tables::read(&tables)
            .map_err(|source| ModelsError::Unusable { folder: folder.path().to_owned(), source })?;
        Ok(Self { name: name.clone(), manifest, tables, hashes, rows })
    }

    /// Its name.
    pub fn name(&self) -> &Slug {
        &self.name
    }

    /// What tells it from every other model, whatever their names.
    pub fn identity(&self) -> String {
        let sha256 = |bytes: [u8; 32]| TreeDigest::from_bytes(bytes);
        format!("{}{}", sha256(self.manifest.tables_sha256), sha256(self.manifest.blocks_sha256))
    }

    /// The vectors of `texts`, in their order; `None` for a text without a token that the model knows.
    ///
    /// # Errors
    ///
    /// [`ModelsError::Damaged`] when a block that is needed is not what it was.
    pub fn embed(&mut self, texts: &[&EmbeddingText]) -> Result<Vec<Option<Vector>>, ModelsError> {
        let of_texts: Vec<Vec<WeightedRow>> =
            texts.iter().map(|text| self.tables.rows_of(text.as_str())).collect();
        let needed: BTreeSet<u32> = of_texts.iter().flatten().map(|row| row.row).collect();
        let matrix = self.read_rows(&needed)?;
        Ok(of_texts.iter().map(|rows| Tables::mean(rows, &matrix)).collect())
    }

    /// The rows as numbers.
    fn read_rows(&mut self, needed: &BTreeSet<u32>) -> Result<BTreeMap<u32, Vec<f64>>, ModelsError> {
        let width = self.manifest.dimension * self.manifest.number.width();
        let mut rows = BTreeMap::new();
        let mut block = (u64::MAX, Vec::new());
        let mut bytes = Vec::with_capacity(width);
        for &row in needed {
            bytes.clear();
            let start = u64::from(row) * width as u64;
            let end = start + width as u64;
            for index in start / BLOCK as u64..end.div_ceil(BLOCK as u64) {
                if block.0 != index {
                    block = (index, self.block(index)?);
                }
                let from = index * BLOCK as u64;
                let within = |place: u64| {
                    usize::try_from(place.saturating_sub(from))
                        .map_or(BLOCK, |place| place.min(block.1.len()))
                };
                bytes.extend_from_slice(&block.1[within(start)..within(end)]);
            }
            if bytes.len() != width {
                return Err(self.damaged());
            }
            rows.insert(row, self.manifest.number.read(&bytes));
        }
        Ok(rows)
    }

    /// A block of the matrix that has its hash.
    fn block(&mut self, index: u64) -> Result<Vec<u8>, ModelsError> {
        let io = |error| StoreError::io("read", std::path::Path::new(ROWS), error);
        let start = index * BLOCK as u64;
        let length = self.manifest.rows_bytes.saturating_sub(start).min(BLOCK as u64);
        self.rows.seek(SeekFrom::Start(start)).map_err(io)?;
        let mut bytes = Vec::with_capacity(BLOCK);
        (&self.rows).take(length).read_to_end(&mut bytes).map_err(io)?;
        let place = usize::try_from(index).unwrap_or(usize::MAX);
        let expected = self.hashes.as_chunks::<32>().0.get(place);
        match expected {
            Some(expected) if is_sha256(&bytes, expected) => Ok(bytes),
            _ => Err(self.damaged()),
        }
    }

    /// Hashes every block, and sees that nothing follows the last.
    pub(super) fn verify(&mut self) -> Result<(), ModelsError> {
        let length = self
            .rows
            .metadata()
            .map_err(|error| StoreError::io("read", std::path::Path::new(ROWS), error))?
            .len();
        if length != self.manifest.rows_bytes {
            return Err(self.damaged());
        }
        for index in 0..self.manifest.rows_bytes.div_ceil(BLOCK as u64) {
            self.block(index)?;
        }
        Ok(())
    }

    fn damaged(&self) -> ModelsError {
        ModelsError::Damaged { name: self.name.clone(), file: ROWS }
    }
}
