//! The skills that a task is compared with, and what full-text search says of them.

use std::collections::{BTreeMap, BTreeSet};

use super::{context::Context, indexing};
use crate::{
    config::RouterMode,
    output::Output,
    rank::{
        fulltext::{Found, Weights, prompt::Prompt, search},
        fuse::{self, Model, Scored},
        text::{normalise, terms::Analyser},
    },
    route::{
        excerpt::{Wanted, excerpt},
        relevance::Relevance,
        rules,
    },
    source::local::{Discovery, LocalSkill},
};

/// The skills that a task is compared with.
pub(super) struct Pool {
    /// In a mode that compares every skill, all of them; else those that full-text search found.
    pub(super) discovery: Discovery,
    /// What full-text search says, where it decides.
    pub(super) relevant: Option<Relevant>,
}

/// What full-text search says.
pub(super) struct Relevant {
    pub(super) prompt: Prompt,
    pub(super) found: Found,
    /// What was computed of the skills that were found, best first.
    pub(super) scored: Vec<Scored>,
    /// These skills, as indices of the discovery.
    pub(super) ranked: Vec<usize>,
    /// Skills that a rule or the whole task names, as indices of the discovery.
    pub(super) named: Vec<usize>,
    /// What tells the skills of the discovery from others, by index.
    pub(super) keys: BTreeMap<usize, u128>,
}

impl Relevant {
    /// What a catalog shows of a description in at most so many UTF-16 code units.
    pub(super) fn excerpt(&self, description: &str, most: usize) -> String {
        let information = self.found.lookups.iter().map(|lookup| (lookup.place, lookup.information));
        excerpt(description, &Wanted::new(&self.prompt, information), most, &mut Analyser::default())
    }
}

impl Pool {
    /// The skills for `task`, without those of these keys.
    pub(super) fn of(
        context: &Context,
        task: &str,
        nested: bool,
        without: &BTreeSet<u128>,
        output: Output,
    ) -> Self {
        if context.config.router_mode() != RouterMode::Fulltext {
            return Self { discovery: context.discover(nested), relevant: None };
        }
        match Self::searched(context, task, without) {
            Ok(pool) => pool,
            Err(error) => {
                // Damage is noticed when it is read, which may be in the middle of a search.
                tracing::warn!(%error, "the search index is made again");
                let again = context.store().index().clear().map_err(anyhow::Error::from);
                let pool = again.and_then(|_| Ok(Self::searched(context, task, without)?));
                pool.unwrap_or_else(|error| {
                    output.warning(&format!("no skill can be looked up: {error}"));
                    Self { discovery: Discovery::default(), relevant: None }
                })
            }
        }
    }

    fn searched(
        context: &Context,
        task: &str,
        without: &BTreeSet<u128>,
    ) -> Result<Self, crate::store::index::collection::IndexError> {
        let indexed = indexing::open(context, without);
        let prompt = Prompt::of(task, &mut Analyser::default());
        let mut found = search(&prompt, &indexed.documents, &Weights::MEASURED, fuse::RESCORED)?;
        let mut documents: Vec<u32> = found.best.iter().map(|(document, _)| *document).collect();
        let normalised = normalise(task);
        let ruled = rules::Prompt::new(&normalised);
        let rules = context.config.routes().iter().filter(|rule| rules::matches(rule, &ruled));
        let names = rules.flat_map(|rule| rule.skills.iter().cloned()).chain([normalised.replace(' ', "-")]);
        let named: Vec<u32> = names.filter_map(|name| indexed.named(&name)).collect();
        documents.extend(&named);
        let (discovery, read) = indexed.read(context, &documents)?;
        let (first, rest) = read.split_at(found.best.len());
        // What is gone since it was indexed is no candidate, and its rank no rank.
        let mut here = first.iter();
        found.best.retain(|_| here.next().is_some_and(Option::is_some));
        let first: Vec<usize> = first.iter().copied().flatten().collect();
        let names: Vec<&str> =
            first.iter().map(|&index| discovery.skills[index].frontmatter.name.as_str()).collect();
        let of_document: BTreeMap<u32, usize> =
            found.best.iter().map(|(document, _)| *document).zip(first.iter().copied()).collect();
        let scored =
            fuse::order(&prompt, &found, &names, &indexed.documents, &Weights::MEASURED, Model::measured())?;
        let ranked = scored.iter().map(|scored| of_document[&scored.document]).collect();
        let named_here = rest.iter().copied().flatten().filter(|index| !first.contains(index)).collect();
        let all = documents
            .iter()
            .zip(&read)
            .filter_map(|(&document, index)| Some(((*index)?, indexed.key(document))));
        let keys = all.collect();
        let relevant = Relevant { prompt, found, scored, ranked, named: named_here, keys };
        Ok(Self { discovery, relevant: Some(relevant) })
    }

    /// The candidates of the pool in the order in which they are chosen from, as indices of the discovery.
    pub(super) fn order(&self) -> Vec<usize> {
        let Some(relevant) = &self.relevant else { return (0..self.discovery.skills.len()).collect() };
        let mut seen = BTreeSet::new();
        relevant.ranked.iter().chain(&relevant.named).copied().filter(|index| seen.insert(*index)).collect()
    }

    /// How relevant these skills are, where full-text search decides; `most` is how many entries there may be.
    pub(super) fn relevance(
        &self,
        skills: &[usize],
        threshold: u64,
        most: usize,
    ) -> Option<Vec<Option<Relevance>>> {
        let relevant = self.relevant.as_ref()?;
        let Relevant { scored, ranked, .. } = relevant;
        #[expect(clippy::cast_precision_loss, reason = "more than 100 is never reached")]
        let printed = fuse::printed(scored, most, threshold as f64 / 100.0);
        let of = |index: &usize| {
            let place = ranked.iter().position(|ranked| ranked == index)?;
            Some(Relevance { points: scored[place].points(), is_printed: printed.contains(&place) })
        };
        Some(skills.iter().map(of).collect())
    }

    /// A skill of the pool.
    pub(super) fn skill(&self, index: usize) -> &LocalSkill {
        &self.discovery.skills[index]
    }
}
