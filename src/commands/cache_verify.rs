//! `cache verify`: every stored byte read again, and with `--repair` fetched again where it is wrong.
//!
//! Without `--repair` nothing is changed and nothing is sent. A repair that fails leaves what is there as it is
//! and says why; it never stores other files than the pin's record promises.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use super::{
    cache::{damaged, pin},
    context::Context,
    healing::Healer,
};
use crate::{
    cli::{GlobalArgs, VerifyArgs},
    error::ErrorKind,
    output::{Output, human, wire_cache},
    skill::id::TreeDigest,
    store::{Problem, Store, Verification, pins::PinRecord},
};

/// Verifies the store, and repairs it if that was asked for.
pub(super) fn run(
    args: &VerifyArgs,
    context: &Context,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let store = context.store();
    let mut found = store.verify()?;
    let mut repair = Repair::default();
    if args.repair && !found.is_sound() {
        repair = Repair::try_all(&found, context, &store, global, output)?;
        found = store.verify()?;
    }
    let pins = store.pins()?.records;
    if !found.loose.is_empty() {
        let first = &found.loose[0];
        let count = found.loose.len();
        output.warning(&format!("{count} stored files or folders can be changed, the first is `{first}`"));
    }
    let document = wire_cache::CacheVerify {
        schema: "skillflux.cache-verify/1",
        entries: found.entries,
        files: found.files,
        bytes: found.bytes,
        repaired: repair.repaired,
        problems: found
            .problems
            .iter()
            .map(|it| problem(it, &pins, args.repair.then_some(&repair.failures)))
            .collect(),
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::cache_verify(&document))?;
    }
    Ok(if found.is_sound() { ExitCode::SUCCESS } else { ErrorKind::Integrity.exit_code().into() })
}

/// What became of a repair.
#[derive(Default)]
struct Repair {
    repaired: Vec<wire_cache::RepairedEntry>,
    /// Why an entry could not be fetched again.
    failures: BTreeMap<TreeDigest, String>,
}

impl Repair {
    /// Fetches every damaged or missing entry again from one of its pins, the newest first.
    fn try_all(
        found: &Verification,
        context: &Context,
        store: &Store,
        global: &GlobalArgs,
        output: Output,
    ) -> anyhow::Result<Self> {
        let healer = Healer::new(context, global, output)?;
        let pins = store.pins()?.records;
        let mut repair = Self::default();
        let damaged: BTreeSet<TreeDigest> = found.problems.iter().filter_map(entry).collect();
        for digest in damaged {
            let mut failure =
                "no pin says where it comes from; `skillflux cache clean --all` removes it".to_owned();
            for record in pins.iter().filter(|record| record.digest == digest) {
                match healer.heal(record) {
                    Ok(_entry) => {
                        repair.repaired.push(repaired(record));
                        failure.clear();
                        break;
                    }
                    Err(error) => failure = format!("{error:#}"),
                }
            }
            if !failure.is_empty() {
                repair.failures.insert(digest, failure);
            }
        }
        Ok(repair)
    }
}

fn repaired(record: &PinRecord) -> wire_cache::RepairedEntry {
    wire_cache::RepairedEntry {
        digest: format!("sha256:{}", record.digest),
        name: record.name.to_string(),
        pin: pin(record),
    }
}

/// The entry that a problem is about; a pin that cannot be read is about none.
fn entry(problem: &Problem) -> Option<TreeDigest> {
    match problem {
        Problem::Damaged { digest, .. } | Problem::MissingEntry { digest, .. } => Some(*digest),
        Problem::InvalidPin { .. } => None,
    }
}

fn problem(
    problem: &Problem,
    pins: &[PinRecord],
    failures: Option<&BTreeMap<TreeDigest, String>>,
) -> wire_cache::CacheProblem {
    let shown = match problem {
        Problem::Damaged { digest, file, what } => damaged(*digest, file, what.as_str()),
        Problem::MissingEntry { identity, digest } => {
            damaged(*digest, &format!("pins/{identity}.json"), "the pin of an entry that is gone")
        }
        Problem::InvalidPin { file, reason } => wire_cache::CacheProblem {
            digest: None,
            name: None,
            file: format!("pins/{file}"),
            problem: reason.clone(),
            not_repaired: None,
        },
    };
    let not_repaired = failures.and_then(|failures| match entry(problem) {
        Some(digest) => failures.get(&digest).cloned(),
        None => Some("a pin that cannot be read is mounted again by its reference".to_owned()),
    });
    let pin = entry(problem).and_then(|digest| pins.iter().find(|record| record.digest == digest));
    wire_cache::CacheProblem { name: pin.map(|record| record.name.to_string()), not_repaired, ..shown }
}
