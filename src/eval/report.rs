//! What a run of a suite found: values against a baseline, categories, and every case that failed.
//!
//! A report is data in three forms: plain rows, a Markdown table, and a wire struct. All of them are
//! the same bytes for the same results. Nothing is printed here.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::{Deserialize, Serialize};

use super::{
    Suite,
    metrics::{self, CaseResult, Count},
};

/// The schema of [`Wire`].
pub const SCHEMA: &str = "skillflux.eval/1";

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
    /// Every case that did not give what is expected.
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
    fn is_below(&self) -> bool {
        matches!((self.count.value(), self.baseline), (Some(value), Some(least)) if value < least)
    }
}

/// One line of a table: a metric of a suite, its value and its baseline, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The suite and the metric.
    pub name: String,
    /// The value with its count, or `-`.
    pub value: String,
    /// The baseline, or `-`.
    pub baseline: String,
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
            failures: results.iter().filter(|result| !result.passes()).cloned().collect(),
        }
    }

    /// The metrics as text.
    pub fn rows(&self) -> Vec<Row> {
        let row = |metric: &Metric| Row {
            name: format!("{} {}", self.suite, metric.count.name),
            value: metric.count.value().map_or_else(
                || "-".to_owned(),
                |value| format!("{} ({}/{})", percent(value), metric.count.passed, metric.count.total),
            ),
            baseline: metric.baseline.map_or_else(|| "-".to_owned(), percent),
        };
        self.metrics.iter().map(row).collect()
    }
}

/// The reports as a Markdown table, with the files that were not run below it.
pub fn markdown(reports: &[Report], not_in_this_release: &[String]) -> String {
    let mut text = "| metric | value | baseline |\n| --- | ---: | ---: |\n".to_owned();
    for row in reports.iter().flat_map(Report::rows) {
        writeln!(text, "| {} | {} | {} |", row.name, row.value, row.baseline)
            .expect("a string takes any text");
    }
    for (index, file) in not_in_this_release.iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        // A file name is outside text: what could end the code span is left out.
        let file = file.replace(|character: char| character == '`' || character.is_control(), "");
        writeln!(text, "{gap}- `{file}`: not in this release").expect("a string takes any text");
    }
    text
}

/// The reports as they go over the wire.
pub fn wire(reports: &[Report], not_in_this_release: &[String]) -> Wire {
    Wire {
        schema: SCHEMA,
        below_baseline: reports.iter().any(|report| !report.below_baseline.is_empty()),
        suites: reports.iter().map(SuiteWire::new).collect(),
        not_in_this_release: not_in_this_release.to_vec(),
    }
}

/// The wire form of a whole run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wire {
    schema: &'static str,
    below_baseline: bool,
    suites: Vec<SuiteWire>,
    not_in_this_release: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct SuiteWire {
    suite: &'static str,
    cases: usize,
    known_weak: usize,
    metrics: Vec<MetricWire>,
    categories: Vec<CategoryWire>,
    failures: Vec<FailureWire>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct MetricWire {
    name: String,
    passed: u32,
    total: u32,
    value: Option<f64>,
    baseline: Option<f64>,
    below_baseline: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct CategoryWire {
    name: String,
    passed: u32,
    total: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct FailureWire {
    id: String,
    category: String,
    expected: Vec<String>,
    predicted: Vec<String>,
    expected_forced: Vec<String>,
    forced: Vec<String>,
    within_limit: bool,
    note: Option<String>,
}

impl SuiteWire {
    fn new(report: &Report) -> Self {
        Self {
            suite: report.suite.as_str(),
            cases: report.cases,
            known_weak: report.known_weak,
            metrics: report.metrics.iter().map(MetricWire::new).collect(),
            categories: report.categories.iter().map(CategoryWire::new).collect(),
            failures: report.failures.iter().map(FailureWire::new).collect(),
        }
    }
}

impl MetricWire {
    fn new(metric: &Metric) -> Self {
        Self {
            name: metric.count.name.clone(),
            passed: metric.count.passed,
            total: metric.count.total,
            value: metric.count.value(),
            baseline: metric.baseline,
            below_baseline: metric.is_below(),
        }
    }
}

impl CategoryWire {
    fn new(count: &Count) -> Self {
        Self { name: count.name.clone(), passed: count.passed, total: count.total }
    }
}

impl FailureWire {
    fn new(result: &CaseResult) -> Self {
        Self {
            id: result.id.clone(),
            category: result.category.clone(),
            expected: result.expected.clone(),
            predicted: result.predicted.clone(),
            expected_forced: result.expected_forced.clone(),
            forced: result.forced.clone(),
            within_limit: result.within_limit,
            note: result.note.clone(),
        }
    }
}

fn percent(value: f64) -> String {
    format!("{:.1}%", value * 100.0)
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

    #[test]
    fn reports_as_a_table() {
        insta::assert_snapshot!(markdown(&reports(), &["a-cases.json".to_owned(), "b`\n-cases.json".to_owned()]), @r"
        | metric | value | baseline |
        | --- | ---: | ---: |
        | catalog-budget exact-match | 50.0% (1/2) | 100.0% |
        | catalog-budget budget-compliance | 100.0% (2/2) | 100.0% |

        - `a-cases.json`: not in this release
        - `b-cases.json`: not in this release
        ");
    }

    #[test]
    fn reports_on_the_wire() {
        insta::assert_json_snapshot!(wire(&reports(), &["a-cases.json".to_owned()]), @r#"
        {
          "schema": "skillflux.eval/1",
          "below_baseline": true,
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
                  "baseline": 1.0,
                  "below_baseline": true
                },
                {
                  "name": "budget-compliance",
                  "passed": 2,
                  "total": 2,
                  "value": 1.0,
                  "baseline": 1.0,
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
                  "expected": [
                    "x"
                  ],
                  "predicted": [],
                  "expected_forced": [],
                  "forced": [],
                  "within_limit": true,
                  "note": null
                }
              ]
            }
          ],
          "not_in_this_release": [
            "a-cases.json"
          ]
        }
        "#);
    }
}
