//! What is learned from: the prompts of a corpus against all its skills and against a few, and what is made of them.
//!
//! A person has a few dozen skills and not ten thousand, so each prompt is also tried against small pools. And it is
//! tried with a skill that is named after its words and does something else.

use std::{collections::BTreeSet, convert::Infallible};

use super::{Example, Kind, searches};
use crate::{
    eval::retrieval::{
        chance::Chance,
        corpus::{Answer, Case, Corpus, Skill},
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
/// How many other skills there are on a new machine.
const HANDFUL: usize = 4;

/// The examples of the corpus of this number, and before them which skill of it each document is.
pub(super) fn of(corpus: &Corpus, number: usize) -> (Vec<usize>, Vec<Example>) {
    let pool = Pool::whole(corpus, &BTreeSet::new());
    let documents = documents(corpus, &pool.skills, &BTreeSet::new());
    let memory = Memory::of(&documents);
    let mut maker = Maker { corpus, number, pool: &pool, analyser: Analyser::default(), all: Vec::new() };
    let every: Vec<u32> = (0..memory.documents()).collect();
    let name = |document: u32| corpus.skills[pool.skills[document as usize]].name.as_str();
    for (at, case) in corpus.cases.iter().enumerate() {
        if !matches!(case.answer, Answer::Attacked(..)) {
            let (kind, answer) = (Kind::Case(number, at), answer(case, &pool, &every));
            maker.add(kind, &case.prompt, answer, group(corpus, at), &memory, &name);
        }
    }
    let made = searches::made(corpus, &pool);
    for (text, skill) in &made {
        let right = Answer::Any(pool.place(*skill).map(|place| place as usize).into_iter().collect());
        maker.add(Kind::Made, text, right, *skill, &memory, &name);
    }
    maker.attacks(&memory);
    maker.handfuls(&documents, &made);
    for size in FEW.into_iter().filter(|size| size * 2 < documents.len()) {
        maker.few(size, &documents);
    }
    let all = maker.all;
    (pool.skills, all)
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
    /// Adds an example; `name` tells the name of a document.
    fn add<'n, C: Collection<Error = Infallible>>(
        &mut self,
        kind: Kind,
        text: &str,
        answer: Answer,
        group: usize,
        collection: &C,
        name: &dyn Fn(u32) -> &'n str,
    ) {
        let prompt = Prompt::of(text, &mut self.analyser);
        let Ok(found) = search(&prompt, collection, &Weights::MEASURED, RESCORED);
        let names: Vec<&str> = found.best.iter().map(|(document, _)| name(*document)).collect();
        let Ok(features) = features(&prompt, &found, &names, collection, &Weights::MEASURED);
        let is_positive = matches!(answer, Answer::Any(_) | Answer::All(_) | Answer::Attacked(..));
        let is_right =
            |(document, _): &(u32, f64)| is_positive && answer.skills().contains(&(*document as usize));
        let right = found.best.iter().map(is_right).collect();
        let asked = Asked::of(&prompt, collection.documents());
        let (best, group) = (found.best, (self.number, group));
        self.all.push(Example { kind, answer, best, features, right, asked, group });
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
        let others = drawn(chance, documents, named, size);
        let members: Vec<u32> = others.union(named).copied().collect();
        let memory = Memory::of(members.iter().map(|&place| &documents[place as usize]));
        let (corpus, pool) = (self.corpus, self.pool);
        let skill = |document: u32| pool.skills[members[document as usize] as usize];
        for &case in cases {
            let answer = answer(&corpus.cases[case], pool, &members);
            let (group, name) =
                (group(corpus, case), |document| corpus.skills[skill(document)].name.as_str());
            self.add(Kind::Few, &corpus.cases[case].prompt, answer, group, &memory, &name);
        }
    }

    /// Tries cases and made searches against what a new machine has: one skill of theirs and a few others, and these
    /// others alone, which serve nothing that was made for another.
    fn handfuls(&mut self, documents: &[Document], made: &[(String, usize)]) {
        let mut chance = Chance::new(HANDFUL as u64);
        let (corpus, pool) = (self.corpus, self.pool);
        let cases = corpus.cases.iter().enumerate().filter_map(|(at, case)| {
            let Answer::Any(skills) = &case.answer else { return None };
            let places = skills.iter().filter_map(|&skill| pool.place(skill)).collect::<BTreeSet<_>>();
            Some((&case.prompt, places, group(corpus, at)))
        });
        let made = made
            .iter()
            .filter_map(|(text, skill)| Some((text, BTreeSet::from([pool.place(*skill)?]), *skill)));
        for (text, right, group) in cases.chain(made) {
            let Some(&first) = right.first() else { continue };
            let others = drawn(&mut chance, documents, &right, HANDFUL);
            let mut with_it = others.clone();
            with_it.insert(first);
            for members in [with_it, others] {
                let members: Vec<u32> = members.into_iter().collect();
                let memory = Memory::of(members.iter().map(|&place| &documents[place as usize]));
                let name = |document: u32| {
                    corpus.skills[pool.skills[members[document as usize] as usize]].name.as_str()
                };
                let place = members.binary_search(&first).ok();
                let answer = place.map_or(Answer::Nothing, |place| Answer::Any(vec![place]));
                self.add(Kind::Handful, text, answer, group, &memory, &name);
            }
        }
    }

    /// Tries the cases with one more skill, named after words of the prompt, that does what another skill does.
    fn attacks(&mut self, memory: &Memory<'_>) {
        let mut chance = Chance::new(99);
        let every: Vec<u32> = (0..memory.documents()).collect();
        let (corpus, pool) = (self.corpus, self.pool);
        for (number, case) in corpus.cases.iter().enumerate() {
            let Some(attack) = attack(corpus, pool, case, &mut chance) else { continue };
            let Answer::Any(right) = answer(case, pool, &every) else { continue };
            let texts = Texts {
                name: &attack.name,
                description: &attack.description,
                when_to_use: attack.when.as_deref(),
                when_not_to_use: None,
                body: &attack.body,
            };
            let more = Document::of(&texts, &mut self.analyser);
            let last = memory.documents();
            let name = |document: u32| match pool.skills.get(document as usize) {
                Some(&skill) => corpus.skills[skill].name.as_str(),
                None => attack.name.as_str(),
            };
            let (answer, group) = (Answer::Attacked(right, 0), group(corpus, number));
            self.add(Kind::Attacked, &case.prompt, answer, group, &With { memory, more: &more }, &name);
            // An attack that is not found at all teaches nothing.
            self.all.pop_if(|example| !example.best.iter().any(|(document, _)| *document == last));
        }
    }
}

/// At most `count` places of documents, drawn by chance, that are not in `without`.
fn drawn(
    chance: &mut Chance,
    documents: &[Document],
    without: &BTreeSet<u32>,
    count: usize,
) -> BTreeSet<u32> {
    let mut drawn = BTreeSet::new();
    while drawn.len() < count.min(documents.len() - without.len()) {
        let place = u32::try_from(chance.below(documents.len())).expect("documents have numbers of 32 bits");
        if !without.contains(&place) {
            drawn.insert(place);
        }
    }
    drawn
}

/// A skill named after words of a prompt that does what another skill does.
fn attack(corpus: &Corpus, pool: &Pool, case: &Case, chance: &mut Chance) -> Option<Skill> {
    let words = case.prompt.split(|character: char| !character.is_ascii_alphabetic());
    let words: Vec<&str> = words.filter(|word| word.len() > 3).collect();
    if !case.answer.is_positive() || words.len() < 2 {
        return None;
    }
    let first = chance.below(words.len() - 1);
    let name = words[first..=first + chance.below(2)].join("-").to_lowercase();
    let other = pool.skills[chance.below(pool.skills.len())];
    if case.answer.skills().contains(&other) {
        return None;
    }
    // Some do it with a text as long as that of others, some with a few words that hold the name.
    if chance.below(2) > 0 {
        return Some(Skill { name, ..corpus.skills[other].clone() });
    }
    let few = |text: &str, words: usize| text.split_whitespace().take(words).collect::<Vec<_>>().join(" ");
    let skill = &corpus.skills[other];
    Some(Skill {
        description: format!("{} {}", name.replace('-', " "), few(&skill.description, 3 + chance.below(5))),
        when: None,
        body: few(&skill.body, 40),
        name,
        ..skill.clone()
    })
}
