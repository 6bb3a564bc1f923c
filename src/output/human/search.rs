//! `search` for a person: results with scores and evidence, then how the sources fared.

use std::fmt::Write;

use super::{TermText, count, line};
use crate::output::{style::Style, wire_remote};

/// The results, and what is missing.
pub fn search(document: &wire_remote::Search, width: usize) -> String {
    let mut text = String::new();
    let (folded, listed): (Vec<_>, Vec<_>) = document.results.iter().partition(|result| result.folded);
    for result in &listed {
        entry(&mut text, result, width);
    }
    if !folded.is_empty() {
        let owners = count(folded.len(), "further result");
        line!(text, "{}", Style::Dim.paint(format!("{owners} of the same owners; --all lists them")));
    }
    if document.results.is_empty() {
        line!(text, "{}", nothing(document.status));
    }
    sources(&mut text, document);
    text
}

/// Why there is no result.
fn nothing(status: &str) -> &'static str {
    match status {
        "offline" => "nothing on this machine fits, and skillflux is offline",
        "rate-limited" => "nothing on this machine fits, and the sources limit requests",
        "unauthorised" => "nothing on this machine fits, and a source wants a valid token",
        "failed" => "nothing on this machine fits, and no source answered",
        _ => "no skill fits",
    }
}

fn entry(text: &mut String, result: &wire_remote::SearchResult, width: usize) {
    let name = Style::Name.paint(TermText::new(&result.name));
    let source = TermText::new(&result.source);
    line!(text, "{:>3}  {name}  {}", result.score, Style::Dim.paint(source));
    let indent = " ".repeat(5);
    // A listing that nobody has looked into has no description of its own.
    if !result.description.is_empty() && result.description != result.name {
        let description = TermText::with_width(&result.description, width.saturating_sub(5).clamp(40, 400));
        line!(text, "{indent}{description}");
    }
    let mut facts = Vec::new();
    facts.extend(result.similarity.map(|similarity| format!("similarity {similarity:.3}")));
    facts.extend(result.evidence.map(str::to_owned));
    facts.extend(result.installs.map(|installs| count_of(installs, "install")));
    facts.extend(result.stars.map(|stars| count_of(stars, "star")));
    facts.extend(result.pushed.as_ref().map(|day| format!("pushed {day}")));
    if !result.copies.is_empty() {
        facts.push(match result.copies.len() {
            1 => "1 copy elsewhere".to_owned(),
            copies => format!("{copies} copies elsewhere"),
        });
    }
    if !facts.is_empty() {
        line!(text, "{indent}{}", Style::Dim.paint(facts.join(", ")));
    }
    let warnings: Vec<&str> =
        result.warnings.iter().filter(|word| **word != "single-source").copied().collect();
    if !warnings.is_empty() {
        line!(text, "{indent}{} {}", Style::Warning.paint("mind:"), warnings.join(", "));
    }
    line!(text, "{indent}{}", next_step(result));
}

/// What a person can do with the result.
fn next_step(result: &wire_remote::SearchResult) -> String {
    if let Some(location) = &result.location {
        let word = if result.stored { "stored" } else { "on this machine" };
        return Style::Good.paint(format!("{word}: {}", TermText::new(location))).to_string();
    }
    match result.obstacle {
        Some("repository-unknown") => {
            return Style::Dim.paint("cannot be mounted now: nothing is known of its repository").to_string();
        }
        Some(_) => {
            return Style::Dim
                .paint("cannot be mounted: its source is not a repository on GitHub")
                .to_string();
        }
        None => {}
    }
    let pin = result.pin.as_ref().map(|pin| {
        let path = pin.path.as_deref().filter(|path| !path.is_empty());
        let place = path.map_or_else(|| pin.repository.clone(), |path| format!("{}//{path}", pin.repository));
        format!("  {} at {}", TermText::new(&place), pin.commit.get(..12).unwrap_or(&pin.commit))
    });
    format!("skillflux mount {}{}", result.id, Style::Dim.paint(pin.unwrap_or_default()))
}

fn count_of(number: u64, noun: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

fn sources(text: &mut String, document: &wire_remote::Search) {
    if document.withheld > 0 {
        line!(text, "{} {}", Style::Warning.paint("withheld:"), withheld(document.withheld));
    }
    for source in &document.sources {
        let detail = source.detail.as_deref().map(|detail| format!(": {}", TermText::new(detail)));
        match source.status {
            "ok" => {}
            "stored" => line!(
                text,
                "{}",
                Style::Dim.paint(format!("{} from the store{}", source.source, detail.unwrap_or_default()))
            ),
            status => line!(
                text,
                "{} {} {status}{}",
                Style::Warning.paint("incomplete:"),
                source.source,
                detail.unwrap_or_default()
            ),
        }
    }
    let rejected: Vec<String> =
        document.rejected.iter().map(|(reason, number)| format!("{number} {reason}")).collect();
    if !rejected.is_empty() {
        line!(text, "{}", Style::Dim.paint(format!("not listed: {}", rejected.join(", "))));
    }
}

/// Words that are not sent, and why.
fn withheld(words: usize) -> String {
    match words {
        1 => "1 word is not sent, because it looks like a secret".to_owned(),
        words => format!("{words} words are not sent, because they look like secrets"),
    }
}

/// The requests that a search would send.
pub fn search_plan(document: &wire_remote::SearchPlan) -> String {
    let mut text = String::new();
    match &document.query {
        Some(query) => line!(text, "query {}", TermText::new(query)),
        None => line!(text, "nothing would be sent: no word of the query is left"),
    }
    if document.withheld > 0 {
        line!(text, "{}", withheld(document.withheld));
    }
    if document.query.is_some() && document.requests.is_empty() {
        line!(text, "nothing would be sent: no remote source can be asked");
    }
    for request in &document.requests {
        line!(text);
        line!(
            text,
            "{} {}",
            Style::Heading.paint(request.source),
            Style::Dim.paint(TermText::new(&request.why))
        );
        line!(text, "{} {}", request.method, TermText::new(&request.url));
        for (name, value) in &request.headers {
            line!(text, "  {name}: {}", TermText::new(value));
        }
        if let Some(body) = &request.body {
            line!(text, "  {}", TermText::new(&body.to_string()));
        }
    }
    text
}
