//! `cache` and `discovery-cache` for a person.

use std::fmt::Write;

use super::{TermText, count, line};
use crate::output::{style::Style, wire_cache};

/// The stored skills.
pub fn cache_list(document: &wire_cache::CacheList) -> String {
    let mut text = String::new();
    for skill in &document.skills {
        let name = Style::Name.paint(TermText::new(&skill.name));
        let mark = if skill.in_use { ", in use" } else { "" };
        line!(text, "{}  {name}  {}", skill.id, TermText::new(&super::pin(&skill.pin)));
        line!(
            text,
            "  {}",
            Style::Dim.paint(format!(
                "{}, {}, {}, fetched {}{mark}",
                skill.evidence,
                count(skill.files, "file"),
                super::bytes(skill.bytes),
                skill.installed_at
            ))
        );
    }
    problems(&mut text, &document.invalid);
    let total = format!(
        "{}, {} in {}",
        count(document.skills.len(), "skill"),
        super::bytes(document.bytes),
        TermText::new(&document.folder)
    );
    line!(text, "{}", Style::Dim.paint(total));
    text
}

fn problems(text: &mut String, problems: &[wire_cache::CacheProblem]) {
    for problem in problems {
        let (file, what) = (TermText::new(&problem.file), TermText::new(&problem.problem));
        let entry = problem.digest.as_deref().map(|digest| digest.get(..19).unwrap_or(digest).to_owned());
        let name = problem.name.as_deref().map(|name| format!("({})", TermText::new(name)));
        let about: String = entry.into_iter().chain(name).map(|part| part + " ").collect();
        line!(text, "{} {about}{file}: {what}", Style::Warning.paint("damaged:"));
        if let Some(why) = &problem.not_repaired {
            line!(text, "  not repaired: {}", TermText::with_width(why, super::MESSAGE_WIDTH));
        }
    }
}

/// What verification found.
pub fn cache_verify(document: &wire_cache::CacheVerify) -> String {
    let mut text = String::new();
    for repaired in &document.repaired {
        let name = Style::Name.paint(TermText::new(&repaired.name));
        line!(
            text,
            "{} {name}  {}",
            Style::Good.paint("repaired:"),
            TermText::new(&super::pin(&repaired.pin))
        );
    }
    problems(&mut text, &document.problems);
    let read = format!(
        "{}, {}, {} read",
        match document.entries {
            1 => "1 entry".to_owned(),
            entries => format!("{entries} entries"),
        },
        count(document.files, "file"),
        super::bytes(document.bytes)
    );
    if document.problems.is_empty() {
        line!(text, "{} {read}", Style::Good.paint("intact:"));
    } else {
        line!(text, "{}, {read}", count(document.problems.len(), "problem"));
    }
    text
}

/// What was or would be removed.
pub fn cache_prune(document: &wire_cache::CachePrune) -> String {
    let mut text = String::new();
    let verb = if document.dry_run { "would remove" } else { "removed" };
    for removed in &document.removed {
        let (id, reason, bytes) = (&removed.id, removed.reason, super::bytes(removed.bytes));
        line!(text, "{verb} {id}  {}  {reason}, {bytes}", TermText::new(&removed.name));
    }
    if document.removed.is_empty() {
        line!(text, "nothing to remove");
    }
    if !document.in_use.is_empty() {
        let held = document.in_use.len();
        let them = if held == 1 { "it" } else { "them" };
        line!(text, "{} kept, because a mount holds {them}", count(held, "skill"));
    }
    if document.invalid > 0 {
        line!(
            text,
            "{} {} that cannot be read; `skillflux cache clean --all` removes such too",
            Style::Warning.paint("kept:"),
            count(document.invalid, "item")
        );
    }
    let totals = |totals: wire_cache::CacheTotals| {
        let entries = usize::try_from(totals.entries).unwrap_or(usize::MAX);
        format!("{}, {}", count(entries, "skill"), super::bytes(totals.bytes))
    };
    line!(
        text,
        "{}",
        Style::Dim.paint(format!("{} before, {} after", totals(document.before), totals(document.after)))
    );
    if !document.within_limits {
        line!(text, "{} the limits do not hold, because mounts hold too much", Style::Warning.paint("over:"));
    }
    text
}

/// What was removed.
pub fn cache_clean(document: &wire_cache::CacheClean) -> String {
    let mut text = String::new();
    line!(text, "removed {}", count(document.removed.len(), "stored skill"));
    for id in &document.in_use {
        line!(text, "{} {id} is in use; unmount it first", Style::Warning.paint("kept:"));
    }
    if document.invalid_pins > 0 {
        line!(text, "removed {} that could not be read", count(document.invalid_pins, "pin"));
    }
    if document.newer > 0 {
        let word = "of a newer release of skillflux; they stay";
        line!(text, "{} {} {word}", Style::Warning.paint("kept:"), document.newer);
    }
    text
}

/// Stored searches and the health of sources.
pub fn discovery_status(document: &wire_cache::DiscoveryStatus) -> String {
    let mut text = String::new();
    let states: Vec<String> =
        document.searches.iter().map(|(state, number)| format!("{number} {state}")).collect();
    let states = if states.is_empty() { "none".to_owned() } else { states.join(", ") };
    line!(
        text,
        "stored searches  {states} ({} in {})",
        super::bytes(document.bytes),
        TermText::new(&document.file)
    );
    for source in &document.sources {
        let mut about = match source.failures {
            0 => "well".to_owned(),
            failures => format!("{} in a row", count(failures as usize, "failure")),
        };
        if let Some(until) = &source.left_alone_until {
            let _infallible = write!(about, ", left alone until {until}");
        }
        if let Some(error) = &source.last_error {
            let _infallible = write!(about, ", last: {}", TermText::new(error));
        }
        line!(text, "{:<16} {about}", source.source);
    }
    text
}

/// What was removed of searches.
pub fn discovery_clean(document: &wire_cache::DiscoveryClean) -> String {
    let mut text = String::new();
    let searches = match document.searches {
        1 => "1 stored search".to_owned(),
        searches => format!("{searches} stored searches"),
    };
    line!(text, "removed {searches} and {}", count(document.answers, "kept answer"));
    text
}
