//! Remote-cache cases: the age of a stored search result, and whether it may still be used.
//!
//! The format is the original's.

use serde::Deserialize;

use super::{EvalError, check_unique, parse_list};
use crate::{
    eval::{Suite, metrics::CaseResult},
    store::discovery::{Lifetimes, State},
};

/// Runs the cases of a remote-cache corpus with this rule.
pub(crate) fn run(
    corpus: &str,
    state: impl Fn(u64, Lifetimes) -> State,
) -> Result<Vec<CaseResult>, EvalError> {
    let cases: Vec<Case> = parse_list(Suite::RemoteCache, corpus)?;
    check_unique(cases.iter().map(|case| case.id.as_str()))?;
    Ok(cases.iter().map(|case| case.run(&state)).collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    id: String,
    age_ms: u64,
    ttl_ms: u64,
    stale_if_error_ms: u64,
    expected: StateWord,
    note: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum StateWord {
    Fresh,
    Stale,
    Expired,
}

impl Case {
    fn run(&self, state: impl Fn(u64, Lifetimes) -> State) -> CaseResult {
        let lifetimes = Lifetimes { ttl_ms: self.ttl_ms, stale_if_error_ms: self.stale_if_error_ms };
        let expected = match self.expected {
            StateWord::Fresh => State::Fresh,
            StateWord::Stale => State::Stale,
            StateWord::Expired => State::Expired,
        };
        CaseResult {
            id: self.id.clone(),
            category: expected.to_string(),
            expected: vec![expected.to_string()],
            predicted: vec![state(self.age_ms, lifetimes).to_string()],
            within_limit: true,
            note: self.note.clone(),
            ..CaseResult::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::store::discovery::state;

    #[test]
    fn contradictions_are_refused() {
        let case = json!({"id": "one", "ageMs": 1, "ttlMs": 1, "staleIfErrorMs": 0, "expected": "fresh"});
        assert!(run(&json!([case]).to_string(), state).unwrap()[0].passes());
        let format = "the corpus has not the format of suite `remote-cache`";
        for (corpus, message) in [
            (json!([case, case]), "the case `one` stands twice"),
            (json!({"version": 1, "cases": [case]}), format),
            (json!([{"id": "one", "ageMs": 1, "ttlMs": 1, "expected": "fresh"}]), format),
        ] {
            assert_eq!(run(&corpus.to_string(), state).unwrap_err().to_string(), message);
        }
        for (field, value) in [("ageMs", json!(-1)), ("ageMs", json!(0.5)), ("expected", json!("rotten"))] {
            let mut case = case.clone();
            case[field] = value;
            assert_eq!(run(&json!([case]).to_string(), state).unwrap_err().to_string(), format, "{field}");
        }
    }

    #[test]
    fn the_corpus_notices_every_other_rule() {
        type Rule = fn(u64, Lifetimes) -> State;
        let others: [(&str, Rule); 7] = [
            ("a result as old as its time is stale", |age, with| {
                if age == with.ttl_ms && age > 0 { State::Stale } else { state(age, with) }
            }),
            ("a result of the last stale moment is expired", |age, with| {
                if age > with.ttl_ms && age - with.ttl_ms == with.stale_if_error_ms {
                    State::Expired
                } else {
                    state(age, with)
                }
            }),
            ("a fresh result lives a moment longer", |age, with| state(age.saturating_sub(1), with)),
            ("a stale result lives a moment longer", |age, with| {
                let stale_if_error_ms = with.stale_if_error_ms + 1;
                state(age, Lifetimes { stale_if_error_ms, ..with })
            }),
            (
                "a time of 0 keeps for a moment",
                |age, with| {
                    if age == 0 { State::Fresh } else { state(age, with) }
                },
            ),
            ("a time of 0 leaves stale results", |age, with| {
                if with.ttl_ms == 0 && age <= with.stale_if_error_ms {
                    State::Stale
                } else {
                    state(age, with)
                }
            }),
            ("the stale time begins when the result is stored", |age, with| {
                let stale_if_error_ms = with.stale_if_error_ms.saturating_sub(with.ttl_ms);
                state(age, Lifetimes { stale_if_error_ms, ..with })
            }),
        ];
        for (what, other) in others {
            let results = run(Suite::RemoteCache.own_corpus(), other).unwrap();
            assert!(results.iter().any(|result| !result.passes()), "no case notices that {what}");
        }
    }
}
