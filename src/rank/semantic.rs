//! Dense scores: how alike a task and candidates are by the vectors of their texts.
//!
//! Two uses, both over vectors that somebody else has obtained. [`ranked`] is the order of the original's
//! hybrid mode, in which similarity fills what words left open (`route::select::hybrid` has that stage).
//! [`blend`] mixes a dense score into a lexical one, linearly: mixing by ranks instead costs 2 to 10 points of
//! Hit@1 on the prompts of skill authors.

use crate::candidate::vector::{Similarity, Vector};

/// The largest share that a dense score may have in a blend.
pub const LARGEST_SHARE: f64 = 0.5;

/// The similarity of `query` to each of `documents`; `None` when one has another number of dimensions.
pub fn similarities<'a>(
    query: &Vector,
    documents: impl IntoIterator<Item = &'a Vector>,
) -> Option<Vec<Similarity>> {
    documents.into_iter().map(|document| query.similarity(document)).collect()
}

/// The items whose similarity reaches `least`, the most alike first; `tie` orders those that are equally alike.
pub fn ranked<T: Copy>(
    items: &[(T, Similarity)],
    least: Similarity,
    mut tie: impl FnMut(T, T) -> std::cmp::Ordering,
) -> Vec<(T, Similarity)> {
    let mut ranked: Vec<_> = items.iter().copied().filter(|(_, similarity)| *similarity >= least).collect();
    ranked.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| tie(left.0, right.0)));
    ranked
}

/// Mixes a lexical and a dense score of the same candidates, `share` of the dense one:
/// `(1 - share) * lexical / max + share * (cosine - mean) / (max - mean)`.
///
/// Both parts are 1 for their best candidate. The dense one is centred on its mean, because the cosines of
/// one query lie close together; it is at least -1, so that no candidate far below the mean sinks below what
/// its words are worth by more than `share`. `share` is held within 0 and [`LARGEST_SHARE`]. Scores that are
/// no numbers count as 0, and where all are equal the part adds nothing. The result has the length of the
/// shorter list.
pub fn blend(lexical: &[f64], cosines: &[f64], share: f64) -> Vec<f64> {
    let length = lexical.len().min(cosines.len());
    let finite = |value: &f64| if value.is_finite() { *value } else { 0.0 };
    let lexical: Vec<f64> = lexical[..length].iter().map(finite).collect();
    let cosines: Vec<f64> = cosines[..length].iter().map(finite).collect();
    let share = finite(&share).clamp(0.0, LARGEST_SHARE);
    let largest = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best = largest(&lexical);
    #[expect(clippy::cast_precision_loss, reason = "no list of candidates is that long")]
    let mean = cosines.iter().sum::<f64>() / length.max(1) as f64;
    let spread = largest(&cosines) - mean;
    let part = |value: f64, whole: f64| if whole > f64::EPSILON { (value / whole).max(-1.0) } else { 0.0 };
    let both = lexical.iter().zip(&cosines);
    both.map(|(words, cosine)| (1.0 - share) * part(*words, best) + share * part(cosine - mean, spread))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_formula_by_hand() {
        let close = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-9, "{found} for {expected}");
            }
        };
        // The mean of the cosines is 0.5, and the best lies 0.3 above it.
        close(blend(&[10.0, 5.0, 0.0], &[0.2, 0.5, 0.8], 0.2), &[0.8 - 0.2, 0.4, 0.2]);
        close(blend(&[10.0, 5.0], &[0.9, 0.1], 0.0), &[1.0, 0.5]);
        close(blend(&[4.0, 2.0], &[0.5, 0.5], 0.4), &[0.6, 0.3]);
        close(blend(&[0.0, 0.0], &[0.9, 0.1], 0.4), &[0.4, -0.4]);
        close(blend(&[1.0, 2.0], &[0.0, 1.0], 7.0), &[0.25 - 0.5, 1.0]);
        close(blend(&[f64::NAN, 2.0, 1.0], &[f64::INFINITY, 1.0], 0.5), &[-0.5, 1.0]);
        assert!(blend(&[], &[0.5], 0.2).is_empty());
    }

    #[test]
    fn the_order_and_the_threshold() {
        let items = [('b', 0.5), ('a', 0.5), ('c', 0.9), ('d', 0.449_999), ('e', 0.45)]
            .map(|(item, cosine)| (item, Similarity::new(cosine)));
        let ranked = ranked(&items, Similarity::new(0.45), |left, right| left.cmp(&right));
        assert_eq!(ranked.iter().map(|(item, _)| *item).collect::<String>(), "cabe");
    }

    #[test]
    fn vectors_of_different_dimensions_are_not_compared() {
        let vector = |components: &[f64]| Vector::new(components).unwrap();
        let (query, other) = (vector(&[1.0, 0.0]), vector(&[1.0]));
        assert_eq!(similarities(&query, [&query]), Some(vec![Similarity::new(1.0)]));
        assert_eq!(similarities(&query, [&query, &other]), None);
    }

    proptest! {
        #[test]
        fn a_blend_is_bounded_and_follows_both_parts(
            pairs in prop::collection::vec((0.0..100.0_f64, -1.0..1.0_f64), 1..30),
            share in 0.0..=0.5_f64,
        ) {
            let (lexical, cosines): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            let blended = blend(&lexical, &cosines, share);
            for (index, score) in blended.iter().enumerate() {
                prop_assert!(score.is_finite() && (-0.5..=1.0 + 1e-9).contains(score), "{score}");
                for other in 0..blended.len() {
                    let is_better = pairs[index].0 >= pairs[other].0 && pairs[index].1 >= pairs[other].1;
                    prop_assert!(!is_better || *score >= blended[other] - 1e-9);
                }
            }
        }
    }
}
