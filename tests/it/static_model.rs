//! Real static models and tokenizers against the code that they come with, where `tests/peers/static_model.sh` has
//! put them into the folder that `SKILLFLUX_TEST_MODELS` names; and small ones of this file through the program.

use std::{
    env,
    path::{Path, PathBuf},
    time::Instant,
};

use serde_json::{Value, json};
use skillflux::{
    candidate::{query::EmbeddingText, vector::Vector},
    model::tokenizer::Tokenizer,
    skill::name::Slug,
    store::models::Models,
};

use crate::context::{TestContext, add_skill, small_model, write};

/// The folder of real models, and what is expected of them.
fn peers() -> Option<(PathBuf, Value)> {
    let Some(folder) = env::var_os("SKILLFLUX_TEST_MODELS").map(PathBuf::from) else {
        println!("skipped: SKILLFLUX_TEST_MODELS names no folder of tests/peers/static_model.sh");
        return None;
    };
    let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    Some((folder, serde_json::from_str(&expected).unwrap()))
}

#[test]
fn real_tokenizers_give_the_same_ids() {
    let Some((folder, expected)) = peers() else { return };
    for (name, cases) in expected["ids"].as_object().unwrap() {
        let file = std::fs::read_to_string(folder.join(format!("tokenizer-{name}.json"))).unwrap();
        let tokenizer = Tokenizer::parse(&file).unwrap();
        let mut differ = Vec::new();
        for case in cases.as_array().unwrap() {
            let text = case["text"].as_str().unwrap();
            let ids = json!(tokenizer.encode(text));
            if ids != case["ids"] {
                differ.push(format!("{text:?}: {ids} for {}", case["ids"]));
            }
        }
        println!("{name}: {} texts, {} differ", cases.as_array().unwrap().len(), differ.len());
        assert!(differ.is_empty(), "{name}:\n{}", differ.join("\n"));
    }
}

#[test]
fn real_models_give_the_same_vectors() {
    let Some((folder, expected)) = peers() else { return };
    let temp = tempfile::tempdir().unwrap();
    let models = Models::new(temp.path());
    for (name, cases) in expected["vectors"].as_object().unwrap() {
        let slug = Slug::parse(name).unwrap();
        let start = Instant::now();
        models.add(&folder.join(name), &slug).unwrap();
        let added = start.elapsed();
        let start = Instant::now();
        let mut model = models.open(&slug).unwrap();
        let opened = start.elapsed();
        let texts: Vec<EmbeddingText> = cases
            .as_array()
            .unwrap()
            .iter()
            .map(|case| EmbeddingText::of_task(case["text"].as_str().unwrap()).unwrap())
            .collect();
        let start = Instant::now();
        let found = model.embed(&texts.iter().collect::<Vec<_>>()).unwrap();
        println!(
            "{name}: added in {added:?}, opened in {opened:?}, {} texts in {:?}",
            texts.len(),
            start.elapsed()
        );
        for (case, vector) in cases.as_array().unwrap().iter().zip(&found) {
            let numbers: Vec<f64> =
                case["vector"].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
            // Where the package has no direction, nor has skillflux.
            let Ok(theirs) = Vector::new(&numbers) else {
                assert!(vector.is_none(), "{}", case["text"]);
                continue;
            };
            let similarity = theirs.similarity(vector.as_ref().unwrap()).unwrap().cosine();
            assert!(similarity > 0.999_99, "{name} {}: {similarity}", case["text"]);
        }
    }
}

#[test]
fn a_real_model_chooses_what_shares_no_word() {
    let Some((folder, _)) = peers() else { return };
    let context = TestContext::new();
    for (name, description) in [
        ("ocr-reader", "Recognises printed text in scanned images and photos"),
        ("calendar-agent", "Manages meetings and events"),
        ("incident-commander", "Coordinates outages and the recovery of services"),
    ] {
        add_skill(&context.user_root(), name, description);
    }
    let added =
        context.run([Path::new("model").as_os_str(), "add".as_ref(), folder.join("wordllama").as_os_str()]);
    assert_eq!(added.code, 0, "{added:?}");
    let mut command = context.command();
    // Cosines of a mean of tokens are lower than those of the model that the default is meant for.
    command
        .env("SKILLFLUX_ROUTER_MODE", "hybrid")
        .env("SKILLFLUX_EMBEDDING_PROVIDER", "local")
        .env("SKILLFLUX_MIN_EMBEDDING_SIMILARITY", "0.2");
    let start = Instant::now();
    let output = command
        .args(["catalog", "--format", "lines", "--max", "1", "digitise a picture of a document"])
        .output();
    let output = output.unwrap();
    println!("catalog: {:?}", start.elapsed());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("- ocr-reader: "), "{output:?}");
}

/// A folder in the layout of `Model2Vec` in which `receipt` and `ocr-reader` point the same way.
fn model(context: &TestContext) -> PathBuf {
    small_model(&context.home().join("Small Model"), ["receipt", "ocr-reader", "calendar"])
}

const TASK: &str = "make this receipt searchable";

fn hybrid(context: &TestContext, variables: &[(&str, &str)], arguments: &[&str]) -> crate::context::Ran {
    let mut command = context.command();
    command.env("SKILLFLUX_ROUTER_MODE", "hybrid").env("SKILLFLUX_EMBEDDING_PROVIDER", "local");
    command.envs(variables.iter().copied()).args(arguments);
    crate::context::Ran::new(context, &command.output().unwrap())
}

#[test]
fn a_model_is_added_used_and_removed() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "ocr-reader", "Extracts printed words from images");
    add_skill(&context.user_root(), "calendar", "Manages meetings");
    let none = hybrid(&context, &[], &["catalog", TASK]);
    assert_eq!((none.code, none.stdout.as_str()), (0, ""));
    insta::assert_snapshot!(none.stderr, @"warning: skills are compared by words alone: no model was added yet (`skillflux model add PATH` adds one)");
    let folder = model(&context);
    let added = context.run(["model", "add", folder.to_str().unwrap()]);
    insta::assert_snapshot!(added.snapshot(), @r"
    exit code 0
    --- stdout
    added small-model: model2vec, 4 rows of 2, 348 bytes
      ea8d39cc338bf84dfd936397edd8bb25899f80583b967176c698f24a807aa167  model.safetensors
      4dfb4e2fb55e73a0f1b2ceda2599841d6cec7c8c4c4bb1b9437275fd4c234d7d  tokenizer.json
    put it to use: skillflux config set embeddingProvider local
                   skillflux config set routerMode fulltext
                   skillflux config set semanticBlend 0.2
    --- stderr
    ");
    let listed = hybrid(&context, &[], &["model"]);
    insta::assert_snapshot!(listed.snapshot(), @r"
    exit code 0
    --- stdout
    small-model                  model2vec, 4 rows of 2, 348 bytes, in use
    --- stderr
    ");
    for arguments in [&["catalog", "--json", TASK][..], &["--offline", "catalog", "--json", TASK]] {
        let json = hybrid(&context, &[], arguments).json();
        assert_eq!(json["skills"][0]["name"], "ocr-reader");
        assert_eq!(json["skills"].as_array().unwrap().len(), 1);
    }
    let status = hybrid(&context, &[], &["status", "--json"]).json();
    assert_eq!(status["embeddings"], json!({"provider": "local", "kept": status["embeddings"]["kept"]}));
    let again = context.run(["model", "add", folder.to_str().unwrap()]);
    insta::assert_snapshot!(again.snapshot(), @r"
    exit code 5
    --- stdout
    --- stderr
    error: a model named `small-model` is there already

    hint: add it under another --name, or remove that one: skillflux model remove small-model
    ");
    assert_eq!(context.run(["model", "add", "--name", "second", folder.to_str().unwrap()]).code, 0);
    let two = hybrid(&context, &[], &["catalog", TASK]);
    assert!(two.code == 0 && two.stderr.contains("there are several models"), "{two:?}");
    let named = hybrid(&context, &[("SKILLFLUX_EMBEDDING_MODEL", "second")], &["catalog", "--json", TASK]);
    assert_eq!(named.json()["skills"][0]["name"], "ocr-reader");
    let other = hybrid(&context, &[("SKILLFLUX_EMBEDDING_MODEL", "third")], &["catalog", TASK]);
    assert!(other.code == 0 && other.stderr.contains("no model is named `third`"), "{other:?}");
    assert_eq!(context.run(["model", "remove", "second"]).stdout, "removed second\n");
    let gone = context.run(["model", "remove", "second"]);
    insta::assert_snapshot!(gone.snapshot(), @r"
    exit code 1
    --- stdout
    --- stderr
    error: no model is named `second`

    hint: run `skillflux model list` for the models that are there
    ");
}

#[test]
fn a_changed_model_is_noticed_and_never_used() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "ocr-reader", "Extracts printed words from images");
    let folder = model(&context);
    assert_eq!(context.run(["model", "add", folder.to_str().unwrap(), "--name", "small"]).code, 0);
    let verified = context.run(["model", "list", "--verify", "--json"]).json();
    let model = &verified["models"][0];
    assert_eq!((&model["verified"], &model["layout"]), (&true.into(), &"model2vec".into()));
    assert_eq!(model["made_of"].as_array().unwrap().len(), 2);
    let rows = context.home().join("skillflux/data/models/small/rows.bin");
    let mut bytes = std::fs::read(&rows).unwrap();
    bytes[9] ^= 1;
    std::fs::write(&rows, bytes).unwrap();
    let damaged = context.run(["model", "list", "--verify"]);
    insta::assert_snapshot!(damaged.snapshot(), @r"
    exit code 4
    --- stdout
    small                        damaged: `rows.bin` of the model `small` was changed since it was added
    --- stderr
    ");
    let catalog = hybrid(&context, &[], &["catalog", TASK]);
    insta::assert_snapshot!(catalog.snapshot(), @r"
    exit code 0
    --- stdout
    --- stderr
    warning: skills are compared by words alone: `rows.bin` of the model `small` was changed since it was added
    ");
}

#[test]
fn what_is_no_model_is_refused_with_the_reason() {
    let context = TestContext::new();
    let folder = model(&context);
    let refused = |arguments: &[&str]| context.run([&["model", "add"], arguments].concat());
    insta::assert_snapshot!(refused(&["nowhere"]).snapshot(), @r"
    exit code 1
    --- stdout
    --- stderr
    error: `nowhere` holds no model: it is no folder

    hint: run `skillflux help model add` for the folders that are taken
    ");
    insta::assert_snapshot!(refused(&[folder.to_str().unwrap(), "--name", "A b"]).snapshot(), @r"
    exit code 2
    --- stdout
    --- stderr
    error: `A b` cannot name a model

    hint: take lower-case letters, digits and single hyphens
    ");
    write(
        &folder.join("tokenizer.json"),
        json!({"model": {"type": "BPE"}, "pre_tokenizer": {"type": "ByteLevel"}}).to_string(),
    );
    insta::assert_snapshot!(refused(&[folder.to_str().unwrap()]).snapshot(), @r"
    exit code 5
    --- stdout
    --- stderr
    error: `[HOME]/Small Model` cannot be used
      caused by: the pre-tokenizer of the tokenizer is `ByteLevel`, which skillflux cannot run

    hint: run `skillflux help model add` for the folders that are taken
    ");
}
