//! Moments in time, as whole milliseconds since 1970 in UTC.
//!
//! Nothing here reads a clock: the present arrives as an argument. Text that is no date and time of RFC
//! 3339 is no moment, and whoever asked treats it as unknown; it never becomes a guess.

use jiff::Timestamp;

/// The milliseconds of a day.
pub const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMillis(pub i64);

impl UnixMillis {
    /// Parses a date and time of RFC 3339, such as `2026-08-24T09:30:00Z`; parts of a millisecond are
    /// dropped. `None` for anything else, for instance a date without a zone.
    pub fn parse(text: &str) -> Option<Self> {
        let moment: Timestamp = text.parse().ok()?;
        // Rounded down, so that a moment before 1970 is dropped to the same side.
        Some(Self(i64::try_from(moment.as_nanosecond().div_euclid(1_000_000)).ok()?))
    }

    /// The milliseconds from this moment to `now`; 0 for a moment that is still to come.
    pub fn age_at(self, now: Self) -> u64 {
        u64::try_from(i128::from(now.0) - i128::from(self.0)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_by_example() {
        for (text, millis) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2000-02-29T12:00:00Z", 951_825_600_000),
            ("2026-08-24T00:00:00Z", 1_787_529_600_000),
            ("2030-01-01T00:00:00.000Z", 1_893_456_000_000),
            ("2030-01-01t02:00:00.5+02:00", 1_893_456_000_500),
            ("2029-12-31T14:30:00.0009-09:30", 1_893_456_000_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ] {
            assert_eq!(UnixMillis::parse(text), Some(UnixMillis(millis)), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_unknown() {
        for text in [
            "",
            "yesterday",
            "2026-08-24",
            "2026-08-24T00:00:00",
            "2026-8-24T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-04-00T00:00:00Z",
            "2100-02-29T00:00:00Z",
            "2026-08-24T24:00:00Z",
            "2026-08-24T00:60:00Z",
            "2026-08-24T00:00:00.Z",
            "2026-08-24T00:00:00.5",
            "2026-08-24T00:00:00Zz",
            "+026-08-24T00:00:00Z",
            "２０２６-08-24T00:00:00Z",
        ] {
            assert_eq!(UnixMillis::parse(text), None, "{text}");
        }
    }

    #[test]
    fn nothing_is_younger_than_now() {
        let now = UnixMillis(1_000);
        assert_eq!(UnixMillis(0).age_at(now), 1_000);
        assert_eq!(UnixMillis(1_001).age_at(now), 0);
        assert_eq!(UnixMillis(i64::MIN).age_at(UnixMillis(i64::MAX)), u64::MAX);
    }
}
