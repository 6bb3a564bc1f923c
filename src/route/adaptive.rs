//! The adaptive boost: a few points for skills that were used often and lately.
//!
//! A boost reorders candidates that already passed the threshold and never lifts one over it; that
//! rule is kept in [`super::select`]. Usage records and the age of the last use arrive as arguments.

/// How strongly usage counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adaptive {
    /// The most points, 0 to 20.
    pub max_boost: u8,
    /// The least number of uses that counts, at least 1.
    pub min_uses: u64,
    /// The number of days after which a use counts half, 0.1 to 3650.
    pub half_life_days: f64,
}

impl Default for Adaptive {
    fn default() -> Self {
        Self { max_boost: 6, min_uses: 2, half_life_days: 30.0 }
    }
}

/// The points of a skill used `uses` times, the last time `age_days` ago.
///
/// `max_boost * (1 - e^(-uses / 4)) * 0.5^(age_days / half_life_days)`, with halves rounded up and an
/// age below zero taken as zero.
pub fn boost(uses: u64, age_days: f64, settings: &Adaptive) -> u64 {
    if uses < settings.min_uses {
        return 0;
    }
    // From 200 uses on, the exponential is below the precision of the result.
    let uses = f64::from(u8::try_from(uses).unwrap_or(u8::MAX));
    let growth = 1.0 - (-uses / 4.0).exp();
    let decay = 0.5_f64.powf(age_days.max(0.0) / settings.half_life_days);
    let points = f64::from(settings.max_boost) * growth * decay;
    (1..=settings.max_boost).rev().find(|&whole| f64::from(whole) - 0.5 <= points).map_or(0, u64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_for_the_default_settings() {
        let ages = [0.0, 15.0, 30.0, 45.0, 60.0, 90.0, 120.0];
        for (uses, expected) in [
            (0, [0; 7]),
            (1, [0; 7]),
            (2, [2, 2, 1, 1, 1, 0, 0]),
            (3, [3, 2, 2, 1, 1, 0, 0]),
            (4, [4, 3, 2, 1, 1, 0, 0]),
            (6, [5, 3, 2, 2, 1, 1, 0]),
            (8, [5, 4, 3, 2, 1, 1, 0]),
            (12, [6, 4, 3, 2, 1, 1, 0]),
            (100, [6, 4, 3, 2, 1, 1, 0]),
            // Here e^(-uses / 4) is lost to rounding, and the half of 1.5 points is reached exactly.
            (1_000, [6, 4, 3, 2, 2, 1, 0]),
            (u64::MAX, [6, 4, 3, 2, 2, 1, 0]),
        ] {
            assert_eq!(ages.map(|age| boost(uses, age, &Adaptive::default())), expected, "{uses} uses");
        }
    }

    #[test]
    fn edges_of_the_settings() {
        let settings = Adaptive { max_boost: 20, min_uses: 1, half_life_days: 0.1 };
        assert_eq!(boost(100, 0.0, &settings), 20);
        assert_eq!(boost(100, 0.1, &settings), 10);
        assert_eq!(boost(100, 3650.0, &settings), 0);
        assert_eq!(boost(100, -5.0, &settings), 20, "a clock that was set back");
        assert_eq!(boost(100, 0.0, &Adaptive { max_boost: 0, ..settings }), 0);
    }

    #[test]
    fn halves_round_up() {
        let settings = Adaptive { max_boost: 1, min_uses: 1, half_life_days: 1.0 };
        assert_eq!(boost(255, 1.0, &settings), 1);
        assert_eq!(boost(255, 1.01, &settings), 0);
    }
}
