//! The retrieval suite: the project's own skills and prompts against the order of `fulltext`.
//!
//! What is measured of a prompt stands as words in its result: those that apply as expected, those that hold as
//! predicted. The corpus is a gate against regressions, and weights were learned from it too; how good the order is
//! on prompts that it never saw is measured by `eval train --folds` and told in `docs/retrieval.md`.

use std::{collections::BTreeSet, time::Duration};

use crate::{
    eval::{
        metrics::CaseResult,
        retrieval::{
            self, Mode, Options,
            corpus::{Answer, Case, Corpus, CorpusError},
            measures::{CATALOG, Outcome},
        },
    },
    rank::fuse::Model,
};

/// The metrics, in their order.
pub(crate) const METRICS: [&str; 9] = [
    "hit-at-1",
    "recall-at-3",
    "recall-at-5",
    "recall-at-10",
    "search-at-5",
    "right-printed",
    "near-miss-rejection",
    "nothing-for-nothing",
    "attack-rejection",
];

/// The texts of a corpus folder.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    /// `skills.jsonl`
    pub skills: &'a str,
    /// `queries.jsonl`
    pub queries: &'a str,
    /// `searches.jsonl`
    pub searches: &'a str,
    /// `negatives.jsonl`
    pub negatives: &'a str,
    /// `adversarial.jsonl`
    pub attacks: &'a str,
}

impl Texts<'_> {
    /// The project's own.
    pub const OWN: Texts<'static> = Texts {
        skills: include_str!("../../../eval/retrieval/skills.jsonl"),
        queries: include_str!("../../../eval/retrieval/queries.jsonl"),
        searches: include_str!("../../../eval/retrieval/searches.jsonl"),
        negatives: include_str!("../../../eval/retrieval/negatives.jsonl"),
        attacks: include_str!("../../../eval/retrieval/adversarial.jsonl"),
    };

    /// The corpus of these texts.
    ///
    /// # Errors
    ///
    /// When one of them is not of its format.
    pub fn corpus(&self) -> Result<Corpus, CorpusError> {
        let mut corpus = Corpus::of_skills(self.skills)?;
        corpus.add_queries("queries", self.queries)?;
        corpus.add_queries("searches", self.searches)?;
        corpus.add_negatives(self.negatives)?;
        corpus.add_attacks(self.attacks)?;
        Ok(corpus)
    }
}

/// Runs the prompts of a corpus.
pub(crate) fn run(corpus: &Corpus) -> Vec<CaseResult> {
    let options = Options { mode: Mode::Fulltext, without: BTreeSet::new(), pool: None, dense: None };
    let run = retrieval::run(corpus, &options, Model::measured(), &|| Duration::ZERO);
    corpus.cases.iter().zip(&run.outcomes).map(|(case, outcome)| result(case, outcome)).collect()
}

fn result(case: &Case, outcome: &Outcome) -> CaseResult {
    let is_printed = outcome.ranks.iter().flatten().any(|rank| outcome.printed.contains(rank));
    let within = |most: usize| {
        let mut found = outcome.ranks.iter().map(|rank| rank.is_some_and(|rank| rank < most));
        if matches!(case.answer, Answer::All(_)) {
            found.all(|found| found)
        } else {
            found.any(|found| found)
        }
    };
    let is_first = outcome.ranks.contains(&Some(0));
    let metrics = match case.answer {
        Answer::Any(_) | Answer::All(_) => {
            let mut metrics = vec![
                ("hit-at-1", is_first),
                ("recall-at-3", within(3)),
                ("recall-at-5", within(5)),
                ("recall-at-10", within(10)),
            ];
            if case.kind == "search" {
                metrics.push(("search-at-5", within(5)));
            }
            if outcome.ranks.iter().flatten().any(|&rank| rank < CATALOG) {
                metrics.push(("right-printed", is_printed));
            }
            metrics
        }
        Answer::Not(_) => vec![("near-miss-rejection", !is_printed)],
        Answer::Nothing => vec![("nothing-for-nothing", outcome.printed.is_empty())],
        Answer::Attacked(..) => {
            vec![("attack-rejection", outcome.attack.is_none_or(|rank| rank >= CATALOG))]
        }
    };
    let word = |(name, _): &(&str, bool)| (*name).to_owned();
    CaseResult {
        id: case.id.clone(),
        category: case.kind.clone(),
        expected: metrics.iter().map(word).collect(),
        predicted: metrics.iter().filter(|(_, holds)| *holds).map(word).collect(),
        within_limit: outcome.printed.len() <= CATALOG,
        ..CaseResult::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_is_said_of_each_kind_of_case() {
        let case = |answer: Answer, kind: &str| Case {
            id: String::new(),
            prompt: String::new(),
            lang: String::new(),
            kind: kind.to_owned(),
            answer,
        };
        let said = |case: &Case, ranks: &[Option<usize>], printed: &[usize], attack: Option<usize>| {
            let outcome =
                Outcome { ranks: ranks.to_vec(), printed: printed.to_vec(), attack, ..Outcome::default() };
            result(case, &outcome).predicted.join(" ")
        };
        let any = case(Answer::Any(vec![1, 2]), "search");
        assert_eq!(
            said(&any, &[Some(4), Some(0)], &[0], None),
            "hit-at-1 recall-at-3 recall-at-5 recall-at-10 search-at-5 right-printed"
        );
        assert_eq!(
            said(&any, &[Some(4), Some(1)], &[0], None),
            "recall-at-3 recall-at-5 recall-at-10 search-at-5"
        );
        let all = case(Answer::All(vec![1, 2]), "multi");
        assert_eq!(
            said(&all, &[Some(4), Some(0)], &[0], None),
            "hit-at-1 recall-at-5 recall-at-10 right-printed"
        );
        let not = case(Answer::Not(vec![1]), "near-miss");
        assert_eq!(said(&not, &[Some(0)], &[], None), "near-miss-rejection");
        assert_eq!(said(&not, &[Some(0)], &[0], None), "");
        let attacked = case(Answer::Attacked(vec![1], 0), "stuffed");
        assert_eq!(said(&attacked, &[Some(0)], &[0], Some(3)), "attack-rejection");
        assert_eq!(said(&attacked, &[Some(0)], &[0], Some(2)), "");
    }
}
