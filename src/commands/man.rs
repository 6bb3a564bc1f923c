//! `man`: the manual pages, which are generated from the command line's definition.

use std::process::ExitCode;

use super::failure::Failure;
use crate::{
    cli::{GlobalArgs, ManArgs},
    output::Output,
};

/// Every page by the command that it describes; the empty one is skillflux itself.
const PAGES: &[(&str, &str)] = &[
    ("", include_str!("../../docs/man/skillflux.1")),
    ("catalog", include_str!("../../docs/man/skillflux-catalog.1")),
    ("list", include_str!("../../docs/man/skillflux-list.1")),
    ("show", include_str!("../../docs/man/skillflux-show.1")),
    ("load", include_str!("../../docs/man/skillflux-load.1")),
    ("read", include_str!("../../docs/man/skillflux-read.1")),
    ("explain", include_str!("../../docs/man/skillflux-explain.1")),
    ("search", include_str!("../../docs/man/skillflux-search.1")),
    ("mount", include_str!("../../docs/man/skillflux-mount.1")),
    ("unmount", include_str!("../../docs/man/skillflux-unmount.1")),
    ("exec", include_str!("../../docs/man/skillflux-exec.1")),
    ("usage", include_str!("../../docs/man/skillflux-usage.1")),
    ("usage-clear", include_str!("../../docs/man/skillflux-usage-clear.1")),
    ("cache", include_str!("../../docs/man/skillflux-cache.1")),
    ("cache-list", include_str!("../../docs/man/skillflux-cache-list.1")),
    ("cache-dir", include_str!("../../docs/man/skillflux-cache-dir.1")),
    ("cache-verify", include_str!("../../docs/man/skillflux-cache-verify.1")),
    ("cache-prune", include_str!("../../docs/man/skillflux-cache-prune.1")),
    ("cache-clean", include_str!("../../docs/man/skillflux-cache-clean.1")),
    ("discovery-cache", include_str!("../../docs/man/skillflux-discovery-cache.1")),
    ("discovery-cache-status", include_str!("../../docs/man/skillflux-discovery-cache-status.1")),
    ("discovery-cache-clean", include_str!("../../docs/man/skillflux-discovery-cache-clean.1")),
    ("model", include_str!("../../docs/man/skillflux-model.1")),
    ("model-add", include_str!("../../docs/man/skillflux-model-add.1")),
    ("model-list", include_str!("../../docs/man/skillflux-model-list.1")),
    ("model-remove", include_str!("../../docs/man/skillflux-model-remove.1")),
    ("index", include_str!("../../docs/man/skillflux-index.1")),
    ("index-status", include_str!("../../docs/man/skillflux-index-status.1")),
    ("index-rebuild", include_str!("../../docs/man/skillflux-index-rebuild.1")),
    ("status", include_str!("../../docs/man/skillflux-status.1")),
    ("config", include_str!("../../docs/man/skillflux-config.1")),
    ("config-list", include_str!("../../docs/man/skillflux-config-list.1")),
    ("config-get", include_str!("../../docs/man/skillflux-config-get.1")),
    ("config-set", include_str!("../../docs/man/skillflux-config-set.1")),
    ("config-unset", include_str!("../../docs/man/skillflux-config-unset.1")),
    ("config-path", include_str!("../../docs/man/skillflux-config-path.1")),
    ("config-schema", include_str!("../../docs/man/skillflux-config-schema.1")),
    ("eval", include_str!("../../docs/man/skillflux-eval.1")),
    ("eval-retrieval", include_str!("../../docs/man/skillflux-eval-retrieval.1")),
    ("eval-train", include_str!("../../docs/man/skillflux-eval-train.1")),
    ("eval-triggers", include_str!("../../docs/man/skillflux-eval-triggers.1")),
    ("completions", include_str!("../../docs/man/skillflux-completions.1")),
    ("man", include_str!("../../docs/man/skillflux-man.1")),
];

/// Prints the page.
pub(super) fn run(args: &ManArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let wanted = args.command.join("-");
    let Some((_, page)) = PAGES.iter().find(|(command, _)| *command == wanted) else {
        return Err(Failure::UnknownCommand { command: args.command.join(" ") }.into());
    };
    if global.json {
        let document = serde_json::json!({ "schema": "skillflux.man/1", "page": page });
        output.json(&document)?;
    } else {
        output.data(page.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
