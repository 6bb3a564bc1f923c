//! The arguments of `model`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

/// Arguments of `model`.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// The command; list when there is none.
    #[command(subcommand)]
    pub command: Option<ModelCommand>,
}

/// A command of `model`.
#[derive(Debug, Subcommand)]
pub enum ModelCommand {
    /// Copy a model folder: a safetensors file and its tokenizer, as `model2vec` and `wordllama` have them
    #[command(
        after_help = "The folder holds one `*.safetensors` and one `tokenizer.json`: a matrix `embeddings` with \
        a row for each token, if need be with `weights` and `mapping` (Model2Vec), or one matrix alone \
        (WordLlama; its package's folder is taken as it is). Tokenizers of the kinds WordPiece, Unigram, BPE \
        over characters, and whole words are run; another kind is refused.\n\nExample:\n  \
        skillflux model add ./potion-base-8M"
    )]
    Add(ModelAddArgs),
    /// List the models that were added
    List {
        /// Hash every file of each; exit with 4 when one was changed
        #[arg(long)]
        verify: bool,
    },
    /// Remove a model
    #[command(after_help = "Example:\n  skillflux model remove potion-base-8m")]
    Remove {
        /// Its name
        #[arg(value_hint = ValueHint::Other)]
        name: String,
    },
}

/// Arguments of `model add`.
#[derive(Debug, Args)]
pub struct ModelAddArgs {
    /// The folder
    #[arg(value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub path: PathBuf,
    /// What to call it [default: the folder's name]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other)]
    pub name: Option<String>,
}
