//! Dense scores: how alike a task and candidates are by the vectors of their texts.
//!
//! Two uses, both over vectors that somebody else has obtained. [`ranked`] is the order of the original's
//! hybrid mode, in which similarity fills what words left open (`route::select::hybrid` has that stage).
//! [`additions`] is what `semanticBlend` adds to the scores of full-text search, linearly: mixing by ranks instead costs
//! 2 to 10 points of Hit@1 on the prompts of skill authors.

use super::fulltext::real;
use crate::candidate::vector::{Similarity, Vector};

/// The largest share that a dense score may have in a blend.
pub const LARGEST_SHARE: f64 = 0.5;
/// What one standard deviation of the cosines adds at a share of 1: at a share of 0.2, 0.6.
const SCALE: f64 = 3.0;
/// How many standard deviations count at most.
pub const FARTHEST: f64 = 2.5;
/// Below this the cosines are equal: they are told in millionths.
const LEAST_DEVIATION: f64 = 1e-6;

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

/// What likeness of meaning adds to the score of each candidate, with `share` of it:
/// `share * 3 * (cosine - mean) / deviation`, over the candidates that were compared.
///
/// The scores of `fuse` are logarithms of odds. A cosine means another thing in each model, so it counts by how far it
/// lies from those of the other candidates, at most [`FARTHEST`] standard deviations, so that no text that is made to
/// resemble a task wins by that alone. Candidates that were not compared, and all of them where the cosines are equal,
/// get nothing. `share` is held within 0 and [`LARGEST_SHARE`].
///
/// The form and the factor were chosen on the prompts of skill authors. A dense score that is mixed with the score as a
/// part of the best one, or with its share, costs more than it gives (`docs/retrieval.md`).
pub fn additions(similarities: &[Option<Similarity>], share: f64) -> Vec<f64> {
    let share = if share.is_finite() { share.clamp(0.0, LARGEST_SHARE) } else { 0.0 };
    let cosines: Vec<f64> = similarities.iter().flatten().map(|similarity| similarity.cosine()).collect();
    let number = real(cosines.len().max(1));
    let mean = cosines.iter().sum::<f64>() / number;
    let deviation = (cosines.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / number).sqrt();
    let addition = |similarity: Similarity| {
        if deviation < LEAST_DEVIATION {
            return 0.0;
        }
        share * SCALE * ((similarity.cosine() - mean) / deviation).clamp(-FARTHEST, FARTHEST)
    };
    similarities.iter().map(|similarity| similarity.map_or(0.0, addition)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn similarities(cosines: &[Option<f64>]) -> Vec<Option<Similarity>> {
        cosines.iter().map(|cosine| cosine.map(Similarity::new)).collect()
    }

    #[test]
    fn the_formula_by_hand() {
        let close = |cosines: &[Option<f64>], share: f64, expected: &[f64]| {
            let found = additions(&similarities(cosines), share);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-9, "{found} for {expected}");
            }
        };
        // The mean is 0.5, the deviation 0.3.
        close(&[Some(0.2), Some(0.8)], 0.2, &[-0.6, 0.6]);
        close(&[Some(0.2), None, Some(0.8)], 0.2, &[-0.6, 0.0, 0.6]);
        close(&[Some(0.2), Some(0.8)], 7.0, &[-1.5, 1.5]);
        close(&[Some(0.2), Some(0.8)], f64::NAN, &[0.0, 0.0]);
        close(&[Some(0.2), Some(0.8)], 0.0, &[0.0, 0.0]);
        close(&[Some(0.5), Some(0.5)], 0.2, &[0.0, 0.0]);
        close(&[Some(0.9), None], 0.2, &[0.0, 0.0]);
        close(&[None], 0.2, &[0.0]);
        close(&[], 0.2, &[]);
        // One of ten lies three deviations away.
        let mut cosines = [Some(0.1); 10];
        cosines[3] = Some(0.9);
        assert!((additions(&similarities(&cosines), 0.5)[3] - 1.5 * FARTHEST).abs() < 1e-9);
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
        assert_eq!(super::similarities(&query, [&query]), Some(vec![Similarity::new(1.0)]));
        assert_eq!(super::similarities(&query, [&query, &other]), None);
    }

    proptest! {
        #[test]
        fn additions_are_bounded_and_in_the_order_of_the_cosines(
            cosines in prop::collection::vec(prop::option::of(-1.0..=1.0_f64), 0..60),
            share in 0.0..=0.5_f64,
        ) {
            let similarities = similarities(&cosines);
            let added = additions(&similarities, share);
            prop_assert_eq!(added.len(), similarities.len());
            let pairs: Vec<_> =
                similarities.iter().zip(&added).filter_map(|(one, added)| Some(((*one)?, *added))).collect();
            for (similarity, added) in &pairs {
                prop_assert!(added.abs() <= share * SCALE * FARTHEST + 1e-9, "{}", added);
                prop_assert!(pairs.iter().all(|(other, more)| similarity < other || added >= more));
            }
        }
    }
}
