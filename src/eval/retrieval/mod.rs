//! Retrieval: prompts with known answers against a pool of skills, and how well each way of ordering finds them.
//!
//! A corpus is text that the caller read, and the clock is an argument; this module opens no file. Figures are means
//! over prompts with the interval that drawing whole skills gives. A figure says how methods compare on these
//! prompts; public pools hold many equally good skills, so that none says how often a person is served.

pub mod chance;
pub mod compare;
pub mod corpus;
pub mod dense;
pub mod measures;
pub mod pool;
pub mod ranker;
pub mod tradeoff;
pub mod train;
pub mod with;

use std::{collections::BTreeSet, time::Duration};

use crate::rank::fuse::Model;
use corpus::{Answer, Case, Corpus};
use dense::Dense;
use measures::{Measure, Outcome, measures};
use pool::{Pool, documents};
use ranker::Ranker;

/// A way to order skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// BM25F, then the order of the best by their features.
    Fulltext,
    /// BM25F alone.
    Bm25f,
    /// The lexical contract.
    Lexical,
}

impl Mode {
    /// The name that a person types.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fulltext => "fulltext",
            Self::Bm25f => "bm25f",
            Self::Lexical => "lexical",
        }
    }
}

/// A part that a run can do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Words that say nothing are looked up too.
    StopWords,
    /// Each form of a word is a term of its own.
    Stems,
    /// Chinese prompts are not looked up in English.
    Translations,
    /// The order is that of BM25F.
    Rescorer,
    /// Bodies are not read.
    Body,
    /// The headings of bodies are not read.
    Headings,
    /// The prose of bodies is not read.
    Prose,
    /// The code of bodies is not read.
    Code,
    /// What skills say that they are not for is not read.
    Refusals,
    /// Copies stand for themselves.
    Copies,
}

impl Part {
    /// The name that a person types.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::StopWords => "stop-words",
            Self::Stems => "stems",
            Self::Translations => "translations",
            Self::Rescorer => "rescorer",
            Self::Body => "body",
            Self::Headings => "headings",
            Self::Prose => "prose",
            Self::Code => "code",
            Self::Refusals => "refusals",
            Self::Copies => "copies",
        }
    }
}

/// How to run.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// The way to order.
    pub mode: Mode,
    /// What it does without.
    pub without: BTreeSet<Part>,
    /// How many skills are drawn, and the seed; all of them if none.
    pub pool: Option<(usize, u64)>,
    /// What likeness of meaning adds to the order of [`Mode::Fulltext`], if anything.
    pub dense: Option<&'a Dense>,
}

/// What a run gave.
#[derive(Debug)]
pub struct Run {
    /// How many skills were searched.
    pub skills: usize,
    /// How many more are copies of these.
    pub copies: usize,
    /// How long it took to make them searchable.
    pub build: Duration,
    /// What each case gave, in the order of the corpus.
    pub outcomes: Vec<Outcome>,
}

/// Runs the prompts of a corpus.
pub fn run(corpus: &Corpus, options: &Options<'_>, model: &Model, clock: &dyn Fn() -> Duration) -> Run {
    let pools = match options.pool {
        None => vec![((0..corpus.cases.len()).collect(), Pool::whole(corpus, &options.without))],
        Some((size, seed)) => Pool::drawn(corpus, size, seed, &options.without),
    };
    let mut outcomes = vec![Outcome::default(); corpus.cases.len()];
    let mut run = Run { skills: 0, copies: 0, build: Duration::ZERO, outcomes: Vec::new() };
    for (cases, pool) in pools {
        let began = clock();
        let documents = documents(corpus, &pool.skills, &options.without);
        let mut ranker = Ranker::new(corpus, &pool, &documents, options, model);
        run.build = run.build.max(clock().saturating_sub(began));
        (run.skills, run.copies) = (run.skills.max(pool.skills.len()), run.copies.max(pool.copies));
        for case in cases {
            outcomes[case] = outcome(corpus, case, &pool, &mut ranker, clock);
        }
    }
    Run { outcomes, ..run }
}

fn outcome<'a>(
    corpus: &'a Corpus,
    number: usize,
    pool: &Pool,
    ranker: &mut Ranker<'a>,
    clock: &dyn Fn() -> Duration,
) -> Outcome {
    let case = &corpus.cases[number];
    let began = clock();
    let attack = match case.answer {
        Answer::Attacked(_, attack) => Some(&corpus.attacks[attack]),
        _ => None,
    };
    let ordered = match attack {
        None => ranker.order(number),
        Some(attack) => ranker.order_with(number, attack),
    };
    let micros = clock().saturating_sub(began).as_secs_f64() * 1e6;
    let rank = |&skill: &usize| {
        let place = pool.place(skill)?;
        ordered.best.iter().position(|&found| found == place)
    };
    let is_last = |&found: &u32| found as usize == pool.skills.len();
    Outcome {
        ranks: case.answer.skills().iter().map(rank).collect(),
        attack: attack.and_then(|_| ordered.best.iter().position(is_last)),
        sure: ordered.sure,
        printed: ordered.printed,
        micros,
    }
}

/// The measures of one group of cases.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// `all`, `lang zh`, `kind task`.
    pub name: String,
    /// Its measures.
    pub measures: Vec<Measure>,
}

/// The measures of all cases, of each language and of each kind.
pub fn groups(corpus: &Corpus, outcomes: &[Outcome]) -> Vec<Group> {
    let names = |of: &dyn Fn(&Case) -> String| corpus.cases.iter().map(of).collect::<BTreeSet<_>>();
    let of = |name: &str, has: &dyn Fn(&Case) -> bool| Group {
        name: name.to_owned(),
        measures: measures(corpus.cases.iter().zip(outcomes).filter(|(case, _)| has(case))),
    };
    let mut groups = vec![of("all", &|_| true)];
    for (what, value) in [
        ("lang", &(|case: &Case| case.lang.clone()) as &dyn Fn(&Case) -> String),
        ("kind", &|case| case.kind.clone()),
    ] {
        let found = names(value);
        groups.extend(found.iter().map(|name| of(&format!("{what} {name}"), &|case| value(case) == *name)));
    }
    groups
}

/// The time below which so many of 100 cases stay, in microseconds.
pub fn percentile(outcomes: &[Outcome], percent: usize) -> f64 {
    let mut all: Vec<f64> = outcomes.iter().map(|outcome| outcome.micros).collect();
    all.sort_by(f64::total_cmp);
    let place = (all.len() * percent).div_ceil(100).saturating_sub(1);
    all.get(place).copied().unwrap_or_default()
}
