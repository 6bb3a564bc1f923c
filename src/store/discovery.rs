//! Whether the stored result of a search may be used, by its age.
//!
//! A fresh result spares the network. A stale one waits for the network to fail: then it is better than
//! nothing, and is said to be incomplete. An expired one is never shown.

use std::fmt;

/// How long a stored result is of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetimes {
    /// The milliseconds for which it is fresh; 0 stores nothing and uses nothing.
    pub ttl_ms: u64,
    /// The milliseconds after these for which it may stand in for a search that failed; 0 for never.
    pub stale_if_error_ms: u64,
}

/// What a stored result is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It is used, and nothing is asked.
    Fresh,
    /// It is used when a search fails.
    Stale,
    /// It is not used.
    Expired,
}

impl State {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Stale => "stale",
            Self::Expired => "expired",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The state of a result that was stored `age_ms` ago.
///
/// Both ends belong to the better state. For the age of a result that a clock set back has put into the
/// future, [`crate::skill::time::UnixMillis::age_at`] gives 0.
pub fn state(age_ms: u64, lifetimes: Lifetimes) -> State {
    let Lifetimes { ttl_ms, stale_if_error_ms } = lifetimes;
    if ttl_ms == 0 {
        State::Expired
    } else if age_ms <= ttl_ms {
        State::Fresh
    } else if age_ms - ttl_ms <= stale_if_error_ms {
        State::Stale
    } else {
        State::Expired
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ends_belong_to_the_better_state() {
        use State::{Expired, Fresh, Stale};
        for (age_ms, ttl_ms, stale_if_error_ms, expected) in [
            (0, 1, 0, Fresh),
            (10, 10, 5, Fresh),
            (11, 10, 5, Stale),
            (15, 10, 5, Stale),
            (16, 10, 5, Expired),
            (11, 10, 0, Expired),
            (0, 0, 0, Expired),
            (0, 0, u64::MAX, Expired),
            (u64::MAX, 1, u64::MAX, Stale),
            (u64::MAX, u64::MAX, 0, Fresh),
        ] {
            let lifetimes = Lifetimes { ttl_ms, stale_if_error_ms };
            assert_eq!(state(age_ms, lifetimes), expected, "{age_ms} {lifetimes:?}");
        }
    }

    proptest! {
        #[test]
        fn a_result_never_gets_better_with_age(
            (age, older) in any::<(u32, u32)>(),
            (ttl_ms, stale_if_error_ms) in (0..u64::from(u32::MAX), 0..u64::from(u32::MAX)),
        ) {
            let lifetimes = Lifetimes { ttl_ms, stale_if_error_ms };
            let now = u64::from(age);
            prop_assert!(state(now, lifetimes) <= state(now + u64::from(older), lifetimes));
        }
    }
}
