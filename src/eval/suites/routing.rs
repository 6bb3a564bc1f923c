//! Routing cases: prompts against pools, and what is chosen from them.
//!
//! The format is the original's, with pools that are written once (`poolSets`), and with cases that
//! record what the contract is known to get wrong (`contract`, `note`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Contract, EvalError, check_unique, parse};
use crate::{
    candidate::{Candidate, Origin, RouteRule},
    eval::{Suite, metrics::CaseResult},
    rank::lexical::Weights,
    route::select::{How, Settings, select_with},
    skill::name::Slug,
};

/// Runs the cases of a routing corpus.
pub(crate) fn run(corpus: &str, weights: Weights) -> Result<Vec<CaseResult>, EvalError> {
    let file: File = parse(Suite::Routing, corpus)?;
    let mut candidates = BTreeMap::new();
    for entry in file.candidates.iter().chain(file.pool_sets.values().flatten()) {
        if candidates.insert(entry.key.as_str(), entry.candidate()?).is_some() {
            return Err(EvalError::Twice { kind: "candidate", key: entry.key.clone() });
        }
    }
    check_unique(file.cases.iter().map(|case| case.id.as_str()))?;
    for (missing, wants_nothing) in [("a skill", false), ("nothing", true)] {
        if !file.cases.iter().any(|case| case.expected.is_empty() == wants_nothing) {
            return Err(EvalError::OneSided { missing });
        }
    }
    let pool_len = |case: &Case| {
        let set = case.pool_set.as_ref().and_then(|name| file.pool_sets.get(name));
        case.pool.len() + set.map_or(0, Vec::len)
    };
    if file.cases.iter().map(pool_len).sum::<usize>() > MAX_SCORED {
        return Err(EvalError::TooMuch { most: MAX_SCORED });
    }
    file.cases.iter().map(|case| case.run(&file, &candidates, weights)).collect()
}

/// The most candidates that all cases together score; a second's work for each million.
const MAX_SCORED: usize = 5_000_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u64,
    #[serde(rename = "description")]
    _description: Option<String>,
    defaults: Defaults,
    candidates: Vec<CandidateEntry>,
    #[serde(default)]
    pool_sets: BTreeMap<String, Vec<CandidateEntry>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Defaults {
    limit: usize,
    min_score: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CandidateEntry {
    key: String,
    origin: OriginWord,
    name: String,
    description: String,
    when_to_use: Option<String>,
    source: String,
    installs: Option<u64>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum OriginWord {
    Registry,
    Cache,
    Remote,
    Mcp,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    id: String,
    category: String,
    task: String,
    #[serde(default)]
    pool: Vec<String>,
    pool_set: Option<String>,
    expected: Vec<String>,
    #[serde(default)]
    expected_forced: Vec<String>,
    limit: Option<usize>,
    min_score: Option<u64>,
    #[serde(default)]
    routes: Vec<Route>,
    #[serde(default)]
    boosts: BTreeMap<String, u64>,
    contract: Option<Contract>,
    note: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Route {
    #[serde(default)]
    match_all: Vec<String>,
    #[serde(default)]
    match_any: Vec<String>,
    skills: Vec<String>,
}

impl CandidateEntry {
    fn candidate(&self) -> Result<Candidate, EvalError> {
        if self.origin == OriginWord::Remote && self.installs.is_none() {
            return Err(EvalError::Candidate {
                key: self.key.clone(),
                problem: "is remote and has no installs",
            });
        }
        Ok(Candidate {
            id: self.key.clone(),
            name: self.name.clone(),
            slug: Slug::derive(&self.name, &self.key),
            description: self.description.clone(),
            when_to_use: self.when_to_use.clone(),
            origin: match self.origin {
                OriginWord::Registry => Origin::Local,
                OriginWord::Cache => Origin::Cache,
                OriginWord::Remote => Origin::Remote,
                OriginWord::Mcp => Origin::Mcp,
            },
            source: self.source.clone(),
            installs: self.installs,
            quality: None,
        })
    }
}

impl Case {
    fn run(
        &self,
        file: &File,
        candidates: &BTreeMap<&str, Candidate>,
        weights: Weights,
    ) -> Result<CaseResult, EvalError> {
        let pool = self.pool(file, candidates)?;
        let limit = self.limit.unwrap_or(file.defaults.limit);
        self.check(&pool, limit)?;
        let rule = |route: &Route| RouteRule {
            match_all: route.match_all.clone(),
            match_any: route.match_any.clone(),
            skills: route.skills.clone(),
        };
        let settings = Settings {
            limit,
            min_score: self.min_score.unwrap_or(file.defaults.min_score),
            routes: &self.routes.iter().map(rule).collect::<Vec<_>>(),
            boosts: &self.boosts,
            exclude_invoked: true,
        };
        let picks = select_with(weights, &self.task, &pool, &settings).picks;
        let forced = picks.iter().filter(|pick| pick.how == How::Rule);
        Ok(CaseResult {
            id: self.id.clone(),
            category: self.category.clone(),
            expected: self.expected.clone(),
            predicted: picks.iter().map(|pick| pool[pick.index].id.clone()).collect(),
            expected_forced: self.expected_forced.clone(),
            forced: forced.map(|pick| pool[pick.index].id.clone()).collect(),
            within_limit: picks.len() <= limit,
            known_weak: self.contract == Some(Contract::KnownWeak),
            note: self.note.clone(),
        })
    }

    /// The candidates of the case: those named one by one, then those of the pool set.
    fn pool(&self, file: &File, candidates: &BTreeMap<&str, Candidate>) -> Result<Vec<Candidate>, EvalError> {
        let set = match &self.pool_set {
            None => &[][..],
            Some(name) => {
                file.pool_sets.get(name).ok_or_else(|| self.problem("names an unknown pool set"))?
            }
        };
        let keys = self.pool.iter().chain(set.iter().map(|entry| &entry.key));
        keys.map(|key| candidates.get(key.as_str()).cloned())
            .collect::<Option<_>>()
            .ok_or_else(|| self.problem("names an unknown candidate"))
    }

    fn check(&self, pool: &[Candidate], limit: usize) -> Result<(), EvalError> {
        let keys = pool.iter().map(|candidate| candidate.id.as_str()).collect::<BTreeSet<_>>();
        let is_pooled = |key: &String| keys.contains(key.as_str());
        let expected = self.expected.iter().collect::<BTreeSet<_>>();
        let rules = [
            (!pool.is_empty(), "has an empty pool"),
            (keys.len() == pool.len(), "names a candidate twice"),
            ((1..=3).contains(&limit), "has a limit outside 1 to 3"),
            (self.expected.iter().all(is_pooled), "expects a candidate outside its pool"),
            (expected.len() == self.expected.len(), "expects a candidate twice"),
            (self.expected.len() <= limit, "expects more than its limit"),
            (self.expected_forced.iter().all(|key| expected.contains(key)), "forces what it does not expect"),
            (self.boosts.keys().all(is_pooled), "boosts a candidate outside its pool"),
            (self.boosts.values().all(|&boost| boost <= 20), "has a boost above 20"),
            (self.routes.iter().all(Route::is_usable), "has a route without terms or skills"),
            (self.contract.is_none() || self.note.is_some(), "records a weakness without a note"),
        ];
        rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, problem)| Err(self.problem(problem)))
    }

    fn problem(&self, problem: &'static str) -> EvalError {
        EvalError::Case { id: self.id.clone(), problem }
    }
}

impl Route {
    fn is_usable(&self) -> bool {
        let has_terms = !self.match_all.is_empty() || !self.match_any.is_empty();
        has_terms && !self.skills.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn routing() -> Value {
        let skill = |key: &str, origin: &str| json!({"key": key, "origin": origin, "name": key, "description": "Iron", "source": "s"});
        json!({
            "version": 1,
            "defaults": {"limit": 3, "minScore": 8},
            "candidates": [skill("iron", "registry")],
            "poolSets": {"set": [skill("set-one", "mcp")]},
            "cases": [
                {"id": "yes", "category": "c", "task": "iron", "pool": ["iron"], "poolSet": "set", "expected": ["iron"]},
                {"id": "no", "category": "c", "task": "x", "pool": ["iron"], "expected": []},
            ],
        })
    }

    #[test]
    fn a_routing_corpus_is_run() {
        let results = run(&routing().to_string(), Weights::CONTRACT).unwrap();
        assert!(results.iter().all(|result| result.passes() && result.within_limit));
    }

    #[test]
    fn contradictions_are_refused_by_name() {
        for (pointer, value, message) in [
            ("/version", json!(2), "the corpus of suite `routing` has version `2`, only `1` is known"),
            ("/candidates/0/origin", json!("moon"), "the corpus has not the format of suite `routing`"),
            ("/candidates/0/origin", json!("remote"), "candidate `iron` is remote and has no installs"),
            ("/candidates/0/key", json!("set-one"), "the candidate `set-one` stands twice"),
            ("/cases/1/id", json!("yes"), "the case `yes` stands twice"),
            ("/cases/1/expected", json!(["iron"]), "the routing corpus has no case that expects nothing"),
            ("/cases/0/expected", json!([]), "the routing corpus has no case that expects a skill"),
            ("/cases/1/pool", json!([]), "case `no` has an empty pool"),
            ("/cases/0/pool", json!(["iron", "iron"]), "case `yes` names a candidate twice"),
            ("/cases/0/pool", json!(["moon"]), "case `yes` names an unknown candidate"),
            ("/cases/0/poolSet", json!("moon"), "case `yes` names an unknown pool set"),
            ("/cases/0/limit", json!(4), "case `yes` has a limit outside 1 to 3"),
            ("/cases/0/limit", json!(0), "case `yes` has a limit outside 1 to 3"),
            ("/cases/0/expected", json!(["moon"]), "case `yes` expects a candidate outside its pool"),
            ("/cases/0/expected", json!(["iron", "iron"]), "case `yes` expects a candidate twice"),
            ("/cases/0/expectedForced", json!(["set-one"]), "case `yes` forces what it does not expect"),
            ("/cases/0/boosts", json!({"moon": 1}), "case `yes` boosts a candidate outside its pool"),
            ("/cases/0/boosts", json!({"iron": 21}), "case `yes` has a boost above 20"),
            (
                "/cases/0/routes",
                json!([{"skills": ["iron"]}]),
                "case `yes` has a route without terms or skills",
            ),
            ("/cases/0/contract", json!("known-weak"), "case `yes` records a weakness without a note"),
            ("/cases/0/minscore", json!(1), "the corpus has not the format of suite `routing`"),
        ] {
            let mut corpus = routing();
            let (parent, field) = pointer.rsplit_once('/').unwrap();
            corpus.pointer_mut(parent).unwrap()[field] = value;
            let error = run(&corpus.to_string(), Weights::CONTRACT).unwrap_err();
            assert_eq!(error.to_string(), message, "{pointer}");
        }
        let mut corpus = routing();
        corpus["cases"][0]["limit"] = json!(1);
        corpus["cases"][0]["expected"] = json!(["iron", "set-one"]);
        let error = run(&corpus.to_string(), Weights::CONTRACT).unwrap_err();
        assert_eq!(error.to_string(), "case `yes` expects more than its limit");
    }
}
