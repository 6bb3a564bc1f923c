//! Weights from prompts with known answers.
//!
//! The order is learned first ([`listwise`]), from the prompts of the corpus and from short searches that are made
//! of other skills ([`searches`]). The confidence ([`confidence`]) is learned from how the order does on skills that
//! it was not learned from, because an order is surer of what it has seen. Folds are of skills: a skill whose prompts
//! are measured had none in training.

mod confidence;
mod descent;
mod listwise;
mod searches;

use std::{collections::BTreeSet, convert::Infallible, thread};

use super::{
    chance::Chance,
    corpus::{Answer, Case, Corpus},
    measures::{CATALOG, Outcome},
    pool::{Pool, documents},
};
use crate::rank::{
    features::{FEATURES, Features, features},
    fulltext::{Collection, Weights, memory::Memory, prompt::Prompt, search},
    fuse::{self, CONFIDENCE, Model, RESCORED, Scored, standings},
    text::terms::Analyser,
};

/// What a made search counts against a prompt of the corpus.
const MADE: f64 = 0.15;
/// In how many parts the skills are, for the confidence of the final weights.
const PARTS: usize = 5;

/// Prompts with the candidates that BM25F found and their features.
#[derive(Debug)]
pub struct Examples {
    all: Vec<Example>,
}

#[derive(Debug)]
struct Example {
    /// What is known, by document.
    answer: Answer,
    best: Vec<(u32, f64)>,
    features: Vec<Features>,
    right: Vec<bool>,
    terms: usize,
    weight: f64,
    /// The skill whose prompts are kept together.
    group: usize,
    /// Its number in the corpus; none of a made search.
    case: Option<usize>,
}

impl Examples {
    /// The examples of a corpus.
    pub fn of(corpus: &Corpus) -> Self {
        let pool = Pool::of(corpus, None, &BTreeSet::new());
        let documents = documents(corpus, &pool.skills, &BTreeSet::new());
        let memory = Memory::of(&documents);
        let names: Vec<&str> = pool.skills.iter().map(|&skill| corpus.skills[skill].name.as_str()).collect();
        let mut maker = Maker { names, memory: &memory, analyser: Analyser::default() };
        let mut all = Vec::new();
        for (number, case) in corpus.cases.iter().enumerate() {
            let group = case.answer.skills().first().copied().unwrap_or(corpus.skills.len() + number);
            let Ok(example) = maker.example(&case.prompt, placed(case, &pool), 1.0, group, Some(number));
            all.push(example);
        }
        for (text, skill) in searches::made(corpus, &pool) {
            let answer = Answer::Any(pool.place(skill).map(|place| place as usize).into_iter().collect());
            let Ok(example) = maker.example(&text, answer, MADE, skill, None);
            all.push(example);
        }
        Self { all }
    }

    /// The weights that all examples give.
    pub fn model(&self) -> Model {
        let fold = self.folds(PARTS);
        let outside = self.orders(&fold, PARTS);
        let rows = self.rows(&outside, &fold, None);
        let (confidence, bias) = confidence::confidence(&rows);
        Model { order: self.order(|_| true), confidence, bias }
    }

    /// What each case of the corpus gives with weights that were learned from the other folds.
    pub fn cross_validated(&self, folds: usize) -> Vec<Outcome> {
        let fold = self.folds(folds);
        let outside = self.orders(&fold, folds);
        let models: Vec<Model> = (0..folds)
            .map(|part| {
                let (confidence, bias) = confidence::confidence(&self.rows(&outside, &fold, Some(part)));
                Model { confidence, bias, ..outside[part].clone() }
            })
            .collect();
        let mut outcomes = Vec::new();
        for (example, part) in self.all.iter().zip(&fold).filter(|(example, _)| example.case.is_some()) {
            let scored = example.scored(&models[*part]);
            let rank = |&skill: &usize| scored.iter().position(|scored| scored.document as usize == skill);
            outcomes.push(Outcome {
                ranks: example.answer.skills().iter().map(rank).collect(),
                printed: fuse::printed(&scored, CATALOG, fuse::THRESHOLD),
                micros: 0.0,
            });
        }
        outcomes
    }

    /// The fold of each example, by its skill.
    fn folds(&self, folds: usize) -> Vec<usize> {
        let mut groups: Vec<usize> =
            self.all.iter().map(|example| example.group).collect::<BTreeSet<_>>().into_iter().collect();
        let sorted = groups.clone();
        Chance::new(1).shuffle(&mut groups);
        let mut fold = vec![0; sorted.len()];
        for (at, group) in groups.iter().enumerate() {
            fold[sorted.binary_search(group).unwrap_or_default()] = at % folds;
        }
        let of = |example: &Example| fold[sorted.binary_search(&example.group).unwrap_or_default()];
        self.all.iter().map(of).collect()
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
            takes_part(*number) && example.answer.is_positive() && example.right.contains(&true)
        });
        let lists = taken.map(|(_, example)| listwise::List {
            candidates: &example.features,
            right: &example.right,
            terms: example.terms,
            weight: example.weight,
        });
        listwise::order(&lists.collect::<Vec<_>>())
    }

    /// What the confidence is learned from: the first few of each prompt in the order of its own fold, without the
    /// fold that is measured.
    fn rows(&self, outside: &[Model], fold: &[usize], measured: Option<usize>) -> Vec<confidence::Example> {
        let mut rows = Vec::new();
        for (example, part) in self.all.iter().zip(fold) {
            if Some(*part) == measured || example.case.is_none() {
                continue;
            }
            let scored = example.scored(&outside[*part]);
            let standings = standings(&scored, example.terms);
            for (scored, standing) in scored.iter().zip(standings).take(CATALOG) {
                let serves = match &example.answer {
                    Answer::Any(right) | Answer::All(right) => {
                        right.contains(&(scored.document as usize)).then_some(true)
                    }
                    Answer::Not(wrong) => wrong.contains(&(scored.document as usize)).then_some(false),
                    Answer::Nothing => Some(false),
                };
                let mut values = [0.0; CONFIDENCE];
                values[..FEATURES].copy_from_slice(&scored.features);
                values[FEATURES..].copy_from_slice(&standing);
                rows.extend(serves.map(|serves| confidence::Example { values, serves, weight: 1.0 }));
            }
        }
        rows
    }
}

impl Example {
    fn scored(&self, model: &Model) -> Vec<Scored> {
        fuse::scored(&self.best, self.features.clone(), self.terms, model)
    }
}

/// The answer of a case by document.
fn placed(case: &Case, pool: &Pool) -> Answer {
    let place =
        |skills: &[usize]| skills.iter().filter_map(|&skill| Some(pool.place(skill)? as usize)).collect();
    match &case.answer {
        Answer::Any(skills) => Answer::Any(place(skills)),
        Answer::All(skills) => Answer::All(place(skills)),
        Answer::Not(skills) => Answer::Not(place(skills)),
        Answer::Nothing => Answer::Nothing,
    }
}

struct Maker<'a, C> {
    names: Vec<&'a str>,
    memory: &'a C,
    analyser: Analyser,
}

impl<C: Collection<Error = Infallible>> Maker<'_, C> {
    fn example(
        &mut self,
        text: &str,
        answer: Answer,
        weight: f64,
        group: usize,
        case: Option<usize>,
    ) -> Result<Example, Infallible> {
        let prompt = Prompt::of(text, &mut self.analyser);
        let found = search(&prompt, self.memory, &Weights::MEASURED, RESCORED)?;
        let names: Vec<&str> =
            found.best.iter().map(|(document, _)| self.names[*document as usize]).collect();
        let features = features(&prompt, &found, &names, self.memory, &Weights::MEASURED)?;
        let is_right = |(document, _): &(u32, f64)| answer.skills().contains(&(*document as usize));
        let right = found.best.iter().map(is_right).collect();
        Ok(Example {
            answer,
            best: found.best,
            features,
            right,
            terms: prompt.terms.len(),
            weight,
            group,
            case,
        })
    }
}
