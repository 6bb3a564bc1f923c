//! `eval` for a person: metrics in columns, then every case that failed.

use std::fmt::Write;

use super::{TermText, cell, line};
use crate::output::style::Style;

/// The results of an evaluation as text.
#[derive(Debug, Default)]
pub struct EvalText {
    /// Metric, value and baseline.
    pub rows: Vec<[String; 3]>,
    /// Cases that did not give what is expected.
    pub failures: Vec<String>,
    /// Metrics below their baseline.
    pub below: Vec<String>,
    /// Case files that this release cannot run.
    pub not_run: Vec<String>,
}

/// The table and what stands out.
pub fn eval(document: &EvalText) -> String {
    let mut text = String::new();
    line!(text, "{}", Style::Heading.paint(format!("{:<38} {:<18} baseline", "metric", "value")));
    for [name, value, baseline] in &document.rows {
        line!(text, "{} {} {}", cell(name, 38), cell(value, 18), TermText::new(baseline));
    }
    for failure in &document.failures {
        line!(text, "{} {}", Style::Warning.paint("failed:"), TermText::with_width(failure, 500));
    }
    for metric in &document.below {
        line!(text, "{} {}", Style::Error.paint("below its baseline:"), TermText::new(metric));
    }
    for file in &document.not_run {
        line!(text, "{} {}", Style::Dim.paint("not in this release:"), TermText::new(file));
    }
    text
}
