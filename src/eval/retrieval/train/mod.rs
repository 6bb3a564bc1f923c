//! Weights from prompts with known answers.
//!
//! The order is learned first ([`listwise`]), from the prompts of the corpus and from short searches that are made
//! of other skills ([`searches`]). The confidence ([`confidence`]) is learned from how the order does on skills that
//! it was not learned from, because an order is surer of what it has seen. Folds are of skills: a skill whose prompts
//! are measured had none in training.

mod common;
mod confidence;
mod descent;
mod examples;
mod listwise;
mod searches;

pub use common::common;

use std::{
    collections::{BTreeMap, BTreeSet},
    thread,
};

use super::{
    chance::Chance,
    corpus::{Answer, Corpus},
    dense::Dense,
    measures::{CATALOG, Outcome},
};
use crate::rank::{
    features::{FEATURES, Features},
    fuse::{self, Asked, CONFIDENCE, Model, Scored, standings},
};

/// What a prompt of a further corpus counts for the order against one of the first.
const FURTHER: f64 = 0.3;
/// In how many parts the skills are, for the confidence of the final weights.
const PARTS: usize = 5;

/// Prompts with the candidates that BM25F found and their features.
#[derive(Debug)]
pub struct Examples {
    all: Vec<Example>,
    /// By corpus and document: the number of the skill.
    skills: Vec<Vec<usize>>,
}

/// What an example is taken from, and with it what it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A case of a corpus, both by their numbers, against all skills of the corpus.
    Case(usize, usize),
    /// A made search.
    Made,
    /// A case against a few skills.
    Few,
    /// A case or a made search against hardly any skills.
    Handful,
    /// A case against all skills and one that was made to win it.
    Attacked,
}

/// How many skills an example was tried against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Skills {
    All,
    Few,
    Handful,
}

impl Kind {
    fn skills(self) -> Skills {
        match self {
            Self::Case(..) | Self::Made | Self::Attacked => Skills::All,
            Self::Few => Skills::Few,
            Self::Handful => Skills::Handful,
        }
    }

    /// What it counts for the order.
    fn order(self) -> f64 {
        match self {
            Self::Case(..) => 1.0,
            Self::Made => 0.15,
            Self::Few | Self::Handful => 0.003,
            Self::Attacked => 0.5,
        }
    }

    /// What it counts for the confidence.
    fn confidence(self) -> f64 {
        match self {
            Self::Case(..) => 1.0,
            Self::Made => 0.0,
            Self::Few => 0.05,
            Self::Handful => 0.003,
            Self::Attacked => 0.1,
        }
    }
}

#[derive(Debug)]
struct Example {
    kind: Kind,
    /// What is known, by document.
    answer: Answer,
    best: Vec<(u32, f64)>,
    features: Vec<Features>,
    right: Vec<bool>,
    asked: Asked,
    /// The corpus, and the skill whose prompts are kept together.
    group: (usize, usize),
}

impl Examples {
    /// The examples of corpora.
    pub fn of(corpora: &[&Corpus]) -> Self {
        let (skills, all): (Vec<_>, Vec<_>) =
            corpora.iter().enumerate().map(|(number, corpus)| examples::of(corpus, number)).unzip();
        Self { all: all.into_iter().flatten().collect(), skills }
    }

    /// The weights that all examples give.
    pub fn model(&self) -> Model {
        let fold = self.folds(PARTS);
        let outside = self.orders(&fold, PARTS);
        let rows = self.rows(&outside, &fold, None);
        let (confidence, bias) = confidence::confidence(&rows);
        Model { order: self.order(|_| true), confidence, bias }
    }

    /// What each case of each corpus gives with weights that were learned from the other folds. `dense` is the first
    /// corpus with its vectors, if likeness of meaning is to move the order; it learns nothing.
    pub fn cross_validated(&self, folds: usize, dense: Option<(&Corpus, &Dense)>) -> Vec<Vec<Outcome>> {
        let fold = self.folds(folds);
        let outside = self.orders(&fold, folds);
        let models: Vec<Model> = (0..folds)
            .map(|part| {
                let (confidence, bias) = confidence::confidence(&self.rows(&outside, &fold, Some(part)));
                Model { confidence, bias, ..outside[part].clone() }
            })
            .collect();
        let mut outcomes = Vec::new();
        for (example, part) in self.all.iter().zip(&fold) {
            let Kind::Case(corpus, case) = example.kind else { continue };
            outcomes.resize_with(outcomes.len().max(corpus + 1), Vec::new);
            let mut scored = example.scored(&models[*part]);
            if let Some((first, dense)) = dense.filter(|_| corpus == 0) {
                dense.blend(first, case, &self.skills[corpus], example.asked.unspaced, &mut scored);
            }
            let rank = |&skill: &usize| scored.iter().position(|scored| scored.document as usize == skill);
            outcomes[corpus].push(Outcome {
                ranks: example.answer.skills().iter().map(rank).collect(),
                sure: scored.iter().take(CATALOG).map(|scored| (scored.confidence, scored.share)).collect(),
                printed: fuse::printed(&scored, CATALOG, fuse::THRESHOLD),
                ..Outcome::default()
            });
        }
        outcomes
    }

    /// The fold of each example, by its skill.
    fn folds(&self, folds: usize) -> Vec<usize> {
        let groups: BTreeSet<(usize, usize)> = self.all.iter().map(|example| example.group).collect();
        let corpora: BTreeSet<usize> = groups.iter().map(|(corpus, _)| *corpus).collect();
        let mut fold = BTreeMap::new();
        for corpus in corpora {
            let mut own: Vec<_> = groups.range((corpus, 0)..(corpus + 1, 0)).copied().collect();
            Chance::new(1).shuffle(&mut own);
            fold.extend(own.into_iter().enumerate().map(|(at, group)| (group, at % folds)));
        }
        self.all.iter().map(|example| fold[&example.group]).collect()
    }

    /// For each fold the order that the others give.
    fn orders(&self, fold: &[usize], folds: usize) -> Vec<Model> {
        let order = |part: usize| Model {
            order: self.order(|number| fold[number] != part),
            confidence: [0.0; CONFIDENCE],
            bias: 0.0,
        };
        thread::scope(|scope| {
            let running: Vec<_> = (0..folds).map(|part| scope.spawn(move || order(part))).collect();
            let done = running.into_iter();
            done.map(|thread| thread.join().expect("sums and products do not panic")).collect()
        })
    }

    fn order(&self, takes_part: impl Fn(usize) -> bool) -> [[f64; 2]; FEATURES] {
        let taken = self.all.iter().enumerate().filter(|(number, example)| {
            takes_part(*number) && example.kind.order() > 0.0 && example.right.contains(&true)
        });
        let lists = taken.map(|(_, example)| listwise::List {
            candidates: &example.features,
            right: &example.right,
            terms: example.asked.terms,
            weight: example.kind.order() * if example.group.0 == 0 { 1.0 } else { FURTHER },
        });
        listwise::order(&lists.collect::<Vec<_>>())
    }

    /// What the confidence is learned from: the first few of each prompt in the order of its own fold, without the
    /// fold that is measured.
    fn rows(&self, outside: &[Model], fold: &[usize], measured: Option<usize>) -> Vec<confidence::Example> {
        let mut rows: Vec<(Balanced, confidence::Example)> = Vec::new();
        for (example, part) in self.all.iter().zip(fold) {
            let weight = example.kind.confidence();
            if Some(*part) == measured || weight == 0.0 {
                continue;
            }
            let scored = example.scored(&outside[*part]);
            let standings = standings(&scored, example.asked);
            for (scored, standing) in scored.iter().zip(standings).take(CATALOG) {
                let serves = match &example.answer {
                    Answer::Any(right) | Answer::All(right) => {
                        right.contains(&(scored.document as usize)).then_some(true)
                    }
                    Answer::Not(wrong) => wrong.contains(&(scored.document as usize)).then_some(false),
                    Answer::Nothing => Some(false),
                    Answer::Attacked(..) => (scored.document + 1 == example.asked.documents).then_some(false),
                };
                let mut values = [0.0; CONFIDENCE];
                values[..FEATURES].copy_from_slice(&scored.features);
                values[FEATURES..].copy_from_slice(&standing);
                let of = (example.group.0, example.kind.skills());
                rows.extend(serves.map(|serves| (of, confidence::Example { values, serves, weight })));
            }
        }
        balanced(rows)
    }
}

/// What rows are balanced within: a corpus, and how many skills their prompts were tried against.
type Balanced = (usize, Skills);

/// The rows, weighted towards those that serve and those that do not counting the same in each set: how many prompts
/// of a corpus are negatives says little about what a person types. Half of the way, on the scale of logarithms, did
/// best on prompts that were not learned from.
fn balanced(rows: Vec<(Balanced, confidence::Example)>) -> Vec<confidence::Example> {
    let mut totals: BTreeMap<(Balanced, bool), f64> = BTreeMap::new();
    for (set, row) in &rows {
        *totals.entry((*set, row.serves)).or_default() += row.weight;
    }
    let factor = |set: Balanced, serves: bool| {
        let total = |serves: bool| totals.get(&(set, serves)).copied().unwrap_or_default();
        ((total(true) + total(false)) / (2.0 * total(serves)).max(1e-9)).sqrt()
    };
    rows.into_iter()
        .map(|(set, row)| confidence::Example { weight: row.weight * factor(set, row.serves), ..row })
        .collect()
}

impl Example {
    fn scored(&self, model: &Model) -> Vec<Scored> {
        fuse::scored(&self.best, self.features.clone(), self.asked, model)
    }
}
