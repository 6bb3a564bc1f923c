//! `cache`: the store of fetched skills, listed, verified, pruned and cleaned.

use std::{collections::BTreeSet, num::NonZeroU64, process::ExitCode, time::Duration};

use super::{cache_verify, context::Context, moment};
use crate::{
    candidate::identity::Identity,
    cli::{CacheArgs, CacheCommand, CleanArgs, GlobalArgs, PruneArgs},
    error::ErrorKind,
    output::{Output, human, wire_cache, wire_remote},
    skill::{id::TreeDigest, time::DAY_MS},
    store::{
        EntryState, Store,
        holder::Holder,
        pins::{PinRecord, Pins},
        prune::{self, Totals},
        removal::{Clean, Pruned, RemovalTerms, Removed},
        usage,
    },
};

/// How long an automatic prune waits for others.
const PRUNE_WAIT: Duration = Duration::from_secs(2);

/// Runs one of the commands below `cache`.
pub(super) fn run(args: &CacheArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    let store = context.store();
    match args.command.as_ref().unwrap_or(&CacheCommand::List) {
        CacheCommand::List => list(&context, &store, global, output),
        CacheCommand::Dir => dir(&store, global, output),
        CacheCommand::Verify(args) => cache_verify::run(args, &context, global, output),
        CacheCommand::Prune(args) => prune_now(args, &context, &store, global, output),
        CacheCommand::Clean(args) => clean(args, &context, &store, global, output),
    }
}

fn list(context: &Context, store: &Store, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let pins = store.pins()?;
    let leased = store.leased(&Holder::current(), context.now())?;
    let entries = store.entries()?;
    let mut invalid = invalid_pins(&pins);
    invalid.extend(entries.iter().filter_map(|entry| match &entry.state {
        EntryState::Complete => None,
        EntryState::Invalid(problem) => Some(damaged(entry.digest, "manifest.json", problem)),
        EntryState::Newer(version) => {
            Some(damaged(entry.digest, "manifest.json", &format!("of version {version}, which is newer")))
        }
    }));
    let document = wire_cache::CacheList {
        schema: "skillflux.cache/1",
        folder: store.root().display().to_string(),
        skills: pins.records.iter().map(|record| cached_skill(context, record, &leased)).collect(),
        invalid,
        bytes: entries.iter().map(|entry| entry.bytes).sum(),
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::cache_list(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn cached_skill(
    context: &Context,
    record: &PinRecord,
    leased: &BTreeSet<TreeDigest>,
) -> wire_cache::CachedSkill {
    wire_cache::CachedSkill {
        id: record.identity.short(),
        name: record.name.to_string(),
        digest: format!("sha256:{}", record.digest),
        pin: pin(record),
        evidence: match context.evidence(record) {
            Ok(level) => level.as_str(),
            Err(_) => "refused",
        },
        files: record.files,
        bytes: record.total_bytes,
        installed_at: moment::rfc3339(record.installed_at),
        in_use: leased.contains(&record.digest),
    }
}

/// Where the bytes of a stored skill come from.
pub(super) fn pin(record: &PinRecord) -> wire_remote::Pin {
    wire_remote::Pin {
        host: record.host.clone(),
        repository: record.repository.to_string(),
        repository_id: record.repository_id,
        commit: record.commit.to_string(),
        path: Some(record.path.clone()),
    }
}

fn invalid_pins(pins: &Pins) -> Vec<wire_cache::CacheProblem> {
    let problem = |invalid: &crate::store::pins::InvalidPin| wire_cache::CacheProblem {
        digest: None,
        name: None,
        file: invalid.file.display().to_string(),
        problem: invalid.reason.clone(),
        not_repaired: None,
    };
    pins.invalid.iter().map(problem).collect()
}

/// Something wrong with an entry.
pub(super) fn damaged(digest: TreeDigest, file: &str, problem: &str) -> wire_cache::CacheProblem {
    wire_cache::CacheProblem {
        digest: Some(format!("sha256:{digest}")),
        name: None,
        file: file.to_owned(),
        problem: problem.to_owned(),
        not_repaired: None,
    }
}

fn dir(store: &Store, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let folder = store.root().display().to_string();
    if global.json {
        let document = serde_json::json!({ "schema": "skillflux.cache-dir/1", "path": folder });
        output.json(&document)?;
    } else {
        output.document(&format!("{folder}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn prune_now(
    args: &PruneArgs,
    context: &Context,
    store: &Store,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let pins = store.pins()?;
    let policy = policy(context);
    let pruned = prune_store(context, store, Duration::from_secs(args.wait), args.dry_run)?;
    let name_of = |identity: &Identity| pins.records.iter().find(|record| record.identity == *identity);
    let removed = |removed: &Removed| {
        let record = removed.pins.first().and_then(name_of);
        wire_cache::Removed {
            id: record.map_or_else(|| format!("sha256:{}", removed.digest), |record| record.identity.short()),
            name: record.map_or_else(String::new, |record| record.name.to_string()),
            reason: removed.reason.as_str(),
            bytes: removed.bytes,
        }
    };
    let document = wire_cache::CachePrune {
        schema: "skillflux.cache-prune/1",
        dry_run: args.dry_run,
        removed: pruned.removed.iter().map(removed).collect(),
        in_use: pruned.protected.iter().map(|digest| format!("sha256:{digest}")).collect(),
        invalid: invalid_entries(store)? + pins.invalid.len(),
        before: totals(pruned.before),
        after: totals(pruned.after),
        within_limits: policy.is_kept_by(pruned.after),
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::cache_prune(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prunes after the limits of the settings.
pub(super) fn prune_store(
    context: &Context,
    store: &Store,
    wait: Duration,
    dry_run: bool,
) -> anyhow::Result<Pruned> {
    let terms = RemovalTerms { wait, dry_run, holder: &Holder::current(), now: context.now() };
    let records = match store.usage() {
        Ok(reading) => usage::evidence(&reading.value, &store.pins()?.records),
        Err(error) => {
            tracing::warn!(%error, "past use is not counted");
            Vec::new()
        }
    };
    Ok(store.prune(policy(context), &records, &BTreeSet::new(), terms)?)
}

/// Keeps the store within its limits, if the settings want that; that it cannot be done is no failure of what
/// was installed.
pub(super) fn prune_after_install(context: &Context, store: &Store, output: Output) {
    if context.config.store().auto_prune
        && let Err(error) = prune_store(context, store, PRUNE_WAIT, false)
    {
        output.warning(&format!("the store was not pruned: {error:#}"));
    }
}

/// How many entries cannot be read.
pub(super) fn invalid_entries(store: &Store) -> anyhow::Result<usize> {
    let is_invalid = |state: &EntryState| matches!(state, EntryState::Invalid(_));
    Ok(store.entries()?.iter().filter(|entry| is_invalid(&entry.state)).count())
}

fn policy(context: &Context) -> prune::Policy {
    let settings = context.config.store();
    let at_least_one = |number| NonZeroU64::new(number).unwrap_or(NonZeroU64::MIN);
    prune::Policy {
        max_entries: at_least_one(settings.max_entries),
        max_total_bytes: at_least_one(settings.max_total_bytes),
        max_idle_ms: settings.max_idle_days.saturating_mul(DAY_MS),
    }
}

fn totals(totals: Totals) -> wire_cache::CacheTotals {
    let bytes = u64::try_from(totals.bytes).unwrap_or(u64::MAX);
    wire_cache::CacheTotals { entries: totals.entries, bytes }
}

fn clean(
    args: &CleanArgs,
    context: &Context,
    store: &Store,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let what = match &args.id {
        Some(id) => Clean::One(id.to_ascii_lowercase()),
        None => Clean::All,
    };
    let holder = Holder::current();
    let wait = Duration::from_secs(args.wait);
    let terms = RemovalTerms { wait, dry_run: false, holder: &holder, now: context.now() };
    let cleaned = store.clean(&what, terms)?;
    let ids = |removed: &Removed| match removed.pins[..] {
        [] => vec![format!("sha256:{}", removed.digest)],
        ref pins => pins.iter().map(Identity::short).collect(),
    };
    let in_use: Vec<String> = cleaned.leased.iter().map(|digest| format!("sha256:{digest}")).collect();
    let nothing_done = cleaned.removed.is_empty() && cleaned.invalid_pins == 0 && !in_use.is_empty();
    let document = wire_cache::CacheClean {
        schema: "skillflux.cache-clean/1",
        removed: cleaned.removed.iter().flat_map(ids).collect(),
        in_use,
        invalid_pins: cleaned.invalid_pins,
        newer: cleaned.newer,
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::cache_clean(&document))?;
    }
    // A person who named one skill wants to hear that it is still there.
    let refused = args.id.is_some() && nothing_done;
    Ok(if refused { ErrorKind::Refused.exit_code().into() } else { ExitCode::SUCCESS })
}
