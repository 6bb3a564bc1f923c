//! Moments and durations as people write them.

use std::time::Duration;

use jiff::Timestamp;

use crate::skill::time::UnixMillis;

/// Date and time of RFC 3339 in UTC, to the second.
pub(super) fn rfc3339(moment: UnixMillis) -> String {
    let seconds = moment.0.div_euclid(1000);
    Timestamp::from_second(seconds)
        .map_or_else(|_| format!("{seconds} s after 1970"), |moment| moment.to_string())
}

/// The day in UTC, `YYYY-MM-DD`.
pub(super) fn day(moment: UnixMillis) -> String {
    rfc3339(moment).split('T').next().unwrap_or_default().to_owned()
}

/// Reads `90s`, `15m`, `12h` or `2d`: at least a second, at most a year.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let unit = text.chars().next_back()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 24 * 3600,
        _ => return None,
    };
    let number: u64 = text[..text.len() - 1].parse().ok()?;
    let total = number.checked_mul(seconds)?;
    (1..=365 * 24 * 3600).contains(&total).then(|| Duration::from_secs(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_durations_by_example() {
        assert_eq!(rfc3339(UnixMillis(1_787_529_600_999)), "2026-08-24T00:00:00Z");
        assert_eq!(day(UnixMillis(1_787_529_600_999)), "2026-08-24");
        for (text, seconds) in
            [("90s", Some(90)), ("15m", Some(900)), ("12h", Some(43_200)), ("2d", Some(172_800))]
        {
            assert_eq!(duration(text).map(|duration| duration.as_secs()), seconds, "{text}");
        }
        for text in ["", "h", "0h", "-1h", "1.5h", "12", "366d", "99999999999999999999d", "1é"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
