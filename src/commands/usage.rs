//! `usage`: what is remembered of the use of skills, shown and forgotten.

use std::process::ExitCode;

use super::{context::Context, failure::Failure, moment};
use crate::{
    candidate::usage::{UsageRecord, UsageRecords},
    cli::{GlobalArgs, UsageArgs, UsageClearArgs, UsageCommand},
    output::{Output, human, wire_usage},
};

/// How many skills are listed without `--all`.
const MOST_LISTED: usize = 20;

/// Runs `usage` or the command below it.
pub(super) fn run(args: &UsageArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    match &args.command {
        None => list(args, &context, global, output),
        Some(UsageCommand::Clear(args)) => clear(args, &context, global, output),
    }
}

fn list(
    args: &UsageArgs,
    context: &Context,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let records = read(context, output)?;
    let most = if args.all { usize::MAX } else { MOST_LISTED };
    let all = records.by_use();
    let settings = context.config.usage();
    let document = wire_usage::Usage {
        schema: "skillflux.usage/1",
        file: context.store().usage_file().display().to_string(),
        tracking: settings.is_tracked,
        unlisted: all.len().saturating_sub(most),
        skills: all.into_iter().take(most).map(used_skill).collect(),
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::usage(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The records; a file that cannot be used is said to be one.
fn read(context: &Context, output: Output) -> anyhow::Result<UsageRecords> {
    let store = context.store();
    let reading = store.usage()?;
    if let Some(note) = reading.note {
        output.warning(&format!("`{}` is read as empty: {note}", store.usage_file().display()));
    }
    Ok(reading.value)
}

fn used_skill(record: &UsageRecord) -> wire_usage::UsedSkill {
    wire_usage::UsedSkill {
        name: record.name.clone(),
        origin: record.origin.as_str(),
        place: record.place.to_string(),
        id: record.pin.map(|pin| pin.short()),
        uses: record.uses,
        mounts: record.mounts,
        last_used: record.last_used_at.map(moment::rfc3339),
        last_mounted: record.last_mounted_at.map(moment::rfc3339),
        body_tokens: record.body_tokens,
        loaded_tokens: record.loaded_tokens,
    }
}

fn clear(
    args: &UsageClearArgs,
    context: &Context,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let places = match &args.skill {
        Some(skill) => Some(meant(&read(context, output)?, skill)?),
        None => None,
    };
    let is_meant =
        |record: &UsageRecord| places.as_ref().is_none_or(|place| record.place.to_string() == *place);
    let mut cleared: Vec<wire_usage::UsedSkill> =
        context.store().clear_usage(is_meant)?.iter().map(used_skill).collect();
    cleared.sort_by(|left, right| left.place.cmp(&right.place));
    let document = wire_usage::UsageClear { schema: "skillflux.usage-clear/1", cleared };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::usage_clear(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The place that a person means by a place or a name.
fn meant(records: &UsageRecords, text: &str) -> Result<String, Failure> {
    let places = |is_meant: &dyn Fn(&UsageRecord) -> bool| {
        let meant = records.by_use().into_iter().filter(|record| is_meant(record));
        meant.map(|record| record.place.to_string()).collect::<Vec<_>>()
    };
    let mut found = places(&|record| record.place.to_string() == text);
    if found.is_empty() {
        found = places(&|record| record.name == text || record.pin.is_some_and(|pin| pin.short() == text));
    }
    match found.len() {
        0 => Err(Failure::NoUsage { name: text.to_owned() }),
        1 => Ok(found.remove(0)),
        _ => Err(Failure::AmbiguousSkill { name: text.to_owned(), places: found }),
    }
}
