//! The weights of the confidence: a logistic regression over what would be printed.
//!
//! A candidate is an example when it stands among the first few of a prompt and it is known whether it serves. Few
//! features take part, each a thing that a person would name; weights cost their squares, on features of equal
//! spread.

use super::descent::{Bounds, minimum};
use crate::rank::{
    features::{FEATURES, NAMES},
    fuse::{CONFIDENCE, STANDING},
};

/// What the square of a weight costs.
const SQUARES: f64 = 1e-2;
/// The most steps.
const STEPS: usize = 200;

/// The features that take part.
const TAKEN: [&str; 18] = [
    "score-share",
    "about-matched",
    "not-for-matched",
    "not-for-only",
    "any-matched",
    "name-matched",
    "about-covered",
    "about-pairs",
    "not-for-pairs",
    "rarest-anywhere",
    "beginning-matched",
    "prose-pairs",
    "prose-matched",
    "name-information",
    "lead",
    "share-logarithm",
    "first",
    "prompt-length",
];

/// A candidate of which it is known whether it serves its prompt.
#[derive(Debug, Clone)]
pub(super) struct Example {
    /// Its features and its standing.
    pub(super) values: [f64; CONFIDENCE],
    /// Whether it serves.
    pub(super) serves: bool,
    /// How much it counts.
    pub(super) weight: f64,
}

/// The weights by feature and standing, and what the confidence starts from.
pub(super) fn confidence(examples: &[Example]) -> ([f64; CONFIDENCE], f64) {
    let taken: Vec<usize> = (0..CONFIDENCE).filter(|&place| TAKEN.contains(&name(place))).collect();
    let total: f64 = examples.iter().map(|example| example.weight).sum::<f64>().max(1e-9);
    let mean = |of: &dyn Fn(&Example) -> f64| {
        examples.iter().map(|example| example.weight * of(example)).sum::<f64>() / total
    };
    let means: Vec<f64> = taken.iter().map(|&place| mean(&|example| example.values[place])).collect();
    let spread = |(&place, centre): (&usize, &f64)| {
        mean(&|example| (example.values[place] - centre).powi(2)).sqrt() + 1e-6
    };
    let spreads: Vec<f64> = taken.iter().zip(&means).map(spread).collect();
    let rows: Vec<Vec<f64>> = examples
        .iter()
        .map(|example| {
            let scaled = |(at, &place): (usize, &usize)| (example.values[place] - means[at]) / spreads[at];
            taken.iter().enumerate().map(scaled).chain([1.0]).collect()
        })
        .collect();
    let cost = |weights: &[f64], slope: &mut [f64]| {
        slope.fill(0.0);
        let mut value = 0.0;
        for (row, example) in rows.iter().zip(examples) {
            let sum: f64 = row.iter().zip(weights).map(|(value, weight)| value * weight).sum();
            let signed = if example.serves { sum } else { -sum };
            let wrong = 1.0 / (1.0 + signed.exp());
            value += example.weight
                * if signed > 0.0 { (-signed).exp().ln_1p() } else { signed.exp().ln_1p() - signed };
            let pull = example.weight * if example.serves { -wrong } else { wrong };
            for (slope, value) in slope.iter_mut().zip(row) {
                *slope += pull * value;
            }
        }
        value /= total;
        for slope in slope.iter_mut() {
            *slope /= total;
        }
        for (slope, weight) in slope.iter_mut().zip(weights).take(taken.len()) {
            *slope += 2.0 * SQUARES * weight;
            value += SQUARES * weight * weight;
        }
        value
    };
    let found = minimum(&vec![Bounds::FREE; taken.len() + 1], STEPS, &cost);
    let mut weights = [0.0; CONFIDENCE];
    let mut bias = found.last().copied().unwrap_or_default();
    for (at, &place) in taken.iter().enumerate() {
        weights[place] = found[at] / spreads[at];
        bias -= weights[place] * means[at];
    }
    (weights, bias)
}

fn name(place: usize) -> &'static str {
    if place < FEATURES { NAMES[place] } else { STANDING[place - FEATURES] }
}
