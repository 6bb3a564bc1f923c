//! What happened to skills, told to the usage records, and what they say when skills are chosen.
//!
//! No command fails or waits long because of a record: what cannot be written is logged. Nothing is read or
//! written when `usageTracking` is off.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use crate::{
    candidate::{
        Candidate, Origin,
        usage::{SkillPlace, UsageEvent, UsageRecords, UsageSubject},
    },
    output::Output,
    route::adaptive::{self, Adaptive},
    skill::{id::TreeDigest, time::DAY_MS},
    source::{
        local::{Discovery, Home, LocalSkill},
        stored::Stored,
    },
    store::{StoreError, pins::PinRecord, usage},
};

/// Remembers what happened to a skill, unless that is switched off.
pub(super) fn record(context: &Context, subject: &UsageSubject, event: UsageEvent) {
    let settings = context.config.usage();
    if !settings.is_tracked {
        return;
    }
    match context.store().record_usage(subject, event, settings.max_entries, context.now()) {
        Ok(()) => {}
        Err(error) if error.is_read_only() => tracing::debug!(%error, "the use of a skill is not recorded"),
        Err(error @ StoreError::NewerFormat { .. }) => {
            tracing::info!(%error, "the use of a skill is not recorded");
        }
        Err(error) => tracing::warn!(%error, "the use of a skill is not recorded"),
    }
}

/// The skill as usage records know it. A folder that `mount` made is the skill that it was made of.
pub(super) fn subject(context: &Context, discovery: &Discovery, skill: &LocalSkill) -> UsageSubject {
    let name = skill.slug().to_string();
    if let Some(stored) = &skill.stored {
        return of_stored(stored, name);
    }
    let place = match &skill.home {
        Home::Bundled(bundled) => SkillPlace::Bundled(bundled.name.to_owned()),
        Home::Folder { folder, .. } => {
            let viewed = context.store().view(folder).ok().flatten();
            if let Some(stored) = viewed.and_then(|view| with_digest(discovery, &view.digest)) {
                return of_stored(stored, name);
            }
            let real = fs_err::canonicalize(folder).unwrap_or_else(|_| folder.clone());
            SkillPlace::Folder(real.to_string_lossy().into_owned())
        }
    };
    UsageSubject { place, name, origin: skill.origin(), pin: None }
}

/// A pin as usage records know it.
pub(super) fn subject_of_pin(record: &PinRecord) -> UsageSubject {
    UsageSubject {
        place: usage::place_of(record),
        name: record.name.to_string(),
        origin: Origin::Cache,
        pin: Some(record.identity),
    }
}

fn of_stored(stored: &Stored, name: String) -> UsageSubject {
    let place = SkillPlace::Repository {
        host: stored.host.clone(),
        id: stored.repository_id,
        name: stored.repository.clone(),
        path: stored.path.clone(),
    };
    UsageSubject { place, name, origin: Origin::Cache, pin: Some(stored.identity) }
}

fn with_digest<'a>(discovery: &'a Discovery, digest: &TreeDigest) -> Option<&'a Stored> {
    discovery
        .skills
        .iter()
        .filter_map(|skill| skill.stored.as_deref())
        .find(|stored| stored.digest == *digest)
}

/// The points that past use gives to candidates, by their id; none when routing does not learn from it.
pub(super) fn boosts<'a>(
    context: &Context,
    discovery: &Discovery,
    candidates: impl Iterator<Item = (&'a LocalSkill, &'a Candidate)>,
    output: Output,
) -> BTreeMap<String, u64> {
    let Some(settings) = context.config.adaptive() else { return BTreeMap::new() };
    let records = match context.store().usage() {
        Ok(reading) => {
            if let Some(note) = reading.note {
                output.warning(&format!("past use is not counted: the usage file: {note}"));
            }
            reading.value
        }
        Err(error) => {
            output.warning(&format!("past use is not counted: {error}"));
            return BTreeMap::new();
        }
    };
    let settings = Adaptive {
        max_boost: settings.max_boost,
        min_uses: settings.min_uses,
        half_life_days: settings.half_life_days,
    };
    // To look where a folder really lies takes a moment, so only those are asked that can have a record.
    let names: BTreeSet<&str> = records.as_slice().iter().map(|record| record.name.as_str()).collect();
    let known =
        candidates.filter(|(skill, _)| skill.stored.is_some() || names.contains(skill.slug().as_str()));
    known
        .filter_map(|(skill, candidate)| {
            let points = points(&records, &subject(context, discovery, skill), &settings, context)?;
            (points > 0).then(|| (candidate.id.clone(), points))
        })
        .collect()
}

fn points(
    records: &UsageRecords,
    subject: &UsageSubject,
    settings: &Adaptive,
    context: &Context,
) -> Option<u64> {
    let record = records.find(&subject.place)?;
    let age = record.last_used_at?.age_at(context.now());
    #[expect(clippy::cast_precision_loss, reason = "an age of 285,000 years is exact enough")]
    let age_days = age as f64 / DAY_MS as f64;
    Some(adaptive::boost(record.uses, age_days, settings))
}
