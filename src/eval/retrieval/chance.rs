//! Chance that is the same every time: draws, intervals and the test of a difference.
//!
//! Prompts for one skill are alike, so that they are no independent cases: intervals and the test draw whole
//! groups, one group a skill (Field and Welsh, "Bootstrapping clustered data", 2007).

/// Numbers by chance from a seed, the same on every machine (splitmix64).
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let scaled = (u128::from(mixed) * bound as u128) >> 64;
        usize::try_from(scaled).unwrap_or_default()
    }

    /// Puts `all` into an order by chance.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, self.below(last + 1));
        }
    }
}

/// How often is drawn.
const DRAWS: usize = 2_000;

/// A value of one case, and the group that it is drawn with.
pub type Value = (usize, f64);

/// The mean of the values, 0 of none.
pub fn mean(values: &[Value]) -> f64 {
    values.iter().map(|(_, value)| value).sum::<f64>() / count(values.len()).max(1.0)
}

/// Between which values the mean lies in 95 of 100 draws of the groups.
pub fn interval(values: &[Value]) -> (f64, f64) {
    let groups = groups(values);
    if groups.len() < 2 {
        let mean = mean(values);
        return (mean, mean);
    }
    let mut chance = Chance::new(1);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let (mut sum, mut number) = (0.0, 0.0);
            for _ in 0..groups.len() {
                let (group_sum, group_number) = groups[chance.below(groups.len())];
                sum += group_sum;
                number += group_number;
            }
            sum / number
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (means[DRAWS / 40], means[DRAWS - 1 - DRAWS / 40])
}

/// How likely a mean difference as large as that of `differences` would be if there were none: whole groups change
/// their sign by chance (Fisher's randomisation test).
pub fn probability(differences: &[Value]) -> f64 {
    let groups = groups(differences);
    let found = groups.iter().map(|(sum, _)| sum).sum::<f64>().abs();
    let mut chance = Chance::new(2);
    let as_large = (0..DRAWS).filter(|_| {
        let sum: f64 = groups.iter().map(|(sum, _)| if chance.below(2) == 0 { *sum } else { -sum }).sum();
        sum.abs() >= found - 1e-9
    });
    (count(as_large.count()) + 1.0) / (count(DRAWS) + 1.0)
}

/// The sum and number of the values of each group, by group.
fn groups(values: &[Value]) -> Vec<(f64, f64)> {
    let mut groups = std::collections::BTreeMap::<usize, (f64, f64)>::new();
    for (group, value) in values {
        let (sum, number) = groups.entry(*group).or_default();
        *sum += value;
        *number += 1.0;
    }
    groups.into_values().collect()
}

/// A count, to be calculated with.
#[expect(clippy::cast_precision_loss, reason = "nothing that is counted here comes near 2^52")]
pub fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_fair_and_the_same_every_time() {
        let mut chance = Chance::new(7);
        let mut seen = [0; 3];
        for _ in 0..3_000 {
            seen[chance.below(3)] += 1;
        }
        assert!(seen.iter().all(|&times| (900..1_100).contains(&times)), "{seen:?}");
        let mut all: Vec<u32> = (0..50).collect();
        Chance::new(7).shuffle(&mut all);
        let mut again: Vec<u32> = (0..50).collect();
        Chance::new(7).shuffle(&mut again);
        assert!(all == again && !all.is_sorted());
        again.sort_unstable();
        assert!(again.iter().copied().eq(0..50));
    }

    #[test]
    fn intervals_are_those_of_the_binomial_when_groups_are_cases() {
        let values: Vec<Value> = (0..400).map(|case| (case, if case % 4 == 0 { 0.0 } else { 1.0 })).collect();
        assert!((mean(&values) - 0.75).abs() < 1e-12);
        // 1.96 times the root of 0.75 * 0.25 / 400 is 0.042.
        let (low, high) = interval(&values);
        assert!((low - 0.708).abs() < 0.01 && (high - 0.792).abs() < 0.01, "{low} {high}");
        let grouped: Vec<Value> = values.iter().map(|(case, value)| (case % 40, *value)).collect();
        let (low_grouped, high_grouped) = interval(&grouped);
        assert!(high_grouped - low_grouped > 2.0 * (high - low), "alike cases are no evidence of their own");
        assert_eq!(interval(&[]), (0.0, 0.0));
        assert_eq!(interval(&[(3, 0.5), (3, 1.0)]), (0.75, 0.75));
    }

    #[test]
    fn a_difference_by_chance_is_told_from_one() {
        let all_better: Vec<Value> = (0..20).map(|case| (case, 1.0)).collect();
        assert!(probability(&all_better) < 0.01);
        let even: Vec<Value> = (0..20).map(|case| (case, if case % 2 == 0 { 1.0 } else { -1.0 })).collect();
        assert!(probability(&even) > 0.5);
        assert!(probability(&[]) > 0.99);
    }
}
