//! The least value of a smooth function whose variables have bounds: L-BFGS with projection.
//!
//! Liu and Nocedal, "On the limited memory BFGS method for large scale optimization" (1989); variables at a bound
//! that the slope pushes against are held there, and each step is cut at the bounds. One thread, fixed order of
//! sums: the same function gives the same result.

use std::collections::VecDeque;

/// How many steps are remembered.
const MEMORY: usize = 12;
/// How much of the promised decrease a step must keep (Armijo's rule).
const KEPT: f64 = 1e-4;

/// The bounds of a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    /// The least value.
    pub(super) least: f64,
    /// The largest.
    pub(super) most: f64,
}

impl Bounds {
    /// Any number.
    pub(super) const FREE: Self = Self { least: f64::NEG_INFINITY, most: f64::INFINITY };
    /// No positive number.
    pub(super) const NEGATIVE: Self = Self { least: f64::NEG_INFINITY, most: 0.0 };

    fn clamp(self, value: f64) -> f64 {
        value.max(self.least).min(self.most)
    }
}

/// A step of the past: the change of the variables and of the slope, and one by their product.
struct Step {
    moved: Vec<f64>,
    turned: Vec<f64>,
    inverse: f64,
}

/// The variables, from 0, at which `function` is least, after at most `most` steps. The function returns its value
/// and writes its slope.
pub(super) fn minimum(
    bounds: &[Bounds],
    most: usize,
    function: &dyn Fn(&[f64], &mut [f64]) -> f64,
) -> Vec<f64> {
    let mut place: Vec<f64> = bounds.iter().map(|bounds| bounds.clamp(0.0)).collect();
    let mut slope = vec![0.0; place.len()];
    let mut value = function(&place, &mut slope);
    let mut steps: VecDeque<Step> = VecDeque::new();
    for _ in 0..most {
        let is_held: Vec<bool> = (0..place.len())
            .map(|at| {
                place[at] <= bounds[at].least && slope[at] > 0.0
                    || place[at] >= bounds[at].most && slope[at] < 0.0
            })
            .collect();
        let mut direction = direction(&slope, &is_held, &steps);
        if dot(&direction, &slope) >= 0.0 {
            steps.clear();
            direction = free(&slope, &is_held).into_iter().map(|slope| -slope).collect();
        }
        let Some((next, next_value, next_slope)) = step(&place, value, &slope, &direction, bounds, function)
        else {
            if steps.is_empty() {
                break;
            }
            steps.clear();
            continue;
        };
        let moved: Vec<f64> = next.iter().zip(&place).map(|(next, last)| next - last).collect();
        let turned: Vec<f64> = next_slope.iter().zip(&slope).map(|(next, last)| next - last).collect();
        let product = dot(&moved, &turned);
        let has_settled = value - next_value <= 1e-10 * value.abs().max(1e-3);
        (place, value, slope) = (next, next_value, next_slope);
        if has_settled {
            break;
        }
        if product > 1e-12 {
            steps.push_back(Step { moved, turned, inverse: 1.0 / product });
            if steps.len() > MEMORY {
                steps.pop_front();
            }
        }
    }
    place
}

/// Where to go: the two loops of L-BFGS over the variables that are not held.
fn direction(slope: &[f64], is_held: &[bool], steps: &VecDeque<Step>) -> Vec<f64> {
    let mut direction = free(slope, is_held);
    let mut shares = Vec::new();
    for step in steps.iter().rev() {
        let share = step.inverse * dot(&step.moved, &direction);
        add(&mut direction, -share, &step.turned);
        shares.push(share);
    }
    if let Some(last) = steps.back() {
        let scale = 1.0 / (last.inverse * dot(&last.turned, &last.turned));
        for value in &mut direction {
            *value *= scale;
        }
    }
    for (step, share) in steps.iter().zip(shares.iter().rev()) {
        let turned = step.inverse * dot(&step.turned, &direction);
        add(&mut direction, share - turned, &step.moved);
    }
    free(&direction, is_held).into_iter().map(|value| -value).collect()
}

/// The longest of the halved steps along `direction` that lowers the value enough.
fn step(
    place: &[f64],
    value: f64,
    slope: &[f64],
    direction: &[f64],
    bounds: &[Bounds],
    function: &dyn Fn(&[f64], &mut [f64]) -> f64,
) -> Option<(Vec<f64>, f64, Vec<f64>)> {
    let mut length = 1.0;
    let mut next_slope = vec![0.0; place.len()];
    for _ in 0..40 {
        let next: Vec<f64> =
            (0..place.len()).map(|at| bounds[at].clamp(place[at] + length * direction[at])).collect();
        let promised: f64 = (0..place.len()).map(|at| slope[at] * (next[at] - place[at])).sum();
        let next_value = function(&next, &mut next_slope);
        if next_value.is_finite() && next_value <= value + KEPT * promised && promised < 0.0 {
            return Some((next, next_value, next_slope));
        }
        length /= 2.0;
    }
    None
}

fn free(values: &[f64], is_held: &[bool]) -> Vec<f64> {
    values.iter().zip(is_held).map(|(value, is_held)| if *is_held { 0.0 } else { *value }).collect()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn add(to: &mut [f64], factor: f64, values: &[f64]) {
    for (to, value) in to.iter_mut().zip(values) {
        *to += factor * value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley, whose least value is at (1, 1).
    fn valley(place: &[f64], slope: &mut [f64]) -> f64 {
        let (x, y) = (place[0], place[1]);
        slope[0] = -2.0 * (1.0 - x) - 400.0 * x * (y - x * x);
        slope[1] = 200.0 * (y - x * x);
        (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2)
    }

    #[test]
    fn the_least_value_is_found_within_the_bounds() {
        let found = minimum(&[Bounds::FREE; 2], 200, &valley);
        assert!((found[0] - 1.0).abs() < 1e-3 && (found[1] - 1.0).abs() < 1e-3, "{found:?}");
        let found = minimum(&[Bounds { most: 0.5, ..Bounds::FREE }, Bounds::FREE], 200, &valley);
        assert!((found[0] - 0.5).abs() < 1e-3 && (found[1] - 0.25).abs() < 1e-3, "{found:?}");
        let found = minimum(&[Bounds::NEGATIVE, Bounds::FREE], 200, &valley);
        assert!(found[0].abs() < 1e-3 && found[1].abs() < 1e-3, "{found:?}");
        assert!(minimum(&[], 10, &|_, _| 0.0).is_empty());
    }
}
