//! Every change of a byte, a length, a name or a kind in a stored entry is noticed: by whoever opens the entry
//! and by `verify`, and an entry without a change is never accused.

use std::{
    fs::Permissions,
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
    ("change a byte", |file, _, random| {
        let mut content = fs_err::read(file).unwrap();
        let at = random.index(content.len());
        content[at] ^= random.byte().max(1);
        fs_err::write(file, content).unwrap();
    }),
    ("truncate", |file, _, random| {
        let content = fs_err::read(file).unwrap();
        let length = random.index(content.len());
        fs_err::write(file, &content[..length]).unwrap();
    }),
    ("cut off the last byte", |file, _, _| {
        let content = fs_err::read(file).unwrap();
        fs_err::write(file, &content[..content.len() - 1]).unwrap();
    }),
    ("extend by a line end", |file, _, _| {
        let content = fs_err::read(file).unwrap();
        fs_err::write(file, [&content[..], b"\n"].concat()).unwrap();
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

/// What is done at random, over and over, in the words of [`HARMS`].
const AT_RANDOM: &[&str] =
    &["flip a bit", "change a byte", "truncate", "swap with another", "replace by a link to the same bytes"];

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

    /// Whether neither finds anything wrong.
    fn is_sound(&self) -> bool {
        let pinned = matches!(self.home.store.pin(&self.identity), Ok(Some(_)));
        let opened = self.home.store.open(&self.skill.digest).is_ok_and(|entry| entry.is_some());
        pinned && opened && self.home.store.verify().unwrap().is_sound()
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
fn of_300_random_changes_all_are_noticed() {
    change_at_random(300);
}

#[test]
#[ignore = "it takes a minute: the figures of docs/reliability.md"]
fn of_10_000_random_changes_all_are_noticed() {
    println!("| random change | tried | noticed |\n|---|---|---|");
    for Tally { word, tried, noticed } in change_at_random(10_000) {
        println!("| {word} | {tried} | {noticed} |");
    }
}

/// How often one kind of change was made, and how often it was noticed.
struct Tally {
    word: &'static str,
    tried: usize,
    noticed: usize,
}

/// Changes one file at random, looks, and turns it back, so many times.
fn change_at_random(times: usize) -> Vec<Tally> {
    let patient = Patient::new();
    let mut random = Random(times as u64);
    let mut tallies: Vec<Tally> =
        AT_RANDOM.iter().map(|&word| Tally { word, tried: 0, noticed: 0 }).collect();
    let mut unnoticed = Vec::new();
    let (mut done, all) = (0, patient.files.len());
    while done < times {
        let tally = &mut tallies[random.index(AT_RANDOM.len())];
        let (_, harm) = HARMS.iter().find(|(word, _)| *word == tally.word).unwrap();
        let first = random.index(all);
        let second = (first + 1 + random.index(all - 1)) % all;
        let sound = [first, second].map(|index| Sound::of(&patient.files[index]));
        harm(sound[0].file, sound[1].file, &mut random);
        // Two files of the same bytes in each other's place are no change.
        if sound.iter().any(Sound::is_changed) {
            done += 1;
            tally.tried += 1;
            if patient.is_noticed() {
                tally.noticed += 1;
            } else {
                unnoticed.push(format!("{}: {}", tally.word, sound[0].file.display()));
            }
        }
        sound.iter().for_each(Sound::restore);
        // Otherwise the next change would be noticed because of this one.
        assert!(patient.is_sound(), "turned back after `{}`, it is sound", tally.word);
    }
    assert_eq!(unnoticed, Vec::<String>::new());
    assert!(tallies.iter().all(|tally| tally.tried > 0), "every kind has its turn");
    tallies
}

/// A file as it was before a change.
struct Sound<'a> {
    file: &'a Path,
    content: Vec<u8>,
    permissions: Permissions,
}

impl<'a> Sound<'a> {
    fn of(file: &'a Path) -> Self {
        let permissions = fs_err::metadata(file).unwrap().permissions();
        Self { file, content: fs_err::read(file).unwrap(), permissions }
    }

    fn is_changed(&self) -> bool {
        self.file.is_symlink() || fs_err::read(self.file).unwrap() != self.content
    }

    fn restore(&self) {
        // Never through a link.
        fs_err::remove_file(self.file).unwrap();
        fs_err::write(self.file, &self.content).unwrap();
        fs_err::set_permissions(self.file, self.permissions.clone()).unwrap();
    }
}
