//! The ways to order skills that are measured against each other.
//!
//! Each runs the code that serves real prompts.

use std::{collections::BTreeSet, convert::Infallible};

use super::{
    Mode, Part,
    corpus::Corpus,
    measures::CATALOG,
    pool::{Pool, analysis},
};
use crate::{
    candidate::{Candidate, Origin},
    rank::{
        fulltext::{Weights, document::Document, memory::Memory, prompt::Prompt, search},
        fuse::{self, Model, RESCORED},
        lexical,
        text::terms::Analyser,
    },
    skill::name::Slug,
};

/// How many skills an order reaches to.
const DEPTH: usize = 100;
/// The least points of the lexical contract: the default of `minRouteScore`.
const LEAST_POINTS: u64 = 8;

/// The order of a pool for one prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ordered {
    /// Places in the pool, best first, before anything is cut.
    pub best: Vec<u32>,
    /// Which of them a catalog would print, as places in `best`.
    pub printed: Vec<usize>,
}

/// Orders a pool.
pub struct Ranker<'a> {
    names: Vec<&'a str>,
    memory: Memory<'a>,
    candidates: Vec<Candidate>,
    weights: Weights,
    model: Option<&'a Model>,
    mode: Mode,
    analyser: Analyser,
}

impl<'a> Ranker<'a> {
    /// A ranker of the skills of `pool`, whose documents are these.
    pub fn new(
        corpus: &'a Corpus,
        pool: &Pool,
        documents: &'a [Document],
        mode: Mode,
        without: &BTreeSet<Part>,
        model: &'a Model,
    ) -> Self {
        let skills = pool.skills.iter().map(|&number| &corpus.skills[number]);
        let candidate = |(number, skill): (usize, &super::corpus::Skill)| Candidate {
            id: format!("{number:08}"),
            name: skill.name.clone(),
            slug: Slug::derive(&skill.name, "skill"),
            description: skill.description.clone(),
            when_to_use: skill.when.clone(),
            origin: Origin::Local,
            source: String::new(),
            installs: None,
            quality: None,
        };
        Self {
            names: skills.clone().map(|skill| skill.name.as_str()).collect(),
            memory: Memory::of(documents),
            candidates: if mode == Mode::Lexical {
                skills.enumerate().map(candidate).collect()
            } else {
                Vec::new()
            },
            weights: Weights::MEASURED,
            model: (mode == Mode::Fulltext && !without.contains(&Part::Rescorer)).then_some(model),
            mode,
            analyser: Analyser::new(analysis(without)),
        }
    }

    /// The order for a prompt.
    pub fn order(&mut self, prompt: &str) -> Ordered {
        match self.mode {
            Mode::Lexical => self.lexical(prompt),
            Mode::Bm25f | Mode::Fulltext => {
                let Ok(ordered) = self.fulltext(prompt);
                ordered
            }
        }
    }

    fn fulltext(&mut self, prompt: &str) -> Result<Ordered, Infallible> {
        let prompt = Prompt::of(prompt, &mut self.analyser);
        let mut found = search(&prompt, &self.memory, &self.weights, DEPTH)?;
        let Some(model) = self.model else {
            let best: Vec<u32> = found.best.iter().map(|(document, _)| *document).collect();
            return Ok(Ordered { printed: (0..best.len().min(CATALOG)).collect(), best });
        };
        let rest = found.best.split_off(found.best.len().min(RESCORED));
        let names: Vec<&str> =
            found.best.iter().map(|(document, _)| self.names[*document as usize]).collect();
        let scored = fuse::order(&prompt, &found, &names, &self.memory, &self.weights, model)?;
        let best = scored.iter().map(|scored| scored.document);
        Ok(Ordered {
            best: best.chain(rest.iter().map(|(document, _)| *document)).collect(),
            printed: fuse::printed(&scored, CATALOG, fuse::THRESHOLD),
        })
    }

    fn lexical(&self, prompt: &str) -> Ordered {
        let query = lexical::Query::new(prompt);
        let points = |candidate: &Candidate| lexical::score(&query, candidate).total;
        let mut scored: Vec<(u64, u32)> = self.candidates.iter().map(points).zip(0..).collect();
        scored.retain(|(points, _)| *points > 0);
        let name = |place: u32| self.names[place as usize];
        scored.sort_by(|left, right| right.0.cmp(&left.0).then(name(left.1).cmp(name(right.1))));
        scored.truncate(DEPTH);
        let is_printed = |&place: &usize| scored[place].0 >= LEAST_POINTS;
        let printed = (0..scored.len().min(CATALOG)).filter(is_printed).collect();
        Ordered { best: scored.into_iter().map(|(_, place)| place).collect(), printed }
    }
}
