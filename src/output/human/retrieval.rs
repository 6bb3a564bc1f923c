//! `eval retrieval` for a person: measures with their intervals, by group; or Markdown tables for a page.

use std::fmt::Write;

use super::{bytes, cell, count, line};
use crate::{
    output::{
        style::Style,
        wire_retrieval::{Group, Measure, Retrieval},
    },
    skill::text::CatalogText,
};

/// The columns of the table: what is printed above them, and the measure.
const COLUMNS: [(&str, &str); 6] = [
    ("Hit@1", "hit_at_1"),
    ("R@3", "recall_at_3"),
    ("R@5", "recall_at_5"),
    ("R@10", "recall_at_10"),
    ("MRR", "mrr"),
    ("nDCG@10", "ndcg_at_10"),
];

/// The measures of what a catalog would print, with their names.
const PRINTED: [(&str, &str); 6] = [
    ("nothing printed for a prompt with a right skill", "false_empty_rate"),
    ("a right skill among the first three not printed", "lost_rate"),
    ("no wrong skill printed for a negative", "negative_rejection"),
    ("a forbidden skill printed", "forbidden_printed_rate"),
    ("nothing printed where nothing fits", "nothing_printed_rate"),
    ("a skill made to win not among the first three", "attack_rejection"),
];

/// Cells of one width, each behind a space.
fn padded(cells: impl Iterator<Item = String>) -> String {
    let mut line = String::new();
    for cell in cells {
        let _infallible = write!(line, " {cell:<18}");
    }
    line
}

/// The report.
pub fn retrieval(document: &Retrieval) -> String {
    let mut text = String::new();
    line!(text, "{}", about(document));
    let heads = padded(COLUMNS.iter().map(|(head, _)| (*head).to_owned()));
    line!(text, "{}", Style::Heading.paint(format!("{:<24} {:>5}{heads}", "prompts", "count").trim_end()));
    for group in document.groups.iter().filter(|group| find(group, "hit_at_1").is_some()) {
        let cells = COLUMNS.iter().map(|(_, name)| find(group, name).map_or_else(String::new, range));
        let cells = padded(cells);
        line!(text, "{} {:>5}{}", cell(&group.name, 24), cases(group, "hit_at_1"), cells.trim_end());
    }
    let all = document.groups.first();
    let printed = PRINTED.iter().filter_map(|(label, name)| Some((label, find(all?, name)?)));
    for (place, (label, measure)) in printed.enumerate() {
        if place == 0 {
            line!(
                text,
                "{}",
                Style::Heading.paint(format!("{:<50} {:>5} share", "catalog of three", "count"))
            );
        }
        line!(text, "{label:<50} {:>5} {}", measure.cases, range(measure));
    }
    for (place, change) in document.changes.iter().enumerate() {
        if place == 0 {
            let heads =
                format!("{:<24} {:>5} {:<16} {:<24} by chance", "change", "count", "from, to", "difference");
            line!(text, "{}", Style::Heading.paint(heads));
        }
        let values = format!("{} {}", percent(change.before), percent(change.after));
        let difference = change.after - change.before;
        let range =
            format!("{:+.1} [{:+.1}, {:+.1}]", difference * 100.0, change.low * 100.0, change.high * 100.0);
        line!(
            text,
            "{:<24} {:>5} {values:<16} {range:<24} {:.3}",
            change.name,
            change.cases,
            change.probability
        );
    }
    text
}

/// The report as Markdown tables.
pub fn retrieval_markdown(document: &Retrieval) -> String {
    let mut text = format!("{}\n\n| prompts | count |", about(document));
    text.extend(COLUMNS.iter().map(|(head, _)| format!(" {head} |")));
    text.push_str("\n| --- | ---: |");
    text.push_str(&" ---: |".repeat(COLUMNS.len()));
    line!(text);
    for group in document.groups.iter().filter(|group| find(group, "hit_at_1").is_some()) {
        let cells = COLUMNS.iter().map(|(_, name)| find(group, name).map_or_else(String::new, range));
        // Clean text has no line break, so that only a bar could end the cell.
        let name = CatalogText::label(&group.name).as_str().replace('|', "/");
        line!(text, "| {name} | {} | {} |", cases(group, "hit_at_1"), cells.collect::<Vec<_>>().join(" | "));
    }
    let all = document.groups.first();
    let printed: Vec<_> =
        PRINTED.iter().filter_map(|(label, name)| Some((label, find(all?, name)?))).collect();
    if !printed.is_empty() {
        text.push_str("\n| catalog of three | count | share |\n| --- | ---: | ---: |\n");
    }
    for (label, measure) in printed {
        line!(text, "| {label} | {} | {} |", measure.cases, range(measure));
    }
    if !document.changes.is_empty() {
        text.push_str("\n| change | count | from | to | by chance |\n| --- | ---: | ---: | ---: | ---: |\n");
    }
    for change in &document.changes {
        let (before, after) = (percent(change.before), percent(change.after));
        let (name, cases, chance) = (change.name, change.cases, change.probability);
        line!(text, "| {name} | {cases} | {before} | {after} | {chance:.3} |");
    }
    text
}

/// What was run, on one line.
fn about(document: &Retrieval) -> String {
    let mut text = format!("{}, {}", document.mode, count(document.skills, "skill"));
    if document.copies > 0 {
        let _infallible =
            write!(text, " and {} of these", count(document.copies, "copy").replace("copys", "copies"));
    }
    if let Some(seed) = document.seed {
        let _infallible = write!(text, " drawn with seed {seed}");
    }
    if let Some(share) = document.blend {
        let _infallible = write!(text, ", likeness of meaning {share}");
    }
    if !document.without.is_empty() {
        let _infallible = write!(text, ", without {}", document.without.join(", "));
    }
    if let Some(milliseconds) = document.build_ms {
        let _infallible = write!(text, "; index {milliseconds:.0} ms");
    }
    if let Some(latency) = &document.latency_ms {
        let (p50, p95, p99) = (latency.p50, latency.p95, latency.p99);
        let _infallible =
            write!(text, "; a prompt {p50:.2} ms, 95% {p95:.2}, 99% {p99:.2}, longest {:.2}", latency.max);
    }
    if let Some(memory) = document.peak_memory_bytes {
        let _infallible = write!(text, "; memory {}", bytes(memory));
    }
    text
}

fn find<'a>(group: &'a Group, name: &str) -> Option<&'a Measure> {
    group.measures.iter().find(|measure| measure.name == name)
}

fn cases(group: &Group, name: &str) -> usize {
    find(group, name).map_or(0, |measure| measure.cases)
}

fn range(measure: &Measure) -> String {
    format!("{} [{}, {}]", percent(measure.value), percent(measure.low), percent(measure.high))
}

fn percent(value: f64) -> String {
    format!("{:.1}", value * 100.0)
}
