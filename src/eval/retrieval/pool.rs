//! The skills that a run searches: all of a corpus or some, analysed, with copies made one.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZero,
    thread,
};

use super::{Part, chance::Chance, corpus::Corpus, measures::group};
use crate::rank::{
    copies::{Likeness, representatives},
    fulltext::{
        document::{Document, Texts},
        fields::Field,
    },
    text::terms::{Analyser, Analysis},
};

/// The skills of a run. A document is numbered by its place here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// The number in the corpus of each skill.
    pub skills: Vec<usize>,
    /// By number in the corpus: the place here of the skill that stands for it, if it is here.
    places: Vec<Option<u32>>,
    /// How many skills another stands for.
    pub copies: usize,
}

/// How much of a drawn pool prompts may name, as one part in so many: the others are what the right ones are told
/// from.
const NAMED: usize = 4;

impl Pool {
    /// The pool of all skills of a corpus.
    pub fn whole(corpus: &Corpus, without: &BTreeSet<Part>) -> Self {
        let skills: Vec<usize> = (0..corpus.skills.len()).collect();
        Self::of_skills(corpus, &skills, !without.contains(&Part::Copies))
    }

    /// Pools of `size` skills, drawn by chance from `seed`, each with the cases that are tried against it: all that
    /// these name is in it. A small pool takes few of the cases, so that most of it is named by none.
    pub fn drawn(
        corpus: &Corpus,
        size: usize,
        seed: u64,
        without: &BTreeSet<Part>,
    ) -> Vec<(Vec<usize>, Self)> {
        let mut chance = Chance::new(seed);
        let mut order: Vec<usize> = (0..corpus.cases.len()).collect();
        chance.shuffle(&mut order);
        // Prompts for one skill come together.
        let rank: BTreeMap<usize, usize> = order
            .iter()
            .rev()
            .enumerate()
            .map(|(rank, &case)| (group(&corpus.cases[case], case), rank))
            .collect();
        order.sort_by_key(|&case| rank[&group(&corpus.cases[case], case)]);
        let mut batches: Vec<(Vec<usize>, BTreeSet<usize>)> = Vec::new();
        for case in order {
            let skills = corpus.cases[case].answer.skills();
            let fits = batches.last().is_some_and(|(_, named)| {
                named.iter().chain(skills).collect::<BTreeSet<_>>().len() <= (size / NAMED).max(1)
            });
            if !fits {
                batches.push((Vec::new(), BTreeSet::new()));
            }
            if let Some((cases, named)) = batches.last_mut() {
                cases.push(case);
                named.extend(skills);
            }
        }
        let mut draw = |(mut cases, named): (Vec<usize>, BTreeSet<usize>)| {
            let mut skills: Vec<usize> =
                (0..corpus.skills.len()).filter(|skill| !named.contains(skill)).collect();
            chance.shuffle(&mut skills);
            skills.truncate(size.saturating_sub(named.len()));
            skills.extend(named);
            skills.sort_unstable();
            cases.sort_unstable();
            (cases, Self::of_skills(corpus, &skills, !without.contains(&Part::Copies)))
        };
        batches.into_iter().map(&mut draw).collect()
    }

    /// The pool of these skills; copies are made one if wanted.
    pub fn of_skills(corpus: &Corpus, skills: &[usize], collapses: bool) -> Self {
        let likeness = |&number: &usize| {
            let skill = &corpus.skills[number];
            Likeness::of(&skill.name, &skill.description, &skill.body)
        };
        let first = if collapses {
            representatives(skills.iter().map(likeness))
        } else {
            (0..skills.len()).collect()
        };
        let mut pool = Self { skills: Vec::new(), places: vec![None; corpus.skills.len()], copies: 0 };
        for (at, &number) in skills.iter().enumerate() {
            if first[at] == at {
                pool.places[number] = u32::try_from(pool.skills.len()).ok();
                pool.skills.push(number);
            } else {
                pool.places[number] = pool.places[skills[first[at]]];
                pool.copies += 1;
            }
        }
        pool
    }

    /// The place of a skill of the corpus, or of the copy that stands for it.
    pub fn place(&self, skill: usize) -> Option<u32> {
        self.places[skill]
    }
}

/// The documents of some skills of a corpus, in their order.
pub fn documents(corpus: &Corpus, skills: &[usize], without: &BTreeSet<Part>) -> Vec<Document> {
    in_parts(skills, |skills| analyse(corpus, skills, without))
}

/// What `work` gives for the parts of a list, one part a core, put together in order.
pub fn in_parts<T: Sync, R: Send>(list: &[T], work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(8);
    let share = list.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let running: Vec<_> = list.chunks(share).map(|part| scope.spawn(|| work(part))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<R>>| {
            thread.join().expect("no text and no prompt makes the ranking panic")
        };
        running.into_iter().flat_map(join).collect()
    })
}

/// What a run does to a text.
pub fn analysis(without: &BTreeSet<Part>) -> Analysis {
    Analysis {
        stop_words: !without.contains(&Part::StopWords),
        stems: !without.contains(&Part::Stems),
        translations: !without.contains(&Part::Translations),
    }
}

fn analyse(corpus: &Corpus, skills: &[usize], without: &BTreeSet<Part>) -> Vec<Document> {
    let mut analyser = Analyser::new(analysis(without));
    let document = |&number: &usize| {
        let skill = &corpus.skills[number];
        let texts = Texts {
            name: &skill.name,
            description: &skill.description,
            when_to_use: skill.when.as_deref(),
            when_not_to_use: None,
            body: if without.contains(&Part::Body) { "" } else { &skill.body },
        };
        let mut document = Document::of(&texts, &mut analyser);
        for (part, field) in [
            (Part::Code, Field::Code),
            (Part::Prose, Field::Prose),
            (Part::Headings, Field::Headings),
            (Part::Refusals, Field::Not),
        ] {
            if without.contains(&part) {
                forget(&mut document, field);
            }
        }
        document
    };
    skills.iter().map(document).collect()
}

/// Takes a field out of a document.
fn forget(document: &mut Document, field: Field) {
    let field = field as usize;
    document.terms.retain_mut(|(_, counts)| {
        counts[field] = 0;
        counts.iter().any(|&count| count > 0)
    });
    document.shape.lengths[field] = 0;
    document.shape.distinct[field] = 0;
    document.shape.pairs[field].clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus() -> Corpus {
        let skill = |number: usize| {
            let body = format!(
                "# Reads\\n\\nFiles of kind {}, one after another, and prints what is in them.\\n```\\ncat x\\n```",
                number % 4
            );
            format!("{{\"id\": \"{number}\", \"name\": \"skill-{number}\", \"body\": \"{body}\"}}\n")
        };
        let mut corpus = Corpus::of_skills(&(0..8).map(skill).collect::<String>()).unwrap();
        corpus.add_queries("queries", r#"{"query": "x", "gold": ["7"]}"#).unwrap();
        corpus
    }

    #[test]
    fn a_copy_stands_where_its_first_does() {
        let pool = Pool::whole(&corpus(), &BTreeSet::new());
        assert_eq!((pool.skills.as_slice(), pool.copies), (&[0, 1, 2, 3][..], 4));
        assert_eq!((pool.place(3), pool.place(7)), (Some(3), Some(3)));
        let all = Pool::whole(&corpus(), &[Part::Copies].into());
        assert_eq!((all.skills.len(), all.copies, all.place(7)), (8, 0, Some(7)));
    }

    #[test]
    fn a_drawn_pool_has_what_its_prompts_name() {
        let mut corpus = corpus();
        corpus.add_queries("queries", r#"{"query": "y", "gold": ["2"]}"#).unwrap();
        for seed in 0..5 {
            let pools = Pool::drawn(&corpus, 3, seed, &[Part::Copies].into());
            assert_eq!(pools, Pool::drawn(&corpus, 3, seed, &[Part::Copies].into()));
            let mut tried: Vec<usize> = pools.iter().flat_map(|(cases, _)| cases.clone()).collect();
            tried.sort_unstable();
            assert_eq!((pools.len(), tried), (2, vec![0, 1]));
            for (cases, pool) in pools {
                assert_eq!(pool.skills.len(), 3);
                let named = corpus.cases[cases[0]].answer.skills()[0];
                assert!(pool.place(named).is_some());
            }
        }
        assert_eq!(Pool::drawn(&corpus, 8, 1, &[Part::Copies].into()).len(), 1);
    }

    #[test]
    fn parts_are_left_out() {
        let corpus = corpus();
        let lengths =
            |part: &[Part]| documents(&corpus, &[0], &part.iter().copied().collect())[0].shape.lengths;
        assert_eq!(lengths(&[]), [2, 0, 0, 1, 6, 2]);
        assert_eq!(lengths(&[Part::Code, Part::Headings]), [2, 0, 0, 0, 6, 0]);
        assert_eq!(lengths(&[Part::Body]), [2, 0, 0, 0, 0, 0]);
    }
}
