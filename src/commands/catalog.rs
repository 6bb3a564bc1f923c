//! `catalog`: the few skills that fit a task, in the form a harness reads, and what could be fetched beside.

use std::process::ExitCode;

use super::{
    context::{self, Context},
    offering, routing,
};
use crate::{
    cli::{CatalogArgs, GlobalArgs},
    output::Output,
    route::{formats::Format, offer_block::OfferBlock},
};

/// Prints the catalog; nothing when nothing fits.
pub(super) fn run(args: &CatalogArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &routing::flags(&args.bounds))?;
    let task = context::read_task(&args.task)?;
    let format = if global.json { Format::Json } else { routing::format(args.format) };
    let (_, routed) = routing::route(&context, &task, false, format, output);
    for (&index, tokens) in &routed.over_budget {
        output.warning(&format!(
            "`{}` fits the task but not the budget: the catalog would cost {tokens} of {} tokens with it",
            routed.candidates[index].slug,
            context.config.catalog_token_budget()
        ));
    }
    let mut offers = offering::offers(&context, &task, &routed, args, global, output)?;
    let budget = context.config.catalog_token_budget();
    let fits = |block: &mut OfferBlock| budget == 0 || block.fit(format, &routed.items, budget);
    if !offers.as_mut().is_none_or(fits) {
        offers = None;
    }
    output.document(&format.render_with(&routed.items, offers.as_ref()))?;
    Ok(ExitCode::SUCCESS)
}
