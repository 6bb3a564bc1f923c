//! `eval` for a person: metrics in columns, then every case that failed; or a Markdown table for a page.

use std::fmt::Write;

use super::{TermText, cell, line};
use crate::{
    output::{
        style::Style,
        wire_eval::{Eval, Failure, Metric},
    },
    skill::text::CatalogText,
};

/// The metrics and what stands out.
pub fn eval(document: &Eval) -> String {
    let mut text = String::new();
    line!(text, "{}", Style::Heading.paint(format!("{:<38} {:<18} baseline", "metric", "value")));
    for (suite, metric) in metrics(document) {
        let name = format!("{suite} {}", metric.name);
        line!(text, "{} {} {}", cell(&name, 38), cell(&value(metric), 18), percent(metric.baseline));
    }
    for failure in document.suites.iter().flat_map(|suite| &suite.failures) {
        line!(text, "{} {}", Style::Warning.paint("failed:"), TermText::with_width(&failed(failure), 500));
    }
    for (suite, metric) in metrics(document).filter(|(_, metric)| metric.below_baseline) {
        let name = TermText::new(&metric.name);
        line!(text, "{} {suite} {name}", Style::Error.paint("below its baseline:"));
    }
    for file in &document.not_in_this_release {
        line!(text, "{} {}", Style::Dim.paint("not in this release:"), TermText::new(file));
    }
    text
}

/// The metrics as a Markdown table, with the files that were not run below it.
pub fn eval_markdown(document: &Eval) -> String {
    let mut text = "| metric | value | baseline |\n| --- | ---: | ---: |\n".to_owned();
    for (suite, metric) in metrics(document) {
        line!(text, "| {suite} {} | {} | {} |", metric.name, value(metric), percent(metric.baseline));
    }
    if !document.not_in_this_release.is_empty() {
        line!(text);
    }
    for file in &document.not_in_this_release {
        // Clean text has no line break, so that only a backtick could end the code span.
        let file = CatalogText::label(file).as_str().replace('`', "'");
        line!(text, "- `{file}`: not in this release");
    }
    text
}

fn metrics(document: &Eval) -> impl Iterator<Item = (&'static str, &Metric)> {
    document.suites.iter().flat_map(|suite| suite.metrics.iter().map(|metric| (suite.suite, metric)))
}

fn value(metric: &Metric) -> String {
    match metric.value {
        Some(_) => format!("{} ({}/{})", percent(metric.value), metric.passed, metric.total),
        None => percent(None),
    }
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.1}%", value * 100.0))
}

fn failed(failure: &Failure) -> String {
    let (expected, predicted) = (failure.expected.join(", "), failure.predicted.join(", "));
    let mut text = format!("{}: expected [{expected}], got [{predicted}]", failure.id);
    if failure.expected_forced != failure.forced {
        let (expected, forced) = (failure.expected_forced.join(", "), failure.forced.join(", "));
        let _infallible = write!(text, "; by rule [{expected}], got [{forced}]");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::wire_eval::Suite;

    fn document() -> Eval {
        let metric = |name: &str, passed, total, value, baseline, below_baseline| Metric {
            name: name.to_owned(),
            passed,
            total,
            value,
            baseline,
            below_baseline,
        };
        let keys = |keys: &[&str]| keys.iter().map(|&key| key.to_owned()).collect();
        let failure = |id: &str, predicted: &[&str], forced: &[&str]| Failure {
            id: id.to_owned(),
            category: "c".to_owned(),
            expected: keys(&["x"]),
            predicted: keys(predicted),
            expected_forced: keys(&[]),
            forced: keys(forced),
            within_limit: true,
            note: None,
        };
        Eval {
            schema: "skillflux.eval/1",
            below_baseline: true,
            suites: vec![Suite {
                suite: "routing",
                cases: 2,
                known_weak: 0,
                metrics: vec![
                    metric("exact-match", 1, 3, Some(1.0 / 3.0), Some(1.0), true),
                    metric("top-1", 0, 0, None, None, false),
                ],
                categories: Vec::new(),
                failures: vec![failure("lost\u{1b}[2J", &["y", "x"], &[]), failure("ruled", &["x"], &["x"])],
            }],
            not_in_this_release: vec!["a-cases.json".to_owned(), "b`\n\u{1b}\u{202e}-cases.json".to_owned()],
        }
    }

    #[test]
    fn figures_as_text() {
        insta::assert_snapshot!(anstream::adapter::strip_str(&eval(&document())), @r"
        metric                                 value              baseline
        routing exact-match                    33.3% (1/3)        100.0%
        routing top-1                          -                  -
        failed: lost\u{1b}[2J: expected [x], got [y, x]
        failed: ruled: expected [x], got [x]; by rule [], got [x]
        below its baseline: routing exact-match
        not in this release: a-cases.json
        not in this release: b`\u{a}\u{1b}\u{202e}-cases.json
        ");
    }

    #[test]
    fn figures_as_a_table() {
        insta::assert_snapshot!(eval_markdown(&document()), @"
        | metric | value | baseline |
        | --- | ---: | ---: |
        | routing exact-match | 33.3% (1/3) | 100.0% |
        | routing top-1 | - | - |

        - `a-cases.json`: not in this release
        - `b' �-cases.json`: not in this release
        ");
    }
}
