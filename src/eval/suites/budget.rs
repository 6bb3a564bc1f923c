//! Catalog-budget cases: skills against a number of tokens, and which still fit.
//!
//! The format is the original's, with a frame that a case can name. Prices depend on the words
//! around the skills, so a budget is a boundary in one frame only.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde::Deserialize;

use super::{Contract, EvalError, check_unique, parse};
use crate::{
    candidate::Origin,
    eval::{Frame, Suite, metrics::CaseResult},
    route::{
        budget::{self, Pricing},
        catalog::CatalogItem,
    },
    skill::{name::Slug, text::CatalogText},
};

/// Runs the cases of a catalog-budget corpus; `frame` is the one of cases that name none.
pub(crate) fn run(corpus: &str, frame: Frame) -> Result<Vec<CaseResult>, EvalError> {
    let file: File = parse(Suite::CatalogBudget, corpus)?;
    let mut skills = BTreeMap::new();
    for entry in &file.candidates {
        if skills.insert(entry.key.as_str(), entry).is_some() {
            return Err(EvalError::Twice { kind: "candidate", key: entry.key.clone() });
        }
    }
    check_unique(file.cases.iter().map(|case| case.id.as_str()))?;
    file.cases.iter().map(|case| case.run(&file, &skills, frame)).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u64,
    #[serde(rename = "description")]
    _description: Option<String>,
    defaults: Defaults,
    candidates: Vec<CandidateEntry>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Defaults {
    max_description_length: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CandidateEntry {
    key: String,
    name: String,
    description: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    id: String,
    pool: Vec<String>,
    budget: u64,
    max_description_length: Option<usize>,
    frame: Option<String>,
    expected: Vec<String>,
    contract: Option<Contract>,
    note: Option<String>,
}

impl Case {
    fn run(
        &self,
        file: &File,
        skills: &BTreeMap<&str, &CandidateEntry>,
        default_frame: Frame,
    ) -> Result<CaseResult, EvalError> {
        let max_units = self.max_description_length.unwrap_or(file.defaults.max_description_length);
        let frame = match self.frame.as_deref() {
            None => default_frame,
            Some(name) => Frame::parse(name).ok_or_else(|| self.problem("names an unknown frame"))?,
        };
        let items = self
            .pool
            .iter()
            .map(|key| skills.get(key.as_str()).map(|skill| skill.item(max_units)))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| self.problem("names an unknown candidate"))?;
        self.check(max_units)?;
        let pricing = match frame {
            Frame::Own(format) => Pricing::Printed(format),
            Frame::Upstream => Pricing::Upstream,
        };
        let fit = budget::fit(&items, pricing, self.budget, usize::MAX);
        Ok(CaseResult {
            id: self.id.clone(),
            category: frame.as_str().to_owned(),
            expected: self.expected.clone(),
            predicted: fit.kept.iter().map(|&index| self.pool[index].clone()).collect(),
            within_limit: self.budget == 0 || fit.tokens <= self.budget,
            known_weak: self.contract == Some(Contract::KnownWeak),
            note: self.note.clone(),
            ..CaseResult::default()
        })
    }

    fn check(&self, max_units: usize) -> Result<(), EvalError> {
        let pool = self.pool.iter().collect::<BTreeSet<_>>();
        let rules = [
            (!pool.is_empty(), "has an empty pool"),
            (pool.len() == self.pool.len(), "names a candidate twice"),
            (max_units >= 3, "cuts descriptions below 3 characters"),
            (self.expected.iter().all(|key| pool.contains(key)), "expects a candidate outside its pool"),
            (self.contract.is_none() || self.note.is_some(), "records a weakness without a note"),
        ];
        rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, problem)| Err(self.problem(problem)))
    }

    fn problem(&self, problem: &'static str) -> EvalError {
        EvalError::Case { id: self.id.clone(), problem }
    }
}

impl CandidateEntry {
    /// The catalog item of a skill that stands in `skills/KEY` of a root with the label `eval`.
    fn item(&self, max_units: usize) -> CatalogItem {
        CatalogItem {
            name: Slug::derive(&self.name, &self.key),
            title: CatalogText::label(&self.name),
            description: CatalogText::description(&self.description, max_units),
            location: CatalogText::location(Path::new(&format!("skills/{}/SKILL.md", self.key))),
            origin: Origin::Local,
            source: CatalogText::label("eval"),
            user_invocable: true,
            version: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn budget_contradictions_are_refused_by_name() {
        for (pointer, value, message) in [
            ("/cases/0/frame", json!("html"), "case `one` names an unknown frame"),
            ("/cases/0/pool", json!(["moon"]), "case `one` names an unknown candidate"),
            ("/cases/0/pool", json!(["iron", "iron"]), "case `one` names a candidate twice"),
            ("/cases/0/maxDescriptionLength", json!(2), "case `one` cuts descriptions below 3 characters"),
            ("/cases/0/expected", json!(["moon"]), "case `one` expects a candidate outside its pool"),
            ("/version", json!(0), "the corpus of suite `catalog-budget` has version `0`, only `1` is known"),
        ] {
            let mut corpus = json!({
                "version": 1,
                "defaults": {"maxDescriptionLength": 160},
                "candidates": [{"key": "iron", "name": "iron", "description": "Iron"}],
                "cases": [{"id": "one", "pool": ["iron"], "budget": 0, "expected": ["iron"]}],
            });
            assert!(run(&corpus.to_string(), Frame::Upstream).unwrap()[0].passes());
            let (parent, field) = pointer.rsplit_once('/').unwrap();
            corpus.pointer_mut(parent).unwrap()[field] = value;
            let error = run(&corpus.to_string(), Frame::Upstream).unwrap_err();
            assert_eq!(error.to_string(), message, "{pointer}");
        }
    }
}
