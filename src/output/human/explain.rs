//! `explain` for a person: one line a candidate, chosen ones first.

use std::fmt::Write;

use super::{TermText, cell, count, line, wire};
use crate::output::{style::Style, wire_fulltext};

/// What happened to each candidate.
pub fn explain(document: &wire::Explain) -> String {
    let mut text = String::new();
    let budget = match document.budget {
        0 => "no budget".to_owned(),
        tokens => format!("budget {tokens} tokens"),
    };
    let head = format!(
        "router {}, at most {}, score at least {}, {budget}",
        document.router,
        count(document.limit, "skill"),
        document.min_score
    );
    line!(text, "{}", Style::Dim.paint(head));
    for note in &document.notes {
        line!(text, "{} {}", Style::Warning.paint("note:"), TermText::new(note));
    }
    for candidate in &document.candidates {
        let chosen = candidate.outcome == "chosen";
        let outcome = cell(candidate.outcome, 15);
        let outcome = if chosen { Style::Good.paint(outcome) } else { Style::Dim.paint(outcome) };
        let score = if candidate.by_rule { "rule".to_owned() } else { candidate.score.to_string() };
        let all = [
            ("name phrase", candidate.parts.name_phrase),
            ("name", candidate.parts.name),
            ("when to use", candidate.parts.when_to_use),
            ("description", candidate.parts.description),
            ("han bonus", candidate.parts.han_bonus),
        ];
        let mut parts: Vec<String> = all
            .iter()
            .filter(|(_, points)| *points > 0)
            .map(|(part, points)| format!("{part} {points}"))
            .collect();
        if candidate.boost > 0 {
            parts.push(format!("boost {}", candidate.boost));
        }
        if let Some(fulltext) = &candidate.fulltext {
            parts.extend(matched(fulltext));
        }
        parts.extend(candidate.similarity.map(|similarity| format!("similarity {similarity:.3}")));
        let meaning = candidate.fulltext.as_ref().and_then(|fulltext| fulltext.meaning);
        parts.extend(meaning.map(|adds| format!("meaning {adds:+.2}")));
        parts.extend(candidate.detail.iter().map(|detail| TermText::new(detail).to_string()));
        let name = Style::Name.paint(cell(&candidate.name, 28));
        let about = if parts.is_empty() { String::new() } else { format!("({})", parts.join(", ")) };
        let root = Style::Dim.paint(TermText::new(&candidate.root));
        let bar = if candidate.by_rule || candidate.fulltext.is_none() {
            String::new()
        } else {
            format!("{} ", Style::Dim.paint(bar(candidate.score)))
        };
        line!(text, "{outcome} {score:>5}  {bar}{name} {about} {root}");
    }
    if document.candidates.is_empty() {
        line!(text, "no skill shares a word with the task");
    }
    let mut tail =
        format!("the catalog costs an estimated {} tokens as {}", document.tokens, document.format);
    if document.unlisted > 0 {
        let others = count(document.unlisted, "other skill");
        let _infallible = write!(tail, "; --all names {others} below the threshold or without a shared word");
    }
    line!(text, "{}", Style::Dim.paint(tail));
    text
}

/// A score out of 100 as a bar of ten characters.
fn bar(score: u64) -> String {
    let full = usize::try_from(score.min(100).div_ceil(10)).unwrap_or_default();
    format!("{}{}", "#".repeat(full), ".".repeat(10 - full))
}

/// How many terms are named on a line.
const NAMED_TERMS: usize = 4;

/// The terms that tell most, each with the most telling field that has it.
fn matched(fulltext: &wire_fulltext::Fulltext) -> Vec<String> {
    let of = |term: &wire_fulltext::MatchedTerm| {
        let field = term.fields.first().copied().unwrap_or_default();
        format!("{} in {field}", TermText::new(&term.term))
    };
    fulltext.terms.iter().take(NAMED_TERMS).map(of).collect()
}
