//! One skill tried against others with the prompts of its trigger files.
//!
//! The code is that which serves real prompts: BM25F, the rescorer, and the choice of a catalog. The skill stands
//! behind the pool as one more document, so that another version of it costs no new pool.

use std::{collections::BTreeMap, convert::Infallible};

use super::file::Trigger;
use crate::{
    candidate::{Candidate, Origin},
    eval::retrieval::{measures::CATALOG, pool::in_parts, with::With},
    rank::{
        copies::Likeness,
        features::{FEATURES, NAMES},
        fulltext::{
            Collection as _, Found, Lookup, Weights,
            document::{Document, Texts},
            fields::{FIELDS, Field},
            memory::Memory,
            prompt::Prompt,
            search, weighed,
        },
        fuse::{self, Model, RESCORED, Scored},
        text::terms::{Analyser, Term},
    },
    route::{
        relevance::{self, Relevance},
        select::{Reason, Settings},
    },
    skill::name::Slug,
};

/// The most entries of a catalog: the default of `maxActiveSkills`.
pub const LIMIT: usize = CATALOG;
/// The least points of an entry: the default of `minRouteScore` in `fulltext`.
pub const LEAST_POINTS: u64 = 57;

/// A skill of a pool.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// The name as its author wrote it.
    pub name: String,
    /// The name that is typed.
    pub slug: Slug,
    /// The description.
    pub description: String,
    /// When to use it, where that is written apart.
    pub when_to_use: Option<String>,
    /// When not to use it.
    pub when_not_to_use: Option<String>,
    /// The body, without the header.
    pub body: String,
    /// What tells it from others of its name: a path, an id.
    pub place: String,
}

impl Entrant {
    /// What copies of it share.
    pub fn likeness(&self) -> Likeness {
        Likeness::of(&self.name, &self.description, &self.body)
    }

    /// The same skill with more text in its description.
    pub(super) fn with(&self, text: &str) -> Self {
        Self { description: format!("{}\n{text}", self.description), ..self.clone() }
    }

    fn document(&self, analyser: &mut Analyser) -> Document {
        let texts = Texts {
            name: &self.name,
            description: &self.description,
            when_to_use: self.when_to_use.as_deref(),
            when_not_to_use: self.when_not_to_use.as_deref(),
            body: &self.body,
        };
        Document::of(&texts, analyser)
    }

    fn candidate(&self) -> Candidate {
        Candidate {
            id: self.place.clone(),
            name: self.name.clone(),
            slug: self.slug.clone(),
            description: self.description.clone(),
            when_to_use: self.when_to_use.clone(),
            origin: Origin::Local,
            source: String::new(),
            installs: None,
            quality: None,
        }
    }
}

/// The documents of skills, in their order.
pub fn documents(entrants: &[Entrant]) -> Vec<Document> {
    in_parts(entrants, |entrants| {
        let mut analyser = Analyser::default();
        entrants.iter().map(|entrant| entrant.document(&mut analyser)).collect()
    })
}

/// What became of the skill for one prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Verdict {
    /// Whether it fires.
    pub fires: bool,
    /// Whether that is because the prompt calls it by its name.
    pub is_invoked: bool,
    /// Its place in the order, from 1; `None` when it shares no word with the prompt.
    pub rank: Option<usize>,
    /// How likely it serves the prompt, from 0 to 1.
    pub confidence: f64,
}

/// A verdict with what stood against the skill.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// The skills that a catalog has, as numbers of the pool; the skill itself is the number behind the last.
    pub printed: Vec<usize>,
    /// The skill that won instead.
    pub rival: Option<Rival>,
}

/// A skill that won instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    /// Its number in the pool.
    pub number: usize,
    /// Its place in the order, from 1.
    pub rank: usize,
    /// How likely it serves the prompt.
    pub confidence: f64,
    /// Whether a catalog has it.
    pub is_printed: bool,
    /// The terms on which it scored more, the most first.
    pub terms: Vec<Gap>,
    /// The features by which it stands above, the most first.
    pub features: Vec<(&'static str, f64)>,
}

/// A term on which a rival scored more.
#[derive(Debug, Clone, PartialEq)]
pub struct Gap {
    /// The term as the prompt has it.
    pub word: String,
    /// The fields in which the rival has more of it.
    pub fields: Vec<Field>,
    /// How much more BM25F gives it.
    pub more: f64,
}

/// A version of the skill.
pub(super) struct Own {
    pub(super) document: Document,
    candidate: Candidate,
}

/// A skill, a pool and prompts.
pub struct Trial<'a> {
    pub(super) memory: Memory<'a>,
    pool: &'a [Entrant],
    candidates: Vec<Candidate>,
    pub(super) prompts: Vec<Prompt>,
    /// The words of each prompt, by term.
    pub(super) words: Vec<BTreeMap<Term, String>>,
}

/// What a search says of one prompt.
struct Seen {
    found: Found,
    scored: Vec<Scored>,
    printed: Vec<usize>,
    verdict: Verdict,
}

impl<'a> Trial<'a> {
    /// A trial against the skills of `pool`, whose documents are these.
    pub fn new(pool: &'a [Entrant], documents: &'a [Document], triggers: &[Trigger]) -> Self {
        let mut analyser = Analyser::default();
        Self {
            memory: Memory::of(documents),
            pool,
            candidates: pool.iter().map(Entrant::candidate).collect(),
            prompts: triggers.iter().map(|trigger| Prompt::of(&trigger.prompt, &mut analyser)).collect(),
            words: triggers
                .iter()
                .map(|trigger| super::words::words(&trigger.prompt, &mut analyser))
                .collect(),
        }
    }

    pub(super) fn own(entrant: &Entrant, analyser: &mut Analyser) -> Own {
        Own { document: entrant.document(analyser), candidate: entrant.candidate() }
    }

    /// What becomes of a skill for each prompt, and what stands against it.
    pub fn judge(&self, entrant: &Entrant) -> Vec<Judged> {
        let own = Self::own(entrant, &mut Analyser::default());
        let numbers: Vec<usize> = (0..self.prompts.len()).collect();
        let judged = |&number: &usize| {
            let seen = self.seen(number, &own);
            let rival = (!seen.verdict.fires).then(|| self.rival(number, &seen, &own)).flatten();
            Judged { verdict: seen.verdict, printed: seen.printed, rival }
        };
        in_parts(&numbers, |numbers| numbers.iter().map(judged).collect())
    }

    /// The verdicts for some prompts.
    pub(super) fn verdicts(&self, numbers: &[usize], own: &Own) -> Vec<Verdict> {
        in_parts(numbers, |numbers| numbers.iter().map(|&number| self.seen(number, own).verdict).collect())
    }

    fn seen(&self, number: usize, own: &Own) -> Seen {
        let prompt = &self.prompts[number];
        let collection = With { memory: &self.memory, more: &own.document };
        let last = self.memory.bound();
        let candidate = |document: u32| {
            if document == last { &own.candidate } else { &self.candidates[document as usize] }
        };
        let Ok::<_, Infallible>(found) = search(prompt, &collection, &Weights::MEASURED, RESCORED);
        let names: Vec<&str> =
            found.best.iter().map(|(document, _)| candidate(*document).name.as_str()).collect();
        let Ok::<_, Infallible>(scored) =
            fuse::order(prompt, &found, &names, &collection, &Weights::MEASURED, Model::measured());
        let mut documents: Vec<u32> = scored.iter().map(|scored| scored.document).collect();
        let mut relevance: Vec<Option<Relevance>> =
            relevance::of(&scored, LIMIT, fuse::THRESHOLD).into_iter().map(Some).collect();
        let place = documents.iter().position(|&document| document == last);
        if place.is_none() && relevance::is_named(&prompt.text, &own.candidate) {
            documents.push(last);
            relevance.push(None);
        }
        let candidates: Vec<Candidate> =
            documents.iter().map(|&document| candidate(document).clone()).collect();
        let settings = Settings {
            limit: LIMIT,
            min_score: LEAST_POINTS,
            routes: &[],
            boosts: &BTreeMap::new(),
            exclude_invoked: true,
        };
        let selection = relevance::select(&prompt.text, &candidates, &relevance, &settings);
        let printed: Vec<usize> = selection.picks.iter().map(|pick| documents[pick.index] as usize).collect();
        let is_invoked = documents
            .iter()
            .zip(&selection.outcomes)
            .any(|(&document, outcome)| document == last && outcome.reason == Reason::Invoked);
        let verdict = Verdict {
            fires: is_invoked || printed.contains(&(last as usize)),
            is_invoked,
            rank: place.map(|place| place + 1),
            confidence: place.map_or(0.0, |place| scored[place].confidence),
        };
        Seen { found, scored, printed, verdict }
    }

    /// Who stands above the skill: the best that a catalog has, else the best of the order.
    fn rival(&self, number: usize, seen: &Seen, own: &Own) -> Option<Rival> {
        let last = self.memory.bound();
        let is_printed = |scored: &Scored| seen.printed.contains(&(scored.document as usize));
        let place = seen.scored.iter().position(is_printed).unwrap_or_default();
        let winner = seen.scored.get(place).filter(|winner| winner.document != last)?;
        let mut terms: Vec<Gap> = seen
            .found
            .lookups
            .iter()
            .filter_map(|lookup| self.gap(number, lookup, winner.document, own))
            .collect();
        terms.sort_by(|left, right| right.more.total_cmp(&left.more));
        let features = seen.scored.iter().find(|scored| scored.document == last).map(|scored| {
            let weight = |feature: usize| {
                Model::measured().weight(feature, self.prompts[number].terms.len())
                    * (winner.features[feature] - scored.features[feature])
            };
            let mut gaps: Vec<(&'static str, f64)> =
                (0..FEATURES).map(|feature| (NAMES[feature], weight(feature))).collect();
            gaps.retain(|(_, more)| *more > 0.0);
            gaps.sort_by(|left, right| right.1.total_cmp(&left.1));
            gaps
        });
        Some(Rival {
            number: winner.document as usize,
            rank: place + 1,
            confidence: winner.confidence,
            is_printed: is_printed(winner),
            terms,
            features: features.unwrap_or_default(),
        })
    }

    /// How much more a rival scores on a term.
    fn gap(&self, number: usize, lookup: &Lookup, rival: u32, own: &Own) -> Option<Gap> {
        let collection = With { memory: &self.memory, more: &own.document };
        let (means, last) = (collection.mean_lengths(), collection.memory.bound());
        let weights = Weights::MEASURED;
        let count = |document: u32, field: Option<Field>| {
            let mut counts = lookup.counts(document);
            if let Some(field) = field {
                let of_field = counts[field as usize];
                counts = [0; FIELDS];
                counts[field as usize] = of_field;
            }
            weighed(counts, &collection.lengths(document), &means, &weights)
        };
        let score = |document: u32| {
            let count = count(document, None);
            lookup.weight * count / (weights.saturation + count)
        };
        let more = score(rival) - score(last);
        let term = &self.prompts[number].terms[lookup.place];
        let fields = Field::ALL.into_iter();
        let fields = fields.filter(|&field| count(rival, Some(field)) > count(last, Some(field))).collect();
        let word = self.words[number].get(&term.term).unwrap_or(&term.word).clone();
        (more > 0.0).then_some(Gap { word, fields, more })
    }

    /// A skill of the pool.
    pub fn entrant(&self, number: usize) -> Option<&Entrant> {
        self.pool.get(number)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::config::{Value, table};

    pub(in super::super) fn entrant(name: &str, description: &str, body: &str) -> Entrant {
        Entrant {
            name: name.to_owned(),
            slug: Slug::derive(name, ""),
            description: description.to_owned(),
            when_to_use: None,
            when_not_to_use: None,
            body: body.to_owned(),
            place: name.to_owned(),
        }
    }

    pub(in super::super) fn triggers(prompts: &[(&str, bool)]) -> Vec<Trigger> {
        let trigger = |(prompt, should_fire): &(&str, bool)| Trigger {
            file: "x".to_owned(),
            place: ".".to_owned(),
            prompt: (*prompt).to_owned(),
            should_fire: *should_fire,
        };
        prompts.iter().map(trigger).collect()
    }

    pub(in super::super) fn pool() -> Vec<Entrant> {
        vec![
            entrant(
                "csv-chart",
                "Draws charts of CSV tables and other data",
                "# Charts\nDraw a chart of the data.",
            ),
            entrant("commit-message", "Writes messages of git commits", "# Commits\nWrite a message."),
            entrant("image-resize", "Makes images and photos smaller", "# Resize\nScale every image."),
        ]
    }

    #[test]
    fn a_skill_fires_when_a_catalog_has_it_or_it_is_called() {
        let own = entrant("pdf-tables", "Extracts the tables of PDF files", "# Tables\nRead each page.");
        let triggers = triggers(&[
            ("extract the tables of this PDF file", true),
            ("draw a chart of this CSV data", false),
            ("/pdf-tables report.pdf", true),
            ("zzzz", false),
            ("pdf tables", true),
        ]);
        let (pool, documents) = (pool(), documents(&pool()));
        let trial = Trial::new(&pool, &documents, &triggers);
        let judged = trial.judge(&own);
        let fires: Vec<bool> = judged.iter().map(|judged| judged.verdict.fires).collect();
        assert_eq!(fires, [true, false, true, false, true]);
        assert_eq!((judged[0].verdict.rank, judged[0].printed.first()), (Some(1), Some(&3)));
        assert!(judged[2].verdict.is_invoked && judged[3].verdict.rank.is_none());
        let rival = judged[1].rival.as_ref().unwrap();
        assert_eq!((trial.entrant(rival.number).unwrap().name.as_str(), rival.rank), ("csv-chart", 1));
        assert!(rival.is_printed && rival.confidence > judged[1].verdict.confidence);
        let chart = rival.terms.iter().find(|gap| gap.word == "chart").unwrap();
        assert_eq!(chart.fields, [Field::Name, Field::About, Field::Headings, Field::Prose]);
        assert!(judged[3].rival.is_none() && judged[0].rival.is_none());
    }

    #[test]
    fn the_defaults_are_those_of_a_catalog() {
        let default = |name| table::find(name).unwrap().default_value();
        assert_eq!(default("minRouteScore"), Value::Integer(LEAST_POINTS));
        assert_eq!(default("maxActiveSkills"), Value::Integer(LIMIT as u64));
        assert_eq!(format!("{:.0}", fuse::THRESHOLD * 100.0), LEAST_POINTS.to_string());
    }
}
