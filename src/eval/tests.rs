//! Tests of the whole evaluation: the own corpora, the table of [`super::cases`], and the corpora of the
//! original when they are there.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::cases::{CANDIDATES, CASES, Case};
use super::*;
use crate::{
    candidate::{Candidate, Origin},
    rank::{
        lexical::{Parts, Query, score},
        text::{Stops, contract_tokens},
    },
    skill::name::Slug,
};

/// The corpora of the original, where the folder that holds them stands beside the project. They are
/// checked in addition: the tests of the own corpora and of [`CASES`] stand without them.
fn original(what: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/original-eval");
    if folder.exists() {
        return Some(folder);
    }
    println!("skipped: {what}; {} is not here", folder.display());
    None
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs_err::read_to_string(path).unwrap()).unwrap()
}

fn assert_passes(report: &Report) {
    let failures = report.failures.iter().map(|failure| {
        format!("{}: expected {:?}, got {:?}\n", failure.id, failure.expected, failure.predicted)
    });
    assert!(report.failures.is_empty(), "{}", failures.collect::<String>());
    assert!(report.below_baseline.is_empty());
}

#[test]
fn the_own_corpora_pass_in_every_frame() {
    for frame in [Frame::Own(Format::Xml), Frame::Upstream] {
        for suite in Suite::ALL {
            let options = Options { frame, ..Options::default() };
            assert_passes(&run(suite, suite.own_corpus(), &options).unwrap());
        }
    }
}

#[test]
fn the_original_corpora_pass() {
    let Some(folder) = original("the corpora of the original") else { return };
    let options = Options { frame: Frame::Upstream, ..Options::default() };
    for (suite, cases) in Suite::ALL.into_iter().zip([40, 7, 8, 8, 7, 8, 7, 8]) {
        let corpus = fs_err::read_to_string(folder.join(suite.file_name())).unwrap();
        let report = run(suite, &corpus, &options).unwrap();
        assert_eq!(report.cases, cases);
        assert_passes(&report);
    }
}

#[test]
fn tokens_and_scores_are_those_of_the_original() {
    let Some(folder) = original("the tokens and scores of the original") else { return };
    let corpus = read(&folder.join(Suite::Routing.file_name()));
    let text = |value: &Value, field: &str| value[field].as_str().map(str::to_owned);
    let candidate = |value: &Value| Candidate {
        id: text(value, "key").unwrap(),
        name: text(value, "name").unwrap(),
        slug: Slug::derive(value["name"].as_str().unwrap(), "folder"),
        description: text(value, "description").unwrap(),
        when_to_use: text(value, "whenToUse"),
        origin: Origin::Local,
        source: String::new(),
        installs: None,
        quality: None,
    };
    let candidates = corpus["candidates"].as_array().unwrap().iter().map(candidate).collect::<Vec<_>>();
    let golden = read(&folder.join("derived-golden.json"));
    let golden = golden["routing"].as_array().unwrap();
    assert_eq!(golden.len(), corpus["cases"].as_array().unwrap().len());
    for (case, expected) in corpus["cases"].as_array().unwrap().iter().zip(golden) {
        assert_eq!(case["id"], expected["id"]);
        let task = case["task"].as_str().unwrap();
        assert_eq!(Value::from(contract_tokens(task)), expected["tokens"], "{task}");
        for (key, points) in expected["scores"].as_object().unwrap() {
            let candidate = candidates.iter().find(|candidate| candidate.id == *key).unwrap();
            let total = score(&Query::new(task), candidate).total;
            assert_eq!(points["withHanBonus"], total, "{task} {key}");
        }
    }
}

#[test]
fn tokens_and_scores_are_those_of_the_table() {
    for Case { prompt, tokens, scores } in CASES {
        assert_eq!(contract_tokens(prompt).join(" "), *tokens, "{prompt}");
        assert_eq!(scores.len(), CANDIDATES.len());
        let query = Query::new(prompt);
        for ((name, description, when_to_use), expected) in CANDIDATES.iter().zip(scores) {
            let candidate = Candidate {
                id: (*name).to_owned(),
                name: (*name).to_owned(),
                slug: Slug::derive(name, "folder"),
                description: (*description).to_owned(),
                when_to_use: when_to_use.map(str::to_owned),
                origin: Origin::Local,
                source: String::new(),
                installs: None,
                quality: None,
            };
            let score = score(&query, &candidate);
            let Parts { name_phrase, name: words, when_to_use, description, han_bonus } = score.parts;
            let parts = [name_phrase, words, when_to_use, description, han_bonus];
            assert_eq!(parts, *expected, "`{prompt}` and {name}");
            assert_eq!(score.total, expected.iter().sum::<u64>(), "`{prompt}` and {name}");
        }
    }
}

#[test]
fn every_file_of_a_corpus_folder_is_known_for_what_it_is() {
    for suite in Suite::ALL {
        assert_eq!(recognise(suite.file_name()), FileKind::Suite(suite));
    }
    for later in ["mcp-source", "registry-source"] {
        assert_eq!(recognise(&format!("{later}-cases.json")), FileKind::NotInThisRelease);
    }
    assert_eq!(recognise("README.md"), FileKind::Other);
    for name in ["xml", "json", "markdown", "lines", "cloudflare", "upstream"] {
        assert_eq!(Frame::parse(name).unwrap().as_str(), name);
    }
    assert_eq!(Frame::parse("html"), None);
}

#[test]
fn every_category_has_its_cases() {
    let categories =
        run(Suite::Routing, Suite::Routing.own_corpus(), &Options::default()).unwrap().categories;
    for (name, least) in [
        ("english", 10),
        ("chinese", 2),
        ("normalization", 2),
        ("negative", 4),
        ("rules", 5),
        ("capacity", 2),
        ("threshold", 4),
        ("ranking", 5),
        ("deduplication", 2),
        ("adaptive", 4),
        ("mixed-script", 4),
        ("kana-hangul", 4),
        ("plurals", 4),
        ("homonyms", 4),
        ("stuffed", 4),
        ("large-pool", 4),
        ("invoked-names", 4),
    ] {
        let category = categories.iter().find(|category| category.name == name);
        assert!(category.is_some_and(|category| category.total >= least), "{name}");
    }
    if let Some(folder) = original("the categories of the original corpus") {
        let corpus = fs_err::read_to_string(folder.join(Suite::Routing.file_name())).unwrap();
        for theirs in run(Suite::Routing, &corpus, &Options::default()).unwrap().categories {
            let own = categories.iter().find(|category| category.name == theirs.name);
            assert!(own.is_some_and(|own| own.total >= theirs.total), "{theirs:?}");
        }
    }
}

/// The cases of the own routing corpus that notice `weights`.
fn noticing(weights: Weights) -> Vec<String> {
    let results = suites::routing::run(Suite::Routing.own_corpus(), weights).unwrap();
    results.into_iter().filter(|result| !result.passes()).map(|result| result.id).collect()
}

#[test]
fn the_corpus_notices_a_step_of_any_weight() {
    let contract = Weights::CONTRACT;
    let step = |weight: u64| [weight - 1, weight + 1, 0, weight * 2];
    for name_phrase in step(contract.name_phrase) {
        assert!(!noticing(Weights { name_phrase, ..contract }).is_empty(), "name phrase {name_phrase}");
    }
    for name in step(contract.name) {
        assert!(!noticing(Weights { name, ..contract }).is_empty(), "name {name}");
    }
    for when_to_use in step(contract.when_to_use) {
        assert!(!noticing(Weights { when_to_use, ..contract }).is_empty(), "when to use {when_to_use}");
    }
    for description in step(contract.description) {
        assert!(!noticing(Weights { description, ..contract }).is_empty(), "description {description}");
    }
    for han_bonus in step(contract.han_bonus) {
        assert!(!noticing(Weights { han_bonus, ..contract }).is_empty(), "Han bonus {han_bonus}");
    }
}

#[test]
fn the_corpus_notices_each_missing_stop() {
    let without = |list: &'static [&'static str], index: usize| -> &'static [&'static str] {
        [&list[..index], &list[index + 1..]].concat().leak()
    };
    let stops = Stops::CONTRACT;
    let with = |stops: Stops| Weights { stops, ..Weights::CONTRACT };
    for index in 0..stops.words.len() {
        let fewer = Stops { words: without(stops.words, index), ..stops };
        assert!(!noticing(with(fewer)).is_empty(), "{}", stops.words[index]);
    }
    for index in 0..stops.phrases.len() {
        let fewer = Stops { phrases: without(stops.phrases, index), ..stops };
        assert!(!noticing(with(fewer)).is_empty(), "{}", stops.phrases[index]);
    }
    let reversed = stops.phrases.iter().rev().copied().collect::<Vec<_>>().leak();
    assert!(!noticing(with(Stops { phrases: reversed, ..stops })).is_empty(), "order of the phrases");
}
