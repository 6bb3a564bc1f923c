//! The rules that a person wrote: prompts that match one get its skills first.
//!
//! A term is matched against the normalised prompt: as a phrase between word boundaries, or, when it
//! holds a Han character, as a plain part of the text, because Chinese is written without spaces.
//! Which of the named skills still fit is decided in [`super::select`].

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    candidate::{Candidate, RouteRule},
    rank::text::{contains_bounded, is_han, normalise, runs},
};

/// A candidate that a rule names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The index of the rule.
    pub rule: usize,
    /// The index of the candidate.
    pub candidate: usize,
}

/// A prompt made ready for many rules: the work for a term does not grow with the prompt unless its
/// words are all there.
#[derive(Debug)]
pub struct Prompt<'a> {
    text: &'a str,
    words: BTreeSet<&'a str>,
}

impl<'a> Prompt<'a> {
    /// Takes a normalised prompt apart.
    pub fn new(normalised: &'a str) -> Self {
        Self { text: normalised, words: runs(normalised).collect() }
    }

    /// Whether a term of a rule occurs: as a phrase between word boundaries, or, when it holds a Han
    /// character, as a plain part of the text.
    fn holds(&self, term: &str) -> bool {
        let term = normalise(term);
        if term.chars().any(is_han) {
            return self.text.contains(&term);
        }
        // Between boundaries every word of the phrase is a whole word of the prompt.
        let mut words = runs(&term);
        words.all(|word| self.words.contains(word))
            && (self.words.contains(term.as_str()) || contains_bounded(self.text, &term))
    }
}

/// The candidates that matching rules name, in the order of the rules, each once.
///
/// A rule gives names or slugs. Where several candidates share one, the last of them is taken, and a
/// name stands before an equal slug. Names that no candidate has are passed over.
pub fn named<'a>(
    normalised_prompt: &str,
    rules: &[RouteRule],
    candidates: impl Iterator<Item = (usize, &'a Candidate)> + Clone,
) -> Vec<Named> {
    let mut by_name = BTreeMap::new();
    by_name.extend(candidates.clone().map(|(index, candidate)| (candidate.slug.as_str(), index)));
    by_name.extend(candidates.map(|(index, candidate)| (candidate.name.as_str(), index)));
    let prompt = Prompt::new(normalised_prompt);
    let mut seen = BTreeSet::new();
    let mut named = Vec::new();
    for (rule, route) in rules.iter().enumerate() {
        if !matches(route, &prompt) {
            continue;
        }
        for skill in &route.skills {
            if let Some(&candidate) = by_name.get(skill.as_str())
                && seen.insert(candidate)
            {
                named.push(Named { rule, candidate });
            }
        }
    }
    named
}

/// Whether `rule` applies to a prompt. A rule without terms applies to none.
pub fn matches(rule: &RouteRule, prompt: &Prompt<'_>) -> bool {
    !(rule.match_all.is_empty() && rule.match_any.is_empty())
        && rule.match_all.iter().all(|term| prompt.holds(term))
        && (rule.match_any.is_empty() || rule.match_any.iter().any(|term| prompt.holds(term)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{candidate::Origin, skill::name::Slug};

    fn rule(all: &[&str], any: &[&str], skills: &[&str]) -> RouteRule {
        let owned = |terms: &[&str]| terms.iter().map(|&term| term.to_owned()).collect();
        RouteRule { match_all: owned(all), match_any: owned(any), skills: owned(skills) }
    }

    fn candidate(name: &str) -> Candidate {
        Candidate {
            id: name.to_owned(),
            name: name.to_owned(),
            slug: Slug::derive(name, "folder"),
            description: "x".to_owned(),
            when_to_use: None,
            origin: Origin::Local,
            source: "here".to_owned(),
            installs: None,
            quality: None,
        }
    }

    #[test]
    fn terms_by_example() {
        let prompt = normalise("Brew Ｃｏｆｆｅｅ for 烹饪教程 class");
        for (all, any, expected) in [
            (&["coffee"][..], &[][..], true),
            (&["coffee", "tea"], &[], false),
            (&[], &["coffee", "tea"], true),
            (&[], &["tea"], false),
            (&["brew"], &["tea", "class"], true),
            (&["brew"], &["tea"], false),
            (&["milk"], &["coffee"], false),
            (&["brew   COFFEE"], &[], true),
            (&["cof"], &[], false),
            (&["饪教"], &[], true),
            (&["烹饪 教程"], &[], false),
            (&["ＣＯＦＦＥＥ"], &[], true),
            (&[], &[], false),
            (&[""], &[], false),
            (&["-"], &[], false),
            (&["for class"], &[], false),
            (&["coffee for"], &[], true),
        ] {
            assert_eq!(matches(&rule(all, any, &[]), &Prompt::new(&prompt)), expected, "{all:?} {any:?}");
        }
    }

    #[test]
    fn the_last_candidate_of_a_name_is_taken_and_slugs_count() {
        let pool = [candidate("kettle"), candidate("Tea Pot"), candidate("kettle"), candidate("tea-pot")];
        let rules = [
            rule(&["other"], &[], &["Tea Pot"]),
            rule(&[], &["boil"], &["unknown", "kettle", "kettle"]),
            rule(&[], &["boil"], &["kettle", "tea-pot", "Tea Pot"]),
        ];
        let named = named("boil water", &rules, pool.iter().enumerate());
        let order = named.iter().map(|named| (named.rule, named.candidate)).collect::<Vec<_>>();
        assert_eq!(order, [(1, 2), (2, 3), (2, 1)]);
    }
}
