//! `list` for a person: skills by root, then what could not be read.

use std::{collections::BTreeMap, fmt::Write};

use super::{TermText, cell, codes, count, line, wire};
use crate::output::style::Style;

const NAME_WIDTH: usize = 28;

/// The skills of every root and the problems.
pub fn list(document: &wire::List, width: usize) -> String {
    let mut text = String::new();
    let mut by_root: BTreeMap<&str, Vec<&wire::Skill>> = BTreeMap::new();
    for skill in &document.skills {
        by_root.entry(&skill.root).or_default().push(skill);
    }
    for root in &document.roots {
        let skills = by_root.remove(root.label.as_str()).unwrap_or_default();
        heading(&mut text, root, skills.len());
        for skill in skills {
            entry(&mut text, skill, width);
        }
    }
    problems(&mut text, &document.problems);
    summary(&mut text, document);
    text
}

fn heading(text: &mut String, root: &wire::Root, skills: usize) {
    let mut about = vec![root.scope.to_owned()];
    about.extend(root.same_as.iter().map(|other| format!("the same folder as {}", TermText::new(other))));
    if root.same_as.is_none() {
        about.push(count(skills, "skill"));
    }
    let label = TermText::new(&root.label);
    line!(text, "{} {}", Style::Heading.paint(label), Style::Dim.paint(format!("({})", about.join(", "))));
}

fn entry(text: &mut String, skill: &wire::Skill, width: usize) {
    let mut marks = Vec::new();
    match (skill.standing, &skill.behind) {
        ("shadowed", Some(winner)) => marks.push(format!("shadowed by {}", TermText::new(winner))),
        ("nested", Some(outer)) => marks.push(format!("inside {}", TermText::new(outer))),
        _ => {}
    }
    if !skill.model_invocable {
        marks.push("not for the model".to_owned());
    }
    if !skill.user_invocable {
        marks.push("not for the user".to_owned());
    }
    let description = TermText::with_width(&skill.description, width.saturating_sub(NAME_WIDTH + 3).max(20));
    line!(text, "  {} {}", Style::Name.paint(cell(&skill.name, NAME_WIDTH)), description);
    let indent = " ".repeat(4);
    if !marks.is_empty() {
        line!(text, "{indent}{}", Style::Dim.paint(marks.join(", ")));
    }
    if let Some(pin) = &skill.pin {
        line!(text, "{indent}{}", Style::Dim.paint(format!("from {}", TermText::new(&super::pin(pin)))));
    }
    for alias in &skill.aliases {
        line!(text, "{indent}{}", Style::Dim.paint(format!("also at {}", TermText::new(alias))));
    }
    if !skill.warnings.is_empty() {
        line!(text, "{indent}{} {}", Style::Warning.paint("odd:"), codes(&skill.warnings));
    }
}

fn problems(text: &mut String, problems: &[wire::Problem]) {
    if problems.is_empty() {
        return;
    }
    line!(text);
    line!(text, "{}", Style::Heading.paint("not skills"));
    for problem in problems {
        let diagnostic = &problem.diagnostic;
        let mut place = TermText::new(&problem.path).to_string();
        if let (Some(line), Some(column)) = (diagnostic.line, diagnostic.column) {
            let _infallible = write!(place, ":{line}:{column}");
        }
        let code = Style::Warning.paint(TermText::new(&diagnostic.code));
        line!(text, "  {place}");
        line!(text, "    {code}: {}", diagnostic.remedy);
    }
}

fn summary(text: &mut String, document: &wire::List) {
    let standing = |word| document.skills.iter().filter(|skill| skill.standing == word).count();
    let mut parts = vec![count(standing("active"), "skill")];
    for (word, number) in [("shadowed", standing("shadowed")), ("nested", standing("nested"))] {
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    if !document.problems.is_empty() {
        parts.push(format!("{} not readable as skills", document.problems.len()));
    }
    line!(text);
    line!(text, "{}", Style::Dim.paint(parts.join(", ")));
}
