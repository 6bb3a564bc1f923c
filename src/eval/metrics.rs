//! The metrics of a suite, counted over the outcomes of its cases.
//!
//! Every metric is a count over the cases that it applies to; a metric that applies to no case of a
//! corpus has no value, and is then held against no baseline.

use super::{Suite, suites::retrieval};

/// What one case gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaseResult {
    /// The id of the case.
    pub id: String,
    /// Its category; a budget case's is its frame, and a case without one has what it expects.
    pub category: String,
    /// The keys that should be chosen, in order; or the words that should be said, as `kind:word`.
    pub expected: Vec<String>,
    /// The keys that were chosen, or the words that were said.
    pub predicted: Vec<String>,
    /// The keys that a rule should choose.
    pub expected_forced: Vec<String>,
    /// The keys that a rule chose.
    pub forced: Vec<String>,
    /// Whether the limit of picks, or the budget of tokens, was kept.
    pub within_limit: bool,
    /// Whether the expectation records a known weakness of the contract.
    pub known_weak: bool,
    /// What the case is about, where its author said so.
    pub note: Option<String>,
}

impl CaseResult {
    /// Whether the picks and what rules chose are exactly what is expected.
    pub fn passes(&self) -> bool {
        self.predicted == self.expected && self.forced == self.expected_forced
    }
}

/// A count over the cases to which something applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The metric, or the category.
    pub name: String,
    /// The cases that hold.
    pub passed: u32,
    /// The cases that it applies to.
    pub total: u32,
}

impl Count {
    /// The share that holds, from 0 to 1; none when it applies to no case.
    pub fn value(&self) -> Option<f64> {
        (self.total > 0).then(|| f64::from(self.passed) / f64::from(self.total))
    }

    fn over<'a>(
        name: &str,
        results: impl IntoIterator<Item = &'a CaseResult>,
        holds: impl Fn(&CaseResult) -> bool,
    ) -> Self {
        let mut count = Self { name: name.to_owned(), passed: 0, total: 0 };
        for result in results {
            count.total += 1;
            count.passed += u32::from(holds(result));
        }
        count
    }
}

/// The metrics of `suite`.
///
/// - `exact-match`: the picks, their order and what rules chose are as expected
/// - `top-1`: the first pick is the first expected one, over the cases that expect any
/// - `negative-rejection`: nothing is picked, over the cases that expect nothing
/// - `limit-compliance`, `budget-compliance`: no more is picked or left than the limit or the budget allows
/// - `pairwise-order`: the side that should has the higher score; `exact-score`: and the scores are as expected
/// - `level-match`, `policy-match`, `signals-contained`, `warnings-contained`: what the case asks for of
///   each kind is found
/// - `hit-at-1` to `attack-rejection`: what [`retrieval`] says of each case
pub fn metrics(suite: Suite, results: &[CaseResult]) -> Vec<Count> {
    let exact = Count::over("exact-match", results, CaseResult::passes);
    let within = |name| Count::over(name, results, |result| result.within_limit);
    match suite {
        Suite::Routing | Suite::SemanticRouting => {
            let (negative, positive): (Vec<_>, Vec<_>) =
                results.iter().partition(|result| result.expected.is_empty());
            vec![
                exact,
                Count::over("top-1", positive, |result| result.predicted.first() == result.expected.first()),
                Count::over("negative-rejection", negative, |result| result.predicted.is_empty()),
                within("limit-compliance"),
            ]
        }
        Suite::CatalogBudget => vec![exact, within("budget-compliance")],
        Suite::RemoteQuality => vec![
            exact,
            Count::over("pairwise-order", results, |result| {
                result.predicted.first() == result.expected.first()
            }),
            of_kind("exact-score", "score:", results),
        ],
        Suite::RemoteGovernance => vec![
            exact,
            of_kind("level-match", "level:", results),
            of_kind("policy-match", "policy:", results),
            of_kind("signals-contained", "signal:", results),
            of_kind("warnings-contained", "warning:", results),
        ],
        Suite::RemoteCache => vec![exact],
        Suite::RemoteFallback | Suite::CacheGovernance => vec![exact, within("limit-compliance")],
        Suite::Retrieval => retrieval::METRICS.iter().map(|name| said(name, results)).collect(),
    }
}

/// How often `word` is said of the cases that it applies to.
fn said(word: &str, results: &[CaseResult]) -> Count {
    let has = |words: &[String]| words.iter().any(|said| said == word);
    let applying = results.iter().filter(|result| has(&result.expected));
    Count::over(word, applying, |result| has(&result.predicted))
}

/// Agreement in the words that begin with `kind`, over the cases that expect any.
fn of_kind(name: &str, kind: &str, results: &[CaseResult]) -> Count {
    let of =
        |words: &[String]| words.iter().filter(|word| word.starts_with(kind)).cloned().collect::<Vec<_>>();
    let asking = results.iter().filter(|result| !of(&result.expected).is_empty());
    Count::over(name, asking, |result| of(&result.predicted) == of(&result.expected))
}

/// Exact matches by category, in the order in which the categories are first seen.
pub fn categories(results: &[CaseResult]) -> Vec<Count> {
    let mut names = Vec::new();
    for result in results {
        if !names.contains(&result.category.as_str()) {
            names.push(&result.category);
        }
    }
    let of = |name: &str| {
        let members = results.iter().filter(|result| result.category == name);
        Count::over(name, members, CaseResult::passes)
    };
    names.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(category: &str, expected: &[&str], predicted: &[&str], forced: &[&str]) -> CaseResult {
        let owned = |keys: &[&str]| keys.iter().map(|&key| key.to_owned()).collect::<Vec<_>>();
        CaseResult {
            category: category.to_owned(),
            expected: owned(expected),
            predicted: owned(predicted),
            forced: owned(forced),
            within_limit: predicted.len() <= 2,
            ..CaseResult::default()
        }
    }

    #[test]
    fn each_metric_counts_its_own_cases() {
        let results = [
            result("b", &["x", "y"], &["x", "y"], &[]),
            result("b", &["x", "y"], &["x"], &[]),
            result("a", &["x"], &["y", "x", "z"], &[]),
            result("b", &["x"], &["x"], &["x"]),
            result("a", &[], &[], &[]),
            result("a", &[], &["x"], &[]),
        ];
        let counts = |counts: Vec<Count>| {
            counts.into_iter().map(|count| (count.name, count.passed, count.total)).collect::<Vec<_>>()
        };
        let named = |name: &str, passed, total| (name.to_owned(), passed, total);
        assert_eq!(
            counts(metrics(Suite::Routing, &results)),
            [
                named("exact-match", 2, 6),
                named("top-1", 3, 4),
                named("negative-rejection", 1, 2),
                named("limit-compliance", 5, 6),
            ]
        );
        assert_eq!(
            counts(metrics(Suite::CatalogBudget, &results)),
            [named("exact-match", 2, 6), named("budget-compliance", 5, 6)]
        );
        let said = [
            result("a", &["left", "score:left=9"], &["left", "score:left=8"], &[]),
            result("a", &["right"], &["left"], &[]),
            result("a", &["level:trusted", "signal:x"], &["level:trusted", "signal:y"], &[]),
        ];
        assert_eq!(
            counts(metrics(Suite::RemoteQuality, &said[..2])),
            [named("exact-match", 0, 2), named("pairwise-order", 1, 2), named("exact-score", 0, 1)]
        );
        assert_eq!(
            counts(metrics(Suite::RemoteGovernance, &said[2..])),
            [
                named("exact-match", 0, 1),
                named("level-match", 1, 1),
                named("policy-match", 0, 0),
                named("signals-contained", 0, 1),
                named("warnings-contained", 0, 0),
            ]
        );
        assert_eq!(counts(categories(&results)), [named("b", 1, 3), named("a", 1, 3)]);
        assert_eq!(metrics(Suite::Routing, &[])[0].value(), None);
    }
}
