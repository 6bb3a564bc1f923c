//! Hashing every file of every entry again, on all cores. Changes nothing, not even a lock file.
//!
//! The store may change meanwhile: locks are taken for a few entries at a time, and an entry that is pruned in
//! between is no problem. Problems come in one order, whatever the number of cores; what a newer release
//! wrote is counted and not judged.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use super::{
    Damage, Store, StoreError,
    examine::{self, Examined},
    folder::Folder,
    inventory, lock,
};
use crate::{candidate::identity::Identity, skill::id::TreeDigest};

/// How many entries are looked at before the lock is given back: held for the whole pass, it would keep a pruner
/// waiting, and everyone else behind the pruner.
const UNDER_ONE_LOCK: usize = 16;

/// What is wrong in the store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Problem {
    /// A file of an entry is not what it was.
    Damaged {
        /// The entry.
        digest: TreeDigest,
        /// The file, with the path that it has in the skill.
        file: String,
        /// What is wrong.
        what: Damage,
    },
    /// The entry of a pin is gone.
    MissingEntry {
        /// The pin.
        identity: Identity,
        /// The entry.
        digest: TreeDigest,
    },
    /// A pin cannot be understood.
    InvalidPin {
        /// The name of its file.
        file: String,
        /// Why, in words.
        reason: String,
    },
}

/// What was found when every file was hashed again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// The entries that were looked at.
    pub entries: usize,
    /// The files that their manifests list.
    pub files: usize,
    /// The bytes of these.
    pub bytes: u64,
    /// What is wrong, by entry and file.
    pub problems: Vec<Problem>,
    /// Files and folders that could be written or executed, as `<digest>/<path>`: unusual, but content decides
    /// what is intact.
    pub loose: Vec<String>,
    /// Entries and pins of a newer release, which were left alone.
    pub newer: usize,
}

impl Verification {
    /// Whether every entry is what it was.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }
}

impl Store {
    /// Hashes every file of every entry again, on all cores. Changes nothing.
    pub fn verify(&self) -> Result<Verification, StoreError> {
        let mut verification = Verification::default();
        let Some(root) = self.open_root()? else { return Ok(verification) };
        let digests = inventory::digests(&root)?;
        for (digest, examined) in self.examine_all(&root, &digests)? {
            match examined {
                Some(Outcome::Examined(examined)) => verification.add(digest, examined),
                Some(Outcome::Newer) => verification.newer += 1,
                // Pruned since it was listed.
                None => {}
            }
        }
        self.verify_pins(&root, &mut verification)?;
        verification.problems.sort();
        Ok(verification)
    }

    fn examine_all(&self, root: &Folder, digests: &[TreeDigest]) -> Result<Vec<Found>, StoreError> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let groups: Vec<_> = digests.chunks((digests.len() / cores).clamp(1, UNDER_ONE_LOCK)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut found = Vec::new();
            while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                let _guard = lock::shared_to_read(root)?;
                for digest in *group {
                    found.push((*digest, self.examine_one(root, digest)?));
                }
            }
            Ok(found)
        };
        let found = thread::scope(|scope| {
            let workers: Vec<_> = (0..cores.min(groups.len())).map(|_| scope.spawn(work)).collect();
            let join =
                |worker: thread::ScopedJoinHandle<'_, _>| worker.join().expect("hashing does not panic");
            workers.into_iter().map(join).collect::<Result<Vec<Vec<Found>>, StoreError>>()
        })?;
        let mut found: Vec<Found> = found.into_iter().flatten().collect();
        found.sort_unstable_by_key(|(digest, _)| *digest);
        Ok(found)
    }

    fn examine_one(&self, root: &Folder, digest: &TreeDigest) -> Result<Option<Outcome>, StoreError> {
        let Some(entry) = self.open_entry(root, digest)? else { return Ok(None) };
        match examine::examine(&entry, digest) {
            Ok(examined) => Ok(Some(Outcome::Examined(examined))),
            Err(StoreError::NewerFormat { .. }) => Ok(Some(Outcome::Newer)),
            Err(error) => Err(error),
        }
    }

    fn verify_pins(&self, root: &Folder, verification: &mut Verification) -> Result<(), StoreError> {
        let _guard = lock::shared_to_read(root)?;
        let pins = super::pins::read_all(root)?;
        for record in &pins.records {
            if self.open_entry(root, &record.digest)?.is_none() {
                let (identity, digest) = (record.identity, record.digest);
                verification.problems.push(Problem::MissingEntry { identity, digest });
            }
        }
        for pin in pins.invalid {
            if pin.newer.is_some() {
                verification.newer += 1;
            } else {
                let file = pin.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                verification.problems.push(Problem::InvalidPin { file, reason: pin.reason });
            }
        }
        Ok(())
    }
}

type Found = (TreeDigest, Option<Outcome>);

enum Outcome {
    Examined(Examined),
    Newer,
}

impl Verification {
    fn add(&mut self, digest: TreeDigest, examined: Examined) {
        self.entries += 1;
        self.files += examined.files.len();
        self.bytes += examined.files.iter().map(|file| file.size).sum::<u64>();
        let problem = |(file, what)| Problem::Damaged { digest, file, what };
        self.problems.extend(examined.damages.into_iter().map(problem));
        self.loose.extend(examined.loose.into_iter().map(|path| format!("{digest}/{path}")));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{
        skill::path::SkillPath,
        store::testing::{Home, ONE},
    };

    /// Makes everything writable, as somebody who wants to do damage would.
    #[cfg(unix)]
    fn open_up(folder: &Path) {
        use std::os::unix::fs::PermissionsExt;
        let permissions = std::fs::Permissions::from_mode(0o755);
        fs_err::set_permissions(folder, permissions.clone()).unwrap();
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open_up(&path);
            } else {
                fs_err::set_permissions(&path, permissions.clone()).unwrap();
            }
        }
    }

    /// What it is called, the file that is named, what is found, and how it is done to the folder of an entry.
    #[cfg(unix)]
    type Case = (&'static str, &'static str, Damage, fn(&Path));

    #[cfg(unix)]
    const DAMAGES: &[Case] = &[
        ("flip", "SKILL.md", Damage::Changed, |entry| {
            let mut content = fs_err::read(entry.join("tree/SKILL.md")).unwrap();
            content[7] ^= 1;
            fs_err::write(entry.join("tree/SKILL.md"), content).unwrap();
        }),
        ("truncate", "SKILL.md", Damage::Changed, |entry| {
            fs_err::write(entry.join("tree/SKILL.md"), "").unwrap();
        }),
        ("extend", "scripts/empty", Damage::Changed, |entry| {
            fs_err::write(entry.join("tree/scripts/empty"), "x").unwrap();
        }),
        ("delete", "scripts/run.sh", Damage::Missing, |entry| {
            fs_err::remove_file(entry.join("tree/scripts/run.sh")).unwrap();
        }),
        ("delete a folder", "references/deep/notes.md", Damage::Missing, |entry| {
            fs_err::remove_dir_all(entry.join("tree/references/deep")).unwrap();
        }),
        ("link", "scripts/run.sh", Damage::Link, |entry| {
            fs_err::rename(entry.join("tree/scripts/run.sh"), entry.join("../../../moved")).unwrap();
            fs_err::os::unix::fs::symlink("../../../../../moved", entry.join("tree/scripts/run.sh")).unwrap();
        }),
        ("link a folder", "references", Damage::Link, |entry| {
            fs_err::rename(entry.join("tree/references"), entry.join("../../../moved")).unwrap();
            fs_err::os::unix::fs::symlink("../../../../moved", entry.join("tree/references")).unwrap();
        }),
        ("swap", "SKILL.md", Damage::Changed, |entry| {
            let (one, other) = (entry.join("tree/SKILL.md"), entry.join("tree/scripts/run.sh"));
            let content = fs_err::read(&one).unwrap();
            fs_err::copy(&other, &one).unwrap();
            fs_err::write(other, content).unwrap();
        }),
        ("folder", "scripts/empty", Damage::Kind, |entry| {
            fs_err::remove_file(entry.join("tree/scripts/empty")).unwrap();
            fs_err::create_dir(entry.join("tree/scripts/empty")).unwrap();
        }),
        ("pipe", "scripts/empty", Damage::Kind, |entry| {
            fs_err::remove_file(entry.join("tree/scripts/empty")).unwrap();
            let mode = rustix::fs::Mode::from_raw_mode(0o644);
            let path = entry.join("tree/scripts/empty");
            rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        }),
        ("add a file", "scripts/more", Damage::Extra, |entry| {
            fs_err::write(entry.join("tree/scripts/more"), "").unwrap();
        }),
        ("add a folder", "more", Damage::Extra, |entry| {
            fs_err::create_dir(entry.join("tree/more")).unwrap();
        }),
        ("add beside", "more", Damage::Extra, |entry| fs_err::write(entry.join("more"), "").unwrap()),
        ("rename", "scripts/run.bash", Damage::Extra, |entry| {
            let scripts = entry.join("tree/scripts");
            fs_err::rename(scripts.join("run.sh"), scripts.join("run.bash")).unwrap();
        }),
        ("no manifest", "manifest.json", Damage::Manifest, |entry| {
            fs_err::remove_file(entry.join("manifest.json")).unwrap();
        }),
        ("another manifest", "manifest.json", Damage::Manifest, |entry| {
            let manifest = fs_err::read_to_string(entry.join("manifest.json")).unwrap();
            let changed = manifest.replace(r#""executable":true"#, r#""executable":false"#);
            assert_ne!(manifest, changed);
            fs_err::write(entry.join("manifest.json"), changed).unwrap();
        }),
        ("manifest and file", "manifest.json", Damage::Manifest, |entry| {
            let manifest = fs_err::read_to_string(entry.join("manifest.json")).unwrap();
            let hash = |content: &[u8]| TreeDigest::from_bytes(crate::skill::tree::content_sha256(content));
            let (old, new) = (hash(b"notes\n").to_string(), hash(b"other\n").to_string());
            fs_err::write(entry.join("manifest.json"), manifest.replace(&old, &new)).unwrap();
            fs_err::write(entry.join("tree/references/deep/notes.md"), "other\n").unwrap();
        }),
        ("no files", "SKILL.md", Damage::Missing, |entry| {
            fs_err::remove_dir_all(entry.join("tree")).unwrap();
        }),
        ("files elsewhere", "tree", Damage::Link, |entry| {
            fs_err::rename(entry.join("tree"), entry.join("../../../moved")).unwrap();
            fs_err::os::unix::fs::symlink("../../../moved", entry.join("tree")).unwrap();
        }),
    ];

    #[test]
    #[cfg(unix)]
    fn every_damage_is_noticed_by_open_and_by_verify() {
        for (name, file, what, damage) in DAMAGES {
            let home = Home::new();
            let sound = home.install(&[("SKILL.md", b"other")], 2).digest();
            let digest = home.install(ONE, 1).digest();
            let folder = home.path("store").join(&digest.to_string()[..2]).join(digest.to_string());
            open_up(&folder);
            let verified = home.store.verify().unwrap();
            assert!(verified.is_sound(), "{name}");
            assert_eq!(verified.loose.len(), 8, "permissions alone are no damage: {:?}", verified.loose);
            damage(&folder);
            let expected = Problem::Damaged { digest, file: (*file).to_owned(), what: *what };
            let verified = home.store.verify().unwrap();
            assert!(verified.problems.contains(&expected), "{name}: {:?}", verified.problems);
            assert_eq!(verified.entries, 2);
            let Err(StoreError::Damaged { digest: named, .. }) = home.store.open(&digest) else {
                panic!("{name}: opened");
            };
            assert_eq!(named, digest);
            assert!(home.store.open(&sound).unwrap().is_some());
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_home_that_cannot_be_written_can_be_read() {
        use std::os::unix::fs::PermissionsExt;
        let home = Home::new();
        let digest = home.install(ONE, 1).digest();
        let set = |mode: u32, files: u32| {
            for folder in ["store", "pins", "leases", "staging", ""] {
                fs_err::set_permissions(home.path(folder), std::fs::Permissions::from_mode(mode)).unwrap();
            }
            for file in ["gate.lock", "gc.lock"] {
                fs_err::set_permissions(home.path(file), std::fs::Permissions::from_mode(files)).unwrap();
            }
        };
        set(0o555, 0o444);
        let entry = home.store.open(&digest).unwrap().unwrap();
        assert_eq!(entry.read(&SkillPath::parse("scripts/run.sh").unwrap()).unwrap(), b"echo one\n");
        assert!(home.store.verify().unwrap().is_sound());
        assert_eq!(home.store.pins().unwrap().records.len(), 1);
        assert_eq!(home.store.entries().unwrap().len(), 1);
        // A superuser is not refused.
        if let Err(error) = home.store.stage() {
            assert!(error.is_read_only(), "{error}");
        }
        drop(entry);
        set(0o755, 0o644);
    }

    #[test]
    fn an_open_entry_notices_damage_before_bytes_are_handed_out() {
        let home = Home::new();
        let entry = home.install(ONE, 1);
        let path = SkillPath::parse("scripts/run.sh").unwrap();
        assert_eq!(entry.read(&path).unwrap(), b"echo one\n");
        let file = entry.tree_folder().join("scripts/run.sh");
        let opened = fs_err::File::open(&file).unwrap();
        crate::store::folder::set_file_mode(opened.file(), &file, 0o644).unwrap();
        fs_err::write(&file, "echo two\n").unwrap();
        let refused = entry.read(&path);
        assert!(matches!(refused, Err(StoreError::Damaged { what: Damage::Changed, .. })));
        assert_eq!(refused.unwrap_err().to_string().split(' ').next(), Some("`scripts/run.sh`"));
    }

    #[test]
    fn pins_without_entries_and_pins_that_are_none_are_problems() {
        let home = Home::new();
        let digest = home.install(ONE, 1).digest();
        let identity = home.store.pins().unwrap().records[0].identity;
        let shelf = home.path("store").join(&digest.to_string()[..2]);
        fs_err::rename(shelf, home.path("elsewhere")).unwrap();
        let invalid = format!("{}.json", "ab".repeat(32));
        fs_err::write(home.path("pins").join(&invalid), "{").unwrap();
        let newer = format!("{}.json", "cd".repeat(32));
        fs_err::write(home.path("pins").join(newer), r#"{"version":2}"#).unwrap();
        fs_err::write(home.path("pins/notes.txt"), "mine").unwrap();
        let verified = home.store.verify().unwrap();
        assert_eq!(verified.newer, 1);
        assert_eq!(verified.problems.len(), 2);
        assert_eq!(verified.problems[0], Problem::MissingEntry { identity, digest });
        assert!(matches!(&verified.problems[1], Problem::InvalidPin { file, .. } if *file == invalid));
    }

    #[test]
    fn verifying_changes_nothing() {
        let home = Home::new();
        assert_eq!(home.store.verify().unwrap(), Verification::default());
        assert!(!home.temp.path().join("cache").exists());
        home.install(ONE, 1);
        let verified = home.store.verify().unwrap();
        assert_eq!((verified.entries, verified.files, verified.problems.len()), (1, ONE.len(), 0));
        assert_eq!(verified.loose, Vec::<String>::new());
        assert_eq!(home.names(""), ["gate.lock", "gc.lock", "leases", "pins", "staging", "store"]);
    }
}
