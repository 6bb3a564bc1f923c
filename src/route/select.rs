//! The choice of a shortlist: rules first, then the lexical score, then the adaptive boost.
//!
//! A boost orders candidates that passed the threshold and lifts none over it; nothing displaces what
//! a rule chose. Equal scores are placed by origin, by quality and installations within the cache,
//! and last by "source/name" in the order of a dictionary, so that the order never depends on how
//! the candidates came in unless two of them are the same in all of this.
//!
//! What fits a catalog's budget is not decided here.

use std::{
    cell::OnceCell,
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BTreeSet},
};

use icu_collator::{Collator, CollatorBorrowed, CollatorPreferences, options::CollatorOptions};
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};

pub mod hybrid;

use super::rules;
use crate::{
    candidate::{Candidate, Origin, RouteRule, vector::Similarity},
    rank::{
        lexical::{Parts, Query, Score, Weights, score},
        text::is_word,
    },
    skill::name::Slug,
};

/// The score of a candidate that a rule chose: 2^53 - 1, the largest integer that JSON readers agree on.
pub const RULE_SCORE: u64 = (1 << 53) - 1;

/// How to choose.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// The most picks.
    pub limit: usize,
    /// The least lexical score, boosts not counted.
    pub min_score: u64,
    /// Rules, in the order in which they are tried.
    pub routes: &'a [RouteRule],
    /// Points added to candidates that passed the threshold, by candidate id.
    pub boosts: &'a BTreeMap<String, u64>,
    /// Whether skills that the prompt calls as `/name` are left out: the person has invoked them.
    pub exclude_invoked: bool,
}

/// The chosen candidates and the reason for every other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// The chosen candidates, best first.
    pub picks: Vec<Pick>,
    /// One outcome for each candidate, in the order in which they came in.
    pub outcomes: Vec<Outcome>,
}

/// One chosen candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The index of the candidate.
    pub index: usize,
    /// [`RULE_SCORE`], the lexical score, or the points of the similarity.
    pub base_score: u64,
    /// The adaptive boost; 0 for a rule.
    pub boost: u64,
    /// `base_score` and `boost` together.
    pub score: u64,
    /// What chose it.
    pub how: How,
    /// The parts of the lexical score, also where a rule made it irrelevant.
    pub parts: Parts,
}

/// What chose a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// A rule of the configuration.
    Rule,
    /// The lexical score.
    Lexical,
    /// Full-text relevance.
    Fulltext,
    /// The similarity of meaning.
    Embedding,
}

/// What became of one candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Why it is in or out.
    pub reason: Reason,
    /// Its lexical score, whatever the reason.
    pub score: Score,
    /// The boost that was added; 0 unless the threshold was passed.
    pub boost: u64,
    /// How alike it is to the prompt, where that was asked.
    pub similarity: Option<Similarity>,
}

/// Why a candidate is in or out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// In: the rule of this index names it.
    Rule {
        /// The index of the rule.
        rule: usize,
    },
    /// In: by its score.
    Chosen,
    /// In: by the similarity of meaning.
    Alike,
    /// Out: the person called it as `/name`.
    Invoked,
    /// Out: it shares words with the prompt, but too few.
    BelowThreshold,
    /// Out: a better candidate has the same name or slug.
    SameName {
        /// The index of the better candidate.
        winner: usize,
    },
    /// Out: the limit was reached before it.
    OverLimit,
    /// Out: the first is so much likelier that it would only fill the catalog.
    Outdone,
    /// Out: it shares nothing with the prompt.
    NoMatch,
}

/// Chooses at most `settings.limit` of `candidates` for `prompt`.
pub fn select(prompt: &str, candidates: &[Candidate], settings: &Settings<'_>) -> Selection {
    select_with(Weights::CONTRACT, prompt, candidates, settings)
}

/// [`select`] with weights of the caller's choice.
pub(crate) fn select_with(
    weights: Weights,
    prompt: &str,
    candidates: &[Candidate],
    settings: &Settings<'_>,
) -> Selection {
    let query = Query::with_weights(prompt, weights);
    let invoked = if settings.exclude_invoked { invoked_names(prompt) } else { BTreeSet::new() };
    let outcomes = candidates.iter().map(|candidate| {
        let is_invoked = invoked.contains(candidate.slug.as_str()) || invoked.contains(&candidate.name);
        let reason = if is_invoked { Reason::Invoked } else { Reason::NoMatch };
        Outcome { reason, score: score(&query, candidate), boost: 0, similarity: None }
    });
    let mut shortlist = Shortlist::new(candidates, settings.limit, outcomes.collect());
    let mut open = (0..candidates.len())
        .filter(|&index| shortlist.selection.outcomes[index].reason != Reason::Invoked)
        .collect::<BTreeSet<_>>();
    let named =
        rules::named(query.text(), settings.routes, open.iter().map(|&index| (index, &candidates[index])));
    for rules::Named { rule, candidate } in named {
        open.remove(&candidate);
        shortlist.offer(candidate, RULE_SCORE, Reason::Rule { rule }, How::Rule);
    }
    for index in shortlist.passing(&open, settings) {
        let base_score = shortlist.selection.outcomes[index].score.total;
        shortlist.offer(index, base_score, Reason::Chosen, How::Lexical);
    }
    shortlist.selection
}

/// The names that `prompt` calls as `/name`.
///
/// The slash stands at the start or after white space; the slug ends before white space, the end, or
/// punctuation. `/usr/bin` and `/notes.txt` are paths: a slash, backslash or underscore after the
/// slug, or punctuation with a letter or number directly behind `.`, `:` or `@`, makes it no name.
pub fn invoked_names(prompt: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (slash, _) in prompt.match_indices('/') {
        if prompt[..slash].chars().next_back().is_some_and(|before| !before.is_whitespace()) {
            continue;
        }
        let rest = &prompt[slash + 1..];
        let end = rest
            .find(|character: char| !matches!(character, 'a'..='z' | '0'..='9' | '-'))
            .unwrap_or(rest.len());
        if let Some(slug) = Slug::parse(&rest[..end])
            && ends_a_name(&rest[end..])
        {
            names.insert(slug.as_str().to_owned());
        }
    }
    names
}

fn ends_a_name(after: &str) -> bool {
    let mut characters = after.chars();
    match characters.next() {
        None => true,
        Some('/' | '\\' | '_') => false,
        Some('.' | ':' | '@') => !characters.next().is_some_and(is_word),
        Some(other) => {
            let category = CodePointMapData::<GeneralCategory>::new().get(other);
            other.is_whitespace()
                || GeneralCategoryGroup::Punctuation.contains(category)
                || GeneralCategoryGroup::Symbol.contains(category)
        }
    }
}

/// A selection in the making.
pub(super) struct Shortlist<'a> {
    candidates: &'a [Candidate],
    limit: usize,
    /// Names and slugs that are spoken for, with the candidate that has them.
    taken: BTreeMap<&'a str, usize>,
    selection: Selection,
}

impl<'a> Shortlist<'a> {
    pub(super) fn new(candidates: &'a [Candidate], limit: usize, outcomes: Vec<Outcome>) -> Self {
        let selection = Selection { picks: Vec::new(), outcomes };
        Self { candidates, limit, taken: BTreeMap::new(), selection }
    }

    pub(super) fn into_selection(self) -> Selection {
        self.selection
    }

    pub(super) fn reason(&self, index: usize) -> Reason {
        self.selection.outcomes[index].reason
    }

    pub(super) fn boost(&mut self, index: usize, boost: u64) {
        self.selection.outcomes[index].boost = boost;
    }

    /// The points of a candidate with its boost, and the boost.
    pub(super) fn total(&self, index: usize) -> (u64, u64) {
        let outcome = &self.selection.outcomes[index];
        (outcome.score.total.saturating_add(outcome.boost), outcome.boost)
    }

    /// Takes a candidate in unless its name is taken or the limit is reached.
    pub(super) fn offer(&mut self, index: usize, base_score: u64, reason: Reason, how: How) {
        let candidate = &self.candidates[index];
        let outcome = &mut self.selection.outcomes[index];
        let labels = [candidate.name.as_str(), candidate.slug.as_str()];
        if let Some(&winner) = labels.iter().find_map(|label| self.taken.get(label)) {
            outcome.reason = Reason::SameName { winner };
            return;
        }
        self.taken.extend(labels.map(|label| (label, index)));
        if self.selection.picks.len() == self.limit {
            outcome.reason = Reason::OverLimit;
            return;
        }
        outcome.reason = reason;
        self.selection.picks.push(Pick {
            index,
            base_score,
            boost: outcome.boost,
            score: base_score.saturating_add(outcome.boost),
            how,
            parts: outcome.score.parts,
        });
    }

    /// The open candidates that reach the threshold, boosted and in order.
    fn passing(&mut self, open: &BTreeSet<usize>, settings: &Settings<'_>) -> Vec<usize> {
        let collator = OnceCell::new();
        let mut hits = Vec::new();
        for &index in open {
            let candidate = &self.candidates[index];
            let outcome = &mut self.selection.outcomes[index];
            if outcome.score.total < settings.min_score {
                if outcome.score.total > 0 {
                    outcome.reason = Reason::BelowThreshold;
                }
                continue;
            }
            outcome.boost = settings.boosts.get(&candidate.id).copied().unwrap_or(0);
            let score = outcome.score.total.saturating_add(outcome.boost);
            hits.push(Hit { index, score, candidate, label: OnceCell::new() });
        }
        hits.sort_by(|left, right| left.order(right, &collator));
        hits.into_iter().map(|hit| hit.index).collect()
    }
}

/// A candidate on its way into the order.
struct Hit<'a> {
    index: usize,
    score: u64,
    candidate: &'a Candidate,
    label: OnceCell<String>,
}

impl Hit<'_> {
    fn order(&self, other: &Self, collator: &OnceCell<CollatorBorrowed<'static>>) -> Ordering {
        Reverse(self.score)
            .cmp(&Reverse(other.score))
            .then_with(|| self.candidate.origin.cmp(&other.candidate.origin))
            .then_with(|| match self.candidate.origin {
                Origin::Cache => Reverse(self.standing()).cmp(&Reverse(other.standing())),
                _ => Ordering::Equal,
            })
            .then_with(|| collator.get_or_init(dictionary).compare(self.label(), other.label()))
    }

    /// The order of two that are equally alike to the prompt.
    fn placed(&self, other: &Self, collator: &OnceCell<CollatorBorrowed<'static>>) -> Ordering {
        let origins = self.candidate.origin.cmp(&other.candidate.origin);
        origins.then_with(|| collator.get_or_init(dictionary).compare(self.label(), other.label()))
    }

    fn standing(&self) -> (u8, u64) {
        (self.candidate.quality.unwrap_or(0), self.candidate.installs.unwrap_or(0))
    }

    fn label(&self) -> &str {
        self.label.get_or_init(|| format!("{}/{}", self.candidate.source, self.candidate.name))
    }
}

/// The root collation, which is also the English one.
fn dictionary() -> CollatorBorrowed<'static> {
    Collator::try_new(CollatorPreferences::default(), CollatorOptions::default())
        .expect("the root collation is compiled in")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: &str, name: &str, origin: Origin, source: &str) -> Candidate {
        Candidate {
            id: id.to_owned(),
            name: name.to_owned(),
            slug: Slug::derive(name, "folder"),
            description: "Sharpens kitchen knives".to_owned(),
            when_to_use: None,
            origin,
            source: source.to_owned(),
            installs: None,
            quality: None,
        }
    }

    fn settings<'a>(routes: &'a [RouteRule], boosts: &'a BTreeMap<String, u64>) -> Settings<'a> {
        Settings { limit: 3, min_score: 8, routes, boosts, exclude_invoked: true }
    }

    fn chosen(prompt: &str, pool: &[Candidate], settings: &Settings<'_>) -> Vec<String> {
        let selection = select(prompt, pool, settings);
        selection.picks.iter().map(|pick| pool[pick.index].id.clone()).collect()
    }

    #[test]
    fn equal_scores_are_placed_by_origin_then_standing_then_label() {
        let cache = |id: &str, quality, installs| Candidate {
            installs,
            quality,
            ..candidate(id, &format!("tool-{id}"), Origin::Cache, "z/z")
        };
        let pool = [
            candidate("mcp", "mcp-one", Origin::Mcp, "a"),
            candidate("remote", "remote-one", Origin::Remote, "a"),
            candidate("bundled", "bundled-one", Origin::Bundled, "a"),
            cache("plain", None, Some(900)),
            cache("good", Some(70), Some(1)),
            cache("better", Some(70), Some(2)),
            candidate("e-umlaut", "tool-g", Origin::Local, "ëx"),
            candidate("f", "tool-f", Origin::Local, "fx"),
            candidate("capital-e", "tool-e", Origin::Local, "Ex"),
        ];
        let none = BTreeMap::new();
        let settings = Settings { limit: 9, ..settings(&[], &none) };
        let order = ["capital-e", "e-umlaut", "f", "better", "good", "plain", "bundled", "remote", "mcp"];
        assert_eq!(chosen("sharpens kitchen knives", &pool, &settings), order);
        let reversed = pool.iter().rev().cloned().collect::<Vec<_>>();
        assert_eq!(chosen("sharpens kitchen knives", &reversed, &settings), order);
    }

    #[test]
    fn every_candidate_has_a_reason() {
        let unrelated = Candidate {
            description: "Nothing".to_owned(),
            ..candidate("unrelated", "other", Origin::Local, "a")
        };
        let weak =
            Candidate { description: "Knives".to_owned(), ..candidate("weak", "blunt", Origin::Local, "a") };
        let pool = [
            candidate("twin", "whetstone", Origin::Remote, "a"),
            candidate("stone", "whetstone", Origin::Local, "a"),
            candidate("ruled", "strop", Origin::Local, "a"),
            candidate("called", "honing-steel", Origin::Local, "a"),
            candidate("late", "grinder", Origin::Local, "a"),
            weak,
            unrelated,
        ];
        let routes = [RouteRule {
            match_all: vec!["kitchen".to_owned()],
            match_any: Vec::new(),
            skills: vec!["honing-steel".to_owned(), "strop".to_owned()],
        }];
        let boosts = BTreeMap::from([("stone".to_owned(), 4), ("weak".to_owned(), 20)]);
        let settings = Settings { limit: 2, ..settings(&routes, &boosts) };
        let selection = select("/honing-steel sharpens kitchen knives", &pool, &settings);
        let reasons = selection.outcomes.iter().map(|outcome| outcome.reason).collect::<Vec<_>>();
        assert_eq!(
            reasons,
            [
                Reason::SameName { winner: 1 },
                Reason::Chosen,
                Reason::Rule { rule: 0 },
                Reason::Invoked,
                Reason::OverLimit,
                Reason::BelowThreshold,
                Reason::NoMatch,
            ]
        );
        let picks = selection
            .picks
            .iter()
            .map(|pick| (pick.index, pick.base_score, pick.boost, pick.score, pick.how));
        assert_eq!(
            picks.collect::<Vec<_>>(),
            [(2, RULE_SCORE, 0, 9_007_199_254_740_991, How::Rule), (1, 9, 4, 13, How::Lexical)]
        );
        assert_eq!((selection.outcomes[5].score.total, selection.outcomes[5].boost), (3, 0));
    }

    #[test]
    fn one_slug_is_taken_once() {
        let pool = [
            candidate("spaced", "Bread Knife", Origin::Local, "b"),
            candidate("slug", "bread-knife", Origin::Local, "a"),
            candidate("han-one", "面包刀", Origin::Local, "c"),
            Candidate {
                slug: Slug::derive("bread", "x"),
                ..candidate("han-two", "面包刀", Origin::Local, "d")
            },
        ];
        let none = BTreeMap::new();
        assert_eq!(chosen("sharpens kitchen knives", &pool, &settings(&[], &none)), ["slug", "han-one"]);
    }

    #[test]
    fn a_threshold_of_zero_lets_everything_in_and_a_limit_of_zero_nothing() {
        let pool = [candidate("one", "whetstone", Origin::Local, "a")];
        let none = BTreeMap::new();
        let open = Settings { min_score: 0, ..settings(&[], &none) };
        assert_eq!(chosen("unrelated", &pool, &open), ["one"]);
        assert!(chosen("sharpens kitchen knives", &pool, &Settings { limit: 0, ..open }).is_empty());
        assert!(chosen("", &[], &open).is_empty());
    }

    #[test]
    fn names_typed_with_a_slash() {
        for (prompt, expected) in [
            ("/pdf-reader this file", "pdf-reader"),
            ("please /tidy, then\n/sort-2!", "sort-2 tidy"),
            ("run /tidy. Then stop", "tidy"),
            ("run /tidy.", "tidy"),
            ("请用 /tidy，谢谢", "tidy"),
            ("look in /usr/bin and /notes.txt", ""),
            ("and/or either/both", ""),
            ("/plugin:tidy", ""),
            ("/tidy: do it", "tidy"),
            ("/Tidy /tidy_up /-x /x- / //x", ""),
            ("/tidy帮我", ""),
            ("C:\\x /a\\b", ""),
        ] {
            let names = invoked_names(prompt).into_iter().collect::<Vec<_>>().join(" ");
            assert_eq!(names, expected, "{prompt:?}");
        }
        assert!(invoked_names(&format!("/{}", "a".repeat(65))).is_empty());
        assert!(invoked_names(&" /a/".repeat(100_000)).is_empty());
    }
}
