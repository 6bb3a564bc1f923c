//! The document of `eval`.
//!
//! The rules of [`super::wire`] hold here too: a schema with a version, and one documented order.

use serde::Serialize;

/// `eval`.
#[derive(Debug, Serialize)]
pub struct Eval {
    /// `skillflux.eval/1`
    pub schema: &'static str,
    /// Whether any metric of any suite is below its baseline.
    pub below_baseline: bool,
    /// The suites in the order in which they were run.
    pub suites: Vec<Suite>,
    /// Case files that this release has no code for, sorted by name.
    pub not_in_this_release: Vec<String>,
}

/// The result of one suite.
#[derive(Debug, Serialize)]
pub struct Suite {
    /// The name of the suite.
    pub suite: &'static str,
    /// The number of cases.
    pub cases: usize,
    /// How many of them record a known weakness of the contract.
    pub known_weak: usize,
    /// The metrics, in the order of `eval/README.md`.
    pub metrics: Vec<Metric>,
    /// Exact matches by category, in the order of the corpus.
    pub categories: Vec<Category>,
    /// Cases that did not give what is expected, in the order of the corpus.
    pub failures: Vec<Failure>,
}

/// A metric of a suite.
#[derive(Debug, Serialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// The cases that hold.
    pub passed: u32,
    /// The cases that it applies to.
    pub total: u32,
    /// The share that holds, from 0 to 1; null when it applies to no case.
    pub value: Option<f64>,
    /// The least value that it must have, from 0 to 1.
    pub baseline: Option<f64>,
    /// Whether the value is less than that.
    pub below_baseline: bool,
}

/// Exact matches of one category.
#[derive(Debug, Serialize)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// The cases that hold.
    pub passed: u32,
    /// Its cases.
    pub total: u32,
}

/// A case that did not give what is expected.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// The id of the case.
    pub id: String,
    /// Its category.
    pub category: String,
    /// The keys that should be chosen, in order; or the words that should be said, as `kind:word`.
    pub expected: Vec<String>,
    /// The keys that were chosen, or the words that were said.
    pub predicted: Vec<String>,
    /// The keys that a rule should choose.
    pub expected_forced: Vec<String>,
    /// The keys that a rule chose.
    pub forced: Vec<String>,
    /// Whether the limit or the budget was kept.
    pub within_limit: bool,
    /// What the case is about.
    pub note: Option<String>,
}
