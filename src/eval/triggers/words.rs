//! The words of a text as their author wrote them, by the term that each is looked up as.

use std::collections::BTreeMap;

use crate::rank::text::terms::{Analyser, Term, is_unspaced};

/// The terms of a text, each with the word that it stands for, in lower case. Of an identifier only the whole is a
/// word; what is written without spaces is known by its terms.
pub(super) fn words(text: &str, analyser: &mut Analyser) -> BTreeMap<Term, String> {
    let mut words = BTreeMap::new();
    for run in runs(text) {
        let mut terms = Vec::new();
        analyser.visit_words(run, |term| terms.push(term.to_owned()));
        if run.chars().any(is_unspaced) {
            words.extend(terms.into_iter().map(|term| (Term::of(&term), term)));
        } else if let Some(term) = terms.first() {
            words.entry(Term::of(term)).or_insert_with(|| run.to_lowercase());
        }
    }
    words
}

/// A text without the words of a term.
pub(super) fn without(text: &str, term: Term, word: &str, analyser: &mut Analyser) -> String {
    let mut left = String::new();
    let mut rest = text;
    for run in runs(text) {
        let (before, after) = rest.split_once(run).unwrap_or((rest, ""));
        left.push_str(before);
        let mut has = false;
        analyser.visit(run, |found| has |= found == term);
        if !has {
            left.push_str(run);
        } else if run.chars().any(is_unspaced) {
            left.push_str(&run.to_lowercase().replace(word, " "));
        }
        rest = after;
    }
    left.push_str(rest);
    left
}

fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|run| !run.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_they_are_written() {
        let words = words("Resizes photos; PHOTO albums in DerivedData, 分析表", &mut Analyser::default());
        let of = |term: &str| words.get(&Term::of(term)).map(String::as_str);
        assert_eq!(
            (of("resiz"), of("photo"), of("album")),
            (Some("resizes"), Some("photos"), Some("albums"))
        );
        assert_eq!((of("deriveddata"), of("deriv"), of("data")), (Some("deriveddata"), None, None));
        assert_eq!((of("分析"), of("析表")), (Some("分析"), Some("析表")));
    }

    #[test]
    fn a_term_is_taken_out_in_all_its_forms() {
        let mut analyser = Analyser::default();
        let text = "Resizes photos. A photo, 分析表.";
        assert_eq!(without(text, Term::of("photo"), "photos", &mut analyser), "Resizes . A , 分析表.");
        assert_eq!(without(text, Term::of("分析"), "分析", &mut analyser), "Resizes photos. A photo,  表.");
        assert_eq!(without(text, Term::of("nothing"), "nothing", &mut analyser), text);
    }
}
