//! What the store promises under load and damage: many processes at once, processes that are killed, bytes
//! that change. Each test has a short form, which runs with all others, and a long form, which is ignored and
//! prints the figures of docs/reliability.md.

mod corruption;
mod figures;
mod holders;
mod large;
mod starvation;
mod storm;
mod workers;

use std::collections::BTreeMap;

use super::testing::Files;
use crate::skill::{
    id::TreeDigest,
    path::SkillPath,
    tree::{self, TreeFile},
};

/// The files of a skill of the load: 12 files and 18 KiB, which follow from its number.
#[derive(Debug, Clone)]
struct LoadSkill {
    files: BTreeMap<String, Vec<u8>>,
    digest: TreeDigest,
}

impl LoadSkill {
    fn new(number: u64) -> Self {
        Self::with(number, 12)
    }

    /// One of so many files.
    fn with(number: u64, count: u64) -> Self {
        let mut files = BTreeMap::new();
        let header = format!("---\nname: skill-{number}\ndescription: Number {number}.\n---\n");
        files.insert("SKILL.md".to_owned(), header.into_bytes());
        for file in 1..count {
            let mut random = Random(number * 100 + file);
            let content = (0..1600).map(|_| random.byte()).collect();
            let folder = match file % 3 {
                0 => "references",
                1 => "references/deep",
                _ => "scripts",
            };
            files.insert(format!("{folder}/{file}"), content);
        }
        let tree_file = |(path, content): (&String, &Vec<u8>)| TreeFile {
            path: SkillPath::parse(path).unwrap(),
            executable: false,
            size: content.len() as u64,
            sha256: tree::content_sha256(content),
        };
        let digest = tree::digest(&files.iter().map(tree_file).collect::<Vec<_>>());
        Self { files, digest }
    }

    fn borrowed(&self) -> Vec<(&str, &[u8])> {
        self.files.iter().map(|(path, content)| (path.as_str(), content.as_slice())).collect()
    }
}

/// The same numbers for the same seed, on every machine (splitmix64).
#[derive(Debug, Clone)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// The files in the form that a staging folder is filled from.
fn as_files<'a>(files: &'a [(&'a str, &'a [u8])]) -> &'a Files<'a> {
    files
}
