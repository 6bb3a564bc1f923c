//! The documents of `model`, and what `status` says of comparing by meaning.
//!
//! The rules of [`super::wire`] hold: each document carries its `schema`, lists have one documented order.

use serde::Serialize;

/// `model list`.
#[derive(Debug, Serialize)]
pub struct Models {
    /// `skillflux.models/1`
    pub schema: &'static str,
    /// The folder that holds them.
    pub folder: String,
    /// By name.
    pub models: Vec<Model>,
}

/// A model.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Model {
    /// The name to type.
    pub name: String,
    /// `model2vec` or `wordllama`.
    pub layout: &'static str,
    /// The numbers of a vector.
    pub dimension: usize,
    /// The rows of its matrix.
    pub rows: usize,
    /// Its size on the disk.
    pub bytes: u64,
    /// Whether the configuration in force names it.
    pub in_use: bool,
    /// Whether all of it was hashed just now.
    pub verified: bool,
    /// Why it cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The files that it was made of: the numbers, then the tokenizer.
    pub made_of: Vec<File>,
}

/// A file that a model was made of.
#[derive(Debug, Clone, Serialize)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
    /// Their SHA-256.
    pub sha256: String,
}

/// `model add`.
#[derive(Debug, Serialize)]
pub struct ModelAdd {
    /// `skillflux.model-add/1`
    pub schema: &'static str,
    /// What was added.
    pub model: Model,
}

/// `model remove`.
#[derive(Debug, Serialize)]
pub struct ModelRemove {
    /// `skillflux.model-remove/1`
    pub schema: &'static str,
    /// The name of what is gone.
    pub removed: String,
}

/// How texts are turned into vectors.
#[derive(Debug, Serialize)]
pub struct Embeddings {
    /// `ollama`, `openai-compatible` or `local`.
    pub provider: &'static str,
    /// The model; absent for the only local one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The address that texts are sent to; absent for a local model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// How many vectors are kept.
    pub kept: usize,
}
