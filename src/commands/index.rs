//! `index`: the search index, shown and rebuilt.

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use super::{context::Context, indexing};
use crate::{
    cli::{GlobalArgs, IndexArgs, IndexCommand},
    output::{Output, human, wire_index},
};

/// Runs one of the commands below `index`.
pub(super) fn run(args: &IndexArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    match args.command.as_ref().unwrap_or(&IndexCommand::Status) {
        IndexCommand::Status => {
            let document = status(&context)?;
            if global.json {
                output.json(&document)?;
            } else {
                output.text(&human::index_status(&document))?;
            }
        }
        IndexCommand::Rebuild => {
            let document = rebuild(&context, output)?;
            if global.json {
                output.json(&document)?;
            } else {
                output.text(&human::index_rebuild(&document))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// How the index stands for the working folder.
pub(super) fn status(context: &Context) -> anyhow::Result<wire_index::IndexStatus> {
    let store = context.store();
    let status = store.index().status()?;
    Ok(wire_index::IndexStatus {
        schema: "skillflux.index/1",
        folder: store.index().path().display().to_string(),
        current: indexing::is_current(context),
        documents: status.documents,
        files: status.segments,
        bytes: status.bytes,
        folder_sets: status.views,
        unreadable: status.unreadable,
    })
}

fn rebuild(context: &Context, output: Output) -> anyhow::Result<wire_index::IndexRebuild> {
    let store = context.store();
    let began = Instant::now();
    let removed_bytes = store.index().clear()?;
    let bar = indexing::Bar::after(output, Duration::ZERO);
    let (mut skills, mut unread) = (0, 0);
    for updated in indexing::refresh(context, &bar) {
        if let Some(error) = updated.not_kept {
            return Err(error.into());
        }
        (skills, unread) = (skills + updated.read - updated.unmade.len(), unread + updated.unmade.len());
    }
    Ok(wire_index::IndexRebuild {
        schema: "skillflux.index-rebuild/1",
        folder: store.index().path().display().to_string(),
        skills,
        unread,
        milliseconds: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        bytes: store.index().status()?.bytes,
        removed_bytes,
    })
}
