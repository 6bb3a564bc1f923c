//! The choice of a shortlist by full-text relevance: rules first, then who is named, then who is relevant enough.
//!
//! The order is that of the rescorer. A boost moves a candidate up past those that it overtakes in points and lifts
//! none over the threshold; nothing displaces what a rule chose.

use std::collections::BTreeSet;

use super::{
    rules,
    select::{How, Outcome, Reason, Selection, Settings, Shortlist, invoked_names},
};
use crate::{
    candidate::Candidate,
    rank::{
        fuse::{self, Scored},
        lexical::{Parts, Score},
        text::normalise,
    },
};

/// The points of a candidate that is surely meant.
pub const SURE: u64 = 100;

/// How relevant a candidate is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relevance {
    /// How likely it serves the task, from 0 to [`SURE`].
    pub points: u64,
    /// How it stands among the others.
    pub standing: Standing,
}

/// How a candidate stands among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// A catalog may have it.
    Within,
    /// The first is so much likelier that it would only fill the catalog.
    Outdone,
    /// As many are before it as a catalog has.
    Beyond,
}

/// The relevance of candidates that the rescorer ordered, of which a catalog has at most `most`, with a confidence of at
/// least `threshold`.
pub fn of(scored: &[Scored], most: usize, threshold: f64) -> Vec<Relevance> {
    let printed = fuse::printed(scored, most, threshold);
    let standing = |place: usize| match place {
        _ if printed.contains(&place) => Standing::Within,
        _ if place >= most => Standing::Beyond,
        _ => Standing::Outdone,
    };
    let each = scored.iter().enumerate();
    each.map(|(place, scored)| Relevance { points: scored.points(), standing: standing(place) }).collect()
}

/// Chooses at most `settings.limit` of `candidates` for `prompt`. `relevance` says how relevant each is; they come
/// in the order of the rescorer, and those without relevance behind.
pub fn select(
    prompt: &str,
    candidates: &[Candidate],
    relevance: &[Option<Relevance>],
    settings: &Settings<'_>,
) -> Selection {
    let invoked = if settings.exclude_invoked { invoked_names(prompt) } else { BTreeSet::new() };
    let normalised = normalise(prompt);
    let points = |index: usize| match relevance[index] {
        _ if is_named(&normalised, &candidates[index]) => SURE,
        Some(relevance) => relevance.points,
        None => 0,
    };
    let least = settings.min_score.max(1);
    let outcomes = (0..candidates.len()).map(|index| {
        let candidate = &candidates[index];
        let is_invoked = invoked.contains(candidate.slug.as_str()) || invoked.contains(&candidate.name);
        let reason = match (points(index), relevance[index]) {
            _ if is_invoked => Reason::Invoked,
            (0, _) | (_, None) => Reason::NoMatch,
            (points, _) if points < least => Reason::BelowThreshold,
            (_, Some(Relevance { standing: Standing::Beyond, .. })) => Reason::OverLimit,
            (_, Some(_)) => Reason::Outdone,
        };
        Outcome {
            reason,
            score: Score { total: points(index), parts: Parts::default() },
            boost: 0,
            similarity: None,
        }
    });
    let mut shortlist = Shortlist::new(candidates, settings.limit, outcomes.collect());
    let mut open: BTreeSet<usize> =
        (0..candidates.len()).filter(|&index| shortlist.reason(index) != Reason::Invoked).collect();
    let named =
        rules::named(&normalised, settings.routes, open.iter().map(|&index| (index, &candidates[index])));
    for rules::Named { rule, candidate } in named {
        open.remove(&candidate);
        shortlist.offer(candidate, super::select::RULE_SCORE, Reason::Rule { rule }, How::Rule);
    }
    let is_enough = |&index: &usize| {
        let is_within = relevance[index].is_some_and(|relevance| relevance.standing == Standing::Within);
        points(index) >= least && (is_within || is_named(&normalised, &candidates[index]))
    };
    let mut passing: Vec<usize> = open.iter().copied().filter(is_enough).collect();
    passing.sort_by_key(|&index| !is_named(&normalised, &candidates[index]));
    for &index in &passing {
        shortlist.boost(index, settings.boosts.get(&candidates[index].id).copied().unwrap_or(0));
    }
    overtake(&mut passing, |index| shortlist.total(index));
    for index in passing {
        shortlist.offer(index, points(index), Reason::Chosen, How::Fulltext);
    }
    shortlist.into_selection()
}

/// Whether the whole prompt, which is normalised, is the name of a candidate, with its words together or apart.
pub fn is_named(normalised: &str, candidate: &Candidate) -> bool {
    let is_it = |name: &str| {
        let name = normalise(name);
        name == normalised || name.replace(['-', '_'], " ") == normalised
    };
    is_it(&candidate.name) || is_it(candidate.slug.as_str())
}

/// Moves each up past those before it that have less.
fn overtake(order: &mut [usize], total: impl Fn(usize) -> (u64, u64)) {
    for place in 1..order.len() {
        let mut at = place;
        // Without a boost the order is that of the rescorer, whatever the points are.
        while at > 0 && total(order[at]).1 > 0 && total(order[at]).0 > total(order[at - 1]).0 {
            order.swap(at, at - 1);
            at -= 1;
        }
    }
}
