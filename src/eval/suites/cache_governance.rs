//! Cache-governance cases: stored skills against a policy, and which of them go, in which order and why.
//!
//! The format is the original's, with the loaded tokens that its use records also hold.

use std::{collections::BTreeSet, num::NonZeroU64};

use serde::Deserialize;

use super::{EvalError, check_unique, parse_list};
use crate::{
    eval::{Suite, metrics::CaseResult},
    skill::time::UnixMillis,
    store::prune::{CacheId, Criterion, Installed, Policy, Reason, UseRecord, plan_with},
};

/// Runs the cases of a cache-governance corpus.
pub(crate) fn run(corpus: &str, order: &[Criterion]) -> Result<Vec<CaseResult>, EvalError> {
    let cases: Vec<Case> = parse_list(Suite::CacheGovernance, corpus)?;
    check_unique(cases.iter().map(|case| case.id.as_str()))?;
    cases.iter().map(|case| case.run(order)).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    id: String,
    now: i64,
    policy: PolicyEntry,
    entries: Vec<Entry>,
    evidence: Vec<Record>,
    active: Vec<String>,
    expected: Vec<Expected>,
    note: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "these are the names of the format")]
struct PolicyEntry {
    max_entries: NonZeroU64,
    max_total_bytes: NonZeroU64,
    max_idle_ms: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    cache_id: String,
    source: String,
    name: String,
    installed_at: String,
    total_bytes: u64,
    quality_score: Option<u8>,
    installs: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Record {
    source: String,
    name: String,
    cache_id: Option<String>,
    mounts: u64,
    uses: u64,
    last_mounted_at: Option<i64>,
    last_used_at: Option<i64>,
    #[serde(default)]
    total_loaded_body_tokens: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Expected {
    cache_id: String,
    reason: ReasonWord,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum ReasonWord {
    Idle,
    EntryLimit,
    ByteLimit,
    EntryAndByteLimit,
}

impl Case {
    fn run(&self, order: &[Criterion]) -> Result<CaseResult, EvalError> {
        self.check()?;
        let policy = Policy {
            max_entries: self.policy.max_entries,
            max_total_bytes: self.policy.max_total_bytes,
            max_idle_ms: self.policy.max_idle_ms,
        };
        let entries =
            self.entries.iter().map(|entry| self.installed(entry)).collect::<Result<Vec<_>, _>>()?;
        let records =
            self.evidence.iter().map(|record| self.record(record)).collect::<Result<Vec<_>, _>>()?;
        let active = self.active.iter().map(|id| self.cache_id(id)).collect::<Result<_, _>>()?;
        let plan = plan_with(order, policy, &entries, &records, &active, UnixMillis(self.now));
        let decision = |id: &str, reason: Reason| format!("{id}:{reason}");
        let expected = self.expected.iter().map(|one| decision(&one.cache_id, one.reason.reason()));
        let predicted = plan.decisions.iter().map(|one| decision(one.id.as_str(), one.reason));
        let category = self.expected.first().map_or("kept", |first| first.reason.reason().as_str());
        Ok(CaseResult {
            id: self.id.clone(),
            category: category.to_owned(),
            expected: expected.collect(),
            predicted: predicted.collect(),
            within_limit: policy.is_kept_by(plan.after)
                || plan.decisions.len() + plan.protected.len() == entries.len(),
            note: self.note.clone(),
            ..CaseResult::default()
        })
    }

    fn installed(&self, entry: &Entry) -> Result<Installed, EvalError> {
        Ok(Installed {
            id: self.cache_id(&entry.cache_id)?,
            source: entry.source.clone(),
            name: entry.name.clone(),
            installed_at: UnixMillis::parse(&entry.installed_at)
                .ok_or_else(|| self.problem("has an `installedAt` that is no date"))?,
            total_bytes: entry.total_bytes,
            quality: entry.quality_score,
            installs: entry.installs,
        })
    }

    fn record(&self, record: &Record) -> Result<UseRecord, EvalError> {
        Ok(UseRecord {
            source: record.source.clone(),
            name: record.name.clone(),
            id: record.cache_id.as_deref().map(|id| self.cache_id(id)).transpose()?,
            mounts: record.mounts,
            uses: record.uses,
            last_mounted_at: record.last_mounted_at.map(UnixMillis),
            last_used_at: record.last_used_at.map(UnixMillis),
            loaded_body_tokens: record.total_loaded_body_tokens,
        })
    }

    fn cache_id(&self, text: &str) -> Result<CacheId, EvalError> {
        CacheId::parse(text).ok_or_else(|| self.problem("has a `cacheId` that is none"))
    }

    fn check(&self) -> Result<(), EvalError> {
        let stored = self.entries.iter().map(|entry| &entry.cache_id).collect::<BTreeSet<_>>();
        let active = self.active.iter().collect::<BTreeSet<_>>();
        let expected = self.expected.iter().map(|one| &one.cache_id).collect::<BTreeSet<_>>();
        let is_known_quality = |entry: &Entry| entry.quality_score.is_none_or(|quality| quality <= 100);
        let rules = [
            (stored.len() == self.entries.len(), "stores an entry twice"),
            (active.len() == self.active.len(), "has an active entry twice"),
            (expected.len() == self.expected.len(), "expects an entry twice"),
            (expected.is_subset(&stored), "expects an entry that is not stored"),
            (expected.is_disjoint(&active), "expects an active entry to go"),
            (self.entries.iter().all(is_known_quality), "has a quality above 100"),
        ];
        rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, problem)| Err(self.problem(problem)))
    }

    fn problem(&self, problem: &'static str) -> EvalError {
        EvalError::Case { id: self.id.clone(), problem }
    }
}

impl ReasonWord {
    fn reason(self) -> Reason {
        match self {
            Self::Idle => Reason::Idle,
            Self::EntryLimit => Reason::EntryLimit,
            Self::ByteLimit => Reason::ByteLimit,
            Self::EntryAndByteLimit => Reason::EntryAndByteLimit,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn corpus() -> Value {
        json!([{
            "id": "one",
            "now": 1_000,
            "policy": {"maxEntries": 1, "maxTotalBytes": 9, "maxIdleMs": 0},
            "entries": [
                {"cacheId": "a".repeat(24), "source": "s", "name": "a", "installedAt": "1970-01-01T00:00:00Z", "totalBytes": 1},
                {"cacheId": "b".repeat(24), "source": "s", "name": "b", "installedAt": "1970-01-01T00:00:00Z", "totalBytes": 1},
            ],
            "evidence": [{"source": "s", "name": "b", "mounts": 1, "uses": 1}],
            "active": [],
            "expected": [{"cacheId": "a".repeat(24), "reason": "entry-limit"}],
        }])
    }

    fn run_contract(corpus: &Value) -> Result<Vec<CaseResult>, EvalError> {
        run(&corpus.to_string(), &Criterion::ORDER)
    }

    #[test]
    fn contradictions_are_refused_by_name() {
        assert!(run_contract(&corpus()).unwrap()[0].passes());
        let (a, c) = ("a".repeat(24), "c".repeat(24));
        let goes = |id: &str| json!({"cacheId": id, "reason": "idle"});
        let format = "the corpus has not the format of suite `cache-governance`";
        for (pointer, value, message) in [
            ("/0/policy/maxEntries", json!(0), format),
            ("/0/policy/maxTotalBytes", json!(0), format),
            ("/0/policy/maxIdleMs", json!(-1), format),
            ("/0/expected/0/reason", json!("bored"), format),
            ("/0/evidence/0/lastused", json!(1), format),
            ("/0/entries/1/cacheId", json!(a), "case `one` stores an entry twice"),
            ("/0/active", json!([c, c]), "case `one` has an active entry twice"),
            ("/0/active", json!([a]), "case `one` expects an active entry to go"),
            ("/0/active", json!(["A"]), "case `one` has a `cacheId` that is none"),
            ("/0/expected", json!([goes(&c)]), "case `one` expects an entry that is not stored"),
            ("/0/expected", json!([goes(&a), goes(&a)]), "case `one` expects an entry twice"),
            ("/0/entries/0/qualityScore", json!(101), "case `one` has a quality above 100"),
            (
                "/0/entries/0/installedAt",
                json!("yesterday"),
                "case `one` has an `installedAt` that is no date",
            ),
        ] {
            let mut corpus = corpus();
            let (parent, field) = pointer.rsplit_once('/').unwrap();
            let parent = corpus.pointer_mut(parent).unwrap();
            match field.parse::<usize>() {
                Ok(index) => parent[index] = value,
                Err(_) => parent[field] = value,
            }
            assert_eq!(run_contract(&corpus).unwrap_err().to_string(), message, "{pointer}");
        }
    }

    fn own() -> &'static str {
        Suite::CacheGovernance.own_corpus()
    }

    fn notices(what: &str, corpus: &str, order: &[Criterion]) {
        let results = run(corpus, order).unwrap();
        assert!(results.iter().any(|result| !result.passes()), "no case notices {what}");
    }

    #[test]
    fn the_corpus_notices_each_criterion_and_its_place() {
        for index in 0..Criterion::ORDER.len() {
            let mut order = Criterion::ORDER.to_vec();
            let left_out = order.remove(index);
            notices(&format!("without {left_out:?}"), own(), &order);
            if index + 1 < Criterion::ORDER.len() {
                let mut order = Criterion::ORDER;
                order.swap(index, index + 1);
                notices(&format!("{left_out:?} one later"), own(), &order);
            }
        }
    }

    /// The own corpus with one number of each case changed.
    fn changed(pointer: &str, change: impl Fn(u64) -> u64) -> String {
        let mut corpus: Value = serde_json::from_str(own()).unwrap();
        for case in corpus.as_array_mut().unwrap() {
            let number = case.pointer_mut(pointer).unwrap();
            *number = json!(change(number.as_u64().unwrap()));
        }
        corpus.to_string()
    }

    #[test]
    fn the_corpus_notices_the_edge_of_each_limit() {
        for pointer in ["/policy/maxEntries", "/policy/maxTotalBytes"] {
            notices(pointer, &changed(pointer, |limit| limit + 1), &Criterion::ORDER);
            notices(pointer, &changed(pointer, |limit| (limit - 1).max(1)), &Criterion::ORDER);
        }
        let idle = "/policy/maxIdleMs";
        let unless_off = |change: fn(u64) -> u64| move |limit| if limit == 0 { 0 } else { change(limit) };
        notices("a later idle edge", &changed(idle, unless_off(|limit| limit + 1)), &Criterion::ORDER);
        notices("an earlier idle edge", &changed(idle, unless_off(|limit| limit - 1)), &Criterion::ORDER);
        notices("idle that is never off", &changed(idle, |limit| limit.max(1)), &Criterion::ORDER);
    }

    #[test]
    fn the_corpus_notices_what_a_record_says() {
        for field in ["cacheId", "mounts", "uses", "lastMountedAt", "lastUsedAt", "totalLoadedBodyTokens"] {
            let mut corpus: Value = serde_json::from_str(own()).unwrap();
            for record in corpus
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .flat_map(|case| case["evidence"].as_array_mut().unwrap().iter_mut())
            {
                let record = record.as_object_mut().unwrap();
                record.remove(field);
                if matches!(field, "mounts" | "uses") {
                    record.insert(field.to_owned(), json!(0));
                }
            }
            notices(field, &corpus.to_string(), &Criterion::ORDER);
        }
    }
}
