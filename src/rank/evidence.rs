//! What is known about a remote candidate's origin: a level, signals and warnings.
//!
//! Evidence is about where a skill comes from, never about what its text does. The rules are those of the
//! dsh-skillflux plugin. A level is reached by what was observed or by a person's list of owners; nothing
//! that an author writes about a skill changes it. Which levels may be used is decided in [`super::trust`].

use std::fmt;

use super::quality::{Activity, Input, RegistryTier, Weights, activity_with};

/// Gives an enum without data the words of its variants and the way back.
macro_rules! words {
    ($name:ident { $($variant:ident => $word:literal,)+ }) => {
        impl $name {
            /// Every variant, in the documented order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word used in output, files and settings.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The variant of this word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.as_str() == word)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.as_str())
            }
        }
    };
}

/// How much is known about a candidate's origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceLevel {
    /// None of the following.
    Unverified,
    /// Its content is pinned; or it has a licence, a push within a year, and somebody who uses it.
    Community,
    /// More than one source offers it, and its content is pinned.
    Corroborated,
    /// A person listed its owner.
    Trusted,
}

words!(EvidenceLevel {
    Unverified => "unverified",
    Community => "community",
    Corroborated => "corroborated",
    Trusted => "trusted",
});

/// What speaks for a candidate, in the order in which it is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// A person listed its owner.
    TrustedOwner,
    /// More than one source offers it.
    CrossSource,
    /// Its path and the hash of its `SKILL.md` are known.
    ContentPinned,
    /// A push within the window of recent activity.
    RecentActivity,
    /// Its repository declares a licence.
    DeclaredLicence,
    /// Its owner is an organisation.
    OrganisationOwned,
    /// A marketplace counted an installation.
    MarketAdoption,
    /// Its repository has a star or a fork.
    RepositoryAdoption,
    /// A registry published it itself.
    EcosystemOfficial,
    /// A registry verified its publisher.
    EcosystemVerified,
    /// A registry lists it for its community.
    EcosystemCommunity,
}

words!(Signal {
    TrustedOwner => "trusted-owner",
    CrossSource => "cross-source",
    ContentPinned => "content-pinned",
    RecentActivity => "recent-activity",
    DeclaredLicence => "declared-license",
    OrganisationOwned => "organization-owned",
    MarketAdoption => "market-adoption",
    RepositoryAdoption => "repository-adoption",
    EcosystemOfficial => "ecosystem-official",
    EcosystemVerified => "ecosystem-verified",
    EcosystemCommunity => "ecosystem-community",
});

/// What speaks against a candidate, in the order in which it is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// One source alone offers it.
    SingleSource,
    /// Nobody has seen its `SKILL.md` yet.
    ContentNotPreviewed,
    /// When its repository was last pushed to is unknown.
    ActivityUnknown,
    /// The last push is more than three windows ago.
    StaleActivity,
    /// Its repository declares no licence.
    LicenceMissing,
    /// Fewer than 10 installations, 5 stars and 2 forks.
    LowAdoption,
    /// A registry lists it and nobody there looked at it.
    EcosystemUnreviewed,
    /// The query holds its whole name, and hardly anybody is known to use it: whoever takes a common word
    /// for a name is found by everybody. It needs a query, so [`super::remote`] says it.
    NameOnly,
}

words!(Warning {
    SingleSource => "single-source",
    ContentNotPreviewed => "content-not-previewed",
    ActivityUnknown => "activity-unknown",
    StaleActivity => "stale-activity",
    LicenceMissing => "license-missing",
    LowAdoption => "low-adoption",
    EcosystemUnreviewed => "ecosystem-unreviewed",
    NameOnly => "bare-name-match",
});

/// The evidence of one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The level that it reaches.
    pub level: EvidenceLevel,
    /// What speaks for it, in the order of [`Signal::ALL`].
    pub signals: Vec<Signal>,
    /// What speaks against it, in the order of [`Warning::ALL`].
    pub warnings: Vec<Warning>,
}

/// Judges what is known about a candidate.
pub fn evaluate(input: &Input) -> Evidence {
    evaluate_with(Thresholds::CONTRACT, input)
}

/// Where evidence begins.
///
/// Production code knows only [`Thresholds::CONTRACT`]; the evaluation varies them to prove that its
/// corpora notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thresholds {
    pub(crate) several_sources: usize,
    pub(crate) installs: u64,
    pub(crate) stars: u64,
    pub(crate) forks: u64,
    /// Of these, only the edges of activity.
    pub(crate) ages: Weights,
}

impl Thresholds {
    pub(crate) const CONTRACT: Self =
        Self { several_sources: 2, installs: 10, stars: 5, forks: 2, ages: Weights::CONTRACT };
}

pub(crate) fn evaluate_with(thresholds: Thresholds, input: &Input) -> Evidence {
    let signals = Signal::ALL.iter().copied().filter(|signal| speaks_for(*signal, thresholds, input));
    let warnings = Warning::ALL.iter().copied().filter(|warning| speaks_against(*warning, thresholds, input));
    Evidence { level: level(thresholds, input), signals: signals.collect(), warnings: warnings.collect() }
}

fn level(thresholds: Thresholds, input: &Input) -> EvidenceLevel {
    let is_alive = activity_with(thresholds.ages, input) >= Activity::Alive;
    let is_used = input.installs > 0 || input.stars > 0 || input.forks > 0;
    if input.trusted_owner {
        EvidenceLevel::Trusted
    } else if input.sources >= thresholds.several_sources && input.content_pinned {
        EvidenceLevel::Corroborated
    } else if input.content_pinned || (input.has_licence && is_alive && is_used) {
        EvidenceLevel::Community
    } else {
        EvidenceLevel::Unverified
    }
}

fn speaks_for(signal: Signal, thresholds: Thresholds, input: &Input) -> bool {
    match signal {
        Signal::TrustedOwner => input.trusted_owner,
        Signal::CrossSource => input.sources >= thresholds.several_sources,
        Signal::ContentPinned => input.content_pinned,
        Signal::RecentActivity => activity_with(thresholds.ages, input) == Activity::Recent,
        Signal::DeclaredLicence => input.has_licence,
        Signal::OrganisationOwned => input.organisation_owned,
        Signal::MarketAdoption => input.installs > 0,
        Signal::RepositoryAdoption => input.stars > 0 || input.forks > 0,
        Signal::EcosystemOfficial => input.registry_tier == Some(RegistryTier::Official),
        Signal::EcosystemVerified => input.registry_tier == Some(RegistryTier::Verified),
        Signal::EcosystemCommunity => input.registry_tier == Some(RegistryTier::Community),
    }
}

fn speaks_against(warning: Warning, thresholds: Thresholds, input: &Input) -> bool {
    match warning {
        Warning::SingleSource => input.sources < thresholds.several_sources,
        Warning::ContentNotPreviewed => !input.content_pinned,
        Warning::ActivityUnknown => activity_with(thresholds.ages, input) == Activity::Unknown,
        Warning::StaleActivity => {
            matches!(activity_with(thresholds.ages, input), Activity::Alive | Activity::Dormant)
        }
        Warning::LicenceMissing => !input.has_licence,
        Warning::LowAdoption => {
            input.installs < thresholds.installs
                && input.stars < thresholds.stars
                && input.forks < thresholds.forks
        }
        Warning::EcosystemUnreviewed => input.registry_tier == Some(RegistryTier::Unreviewed),
        Warning::NameOnly => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::quality::tests::{nothing, pushed},
        *,
    };

    const DAY: i64 = 86_400_000;

    #[test]
    fn a_level_needs_all_of_its_grounds() {
        use EvidenceLevel::{Community, Corroborated, Trusted, Unverified};
        let used = Input { has_licence: true, installs: 1, ..pushed(365 * DAY) };
        for (input, expected) in [
            (nothing(), Unverified),
            (Input { trusted_owner: true, ..nothing() }, Trusted),
            (Input { sources: 2, ..nothing() }, Unverified),
            (Input { content_pinned: true, ..nothing() }, Community),
            (Input { sources: 2, content_pinned: true, ..nothing() }, Corroborated),
            (used.clone(), Community),
            (Input { installs: 0, stars: 1, ..used.clone() }, Community),
            (Input { installs: 0, forks: 1, ..used.clone() }, Community),
            (Input { installs: 0, ..used.clone() }, Unverified),
            (Input { has_licence: false, ..used.clone() }, Unverified),
            (Input { pushed_at: None, ..used.clone() }, Unverified),
            (Input { pushed_at: pushed(365 * DAY + 1).pushed_at, ..used }, Unverified),
        ] {
            assert_eq!(evaluate(&input).level, expected, "{input:?}");
        }
    }

    #[test]
    fn everything_that_can_be_said_has_its_order() {
        let words = |input: &Input| {
            let Evidence { signals, warnings, .. } = evaluate(input);
            let signals = signals.into_iter().map(Signal::as_str).collect::<Vec<_>>().join(" ");
            let warnings = warnings.into_iter().map(Warning::as_str).collect::<Vec<_>>().join(" ");
            (signals, warnings)
        };
        let best = Input {
            trusted_owner: true,
            sources: 2,
            content_pinned: true,
            has_licence: true,
            organisation_owned: true,
            installs: 10,
            stars: 5,
            forks: 2,
            registry_tier: Some(RegistryTier::Official),
            ..pushed(30 * DAY)
        };
        let signals = "trusted-owner cross-source content-pinned recent-activity declared-license \
                       organization-owned market-adoption repository-adoption ecosystem-official";
        assert_eq!(words(&best), (signals.to_owned(), String::new()));
        let worst = Input { registry_tier: Some(RegistryTier::Unreviewed), ..pushed(90 * DAY + 1) };
        let warnings = "single-source content-not-previewed stale-activity license-missing low-adoption \
                        ecosystem-unreviewed";
        assert_eq!(words(&worst), (String::new(), warnings.to_owned()));
        assert!(words(&nothing()).1.contains("activity-unknown"));
        for (tier, word) in
            [(RegistryTier::Verified, "ecosystem-verified"), (RegistryTier::Community, "ecosystem-community")]
        {
            assert_eq!(words(&Input { registry_tier: Some(tier), ..nothing() }).0, word);
        }
    }

    #[test]
    fn adoption_is_low_when_every_count_is() {
        let is_low = |input: &Input| evaluate(input).warnings.contains(&Warning::LowAdoption);
        assert!(is_low(&Input { installs: 9, stars: 4, forks: 1, ..nothing() }));
        assert!(!is_low(&Input { installs: 10, ..nothing() }));
        assert!(!is_low(&Input { stars: 5, ..nothing() }));
        assert!(!is_low(&Input { forks: 2, ..nothing() }));
    }

    #[test]
    fn words_lead_back_to_what_they_name() {
        let words = |names: Vec<&str>| names.join(" ");
        for &level in EvidenceLevel::ALL {
            assert_eq!(EvidenceLevel::parse(level.as_str()), Some(level));
        }
        assert_eq!(
            words(EvidenceLevel::ALL.iter().map(|level| level.as_str()).collect()),
            "unverified community corroborated trusted"
        );
        assert_eq!(Signal::parse("cross-source"), Some(Signal::CrossSource));
        assert_eq!(Warning::parse("Low-Adoption"), None);
    }

    proptest! {
        #[test]
        fn every_observation_is_either_a_signal_or_a_warning(
            (sources, age) in (1..4_usize, 0..1_000 * DAY),
            (content_pinned, has_licence) in any::<(bool, bool)>(),
        ) {
            let input = Input { has_licence, sources, content_pinned, ..pushed(age) };
            let Evidence { signals, warnings, .. } = evaluate(&input);
            for (signal, warning) in [
                (Signal::CrossSource, Warning::SingleSource),
                (Signal::ContentPinned, Warning::ContentNotPreviewed),
                (Signal::DeclaredLicence, Warning::LicenceMissing),
            ] {
                prop_assert_ne!(signals.contains(&signal), warnings.contains(&warning));
            }
            prop_assert!(signals.is_sorted() && warnings.is_sorted());
        }
    }
}
