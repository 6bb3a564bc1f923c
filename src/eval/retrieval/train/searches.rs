//! Short searches that are made from skills, because the prompts that authors wrote are long.
//!
//! Weights that are learned from long prompts alone ruin searches of two to four words. Each made search is a few
//! words in a row of a name, a description or a heading of a skill that no prompt names.

use std::collections::BTreeSet;

use crate::{
    eval::retrieval::{
        chance::Chance,
        corpus::{Corpus, Skill},
        pool::Pool,
    },
    rank::{
        fulltext::fields::{Field, body_lines},
        text::terms::Analyser,
    },
};

/// How many are made of a large corpus.
const MOST: usize = 1_200;

/// Searches with the skill that each was made from.
pub(super) fn made(corpus: &Corpus, pool: &Pool) -> Vec<(String, usize)> {
    let named: BTreeSet<usize> = corpus.cases.iter().flat_map(|case| case.answer.skills()).copied().collect();
    let is_english = |skill: &Skill| skill.lang.is_empty() || skill.lang == "en";
    let mut skills = pool.skills.clone();
    skills.retain(|skill| !named.contains(skill) && is_english(&corpus.skills[*skill]));
    let mut chance = Chance::new(12_345);
    chance.shuffle(&mut skills);
    let mut analyser = Analyser::default();
    let search = |(turn, skill): (usize, usize)| {
        Some((search(&corpus.skills[skill], turn % 4, &mut chance, &mut analyser)?, skill))
    };
    skills.into_iter().enumerate().filter_map(search).take(MOST).collect()
}

fn search(skill: &Skill, kind: usize, chance: &mut Chance, analyser: &mut Analyser) -> Option<String> {
    let text = match kind {
        0 => skill.name.replace(['-', '_', ':'], " "),
        1 | 2 => skill.description.clone(),
        _ => {
            let lines = body_lines(&skill.body).filter(|(field, _)| *field == Field::Headings);
            let headings: Vec<&str> = lines.map(|(_, line)| line).collect();
            if headings.is_empty() {
                return None;
            }
            headings[chance.below(headings.len())].to_owned()
        }
    };
    let mut says_something = |word: &&str| {
        let mut terms = 0;
        analyser.visit(word, |_| terms += 1);
        terms > 0
    };
    let words: Vec<&str> = text.split_whitespace().filter(&mut says_something).collect();
    if words.len() < 2 {
        return None;
    }
    let number = (2 + chance.below(3)).min(words.len());
    let first = chance.below(words.len() - number + 1);
    Some(words[first..first + number].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_words_in_a_row_of_skills_that_no_prompt_names() {
        let skill = |number: usize| {
            format!(
                "{{\"id\": \"{number}\", \"name\": \"pdf-table-reader\", \"description\": \"Extracts tables quickly, file {number}\", \"body\": \"# Reading pages slowly\"}}\n"
            )
        };
        let mut corpus = Corpus::of_skills(&(0..12).map(skill).collect::<String>()).unwrap();
        corpus.add_queries("queries", "{\"query\": \"x\", \"gold\": \"4\"}").unwrap();
        let pool = Pool::whole(&corpus, &[crate::eval::retrieval::Part::Copies].into());
        let searches = made(&corpus, &pool);
        assert_eq!(searches, made(&corpus, &pool));
        assert!(searches.len() == 11 && searches.iter().all(|(_, skill)| *skill != 4), "{searches:?}");
        for (text, _) in &searches {
            assert!((2..=4).contains(&text.split(' ').count()), "{text}");
        }
        assert!(
            searches.iter().any(|(text, _)| text.contains("Reading pages") || text.contains("pages slowly"))
        );
    }
}
