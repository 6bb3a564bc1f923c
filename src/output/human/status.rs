//! `status` for a person.

use std::fmt::Write;

use super::{TermText, count, line, wire};
use crate::output::style::Style;

/// Where skills come from and what is in force.
pub fn status(document: &wire::Status) -> String {
    let mut text = String::new();
    line!(text, "{} {}", Style::Heading.paint("skillflux"), document.version);
    let mut field = |name: &str, value: String| {
        line!(text, "{} {value}", Style::Dim.paint(format!("{name:<14}")));
    };
    let mut skills = vec![format!("{} can be chosen", document.active - document.not_for_models)];
    for (number, words) in [
        (document.not_for_models, "not for models"),
        (document.shadowed, "shadowed"),
        (document.nested, "nested"),
        (document.problems, "not readable"),
    ] {
        if number > 0 {
            skills.push(format!("{number} {words}"));
        }
    }
    field("skills", skills.join(", "));
    let budget = match document.catalog_token_budget {
        0 => "no token budget".to_owned(),
        tokens => format!("at most {tokens} estimated tokens"),
    };
    field("router", document.router.to_owned());
    field("catalog", format!("at most {}, {budget}", count(document.max_active_skills, "skill")));
    field(
        "all at once",
        format!("a listing of every skill would cost {} tokens", document.full_listing_tokens),
    );
    let state = if document.config_file_exists { "" } else { " (not there)" };
    field("config", format!("{}{state}", TermText::new(&document.config_file)));
    if let Some(project) = &document.project {
        field("project", TermText::new(project).to_string());
    }
    let agents =
        if document.agents.is_empty() { "none found".to_owned() } else { document.agents.join(", ") };
    field("agents", agents);
    line!(text);
    line!(text, "{}", Style::Heading.paint("roots"));
    for wire::StatusRoot { root, skills } in &document.roots {
        let about = match &root.same_as {
            Some(other) => format!("the same folder as {}", TermText::new(other)),
            None => count(*skills, "skill"),
        };
        let label = TermText::new(&root.label);
        line!(text, "  {:<8} {label} {}", root.scope, Style::Dim.paint(format!("({about})")));
    }
    text
}
