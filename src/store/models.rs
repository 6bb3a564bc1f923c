//! Static embedding models that a person added: copied, described and checked against hashes.
//!
//! A model is a folder `models/NAME` of the data folder with four files: `model.json` (a sealed document with
//! the hash of every other file and of the files that it was made of), `tables.bin` (tokenizer, weights),
//! `rows.bin` (the matrix as it was) and `blocks.bin` (the SHA-256 of each 4 KiB of the matrix). A text needs a
//! few dozen rows, so only their blocks are read, and each is hashed before it is used: what was changed on the
//! disk is never used, without 16 MB being hashed at each start. A folder appears and goes by one rename.

mod add;
mod open;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    StoreError, document,
    folder::{Folder, Kind},
    form, lock, names,
};
use crate::{
    model::{ModelError, layout::Family, safetensors::Number},
    skill::{name::Slug, tree},
};
pub use open::OpenModel;

/// The bytes of the matrix that are hashed together.
const BLOCK: usize = 4096;
/// The largest document of a model.
const MAX_MANIFEST: usize = 64 * 1024;
/// How long adding and removing wait for another that does.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

const LOCK: &str = "models.lock";
const MANIFEST: &str = "model.json";
const TABLES: &str = "tables.bin";
const ROWS: &str = "rows.bin";
const BLOCKS: &str = "blocks.bin";

/// The models in one data folder.
#[derive(Debug, Clone)]
pub struct Models {
    folder: PathBuf,
}

/// Why a model was not added, opened or removed.
#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    /// The disk, or a document of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder that holds no model.
    #[error("`{}` holds no model: {reason}", .folder.display())]
    NoModel {
        /// The folder.
        folder: PathBuf,
        /// What is missing.
        reason: &'static str,
    },
    /// Files that are no model that can be used.
    #[error("`{}` cannot be used", .folder.display())]
    Unusable {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: ModelError,
    },
    /// There is no model at all.
    #[error("no model was added yet (`skillflux model add PATH` adds one)")]
    NoneAdded,
    /// There are several, and none is named.
    #[error("there are several models (`skillflux config set embeddingModel NAME` chooses one)")]
    NoneChosen,
    /// A model of this name is there.
    #[error("a model named `{0}` is there already")]
    Exists(Slug),
    /// No model has this name.
    #[error("no model is named `{0}`")]
    Unknown(String),
    /// A file of a model is not what it was when the model was added.
    #[error("`{file}` of the model `{name}` was changed since it was added")]
    Damaged {
        /// The model.
        name: Slug,
        /// The file.
        file: &'static str,
    },
}

/// One model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInfo {
    /// Its name.
    pub name: Slug,
    /// Whose layout it has.
    pub family: Family,
    /// The rows of its matrix.
    pub rows: usize,
    /// The numbers of one.
    pub dimension: usize,
    /// The bytes of its files.
    pub bytes: u64,
    /// The files that it was made of.
    pub made_of: Vec<ModelFile>,
}

/// A model in a list.
#[derive(Debug)]
pub struct ListedModel {
    /// Its name.
    pub name: Slug,
    /// What it is, or why that cannot be read.
    pub info: Result<ModelInfo, ModelsError>,
}

/// A file that a model was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
    /// Their SHA-256.
    #[serde(with = "form")]
    pub sha256: [u8; 32],
}

/// What is written of a model.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    family: Family,
    rows: usize,
    dimension: usize,
    number: Number,
    rows_bytes: u64,
    tables_bytes: u64,
    #[serde(with = "form")]
    tables_sha256: [u8; 32],
    #[serde(with = "form")]
    blocks_sha256: [u8; 32],
    made_of: Vec<ModelFile>,
}

impl Models {
    /// The models in this data folder, which need not exist.
    pub fn new(data: &Path) -> Self {
        Self { folder: data.join("models") }
    }

    /// The folder that holds them.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Every model by name, and for one whose document cannot be read the reason.
    ///
    /// # Errors
    ///
    /// [`ModelsError::Store`] when the folder cannot be listed.
    pub fn list(&self) -> Result<Vec<ListedModel>, ModelsError> {
        let Some(folder) = Folder::open(&self.folder)? else { return Ok(Vec::new()) };
        let mut models = Vec::new();
        for (name, kind) in folder.entries()? {
            let slug = name.to_str().and_then(Slug::parse).filter(|_| kind == Kind::Folder);
            if let Some(slug) = slug {
                let info = self.manifest(&slug).map(|(_, manifest)| info(&slug, manifest));
                models.push(ListedModel { name: slug, info });
            }
        }
        Ok(models)
    }

    /// Hashes every file of a model.
    ///
    /// # Errors
    ///
    /// [`ModelsError::Damaged`] with the first file that is not what it was; [`ModelsError::Unknown`].
    pub fn verify(&self, name: &Slug) -> Result<(), ModelsError> {
        self.open(name)?.verify()
    }

    /// Opens a model; what is read now has its hash.
    ///
    /// # Errors
    ///
    /// [`ModelsError::Unknown`], [`ModelsError::Damaged`], and [`ModelsError::Unusable`] for one that another
    /// release wrote.
    pub fn open(&self, name: &Slug) -> Result<OpenModel, ModelsError> {
        let (folder, manifest) = self.manifest(name)?;
        OpenModel::open(name, &folder, manifest)
    }

    /// Removes a model.
    ///
    /// # Errors
    ///
    /// [`ModelsError::Unknown`] when there is none of this name.
    pub fn remove(&self, name: &Slug) -> Result<(), ModelsError> {
        let unknown = || ModelsError::Unknown(name.to_string());
        let folder = Folder::open(&self.folder)?.ok_or_else(unknown)?;
        let _guard = lock::document(&folder, LOCK, PATIENCE)?;
        if folder.kind(name.as_str())? != Some(Kind::Folder) {
            return Err(unknown());
        }
        let victim = names::temporary();
        folder.rename(name.as_str(), &folder, &victim)?;
        Ok(folder.remove_tree(&victim)?)
    }

    /// The folder and the document of a model.
    fn manifest(&self, name: &Slug) -> Result<(Folder, Manifest), ModelsError> {
        let unknown = || ModelsError::Unknown(name.to_string());
        let models = Folder::open(&self.folder)?.ok_or_else(unknown)?;
        let folder = models.below(name.as_str())?.ok_or_else(unknown)?;
        match document::read_sealed_in(&folder, MANIFEST, MAX_MANIFEST)? {
            Some(Ok(manifest)) => Ok((folder, manifest)),
            Some(Err(document::Note::Newer(version))) => {
                Err(StoreError::NewerFormat { file: folder.path().join(MANIFEST), version }.into())
            }
            Some(Err(document::Note::Invalid(_))) | None => {
                Err(ModelsError::Damaged { name: name.clone(), file: MANIFEST })
            }
        }
    }
}

fn info(name: &Slug, manifest: Manifest) -> ModelInfo {
    let blocks = manifest.rows_bytes.div_ceil(BLOCK as u64) * 32;
    ModelInfo {
        name: name.clone(),
        family: manifest.family,
        rows: manifest.rows,
        dimension: manifest.dimension,
        bytes: manifest.rows_bytes + manifest.tables_bytes + blocks,
        made_of: manifest.made_of,
    }
}

fn is_sha256(bytes: &[u8], expected: &[u8; 32]) -> bool {
    tree::content_sha256(bytes) == *expected
}

#[cfg(test)]
mod tests;
