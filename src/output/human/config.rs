//! `config` for a person.

use std::fmt::Write;

use super::{TermText, cell, line, wire};
use crate::output::style::Style;

/// Every key with its value and origin.
pub fn config_list(document: &wire::ConfigList) -> String {
    let mut text = String::new();
    for setting in &document.settings {
        let value = if setting.text.len() < 20 {
            cell(&setting.text, 20)
        } else {
            TermText::with_width(&setting.text, 60).to_string()
        };
        let name = Style::Name.paint(cell(setting.key, 29));
        let mut about = TermText::new(&setting.origin).to_string();
        if let Some(later) = setting.later {
            let _infallible = write!(about, "; no effect in this release, for {later}");
        }
        line!(text, "{name} {value} {}", Style::Dim.paint(about));
    }
    text
}

/// One value, alone on its line.
pub fn config_value(setting: &wire::Setting) -> String {
    let mut text = String::new();
    line!(text, "{}", TermText::block(&setting.text));
    text
}

/// What `config set` or `config unset` changed.
pub fn config_change(document: &wire::ConfigChange) -> String {
    let mut text = String::new();
    let file = TermText::new(&document.file);
    let value = |value: &Option<serde_json::Value>| match value {
        Some(value) => TermText::with_width(&value.to_string(), 120).to_string(),
        None => "not set".to_owned(),
    };
    let before = match &document.refused {
        Some(refused) => format!("{} (not allowed)", TermText::with_width(refused, 120)),
        None => value(&document.before),
    };
    let key = Style::Name.paint(&document.key);
    if document.before == document.after && document.refused.is_none() {
        line!(text, "{key} stays {before} in {file}");
    } else {
        line!(text, "{key} {before} -> {} in {file}", value(&document.after));
    }
    text
}
