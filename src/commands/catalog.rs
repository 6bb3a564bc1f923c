//! `catalog`: the few skills that fit a task, in the form a harness reads.

use std::process::ExitCode;

use super::{
    context::{self, Context},
    routing,
};
use crate::{
    cli::{CatalogArgs, GlobalArgs},
    output::Output,
    route::formats::Format,
};

/// Prints the catalog; nothing when nothing fits.
pub(super) fn run(args: &CatalogArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &routing::flags(&args.bounds))?;
    let task = context::read_task(&args.task)?;
    let format = if global.json { Format::Json } else { routing::format(args.format) };
    let discovery = context.discover(false);
    let routed = routing::route(&context, &discovery, &task, format);
    for (&index, tokens) in &routed.over_budget {
        output.warning(&format!(
            "`{}` fits the task but not the budget: the catalog would cost {tokens} of {} tokens with it",
            routed.candidates[index].slug,
            context.config.catalog_token_budget()
        ));
    }
    output.document(&format.render(&routed.items))?;
    Ok(ExitCode::SUCCESS)
}
