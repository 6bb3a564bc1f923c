//! Remote-fallback cases: offers of one name, which of them are tried when it is loaded, and what is left.
//!
//! The format is version 2 of the original's. Nobody can be asked in a case, so that only the policy
//! `automatic` tries anything.

use serde::Deserialize;

use super::{CaseFile, EvalError, check_unique, parse_version};
use crate::{
    eval::{Suite, metrics::CaseResult},
    route::offers::{ApprovalPolicy, Attempt, Chain},
};

/// The limit of published candidates where a case names none.
const LIMIT: usize = 3;

/// Runs the cases of a remote-fallback corpus.
pub(crate) fn run(corpus: &str) -> Result<Vec<CaseResult>, EvalError> {
    let file: CaseFile<Case> = parse_version(Suite::RemoteFallback, corpus, 2)?;
    check_unique(file.cases.iter().map(|case| case.id.as_str()))?;
    file.cases.iter().map(Case::run).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    id: String,
    policy: PolicyWord,
    limit: Option<usize>,
    results: Vec<ResultWord>,
    published: Vec<usize>,
    attempts: Vec<usize>,
    outcomes: Vec<OutcomeWord>,
    loaded: Vec<usize>,
    remaining: Vec<usize>,
    note: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum PolicyWord {
    Always,
    Session,
    Automatic,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum ResultWord {
    Ok,
    VerifyFail,
    InstallFail,
    Timeout,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum OutcomeWord {
    Loaded,
    MountFailed,
    MountTimeout,
}

impl OutcomeWord {
    fn attempt(self) -> Attempt {
        match self {
            Self::Loaded => Attempt::Loaded,
            Self::MountFailed => Attempt::Failed,
            Self::MountTimeout => Attempt::TimedOut,
        }
    }
}

impl Case {
    fn run(&self) -> Result<CaseResult, EvalError> {
        let limit = self.limit.unwrap_or(LIMIT);
        let policy = match self.policy {
            PolicyWord::Always => ApprovalPolicy::Always,
            PolicyWord::Session => ApprovalPolicy::Session,
            PolicyWord::Automatic => ApprovalPolicy::Automatic,
        };
        let rules = [
            ((1..=5).contains(&limit), "has a limit outside 1 to 5"),
            (self.attempts.len() == self.outcomes.len(), "has not one outcome for each attempt"),
            (
                self.expected_indices().all(|&index| index < self.results.len()),
                "names a candidate that has no result",
            ),
        ];
        if let Some((_, problem)) = rules.iter().find(|(holds, _)| !holds) {
            return Err(EvalError::Case { id: self.id.clone(), problem });
        }
        let mut chain = Chain::new(self.results.len(), limit);
        while policy.admits_unasked(false)
            && let Some(candidate) = chain.next()
        {
            chain.record(candidate, self.attempt(candidate));
        }
        let expected_attempts: Vec<(usize, Attempt)> =
            self.attempts.iter().copied().zip(self.outcomes.iter().map(|word| word.attempt())).collect();
        Ok(CaseResult {
            id: self.id.clone(),
            category: if chain.attempts().is_empty() { "not tried" } else { "tried" }.to_owned(),
            expected: words(&self.published, &expected_attempts, &self.loaded, &self.remaining),
            predicted: words(
                &chain.published().collect::<Vec<_>>(),
                chain.attempts(),
                &loaded(chain.attempts()),
                chain.remaining(),
            ),
            within_limit: chain.attempts().len() <= limit,
            note: self.note.clone(),
            ..CaseResult::default()
        })
    }

    fn expected_indices(&self) -> impl Iterator<Item = &usize> {
        [&self.published, &self.attempts, &self.loaded, &self.remaining].into_iter().flatten()
    }

    fn attempt(&self, candidate: usize) -> Attempt {
        match self.results[candidate] {
            ResultWord::Ok => Attempt::Loaded,
            ResultWord::VerifyFail | ResultWord::InstallFail => Attempt::Failed,
            ResultWord::Timeout => Attempt::TimedOut,
        }
    }
}

fn loaded(attempts: &[(usize, Attempt)]) -> Vec<usize> {
    let succeeded = attempts.iter().filter(|(_, attempt)| *attempt == Attempt::Loaded);
    succeeded.map(|(candidate, _)| *candidate).collect()
}

fn words(
    published: &[usize],
    attempts: &[(usize, Attempt)],
    loaded: &[usize],
    remaining: &[usize],
) -> Vec<String> {
    let plain = |kind: &'static str, numbers: &[usize]| {
        numbers.iter().map(move |number| format!("{kind}:{number}")).collect::<Vec<_>>()
    };
    let mut words = plain("published", published);
    words.extend(attempts.iter().map(|(candidate, attempt)| format!("{}:{candidate}", attempt.as_str())));
    words.extend(plain("read", loaded));
    words.extend(plain("remaining", remaining));
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn contradictions_are_refused() {
        let case = json!({"id": "one", "policy": "automatic", "results": ["ok"], "published": [0],
            "attempts": [0], "outcomes": ["loaded"], "loaded": [0], "remaining": []});
        let corpus = |case: &serde_json::Value| json!({"version": 2, "cases": [case]}).to_string();
        assert!(run(&corpus(&case)).unwrap()[0].passes());
        for (field, value, problem) in [
            ("limit", json!(0), "has a limit outside 1 to 5"),
            ("limit", json!(6), "has a limit outside 1 to 5"),
            ("outcomes", json!([]), "has not one outcome for each attempt"),
            ("remaining", json!([1]), "names a candidate that has no result"),
        ] {
            let mut case = case.clone();
            case[field] = value;
            assert_eq!(run(&corpus(&case)).unwrap_err().to_string(), format!("case `one` {problem}"));
        }
        let first = json!({"version": 1, "cases": [case]}).to_string();
        let message = "the corpus of suite `remote-fallback` has version `1`, only `2` is known";
        assert_eq!(run(&first).unwrap_err().to_string(), message);
    }
}
