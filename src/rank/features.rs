//! What is told of a candidate beside its BM25F score: numbers that a linear function orders the best by again.
//!
//! Each is between 0 and about 1, or a logarithm, and has a name that `explain` prints. Shares are of the prompt's
//! information: a rare term counts for more than a common one.

use super::{
    fulltext::{
        Collection, Found, Lookup, Weights,
        document::{Counts, Shape},
        fields::{FIELDS, Field},
        prompt::Prompt,
        real,
    },
    text::{contains_bounded, normalise},
};

/// The names of the features, in their order.
pub const NAMES: [&str; 35] = [
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
];

/// How many features there are.
pub const FEATURES: usize = NAMES.len();

/// The features of one candidate.
pub type Features = [f64; FEATURES];

/// How many of a prompt's first terms are its beginning, where the task mostly stands.
const BEGINNING: usize = 25;
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
            mass: sum(&|lookup| lookup.weight),
            beginning: sum(&|lookup| if is_beginning(prompt, lookup) { lookup.weight } else { 0.0 }),
            rarest_mass: rarest.iter().map(|&place| lookups[place].information).sum::<f64>().max(1e-9),
            rarest,
            largest: (1.0 + f64::from(collection.documents())).ln(),
        }
    }

    /// The share of the prompt's information in what holds for a candidate's counts of a term.
    fn share(&self, seen: &Seen<'_>, holds: impl Fn(Counts) -> bool) -> f64 {
        let matched = self.lookups.iter().zip(&seen.counts).filter(|(_, counts)| holds(**counts));
        matched.map(|(lookup, _)| lookup.weight).sum::<f64>() / self.mass
    }

    fn rarest(&self, seen: &Seen<'_>, holds: impl Fn(Counts) -> bool) -> f64 {
        let matched = self.rarest.iter().filter(|&&place| holds(seen.counts[place]));
        matched.map(|&place| self.lookups[place].information).sum::<f64>() / self.rarest_mass
    }

    /// The BM25 score of one field alone.
    fn field_score(&self, seen: &Seen<'_>, field: Field) -> f64 {
        let field = field as usize;
        let relative = f64::from(seen.lengths[field]) / self.means[field].max(1.0);
        let share = self.weights.length[field];
        let of = |(lookup, counts): (&Lookup, &Counts)| {
            let count = f64::from(counts[field]) / (1.0 - share + share * relative);
            lookup.weight * count / (1.0 + count)
        };
        self.lookups.iter().zip(&seen.counts).map(of).sum()
    }

    /// The share of a field's different terms that the prompt has.
    fn covered(seen: &Seen<'_>, field: Field) -> f64 {
        let matched = seen.counts.iter().filter(|counts| counts[field as usize] > 0).count();
        real(matched) / f64::from(seen.shape.distinct[field as usize].max(1))
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
        let whole = Self::covered(seen, Field::Name) >= 1.0;
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
            Self::covered(seen, Field::Name),
            Self::covered(seen, Field::About),
            Self::covered(seen, Field::Headings),
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
        ]
    }
}

fn is_for(counts: Counts) -> bool {
    (0..FIELDS).any(|field| field != Field::Not as usize && counts[field] > 0)
}

fn is_beginning(prompt: &Prompt, lookup: &Lookup) -> bool {
    prompt.terms[lookup.place].first < BEGINNING
}
