//! A remote candidate as the corpora write it, for the suites that judge one.
//!
//! Corpora say how old a push is and not when it was, so that the present can be any fixed moment.

use std::time::Duration;

use serde::Deserialize;

use crate::{
    rank::quality::{Input, RegistryTier},
    skill::time::UnixMillis,
};

/// 2026-08-24T00:00:00Z.
const NOW: UnixMillis = UnixMillis(1_787_529_600_000);

/// The window of recent activity where a case names none.
const RECENT_DAYS: u32 = 30;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RemoteEntry {
    relevance_score: u64,
    installs: u64,
    stars: u64,
    forks: u64,
    /// Null is unknown; the field itself must be there.
    #[serde(deserialize_with = "Option::deserialize")]
    age_days: Option<f64>,
    trusted_source: bool,
    organization_owned: bool,
    has_license: bool,
    pub(super) discovery_source_count: Option<usize>,
    pub(super) content_pinned: Option<bool>,
    registry_tier: Option<TierWord>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum TierWord {
    Official,
    Verified,
    Community,
    Unreviewed,
}

impl RemoteEntry {
    /// What the ranking sees, or what is wrong with the entry.
    pub(super) fn input(&self, recent_days: Option<u32>) -> Result<Input, &'static str> {
        let recent_days = recent_days.unwrap_or(RECENT_DAYS);
        let sources = self.discovery_source_count.unwrap_or(1);
        let pushed_at = match self.age_days {
            None => None,
            Some(days) => Some(moment_before(days).ok_or("has an age beyond all dates")?),
        };
        let rules = [
            ((1..=3650).contains(&recent_days), "has a window of activity outside 1 to 3650 days"),
            (sources > 0, "has a candidate that no source offers"),
        ];
        if let Some((_, problem)) = rules.iter().find(|(holds, _)| !holds) {
            return Err(problem);
        }
        Ok(Input {
            relevance: self.relevance_score,
            installs: self.installs,
            stars: self.stars,
            forks: self.forks,
            pushed_at,
            now: NOW,
            recent_days,
            trusted_owner: self.trusted_source,
            organisation_owned: self.organization_owned,
            has_licence: self.has_license,
            sources,
            content_pinned: self.content_pinned.unwrap_or(false),
            registry_tier: self.registry_tier.map(|tier| match tier {
                TierWord::Official => RegistryTier::Official,
                TierWord::Verified => RegistryTier::Verified,
                TierWord::Community => RegistryTier::Community,
                TierWord::Unreviewed => RegistryTier::Unreviewed,
            }),
        })
    }
}

/// The moment so many days before [`NOW`], to the millisecond; after it when `days` is negative.
fn moment_before(days: f64) -> Option<UnixMillis> {
    let distance = Duration::try_from_secs_f64(days.abs() * 86_400.0).ok()?;
    let millis = i64::try_from(distance.as_millis()).ok()?;
    let moment = if days < 0.0 { NOW.0.checked_add(millis) } else { NOW.0.checked_sub(millis) };
    moment.map(UnixMillis)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value, json};

    use super::*;
    use crate::rank::{
        evidence::{EvidenceLevel, Signal, Warning, evaluate},
        quality::{Quality, score},
    };

    #[test]
    fn ages_become_moments() {
        let distance = |days| moment_before(days).map(|moment| NOW.0 - moment.0);
        assert_eq!(distance(0.0), Some(0));
        assert_eq!(distance(30.0), Some(2_592_000_000));
        assert_eq!(distance(30.00001), Some(2_592_000_864));
        assert_eq!(distance(0.1), Some(8_640_000));
        assert_eq!(distance(-1.0), Some(-86_400_000));
        assert_eq!(distance(1e300), None);
        assert_eq!(UnixMillis::parse("2026-08-24T00:00:00Z"), Some(NOW));
    }
    /// What the original makes of an entry of its corpora, in the form of its recorded values.
    fn judged(entry: &Value) -> Value {
        let entry: RemoteEntry = serde_json::from_value(entry.clone()).unwrap();
        let input = entry.input(None).unwrap();
        let Quality { relevance, adoption, repository, freshness, trust, provenance, total } = score(&input);
        let evidence = evaluate(&input);
        json!({
            "total": total,
            "parts": [relevance, adoption, repository, freshness, trust, provenance],
            "level": EvidenceLevel::as_str(evidence.level),
            "signals": evidence.signals.into_iter().map(Signal::as_str).collect::<Vec<_>>(),
            "warnings": evidence.warnings.into_iter().map(Warning::as_str).collect::<Vec<_>>(),
        })
    }

    #[test]
    fn parts_and_evidence_are_those_of_the_original() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/original-eval");
        if !folder.exists() {
            println!("skipped: {} is not here", folder.display());
            return;
        }
        let read = |name: &str| -> Value {
            serde_json::from_str(&fs_err::read_to_string(folder.join(name)).unwrap()).unwrap()
        };
        let golden = read("derived-golden.json");
        let pairs = read("remote-quality-cases.json");
        for (case, expected) in
            pairs["cases"].as_array().unwrap().iter().zip(golden["quality"].as_array().unwrap())
        {
            for side in ["left", "right"] {
                assert_eq!(judged(&case[side]), expected[side], "{} {side}", case["name"]);
            }
        }
        let single = read("remote-governance-cases.json");
        for (case, expected) in
            single["cases"].as_array().unwrap().iter().zip(golden["evidence"].as_array().unwrap())
        {
            let mut judged = judged(&case["input"]);
            judged["id"] = case["id"].clone();
            assert_eq!(judged, *expected);
        }
    }
}
