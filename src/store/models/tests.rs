//! Models as they are added, asked, damaged and removed, over small folders of both layouts.

use serde_json::json;

use super::*;
use crate::candidate::{query::EmbeddingText, vector::Vector};

/// Rows that are a little more than a block, so that rows lie across blocks.
const DIMENSION: usize = 700;

fn tokenizer() -> String {
    json!({
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "read": 1, "pdf": 2, "far": 3}},
    })
    .to_string()
}

/// A file of `f32` tensors: each with its shape.
fn safetensors(tensors: &[(&str, &[usize], Vec<f32>)]) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    let mut data = Vec::new();
    for (name, shape, numbers) in tensors {
        let start = data.len();
        data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        header.insert(
            (*name).to_owned(),
            json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]}),
        );
    }
    let header = serde_json::Value::from(header).to_string();
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
}

/// Row `n` points along axis `n`.
fn matrix() -> Vec<f32> {
    let mut numbers = vec![0.0; 4 * DIMENSION];
    for row in 0..4 {
        numbers[row * DIMENSION + row] = 2.0;
    }
    numbers
}

struct World {
    temp: tempfile::TempDir,
    models: Models,
}

impl World {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let models = Models::new(&temp.path().join("data"));
        Self { temp, models }
    }

    /// A folder with these files.
    fn source(&self, files: &[(&str, Vec<u8>)]) -> PathBuf {
        let folder = self.temp.path().join("source");
        drop(fs_err::remove_dir_all(&folder));
        for (name, content) in files {
            let path = folder.join(name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, content).unwrap();
        }
        folder
    }

    fn model2vec(&self) -> PathBuf {
        let weights = vec![1.0, 1.0, 3.0, 1.0];
        let tensors = safetensors(&[("embeddings", &[4, DIMENSION], matrix()), ("weights", &[4], weights)]);
        self.source(&[
            ("model.safetensors", tensors),
            ("tokenizer.json", tokenizer().into_bytes()),
            ("tokenizer_config.json", b"{}".to_vec()),
            ("config.json", b"{}".to_vec()),
        ])
    }

    fn wordllama(&self) -> PathBuf {
        self.source(&[
            (
                "weights/l2_supercat_256.safetensors",
                safetensors(&[("embedding.weight", &[4, DIMENSION], matrix())]),
            ),
            ("tokenizers/l2_supercat_tokenizer_config.json", tokenizer().into_bytes()),
            ("__init__.py", Vec::new()),
        ])
    }
}

fn name(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

fn embed(model: &mut OpenModel, text: &str) -> Result<Option<Vector>, ModelsError> {
    let text = EmbeddingText::of_task(text).unwrap();
    model.embed(&[&text]).map(|mut vectors| vectors.remove(0))
}

/// The direction with these lengths along the first axes.
fn along(lengths: [f64; 4]) -> Vector {
    let mut numbers = vec![0.0; DIMENSION];
    numbers[..4].copy_from_slice(&lengths);
    Vector::new(&numbers).unwrap()
}

#[test]
fn both_layouts_are_added_asked_and_removed() {
    let world = World::new();
    assert!(world.models.list().unwrap().is_empty());
    let info = world.models.add(&world.model2vec(), &name("small")).unwrap();
    assert_eq!((info.family, info.rows, info.dimension), (Family::Model2Vec, 4, DIMENSION));
    assert_eq!(
        info.made_of.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(),
        ["model.safetensors", "tokenizer.json"]
    );
    world.models.add(&world.wordllama(), &name("llama")).unwrap();
    let listed: Vec<_> = world
        .models
        .list()
        .unwrap()
        .into_iter()
        .map(|model| (model.name.to_string(), model.info.unwrap().family))
        .collect();
    assert_eq!(listed, [("llama".to_owned(), Family::WordLlama), ("small".to_owned(), Family::Model2Vec)]);
    let mut small = world.models.open(&name("small")).unwrap();
    assert_eq!(embed(&mut small, "read pdf unknown").unwrap(), Some(along([0.0, 1.0, 3.0, 0.0])));
    assert_eq!(embed(&mut small, "nothing known").unwrap(), None);
    let mut llama = world.models.open(&name("llama")).unwrap();
    assert_eq!(embed(&mut llama, "read pdf unknown").unwrap(), Some(along([1.0, 1.0, 1.0, 0.0])));
    assert_ne!(small.identity(), llama.identity());
    for model in ["small", "llama"] {
        world.models.verify(&name(model)).unwrap();
        world.models.remove(&name(model)).unwrap();
    }
    assert!(world.models.list().unwrap().is_empty());
    assert_eq!(fs_err::read_dir(world.models.folder()).unwrap().count(), 1, "only the lock is left");
    assert!(matches!(world.models.remove(&name("small")), Err(ModelsError::Unknown(_))));
    assert!(matches!(world.models.open(&name("small")), Err(ModelsError::Unknown(_))));
}

#[test]
fn a_changed_file_is_never_used() {
    let world = World::new();
    world.models.add(&world.wordllama(), &name("llama")).unwrap();
    let folder = world.models.folder().join("llama");
    for file in [MANIFEST, TABLES, BLOCKS, ROWS] {
        let path = folder.join(file);
        let good = fs_err::read(&path).unwrap();
        let mut bad = good.clone();
        let place = bad.len() / 2;
        bad[place] ^= 1;
        for content in [bad, good[..good.len() - 2].to_vec(), [&good[..], b"x"].concat()] {
            fs_err::write(&path, content).unwrap();
            let error = world.models.verify(&name("llama")).unwrap_err();
            assert!(
                matches!(error, ModelsError::Damaged { file: found, .. } if found == file),
                "{file}: {error}"
            );
        }
        fs_err::write(&path, good).unwrap();
    }
    world.models.verify(&name("llama")).unwrap();
    // A block that is not needed may be damaged; one that is needed is refused.
    let mut rows = fs_err::read(folder.join(ROWS)).unwrap();
    let last = rows.len() - 1;
    rows[last] ^= 1;
    fs_err::write(folder.join(ROWS), rows).unwrap();
    let mut model = world.models.open(&name("llama")).unwrap();
    assert_eq!(embed(&mut model, "read").unwrap(), Some(along([0.0, 1.0, 0.0, 0.0])));
    assert!(matches!(embed(&mut model, "far"), Err(ModelsError::Damaged { file: ROWS, .. })));
}

#[test]
fn what_is_no_model_is_refused_and_leaves_nothing() {
    let world = World::new();
    let tensors = safetensors(&[("embedding.weight", &[4, DIMENSION], matrix())]);
    let tokens = tokenizer().into_bytes();
    let refused = |files: &[(&str, Vec<u8>)]| {
        let error = world.models.add(&world.source(files), &name("x")).unwrap_err();
        std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
    };
    let two = ("b.safetensors", tensors.clone());
    for (files, part) in [
        (vec![("a.safetensors", tensors.clone())], "holds no model: it has no `tokenizer.json`"),
        (vec![("tokenizer.json", tokens.clone())], "holds no model: it has no `*.safetensors`"),
        (vec![("a.safetensors", tensors.clone()), two, ("tokenizer.json", tokens.clone())], "several"),
        (vec![("a.safetensors", b"abc".to_vec()), ("tokenizer.json", tokens.clone())], "it is too short"),
        (vec![("a.safetensors", vec![0xff; 64]), ("tokenizer.json", tokens.clone())], "no possible length"),
        (vec![("a.safetensors", tensors[..500].to_vec()), ("tokenizer.json", tokens)], "does not lie in it"),
        (
            vec![("a.safetensors", tensors.clone()), ("tokenizer.json", b"{}".to_vec())],
            "the tokenizer cannot be used",
        ),
        (vec![("a.safetensors", tensors), ("tokenizer.json", vec![0xff])], "the tokenizer cannot be used"),
    ] {
        let reason = refused(&files);
        assert!(reason.contains(part), "{reason}");
    }
    let missing = world.models.add(&world.temp.path().join("nowhere"), &name("x")).unwrap_err();
    assert!(missing.to_string().ends_with("holds no model: it is no folder"), "{missing}");
    assert!(world.models.list().unwrap().is_empty());
    world.models.add(&world.wordllama(), &name("x")).unwrap();
    assert!(matches!(world.models.add(&world.wordllama(), &name("x")), Err(ModelsError::Exists(_))));
}

#[test]
fn what_a_killed_process_left_goes_with_the_next_model() {
    let world = World::new();
    let left = world.models.folder().join(names::temporary());
    fs_err::create_dir_all(&left).unwrap();
    fs_err::write(left.join(ROWS), "half").unwrap();
    world.models.add(&world.wordllama(), &name("llama")).unwrap();
    assert!(!left.exists());
    assert_eq!(world.models.list().unwrap().len(), 1);
}
