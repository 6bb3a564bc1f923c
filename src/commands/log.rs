//! The log: nothing by default, standard error with `-v`, a file with `--log-file`.
//!
//! It holds counts, durations and codes; never a task, a body, a resource's name or a skill's origin.

use std::sync::Mutex;

use anyhow::Context as _;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::{
    Layer, filter::Targets, fmt, layer::SubscriberExt, registry, util::SubscriberInitExt,
};

use crate::cli::GlobalArgs;

/// Starts the log that the global options ask for.
pub(super) fn start(global: &GlobalArgs) -> anyhow::Result<()> {
    let level = match global.verbose {
        0 if global.log_file.is_none() => return Ok(()),
        0 | 1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    // What other crates log holds addresses, and is of no use to a person.
    let ours = Targets::new().with_target("skillflux", level);
    let layer = fmt::layer().with_target(false).without_time().with_ansi(false);
    match &global.log_file {
        Some(path) => {
            let file = fs_err::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .context("the log file cannot be opened")?;
            registry().with(layer.with_writer(Mutex::new(file)).with_filter(ours)).init();
        }
        None => registry().with(layer.with_writer(std::io::stderr).with_filter(ours)).init(),
    }
    Ok(())
}
