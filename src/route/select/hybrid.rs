//! The stage that `routerMode: hybrid` adds: similarity of meaning fills what rules and words left open.
//!
//! It displaces nothing and reorders nothing. It runs only when words chose fewer skills than are wanted, and
//! compares only candidates whose name is not spoken for. The original plugin's contract, with its order:
//! similarity, origin, then "source/name".

use std::{cell::OnceCell, collections::BTreeMap};

use super::{Hit, How, Reason, Selection, Settings, Shortlist};
use crate::{
    candidate::{Candidate, vector::Similarity},
    rank::semantic,
};

/// When and how far similarity is asked.
#[derive(Debug, Clone, Copy)]
pub struct Hybrid {
    /// With this many picks or more it is not asked.
    pub trigger: usize,
    /// The most candidates that are compared.
    pub candidate_limit: usize,
    /// The least similarity that is chosen.
    pub least: Similarity,
}

/// The candidates to be compared, as indices in their order: none when enough were chosen already.
pub fn pool(
    selection: &Selection,
    candidates: &[Candidate],
    settings: &Settings<'_>,
    hybrid: &Hybrid,
) -> Vec<usize> {
    if selection.picks.len() >= hybrid.trigger.min(settings.limit) {
        return Vec::new();
    }
    let taken = taken(selection, candidates);
    let is_open = |index: &usize| {
        let candidate = &candidates[*index];
        selection.outcomes[*index].reason != Reason::Invoked
            && !labels(candidate).iter().any(|label| taken.contains_key(label))
    };
    let mut open: Vec<usize> = (0..candidates.len()).filter(is_open).collect();
    open.sort_by_key(|index| candidates[*index].origin);
    open.truncate(hybrid.candidate_limit);
    open
}

/// Adds those of the compared candidates that are alike enough behind what was chosen.
pub fn extend(
    selection: Selection,
    candidates: &[Candidate],
    settings: &Settings<'_>,
    hybrid: &Hybrid,
    similarities: &[(usize, Similarity)],
) -> Selection {
    let taken = taken(&selection, candidates);
    let mut shortlist = Shortlist { candidates, limit: settings.limit, taken, selection };
    for &(index, similarity) in similarities {
        shortlist.selection.outcomes[index].similarity = Some(similarity);
    }
    let collator = OnceCell::new();
    let hit = |index: usize| Hit { index, score: 0, candidate: &candidates[index], label: OnceCell::new() };
    let ranked =
        semantic::ranked(similarities, hybrid.least, |left, right| hit(left).placed(&hit(right), &collator));
    for (index, similarity) in ranked {
        shortlist.offer(index, similarity.points(), Reason::Alike, How::Embedding);
    }
    shortlist.selection
}

/// The compared candidates that are alike enough, the most alike first.
pub fn ranked(
    candidates: &[Candidate],
    similarities: &[(usize, Similarity)],
    least: Similarity,
) -> Vec<(usize, Similarity)> {
    let collator = OnceCell::new();
    let hit = |index: usize| Hit { index, score: 0, candidate: &candidates[index], label: OnceCell::new() };
    semantic::ranked(similarities, least, |left, right| hit(left).placed(&hit(right), &collator))
}

/// The names that are spoken for.
fn taken<'a>(selection: &Selection, candidates: &'a [Candidate]) -> BTreeMap<&'a str, usize> {
    let picked = selection.picks.iter().map(|pick| pick.index);
    picked.flat_map(|index| labels(&candidates[index]).map(|label| (label, index))).collect()
}

fn labels(candidate: &Candidate) -> [&str; 2] {
    [candidate.name.as_str(), candidate.slug.as_str()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        candidate::{Origin, RouteRule},
        route::select::select,
        skill::name::Slug,
    };

    fn candidate(name: &str, description: &str, origin: Origin, source: &str) -> Candidate {
        Candidate {
            id: format!("{source}/{name}"),
            name: name.to_owned(),
            slug: Slug::derive(name, "x"),
            description: description.to_owned(),
            when_to_use: None,
            origin,
            source: source.to_owned(),
            installs: None,
            quality: None,
        }
    }

    fn hybrid() -> Hybrid {
        Hybrid { trigger: 2, candidate_limit: 10, least: Similarity::new(0.45) }
    }

    const TASK: &str = "read this pdf /invoked";

    fn pool_of_all() -> Vec<Candidate> {
        vec![
            candidate("cached", "", Origin::Cache, "o/r"),
            candidate("pdf-reader", "Reads a PDF", Origin::Local, "a"),
            candidate("invoked", "", Origin::Local, "a"),
            candidate("twin", "", Origin::Local, "b"),
            candidate("twin", "", Origin::Local, "a"),
            candidate("other", "", Origin::Local, "a"),
        ]
    }

    /// The names of the picks with their sources, how each was chosen, and its score.
    fn picks(selection: &Selection, candidates: &[Candidate]) -> Vec<(String, How, u64)> {
        let picks = selection.picks.iter();
        picks.map(|pick| (candidates[pick.index].id.clone(), pick.how, pick.score)).collect()
    }

    fn run(settings: &Settings<'_>, hybrid: &Hybrid, cosine: impl Fn(usize) -> f64) -> Selection {
        let candidates = pool_of_all();
        let selection = select(TASK, &candidates, settings);
        let compared = pool(&selection, &candidates, settings, hybrid);
        let similarities: Vec<_> =
            compared.iter().map(|&index| (index, Similarity::new(cosine(index)))).collect();
        extend(selection, &candidates, settings, hybrid, &similarities)
    }

    fn settings<'a>(
        limit: usize,
        routes: &'a [RouteRule],
        boosts: &'a BTreeMap<String, u64>,
    ) -> Settings<'a> {
        Settings { limit, min_score: 8, routes, boosts, exclude_invoked: true }
    }

    #[test]
    fn only_open_names_are_compared_and_only_when_some_are_wanted() {
        let boosts = BTreeMap::new();
        let candidates = pool_of_all();
        let compared = |limit, hybrid: &Hybrid| {
            let settings = settings(limit, &[], &boosts);
            pool(&select(TASK, &candidates, &settings), &candidates, &settings, hybrid)
        };
        assert_eq!(compared(3, &hybrid()), [3, 4, 5, 0], "local ones before stored ones");
        assert_eq!(compared(3, &Hybrid { candidate_limit: 2, ..hybrid() }), [3, 4]);
        assert_eq!(compared(3, &Hybrid { trigger: 1, ..hybrid() }), [0; 0], "words chose enough");
        assert_eq!(compared(1, &hybrid()), [0; 0], "the limit is reached");
    }

    #[test]
    fn similar_ones_stand_behind_and_displace_nothing() {
        let boosts = BTreeMap::new();
        let candidates = pool_of_all();
        let found = run(&settings(3, &[], &boosts), &hybrid(), |index| if index == 5 { 0.99 } else { 0.5 });
        let expected = [("a/pdf-reader", How::Lexical, 23), ("a/other", How::Embedding, 99)];
        assert_eq!(
            picks(&found, &candidates)[..2],
            expected.map(|(id, how, score)| (id.to_owned(), how, score))
        );
        // Of two that are equally alike the origin decides, then the source; one name is taken once.
        assert_eq!(picks(&found, &candidates)[2], ("a/twin".to_owned(), How::Embedding, 50));
        assert_eq!(found.outcomes[3].reason, Reason::SameName { winner: 4 });
        assert_eq!(found.outcomes[0].reason, Reason::OverLimit);
        assert_eq!(found.outcomes[0].similarity, Some(Similarity::new(0.5)));
        assert_eq!(found.outcomes[2].reason, Reason::Invoked);
        assert_eq!(found.outcomes[2].similarity, None);
    }

    #[test]
    fn what_is_not_alike_enough_is_left_out() {
        let boosts = BTreeMap::new();
        let candidates = pool_of_all();
        let rules = [RouteRule {
            match_any: vec!["pdf".to_owned()],
            skills: vec!["other".to_owned()],
            ..RouteRule::default()
        }];
        let found = run(&settings(6, &rules, &boosts), &Hybrid { trigger: 6, ..hybrid() }, |_| 0.449);
        let expected = [("a/other", How::Rule), ("a/pdf-reader", How::Lexical)];
        let names: Vec<_> = picks(&found, &candidates).into_iter().map(|(id, how, _)| (id, how)).collect();
        assert_eq!(names, expected.map(|(id, how)| (id.to_owned(), how)));
        assert_eq!(found.outcomes[4].reason, Reason::NoMatch);
    }
}
