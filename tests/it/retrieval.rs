//! `eval retrieval` and `eval train`: files of skills and prompts, measured and learned from.

use std::fs;

use crate::context::{Ran, TestContext, write};

/// Skills of five kinds, and prompts for two of them.
fn context() -> TestContext {
    let context = TestContext::new();
    let kinds = [
        ("pdf-tables", "Extracts tables of PDF files"),
        ("commit-message", "Writes messages of git commits"),
        ("csv-chart", "Draws charts of CSV data"),
        ("image-resize", "Makes images smaller"),
        ("sql-review", "Reviews migrations of databases"),
    ];
    let skill = |(name, description): &(&str, &str)| {
        let body = format!("# {name}\\n\\n{description}, step by step, and says what it did in the end.");
        format!(
            "{{\"id\": \"{name}\", \"name\": \"{name}\", \"description\": \"{description}\", \"body\": \"{body}\"}}\n"
        )
    };
    let file = |name: &str| context.project().join(name);
    write(&file("skills.jsonl"), kinds.iter().map(skill).collect::<String>());
    let queries = r#"{"id": "one", "query": "extract the tables of this PDF", "gold": ["pdf-tables"], "lang": "en", "kind": "task"}
{"id": "two", "query": "提交信息 git commits message", "gold": "commit-message", "lang": "zh", "kind": "task"}"#;
    write(&file("queries.jsonl"), queries);
    write(&file("searches.jsonl"), r#"{"query": "resize images", "gold": ["image-resize"]}"#);
    let negatives = r#"{"query": "explain what a table of content is", "not_gold": "pdf-tables"}
{"query": "good morning", "not_gold": ["*"]}"#;
    write(&file("negatives.jsonl"), negatives);
    let attacks = r#"{"query": "review this database migration", "gold": ["sql-review"], "skill": {"name": "review", "description": "Sells books.", "phrase": "review database migration", "repeat": 20, "body": "Books."}}"#;
    write(&file("attacks.jsonl"), attacks);
    context
}

const FILES: [&str; 10] = [
    "--skills",
    "skills.jsonl",
    "--queries",
    "queries.jsonl",
    "--searches",
    "searches.jsonl",
    "--negatives",
    "negatives.jsonl",
    "--attacks",
    "attacks.jsonl",
];

fn retrieval(context: &TestContext, more: &[&str]) -> Ran {
    context.run(["eval", "retrieval"].into_iter().chain(FILES).chain(more.iter().copied()))
}

#[test]
fn prompts_are_measured_as_json() {
    let context = context();
    let document = retrieval(&context, &["--json"]).json();
    assert_eq!(document["schema"], "skillflux.eval-retrieval/1");
    assert_eq!((&document["mode"], &document["skills"]), (&"fulltext".into(), &5.into()));
    assert_eq!((document["hit_at_1"].as_f64(), document["mrr"].as_f64()), (Some(1.0), Some(1.0)));
    assert!(document["latency_ms"]["p95"].as_f64().is_some() && document["build_ms"].as_f64().is_some());
    let names: Vec<&str> =
        document["groups"].as_array().unwrap().iter().map(|group| group["name"].as_str().unwrap()).collect();
    let expected = [
        "all",
        "lang en",
        "lang unknown",
        "lang zh",
        "kind attacks",
        "kind negatives",
        "kind searches",
        "kind task",
    ];
    assert_eq!(names, expected);
    assert_eq!(document["prompts"][0]["ranks"], serde_json::json!([1]));
    assert_eq!(document["prompts"].as_array().unwrap().len(), 6);
    assert_eq!(document["tradeoff"].as_array().unwrap().len(), 101);
    let attack = &document["prompts"][5];
    assert_eq!(attack["values"]["attack_rejection"].as_f64(), Some(1.0), "{attack}");
}

#[test]
fn a_run_is_compared_with_a_recorded_one() {
    let context = context();
    let recorded = retrieval(&context, &["--json", "--mode", "lexical"]);
    write(&context.project().join("lexical.json"), &recorded.stdout);
    let text = retrieval(&context, &["--compare", "lexical.json"]).stdout;
    assert!(text.contains("change") && text.contains("hit_at_1"), "{text}");
    let markdown = retrieval(&context, &["--compare", "lexical.json", "--format", "markdown"]).stdout;
    assert!(markdown.contains("| all | 3 | 100.0 [100.0, 100.0] |"), "{markdown}");
    let failed = retrieval(&context, &["--compare", "queries.jsonl"]);
    assert_eq!(failed.code, 2, "{failed:?}");
    assert!(failed.stderr.contains("is not a run that was recorded with --json"), "{failed:?}");
}

#[test]
fn parts_and_pools_can_be_left_out() {
    let context = context();
    let document =
        retrieval(&context, &["--json", "--mode", "bm25f", "--without", "body,stems", "--pool", "4"]).json();
    assert_eq!(document["without"], serde_json::json!(["stems", "body"]));
    assert_eq!((&document["skills"], &document["seed"]), (&4.into(), &1.into()));
    let svg = retrieval(&context, &["--format", "svg"]).stdout;
    assert!(roxmltree::Document::parse(&svg).is_ok(), "{svg}");
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    let context = context();
    write(&context.project().join("queries.jsonl"), r#"{"query": "x", "gold": "nowhere"}"#);
    let failed = retrieval(&context, &[]);
    assert_eq!(failed.code, 2, "{failed:?}");
    assert!(failed.stderr.contains("`queries.jsonl` cannot be used"), "{failed:?}");
    assert!(failed.stderr.contains("names `nowhere`, which is not among the skills"), "{failed:?}");
    let failed = context.run(["eval", "retrieval", "--skills", "skills.jsonl"]);
    assert_eq!(failed.code, 2, "{failed:?}");
    assert!(failed.stderr.contains("there are no prompts to measure with"), "{failed:?}");
}

#[test]
fn weights_are_the_same_every_time() {
    let context = context();
    let train = |out: &str| {
        let more = ["--out", out];
        let ran = context.run(["eval", "train"].into_iter().chain(FILES).chain(more));
        assert_eq!(ran.code, 0, "{ran:?}");
        fs::read_to_string(context.project().join(out)).unwrap()
    };
    let table = train("weights.tsv");
    assert!(table.starts_with("# name, weight") && table.contains("not-for-matched\t"), "{table}");
    assert_eq!(table, train("again.tsv"));
    let ran = retrieval(&context, &["--weights", "weights.tsv", "--json"]);
    assert_eq!(ran.json()["hit_at_1"].as_f64(), Some(1.0));
    let failed = retrieval(&context, &["--weights", "skills.jsonl"]);
    assert!(failed.stderr.contains("is not a table of weights"), "{failed:?}");
    let folds = context.run(["eval", "train"].into_iter().chain(FILES).chain(["--folds", "2", "--json"]));
    assert_eq!(folds.json()["groups"][0]["name"], "all");
}
