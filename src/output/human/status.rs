//! `status` for a person.

use std::fmt::Write;

use super::{TermText, bytes, count, line, wire};
use crate::output::{style::Style, wire_cache, wire_remote};

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
    if let Some(embeddings) = &document.embeddings {
        let model = embeddings.model.as_deref().unwrap_or("the only model");
        let place = embeddings
            .endpoint
            .as_deref()
            .map_or_else(String::new, |at| format!(" at {}", TermText::new(at)));
        let kept = count(embeddings.kept, "kept vector");
        field("embeddings", format!("{}: {}{place}, {kept}", embeddings.provider, TermText::new(model)));
    }
    field("catalog", format!("at most {}, {budget}", count(document.max_active_skills, "skill")));
    field(
        "all at once",
        format!("a listing of every skill would cost {} tokens", document.full_listing_tokens),
    );
    field("cache", cache(&document.cache));
    if let Some(index) = &document.index {
        field("index", super::index::index_line(index));
    }
    field("remote search", remote(&document.remote));
    field("trust", trust(&document.remote));
    let state = if document.config_file_exists { "" } else { " (not there)" };
    field("config", format!("{}{state}", TermText::new(&document.config_file)));
    if let Some(project) = &document.project {
        field("project", TermText::new(project).to_string());
    }
    let agents =
        if document.agents.is_empty() { "none found".to_owned() } else { document.agents.join(", ") };
    field("agents", agents);
    mounts(&mut text, &document.mounts);
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

fn mounts(text: &mut String, mounts: &[wire_remote::MountedSkill]) {
    if mounts.is_empty() {
        return;
    }
    line!(text);
    line!(text, "{}", Style::Heading.paint("mounts"));
    for mount in mounts {
        let (session, name) = (TermText::new(&mount.session), TermText::new(&mount.name));
        line!(text, "  {session:<14} {name} {}", Style::Dim.paint(TermText::new(&mount.folder)));
    }
}

fn cache(cache: &wire_cache::CacheStatus) -> String {
    let invalid =
        if cache.invalid == 0 { String::new() } else { format!(", {} not readable", cache.invalid) };
    format!(
        "{} of at most {}, {} of at most {}{invalid}",
        count(cache.skills, "skill"),
        cache.max_skills,
        bytes(cache.bytes),
        bytes(cache.max_bytes)
    )
}

fn remote(remote: &wire_remote::RemoteStatus) -> String {
    let token = if remote.token { "with a token" } else { "without a token" };
    let source = |source: &wire_cache::SourceHealth| match (source.failures, &source.left_alone_until) {
        (_, Some(until)) => format!("{} (left alone until {until})", source.source),
        (0, None) => source.source.clone(),
        (failures, None) => format!("{} ({failures} failed)", source.source),
    };
    let sources: Vec<String> = remote.sources.iter().map(source).collect();
    format!("{}, {token}: {}", remote.discovery, sources.join(", "))
}

fn trust(remote: &wire_remote::RemoteStatus) -> String {
    let owners = match (remote.trusted_owners, remote.blocked_owners) {
        (0, 0) => String::new(),
        (trusted, blocked) => format!(", {} trusted, {blocked} blocked", count(trusted, "owner")),
    };
    format!("evidence of at least `{}`, approval `{}`{owners}", remote.trust_policy, remote.approval_policy)
}
