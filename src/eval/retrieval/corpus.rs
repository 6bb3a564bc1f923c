//! The files of a retrieval corpus: skills, and prompts with what is known of their answers.
//!
//! Each file is JSON lines. What others wrote may have more fields than are read here; a field that is read has to
//! be right, and a prompt may only name skills that are there, because a right answer that cannot be found would
//! look like a result.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, SeqAccess, Visitor},
};

/// Why a corpus cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A line is no JSON object of the file's format.
    #[error("line {line} of the {file} is not of their format")]
    Line {
        /// What the file holds: `skills`, `queries`.
        file: &'static str,
        /// The line, from 1.
        line: usize,
        /// Where and why.
        #[source]
        source: serde_json::Error,
    },
    /// Two skills have one id.
    #[error("the skill `{id}` stands twice")]
    Twice {
        /// The id.
        id: String,
    },
    /// A prompt names a skill that is not there.
    #[error("line {line} of the {file} names `{id}`, which is not among the skills")]
    Unknown {
        /// What the file holds.
        file: &'static str,
        /// The line, from 1.
        line: usize,
        /// The skill.
        id: String,
    },
    /// Nothing to measure.
    #[error("the {file} are empty")]
    Empty {
        /// What the file holds.
        file: &'static str,
    },
}

/// A skill of the corpus.
#[derive(Debug, Clone, Deserialize)]
pub struct Skill {
    /// What prompts name it by.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    #[serde(default, deserialize_with = "or_empty")]
    pub description: String,
    /// When to use it, where that is written apart.
    #[serde(default)]
    pub when: Option<String>,
    /// Its body.
    #[serde(default, deserialize_with = "or_empty")]
    pub body: String,
    /// Its language.
    #[serde(default, deserialize_with = "or_empty")]
    pub lang: String,
}

/// What is known of a prompt's answer. Skills are numbered by their line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// One of these is right.
    Any(Vec<usize>),
    /// Each of these is needed.
    All(Vec<usize>),
    /// These are wrong; another may be right.
    Not(Vec<usize>),
    /// Every skill is wrong.
    Nothing,
}

impl Answer {
    /// The skills that it names.
    pub fn skills(&self) -> &[usize] {
        match self {
            Self::Any(skills) | Self::All(skills) | Self::Not(skills) => skills,
            Self::Nothing => &[],
        }
    }

    /// Whether there is a right skill.
    pub fn is_positive(&self) -> bool {
        matches!(self, Self::Any(_) | Self::All(_))
    }
}

/// A prompt of the corpus.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// The prompt.
    pub prompt: String,
    /// Its language.
    pub lang: String,
    /// What kind of prompt it is.
    pub kind: String,
    /// What is known of its answer.
    pub answer: Answer,
}

/// Skills and prompts.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// The skills.
    pub skills: Vec<Skill>,
    /// The prompts.
    pub cases: Vec<Case>,
    numbers: BTreeMap<String, usize>,
}

#[derive(Deserialize)]
struct QueryLine {
    id: Option<String>,
    query: String,
    #[serde(deserialize_with = "one_or_many")]
    gold: Vec<String>,
    #[serde(default)]
    gold_mode: GoldMode,
    kind: Option<String>,
    lang: Option<String>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum GoldMode {
    #[default]
    Any,
    All,
}

#[derive(Deserialize)]
struct NegativeLine {
    id: Option<String>,
    query: String,
    #[serde(deserialize_with = "one_or_many")]
    not_gold: Vec<String>,
    kind: Option<String>,
    lang: Option<String>,
}

impl Corpus {
    /// A corpus of the skills of a file, without prompts.
    ///
    /// # Errors
    ///
    /// When a line is not of the format, an id stands twice, or there is none.
    pub fn of_skills(skills: &str) -> Result<Self, CorpusError> {
        let skills: Vec<Skill> = lines("skills", skills)?.into_iter().map(|(_, skill)| skill).collect();
        let mut numbers = BTreeMap::new();
        for (number, skill) in skills.iter().enumerate() {
            if numbers.insert(skill.id.clone(), number).is_some() {
                return Err(CorpusError::Twice { id: skill.id.clone() });
            }
        }
        Ok(Self { skills, cases: Vec::new(), numbers })
    }

    /// Adds the prompts of a file that have right skills; `file` says what it holds.
    ///
    /// # Errors
    ///
    /// When a line is not of the format or names a skill that is not there, or there is none.
    pub fn add_queries(&mut self, file: &'static str, text: &str) -> Result<(), CorpusError> {
        for (line, query) in lines::<QueryLine>(file, text)? {
            let gold = self.numbers_of(&query.gold, file, line)?;
            let answer = match query.gold_mode {
                GoldMode::Any => Answer::Any(gold),
                GoldMode::All => Answer::All(gold),
            };
            let name = (query.id, query.kind, query.lang);
            self.add(file, line, query.query, answer, name);
        }
        Ok(())
    }

    /// Adds the prompts of a file that have wrong skills; `*` means that every skill is wrong.
    ///
    /// # Errors
    ///
    /// When a line is not of the format or names a skill that is not there, or there is none.
    pub fn add_negatives(&mut self, text: &str) -> Result<(), CorpusError> {
        for (line, negative) in lines::<NegativeLine>("negatives", text)? {
            let answer = if negative.not_gold.iter().any(|id| id == "*") {
                Answer::Nothing
            } else {
                Answer::Not(self.numbers_of(&negative.not_gold, "negatives", line)?)
            };
            let name = (negative.id, negative.kind, negative.lang);
            self.add("negatives", line, negative.query, answer, name);
        }
        Ok(())
    }

    /// The number of the skill with this id.
    pub fn number(&self, id: &str) -> Option<usize> {
        self.numbers.get(id).copied()
    }

    fn numbers_of(&self, ids: &[String], file: &'static str, line: usize) -> Result<Vec<usize>, CorpusError> {
        let number =
            |id: &String| self.number(id).ok_or_else(|| CorpusError::Unknown { file, line, id: id.clone() });
        ids.iter().map(number).collect()
    }

    fn add(
        &mut self,
        file: &'static str,
        line: usize,
        prompt: String,
        answer: Answer,
        (id, kind, lang): (Option<String>, Option<String>, Option<String>),
    ) {
        self.cases.push(Case {
            id: id.unwrap_or_else(|| format!("{file}-{line}")),
            prompt,
            lang: lang.unwrap_or_else(|| "unknown".to_owned()),
            kind: kind.unwrap_or_else(|| file.to_owned()),
            answer,
        });
    }
}

/// The lines of a file with their numbers from 1; empty ones do not count.
fn lines<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<Vec<(usize, T)>, CorpusError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let parse = |(line, text)| {
        let parsed = serde_json::from_str(text).map_err(|source| CorpusError::Line { file, line, source })?;
        Ok((line, parsed))
    };
    let lines = lines.map(parse).collect::<Result<Vec<_>, _>>()?;
    if lines.is_empty() { Err(CorpusError::Empty { file }) } else { Ok(lines) }
}

fn or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A text, or a list of texts.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct Texts;
    impl<'de> Visitor<'de> for Texts {
        type Value = Vec<String>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an id or a list of ids")
        }

        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
            Ok(vec![text.to_owned()])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(text) = texts.next_element()? {
                all.push(text);
            }
            Ok(all)
        }
    }
    deserializer.deserialize_any(Texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SKILLS: &str = "{\"id\": \"a\", \"name\": \"pdf\", \"description\": null, \"more\": 1}\n\n{\"id\": \"b\", \"name\": \"csv\"}\n";

    #[test]
    fn prompts_name_skills_by_their_ids() {
        let mut corpus = Corpus::of_skills(SKILLS).unwrap();
        let queries = r#"{"query": "x", "gold": ["b", "a"], "gold_mode": "all", "lang": "en"}
            {"id": "q", "query": "y", "gold": "b", "kind": "task"}"#;
        corpus.add_queries("queries", queries).unwrap();
        corpus
            .add_negatives(
                "{\"query\": \"z\", \"not_gold\": \"a\"}\n{\"query\": \"n\", \"not_gold\": [\"*\"]}",
            )
            .unwrap();
        let answers: Vec<_> = corpus.cases.iter().map(|case| case.answer.clone()).collect();
        let expected = [Answer::All(vec![1, 0]), Answer::Any(vec![1]), Answer::Not(vec![0]), Answer::Nothing];
        assert_eq!(answers, expected);
        let names: Vec<_> = corpus.cases.iter().map(|case| (&*case.id, &*case.kind, &*case.lang)).collect();
        let expected = [
            ("queries-1", "queries", "en"),
            ("q", "task", "unknown"),
            ("negatives-1", "negatives", "unknown"),
            ("negatives-2", "negatives", "unknown"),
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let said = |error: CorpusError| error.to_string();
        assert_eq!(said(Corpus::of_skills("").unwrap_err()), "the skills are empty");
        assert_eq!(
            said(Corpus::of_skills("\n{}").unwrap_err()),
            "line 2 of the skills is not of their format"
        );
        let twice = format!("{SKILLS}{SKILLS}");
        assert_eq!(said(Corpus::of_skills(&twice).unwrap_err()), "the skill `a` stands twice");
        let mut corpus = Corpus::of_skills(SKILLS).unwrap();
        let error = corpus.add_queries("searches", "{\"query\": \"x\", \"gold\": [\"c\"]}").unwrap_err();
        assert_eq!(said(error), "line 1 of the searches names `c`, which is not among the skills");
        assert!(corpus.add_negatives("{\"query\": \"x\", \"not_gold\": 1}").is_err());
    }
}
