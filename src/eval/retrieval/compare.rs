//! A run held against a recorded one, prompt by prompt.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    chance::{Value, interval, mean, probability},
    corpus::Corpus,
    measures::{NEGATIVE, Outcome, POSITIVE, group, values},
};

/// What is read of a recorded run: the values of its prompts.
#[derive(Debug, Deserialize)]
pub struct Recorded {
    prompts: Vec<RecordedPrompt>,
}

#[derive(Debug, Deserialize)]
struct RecordedPrompt {
    id: String,
    values: BTreeMap<String, f64>,
}

/// How a measure changed over the prompts that both runs have.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The measure.
    pub name: &'static str,
    /// Its mean in the recorded run.
    pub before: f64,
    /// Its mean in this one.
    pub after: f64,
    /// Where the difference lies in 95 of 100 draws.
    pub interval: (f64, f64),
    /// How likely so large a difference would be by chance.
    pub probability: f64,
    /// The number of prompts.
    pub cases: usize,
}

/// Whether a measure is of prompts that nothing serves, and its place among those.
type Key = (bool, usize);
/// The skill that a prompt is about, and the measure before and after.
type Pair = (usize, f64, f64);

impl Recorded {
    /// Reads what `eval retrieval --json` printed.
    ///
    /// # Errors
    ///
    /// When the text is no such document.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The change of each measure from this run to `outcomes`.
    pub fn changes(&self, corpus: &Corpus, outcomes: &[Outcome]) -> Vec<Change> {
        let before: BTreeMap<&str, &BTreeMap<String, f64>> =
            self.prompts.iter().map(|prompt| (prompt.id.as_str(), &prompt.values)).collect();
        let mut pairs: BTreeMap<Key, Vec<Pair>> = BTreeMap::new();
        for (number, (case, outcome)) in corpus.cases.iter().zip(outcomes).enumerate() {
            let Some(before) = before.get(case.id.as_str()) else { continue };
            for (place, after) in values(&case.answer, outcome).into_iter().enumerate() {
                let key = (!case.answer.is_positive(), place);
                if let (Some(after), Some(before)) = (after, before.get(name(key))) {
                    pairs.entry(key).or_default().push((group(case, number), *before, after));
                }
            }
        }
        let change = |(key, pairs): (Key, Vec<Pair>)| {
            let of = |value: &dyn Fn(f64, f64) -> f64| -> Vec<Value> {
                pairs.iter().map(|&(group, before, after)| (group, value(before, after))).collect()
            };
            let differences = of(&|before, after| after - before);
            Change {
                name: name(key),
                before: mean(&of(&|before, _| before)),
                after: mean(&of(&|_, after| after)),
                interval: interval(&differences),
                probability: probability(&differences),
                cases: pairs.len(),
            }
        };
        pairs.into_iter().map(change).collect()
    }
}

fn name((is_negative, place): (bool, usize)) -> &'static str {
    if is_negative { NEGATIVE[place] } else { POSITIVE[place] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_compared_by_their_ids() {
        let mut corpus =
            Corpus::of_skills("{\"id\": \"a\", \"name\": \"a\"}\n{\"id\": \"b\", \"name\": \"b\"}").unwrap();
        let queries = r#"{"id": "1", "query": "x", "gold": "a"}
            {"id": "2", "query": "x", "gold": "b"}
            {"id": "new", "query": "x", "gold": "b"}"#;
        corpus.add_queries("queries", queries).unwrap();
        let recorded = r#"{"other": 1, "prompts": [
            {"id": "1", "values": {"hit_at_1": 0, "mrr": 0.5}},
            {"id": "2", "values": {"hit_at_1": 1}},
            {"id": "gone", "values": {"hit_at_1": 1}}]}"#;
        let outcome = Outcome { ranks: vec![Some(0)], printed: vec![0], ..Outcome::default() };
        let changes = Recorded::parse(recorded).unwrap().changes(&corpus, &vec![outcome; 3]);
        let found: Vec<_> =
            changes.iter().map(|change| (change.name, change.before, change.after, change.cases)).collect();
        assert_eq!(found, [("hit_at_1", 0.5, 1.0, 2), ("mrr", 0.5, 1.0, 1)]);
        assert_eq!(changes[0].interval, (0.0, 1.0));
        assert!(changes[0].probability > 0.3);
        assert!(Recorded::parse("{}").is_err());
    }
}
