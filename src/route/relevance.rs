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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{candidate::Origin, rank::features::FEATURES, skill::name::Slug};

    fn scored(document: u32, share: f64, confidence: f64) -> Scored {
        Scored {
            document,
            fulltext: 1.0,
            features: [0.0; FEATURES],
            score: 1.0,
            share,
            confidence,
            dense: 0.0,
            similarity: None,
        }
    }

    fn candidates(names: &[&str]) -> Vec<Candidate> {
        let of = |name: &&str| Candidate {
            id: (*name).to_owned(),
            name: (*name).to_owned(),
            slug: Slug::derive(name, "folder"),
            description: "Sharpens kitchen knives.".to_owned(),
            when_to_use: None,
            origin: Origin::Local,
            source: "here".to_owned(),
            installs: None,
            quality: None,
        };
        names.iter().map(of).collect()
    }

    fn selected(
        prompt: &str,
        names: &[&str],
        scored: &[Scored],
        boosts: &[(&str, u64)],
    ) -> (Vec<usize>, Vec<Reason>) {
        let boosts: BTreeMap<String, u64> =
            boosts.iter().map(|(id, boost)| ((*id).to_owned(), *boost)).collect();
        let settings =
            Settings { limit: 2, min_score: 57, routes: &[], boosts: &boosts, exclude_invoked: true };
        let mut relevance: Vec<Option<Relevance>> = of(scored, 2, 0.57).into_iter().map(Some).collect();
        relevance.resize(names.len(), None);
        let selection = select(prompt, &candidates(names), &relevance, &settings);
        let picks = selection.picks.iter().map(|pick| pick.index).collect();
        (picks, selection.outcomes.iter().map(|outcome| outcome.reason).collect())
    }

    #[test]
    fn each_candidate_has_the_reason_of_its_standing() {
        let names = ["a-one", "b-two", "c-three", "d-four"];
        let all = [scored(0, 0.5, 0.9), scored(1, 0.3, 0.4), scored(2, 0.2, 0.8)];
        let (picks, reasons) = selected("knives", &names, &all, &[]);
        assert_eq!(picks, [0]);
        // The third is confident, but as many stand before it as a catalog has.
        assert_eq!(reasons, [Reason::Chosen, Reason::BelowThreshold, Reason::OverLimit, Reason::NoMatch]);
        let filler = [scored(0, 0.999, 0.99), scored(1, 0.000_1, 0.7)];
        let (picks, reasons) = selected("knives", &names[..2], &filler, &[]);
        assert_eq!((picks, reasons[1]), (vec![0], Reason::Outdone));
    }

    #[test]
    fn the_name_of_a_skill_is_that_skill_and_a_call_is_left_out() {
        let names = ["a-one", "b-two"];
        let none = [scored(0, 0.6, 0.9)];
        assert_eq!(selected("B Two", &names, &none, &[]).0, [1, 0]);
        let (picks, reasons) = selected("/a-one knives", &names, &none, &[]);
        assert_eq!((picks, reasons[0]), (vec![], Reason::Invoked));
    }

    #[test]
    fn a_boost_overtakes_in_points_and_lifts_nothing_over_the_threshold() {
        let names = ["a-one", "b-two"];
        let close = [scored(0, 0.5, 0.80), scored(1, 0.5, 0.78)];
        assert_eq!(selected("knives", &names, &close, &[("b-two", 2)]).0, [0, 1]);
        assert_eq!(selected("knives", &names, &close, &[("b-two", 3)]).0, [1, 0]);
        let far = [scored(0, 0.5, 0.80), scored(1, 0.5, 0.55)];
        assert_eq!(selected("knives", &names, &far, &[("b-two", 20)]).0, [0]);
    }
}
