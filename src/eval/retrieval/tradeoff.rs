//! What a threshold of the confidence costs and what it saves.

use super::{
    corpus::{Answer, Corpus},
    measures::{CATALOG, Outcome},
};
use crate::rank::fuse;

/// What one threshold does; shares are from 0 to 1, none of no cases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The least confidence of what is printed.
    pub threshold: f64,
    /// The share of prompts with a right skill among the first three of which none is printed.
    pub lost: f64,
    /// The share of near misses for which the wrong skill is printed.
    pub forbidden: Option<f64>,
    /// The share of prompts that nothing serves for which something is printed.
    pub noise: Option<f64>,
    /// How many skills are printed for a prompt that has a right one.
    pub entries: f64,
}

/// The thresholds in steps of a hundredth; empty where the order has no confidence.
pub fn tradeoff(corpus: &Corpus, outcomes: &[Outcome]) -> Vec<Point> {
    if outcomes.iter().all(|outcome| outcome.sure.is_empty()) {
        return Vec::new();
    }
    (0..=100u32).map(|step| point(corpus, outcomes, f64::from(step) / 100.0)).collect()
}

fn point(corpus: &Corpus, outcomes: &[Outcome], threshold: f64) -> Point {
    let (mut lost, mut forbidden, mut noise) = (Share::default(), Share::default(), Share::default());
    let mut entries = Share::default();
    for (case, outcome) in corpus.cases.iter().zip(outcomes) {
        let printed = fuse::printed_of(&outcome.sure, threshold);
        let holds = outcome.ranks.iter().flatten().any(|rank| printed.contains(rank));
        match case.answer {
            Answer::Any(_) | Answer::All(_) => {
                let is_near = outcome.ranks.iter().flatten().any(|&rank| rank < CATALOG);
                lost.add(f64::from(u8::from(is_near && !holds)));
                entries.add(f64::from(u32::try_from(printed.len()).unwrap_or(u32::MAX)));
            }
            Answer::Not(_) => forbidden.add(f64::from(u8::from(holds))),
            Answer::Nothing => noise.add(f64::from(u8::from(!printed.is_empty()))),
            Answer::Attacked(..) => {}
        }
    }
    Point {
        threshold,
        lost: lost.value().unwrap_or_default(),
        forbidden: forbidden.value(),
        noise: noise.value(),
        entries: entries.value().unwrap_or_default(),
    }
}

#[derive(Default)]
struct Share {
    sum: f64,
    count: f64,
}

impl Share {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum / self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_threshold_prints_less() {
        let mut corpus = Corpus::of_skills("{\"id\": \"a\", \"name\": \"a\"}").unwrap();
        corpus.add_queries("queries", "{\"query\": \"x\", \"gold\": \"a\"}").unwrap();
        corpus
            .add_negatives("{\"query\": \"y\", \"not_gold\": \"a\"}\n{\"query\": \"z\", \"not_gold\": \"*\"}")
            .unwrap();
        let outcome = |ranks: &[Option<usize>], confidence: f64| Outcome {
            ranks: ranks.to_vec(),
            sure: vec![(confidence, 0.9)],
            ..Outcome::default()
        };
        let outcomes = [outcome(&[Some(0)], 0.8), outcome(&[Some(0)], 0.4), outcome(&[], 0.2)];
        let points = tradeoff(&corpus, &outcomes);
        let at = |step: usize| {
            let Point { lost, forbidden, noise, entries, .. } = points[step];
            (lost, forbidden, noise, entries)
        };
        assert_eq!(at(10), (0.0, Some(1.0), Some(1.0), 1.0));
        assert_eq!(at(30), (0.0, Some(1.0), Some(0.0), 1.0));
        assert_eq!(at(50), (0.0, Some(0.0), Some(0.0), 1.0));
        assert_eq!(at(90), (1.0, Some(0.0), Some(0.0), 0.0));
        assert!(tradeoff(&corpus, &[Outcome::default()]).is_empty());
    }
}
