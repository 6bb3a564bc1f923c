//! The evaluation: corpora of small cases, run against the code that serves real prompts.
//!
//! A corpus is JSON text that the caller read; this module opens no file. It knows the formats of the
//! original plugin's corpora and runs those that this release has the code for; the others are told
//! apart by name, so that none is skipped in silence. The project's own corpora are compiled in.
//!
//! A full score is a gate against regressions. It is no evidence of ranking quality.

pub mod metrics;
pub mod report;
pub mod suites;

use std::fmt;

use crate::{rank::lexical::Weights, route::formats::Format};
use report::{Baseline, Report};
pub use suites::EvalError;

/// A kind of corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suite {
    /// Prompts against pools of candidates: which are chosen, in which order.
    Routing,
    /// Pools against token budgets: which still fit.
    CatalogBudget,
}

impl Suite {
    /// Every suite of this release, in the order in which they are run.
    pub const ALL: [Self; 2] = [Self::Routing, Self::CatalogBudget];

    /// The name that a person types.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Routing => "routing",
            Self::CatalogBudget => "catalog-budget",
        }
    }

    /// The suite of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.as_str() == name)
    }

    /// The name of its file in a corpus folder.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Routing => "routing-cases.json",
            Self::CatalogBudget => "catalog-budget-cases.json",
        }
    }

    /// The project's own corpus.
    pub fn own_corpus(self) -> &'static str {
        match self {
            Self::Routing => include_str!("../../eval/routing-cases.json"),
            Self::CatalogBudget => include_str!("../../eval/catalog-budget-cases.json"),
        }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What a file of a corpus folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// The cases of a suite.
    Suite(Suite),
    /// Cases that this release has no code for: the report names them as not run.
    NotInThisRelease,
    /// No cases.
    Other,
}

/// Tells what the file of this name is. Every `*-cases.json` is either run or named as not run.
pub fn recognise(file_name: &str) -> FileKind {
    match Suite::ALL.into_iter().find(|suite| suite.file_name() == file_name) {
        Some(suite) => FileKind::Suite(suite),
        None if file_name.ends_with("-cases.json") => FileKind::NotInThisRelease,
        None => FileKind::Other,
    }
}

/// The text that a budget pays for around and between the skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// What skillflux prints in this format.
    Own(Format),
    /// What the original plugin publishes.
    Upstream,
}

impl Frame {
    /// The frame of this name: `upstream` or a format.
    pub fn parse(name: &str) -> Option<Self> {
        if name == Self::Upstream.as_str() {
            Some(Self::Upstream)
        } else {
            Format::parse(name).map(Self::Own)
        }
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Own(format) => format.as_str(),
            Self::Upstream => "upstream",
        }
    }
}

/// How to run a suite.
#[derive(Debug, Clone)]
pub struct Options {
    /// The frame of budget cases that name none themselves.
    pub frame: Frame,
    /// The values that must be reached.
    pub baseline: Baseline,
}

impl Default for Options {
    fn default() -> Self {
        Self { frame: Frame::Own(Format::Xml), baseline: Baseline::recorded() }
    }
}

/// Runs the cases of `corpus`, the JSON text of a file of this suite.
///
/// # Errors
///
/// When the text is no JSON of the suite's format, or a case contradicts itself. A case whose outcome
/// is not the expected one is no error; the report carries it.
pub fn run(suite: Suite, corpus: &str, options: &Options) -> Result<Report, EvalError> {
    let results = match suite {
        Suite::Routing => suites::routing::run(corpus, Weights::CONTRACT)?,
        Suite::CatalogBudget => suites::budget::run(corpus, options.frame)?,
    };
    Ok(Report::new(suite, &results, &options.baseline))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use serde_json::Value;

    use super::*;
    use crate::{
        candidate::{Candidate, Origin},
        rank::{
            lexical::{Query, score},
            text::{Stops, contract_tokens},
        },
        skill::name::Slug,
    };

    /// The corpora of the original, where the folder that holds them stands beside the project.
    fn original() -> Option<PathBuf> {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
        Some(shared.join("data/original-eval")).filter(|folder| folder.exists())
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
        let Some(folder) = original() else { return };
        let options = Options { frame: Frame::Upstream, ..Options::default() };
        for (suite, cases) in [(Suite::Routing, 40), (Suite::CatalogBudget, 7)] {
            let corpus = fs_err::read_to_string(folder.join(suite.file_name())).unwrap();
            let report = run(suite, &corpus, &options).unwrap();
            assert_eq!(report.cases, cases);
            assert_passes(&report);
        }
    }

    #[test]
    fn tokens_and_scores_are_those_of_the_contract() {
        let Some(folder) = original() else { return };
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
    fn every_file_of_a_corpus_folder_is_known_for_what_it_is() {
        for suite in Suite::ALL {
            assert_eq!(recognise(suite.file_name()), FileKind::Suite(suite));
            assert_eq!(Suite::parse(suite.as_str()), Some(suite));
        }
        for later in
            ["remote-quality", "cache-governance", "mcp-source", "registry-source", "semantic-routing"]
        {
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
        if let Some(folder) = original() {
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
}
