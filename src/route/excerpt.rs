//! How much of a description a catalog shows: the sentences that match the task, when not all of it fits.
//!
//! A model decides by the words that made a skill fit, and an author may have written them last. The first sentence
//! says what a skill is, so it counts as a match of its own; what is left out is marked by three dots.

use crate::rank::{
    fulltext::{fields::sentences, prompt::Prompt},
    text::terms::{Analyser, Term},
};

/// What stands where something was left out.
const GAP: &str = "...";

/// Words of a task with what each tells.
#[derive(Debug, Clone, Default)]
pub struct Wanted(Vec<(Term, f64)>);

impl Wanted {
    /// The terms of a prompt; those that were looked up tell as much as `information` says by their place, the
    /// others nothing.
    pub fn new(prompt: &Prompt, information: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let mut terms: Vec<(Term, f64)> = information
            .into_iter()
            .filter_map(|(place, information)| Some((prompt.terms.get(place)?.term, information)))
            .collect();
        terms.sort_unstable_by_key(|(term, _)| *term);
        Self(terms)
    }

    /// What the different wanted terms in a text tell together.
    fn told(&self, text: &str, analyser: &mut Analyser) -> f64 {
        let mut found = vec![false; self.0.len()];
        analyser.visit(text, |term| {
            if let Ok(place) = self.0.binary_search_by_key(&term, |(known, _)| *known) {
                found[place] = true;
            }
        });
        self.0.iter().zip(found).filter(|(_, found)| *found).map(|((_, told), _)| told).sum()
    }
}

/// A text of at most `most` UTF-16 code units from `description`, which is clean: all of it, or the sentences that
/// tell most about what is wanted, in their order.
pub fn excerpt(description: &str, wanted: &Wanted, most: usize, analyser: &mut Analyser) -> String {
    if units(description) <= most {
        return description.to_owned();
    }
    let all: Vec<&str> =
        sentences(description).map(str::trim).filter(|sentence| !sentence.is_empty()).collect();
    let told: Vec<f64> = all.iter().map(|sentence| wanted.told(sentence, analyser)).collect();
    let strongest = told.iter().copied().fold(0.0, f64::max);
    let value = |place: usize| if place == 0 { told[place].max(strongest / 2.0) } else { told[place] };
    let mut order: Vec<usize> = (0..all.len()).filter(|&place| value(place) > 0.0).collect();
    order.sort_by(|&left, &right| value(right).total_cmp(&value(left)).then(left.cmp(&right)));
    let mut taken: Vec<usize> = Vec::new();
    for place in order {
        let mut with_it = taken.clone();
        with_it.push(place);
        with_it.sort_unstable();
        if units(&joined(&all, &with_it)) <= most {
            taken = with_it;
        }
    }
    // What is left over is filled from the beginning, as a reader expects.
    for place in 0..all.len() {
        if taken.contains(&place) {
            continue;
        }
        let mut with_it = taken.clone();
        with_it.push(place);
        with_it.sort_unstable();
        if units(&joined(&all, &with_it)) > most {
            break;
        }
        taken = with_it;
    }
    let strongest_is_in = taken.iter().any(|&place| told[place] >= strongest);
    if taken.is_empty() || !strongest_is_in {
        let place = (0..all.len()).find(|&place| told[place] >= strongest).unwrap_or_default();
        return around(all[place], wanted, most, analyser);
    }
    joined(&all, &taken)
}

/// The length of a text as a catalog counts it.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Sentences in order, with a mark where some are missing.
fn joined(all: &[&str], taken: &[usize]) -> String {
    let mut text = String::new();
    let mut next = 0;
    for &place in taken {
        if place > next {
            text.push_str(if text.is_empty() { GAP } else { " ..." });
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(all[place]);
        next = place + 1;
    }
    if next < all.len() {
        text.push_str(" ...");
    }
    text
}

/// The part of a long sentence that begins a little before its first wanted word.
fn around(sentence: &str, wanted: &Wanted, most: usize, analyser: &mut Analyser) -> String {
    let words: Vec<&str> = sentence.split_inclusive(char::is_whitespace).collect();
    let first = words.iter().position(|word| wanted.told(word, analyser) > 0.0).unwrap_or_default();
    let start = first.saturating_sub(WORDS_BEFORE);
    let mut text = if start > 0 { format!("{GAP} ") } else { String::new() };
    for word in &words[start..] {
        if units(&text) + units(word.trim_end()) + GAP.len() > most {
            break;
        }
        text.push_str(word);
    }
    text.truncate(text.trim_end().len());
    text.push_str(GAP);
    text
}

/// How many words stand before the first wanted one in a sentence that is cut.
const WORDS_BEFORE: usize = 6;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(description: &str, task: &str, most: usize) -> String {
        let mut analyser = Analyser::default();
        let prompt = Prompt::of(task, &mut analyser);
        let wanted = Wanted::new(&prompt, (0..prompt.terms.len()).map(|place| (place, 1.0)));
        excerpt(description, &wanted, most, &mut analyser)
    }

    const LONG: &str = "Works with harbour data. Reads tables of tides. Draws charts of depth. Writes the log of a \
        ship. Use when somebody asks for currents or wind.";

    #[test]
    fn what_fits_is_shown_whole() {
        assert_eq!(shown("Reads tides.", "tides", 12), "Reads tides.");
    }

    #[test]
    fn sentences_that_match_come_first() {
        assert_eq!(
            shown(LONG, "which currents are there", 80),
            "Works with harbour data. ... Use when somebody asks for currents or wind."
        );
        assert_eq!(
            shown(LONG, "draw a chart of the depth", 60),
            "Works with harbour data. ... Draws charts of depth. ..."
        );
        assert_eq!(shown(LONG, "nothing of it", 60), "Works with harbour data. Reads tables of tides. ...");
    }

    #[test]
    fn a_sentence_that_is_too_long_is_cut_around_the_match() {
        let long = format!("{}finds the currents of a bay and more", "word ".repeat(40));
        assert_eq!(
            shown(&long, "currents", 60),
            "... word word word word finds the currents of a bay and..."
        );
    }

    proptest! {
        #[test]
        fn no_excerpt_is_longer_than_asked(text in "\\PC{0,400}", task in "\\PC{0,60}", most in 20usize..300) {
            prop_assert!(units(&shown(&text, &task, most)) <= most.max(units(&text).min(most)));
        }
    }
}
