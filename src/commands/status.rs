//! `status`: where skills are read from and which settings are in force.

use std::process::ExitCode;

use super::{context::Context, discovery_cache, index, online, routing, wire_skill};
use crate::{
    candidate::remote::SourceKind,
    cli::GlobalArgs,
    config::RouterMode,
    config::embedding::EmbeddingProvider,
    output::{Output, human, wire, wire_cache, wire_index, wire_model, wire_remote},
    route::{
        budget::{self, Pricing},
        formats::Format,
    },
    skill::text::CatalogText,
    source::local::Standing,
    store::{EntryState, StoredEntry},
};

/// Prints the status.
pub(super) fn run(global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    let discovery = context.discover(true);
    let skills = || discovery.skills.iter();
    let standing = |wanted: fn(&Standing) -> bool| skills().filter(|skill| wanted(&skill.standing)).count();
    let listed: Vec<_> = skills()
        .filter(|skill| skill.standing == Standing::Active && skill.frontmatter.model_invocable)
        .map(|skill| {
            let description = CatalogText::description(&skill.frontmatter.description, usize::MAX);
            routing::item_with(skill, &discovery, description)
        })
        .collect();
    let active = standing(|standing| *standing == Standing::Active);
    let config_file = global.config.clone().unwrap_or_else(|| context.environment.folders().config_file);
    let document = wire::Status {
        schema: "skillflux.status/1",
        version: env!("CARGO_PKG_VERSION"),
        router: context.config.router_mode().as_str(),
        roots: (0..discovery.roots.len())
            .map(|root| {
                let in_root = skills().filter(|skill| skill.root == root).count();
                wire::StatusRoot { root: wire_skill::root(&discovery.roots[root]), skills: in_root }
            })
            .collect(),
        active,
        not_for_models: active - listed.len(),
        shadowed: standing(|standing| matches!(standing, Standing::Shadowed(_))),
        nested: standing(|standing| matches!(standing, Standing::Nested(_))),
        problems: discovery.problems.len(),
        full_listing_tokens: budget::estimate(&listed, Pricing::Printed(Format::Lines)),
        max_active_skills: context.config.max_active_skills(),
        catalog_token_budget: context.config.catalog_token_budget(),
        embeddings: embeddings(&context)?,
        cache: cache_status(&context)?,
        index: index_status(&context)?,
        remote: remote_status(&context)?,
        mounts: mounts(&context)?,
        agents: context.detected_agents(),
        config_file_exists: config_file.exists(),
        config_file: config_file.display().to_string(),
        project: context.config.project_root().map(|root| root.display().to_string()),
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::status(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn embeddings(context: &Context) -> anyhow::Result<Option<wire_model::Embeddings>> {
    if !context.config.compares_meaning() {
        return Ok(None);
    }
    let settings = context.config.embedding();
    let is_local = settings.provider == EmbeddingProvider::Local;
    Ok(Some(wire_model::Embeddings {
        provider: settings.provider.as_str(),
        model: settings.model,
        endpoint: (!is_local).then_some(settings.endpoint),
        kept: context.store().count_embeddings()?,
    }))
}

fn cache_status(context: &Context) -> anyhow::Result<wire_cache::CacheStatus> {
    let store = context.store();
    let (pins, entries) = (store.pins()?, store.entries()?);
    let is_invalid = |entry: &&StoredEntry| matches!(entry.state, EntryState::Invalid(_));
    let limits = context.config.store();
    Ok(wire_cache::CacheStatus {
        folder: store.root().display().to_string(),
        skills: pins.records.len(),
        bytes: entries.iter().map(|entry| entry.bytes).sum(),
        max_skills: limits.max_entries,
        max_bytes: limits.max_total_bytes,
        invalid: entries.iter().filter(is_invalid).count() + pins.invalid.len(),
    })
}

fn index_status(context: &Context) -> anyhow::Result<Option<wire_index::IndexStatus>> {
    if context.config.router_mode() == RouterMode::Fulltext {
        index::status(context).map(Some)
    } else {
        Ok(None)
    }
}

fn mounts(context: &Context) -> anyhow::Result<Vec<wire_remote::MountedSkill>> {
    let store = context.store();
    let mut mounts = Vec::new();
    for session in store.session_names()? {
        for mount in store.session(&session)?.value.mounts {
            mounts.push(wire_remote::MountedSkill {
                session: session.as_str().to_owned(),
                name: mount.slug.to_string(),
                folder: mount.folder.display().to_string(),
            });
        }
    }
    Ok(mounts)
}

fn remote_status(context: &Context) -> anyhow::Result<wire_remote::RemoteStatus> {
    let config = &context.config;
    let health = context.store().health()?;
    let source = |kind: &SourceKind| {
        let health = health.get(kind).cloned().unwrap_or_default();
        discovery_cache::source(context, kind.as_str(), &health)
    };
    Ok(wire_remote::RemoteStatus {
        discovery: config.remote_discovery().to_owned(),
        sources: config.remote().providers.iter().map(source).collect(),
        token: online::token(&context.environment).is_some(),
        trust_policy: config.trust_policy().to_owned(),
        approval_policy: config.approval_policy().to_owned(),
        trusted_owners: config.trusted_owners().len(),
        blocked_owners: config.blocked_owners().len(),
    })
}
