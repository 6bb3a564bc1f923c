//! A store in a folder of its own, with skills in it, for the tests beside the code.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use tempfile::TempDir;

use super::{
    Entry, Store,
    folder::Folder,
    holder::Holder,
    pins::PinRecord,
    removal::{Clean, Cleaned, RemovalTerms},
};
use crate::{
    candidate::identity::{Identity, RepositoryKey},
    fetch::stage::{Staged, testing},
    skill::{id::CommitSha, name::Slug, time::UnixMillis},
};

/// The files of one skill.
pub(super) type Files<'a> = [(&'a str, &'a [u8])];

pub(super) const ONE: &Files<'static> = &[
    ("SKILL.md", b"---\nname: one\ndescription: One.\n---\nBody.\n"),
    ("references/deep/notes.md", b"notes\n"),
    ("scripts/run.sh", b"echo one\n"),
    ("scripts/empty", b""),
];

pub(super) struct Home {
    pub(super) temp: TempDir,
    pub(super) store: Store,
}

impl Drop for Home {
    fn drop(&mut self) {
        // What is read-only stands in the way of the one that removes temporary folders.
        if let Ok(Some(folder)) = Folder::open(self.temp.path()) {
            let _removed = folder.remove_tree("cache");
        }
    }
}

impl Home {
    pub(super) fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::new(&temp.path().join("cache"), &temp.path().join("state"));
        Self { temp, store }
    }

    /// Stores `files` under the pin with this number.
    pub(super) fn install(&self, files: &Files<'_>, pin: u64) -> Entry {
        install(&self.store, files, pin, false)
    }

    /// A path in the folder of this layout.
    pub(super) fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.store.root().join(below)
    }

    /// The names in a folder of this layout, sorted; none without one.
    pub(super) fn names(&self, below: &str) -> Vec<String> {
        let Ok(entries) = fs_err::read_dir(self.path(below)) else { return Vec::new() };
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(super) fn clean_all(&self) -> Cleaned {
        self.store.clean(&Clean::All, terms(&holder())).unwrap()
    }
}

pub(super) fn install(store: &Store, files: &Files<'_>, pin: u64, durable: bool) -> Entry {
    let staging = store.stage().unwrap();
    let staged = testing::staged(staging.tree_folder(), files);
    store.commit(staging, &staged, &record(&staged, pin), durable).unwrap()
}

/// The pin with this number, of a skill at a commit and a time that follow from it.
pub(super) fn record(staged: &Staged, pin: u64) -> PinRecord {
    let commit = CommitSha::parse(&format!("{:040x}", pin + 1)).unwrap();
    let pinned = staged.pinned();
    PinRecord {
        identity: Identity::pinned(&pinned.host, RepositoryKey::Id(1), &commit, &pinned.path),
        host: pinned.host.clone(),
        repository: pinned.repository.clone(),
        repository_id: pinned.repository_id,
        owner_id: pinned.owner_id,
        renamed_from: None,
        commit,
        path: pinned.path.clone(),
        reference: None,
        name: Slug::parse("one").unwrap(),
        title: "One".to_owned(),
        description: "One.".to_owned(),
        digest: staged.digest(),
        root_tree: pinned.root_tree.clone(),
        tree: pinned.tree.clone(),
        sources: Vec::new(),
        installs: None,
        stars: Some(3),
        quality: Some(50),
        evidence: None,
        pushed_at: None,
        installed_at: UnixMillis(NOW.0 + i64::try_from(pin).unwrap()),
        omitted: Vec::new(),
        total_bytes: staged.files().iter().map(|file| file.file.size).sum(),
        files: staged.files().len(),
    }
}

/// Later than any file that a test makes.
pub(super) const NOW: UnixMillis = UnixMillis(4_000_000_000_000);

pub(super) fn holder() -> Holder {
    Holder { boot_id: Some("boot".to_owned()), pid: 1, start_time: None, pid_namespace: None }
}

pub(super) fn terms(holder: &Holder) -> RemovalTerms<'_> {
    RemovalTerms { wait: Duration::from_secs(60), dry_run: false, holder, now: NOW }
}
