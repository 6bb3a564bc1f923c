//! The weights of the order: a softmax over the candidates of each prompt.
//!
//! A prompt costs the negative logarithm of how much of the softmax its right candidates have (the top-one form of
//! `ListNet`, Cao and others, 2007), and weights cost their squares, on features of equal spread. A feature has a
//! weight for long prompts and one for short ones, and a prompt in between mixes them ([`shortness`]).

use super::descent::{Bounds, minimum};
use crate::rank::{
    features::{FEATURES, Features, NAMES},
    fuse::shortness,
};

/// What the square of a weight costs.
const SQUARES: f64 = 1e-3;
/// The most steps.
const STEPS: usize = 250;
/// The two ends between which a weight is mixed.
const WEIGHTS: usize = 2 * FEATURES;

/// A prompt with its candidates.
#[derive(Debug, Clone)]
pub(super) struct List<'a> {
    /// The features of each candidate.
    pub(super) candidates: &'a [Features],
    /// Which of them are right; at least one.
    pub(super) right: &'a [bool],
    /// How many different terms the prompt has.
    pub(super) terms: usize,
    /// How much the prompt counts.
    pub(super) weight: f64,
}

/// Whether a feature may only raise a candidate, or only lower it. What `explain` prints has to make sense: that a
/// skill says that it is not for a thing must not recommend it for that thing.
pub(super) fn bounds(name: &str) -> Bounds {
    if name.starts_with("not-for") { Bounds::NEGATIVE } else { Bounds::FREE }
}

/// The weights by feature, as [`crate::rank::fuse::Model::order`] has them.
pub(super) fn order(lists: &[List<'_>]) -> [[f64; 2]; FEATURES] {
    let spread = spread(lists);
    let total: f64 = lists.iter().map(|list| list.weight).sum::<f64>().max(1e-9);
    let bounds: Vec<Bounds> = NAMES.iter().chain(&NAMES).map(|name| bounds(name)).collect();
    let cost = |weights: &[f64], slope: &mut [f64]| {
        let mut value = 0.0;
        slope.fill(0.0);
        for list in lists {
            value += list_cost(list, &spread, weights, slope);
        }
        value /= total;
        for (slope, weight) in slope.iter_mut().zip(weights) {
            *slope = *slope / total + 2.0 * SQUARES * weight;
            value += SQUARES * weight * weight;
        }
        value
    };
    let found = minimum(&bounds, STEPS, &cost);
    std::array::from_fn(|place| {
        let long = found[place] / spread[place];
        let short = found[FEATURES + place] / spread[FEATURES + place];
        [long, short - long]
    })
}

/// The cost of one list; its slope is added.
fn list_cost(list: &List<'_>, spread: &[f64; WEIGHTS], weights: &[f64], slope: &mut [f64]) -> f64 {
    let short = shortness(list.terms);
    let mixed: [f64; FEATURES] = std::array::from_fn(|place| {
        weights[place] / spread[place] * (1.0 - short)
            + weights[FEATURES + place] / spread[FEATURES + place] * short
    });
    let score = |features: &Features| features.iter().zip(&mixed).map(|(value, weight)| value * weight).sum();
    let scores: Vec<f64> = list.candidates.iter().map(score).collect();
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
    let all: f64 = shares.iter().sum();
    let right: f64 =
        shares.iter().zip(list.right).filter(|(_, is_right)| **is_right).map(|(share, _)| share).sum();
    let mut pull = [0.0; FEATURES];
    for ((features, share), is_right) in list.candidates.iter().zip(&shares).zip(list.right) {
        let wanted = if *is_right { share / right } else { 0.0 };
        let excess = (share / all - wanted) * list.weight;
        for (pull, value) in pull.iter_mut().zip(features) {
            *pull += excess * value;
        }
    }
    for (place, pull) in pull.iter().enumerate() {
        slope[place] += pull * (1.0 - short) / spread[place];
        slope[FEATURES + place] += pull * short / spread[FEATURES + place];
    }
    list.weight * (all / right).ln()
}

/// The standard deviation of each feature, as it is mixed.
fn spread(lists: &[List<'_>]) -> [f64; WEIGHTS] {
    let (mut number, mut sums, mut squares) = (0.0_f64, [0.0; WEIGHTS], [0.0; WEIGHTS]);
    for list in lists {
        let short = shortness(list.terms);
        for features in list.candidates {
            number += 1.0;
            for (place, value) in features.iter().enumerate() {
                for (at, value) in [(place, value * (1.0 - short)), (FEATURES + place, value * short)] {
                    sums[at] += value;
                    squares[at] += value * value;
                }
            }
        }
    }
    std::array::from_fn(|place| {
        let mean = sums[place] / number.max(1.0);
        (squares[place] / number.max(1.0) - mean * mean).max(0.0).sqrt() + 1e-6
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(features: &[[Features; 2]]) -> Vec<List<'_>> {
        let list = |candidates| List { candidates, right: &[true, false], terms: 6, weight: 1.0 };
        features.iter().map(|candidates| list(candidates.as_slice())).collect()
    }

    fn with(place: usize, value: f64) -> Features {
        let mut features = [0.0; FEATURES];
        features[place] = value;
        features
    }

    #[test]
    fn what_right_ones_have_is_learned_and_refusals_never_recommend() {
        let place = |name: &str| NAMES.iter().position(|known| *known == name).unwrap();
        let (about, not) = (place("about-matched"), place("not-for-matched"));
        let weights =
            order(&lists(&[[with(about, 1.0), with(about, 0.0)], [with(about, 0.5), with(about, 0.2)]]));
        assert!(weights[about][0] + weights[about][1] / 2.0 > 0.5, "{:?}", weights[about]);
        let weights = order(&lists(&[[with(not, 1.0), with(not, 0.0)]]));
        assert!(weights[not].iter().all(|weight| weight.abs() < 1e-9));
        let weights = order(&lists(&[[with(not, 0.0), with(not, 1.0)]]));
        assert!(weights[not][0] < 0.0 && weights[not][0] + weights[not][1] < 0.0);
        assert!(order(&[]).iter().flatten().all(|weight| weight.abs() < 1e-9));
    }

    #[test]
    fn the_slope_is_that_of_the_cost() {
        let features = [[with(1, 0.7), with(3, 0.4)]];
        let lists = lists(&features);
        let spread = [1.0; WEIGHTS];
        let mut weights = vec![0.1; WEIGHTS];
        let mut slope = vec![0.0; WEIGHTS];
        let value = list_cost(&lists[0], &spread, &weights, &mut slope);
        for place in [1, 3, FEATURES + 1] {
            weights[place] += 1e-6;
            let next = list_cost(&lists[0], &spread, &weights, &mut vec![0.0; WEIGHTS]);
            assert!(((next - value) / 1e-6 - slope[place]).abs() < 1e-4, "{place}");
            weights[place] -= 1e-6;
        }
    }
}
