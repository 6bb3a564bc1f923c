//! The documents of `eval retrieval` and `eval train --folds`.
//!
//! The rules of [`super::wire`] hold here too: a schema with a version, and one documented order. Every share is a
//! fraction from 0 to 1.

use std::collections::BTreeMap;

use serde::Serialize;

/// `eval retrieval`.
#[derive(Debug, Default, Serialize)]
pub struct Retrieval {
    /// `skillflux.eval-retrieval/1`
    pub schema: &'static str,
    /// The way to order.
    pub mode: &'static str,
    /// The share of likeness of meaning in the order; null where none was compared.
    pub blend: Option<f64>,
    /// What it did without.
    pub without: Vec<&'static str>,
    /// How many skills were searched.
    pub skills: usize,
    /// How many more are copies of these.
    pub copies: usize,
    /// What the draw of the skills began from; null when all were searched.
    pub seed: Option<u64>,
    /// The share of prompts whose first skill is right; null without such prompts, as below.
    pub hit_at_1: Option<f64>,
    /// The share of right skills among the first three.
    pub recall_at_3: Option<f64>,
    /// Among the first five.
    pub recall_at_5: Option<f64>,
    /// Among the first ten.
    pub recall_at_10: Option<f64>,
    /// The mean of 1 by the rank of the first right one.
    pub mrr: Option<f64>,
    /// The discounted gain among the first ten.
    pub ndcg_at_10: Option<f64>,
    /// The share of prompts with a right skill for which nothing is printed.
    pub false_empty_rate: Option<f64>,
    /// The share of negatives for which no wrong skill is printed.
    pub negative_rejection: Option<f64>,
    /// The time of one prompt; null where nothing was timed.
    pub latency_ms: Option<Latency>,
    /// The time to analyse the skills and make them searchable, in milliseconds.
    pub build_ms: Option<f64>,
    /// The most memory that the process had, in bytes; null where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
    /// All prompts first, then those of each language and of each kind.
    pub groups: Vec<Group>,
    /// What each threshold of the confidence costs and saves; empty where the order has no confidence.
    pub tradeoff: Vec<Point>,
    /// What changed against a recorded run.
    pub changes: Vec<Change>,
    /// Every prompt, in the order of the corpus.
    pub prompts: Vec<Prompt>,
}

/// Times in milliseconds.
#[derive(Debug, Default, Serialize)]
pub struct Latency {
    /// Half of the prompts take less.
    pub p50: f64,
    /// 95 of 100 take less.
    pub p95: f64,
    /// 99 of 100 take less.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

/// The measures of some prompts.
#[derive(Debug, Serialize)]
pub struct Group {
    /// `all`, `lang zh`, `kind task`.
    pub name: String,
    /// The measures that apply.
    pub measures: Vec<Measure>,
}

/// A mean over prompts.
#[derive(Debug, Serialize)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// The mean.
    pub value: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The number of prompts.
    pub cases: usize,
}

/// What one threshold of the confidence does.
#[derive(Debug, Serialize)]
pub struct Point {
    /// The least confidence of what is printed.
    pub threshold: f64,
    /// The share of prompts with a right skill among the first three of which none is printed.
    pub lost: f64,
    /// The share of near misses for which the wrong skill is printed; null without near misses.
    pub forbidden: Option<f64>,
    /// The share of prompts that nothing serves for which something is printed; null without such prompts.
    pub noise: Option<f64>,
    /// How many skills are printed for a prompt that has a right one.
    pub entries: f64,
}

/// How a measure changed over the prompts that both runs have.
#[derive(Debug, Serialize)]
pub struct Change {
    /// The measure.
    pub name: &'static str,
    /// Its mean in the recorded run.
    pub before: f64,
    /// Its mean in this one.
    pub after: f64,
    /// The lower end of the 95% interval of the difference.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How likely so large a difference would be by chance.
    pub probability: f64,
    /// The number of prompts.
    pub cases: usize,
}

/// What one prompt gave.
#[derive(Debug, Serialize)]
pub struct Prompt {
    /// Its id.
    pub id: String,
    /// Its language.
    pub lang: String,
    /// Its kind.
    pub kind: String,
    /// The rank of each skill that it names, from 1; null beyond those that were ordered.
    pub ranks: Vec<Option<usize>>,
    /// The rank of the skill that was made to win it, from 1; null where there is none or it was not found.
    pub attack: Option<usize>,
    /// The ranks of those that a catalog would print.
    pub printed: Vec<usize>,
    /// Its measures.
    pub values: BTreeMap<&'static str, f64>,
}
