//! What a run of a suite found: values against a baseline, categories, and every case that failed.
//!
//! A report is figures and the cases behind them; how it is printed is decided in `output`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    Suite,
    metrics::{self, CaseResult, Count},
};

/// The least value of each metric of each suite.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: u32,
    suites: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Baseline {
    /// The values that this release was recorded with.
    pub fn recorded() -> Self {
        serde_json::from_str(include_str!("../../eval/baseline.json"))
            .expect("the embedded baseline is valid, which a test holds")
    }

    /// No values: nothing can fall below.
    pub fn none() -> Self {
        Self::default()
    }

    /// The least value of `metric`, from 0 to 1.
    pub fn least(&self, suite: Suite, metric: &str) -> Option<f64> {
        self.suites.get(suite.as_str())?.get(metric).copied()
    }
}

/// The result of one suite.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The suite that was run.
    pub suite: Suite,
    /// The number of cases.
    pub cases: usize,
    /// How many of them record a known weakness of the contract.
    pub known_weak: usize,
    /// The metrics, each with the least value it must have.
    pub metrics: Vec<Metric>,
    /// Exact matches by category.
    pub categories: Vec<Count>,
    /// Every case that did not give what is expected; none of retrieval, where that is no failure of a case.
    pub failures: Vec<CaseResult>,
    /// The metrics that fell below their baseline.
    pub below_baseline: Vec<Metric>,
}

/// A metric and the value that it must reach.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// The metric's count.
    pub count: Count,
    /// The least value, from 0 to 1.
    pub baseline: Option<f64>,
}

impl Metric {
    /// Whether the value is less than it must be.
    pub fn is_below(&self) -> bool {
        matches!((self.count.value(), self.baseline), (Some(value), Some(least)) if value < least)
    }
}

impl Report {
    /// Counts `results` and holds them against `baseline`.
    pub fn new(suite: Suite, results: &[CaseResult], baseline: &Baseline) -> Self {
        let metrics = metrics::metrics(suite, results)
            .into_iter()
            .map(|count| Metric { baseline: baseline.least(suite, &count.name), count })
            .collect::<Vec<_>>();
        Self {
            suite,
            cases: results.len(),
            known_weak: results.iter().filter(|result| result.known_weak).count(),
            below_baseline: metrics.iter().filter(|metric| metric.is_below()).cloned().collect(),
            metrics,
            categories: metrics::categories(results),
            failures: results
                .iter()
                .filter(|result| suite != Suite::Retrieval && !result.passes())
                .cloned()
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reports() -> Vec<Report> {
        let kept = CaseResult {
            id: "kept".to_owned(),
            category: "xml".to_owned(),
            within_limit: true,
            ..CaseResult::default()
        };
        let lost = CaseResult {
            id: "lost".to_owned(),
            expected: vec!["x".to_owned()],
            known_weak: true,
            ..kept.clone()
        };
        vec![Report::new(Suite::CatalogBudget, &[kept, lost], &Baseline::recorded())]
    }

    #[test]
    fn the_recorded_baseline_names_every_metric() {
        let recorded = Baseline::recorded();
        assert_eq!((recorded.version, recorded.suites.len()), (1, Suite::ALL.len()));
        for suite in Suite::ALL {
            let metrics = metrics::metrics(suite, &[]);
            assert_eq!(recorded.suites[suite.as_str()].len(), metrics.len());
            for metric in metrics {
                assert!(recorded.least(suite, &metric.name).is_some(), "{suite} {}", metric.name);
            }
        }
    }

    #[test]
    fn a_value_below_the_baseline_is_named() {
        let report = &reports()[0];
        let below = report.below_baseline.iter().map(|metric| metric.count.name.as_str()).collect::<Vec<_>>();
        assert_eq!(below, ["exact-match"]);
        assert_eq!((report.cases, report.known_weak, report.failures.len()), (2, 1, 1));
        let free = Report::new(Suite::Routing, &report.failures, &Baseline::none());
        assert!(free.below_baseline.is_empty());
    }
}
