//! Remote-quality cases: two candidates, and which of them has the higher quality score.
//!
//! The format is the original's, with windows of activity, sources, pins and tiers that a case can name,
//! and with the score of the right side.

use serde::Deserialize;

use super::{CaseFile, EvalError, check_unique, parse, remote::RemoteEntry};
use crate::{
    eval::{Suite, metrics::CaseResult},
    rank::quality::{Weights, score_with},
};

/// Runs the cases of a remote-quality corpus.
pub(crate) fn run(corpus: &str, weights: Weights) -> Result<Vec<CaseResult>, EvalError> {
    let file: CaseFile<Case> = parse(Suite::RemoteQuality, corpus)?;
    check_unique(file.cases.iter().map(|case| case.name.as_str()))?;
    file.cases.iter().map(|case| case.run(weights)).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    name: String,
    left: RemoteEntry,
    right: RemoteEntry,
    expected: Side,
    expected_left_score: Option<u8>,
    expected_right_score: Option<u8>,
    recent_activity_days: Option<u32>,
    note: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Side {
    Left,
    Right,
}

impl Side {
    fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

impl Case {
    fn run(&self, weights: Weights) -> Result<CaseResult, EvalError> {
        self.check()?;
        let total = |side: &RemoteEntry| {
            let input = side.input(self.recent_activity_days).map_err(|problem| self.problem(problem))?;
            Ok::<u8, EvalError>(score_with(weights, &input).total)
        };
        let (left, right) = (total(&self.left)?, total(&self.right)?);
        let winner = match left.cmp(&right) {
            std::cmp::Ordering::Greater => "left",
            std::cmp::Ordering::Less => "right",
            std::cmp::Ordering::Equal => "tie",
        };
        let mut expected = vec![self.expected.as_str().to_owned()];
        let mut predicted = vec![winner.to_owned()];
        for (side, wanted, score) in
            [("left", self.expected_left_score, left), ("right", self.expected_right_score, right)]
        {
            if let Some(wanted) = wanted {
                expected.push(format!("score:{side}={wanted}"));
                predicted.push(format!("score:{side}={score}"));
            }
        }
        let is_scored = expected.len() > 1;
        Ok(CaseResult {
            id: self.name.clone(),
            category: if is_scored { "scored" } else { "order" }.to_owned(),
            expected,
            predicted,
            within_limit: true,
            note: self.note.clone(),
            ..CaseResult::default()
        })
    }

    fn check(&self) -> Result<(), EvalError> {
        let scores = [self.expected_left_score, self.expected_right_score];
        let contradicts = match (self.expected, scores) {
            (Side::Left, [Some(left), Some(right)]) => left <= right,
            (Side::Right, [Some(left), Some(right)]) => right <= left,
            _ => false,
        };
        let rules = [
            (scores.iter().flatten().all(|&score| score <= 100), "expects a score above 100"),
            (!contradicts, "expects a side whose score is not the higher one"),
        ];
        rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, problem)| Err(self.problem(problem)))
    }

    fn problem(&self, problem: &'static str) -> EvalError {
        EvalError::Case { id: self.name.clone(), problem }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::rank::quality::Logarithm;

    fn corpus() -> Value {
        let side = json!({
            "relevanceScore": 10, "installs": 0, "stars": 0, "forks": 0, "ageDays": 1,
            "trustedSource": false, "organizationOwned": false, "hasLicense": false,
        });
        let mut better = side.clone();
        better["stars"] = json!(100);
        let case = json!({"name": "one", "left": better, "right": side, "expected": "left", "expectedLeftScore": 38});
        json!({"version": 1, "cases": [case]})
    }

    #[test]
    fn contradictions_are_refused_by_name() {
        assert!(run(&corpus().to_string(), Weights::CONTRACT).unwrap()[0].passes());
        let format = "the corpus has not the format of suite `remote-quality`";
        for (pointer, value, message) in [
            ("/version", json!(2), "the corpus of suite `remote-quality` has version `2`, only `1` is known"),
            ("/cases/0/expected", json!("tie"), format),
            ("/cases/0/left/rating", json!(5), format),
            ("/cases/0/left/stars", json!(-1), format),
            ("/cases/0/left/registryTier", json!("gold"), format),
            (
                "/cases/0/left/discoverySourceCount",
                json!(0),
                "case `one` has a candidate that no source offers",
            ),
            ("/cases/0/left/ageDays", json!(1e300), "case `one` has an age beyond all dates"),
            (
                "/cases/0/recentActivityDays",
                json!(0),
                "case `one` has a window of activity outside 1 to 3650 days",
            ),
            ("/cases/0/expectedLeftScore", json!(101), "case `one` expects a score above 100"),
            (
                "/cases/0/expectedRightScore",
                json!(38),
                "case `one` expects a side whose score is not the higher one",
            ),
        ] {
            let mut corpus = corpus();
            let (parent, field) = pointer.rsplit_once('/').unwrap();
            corpus.pointer_mut(parent).unwrap()[field] = value;
            let error = run(&corpus.to_string(), Weights::CONTRACT).unwrap_err();
            assert_eq!(error.to_string(), message, "{pointer}");
        }
        let mut twice = corpus();
        let case = twice["cases"][0].clone();
        twice["cases"].as_array_mut().unwrap().push(case);
        let error = run(&twice.to_string(), Weights::CONTRACT).unwrap_err();
        assert_eq!(error.to_string(), "the case `one` stands twice");
        let mut ageless = corpus();
        ageless["cases"][0]["left"].as_object_mut().unwrap().remove("ageDays");
        assert_eq!(run(&ageless.to_string(), Weights::CONTRACT).unwrap_err().to_string(), format);
    }

    #[test]
    fn equal_scores_win_for_nobody() {
        let mut corpus = corpus();
        corpus["cases"][0]["left"]["stars"] = json!(0);
        let results = run(&corpus.to_string(), Weights::CONTRACT).unwrap();
        assert_eq!(results[0].predicted, ["tie", "score:left=30"]);
    }

    fn notices(what: &str, weights: Weights) {
        let results = run(Suite::RemoteQuality.own_corpus(), weights).unwrap();
        assert!(results.iter().any(|result| !result.passes()), "no case notices {what}");
    }

    #[test]
    fn the_corpus_notices_a_step_of_any_weight() {
        macro_rules! steps {
            ($($field:ident)+) => {$(
                let weight = Weights::CONTRACT.$field;
                for changed in [weight - 1, weight + 1, 0] {
                    let what = format!("{} {changed}", stringify!($field));
                    notices(&what, Weights { $field: changed, ..Weights::CONTRACT });
                }
            )+};
        }
        steps!(whole_relevance whole_relevance_from relevance_factor relevance_cap);
        steps!(recent maintained maintained_windows alive alive_days);
        steps!(trusted_owner organisation licence official verified community);
        steps!(several_sources content_pinned cap);
    }

    #[test]
    fn the_corpus_notices_each_step_of_each_logarithm() {
        let contract = Weights::CONTRACT;
        let changes = |Logarithm { factor, cap }| {
            [(factor - 1, cap), (factor + 1, cap), (0, cap)]
                .into_iter()
                .chain((0..cap).chain([cap + 1]).map(move |cap| (factor, cap)))
                .map(|(factor, cap)| Logarithm { factor, cap })
        };
        for installs in changes(contract.installs) {
            notices(&format!("installs {installs:?}"), Weights { installs, ..contract });
        }
        for stars in changes(contract.stars) {
            notices(&format!("stars {stars:?}"), Weights { stars, ..contract });
        }
        for forks in changes(contract.forks) {
            notices(&format!("forks {forks:?}"), Weights { forks, ..contract });
        }
    }
}
