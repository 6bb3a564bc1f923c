//! What is told of a candidate beside its BM25F score: numbers that a linear function orders the best by again.
//!
//! Each is between 0 and about 1, or a logarithm, and has a name that `explain` prints. Shares are of the prompt's
//! information: a rare term counts for more than a common one.

use super::{
    fulltext::{
        Collection, Found, Lookup, Weights,
        document::{Counts, Shape},
        fields::{FIELDS, Field},
        prompt::{Prompt, PromptTerm},
        real, relative_length,
    },
    text::{contains_bounded, is_han, normalise},
};

/// The names of the features, in their order.
pub const NAMES: [&str; 36] = [
    "score",
    "score-logarithm",
    "rank",
    "score-share",
    "name-matched",
    "about-matched",
    "not-for-matched",
    "headings-matched",
    "prose-matched",
    "code-matched",
    "any-matched",
    "not-for-only",
    "name-best",
    "about-best",
    "headings-best",
    "prose-best",
    "code-best",
    "name-covered",
    "about-covered",
    "headings-covered",
    "name-pairs",
    "about-pairs",
    "not-for-pairs",
    "headings-pairs",
    "prose-pairs",
    "name-in-order",
    "name-whole",
    "name-typed",
    "name-information",
    "rarest-in-name",
    "rarest-in-about",
    "rarest-anywhere",
    "beginning-matched",
    "body-length",
    "about-length",
    "beyond-name",
];

/// How many features there are.
pub const FEATURES: usize = NAMES.len();

/// The features of one candidate.
pub type Features = [f64; FEATURES];

/// Whether a word of the prompt is in the name or in the description.
pub fn is_about(features: &Features) -> bool {
    let has = |wanted: &str| NAMES.iter().zip(features).any(|(name, value)| *name == wanted && *value > 0.0);
    has("name-matched") || has("about-matched")
}

/// How many of a prompt's first terms are its beginning, where the task mostly stands.
const BEGINNING: usize = 25;
/// A description of fewer different terms is not covered the more for its shortness.
const LEAST_ABOUT: u32 = 12;
/// The same for headings.
const LEAST_HEADINGS: u32 = 6;
/// How many of a prompt's rarest terms are looked at on their own.
const RAREST: usize = 3;

/// What is known of a prompt and all its candidates.
struct Frame<'a> {
    prompt: &'a Prompt,
    lookups: &'a [Lookup],
    means: [f64; FIELDS],
    weights: &'a Weights,
    best: f64,
    mass: f64,
    beginning: f64,
    rarest: Vec<usize>,
    rarest_mass: f64,
    largest: f64,
}

/// A candidate whose features are wanted.
struct Seen<'a> {
    counts: Vec<Counts>,
    lengths: [u32; FIELDS],
    shape: &'a Shape,
    name: &'a str,
}

/// The features of each candidate that `found` has, in its order; `names` are their names.
///
/// # Errors
///
/// When the collection cannot be read.
pub fn features<C: Collection>(
    prompt: &Prompt,
    found: &Found,
    names: &[&str],
    collection: &C,
    weights: &Weights,
) -> Result<Vec<Features>, C::Error> {
    let frame = Frame::new(prompt, found, collection, weights);
    let mut all = Vec::with_capacity(found.best.len());
    for (rank, (&(document, score), name)) in found.best.iter().zip(names).enumerate() {
        let shape = collection.shape(document)?;
        let seen = Seen {
            counts: found.lookups.iter().map(|lookup| lookup.counts(document)).collect(),
            lengths: shape.lengths,
            shape: &shape,
            name,
        };
        all.push(frame.of(rank, score, &seen));
    }
    relative(&mut all);
    Ok(all)
}

/// Turns the scores by field into shares of the best one's.
fn relative(all: &mut [Features]) {
    for place in 12..=16 {
        let most = all.iter().map(|features| features[place]).fold(0.0, f64::max);
        if most > 0.0 {
            for features in all.iter_mut() {
                features[place] /= most;
            }
        }
    }
}

impl<'a> Frame<'a> {
    fn new<C: Collection>(
        prompt: &'a Prompt,
        found: &'a Found,
        collection: &C,
        weights: &'a Weights,
    ) -> Self {
        let lookups = &found.lookups;
        let sum = |of: &dyn Fn(&Lookup) -> f64| lookups.iter().map(of).sum::<f64>().max(1e-9);
        let mut rarest: Vec<usize> = (0..lookups.len()).collect();
        rarest.sort_by(|&left, &right| lookups[right].information.total_cmp(&lookups[left].information));
        rarest.truncate(RAREST);
        Self {
            prompt,
            lookups,
            means: collection.mean_lengths(),
            weights,
            best: found.best.first().map_or(1.0, |&(_, score)| score),
            mass: mass(prompt, found),
            beginning: sum(&|lookup| if is_beginning(prompt, lookup) { lookup.weight } else { 0.0 }),
            rarest_mass: rarest.iter().map(|&place| lookups[place].information).sum::<f64>().max(1e-9),
            rarest,
            largest: (1.0 + f64::from(collection.documents())).ln(),
        }
    }

    /// The share of the prompt's information in what holds for a candidate's counts of a term.
    fn share(&self, seen: &Seen<'_>, holds: impl Fn(Counts) -> bool) -> f64 {
        let matched = self.lookups.iter().zip(&seen.counts).filter(|(_, counts)| holds(**counts));
        (matched.map(|(lookup, _)| lookup.weight).sum::<f64>() / self.mass).min(1.0)
    }

    fn rarest(&self, seen: &Seen<'_>, holds: impl Fn(Counts) -> bool) -> f64 {
        let matched = self.rarest.iter().filter(|&&place| holds(seen.counts[place]));
        matched.map(|&place| self.lookups[place].information).sum::<f64>() / self.rarest_mass
    }

    /// The BM25 score of one field alone.
    fn field_score(&self, seen: &Seen<'_>, field: Field) -> f64 {
        let field = field as usize;
        let relative = relative_length(field, &seen.lengths, &self.means);
        let share = self.weights.length[field];
        let of = |(lookup, counts): (&Lookup, &Counts)| {
            let count = f64::from(counts[field]) / (1.0 - share + share * relative);
            lookup.weight * count / (1.0 + count)
        };
        self.lookups.iter().zip(&seen.counts).map(of).sum()
    }

    /// The share of a field's different terms that the prompt has; a field of fewer than `least` is no surer for it.
    fn covered(seen: &Seen<'_>, field: Field, least: u32) -> f64 {
        let matched = seen.counts.iter().filter(|counts| counts[field as usize] > 0).count();
        real(matched) / f64::from(seen.shape.distinct[field as usize].max(least))
    }

    /// The share of the prompt's neighbours that stand side by side in a field too.
    fn pairs(&self, seen: &Seen<'_>, field: Field) -> f64 {
        let has = |pair: &&u32| seen.shape.pairs[field as usize].binary_search(pair).is_ok();
        real(self.prompt.pairs.iter().filter(has).count()) / real(self.prompt.pairs.len().max(1))
    }

    fn of(&self, rank: usize, score: f64, seen: &Seen<'_>) -> Features {
        let has = |field: Field| move |counts: Counts| counts[field as usize] > 0;
        let only_not = |counts: Counts| {
            counts[Field::Not as usize] > 0
                && counts[Field::About as usize] == 0
                && counts[Field::Name as usize] == 0
        };
        let name_pairs = &seen.shape.pairs[Field::Name as usize];
        let in_order = !name_pairs.is_empty()
            && name_pairs.iter().all(|pair| self.prompt.pairs.binary_search(pair).is_ok());
        let name_information: f64 = self
            .lookups
            .iter()
            .zip(&seen.counts)
            .filter(|(_, counts)| has(Field::Name)(**counts))
            .map(|(lookup, _)| lookup.information)
            .sum::<f64>()
            / (2.0 * self.largest);
        let whole = Self::covered(seen, Field::Name, 1) >= 1.0;
        let typed = contains_bounded(&self.prompt.text, &normalise(seen.name));
        let informative = name_information.min(1.0);
        let beginning: f64 = self
            .lookups
            .iter()
            .zip(&seen.counts)
            .filter(|(lookup, counts)| is_beginning(self.prompt, lookup) && is_for(**counts))
            .map(|(lookup, _)| lookup.weight)
            .sum();
        let about = Field::About as usize;
        let body = seen.lengths[Field::Prose as usize] + seen.lengths[Field::Code as usize];
        [
            score / self.best,
            (score / self.best).ln(),
            1.0 / real(rank + 1),
            score / self.mass,
            self.share(seen, has(Field::Name)),
            self.share(seen, has(Field::About)),
            self.share(seen, has(Field::Not)),
            self.share(seen, has(Field::Headings)),
            self.share(seen, has(Field::Prose)),
            self.share(seen, has(Field::Code)),
            self.share(seen, is_for),
            self.share(seen, only_not),
            self.field_score(seen, Field::Name),
            self.field_score(seen, Field::About),
            self.field_score(seen, Field::Headings),
            self.field_score(seen, Field::Prose),
            self.field_score(seen, Field::Code),
            Self::covered(seen, Field::Name, 1),
            Self::covered(seen, Field::About, LEAST_ABOUT),
            Self::covered(seen, Field::Headings, LEAST_HEADINGS),
            self.pairs(seen, Field::Name),
            self.pairs(seen, Field::About),
            self.pairs(seen, Field::Not),
            self.pairs(seen, Field::Headings),
            self.pairs(seen, Field::Prose),
            if in_order { informative } else { 0.0 },
            if whole { informative } else { 0.0 },
            if typed { informative } else { 0.0 },
            informative,
            self.rarest(seen, has(Field::Name)),
            self.rarest(seen, has(Field::About)),
            self.rarest(seen, is_for),
            beginning / self.beginning,
            f64::from(1 + body).ln(),
            f64::from(1 + seen.lengths[about]).ln(),
            self.share(seen, |counts| counts[Field::Name as usize] == 0 && is_for(counts)),
        ]
    }
}

/// All of the prompt's information. A Chinese word and its translations are one thing that is said twice, and a skill
/// has it in one language.
fn mass(prompt: &Prompt, found: &Found) -> f64 {
    let of = |holds: &dyn Fn(&PromptTerm) -> bool| -> f64 {
        let lookups = found.lookups.iter().filter(|lookup| holds(&prompt.terms[lookup.place]));
        lookups.map(|lookup| lookup.weight).sum()
    };
    let translations = of(&|term| term.is_translation);
    let translated = of(&|term| term.word.starts_with(is_han));
    (of(&|_| true) + found.missing - translations.min(translated)).max(1e-9)
}

fn is_for(counts: Counts) -> bool {
    (0..FIELDS).any(|field| field != Field::Not as usize && counts[field] > 0)
}

fn is_beginning(prompt: &Prompt, lookup: &Lookup) -> bool {
    prompt.terms[lookup.place].first < BEGINNING
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rank::{
        fulltext::{
            document::{Document, Texts},
            memory::Memory,
            search,
        },
        text::terms::Analyser,
    };

    const SKILLS: [(&str, &str, &str); 4] = [
        (
            "pdf-tables",
            "Extracts tables of PDF files. Not for scans.",
            "# Tables\nRead each table of the file.",
        ),
        ("scan-ocr", "Reads scanned PDF pages", "Text of scans"),
        ("csv", "Reads CSV files", ""),
        ("图表", "分析表格文件", "读取表格"),
    ];

    fn of(prompt: &str) -> Vec<(u32, Features)> {
        let mut analyser = Analyser::default();
        let document = |(name, description, body): (&str, &str, &str)| {
            Document::of(
                &Texts { name, description, when_to_use: None, when_not_to_use: None, body },
                &mut analyser,
            )
        };
        let documents = SKILLS.map(document);
        let memory = Memory::of(&documents);
        let prompt = Prompt::of(prompt, &mut Analyser::default());
        let Ok(found) = search(&prompt, &memory, &Weights::MEASURED, 10);
        let names: Vec<&str> = found.best.iter().map(|(document, _)| SKILLS[*document as usize].0).collect();
        let Ok(all) = features(&prompt, &found, &names, &memory, &Weights::MEASURED);
        found.best.iter().map(|(document, _)| *document).zip(all).collect()
    }

    fn value(features: &Features, name: &str) -> f64 {
        features[NAMES.iter().position(|known| *known == name).unwrap()]
    }

    #[track_caller]
    fn assert_value(features: &Features, name: &str, expected: f64) {
        assert!((value(features, name) - expected).abs() < 1e-6, "{name} is {}", value(features, name));
    }

    #[test]
    fn features_by_hand() {
        let all = of("use pdf-tables on the files");
        let (document, first) = &all[0];
        assert_eq!(*document, 0);
        assert_value(first, "score", 1.0);
        assert_value(first, "rank", 1.0);
        assert_value(first, "name-covered", 1.0);
        assert_value(first, "name-pairs", 0.5);
        assert_value(first, "any-matched", 1.0);
        assert_value(first, "about-matched", 1.0);
        // extract, tabl, pdf, file; and a description of fewer terms than twelve counts as twelve.
        assert_value(first, "about-covered", 3.0 / 12.0);
        assert_value(first, "not-for-matched", 0.0);
        assert!(value(first, "name-typed") > 0.0 && value(first, "name-in-order") > 0.0);
        assert_value(first, "about-length", 5.0_f64.ln());
        let (_, csv) = all.iter().find(|(document, _)| *document == 2).unwrap();
        assert_value(csv, "name-typed", 0.0);
        assert_value(csv, "beyond-name", value(csv, "any-matched"));
    }

    #[test]
    fn what_a_skill_is_not_for_is_told_apart() {
        let all = of("read the scans of tables");
        let (_, tables) = all.iter().find(|(document, _)| *document == 0).unwrap();
        assert!(value(tables, "not-for-matched") > 0.0 && value(tables, "not-for-only") > 0.0);
        let (_, ocr) = all.iter().find(|(document, _)| *document == 1).unwrap();
        assert_value(ocr, "not-for-only", 0.0);
    }

    proptest! {
        #[test]
        fn every_feature_is_finite(prompt in "(pdf|csv|table|scan|分析|表格|not|[a-z ]|\\PC){0,30}") {
            for (_, features) in of(&prompt) {
                for (name, value) in NAMES.iter().zip(features) {
                    let most = if name.ends_with("length") { 20.0 } else { 1.0 + 1e-9 };
                    prop_assert!(value.is_finite() && value <= most, "{} is {}", name, value);
                    prop_assert!(value >= 0.0 || *name == "score-logarithm", "{} is {}", name, value);
                }
            }
        }
    }
}
