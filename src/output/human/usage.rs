//! `usage` for a person: one line a skill, the most used first.

use std::fmt::Write;

use super::{TermText, cell, count, line};
use crate::output::{style::Style, wire_usage};

/// How often skills were used.
pub fn usage(document: &wire_usage::Usage) -> String {
    let mut text = String::new();
    if !document.tracking {
        line!(text, "{} `usageTracking` is off: nothing is counted", Style::Warning.paint("note:"));
    }
    if document.skills.is_empty() {
        line!(text, "no skill was used yet");
        return text;
    }
    let head =
        format!("{:>6} {:>6}  {:<20}  {:>8} {:>8}  name", "uses", "mounts", "last used", "tokens", "loaded");
    line!(text, "{}", Style::Dim.paint(head));
    for skill in &document.skills {
        let last = skill.last_used.as_deref().unwrap_or("never");
        let name = Style::Name.paint(cell(&skill.name, 28));
        line!(
            text,
            "{:>6} {:>6}  {last:<20}  {:>8} {:>8}  {name} {}",
            skill.uses,
            skill.mounts,
            skill.body_tokens,
            skill.loaded_tokens,
            Style::Dim.paint(TermText::new(&skill.place))
        );
    }
    if document.unlisted > 0 {
        let more = format!("{} more; --all lists them", count(document.unlisted, "skill"));
        line!(text, "{}", Style::Dim.paint(more));
    }
    text
}

/// What was forgotten.
pub fn usage_clear(document: &wire_usage::UsageClear) -> String {
    let mut text = String::new();
    for skill in &document.cleared {
        let name = Style::Name.paint(TermText::new(&skill.name));
        let place = Style::Dim.paint(TermText::new(&skill.place));
        line!(
            text,
            "forgot {} of {name} {place}",
            count(usize::try_from(skill.uses).unwrap_or(usize::MAX), "use")
        );
    }
    if document.cleared.is_empty() {
        line!(text, "there was nothing to forget");
    }
    text
}
