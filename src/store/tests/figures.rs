//! How long the store takes, printed: `benches/reliability.sh` runs it in release mode. It lies beside the code
//! and not in benches/, because nothing but a test can stage a skill without a host.

use std::{
    io::Write,
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
    at_once(threads, stagings.len(), |number| {
        let (staging, staged, pin) = stagings[number].lock().unwrap().take().unwrap();
        home.store.commit(staging, &staged, &pin, durable).unwrap();
    })
}

/// Does each job once, from so many threads; the time from the first to the last.
pub(super) fn at_once(threads: usize, jobs: usize, job: impl Fn(usize) + Sync) -> Duration {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < jobs) {
            job(number);
        }
    };
    let begun = Instant::now();
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    begun.elapsed()
}

/// The floor: the files that a commit writes, and a folder for each skill, written without any care and synced one
/// after the other by each thread.
fn plain(home: &Home, threads: usize, durable: bool) -> Duration {
    let above = home.temp.path().join("plain");
    at_once(threads, 200, |number| {
        let folder = above.join(number.to_string());
        fs_err::create_dir_all(&folder).unwrap();
        let names = ["manifest.json", "pin.json"].map(|name| (name.to_owned(), vec![b'x'; 800]));
        for (name, bytes) in files(number).into_iter().chain(names) {
            let mut file = fs_err::File::create(folder.join(name.replace('/', "-"))).unwrap();
            file.write_all(&bytes).unwrap();
            if durable {
                file.sync_all().unwrap();
            }
        }
        if durable {
            fs_err::File::open(&folder).unwrap().sync_all().unwrap();
        }
    })
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

#[test]
#[ignore = "figures of docs/reliability.md, in release mode"]
fn how_long_the_store_takes() {
    println!("| work | ms, median | files written plainly, ms |\n|---|---|---|");
    // Homes stay to the end: some file systems search long for a new inode after a deletion.
    let mut homes = Vec::new();
    for (threads, durable) in [(1, false), (4, false), (1, true), (32, true)] {
        let mut once = || {
            homes.push(Home::new());
            let home = &homes[homes.len() - 1];
            (commit(home, 0, 200, threads, durable), plain(home, threads, durable))
        };
        let (times, floors) = (0..7).map(|_| once()).unzip();
        let (fsync, time, floor) = (if durable { "on" } else { "off" }, median(times), median(floors));
        println!("| commit 200 skills, fsync {fsync}, {threads} at once | {time:.1} | {floor:.1} |");
    }
    for (skills, rounds) in [(200, 21), (10_000, 5)] {
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
        println!("| verify {skills} skills | {:.1} | |", median(times.collect()));
    }
}
