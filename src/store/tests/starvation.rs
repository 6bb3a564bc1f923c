//! A pruner among readers that never pause: it comes to its turn, or says that the cache is busy, in time.

use std::{
    thread,
    time::{Duration, Instant},
};

use super::{
    LoadSkill, as_files,
    workers::{self, Orders},
};
use crate::store::{
    StoreError,
    holder::Holder,
    removal::{Clean, RemovalTerms},
    testing::{Home, NOW},
};

const ENTRY: &str = "store::tests::storm::one_process_of_the_storm";

#[test]
fn a_pruner_is_not_starved_by_16_readers() {
    starve(16, 2, Duration::from_secs(2));
}

#[test]
#[ignore = "it takes a minute: the figures of docs/reliability.md"]
fn a_pruner_is_not_starved_by_200_readers() {
    println!("| readers | rounds | pruned | busy | slowest round ms |");
    println!("|---|---|---|---|---|");
    starve(200, 20, Duration::from_secs(5));
}

/// Prunes `rounds` times while readers open entries without a pause; each round ends within its wait and one
/// second more.
fn starve(readers: u64, rounds: u64, wait: Duration) {
    let home = Home::new();
    let folder = home.temp.path();
    let skill = LoadSkill::new(0);
    drop(home.install(as_files(&skill.borrowed()), 0));
    let mut processes: Vec<_> =
        (0..readers).map(|seed| Orders::new(folder, "mount", seed, false).start(ENTRY)).collect();
    let begun = Instant::now();
    while workers::reporters(folder) < processes.len() {
        assert!(begun.elapsed() < Duration::from_secs(300), "the readers do not come");
        thread::sleep(Duration::from_millis(5));
    }
    let holder = Holder::current();
    let terms = RemovalTerms { wait, dry_run: false, holder: &holder, now: NOW };
    let (mut pruned, mut busy, mut slowest) = (0, 0, Duration::ZERO);
    for _round in 0..rounds {
        let start = Instant::now();
        match home.store.clean(&Clean::All, terms) {
            Ok(_) => pruned += 1,
            Err(StoreError::Busy { waited }) if waited == wait => busy += 1,
            Err(error) => panic!("{error}: {error:?}"),
        }
        slowest = slowest.max(start.elapsed());
    }
    workers::stop(folder);
    for process in &mut processes {
        assert!(process.wait().unwrap().success());
    }
    println!("| {readers} | {rounds} | {pruned} | {busy} | {} |", slowest.as_millis());
    assert!(slowest <= wait + Duration::from_secs(1), "{slowest:?}");
    assert!(pruned > 0, "not once in {rounds} rounds");
    assert_eq!(workers::accusations(folder), Vec::<String>::new());
}
