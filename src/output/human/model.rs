//! `model` for a person: one line a model.

use std::fmt::Write;

use super::{TermText, bytes, cell, line};
use crate::output::{style::Style, wire_model};

/// The models that were added.
pub fn models(document: &wire_model::Models) -> String {
    let mut text = String::new();
    for model in &document.models {
        let name = Style::Name.paint(cell(&model.name, 28));
        if let Some(problem) = &model.problem {
            line!(text, "{name} {} {}", Style::Error.paint("damaged:"), TermText::new(problem));
            continue;
        }
        let mut facts = about(model);
        if model.verified {
            facts.push("verified".to_owned());
        }
        if model.in_use {
            facts.push("in use".to_owned());
        }
        line!(text, "{name} {}", facts.join(", "));
    }
    if document.models.is_empty() {
        line!(text, "no model was added yet; `skillflux model add PATH` adds a folder");
    }
    text
}

fn about(model: &wire_model::Model) -> Vec<String> {
    let size = format!("{} rows of {}", model.rows, model.dimension);
    vec![model.layout.to_owned(), size, bytes(model.bytes)]
}

/// What was added, and how it is put to use.
pub fn model_add(document: &wire_model::ModelAdd) -> String {
    let mut text = String::new();
    let model = &document.model;
    line!(text, "added {}: {}", Style::Name.paint(TermText::new(&model.name)), about(model).join(", "));
    for file in &model.made_of {
        let of = format!("{}  {}", file.sha256, TermText::new(&file.name));
        line!(text, "  {}", Style::Dim.paint(of));
    }
    line!(text, "put it to use: skillflux config set embeddingProvider local");
    line!(text, "               skillflux config set routerMode fulltext");
    line!(text, "               skillflux config set semanticBlend 0.2");
    text
}

/// What is gone.
pub fn model_remove(document: &wire_model::ModelRemove) -> String {
    format!("removed {}\n", Style::Name.paint(TermText::new(&document.removed)))
}
