//! The weights of the confidence: a logistic regression over what would be printed.
//!
//! A candidate is an example when it stands among the first few of a prompt and it is known whether it serves. Weights
//! cost their squares, on features of equal spread, and keep the signs of the order.

use super::{
    descent::{Bounds, minimum},
    listwise::bounds,
};
use crate::rank::{
    features::{FEATURES, NAMES},
    fuse::{CONFIDENCE, STANDING},
};

/// What the square of a weight costs.
const SQUARES: f64 = 1e-3;
/// The most steps.
const STEPS: usize = 200;

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
    let total: f64 = examples.iter().map(|example| example.weight).sum::<f64>().max(1e-9);
    let mean = |of: &dyn Fn(&Example) -> f64| {
        examples.iter().map(|example| example.weight * of(example)).sum::<f64>() / total
    };
    let means: [f64; CONFIDENCE] = std::array::from_fn(|at| mean(&|example| example.values[at]));
    let spreads: [f64; CONFIDENCE] =
        std::array::from_fn(|at| mean(&|example| (example.values[at] - means[at]).powi(2)).sqrt() + 1e-6);
    let scaled = |example: &Example| Example {
        values: std::array::from_fn(|at| (example.values[at] - means[at]) / spreads[at]),
        ..example.clone()
    };
    let examples: Vec<Example> = examples.iter().map(scaled).collect();
    let bounds: Vec<Bounds> = (0..CONFIDENCE).map(|at| bounds(name(at))).chain([Bounds::FREE]).collect();
    let found = minimum(&bounds, STEPS, &|weights, slope| cost(&examples, total, weights, slope));
    let weights: [f64; CONFIDENCE] = std::array::from_fn(|at| found[at] / spreads[at]);
    let shift: f64 = weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum();
    (weights, found[CONFIDENCE] - shift)
}

/// The cost of the weights, the last of which is what the confidence starts from; its slope is written.
fn cost(examples: &[Example], total: f64, weights: &[f64], slope: &mut [f64]) -> f64 {
    slope.fill(0.0);
    let mut value = 0.0;
    for example in examples {
        let sum: f64 = example.values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        let sum = sum + weights[CONFIDENCE];
        let signed = if example.serves { sum } else { -sum };
        let surprise = if signed > 0.0 { (-signed).exp().ln_1p() } else { signed.exp().ln_1p() - signed };
        value += example.weight * surprise / total;
        let wrong = example.weight / (1.0 + signed.exp()) / total;
        let pull = if example.serves { -wrong } else { wrong };
        for (slope, value) in slope.iter_mut().zip(example.values.iter().chain([&1.0])) {
            *slope += pull * value;
        }
    }
    for (slope, weight) in slope.iter_mut().zip(weights).take(CONFIDENCE) {
        *slope += 2.0 * SQUARES * weight;
        value += SQUARES * weight * weight;
    }
    value
}

fn name(place: usize) -> &'static str {
    if place < FEATURES { NAMES[place] } else { STANDING[place - FEATURES] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(value: f64, serves: bool) -> Example {
        let mut values = [0.0; CONFIDENCE];
        values[0] = value;
        Example { values, serves, weight: 1.0 }
    }

    #[test]
    fn what_serves_is_told_from_what_does_not() {
        let examples: Vec<Example> =
            (0..40).map(|number| example(f64::from(number), number >= 20 || number == 3)).collect();
        let (weights, bias) = confidence(&examples);
        let sum = |value: f64| weights[0] * value + bias;
        assert!(sum(35.0) > 1.0 && sum(5.0) < -1.0);
        let (_, even) = confidence(&[]);
        assert!(even.abs() < 1e-9);
    }

    #[test]
    fn the_slope_is_that_of_the_cost() {
        let examples = [example(0.7, true), example(0.2, false)];
        let mut weights = vec![0.3; CONFIDENCE + 1];
        let mut slope = vec![0.0; CONFIDENCE + 1];
        let value = cost(&examples, 2.0, &weights, &mut slope);
        for place in [0, 5, CONFIDENCE] {
            weights[place] += 1e-6;
            let next = cost(&examples, 2.0, &weights, &mut vec![0.0; CONFIDENCE + 1]);
            assert!(((next - value) / 1e-6 - slope[place]).abs() < 1e-4, "{place}");
            weights[place] -= 1e-6;
        }
    }
}
