//! Plots of an evaluation, as SVG that needs nothing beside itself.
//!
//! Two panels: the measures of all prompts as bars with their intervals, and what each threshold of the confidence
//! costs and saves as a curve. All text in them is the program's own or escaped; numbers are rounded, so that the
//! same run gives the same bytes.

use std::fmt::Write;

use super::wire_retrieval::{Measure, Point, Retrieval};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 90.0;
const ROW: f64 = 24.0;
const CURVE: f64 = 260.0;
const BLUE: &str = "#1f6feb";
const RED: &str = "#cf222e";
const GREY: &str = "#8c959f";

/// The measures that are drawn, with their labels.
const BARS: [(&str, &str); 6] = [
    ("hit_at_1", "Hit@1"),
    ("recall_at_3", "Recall@3"),
    ("recall_at_5", "Recall@5"),
    ("recall_at_10", "Recall@10"),
    ("mrr", "MRR"),
    ("ndcg_at_10", "nDCG@10"),
];

/// The plot of a run.
pub fn retrieval(document: &Retrieval) -> String {
    let measures = document.groups.first().map_or(&[][..], |group| &group.measures);
    let find = |name: &str| measures.iter().find(|measure| measure.name == name);
    let bars: Vec<(&str, &Measure)> =
        BARS.iter().filter_map(|(name, label)| Some((*label, find(name)?))).collect();
    let mut body = String::new();
    let mut top = 34.0;
    text(&mut body, (16.0, 22.0), "title", &title(document));
    for (label, measure) in bars {
        bar(&mut body, top, label, measure);
        top += ROW;
    }
    let has_curve = document.tradeoff.iter().any(|point| point.forbidden.is_some());
    if has_curve {
        top += 24.0;
        curve(&mut body, top, &document.tradeoff);
        top += CURVE + 46.0;
    }
    let height = top + 14.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" width=\"{WIDTH:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"{}\">\n<style>text{{font:13px system-ui,sans-serif;fill:\
         #24292f}}.title{{font-weight:600}}.note{{fill:#57606a;font-size:12px}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n",
        escaped(&title(document))
    )
}

fn title(document: &Retrieval) -> String {
    let cases =
        document.groups.first().and_then(|group| group.measures.first()).map_or(0, |measure| measure.cases);
    format!("{}: {cases} prompts, {} skills", document.mode, document.skills)
}

/// One measure with its interval.
fn bar(body: &mut String, top: f64, label: &str, measure: &Measure) {
    let middle = top + ROW / 2.0;
    let x = |share: f64| LEFT + (WIDTH - LEFT - RIGHT) * share;
    text(body, (16.0, middle + 4.0), "label", label);
    let width = x(measure.value) - LEFT;
    let _infallible = writeln!(
        body,
        "<rect x=\"{LEFT:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"14\" fill=\"{BLUE}\" opacity=\"0.75\"/>",
        middle - 7.0
    );
    line(body, (x(measure.low), middle), (x(measure.high), middle), "#24292f");
    text(body, (x(1.0) + 12.0, middle + 4.0), "label", &format!("{:.1}%", measure.value * 100.0));
}

/// What each threshold costs, to the right, and lets through, upwards.
fn curve(body: &mut String, top: f64, points: &[Point]) {
    let most_lost = 0.2;
    let most = points.iter().filter_map(|point| point.forbidden).fold(0.05, f64::max);
    let most = (most * 20.0).ceil() / 20.0;
    let x = |lost: f64| LEFT + (WIDTH - LEFT - RIGHT) * (lost / most_lost);
    let y = |share: f64| top + CURVE - CURVE * (share / most);
    line(body, (LEFT, y(0.0)), (x(most_lost), y(0.0)), GREY);
    line(body, (LEFT, y(0.0)), (LEFT, top), GREY);
    for step in 0..=4 {
        let (lost, share) = (most_lost * f64::from(step) / 4.0, most * f64::from(step) / 4.0);
        text(body, (x(lost) - 10.0, y(0.0) + 18.0), "note", &format!("{:.0}%", lost * 100.0));
        text(body, (LEFT - 40.0, y(share) + 4.0), "note", &format!("{:.0}%", share * 100.0));
    }
    text(body, (LEFT, y(0.0) + 36.0), "note", "right skills among the first three that are not printed");
    text(body, (16.0, top - 8.0), "note", "near misses whose wrong skill is printed, by threshold");
    let shown: Vec<&Point> =
        points.iter().filter(|point| point.lost <= most_lost && point.forbidden.is_some()).collect();
    let place = |point: &Point| (x(point.lost), y(point.forbidden.unwrap_or_default()));
    let path: Vec<String> =
        shown.iter().map(|point| place(point)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _infallible = writeln!(
        body,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{RED}\" stroke-width=\"2\"/>",
        path.join(" ")
    );
    for point in shown.iter().filter(|point| is_labelled(point.threshold)) {
        let (x, y) = place(point);
        let _infallible = writeln!(body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{RED}\"/>");
        text(body, (x + 7.0, y - 6.0), "note", &format!("{:.2}", point.threshold));
    }
}

/// A tenth, or the threshold in between that is the default.
fn is_labelled(threshold: f64) -> bool {
    let hundredths = (threshold * 100.0).round();
    hundredths % 20.0 == 0.0 || (hundredths - 57.0).abs() < 0.5
}

fn line(body: &mut String, from: (f64, f64), to: (f64, f64), colour: &str) {
    let _infallible = writeln!(
        body,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(body: &mut String, (x, y): (f64, f64), class: &str, text: &str) {
    let text = escaped(text);
    let _infallible = writeln!(body, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{text}</text>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::wire_retrieval::Group;

    #[test]
    fn a_plot_is_one_document_with_bars_and_a_curve() {
        let measure = |name, value| Measure { name, value, low: value - 0.1, high: value + 0.1, cases: 9 };
        let point = |threshold, lost, forbidden| Point {
            threshold,
            lost,
            forbidden: Some(forbidden),
            noise: None,
            entries: 1.0,
        };
        let document = Retrieval {
            mode: "fulltext",
            skills: 3,
            groups: vec![Group {
                name: "all".to_owned(),
                measures: vec![measure("hit_at_1", 0.7), measure("mrr", 0.8)],
            }],
            tradeoff: vec![point(0.2, 0.0, 0.3), point(0.57, 0.05, 0.1), point(0.9, 0.5, 0.0)],
            ..Retrieval::default()
        };
        let svg = retrieval(&document);
        let tree = roxmltree::Document::parse(&svg).unwrap();
        let count = |name: &str| tree.descendants().filter(|node| node.has_tag_name(name)).count();
        assert_eq!((count("rect"), count("polyline"), count("circle")), (3, 1, 2));
        let texts: Vec<&str> = tree.descendants().filter_map(|node| node.text()).collect();
        assert!(texts.contains(&"fulltext: 9 prompts, 3 skills") && texts.contains(&"70.0%"), "{texts:?}");
        assert_eq!(svg, retrieval(&document));
        let empty = retrieval(&Retrieval::default());
        assert!(roxmltree::Document::parse(&empty).is_ok());
    }
}
