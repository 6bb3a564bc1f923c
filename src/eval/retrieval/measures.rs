//! What is measured of a run: a value of each case, and their means over groups of cases.

use std::collections::BTreeMap;

use super::{
    chance::{self, Value, count},
    corpus::{Answer, Case},
};

/// How many of the best are looked at for a catalog; the default of `maxActiveSkills`.
pub const CATALOG: usize = 3;

/// What a run gave for one case.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Where each skill that the case names stands in the order, from 0, before anything is cut.
    pub ranks: Vec<Option<usize>>,
    /// Where the attack stands, in a case that has one.
    pub attack: Option<usize>,
    /// The confidence and the share of the first few, where the order has them.
    pub sure: Vec<(f64, f64)>,
    /// The places in the order that a catalog would print.
    pub printed: Vec<usize>,
    /// How long it took, in microseconds.
    pub micros: f64,
}

/// A mean over cases.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Its name: `hit_at_1`.
    pub name: &'static str,
    /// The mean, from 0 to 1.
    pub value: f64,
    /// Where it lies in 95 of 100 draws.
    pub interval: (f64, f64),
    /// The number of cases.
    pub cases: usize,
}

/// The measures of the cases that have a right skill, in their order.
pub const POSITIVE: [&str; 8] = [
    "hit_at_1",
    "recall_at_3",
    "recall_at_5",
    "recall_at_10",
    "mrr",
    "ndcg_at_10",
    "false_empty_rate",
    "lost_rate",
];

/// The measures of the cases that have none, in their order.
pub const NEGATIVE: [&str; 4] =
    ["negative_rejection", "forbidden_printed_rate", "nothing_printed_rate", "attack_rejection"];

/// The values of a case by [`POSITIVE`] or [`NEGATIVE`]; a value that does not apply is none.
///
/// - `recall_at_k`: the share of the right skills among the first k; where one suffices, whether it is there
/// - `mrr`: 1 by the rank of the first right one; `ndcg_at_10`: each right one among ten discounted by the
///   logarithm of its rank, as a share of the best order (Järvelin and Kekäläinen, 2002)
/// - `false_empty_rate`: nothing is printed; `lost_rate`: a right one is among the first three and none is printed
/// - `negative_rejection`: no wrong one is printed, or nothing at all where every skill is wrong
/// - `forbidden_printed_rate`: a wrong one is printed; `nothing_printed_rate`: over cases where every skill is wrong
/// - `attack_rejection`: the attack is not among the first three
pub fn values(answer: &Answer, outcome: &Outcome) -> Vec<Option<f64>> {
    let is = |holds: bool| Some(f64::from(u8::from(holds)));
    let is_printed = |rank: &Option<usize>| rank.is_some_and(|rank| outcome.printed.contains(&rank));
    match answer {
        Answer::Any(_) | Answer::All(_) => {
            let mut ranks: Vec<usize> = outcome.ranks.iter().flatten().copied().collect();
            ranks.sort_unstable();
            let first = ranks.first().copied();
            let one_suffices = matches!(answer, Answer::Any(_));
            let recall = |most: usize| {
                let found = ranks.iter().filter(|&&rank| rank < most).count();
                if one_suffices {
                    is(found > 0)
                } else {
                    Some(count(found) / count(outcome.ranks.len()).max(1.0))
                }
            };
            let lost = first.is_some_and(|rank| rank < CATALOG) && !outcome.ranks.iter().any(is_printed);
            vec![
                is(first == Some(0)),
                recall(3),
                recall(5),
                recall(10),
                Some(first.map_or(0.0, |rank| 1.0 / count(rank + 1))),
                Some(gain(&ranks, if one_suffices { 1 } else { outcome.ranks.len() })),
                is(outcome.printed.is_empty()),
                is(lost),
            ]
        }
        Answer::Not(_) => {
            let forbidden = outcome.ranks.iter().any(is_printed);
            vec![is(!forbidden), is(forbidden), None, None]
        }
        Answer::Nothing => {
            let is_empty = outcome.printed.is_empty();
            vec![is(is_empty), None, is(is_empty), None]
        }
        Answer::Attacked(..) => {
            let is_first = outcome.attack.is_some_and(|rank| rank < CATALOG);
            vec![None, None, None, is(!is_first)]
        }
    }
}

/// The gain of right skills at these ranks, sorted, as a share of what `wanted` ones could give.
fn gain(ranks: &[usize], wanted: usize) -> f64 {
    let at = |rank: usize| 1.0 / (count(rank) + 2.0).log2();
    let best: f64 = (0..wanted.min(10)).map(at).sum();
    let found: f64 = ranks.iter().filter(|&&rank| rank < 10).take(wanted).map(|&rank| at(rank)).sum();
    if best > 0.0 { found / best } else { 0.0 }
}

/// The measures of some cases.
pub fn measures<'a>(cases: impl IntoIterator<Item = (&'a Case, &'a Outcome)>) -> Vec<Measure> {
    let mut found: BTreeMap<(bool, usize), Vec<Value>> = BTreeMap::new();
    for (number, (case, outcome)) in cases.into_iter().enumerate() {
        for (place, value) in values(&case.answer, outcome).into_iter().enumerate() {
            let key = (!case.answer.is_positive(), place);
            found.entry(key).or_default().extend(value.map(|value| (group(case, number), value)));
        }
    }
    let measure = |((is_negative, place), values): ((bool, usize), Vec<Value>)| Measure {
        name: if is_negative { NEGATIVE[place] } else { POSITIVE[place] },
        value: chance::mean(&values),
        interval: chance::interval(&values),
        cases: values.len(),
    };
    found.into_iter().filter(|(_, values)| !values.is_empty()).map(measure).collect()
}

/// What a case is drawn with: the first skill that it names, or itself.
pub fn group(case: &Case, number: usize) -> usize {
    case.answer.skills().first().copied().unwrap_or(usize::MAX - number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(ranks: &[Option<usize>], printed: &[usize]) -> Outcome {
        Outcome { ranks: ranks.to_vec(), printed: printed.to_vec(), ..Outcome::default() }
    }

    #[track_caller]
    fn assert_values(answer: &Answer, ranks: &[Option<usize>], printed: &[usize], expected: &[f64]) {
        let values: Vec<f64> = values(answer, &outcome(ranks, printed)).into_iter().flatten().collect();
        let is_near = values.iter().zip(expected).all(|(value, expected)| (value - expected).abs() < 1e-4);
        assert!(values.len() == expected.len() && is_near, "{values:?} instead of {expected:?}");
    }

    #[test]
    fn values_by_hand() {
        let any = Answer::Any(vec![7]);
        assert_values(&any, &[Some(0)], &[0], &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
        // 1 / log2(2 + 2) = 0.5
        assert_values(&any, &[Some(2)], &[0], &[0.0, 1.0, 1.0, 1.0, 1.0 / 3.0, 0.5, 0.0, 1.0]);
        assert_values(&any, &[Some(9)], &[], &[0.0, 0.0, 0.0, 1.0, 0.1, 0.28906, 1.0, 0.0]);
        assert_values(&any, &[None], &[0], &[0.0; 8]);
        let one_of_two = Answer::Any(vec![7, 8]);
        assert_values(&one_of_two, &[None, Some(1)], &[1], &[0.0, 1.0, 1.0, 1.0, 0.5, 0.63093, 0.0, 0.0]);
        let all = Answer::All(vec![7, 8]);
        // (1 + 1 / log2(5 + 2)) / (1 + 1 / log2(3))
        assert_values(&all, &[Some(5), Some(0)], &[0], &[1.0, 0.5, 0.5, 1.0, 1.0, 0.83157, 0.0, 0.0]);
        let not = Answer::Not(vec![7]);
        assert_values(&not, &[Some(1)], &[0, 1], &[0.0, 1.0]);
        assert_values(&not, &[Some(1)], &[0], &[1.0, 0.0]);
        assert_values(&Answer::Nothing, &[], &[0], &[0.0, 0.0]);
        assert_values(&Answer::Nothing, &[], &[], &[1.0, 1.0]);
    }

    #[test]
    fn measures_are_means_over_the_cases_that_they_apply_to() {
        let case = |answer: Answer| Case {
            id: String::new(),
            prompt: String::new(),
            lang: String::new(),
            kind: String::new(),
            answer,
        };
        let cases = [case(Answer::Any(vec![1])), case(Answer::Any(vec![2])), case(Answer::Nothing)];
        let outcomes = [outcome(&[Some(0)], &[0]), outcome(&[Some(3)], &[0]), outcome(&[], &[])];
        let found = measures(cases.iter().zip(&outcomes));
        let values: Vec<_> =
            found.iter().map(|measure| (measure.name, measure.value, measure.cases)).collect();
        assert_eq!(
            values,
            [
                ("hit_at_1", 0.5, 2),
                ("recall_at_3", 0.5, 2),
                ("recall_at_5", 1.0, 2),
                ("recall_at_10", 1.0, 2),
                ("mrr", 0.625, 2),
                ("ndcg_at_10", f64::midpoint(1.0, 1.0 / 5.0_f64.log2()), 2),
                ("false_empty_rate", 0.0, 2),
                ("lost_rate", 0.0, 2),
                ("negative_rejection", 1.0, 1),
                ("nothing_printed_rate", 1.0, 1),
            ]
        );
        assert_eq!(found[0].interval, (0.0, 1.0));
    }
}
