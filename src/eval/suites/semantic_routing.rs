//! Semantic-routing cases: a prompt and candidates with given vectors, and what is chosen of them.
//!
//! The format is the original's, with the stage's bounds, the origin of a candidate and the words of
//! `whenToUse` as additions. Words choose first, as in real use, so a case can also show that similarity
//! displaces nothing. The vectors are made up: the suite holds the rules of the stage, and says nothing about
//! any model.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{EvalError, check_unique, parse_list};
use crate::{
    candidate::{
        Candidate, Origin,
        vector::{Similarity, Vector},
    },
    eval::{Suite, metrics::CaseResult},
    rank::semantic,
    route::select::{
        Selection, Settings,
        hybrid::{self, Hybrid},
        select,
    },
    skill::name::Slug,
};

/// The threshold and the number of candidates where a case names none: the defaults of the configuration.
const LEAST_SIMILARITY: f64 = 0.45;
const CANDIDATE_LIMIT: usize = 128;
/// The least lexical score: likewise.
const MIN_SCORE: u64 = 8;

/// What is compared.
type Pool = fn(&Selection, &[Candidate], &Settings<'_>, &Hybrid) -> Vec<usize>;
/// What is chosen of it.
type Extend = fn(Selection, &[Candidate], &Settings<'_>, &Hybrid, &[(usize, Similarity)]) -> Selection;

/// The two steps of the stage.
#[derive(Clone, Copy)]
pub(crate) struct Stage {
    pub(crate) pool: Pool,
    pub(crate) extend: Extend,
}

impl Stage {
    /// The stage that serves real prompts.
    pub(crate) const CONTRACT: Self = Self { pool: hybrid::pool, extend: hybrid::extend };
}

/// Runs the cases of a semantic-routing corpus with these steps.
pub(crate) fn run(corpus: &str, stage: Stage) -> Result<Vec<CaseResult>, EvalError> {
    let cases: Vec<Case> = parse_list(Suite::SemanticRouting, corpus)?;
    check_unique(cases.iter().map(|case| case.id.as_str()))?;
    cases.iter().map(|case| case.run(stage)).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    id: String,
    query: String,
    query_vector: Vec<f64>,
    limit: Option<usize>,
    min_similarity: Option<f64>,
    candidate_limit: Option<usize>,
    candidates: Vec<Entry>,
    expected: Vec<String>,
    note: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    name: String,
    description: String,
    when_to_use: Option<String>,
    source: Option<String>,
    origin: Option<OriginWord>,
    vector: Vec<f64>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum OriginWord {
    Registry,
    Cache,
}

impl Entry {
    fn candidate(&self) -> Candidate {
        let source = self.source.as_deref().unwrap_or("eval/repo");
        Candidate {
            id: format!("{source}/{}", self.name),
            name: self.name.clone(),
            slug: Slug::derive(&self.name, "skill"),
            description: self.description.clone(),
            when_to_use: self.when_to_use.clone(),
            origin: match self.origin {
                Some(OriginWord::Registry) => Origin::Local,
                Some(OriginWord::Cache) | None => Origin::Cache,
            },
            source: source.to_owned(),
            installs: None,
            quality: None,
        }
    }
}

impl Case {
    fn run(&self, stage: Stage) -> Result<CaseResult, EvalError> {
        let limit = self.limit.unwrap_or(1);
        self.check(limit)?;
        let vector = |numbers: &[f64]| {
            Vector::new(numbers).map_err(|_| self.problem("has a vector without a direction"))
        };
        let query = vector(&self.query_vector)?;
        let candidates: Vec<Candidate> = self.candidates.iter().map(Entry::candidate).collect();
        let settings = Settings {
            limit,
            min_score: MIN_SCORE,
            routes: &[],
            boosts: &BTreeMap::new(),
            exclude_invoked: true,
        };
        let hybrid = Hybrid {
            trigger: limit,
            candidate_limit: self.candidate_limit.unwrap_or(CANDIDATE_LIMIT),
            least: Similarity::new(self.min_similarity.unwrap_or(LEAST_SIMILARITY)),
        };
        let selection = select(&self.query, &candidates, &settings);
        let compared = (stage.pool)(&selection, &candidates, &settings, &hybrid);
        let documents = compared.iter().map(|&index| vector(&self.candidates[index].vector));
        let documents = documents.collect::<Result<Vec<_>, _>>()?;
        let similarities = semantic::similarities(&query, &documents)
            .ok_or_else(|| self.problem("has vectors of different dimensions"))?;
        let similarities: Vec<_> = compared.into_iter().zip(similarities).collect();
        let selection = (stage.extend)(selection, &candidates, &settings, &hybrid, &similarities);
        let picks = &selection.picks;
        Ok(CaseResult {
            id: self.id.clone(),
            category: if self.expected.is_empty() { "nothing" } else { "alike" }.to_owned(),
            expected: self.expected.clone(),
            predicted: picks.iter().map(|pick| candidates[pick.index].name.clone()).collect(),
            within_limit: picks.len() <= limit,
            note: self.note.clone(),
            ..CaseResult::default()
        })
    }

    fn check(&self, limit: usize) -> Result<(), EvalError> {
        let is_known = |name: &String| self.candidates.iter().any(|entry| entry.name == *name);
        let is_cosine = |least: f64| (0.0..=1.0).contains(&least);
        if self.candidates.is_empty() {
            Err(self.problem("has no candidates"))
        } else if !self.expected.iter().all(is_known) {
            Err(self.problem("expects a candidate outside its pool"))
        } else if self.expected.len() > limit {
            Err(self.problem("expects more than its limit"))
        } else if !self.min_similarity.is_none_or(is_cosine) {
            Err(self.problem("has a least similarity outside 0 to 1"))
        } else {
            Ok(())
        }
    }

    fn problem(&self, problem: &'static str) -> EvalError {
        EvalError::Case { id: self.id.clone(), problem }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn contradictions_are_refused() {
        let case = json!({
            "id": "one", "query": "q", "queryVector": [1, 0], "expected": ["a"],
            "candidates": [{"name": "a", "description": "d", "vector": [1, 0]}],
        });
        let outcome = |corpus: &serde_json::Value| run(&corpus.to_string(), Stage::CONTRACT);
        assert!(outcome(&json!([case])).unwrap()[0].passes());
        let format = "the corpus has not the format of suite `semantic-routing`";
        for (corpus, message) in [
            (json!([case, case]), "the case `one` stands twice"),
            (json!({"version": 1, "cases": [case]}), format),
        ] {
            assert_eq!(outcome(&corpus).unwrap_err().to_string(), message);
        }
        for (field, value, message) in [
            ("expected", json!(["b"]), "case `one` expects a candidate outside its pool"),
            ("limit", json!(0), "case `one` expects more than its limit"),
            ("candidates", json!([]), "case `one` has no candidates"),
            ("minSimilarity", json!(1.5), "case `one` has a least similarity outside 0 to 1"),
            ("queryVector", json!([0, 0]), "case `one` has a vector without a direction"),
            ("queryVector", json!([1]), "case `one` has vectors of different dimensions"),
            ("queryVector", json!("near"), format),
            ("vectors", json!([]), format),
        ] {
            let mut case = case.clone();
            case[field] = value;
            assert_eq!(outcome(&json!([case])).unwrap_err().to_string(), message, "{field}");
        }
    }

    #[test]
    fn the_corpus_notices_every_other_pool() {
        fn with_limit(change: impl Fn(usize) -> usize, with: &Hybrid) -> Hybrid {
            Hybrid { candidate_limit: change(with.candidate_limit), ..*with }
        }
        let others: [(&str, Pool); 4] = [
            ("one more candidate is compared", |selection, candidates, settings, with| {
                hybrid::pool(selection, candidates, settings, &with_limit(|limit| limit + 1, with))
            }),
            ("one candidate less is compared", |selection, candidates, settings, with| {
                hybrid::pool(selection, candidates, settings, &with_limit(|limit| limit - 1, with))
            }),
            (
                "candidates are compared in the order in which they came",
                |selection, candidates, settings, with| {
                    let all = with_limit(|_| usize::MAX, with);
                    let mut pool = hybrid::pool(selection, candidates, settings, &all);
                    pool.sort_unstable();
                    pool.truncate(with.candidate_limit);
                    pool
                },
            ),
            ("nothing is compared beside what words chose", |selection, candidates, settings, with| {
                let pool = hybrid::pool(selection, candidates, settings, with);
                if selection.picks.is_empty() { pool } else { Vec::new() }
            }),
        ];
        for (what, pool) in others {
            assert_noticed(what, Stage { pool, ..Stage::CONTRACT });
        }
    }

    #[test]
    fn the_corpus_notices_every_other_choice() {
        fn with_least(add: f64, with: &Hybrid) -> Hybrid {
            Hybrid { least: Similarity::new(with.least.cosine() + add), ..*with }
        }
        let others: [(&str, Extend); 5] = [
            ("the threshold itself is too low", |selection, candidates, settings, with, similarities| {
                hybrid::extend(selection, candidates, settings, &with_least(1e-6, with), similarities)
            }),
            (
                "what is below the threshold is alike",
                |selection, candidates, settings, with, similarities| {
                    hybrid::extend(selection, candidates, settings, &with_least(-0.002, with), similarities)
                },
            ),
            ("the order of the pool decides", |selection, candidates, settings, with, similarities| {
                let alike = similarities.iter().filter(|(_, similarity)| *similarity >= with.least);
                let flat: Vec<_> = alike.map(|(index, _)| (*index, Similarity::new(1.0))).collect();
                hybrid::extend(selection, candidates, settings, with, &flat)
            }),
            ("the origin is not looked at", |selection, candidates, settings, with, similarities| {
                let cached = |candidate: &Candidate| Candidate { origin: Origin::Cache, ..candidate.clone() };
                let candidates: Vec<_> = candidates.iter().map(cached).collect();
                hybrid::extend(selection, &candidates, settings, with, similarities)
            }),
            ("what words chose is displaced", |selection, candidates, settings, with, similarities| {
                let Selection { mut picks, outcomes } =
                    hybrid::extend(selection, candidates, settings, with, similarities);
                picks.sort_by_key(|pick| std::cmp::Reverse(pick.score));
                Selection { picks, outcomes }
            }),
        ];
        for (what, extend) in others {
            assert_noticed(what, Stage { extend, ..Stage::CONTRACT });
        }
    }

    fn assert_noticed(what: &str, stage: Stage) {
        let results = run(Suite::SemanticRouting.own_corpus(), stage).unwrap();
        assert!(results.iter().any(|result| !result.passes()), "no case notices that {what}");
    }
}
