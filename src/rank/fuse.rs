//! How the numbers of a candidate become one order and one confidence.
//!
//! BM25F finds the best fifty; a linear function of their [`super::features`] orders them again. It has two tables
//! of weights, one for every prompt and one that comes in as the prompt gets shorter, because a search of two words
//! and a task of two hundred are told apart by different things. A second linear function says how likely a
//! candidate serves the prompt at all, so that a catalog can stay empty. `eval train` makes both tables from
//! prompts with known answers; they are data of this release (`fuse/weights.tsv`). Likeness of meaning, where it is
//! compared, moves candidates within that order ([`blend`]) and leaves the confidence alone.

use std::sync::LazyLock;

use super::{
    features::{FEATURES, Features, NAMES, features},
    fulltext::{Collection, Found, MOST_TERMS, Weights, prompt::Prompt, real},
    semantic,
    text::terms::is_unspaced,
};
use crate::candidate::vector::Similarity;

/// How many candidates are ordered again.
pub const RESCORED: usize = 50;

/// What else the confidence is told from, behind the [`NAMES`]: where a candidate stands among the others.
pub const STANDING: [&str; 6] =
    ["lead", "share-logarithm", "first", "prompt-length", "prompt-unspaced", "skills"];

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

/// What is known of a prompt and of what it was tried against, whatever the candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// How many different terms the prompt has, at most as many as are looked up.
    pub terms: usize,
    /// The share of them that are of a script without spaces, whose pairs of characters seldom all match.
    pub unspaced: f64,
    /// How many skills there are.
    pub documents: u32,
}

impl Asked {
    /// What is known of this prompt against so many skills.
    pub fn of(prompt: &Prompt, documents: u32) -> Self {
        // A pasted log has thousands of terms, and is no surer for it than what is looked up of it.
        Self { terms: prompt.terms.len().min(MOST_TERMS), unspaced: unspaced(prompt), documents }
    }
}

/// The share of the terms of a prompt that are of a script without spaces.
pub fn unspaced(prompt: &Prompt) -> f64 {
    let unspaced = prompt.terms.iter().filter(|term| term.word.starts_with(is_unspaced)).count();
    real(unspaced) / real(prompt.terms.len().max(1))
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
    /// What its features sum up to, which orders it.
    pub score: f64,
    /// How alike it and the prompt are, where their meaning was compared.
    pub similarity: Option<Similarity>,
    /// What that adds to `score` in the order.
    pub dense: f64,
    /// Its share of what is likely among the candidates, from 0 to 1.
    pub share: f64,
    /// How likely it serves the prompt, from 0 to 1.
    pub confidence: f64,
}

impl Scored {
    /// The confidence in percent, rounded down: nothing shows the threshold that it misses.
    pub fn points(&self) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between 0 and 100"
        )]
        {
            (self.confidence.clamp(0.0, 1.0) * 100.0 + 1e-9).floor() as u64
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
    Ok(scored(&found.best, all, Asked::of(prompt, collection.documents()), model))
}

/// The candidates of `best`, BM25F's best with their scores, put into order by their features.
pub fn scored(best: &[(u32, f64)], features: Vec<Features>, asked: Asked, model: &Model) -> Vec<Scored> {
    let score = |features: &Features| -> f64 {
        (0..FEATURES).map(|place| model.weight(place, asked.terms) * features[place]).sum()
    };
    let mut scored: Vec<Scored> = features
        .into_iter()
        .zip(best)
        .map(|(features, &(document, fulltext))| {
            let score = score(&features);
            let (similarity, dense, share, confidence) = (None, 0.0, 0.0, 0.0);
            Scored { document, fulltext, features, score, similarity, dense, share, confidence }
        })
        .collect();
    // The order of `best` settles what is equal.
    scored.sort_by(|left, right| right.score.total_cmp(&left.score));
    let standings = standings(&scored, asked);
    for (candidate, standing) in scored.iter_mut().zip(standings) {
        candidate.share = standing[1].exp();
        let own = (0..FEATURES).map(|place| model.confidence[place] * candidate.features[place]);
        let among = standing.iter().zip(&model.confidence[FEATURES..]).map(|(value, weight)| value * weight);
        candidate.confidence = 1.0 / (1.0 + (-(model.bias + own.chain(among).sum::<f64>())).exp());
    }
    scored
}

/// Orders candidates again by their scores with what likeness of meaning adds to them; `similarities` are in their
/// order, and `unspaced` is the share of the prompt's terms that are of a script without spaces. What is equal keeps its
/// place.
///
/// Such terms take from the share as many parts: small models know English, and what they say of a Chinese prompt took
/// the right skill from the first place for one in ten.
///
/// The shares and the confidences stay what the features say. They were learned without a dense score, so they would
/// mean another thing with each model.
pub fn blend(scored: &mut [Scored], similarities: &[Option<Similarity>], share: f64, unspaced: f64) {
    let additions = semantic::additions(similarities, share * (1.0 - unspaced.clamp(0.0, 1.0)));
    for ((candidate, similarity), addition) in scored.iter_mut().zip(similarities).zip(additions) {
        (candidate.similarity, candidate.dense) = (*similarity, addition);
    }
    scored.sort_by(|left, right| (right.score + right.dense).total_cmp(&(left.score + left.dense)));
}

/// The least confidence of what is printed: the default of `minRouteScore` in `fulltext` mode, as a fraction.
///
/// Of the prompts of skill authors, 5 of 100 lose a right skill among the first three by it, and 9 of 100 near misses
/// keep the skill that is wrong (`docs/retrieval.md`).
pub const THRESHOLD: f64 = 0.57;
/// What is less likely than this, in proportion to the likeliest, only fills: one that is sure stands alone.
const FILLER: f64 = 0.002;

/// Which candidates of an order a catalog prints, as places in `scored`: of the first `limit` those that are
/// confident enough and no mere fillers. So one sure hit stands alone, a prompt that needs several skills gets
/// several, and a prompt that nothing serves gets none.
pub fn printed(scored: &[Scored], limit: usize, threshold: f64) -> Vec<usize> {
    let sure: Vec<(f64, f64)> =
        scored.iter().take(limit).map(|candidate| (candidate.confidence, candidate.share)).collect();
    printed_of(&sure, threshold)
}

/// The same for candidates of which only the confidence and the share are at hand, best first.
pub fn printed_of(sure: &[(f64, f64)], threshold: f64) -> Vec<usize> {
    // The first has the largest share, unless likeness of meaning put it there.
    let largest = sure.iter().map(|(_, share)| *share).fold(0.0, f64::max);
    let is_printed = |(confidence, share): (f64, f64)| confidence >= threshold && share >= largest * FILLER;
    (0..sure.len()).filter(|&place| is_printed(sure[place])).collect()
}

/// Where each candidate stands among the others, by [`STANDING`]; `scored` is in order.
pub fn standings(scored: &[Scored], asked: Asked) -> Vec<[f64; STANDING.len()]> {
    let Some(first) = scored.first() else { return Vec::new() };
    let sum: f64 = scored.iter().map(|candidate| (candidate.score - first.score).exp()).sum();
    let of = |(place, candidate): (usize, &Scored)| {
        let rival = if place == 0 { scored.get(1).unwrap_or(candidate) } else { first };
        let share = (candidate.score - first.score).exp() / sum;
        let is_first = if place == 0 { 1.0 } else { 0.0 };
        let (length, skills) = (real(asked.terms + 1).ln(), (1.0 + f64::from(asked.documents)).ln());
        [candidate.score - rival.score, share.max(1e-6).ln(), is_first, length, asked.unspaced, skills]
    };
    scored.iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Asked = Asked { terms: 3, unspaced: 0.0, documents: 9 };

    fn candidates(scores: &[f64]) -> (Vec<(u32, f64)>, Vec<Features>) {
        let of = |&score: &f64| {
            let mut features = [0.0; FEATURES];
            features[0] = score;
            features
        };
        ((0..).map(|number| (number, 1.0)).take(scores.len()).collect(), scores.iter().map(of).collect())
    }

    fn model() -> Model {
        let mut model = Model { order: [[0.0; 2]; FEATURES], confidence: [0.0; CONFIDENCE], bias: -1.0 };
        model.order[0] = [2.0, 0.0];
        model.confidence[0] = 2.0;
        model
    }

    #[test]
    fn the_order_is_that_of_the_scores_and_shares_sum_to_one() {
        let (best, features) = candidates(&[0.5, 1.0, 0.5]);
        let scored = scored(&best, features, ASKED, &model());
        let order: Vec<u32> = scored.iter().map(|scored| scored.document).collect();
        assert_eq!(order, [1, 0, 2], "what is equal keeps the order of BM25F");
        assert!((scored.iter().map(|scored| scored.share).sum::<f64>() - 1.0).abs() < 1e-9);
        // 1 / (1 + e^-(2 * 1 - 1))
        assert!((scored[0].confidence - 0.731_058_578).abs() < 1e-6);
        assert!((scored[1].confidence - 0.5).abs() < 1e-9);
        assert!(super::scored(&[], Vec::new(), ASKED, &model()).is_empty());
        let standings = standings(&scored, ASKED);
        assert!((standings[0][0] - 1.0).abs() < 1e-9 && (standings[1][0] + 1.0).abs() < 1e-9);
        assert_eq!((standings[0][2], standings[1][2]), (1.0, 0.0));
    }

    #[test]
    fn likeness_of_meaning_moves_the_order_and_leaves_the_confidence() {
        let (best, features) = candidates(&[1.0, 0.9, 0.2]);
        let plain = scored(&best, features, ASKED, &model());
        let blended = |cosines: [Option<f64>; 3], share: f64, unspaced: f64| {
            let mut scored = plain.clone();
            blend(&mut scored, &cosines.map(|cosine| cosine.map(Similarity::new)), share, unspaced);
            scored
        };
        let order = |scored: &[Scored]| scored.iter().map(|scored| scored.document).collect::<Vec<_>>();
        let found = blended([Some(0.1), Some(0.5), Some(0.3)], 0.2, 0.0);
        assert_eq!(order(&found), [1, 0, 2], "a score of 1.8 and 0.73 against 2 and -0.73");
        assert!((found[0].dense - 0.6 * 1.5_f64.sqrt()).abs() < 1e-9);
        assert_eq!(found[0].similarity, Some(Similarity::new(0.5)));
        for scored in &found {
            let before = &plain[scored.document as usize];
            assert_eq!((scored.confidence, scored.share), (before.confidence, before.share));
        }
        assert_eq!(order(&blended([None; 3], 0.2, 0.0)), [0, 1, 2]);
        assert_eq!(order(&blended([Some(0.1), Some(0.5), Some(0.3)], 0.0, 0.0)), [0, 1, 2]);
        assert_eq!(
            order(&blended([Some(0.1), Some(0.5), Some(0.3)], 0.2, 1.0)),
            [0, 1, 2],
            "a Chinese prompt"
        );
    }

    #[test]
    fn as_many_are_printed_as_are_sure() {
        for (sure, threshold, expected) in [
            (vec![], 0.5, vec![]),
            (vec![(0.4, 0.9)], 0.5, vec![]),
            (vec![(0.9, 0.999), (0.9, 0.001)], 0.5, vec![0]),
            (vec![(0.9, 0.5), (0.4, 0.3), (0.8, 0.2)], 0.5, vec![0, 2]),
            (vec![(0.2, 0.6), (0.1, 0.4)], 0.0, vec![0, 1]),
            (vec![(0.9, 0.001), (0.9, 0.999)], 0.5, vec![1]),
        ] {
            assert_eq!(printed_of(&sure, threshold), expected, "{sure:?}");
        }
        let (best, features) = candidates(&[1.0, 0.9, 0.8, 0.7]);
        let scored = scored(&best, features, ASKED, &model());
        assert_eq!(printed(&scored, 2, 0.5), [0, 1]);
        assert_eq!(printed(&scored, 9, 0.62), [0, 1, 2]);
        for (confidence, expected) in [(0.0, 0), (0.549_9, 54), (0.55, 55), (1.0, 100), (f64::NAN, 0)] {
            assert_eq!(Scored { confidence, ..scored[0].clone() }.points(), expected, "{confidence}");
        }
    }

    #[test]
    fn what_a_skill_is_not_for_never_speaks_for_it() {
        let model = Model::measured();
        for (place, name) in NAMES.iter().enumerate().filter(|(_, name)| name.starts_with("not-for")) {
            let [long, short] = model.order[place];
            assert!(long <= 0.0 && long + short <= 1e-9 && model.confidence[place] <= 0.0, "{name}");
        }
    }

    #[test]
    fn the_weight_of_a_feature_moves_with_the_length_of_the_prompt() {
        assert!(shortness(0) > 0.99 && (shortness(6) - 0.5).abs() < 1e-9 && shortness(600) < 0.001);
        let mut model = model();
        model.order[3] = [1.0, 4.0];
        assert!((model.weight(3, 6) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn the_table_of_this_release_is_whole() {
        let model = Model::parse(TABLE).unwrap();
        assert_eq!(&model, Model::measured());
        assert_eq!(Model::parse(&model.table()).unwrap(), model);
        assert_eq!(Model::parse(&model.table().replace("name-typed", "name-types")), None);
    }
}
