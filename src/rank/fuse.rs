//! How the numbers of a candidate become one order and one confidence.
//!
//! BM25F finds the best fifty; a linear function of their [`super::features`] orders them again. It has two tables
//! of weights, one for every prompt and one that comes in as the prompt gets shorter, because a search of two words
//! and a task of two hundred are told apart by different things. A second linear function says how likely a
//! candidate serves the prompt at all, so that a catalog can stay empty. `eval train` makes both tables from
//! prompts with known answers; they are data of this release (`fuse/weights.tsv`).

use std::sync::LazyLock;

use super::{
    features::{FEATURES, Features, NAMES, features},
    fulltext::{Collection, Found, Weights, prompt::Prompt, real},
};

/// How many candidates are ordered again.
pub const RESCORED: usize = 50;

/// What else the confidence is told from, behind the [`NAMES`]: where a candidate stands among the others.
pub const STANDING: [&str; 4] = ["lead", "share-logarithm", "first", "prompt-length"];

/// How many numbers the confidence is told from.
pub const CONFIDENCE: usize = FEATURES + STANDING.len();

/// The weights of both functions.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// By feature: what it weighs, and what it weighs more in a short prompt.
    pub order: [[f64; 2]; FEATURES],
    /// By feature and standing: what it weighs for the confidence.
    pub confidence: [f64; CONFIDENCE],
    /// What the confidence starts from.
    pub bias: f64,
}

/// The table of this release.
const TABLE: &str = include_str!("fuse/weights.tsv");

static MEASURED: LazyLock<Model> =
    LazyLock::new(|| Model::parse(TABLE).expect("a test reads the table of this release"));

impl Model {
    /// The weights of this release.
    pub fn measured() -> &'static Self {
        &MEASURED
    }

    /// Reads a table: on each line a name, its weight, its weight in short prompts and its weight for the
    /// confidence, with tabulators between. `None` when a name or number is missing.
    pub fn parse(table: &str) -> Option<Self> {
        let mut model = Self { order: [[0.0; 2]; FEATURES], confidence: [0.0; CONFIDENCE], bias: 0.0 };
        let mut rows = table.lines().filter(|line| !line.starts_with('#'));
        let mut row = |name: &str| -> Option<[f64; 3]> {
            let mut cells = rows.next()?.split('\t');
            if cells.next()? != name {
                return None;
            }
            let mut number = || cells.next()?.parse().ok();
            Some([number()?, number()?, number()?])
        };
        for (place, name) in NAMES.iter().enumerate() {
            let [order, short, confidence] = row(name)?;
            model.order[place] = [order, short];
            model.confidence[place] = confidence;
        }
        for (place, name) in STANDING.iter().enumerate() {
            model.confidence[FEATURES + place] = row(name)?[2];
        }
        model.bias = row("bias")?[2];
        Some(model)
    }

    /// The table that [`Self::parse`] reads.
    pub fn table(&self) -> String {
        let mut table = String::from("# name, weight, weight in short prompts, weight for the confidence\n");
        let mut row = |name: &str, order: [f64; 2], confidence: f64| {
            table.extend([name, &format!("\t{:.4}\t{:.4}\t{confidence:.4}\n", order[0], order[1])]);
        };
        for (place, name) in NAMES.iter().enumerate() {
            row(name, self.order[place], self.confidence[place]);
        }
        for (place, name) in STANDING.iter().enumerate() {
            row(name, [0.0; 2], self.confidence[FEATURES + place]);
        }
        row("bias", [0.0; 2], self.bias);
        table
    }

    /// What a feature weighs in a prompt of so many terms.
    pub fn weight(&self, feature: usize, terms: usize) -> f64 {
        let [always, short] = self.order[feature];
        always + short * shortness(terms)
    }
}

/// How much a prompt is like a search of a few words: from 1, for nothing, towards 0.
pub fn shortness(terms: usize) -> f64 {
    1.0 / (1.0 + (real(terms) / 6.0).powi(2))
}

/// A candidate with all that was computed of it.
#[derive(Debug, Clone)]
pub struct Scored {
    /// The number of its document.
    pub document: u32,
    /// Its BM25F score.
    pub fulltext: f64,
    /// What the order was made from.
    pub features: Features,
    /// What orders it.
    pub score: f64,
    /// Its share of what is likely among the candidates, from 0 to 1.
    pub share: f64,
    /// How likely it serves the prompt, from 0 to 1.
    pub confidence: f64,
}

impl Scored {
    /// The confidence in percent.
    pub fn points(&self) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between 0 and 100"
        )]
        {
            (self.confidence.clamp(0.0, 1.0) * 100.0).round() as u64
        }
    }
}

/// The candidates of `found`, best first; `names` are their names, in the order of `found`.
///
/// # Errors
///
/// When the collection cannot be read.
pub fn order<C: Collection>(
    prompt: &Prompt,
    found: &Found,
    names: &[&str],
    collection: &C,
    weights: &Weights,
    model: &Model,
) -> Result<Vec<Scored>, C::Error> {
    let all = features(prompt, found, names, collection, weights)?;
    Ok(scored(&found.best, all, prompt.terms.len(), model))
}

/// The candidates of `best`, BM25F's best with their scores, put into order by their features; `terms` is how many
/// different terms the prompt has.
pub fn scored(best: &[(u32, f64)], features: Vec<Features>, terms: usize, model: &Model) -> Vec<Scored> {
    let score = |features: &Features| -> f64 {
        (0..FEATURES).map(|place| model.weight(place, terms) * features[place]).sum()
    };
    let mut scored: Vec<Scored> = features
        .into_iter()
        .zip(best)
        .map(|(features, &(document, fulltext))| {
            let score = score(&features);
            Scored { document, fulltext, features, score, share: 0.0, confidence: 0.0 }
        })
        .collect();
    // The order of `best` settles what is equal.
    scored.sort_by(|left, right| right.score.total_cmp(&left.score));
    let standings = standings(&scored, terms);
    for (candidate, standing) in scored.iter_mut().zip(standings) {
        candidate.share = standing[1].exp();
        let own = (0..FEATURES).map(|place| model.confidence[place] * candidate.features[place]);
        let among = standing.iter().zip(&model.confidence[FEATURES..]).map(|(value, weight)| value * weight);
        candidate.confidence = 1.0 / (1.0 + (-(model.bias + own.chain(among).sum::<f64>())).exp());
    }
    scored
}

/// The least confidence of what is printed.
pub const THRESHOLD: f64 = 0.5;

/// Which candidates of an order a catalog prints: at most `limit` of the first, those that are confident enough.
pub fn printed(scored: &[Scored], limit: usize, threshold: f64) -> Vec<usize> {
    (0..scored.len().min(limit)).filter(|&place| scored[place].confidence >= threshold).collect()
}

/// Where each candidate stands among the others, by [`STANDING`]; `scored` is in order.
pub fn standings(scored: &[Scored], terms: usize) -> Vec<[f64; STANDING.len()]> {
    let Some(first) = scored.first() else { return Vec::new() };
    let sum: f64 = scored.iter().map(|candidate| (candidate.score - first.score).exp()).sum();
    let of = |(place, candidate): (usize, &Scored)| {
        let rival = if place == 0 { scored.get(1).unwrap_or(candidate) } else { first };
        let share = (candidate.score - first.score).exp() / sum;
        let is_first = if place == 0 { 1.0 } else { 0.0 };
        [candidate.score - rival.score, share.max(1e-6).ln(), is_first, real(terms + 1).ln()]
    };
    scored.iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_this_release_is_whole() {
        let model = Model::parse(TABLE).unwrap();
        assert_eq!(&model, Model::measured());
        assert_eq!(Model::parse(&model.table()).unwrap(), model);
        assert_eq!(Model::parse(&model.table().replace("name-typed", "name-types")), None);
    }
}
