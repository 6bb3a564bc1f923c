//! `show` for a person.

use super::{TermText, codes, line, wire};
use crate::output::style::Style;
use std::fmt::Write;

/// One skill with everything that is known about it.
pub fn show(document: &wire::Show) -> String {
    let mut text = String::new();
    let skill = &document.skill;
    line!(text, "{}", Style::Heading.paint(TermText::new(&skill.name)));
    line!(text, "{}", TermText::with_width(&skill.description, 2000));
    line!(text);
    let mut field = |name: &str, value: &str| {
        line!(text, "{} {}", Style::Dim.paint(format!("{name:<14}")), TermText::with_width(value, 1000));
    };
    let optional = [
        ("title", &skill.title),
        ("when to use", &document.when_to_use),
        ("not for", &document.when_not_to_use),
        ("version", &skill.version),
        ("license", &document.license),
        ("compatibility", &document.compatibility),
        ("arguments", &document.argument_hint),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            field(name, value);
        }
    }
    if !document.allowed_tools.is_empty() {
        field("asks for tools", &document.allowed_tools.join(" "));
    }
    for (key, value) in &document.metadata {
        field("metadata", &format!("{key} = {value}"));
    }
    if !document.extra_keys.is_empty() {
        field("other keys", &document.extra_keys.join(" "));
    }
    field("location", &skill.location);
    field("root", &skill.root);
    let standing = match (skill.standing, &skill.behind) {
        ("shadowed", Some(other)) => format!("shadowed by {other}"),
        ("nested", Some(other)) => format!("nested in {other}"),
        (word, _) => word.to_owned(),
    };
    field("standing", &standing);
    let callers = match (skill.model_invocable, skill.user_invocable) {
        (true, true) => "the model and the user",
        (true, false) => "the model only",
        (false, true) => "the user only",
        (false, false) => "nobody",
    };
    field("called by", callers);
    field("digest", &document.digest);
    if let Some(pin) = &document.skill.pin {
        let path = pin.path.as_deref().unwrap_or_default();
        field("pin", &format!("{}//{path}@{}", pin.repository, pin.commit));
        field("host", &pin.host);
    }
    files(&mut text, document);
    findings(&mut text, document);
    text
}

fn files(text: &mut String, document: &wire::Show) {
    line!(text);
    line!(text, "{}", Style::Heading.paint("files"));
    for file in &document.files {
        let mark = if file.executable { "  executable" } else { "" };
        let path = TermText::new(&file.path);
        line!(text, "  {:>9}  {:<9}  {path}{mark}", file.size, file.kind);
    }
    for file in &document.left_out {
        let path = TermText::new(&file.path);
        line!(text, "  {} {path} ({})", Style::Warning.paint("left out:"), file.code);
    }
}

fn findings(text: &mut String, document: &wire::Show) {
    if !document.skill.warnings.is_empty() {
        line!(text);
        line!(text, "{} {}", Style::Warning.paint("odd:"), codes(&document.skill.warnings));
    }
    if document.lint.is_empty() {
        return;
    }
    line!(text);
    line!(text, "{}", Style::Heading.paint("a strict reader objects"));
    for finding in &document.lint {
        let place =
            if finding.line == 0 { String::new() } else { format!("{}:{} ", finding.line, finding.column) };
        line!(text, "  {place}{}: {}", finding.rule, TermText::with_width(&finding.message, 400));
    }
}
