//! The log: nothing by default, standard error with `-v`, a file with `--log-file`.
//!
//! It holds counts, durations and codes; never a task, a body, a resource's name or a skill's origin.

use std::sync::Mutex;

use anyhow::Context as _;
use tracing::level_filters::LevelFilter;

use crate::cli::GlobalArgs;

/// Starts the log that the global options ask for.
pub(super) fn start(global: &GlobalArgs) -> anyhow::Result<()> {
    let level = match global.verbose {
        0 if global.log_file.is_none() => return Ok(()),
        0 | 1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let builder = tracing_subscriber::fmt().with_max_level(level).with_target(false).without_time();
    match &global.log_file {
        Some(path) => {
            let file = fs_err::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .context("the log file cannot be opened")?;
            builder.with_ansi(false).with_writer(Mutex::new(file)).init();
        }
        None => builder.with_ansi(false).with_writer(std::io::stderr).init(),
    }
    Ok(())
}
