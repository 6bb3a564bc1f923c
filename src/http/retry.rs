//! Which failures are worth a second try, and after how long; pure.
//!
//! Only what may pass by itself within seconds is tried again, and only a GET: the caller sees to that. The
//! wait is random between nothing and a bound that doubles (full jitter), so that many processes that failed
//! together do not come back together.

use std::time::Duration;

use super::{HttpError, Phase, RateScope};

/// The longest wait before another try, in multiples of the first bound (0.5 s gives 8 s).
const LONGEST: u32 = 16;

/// The longest pause that a host may ask for and that is waited out.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// How long to wait before the try that follows `tries` failed ones; `None` when there should be none.
///
/// `random` is any number, `left` the time until the deadline.
pub(super) fn wait(
    error: &HttpError,
    tries: u32,
    backoff: Duration,
    random: u64,
    now_ms: i64,
    left: Duration,
) -> Option<Duration> {
    let wait = match error {
        HttpError::Connect { .. }
        | HttpError::Interrupted { .. }
        | HttpError::Truncated { .. }
        | HttpError::Timeout { phase: Phase::Connect | Phase::Headers, .. }
        | HttpError::Server { status: 500 | 502 | 503 | 504, .. } => {
            let bound = backoff * LONGEST.min(1 << tries.min(LONGEST));
            let part = u32::try_from(random >> 32).expect("32 bits are left");
            bound * (part >> 16) / (1 << 16)
        }
        HttpError::RateLimited { scope: RateScope::Secondary, retry_at_ms, .. } => {
            let pause = u64::try_from(retry_at_ms.saturating_sub(now_ms)).unwrap_or_default();
            Some(Duration::from_millis(pause)).filter(|pause| *pause <= LONGEST_PAUSE)?
        }
        _ => return None,
    };
    (wait < left).then_some(wait)
}

/// A number that differs from call to call and from process to process; no source of secrets.
pub(super) fn scramble(now_ms: i64, counter: u64) -> u64 {
    let mut state = now_ms.unsigned_abs() ^ counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Duration = Duration::from_millis(500);
    const LEFT: Duration = Duration::from_secs(60);

    fn server(status: u16) -> HttpError {
        HttpError::Server { host: "h".to_owned(), status }
    }

    fn limited(scope: RateScope, retry_at_ms: i64) -> HttpError {
        HttpError::RateLimited { host: "h".to_owned(), scope, authenticated: false, retry_at_ms }
    }

    #[test]
    fn waits_grow_to_eight_seconds_and_stay_within_the_deadline() {
        let longest = |tries| wait(&server(503), tries, BACKOFF, u64::MAX, 0, LEFT).unwrap().as_millis();
        assert_eq!([0, 1, 2, 4, 9, 40].map(longest), [499, 999, 1999, 7999, 7999, 7999]);
        assert_eq!(wait(&server(503), 3, BACKOFF, 0, 0, LEFT), Some(Duration::ZERO));
        assert_eq!(wait(&server(503), 3, BACKOFF, u64::MAX, 0, Duration::from_secs(1)), None);
    }

    #[test]
    fn only_what_may_pass_by_itself_is_tried_again() {
        let tried = |error: &HttpError| wait(error, 0, BACKOFF, 1, 1_000, LEFT).is_some();
        for status in [500, 502, 503, 504] {
            assert!(tried(&server(status)));
        }
        for status in [501, 505, 599] {
            assert!(!tried(&server(status)));
        }
        let slow = |phase| HttpError::Timeout { host: "h".to_owned(), phase };
        assert!(tried(&slow(Phase::Connect)) && tried(&slow(Phase::Headers)));
        assert!(!tried(&slow(Phase::Request)) && !tried(&slow(Phase::Command)));
        assert!(!tried(&HttpError::NotFound { host: "h".to_owned(), path: "/".to_owned() }));
        assert!(!tried(&limited(RateScope::Primary, 1_001)));
        assert!(
            tried(&limited(RateScope::Secondary, 6_000)) && !tried(&limited(RateScope::Secondary, 6_001))
        );
        assert_eq!(
            wait(&limited(RateScope::Secondary, 3_000), 0, BACKOFF, 1, 1_000, LEFT),
            Some(Duration::from_secs(2))
        );
        assert_eq!(
            wait(&limited(RateScope::Secondary, 3_000), 0, BACKOFF, 1, 1_000, Duration::from_secs(2)),
            None
        );
    }

    #[test]
    fn numbers_differ() {
        let numbers: std::collections::BTreeSet<u64> =
            (0..1_000).map(|counter| scramble(17, counter) >> 48).collect();
        assert!(numbers.len() > 900, "{}", numbers.len());
        assert_ne!(scramble(17, 0), scramble(18, 0));
    }
}
