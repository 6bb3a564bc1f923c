//! Moments in time, as whole milliseconds since 1970 in UTC.
//!
//! Nothing here reads a clock: the present arrives as an argument. Text that is no date and time of RFC
//! 3339 is no moment, and whoever asked treats it as unknown; it never becomes a guess.

/// The milliseconds of a day.
pub const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMillis(pub i64);

impl UnixMillis {
    /// Parses a date and time of RFC 3339, such as `2026-08-24T09:30:00Z`; parts of a millisecond are
    /// dropped.
    ///
    /// `None` for anything else: no zone, a day that its month does not have, the 24th hour, a leap second.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        let (time, rest) = rest.strip_prefix(['T', 't'])?.split_at_checked(8)?;
        let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
        let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
        let (fraction, zone) = split_fraction(rest)?;
        let in_range = (1..=12).contains(&month)
            && (1..=days_of_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60;
        let offset_minutes = parse_zone(zone)?;
        let minutes = (days_since_1970(year, month, day) * 24 + hour) * 60 + minute - offset_minutes;
        in_range.then_some(Self((minutes * 60 + second) * 1000 + fraction))
    }

    /// The milliseconds from this moment to `now`; 0 for a moment that is still to come.
    pub fn age_at(self, now: Self) -> u64 {
        u64::try_from(i128::from(now.0) - i128::from(self.0)).unwrap_or(0)
    }
}

/// The three numbers of `text`, each of exactly so many digits.
fn numbers(text: &str, separator: char, lengths: [usize; 3]) -> Option<[i64; 3]> {
    let mut parts = text.split(separator);
    let mut found = [0; 3];
    for (number, length) in found.iter_mut().zip(lengths) {
        *number = digits(parts.next()?, length)?;
    }
    parts.next().is_none().then_some(found)
}

fn digits(text: &str, length: usize) -> Option<i64> {
    let well_formed = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    well_formed.then(|| text.parse().ok()).flatten()
}

/// The milliseconds of `.123456Z`, and what follows the fraction.
fn split_fraction(text: &str) -> Option<(i64, &str)> {
    let Some(fraction) = text.strip_prefix('.') else { return Some((0, text)) };
    let end = fraction.find(|character: char| !character.is_ascii_digit())?;
    let (fraction, zone) = fraction.split_at(end);
    let millis = format!("{fraction:0<3}");
    (!fraction.is_empty()).then_some((digits(&millis[..3], 3)?, zone))
}

/// The minutes by which `Z`, `+02:00` or `-09:30` is ahead of UTC.
fn parse_zone(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let (sign, offset) = match zone.split_at_checked(1)? {
        ("+", offset) => (1, offset),
        ("-", offset) => (-1, offset),
        _ => return None,
    };
    let (hours, minutes) = offset.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Counts whole years since the year 0, then whole months.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    const DAYS_TO_1970: i64 = 719_528;
    let leap_days = (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
    let months = (1..month).map(|month| days_of_month(year, month)).sum::<i64>();
    year * 365 + leap_days + months + day - 1 - DAYS_TO_1970
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
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
            "2026-08-24 00:00:00Z",
            "2026-8-24T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-04-00T00:00:00Z",
            "2100-02-29T00:00:00Z",
            "2026-08-24T24:00:00Z",
            "2026-08-24T00:60:00Z",
            "2026-08-24T00:00:60Z",
            "2026-08-24T00:00:00.Z",
            "2026-08-24T00:00:00.5",
            "2026-08-24T00:00:00+0200",
            "2026-08-24T00:00:00+24:00",
            "2026-08-24T00:00:00Zz",
            "+026-08-24T00:00:00Z",
            "２０２６-08-24T00:00:00Z",
        ] {
            assert_eq!(UnixMillis::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_days_of_all_years_follow_each_other() {
        let mut expected = days_since_1970(0, 1, 1);
        for year in 0..=9999 {
            for month in 1..=12 {
                for day in 1..=days_of_month(year, month) {
                    assert_eq!(days_since_1970(year, month, day), expected);
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn nothing_is_younger_than_now() {
        let now = UnixMillis(1_000);
        assert_eq!(UnixMillis(0).age_at(now), 1_000);
        assert_eq!(UnixMillis(1_001).age_at(now), 0);
        assert_eq!(UnixMillis(i64::MIN).age_at(UnixMillis(i64::MAX)), u64::MAX);
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "[0-9TZ:.+é-]{0,32}") {
            let _moment = UnixMillis::parse(&text);
        }
    }
}
