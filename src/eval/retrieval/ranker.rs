//! The ways to order skills that are measured against each other.
//!
//! Each runs the code that serves real prompts.

use std::convert::Infallible;

use super::{
    Mode, Options, Part,
    corpus::{Corpus, Skill},
    dense::Dense,
    measures::CATALOG,
    pool::{Pool, analysis},
    with::With,
};
use crate::{
    candidate::{Candidate, Origin},
    rank::{
        fulltext::{
            Collection, Weights,
            document::{Document, Texts},
            memory::Memory,
            prompt::Prompt,
            search,
        },
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
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ordered {
    /// Places in the pool, best first, before anything is cut.
    pub best: Vec<u32>,
    /// The confidence and the share of the first few, where the order has them.
    pub sure: Vec<(f64, f64)>,
    /// Which of them a catalog would print, as places in `best`.
    pub printed: Vec<usize>,
}

/// Orders a pool.
pub struct Ranker<'a> {
    corpus: &'a Corpus,
    pool: &'a Pool,
    dense: Option<&'a Dense>,
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
        pool: &'a Pool,
        documents: &'a [Document],
        options: &Options<'a>,
        model: &'a Model,
    ) -> Self {
        let (mode, without) = (options.mode, &options.without);
        let skills = pool.skills.iter().map(|&number| &corpus.skills[number]);
        Self {
            corpus,
            pool,
            dense: options.dense,
            names: skills.clone().map(|skill| skill.name.as_str()).collect(),
            memory: Memory::of(documents),
            candidates: if mode == Mode::Lexical {
                skills.enumerate().map(|(number, skill)| candidate(number, skill)).collect()
            } else {
                Vec::new()
            },
            weights: Weights::MEASURED,
            model: (mode == Mode::Fulltext && !without.contains(&Part::Rescorer)).then_some(model),
            mode,
            analyser: Analyser::new(analysis(without)),
        }
    }

    /// The order for the prompt of a case.
    pub fn order(&mut self, case: usize) -> Ordered {
        let prompt = &self.corpus.cases[case].prompt;
        if self.mode == Mode::Lexical {
            return self.lexical(prompt);
        }
        let prompt = Prompt::of(prompt, &mut self.analyser);
        let Ok(ordered) = self.fulltext(case, &prompt, &self.memory);
        ordered
    }

    /// The order for the prompt of a case with one more skill in the pool, at the place behind the last.
    pub fn order_with(&mut self, case: usize, skill: &'a Skill) -> Ordered {
        let prompt = &self.corpus.cases[case].prompt;
        self.names.push(&skill.name);
        let ordered = if self.mode == Mode::Lexical {
            self.candidates.push(candidate(self.candidates.len(), skill));
            let ordered = self.lexical(prompt);
            self.candidates.pop();
            ordered
        } else {
            let texts = Texts {
                name: &skill.name,
                description: &skill.description,
                when_to_use: skill.when.as_deref(),
                when_not_to_use: None,
                body: &skill.body,
            };
            let document = Document::of(&texts, &mut self.analyser);
            let prompt = Prompt::of(prompt, &mut self.analyser);
            let Ok(ordered) = self.fulltext(case, &prompt, &With { memory: &self.memory, more: &document });
            ordered
        };
        self.names.pop();
        ordered
    }

    fn fulltext<C: Collection<Error = Infallible>>(
        &self,
        case: usize,
        prompt: &Prompt,
        collection: &C,
    ) -> Result<Ordered, Infallible> {
        let mut found = search(prompt, collection, &self.weights, DEPTH)?;
        let Some(model) = self.model else {
            let best: Vec<u32> = found.best.iter().map(|(document, _)| *document).collect();
            return Ok(Ordered {
                printed: (0..best.len().min(CATALOG)).collect(),
                best,
                ..Ordered::default()
            });
        };
        let rest = found.best.split_off(found.best.len().min(RESCORED));
        let names: Vec<&str> =
            found.best.iter().map(|(document, _)| self.names[*document as usize]).collect();
        let mut scored = fuse::order(prompt, &found, &names, collection, &self.weights, model)?;
        if let Some(dense) = self.dense {
            dense.blend(self.corpus, case, &self.pool.skills, fuse::unspaced(prompt), &mut scored);
        }
        let best = scored.iter().map(|scored| scored.document);
        Ok(Ordered {
            best: best.chain(rest.iter().map(|(document, _)| *document)).collect(),
            sure: scored.iter().take(CATALOG).map(|scored| (scored.confidence, scored.share)).collect(),
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
        Ordered { best: scored.into_iter().map(|(_, place)| place).collect(), printed, ..Ordered::default() }
    }
}

/// A skill as the lexical contract and a model see it.
pub(super) fn candidate(number: usize, skill: &Skill) -> Candidate {
    Candidate {
        id: format!("{number:08}"),
        name: skill.name.clone(),
        slug: Slug::derive(&skill.name, "skill"),
        description: skill.description.clone(),
        when_to_use: skill.when.clone().filter(|when| !when.trim().is_empty()),
        origin: Origin::Local,
        source: String::new(),
        installs: None,
        quality: None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::eval::retrieval::pool::documents;

    #[test]
    fn each_mode_orders_the_pool_and_an_attack_stands_behind_its_last() {
        let skills =
            [("pdf", "Reads PDF files"), ("csv", "Reads CSV tables"), ("git", "Writes commit messages")];
        let line = |(name, description): &(&str, &str)| {
            format!("{{\"id\": \"{name}\", \"name\": \"{name}\", \"description\": \"{description}\"}}\n")
        };
        let mut corpus = Corpus::of_skills(&skills.iter().map(line).collect::<String>()).unwrap();
        for prompt in ["read the tables of this CSV", "zzzz"] {
            corpus
                .add_queries("queries", &format!("{{\"query\": \"{prompt}\", \"gold\": \"csv\"}}"))
                .unwrap();
        }
        let attack = Skill { name: "read-files".to_owned(), ..corpus.skills[2].clone() };
        let without = BTreeSet::new();
        let pool = Pool::whole(&corpus, &without);
        let documents = documents(&corpus, &pool.skills, &without);
        for mode in [Mode::Lexical, Mode::Bm25f, Mode::Fulltext] {
            let options = Options { mode, without: without.clone(), pool: None, dense: None };
            let mut ranker = Ranker::new(&corpus, &pool, &documents, &options, Model::measured());
            let ordered = ranker.order(0);
            assert_eq!(ordered.best[0], 1, "{}", mode.as_str());
            assert_eq!(ordered.sure.is_empty(), mode != Mode::Fulltext);
            assert!(ranker.order(1).best.is_empty());
            let attacked = ranker.order_with(0, &attack);
            assert!(attacked.best.contains(&3) && attacked.best[0] == 1, "{}", mode.as_str());
            assert_eq!(ranker.order(0), ordered);
        }
    }
}
