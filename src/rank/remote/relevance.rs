//! How well remote candidates fit a query: by the contract's lexical score, or by full-text search among them.

use super::super::{
    fulltext::{
        Weights,
        document::{Document, Texts},
        memory::Memory,
        prompt::Prompt,
        real, search,
    },
    text::{normalise, terms::Analyser},
};
use crate::candidate::remote::RemoteCandidate;

/// What the whole name as the query is worth, on the scale of the lexical score.
const WHOLE_NAME: u64 = 100;
/// What a candidate is worth that has all the query asks for, on that scale: the quality score doubles it.
const EVERYTHING: f64 = 25.0;

/// The relevance of each candidate on the scale of the lexical score: its share of the best BM25F score that the
/// query can have, over name and description. 0 when it has no term of the query.
pub(super) fn fulltext(query: &str, candidates: &[RemoteCandidate]) -> Vec<u64> {
    let mut analyser = Analyser::default();
    let document = |candidate: &RemoteCandidate, analyser: &mut Analyser| {
        let texts = Texts {
            name: &candidate.name,
            description: &candidate.description,
            when_to_use: None,
            when_not_to_use: None,
            body: "",
        };
        Document::of(&texts, analyser)
    };
    let documents: Vec<Document> =
        candidates.iter().map(|candidate| document(candidate, &mut analyser)).collect();
    let memory = Memory::of(&documents);
    let prompt = Prompt::of(query, &mut analyser);
    let Ok(found) = search(&prompt, &memory, &Weights::MEASURED, candidates.len());
    let known: f64 = found.lookups.iter().map(|lookup| lookup.weight).sum();
    // Terms that no candidate has were asked for as well; each counts as much as the known ones do on average.
    let unknown = real(prompt.terms.len() - found.lookups.len()) * known / real(found.lookups.len().max(1));
    let mut relevance = vec![0; candidates.len()];
    for (document, score) in found.best {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 25")]
        let points = (EVERYTHING * score / (known + unknown)).ceil().clamp(1.0, EVERYTHING) as u64;
        relevance[document as usize] = points;
    }
    let query = normalise(query);
    for (points, candidate) in relevance.iter_mut().zip(candidates) {
        let name = normalise(&candidate.name);
        if !name.is_empty() && (name == query || name.replace(['-', '_'], " ") == query) {
            *points = WHOLE_NAME;
        }
    }
    relevance
}
