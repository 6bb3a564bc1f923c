//! Taking a model in: its files found, understood, copied and hashed, and put in place by one rename.
//!
//! The files come from wherever a person got them. They are read with bounds, parsed as what they claim to be,
//! and nothing of them is run.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::{
    BLOCK, BLOCKS, LOCK, MANIFEST, Manifest, ModelFile, ModelInfo, Models, ModelsError, PATIENCE, ROWS,
    TABLES, info,
};
use crate::{
    model::{
        ModelError, Tables,
        layout::{self, Layout},
        safetensors::{self, Tensor},
        tokenizer::Tokenizer,
    },
    skill::{name::Slug, tree},
    store::{StoreError, document, folder::Folder, lock, names},
};

/// The largest file of a tokenizer.
const MAX_TOKENIZER: u64 = 64 * 1024 * 1024;
/// The largest file of numbers.
const MAX_TENSORS: u64 = 4 * 1024 * 1024 * 1024;
/// The largest list beside the matrix, in bytes.
const MAX_LIST: u64 = 64 * 1024 * 1024;
/// The bytes that are copied at once: whole blocks.
const PIECE: usize = 64 * BLOCK;

/// The two files of a model.
struct Source {
    tensors: PathBuf,
    tokenizer: PathBuf,
}

/// What is written beside the matrix.
struct Parts {
    layout: Layout,
    tables: Vec<u8>,
    made_of: Vec<ModelFile>,
}

impl Models {
    /// Copies the model in `source` under `name`.
    ///
    /// The folder holds one `*.safetensors` and one `tokenizer.json` (or another `*tokenizer*.json`), or two
    /// folders `weights` and `tokenizers` that do, as in the `WordLlama` package.
    ///
    /// # Errors
    ///
    /// [`ModelsError::NoModel`] when there is none, [`ModelsError::Unusable`] when it is of another kind, and
    /// [`ModelsError::Exists`].
    pub fn add(&self, source: &Path, name: &Slug) -> Result<ModelInfo, ModelsError> {
        let unusable = |error| ModelsError::Unusable { folder: source.to_owned(), source: error };
        let files = find(source)?;
        let parts = understand(&files)?.map_err(unusable)?;
        let models = Folder::make(&self.folder)?;
        let _guard = lock::document(&models, LOCK, PATIENCE)?;
        // Nobody else makes one now, so what has such a name was left by a process that was killed.
        for (left, _) in
            models.entries()?.into_iter().filter(|(left, _)| left.to_str().is_some_and(names::is_temporary))
        {
            models.remove_tree(&left)?;
        }
        if models.kind(name.as_str())?.is_some() {
            return Err(ModelsError::Exists(name.clone()));
        }
        let staged = names::temporary();
        let outcome = write(&models.create_below(&staged)?, &files, parts).and_then(|manifest| {
            if models.rename(&staged, &models, name.as_str())? {
                models.sync()?;
                Ok(info(name, manifest))
            } else {
                Err(ModelsError::Exists(name.clone()))
            }
        });
        if outcome.is_err() {
            models.remove_tree(&staged)?;
        }
        outcome
    }
}

/// The files of the model in a folder.
fn find(folder: &Path) -> Result<Source, ModelsError> {
    let missing = |reason| ModelsError::NoModel { folder: folder.to_owned(), reason };
    if !folder.is_dir() {
        return Err(missing("it is no folder"));
    }
    let places = |inner: &str| [folder.to_owned(), folder.join(inner)];
    let one = |inner: &str, is_it: &dyn Fn(&str) -> bool| -> Result<Vec<PathBuf>, ModelsError> {
        for place in places(inner).into_iter().filter(|place| place.is_dir()) {
            let found = files(&place, is_it)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    };
    let mut tensors = one("weights", &|name| name.ends_with(".safetensors"))?;
    let mut tokenizers = one("tokenizers", &|name| {
        Path::new(name).extension().is_some_and(|extension| extension == "json") && name.contains("tokenizer")
    })?;
    // Beside the tokenizer itself there may be a file that only says how to load it.
    if tokenizers.len() > 1 {
        tokenizers.retain(|path| path.ends_with("tokenizer.json"));
    }
    match (tensors.pop(), tokenizers.pop()) {
        (Some(tensors_file), Some(tokenizer)) if tensors.is_empty() && tokenizers.is_empty() => {
            Ok(Source { tensors: tensors_file, tokenizer })
        }
        (None, _) => Err(missing("it has no `*.safetensors`")),
        (_, None) => Err(missing("it has no `tokenizer.json`")),
        _ => Err(missing("it has several `*.safetensors`")),
    }
}

/// The regular files of a folder whose name fits, in order.
fn files(folder: &Path, is_it: &dyn Fn(&str) -> bool) -> Result<Vec<PathBuf>, ModelsError> {
    let io = |error| StoreError::io("list", folder, error);
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let fits = path.file_name().and_then(|name| name.to_str()).is_some_and(is_it);
        if fits && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads all of a model but its matrix.
fn understand(source: &Source) -> Result<Result<Parts, ModelError>, ModelsError> {
    let (file, length) = open(&source.tensors, MAX_TENSORS)?;
    let mut file = file;
    let text = read(&source.tokenizer, MAX_TOKENIZER)?;
    let io = |error| StoreError::io("read", &source.tensors, error);
    let mut prefix = [0; safetensors::PREFIX];
    if length < prefix.len() as u64 {
        return Ok(Err(ModelError::Tensors("it is too short".to_owned())));
    }
    file.read_exact(&mut prefix).map_err(io)?;
    let mut header = match safetensors::header_length(prefix, length) {
        Ok(header) => vec![0; header],
        Err(error) => return Ok(Err(error)),
    };
    file.read_exact(&mut header).map_err(io)?;
    let layout = match safetensors::tensors(&header, length).and_then(|tensors| layout::recognise(&tensors)) {
        Ok(layout) => layout,
        Err(error) => return Ok(Err(error)),
    };
    let mut list = |tensor: &Option<Tensor>| match tensor {
        Some(tensor) if tensor.length > MAX_LIST => {
            Ok(Err(ModelError::Tensors(format!("its `{}` is too long", tensor.name))))
        }
        Some(tensor) => numbers(&mut file, tensor).map(Ok).map_err(io),
        None => Ok(Ok(Vec::new())),
    };
    let (weights, mapping) = (list(&layout.weights)?, list(&layout.mapping)?);
    let made_of = vec![described(&source.tensors)?, described(&source.tokenizer)?];
    let tables = || {
        let text = std::str::from_utf8(&text).map_err(|error| ModelError::Tokenizer(error.to_string()))?;
        Tables::new(layout.family, layout.rows, Tokenizer::parse(text)?, weights?, &mapping?)
    };
    Ok(tables().map(|tables| Parts { tables: tables.to_bytes(), layout, made_of }))
}

fn open(path: &Path, most: u64) -> Result<(File, u64), ModelsError> {
    let io = |error| StoreError::io("read", path, error);
    let file: File = fs_err::File::open(path).map_err(io)?.into();
    let length = file.metadata().map_err(io)?.len();
    if length > most {
        let folder = path.parent().unwrap_or(path).to_owned();
        return Err(ModelsError::NoModel { folder, reason: "one of its files is too large" });
    }
    Ok((file, length))
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, ModelsError> {
    let (file, _) = open(path, most)?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(|error| StoreError::io("read", path, error))?;
    Ok(bytes)
}

fn numbers(file: &mut File, tensor: &Tensor) -> std::io::Result<Vec<f64>> {
    file.seek(SeekFrom::Start(tensor.start))?;
    let mut bytes = Vec::new();
    file.take(tensor.length).read_to_end(&mut bytes)?;
    Ok(tensor.number.read(&bytes))
}

/// Name, size and hash of a file.
fn described(path: &Path) -> Result<ModelFile, ModelsError> {
    let io = |error| StoreError::io("read", path, error);
    let (mut file, bytes) = open(path, MAX_TENSORS)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece).map_err(io)? {
            0 => break,
            length => hasher.update(&piece[..length]),
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(ModelFile { name, bytes, sha256: hasher.finalize().into() })
}

/// Writes the four files.
fn write(folder: &Folder, source: &Source, parts: Parts) -> Result<Manifest, ModelsError> {
    let Parts { layout: Layout { family, matrix, rows, dimension, .. }, tables, made_of } = parts;
    let blocks = copy_rows(folder, &source.tensors, &matrix)?;
    put(folder, BLOCKS, &blocks)?;
    put(folder, TABLES, &tables)?;
    let manifest = Manifest {
        family,
        rows,
        dimension,
        number: matrix.number,
        rows_bytes: matrix.length,
        tables_bytes: tables.len() as u64,
        tables_sha256: tree::content_sha256(&tables),
        blocks_sha256: tree::content_sha256(&blocks),
        made_of,
    };
    put(folder, MANIFEST, &document::encode_sealed(&manifest, &folder.path().join(MANIFEST))?)?;
    folder.sync()?;
    Ok(manifest)
}

fn put(folder: &Folder, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
    let path = folder.path().join(name);
    let mut file = folder.create_file(name)?;
    file.write_all(bytes).map_err(|error| StoreError::io("write", &path, error))?;
    file.sync_data().map_err(|error| StoreError::io("sync", &path, error))
}

/// Copies the matrix; the hashes of its blocks, one after the other.
fn copy_rows(folder: &Folder, source: &Path, matrix: &Tensor) -> Result<Vec<u8>, ModelsError> {
    let from = |error| StoreError::io("read", source, error);
    let path = folder.path().join(ROWS);
    let (mut file, _) = open(source, MAX_TENSORS)?;
    file.seek(SeekFrom::Start(matrix.start)).map_err(from)?;
    let mut left = matrix.length;
    let mut target = folder.create_file(ROWS)?;
    let mut piece = vec![0; PIECE];
    let mut hashes = Vec::new();
    while left > 0 {
        let length = usize::try_from(left.min(PIECE as u64)).unwrap_or(PIECE);
        file.read_exact(&mut piece[..length]).map_err(from)?;
        target.write_all(&piece[..length]).map_err(|error| StoreError::io("write", &path, error))?;
        hashes.extend(piece[..length].chunks(BLOCK).flat_map(tree::content_sha256));
        left -= length as u64;
    }
    target.sync_data().map_err(|error| StoreError::io("sync", &path, error))?;
    Ok(hashes)
}
