//! The quality score of a remote candidate: 0 to 100, one function a signal.
//!
//! The points, steps and edges are those of the dsh-skillflux plugin. Logarithms are compared as powers
//! of whole numbers and ages in whole milliseconds, so that no rounding of a processor moves a step.
//! What the same observations say about trust is decided in [`super::evidence`]; which scores are good
//! enough is decided by whoever asks.

use crate::skill::time::{DAY_MS, UnixMillis};

/// What sources and their repositories say about one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// How well it fits the query: the points of [`super::lexical`], or others on that scale.
    pub relevance: u64,
    /// Installations that a marketplace counted.
    pub installs: u64,
    /// Stars of its repository.
    pub stars: u64,
    /// Forks of its repository.
    pub forks: u64,
    /// When its repository was last pushed to; a date that cannot be parsed is unknown.
    pub pushed_at: Option<UnixMillis>,
    /// The present.
    pub now: UnixMillis,
    /// The days for which a push counts as recent, 1 to 3650.
    pub recent_days: u32,
    /// Whether a person listed its owner as trusted.
    pub trusted_owner: bool,
    /// Whether its owner is an organisation.
    pub organisation_owned: bool,
    /// Whether its repository declares a licence; see [`declares_licence`].
    pub has_licence: bool,
    /// The sources that offered it, at least 1.
    pub sources: usize,
    /// Whether its path and the hash of its `SKILL.md` are known.
    pub content_pinned: bool,
    /// What the registry that listed it says about it, if one did.
    pub registry_tier: Option<RegistryTier>,
}

/// How far a registry vouches for what it lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegistryTier {
    /// Published by the registry's own people.
    Official,
    /// Its publisher was verified.
    Verified,
    /// Listed by the community.
    Community,
    /// Nobody looked at it.
    Unreviewed,
}

/// How lately a repository was pushed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    /// Nothing is known.
    Unknown,
    /// More than 365 days and three windows ago.
    Dormant,
    /// At most 365 days, and more than three windows ago.
    Alive,
    /// At most three windows ago.
    Maintained,
    /// At most one window of [`Input::recent_days`] ago, or in the future.
    Recent,
}

/// The points of one candidate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quality {
    /// 55 for relevance from 100 on, below that twice the relevance, at most 50.
    pub relevance: u8,
    /// `round(4 log10(installs + 1))`, at most 15.
    pub adoption: u8,
    /// `round(4 log10(stars + 1))`, at most 15, and `round(2 log10(forks + 1))`, at most 5.
    pub repository: u8,
    /// 10 within one window, 6 within three, 3 within 365 days.
    pub freshness: u8,
    /// Trusted owner 10, organisation 3, licence 2; official 3, verified 2 or community 1.
    pub trust: u8,
    /// 4 for more than one source, 4 for pinned content.
    pub provenance: u8,
    /// The sum, at most 100.
    pub total: u8,
}

/// Whether the SPDX id that a repository gives is a licence. `NOASSERTION` says that there is a text
/// which nobody could name.
pub fn declares_licence(spdx_id: Option<&str>) -> bool {
    spdx_id.is_some_and(|id| !id.trim().is_empty() && id != "NOASSERTION")
}

/// Scores a candidate.
pub fn score(input: &Input) -> Quality {
    score_with(Weights::CONTRACT, input)
}

/// The points of relevance alone, at most 55.
pub fn relevance_points(points: u64) -> u8 {
    relevance(Weights::CONTRACT, points)
}

/// How lately the candidate's repository was pushed to.
pub fn activity(input: &Input) -> Activity {
    activity_with(Weights::CONTRACT, input)
}

/// What each signal is worth, and where its steps are.
///
/// Production code knows only [`Weights::CONTRACT`]; the evaluation varies the weights to prove that
/// its corpora notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weights {
    pub(crate) whole_relevance: u8,
    pub(crate) whole_relevance_from: u64,
    pub(crate) relevance_factor: u64,
    pub(crate) relevance_cap: u8,
    pub(crate) installs: Logarithm,
    pub(crate) stars: Logarithm,
    pub(crate) forks: Logarithm,
    pub(crate) recent: u8,
    pub(crate) maintained: u8,
    pub(crate) maintained_windows: u64,
    pub(crate) alive: u8,
    pub(crate) alive_days: u64,
    pub(crate) trusted_owner: u8,
    pub(crate) organisation: u8,
    pub(crate) licence: u8,
    pub(crate) official: u8,
    pub(crate) verified: u8,
    pub(crate) community: u8,
    pub(crate) several_sources: u8,
    pub(crate) content_pinned: u8,
    pub(crate) cap: u8,
}

impl Weights {
    pub(crate) const CONTRACT: Self = Self {
        whole_relevance: 55,
        whole_relevance_from: 100,
        relevance_factor: 2,
        relevance_cap: 50,
        installs: Logarithm { factor: 4, cap: 15 },
        stars: Logarithm { factor: 4, cap: 15 },
        forks: Logarithm { factor: 2, cap: 5 },
        recent: 10,
        maintained: 6,
        maintained_windows: 3,
        alive: 3,
        alive_days: 365,
        trusted_owner: 10,
        organisation: 3,
        licence: 2,
        official: 3,
        verified: 2,
        community: 1,
        several_sources: 4,
        content_pinned: 4,
        cap: 100,
    };
}

/// What a count is worth: `round(factor * log10(count + 1))`, at most `cap`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Logarithm {
    pub(crate) factor: u32,
    pub(crate) cap: u8,
}

impl Logarithm {
    fn points(self, count: u64) -> u8 {
        (1..=self.cap).rev().find(|&points| self.reaches(count, points)).unwrap_or(0)
    }

    /// `factor * log10(count + 1) >= points - 1/2`, which is `(count + 1)^(2 factor) >= 10^(2 points - 1)`.
    /// The power of ten is never equal to the other: its exponent is odd. A side beyond 128 bits is
    /// larger than any step of the contract, whose last is 10^29.
    fn reaches(self, count: u64, points: u8) -> bool {
        let step = 10_u128.checked_pow(2 * u32::from(points) - 1);
        let power = (u128::from(count) + 1).saturating_pow(2 * self.factor);
        step.is_some_and(|step| power >= step)
    }
}

pub(crate) fn score_with(weights: Weights, input: &Input) -> Quality {
    let parts = [
        relevance(weights, input.relevance),
        adoption(weights, input.installs),
        repository(weights, input.stars, input.forks),
        freshness(weights, activity_with(weights, input)),
        trust(weights, input),
        provenance(weights, input),
    ];
    let [relevance, adoption, repository, freshness, trust, provenance] = parts;
    let sum = parts.into_iter().map(u16::from).sum::<u16>();
    let total = u8::try_from(sum).map_or(weights.cap, |sum| sum.min(weights.cap));
    Quality { relevance, adoption, repository, freshness, trust, provenance, total }
}

pub(crate) fn activity_with(weights: Weights, input: &Input) -> Activity {
    let Some(pushed_at) = input.pushed_at else { return Activity::Unknown };
    let age = pushed_at.age_at(input.now);
    let window = u64::from(input.recent_days) * DAY_MS;
    if age <= window {
        Activity::Recent
    } else if age <= weights.maintained_windows * window {
        Activity::Maintained
    } else if age <= weights.alive_days * DAY_MS {
        Activity::Alive
    } else {
        Activity::Dormant
    }
}

fn relevance(weights: Weights, relevance: u64) -> u8 {
    if relevance >= weights.whole_relevance_from {
        return weights.whole_relevance;
    }
    let points = relevance.saturating_mul(weights.relevance_factor);
    u8::try_from(points).map_or(weights.relevance_cap, |points| points.min(weights.relevance_cap))
}

fn adoption(weights: Weights, installs: u64) -> u8 {
    weights.installs.points(installs)
}

fn repository(weights: Weights, stars: u64, forks: u64) -> u8 {
    weights.stars.points(stars) + weights.forks.points(forks)
}

fn freshness(weights: Weights, activity: Activity) -> u8 {
    match activity {
        Activity::Recent => weights.recent,
        Activity::Maintained => weights.maintained,
        Activity::Alive => weights.alive,
        Activity::Dormant | Activity::Unknown => 0,
    }
}

fn trust(weights: Weights, input: &Input) -> u8 {
    let tier = match input.registry_tier {
        Some(RegistryTier::Official) => weights.official,
        Some(RegistryTier::Verified) => weights.verified,
        Some(RegistryTier::Community) => weights.community,
        Some(RegistryTier::Unreviewed) | None => 0,
    };
    tier + when(input.trusted_owner, weights.trusted_owner)
        + when(input.organisation_owned, weights.organisation)
        + when(input.has_licence, weights.licence)
}

fn provenance(weights: Weights, input: &Input) -> u8 {
    when(input.sources > 1, weights.several_sources) + when(input.content_pinned, weights.content_pinned)
}

fn when(holds: bool, points: u8) -> u8 {
    if holds { points } else { 0 }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: UnixMillis = UnixMillis(1_787_529_600_000);

    /// A candidate about which nothing good is known.
    pub(in crate::rank) fn nothing() -> Input {
        Input {
            relevance: 0,
            installs: 0,
            stars: 0,
            forks: 0,
            pushed_at: None,
            now: NOW,
            recent_days: 30,
            trusted_owner: false,
            organisation_owned: false,
            has_licence: false,
            sources: 1,
            content_pinned: false,
            registry_tier: None,
        }
    }

    /// A push `millis` before now.
    pub(in crate::rank) fn pushed(millis: i64) -> Input {
        Input { pushed_at: Some(UnixMillis(NOW.0 - millis)), ..nothing() }
    }

    const DAY: i64 = 86_400_000;

    #[test]
    fn every_step_of_the_logarithms() {
        let contract = Weights::CONTRACT;
        let fours = [1, 2, 4, 7, 13, 23, 42, 74, 133, 237, 421, 749, 1333, 2371, 4216];
        let twos = [1, 5, 17, 56, 177];
        for (logarithm, steps) in
            [(contract.installs, &fours[..]), (contract.stars, &fours), (contract.forks, &twos)]
        {
            for (below, &step) in (0_u8..).zip(steps) {
                assert_eq!(logarithm.points(step - 1), below, "{step} - 1");
                assert_eq!(logarithm.points(step), below + 1, "{step}");
            }
            for many in [10_000, u64::from(u32::MAX), u64::MAX] {
                assert_eq!(usize::from(logarithm.points(many)), steps.len(), "{many}");
            }
        }
    }

    #[test]
    fn steps_are_where_the_formula_rounds_half_up() {
        for logarithm in [Weights::CONTRACT.installs, Weights::CONTRACT.forks] {
            for count in 0..20_000_u32 {
                let exact = (f64::from(count) + 1.0).log10() * f64::from(logarithm.factor);
                let rounded = (exact + 0.5).floor().min(f64::from(logarithm.cap));
                assert!((f64::from(logarithm.points(u64::from(count))) - rounded).abs() < 0.1, "{count}");
            }
        }
    }

    #[test]
    fn relevance_doubles_and_a_whole_name_stands_out() {
        for (points, expected) in
            [(0, 0), (1, 2), (24, 48), (25, 50), (26, 50), (99, 50), (100, 55), (u64::MAX, 55)]
        {
            assert_eq!(score(&Input { relevance: points, ..nothing() }).relevance, expected, "{points}");
        }
    }

    #[test]
    fn freshness_changes_one_millisecond_after_an_edge() {
        use Activity::{Alive, Dormant, Maintained, Recent};
        for (days, age, expected, points) in [
            (30, -DAY, Recent, 10),
            (30, i64::MIN + NOW.0 + 1, Recent, 10),
            (30, 0, Recent, 10),
            (30, 30 * DAY, Recent, 10),
            (30, 30 * DAY + 1, Maintained, 6),
            (30, 90 * DAY, Maintained, 6),
            (30, 90 * DAY + 1, Alive, 3),
            (30, 365 * DAY, Alive, 3),
            (30, 365 * DAY + 1, Dormant, 0),
            (1, DAY + 1, Maintained, 6),
            (1, 3 * DAY + 1, Alive, 3),
            (200, 600 * DAY, Maintained, 6),
            (200, 600 * DAY + 1, Dormant, 0),
            (3650, 3650 * DAY, Recent, 10),
        ] {
            let input = Input { recent_days: days, ..pushed(age) };
            assert_eq!((activity(&input), score(&input).freshness), (expected, points), "{days} {age}");
        }
        assert_eq!((activity(&nothing()), score(&nothing()).freshness), (Activity::Unknown, 0));
        let unparsable = Input { pushed_at: UnixMillis::parse("last week"), ..nothing() };
        assert_eq!(activity(&unparsable), Activity::Unknown);
    }

    #[test]
    fn trust_and_provenance_add_up() {
        let tier = |tier| score(&Input { registry_tier: Some(tier), ..nothing() }).trust;
        assert_eq!(tier(RegistryTier::Official), 3);
        assert_eq!(tier(RegistryTier::Verified), 2);
        assert_eq!(tier(RegistryTier::Community), 1);
        assert_eq!(tier(RegistryTier::Unreviewed), 0);
        assert_eq!(score(&Input { trusted_owner: true, ..nothing() }).trust, 10);
        assert_eq!(score(&Input { organisation_owned: true, ..nothing() }).trust, 3);
        assert_eq!(score(&Input { has_licence: true, ..nothing() }).trust, 2);
        for (sources, pinned, points) in [(1, false, 0), (1, true, 4), (2, false, 4), (9, true, 8)] {
            let input = Input { sources, content_pinned: pinned, ..nothing() };
            assert_eq!(score(&input).provenance, points);
        }
    }

    #[test]
    fn the_best_of_everything_is_a_hundred() {
        let best = Input {
            relevance: 100,
            installs: u64::MAX,
            stars: u64::MAX,
            forks: u64::MAX,
            trusted_owner: true,
            organisation_owned: true,
            has_licence: true,
            sources: 2,
            content_pinned: true,
            registry_tier: Some(RegistryTier::Official),
            ..pushed(0)
        };
        let parts = Quality {
            relevance: 55,
            adoption: 15,
            repository: 20,
            freshness: 10,
            trust: 18,
            provenance: 8,
            total: 100,
        };
        assert_eq!(score(&best), parts);
        assert_eq!(score(&nothing()), Quality::default());
    }

    #[test]
    fn a_licence_that_nobody_could_name_is_none() {
        assert!(declares_licence(Some("MIT")));
        for none in [None, Some(""), Some(" "), Some("NOASSERTION")] {
            assert!(!declares_licence(none), "{none:?}");
        }
    }

    proptest! {
        #[test]
        fn more_of_anything_is_never_worth_less(
            (relevance, installs, stars, forks) in any::<(u64, u64, u64, u64)>(),
            age in 0..2_000 * DAY,
            more in any::<u64>(),
        ) {
            let input = Input { relevance, installs, stars, forks, ..pushed(age) };
            let total = score(&input).total;
            prop_assert!(total <= 100);
            for better in [
                Input { relevance: relevance.saturating_add(more), ..input.clone() },
                Input { installs: installs.saturating_add(more), ..input.clone() },
                Input { stars: stars.saturating_add(more), ..input.clone() },
                Input { forks: forks.saturating_add(more), ..input.clone() },
                Input { pushed_at: pushed(age / 2).pushed_at, ..input.clone() },
                Input { trusted_owner: true, ..input.clone() },
                Input { organisation_owned: true, ..input.clone() },
                Input { has_licence: true, ..input.clone() },
                Input { sources: 2, ..input.clone() },
                Input { content_pinned: true, ..input },
            ] {
                prop_assert!(score(&better).total >= total);
            }
        }
    }
}
