//! `status`: where skills are read from and which settings are in force.

use std::process::ExitCode;

use super::{context::Context, routing, wire_skill};
use crate::{
    cli::GlobalArgs,
    output::{Output, human, wire},
    route::{
        budget::{self, Pricing},
        formats::Format,
    },
    source::local::Standing,
};

/// Prints the status.
pub(super) fn run(global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    let discovery = context.discover(true);
    let skills = || discovery.skills.iter();
    let standing = |wanted: fn(&Standing) -> bool| skills().filter(|skill| wanted(&skill.standing)).count();
    let listed: Vec<_> = skills()
        .filter(|skill| skill.standing == Standing::Active && skill.frontmatter.model_invocable)
        .map(|skill| routing::item(skill, &discovery, usize::MAX))
        .collect();
    let active = standing(|standing| *standing == Standing::Active);
    let config_file = global.config.clone().unwrap_or_else(|| context.environment.folders().config_file);
    let document = wire::Status {
        schema: "skillflux.status/1",
        version: env!("CARGO_PKG_VERSION"),
        router: "lexical",
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
