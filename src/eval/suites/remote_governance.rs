//! Remote-governance cases: a candidate, the evidence of its origin, and the policies that admit it.
//!
//! The format is the original's, whose signals and warnings must be among those found. A case can
//! instead ask for exactly these, in their order.

use serde::Deserialize;

use super::{CaseFile, EvalError, check_unique, parse, remote::RemoteEntry};
use crate::{
    eval::{Suite, metrics::CaseResult},
    rank::{
        evidence::{EvidenceLevel, Signal, Thresholds, Warning, evaluate_with},
        trust::{Standing, TrustPolicy, admit},
    },
};

/// Runs the cases of a remote-governance corpus.
pub(crate) fn run(corpus: &str, thresholds: Thresholds) -> Result<Vec<CaseResult>, EvalError> {
    let file: CaseFile<Case> = parse(Suite::RemoteGovernance, corpus)?;
    check_unique(file.cases.iter().map(|case| case.id.as_str()))?;
    file.cases.iter().map(|case| case.run(thresholds)).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    id: String,
    input: RemoteEntry,
    expected_level: String,
    allowed_policies: Vec<String>,
    signals: Vec<String>,
    warnings: Vec<String>,
    #[serde(default)]
    exact: bool,
    recent_activity_days: Option<u32>,
    note: Option<String>,
}

impl Case {
    fn run(&self, thresholds: Thresholds) -> Result<CaseResult, EvalError> {
        self.check()?;
        let input = self.input.input(self.recent_activity_days).map_err(|problem| self.problem(problem))?;
        let evidence = evaluate_with(thresholds, &input);
        let policies = TrustPolicy::ALL.into_iter().filter(|policy| {
            // Who trusts an owner is part of the evidence here; nobody is blocked.
            admit(evidence.level, Standing::Unlisted, *policy).is_ok()
        });
        let signals = evidence.signals.iter().map(|signal| signal.as_str());
        let warnings = evidence.warnings.iter().map(|warning| warning.as_str());
        let expected = [
            words("level", [self.expected_level.as_str()]),
            words("policy", self.allowed_policies.iter().map(String::as_str)),
            words("signal", self.signals.iter().map(String::as_str)),
            words("warning", self.warnings.iter().map(String::as_str)),
        ];
        let predicted = [
            words("level", [evidence.level.as_str()]),
            words("policy", policies.map(TrustPolicy::as_str)),
            self.counted(&self.signals, words("signal", signals), "signal"),
            self.counted(&self.warnings, words("warning", warnings), "warning"),
        ];
        Ok(CaseResult {
            id: self.id.clone(),
            category: self.expected_level.clone(),
            expected: expected.concat(),
            predicted: predicted.concat(),
            within_limit: true,
            note: self.note.clone(),
            ..CaseResult::default()
        })
    }

    /// All that was found, or, in the order of the case, that part of it which the case asks for.
    fn counted(&self, asked: &[String], found: Vec<String>, kind: &str) -> Vec<String> {
        if self.exact {
            return found;
        }
        let asked = words(kind, asked.iter().map(String::as_str));
        asked.into_iter().filter(|word| found.contains(word)).collect()
    }

    fn check(&self) -> Result<(), EvalError> {
        let policies = TrustPolicy::ALL.map(TrustPolicy::as_str);
        let rules = [
            (EvidenceLevel::parse(&self.expected_level).is_some(), "expects an unknown level"),
            (
                !self.allowed_policies.is_empty()
                    && self.allowed_policies.iter().eq(policies.iter().take(self.allowed_policies.len())),
                "allows policies with a gap or out of order",
            ),
            (self.signals.iter().all(|word| Signal::parse(word).is_some()), "expects an unknown signal"),
            (self.warnings.iter().all(|word| Warning::parse(word).is_some()), "expects an unknown warning"),
            (is_unique(&self.signals), "expects a signal twice"),
            (is_unique(&self.warnings), "expects a warning twice"),
            (self.input.discovery_source_count.is_some(), "says nothing of its sources"),
            (self.input.content_pinned.is_some(), "says nothing of its content"),
        ];
        rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, problem)| Err(self.problem(problem)))
    }

    fn problem(&self, problem: &'static str) -> EvalError {
        EvalError::Case { id: self.id.clone(), problem }
    }
}

fn words<'a>(kind: &str, words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(|word| format!("{kind}:{word}")).collect()
}

fn is_unique(words: &[String]) -> bool {
    words.iter().enumerate().all(|(index, word)| !words[..index].contains(word))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::rank::quality::Weights;

    fn corpus() -> Value {
        let input = json!({
            "relevanceScore": 10, "installs": 0, "stars": 0, "forks": 0, "ageDays": 1,
            "trustedSource": false, "organizationOwned": false, "hasLicense": true,
            "discoverySourceCount": 1, "contentPinned": true,
        });
        json!({"version": 1, "cases": [{
            "id": "one",
            "input": input,
            "expectedLevel": "community",
            "allowedPolicies": ["open", "community"],
            "signals": ["declared-license", "content-pinned"],
            "warnings": ["single-source"],
        }]})
    }

    fn run_contract(corpus: &Value) -> Result<Vec<CaseResult>, EvalError> {
        run(&corpus.to_string(), Thresholds::CONTRACT)
    }

    #[test]
    fn contradictions_are_refused_by_name() {
        let format = "the corpus has not the format of suite `remote-governance`";
        let gap = "case `one` allows policies with a gap or out of order";
        for (pointer, value, message) in [
            ("/cases/0/exactly", json!(true), format),
            ("/cases/0/input/hasLicense", json!("MIT"), format),
            ("/cases/0/expectedLevel", json!("high"), "case `one` expects an unknown level"),
            ("/cases/0/allowedPolicies", json!([]), gap),
            ("/cases/0/allowedPolicies", json!(["open", "corroborated"]), gap),
            ("/cases/0/allowedPolicies", json!(["community", "open"]), gap),
            ("/cases/0/signals", json!(["popular"]), "case `one` expects an unknown signal"),
            ("/cases/0/warnings", json!(["cross-source"]), "case `one` expects an unknown warning"),
            (
                "/cases/0/signals",
                json!(["cross-source", "cross-source"]),
                "case `one` expects a signal twice",
            ),
            (
                "/cases/0/warnings",
                json!(["low-adoption", "low-adoption"]),
                "case `one` expects a warning twice",
            ),
            ("/cases/0/input/discoverySourceCount", Value::Null, "case `one` says nothing of its sources"),
            ("/cases/0/input/contentPinned", Value::Null, "case `one` says nothing of its content"),
        ] {
            let mut corpus = corpus();
            let (parent, field) = pointer.rsplit_once('/').unwrap();
            corpus.pointer_mut(parent).unwrap()[field] = value;
            assert_eq!(run_contract(&corpus).unwrap_err().to_string(), message, "{pointer}");
        }
    }

    #[test]
    fn signals_and_warnings_are_a_part_or_exactly_all() {
        let mut corpus = corpus();
        assert!(run_contract(&corpus).unwrap()[0].passes());
        corpus["cases"][0]["exact"] = json!(true);
        assert!(!run_contract(&corpus).unwrap()[0].passes());
        corpus["cases"][0]["signals"] = json!(["content-pinned", "recent-activity", "declared-license"]);
        corpus["cases"][0]["warnings"] = json!(["single-source", "low-adoption"]);
        assert!(run_contract(&corpus).unwrap()[0].passes());
        corpus["cases"][0]["signals"] = json!(["recent-activity", "content-pinned", "declared-license"]);
        assert!(!run_contract(&corpus).unwrap()[0].passes());
    }

    fn own() -> &'static str {
        Suite::RemoteGovernance.own_corpus()
    }

    fn notices(what: &str, corpus: &str, thresholds: Thresholds) {
        let results = run(corpus, thresholds).unwrap();
        assert!(results.iter().any(|result| !result.passes()), "no case notices {what}");
    }

    #[test]
    fn the_corpus_notices_a_step_of_any_threshold() {
        let contract = Thresholds::CONTRACT;
        for change in [|value: u64| value - 1, |value| value + 1] {
            notices("installs", own(), Thresholds { installs: change(contract.installs), ..contract });
            notices("stars", own(), Thresholds { stars: change(contract.stars), ..contract });
            notices("forks", own(), Thresholds { forks: change(contract.forks), ..contract });
            let maintained_windows = change(Weights::CONTRACT.maintained_windows);
            let ages = Weights { maintained_windows, ..Weights::CONTRACT };
            notices("maintained windows", own(), Thresholds { ages, ..contract });
            let ages = Weights { alive_days: change(Weights::CONTRACT.alive_days), ..Weights::CONTRACT };
            notices("days of life", own(), Thresholds { ages, ..contract });
        }
        for several_sources in [1, 3] {
            notices("sources", own(), Thresholds { several_sources, ..contract });
        }
    }

    #[test]
    fn the_corpus_notices_every_field() {
        type Change = fn(&Value) -> Value;
        let not: Change = |value| json!(!value.as_bool().unwrap());
        let changes: [(&str, Change); 12] = [
            ("trustedSource", not),
            ("organizationOwned", not),
            ("hasLicense", not),
            ("contentPinned", not),
            ("installs", |_| json!(0)),
            ("stars", |_| json!(0)),
            ("forks", |_| json!(0)),
            ("ageDays", |_| Value::Null),
            ("ageDays", |age| age.as_f64().map_or(Value::Null, |age| json!(age + 0.001))),
            ("discoverySourceCount", |_| json!(1)),
            ("registryTier", |_| Value::Null),
            ("registryTier", |_| json!("verified")),
        ];
        for (field, change) in changes {
            let mut corpus: Value = serde_json::from_str(own()).unwrap();
            for case in corpus["cases"].as_array_mut().unwrap() {
                let value = &mut case["input"][field];
                *value = change(value);
            }
            notices(field, &corpus.to_string(), Thresholds::CONTRACT);
        }
    }
}
