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
    remote-quality exact-match             100.0% (73/73)     100.0%
    remote-quality pairwise-order          100.0% (73/73)     100.0%
    remote-quality exact-score             100.0% (66/66)     100.0%
    remote-governance exact-match          100.0% (35/35)     100.0%
    remote-governance level-match          100.0% (35/35)     100.0%
    remote-governance policy-match         100.0% (35/35)     100.0%
    remote-governance signals-contained    100.0% (32/32)     100.0%
    remote-governance warnings-contained   100.0% (34/34)     100.0%
    remote-cache exact-match               100.0% (19/19)     100.0%
    remote-fallback exact-match            100.0% (18/18)     100.0%
    remote-fallback limit-compliance       100.0% (18/18)     100.0%
    cache-governance exact-match           100.0% (40/40)     100.0%
    cache-governance limit-compliance      100.0% (40/40)     100.0%
    semantic-routing exact-match           100.0% (19/19)     100.0%
    semantic-routing top-1                 100.0% (15/15)     100.0%
    semantic-routing negative-rejection    100.0% (4/4)       100.0%
    semantic-routing limit-compliance      100.0% (19/19)     100.0%
    retrieval hit-at-1                     78.8% (917/1164)   77.8%
    retrieval recall-at-3                  86.3% (1005/1164)  85.4%
    retrieval recall-at-5                  89.4% (1041/1164)  88.2%
    retrieval recall-at-10                 91.8% (1068/1164)  90.8%
    retrieval search-at-5                  98.6% (413/419)    97.6%
    retrieval right-printed                91.1% (932/1023)   90.6%
    retrieval near-miss-rejection          86.7% (98/113)     84.0%
    retrieval nothing-for-nothing          90.0% (54/60)      85.0%
    retrieval attack-rejection             94.0% (94/100)     93.0%
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
}

#[test]
fn a_folder_without_the_wanted_corpora_names_only_those() {
    let context = TestContext::new();
    let file = "catalog-budget-cases.json";
    write(&context.project().join("corpus").join(file), own_corpus(file));
    let ran = context.run(["eval", "--corpus", "corpus", "catalog-budget"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = context.run(["eval", "--corpus", "corpus", "routing"]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 1
    --- stdout
    --- stderr
    error: `corpus` holds no routing-cases.json

    hint: run `skillflux eval` for the corpora that come with skillflux
    ");
    fs::create_dir(context.project().join("empty")).unwrap();
    let ran = context.run(["eval", "--corpus", "empty"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stderr.contains("`empty` holds no routing-cases.json and no catalog-budget-cases.json"),
        "{ran:?}"
    );
}

#[test]
fn only_bounded_text_of_a_regular_file_is_a_corpus() {
    let context = TestContext::new();
    let place = |folder: &str| context.project().join(folder).join("routing-cases.json");
    fs::create_dir_all(place("folder")).unwrap();
    write(&place("bytes"), b"\xff");
    fs::create_dir(context.project().join("pipe")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(place("pipe")).status().unwrap();
    assert!(made.success());
    write(&place("large"), "");
    fs::File::options().write(true).open(place("large")).unwrap().set_len(64 * 1024 * 1024 + 1).unwrap();
    for (folder, code, words) in [
        ("folder", 5, "is not a regular file"),
        ("pipe", 5, "is not a regular file"),
        ("bytes", 2, "is not UTF-8 text"),
        ("large", 5, "is larger than 67108864 bytes"),
    ] {
        let ran = context.run(["eval", "--corpus", folder]);
        assert_eq!(ran.code, code, "{ran:?}");
        assert!(ran.stderr.contains(&format!("`{folder}/routing-cases.json` {words}")), "{ran:?}");
    }
}

#[test]
fn a_file_name_forges_nothing_in_a_markdown_report() {
    let context = TestContext::new();
    let file = "catalog-budget-cases.json";
    write(&context.project().join("corpus").join(file), own_corpus(file));
    write(&context.project().join("corpus/a`\n| forged | 100% |\u{1b}[2J\u{202e}-cases.json"), "{}");
    let ran = context.run(["eval", "--corpus", "corpus", "--format", "markdown"]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 0
    --- stdout
    | metric | value | baseline |
    | --- | ---: | ---: |
    | catalog-budget exact-match | 100.0% (50/50) | - |
    | catalog-budget budget-compliance | 100.0% (50/50) | - |

    - `a' | forged | 100% |�[2J-cases.json`: not in this release
    --- stderr
    ");
}

#[test]
fn a_report_is_a_document_of_its_own_schema() {
    let context = TestContext::new();
    let corpus = serde_json::json!({
        "version": 1,
        "defaults": {"maxDescriptionLength": 100},
        "candidates": [{"key": "a", "name": "pdf", "description": "Read PDF"}],
        "cases": [
            {"id": "kept", "pool": ["a"], "budget": 0, "expected": ["a"]},
            {"id": "lost", "pool": ["a"], "budget": 0, "expected": [],
             "contract": "known-weak", "note": "nothing is dropped without a budget"}
        ]
    });
    write(&context.project().join("corpus/catalog-budget-cases.json"), corpus.to_string());
    write(&context.project().join("corpus/later-cases.json"), "{}");
    let ran = context.run(["eval", "--json", "--corpus", "corpus"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_snapshot!(ran.stdout, @r#"
    {
      "schema": "skillflux.eval/1",
      "below_baseline": false,
      "suites": [
        {
          "suite": "catalog-budget",
          "cases": 2,
          "known_weak": 1,
          "metrics": [
            {
              "name": "exact-match",
              "passed": 1,
              "total": 2,
              "value": 0.5,
              "baseline": null,
              "below_baseline": false
            },
            {
              "name": "budget-compliance",
              "passed": 2,
              "total": 2,
              "value": 1.0,
              "baseline": null,
              "below_baseline": false
            }
          ],
          "categories": [
            {
              "name": "xml",
              "passed": 1,
              "total": 2
            }
          ],
          "failures": [
            {
              "id": "lost",
              "category": "xml",
              "expected": [],
              "predicted": [
                "a"
              ],
              "expected_forced": [],
              "forced": [],
              "within_limit": true,
              "note": "nothing is dropped without a budget"
            }
          ]
        }
      ],
      "not_in_this_release": [
        "later-cases.json"
      ]
    }
    "#);
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
    assert_eq!(cases, [40, 7, 8, 8, 7, 8, 7, 8]);
    assert_eq!(ran.code, 0, "{ran:?}");
}
