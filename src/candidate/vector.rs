//! Unit vectors: what stands for a text when texts are compared by meaning.
//!
//! Every vector is of length 1, so that the cosine of two is their product. Components are kept as `f32`,
//! which is what models give; a [`Similarity`] is therefore counted in millionths, so that a vector that was
//! just received and one that was stored compare alike, and equal similarities are equal.

use std::fmt;

/// The most components.
pub const MAX_DIMENSION: usize = 8192;

/// A vector of length 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector(Vec<f32>);

/// Why numbers are no vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// None, or more than are taken.
    #[error("{0} dimensions, where 1 to {MAX_DIMENSION} are taken")]
    Dimension(usize),
    /// A component is infinite or no number.
    #[error("a component that is no finite number")]
    NotFinite,
    /// Every component is zero, or so small that its square is.
    #[error("the length 0")]
    Zero,
}

impl Vector {
    /// The direction of these numbers.
    ///
    /// # Errors
    ///
    /// A [`VectorError`] when they have none.
    pub fn new(components: &[f64]) -> Result<Self, VectorError> {
        if components.is_empty() || components.len() > MAX_DIMENSION {
            return Err(VectorError::Dimension(components.len()));
        }
        if !components.iter().all(|component| component.is_finite()) {
            return Err(VectorError::NotFinite);
        }
        // The largest first becomes 1, so that no square is too large for a number.
        let largest = components.iter().fold(0.0_f64, |largest, component| largest.max(component.abs()));
        let length = components.iter().map(|component| (component / largest).powi(2)).sum::<f64>().sqrt();
        if largest == 0.0 || !length.is_finite() {
            return Err(VectorError::Zero);
        }
        #[expect(clippy::cast_possible_truncation, reason = "a component of a unit vector is at most 1")]
        let unit = components.iter().map(|component| (component / largest / length) as f32).collect();
        Ok(Self(unit))
    }

    /// How many components it has.
    pub fn dimension(&self) -> usize {
        self.0.len()
    }

    /// Its components.
    pub fn components(&self) -> &[f32] {
        &self.0
    }

    /// The cosine of the angle to a vector of as many components; `None` for another number of them.
    pub fn similarity(&self, other: &Self) -> Option<Similarity> {
        let pairs = || self.0.iter().zip(&other.0);
        let product = || pairs().map(|(left, right)| f64::from(*left) * f64::from(*right)).sum::<f64>();
        (self.dimension() == other.dimension()).then(|| Similarity::new(product()))
    }
}

/// A cosine, from -1 to 1, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Similarity(i32);

impl Similarity {
    /// The nearest millionth; what lies beyond -1 and 1 is these, and what is no number is 0.
    pub fn new(cosine: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "it is at most a million")]
        let millionths = (cosine.clamp(-1.0, 1.0) * 1e6).round() as i32;
        Self(millionths)
    }

    /// The cosine.
    pub fn cosine(self) -> f64 {
        f64::from(self.0) / 1e6
    }

    /// The points that a catalog shows for it: a hundred for 1, none below 0.
    pub fn points(self) -> u64 {
        u64::try_from((self.0 + 5_000).div_euclid(10_000)).unwrap_or(0)
    }
}

impl fmt::Display for Similarity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.3}", self.cosine())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_has_no_direction_is_refused() {
        for (components, expected) in [
            (vec![], VectorError::Dimension(0)),
            (vec![1.0; MAX_DIMENSION + 1], VectorError::Dimension(MAX_DIMENSION + 1)),
            (vec![0.0, -0.0], VectorError::Zero),
            (vec![1.0, f64::NAN], VectorError::NotFinite),
            (vec![f64::INFINITY], VectorError::NotFinite),
        ] {
            assert_eq!(Vector::new(&components), Err(expected));
        }
        for components in [vec![1e300, 1e300], vec![1e-300], vec![1.0; MAX_DIMENSION]] {
            let vector = Vector::new(&components).unwrap();
            assert_eq!(vector.similarity(&vector), Some(Similarity::new(1.0)), "{}", components.len());
        }
    }

    #[test]
    fn similarities_by_example() {
        let similarity = |left: &[f64], right: &[f64]| {
            let (left, right) = (Vector::new(left).unwrap(), Vector::new(right).unwrap());
            left.similarity(&right).map(|similarity| (similarity.to_string(), similarity.points()))
        };
        for (left, right, expected) in [
            ([1.0, 0.0], [2.0, 0.0], ("1.000", 100)),
            ([1.0, 0.0], [0.0, 3.0], ("0.000", 0)),
            ([1.0, 0.0], [-1.0, 0.0], ("-1.000", 0)),
            ([1.0, 0.0], [0.45, 0.893_028_554_974_588], ("0.450", 45)),
            ([3.0, 4.0], [4.0, 3.0], ("0.960", 96)),
            ([1.0, 0.0], [0.455, 0.890_491_437_909_4], ("0.455", 46)),
        ] {
            assert_eq!(similarity(&left, &right), Some((expected.0.to_owned(), expected.1)));
        }
        assert_eq!(similarity(&[1.0], &[1.0, 0.0]), None);
        assert_eq!(Similarity::new(f64::NAN), Similarity::new(0.0));
    }

    proptest! {
        #[test]
        fn stored_and_received_vectors_compare_alike(
            left in prop::collection::vec(-1e3..1e3_f64, 4),
            right in prop::collection::vec(-1e3..1e3_f64, 4),
        ) {
            let (Ok(left), Ok(right)) = (Vector::new(&left), Vector::new(&right)) else { return Ok(()) };
            let stored: Vec<f64> = left.components().iter().map(|component| f64::from(*component)).collect();
            let stored = Vector::new(&stored).unwrap();
            let (one, two) = (left.similarity(&right).unwrap(), stored.similarity(&right).unwrap());
            prop_assert!((one.cosine() - two.cosine()).abs() <= 1e-6);
        }
    }
}
