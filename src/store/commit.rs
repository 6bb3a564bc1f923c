//! Publishing an entry: the one way into the store.
//!
//! All that is slow, hashing and syncing, is done in the staging folder, where nobody else is. Publishing is
//! one rename; whoever comes second takes what is there after checking it. A lease protects the entry from
//! the moment of the rename, so that it cannot be pruned before its pin is written.

use std::{io::Write, path::PathBuf, time::Duration};

use super::{
    Entry, STORE, StagingFolder, Store, StoreError, TRASH, durable,
    examine::{self, TREE},
    folder::{self, Folder, Kind},
    lease::HeldLease,
    lock,
    manifest::{self, MANIFEST, ManifestFile},
    names, pins,
    pins::PinRecord,
    staging::ENTRY,
};
use crate::{
    fetch::stage::{Staged, StagedFile},
    skill::id::TreeDigest,
};

/// The pin of a staged entry, in the staging folder.
const PIN: &str = "pin.json";
/// How long the replacement of a damaged entry waits for others.
const PATIENCE: Duration = Duration::from_secs(60);

impl Store {
    /// Publishes a staged skill under its digest, records its pin, and opens it.
    ///
    /// Whoever is second to publish the same content takes what the first one published. A published entry
    /// that is damaged is replaced. `durable` makes all of it survive a power failure before this returns.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotStagedHere`]; [`StoreError::Damaged`] when the staged files are not what was verified;
    /// [`StoreError::Invalid`] when `record` is the pin of other content.
    pub fn commit(
        &self,
        staging: StagingFolder,
        staged: &Staged,
        record: &PinRecord,
        durable: bool,
    ) -> Result<Entry, StoreError> {
        if staged.dir() != staging.tree_folder() {
            return Err(StoreError::NotStagedHere(staged.dir().to_owned()));
        }
        let digest = staged.digest();
        if record.digest != digest {
            let file = PathBuf::from(names::pin(&record.identity));
            return Err(StoreError::Invalid { file, reason: "it is for another digest".to_owned() });
        }
        let files = seal(staging.folder(), staged, record, durable)?;
        let root = self.make_root()?;
        let lease = match publish(&root, staging.folder(), &digest, durable)? {
            Published::New(lease) => lease,
            Published::There(lease) => self.take_over(&root, staging.folder(), lease, &digest, durable)?,
        };
        let guard = lock::shared(&root)?;
        pins::publish(&root, staging.folder(), PIN, record, durable)?;
        drop(guard);
        drop(staging);
        Ok(Entry::new(self, digest, files, Some(lease)))
    }

    /// Checks what somebody else published, and replaces it when it is damaged.
    fn take_over(
        &self,
        root: &Folder,
        staging: &Folder,
        lease: HeldLease,
        digest: &TreeDigest,
        durable: bool,
    ) -> Result<HeldLease, StoreError> {
        let is_intact = || match self.open_entry(root, digest)? {
            Some(entry) => Ok::<_, StoreError>(examine::examine(&entry, digest)?.damages.is_empty()),
            None => Ok(false),
        };
        if is_intact()? {
            return Ok(lease);
        }
        // A lease is not held while waiting for a lock that comes before it.
        drop(lease);
        let guard = lock::alone(root, PATIENCE)?;
        let lease = HeldLease::take(root, digest)?;
        let trash = root.make_below(TRASH)?;
        let mut replaced = None;
        if !is_intact()? {
            tracing::warn!(digest = %digest, "a damaged entry is replaced");
            let shelf = root.make_below(STORE)?.make_below(names::shelf(digest))?;
            replaced = discard(&shelf, &digest.to_string(), &trash)?;
            staging.rename(ENTRY, &shelf, digest.to_string())?;
            if durable {
                shelf.sync()?;
            }
        }
        drop(guard);
        if let Some(name) = replaced {
            // What was moved must not come back under its name with half of its files.
            trash.sync()?;
            trash.remove_tree(name)?;
        }
        Ok(lease)
    }
}

/// Moves the folder `name` to the trash and gives the name that it has there; `None` when it is not there.
pub(super) fn discard(from: &Folder, name: &str, trash: &Folder) -> Result<Option<String>, StoreError> {
    if from.kind(name)? != Some(Kind::Folder) {
        return Ok(None);
    }
    let trashed = names::trash(name);
    from.rename(name, trash, &trashed)?;
    Ok(Some(trashed))
}

enum Published {
    New(HeldLease),
    There(HeldLease),
}

/// Gives a staged entry its place in the store, unless somebody was faster, and leases it.
fn publish(
    root: &Folder,
    staging: &Folder,
    digest: &TreeDigest,
    durable: bool,
) -> Result<Published, StoreError> {
    let guard = lock::shared(root)?;
    let lease = HeldLease::take(root, digest)?;
    let store = root.make_below(STORE)?;
    let shelf = store.make_below(names::shelf(digest))?;
    let is_new = staging.rename(ENTRY, &shelf, digest.to_string())?;
    drop(guard);
    if durable {
        durable::sync_to_the_top(&[shelf.path().to_owned()], store.path())?;
    }
    Ok(if is_new { Published::New(lease) } else { Published::There(lease) })
}

/// Makes a staged entry complete: manifest, permissions, its pin, and every byte hashed and on the device.
fn seal(
    staging: &Folder,
    staged: &Staged,
    record: &PinRecord,
    durable: bool,
) -> Result<Vec<ManifestFile>, StoreError> {
    let gone = || StoreError::NotStagedHere(staged.dir().to_owned());
    let entry = staging.below(ENTRY)?.ok_or_else(gone)?;
    let tree = entry.below(TREE)?.ok_or_else(gone)?;
    let bytes = manifest::encode(staged.files().iter().map(manifest_file).collect(), &entry)?;
    let path = entry.path().join(MANIFEST);
    let mut file = entry.create_file(MANIFEST)?;
    file.write_all(&bytes).map_err(|error| StoreError::io("write", &path, error))?;
    folder::set_file_mode(&file, &path, 0o444)?;
    // The pin waits here for its entry, so that the device takes both at once.
    let mut written = vec![path, pins::prepare(staging, PIN, record)?];
    close(&tree, &mut written)?;
    if durable {
        written.push(entry.path().to_owned());
        durable::sync(&written)?;
    }
    examine::examine(&entry, &staged.digest())?.intact(&staged.digest())
}

/// Takes the permission to write from a folder and all in it, and adds the paths to `written`.
fn close(folder: &Folder, written: &mut Vec<PathBuf>) -> Result<(), StoreError> {
    for (name, kind) in folder.entries()? {
        let path = folder.path().join(&name);
        match kind {
            Kind::Folder => {
                if let Some(inner) = folder.below(&name)? {
                    close(&inner, written)?;
                }
            }
            Kind::File => {
                if let Some(file) = folder.file(&name)? {
                    folder::set_file_mode(&file, &path, 0o444)?;
                }
                written.push(path);
            }
            // Nobody staged these; the examination that follows refuses them.
            Kind::Link | Kind::Special => {}
        }
    }
    folder.set_mode(0o555)?;
    written.push(folder.path().to_owned());
    Ok(())
}

fn manifest_file(staged: &StagedFile) -> ManifestFile {
    ManifestFile {
        path: staged.file.path.clone(),
        size: staged.file.size,
        sha256: staged.file.sha256,
        blob: staged.blob.clone(),
        executable: staged.file.executable,
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::{
        fetch::stage::testing::staged,
        skill::path::SkillPath,
        store::{
            Damage,
            testing::{Home, ONE, install, record},
        },
    };

    #[cfg(unix)]
    fn mode(path: &std::path::Path) -> u32 {
        use std::os::unix::fs::PermissionsExt;
        fs_err::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_stored_is_what_was_staged() {
        for durable in [false, true] {
            let home = Home::new();
            let entry = install(&home.store, ONE, 1, durable);
            let opened = home.store.open(&entry.digest()).unwrap().unwrap();
            assert_eq!(opened.files(), entry.files());
            assert_eq!(opened.files().len(), ONE.len());
            for (path, content) in ONE {
                assert_eq!(opened.read(&SkillPath::parse(path).unwrap()).unwrap(), *content);
                assert_eq!(fs_err::read(opened.tree_folder().join(path)).unwrap(), *content);
                #[cfg(unix)]
                assert_eq!(mode(&opened.tree_folder().join(path)), 0o444);
            }
            #[cfg(unix)]
            for folder in ["", "references", "references/deep", "scripts"] {
                assert_eq!(mode(&opened.tree_folder().join(folder)), 0o555, "{folder}");
            }
            let other = SkillPath::parse("other").unwrap();
            assert!(matches!(opened.read(&other), Err(StoreError::NotFound(_))));
            let executable: Vec<_> = opened.files().iter().map(|file| file.executable).collect();
            assert_eq!(executable, [false, false, false, true]);
        }
    }

    #[test]
    fn a_cache_is_marked_and_nothing_is_left_lying_about() {
        let home = Home::new();
        assert!(home.store.open(&TreeDigest::from_bytes([1; 32])).unwrap().is_none());
        assert_eq!(fs_err::read_dir(home.temp.path()).unwrap().count(), 0, "looking makes nothing");
        let entry = home.install(ONE, 1);
        let tag = fs_err::read_to_string(home.temp.path().join("cache/CACHEDIR.TAG")).unwrap();
        assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55"));
        assert_eq!(home.names("leases").len(), 1, "an entry in use is leased");
        drop(entry);
        assert_eq!(home.names("leases"), Vec::<String>::new());
        assert_eq!(home.names("staging"), Vec::<String>::new());
        let abandoned = home.store.stage().unwrap();
        fs_err::write(abandoned.scratch_folder().unwrap().join("x"), "x").unwrap();
        assert_eq!(home.names("staging").len(), 2, "a folder and its lock");
        drop(abandoned);
        assert_eq!(home.names("staging"), Vec::<String>::new());
    }

    #[test]
    fn a_pin_is_read_as_written() {
        let home = Home::new();
        let staging = home.store.stage().unwrap();
        let staged = staged(staging.tree_folder(), ONE);
        let mut record = record(&staged, 1);
        record.renamed_from = Some(crate::skill::id::RepoSlug::parse("older/name").unwrap());
        record.sources = crate::candidate::remote::SourceKind::ALL.to_vec();
        record.pushed_at = Some(crate::skill::time::UnixMillis(-5));
        record.omitted =
            vec![pins::OmittedFile { path: "a\u{1b}".to_owned(), code: "tree_symlink".to_owned() }];
        home.store.commit(staging, &staged, &record, false).unwrap();
        assert_eq!(home.store.pin(&record.identity).unwrap().as_ref(), Some(&record));
        assert_eq!(home.store.pins().unwrap().records, [record]);
    }

    #[test]
    fn equal_content_of_many_at_once_is_one_entry_with_many_pins() {
        let home = Home::new();
        let digests: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = (0..8)
                .map(|pin| {
                    scope.spawn({
                        let home = &home;
                        move || home.install(ONE, pin).digest()
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert!(digests.iter().all(|digest| *digest == digests[0]));
        assert_eq!(home.store.entries().unwrap().len(), 1);
        let pins = home.store.pins().unwrap().records;
        assert_eq!(pins.len(), 8);
        assert!(pins.is_sorted_by(|left, right| left.installed_at > right.installed_at), "the newest first");
        assert!(home.store.verify().unwrap().is_sound());
        for folder in ["staging", "leases", "trash"] {
            assert_eq!(home.names(folder), Vec::<String>::new(), "{folder}");
        }
    }

    #[test]
    fn a_damaged_entry_is_replaced_by_the_same_content() {
        let home = Home::new();
        let entry = home.install(ONE, 1);
        let file = entry.tree_folder().join("references/deep/notes.md");
        let digest = entry.digest();
        drop(entry);
        fs_err::remove_file(&file).unwrap_or_else(|_| {
            // Not as root, the folder cannot be written.
            let folder = Folder::open(file.parent().unwrap()).unwrap().unwrap();
            folder.set_mode(0o755).unwrap();
            fs_err::remove_file(&file).unwrap();
        });
        let damaged = home.store.open(&digest);
        assert!(matches!(damaged, Err(StoreError::Damaged { what: Damage::Missing, .. })));
        let healed = home.install(ONE, 2);
        assert_eq!(healed.digest(), digest);
        assert_eq!(fs_err::read(&file).unwrap(), b"notes\n");
        assert!(home.store.verify().unwrap().is_sound());
        assert_eq!(home.names("trash"), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_what_was_verified_is_not_stored() {
        let other = &[("SKILL.md", &b"other"[..])];
        for change in ["changed", "extra", "gone", "elsewhere", "other digest"] {
            let home = Home::new();
            let staging = home.store.stage().unwrap();
            let folder = staging.tree_folder().to_owned();
            let mut skill = staged(&folder, ONE);
            let mut pin = record(&skill, 1);
            match change {
                "changed" => fs_err::write(folder.join("SKILL.md"), "---\nname: two").unwrap(),
                "extra" => fs_err::write(folder.join("scripts/extra"), "").unwrap(),
                "gone" => fs_err::remove_file(folder.join("scripts/empty")).unwrap(),
                "elsewhere" => skill = staged(&home.temp.path().join("elsewhere"), ONE),
                _ => pin.digest = staged(&home.temp.path().join("other"), other).digest(),
            }
            let refused = home.store.commit(staging, &skill, &pin, false).unwrap_err();
            match change {
                "elsewhere" => assert!(matches!(refused, StoreError::NotStagedHere(_)), "{refused}"),
                "other digest" => assert!(matches!(refused, StoreError::Invalid { .. }), "{refused}"),
                _ => assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}"),
            }
            assert_eq!(home.store.entries().unwrap(), []);
            assert_eq!(home.store.pins().unwrap(), pins::Pins::default());
            assert_eq!(home.names("staging"), Vec::<String>::new(), "{change}");
        }
    }
}
