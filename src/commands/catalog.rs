//! `catalog`: the few skills that fit a task, in the form a harness reads.

use std::process::ExitCode;

use super::{
    context::{self, Context},
    routing,
};
use crate::{
    cli::{CatalogArgs, CatalogFormat, GlobalArgs},
    output::Output,
    route::{budget::Pricing, formats::Format},
};

/// Prints the catalog; nothing when nothing fits.
pub(super) fn run(args: &CatalogArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let flags = [("maxActiveSkills", &args.max), ("catalogTokenBudget", &args.budget_tokens)];
    let flags: Vec<_> = flags.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))).collect();
    let context = Context::load(global, output, &flags)?;
    let task = context::read_task(&args.task)?;
    let format = if global.json { Format::Json } else { format(args.format) };
    let discovery = context.discover(false);
    let routed = routing::route(&context, &discovery, &task, Pricing::Printed(format));
    for (item, tokens) in &routed.catalog.dropped {
        output.warning(&format!(
            "`{}` fits the task but not the budget: the catalog would cost {tokens} of {} tokens with it",
            item.name,
            context.config.catalog_token_budget()
        ));
    }
    output.data(format.render(&routed.catalog.items).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn format(format: CatalogFormat) -> Format {
    match format {
        CatalogFormat::Xml => Format::Xml,
        CatalogFormat::Json => Format::Json,
        CatalogFormat::Markdown => Format::Markdown,
        CatalogFormat::Lines => Format::Lines,
        CatalogFormat::Cloudflare => Format::Cloudflare,
    }
}
