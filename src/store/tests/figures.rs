//! How long the store takes, printed: `benches/reliability.sh` runs it in release mode. It lies beside the code
//! and not in benches/, because nothing but a test can stage a skill without a host.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::{
    fetch::stage::testing::staged,
    store::testing::{Home, record},
};

/// Files of one skill: 116 of 200 have a second one, as the 200 skills with 316 files of other figures do.
fn files(number: usize) -> Vec<(String, Vec<u8>)> {
    let header = format!("---\nname: skill-{number}\ndescription: Does {number}. Use for {number}.\n---\n");
    let body = format!("Do {number} step by step and look at each result. ").repeat(40);
    let mut files = vec![("SKILL.md".to_owned(), (header + &body).into_bytes())];
    if number % 25 < 15 && number % 200 < 193 {
        files.push(("references/guide.md".to_owned(), format!("Guide {number}\n").repeat(100).into_bytes()));
    }
    files
}

/// Commits staged skills, of these numbers, from so many threads; the time from the first commit to the last.
fn commit(home: &Home, first: usize, end: usize, threads: usize, durable: bool) -> Duration {
    let stagings: Vec<_> = (first..end)
        .map(|number| {
            let staging = home.store.stage().unwrap();
            let files = files(number);
            let files: Vec<_> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
            let staged = staged(staging.tree_folder(), &files);
            let pin = record(&staged, number as u64);
            std::sync::Mutex::new(Some((staging, staged, pin)))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let begun = Instant::now();
    thread::scope(|scope| {
        for _thread in 0..threads {
            scope.spawn(|| {
                while let Some(slot) = stagings.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (staging, staged, pin) = slot.lock().unwrap().take().unwrap();
                    home.store.commit(staging, &staged, &pin, durable).unwrap();
                }
            });
        }
    });
    begun.elapsed()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

#[test]
#[ignore = "figures of docs/reliability.md, in release mode"]
fn how_long_the_store_takes() {
    println!("| work | ms, median | bar |\n|---|---|---|");
    // Homes stay to the end: some file systems search long for a new inode after a deletion.
    let mut homes = Vec::new();
    for (threads, durable, bar) in [(1, false, "40"), (4, false, "40"), (1, true, ""), (32, true, "120")] {
        let mut once = || {
            homes.push(Home::new());
            commit(&homes[homes.len() - 1], 0, 200, threads, durable)
        };
        let times = (0..7).map(|_| once()).collect();
        let fsync = if durable { "on" } else { "off" };
        println!("| commit 200 skills, fsync {fsync}, {threads} at once | {:.1} | {bar} |", median(times));
    }
    for (skills, rounds, bar) in [(200, 21, "15"), (10_000, 5, "1000")] {
        let home = Home::new();
        // Every staging folder is an open file.
        for first in (0..skills).step_by(200) {
            commit(&home, first, first + 200, 2, false);
        }
        let times = (0..rounds).map(|_| {
            let begun = Instant::now();
            let found = home.store.verify().unwrap();
            assert!(found.is_sound() && found.entries == skills);
            begun.elapsed()
        });
        println!("| verify {skills} skills | {:.1} | {bar} |", median(times.collect()));
    }
}
