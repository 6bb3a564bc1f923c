//! `eval triggers` for a person: prompts by what they gave, what would change that, and the figures.

use std::fmt::Write;

use super::{TermText, count, line};
use crate::output::{
    style::Style,
    wire_triggers::{Addition, Counts, Gap, NotFor, Prompt, Triggers},
};

/// The groups of prompts in which they are listed: the outcome, what is printed above them, and in which colour.
const GROUPS: [(&str, &str, Style); 3] = [
    ("missed", "missed", Style::Error),
    ("wrongly-fired", "wrongly fired", Style::Warning),
    ("fired", "fired", Style::Good),
];
/// How many terms are named on a line.
const NAMED_TERMS: usize = 4;
/// The narrowest line that a prompt is cut to.
const NARROWEST: usize = 40;
/// The widest, also where no terminal sets a width: a prompt may be megabytes long.
const WIDEST: usize = 200;

/// The report, on lines of so many columns as far as prompts are cut.
pub fn triggers(document: &Triggers, width: usize) -> String {
    let mut text = String::new();
    let head = format!(
        "{} against {}: at most {} printed, confidence at least {}",
        TermText::new(&document.skill),
        count(document.rivals, "other skill"),
        document.limit,
        percent(document.threshold)
    );
    line!(text, "{}", Style::Dim.paint(head));
    for (outcome, label, style) in GROUPS {
        let prompts: Vec<&Prompt> =
            document.prompts.iter().filter(|prompt| prompt.outcome == outcome).collect();
        if !prompts.is_empty() {
            line!(text, "{}", style.paint(format!("{label} ({})", prompts.len())));
        }
        for prompt in prompts {
            of_prompt(&mut text, prompt, width);
        }
    }
    advice(&mut text, document);
    line!(text, "{}", figures(document));
    text
}

fn of_prompt(text: &mut String, prompt: &Prompt, width: usize) {
    let rank = match prompt.rank {
        _ if prompt.invoked => "called by name".to_owned(),
        Some(rank) => format!("rank {rank:>2}, {:>4}", percent(prompt.confidence)),
        None => "not found".to_owned(),
    };
    let shown = TermText::with_width(&prompt.prompt, width.saturating_sub(18).clamp(NARROWEST, WIDEST));
    line!(text, "  {rank:<14}  {shown}");
    if let Some(rival) = &prompt.rival {
        let skill = TermText::new(&rival.skill);
        let terms: Vec<String> = rival.terms.iter().take(NAMED_TERMS).map(gap).collect();
        let terms = if terms.is_empty() { String::new() } else { format!(": {}", terms.join(", ")) };
        let how = if rival.printed { "is printed" } else { "stands above" };
        line!(text, "    `{skill}` ({}) {how} instead{terms}", percent(rival.confidence));
    } else if prompt.outcome == "missed" && prompt.rank == Some(1) {
        line!(text, "    no skill stands above it, but it is not sure enough");
    }
    for cause in &prompt.causes {
        let word = TermText::new(&cause.word);
        let (now, then) = (percent(prompt.confidence), percent((prompt.confidence - cause.less).max(0.0)));
        let decides = if cause.decides { ": it would not fire" } else { "" };
        line!(text, "    because of `{word}`: {now}, and {then} without it{decides}");
    }
    if let Some(refusal) = &prompt.refusal {
        let stops = if refusal.stops { "would stop it" } else { "would not stop it" };
        line!(text, "    `{}` {stops}", TermText::new(&refusal.sentence));
    }
}

/// A term, and the fields in which a rival has more of it.
fn gap(gap: &Gap) -> String {
    let term = TermText::new(&gap.term);
    if gap.fields.is_empty() { term.to_string() } else { format!("{term} in {}", gap.fields.join(" and ")) }
}

fn advice(text: &mut String, document: &Triggers) {
    let advice = &document.advice;
    let now = document.counts;
    if advice.add.is_some() || advice.not_for.is_some() {
        line!(
            text,
            "{}",
            Style::Heading.paint("tried: the description scored again with what follows in it")
        );
    }
    if let Some(Addition { words, counts }) = &advice.add {
        let words: Vec<String> = words.iter().map(|word| TermText::new(&word.word).to_string()).collect();
        line!(text, "  {}", words.join(", "));
        line!(text, "    {}", would(*counts, now));
    }
    if let Some(NotFor { sentence, counts }) = &advice.not_for {
        line!(text, "  {}", TermText::new(sentence));
        line!(text, "    {}", would(*counts, now));
    }
    if let Some(counts) = advice.both {
        line!(text, "  both");
        line!(text, "    {}", would(counts, now));
    }
}

/// What a change would give.
fn would(then: Counts, now: Counts) -> String {
    let right = then.fired + then.missed;
    let wrong = then.wrongly_fired + then.quiet;
    let mut text = format!("would fire {} of {right} (now {})", then.fired, now.fired);
    if wrong > 0 {
        let _infallible =
            write!(text, ", wrongly {} of {wrong} (now {})", then.wrongly_fired, now.wrongly_fired);
    }
    text
}

fn figures(document: &Triggers) -> String {
    let Counts { fired, missed, wrongly_fired, quiet } = document.counts;
    let share = |name: &str, value: Option<f64>, some: usize, all: usize| match value {
        Some(value) => format!("{name} {} ({some}/{all})", percent(value)),
        None => format!("{name} -"),
    };
    let all = fired + missed + wrongly_fired + quiet;
    let mut text = [
        share("recall", document.recall, fired, fired + missed),
        share("precision", document.precision, fired, fired + wrongly_fired),
        share("accuracy", document.accuracy, fired + quiet, all),
    ]
    .join(", ");
    if !document.problems.is_empty() {
        let entries = count(document.problems.len(), "entry").replace("entrys", "entries");
        let _infallible = write!(text, "; {entries} not tried");
    }
    text
}

/// A share in percent, rounded down as catalogs do: nothing shows the threshold that it misses.
fn percent(value: f64) -> String {
    format!("{:.0}%", (value * 100.0 + 1e-9).floor())
}
