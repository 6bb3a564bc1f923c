//! Who holds a lease, seen from other processes: alive, stopped, killed. The lock decides, whatever numbers are
//! written in the lease.

use std::{
    process::Child,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use super::{LoadSkill, as_files, workers::Orders};
use crate::{
    skill::time::UnixMillis,
    store::{
        holder::Holder,
        removal::{Clean, RemovalTerms},
        testing::{Home, NOW},
    },
};

const ENTRY: &str = "store::tests::holders::one_holder";
const YEAR_MS: i64 = 365 * 24 * 60 * 60 * 1000;

/// Opens the entry and keeps it until it is told to stop, or killed.
#[test]
#[ignore = "another test starts it"]
fn one_holder() {
    let Some(orders) = Orders::of_this_process() else { return };
    let entry = orders.store().open(&LoadSkill::new(1).digest).unwrap().unwrap();
    fs_err::write(orders.folder().join("held"), "").unwrap();
    while !orders.must_stop() {
        thread::sleep(Duration::from_millis(2));
    }
    drop(entry);
}

fn held(home: &Home) -> Child {
    let folder = home.temp.path();
    let skill = LoadSkill::new(1);
    drop(home.install(as_files(&skill.borrowed()), 1));
    let child = Orders::new(folder, "hold", 0, false).start(ENTRY);
    let begun = Instant::now();
    while !folder.join("held").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the holder does not come");
        thread::sleep(Duration::from_millis(2));
    }
    child
}

/// Whether the entry is still there after somebody tried to remove everything.
fn stays(home: &Home, holder: &Holder, now: UnixMillis) -> bool {
    let terms = RemovalTerms { wait: Duration::from_secs(60), dry_run: false, holder, now };
    home.store.clean(&Clean::All, terms).unwrap();
    home.store.entries().unwrap().len() == 1
}

#[test]
fn a_holder_protects_while_it_lives_under_any_clock_and_any_name() {
    let home = Home::new();
    let mut child = held(&home);
    let this = Holder::current();
    let other_boot = Holder { boot_id: Some("another start".to_owned()), ..this.clone() };
    let reused = Holder { pid: child.id(), start_time: Some(1), ..this.clone() };
    let other_namespace = Holder { pid_namespace: Some(1), ..this.clone() };
    for holder in [&this, &other_boot, &reused, &other_namespace] {
        for now in [NOW.0, NOW.0 - YEAR_MS / 365, NOW.0 + 10 * YEAR_MS, 0] {
            assert!(stays(&home, holder, UnixMillis(now)), "{holder:?} at {now}");
        }
    }
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::STOP).unwrap();
    assert!(stays(&home, &this, UnixMillis(NOW.0 + 10 * YEAR_MS)), "a stopped process holds what it holds");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!stays(&home, &this, NOW), "a killed process holds nothing");
    assert_eq!(home.names("leases"), Vec::<String>::new());
}
