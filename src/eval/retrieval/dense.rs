//! Vectors of a corpus, for an order with likeness of meaning.
//!
//! Texts are those that a real prompt has compared: 1,000 characters of a prompt, and of the name, the use and the
//! description of a skill. Who turns them into vectors is the caller's business.

use super::{
    corpus::{Answer, Corpus, Skill},
    ranker::candidate,
};
use crate::{
    candidate::{
        query::{EmbeddingText, SelfDescription},
        vector::{Similarity, Vector},
    },
    rank::fuse::{self, Scored},
};

/// How many texts are turned into vectors at once.
const BATCH: usize = 64;

/// The vectors of a corpus; none for a text without a direction.
#[derive(Debug)]
pub struct Dense {
    /// The share of likeness in the order, as `semanticBlend` has it.
    share: f64,
    /// By case.
    prompts: Vec<Option<Vector>>,
    /// By number in the corpus.
    skills: Vec<Option<Vector>>,
    attacks: Vec<Option<Vector>>,
}

impl Dense {
    /// The vectors of all prompts and skills of `corpus`, as `embed` makes them.
    ///
    /// # Errors
    ///
    /// Those of `embed`.
    pub fn of<E>(
        corpus: &Corpus,
        share: f64,
        mut embed: impl FnMut(&[&EmbeddingText]) -> Result<Vec<Option<Vector>>, E>,
    ) -> Result<Self, E> {
        let mut vectors = |texts: Vec<Option<EmbeddingText>>| {
            let mut vectors = vec![None; texts.len()];
            let there: Vec<(usize, &EmbeddingText)> =
                texts.iter().enumerate().filter_map(|(place, text)| Some((place, text.as_ref()?))).collect();
            for batch in there.chunks(BATCH) {
                let texts: Vec<&EmbeddingText> = batch.iter().map(|(_, text)| *text).collect();
                for ((place, _), vector) in batch.iter().zip(embed(&texts)?) {
                    vectors[*place] = vector;
                }
            }
            Ok(vectors)
        };
        let said = |skills: &[Skill]| {
            let text = |skill| EmbeddingText::of_candidate(&SelfDescription::new(&candidate(0, skill)));
            skills.iter().map(|skill| Some(text(skill))).collect()
        };
        let prompts = corpus.cases.iter().map(|case| EmbeddingText::of_task(&case.prompt)).collect();
        Ok(Self {
            share,
            prompts: vectors(prompts)?,
            skills: vectors(said(&corpus.skills))?,
            attacks: vectors(said(&corpus.attacks))?,
        })
    }

    /// Orders the candidates of a case again. `skills` are the numbers in the corpus of the documents; the one behind
    /// the last is the attack of the case; `unspaced` as in [`fuse::blend`].
    pub fn blend(
        &self,
        corpus: &Corpus,
        case: usize,
        skills: &[usize],
        unspaced: f64,
        scored: &mut [Scored],
    ) {
        let Some(prompt) = &self.prompts[case] else { return };
        let attack = match corpus.cases[case].answer {
            Answer::Attacked(_, attack) => self.attacks[attack].as_ref(),
            _ => None,
        };
        let similarity = |scored: &Scored| -> Option<Similarity> {
            let vector = match skills.get(scored.document as usize) {
                Some(&skill) => self.skills[skill].as_ref(),
                None => attack,
            };
            prompt.similarity(vector?)
        };
        let similarities: Vec<Option<Similarity>> = scored.iter().map(similarity).collect();
        fuse::blend(scored, &similarities, self.share, unspaced);
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, convert::Infallible, time::Duration};

    use super::*;
    use crate::{
        eval::retrieval::{Mode, Options, run},
        rank::fuse::Model,
    };

    #[test]
    fn what_is_alike_comes_first_and_an_attack_has_a_vector_too() {
        let line = |id: &str, description: &str| {
            format!("{{\"id\": \"{id}\", \"name\": \"{id}\", \"description\": \"{description}\"}}\n")
        };
        let skills = [line("one", "Reads tables"), line("two", "Reads tables")].concat();
        let mut corpus = Corpus::of_skills(&skills).unwrap();
        corpus.add_queries("queries", r#"{"query": "reads tables", "gold": "one"}"#).unwrap();
        let attack = r#"{"query": "reads tables", "gold": ["one"], "skill": {"name": "two-b", "description": "Reads tables", "phrase": "", "repeat": 0, "body": ""}}"#;
        corpus.add_attacks(attack).unwrap();
        let ranks = |alike: &str| -> Vec<Option<usize>> {
            let dense = Dense::of(&corpus, 0.5, |texts| {
                let is_other = |text: &str| text.starts_with("Skill: ") && !text.starts_with(alike);
                let vector = |text: &&EmbeddingText| {
                    Vector::new(if is_other(text.as_str()) { &[0.0, 1.0] } else { &[1.0, 0.0] }).ok()
                };
                Ok::<_, Infallible>(texts.iter().map(vector).collect())
            });
            let Ok(dense) = dense;
            let options =
                Options { mode: Mode::Fulltext, without: BTreeSet::new(), pool: None, dense: Some(&dense) };
            let run = run(&corpus, &options, Model::measured(), &|| Duration::ZERO);
            run.outcomes.iter().map(|outcome| outcome.ranks[0]).collect()
        };
        assert_eq!(ranks("Skill: one"), [Some(0), Some(0)]);
        assert_eq!(ranks("Skill: two"), [Some(1), Some(2)]);
    }
}
