//! The skills that a task is compared with, and what full-text search says of them.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    context::Context,
    indexing::{self, Indexed, Record, Use},
    semantic::Semantic,
};
use crate::{
    candidate::Candidate,
    config::RouterMode,
    output::Output,
    rank::{
        copies::{self, Likeness},
        evidence::EvidenceLevel,
        features,
        fulltext::{Found, Weights, prompt::Prompt, search},
        fuse::{self, Model, Scored},
        text::{normalise, terms::Analyser},
    },
    route::{
        excerpt::{Wanted, excerpt},
        relevance::{self, Relevance},
        rules,
    },
    source::{
        local::{Discovery, LocalSkill},
        roots::Scope,
    },
    store::index::collection::IndexError,
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
    /// Skills that were found and are copies, each with the ranked one that stands for it, as indices of the discovery.
    pub(super) copies: BTreeMap<usize, usize>,
    /// What tells the skills of the discovery from others, by index.
    pub(super) keys: BTreeMap<usize, u128>,
}

impl Relevant {
    /// The place in the order of a skill that was found, and what was computed of it.
    pub(super) fn scored_of(&self, skill: usize) -> Option<(usize, &Scored)> {
        let place = self.ranked.iter().position(|ranked| *ranked == skill)?;
        Some((place, &self.scored[place]))
    }

    /// What a catalog shows of a description in at most so many UTF-16 code units.
    pub(super) fn excerpt(&self, description: &str, most: usize) -> String {
        let information = self.found.lookups.iter().map(|lookup| (lookup.place, lookup.information));
        excerpt(description, &Wanted::new(&self.prompt, information), most, &mut Analyser::default())
    }
}

impl Pool {
    /// The skills for `task`, without those of these keys; where full-text search decides, `semantic` orders them again.
    pub(super) fn of(
        context: &Context,
        task: &str,
        nested: bool,
        without: &BTreeSet<u128>,
        semantic: Option<&mut Semantic<'_>>,
        output: Output,
    ) -> Self {
        if context.config.router_mode() != RouterMode::Fulltext {
            return Self { discovery: context.discover(nested), relevant: None };
        }
        let search = |how: Use| Self::searched(context, task, without, how, output);
        let searched = search(Use::Kept).or_else(|error| {
            // Damage is noticed when it is read, which may be in the middle of a search.
            tracing::warn!(%error, "the search index is made again");
            let cleared = context.store().index().clear();
            if let Err(error) = &cleared {
                tracing::warn!(%error, "the search index cannot be removed");
            }
            search(if cleared.is_ok() { Use::Kept } else { Use::Nothing }).or_else(|_| search(Use::Nothing))
        });
        let mut pool = searched.unwrap_or_else(|error| {
            output.warning(&format!("no skill can be looked up: {error}"));
            Self { discovery: Discovery::default(), relevant: None }
        });
        if let (Some(relevant), Some(semantic)) = (&mut pool.relevant, semantic) {
            relevant.blend(task, &pool.discovery, semantic);
        }
        pool
    }

    fn searched(
        context: &Context,
        task: &str,
        without: &BTreeSet<u128>,
        how: Use,
        output: Output,
    ) -> Result<Self, IndexError> {
        let prompt = Prompt::of(task, &mut Analyser::default());
        let mut without = without.clone();
        loop {
            let indexed = indexing::open(context, &without, how, output);
            let (found, mut documents) = distinct(&prompt, &indexed)?;
            let mut likenesses: BTreeMap<u32, Likeness> = documents
                .iter()
                .filter_map(|(document, record)| Some((*document, record.as_ref()?.likeness)))
                .collect();
            for document in named(context, task, &indexed) {
                // What is named keeps a place of its own.
                likenesses.remove(&document);
                if !documents.iter().any(|(known, _)| *known == document) {
                    documents.push((document, indexed.record(document)?));
                }
            }
            let (discovery, read) = indexed.read(context, &documents);
            let gone = documents.iter().zip(&read).filter(|(_, index)| index.is_none());
            let gone: Vec<u128> = gone.map(|((document, _), _)| indexed.key(*document)).collect();
            if gone.is_empty() {
                let documents = documents.into_iter().map(|(document, _)| document);
                let read = documents.zip(read.into_iter().flatten()).collect();
                let relevant = Relevant::of(prompt, found, &likenesses, &indexed, &discovery, &read)?;
                return Ok(Self { discovery, relevant: Some(relevant) });
            }
            // They were as indexed a moment ago. What they shadowed is found without them.
            without.extend(gone);
        }
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
        #[expect(clippy::cast_precision_loss, reason = "more than 100 is never reached")]
        let relevance = relevance::of(&relevant.scored, most, threshold as f64 / 100.0);
        Some(skills.iter().map(|&skill| Some(relevance[relevant.scored_of(skill)?.0])).collect())
    }

    /// Whether full-text search found a word of the task in the name or the description of a skill.
    pub(super) fn is_about(&self, index: usize) -> bool {
        let scored = self.relevant.as_ref().and_then(|relevant| relevant.scored_of(index));
        scored.is_some_and(|(_, scored)| features::is_about(&scored.features))
    }

    /// The skills that were found and for which this one stands.
    pub(super) fn copies(&self, index: usize) -> impl Iterator<Item = &LocalSkill> {
        let copies = self.relevant.iter().flat_map(|relevant| &relevant.copies);
        copies.filter(move |(_, shown)| **shown == index).map(|(&copy, _)| self.skill(copy))
    }

    /// A skill of the pool.
    pub(super) fn skill(&self, index: usize) -> &LocalSkill {
        &self.discovery.skills[index]
    }
}

impl Relevant {
    /// `read` says which skill of the discovery each document is that was found or is named; `likenesses` says what
    /// tells the copies of each that may be one.
    fn of(
        prompt: Prompt,
        mut found: Found,
        likenesses: &BTreeMap<u32, Likeness>,
        indexed: &Indexed,
        discovery: &Discovery,
        read: &BTreeMap<u32, usize>,
    ) -> Result<Self, IndexError> {
        let name = |document: u32| discovery.skills[read[&document]].frontmatter.name.as_str();
        let best: BTreeSet<u32> = found.best.iter().map(|(document, _)| *document).collect();
        // The index knows no names; those that are equal to it come in an order that does not depend on where they lie.
        found
            .best
            .sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| name(left.0).cmp(name(right.0))));
        // Copies have one place, the best of theirs.
        let likeness = |(document, _): &(u32, f64)| likenesses.get(document).copied();
        let likenesses: Vec<Option<Likeness>> = found.best.iter().map(likeness).collect();
        let sets = copies::sets(&likenesses, |place| standing(discovery, read[&found.best[place].0]));
        let index = |place: usize| read[&found.best[place].0];
        let copies =
            sets.iter().flat_map(|set| set.copies.iter().map(|&copy| (index(copy), index(set.shown))));
        let copies = copies.collect();
        let first = |set: &copies::Set| {
            set.copies.iter().chain([&set.shown]).min().map_or(0.0, |&place| found.best[place].1)
        };
        found.best = sets.iter().map(|set| (found.best[set.shown].0, first(set))).collect();
        let names: Vec<&str> = found.best.iter().map(|(document, _)| name(*document)).collect();
        let scored =
            fuse::order(&prompt, &found, &names, &indexed.documents, &Weights::MEASURED, Model::measured())?;
        let ranked = scored.iter().map(|scored| read[&scored.document]).collect();
        let others = read.iter().filter(|(document, _)| !best.contains(document));
        let others = others.map(|(_, &index)| index).collect();
        let keys = read.iter().map(|(&document, &index)| (index, indexed.key(document))).collect();
        Ok(Self { scored, ranked, named: others, copies, keys, prompt, found })
    }

    /// Orders what was found again by likeness of meaning.
    fn blend(&mut self, task: &str, discovery: &Discovery, semantic: &mut Semantic<'_>) {
        let candidate = |&index: &usize| discovery.skills[index].candidate(&discovery.roots);
        let candidates: Vec<Candidate> = self.ranked.iter().map(candidate).collect();
        let documents = self.scored.iter().map(|scored| scored.document);
        let of_document: BTreeMap<u32, usize> = documents.zip(self.ranked.iter().copied()).collect();
        semantic.blend(task, fuse::unspaced(&self.prompt), &candidates, &mut self.scored);
        self.ranked = self.scored.iter().map(|scored| of_document[&scored.document]).collect();
    }
}

/// Documents with what is remembered of each; `None` for what cannot be understood.
type Records = Vec<(u32, Option<Record>)>;

/// How many copies of one skill are looked at.
const COPIES: usize = 8;
/// The most documents among which different skills are looked for.
const MOST_FOUND: usize = 64 * fuse::RESCORED;

/// What full-text search finds, until it has as many different skills as are scored: of each set of copies the first few,
/// with what is remembered of each.
fn distinct(prompt: &Prompt, indexed: &Indexed) -> Result<(Found, Records), IndexError> {
    let mut most = fuse::RESCORED;
    loop {
        let mut found = search(prompt, &indexed.documents, &Weights::MEASURED, most)?;
        let records = found.best.iter().map(|(document, _)| Ok((*document, indexed.record(*document)?)));
        let mut records = records.collect::<Result<Vec<_>, IndexError>>()?;
        let likeness = |(_, record): &(u32, Option<Record>)| record.as_ref().map(|record| record.likeness);
        let likenesses: Vec<Option<Likeness>> = records.iter().map(likeness).collect();
        let sets = copies::sets(&likenesses, |_| ());
        if sets.len() < fuse::RESCORED && found.best.len() == most && most < MOST_FOUND {
            most *= 4;
            continue;
        }
        let kept = sets.iter().take(fuse::RESCORED);
        let kept: BTreeSet<usize> = kept
            .flat_map(|set| [set.shown].into_iter().chain(set.copies.iter().copied().take(COPIES)))
            .collect();
        found.best = kept.iter().map(|&place| found.best[place]).collect();
        let records = kept.into_iter().map(|place| std::mem::take(&mut records[place])).collect();
        return Ok((found, records));
    }
}

/// What stands for its copies: a skill of the person's folders before one of a project, which others may have written,
/// both before stored ones, and of these the one of the most evidence.
fn standing(discovery: &Discovery, index: usize) -> (u8, Option<EvidenceLevel>) {
    let skill = &discovery.skills[index];
    match (skill.stored.as_deref(), discovery.roots[skill.root].root.scope) {
        (Some(stored), _) => (0, EvidenceLevel::parse(stored.evidence)),
        (None, Scope::Project) => (1, None),
        (None, _) => (2, None),
    }
}

/// The documents that a rule names for a task, and those that the whole task is the name of.
fn named(context: &Context, task: &str, indexed: &Indexed) -> Vec<u32> {
    let normalised = normalise(task);
    let ruled = rules::Prompt::new(&normalised);
    let rules = context.config.routes().iter().filter(|rule| rules::matches(rule, &ruled));
    let names = rules.flat_map(|rule| rule.skills.iter().cloned()).chain([normalised.replace(' ', "-")]);
    names.flat_map(|name| indexed.named(&name)).collect()
}
