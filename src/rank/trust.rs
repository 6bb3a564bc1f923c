//! Which remote and stored skills a person lets in: a policy on evidence, and lists of owners.
//!
//! The level of evidence itself is found in [`super::evidence`]. Skills in folders of this machine are not
//! gated. A blocked owner is refused whatever the policy.

use std::{collections::BTreeSet, fmt};

use super::evidence::EvidenceLevel;

/// The least level that a person admits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrustPolicy {
    /// Every level.
    Open,
    /// Community and above.
    Community,
    /// Corroborated and above.
    Corroborated,
    /// Trusted owners only.
    Trusted,
}

impl TrustPolicy {
    /// Every policy, the most open one first.
    pub const ALL: [Self; 4] = [Self::Open, Self::Community, Self::Corroborated, Self::Trusted];

    /// The word used in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Community => "community",
            Self::Corroborated => "corroborated",
            Self::Trusted => "trusted",
        }
    }

    /// The policy of this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.as_str() == word)
    }

    /// The least level that passes.
    pub fn least(self) -> EvidenceLevel {
        match self {
            Self::Open => EvidenceLevel::Unverified,
            Self::Community => EvidenceLevel::Community,
            Self::Corroborated => EvidenceLevel::Corroborated,
            Self::Trusted => EvidenceLevel::Trusted,
        }
    }

    /// Whether candidates of this level pass.
    pub fn allows(self, level: EvidenceLevel) -> bool {
        level >= self.least()
    }
}

impl fmt::Display for TrustPolicy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The owner of a repository, for comparison.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner(String);

impl Owner {
    /// The owner with this login. Logins are ASCII, so only ASCII letters lose their case: a look-alike
    /// such as the Kelvin sign never becomes a `k`.
    pub fn new(login: &str) -> Self {
        Self(login.to_ascii_lowercase())
    }

    /// The owner of a source of the form `owner/repo`.
    pub fn of_source(source: &str) -> Option<Self> {
        let (owner, _) = source.split_once('/')?;
        (!owner.is_empty()).then(|| Self::new(owner))
    }
}

/// The owners whom a person trusts and those whom they block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnerRules {
    trusted: BTreeSet<Owner>,
    blocked: BTreeSet<Owner>,
}

/// What the rules say about one owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// On the list of trusted owners.
    Trusted,
    /// On the list of blocked owners.
    Blocked,
    /// On none.
    Unlisted,
}

impl OwnerRules {
    /// The rules of these logins.
    pub fn new<'a>(
        trusted: impl IntoIterator<Item = &'a str>,
        blocked: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self {
            trusted: trusted.into_iter().map(Owner::new).collect(),
            blocked: blocked.into_iter().map(Owner::new).collect(),
        }
    }

    /// What is said about `owner`. The configuration refuses an owner on both lists; here, blocked counts.
    pub fn standing(&self, owner: &Owner) -> Standing {
        if self.blocked.contains(owner) {
            Standing::Blocked
        } else if self.trusted.contains(owner) {
            Standing::Trusted
        } else {
            Standing::Unlisted
        }
    }
}

/// Why a candidate may not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A person blocked its owner.
    #[error("its owner is blocked")]
    BlockedOwner,
    /// Its level is below the policy.
    #[error("its evidence is `{level}`, and the policy `{policy}` wants more")]
    BelowPolicy {
        /// The level that it has.
        level: EvidenceLevel,
        /// The policy in force.
        policy: TrustPolicy,
    },
}

/// The level of a skill in the cache under the rules of today, which may differ from those of the day on
/// which it was stored.
///
/// A trusted owner gives trust. A skill stored without a level has `community`, and a stored `community` or
/// `corroborated` is kept. What was stored as `unverified`, or as `trusted` and is no longer, has
/// `corroborated` with two stored sources and else `community`: its content was verified when it was stored.
pub fn reevaluate(stored: Option<EvidenceLevel>, stored_sources: usize, owner: Standing) -> EvidenceLevel {
    match stored {
        _ if owner == Standing::Trusted => EvidenceLevel::Trusted,
        Some(level @ (EvidenceLevel::Community | EvidenceLevel::Corroborated)) => level,
        Some(_) if stored_sources >= 2 => EvidenceLevel::Corroborated,
        None | Some(_) => EvidenceLevel::Community,
    }
}

/// Whether a candidate of this level and owner may be used.
///
/// # Errors
///
/// When its owner is blocked, whatever the policy, or when the policy wants a higher level.
pub fn admit(level: EvidenceLevel, owner: Standing, policy: TrustPolicy) -> Result<(), Refusal> {
    if owner == Standing::Blocked {
        Err(Refusal::BlockedOwner)
    } else if policy.allows(level) {
        Ok(())
    } else {
        Err(Refusal::BelowPolicy { level, policy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_allows_its_level_and_all_above() {
        for (policy, least) in TrustPolicy::ALL.into_iter().zip(0..) {
            for (level, rank) in EvidenceLevel::ALL.iter().zip(0..) {
                assert_eq!(policy.allows(*level), rank >= least, "{policy} {level}");
            }
        }
    }

    #[test]
    fn the_cache_is_judged_by_the_rules_of_today() {
        use EvidenceLevel::{Community, Corroborated, Trusted, Unverified};
        for (stored, sources, expected) in [
            (None, 1, Community),
            (None, 2, Community),
            (Some(Unverified), 1, Community),
            (Some(Unverified), 2, Corroborated),
            (Some(Community), 2, Community),
            (Some(Corroborated), 1, Corroborated),
            (Some(Trusted), 1, Community),
            (Some(Trusted), 2, Corroborated),
        ] {
            assert_eq!(reevaluate(stored, sources, Standing::Unlisted), expected, "{stored:?} {sources}");
            assert_eq!(reevaluate(stored, sources, Standing::Trusted), Trusted, "{stored:?} {sources}");
        }
    }

    #[test]
    fn owners_compare_without_case_and_blocked_ones_never_pass() {
        let rules = OwnerRules::new(["Anthropics", "kind"], ["Mallory", "kind"]);
        for (source, expected) in [
            ("anthropics/skills", Standing::Trusted),
            ("ANTHROPICS/x", Standing::Trusted),
            ("mallory/x", Standing::Blocked),
            ("kind/x", Standing::Blocked),
            ("\u{212a}ind/x", Standing::Unlisted),
            ("anthropics-labs/x", Standing::Unlisted),
        ] {
            assert_eq!(rules.standing(&Owner::of_source(source).unwrap()), expected, "{source}");
        }
        assert_eq!(Owner::of_source("/x"), None);
        assert_eq!(Owner::of_source("anthropics"), None);
        for policy in TrustPolicy::ALL {
            let refused = admit(EvidenceLevel::Trusted, Standing::Blocked, policy);
            assert_eq!(refused, Err(Refusal::BlockedOwner));
        }
        assert_eq!(admit(EvidenceLevel::Unverified, Standing::Unlisted, TrustPolicy::Open), Ok(()));
        let refusal = admit(EvidenceLevel::Community, Standing::Unlisted, TrustPolicy::Trusted).unwrap_err();
        assert_eq!(refusal.to_string(), "its evidence is `community`, and the policy `trusted` wants more");
    }

    #[test]
    fn words_lead_back_to_their_policy() {
        for policy in TrustPolicy::ALL {
            assert_eq!(TrustPolicy::parse(policy.as_str()), Some(policy));
        }
        assert_eq!(
            TrustPolicy::ALL.map(TrustPolicy::as_str).join(" "),
            "open community corroborated trusted"
        );
        assert_eq!(TrustPolicy::parse("unverified"), None);
    }
}
