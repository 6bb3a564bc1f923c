//! What is learned from: the prompts of a corpus against all its skills and against a few, and what is made of them.
//!
//! A person has a few dozen skills and not ten thousand, so each prompt is also tried against small pools. And it is
//! tried with a skill that is named after its words and does something else.

use std::{collections::BTreeSet, convert::Infallible};

use super::{Example, Kind, searches};
use crate::{
    eval::retrieval::{
        chance::Chance,
        corpus::{Answer, Case, Corpus},
        pool::{Pool, documents},
        with::With,
    },
    rank::{
        features::features,
        fulltext::{
            Collection, Weights,
            document::{Document, Texts},
            memory::Memory,
            prompt::Prompt,
            search,
        },
        fuse::{Asked, RESCORED},
        text::terms::Analyser,
    },
};

/// How large the small pools are.
const FEW: [usize; 3] = [20, 100, 500];
/// How many of a small pool's skills may be named by the prompts that are tried against it.
const NAMED: usize = 5;

/// The examples of a corpus, which has this number.
pub(super) fn of(corpus: &Corpus, number: usize) -> Vec<Example> {
    let pool = Pool::whole(corpus, &BTreeSet::new());
    let documents = documents(corpus, &pool.skills, &BTreeSet::new());
    let memory = Memory::of(&documents);
    let mut maker = Maker { corpus, number, pool: &pool, analyser: Analyser::default(), all: Vec::new() };
    let every: Vec<u32> = (0..memory.documents()).collect();
    for (at, case) in corpus.cases.iter().enumerate() {
        if matches!(case.answer, Answer::Attacked(..)) {
            continue;
        }
        maker.add(
            Kind::Case(number),
            &case.prompt,
            answer(case, &pool, &every),
            group(corpus, at),
            &memory,
            &every,
        );
    }
    for (text, skill) in searches::made(corpus, &pool) {
        let right = Answer::Any(pool.place(skill).map(|place| place as usize).into_iter().collect());
        maker.add(Kind::Made, &text, right, skill, &memory, &every);
    }
    maker.attacks(&memory, &documents);
    for size in FEW.into_iter().filter(|size| size * 2 < documents.len()) {
        maker.few(size, &documents);
    }
    maker.all
}

/// The skill that the prompts of a case are kept together by.
fn group(corpus: &Corpus, case: usize) -> usize {
    corpus.cases[case].answer.skills().first().copied().unwrap_or(corpus.skills.len() + case)
}

/// The answer of a case by document, where `members` are the places in the pool of the documents.
fn answer(case: &Case, pool: &Pool, members: &[u32]) -> Answer {
    let number = |place: u32| members.binary_search(&place).ok();
    let numbers = |skills: &[usize]| skills.iter().filter_map(|&skill| number(pool.place(skill)?)).collect();
    match &case.answer {
        Answer::Any(skills) => Answer::Any(numbers(skills)),
        Answer::All(skills) => Answer::All(numbers(skills)),
        Answer::Not(skills) => Answer::Not(numbers(skills)),
        Answer::Nothing => Answer::Nothing,
        Answer::Attacked(skills, attack) => Answer::Attacked(numbers(skills), *attack),
    }
}

struct Maker<'a> {
    corpus: &'a Corpus,
    number: usize,
    pool: &'a Pool,
    analyser: Analyser,
    all: Vec<Example>,
}

impl Maker<'_> {
    /// Adds an example; `members` are the places in the pool of the documents.
    fn add<C: Collection<Error = Infallible>>(
        &mut self,
        kind: Kind,
        text: &str,
        answer: Answer,
        group: usize,
        collection: &C,
        members: &[u32],
    ) {
        let prompt = Prompt::of(text, &mut self.analyser);
        let Ok(found) = search(&prompt, collection, &Weights::MEASURED, RESCORED);
        let name = |(document, _): &(u32, f64)| {
            // What stands behind the last is an attack, whose name is told by the caller.
            let skill = self.pool.skills[members[*document as usize] as usize];
            self.corpus.skills[skill].name.as_str()
        };
        let names: Vec<&str> = found.best.iter().map(name).collect();
        let Ok(features) = features(&prompt, &found, &names, collection, &Weights::MEASURED);
        self.push(kind, answer, group, &prompt, found.best, features, collection.documents());
    }

    fn push(
        &mut self,
        kind: Kind,
        answer: Answer,
        group: usize,
        prompt: &Prompt,
        best: Vec<(u32, f64)>,
        features: Vec<crate::rank::features::Features>,
        documents: u32,
    ) {
        let is_positive = matches!(answer, Answer::Any(_) | Answer::All(_) | Answer::Attacked(..));
        let is_right =
            |(document, _): &(u32, f64)| is_positive && answer.skills().contains(&(*document as usize));
        let right = best.iter().map(is_right).collect();
        let asked = Asked::of(prompt, documents);
        self.all.push(Example { kind, answer, best, features, right, asked, group: (self.number, group) });
    }

    /// Tries the cases against pools of about `size` skills.
    fn few(&mut self, size: usize, documents: &[Document]) {
        let mut chance = Chance::new(size as u64);
        let is_attack = |case: &usize| matches!(self.corpus.cases[*case].answer, Answer::Attacked(..));
        let mut cases: Vec<usize> = (0..self.corpus.cases.len()).filter(|case| !is_attack(case)).collect();
        cases.sort_by_key(|&case| group(self.corpus, case));
        let mut batch: Vec<usize> = Vec::new();
        let mut named: BTreeSet<u32> = BTreeSet::new();
        for (at, &case) in cases.iter().enumerate() {
            let skills = self.corpus.cases[case].answer.skills();
            named.extend(skills.iter().filter_map(|&skill| self.pool.place(skill)));
            batch.push(case);
            let is_last =
                at + 1 == cases.len() || group(self.corpus, cases[at + 1]) != group(self.corpus, case);
            if is_last && (named.len() >= NAMED || at + 1 == cases.len()) {
                let named = std::mem::take(&mut named);
                self.batch(&std::mem::take(&mut batch), &named, size, documents, &mut chance);
            }
        }
    }

    fn batch(
        &mut self,
        cases: &[usize],
        named: &BTreeSet<u32>,
        size: usize,
        documents: &[Document],
        chance: &mut Chance,
    ) {
        let mut others = BTreeSet::new();
        while others.len() < size {
            let place = u32::try_from(chance.below(documents.len())).unwrap_or_default();
            if !named.contains(&place) {
                others.insert(place);
            }
        }
        let members: Vec<u32> = others.union(named).copied().collect();
        let memory = Memory::of(members.iter().map(|&place| &documents[place as usize]));
        for &case in cases {
            let answer = answer(&self.corpus.cases[case], self.pool, &members);
            let group = group(self.corpus, case);
            self.add(Kind::Few, &self.corpus.cases[case].prompt, answer, group, &memory, &members);
        }
    }

    /// Tries the cases with one more skill, named after words of the prompt, that does what another skill does.
    fn attacks(&mut self, memory: &Memory<'_>, documents: &[Document]) {
        let mut chance = Chance::new(99);
        let every: Vec<u32> = (0..memory.documents()).collect();
        for (number, case) in self.corpus.cases.iter().enumerate() {
            let words: Vec<&str> = case
                .prompt
                .split(|character: char| !character.is_ascii_alphabetic())
                .filter(|word| word.len() > 3)
                .collect();
            if !case.answer.is_positive() || words.len() < 2 {
                continue;
            }
            let first = chance.below(words.len() - 1);
            let name = words[first..=first + chance.below(2)].join("-").to_lowercase();
            let other = chance.below(documents.len());
            let skill = &self.corpus.skills[self.pool.skills[other]];
            if case.answer.skills().contains(&self.pool.skills[other]) {
                continue;
            }
            // Some do it with a text as long as that of others, some with a few words that hold the name.
            let is_short = chance.below(2) == 0;
            let few =
                |text: &str, words: usize| text.split_whitespace().take(words).collect::<Vec<_>>().join(" ");
            let description =
                format!("{} {}", name.replace('-', " "), few(&skill.description, 3 + chance.below(5)));
            let texts = Texts {
                name: &name,
                description: if is_short { &description } else { &skill.description },
                when_to_use: if is_short { None } else { skill.when.as_deref() },
                when_not_to_use: None,
                body: if is_short { &few(&skill.body, 40) } else { &skill.body },
            };
            let more = Document::of(&texts, &mut self.analyser);
            let with = With { memory, more: &more };
            let prompt = Prompt::of(&case.prompt, &mut self.analyser);
            let Ok(found) = search(&prompt, &with, &Weights::MEASURED, RESCORED);
            let last = memory.documents();
            if !found.best.iter().any(|(document, _)| *document == last) {
                continue;
            }
            let names: Vec<&str> = found
                .best
                .iter()
                .map(|(document, _)| match *document == last {
                    true => name.as_str(),
                    false => self.corpus.skills[self.pool.skills[*document as usize]].name.as_str(),
                })
                .collect();
            let Ok(features) = features(&prompt, &found, &names, &with, &Weights::MEASURED);
            let Answer::Any(right) = answer(case, self.pool, &every) else { continue };
            let answer = Answer::Attacked(right, 0);
            self.push(
                Kind::Attacked,
                answer,
                group(self.corpus, number),
                &prompt,
                found.best,
                features,
                last + 1,
            );
        }
    }
}
