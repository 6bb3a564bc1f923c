//! The fuzz targets of fuzz/, driven a short while on the stable compiler: real documents, changed at random.
//! The numbers follow from fixed seeds, so that what fails once fails again.

mod targets;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Instant,
};

use targets::TARGETS;

use crate::random::Random;

/// Pieces that break parsers.
const PIECES: &[&[u8]] = &[
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\n---\n",
    b"{",
    b"[",
    b"]]]",
    b"\"",
    b"\\u0000",
    b"\\ud800",
    b": ",
    b"&a *a ",
    b"!!binary ",
    b"- ",
    b"..",
    b"/",
    b"\\",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"null",
    "\u{202e}".as_bytes(),
    "\u{7f}".as_bytes(),
    b"\r\n",
    b"\t",
];

/// A real document with a few changes.
fn changed(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _change in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 => bytes.truncate(at),
            2 => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
            3 => {
                let other = &seeds[random.below(seeds.len())];
                bytes.truncate(at);
                bytes.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
            4 if at < bytes.len() => drop(bytes.drain(at..(at + 1 + random.below(9)).min(bytes.len()))),
            5 => {
                let piece = bytes[at..(at + random.below(40)).min(bytes.len())].to_vec();
                let piece = piece.repeat(1 + random.below(30));
                drop(bytes.splice(at..at, piece));
            }
            _ => bytes.insert(at, random.next().to_le_bytes()[0]),
        }
    }
    bytes
}

/// Runs every target on so many inputs.
fn drive(inputs: usize) {
    println!("| target | inputs | s | panics |\n|---|---|---|---|");
    for target in TARGETS {
        let begun = Instant::now();
        let seeds = (target.seeds)();
        let mut random = Random(7);
        let inputs = inputs / target.cost;
        for number in 0..inputs {
            let bytes =
                if number < seeds.len() { seeds[number].clone() } else { changed(&mut random, &seeds) };
            let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&bytes)));
            assert!(outcome.is_ok(), "{}: {:?}", target.name, String::from_utf8_lossy(&bytes));
        }
        println!("| {} | {inputs} | {:.1} | 0 |", target.name, begun.elapsed().as_secs_f64());
    }
}

#[test]
fn every_target_takes_a_few_changed_documents() {
    drive(4_000);
}

#[test]
#[ignore = "it takes minutes: the figures of docs/reliability.md"]
fn every_target_takes_many_changed_documents() {
    drive(1_000_000);
}
