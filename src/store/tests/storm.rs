//! Many processes that mount, prune, verify and are killed, on one store.
//!
//! Every mount is hashed twice and compared with what it must be; the second time while pruners try to take
//! all that is not leased. Afterwards everything must be removable.

use std::{
    collections::BTreeMap,
    num::NonZeroU64,
    process::Child,
    thread,
    time::{Duration, Instant},
};

use super::{
    LoadSkill, Random, as_files,
    workers::{self, Orders},
};
use crate::{
    skill::path::SkillPath,
    store::{
        Entry, Problem, Store, StoreError,
        holder::Holder,
        lease::LeaseTerms,
        prune::Policy,
        removal::{Clean, RemovalTerms},
        testing::{Home, NOW, install},
    },
};

const SKILLS: u64 = 24;
const ENTRY: &str = "store::tests::storm::one_process_of_the_storm";

/// How large a storm is.
#[derive(Debug, Clone, Copy)]
struct Storm {
    workers: usize,
    pruners: usize,
    lasts: Duration,
    /// Between two attempts to kill somebody.
    kill_every: Duration,
    durable: bool,
}

#[test]
fn nothing_is_corrupt_or_lost_in_a_short_storm() {
    rage(Storm {
        workers: 24,
        pruners: 3,
        lasts: Duration::from_secs(4),
        kill_every: Duration::from_millis(3),
        durable: false,
    });
}

#[test]
#[ignore = "it takes minutes: the figures of docs/reliability.md"]
fn nothing_is_corrupt_or_lost_in_long_storms() {
    let seconds = workers::variable("SKILLFLUX_STORM_SECONDS").map_or(60, |text| text.parse().unwrap());
    println!(
        "| workers | fsync | s | kills tried | landed | verified mounts | prune rounds | deletions | leases reaped | staging swept | views | corrupt | lost | left |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (workers, durable) in [(200, false), (64, false), (64, true), (8, false)] {
        rage(Storm {
            workers,
            pruners: 3,
            lasts: Duration::from_secs(seconds),
            kill_every: Duration::from_millis(3),
            durable,
        });
    }
}

/// Lets a storm rage, and checks what is left of the store.
fn rage(storm: Storm) {
    let home = Home::new();
    let folder = home.temp.path();
    let start = Instant::now();
    let mut seed = 0;
    let mut spawn = |index: usize| -> Child {
        seed += 1;
        let role = if index < storm.pruners { "prune" } else { "mount" };
        Orders::new(folder, role, seed, storm.durable).start(ENTRY)
    };
    let mut processes: Vec<Child> = (0..storm.pruners + storm.workers).map(&mut spawn).collect();
    let mut random = Random(7);
    let (mut tried, mut landed) = (0_u64, 0_u64);
    while start.elapsed() < storm.lasts {
        thread::sleep(storm.kill_every);
        let index = random.index(processes.len());
        tried += 1;
        if processes[index].try_wait().unwrap().is_none() {
            processes[index].kill().unwrap();
            landed += 1;
        }
        processes[index].wait().unwrap();
        processes[index] = spawn(index);
    }
    workers::stop(folder);
    for process in &mut processes {
        assert!(process.wait().unwrap().success(), "{:?}", workers::accusations(folder));
    }
    let counts = workers::counts(folder);
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    let wrong = workers::accusations(folder);
    let (corrupt, lost): (Vec<_>, Vec<_>) = wrong.iter().partition(|what| what.starts_with("corrupt"));
    let left = left_after_the_last_prune(&home);
    println!(
        "| {} | {} | {} | {tried} | {landed} | {} | {} | {} | {} | {} | {} | {} | {} | {left} |",
        storm.workers,
        if storm.durable { "on" } else { "off" },
        storm.lasts.as_secs(),
        count("mounts"),
        count("rounds"),
        count("deletions"),
        count("leases"),
        count("staging"),
        count("views"),
        corrupt.len(),
        lost.len(),
    );
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(left, 0);
    assert!(landed > 0 && count("mounts") > 0 && count("rounds") > 0, "the storm was none");
}

/// Everything must go: each lease has lost its holder, or was one of a term that has ended.
fn left_after_the_last_prune(home: &Home) -> usize {
    let sound = home.store.verify().unwrap();
    assert!(sound.is_sound(), "{:?}", sound.problems);
    let holder = Holder { boot_id: Some("the next start".to_owned()), ..Holder::current() };
    let terms = RemovalTerms { wait: Duration::from_secs(60), dry_run: false, holder: &holder, now: NOW };
    home.store.clean(&Clean::All, terms).unwrap();
    let mut left = Vec::new();
    for folder in ["store", "pins", "staging", "trash", "leases"] {
        left.extend(home.names(folder).into_iter().map(|name| format!("{folder}/{name}")));
    }
    assert_eq!(left, Vec::<String>::new());
    left.len()
}

/// A process of the storm; what it does is in its orders.
#[test]
#[ignore = "the storm starts it"]
fn one_process_of_the_storm() {
    let Some(orders) = Orders::of_this_process() else { return };
    let mut counts = BTreeMap::new();
    match orders.role.as_str() {
        "prune" => prune_until_told(&orders, &mut counts),
        _ => mount_until_told(&orders, &mut counts),
    }
    orders.report(&counts);
}

fn add(counts: &mut BTreeMap<&'static str, u64>, name: &'static str, more: usize) {
    *counts.entry(name).or_default() += more as u64;
}

fn prune_until_told(orders: &Orders, counts: &mut BTreeMap<&'static str, u64>) {
    let store = orders.store();
    let holder = Holder::current();
    let terms = RemovalTerms { wait: Duration::from_secs(5), dry_run: false, holder: &holder, now: NOW };
    let policy =
        Policy { max_entries: NonZeroU64::new(4).unwrap(), max_total_bytes: NonZeroU64::MAX, max_idle_ms: 0 };
    let mut random = Random(orders.seed);
    while !orders.must_stop() {
        let done = if random.below(4) == 0 {
            let pruned = store.prune(policy, &[], &std::collections::BTreeSet::new(), terms);
            pruned.map(|pruned| (pruned.removed.len(), pruned.swept))
        } else {
            let cleaned = store.clean(&Clean::All, terms);
            cleaned.map(|cleaned| (cleaned.removed.len(), cleaned.swept))
        };
        match done {
            Ok((removed, swept)) => {
                add(counts, "rounds", 1);
                add(counts, "deletions", removed);
                add(counts, "leases", swept.leases);
                add(counts, "staging", swept.staging);
            }
            Err(StoreError::Busy { .. }) => add(counts, "busy", 1),
            Err(error) => orders.accuse(&format!("lost: a pruner failed: {error}: {error:?}")),
        }
        orders.report(counts);
        thread::sleep(Duration::from_millis(5));
    }
}

fn mount_until_told(orders: &Orders, counts: &mut BTreeMap<&'static str, u64>) {
    let store = orders.store();
    let skills: Vec<LoadSkill> = (0..SKILLS).map(LoadSkill::new).collect();
    let mut random = Random(orders.seed);
    let mut round = 0_u64;
    while !orders.must_stop() {
        round += 1;
        let number = random.index(skills.len());
        let skill = &skills[number];
        let entry = match store.open(&skill.digest) {
            Ok(Some(entry)) => entry,
            Ok(None) => install(&store, as_files(&skill.borrowed()), number as u64, orders.durable),
            Err(error) => {
                orders.accuse(&format!("corrupt at opening: {error}: {error:?}"));
                continue;
            }
        };
        check(orders, skill, &entry);
        add(counts, "mounts", 1);
        match round % 16 {
            0 => look_at_all(orders, &store),
            4 => lease_and_release(orders, &store, skill),
            8 => add(counts, "views", view(orders, &store, &entry)),
            _ => {}
        }
        if round.is_multiple_of(8) {
            orders.report(counts);
        }
    }
}

/// Reads every file again, under the lease that the entry has.
fn check(orders: &Orders, skill: &LoadSkill, entry: &Entry) {
    for (path, content) in &skill.files {
        match entry.read(&SkillPath::parse(path).unwrap()) {
            Ok(read) if read == *content => {}
            Ok(_) => orders.accuse(&format!("corrupt: {path} of {}", skill.digest)),
            Err(error) => orders.accuse(&format!("lost: {path} under a lease: {error}: {error:?}")),
        }
    }
}

fn look_at_all(orders: &Orders, store: &Store) {
    match store.verify() {
        Ok(found) => {
            for problem in found.problems {
                let word = if matches!(problem, Problem::Damaged { .. }) { "corrupt" } else { "lost" };
                orders.accuse(&format!("{word} at verify: {problem:?}"));
            }
        }
        Err(error) => orders.accuse(&format!("lost: verify failed: {error}: {error:?}")),
    }
}

/// A lease with a term keeps the entry although nobody holds it.
fn lease_and_release(orders: &Orders, store: &Store, skill: &LoadSkill) {
    let holder = Holder::current();
    let terms = LeaseTerms { session: None, ttl_ms: 3_600_000, holder: &holder, now: NOW };
    let done = store.lease(&skill.digest, terms).and_then(|lease| {
        let found = store.open(&skill.digest)?;
        store.release(&lease)?;
        Ok(found.is_some())
    });
    match done {
        Ok(true) => {}
        Ok(false) => orders.accuse("lost: an entry under a lease with a term"),
        Err(error) => orders.accuse(&format!("lost: leasing failed: {error}: {error:?}")),
    }
}

fn view(orders: &Orders, store: &Store, entry: &Entry) -> usize {
    let target = orders.folder().join("views").join(std::process::id().to_string());
    let done = store.make_view(entry, &target, NOW).and_then(|_| store.remove_view(&target, false));
    match done {
        Ok(removed) if removed.kept.is_empty() => return 1,
        Ok(removed) => orders.accuse(&format!("corrupt: a view kept {:?}", removed.kept)),
        Err(error) => orders.accuse(&format!("lost: a view failed: {error}: {error:?}")),
    }
    0
}
