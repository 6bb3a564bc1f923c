//! `eval`: the corpora that come with the program, and those of a folder.

use std::{fs, path::Path};

use insta::assert_snapshot;

use crate::context::{TestContext, write};

fn own_corpus(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("eval").join(file)).unwrap()
}

#[test]
fn the_own_corpora_reach_their_baseline() {
    let context = TestContext::new();
    let ran = context.run(["eval"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_snapshot!(ran.snapshot(), @"
    exit code 0
    --- stdout
    metric                                 value              baseline
    routing exact-match                    100.0% (131/131)   100.0%
    routing top-1                          100.0% (95/95)     100.0%
    routing negative-rejection             100.0% (36/36)     100.0%
    routing limit-compliance               100.0% (131/131)   100.0%
    catalog-budget exact-match             100.0% (50/50)     100.0%
    catalog-budget budget-compliance       100.0% (50/50)     100.0%
    --- stderr
    ");
    let json = context.run(["eval", "--json", "routing"]).json();
    assert_eq!(json["suites"].as_array().unwrap().len(), 1);
}

#[test]
fn a_case_that_fails_is_named_and_fails_the_run() {
    let context = TestContext::new();
    let corpus = serde_json::json!({
        "version": 1,
        "defaults": {"limit": 3, "minScore": 8},
        "candidates": [{"key": "a", "origin": "registry", "name": "pdf", "description": "Read PDF", "source": "s"}],
        "cases": [
            {"id": "right", "category": "x", "task": "read pdf", "pool": ["a"], "expected": ["a"]},
            {"id": "wrong", "category": "x", "task": "read pdf", "pool": ["a"], "expected": []}
        ]
    });
    write(&context.project().join("corpus/routing-cases.json"), corpus.to_string());
    write(&context.project().join("corpus/mcp-source-cases.json"), "{}");
    let ran = context.run(["eval", "--corpus", "corpus"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stdout.contains("failed: wrong: expected [], got [a]"), "{ran:?}");
    assert!(ran.stdout.contains("not in this release: mcp-source-cases.json"), "{ran:?}");
}

#[test]
fn a_corpus_that_cannot_be_read_names_the_place() {
    let context = TestContext::new();
    write(
        &context.project().join("corpus/routing-cases.json"),
        own_corpus("routing-cases.json").replace("\"id\"", "\"di\""),
    );
    let ran = context.run(["eval", "--corpus", "corpus"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stderr.contains("corpus/routing-cases.json` cannot be run") && ran.stderr.contains("line"),
        "{ran:?}"
    );
    let ran = context.run(["eval", "--corpus", "nowhere"]);
    assert_eq!(ran.code, 74, "{ran:?}");
    fs::create_dir(context.project().join("empty")).unwrap();
    assert_eq!(context.run(["eval", "--corpus", "empty"]).code, 1);
}

/// The corpora of the original plugin, where a copy of them stands beside the project.
#[test]
fn the_contract_holds_on_the_original_corpora() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/original-eval");
    if !folder.exists() {
        println!("skipped: {} is not here", folder.display());
        return;
    }
    let context = TestContext::new();
    let ran = context.run(["eval", "--json", "--frame", "upstream", "--corpus", folder.to_str().unwrap()]);
    let document = ran.json();
    let cases: Vec<_> =
        document["suites"].as_array().unwrap().iter().map(|suite| suite["cases"].clone()).collect();
    assert_eq!(cases, [40, 7]);
}
