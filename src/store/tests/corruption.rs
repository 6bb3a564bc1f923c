//! Every change of a byte, a length, a name or a kind in a stored entry is noticed: by whoever opens the entry
//! and by `verify`, and an entry without a change is never accused.

use std::{
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use super::{LoadSkill, Random, as_files};
use crate::{
    candidate::identity::Identity,
    store::{Damage, StoreError, testing::Home},
};

/// What is done to one file of an entry.
type Harm = fn(&Path, &Path, &mut Random);

/// The word for it, and how it is done to the first file; the second is another file of the entry.
const HARMS: &[(&str, Harm)] = &[
    ("flip a bit", |file, _, random| {
        let mut content = fs_err::read(file).unwrap();
        let at = random.index(content.len());
        content[at] ^= 1 << random.below(8);
        fs_err::write(file, content).unwrap();
    }),
    ("truncate", |file, _, random| {
        let content = fs_err::read(file).unwrap();
        let length = random.index(content.len());
        fs_err::write(file, &content[..length]).unwrap();
    }),
    ("extend", |file, _, random| {
        let mut content = fs_err::read(file).unwrap();
        content.push(random.byte());
        fs_err::write(file, content).unwrap();
    }),
    ("fill with zeros", |file, _, _| {
        let content = fs_err::read(file).unwrap();
        fs_err::write(file, vec![0; content.len()]).unwrap();
    }),
    ("delete", |file, _, _| fs_err::remove_file(file).unwrap()),
    ("replace by a link to the same bytes", |file, _, _| {
        let cache = file.ancestors().find(|folder| folder.ends_with("cache")).unwrap();
        let aside = cache.with_file_name("aside");
        fs_err::create_dir_all(&aside).unwrap();
        let moved = aside.join("bytes");
        fs_err::rename(file, &moved).unwrap();
        symlink(moved, file).unwrap();
    }),
    ("swap with another", |file, other, _| {
        let aside = file.with_extension("aside");
        fs_err::rename(file, &aside).unwrap();
        fs_err::rename(other, file).unwrap();
        fs_err::rename(aside, other).unwrap();
    }),
    ("rename", |file, _, _| fs_err::rename(file, file.with_extension("renamed")).unwrap()),
    ("add a file", |file, _, _| fs_err::write(file.with_extension("added"), "").unwrap()),
    ("turn into a folder", |file, _, _| {
        fs_err::remove_file(file).unwrap();
        fs_err::create_dir(file).unwrap();
    }),
];

const IS_NOTHING_TO_PINS: &[&str] = &["delete", "rename", "add a file"];

/// An entry that can be damaged and restored.
struct Patient {
    home: Home,
    skill: LoadSkill,
    identity: Identity,
    /// Its files, its manifest and its pin.
    files: Vec<PathBuf>,
}

impl Patient {
    fn new() -> Self {
        let home = Home::new();
        let skill = LoadSkill::with(1, 4);
        let entry = home.install(as_files(&skill.borrowed()), 1);
        let tree = entry.tree_folder().to_owned();
        drop(entry);
        let mut files: Vec<PathBuf> = skill.files.keys().map(|path| tree.join(path)).collect();
        files.push(tree.parent().unwrap().join("manifest.json"));
        for file in &files {
            fs_err::set_permissions(file, PermissionsExt::from_mode(0o644)).unwrap();
        }
        for folder in ["", "tree", "tree/references", "tree/references/deep", "tree/scripts"] {
            let folder = tree.parent().unwrap().join(folder);
            fs_err::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
        }
        let identity = home.store.pins().unwrap().records[0].identity;
        files.push(home.path("pins").join(format!("{identity}.json")));
        Self { home, skill, identity, files }
    }

    /// Whether both who would use the skill and who only looks notice.
    fn is_noticed(&self) -> bool {
        let found = self.home.store.pin(&self.identity);
        let by_pin = matches!(found, Err(StoreError::Invalid { .. } | StoreError::Foreign { .. }) | Ok(None));
        let opened = self.home.store.open(&self.skill.digest);
        let by_files = matches!(opened, Err(StoreError::Damaged { .. }));
        (by_pin || by_files) && !self.home.store.verify().unwrap().is_sound()
    }
}

#[test]
fn every_kind_of_damage_to_every_file_is_noticed() {
    let mut random = Random(3);
    let mut unnoticed = Vec::new();
    let (mut done, mut patient) = (0, Patient::new());
    for (word, harm) in HARMS {
        for index in 0..patient.files.len() {
            let other = (index + 1) % patient.files.len();
            let file = patient.files[index].clone();
            // A pin that is gone is one that never was, and a file beside pins is somebody else's.
            if file.starts_with(patient.home.path("pins")) && IS_NOTHING_TO_PINS.contains(word) {
                continue;
            }
            harm(&file, &patient.files[other], &mut random);
            done += 1;
            if !patient.is_noticed() {
                unnoticed.push(format!("{word}: {}", file.display()));
            }
            patient = Patient::new();
            assert!(patient.home.store.open(&patient.skill.digest).unwrap().is_some(), "a sound entry");
        }
    }
    assert_eq!(unnoticed, Vec::<String>::new());
    assert_eq!(done, HARMS.len() * patient.files.len() - IS_NOTHING_TO_PINS.len());
}

#[test]
fn a_file_that_may_not_be_read_is_noticed() {
    let patient = Patient::new();
    let file = &patient.files[0];
    fs_err::set_permissions(file, PermissionsExt::from_mode(0o000)).unwrap();
    if fs_err::read(file).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    let opened = patient.home.store.open(&patient.skill.digest);
    assert!(matches!(opened, Err(StoreError::Damaged { what: Damage::Mode, .. })), "{opened:?}");
    assert!(!patient.home.store.verify().unwrap().is_sound());
}

#[test]
fn of_300_random_flips_all_are_noticed() {
    assert_eq!(noticed_flips(300), 300);
}

#[test]
#[ignore = "it takes a minute: the figures of docs/reliability.md"]
fn of_10_000_random_flips_all_are_noticed() {
    let noticed = noticed_flips(10_000);
    println!("| random single-bit flips | noticed |\n|---|---|\n| 10000 | {noticed} |");
    assert_eq!(noticed, 10_000);
}

/// Flips one bit of one file, looks, and turns it back, so many times; how often it was noticed.
fn noticed_flips(times: usize) -> usize {
    let patient = Patient::new();
    let mut random = Random(times as u64);
    let mut noticed = 0;
    for _time in 0..times {
        let file = &patient.files[random.index(patient.files.len())];
        let sound = fs_err::read(file).unwrap();
        let mut content = sound.clone();
        let at = random.index(content.len());
        content[at] ^= 1 << random.below(8);
        fs_err::write(file, content).unwrap();
        noticed += usize::from(patient.is_noticed());
        fs_err::write(file, sound).unwrap();
    }
    assert!(patient.home.store.open(&patient.skill.digest).unwrap().is_some(), "turned back, it is sound");
    noticed
}
