//! What full-text search says of a candidate, as `explain --json` prints it.

use serde::Serialize;

/// What full-text search says of one candidate.
#[derive(Debug, Clone, Serialize)]
pub struct Fulltext {
    /// Its place in the order, from 1.
    pub rank: usize,
    /// Its BM25F score.
    pub bm25f: f64,
    /// What orders it: what the features add up to, and likeness of meaning.
    pub order: f64,
    /// What likeness of meaning adds to that; null where it was not compared.
    pub meaning: Option<f64>,
    /// Its share of what is likely among the candidates, from 0 to 1.
    pub share: f64,
    /// How likely it serves the task, from 0 to 1.
    pub confidence: f64,
    /// The terms of the task that it has, the most informative first.
    pub terms: Vec<MatchedTerm>,
    /// What the order is made of: the largest parts first.
    pub features: Vec<FeatureShare>,
}

/// A term of the task that a candidate has.
#[derive(Debug, Clone, Serialize)]
pub struct MatchedTerm {
    /// The term as it is looked up.
    pub term: String,
    /// How rare it is, as a logarithm, times the root of how often the task has it.
    pub weight: f64,
    /// The fields that have it.
    pub fields: Vec<&'static str>,
}

/// What one feature adds to the order.
#[derive(Debug, Clone, Serialize)]
pub struct FeatureShare {
    /// Its name.
    pub name: &'static str,
    /// Its value for this candidate.
    pub value: f64,
    /// Value times weight.
    pub adds: f64,
}
