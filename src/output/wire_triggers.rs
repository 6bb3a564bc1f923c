//! The document of `eval triggers`.
//!
//! The rules of [`super::wire`] hold here too: a schema with a version, and one documented order. Every confidence
//! and share is a fraction from 0 to 1.

use serde::Serialize;

/// `eval triggers`.
#[derive(Debug, Serialize)]
pub struct Triggers {
    /// `skillflux.eval-triggers/1`
    pub schema: &'static str,
    /// The skill.
    pub skill: String,
    /// Its `SKILL.md`.
    pub location: String,
    /// The files that were read.
    pub files: Vec<String>,
    /// How many other skills it was tried against.
    pub rivals: usize,
    /// How many more are copies, or have its name.
    pub copies: usize,
    /// The most entries of a catalog.
    pub limit: usize,
    /// The least confidence of an entry.
    pub threshold: f64,
    /// How many prompts gave what.
    pub counts: Counts,
    /// The share of the prompts for which it should fire for which it does; null without such prompts.
    pub recall: Option<f64>,
    /// The share of the prompts for which it fires for which it should; null when it fires for none.
    pub precision: Option<f64>,
    /// The share of prompts for which it does what it should.
    pub accuracy: Option<f64>,
    /// How many prompts of the files are of other skills.
    pub of_other_skills: usize,
    /// How many prompts were not tried, because they are too many.
    pub left_out: usize,
    /// Entries that could not be tried, in the order of the files.
    pub problems: Vec<Problem>,
    /// The prompts, in the order of the files.
    pub prompts: Vec<Prompt>,
    /// What would change the prompts that it fires for; each was tried by scoring the skill again.
    pub advice: Advice,
}

/// How many prompts gave what.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Counts {
    /// It fires as it should.
    pub fired: usize,
    /// It should fire.
    pub missed: usize,
    /// It should not fire.
    pub wrongly_fired: usize,
    /// It does not fire as it should not.
    pub quiet: usize,
}

/// An entry that could not be tried.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The place in it, as `jq` writes it, or a line.
    pub place: String,
    /// What is wrong.
    pub problem: String,
}

/// What one prompt gave.
#[derive(Debug, Serialize)]
pub struct Prompt {
    /// The file.
    pub file: String,
    /// The place in it, as `jq` writes it, or a line.
    pub place: String,
    /// The prompt.
    pub prompt: String,
    /// `fired`, `missed`, `wrongly-fired` or `quiet`.
    pub outcome: &'static str,
    /// Whether the prompt calls the skill by its name, so that no catalog needs it.
    pub invoked: bool,
    /// Its place in the order, from 1; null when it is not among the best fifty.
    pub rank: Option<usize>,
    /// How likely it serves the prompt.
    pub confidence: f64,
    /// The skills that a catalog has, best first.
    pub printed: Vec<String>,
    /// The skill that won instead; only for a missed prompt, and null when none stands above.
    pub rival: Option<Rival>,
    /// The words of the description that make it fire, the most first; only for a prompt that it fires wrongly for.
    pub causes: Vec<Cause>,
    /// What would stop it; only for a prompt that it fires wrongly for.
    pub refusal: Option<Refusal>,
}

/// A skill that won instead.
#[derive(Debug, Serialize)]
pub struct Rival {
    /// Its name.
    pub skill: String,
    /// Its path, or its id in the file of the pool.
    pub location: String,
    /// Its place in the order, from 1.
    pub rank: usize,
    /// How likely it serves the prompt.
    pub confidence: f64,
    /// Whether a catalog has it.
    pub printed: bool,
    /// The terms on which it scores more, the most first.
    pub terms: Vec<Gap>,
    /// The features of the order by which it stands above, the most first.
    pub features: Vec<FeatureGap>,
}

/// A term on which a rival scores more.
#[derive(Debug, Serialize)]
pub struct Gap {
    /// The term, as the prompt has it.
    pub term: String,
    /// The fields in which the rival has more of it.
    pub fields: Vec<&'static str>,
    /// How much more BM25F gives it.
    pub more: f64,
}

/// A feature by which a rival stands above.
#[derive(Debug, Serialize)]
pub struct FeatureGap {
    /// Its name.
    pub name: &'static str,
    /// How much more it adds to the order.
    pub more: f64,
}

/// A word of the description that makes the skill fire.
#[derive(Debug, Serialize)]
pub struct Cause {
    /// The word.
    pub word: String,
    /// How much less sure the skill is without it.
    pub less: f64,
    /// Whether it would not fire without it.
    pub decides: bool,
}

/// A sentence that says what the skill is not for.
#[derive(Debug, Serialize)]
pub struct Refusal {
    /// The sentence.
    pub sentence: String,
    /// Whether the skill would not fire with it.
    pub stops: bool,
}

/// What would change the prompts that the skill fires for.
#[derive(Debug, Serialize)]
pub struct Advice {
    /// Words to add to the description; null when none would help.
    pub add: Option<Addition>,
    /// A sentence to add; null when it fires wrongly for none, or no word tells those prompts from others.
    pub not_for: Option<NotFor>,
    /// What both together give.
    pub both: Option<Counts>,
}

/// Words to add to the description.
#[derive(Debug, Serialize)]
pub struct Addition {
    /// The words, in the order in which they help.
    pub words: Vec<Word>,
    /// What the skill gives with them.
    pub counts: Counts,
}

/// A word to add.
#[derive(Debug, Serialize)]
pub struct Word {
    /// The word.
    pub word: String,
    /// How many missed prompts have it.
    pub prompts: usize,
    /// Whether the body of the skill has it.
    pub in_body: bool,
    /// How much surer it alone makes the skill for these prompts, as a mean.
    pub gain: f64,
}

/// A sentence to add to the description.
#[derive(Debug, Serialize)]
pub struct NotFor {
    /// The sentence.
    pub sentence: String,
    /// What the skill gives with it.
    pub counts: Counts,
}
