//! `discovery-cache`: stored search results, kept answers of hosts, and how each source fares.

use std::{collections::BTreeMap, process::ExitCode};

use super::{context::Context, moment};
use crate::{
    cli::{DiscoveryCacheArgs, DiscoveryCacheCommand, GlobalArgs},
    http,
    output::{Output, human, wire_cache},
    store::{
        Store,
        discovery::{Lifetimes, state},
        discovery_file::DiscoveryFile,
        health::Health,
    },
};

/// Runs one of the commands below `discovery-cache`.
pub(super) fn run(
    args: &DiscoveryCacheArgs,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    let store = context.store();
    let file = DiscoveryFile::new(&store.discovery_file(), context.config.remote().max_stored);
    match args.command.as_ref().unwrap_or(&DiscoveryCacheCommand::Status) {
        DiscoveryCacheCommand::Status => {
            let document = status(&context, &store, &file)?;
            if global.json {
                output.json(&document)?;
            } else {
                output.text(&human::discovery_status(&document))?;
            }
        }
        DiscoveryCacheCommand::Clean => {
            let searches = file.clean()?;
            store.forget_health()?;
            let document = wire_cache::DiscoveryClean {
                schema: "skillflux.discovery-cache-clean/1",
                searches,
                answers: http::remove_kept(&store.http_folder())?,
            };
            if global.json {
                output.json(&document)?;
            } else {
                output.text(&human::discovery_clean(&document))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn status(
    context: &Context,
    store: &Store,
    file: &DiscoveryFile,
) -> anyhow::Result<wire_cache::DiscoveryStatus> {
    let settings = context.config.remote();
    let lifetimes = Lifetimes { ttl_ms: settings.ttl_ms, stale_if_error_ms: settings.stale_if_error_ms };
    let mut searches = BTreeMap::new();
    for stored_at in file.stored_at()? {
        let state = state(stored_at.age_at(context.now()), lifetimes);
        *searches.entry(state.as_str()).or_insert(0) += 1;
    }
    let health = store.health()?;
    Ok(wire_cache::DiscoveryStatus {
        schema: "skillflux.discovery-cache/1",
        file: store.discovery_file().display().to_string(),
        searches,
        bytes: file.stats()?.bytes as u64,
        sources: health.iter().map(|(kind, health)| source(context, kind.as_str(), health)).collect(),
    })
}

pub(super) fn source(context: &Context, name: &str, health: &Health) -> wire_cache::SourceHealth {
    let until = health.cooldown_until.filter(|_| health.in_cooldown(context.now()));
    wire_cache::SourceHealth {
        source: name.to_owned(),
        failures: health.failures,
        left_alone_until: until.map(moment::rfc3339),
        last_error: health.last_error.clone().filter(|_| health.failures > 0),
    }
}
